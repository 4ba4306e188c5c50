"""What the noise study compares: a noise with the sensitivity that it hides."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array
from dpstudio.core.guarantee import RECORD, ROOM, Guarantee
from dpstudio.mechanisms.noise import GaussianNoise
from dpstudio.mechanisms.noise import Noise as Mechanism
from dpstudio.records import cached_property, dataclass
from dpstudio.studies import noise as f
from dpstudio.studies.kit.compared import promised_by

_ROUNDING = 1e-12
"""√3 as a double, squared, is a little less than 3: whole sensitivities forgive as much."""


@dataclass(frozen=True, slots=True)
class Moves:
    """How far one record moves the answer: in ℓ₁, in ℓ₂, and in ℓ₁ where the answer is made of whole numbers."""

    l1: float
    l2: float
    whole: int
    """0 where whole numbers cannot move at all."""

    @property
    def is_whole(self) -> bool:
        """Whether whole numbers move as far as any, as answers do that are made of them."""
        return self.whole > 0 and self.whole * (1 + _ROUNDING) >= self.l1

    @property
    def whole_step(self) -> int:
        """How far one whole coordinate moves at most."""
        return math.floor(self.l2 * (1 + _ROUNDING))


def query(study: f.Noise) -> Moves:
    """The sensitivities that both declared ones allow.

    No distance is longer in ℓ₂ than in ℓ₁, none more than √d times as long in ℓ₁ as in ℓ₂. Whole coordinates have
    v² ≥ |v|, so ℓ₁ is at most ℓ₂² for them.
    """
    l2 = min(study.sensitivity_l2, study.sensitivity)
    widest = l2 if study.dimension == 1 else math.nextafter(math.sqrt(study.dimension) * l2, math.inf)
    l1 = min(study.sensitivity, widest)
    whole = math.floor(min(l1, l2 * l2) * (1 + _ROUNDING)) if l2 * (1 + _ROUNDING) >= 1 else 0
    return Moves(l1, l2, whole)


@dataclass(frozen=True)
class Compared:
    """One of the noises, with the sensitivity that it hides."""

    study: f.Noise
    noise: Mechanism
    sensitivity: float
    """In its own norm: ℓ₂ for Gaussian noise, else ℓ₁. Moved into one coordinate, it is the worst of all moves."""
    step: float
    """How far one coordinate moves at most; less than the sensitivity, if ℓ₂ forbids the worst move."""
    sds: Callable[[Array], Array]
    """The standard deviation of this noise at other ε."""
    scale_how: str = ""
    """The formula of its scale, where it is not that of its kind."""
    is_least: bool = True
    """Whether it is the least of its kind that keeps the guarantee."""
    is_proved: bool = True
    """Whether its scale follows from a formula that somebody proved."""

    @cached_property
    def guarantee(self) -> Guarantee | None:
        """What it promises of one record, for the worst move; None of a scale without a proof, or beyond it."""
        if not self.is_proved or not self.noise_keeps:
            return None
        return promised_by(self.noise, self.sensitivity, RECORD, self.study.epsilon, self.true_delta,
                           "bound" if self.loose else "exact")

    @cached_property
    def true_delta(self) -> float:
        """The smallest δ at the study's ε, for the worst move."""
        return float(self.delta_at(self.study.epsilon))

    @property
    def noise_keeps(self) -> bool:
        """Whether it needs no more than the study's δ, or is the least of its kind, made for it."""
        return self.is_least or self.true_delta <= self.study.delta * (1 + ROOM)

    def delta_at(self, epsilon: npt.ArrayLike) -> float | Array:
        """The smallest δ at each ε, for the worst move."""
        return self.noise.delta_at(epsilon, self.sensitivity)

    def trade_off(self, alpha: npt.ArrayLike) -> float | Array:
        """The smallest type II error at each type I error, for the worst move."""
        return self.noise.trade_off(alpha, self.sensitivity)

    @property
    def loose(self) -> str:
        """Why what is said of an attack is a bound; empty where the worst move can happen."""
        return "" if self.step == self.sensitivity else "; the move this would take is longer than ℓ₂ allows"

    @cached_property
    def common_loss(self) -> float:
        """The privacy loss that 95 % of all answers stay within, where the record is there."""
        return self.noise.common_loss(self.sensitivity)

    @cached_property
    def largest_loss(self) -> float:
        """The largest privacy loss of any answer."""
        return self.noise.largest_loss(self.sensitivity)

    @property
    def times_least(self) -> float | None:
        """σ over the least that keeps the guarantee, of Gaussian noise."""
        least = self.least_sigma
        return None if least is None else self.noise.noise_scale / least

    @cached_property
    def least_sigma(self) -> float | None:
        """The least σ of Gaussian noise that keeps the guarantee."""
        if not isinstance(self.noise, GaussianNoise):
            return None
        if self.is_least:
            return self.noise.sigma
        return GaussianNoise.analytic(self.study.epsilon, self.study.delta, self.sensitivity).sigma


@dataclass(frozen=True)
class Proofs:
    """Answers in doubles drawn so far with the record and as many without it, and how many the other cannot give."""

    done: int = 0
    there: int = 0
    absent: int = 0


@dataclass(frozen=True)
class Drawn:
    """Answers drawn so far, by key of the series: attackers who were right, and answers in each stretch of x."""

    done: int
    right: Mapping[str, int]
    counts: Mapping[str, npt.NDArray[np.int64]]
    rows: Array
    proofs: Proofs
