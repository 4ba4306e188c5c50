"""What all that is derived of a decision assumes of it, looked at before anything is derived."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from dpstudio.core.declare import Array
from dpstudio.mechanisms.windows import bend, doubt, edges, refused
from dpstudio.text.numbers import plain
from dpstudio.vocabulary import EXACT_INTEGERS

Tail: TypeAlias = Callable[[Array], Array]
"""f or g at each n of a vector, which it may overwrite."""

_WIDTHS = 27
"""Of windows, 1 to 2⁵² records."""
_SECTIONS = 129
"""Places at once among which the middle is sought."""
_COMPLEMENTS = 1e-14
"""How far both tails may be from adding up to 1."""


def require_concave(name: str, accept: Tail, reject: Tail) -> None:
    """Refuse tails that are no probabilities or no complements, fall or rise the wrong way, or rise by more than one
    hump: where ln(f(n+1) − f(n)) bends upwards by more than rounding, as far as windows show."""
    end = float(EXACT_INTEGERS - 1)
    with np.errstate(all="ignore"):
        n = np.concatenate([edges(middle, 1.0, _WIDTHS) for middle in (_middle(accept, reject, end), 0.0)])
        beyond = (n < 0) | (n > end)
        n = np.clip(n, 0.0, end)
        f, g = (tail(n.reshape(-1).copy()).reshape(n.shape) for tail in (accept, reject))
        for called, tail in (("f(N)", f), ("1 − f(N)", g)):
            if (wrong := ~((tail >= 0) & (tail <= 1))).any():
                raise refused(name, called, "in [0, 1]", f"{plain(tail[wrong][0])} at N = {plain(n[wrong][0])}")
        if (wrong := np.abs((f - 0.5) + (g - 0.5)) > _COMPLEMENTS).any():
            raise refused(name, "the sum of both probabilities", "1",
                           f"{plain((f + g)[wrong][0])} at N = {plain(n[wrong][0])}")
        few = f[:, 1:] < 0.5
        rise = np.where(few, np.diff(f), -np.diff(g))
        off = doubt(np.where(few, f[:, 1:], g[:, :-1]))
        rise[beyond[:, 1:] | beyond[:, :-1]] = np.nan
        if (falls := rise < -off).any():
            row, column = np.argwhere(falls)[0]
            raise refused(name, "f(N)", "such that it never falls as N grows",
                           f"a fall from N = {plain(n[row, column])} to {plain(n[row, column + 1])}")
        if place := bend(rise, off):
            raise refused(name, "the logarithm of its rise, ln(f(N + 1) − f(N)),", "concave in N",
                           f"a bend upwards at N = {plain(n[place])}")


def _middle(accept: Tail, reject: Tail, end: float) -> float:
    """About where a decision has risen by half of what it rises by from 0 to the end."""
    first, last, half = 0.0, end, math.nan
    while last - first > 1:
        n = np.rint(np.linspace(first, last, _SECTIONS))
        level = accept(n.copy()) - reject(n.copy())
        half = (level[0] + level[-1]) / 2 if math.isnan(half) else half
        place = max(int((level >= half).argmax()), 1)
        first, last = float(n[place - 1]), float(n[place])
    return last
