"""What is left out leaves no trace: the same actions on two tables that differ in their counts alone, the same files.

`tests/non_interference_kit.py` says what is claimed and what is not, and runs as many sequences as it is asked for.
"""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import PropertyMock

import non_interference_kit as kit
import numpy as np
import pytest

from dpstudio.documents import numbers_in_text
from dpstudio.documents.session import Session
from dpstudio.documents.setting import Setting
from dpstudio.documents.state import StudyState
from dpstudio.studies import all_studies
from dpstudio.vocabulary.written import listing_of

pytestmark = pytest.mark.usefixtures("own_settings")
SEQUENCES = 12
COUNTED_AND_FOUND = (kit.count, kit.solve, kit.match, kit.drag, kit.zoom, kit.pin, kit.snapshot, kit.note, kit.write,
                     kit.keep_sweep, kit.cover)


def test_that_two_tables_which_differ_in_their_counts_alone_give_the_same_sessions():
    counted = 0
    for seed in range(SEQUENCES):
        ran = kit.run(seed, kinds=())
        assert not ran.differing, f"{seed}: {', '.join(ran.actions)}"
        counted += ran.counted
    assert counted > SEQUENCES / 2, "nothing would be left out"


def test_that_every_kind_of_file_is_the_same_of_both():
    ran = kit.run(1, COUNTED_AND_FOUND, (*kit.QUICK, *kit.KINDS))
    assert not ran.differing
    assert (ran.refused, ran.done, ran.counted) == ("", len(COUNTED_AND_FOUND), True)
    assert set(ran.written) == {"session", "kept", *kit.QUICK, *kit.KINDS}


def test_that_the_tables_differ_in_their_counts():
    one, two = (kit.counted(rows) for rows in kit.WORLDS)
    assert all(one[key][0] != two[key][0] for key in one)
    assert {key: origin.counts for key, (_, origin) in one.items()} == {
        key: origin.counts for key, (_, origin) in two.items()}


@pytest.mark.parametrize("study", ["table", "number"])
def test_that_a_list_that_was_counted_leaves_no_trace_in_any_kind_of_file(study):
    def turn(world, _):
        world.document.turn(all_studies()[study])

    def note(world, _):
        found = listing_of(getattr(world.study, world.document.origin.counts[0]))
        told = (f"{found.size} of {found.numbers.size} entries, {found.expanded.sum():g} in all, "
                f"{found.expanded.mean():.4g} each, the largest {found.numbers.max():,}")
        world.document.show(Session.having, note=told)

    ran = kit.run(1, (turn, kit.count, kit.find, kit.zoom, kit.pin, kit.nudge, note, kit.snapshot, kit.undo, kit.redo),
                  (*kit.QUICK, *kit.KINDS))
    assert not ran.differing
    assert (ran.refused, ran.counted) == ("", True)


# A leak that is planted is found: of each thing that is left out in one place


def _leaks(*actions, seed=1):
    return kit.run(seed, actions, ()).differing


def solving(name, wanted=None):
    """An action that solves for a parameter: a probability that is given, or the present one."""
    def solve(world, _):
        number = wanted or world.study.answer().fact("acceptance", "laplace").value * 0.9
        found = kit._solved(type(world.study), tuple(world.document.explicit.items()), f"acceptance@laplace = {number}",
                            name)
        world.document.solve(found.values, wants=[f"acceptance@laplace = {number}"])

    return solve


def test_that_what_is_solved_for_with_a_count_stays_behind_with_it():
    for actions in ((kit.count, solving("minimum", 0.5)), (kit.count, solving("epsilon", 0.9)),
                    (kit.count, solving("epsilon"), solving("minimum"))):
        assert not _leaks(*actions)


def test_that_a_value_that_was_found_and_is_taken_for_typed_is_caught(monkeypatch):
    monkeypatch.setattr(Setting, "found", Setting.varied)
    for actions in ((kit.count, solving("minimum", 0.5)), (kit.count, solving("epsilon", 0.9)), (kit.count, kit.drag)):
        assert _leaks(*actions) == ("session", "kept"), actions


def test_that_a_view_of_a_count_that_is_set_no_more_is_caught(monkeypatch):
    def reset_count(world, _):
        world.document.reset("records")

    actions = kit.count, kit.zoom, reset_count
    assert not _leaks(*actions)
    monkeypatch.setattr(StudyState, "seen_counts", PropertyMock(return_value=False), raising=False)
    monkeypatch.setattr(StudyState, "tells", property(lambda state: state.holds_counts))
    monkeypatch.setattr(Session, "leaving", _without_known(Session.leaving))
    assert _leaks(*actions)


def _without_known(leaving):
    return lambda session, exact, known=(), words="blanked": leaving(session, exact, (), words)


def test_that_a_question_and_a_sweep_that_stay_are_caught(monkeypatch):
    leaving = StudyState.leaving

    def keeping(state, exact, tells, change):
        left = leaving(state, exact, tells, change)
        return replace(left, solved=state.each(lambda one: one.leaving(False)).solved,
                       sweeps=state.each(lambda one: one.leaving(False)).sweeps)

    monkeypatch.setattr(StudyState, "leaving", keeping)
    assert _leaks(kit.count, solving("epsilon"))
    assert _leaks(kit.count, kit.keep_sweep)


def test_that_words_that_go_along_are_caught(monkeypatch):
    def write(world, _):
        world.document.show(Session.having, note=world.written("N is {count}"))

    assert not _leaks(kit.count, write)
    monkeypatch.setattr(StudyState, "reworded", lambda state, _: state)
    assert _leaks(kit.count, write) == ("session", "kept")


def test_that_the_numbers_of_a_list_in_words_are_caught_where_they_are_not_looked_for(monkeypatch):
    def turn(world, _):
        world.document.turn(all_studies()["table"])

    def write(world, _):
        world.document.show(Session.having, note=world.written("the largest has {count}"))

    assert not _leaks(turn, kit.count, write)
    monkeypatch.setattr(numbers_in_text, "_of_list", lambda _: np.empty(0))
    numbers_in_text._sought.cache_clear()
    assert "kept" in _leaks(turn, kit.count, write)
    numbers_in_text._sought.cache_clear()


def test_that_what_undo_and_redo_bring_back_keeps_its_origin():
    def undo(world, _):
        world.document.undo()

    def redo(world, _):
        world.document.redo()

    for actions in ((kit.count, kit.solve, undo, redo), (kit.count, kit.zoom, undo),
                    (kit.count, kit.solve, kit.snapshot, undo, undo, undo, redo, redo, redo, kit.go_back),
                    (kit.count, kit.drag, kit.pin, undo, redo, kit.take_pin)):
        assert not _leaks(*actions), actions
