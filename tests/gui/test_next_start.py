"""What a window says at the next start of what it could not keep, and what stands there again."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QTest
from window_kit import LEFT, answered, closed, opened, value

from dpstudio.documents.scenarios import SCENARIOS
from dpstudio.documents.session import Session
from dpstudio.gui.data.dialog import DataDialog
from dpstudio.gui.history.pane import NOTHING, differing
from dpstudio.gui.shell.settings import Settings
from dpstudio.gui.shell.workbench import Workbench
from dpstudio.studies.noise import Noise


@pytest.fixture
def left_out(qtbot, tmp_path):
    """A window that was left with a counted N, a snapshot of it, and another study in view."""
    path = tmp_path / "people.csv"
    path.write_text("a\n" + "\n".join(map(str, range(1000))) + "\n")
    window = opened(qtbot)
    bench = window.findChild(Workbench)
    bench.desk.open_data(str(path))
    dialog = window.findChild(DataDialog)
    qtbot.waitUntil(lambda: dialog._table is not None)
    row = dialog.builder.clauses[0]
    row.comparison.setCurrentText("<")
    row.value.setText("701")
    qtbot.waitUntil(dialog.use.isEnabled)
    QTest.mouseClick(dialog.use, LEFT)
    assert value(bench, "records") == 701
    bench.document.do("Take snapshot", Session.keep, "counted")
    assert differing(bench.document.state.snapshots[0], bench.document.state) == NOTHING
    bench.desk.open_study("noise")
    closed(window)
    window = opened(qtbot)
    yield window.findChild(Workbench)
    closed(window)


def test_that_a_count_that_was_not_kept_is_said_where_its_study_comes_into_view(left_out, qtbot):
    notice = left_out.window_.notice
    assert left_out.document.study_class is Noise
    assert not notice.isVisible()
    left_out.desk.open_study("decision")
    assert value(left_out, "records") == 1020
    assert notice.isVisible()
    assert notice.label.text().startswith("N was counted in 'people.csv' where a < 701.")
    assert notice.button.text() == "Count again…"
    assert "left out" in left_out.page.parameters.control("records").findChild(type(
        left_out.page.parameters.control("records").tag)).text()
    snapshot = left_out.document.state.snapshots[0]
    assert differing(snapshot, left_out.document.state) == "N, a count that was left out"
    left_out.document.edit("records", 5)
    assert not notice.isVisible()
    assert differing(snapshot, left_out.document.state) == "N, a count that was left out"
    left_out.document.edit("epsilon", 0.3)
    assert differing(snapshot, left_out.document.state) == "ε = 0.1, N, a count that was left out"
    left_out.document.do("Go back", Session.come_back, snapshot)
    assert notice.isVisible()


def test_that_the_card_of_a_scenario_stands_there_at_the_next_start_unless_it_was_closed(qtbot):
    key = next(iter(SCENARIOS))
    for start in ("first", "with its card", "without"):
        window = opened(qtbot)
        bench = window.findChild(Workbench)
        shown = bench.tools.made("practice") and bench.practice.card.isVisible()
        assert bool(shown) == (start == "with its card")
        if start == "first":
            bench.practice.open(key)
            answered(qtbot, bench)
        elif shown:
            assert bench.practice.card.title.text() == SCENARIOS[key].title
            bench.practice.close_card()
        closed(window)


def test_that_what_was_switched_on_is_on_and_ticked_again(qtbot):
    settings = Settings()
    settings.published = settings.help_shown = True
    settings.sync()
    window = opened(qtbot)
    actions = window.findChild(Workbench).menus.actions
    assert [actions[name].isChecked() for name in (
        "Published deployments", "Help on this study", "Presentation mode")] == [
        True, True, False]
    closed(window)
