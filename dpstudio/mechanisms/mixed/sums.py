"""What tells the loss of unlike releases at any x: exact parts, and the part that is taken where no exact one is fast.

Each has `at(what, x)` of real x ≥ 0: δ(x), P(L > x) or Q(L > x).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Protocol

import numpy as np

from dpstudio.core.declare import Array
from dpstudio.core.quadrature import log_integrals
from dpstudio.core.results import Kind
from dpstudio.core.special import ROOT_TWO_PI
from dpstudio.mechanisms.losses import Losses, responses
from dpstudio.mechanisms.mixed.pieces import Pieces
from dpstudio.mechanisms.mixed.transform import Transform, What
from dpstudio.records import cached_property, dataclass

MOST_NODES = 2**15
"""So many nodes an exact value takes at most …"""
NODES = 2**12
"""… and about so many one that is a bound."""
_LEAST_MU = 1e-100
_MOST_ATOMS = 256
_MOST_PRODUCT = 2**14
_FARTHEST = 39.0
"""Standard deviations beyond which nothing is left."""
_NEAR = np.array([-8.0, -4.0, -2.0, 0.0, 2.0, 4.0, 8.0])


class Sum(Protocol):
    """A sum of losses with a law that is the same both ways."""

    @property
    def reach(self) -> float:
        """The sum of all limited losses."""

    def at(self, what: What, x: Array, /) -> Array:
        """What is asked at each x ≥ 0, a vector."""

    def missed(self, x: Array, /) -> Array:
        """P(L ≤ x) at each x ≥ 0, a vector; where it is tiny, good to the last digits of 1 or better."""


def anywhere(of: Pieces | Beside, what: What, x: Array) -> Array:
    """What is asked at each real x: δ(−x) = 1 − e^−x + e^−x δ(x), and a tail by the other one."""
    size = np.abs(x)
    ahead = of.at(what, size) if (x >= 0).any() else np.zeros(x.shape)
    if (x >= 0).all():
        return ahead
    other: What = {"delta": "delta", "with": "without", "without": "with"}[what]  # type: ignore[assignment]
    back = ahead if what == "delta" and (x >= 0).any() else of.at(other, size)
    behind = np.exp(-size) * back - np.expm1(-size) if what == "delta" else 1 - back
    return np.where(x >= 0, ahead, behind)


@dataclass(frozen=True, eq=False)
class Beside:
    """Laplace releases beside responses: the average over the losses of these."""

    pieces: Pieces
    atoms: Losses

    @cached_property
    def reach(self) -> float:
        """The largest loss."""
        return self.pieces.reach + float(self.atoms.values[-1])

    def missed(self, x: Array) -> Array:
        """P(L ≤ x) by its complement."""
        return 1 - self.at("with", x)

    @cached_property
    def knots(self) -> Array:
        """The places where losses meet, rising."""
        return np.unique(np.add.outer(self.pieces.knots, self.atoms.values))

    def at(self, what: What, x: Array) -> Array:
        if self.atoms.values.size == 1:
            return self.pieces.at(what, x)
        values, masses = self.atoms.values, self.atoms.masses
        if what == "without":
            masses = np.exp(np.log(masses) - values)
        found = anywhere(self.pieces, what, np.subtract.outer(x, values).reshape(-1))
        return np.clip(found.reshape(x.size, -1) @ masses, 0.0, 1.0)


@dataclass(frozen=True, eq=False)
class Averaged:
    """The same beside Gaussian noise of a μ that is next to nothing: an average of positive terms."""

    limited: Beside
    mu: float

    @property
    def reach(self) -> float:
        """The sum of all limited losses."""
        return self.limited.reach

    def missed(self, x: Array) -> Array:
        """P(L ≤ x) by its complement."""
        return 1 - self.at("with", x)

    def at(self, what: What, x: Array) -> Array:
        return np.array([self._one(what, each) for each in x.tolist()])

    def _one(self, what: What, x: float) -> float:
        middle = self.mu * self.mu / 2 * (-1 if what == "without" else 1)
        if x - middle - self.reach > _FARTHEST * self.mu:
            return 0.0
        meet = (x - middle - self.limited.knots) / self.mu
        ends = np.concatenate([[-_FARTHEST, _FARTHEST], _NEAR, meet[np.abs(meet) < _FARTHEST]])

        def logs(g: Array) -> Array:
            with np.errstate(divide="ignore"):
                found = np.log(anywhere(self.limited, what, x - middle - self.mu * g))
            return np.asarray(found - g * g / 2)[:, None]

        return min(math.exp(float(log_integrals(logs, np.unique(ends))[0])) / ROOT_TWO_PI, 1.0)


@dataclass(frozen=True, eq=False)
class Cut:
    """A bound by more than is released, which is 0 where all losses end."""

    more: Transform

    @property
    def reach(self) -> float:
        """The sum of all losses."""
        return self.more.reach

    def at(self, what: What, x: Array) -> Array:
        return np.where(x < self.reach, self.more.at(what, x), 0.0)

    def missed(self, x: Array) -> Array:
        """P(L ≤ x), or less."""
        return self.more.missed(x)


def sum_of(laplace: Iterable[float], mu: float, answers: Iterable[float]) -> tuple[Sum, Kind]:
    """The sum of the losses of Laplace releases and responses and of a μ, and whether it is exact or a bound.

    A bound is that of a little more Gaussian noise's worth: of a μ with which few nodes do. A μ whose square is lost
    among the smallest numbers is taken for a larger one, by which no digit changes.
    """
    mu = max(mu, _LEAST_MU) if mu > 0 else 0.0
    given = [np.unique(np.array([e for e in each if e > 0], dtype=np.float64), return_counts=True)
             for each in (laplace, answers)]
    (losses, times), (truths, truth_times) = ((e, count.astype(np.float64)) for e, count in given)
    whole = Transform(losses, times, truths, truth_times, mu)
    if mu > 0 and whole.nodes() <= MOST_NODES:
        return whole, "exact"
    pieces = Pieces(losses, times)
    atoms = _atoms(truths, truth_times)
    if pieces.few and atoms is not None and pieces.size * atoms.values.size <= _MOST_PRODUCT:
        limited = Beside(pieces, atoms)
        return (limited if mu == 0 else Averaged(limited, mu)), "exact"
    more = _raised(whole)
    return (Cut(more) if mu == 0 else more), "bound"


def _atoms(truths: Array, times: Array) -> Losses | None:
    """The law of all responses' losses together, where it has few values."""
    if (times.sum() > _MOST_ATOMS * 8) or np.log1p(times).sum() > math.log(_MOST_ATOMS * 8):
        return None
    pair = responses(np.repeat(truths, times.astype(int)))
    if pair is None or pair[0].values.size * pair[1].values.size > _MOST_ATOMS * 8:
        return None
    law = pair[0].and_then(pair[1])
    return law if law.values.size <= _MOST_ATOMS else None


def _raised(whole: Transform) -> Transform:
    """The same with a larger μ, with which few nodes do."""
    mu = max(whole.mu, 1e-3 * whole.reach)
    for _ in range(6):
        raised = Transform(whole.laplace, whole.laplace_times, whole.responses, whole.responses_times, mu)
        nodes = raised.nodes()
        if nodes <= NODES and (nodes > NODES / 2 or mu == whole.mu):
            break
        mu = max(whole.mu, mu * nodes / (0.75 * NODES))
    return raised
