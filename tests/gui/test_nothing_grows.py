"""What is looked at again and again leaves nothing behind: objects are counted, for memory comes and goes."""

from __future__ import annotations

import gc
from collections import Counter

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QGraphicsItem
from shiboken6 import isValid
from window_kit import answered

from dpstudio.core.answer import Answer
from dpstudio.documents.scenarios import SCENARIOS

SETTLED, TIMES = 2, 4


def there() -> Counter[str]:
    """How many there are of what a window makes: widgets by their classes, items of pictures, answers, and what else is
    a part of Qt's, alive or outliving itself."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    # Not by findChildren(): PySide keeps what that returns as long as the window.
    found = Counter(each.metaObject().className() for each in QApplication.allWidgets())
    found["windows"] = len(QApplication.topLevelWidgets())
    objects = gc.get_objects()
    kinds = Counter(map(type, objects))
    for name, counted in (("items", QGraphicsItem), ("answers", Answer)):
        found[name] = sum(number for kind, number in kinds.items() if issubclass(kind, counted))
    parts = {kind for kind in kinds if issubclass(kind, QObject)}
    found.update(f"{'held' if isValid(each) else 'dead'} {type(each).__name__}" for each in objects
                 if type(each) in parts)
    return found


def more(before: Counter[str], after: Counter[str]) -> Counter[str]:
    """What has grown by one piece a time or more: what comes late, as the items of a picture, comes once."""
    return Counter({name: number for name, number in (after - before).items() if number >= TIMES})


def changes_theme(bench, _qtbot, i):
    appearance = bench.appearance
    if i % 2:
        appearance.set_presentation(not appearance.presentation)
    else:
        appearance.choose("light" if appearance.theme.dark else "dark")
    QApplication.processEvents()


def opens_scenario(bench, qtbot, i):
    of_two_studies = list({scenario.study: key for key, scenario in SCENARIOS.items()}.values())[:2]
    bench.practice.open(of_two_studies[i % 2])
    answered(qtbot, bench)


def goes_by_tab_from_a_pane_that_closes(bench, _qtbot, i):
    pane = bench.desk.tools.open(("handover", "sweep")[i % 2])
    QApplication.processEvents()
    QTest.keyClick(bench.window().focusWidget() or bench.window(), Qt.Key.Key_Tab)
    pane.close()
    QApplication.processEvents()


def closes_a_report_while_a_field_of_the_release_has_the_keyboard(bench, _qtbot, _i):
    bench.desk.write_report()
    dialog = QApplication.activeModalWidget()
    dialog.pages.setCurrentWidget(dialog.about)
    QApplication.processEvents()
    dialog.about.setFocus()
    dialog.close()
    QCoreApplication.sendPostedEvents(dialog, QEvent.Type.DeferredDelete)  # before what was put off for it
    QApplication.processEvents()


@pytest.mark.parametrize("act", [changes_theme, opens_scenario, goes_by_tab_from_a_pane_that_closes,
                                 closes_a_report_while_a_field_of_the_release_has_the_keyboard])
def test_that_more_changes_leave_no_more_objects(bench, qtbot, act):
    for i in range(SETTLED):
        act(bench, qtbot, i)
    before = there()
    for i in range(TIMES):
        act(bench, qtbot, i)
    assert not more(before, there())
