"""What several windows keep in the same place: nothing that one added is lost, nothing that one removed comes back."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpstudio.core.declare import InvalidParameter
from dpstudio.data.origin import Origin
from dpstudio.documents.noted import Cover, PictureNote, Solved, SweepAsked
from dpstudio.documents.session import Session
from dpstudio.documents.state import MOST_SNAPSHOTS
from dpstudio.gui.session import recovery
from dpstudio.gui.session.recovery import Keeper, LeftSession
from dpstudio.gui.shell.settings import data_folder
from dpstudio.studies.decision import Decision
from dpstudio.studies.noise import Noise

PARTS = ("picture_notes", "snapshots", "solved", "sweeps")


class Hand:
    """A window's session and its keeper, without the window."""

    def __init__(self) -> None:
        self.session = recovery.kept().session
        self.keeper = Keeper()
        self.keeper.begin(self.left)
        self.added: set[tuple[str, str]] = set()
        self.removed: set[tuple[str, str]] = set()

    @property
    def left(self) -> LeftSession:
        return LeftSession(self.session, Session(self.session.study_class))

    def keep(self) -> None:
        self.keeper.keep(self.left)
        self.added, self.removed = set(), set()

    def add(self, part: str, i: int) -> None:
        """Something of a kind that nobody has added before."""
        state = self.session.state()
        made = {"picture_notes": lambda: self.session.having(picture_notes=(
                    *state.picture_notes, PictureNote("acceptance", f"{i}", (float(i), 0.5)))),
                "snapshots": lambda: self.session.keep(f"{i}", "why", f"2026-01-01T00:{i:02}"),
                "solved": lambda: self.session.keep_solved(
                    *state.solved, Solved((f"band_width@laplace <= {i + 1}",), ("epsilon",), state.setting)),
                "sweeps": lambda: self.session.having(sweeps=(*state.sweeps, SweepAsked(
                    (f"epsilon=1:2:{i + 2}",), (("band_width", "laplace"),), state.setting),))}[part]
        try:
            self.session = made()
        except InvalidParameter:  # there are as many as there may be
            return
        self.added.add((part, _name(part, getattr(self.session.state(), part)[-1])))

    def remove(self, part: str, i: int) -> None:
        listed = getattr(self.session.state(), part)
        if listed:
            gone = listed[i % len(listed)]
            self.session = self.session.with_state(replace(
                self.session.state(), **{part: tuple(each for each in listed if each is not gone)}))
            name = part, _name(part, gone)
            (self.added.discard if name in self.added else self.removed.add)(name)


def _name(part, each):
    return {"picture_notes": lambda: each.text, "snapshots": lambda: each.name, "solved": lambda: each.wants[0],
            "sweeps": lambda: each.over[0]}[part]()


def _standing():
    state = recovery.kept().session.state(Decision)
    return [(part, _name(part, each)) for part in PARTS for each in getattr(state, part)]


WAYS = st.lists(st.tuples(st.integers(0, 2), st.sampled_from(["add", "add", "remove", "keep", "set", "again", "kill"]),
                          st.sampled_from(PARTS), st.integers(0, 9)), min_size=6, max_size=30)


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture], deadline=None,
          max_examples=25)
@given(WAYS)
def test_that_what_any_of_three_windows_added_stays_until_one_removes_it(ways):
    (data_folder() / recovery.LAST).unlink(missing_ok=True)
    first = Hand()
    for part in PARTS:
        first.add(part, 80)
        first.add(part, 81)
    expected, epsilon = first.added, None
    first.keep()
    hands = [Hand(), Hand(), Hand()]
    changed = [None] * 3

    def keep(which):
        nonlocal expected, epsilon
        hand = hands[which]
        expected = (expected | hand.added) - hand.removed
        epsilon, changed[which] = changed[which] or epsilon, None
        hand.keep()

    for i, (which, act, part, at) in enumerate(ways):
        hand = hands[which]
        match act:
            case "add" | "remove":
                getattr(hand, act)(part, i if act == "add" else at)
            case "set":
                changed[which] = 0.5 + i / 100
                hand.session = hand.session.set("epsilon", changed[which])
            case "keep":
                keep(which)
            case _:  # the window is closed, or killed before it could keep anything, and opened again
                if act == "again":
                    keep(which)
                hands[which], changed[which] = Hand(), None
        found = _standing()
        assert len(found) == len(set(found))
        assert set(found) == expected
        assert recovery.kept().session.state(Decision).setting.set_here.get("epsilon") == epsilon


def test_that_of_values_the_last_stand_and_what_was_only_noted_leaves_them():
    first, second = Hand(), Hand()
    first.session = first.session.set("epsilon", 0.25).having(note="first")
    first.keep()
    second.session = second.session.having(cover=Cover("which?")).look("records", (1.0, 2.0))
    second.keep()
    state = recovery.kept().session.state()
    assert (state.setting.set_here, state.note) == ({"epsilon": 0.25}, "first")
    assert (state.cover.question, state.views) == ("which?", {"records": (1.0, 2.0)})
    first.session = first.session.reset("epsilon").having(note="")
    first.keep()
    second.session = second.session.having(cover=Cover())
    second.keep()
    state = recovery.kept().session.state()
    assert (state.setting.set_here, state.note, state.cover) == ({}, "", Cover())


def test_that_an_edit_in_one_window_and_a_removal_in_another_bring_nothing_back():
    first = Hand()
    first.add("picture_notes", 1)
    first.keep()
    second, third = Hand(), Hand()
    second.remove("picture_notes", 0)
    second.keep()
    third.session = third.session.having(picture_notes=(PictureNote("acceptance", "edited", (1.0, 0.5)),))
    third.keep()
    first.session = first.session.set("epsilon", 0.5)
    first.keep()
    assert _standing() == [("picture_notes", "edited")]


def test_that_snapshots_of_two_windows_stand_in_the_order_of_their_times_and_the_newest_fit():
    first, second = Hand(), Hand()
    for i in range(MOST_SNAPSHOTS):
        (first if i % 2 else second).add("snapshots", i)
        (first if i % 2 else second).keep()
    for i in range(MOST_SNAPSHOTS, MOST_SNAPSHOTS + 3):
        first.add("snapshots", i)
    first.keep()
    assert [name for _, name in _standing()] == [f"{i}" for i in range(3, MOST_SNAPSHOTS + 3)]


def test_that_a_file_that_was_removed_or_broken_meanwhile_is_written_whole():
    hand = Hand()
    hand.add("snapshots", 1)
    hand.keep()
    whole = '{{"recovery": 2, "session": {{"studies": {}}}, "saved": {}, "place": {}}}'
    for content in (None, "{", '{"recovery": 1}', '{"recovery": 2}', whole.format("{}", "{}", "null"),
                    whole.format('{"decision": 1}', "{}", "null"), whole.format("{}", "[]", "null"),
                    whole.format("{}", "{}", "7"), whole.format("{}", "{}", '{"file": 1}'),
                    whole.format('{"decision": {"values": {}, "snapshots": 7}}', "{}", "null"),
                    whole.format('{"decision": {"values": []}}', '{"decision": 3}', "null")):
        path = data_folder() / recovery.LAST
        path.write_text(content) if content else path.unlink()
        hand.session = hand.session.set("epsilon", 0.5 + len(content or "") / 100).having(note=content or "")
        hand.keep()
        assert _standing() == [("snapshots", "1")], content
    path.write_text(whole.format('{"decision": 1}', "{}", "null"))
    hand.keep()
    assert _standing() == [("snapshots", "1")], "also where this window has changed nothing since"


def test_that_what_another_version_kept_of_a_study_does_not_cost_what_this_window_has():
    hand = Hand()
    hand.add("snapshots", 1)
    hand.keep()
    path = data_folder() / recovery.LAST
    document = json.loads(path.read_text())
    document["session"]["studies"]["decision"]["snapshots"].append({"of a later version": True})
    document["session"]["studies"]["later"] = {"values": {}}
    path.write_text(json.dumps(document))
    hand.add("snapshots", 2)
    hand.keep()
    assert _standing() == [("snapshots", "1"), ("snapshots", "2")]
    assert "later" in json.loads(path.read_text())["session"]["studies"], "what is not understood stays"


def test_that_a_study_that_another_window_saved_is_saved_unless_this_one_changed_it():
    first, second = Hand(), Hand()
    first.session = first.session.set("epsilon", 0.25)
    first.keeper.keep(LeftSession(first.session, first.session))
    second.session = second.session.turn(Noise).set("epsilon", 3.0)
    second.keep()
    kept = recovery.kept()
    assert kept.session.differing(kept.saved) == (Noise,)
    second.session = second.session.turn(Decision).keep("mine")
    second.keep()
    kept = recovery.kept()
    assert set(kept.session.differing(kept.saved)) == {Noise, Decision}


def test_that_nothing_is_lost_where_a_window_could_not_write(monkeypatch):
    first, second = Hand(), Hand()
    first.add("snapshots", 1)

    def full(*_, **__):
        raise OSError("full")

    with monkeypatch.context() as patched:
        patched.setattr(recovery, "write_file", full)
        with pytest.raises(OSError, match="full"):
            first.keep()
    second.add("snapshots", 2)
    second.keep()
    first.session = first.session.set("epsilon", 0.5)
    first.keep()
    assert _standing() == [("snapshots", "1"), ("snapshots", "2")]


def test_that_windows_that_write_at_the_same_moment_wait_for_each_other():
    hands = [Hand() for _ in range(3)]

    def work(which):
        for i in range(which, 18, 3):
            hands[which].add("snapshots", i)
            hands[which].keep()

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(work, range(3)))
    assert {name for _, name in _standing()} == {f"{i}" for i in range(18)}
    assert not data_folder().joinpath(recovery.LAST).with_suffix(".lock").exists()


def test_that_what_two_windows_add_alike_stands_once():
    first, second = Hand(), Hand()
    for hand in (first, second):
        hand.add("snapshots", 1)
        hand.keep()
    assert _standing() == [("snapshots", "1")]


def test_that_the_file_of_the_session_is_that_of_the_window_that_gave_it_one_last(tmp_path):
    first, second = Hand(), Hand()
    mine, yours = (recovery.FilePlace(tmp_path / name) for name in ("mine.dpstudio", "yours.dpstudio"))
    first.keeper.keep(replace(first.left, place=mine))
    second.keeper.keep(second.left)
    assert recovery.kept().place == mine
    second.keeper.keep(replace(second.left, place=yours))
    first.session = first.session.set("epsilon", 0.5)
    first.keeper.keep(replace(first.left, place=mine))
    assert recovery.kept().place == yours


def test_that_a_look_at_what_another_window_saved_leaves_it_saved():
    first = Hand()
    first.session = first.session.set("epsilon", 0.25)
    first.keep()
    assert recovery.kept().session.differing(recovery.kept().saved) == (Decision,)
    second = Hand()
    second.keeper.keep(LeftSession(second.session, second.session))
    first.session = first.session.look("records", (1.0, 2.0))
    first.keep()
    assert recovery.kept().session.differing(recovery.kept().saved) == ()


def test_that_values_are_not_said_to_be_counted_because_another_window_counted():
    first, second = Hand(), Hand()
    second.session = second.session.take({"records": 1234}, Origin("a.csv", "", "x > 1", counts=("records",),
                                                                   exact=True))
    second.keep()
    assert recovery.kept().session.state().holds_counts
    first.session = first.session.set("epsilon", 0.25)
    first.keep()
    state = recovery.kept().session.state()
    assert (state.setting.set_here, state.holds_counts) == ({"epsilon": 0.25}, False)
