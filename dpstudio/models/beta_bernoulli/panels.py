"""Where to put the nodes of a quadrature under a log-concave function, for many posteriors at once.

A noise-aware posterior has the density Q(θ)/(θ(1 − θ)), Q(θ) = θ^a (1 − θ)^b E[e^(−ε|c − K|)]. Q is log-concave for all
priors: the likelihood is a Bernstein polynomial of a log-concave sequence. So slopes between points enclose ln Q on
each panel: they tell which panels hold nothing, and where it bends too much for one Gauss–Legendre rule.

Rates are kept as v = θ up to ½ and as v = −φ beyond, so that neither end loses digits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array
from dpstudio.core.quadrature import gauss_legendre
from dpstudio.models.beta_bernoulli.likelihood import Rates
from dpstudio.records import dataclass

Rows: TypeAlias = npt.NDArray[np.intp]
Logs: TypeAlias = Callable[[Rates, Rows], Array]

NODES, WEIGHTS = gauss_legendre(14)
"""The rule for each panel."""
CUT = 50.0
"""What is e^−50 times the largest Q is left out: it adds less than 1e-16, whatever the prior's poles at 0 and 1."""
BEND, SLOPE = 4.0, 12.0
"""How much ln Q may bend, and how much it may fall, on one panel."""
MOST = 8
"""Parts that a panel is split into at once."""
ROUNDS = 40
_APART = 1e-10


def rates_at(v: Array) -> Rates:
    """The rates that v stands for."""
    left = v >= 0
    return Rates(np.where(left, v, 1 + v), np.where(left, 1 - v, -v))


@dataclass(frozen=True, slots=True)
class Panels:
    """Panels [start, stop] of v, those of one row in order of θ; `kept` have a mass that counts."""

    row: Rows
    start: Array
    stop: Array
    kept: npt.NDArray[np.bool_]
    first: Rows
    """Where each row begins."""


def as_v(theta: Array, phi: Array, least: Array) -> Array:
    """v of the rates, moved to at least `least` from 0 and 1."""
    return np.where(theta <= 0.5, np.maximum(theta, least), -np.maximum(phi, least))


def placed(edges: Array, log_q: Logs) -> Panels:
    """Panels between the edges (a row of v, in any order, for each posterior), refined as ln Q asks for it."""
    row, start, stop = _between(edges)
    low, high = _at_ends(row, start, stop, log_q)
    for _ in range(ROUNDS):
        kept, times = _judged(row, start, stop, low, high)
        if times.max() == 1:
            break
        row, start, stop, low, high = _split(times, row, start, stop, low, high, log_q)
    return Panels(row, start, stop, kept, np.searchsorted(row, np.arange(len(edges))).astype(np.intp))


def _between(edges: Array) -> tuple[Rows, Array, Array]:
    """The stretches between consecutive edges, ½ among them; those that all but coincide are joined to the next."""
    rows = len(edges)
    half = np.full((rows, 1), 0.5)
    left = np.sort(np.concatenate([np.where(edges > 0, edges, 0.5), half], axis=1), axis=1)
    right = np.sort(np.concatenate([-half, np.where(edges < 0, edges, -0.5)], axis=1), axis=1)
    starts, stops = (np.concatenate([left[:, ends], right[:, ends]], axis=1).ravel()
                     for ends in (slice(None, -1), slice(1, None)))
    row = np.repeat(np.arange(rows, dtype=np.intp), 2 * edges.shape[1])
    apart = stops - starts > _APART * np.minimum(np.abs(starts), np.abs(stops))
    row, start, stop = row[apart], starts[apart], stops[apart]
    follows = (row[1:] == row[:-1]) & ((start[1:] > 0) == (start[:-1] > 0))
    stop[:-1][follows] = start[1:][follows]
    return row, start, stop


def _at_ends(row: Rows, start: Array, stop: Array, log_q: Logs) -> tuple[Array, Array]:
    """ln Q at both ends of each panel; most end where the next begins."""
    alone = np.append((row[1:] != row[:-1]) | (stop[:-1] != start[1:]), True)
    logs = log_q(rates_at(np.append(start, stop[alone])), np.append(row, row[alone]))
    low = logs[:len(row)]
    high = np.append(low[1:], 0.0)
    high[alone] = logs[len(row):]
    return low, high


def _judged(row: Rows, start: Array, stop: Array, low: Array, high: Array
            ) -> tuple[npt.NDArray[np.bool_], Rows]:
    """Which panels count, and into how many parts those must go that bend or fall too much for one rule."""
    length = stop - start
    slope = (high - low) / length
    same = row[1:] == row[:-1]
    before, after = np.full(len(row), np.inf), np.full(len(row), -np.inf)
    before[1:][same], after[:-1][same] = slope[:-1][same], slope[1:][same]
    # A concave function lies below its neighbours' secants.
    most = np.minimum(low + np.maximum(np.minimum(before * length, 1e300), 0), high - np.minimum(after * length, 0))
    most = np.where(np.isfinite(most), most, np.maximum(low, high) + 0.0)
    top = np.maximum.reduceat(np.maximum(low, high), np.flatnonzero(np.append(True, ~same)))
    kept = most >= top[row] - CUT
    bend = np.minimum(before, 2 * np.abs(slope) + 1 / length) - np.maximum(after, -2 * np.abs(slope) - 1 / length)
    fall = np.abs(high - low)
    # A fall is shared out, and a bend by the square; not all at once, for it may be elsewhere than it seems.
    times = np.ceil(np.maximum(1.5 * fall / SLOPE, 1.3 * np.sqrt(np.maximum(bend * length, 0.0) / BEND)))
    split = kept & ((bend * length > BEND) | (fall > SLOPE))
    return kept, np.where(split, np.clip(times, 2, MOST), 1).astype(np.intp)


def _split(times: Rows, row: Rows, start: Array, stop: Array, low: Array, high: Array,
           log_q: Logs) -> tuple[Rows, Array, Array, Array, Array]:
    """Each panel in so many equal parts, which stand where it stood: new rows, starts, stops and ln Q at both ends.

    `times`, whole numbers ≥ 1, and the arrays given have one entry a panel; those returned have `times.sum()`.
    """
    part = np.arange(times.sum()) - np.repeat(np.cumsum(times) - times, times)
    share = (stop - start) / times
    more = part > 0
    origin = np.repeat(np.arange(len(row), dtype=np.intp), times)
    starts, lows = start[origin], low[origin]
    starts[more] = (start[origin] + part * share[origin])[more]
    lows[more] = log_q(rates_at(starts[more]), row[origin][more])
    stops, highs = stop[origin], high[origin]
    inner = np.append(more[1:], False)
    stops[inner], highs[inner] = starts[1:][more[1:]], lows[1:][more[1:]]
    return row[origin], starts, stops, lows, highs
