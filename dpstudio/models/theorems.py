"""Numbers for the theorems' page: what each theorem promises at (ε, δ), and an example that breaks what it does not."""

from __future__ import annotations

import math

from dpstudio import vocabulary as v
from dpstudio.core.results import Fact
from dpstudio.core.sources import BW18, DR14, DVGM22, KOV15
from dpstudio.mechanisms.composition import group, responses
from dpstudio.mechanisms.decision import GeneralizedDecision


def counterexamples(epsilon: float, delta: float) -> tuple[Fact, ...]:
    """Facts for every theorem at ε in (0, ∞) and δ in (0, 1)."""
    return (
        Fact(v.GUARANTEE_EPSILON, epsilon),
        Fact(v.GUARANTEE_DELTA, delta),
        Fact(v.STEPS_FROM_ZERO, float(GeneralizedDecision(epsilon, delta, 0, 0.0).smallest_n(1.0)),
             how="the recursion p ← 1 − T(p) from 0 to 1", source=DVGM22),
        Fact(v.LARGEST_RATIO, _power(epsilon), how="e^ε", source=DR14),
        Fact(v.LARGEST_RATIO_TWICE, _power(2 * epsilon), how="e^2ε", source=DR14),
        Fact(v.ONE_AMONG, math.ceil(1 / delta), how="1/δ", source=DR14),
        Fact(v.PEEKING_DELTA, -math.expm1(-epsilon), how="1 − e^−ε", source=BW18),
        Fact(v.TWICE_DELTA, float(responses([epsilon, epsilon], epsilon)), how="p² (1 − e^−ε), p = 1/(1 + e^−ε)",
             source=KOV15),
        Fact(v.PAIR_DELTA, float(group(epsilon, delta, 2)[1]), how="δ (e^2ε − 1)/(e^ε − 1)", source=DVGM22),
        Fact(v.PAIR_DELTA_ADDED, min(1.0, 2 * delta), how="2δ"),
    )


def _power(loss: float) -> float:
    return math.exp(loss) if loss < 700 else math.inf
