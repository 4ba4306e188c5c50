"""The legend says which curves lie on one another, live and in print; lower ones say what the large one does not."""

from __future__ import annotations

import pytest
from window_kit import answered

from dpstudio.core.study import answer
from dpstudio.documents.print.content import Content
from dpstudio.documents.print.drawing import entries
from dpstudio.documents.print.style import NORMAL
from dpstudio.gui.plot import FigureView
from dpstudio.gui.shell import theme
from dpstudio.studies import all_studies

DECISION = all_studies()["decision"]
NAMED = [(study.key, figure) for study in all_studies().values() for figure in study.figures
         if any(getattr(layer, "named", False) for layer in figure.layers)]


def live(qtbot, study, key: str) -> FigureView:
    view = FigureView([study.figure(key)], theme.LIGHT)
    qtbot.addWidget(view)
    view.resize(800, 500)
    view.show()
    view.show_update(answer(study, simulate=False), study.values())
    view.grab()
    return view


def said(view: FigureView) -> list[str]:
    return [button.entry.label for button in view.legend.buttons if " = " in button.entry.label]


def printed(study, key: str) -> list[str]:
    content = Content(study, answer(study, simulate=False), study.figure(key))
    return [entry.label for entry in entries(content, NORMAL, content.coincident(300.0)) if " = " in entry.label]


@pytest.mark.parametrize(("values", "same"), [
    ({"delta": 0.0, "target": 0.5}, ["Generalized = Laplace here"]),
    ({"delta": 1e-6, "target": 0.5}, ["Generalized = Laplace here"]),
    ({"delta": 0.05, "target": 0.5}, []),
    ({"delta": 0.0, "target": 0.2, "epsilon": 2.0}, []),
])
def test_that_generalized_is_said_to_be_laplace_where_nobody_can_see_a_difference(qtbot, values, same):
    study = DECISION(**values)
    assert said(live(qtbot, study, "acceptance")) == same
    assert printed(study, "acceptance") == same


def test_that_on_a_log_scale_tails_tell_them_apart_unless_delta_is_zero(qtbot):
    assert said(live(qtbot, DECISION(delta=0.01), "tails")) == []
    assert said(live(qtbot, DECISION(delta=0.0), "tails")) == ["Generalized = Laplace here"]


def test_that_naive_is_said_to_hide_under_clamped(qtbot):
    posterior = all_studies()["posterior"]()
    key = posterior.figures[0].key
    assert said(live(qtbot, posterior, key)) == printed(posterior, key)
    assert any("Naive" in words for words in said(live(qtbot, posterior, key)))


def test_that_a_zoom_that_shows_a_difference_takes_the_words_away_and_hiding_too(qtbot):
    view = live(qtbot, DECISION(delta=1e-4), "acceptance")
    assert said(view) == ["Generalized = Laplace here"]
    buttons = list(view.legend.buttons)
    view.set_hidden(frozenset({"laplace"}))
    assert said(view) == []
    assert view.legend.buttons == buttons  # the same ones, with other words
    view.set_hidden(frozenset())
    assert said(view) == ["Generalized = Laplace here"]
    assert buttons[2].text() == "Generalized = Laplace here"


@pytest.mark.parametrize(("study", "place", "shown"), [
    ("neighbours", "sensitivity", True), ("audit", "outcomes", True), ("policy", "price", True),
    ("decision", "loss", False), ("response", "two_coins", False),
])
def test_that_a_lower_picture_has_a_legend_where_the_large_one_lacks_its_curves(bench, qtbot, study, place, shown):
    if study != "decision":
        bench.open_study(study)
    answered(qtbot, bench)
    bench.pictures.show_panel(place)
    view = bench.pictures.view(place)
    qtbot.waitUntil(lambda: view.isVisible() and bool(view.legend.buttons))
    assert view.legend.isVisible() is shown
    assert view.legend.most_rows == 1 or view.height() >= 200
    bench.pictures.enlarge(view)
    assert view.legend.isVisible()


@pytest.mark.parametrize(("key", "figure"), NAMED, ids=lambda each: getattr(each, "key", each))
def test_that_lines_of_equal_value_wear_their_names(qtbot, key, figure):
    view = live(qtbot, all_studies()[key](), figure.key)
    wanted = {layer.label or layer.y.series.label for layer in figure.layers if getattr(layer, "named", False)}
    placed = view.canvas.names.placed()
    assert {words for words, *_ in placed} == wanted
    assert len(wanted) >= 4
    view.set_hidden(frozenset({"level1"}))
    assert len(view.canvas.names.placed()) == len(wanted) - 1
