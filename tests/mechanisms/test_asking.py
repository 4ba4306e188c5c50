"""Many answers of one decision: sequences of N enumerated, the law of Laplace decisions in closed form, binomials."""

from __future__ import annotations

import itertools
import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpstudio.mechanisms.asking import roughly_while_n_stays, whatever_is_asked, while_n_stays
from dpstudio.mechanisms.composition import optimal
from dpstudio.mechanisms.decision import (
    CutoffExponentialDecision,
    GaussianDecision,
    GeneralizedDecision,
    LaplaceDecision,
)

KINDS = (lambda e, d, p: LaplaceDecision.for_target(e, 5, p), lambda e, _, __: CutoffExponentialDecision(e, 5),
         lambda e, d, p: GeneralizedDecision(e, d, 5, p), lambda e, d, p: GaussianDecision.for_guarantee(e, d, 5, p))


def enumerated(decision, asked, epsilon, more) -> float:
    """δ of answers about N = `asked`, with a record more or fewer in the first of the two laws, outcome by outcome."""
    n = np.asarray(asked, dtype=float)
    sides = [np.stack([decision.reject_probability(n + one), decision.accept_probability(n + one)]) for one in (0, 1)]
    first, second = sides[::-1] if more else sides
    total = 0.0
    for answers in itertools.product((0, 1), repeat=len(asked)):
        p, q = (math.prod(law[said, i] for i, said in enumerate(answers)) for law in (first, second))
        total += max(0.0, p - math.exp(epsilon) * q)
    return total


@given(kind=st.sampled_from(KINDS), epsilon=st.floats(0.05, 2), target=st.floats(0.05, 0.95),
       spent=st.floats(1e-4, 0.3), asked=st.lists(st.integers(0, 15), min_size=1, max_size=6))
def test_that_no_sequence_of_n_needs_more_than_the_curve_says(kind, epsilon, target, spent, asked):
    decision = kind(epsilon, 0.01, target)
    k = len(asked)
    delta = -math.expm1(k * math.log1p(-float(decision.delta_at(epsilon))) + math.log1p(-spent))
    found = whatever_is_asked(decision.delta_at, epsilon, k, delta)
    if math.isfinite(found):
        for more in (False, True):
            assert enumerated(decision, asked, found, more) <= delta * (1 + 1e-12)


@pytest.mark.parametrize("epsilon", [0.05, 1.0, 4.0])
@pytest.mark.parametrize("k", [1, 7, 60])
def test_that_laplace_answers_at_a_whole_threshold_are_three_losses(epsilon, k):
    """P has ε with probability ½, 0 with ½ (1 − e^−ε) and −ε with ½ e^−ε: both pairs next to the threshold at once."""
    parts = np.array([0.5 * math.exp(-epsilon), -0.5 * math.expm1(-epsilon), 0.5])
    law = np.ones(1)
    for _ in range(k):
        law = np.convolve(law, parts)
    losses = epsilon * np.arange(-k, k + 1)
    delta = 1e-4
    found = whatever_is_asked(LaplaceDecision(epsilon, 50).delta_at, epsilon, k, delta)
    needed = [float((law * -np.expm1(np.minimum(e - losses, 0))).sum()) for e in (found, found * (1 - 1e-6))]
    assert needed[0] <= delta * (1 + 1e-9)
    assert needed[1] > delta
    assert found < optimal(epsilon, 0.0, k, delta)[0]


@settings(max_examples=25)
@given(kind=st.sampled_from(KINDS), epsilon=st.floats(0.05, 2), n=st.integers(0, 12), k=st.integers(1, 30),
       delta=st.floats(-20, -1).map(math.exp))
def test_that_answers_about_one_n_are_what_binomials_say(kind, epsilon, n, k, delta):
    decision = kind(epsilon, 0.01, 0.4)
    accept, reject = (tuple(np.asarray(each([n, n + 1]))) for each in (
        decision.accept_probability, decision.reject_probability))
    found = while_n_stays(accept, reject, tuple(float(each) for each in decision.losses(n)), k, delta)

    def needed(e):
        with mpmath.workdps(30):
            both = []
            for (f, g), (f2, g2) in (((accept[1], reject[1]), (accept[0], reject[0])),
                                     ((accept[0], reject[0]), (accept[1], reject[1]))):
                both.append(mpmath.fsum(max(mpmath.mpf(0), mpmath.binomial(k, j) * (
                    mpmath.mpf(f)**j * mpmath.mpf(g)**(k - j)
                    - mpmath.exp(e) * mpmath.mpf(f2)**j * mpmath.mpf(g2)**(k - j))) for j in range(k + 1)))
            return float(max(both))

    if found == math.inf:
        assert needed(mpmath.mpf(500)) > delta
    else:
        assert needed(found) <= delta * (1 + 1e-6) + 1e-15
        assert found == 0 or needed(found * (1 - 1e-6) - 1e-9) >= delta * (1 - 1e-6)


@settings(max_examples=25)
@given(kind=st.sampled_from(KINDS), epsilon=st.floats(0.05, 2), k=st.integers(1, 64),
       delta=st.floats(-20, -1).map(math.exp))
def test_that_a_rough_look_at_many_n_tells_where_the_most_is(kind, epsilon, k, delta):
    decision = kind(epsilon, 0.01, 0.4)
    n = np.arange(0.0, 30.0)
    accept, reject = (np.asarray(of([n, n + 1])) for of in (decision.accept_probability, decision.reject_probability))
    losses = np.asarray(decision.losses(n))
    rough = roughly_while_n_stays(accept, reject, losses, k, delta)
    close = np.array([while_n_stays(tuple(accept[:, i]), tuple(reject[:, i]), tuple(losses[:, i]), k, delta)
                      for i in range(n.size)])
    alone = np.isinf(rough)
    np.testing.assert_allclose(rough[~alone], close[~alone], rtol=1e-6, atol=1e-9)
    assert (rough >= close * (1 - 1e-6) - 1e-9).all()
