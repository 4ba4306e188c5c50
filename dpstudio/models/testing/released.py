"""What one noisy count Z = X + N tells of a share: p-values for every test at once, and an interval.

Where Z is (ε, δ)-DP so is all that is made of it: the most powerful one-sided tests of every share and at every level,
and intervals that cover every share exactly as often as they say.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit

from dpstudio.core.arrays import numbers_in, parameter_value, shaped
from dpstudio.core.declare import Array, Declared, InvalidParameter, parameter
from dpstudio.core.quadrature import integral
from dpstudio.mechanisms.noise import CanonicalNoise
from dpstudio.models.testing.rises import CanonicalRise, parted
from dpstudio.models.testing.shares import PEOPLE, SIDE, TRUE_SHARE
from dpstudio.records import cached_property, dataclass
from dpstudio.vocabulary import (
    DELTA,
    EPSILON_OR_ZERO,
    INSIDE_UNIT,
    NOISY_ANSWER,
    PROBABILITY,
    Choice,
    variant,
)

CONFIDENCE_OF_SHARE = variant(PROBABILITY, key="confidence", symbol="1 − α", label="confidence", sentence="How often "
                              "the interval covers the share, whatever that is.", domain=INSIDE_UNIT)
SIDE_OF_P = variant(SIDE, domain=Choice(("greater", "less", "two")))
_WIDTH_CUTS = np.array([1.0, 2.0, 3.0, 4.5, 9.0])
_WIDTH_GOOD = 1e-6
_FAR = 700.0
_ROUNDS, _PATIENCE = 100, 8
_CLOSE = 1e-12


@dataclass(frozen=True)
class NoisyShare(Declared):
    """Z = X + N: how many of n people have something, with canonical noise.

    Its p-values are uniform under θ₀, of either side and of both together, and {p ≤ α} is the most powerful one-sided
    test at every α. [Awan & Slavković 2018, Theorems 5.1 and 5.2; 2020, for the interval.]
    """

    n: int = parameter(PEOPLE)
    epsilon: float = parameter(EPSILON_OR_ZERO)
    delta: float = parameter(DELTA, 0.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.noise  # noqa: B018 - refuses ε = δ = 0

    @cached_property
    def noise(self) -> CanonicalNoise:
        return CanonicalNoise(self.epsilon, self.delta)

    @cached_property
    def _rise(self) -> CanonicalRise:
        return CanonicalRise(self.noise)

    def _rises(self, z: Array, p: Array, q: Array) -> Array:
        """Pr[X + N ≥ z] for vectors."""
        return np.minimum(self._rise.mean(np.full(z.shape, float(self.n)), p, q, *parted(np.floor(z), z - np.floor(z))),
                          1.0)

    def _both(self, z: npt.ArrayLike, share: npt.ArrayLike) -> tuple[Array, Array, tuple[int, ...]]:
        at, p = np.broadcast_arrays(numbers_in(z, NOISY_ANSWER, "z"), numbers_in(share, TRUE_SHARE, "share"))
        return at.reshape(-1), p.reshape(-1), at.shape

    def tail(self, z: npt.ArrayLike, share: npt.ArrayLike) -> float | Array:
        """Pr[Z ≥ z] at a share, to full relative accuracy; of any shapes that broadcast."""
        at, p, shape = self._both(z, share)
        return shaped(self._rises(at, p, 1 - p).reshape(shape))

    def cdf(self, z: npt.ArrayLike, share: npt.ArrayLike) -> float | Array:
        """Pr[Z ≤ z], to full relative accuracy."""
        at, p, shape = self._both(z, share)
        return shaped(self._rises(self.n - at, 1 - p, p).reshape(shape))

    def density(self, z: npt.ArrayLike, share: npt.ArrayLike) -> float | Array:
        """Σ f(z − x) Bin(x), to full relative accuracy but where it jumps, halfway between whole numbers."""
        at, p, shape = self._both(z, share)
        n = np.full(at.shape, float(self.n))
        c, t = parted(np.floor(at), at - np.floor(at))
        # The x up to the middle of the noise by the rise of X, those beyond by that of n − X.
        below = self._rise.sums(n, p, 1 - p, c, t, high=c)[1]
        above = self._rise.sums(n, 1 - p, p, n - c, 1 - t, high=n - c - 1)[1]
        return shaped((below + above).reshape(shape))

    def sd(self, share: npt.ArrayLike) -> float | Array:
        """√(nθ(1 − θ) + the variance of the noise): of Z; over n it is that of Z/n."""
        p = numbers_in(share, TRUE_SHARE, "share")
        return shaped(np.sqrt(self.n * p * (1 - p) + self.noise.sd**2))

    def p_value(self, z: npt.ArrayLike, share: npt.ArrayLike, side: str = "greater") -> float | Array:
        """How likely Z lies as far on that side as z, or twice the smaller of both, where the share is θ₀."""
        if SIDE_OF_P.domain.accept(side) is None:
            raise InvalidParameter("side", SIDE_OF_P.domain, side)
        if side == "greater":
            return self.tail(z, share)
        if side == "less":
            return self.cdf(z, share)
        return shaped(np.minimum(2 * np.minimum(self.tail(z, share), self.cdf(z, share)), 1.0))

    def explained(self, z: float, confidence: float) -> bool:
        """Whether some share has both one-sided p-values of z above (1 − confidence)/2."""
        half = (1 - parameter_value(CONFIDENCE_OF_SHARE, confidence, "confidence")) / 2
        z = parameter_value(NOISY_ANSWER, z, "z")
        return float(self.noise.tail(z - self.n)) >= half and float(self.noise.cdf(z)) >= half

    def interval(self, z: float, confidence: float = 0.95) -> tuple[float, float]:
        """The shares whose equal-tailed test does not reject z; it covers the true one with exactly that confidence.

        Where no share explains z it is [0, 0] or [1, 1], on the side where z lies.
        """
        half = (1 - parameter_value(CONFIDENCE_OF_SHARE, confidence, "confidence")) / 2
        z = parameter_value(NOISY_ANSWER, z, "z")
        return self._least(z, half)[0], self._least(self.n - z, half)[1]

    def _least(self, z: float, half: float) -> tuple[float, float]:
        """The least share with Pr[Z ≥ z] ≥ half, and 1 less that; 1 where there is none."""
        none, every = float(self.noise.tail(z)), float(self.noise.tail(z - self.n))
        if none >= half:
            return 0.0, 1.0
        if every <= half:
            return 1.0, 0.0
        # From none to every the chance rises with θ; of the odds between them the logarithm is nearly straight in that
        # of θ, in which the chance rises by E (X − nθ) F(X − z).
        n, (c, t) = np.array([float(self.n)]), parted(np.array([math.floor(z)]), [z - math.floor(z)])
        wanted = math.log((half - none) / (every - half))
        odds, low, high = float(logit(min(max(z / self.n, 0.5 / self.n), 1 - 0.5 / self.n))), -_FAR, _FAR
        for rounds in range(_ROUNDS):
            p, q = expit(np.array([odds])), expit(np.array([-odds]))
            found, _, slope, _ = self._rise.sums(n, p, q, c, t, moments=True)
            at, rise = float(found[0]), float(slope[0])
            low, high = (odds, high) if at < half else (low, odds)
            near = (low + high) / 2
            if none < at < every and rise > 0 and (rounds < _PATIENCE or rounds % 2):
                step = (wanted - math.log((at - none) / (every - at))) / (rise * (1 / (at - none) + 1 / (every - at)))
                near = odds + step if low < odds + step < high or abs(step) < 4 * math.ulp(odds) else near
            if abs(at / half - 1) <= _CLOSE or abs(near - odds) <= 4 * math.ulp(odds):
                break
            odds = near
        return float(expit(odds)), float(expit(-odds))

    def expected_width(self, share: float, confidence: float = 0.95) -> float:
        """The mean width of `interval` at a share: ∫ Pr[the interval covers θ′] dθ′ over all θ′. [Pratt 1961.]

        To 1e-5 of it: it has a bend wherever a threshold passes a whole number.
        """
        half = (1 - parameter_value(CONFIDENCE_OF_SHARE, confidence, "confidence")) / 2
        p = parameter_value(TRUE_SHARE, share, "share")
        sd = float(self.sd(p)) / self.n
        ends = np.unique(np.concatenate([[0.0, p, 1.0], p - sd * _WIDTH_CUTS, p + sd * _WIDTH_CUTS]))
        ends = ends[(ends >= 0) & (ends <= 1)]
        return integral(lambda other: self._covers(other.reshape(-1), p, half).reshape(other.shape), ends, _WIDTH_GOOD)

    def _covers(self, other: Array, p: float, half: float) -> Array:
        """Pr[the interval covers another share] where the share is p."""
        size = other.size
        n, level = np.full(2 * size, float(self.n)), np.full(2 * size, half)
        c, t = self._rise.place(n, np.append(other, 1 - other), np.append(1 - other, other), level)
        truth = np.repeat([p, 1 - p], size)
        found = self._rise.mean(n, truth, 1 - truth, c, t)
        return 1 - found[:size] - found[size:]


def p_value(z: npt.ArrayLike, n: int, share: npt.ArrayLike, epsilon: float, delta: float = 0.0, side: str = "greater"
            ) -> float | Array:
    """`NoisyShare.p_value` of a noisy count of n people."""
    return NoisyShare(n, epsilon, delta).p_value(z, share, side)


def interval(z: float, n: int, epsilon: float, delta: float = 0.0, confidence: float = 0.95) -> tuple[float, float]:
    """`NoisyShare.interval` of a noisy count of n people."""
    return NoisyShare(n, epsilon, delta).interval(z, confidence)
