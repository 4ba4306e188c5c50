"""Solving for a parameter: beside the calibrations of other libraries, and 200 known wants of every study."""

from __future__ import annotations

import math
import os
import statistics
import sys
import time
from pathlib import Path

import pytest

from dpstudio.core.solve.solver import solve
from dpstudio.core.solve.want import Want, read_want
from dpstudio.studies import all_studies

sys.path.insert(0, str(Path(__file__).parents[1]))
from wants import known_wants, wanted_fact

STUDIES = all_studies()
ONE_SUM = {"plan_counts": 0, "plan_answers": 0, "plan_sums": 1, "budget_delta": 1e-6}
WANTS = int(os.environ.get("DPSTUDIO_WANTS", "200"))


def solved(key, want, name, **explicit):
    solution = solve(STUDIES[key], explicit, [read_want(STUDIES[key], want)], [name])
    assert solution.met
    return solution.values[name]


def test_the_noise_multiplier_of_one_gaussian(ratio):
    accounting = pytest.importorskip("dp_accounting")
    from dp_accounting.pld import PLDAccountant

    def theirs():
        return accounting.calibrate_dp_mechanism(PLDAccountant, accounting.dp_event.GaussianDpEvent, 1.0, 1e-6,
                                                 accounting.ExplicitBracketInterval(0.1, 1000), tol=1e-6)

    def ours():
        return solved("budget", "plan_epsilon@optimal <= 1", "plan_multiplier", **ONE_SUM)

    assert ours() == pytest.approx(theirs(), abs=2e-6)
    ratio("σ of one Gaussian at (1, 1e-6), against dp-accounting", ours, theirs, "1/5", rounds=3)


# OpenDP's accuracy of whole numbers is the least a with Pr[|X| ≥ a] ≤ 5 %: what is exceeded as rarely is one less.
@pytest.mark.parametrize(("series", "most", "name"), [
    ("laplace", 30, "laplacian_scale_to_accuracy"), ("geometric", 29, "discrete_laplacian_scale_to_accuracy")])
def test_the_epsilon_of_an_accuracy(ratio, series, most, name):
    dp = pytest.importorskip("opendp.prelude")
    dp.enable_features("contrib")
    accuracy = getattr(dp, name)

    def theirs():
        return dp.binary_search(lambda epsilon: accuracy(scale=1 / epsilon, alpha=0.05) <= 30.0, bounds=(1e-6, 20.0))

    def ours():
        return solved("noise", f"error_95@{series} <= {most}", "epsilon")

    assert ours() == pytest.approx(theirs(), rel=1e-9)
    ratio(f"ε for a 95 % error of 30, {series}, against OpenDP", ours, theirs, "3")


@pytest.mark.parametrize("key", STUDIES)
def test_known_wants_are_met(report, key):
    times, missed, worst = [], 0, 0.0
    for known in known_wants(STUDIES[key], WANTS, 3):
        began = time.perf_counter()
        solution = solve(known.kind, known.explicit, [known.want], [known.name])
        times.append(time.perf_counter() - began)
        if not solution.met:
            missed += 1
            print(known, solution.says)
        if solution.met:
            miss = known.want.miss(wanted_fact(known, solution.values))
            worst = max(worst, abs(miss) / abs(known.want.value) if known.want.relation == "=" and miss else miss)
    report(f"{key}: of {WANTS} known wants not met", missed, "0",
           f"median {1e3 * statistics.median(times):.3g} ms, longest {1e3 * max(times):.4g} ms, worst {worst:.2g}")


@pytest.mark.parametrize("key", STUDIES)
def test_every_numeric_parameter_is_solved_for_or_has_no_effect(report, key):
    """Each against the first facts that it changes, from its default, back to what they are."""
    kind = STUDIES[key]
    solved_for, without = [], []
    for parameter in (each for each in kind.parameters() if each.is_number):
        for place, declared in kind.answers().index().items():
            fact = None if declared.simulated or declared.slow else kind().answer().fact(*place)
            if fact is None or fact.kind == "estimate" or not math.isfinite(fact.value):
                continue
            solution = solve(kind, {}, [Want(place[0], "=", fact.value, place[1])], [parameter.name])
            if solution.met and "makes no difference" not in solution.says:
                solved_for.append(parameter.name)
                break
        else:
            without.append(parameter.name)
    report(f"{key}: parameters solved for", len(solved_for), "—",
           f"of {len(solved_for) + len(without)}; without effect on an exact fact at the defaults: "
           f"{', '.join(without)}")
