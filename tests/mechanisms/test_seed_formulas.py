"""What the seeds print against what the mechanisms do: clipping mends it, a fraction breaks it, a group costs less."""

from __future__ import annotations

import json
from pathlib import Path

import mpmath
import pytest

from dpstudio.mechanisms import composition
from dpstudio.mechanisms.decision import GeneralizedDecision

ROWS = json.loads((Path(__file__).parents[1] / "oracles" / "seed.json").read_text("utf-8"))
CENTRE = 10_000


def rows(*quantities: str) -> list:
    return [pytest.param({name: float(given) for name, given in row["params"].items()},
                         float(row.get("value_f64", row["value"])), id=row["id"])
            for row in ROWS if row["quantity"] in quantities]


@pytest.mark.parametrize(("p", "printed"), rows("seed.eq6_18_unclipped", "seed.eq6_26_unclipped"))
def test_that_the_curve_is_what_the_seed_prints_where_that_is_a_probability(p, printed):
    found = GeneralizedDecision.centred(p["eps"], p["delta"], CENTRE).accept_probability(CENTRE + p["n_minus_n0"])
    assert found == pytest.approx(min(max(printed, 0.0), 1.0), rel=1e-12, abs=0)


@pytest.mark.parametrize(("p", "needed"), rows("seed.noninteger_n0_delta_needed"))
def test_that_the_seeds_curve_at_a_fraction_needs_more_than_its_delta(p, needed):
    epsilon, delta, phase = (mpmath.mpf(p[name]) for name in ("eps", "delta", "phase"))
    e = mpmath.exp(epsilon)
    p0, s = (e + delta) / (e + 1), delta / (e - 1)

    def curve(n):  # (6.26) from the centre on and (6.18) below, through real numbers
        return 1 - ((1 - p0 + s) * mpmath.exp(-epsilon * n) - s) if n >= 0 else (p0 + s) * mpmath.exp(epsilon * n) - s

    pairs = [(curve(n - phase), curve(n + 1 - phase)) for n in range(-3, 4)]
    inside = [(low, high) for low, high in pairs if low >= 0 and high <= 1]
    worst = max(max(high - e * low, (1 - low) - e * (1 - high)) for low, high in inside)
    assert float(worst) == pytest.approx(needed, rel=1e-12)
    assert worst > delta
    # Through the same probability at the same whole number, the steepest curve keeps to δ.
    steepest = GeneralizedDecision(p["eps"], p["delta"], CENTRE, float(inside[0][1]))
    assert steepest.delta_at(p["eps"]) <= p["delta"] * (1 + 1e-12)


@pytest.mark.parametrize(("p", "loose"), rows("group.delta_dwork_roth"))
def test_that_a_group_needs_less_than_the_textbook_and_that_less_than_the_seed(p, loose):
    records, epsilon, delta = int(p["k"]), p["eps"], p["delta"]
    assert loose == pytest.approx(records * mpmath.exp((records - 1) * epsilon) * delta, rel=1e-12)
    text, _ = composition.group_as_printed(epsilon, delta, records)
    assert composition.group(epsilon, delta, records)[1] < loose < text
