"""What is not allowed is drawn faint and says what it spends; what somebody decided for is drawn stronger."""

from __future__ import annotations

import pytest

from dpstudio.core.figure import Dots, Line
from dpstudio.core.study import answer
from dpstudio.scene.legend import entries, names
from dpstudio.scene.scene import resolve
from dpstudio.studies.budget import Budget
from dpstudio.studies.decision import CUTOFF, LAPLACE, MATCHED, Decision


@pytest.fixture(scope="module")
def update():
    return answer(Decision(), simulate=False)


def drawn(update, key="acceptance"):
    study = update.study
    return resolve(study.figure(key), update, study.values(), study.by_name())


def test_that_every_part_of_what_is_not_allowed_is_refused_and_of_what_is_decided_for_decided(update):
    found = drawn(update.deciding(LAPLACE))
    refused = {CUTOFF.key, MATCHED.key}
    assert {part.key for part in found.parts} > refused
    for part in found.parts:
        assert part.refused is (part.key in refused)
        assert part.decided is (part.key == LAPLACE.key)
    assert not any(part.decided for part in drawn(update).parts)


def test_that_a_curve_and_its_entry_say_what_is_spent_that_is_not_allowed(update):
    found = drawn(update)
    words = f"{CUTOFF.label} {update.answer.spends(CUTOFF)}"
    assert "δ = 0.095" in words
    assert words in {name.words for name in names(found, {}, curves=True)}
    entry = next(each for each in entries(found, {}) if each.key == CUTOFF.key)
    assert (entry.label, entry.refused) == (words, True)
    assert not next(each for each in entries(found, {}) if each.key == LAPLACE.key).refused


def test_that_only_what_is_allowed_stands_on_a_frontier():
    found = drawn(answer(Budget(), simulate=False), "frontier")
    standing = [part for part in found.parts if isinstance(part.layer, Dots) and part.present]
    assert {part.refused for part in standing} == {False, True}
    assert all(part.shown is not part.refused for part in standing)
    assert any(part.shown and part.refused for part in found.parts if isinstance(part.layer, Line))


def test_that_what_is_allowed_and_what_is_not_do_not_share_a_name(update):
    found = drawn(answer(Decision(epsilon=0.01, target=0.99), simulate=False))
    shared = found.coincident(found.x, found.y, 1.0)  # in so low a picture all curves are one
    refused = {part.key for part in found.parts if part.refused}
    assert refused
    assert any(key not in refused for key in shared)
    assert all((key in refused) is (under in refused) for key, under in shared.items())
