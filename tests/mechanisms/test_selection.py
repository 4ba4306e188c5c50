"""Partition selection: against its definitions at fifty digits, by brute force, and for persons in several groups."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpstudio.core.declare import InvalidParameter
from dpstudio.mechanisms.decision import (
    GeneralizedDecision,
    LaplaceDecision,
    TruncatedGeometricDecision,
    gaussian_selection,
    geometric_selection,
    laplace_selection,
    optimal_selection,
)
from dpstudio.mechanisms.decision.selection import share

ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "selection.json").read_text("utf-8"))
MAKERS = {"optimal": optimal_selection, "geometric": geometric_selection, "laplace": laplace_selection,
          "gaussian": gaussian_selection}
epsilons, deltas = st.floats(-6, 2).map(math.exp), st.floats(-25, -0.1).map(math.exp)
few = settings(max_examples=30, derandomize=True)


@pytest.mark.parametrize("row", ORACLE["rows"], ids=lambda row: "-".join(str(row[key]) for key in (
    "kind", "epsilon", "delta", "partitions")))
def test_that_groups_are_shown_as_often_as_the_definition_says_at_fifty_digits(row):
    decision = MAKERS[row["kind"]](float(row["epsilon"]), float(row["delta"]), row["partitions"])
    for ask, told in ((decision.accept_probability, row["shown"]), (decision.reject_probability, row["hidden"])):
        for found, expected in zip(ask(row["n"]), map(float, told), strict=True):
            # Next to a clip a tail is as ill-conditioned as its parameters; elsewhere it is good to twelve digits.
            assert math.isclose(found, expected, rel_tol=1e-12, abs_tol=2e-15)
            assert found == pytest.approx(expected, rel=1e-9, abs=1e-40)


@few
@given(epsilons, deltas)
def test_that_the_optimum_climbs_by_its_recurrence_from_nobody(epsilon, delta):
    shown = optimal_selection(epsilon, delta).accept_probability(np.arange(300))
    assert shown[0] == 0
    for here, after in itertools.pairwise(shown):
        step = min(math.exp(epsilon) * here + delta, 1 - math.exp(-epsilon) * (1 - here - delta), 1)
        assert after == pytest.approx(step, rel=1e-13, abs=1e-15)


@few
@given(epsilons, deltas)
def test_that_truncated_noise_is_the_optimum_at_the_largest_delta_that_takes_whole_steps(epsilon, delta):
    cut = geometric_selection(epsilon, delta)
    n = np.unique(np.rint(np.linspace(0, 2 * cut.reach + 3, 200)))
    optimum = optimal_selection(epsilon, cut.delta)
    assert cut.delta <= delta * (1 + 1e-15)
    if cut.reach:
        assert TruncatedGeometricDecision.reaching(epsilon, cut.reach - 1).delta > delta
    np.testing.assert_allclose(cut.accept_probability(n), optimum.accept_probability(n), rtol=1e-12, atol=4e-15)
    inside = n[n <= 2 * cut.reach + 1]
    np.testing.assert_allclose(cut.accept_probability(inside), cut.reject_probability(2 * cut.reach + 1 - inside),
                               rtol=1e-12)
    # Certain from the first n that no noise brings down, and exactly so.
    last = 2 * cut.reach
    assert cut.smallest_n(1.0) == last + 1
    assert cut.reject_probability(last + 1) == 0
    assert cut.reject_probability(last) == pytest.approx(cut.delta, rel=1e-12)
    # It spends δₖ and no more, at ε and above.
    assert cut.delta_at(epsilon) == pytest.approx(cut.delta, rel=1e-12)
    assert cut.delta_at(3 * epsilon) == pytest.approx(cut.delta, rel=1e-12)


@few
@given(epsilons, deltas)
def test_that_nobody_shows_a_group_more_often_than_the_optimum(epsilon, delta):
    n = np.arange(1, 400)
    best = optimal_selection(epsilon, delta)
    shown, hidden = best.accept_probability(n), best.reject_probability(n)
    for make in (geometric_selection, laplace_selection, gaussian_selection):
        other = make(epsilon, delta)
        assert (other.accept_probability(n) <= shown * (1 + 1e-11) + 1e-15).all()
        assert (other.reject_probability(n) >= hidden * (1 - 1e-11) - 1e-15).all()


def brute_delta(curves, epsilon):
    """The δ of one person who is alone or not in each of several groups: over every set of what is shown."""
    worst = 0.0
    for without, there in ((0, 1), (1, 0)):
        needed = 0.0
        for outcome in itertools.product((0, 1), repeat=len(curves)):
            p, q = (math.prod(pair[who] if shown else 1 - pair[who]
                              for pair, shown in zip(curves, outcome, strict=True)) for who in (there, without))
            needed += max(p - math.exp(epsilon) * q, 0)
        worst = max(worst, needed)
    return worst


@settings(max_examples=20, derandomize=True)
@given(epsilons, st.floats(-12, -1).map(math.exp), st.integers(2, 3), st.data())
def test_that_a_person_in_so_many_groups_has_the_guarantee_and_in_one_more_has_not(epsilon, delta, partitions, data):
    for kind, make in MAKERS.items():
        shown = np.array(make(epsilon, delta, partitions).accept_probability(np.arange(60)))
        shown[0] = 0.0  # what nobody is in is not there
        groups = [int(data.draw(st.sampled_from([0, 0, 1, 5, 20]))) for _ in range(partitions)]
        assert brute_delta([(shown[n], shown[n + 1]) for n in groups], epsilon) <= delta * (1 + 1e-9) + 1e-15
        alone = [(0.0, shown[1])]
        if kind in ("optimal", "laplace"):
            assert brute_delta(alone * partitions, epsilon) == pytest.approx(delta, rel=1e-9)
        if kind != "geometric":  # its whole steps may leave some of δ
            half = 2 if kind == "gaussian" else 1
            assert brute_delta(alone * (half * partitions + 1), epsilon) > delta * (1 + 1e-6)


def test_that_without_delta_or_with_all_of_it_what_makes_no_sense_is_refused():
    for make in MAKERS.values():
        with pytest.raises(InvalidParameter, match="without δ no group is ever shown"):
            make(1.0, 0.0)
    with pytest.raises(InvalidParameter, match=r"partitions must be an integer in \[1, 1e6\], got 0"):
        optimal_selection(1.0, 0.1, 0)
    with pytest.raises(InvalidParameter, match=r"delta must be in \(0, 1\)"):
        laplace_selection(1.0, 1.0)
    assert optimal_selection(1.0, 1.0).accept_probability(1) == 1
    assert geometric_selection(1.0, 1.0).accept_probability(1) == 1
    with pytest.raises(InvalidParameter, match="a group of m is never shown"):
        TruncatedGeometricDecision.reaching(1.0, 3).replace(target=0.5)
    with pytest.raises(InvalidParameter, match="that of reach = 4 at epsilon = "):
        TruncatedGeometricDecision.reaching(1.0, 3).replace(reach=4)


def test_that_shares_add_up_and_a_threshold_is_where_one_user_is_shown_with_delta():
    for epsilon, delta, parts in ((1.0, 1e-12, 7), (0.3, 0.4, 1000)):
        own = share(epsilon, delta, parts)
        assert own[0] * parts == pytest.approx(epsilon)
        assert -math.expm1(parts * math.log1p(-own[1])) == pytest.approx(delta, rel=1e-12)
        made = laplace_selection(epsilon, delta, parts)
        assert made.threshold == pytest.approx(1 + math.log(1 / (2 * own[1])) / own[0], rel=1e-12)
        assert made.accept_probability(1) == pytest.approx(own[1], rel=1e-12)
    assert isinstance(laplace_selection(1.0, 0.1), LaplaceDecision)
    assert isinstance(optimal_selection(1.0, 0.1), GeneralizedDecision)


def test_that_a_pre_threshold_moves_the_same_curve():
    late, first = TruncatedGeometricDecision.reaching(0.4, 9, 5), TruncatedGeometricDecision.reaching(0.4, 9)
    assert (late.accept_probability(np.arange(6)) == 0).all()
    np.testing.assert_array_equal(late.accept_probability(np.arange(5, 40)), first.accept_probability(np.arange(35)))
