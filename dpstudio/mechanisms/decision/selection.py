"""Partition selection: which groups may be shown, where even the list of groups is secret.

A group of nobody is never shown, f(0) = 0, so that “yes” to one user needs δ = f(1). What is assumed of decisions that
know no such rule (`zero_refused`) holds of all that are made here. They are made for one group; whoever is in up to κ
of them needs what the makers here are told by `partitions`. [Desfontaines, Voss, Gipson & Mandayam 2022.]
"""

from __future__ import annotations

import math
from decimal import Decimal
from functools import lru_cache
from typing import Self

from dpstudio.core.arrays import parameter_value
from dpstudio.core.declare import InvalidParameter, parameter
from dpstudio.mechanisms.decision.curve import Steps
from dpstudio.mechanisms.decision.gaussian import GaussianDecision
from dpstudio.mechanisms.decision.generalized import GeneralizedDecision
from dpstudio.mechanisms.decision.laplace import LaplaceDecision
from dpstudio.mechanisms.decision.precise import ONE, expm1, first_integer, ln, precisely
from dpstudio.records import dataclass
from dpstudio.vocabulary import DELTA, EPSILON, EPSILON_OR_ZERO, EXACT_INTEGERS, PARTITIONS, REACH, reals

_FROM = reals(0, 1, open="low")


@dataclass(frozen=True)
class TruncatedGeometricDecision(GeneralizedDecision):
    """Show a group of n where n + X > m + k, with two-sided geometric noise X that is cut off beyond ±k.

    f(m + j) = δₖ (e^(εj) − 1)/(e^ε − 1) for 0 ≤ j ≤ k and g(m + 2k + 1 − j) the same: with δₖ = Pr[X = k] =
    (e^ε − 1)/(e^(ε(k+1)) + e^(εk) − 2) every step is one of the steepest decision from f(m) = 0, and this is that
    decision at the δ at which its rise takes a whole number of steps. (ε, δₖ)-DP, and for no smaller δ where f(0) = 0.
    `delta` must be the double nearest to δₖ, `target` 0; m > 0 is a “pre-threshold”, below which nothing is shown.
    [Desfontaines, Voss, Gipson & Mandayam 2022, on truncated geometric thresholding.]
    """

    name = "truncated geometric"
    needs_delta = True
    has_target = False

    reach: int | None = parameter(REACH, optional=True)

    @classmethod
    def reaching(cls, epsilon: float, reach: int, minimum: int = 0) -> Self:
        """The decision by noise on −k…k, which never shows a group of m; ε is in [0, ∞), k and m are whole."""
        epsilon, reach = parameter_value(EPSILON_OR_ZERO, epsilon), int(parameter_value(REACH, reach, "reach"))
        return cls(epsilon, _delta_of(epsilon, reach), minimum, 0.0, reach=reach)

    @classmethod
    def for_guarantee(cls, epsilon: float, delta: float, minimum: int = 0, target: float = 0.0) -> Self:  # noqa: ARG003
        """The one of least k with δₖ ≤ δ, k = ⌈ln((e^ε + 2δ − 1)/((e^ε + 1) δ))/ε⌉, which never shows a group of m.

        `delta` is in (0, 1]: without δ nothing is ever shown. Refused where k would be above 2⁵³.
        """
        epsilon = parameter_value(EPSILON_OR_ZERO, epsilon)
        reach = _least_reach(epsilon, positive(delta))
        if reach > EXACT_INTEGERS:
            raise InvalidParameter("delta", "large enough for a rise within 2⁵³ users", delta)
        return cls.reaching(epsilon, int(reach), minimum)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.target:
            raise InvalidParameter("target", "0", self.target, "a group of m is never shown")
        if self.reach is None:
            raise InvalidParameter("reach", REACH.domain, None)
        self.require_nearest("delta", _delta_of(self.epsilon, self.reach),
                             f"that of reach = {self.reach} at epsilon = {self.epsilon!r}")

    @precisely
    def _law(self) -> Steps:
        assert self.reach is not None
        epsilon = Decimal(self.epsilon)
        return Steps(epsilon, _exact_delta(epsilon, self.reach))


def share(epsilon: float, delta: float, partitions: int = 1) -> tuple[float, float]:
    """(ε/κ, 1 − (1 − δ)^(1/κ)): what one group may spend where each person is in up to κ, so that all come to (ε, δ).

    Tight: someone alone in κ groups makes one of them appear with probability δ. [Desfontaines, Voss, Gipson &
    Mandayam 2022.]
    """
    parts = int(parameter_value(PARTITIONS, partitions, "partitions"))
    epsilon, delta = parameter_value(EPSILON, epsilon), parameter_value(DELTA, delta)
    return epsilon / parts, delta if parts == 1 or delta == 1 else -math.expm1(math.log1p(-delta) / parts)


def optimal_selection(epsilon: float, delta: float, partitions: int = 1) -> GeneralizedDecision:
    """The steepest decision from f(0) = 0: at no number of users does another show a group more often.

    Google's libraries call it near-truncated geometric. [Desfontaines, Voss, Gipson & Mandayam 2022.]
    """
    return GeneralizedDecision(*share(epsilon, positive(delta), partitions), 0, 0.0)


def geometric_selection(epsilon: float, delta: float, partitions: int = 1) -> TruncatedGeometricDecision:
    """Truncated geometric noise and a threshold."""
    return TruncatedGeometricDecision.for_guarantee(*share(epsilon, positive(delta), partitions))


def laplace_selection(epsilon: float, delta: float, partitions: int = 1) -> LaplaceDecision:
    """Show n ≥ 1 where n + Lap(κ/ε) ≥ T, with T where f(1) = δ′ = 1 − (1 − δ)^(1/κ): T = 1 + κ ln(1/(2δ′))/ε.

    [Desfontaines, Voss, Gipson & Mandayam 2022; as Google's differential-privacy library has it.]
    """
    epsilon, delta = share(epsilon, _below_one(delta), partitions)
    return LaplaceDecision.for_target(epsilon, 1, delta)


def gaussian_selection(epsilon: float, delta: float, partitions: int = 1) -> GaussianDecision:
    """Show n ≥ 1 where n + N(0, σ²) ≥ T: half of δ is for the noise, at which √κ-sensitive counts are (ε, δ/2)-DP, and
    half for the threshold, f(1) = δ′ = 1 − (1 − δ/2)^(1/κ), T = 1 + σ Φ⁻¹(1 − δ′).

    [As Google's differential-privacy library has it; Balle & Wang 2018 for σ.]
    """
    _, of_one = share(epsilon, _below_one(delta) / 2, partitions)
    mu = GaussianDecision.for_guarantee(epsilon, delta / 2, 1, of_one).mu
    return GaussianDecision(mu / math.sqrt(partitions), 1, of_one)


def positive(delta: float) -> float:
    """δ in (0, 1]; refused at 0, where no group could ever be shown."""
    delta = parameter_value(DELTA, delta)
    if not delta:
        raise InvalidParameter("delta", _FROM, delta, "without δ no group is ever shown")
    return delta


def _below_one(delta: float) -> float:
    if positive(delta) == 1:
        raise InvalidParameter("delta", reals(0, 1, open="both"), delta)
    return float(delta)


def _exact_delta(epsilon: Decimal, reach: int) -> Decimal:
    """δₖ = (e^ε − 1)/((e^(ε(k+1)) − 1) + (e^(εk) − 1)), 1/(2k + 1) for ε = 0."""
    if not epsilon:
        return ONE / (2 * reach + 1)
    return expm1(epsilon) / (expm1(epsilon * (reach + 1)) + expm1(epsilon * reach))


@lru_cache(maxsize=64)
@precisely
def _delta_of(epsilon: float, reach: int) -> float:
    return float(_exact_delta(Decimal(epsilon), reach))


@precisely
def _least_reach(epsilon: float, delta: float) -> float | int:
    e, d = Decimal(epsilon), Decimal(delta)
    if not e:
        return first_integer((1 / d - 1) / 2)
    growth = expm1(e)
    return first_integer(ln((growth + 2 * d) / ((growth + 2) * d)) / e)
