"""Attackers by brute force: tables of outcomes, their events, tests and guesses, and linear programmes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from hypothesis import strategies as st
from scipy.optimize import linprog


def hockey_stick(p, q, epsilon):
    """sup P(S) − e^ε Q(S) of two laws on the same outcomes."""
    return max(math.fsum(np.maximum(p - math.exp(min(epsilon, 700.0)) * q, 0.0)), 0.0)


def found(p, q, alpha):
    """The largest P(test) with Q(test) ≤ α, outcome by outcome as the likelihood ratio falls; Q is the hypothesis."""
    with np.errstate(divide="ignore"):
        order = np.argsort(np.where(q > 0, -p / np.where(q > 0, q, 1.0), -np.inf), kind="stable")
    left, total = alpha, 0.0
    for i in order:
        part = 1.0 if q[i] <= left else left / q[i]
        total += part * p[i]
        left = max(left - part * q[i], 0.0)
        if part < 1:
            break
    return total


def missed(p, q, alpha):
    """1 less that, by the outcomes that are left: those of the smallest likelihood ratio, up to Q = 1 − α."""
    order = np.argsort(np.where(q > 0, p / np.where(q > 0, q, 1.0), np.inf), kind="stable")
    left, total = 1 - alpha, 0.0
    for i in order:
        part = 1.0 if q[i] <= left else left / q[i]
        total += part * p[i] if q[i] > 0 else 0.0
        left = max(left - part * q[i], 0.0)
        if part < 1:
            break
    return total


def responses(epsilons, tells=0.0):
    """The laws of responses together, of which all together are told with some probability."""
    one, other = np.ones(1), np.ones(1)
    for e in epsilons:
        truth = 1 / (1 + math.exp(-e))
        lie = math.exp(-e) * truth
        one, other = np.outer(one, [truth, lie]).ravel(), np.outer(other, [lie, truth]).ravel()
    return np.array([tells, 0.0, *((1 - tells) * one)]), np.array([0.0, tells, *((1 - tells) * other)])


def product(pair, k):
    """Both laws of k independent outcomes."""
    laws = [np.ones(1), np.ones(1)]
    for _ in range(k):
        laws = [np.outer(law, one).ravel() for law, one in zip(laws, pair, strict=True)]
    return tuple(laws)


@dataclass(frozen=True)
class Tables:
    """A mechanism with few outcomes on few datasets, all neighbours: one row of probabilities each."""

    rows: tuple[tuple[float, ...], ...]

    @property
    def pairs(self):
        return list(permutations([np.array(row) for row in self.rows], 2))

    def delta_at(self, epsilon):
        growth = np.exp(np.minimum(np.asarray(epsilon, dtype=float), 700.0))[..., None]
        return np.max([np.maximum(p - growth * q, 0.0).sum(axis=-1) for p, q in self.pairs], axis=0)

    def power(self, alpha):
        at = np.asarray(alpha, dtype=float)
        return np.array([max(found(p, q, float(a)) for p, q in self.pairs) for a in at.flat]).reshape(at.shape)[()]

    def trade_off(self, alpha):
        return 1 - self.power(alpha)


_FEW = st.integers(2, 3)


@st.composite
def tables(draw, datasets=_FEW, least=0.0):
    """Random tables; with `least` 0 an outcome may be impossible on some datasets."""
    outcomes, many = draw(st.integers(2, 6)), draw(datasets)
    weight = st.floats(0.01, 1.0) if least else st.one_of(st.just(0.0), st.floats(0.01, 1.0))
    rows = []
    for _ in range(many):
        row = np.array(draw(st.lists(weight, min_size=outcomes, max_size=outcomes)))
        row = row + (row.sum() == 0)
        rows.append(tuple((row / row.sum()).tolist()))
    return Tables(tuple(rows))


def most_likely(p, q, loss):
    """The largest P(S) of an event, perhaps by a coin, that is e^loss times as likely under P as under Q."""
    solved = linprog(-p, A_ub=[math.exp(loss) * q - p], b_ub=[0.0], bounds=(0, 1))
    return -solved.fun


def best_guess(epsilon, delta, candidates):
    """The best average success at guessing which of so many rows it is, over all (ε, δ)-close rows.

    Whatever is published, what counts is which of the candidates is guessed: as many outcomes do.
    """
    m = candidates
    limits, rhs = [], []
    for i, j in permutations(range(m), 2):
        for event in range(1, 2**m - 1):
            row = np.zeros((m, m))
            for guess in range(m):
                if event >> guess & 1:
                    row[i, guess], row[j, guess] = 1.0, -math.exp(epsilon)
            limits.append(row.ravel())
            rhs.append(delta)
    sums = np.kron(np.eye(m), np.ones(m))
    solved = linprog(-np.eye(m).ravel() / m, A_ub=np.array(limits), b_ub=rhs, A_eq=sums, b_eq=np.ones(m), bounds=(0, 1))
    return -solved.fun
