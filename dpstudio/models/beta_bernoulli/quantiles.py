"""Quantiles of noise-aware posteriors: which panel of the quadrature they lie in, and where in it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array
from dpstudio.models.beta_bernoulli.aware import NoiseAware
from dpstudio.models.beta_bernoulli.likelihood import Rates
from dpstudio.models.beta_bernoulli.panels import NODES, WEIGHTS, Rows, rates_at

_NEWTON = 40
"""Steps: in a tail that falls like an exponential each goes but so far, and the end takes two or three."""
_CLOSE = 3e-7
_LEFT, _RIGHT = -1, -2
"""Not a panel, but what lies before the first or after the last."""


def quantile(found: NoiseAware, p: Array, q: Array, row: Rows) -> Rates:
    """The rates with probability p below and q = 1 − p above, p and q in (0, 1), of the posterior in each row."""
    at = np.array([_place(found, *each) for each in zip(p, q, row, strict=True)], dtype=np.intp)
    v = np.empty(len(row))
    inside = at >= 0
    if inside.any():
        v[inside] = _solve(found, p[inside], q[inside], row[inside], at[inside])
    for code, right in ((_LEFT, False), (_RIGHT, True)):
        ends = at == code
        if ends.any():
            near = _solve_end(found, (q if right else p)[ends], row[ends], right)
            v[ends] = -near if right else near
    return rates_at(v)


def _place(found: NoiseAware, p: float, q: float, of: int) -> int:
    """The panel that holds the quantile, from the end that is nearer."""
    first = int(found.panels.first[of])
    last = int(found.panels.first[of + 1]) if of + 1 < found.rows else len(found.mass)
    before, after = found.sums
    if p <= q:
        wanted = p * found.total[of]
        at = first - 1 + int(np.searchsorted(before[first:last], wanted, "right"))
        if at < first:
            return _LEFT
        return _RIGHT if at == last - 1 and wanted > before[at] + found.mass[at] else at
    wanted = q * found.total[of]
    at = last - int(np.searchsorted(after[first:last][::-1], wanted, "right"))
    if at >= last:
        return _RIGHT
    return _LEFT if at == first and wanted > after[at] + found.mass[at] else at


def _solve(found: NoiseAware, p: Array, q: Array, row: Rows, at: Rows) -> Array:
    """Newton's iteration inside the panels, kept inside by bisection."""
    before, after = found.sums
    upper = p > q
    start, stop = found.panels.start[at].copy(), found.panels.stop[at].copy()
    left, right = start.copy(), stop.copy()
    wanted = np.where(upper, q * found.total[row] - after[at], p * found.total[row] - before[at])
    v = _first_guess(found, wanted, upper, row, start, stop)
    for _ in range(_NEWTON):
        v = np.clip(v, left, right)
        mass, density = _integral_and_end(found, row, np.where(upper, v, start), np.where(upper, stop, v), v)
        excess = np.where(upper, wanted - mass, mass - wanted)  # above 0: v is too far right
        right, left = np.where(excess > 0, v, right), np.where(excess > 0, left, v)
        step = excess / np.maximum(density, 1e-300)
        new = v - step
        # What is left after a small step is its square; the bracket's other end may be far away still.
        close = np.abs(step) <= _CLOSE * np.minimum(stop - start, np.abs(v))
        v = np.where(close | ((new >= left) & (new <= right)), new, (left + right) / 2)
        if close.all():
            break
    return v


def _first_guess(found: NoiseAware, wanted: Array, upper: npt.NDArray[np.bool_], row: Rows, start: Array,
                 stop: Array) -> Array:
    """Where the masses of the nodes, added up, come near to what is wanted."""
    _, logs, length = found.on(row, start, stop)
    masses = np.exp(logs - found.reference[row][:, None]) * WEIGHTS * length[:, None]
    guess = np.empty(len(row))
    for i, (own, right) in enumerate(zip(masses, upper, strict=True)):
        x, own = (1 - NODES[::-1], own[::-1]) if right else (NODES, own)
        share = float(np.interp(wanted[i], np.cumsum(own) - own / 2, x))
        guess[i] = stop[i] - share * length[i] if right else start[i] + share * length[i]
    return guess


def _integral_and_end(found: NoiseAware, row: Rows, start: Array, stop: Array, v: Array) -> tuple[Array, Array]:
    """The mass of each stretch, and the density at v."""
    length = stop - start
    nodes = np.concatenate([start[:, None] + length[:, None] * NODES, v[:, None]], axis=1)
    logs = found.log_density(rates_at(nodes), np.broadcast_to(row[:, None], nodes.shape))
    densities = np.exp(logs - found.reference[row][:, None])
    return (densities[:, :-1] * WEIGHTS).sum(axis=1) * length, densities[:, -1]


def _solve_end(found: NoiseAware, tail: Array, row: Rows, right: bool) -> Array:
    """How near to 0 or 1 a tail of this probability ends: the mass is all but a power of the distance."""
    power = found.b if right else found.a
    wanted = np.log(tail * found.total[row])
    near = np.full(len(row), found.least)
    for _ in range(_NEWTON):
        mass = found.end(row, near, right)[1].sum(axis=1)
        step = (wanted - np.log(mass)) / power
        with np.errstate(under="ignore"):
            near = near * np.exp(step)
        near = np.clip(near, 1e-307, found.least)
        if (np.abs(step) <= 1e-12).all():
            break
    return near
