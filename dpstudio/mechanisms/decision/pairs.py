"""Numbers of records, one or two beside each other: tails known by the smaller of both, what a pair needs and tells.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import numpy as np
import numpy.typing as npt

from dpstudio.core.arrays import of_each, parameter_value
from dpstudio.core.declare import COUNT, Array, InvalidParameter, accepted, counts, numeric
from dpstudio.mechanisms.decision.precise import precisely
from dpstudio.mechanisms.losses import least_missed, most_found
from dpstudio.records import dataclass
from dpstudio.vocabulary import COMPLEMENT, TARGET, Interval

_BLOCK = 65_536
"""Records computed at once: the temporaries of a block stay in the processor's cache, which halves the time."""
BOUND = 700.0
"""Exponents are bounded by this where the sign alone of what they multiply still matters."""
_AGREE = 2.0**-50
"""How far target + complement may lie from 1: four roundings of a number near 1."""


def both_tails(target: object, complement: object, domain: Interval) -> tuple[float, float]:
    """(p, 1 − p) from a target and perhaps its complement: the smaller of the two is exact, the other rounded.

    A target near 1 is known by its complement, beside which it may be 1.0 itself, being only the double nearest to it.
    """
    if complement is None:
        p = float(accepted("target", domain, target))
        return p, 1.0 - p  # exact for p ≥ ½ (Sterbenz), and rounded where p itself is the smaller
    p, q = (parameter_value(quantity, given) for quantity, given in ((TARGET, target), (COMPLEMENT, complement)))
    require_complement("target", p, q, "complement")
    if domain.low_open and min(p, q) == 0:
        raise InvalidParameter("target", domain, target)
    return p, q


def require_complement(name: str, p: float, q: float, complement: str) -> None:
    """Refuse q where it is not 1 − p but for rounding."""
    if abs(math.fsum((p, q, -1.0))) > _AGREE:
        raise InvalidParameter(complement, f"1 − {name}", q)


def in_blocks(function: Callable[[Array], Array], n: npt.ArrayLike) -> Array:
    """A function of numbers of records, checked and of any shape.

    It is given blocks, vectors that are not empty, and may overwrite them with its answer.
    """
    given = numeric(n, "n", COUNT)
    result = np.empty(given.shape)
    flat, out = given.reshape(-1), result.reshape(-1)
    # A product such as ε (n − k) may overflow to ±∞, and its exponential underflow to 0: both are the right answers.
    with np.errstate(over="ignore", under="ignore"):
        for start in range(0, flat.size, _BLOCK):
            block = out[start : start + _BLOCK]
            np.copyto(block, counts(flat[start : start + _BLOCK]))
            found = function(block)
            if found is not block:
                np.copyto(block, found)
    return result


def log_of(probability: Array, complement: Array) -> Array:
    """ln of a probability, through the complement where the probability is the larger."""
    with np.errstate(divide="ignore"):
        return np.where(probability <= complement, np.log(probability), np.log1p(-np.minimum(complement, 0.5)))


def loss_of(low: Array, rise: Array, log_low: Array, log_high: Array) -> Array:
    """ln (low + rise)/low: +∞ where only low is 0, and 0 where both are."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        found = np.where(rise < low, np.log1p(rise / low), log_high - log_low)
    return np.where(np.isneginf(log_high), 0.0, np.maximum(found, 0.0))


@precisely
def each(function: Callable[[float], float], values: Array) -> float | Array:
    """A function of one number at each of the values, with the digits of `precise`."""
    return of_each(function, values)


@dataclass(frozen=True, slots=True)
class Excess:
    """The worth of one outcome at N = n and n + 1 to an observer: Pr[outcome at one] − e^ε Pr[outcome at the other]."""

    excess: Array
    """One number for each ε; ≤ 0 where the pair needs no δ."""
    n: float | Array
    accepting: bool
    """Whether the outcome is “yes”."""


@dataclass(frozen=True, slots=True)
class Slack:
    """By how much the tightest of the inequalities of differential privacy holds (or fails, where negative)."""

    slack: float
    n: float
    """The inequality that binds is the one between n and n + 1; ∞ where it is only approached as N grows."""
    accepting: bool

    @property
    def outcome(self) -> str:
        """Of which answer, in a word."""
        return "accept" if self.accepting else "reject"


def most_of(pairs: Iterable[Excess], shape: tuple[int, ...]) -> Array:
    """δ at each ε: the most that any pair needs, at least 0."""
    most = np.zeros(shape)
    for pair in pairs:
        np.maximum(most, pair.excess, out=most)
    return most


def worst_of(pairs: Iterable[Excess], shape: tuple[int, ...]) -> tuple[Array, Array, npt.NDArray[np.bool_]]:
    """δ at each ε, with the n it is needed for (∞ where no pair needs even 0) and whether accepting needs it."""
    every = [*pairs, Excess(np.zeros(shape), np.inf, False)]
    excess = np.stack([pair.excess for pair in every])
    worst = excess.argmax(axis=0)
    where = np.choose(worst, [pair.n for pair in every])
    return excess.max(axis=0), where, np.array([pair.accepting for pair in every])[worst]


@dataclass(frozen=True, slots=True)
class TailPairs:
    """Both tails of pairs N = n and n + 1; the last axis is that of α, or one pair stands for all."""

    accept: Array
    """f(n)"""
    reject: Array
    """g(n)"""
    next_accept: Array
    """f(n+1)"""
    next_reject: Array
    """g(n+1)"""

    def type_ii(self, alpha: Array) -> Array:
        """The smallest type II error at each α, over the pairs and over which of the two datasets is the hypothesis."""
        wrong, right, found, missed = self._tests
        found_at = least_missed(alpha, alpha <= wrong, wrong, right, found, missed)
        return np.asarray(found_at.reshape(-1, alpha.size).min(axis=0))

    def power(self, alpha: Array) -> Array:
        """The largest chance of being found at each α, over the same."""
        wrong, right, found, missed = self._tests
        found_at = most_found(alpha, alpha <= wrong, wrong, right, found, missed)
        return np.asarray(found_at.reshape(-1, alpha.size).max(axis=0))

    @property
    def _tests(self) -> tuple[Array, Array, Array, Array]:
        """Of “yes” that finds n + 1, and of “no” that finds n: its chances: wrong, right, found, missed."""
        return (np.array([self.accept, self.next_reject]), np.array([self.reject, self.next_accept]),
                np.array([self.next_accept, self.reject]), np.array([self.next_reject, self.accept]))
