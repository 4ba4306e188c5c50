"""What is looked at again and again leaves nothing behind: objects are counted, for memory comes and goes."""

from __future__ import annotations

import gc
from collections import Counter

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QApplication, QGraphicsItem
from shiboken6 import isValid
from window_kit import answered

from dpstudio.core.answer import Answer
from dpstudio.documents.scenarios import SCENARIOS

SETTLED, TIMES = 2, 4


def there(bench) -> Counter[str]:
    """How many there are of what a window makes: parts by their classes, items of pictures, answers, and parts of ours
    that outlived themselves."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    found = Counter(each.metaObject().className() for each in bench.window().findChildren(QObject))
    found["windows"] = len(QApplication.topLevelWidgets())
    objects = gc.get_objects()
    kinds = Counter(map(type, objects))
    for name, counted in (("items", QGraphicsItem), ("answers", Answer)):
        found[name] = sum(number for kind, number in kinds.items() if issubclass(kind, counted))
    ours = {kind for kind in kinds if issubclass(kind, QObject) and kind.__module__.startswith("dpstudio")}
    found.update(f"dead {type(each).__name__}" for each in objects if type(each) in ours and not isValid(each))
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


@pytest.mark.parametrize("act", [changes_theme, opens_scenario])
def test_that_more_changes_leave_no_more_objects(bench, qtbot, act):
    for i in range(SETTLED):
        act(bench, qtbot, i)
    before = there(bench)
    for i in range(TIMES):
        act(bench, qtbot, i)
    assert not more(before, there(bench))
