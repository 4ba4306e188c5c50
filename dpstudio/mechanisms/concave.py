"""Whether a law is log-concave, as far as windows of it show: what derived privacy losses are true of.

Where single masses or a density have a concave logarithm, so have the masses of windows of one width that stand side
by side. Looked at are windows of 1, 4, 16, … units, sixteen on either side of a middle: the narrow ones see a bend near
it, the wide ones a second hump or a tail that falls ever more slowly, however far away.

A bend is seen where it is more than the rounding of tails that are good to 1e-12 of themselves, and where it is as wide
as a quarter of its distance from the middle or leaves a hump of such windows: what passes is not proved to be
log-concave.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array, InvalidParameter, Verbatim
from dpstudio.text.numbers import plain
from dpstudio.vocabulary import EXACT_INTEGERS

Function: TypeAlias = Callable[[Array], Array]
"""A density or one of two tails at each place of a vector, which it may overwrite."""

_SIDE = 16
"""Windows on either side of the middle, of each width."""
_WIDTHS = 27
"""Of windows of whole numbers, 1 to 2⁵²."""
_NARROW, _WIDER = 2.0**-20, 10
"""The narrowest windows of real numbers, in quartiles, and how many widths they have more."""
_GOOD = 2.0**-40
"""What is relied on of a tail, relative to it and times its logarithm."""
_FARTHEST, _LEAST = 1e300, 1e-300
"""No place is looked at beyond the one, and less than the other is not told from 0."""
_APART = 1, 2, 4, 8
_SECTIONS = 129
"""Places at once among which the middle is sought."""
_COMPLEMENTS = 1e-14
"""How far both tails may be from adding up to 1."""


def require_concave_rise(name: str, accept: Function, reject: Function) -> None:
    """Refuse a decision whose tails are no probabilities or no complements, fall or rise the wrong way, or rise by more
    than one hump: where ln(f(n+1) − f(n)) bends upwards by more than rounding, as far as windows show."""
    end = float(EXACT_INTEGERS - 1)
    with np.errstate(all="ignore"):
        n = np.concatenate([_edges(middle, 1.0, _WIDTHS) for middle in (_middle(accept, reject, end), 0.0)])
        beyond = (n < 0) | (n > end)
        n = np.clip(n, 0.0, end)
        f, g = (tail(n.reshape(-1).copy()).reshape(n.shape) for tail in (accept, reject))
        _require(name, "N", n, (
            ("f(N)", f, _improbable(f), "in [0, 1]"),
            ("1 − f(N)", g, _improbable(g), "in [0, 1]"),
            ("the sum of both probabilities", f + g, _apart(f, g), "1")))
        rise, off = _rise(name, "f(N)", "N", n, beyond, f, g)
        _require_straight(name, "the logarithm of its rise, ln(f(N + 1) − f(N)),", "N", n, rise, off)


def require_concave_noise(name: str, density: Function, cdf: Function, quartile: float, whole: bool) -> None:
    """Refuse a noise that is not symmetric, whose tails are no complements, or the logarithm of whose density bends
    upwards by more than rounding, as far as windows show; `quartile` is how far from 0 half of the noise lies."""
    with np.errstate(all="ignore"):
        x = (_edges(0.0, 1.0, _WIDTHS) if whole else
             _edges(0.0, float(np.clip(quartile, _LEAST, _FARTHEST)) * _NARROW, _WIDTHS + _WIDER))
        beyond = np.abs(x) > _FARTHEST
        x = np.clip(x, -_FARTHEST, _FARTHEST)
        mass, below, above = (law(at.reshape(-1)).reshape(x.shape)
                              for law, at in ((density, x), (cdf, x), (cdf, -x - whole)))
        top = mass.max()  # 0 where there is none, and nothing is seen of it then
        share, rounded = mass / top, _doubt(mass / top) + _LEAST / top
        _require(name, "x", x, (
            ("the density", mass, ~((mass >= 0) & np.isfinite(mass)), "a number of at least 0"),
            ("Pr[X ≤ x]", below, _improbable(below), "in [0, 1]"),
            ("the sum of Pr[X ≤ x] and Pr[X > x]", below + above, _apart(below, above), "1"),
            ("the density", mass, np.abs(share - share[:, ::-1]) > rounded, "the same at x and −x")))
        within, off = _rise(name, "Pr[X ≤ x]", "x", x, beyond, below, above)
        _require_straight(name, "the logarithm of its density", "x", x, np.where(beyond, np.nan, share), rounded)
        _require_straight(name, "the logarithm of its probability", "x", x, within, off)


def _edges(middle: float, unit: float, wide: int) -> Array:
    """The edges of windows of so many widths from a unit on, a row for each, in order; the middle is among them."""
    return np.asarray(middle + unit * np.ldexp(np.arange(-_SIDE, _SIDE + 1.0), 2 * np.arange(wide)[:, None]))


def _middle(accept: Function, reject: Function, end: float) -> float:
    """About where a decision has risen by half of what it rises by from 0 to the end."""
    first, last, half = 0.0, end, math.nan
    while last - first > 1:
        n = np.rint(np.linspace(first, last, _SECTIONS))
        level = accept(n.copy()) - reject(n.copy())
        half = (level[0] + level[-1]) / 2 if math.isnan(half) else half
        place = max(int((level >= half).argmax()), 1)
        first, last = float(n[place - 1]), float(n[place])
    return last


def _improbable(tail: Array) -> npt.NDArray[np.bool_]:
    return ~((tail >= 0) & (tail <= 1))


def _apart(tail: Array, other: Array) -> npt.NDArray[np.bool_]:
    """Where two tails do not add up to 1."""
    return np.abs((tail - 0.5) + (other - 0.5)) > _COMPLEMENTS


def _require(name: str, letter: str, at: Array,
             told: Iterable[tuple[str, Array, npt.NDArray[np.bool_], str]]) -> None:
    """Refuse the first of what is looked at (its name, its values, where they are wrong, what they must be) that is
    wrong somewhere."""
    for what, found, wrong, must in told:
        if wrong.any():
            raise _refused(name, what, must, f"{plain(found[wrong][0])} at {letter} = {plain(at[wrong][0])}")


def _rise(name: str, what: str, letter: str, at: Array, beyond: npt.NDArray[np.bool_], below: Array, above: Array
          ) -> tuple[Array, Array]:
    """By how much a tail rises from each edge to the next, NaN beyond, and what that may be off by; a fall is refused.

    `above` is the complement of `below`, and serves where it is the smaller.
    """
    few = below[:, 1:] < 0.5
    rise = np.where(few, np.diff(below), -np.diff(above))
    off = _doubt(np.where(few, below[:, 1:], above[:, :-1]))
    rise[beyond[:, 1:] | beyond[:, :-1]] = np.nan
    if (falls := rise < -off).any():
        row, column = np.argwhere(falls)[0]
        raise _refused(name, what, f"such that it never falls as {letter} grows",
                       f"a fall from {letter} = {plain(at[row, column])} to {plain(at[row, column + 1])}")
    return rise, off


def _doubt(tail: Array) -> Array:
    """By how much a tail may be rounded, or a difference of it and a smaller one."""
    return np.asarray(_GOOD * tail * (1 - np.log(np.clip(tail, _LEAST, 1.0))) + _LEAST)


def _require_straight(name: str, what: str, letter: str, at: Array, values: Array, off: Array) -> None:
    """Refuse values, each off by so much at most, whose logarithm bends upwards somewhere.

    Each row has values at places equally far apart; NaN where there is none.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        least, most = np.log(np.maximum(values - off, 0.0)), np.log(values + off)
        # No place lies below both of what is highest before it and behind it.
        before = np.fmax.accumulate(least, axis=1)
        behind = np.fmax.accumulate(least[:, ::-1], axis=1)[:, ::-1]
        bent = np.minimum(before, behind) > most
        for apart in _APART:
            bent[:, apart:-apart] |= least[:, : -2 * apart] + least[:, 2 * apart :] > 2 * most[:, apart:-apart]
    if bent.any():
        first = at[:, : bent.shape[1]][bent][0]
        raise _refused(name, what, f"concave in {letter}", f"a bend upwards at {letter} = {plain(first)}")


def _refused(name: str, what: str, must: str, found: str) -> InvalidParameter:
    """The refusal of a mechanism by its name: what of it must be what, and what was found instead."""
    return InvalidParameter(f"{name}: {what}", must, Verbatim(found))
