"""One fact of one series alone, what a person risks, the first points of a frontier, a simulation that is left."""

from __future__ import annotations

import itertools
import statistics
import time

import pytest

from dpstudio.core.frontier.curves import _kept, curves
from dpstudio.core.frontier.figure import compared
from dpstudio.core.risk import Risk
from dpstudio.core.study import fact
from dpstudio.core.update import Update
from dpstudio.studies import all_studies

STUDIES = all_studies()
FRESH = itertools.count()
ASKED = [("decision", "laplace"), ("decision", "generalized"), ("decision", "gaussian"), ("noise", "laplace"),
         ("noise", "geometric"), ("noise", "gaussian"), ("response", "response")]
SIMULATING = [key for key, kind in STUDIES.items() if any(each.simulated for each in kind.answers().index().values())]
"""What draws anything."""
LOOK = 2.0
"""Seconds of a simulation that are looked at."""


def fresh(key, **explicit):
    """A study at values that were never asked for."""
    return STUDIES[key](**explicit).replace(epsilon=0.5 * 1.000001 ** next(FRESH))


def milliseconds(call, made, times=50):
    """Of each call on something newly made."""
    taken = []
    for _ in range(times):
        given = made()
        began = time.perf_counter()
        call(given)
        taken.append(time.perf_counter() - began)
    return taken


@pytest.mark.parametrize("series", ["laplace", "generalized", "gaussian", "cutoff"])
def test_one_fact_of_one_series(ratio, series):
    def own():
        study = fresh("decision", delta=1e-6)
        one = study.answer().one(series).decision
        return one.accept_probability(study.records)

    ratio(f"acceptance@{series} alone, against building the mechanism and its own call",
          lambda: fact(fresh("decision", delta=1e-6), "acceptance", series), own, "2 ×", rounds=100)


@pytest.mark.parametrize(("key", "series"), ASKED)
def test_what_one_series_promises_and_a_person_risks(report, key, series):
    def promised():
        study = fresh(key, attacker="membership", **({"delta": 1e-6} if key != "response" else {}))
        return study, study.answer().guarantee(series)

    for what, call in (("ε at δ", lambda given: given[1].epsilon_at(1e-7)),
                       ("an attacker’s success", lambda given: Risk(given[0], given[1]).success),
                       ("a belief", lambda given: Risk(given[0], given[1]).belief)):
        if promised()[1] is None:
            pytest.fail(f"{series} of {key} promises nothing")
        taken = milliseconds(call, promised)
        report(f"{what} of one series, {series} of {key}, in ms", 1e3 * statistics.median(taken), "0.2 ms", ours=taken)


@pytest.mark.parametrize("key", [key for key, kind in STUDIES.items() if kind.outcomes])
def test_the_first_points_of_a_frontier(report, key):
    kind = STUDIES[key]
    taken, points = [], 0
    for _ in range(3):
        _kept.cache_clear()
        began, points = time.perf_counter(), 0
        for each in curves(kind.outcomes[0], kind(), compared(kind.outcomes[0], kind.answers())):
            for value in each.values:
                for one in each.series:
                    each.of(one, value)
                    points += 1
        taken.append(time.perf_counter() - began)
    report(f"first points of the frontier of {key}, in ms", 1e3 * min(taken), "300 ms", f"{points} points", taken)


@pytest.mark.parametrize("key", SIMULATING)
def test_a_simulation_can_be_left(report, key):
    """The longest time between two places where it can be left, but for the few that the machine itself disturbs."""
    study = STUDIES[key]()
    answer = study.answer()
    shown = Update(answer)
    began = last = time.perf_counter()
    gaps = []
    for _ in answer.simulate({**shown.windows, **shown.views}):
        now = time.perf_counter()
        gaps.append(now - last)
        if now - began > LOOK:
            break
        last = time.perf_counter()
    gaps.sort()
    within = gaps[int(0.99 * (len(gaps) - 1))]
    report(f"a simulation of {key} is left, 99 times of 100, within, in ms", 1e3 * within, "10 ms", ours=gaps)
