"""A short stretch of what `tests/soak/run.py` does for hours, and that it would tell of what goes wrong."""

from __future__ import annotations

import math
import sys
from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtCore import qWarning
from PySide6.QtWidgets import QLabel
from shiboken6 import delete

sys.path.append(str(Path(__file__).parents[1] / "soak"))
from anything import GROWTH, MOST_KINDS, SoakHand, grew, least, more_of

from dpstudio.gui.shell.later import later
from dpstudio.gui.shell.worker import Worker, failure

ACTIONS = 80


@pytest.fixture
def soaking(qapp, own_home, tmp_path):
    """A hand on a window of its own, which the test begins with a seed."""
    begun = []

    def begin(seed):
        files = tmp_path / "files"
        files.mkdir()
        (files / "people.csv").write_text("id,age\n" + "".join(f"{i},{i * 7 % 90}\n" for i in range(50)), "utf-8")
        begun.append(SoakHand(seed, files))
        begun[-1].settle(0.5)
        return begun[-1]

    yield begin
    for hand in begun:
        hand.end()


@pytest.mark.parametrize("seed", [1, 2])
def test_that_whatever_is_done_nothing_is_raised_or_warned_of(soaking, seed):
    hand = soaking(seed)
    for _ in range(ACTIONS):
        hand.act()
    hand.settle(0.2)
    assert not hand.failures


def raises_in_a_slot(hand):
    later(hand, lambda: 1 // 0)


def warns(hand):
    qWarning("planted")


def raises_as_it_is_painted(hand):
    kind = type(hand.window)
    before = kind.resizeEvent
    kind.resizeEvent = hand._told(lambda self, event: {}["planted"])
    try:
        hand.window.resize(800, 600)
        hand.settle(0.1)
    except KeyError:
        pass
    finally:
        kind.resizeEvent = before


def fails_in_a_thread(hand):
    worker = hand.window.findChild(Worker)
    worker.start(lambda: 1 // 0, told=lambda _: None, failed=lambda error: failure(error, "what was asked"))


@pytest.mark.parametrize(("plant", "told"), [(raises_in_a_slot, "ZeroDivisionError"), (warns, "planted"),
                                             (fails_in_a_thread, "what was asked"),
                                             (raises_as_it_is_painted, "KeyError")])
def test_that_what_is_raised_or_warned_of_is_told_with_what_was_done_before(soaking, plant, told):
    hand = soaking(1)
    hand.done.append("the last thing done")
    plant(hand)
    hand.settle(0.1)
    assert any(told in why and "the last thing done" in why for why in hand.failures)
    hand.failures.clear()


def test_that_what_grew_is_named_and_what_may_grow_is_not():
    first = dict.fromkeys(GROWTH, 100.0)
    assert not grew(first, {name: 100.0 + most for name, most in GROWTH.items()})
    for name, most in GROWTH.items():
        assert [each.partition(":")[0] for each in grew(first, {**first, name: 101.0 + most})] == [name]


def test_that_what_is_held_for_a_while_is_no_growth():
    assert least([{"memory": 7.0, "files": 3.0}, {"memory": 5.0, "files": 4.0}]) == {"memory": 5.0, "files": 3.0}


def test_that_the_kinds_of_which_most_came_are_named():
    first, last = Counter({"many": 50, "fewer": 9}), Counter({"many": 60, "new": 40, "fewer": 3})
    assert more_of(first, last) == ["new: 0 at first, 40 in the end", "many: 50 at first, 60 in the end"]
    each = Counter({f"kind {number}": number for number in range(1, MOST_KINDS + 9)})
    assert len(more_of(Counter(), each)) == MOST_KINDS


def test_that_what_a_hand_holds_is_counted(soaking):
    hand = soaking(1)
    before = hand.levels()
    kept = [Path(__file__).open("rb") for _ in range(3)]  # noqa: SIM115
    held = bytes(20 * 2**20), [object() for _ in range(10_000)]
    kinds, outlived = hand.kinds, [QLabel() for _ in range(3)]
    for each in outlived:
        delete(each)
    after = hand.levels()
    assert after["open files"] == before["open files"] + 3
    assert after["outlived parts"] == before["outlived parts"] + 3
    assert after["allocated, MiB"] > before["allocated, MiB"] + 19 or math.isnan(after["allocated, MiB"])
    assert after["Python blocks"] > before["Python blocks"] + 9_000
    assert hand.kinds["PySide6.QtWidgets.QLabel"] == kinds["PySide6.QtWidgets.QLabel"] + 3
    del held
    for each in kept:
        each.close()
    assert set(GROWTH) <= set(before)
