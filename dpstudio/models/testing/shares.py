"""Most powerful tests of the share of a population, by how many of n people have something: private and not."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
import numpy.typing as npt

from dpstudio.core.arrays import numbers_in, shaped
from dpstudio.core.declare import Array, Declared, InvalidParameter, counts, parameter
from dpstudio.mechanisms.decision import GaussianDecision, GeneralizedDecision
from dpstudio.mechanisms.noise import CanonicalNoise
from dpstudio.models.testing.rises import CanonicalRise, NormalRise, Rise
from dpstudio.models.testing.two_sided import Tails, equal_tails, unbiased_tails
from dpstudio.records import cached_property, dataclass
from dpstudio.vocabulary import (
    DELTA,
    EPSILON_OR_ZERO,
    EXACT_INTEGERS,
    INSIDE_UNIT,
    MU,
    PROBABILITY,
    UNIT,
    Choice,
    Quantity,
    integers,
    variant,
)

PEOPLE = variant(PROBABILITY, key="n", symbol="n", label="people n", sentence="How many people the data are of; that "
                 "is no secret.", domain=integers(1, 10**9))
SHARE_TESTED = variant(PROBABILITY, key="share", symbol="θ₀", label="share θ₀", sentence="The share that is tested.",
                       domain=INSIDE_UNIT)
TRUE_SHARE = variant(PROBABILITY, key="share", symbol="θ", label="share θ", sentence="The share of the population that "
                     "has it.", domain=UNIT)
LEVEL_OF_TEST = variant(PROBABILITY, key="level", symbol="α", label="level α", sentence="How likely a test rejects "
                        "what is true.", domain=INSIDE_UNIT)
SIDE = Quantity("side", "side", "side of the test", "Which shares a test is to notice: greater ones, lesser ones, or "
                "those on either side, unbiased or with equal tails.", Choice(("greater", "less", "two", "equal")))
_WITHOUT = 800.0
"""An ε at which e^−ε is 0: canonical noise is uniform, which makes a test exact without privacy."""


@dataclass(frozen=True)
class OfShare(Declared):
    """A test of θ = θ₀ by the count X of n people; each kind declares n, share, level and side and gives its rise."""

    @property
    @abstractmethod
    def rise(self) -> Rise:
        """That of its noise."""

    @property
    @abstractmethod
    def _asked(self) -> tuple[int, float, float, str]:
        """n, θ₀, the level and the side."""

    @property
    def _people(self) -> int:
        return self._asked[0]

    @property
    def _is_less(self) -> bool:
        return self._asked[3] == "less"

    @cached_property
    def _place(self) -> tuple[float, float]:
        """c and t of the one rise, of “yes” or, where lesser shares are to be noticed, of “no”."""
        n, share, level, _ = self._asked
        p, q = (1 - share, share) if self._is_less else (share, 1 - share)
        c, t = self.rise.place(*(np.array([float(each)]) for each in (n, p, q, level)))
        return float(c[0]), float(t[0])

    @cached_property
    def _tails(self) -> Tails | None:
        """The two rises of a two-sided test; None of a one-sided one."""
        n, share, level, side = self._asked
        if side == "two":
            return unbiased_tails(self.rise, n, share, level)
        return equal_tails(self.rise, n, share, level) if side == "equal" else None

    @property
    def threshold(self) -> float | tuple[float, float]:
        """The m from which on, or up to which, X + noise rejects; of a two-sided test where both tails begin."""
        if (tails := self._tails) is not None:
            return tails.thresholds
        c, t = self._place
        m = c + 0.5 - t
        return self._people - m if self._is_less else m

    def rejects(self, count: npt.ArrayLike) -> float | Array:
        """φ(x), how likely it rejects where x of the n people have it; x is whole, in [0, n], of any shape."""
        x = counts(count, "count")
        if (x > self._people).any():
            raise InvalidParameter("count", integers(0, self._people), x[x > self._people].flat[0])
        if (tails := self._tails) is not None:
            return shaped(tails.at(x))
        return shaped(self.rise.at(self._people - x if self._is_less else x, *self._place))

    def power(self, share: npt.ArrayLike) -> float | Array:
        """How likely it rejects where the population's share is θ, to full relative accuracy; θ is in [0, 1]."""
        return self._chance(share, False)

    def misses(self, share: npt.ArrayLike) -> float | Array:
        """1 less that, to full relative accuracy for one-sided tests; θ is in [0, 1], of any shape."""
        return self._chance(share, True)

    def _chance(self, share: npt.ArrayLike, miss: bool) -> float | Array:
        given = numbers_in(share, TRUE_SHARE, "share")
        p = given.reshape(-1)
        n, q = np.full(p.shape, float(self._people)), 1 - p
        if (tails := self._tails) is not None:
            found = tails.mean(n, p, q)
            return shaped((1 - found if miss else found).reshape(given.shape))
        c, t = self._place
        p, q = (q, p) if self._is_less else (p, q)
        if miss:  # as much as a rise of those without
            p, q, c, t = q, p, self._people - c, 1 - t
        found = self.rise.mean(n, p, q, np.full(p.shape, c), np.full(p.shape, t))
        return shaped(np.minimum(found, 1.0).reshape(given.shape))


@dataclass(frozen=True)
class ShareTest(OfShare):
    """The most powerful (ε, δ)-DP test of the share of n people, who are replaced and not added.

    Against greater shares φ(x) = F(x − m) with canonical noise of cdf F, of size α; against lesser ones the same of
    those without; "two" is the most powerful of all unbiased ones, F(x − k − s) for x ≥ k, else F(k − s − x); "equal"
    has both one-sided ones at α/2. [Awan & Slavković 2018, Theorems 4.1 and 5.2.]
    """

    n: int = parameter(PEOPLE)
    share: float = parameter(SHARE_TESTED)
    epsilon: float = parameter(EPSILON_OR_ZERO)
    delta: float = parameter(DELTA, 0.0)
    level: float = parameter(LEVEL_OF_TEST, 0.05)
    side: str = parameter(SIDE, "greater")

    def __post_init__(self) -> None:
        super().__post_init__()
        self.noise  # noqa: B018 - refuses ε = δ = 0

    @classmethod
    def gaussian(cls, n: int, share: float, mu: float, level: float = 0.05, side: str = "greater") -> GaussianShareTest:
        """The most powerful μ-GDP test."""
        return GaussianShareTest(n, share, mu, level, side)

    @cached_property
    def noise(self) -> CanonicalNoise:
        """What X + noise is made with."""
        return CanonicalNoise(self.epsilon, self.delta)

    @cached_property
    def rise(self) -> Rise:
        return CanonicalRise(self.noise)

    @property
    def _asked(self) -> tuple[int, float, float, str]:
        return self.n, self.share, self.level, self.side

    @property
    def anchor(self) -> tuple[int, float] | None:
        """The smallest x ≥ 0 with φ(x) ≥ ½, perhaps above n, and φ there: of “no” against lesser shares.

        None of a two-sided test, which is not one decision.
        """
        return None if self._anchor is None else self._anchor[:2]

    @cached_property
    def _anchor(self) -> tuple[int, float, float] | None:
        """Both, and 1 − φ."""
        if self._tails is not None:
            return None
        c, t = self._place
        minimum = max(c + (t < 0.5), 0.0)
        if minimum > EXACT_INTEGERS:
            raise InvalidParameter("epsilon", "large enough for a threshold within 2⁵³ people", self.epsilon)
        at = np.array(minimum)
        return int(minimum), float(self.rise.at(at, c, t)), float(self.rise.at(self.n - at, self.n - c, 1 - t))

    @property
    def decision(self) -> GeneralizedDecision | None:
        """The steepest decision that the test is: "accept" is to reject; None of a two-sided test."""
        if self._anchor is None:
            return None
        minimum, target, complement = self._anchor
        return GeneralizedDecision(self.epsilon, self.delta, minimum, target, complement)


@dataclass(frozen=True)
class GaussianShareTest(OfShare):
    """The most powerful μ-GDP test: φ(x) = Φ(μ (x − m)). Two-sided ones have two such rises."""

    n: int = parameter(PEOPLE)
    share: float = parameter(SHARE_TESTED)
    mu: float = parameter(MU)
    level: float = parameter(LEVEL_OF_TEST, 0.05)
    side: str = parameter(SIDE, "greater", domain=Choice(("greater", "less", "equal")))

    @cached_property
    def rise(self) -> Rise:
        return NormalRise(self.mu)

    @property
    def _asked(self) -> tuple[int, float, float, str]:
        return self.n, self.share, self.level, self.side

    @property
    def anchor(self) -> tuple[int, float] | None:
        """The smallest x ≥ 0 with φ(x) ≥ ½, perhaps above n, and φ there; None of a two-sided test."""
        one = self.decision
        return None if one is None else (one.minimum, one.target)

    @property
    def decision(self) -> GaussianDecision | None:
        """The steepest decision that the test is; None of a two-sided test."""
        if self._tails is not None:
            return None
        c, t = self._place
        at = np.array(max(c + (t < 0.5), 0.0))
        complement = float(self.rise.at(self.n - at, self.n - c, 1 - t))
        return GaussianDecision(self.mu, int(at), float(self.rise.at(at, c, t)), complement)


@dataclass(frozen=True)
class PlainTest(OfShare):
    """The most powerful test without privacy: it rejects from a count on, and at one count with a probability.

    [Lehmann & Romano 2005, Corollary 3.4.1; two-sided section 4.2.]
    """

    n: int = parameter(PEOPLE)
    share: float = parameter(SHARE_TESTED)
    level: float = parameter(LEVEL_OF_TEST, 0.05)
    side: str = parameter(SIDE, "greater")

    @cached_property
    def rise(self) -> Rise:
        return CanonicalRise(CanonicalNoise(_WITHOUT))

    @property
    def _asked(self) -> tuple[int, float, float, str]:
        return self.n, self.share, self.level, self.side
