"""The legend says which curves lie on one another, live and in print; lower ones say what the large one does not."""

from __future__ import annotations

from functools import lru_cache

import pytest
from plot_sample import painted, pictured

from dpstudio.core.figure import Line
from dpstudio.core.study import answer
from dpstudio.core.update import Update
from dpstudio.documents.in_view import folded, left_out
from dpstudio.gui.plot import FigureView
from dpstudio.gui.plot.legend import width_of
from dpstudio.gui.shell import theme
from dpstudio.scene.legend import entries
from dpstudio.scene.scene import Scene, resolve
from dpstudio.studies import all_studies

DECISION = all_studies()["decision"]
NAMED = [(study.key, figure) for study in all_studies().values() for figure in study.figures
         if any(getattr(layer, "named", False) for layer in figure.layers)]


@pytest.fixture(autouse=True)
def own_typeface(qapp):
    """What has room depends on it, whichever test came first."""
    theme.apply(qapp, theme.LIGHT)


@lru_cache(maxsize=8)
def exact(study) -> Update:
    """What is known of a study before anything is drawn."""
    return answer(study, simulate=False)


def seen(study, key: str, **options) -> Scene:
    parameters = {each.name: each for each in study.parameters()}
    return resolve(study.figure(key), exact(study), study.values(), parameters, **options)


def live(qtbot, study, key: str) -> FigureView:
    return painted(qtbot, study.figure(key), update=exact(study), values=study.values(),
                   size=(800, 500), parameters=None)


def said(view: FigureView) -> list[str]:
    return [button.entry.label for button in view.legend.buttons if button.entry.label.endswith(" here")]


def printed(study, key: str) -> list[str]:
    scene = seen(study, key)
    found = entries(scene, scene.coincident(scene.x, scene.y, 300.0))
    return [entry.label for entry in found if entry.label.endswith(" here")]


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
    view.look(hidden=frozenset({"laplace"}))
    assert said(view) == []
    assert view.legend.buttons == buttons  # the same ones, with other words
    view.look(hidden=frozenset())
    assert said(view) == ["Generalized = Laplace here"]
    assert buttons[2].text() == "Generalized = Laplace here"


def unnamed(view: FigureView) -> set[str]:
    """Keys of shown curves, bars, bands and dots that neither a legend in full words nor a name on the plot says."""
    scene = view.canvas.scene_
    said = {name.part.key for name, *_ in view.canvas.names.placed()}
    if view.legend.isVisible() and view.legend.whole:
        said |= {button.entry.key for button in view.legend.buttons}
    said |= {key for key, under in view.canvas.coincident.items() if under in said}
    frame = view.canvas.marks.frame
    wanting = {part.key for part in scene.shown(Line)
               if ((part.arrays[0] >= frame.x[0]) & (part.arrays[0] <= frame.x[1])
                   & (part.arrays[1] >= frame.y[0]) & (part.arrays[1] <= frame.y[1])).any()}
    return wanting - said


@pytest.mark.parametrize("study", all_studies())
def test_that_every_lower_picture_can_be_read_without_anothers_legend(qtbot, study):
    study = all_studies()[study]()
    update = exact(study)
    for figure in study.figures:
        if figure.table not in update.tables:
            continue
        view = painted(qtbot, figure, update=update, values=study.values(), size=(440, 237),
                       parameters={each.name: each for each in study.parameters()})
        view.look(hidden=left_out(figure, type(study), folded(type(study))))
        for width in (440, 485):
            view.resize(width, 237)
            view.grab()
            assert not unnamed(view), (figure.key, width)


def test_that_a_picture_too_low_for_a_legend_names_its_curves_itself_and_one_with_room_does_not(qtbot):
    view = live(qtbot, DECISION(delta=0.0), "errors")
    assert view.legend.isVisible()
    assert view.legend.whole
    assert view.canvas.names.placed() == []
    assert not view.canvas.names.isVisible()
    view.resize(323, 237)
    view.grab()
    assert not view.legend.isVisible()
    assert view.canvas.names.isVisible()
    words = [name.words for name, *_ in view.canvas.names.placed()]
    assert "Laplace = Generalized" in words
    assert len(words) == len(set(words)) >= 3


@pytest.mark.parametrize(("key", "figure"), NAMED, ids=lambda each: getattr(each, "key", each))
def test_that_lines_of_equal_value_wear_their_names(qtbot, key, figure):
    view = live(qtbot, all_studies()[key](), figure.key)
    wanted = {layer.label or layer.y.series.label for layer in figure.layers if getattr(layer, "named", False)}
    placed = view.canvas.names.placed()
    assert {each.name.words for each in placed} >= wanted
    assert len(wanted) >= 4
    view.look(hidden=frozenset({"level1"}))
    assert len(view.canvas.names.placed()) == len(placed) - 1


@pytest.mark.parametrize(("key", "figure", "height"), [("decision", "attack", 400), ("decision", "profile", 360)])
def test_that_a_legend_too_long_for_its_rows_says_names_alone_rather_than_cut_them(qtbot, key, figure, height):
    study = all_studies()[key]()
    view = live(qtbot, study, figure)
    view.resize(410, height)
    view.grab()
    assert not view.legend.whole
    assert view.canvas.names.placed()
    for button in view.legend.buttons:
        assert button.width() >= width_of(button.entry, view.theme)
        assert "=" not in button.text()
    wide = live(qtbot, study, figure)
    assert wide.legend.whole
    assert said(wide)


def test_that_a_low_picture_names_its_axis_by_the_symbol_and_a_high_one_in_words(qtbot):
    view = live(qtbot, DECISION(), "errors")
    left, quantity = view.canvas.left, DECISION.figure("errors").y.quantity
    metrics = left._metrics()
    assert left._words(metrics, left.size().height()) == quantity.axis_label == left.label
    room = metrics.horizontalAdvance(quantity.axis_label)
    assert left._words(metrics, room) == quantity.axis_label
    assert left._words(metrics, room - 1) == quantity.symbol


def test_that_a_caption_takes_a_second_line_where_the_picture_is_high_and_is_read_whole(qtbot):
    view = live(qtbot, DECISION(), "loss")
    caption, words = view.caption, view.caption.text()
    assert words.replace("\u00a0", " ") == DECISION.figure("loss").caption
    long = caption.fontMetrics().horizontalAdvance(words)
    view.resize(long + 40, 500)
    view.grab()
    assert caption.lines() == [words]
    low = caption.sizeHint().height()
    for height, lines in ((400, 2), (340, 1), (400, 2)):
        view.resize(int(0.6 * long) + 40, height)
        view.grab()
        assert len(caption.lines()) == lines
        assert (" ".join(caption.lines()) == words) == (lines == 2)
        wanted = low + (lines - 1) * caption.fontMetrics().lineSpacing()
        assert caption.sizeHint().height() == wanted
        qtbot.waitUntil(lambda wanted=wanted: caption.height() == wanted)
    view.resize(int(0.3 * long) + 40, 400)
    view.grab()
    assert len(caption.lines()) == 2
    assert caption.lines()[1].endswith("…")


def test_that_a_name_on_the_plot_is_not_struck_out_by_a_mark(qtbot):
    view = pictured(qtbot, all_studies()["response"](), "map", (500, 400))
    upright, level = (one.at for one in view.canvas.marks.marks)
    (box,) = (box for name, box, _ in view.canvas.names.placed() if name.words == "Your design")
    assert not box[0] < upright < box[2]
    assert not box[1] < level < box[3]
