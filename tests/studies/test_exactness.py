"""What is exact is said with simulation and without it, and is the same."""

from __future__ import annotations

import pytest

from dpstudio.core.study import answer
from dpstudio.studies import all_studies

every_study = pytest.mark.parametrize("study", list(all_studies().values()), ids=lambda study: study.key)


def by_name(update):
    return {(fact.key, fact.series): fact for fact in update.facts}


@every_study
def test_that_an_answer_without_simulation_leaves_out_what_is_simulated_and_nothing_else(study):
    asked = study(trials=2_000) if "trials" in study().values() else study()
    whole, exact = answer(asked), answer(asked, simulate=False)
    assert exact.done == 0
    more = {name: fact for name, fact in by_name(whole).items() if name not in by_name(exact)}
    assert {name: fact for name, fact in by_name(whole).items() if name not in more} == by_name(exact)
    if study.key == "audit":  # its events are found by drawing, and their probabilities are then exact
        more = {name: fact for name, fact in more.items() if fact.kind == "estimate"}
    for fact in more.values():
        assert fact.kind == "estimate"
        assert any(number in fact.how for number in ("2000", "625 certifying", "100 attacks")), fact
        # Reports and pages say that an interval of draws is one of 95 %, unless the formula names another.
        assert "95 %" in fact.how or "interval at the confidence of this checkpoint, 1 − " in fact.how, fact


def test_that_facts_which_take_a_search_are_said_without_simulation_too():
    studies = all_studies()
    assert {"most_releases", "loss_grid"} <= {fact.key for fact in answer(studies["budget"](), simulate=False).facts}
    assert {"each_optimal", "optimal_variance"} <= {
        fact.key for fact in answer(studies["updating"](delta=1e-6), simulate=False).facts}
