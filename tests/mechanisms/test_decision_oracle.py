"""Decisions against reference values of forty digits, computed apart from this package."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from dpstudio.mechanisms.decision import (
    CutoffExponentialDecision,
    Decision,
    GeneralizedDecision,
    LaplaceDecision,
)

ROWS = json.loads((Path(__file__).parents[1] / "oracles" / "decision.json").read_text("utf-8"))

FAR = 10**6
"""A centre with more records on either side than any row asks for."""


def decision_of(row: dict) -> Decision:
    given = row["params"]
    epsilon = float(given["eps"])
    match given.get("decision", row["quantity"].split(".")[0].removesuffix("_decision")):
        case "laplace":
            return LaplaceDecision(epsilon, float(given["k"]))
        case "cutoff":
            return CutoffExponentialDecision(epsilon, float(given["m"]))
        case "geometric":
            return GeneralizedDecision.centred(epsilon, 0.0, given["n0"])
        case "linear":
            return GeneralizedDecision(0.0, float(given["delta"]), given["m"], 1.0, 0.0)
    return GeneralizedDecision(epsilon, float(given["delta"]), int(given["m"]), float(given["p"]))


def error_of_second_kind(row: dict, reverse: bool) -> float:
    """β at α of the best test of N against N + 1 (or the reverse): a line broken where one outcome decides."""
    decision, n, alpha = decision_of(row), int(row["params"]["N"]), float(row["params"]["alpha"])
    f, g = ([float(method(k)) for k in (n, n + 1)]
            for method in (decision.accept_probability, decision.reject_probability))
    if reverse:
        f, g = g[::-1], f[::-1]
    return 1 - alpha * f[1] / f[0] if alpha <= f[0] else g[1] * (1 - alpha) / g[0]


def best_cutoff(epsilon: float) -> float:
    """The δ of the cutoff whose minimum has the best fraction."""
    u = math.exp(epsilon) / (1 + math.exp(epsilon) - math.exp(-epsilon))
    return CutoffExponentialDecision(epsilon, 1 - math.log(u) / epsilon).delta_at(epsilon)


def value(row: dict) -> float:
    quantity = row["quantity"]
    name = quantity.split(".")[1]
    p = {key: float(given) for key, given in row["params"].items() if key != "decision"}
    match quantity.split("."):
        case ["laplace_decision" | "cutoff" | "generalized" | "geometric_decision", "accept"]:
            return decision_of(row).accept_probability(p["N"])
        case ["laplace_decision" | "cutoff" | "generalized" | "geometric_decision", "reject"]:
            return decision_of(row).reject_probability(p["N"])
        case [_, "ln_accept"]:
            return decision_of(row).log_accept(p["N"])
        case ["privacy_loss", outcome]:
            decision = decision_of(row)
            return (decision.loss_accept if outcome == "accept" else decision.loss_reject)(p["N"])
        case ["decision", "delta"]:
            return decision_of(row).delta_at(p["eps_prime"])
        case ["decision", "delta_absent"]:
            return decision_of(row).delta_at(p["eps"], zero_refused=True)
        case ["tradeoff", _]:
            return error_of_second_kind(row, reverse=name == "decision_reverse")
        case ["laplace_decision", "threshold_offset"]:
            return LaplaceDecision.for_target(p["eps"], 0, p["p"]).threshold
        case ["geometric_decision", "threshold_offset"]:
            return FAR - GeneralizedDecision.centred(p["eps"], 0.0, FAR).smallest_n(p["p"])
        case ["laplace_decision", "min_N"]:
            return LaplaceDecision.for_target(p["eps"], p["m"], p["p"]).smallest_n(p["target"])
        case ["laplace_decision", "width"]:
            return LaplaceDecision(p["eps"], 0.0).band(p["q"]).width
        case ["cutoff", "width"]:
            return CutoffExponentialDecision(p["eps"], 1.0).band(p["q"]).width
        case ["geometric_vs_laplace", "width_saved"]:
            geometric = GeneralizedDecision.centred(p["eps"], 0.0, 0)
            return LaplaceDecision(p["eps"], 0.0).band(1e-3).width - geometric.band(1e-3).width
        case ["laplace_decision", "crossing_loss"]:
            decision = LaplaceDecision(p["eps"], 10 + p["phase"])
            return max(decision.loss_accept(10), decision.loss_reject(10))
        case ["cutoff", "best_noninteger_delta"]:
            return best_cutoff(p["eps"])
        case ["generalized", "p0"] | ["seed_claim", "p0"]:
            return GeneralizedDecision.centred(p["eps"], p["delta"], 0).accept_probability(0)
        case ["generalized", "one_minus_p0"]:
            return GeneralizedDecision.centred(p["eps"], p["delta"], 0).reject_probability(0)
        case ["generalized", "n0_minus_n_down"]:
            return -GeneralizedDecision.centred(p["eps"], p["delta"], 0).band(p["target"]).low
        case ["generalized", "n_minus_n0_up"]:
            return GeneralizedDecision.centred(p["eps"], p["delta"], 0).band(1 - p["target"]).high
        case ["generalized", "steps_0_to_1"]:
            return GeneralizedDecision(p["eps"], p["delta"], 0, 0.0).smallest_n(1.0)
        case ["generalized", "steps_between"]:
            return GeneralizedDecision(p["eps"], p["delta"], 0, p["from"]).smallest_n(p["to"])
        case ["seed_claim", "interval_001_099"]:
            return LaplaceDecision(p["eps"], 0.0).band(0.01).width
        case ["seed_claim", "width_001_099_generalized"]:
            return GeneralizedDecision.centred(p["eps"], p["delta"], 0).band(0.01).width
        case ["seed_claim", "needed_N"]:
            return LaplaceDecision.for_target(p["eps"], p["m"], 0.01).band(0.01).high
        case ["seed_claim", "k_minus_m_p099"]:
            return LaplaceDecision.for_target(p["eps"], 0, p["p"]).threshold
        case ["seed_claim", "cutoff_delta"]:
            return CutoffExponentialDecision(p["eps"], 10.0).delta_at(p["eps"])
    raise KeyError(quantity)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_that_it_agrees_with_the_reference_to_twelve_digits(row):
    expected, found = float(row.get("value_f64", row["value"])), value(row)
    assert isinstance(found, float)
    if expected == 0 or abs(expected) < 1e-300:
        # What was computed at eighty digits as a difference of numbers near 1 is 0 from 1e-80 on.
        assert abs(found) <= (1e-80 if expected == 0 else 1e-300)
    elif math.isinf(expected):
        assert found == expected
    elif row["quantity"].split(".")[1] in ("accept", "reject") and row["quantity"][:7] != "privacy":
        # Within a step of a clip or a crossing a tail is as ill-conditioned as its parameters.
        assert math.isclose(found, expected, rel_tol=1e-12, abs_tol=2e-15)
        assert math.isclose(found, expected, rel_tol=3e-11)
    else:
        assert math.isclose(found, expected, rel_tol=1e-12)
