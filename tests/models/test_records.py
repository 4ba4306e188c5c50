"""Priors on N: sums, blocks that enclose them, and the oracle's error rates."""

from __future__ import annotations

import json
from pathlib import Path

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpstudio.core.declare import InvalidParameter
from dpstudio.mechanisms.decision import CutoffExponentialDecision, GeneralizedDecision, LaplaceDecision
from dpstudio.models import records
from dpstudio.models.records import RecordsPrior

ROWS = json.loads((Path(__file__).parent.parent / "oracles" / "errors.json").read_text())


def decision(params):
    epsilon = float(params["eps"])
    match params["decision"]:
        case "laplace":
            return LaplaceDecision(epsilon, float(params["k"]))
        case "cutoff":
            return CutoffExponentialDecision(epsilon, params["m"])
        case "generalized":
            return GeneralizedDecision(epsilon, float(params["delta"]), params["m"], float(params["p"]))
    return GeneralizedDecision.centred(epsilon, 0.0, params["n0"])


def prior(params):
    if params["prior"] == "poisson":
        return RecordsPrior("poisson", float(params["lambda"]), 1.0)
    centre, width = (params["lo"] + params["hi"]) / 2, (params["hi"] - params["lo"]) / 2
    return RecordsPrior("uniform", centre, max(width, 1e-3))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_that_error_rates_equal_the_oracle(row):
    params, belief, decide = row["params"], prior(row["params"]), decision(row["params"])
    rates = {}
    for below, rate in ((True, decide.accept_probability), (False, decide.reject_probability)):
        part = belief.part(params["m"], below=below)
        rates[below] = part.average(rate).value if part else 0.0
    weight = belief.below(params["m"])
    value = {"error.false_accept": rates[True], "error.false_reject": rates[False],
             "error.total": weight * rates[True] + (1 - weight) * rates[False]}[row["quantity"]]
    assert value == pytest.approx(float(row.get("value_f64", row["value"])), rel=1e-12, abs=1e-300)


@given(mean=st.floats(1e-3, 1e9), steps=st.floats(-8, 8))
def test_that_poisson_weights_keep_twelve_digits_of_their_ratios(mean, steps):
    n = max(0.0, np.rint(mean + steps * np.sqrt(mean)))
    logs = records._poisson_log_weight(np.array([n, n + 1.0]), mean)
    with mpmath.workdps(40):
        expected = mpmath.log(mpmath.mpf(mean) / (n + 1))
    assert logs[1] - logs[0] == pytest.approx(float(expected), abs=1e-12)


@given(kind=st.sampled_from(["uniform", "poisson", "normal"]), centre=st.floats(0, 1e5), width=st.floats(1e-3, 1e4),
       minimum=st.integers(1, 100_000), epsilon=st.floats(1e-4, 5), below=st.booleans())
def test_that_blocks_enclose_the_sum(kind, centre, width, minimum, epsilon, below):
    belief, decide = RecordsPrior(kind, centre, width), LaplaceDecision(epsilon, minimum)
    rate = decide.accept_probability if below else decide.reject_probability
    exact, summed = belief.part(minimum, below=below), records.SUMMED
    try:
        records.SUMMED = 0
        blocks = belief.part(minimum, below=below)
    finally:
        records.SUMMED = summed
    if exact is None or blocks is None or not exact.average(rate).is_exact:
        return
    value, enclosed = exact.average(rate).value, blocks.average(rate)
    assert enclosed.low <= value * (1 + 1e-6) + 1e-15
    assert enclosed.high >= value * (1 - 1e-6) - 1e-15


@given(kind=st.sampled_from(["uniform", "poisson", "normal"]), centre=st.floats(0, 1e12), width=st.floats(1e-3, 1e12),
       minimum=st.integers(1, 10**9))
def test_that_weights_sum_to_one_over_the_whole_domain(kind, centre, width, minimum):
    belief = RecordsPrior(kind, centre, width)
    assert 0 <= belief.below(minimum) <= 1
    for below in (True, False):
        if part := belief.part(minimum, below=below):
            assert part.weights.sum() == pytest.approx(1, abs=1e-9)
            assert (part.weights >= 0).all()
            assert (part.first <= part.last).all()
            assert part.last.max() < minimum if below else part.first.min() >= minimum


def test_that_a_prior_without_such_records_has_no_error_rate():
    assert RecordsPrior("uniform", 50.0, 10.0).part(100, below=False) is None
    assert RecordsPrior("uniform", 200.0, 10.0).part(100, below=True) is None


def test_that_an_unknown_prior_is_refused_in_one_sentence():
    with pytest.raises(InvalidParameter, match="prior must be one of uniform, poisson, normal, got 'flat'"):
        RecordsPrior("flat", 1.0, 1.0)


@pytest.mark.parametrize(("belief", "minimum", "beyond"), [
    (RecordsPrior("normal", 900.0, 10.0), 980, lambda: _normal_beyond(900, 10, 980)),
    (RecordsPrior("normal", 900.0, 10.0), 1100, lambda: _normal_beyond(900, 10, 1100)),
    (RecordsPrior("poisson", 100.0, 1.0), 260, lambda: mpmath.gammainc(260, 0, 100, regularized=True)),
    (RecordsPrior("uniform", 10.0, 5.0), 15, lambda: mpmath.mpf(1) / 11), (RecordsPrior("uniform", 10.0, 5.0), 16, int),
    (RecordsPrior("uniform", 10.0, 5.0), 5, lambda: 1), (RecordsPrior("uniform", 10.0, 5.0), 3, lambda: 1)])
def test_that_what_lies_from_the_minimum_on_keeps_its_digits_beside_1(belief, minimum, beyond):
    with mpmath.workdps(60):
        true = float(beyond())
    assert belief.from_on(minimum) == pytest.approx(true, rel=1e-11, abs=0)
    assert belief.below(minimum) == pytest.approx(1 - true, rel=1e-14, abs=1e-300)


def _normal_beyond(centre, width, minimum):
    return mpmath.erfc((mpmath.mpf(minimum) - mpmath.mpf("0.5") - centre) / width / mpmath.sqrt(2)) / 2
