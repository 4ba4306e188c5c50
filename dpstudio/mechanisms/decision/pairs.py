"""Pairs of neighbouring numbers of records: what they need, and how well a test tells them apart by one answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array

_TINY = 5e-324


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
        """The smallest type II error at each α, over the pairs and over which of the two datasets is the hypothesis.

        Where an outcome has probability `wrong` under the hypothesis and `found` beside it, and 1 less those are
        `right` and `missed`, β lies on the line through (0, 1), (wrong, missed) and (1, 0).
        """
        wrong, right = np.array([self.accept, self.next_reject]), np.array([self.reject, self.next_accept])
        found, missed = np.array([self.next_accept, self.reject]), np.array([self.next_reject, self.accept])
        few = alpha <= wrong
        # Both stretches from positive terms, so that no digits cancel.
        part = np.where(few, wrong - alpha, 1 - alpha) / np.where(few, np.maximum(wrong, _TINY), right)
        return np.asarray(np.where(few, missed + found * part, missed * part).reshape(-1, alpha.size).min(axis=0))
