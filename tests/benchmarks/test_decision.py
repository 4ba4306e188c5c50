"""A million points of each decision against one numpy.exp, and python-dp's keep curve on the same points."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.special import ndtr

from dpstudio.core.study import answer, fact
from dpstudio.mechanisms.decision import (
    CutoffExponentialDecision,
    GaussianDecision,
    GeneralizedDecision,
    LaplaceDecision,
)
from dpstudio.studies.decision import Decision

MINIMUM = 10**6
N = np.arange(MINIMUM - 500_000, MINIMUM + 500_000, dtype=np.float64)
DECISIONS = {
    "Laplace": LaplaceDecision.for_target(1e-4, MINIMUM, 0.7),
    "cutoff exponential": CutoffExponentialDecision(1e-4, MINIMUM),
    "generalized": GeneralizedDecision(1e-4, 1e-7, MINIMUM, 0.7),
    "Gaussian": GaussianDecision(1e-4, MINIMUM, 0.7),
}


@pytest.mark.parametrize("name", DECISIONS)
def test_a_million_acceptance_probabilities(ratio, name):
    scaled = 1e-4 * (N - MINIMUM)
    reference = (lambda: ndtr(scaled)) if name == "Gaussian" else (lambda: np.exp(-np.abs(scaled)))
    plain = scaled - 50  # in range of exp without overflow, as long a computation as any
    exponential = lambda: np.exp(plain)  # noqa: E731
    ratio(f"1 000 000 acceptance probabilities, {name}", lambda: DECISIONS[name].accept_probability(N),
          reference if name == "Gaussian" else exponential, "4 ×")


def test_a_million_points_at_a_billion_take_no_longer_than_at_a_thousand(ratio):
    near, far = GeneralizedDecision(1e-3, 1e-9, 1_000, 0.5), GeneralizedDecision(1e-3, 1e-9, 10**9, 0.5)
    offsets = np.arange(0, 1_000_000, dtype=np.float64)
    ratio("m = 1 000 000 000 against m = 1 000, generalized", lambda: far.accept_probability(offsets + 10**9 - 500_000),
          lambda: near.accept_probability(offsets), "about 1")


def test_the_keep_curve_of_python_dp(ratio):
    partition = pytest.importorskip("pydp.algorithms.partition_selection")
    strategy = partition.create_partition_strategy("truncated_geometric", 0.1, 1e-6, 1)
    decision = GeneralizedDecision(0.1, 1e-6, 0, 0.0)
    n = np.arange(0, 1_000)
    kept = np.array([strategy.probability_of_keep(int(i)) for i in n])
    np.testing.assert_allclose(decision.accept_probability(n), kept, rtol=1e-11, atol=1e-15)
    ratio("keep curve of 1 000 points against python-dp's loop", lambda: decision.accept_probability(n),
          lambda: [strategy.probability_of_keep(i) for i in range(1_000)], "1 ×")


def test_the_exact_answer_of_the_decision_study(ratio):
    n = np.linspace(0, 2000, 800)
    ratio("every exact fact of the decision study against 100 numpy.exp of 800",
          lambda: answer(fresh(), simulate=False).facts, lambda: [np.exp(-n) for _ in range(100)], "—")


COUNT = itertools.count()


def fresh():
    """A study that was never asked before."""
    return Decision(epsilon=0.1 * 1.0001 ** next(COUNT))


def test_one_fact_alone(ratio):
    def mechanism():
        study = fresh()
        return LaplaceDecision.for_target(study.epsilon, study.minimum, study.target).accept_probability(study.records)

    ratio("acceptance@laplace alone against building the mechanism and its own call",
          lambda: fact(fresh(), "acceptance", "laplace"), mechanism, "2 ×")
