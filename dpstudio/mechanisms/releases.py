"""Laws of several releases about the same person: the worst that their guarantees allow, and what is known exactly."""

from __future__ import annotations

import math
import sys
from functools import partial

import numpy as np
import numpy.typing as npt

from dpstudio import vocabulary as v
from dpstudio.core import law as core
from dpstudio.core.arrays import numbers_in, parameter_value, shaped
from dpstudio.core.declare import Array, InvalidParameter, parameter
from dpstudio.core.guarantee import Guarantee
from dpstudio.core.law import LARGEST, Law
from dpstudio.core.results import Kind
from dpstudio.core.sources import KOV15
from dpstudio.mechanisms import losses
from dpstudio.mechanisms.claims import Claim
from dpstudio.mechanisms.laws import ByProfile, Tightest, epsilon_at, or_told, unless_told
from dpstudio.mechanisms.mechanism import Mechanism
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.records import cached_property, dataclass

_ROUNDING = 1e-12
_FEW = 1024
"""So many releases together are known exactly at most, and so many losses of them."""
_MOST = 2**18
_SHARES = (0.0, 1e-9, 1e-5)
"""What all releases may need of δ in sum, beside what each of them always needs, where an ε′ is tried."""
_PARTS = (0.1, 1.0)
"""Which part of its δ(0) one of them may need, where others are."""


@dataclass(frozen=True)
class WorstReleases(Mechanism):
    """The k of all (ε, δ)-DP releases that give away the most: responses of which each, with probability δ, tells all.

    [Kairouz, Oh & Viswanath 2015, section 3.]
    """

    name = "any (ε, δ) mechanism"
    source = KOV15

    epsilon: float = parameter(v.EPSILON_OR_ZERO)
    delta: float = parameter(v.DELTA)
    k: int = parameter(v.RELEASES, 1)

    both_ways = True

    @property
    def largest_loss(self) -> float:
        """kε; ∞ where δ > 0."""
        return math.inf if self.delta else self.k * self.epsilon

    def after(self, k: int) -> WorstReleases:
        """So many times as many of them."""
        return WorstReleases(self.epsilon, self.delta, self.k * int(parameter_value(v.RELEASES, k, "k")))

    def grouped(self, size: int) -> Law | None:
        """Of one release what (ε, δ) leaves of so many records; of several no closed form is known."""
        return Claim(self.epsilon, self.delta).grouped(size) if self.k == 1 else None

    @property
    def _log_silent(self) -> float:
        """ln of the probability that none tells all."""
        return self.k * math.log1p(-self.delta) if self.delta < 1 else -math.inf

    def delta_at(self, epsilon: npt.ArrayLike) -> float | Array:
        """1 − (1 − δ)^k (1 − δ of k responses), exactly; ε is in [0, ∞), of any shape."""
        one = RandomizedResponse.symmetric(self.epsilon)
        together = np.asarray(one.delta_after(self.k, epsilon) if self.k > 1 else one.delta_at(epsilon))
        return shaped(math.exp(self._log_silent) * together - math.expm1(self._log_silent))

    def epsilon_at(self, delta: float) -> float:
        """The smallest ε at which δ in [0, 1] is enough; ∞ where there is none. The δ's own rounding is forgiven."""
        allowed = parameter_value(v.DELTA, delta)
        if allowed == 1:
            return 0.0
        rest = -math.expm1(math.log1p(-allowed) - self._log_silent)
        if rest < 0 and allowed * (1 + _ROUNDING) < -math.expm1(self._log_silent):
            return math.inf
        together = RandomizedResponse.symmetric(self.epsilon)
        return float(together.epsilon_after(self.k, max(rest, 0.0))) * (1 + 4 * sys.float_info.epsilon)

    def loss_exceeds(self, epsilon: float) -> float:
        """A bound on the probability that the loss of k (ε, δ)-DP releases exceeds an ε in [0, ∞), whatever they are.

        It is the largest probability of an event that is e^ε times as likely with a record as without, and more than δ.
        """
        at = parameter_value(v.EPSILON_PRIME, epsilon, "epsilon")
        one, silent = RandomizedResponse.symmetric(self.epsilon), math.exp(self._log_silent)
        law = losses.repeated(float(self.k), one.yes_if_yes, one.no_if_yes, self.epsilon, self.epsilon)
        tells = law.infinite * silent - math.expm1(self._log_silent)
        return losses.Losses(law.values, law.masses * silent, tells, law.missed).most_beyond(at)

    def trade_off(self, alpha: npt.ArrayLike) -> float | Array:
        """(1 − δ)^k T(α/(1 − δ)^k) with T that of k responses, and 0 beyond; α is in [0, 1], of any shape."""
        one = RandomizedResponse.symmetric(self.epsilon)
        return unless_told(math.exp(self._log_silent),
                           partial(one.trade_off_after, self.k) if self.k > 1 else one.trade_off, alpha)

    def power(self, alpha: npt.ArrayLike) -> float | Array:
        """1 less that, to full relative accuracy."""
        one = RandomizedResponse.symmetric(self.epsilon)
        return or_told(-math.expm1(self._log_silent), math.exp(self._log_silent),
                       partial(one.power_after, self.k) if self.k > 1 else one.power, alpha)


def responses(epsilons: npt.ArrayLike, epsilon: npt.ArrayLike) -> float | Array:
    """δ(ε) of unlike randomized responses together, exactly: the most that any ε₁-, ε₂-, …-DP releases need.

    Every sum of losses counts. There may be thousands of steps where they are multiples of one decimal, such as 0.01,
    and otherwise about forty.
    ε is in [0, ∞), of any shape. [Murtagh & Vadhan 2016, Theorem 1.5.]
    """
    steps, e = numbers_in(epsilons, v.EPSILON_OR_ZERO, "epsilons"), numbers_in(epsilon, v.EPSILON_PRIME, "epsilon")
    return shaped(_between(losses.responses(steps), epsilons, e))


def _between(pair: tuple[losses.Losses, losses.Losses] | None, epsilons: npt.ArrayLike, at: Array) -> Array:
    if pair is None:
        raise InvalidParameter("epsilons", "about 40 values at most, or multiples of one unit", epsilons)
    return losses.delta_of_sum(*pair, at)


@dataclass(frozen=True)
class Together:
    """Releases together, each with a probability of telling all and else ε-DP: unlike randomized responses at worst.

    δ(x) = 1 − Π(1 − δᵢ)(1 − δ of the responses at x), exactly the most that such releases need. [Murtagh & Vadhan 2016,
    Theorem 1.5.]
    """

    epsilons: tuple[float, ...]
    delta: float = 0.0
    """The probability that any of them tells all."""

    both_ways = True

    @property
    def largest_loss(self) -> float:
        """The sum of all ε; ∞ where δ > 0."""
        return math.inf if self.delta else math.fsum(self.epsilons)

    def after(self, k: int) -> Together | None:
        """All of them so often, where they are few enough to be known exactly."""
        times = int(parameter_value(v.RELEASES, k, "k"))
        if len(self.epsilons) * times > _FEW or losses.responses(np.array(self.epsilons * times)) is None:
            return None
        return Together(self.epsilons * times, -math.expm1(times * math.log1p(-self.delta)) if self.delta < 1 else 1.0)

    def delta_at(self, epsilon: npt.ArrayLike) -> float | Array:
        """δ(ε); ε is in [0, ∞), of any shape."""
        at, total = numbers_in(epsilon, v.EPSILON_PRIME, "epsilon"), math.fsum(self.epsilons)
        between = np.where(at < total, _between(self._pair, self.epsilons, np.minimum(at, total)), 0.0)
        return shaped(self.delta + (1 - self.delta) * between)

    def trade_off(self, alpha: npt.ArrayLike) -> float | Array:
        """T(α), exactly where the losses of all are not too many, else a bound by the profile; of any shape."""
        if self._losses is None:
            return ByProfile(self, math.fsum(self.epsilons)).trade_off(alpha)
        return unless_told(1 - self.delta, self._losses.trade_off, alpha)

    def power(self, alpha: npt.ArrayLike) -> float | Array:
        """1 less that, to full relative accuracy where it is exact."""
        if self._losses is None:
            return ByProfile(self, math.fsum(self.epsilons)).power(alpha)
        return or_told(self.delta, 1 - self.delta, self._losses.power, alpha)

    @cached_property
    def _pair(self) -> tuple[losses.Losses, losses.Losses] | None:
        """The laws of the sums of two halves of all losses, worked out once; None where they have too many values."""
        return losses.responses(numbers_in(self.epsilons, v.EPSILON_OR_ZERO, "epsilons"))

    @cached_property
    def _losses(self) -> losses.Losses | None:
        """The law of the sum of all losses, where it has not too many values."""
        pair = self._pair
        if pair is None or pair[0].values.size * pair[1].values.size > _MOST:
            return None
        return pair[0].and_then(pair[1])


def repeated(law: Law, k: int) -> tuple[Law, Kind]:
    """The law of k releases about the same person, each of which has this law, and whether it is exact or a bound.

    Where no closed form is known each is (ε′, δ(ε′))-DP for every ε′ of its profile: of some the k worst such releases
    are taken, and at each place the nearest holds.
    """
    times = int(parameter_value(v.RELEASES, k, "k"))
    if isinstance(law, Guarantee):
        law = law.law
    closed = _worst(law, times) if isinstance(law, Claim) else core.after(law, times)
    if closed is not None:
        return closed, "exact"
    if isinstance(law, Tightest):
        return Tightest(tuple(repeated(one, times)[0] for one in law.laws)), "bound"
    most, last = (float(law.delta_at(at)) for at in (0.0, LARGEST))
    allowed = [last + share / times for share in _SHARES] + [last + part * (most - last) for part in _PARTS]
    places = {core.largest_loss(law)} | {epsilon_at(law, min(delta, 1.0)) for delta in allowed}
    claims = [Claim(at, float(law.delta_at(at))) for at in sorted(places) if at < math.inf]
    return Tightest(tuple(_worst(claim, times) for claim in claims) or (Claim(math.inf, 0.0),)), "bound"


def _worst(claim: Claim, k: int) -> Law:
    """The k of all releases that keep a claim which give away the most."""
    return claim if k == 1 or claim.epsilon == math.inf else WorstReleases(claim.epsilon, claim.delta, k)
