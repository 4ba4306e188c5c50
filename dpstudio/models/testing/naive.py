"""A noisy count that is tested as if it were exact: how often that errs, and what it is worth at the right level."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dpstudio.core.arrays import numbers_in, shaped
from dpstudio.core.declare import Array, Declared, parameter
from dpstudio.mechanisms.noise import CanonicalNoise
from dpstudio.models.testing.rises import CanonicalRise, LaplaceRise, Rise
from dpstudio.models.testing.shares import LEVEL_OF_TEST, PEOPLE, SHARE_TESTED, SIDE, TRUE_SHARE, PlainTest
from dpstudio.records import cached_property, dataclass
from dpstudio.vocabulary import EPSILON, Choice, Quantity, Switch

NOISE_OF_TEST = Quantity("noise", "noise", "noise of the count", "What is added to the count.",
                         Choice(("geometric", "laplace")))
CORRECTED = Quantity("corrected", "corrected", "critical value corrected", "Whether the test knows of the noise.",
                     Switch())


@dataclass(frozen=True)
class NaiveTest(Declared):
    """A test that rejects from a critical value of the noisy count on, Laplace noise being rounded to whole numbers.

    It takes the count, moved to the nearest in [0, n], for the exact one, and its critical value from the binomial law:
    the smallest c with Pr[X ≥ c] ≤ α, without a coin. `corrected`, it has the smallest with Pr[X + N ≥ c] ≤ α, and
    moves nothing.
    """

    n: int = parameter(PEOPLE)
    share: float = parameter(SHARE_TESTED)
    epsilon: float = parameter(EPSILON)
    level: float = parameter(LEVEL_OF_TEST, 0.05)
    side: str = parameter(SIDE, "greater", domain=Choice(("greater", "less")))
    noise: str = parameter(NOISE_OF_TEST, "geometric")
    corrected: bool = parameter(CORRECTED, False)

    @cached_property
    def critical(self) -> int:
        """The critical value: from it on, or where lesser shares are to be noticed down to it, the test rejects.

        n + 1, or −1, where it never does.
        """
        c = self._critical
        return self.n - c if self.side == "less" else c

    @cached_property
    def _critical(self) -> int:
        """That of those who have it, or of those who have not."""
        p, q = self._turned(self.share, 1 - self.share)
        rise = rise_of(self.noise, self.epsilon) if self.corrected else PlainTest(1, 0.5).rise
        n, p_one, q_one = (np.array([float(each)]) for each in (self.n, p, q))
        return int(critical_values(rise, n, p_one, q_one, self.level)[0])

    def _turned(self, p: float, q: float) -> tuple[float, float]:
        return (q, p) if self.side == "less" else (p, q)

    @property
    def size(self) -> float:
        """How likely it rejects what is true."""
        return float(self.power(self.share))

    def power(self, share: npt.ArrayLike) -> float | Array:
        """How likely it rejects where the population's share is θ, to full relative accuracy; θ is in [0, 1]."""
        given = numbers_in(share, TRUE_SHARE, "share")
        p = given.reshape(-1)
        p, q = (1 - p, p) if self.side == "less" else (p, 1 - p)
        if not self.corrected and self._critical > self.n:
            return shaped(np.zeros(given.shape))
        c = np.full(p.shape, float(self._critical))
        found = rise_of(self.noise, self.epsilon).mean(np.full(p.shape, float(self.n)), p, q, c, np.ones(p.shape))
        return shaped(np.minimum(found, 1.0).reshape(given.shape))


def rise_of(noise: str, epsilon: float) -> Rise:
    """The rise of noise whose sum with a count, rounded, is at least c: at c and t = 1, c − ½."""
    return LaplaceRise(epsilon) if noise == "laplace" else CanonicalRise(CanonicalNoise(epsilon))


def critical_values(rise: Rise, n: Array, p: Array, q: Array, level: float) -> Array:
    """The smallest whole c with E F(X − c + ½) ≤ level, for vectors."""
    c, t = rise.place(n, p, q, np.full(n.shape, level))
    c = c + (t < 1)
    one = np.ones(n.shape)
    # Next to a whole number its own size decides.
    c = c - (rise.mean(n, p, q, c - 1, one) <= level)
    return np.asarray(c + (rise.mean(n, p, q, c, one) > level))
