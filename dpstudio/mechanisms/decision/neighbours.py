"""Pairs of neighbouring numbers of records, and how well a test tells them apart by one answer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpstudio.core.declare import Array

_TINY = 5e-324


@dataclass(frozen=True, slots=True)
class Neighbours:
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
