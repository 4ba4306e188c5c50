"""Randomized response: a person's yes or no, answered with deliberate chance."""

from __future__ import annotations

import math
import sys
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dpstudio import vocabulary as v
from dpstudio.core.arrays import numbers_in, parameter_value, shaped
from dpstudio.core.declare import Array, InvalidParameter, counts, parameter
from dpstudio.core.law import Law
from dpstudio.core.sampling import drawn_yes
from dpstudio.core.sources import KOV16
from dpstudio.core.special import less_product
from dpstudio.mechanisms.losses import Losses, least_missed, most_found, repeated
from dpstudio.mechanisms.mechanism import Mechanism
from dpstudio.records import cached_property, dataclass

_FULL = 1e-290
"""Doubles above this have all their digits, and so has what is computed from them."""


@dataclass(frozen=True, slots=True)
class _Exact:
    """A response with what must not be found by subtraction from its two probabilities."""

    yes_if_yes: float
    yes_if_no: float
    no_if_yes: float
    no_if_no: float
    difference: float
    """yes_if_yes − yes_if_no."""
    loss_yes: float
    """ln of yes_if_yes/yes_if_no."""
    loss_no: float
    """ln of no_if_no/no_if_yes."""
    pivot: float
    """A rate of “yes” answers that is known exactly, and the fraction of yes that it estimates."""
    at_pivot: float


@dataclass(frozen=True, slots=True)
class _Sign:
    """The answer that speaks for a truth "yes"."""

    found: float
    """Its probability where the truth is yes, and where it is no."""
    wrong: float
    missed: float
    right: float
    gain: float
    """ln of found/wrong, and of right/missed."""
    drop: float

    def mirrored(self) -> _Sign:
        """The answer that speaks for a truth "no"."""
        return _Sign(self.right, self.missed, self.wrong, self.found, self.drop, self.gain)

    def missed_at(self, alpha: Array) -> Array:
        """The smallest type II error at each type I error of a test that looks for this truth."""
        found = least_missed(alpha, alpha < self.wrong, self.wrong, self.right, self.found, self.missed)
        return np.minimum(found, 1.0)  # found + missed may be 1 + 2e-16

    def found_at(self, alpha: Array) -> Array:
        """1 less that."""
        found = most_found(alpha, alpha < self.wrong, self.wrong, self.right, self.found, self.missed)
        return np.minimum(found, 1.0)


@dataclass(frozen=True)
class RandomizedResponse(Mechanism):
    """The answer is "yes" with probability `yes_if_yes` where the truth is yes, and `yes_if_no` where it is no.

    ε = max |ln of yes_if_yes/yes_if_no|, |ln of no_if_no/no_if_yes|. Two numbers know only so much of a response that
    nearly always or hardly ever tells the truth; one made by `symmetric` or `two_coin` knows its complements,
    difference and losses from its ε or its coins. [Warner 1965; Kasiviswanathan et al. 2011.]
    """

    name = "randomized response"
    source = KOV16

    yes_if_yes: float = parameter(v.YES_IF_YES)
    yes_if_no: float = parameter(v.YES_IF_NO)

    def __post_init__(self) -> None:
        super().__post_init__()
        exact = self._exact
        for name in ("yes_if_yes", "yes_if_no"):
            by = ", ".join(f"{key} = {value!r}" for key, value in self.values().items() if not hasattr(exact, key))
            self.require_nearest(name, getattr(exact, name), f"as {by} makes it")

    @classmethod
    def symmetric(cls, epsilon: float) -> RandomizedResponse:
        """The truth with probability e^ε/(1 + e^ε), the best of all ε-DP responses; ε in [0, ∞].

        [Kairouz, Oh & Viswanath 2016, Theorem 3; Introduction to privacy in AI/ML, "randomized response".]
        """
        if not (isinstance(epsilon, float) and epsilon == math.inf):
            accepted = v.EPSILON_OR_ZERO.domain.accept(epsilon)
            if accepted is None:
                raise InvalidParameter("epsilon", "in [0, ∞]", epsilon)
            epsilon = float(accepted)
        if epsilon == math.inf:
            return cls(1.0, 0.0)
        exact = _of_loss(epsilon)
        return SymmetricResponse(exact.yes_if_yes, exact.yes_if_no, epsilon)

    @classmethod
    def two_coin(cls, theta1: float, theta2: float) -> RandomizedResponse:
        """The truth with probability θ₁, else "yes" with probability θ₂. [Differential Privacy, notes, "Randomized
        response".]"""
        exact = _of_coins(parameter_value(v.THETA1, theta1), parameter_value(v.THETA2, theta2))
        return CoinResponse(exact.yes_if_yes, exact.yes_if_no, theta1, theta2)

    @classmethod
    def warner(cls) -> RandomizedResponse:
        """Two fair coins: ε = ln 3. [Theoretical background on Differential Privacy, example "Randomised response".]"""
        return cls.two_coin(0.5, 0.5)

    @cached_property
    def _exact(self) -> _Exact:
        yes, no, difference = self.yes_if_yes, self.yes_if_no, self.yes_if_yes - self.yes_if_no
        return _Exact(yes, no, 1 - yes, 1 - no, difference, _log_ratio(yes, no, difference),
                      _log_ratio(1 - no, 1 - yes, difference), no, 0.0)

    @property
    def loss_yes(self) -> float:
        """ln of yes_if_yes/yes_if_no, the privacy loss of “yes”."""
        return self._exact.loss_yes

    @property
    def loss_no(self) -> float:
        """ln of no_if_no/no_if_yes, the privacy loss of “no”."""
        return self._exact.loss_no

    @property
    def no_if_yes(self) -> float:
        """Pr["no" | yes], to full relative accuracy."""
        return self._exact.no_if_yes

    @property
    def no_if_no(self) -> float:
        """Pr["no" | no], to full relative accuracy."""
        return self._exact.no_if_no

    @property
    def difference(self) -> float:
        """yes_if_yes − yes_if_no, to full relative accuracy: what an answer has to say."""
        return self._exact.difference

    @property
    def epsilon(self) -> float:
        """The smallest ε with which one answer is ε-DP, ∞ where an answer can prove the truth."""
        return max(abs(self._exact.loss_yes), abs(self._exact.loss_no))

    def delta_at(self, epsilon: npt.ArrayLike) -> float | Array:
        """The smallest δ with which one answer is (ε, δ)-DP, exactly 0.0 where it is 0; ε in [0, ∞), of any shape.

        The largest of P − e^ε Q over both answers and both directions. [Balle & Wang 2018, Theorem 5.]
        """
        e, exact = numbers_in(epsilon, v.EPSILON_PRIME, "epsilon"), self._exact
        delta = np.zeros(e.shape)
        for probability, loss in ((self.yes_if_yes, exact.loss_yes), (exact.no_if_no, exact.loss_no),
                                  (self.yes_if_no, -exact.loss_yes), (exact.no_if_yes, -exact.loss_no)):
            delta = np.maximum(delta, -probability * np.expm1(np.minimum(e - loss, 0.0)))
        return shaped(delta + 0.0)  # no negative zero

    def trade_off(self, alpha: npt.ArrayLike) -> float | Array:
        """The smallest type II error at type I error α of any test of the truth by one answer.

        The lower of two broken lines through (0, 1) and (1, 0): a test that looks for a truth "yes" by way of
        (yes_if_no, no_if_yes), one that looks for a "no" by way of (no_if_yes, yes_if_no); through
        (no_if_no, yes_if_yes) and back where "no" speaks for yes. It is its own inverse, and max 1 − T(α) − e^ε α is
        δ(ε). α is in [0, 1], of any shape. [Dong, Roth & Su 2022, Definition 2.]
        """
        a = numbers_in(alpha, v.TYPE_I, "alpha")
        return shaped(np.minimum.reduce([sign.missed_at(a) for sign in (self._sign, self._sign.mirrored())]))

    def power(self, alpha: npt.ArrayLike) -> float | Array:
        """1 less that, to full relative accuracy; α is in [0, 1], of any shape."""
        a = numbers_in(alpha, v.TYPE_I, "alpha")
        return shaped(np.maximum.reduce([sign.found_at(a) for sign in (self._sign, self._sign.mirrored())]))

    @property
    def both_ways(self) -> bool:
        """Whether both answers tell as much."""
        return self._sign == self._sign.mirrored()

    @property
    def largest_loss(self) -> float:
        """ε."""
        return self.epsilon

    def after(self, k: int) -> Law:
        """k answers of one person."""
        times = int(parameter_value(v.RELEASES, k, "k"))
        return self if times == 1 else RepeatedResponse(self, times)

    def grouped(self, size: int) -> Law | None:
        """As many answers, where both tell as much, so that it is all one which of them change how."""
        return self.after(size) if self.both_ways else None

    def answer_probability(self, prior: npt.ArrayLike) -> float | Array:
        """Pr["yes"] where the truth is yes with probability `prior`, in [0, 1], of any shape."""
        return shaped(self._yes(numbers_in(prior, v.PREVALENCE, "prior")))

    def posterior(self, prior: npt.ArrayLike, answer: bool | npt.NDArray[np.bool_]) -> float | Array:
        """Pr[the truth is yes | answer] by Bayes' rule, True being "yes"; an impossible answer is refused.

        Its odds are the prior's, times a factor between e^−ε and e^ε. `prior` is in [0, 1]; both are of any shape.
        """
        p, said = np.broadcast_arrays(numbers_in(prior, v.PREVALENCE, "prior"), np.asarray(answer))
        if said.dtype != np.bool_:
            raise InvalidParameter("answer", "True or False", answer)
        yes = p * np.where(said, self.yes_if_yes, self._exact.no_if_yes)
        both = yes + (1 - p) * np.where(said, self.yes_if_no, self._exact.no_if_no)
        if (both == 0).any():
            raise InvalidParameter("answer", "possible under the prior", bool(said[both == 0].flat[0]))
        return shaped(np.asarray(yes / both))

    def estimate(self, yes_count: npt.ArrayLike, n: npt.ArrayLike) -> float | Array:
        """The unbiased estimate of the fraction of yes from c answers "yes".

        (c/n − yes_if_no)/(yes_if_yes − yes_if_no), in the form that keeps its digits. It is not clipped, and may lie
        outside [0, 1]; `yes_count` is whole, in [0, n]. [Introduction to privacy in AI/ML, "debiasing".]
        """
        c, people = self._counts(yes_count, n)
        with np.errstate(over="ignore"):  # of answers that say next to nothing
            return shaped(self._exact.at_pivot
                          + less_product(c, people, self._exact.pivot) / (people * self._exact.difference))

    def estimator_sd(self, fraction: npt.ArrayLike, n: npt.ArrayLike) -> float | Array:
        """The standard deviation of the estimate from n people, each of whom is a yes with probability `fraction`.

        √(λ (1 − λ)/n)/|yes_if_yes − yes_if_no|, λ = Pr["yes"].
        """
        p, people = numbers_in(fraction, v.YES_FRACTION, "fraction"), numbers_in(n, v.PEOPLE, "n")
        self._require_information()
        with np.errstate(over="ignore"):
            return shaped(np.sqrt(self._yes(p) * self._no(p) / people) / abs(self._exact.difference))

    def estimator_sd_given(self, yes_count: npt.ArrayLike, n: npt.ArrayLike) -> float | Array:
        """The standard deviation of the estimate from a fixed group of n people, `yes_count` of whom are a yes.

        Only the coins vary: √(k a (1 − a) + (n − k) b (1 − b))/(n |a − b|), a = yes_if_yes and b = yes_if_no.
        """
        k, people = self._counts(yes_count, n)
        of_yes, of_no = self.yes_if_yes * self._exact.no_if_yes, self.yes_if_no * self._exact.no_if_no
        with np.errstate(over="ignore"):
            return shaped(np.sqrt(k * of_yes + (people - k) * of_no) / people / abs(self._exact.difference))

    def delta_after(self, k: npt.ArrayLike, epsilon: npt.ArrayLike) -> float | Array:
        """The smallest δ with which k answers of a person to the same question are together (ε, δ)-DP, exactly.

        ε is in [0, ∞), k whole and ≥ 1, of any shapes. [Kairouz, Oh & Viswanath 2015, section 3.3.]
        """
        e, times = np.broadcast_arrays(numbers_in(epsilon, v.EPSILON_PRIME, "epsilon"), numbers_in(k, v.RELEASES, "k"))
        delta = np.zeros(e.shape)
        for one in set(times.flat):
            same = times == one
            delta[same] = np.max([law.delta(e[same]) for law in _losses(self._sign, float(one))], axis=0)
        return shaped(delta)

    def epsilon_after(self, k: npt.ArrayLike, delta: npt.ArrayLike) -> float | Array:
        """The smallest ε with which k answers of a person to the same question are together (ε, δ)-DP, exactly.

        δ is in [0, 1], k whole and ≥ 1, of any shapes; k times the ε of one answer at δ = 0, and ∞ where no ε will do.
        [Kairouz, Oh & Viswanath 2015, section 3.3.]
        """
        d, times = np.broadcast_arrays(numbers_in(delta, v.DELTA, "delta"), numbers_in(k, v.RELEASES, "k"))
        epsilon = np.where(d == 0, times * self.epsilon, 0.0)
        for one in set(times.flat):
            same = (times == one) & (d > 0)
            epsilon[same] = np.max([law.epsilon(d[same]) for law in _losses(self._sign, float(one))], axis=0)
        return shaped(epsilon)

    def trade_off_after(self, k: float, alpha: npt.ArrayLike) -> float | Array:
        """`trade_off` of k answers of a person to the same question together; k whole and ≥ 1, α of any shape."""
        a, times = numbers_in(alpha, v.TYPE_I, "alpha"), parameter_value(v.RELEASES, k, "k")
        return shaped(np.min([law.trade_off(a) for law in _losses(self._sign, times)], axis=0))

    def power_after(self, k: float, alpha: npt.ArrayLike) -> float | Array:
        """1 less that, to full relative accuracy."""
        a, times = numbers_in(alpha, v.TYPE_I, "alpha"), parameter_value(v.RELEASES, k, "k")
        return shaped(np.max([law.power(a) for law in _losses(self._sign, times)], axis=0))

    def sample(
        self, truth: bool | npt.NDArray[np.bool_], size: int | tuple[int, ...] | None, rng: np.random.Generator
    ) -> npt.NDArray[np.bool_]:
        """Answers to `truth`, booleans of shape `size`, from 53 random bits each."""
        said = np.asarray(truth)
        if said.dtype != np.bool_:
            raise InvalidParameter("truth", "True or False", truth)
        yes = np.where(said, self.yes_if_yes, self.yes_if_no)
        no = np.where(said, self._exact.no_if_yes, self._exact.no_if_no)
        return drawn_yes(yes, no, size, rng)

    def sample_yes(
        self, yes_count: npt.ArrayLike, n: npt.ArrayLike, size: int | tuple[int, ...] | None, rng: np.random.Generator
    ) -> npt.NDArray[np.int64] | int:
        """How many of n people answer "yes" where `yes_count` of them are a yes: two binomials, however many people."""
        k, people = self._counts(yes_count, n, informative=False)
        return (rng.binomial(k.astype(np.int64), self.yes_if_yes, size)
                + rng.binomial((people - k).astype(np.int64), self.yes_if_no, size))

    @cached_property
    def _sign(self) -> _Sign:
        yes, no, exact = self.yes_if_yes, self.yes_if_no, self._exact
        if exact.difference >= 0:
            return _Sign(yes, no, exact.no_if_yes, exact.no_if_no, exact.loss_yes, exact.loss_no)
        return _Sign(exact.no_if_yes, exact.no_if_no, yes, no, -exact.loss_no, -exact.loss_yes)

    def _yes(self, p: Array) -> Array:
        return p * self.yes_if_yes + (1 - p) * self.yes_if_no

    def _no(self, p: Array) -> Array:
        return p * self._exact.no_if_yes + (1 - p) * self._exact.no_if_no

    def _counts(self, yes_count: npt.ArrayLike, n: npt.ArrayLike, informative: bool = True) -> tuple[Array, Array]:
        c, people = np.broadcast_arrays(counts(yes_count, "yes_count"), numbers_in(n, v.PEOPLE, "n"))
        if (c > people).any():
            raise InvalidParameter("yes_count", "at most n", float(c[c > people].flat[0]))
        if informative:
            self._require_information()
        return c, people

    def _require_information(self) -> None:
        if self._exact.difference == 0:
            raise InvalidParameter("yes_if_yes − yes_if_no", "other than 0", 0.0, "the answers say nothing")


@dataclass(frozen=True)
class SymmetricResponse(RandomizedResponse):
    """A response whose answers both have the same loss, ε: the two probabilities must be the doubles that it makes."""

    loss: float = parameter(v.EPSILON_OR_ZERO)

    @cached_property
    def _exact(self) -> _Exact:
        return _of_loss(self.loss)


@dataclass(frozen=True)
class CoinResponse(RandomizedResponse):
    """A response by two coins, θ₁ and θ₂: the two probabilities must be the doubles that they make."""

    theta1: float = parameter(v.THETA1)
    theta2: float = parameter(v.THETA2)

    @cached_property
    def _exact(self) -> _Exact:
        return _of_coins(self.theta1, self.theta2)


@dataclass(frozen=True)
class RepeatedResponse:
    """k answers of a person to the same question, by one randomized response, exactly."""

    response: RandomizedResponse
    k: int

    @property
    def both_ways(self) -> bool:
        """Whether both answers tell as much."""
        return self.response.both_ways

    @property
    def largest_loss(self) -> float:
        """kε."""
        return self.k * self.response.epsilon

    def after(self, k: int) -> RepeatedResponse:
        """So many times as many."""
        return RepeatedResponse(self.response, self.k * int(parameter_value(v.RELEASES, k, "k")))

    def delta_at(self, epsilon: npt.ArrayLike) -> float | Array:
        """δ(ε) of all; ε is in [0, ∞), of any shape."""
        return self.response.delta_after(self.k, epsilon)

    def epsilon_at(self, delta: float) -> float:
        """The smallest ε at which δ in [0, 1] is enough."""
        return float(self.response.epsilon_after(self.k, delta)) * (1 + 4 * sys.float_info.epsilon)

    def trade_off(self, alpha: npt.ArrayLike) -> float | Array:
        """T(α) of all; α is in [0, 1], of any shape."""
        return self.response.trade_off_after(self.k, alpha)

    def power(self, alpha: npt.ArrayLike) -> float | Array:
        """1 less that, to full relative accuracy."""
        return self.response.power_after(self.k, alpha)


def coin_theta1(epsilon: npt.ArrayLike, theta2: npt.ArrayLike = 0.5) -> float | Array:
    """The θ₁ that makes two coins ε-DP: x/(1 + x) with x = (e^ε − 1) min(θ₂, 1 − θ₂), which is tanh(ε/2) at θ₂ = ½.

    A fair second coin has the smallest sd of all ε-DP designs, whatever the fraction. ε is in [0, ∞), θ₂ in [0, 1].
    """
    e, two = np.broadcast_arrays(numbers_in(epsilon, v.EPSILON_OR_ZERO), numbers_in(theta2, v.THETA2))
    # x/(1 + x) with both sides times e^−ε, for large ε.
    x = -np.expm1(-e) * np.minimum(two, 1 - two)
    return shaped(np.divide(x, x + np.exp(-e), out=np.zeros(x.shape), where=x > 0))


@lru_cache(maxsize=8)
def _losses(sign: _Sign, k: float) -> list[Losses]:
    """The losses of k answers where the truth is yes, and where it is no; one law where both are the same.

    They are kept for the next question, for whoever asks for δ at one ε asks for ε and the whole curve too.
    """
    laws = [(each.found, each.missed, each.gain, each.drop) for each in (sign, sign.mirrored())]
    return [repeated(k, *law) for law in dict.fromkeys(laws)]


def _of_loss(epsilon: float) -> _Exact:
    odds = math.exp(-epsilon)
    truth, lie, difference = 1 / (1 + odds), odds / (1 + odds), math.tanh(epsilon / 2)
    return _Exact(truth, lie, lie, truth, difference, epsilon, epsilon, *_pivot(difference, 0.5, lie))


def _of_coins(theta1: float, theta2: float) -> _Exact:
    yes, no = (1 - theta1) * theta2, (1 - theta1) * (1 - theta2)
    loss_yes, loss_no = (_coin_loss(theta1, two) for two in (theta2, 1 - theta2))
    return _Exact(theta1 + yes, yes, no, theta1 + no, theta1, loss_yes, loss_no, *_pivot(theta1, theta2, yes))


def _pivot(difference: float, second: float, yes_if_no: float) -> tuple[float, float]:
    """The better known of two points on the estimate's line: θ₂ answers "yes" estimate θ₂, and yes_if_no estimate 0."""
    return (second, second) if difference <= 0.5 else (yes_if_no, 0.0)


def _coin_loss(theta1: float, second: float) -> float:
    """ln of (θ₁ + b)/b, b = (1 − θ₁) `second`, the loss of the answer that the second coin gives with that probability.

    Finite, and not below itself, also where b is less than the doubles that have all their digits.
    """
    rest = (1 - theta1) * second
    if rest > _FULL or theta1 in (0.0, 1.0) or not second:
        return _log_ratio(theta1 + rest, rest, theta1)
    return math.log(theta1) - math.log(1 - theta1) - math.log(second)


def _log_ratio(a: float, b: float, difference: float) -> float:
    """ln(a/b) for a − b = difference, 0 where both are 0."""
    if difference == 0:
        return 0.0
    if a == 0 or b == 0:
        return math.inf if b == 0 else -math.inf
    return math.log1p(difference / b) if abs(difference) < b / 2 else math.log(a) - math.log(b)
