"""How often an interval that takes a noisy count at its word holds the rate, exactly, averaged over the prior.

The clamped method's upper end u(c) rises with c, so the rate lies above it where c stays below u⁻¹(θ). With θ = u(c),

    Pr[θ above its interval] = ∫₀ⁿ Pr[K + noise ≤ c | θ = u(c)] dP(u(c)) + Pr[θ > u(n)],

P the prior's distribution function; the naive method's u(c) goes from 0 to 1 as c does from −a to n + b, and counts
further out, without an interval, miss as well. Below the interval the same holds with yes and no exchanged. The
probability inside has no sum (see `likelihood`). It is smooth within a cell [m, m + 1] of c and from cell to cell:
Gauss–Legendre nodes serve the first, and blocks of cells (see `blocks`) are summed by Gauss's rule for whole numbers
(discrete Chebyshev polynomials).
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from scipy.special import betainc, betaln

from dpstudio.models.beta_bernoulli.aware import NoiseAware
from dpstudio.models.beta_bernoulli.blocks import CountBlock, cdf, fitted, logit_ends
from dpstudio.models.beta_bernoulli.likelihood import Rates, log_below
from dpstudio.records import dataclass

_SMALLEST = 1e-290
_MANY = 16
"""Cells of a block, of each of which a rate says little that the next does not."""

def clamped_coverage(a: float, b: float, n: int, level: float, epsilon: float, noise: str) -> float:
    """The probability that the clamped method's central interval holds θ, K ~ Bin(n, θ), θ ~ Beta(a, b).

    Absolute error below 1e-8 over the domains of the posterior study, mostly below 1e-11. `level` is the interval's
    nominal probability, `noise` "laplace" or "geometric".
    """
    tail = (1 - level) / 2
    return 1 - sum(_missed(*prior, n, tail, False, epsilon, noise) + _above(*prior, n, tail, False).higher
                   for prior in ((a, b), (b, a)))


def naive_coverage(a: float, b: float, n: int, level: float, epsilon: float, noise: str) -> float:
    """The same of the naive method's interval; a count that leaves no naive posterior holds nothing."""
    tail = (1 - level) / 2
    return 1 - sum(_missed(*prior, n, tail, outside, epsilon, noise)
                   for prior in ((a, b), (b, a)) for outside in (False, True))


@lru_cache(maxsize=64)
def _missed(a: float, b: float, n: int, tail: float, outside: bool, epsilon: float, noise: str) -> float:
    return _above(a, b, n, tail, outside).missed(epsilon, noise)


@lru_cache(maxsize=8)
def _above(a: float, b: float, n: int, tail: float, outside: bool) -> _Above:
    return _Above.placed(a, b, n, tail, outside)


@dataclass(frozen=True, slots=True)
class _Above:
    """The rates above the interval, for any noise: where u(c) is for c in [0, n], or where it is for c outside."""

    n: int
    blocks: tuple[CountBlock, ...]
    higher: float
    """Pr[θ > u(n)] of the clamped method, for which no released count is large enough."""

    @classmethod
    def placed(cls, a: float, b: float, n: int, tail: float, outside: bool) -> _Above:
        last = logit_ends(a, b, n, tail, np.array([float(n)]), np.zeros(1))
        return cls(n, fitted(a, b, n, tail, outside), float(cdf(b, a, -last)[0]))

    def missed(self, epsilon: float, noise: str) -> float:
        """Pr[θ above its interval] with θ = u(c) for such a c."""
        m, t, logits, weights = (np.concatenate(each) for each in
                                 zip(*(block.nodes(self._parts(block, epsilon)) for block in self.blocks), strict=True))
        with np.errstate(over="ignore"):
            rates = Rates(*(np.maximum(1 / (1 + np.exp(sign * logits)), _SMALLEST) for sign in (-1, 1)))
        n = float(self.n)
        geometric = noise == "geometric"
        lower = np.exp(log_below(rates, n, m, np.zeros_like(t) if geometric else t, epsilon))
        upper = np.exp(log_below(rates.mirrored, n, n - m - 1, np.ones_like(t) if geometric else 1 - t, epsilon))
        fall = math.exp(-epsilon)
        own, other = (fall / (1 + fall), 1 / (1 + fall)) if geometric else (0.5, 0.5)
        inside = (m >= 0) & (m < n)
        at_most = np.where(m < 0, 0.0, 1.0)
        at_most[inside] = betainc(n - m[inside], m[inside] + 1, rates.phi[inside])
        at_most += other * upper - own * lower
        return float(np.sum(weights * at_most))

    def _parts(self, block: CountBlock, epsilon: float) -> int:
        """Nodes of each cell: noise narrower than a cell takes more; amid many cells one matters less."""
        amid = block.cells > _MANY
        if epsilon < 0.5:
            return 4 if amid else 8
        return 8 if epsilon < 4 else 16


@lru_cache(maxsize=256)
def unusable_share(a: float, b: float, n: int, epsilon: float, noise: str) -> float:
    """The probability that a + c ≤ 0 or b + n − c ≤ 0, averaged over θ ~ Beta(a, b) and K ~ Bin(n, θ).

    ½ e^(−εa) E[e^(−εK)] and the same with yes and no exchanged; E[e^(−εK)] is the total mass of the posterior at c = 0.
    For geometric noise e^(−ε⌈a⌉)/(1 + e^−ε).
    """
    found = NoiseAware(a, b, n, np.array([0.0, n]), epsilon)
    means = np.exp(found.reference + np.log(found.total) - betaln(a, b))
    far = np.ceil([a, b]) if noise == "geometric" else np.array([a, b])
    share = 1 / (1 + math.exp(-epsilon)) if noise == "geometric" else 0.5
    return min(float((share * np.exp(-epsilon * far) * means).sum()), 1.0)
