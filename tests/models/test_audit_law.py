"""What the exact law says of a pair of neighbours, against every event tried in sixty digits."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from dpstudio.mechanisms.noise import GaussianNoise, GeometricNoise, LaplaceNoise, SnappedLaplace
from dpstudio.models.auditing.cells import (
    FULL,
    Clamping,
    OutcomeCells,
    PairLaw,
    Processing,
    Rounding,
    Thresholding,
    processing,
)
from dpstudio.models.auditing.certificate import is_false
from dpstudio.models.auditing.computed import SnappedCount
from dpstudio.models.auditing.people import SampledCount
from dpstudio.models.auditing.subject import NoisyCount
from dpstudio.studies.audit import Audit
from dpstudio.studies.audit.mechanisms import MECHANISMS


def law_of(name, kind="none", at=1.0, **values):
    """The law of a mechanism of the study's table, and its claim."""
    subject, claim = MECHANISMS[name].build(Audit(mechanism=name, **values))
    return PairLaw(subject, processing(kind, at)), claim


def tail(noise, x):
    """Pr[X ≥ x] by its definition."""
    if isinstance(noise, LaplaceNoise):
        half = mpmath.exp(-abs(x) / mpmath.mpf(noise.scale)) / 2
        return half if x > 0 else 1 - half
    if isinstance(noise, GaussianNoise):
        half = mpmath.erfc(abs(x) / mpmath.mpf(noise.sigma) / mpmath.sqrt(2)) / 2
        return half if x > 0 else 1 - half
    a, x = mpmath.exp(-mpmath.mpf(noise.epsilon) / noise.sensitivity), mpmath.ceil(x)
    return a**x / (1 + a) if x > 0 else 1 - a ** (1 - x) / (1 + a)


def under(noise, x):
    """Pr[X < x]."""
    return tail(noise, 1 - mpmath.ceil(x) if isinstance(noise, GeometricNoise) else -x)


def cuts(process, records, noise, epsilon):
    """Cuts of the released count that its processing keeps apart: many, or all within reach."""
    whole, reach = isinstance(noise, GeometricNoise), 12 * noise.sd
    if isinstance(process, Thresholding):
        return [process.threshold]
    if isinstance(process, Rounding):
        near = round(records / process.step)
        far = 15 + round(reach / process.step)
        # Gaussian noise tells more than ε from εσ² + ½ on, which may lie beyond all that is likely.
        beyond = round((epsilon * noise.sigma**2 + 0.5) / process.step) if isinstance(noise, GaussianNoise) else 0
        sure = [near + sign * beyond + k for sign in (-1, 1) for k in range(-3, 5)]
        return [(k - 0.5) * process.step for k in [*range(near - far, near + far + 2), *sure]]
    if isinstance(process, Clamping):
        inside = range(1, math.ceil(process.limit)) if whole else (process.limit * k / 300 for k in range(1, 300))
        return [*inside, process.limit, min(1.0 if whole else 1e-12, process.limit)]
    if whole:
        return range(records - 30, records + 32)
    return [records - reach + (2 * reach + 1) * k / 400 for k in range(401)]


def tried(noise, records, process, epsilon, delta):
    """The largest ε beside δ and δ beside ε of all tails at these cuts, in both directions."""
    most_epsilon, most_delta = mpmath.mpf(0), mpmath.mpf(0)
    for cut in map(mpmath.mpf, cuts(process, records, noise, epsilon)):
        places = [cut - records - i for i in (0, 1)]
        for p, q in ((tail(noise, places[1]), tail(noise, places[0])), (under(noise, places[0]),
                                                                        under(noise, places[1]))):
            if p > delta and q:
                most_epsilon = max(most_epsilon, mpmath.log((p - delta) / q))
            most_delta = max(most_delta, p - mpmath.exp(epsilon) * q)
    return float(most_epsilon), most_delta


noises = st.one_of(st.builds(LaplaceNoise, st.floats(0.05, 20)), st.builds(GaussianNoise, st.floats(0.5, 20)),
                   st.builds(GeometricNoise, st.floats(0.05, 10)))
processes = st.one_of(st.just(Processing()), st.builds(Rounding, st.floats(0.3, 30)),
                      st.builds(Clamping, st.floats(0.1, 30)), st.builds(Thresholding, st.floats(0.01, 300)))


# Where the record shows best by its absence: the cuts lie nearer to n than to n + 1, or below both.
@example(noise=GaussianNoise(2.0), records=5, process=Rounding(6.0), epsilon=1.0, delta=1e-3)
@example(noise=GeometricNoise(0.5), records=10, process=Clamping(3.0), epsilon=0.1, delta=1e-3)
@example(noise=GaussianNoise(12.0), records=0, process=Rounding(1.0), epsilon=1.125, delta=0.0)
@example(noise=LaplaceNoise(1.5), records=9, process=Clamping(4.0), epsilon=0.2, delta=1e-3)
@given(noise=noises, records=st.integers(0, 20), process=processes, epsilon=st.floats(0, 8),
       delta=st.sampled_from([0.0, 1e-9, 1e-3, 0.2]))
def test_that_no_event_tried_tells_more_than_the_law_and_one_tells_as_much(noise, records, process, epsilon, delta):
    law = PairLaw(NoisyCount(noise, records, noise), process)
    with mpmath.workdps(60):
        most_epsilon, most_delta = tried(noise, records, process, epsilon, delta)
        # Where every real number is a cut those tried lie beside the best one.
        fine = isinstance(noise, GeometricNoise) or isinstance(process, Rounding | Thresholding)
        found, needed = law.epsilon(delta), law.delta(epsilon)
        assert most_epsilon <= found * (1 + 1e-9) + 1e-15
        if not (delta == 0 and isinstance(noise, GaussianNoise) and not isinstance(process, Clamping | Thresholding)):
            assert found <= most_epsilon * (1 + (1e-9 if fine or not delta else 3e-2)) + (0 if fine else 2e-2)
        assert float(most_delta) == pytest.approx(needed, rel=1e-9 if fine else 3e-2, abs=1e-50 if fine else 1e-3)
        assert float(most_delta) <= needed * (1 + 1e-9) + 1e-50


@pytest.mark.parametrize(("name", "values", "epsilon"), [
    ("laplace_count", {"epsilon": 10.0, "kind": "thresholding", "at": 100.0}, 10.0),
    ("laplace_count", {"epsilon": 0.001, "kind": "rounding", "at": 1e6}, 0.001),
    ("laplace_count", {"epsilon": 20.0, "kind": "thresholding", "at": 1e6}, 20.0),
    ("geometric_count", {"epsilon": 20.0, "kind": "clamping", "at": 1e6}, 20.0),
    ("laplace_decision", {"epsilon": 20.0, "minimum": 100, "records": 5}, 20.0),
    ("laplace_decision", {"epsilon": 20.0, "minimum": 10**6, "records": 0}, 20.0),
    ("response", {"epsilon": 0.001}, 0.001), ("wrong_sensitivity", {"epsilon": 20.0, "kind": "thresholding",
                                                                    "at": 1e5}, 40.0)])
def test_that_epsilon_is_right_wherever_outcomes_can_happen_however_rarely(name, values, epsilon):
    law, claim = law_of(name, **values)
    assert law.epsilon(claim[1]) == pytest.approx(epsilon, rel=1e-14)
    assert (law.log_delta(claim[0]) > -math.inf) is (name == "wrong_sensitivity")


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, -math.expm1(-0.5)), (0.1, -math.expm1(-0.05)), (8.0,
                                                                                                       -math.expm1(-4))])
def test_that_laplace_noise_for_half_the_sensitivity_needs_the_delta_of_the_crossing(epsilon, delta):
    law, claim = law_of("wrong_sensitivity", epsilon=epsilon)
    assert law.delta(claim[0]) == pytest.approx(delta, rel=1e-13)


@pytest.mark.parametrize("noise", [LaplaceNoise(0.7), GaussianNoise(1.3), GeometricNoise(1.7)])
@pytest.mark.parametrize("epsilon", [0.0, 0.4, 1.1, 3.0])
def test_that_of_bare_noise_the_law_is_its_privacy_profile_and_the_inverse_of_it(noise, epsilon):
    law = PairLaw(NoisyCount(noise, 7, noise), Processing())
    delta = noise.delta_at(epsilon)
    assert law.delta(epsilon) == pytest.approx(delta, rel=1e-12)
    if delta and epsilon:
        assert law.epsilon(delta) == pytest.approx(epsilon, rel=1e-9)


def test_that_a_delta_too_small_for_a_double_is_not_called_none():
    law, claim = law_of("wrong_sensitivity", "thresholding", 1e5)
    assert law.log_delta(claim[0]) == pytest.approx(-2 * (1e5 - 1) - math.log(2) + math.log(-math.expm1(-1)), rel=1e-12)
    assert 0 < law.delta(claim[0]) < FULL
    assert is_false(OutcomeCells(law.subject, law.process), claim)
    right, claim = law_of("laplace_count", "thresholding", 1e5)
    assert right.delta(claim[0]) == 0
    assert not is_false(OutcomeCells(right.subject, right.process), claim)


@pytest.mark.parametrize(("name", "at"), [("response", 5.0), ("wrong_shared_noise", 10.0), ("laplace_decision", 3.0)])
def test_that_epsilon_is_0_only_where_both_outcomes_are_the_same(name, at):
    law, _ = law_of(name, "rounding", at)
    assert law.epsilon(0.0) == 0
    assert law.delta(0.0) == 0


def test_that_a_group_that_nobody_is_in_makes_its_delta_the_probability_of_being_published():
    for minimum, epsilon in ((5, 1.0), (700, 20.0)):
        law, claim = law_of("wrong_delta", epsilon=epsilon, minimum=minimum)
        with mpmath.workdps(400):
            a = mpmath.exp(-mpmath.mpf(epsilon))
            log = float(mpmath.log(a ** (minimum - 1) / (1 + a)))
        assert law.log_delta(epsilon) == pytest.approx(log, rel=1e-13)
        assert law.epsilon(claim[1]) == math.inf


@pytest.mark.parametrize("records", [0, 3, 4, 9])
@pytest.mark.parametrize("name", ["laplace_decision", "cutoff_decision", "generalized_decision", "gaussian_decision",
                                  "response", "wrong_delta"])
def test_that_answers_tell_in_logarithms_what_their_probabilities_say(name, records):
    subject, _ = MECHANISMS[name].build(Audit(mechanism=name, records=records, minimum=4, delta=1e-3))
    (no, yes), (no_more, yes_more) = subject.chances(0), subject.chances(1)
    for (log, loss), p, q in zip(subject.told(), (yes_more, no), (yes, no_more), strict=True):
        assert math.exp(log) == pytest.approx(p, rel=1e-12)
        assert loss == (pytest.approx(math.log(p / q), rel=1e-9, abs=1e-15) if p and q else math.inf if p else 0.0)


@settings(max_examples=30)
@given(noise=noises, records=st.integers(0, 9), rate=st.floats(0.01, 0.99), x=st.floats(-20, 30), loss=st.floats(-3, 3))
def test_that_a_count_of_a_sample_mixes_what_the_count_says_with_and_without_the_record(noise, records, rate, x, loss):
    subject, at = SampledCount(noise, records, noise, rate=rate), np.array([x])
    with mpmath.workdps(40):
        over, less = ([[of(noise, mpmath.mpf(x) - records - i) for i in (0, 1)] for of in (tail, under)])
        for law, upper in ((over, True), (less, False)):
            mixed = [law[0], (1 - mpmath.mpf(rate)) * law[0] + rate * law[1]]
            for i in (0, 1):
                assert subject.chance(at, i, upper=upper)[0] == pytest.approx(float(mixed[i]), rel=1e-9, abs=1e-300)
            p, q = mixed[::-1] if upper else mixed
            event = subject.tail(at, upper=upper)
            assert event.log[0] == pytest.approx(float(mpmath.log(p)), rel=1e-9, abs=1e-12)
            assert event.loss[0] == pytest.approx(float(mpmath.log(p / q)), rel=1e-7, abs=1e-9)
    # From the crossing on an outcome is more than e^loss times as likely with the record.
    place = subject.crossing(loss)
    if math.isfinite(place):
        for beyond, where in ((True, place + 1e-6), (False, place - 1e-6)):
            if isinstance(noise, GeometricNoise):
                where = place - (not beyond)
            ratio = 1 - rate + rate * math.exp(float(noise.loss(where - records)))
            assert (ratio > math.exp(loss) * (1 - 1e-6)) is beyond or ratio == pytest.approx(math.exp(loss), rel=1e-5)


@pytest.mark.parametrize("name", ["wrong_shared_noise", "wrong_not_randomized"])
def test_that_what_the_data_settle_is_told_for_certain_between_both_outcomes_only(name):
    subject, _ = MECHANISMS[name].build(Audit(mechanism=name, records=4))
    low, high = subject.value(0), subject.value(1)
    for x in (low - 1, low, (low + high) / 2, high, high + 1):
        at = np.array([x])
        for upper in (True, False):
            tail = subject.tail(at, upper=upper)
            q, p = (subject.chance(at, i if upper else 1 - i, upper=upper) for i in (0, 1))
            assert math.exp(tail.log[0]) == p[0]
            assert tail.loss[0] == (math.inf if p[0] > q[0] else 0.0)


@settings(max_examples=30)
@given(epsilon=st.floats(0.05, 8), records=st.integers(0, 40), process=processes, at=st.floats(0, 1.2),
       delta=st.sampled_from([0.0, 1e-4, 0.1]))
def test_that_of_snapped_counts_no_tail_tells_more_than_the_law_and_one_tells_as_much(epsilon, records, process, at,
                                                                                       delta):
    # Further out no double holds how rare an outcome is.
    assume(not isinstance(process, Thresholding) or epsilon * (process.threshold - records) < 600)
    one = SnappedLaplace(epsilon, 2.0**24)
    law = PairLaw(SnappedCount(one, records), process)
    cuts = np.arange(-70, 72) * max(one.grid, getattr(process, "step", 0)) + records
    if isinstance(process, Clamping):
        cuts = np.linspace(1e-9, process.limit, 400)
    most_epsilon = most_delta = 0.0
    for cut in np.concatenate([process.nearest(float(cut), one.grid) for cut in cuts]):
        for tail, i in ((one.tail, 1), (one.below, 0)):
            p, q = tail(cut, records + i), tail(cut, records + 1 - i)
            if p > delta and q > 1e-305:
                most_epsilon = max(most_epsilon, math.log((p - delta) / q))
            most_delta = max(most_delta, p - math.exp(at * epsilon) * q)
    assert law.epsilon(delta) == pytest.approx(most_epsilon, rel=1e-6, abs=1e-9)
    assert law.delta(at * epsilon) == pytest.approx(most_delta, rel=1e-6, abs=1e-12)
    assert law.epsilon(0.0) <= one.epsilon
