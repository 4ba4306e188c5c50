"""What all that is derived of a noise assumes of it, looked at before anything is derived."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from dpstudio.core.declare import Array
from dpstudio.mechanisms.windows import bend, doubt, edges, refused
from dpstudio.text.numbers import plain

Law: TypeAlias = Callable[[Array], Array]
"""The density, or Pr[X ≤ x], at each x of a vector."""

_WIDTHS = 27
"""Of windows of whole numbers, 1 to 2⁵²."""
_NARROW, _WIDER = 2.0**-20, 10
"""The narrowest windows of real numbers, in quartiles, and how many widths they have more."""
_FARTHEST, _LEAST = 1e300, 1e-300
"""No place is looked at beyond the one, and no density is told from 0 below the other."""
_COMPLEMENTS = 1e-14
"""How far both tails may be from adding up to 1."""


def require_concave(name: str, density: Law, cdf: Law, quartile: float, whole: bool) -> None:
    """Refuse a law that is not symmetric, whose tails are no complements, or the logarithm of whose density bends
    upwards by more than rounding, as far as windows show; `quartile` is how far from 0 half of the noise lies."""
    with np.errstate(all="ignore"):
        x = (edges(0.0, 1.0, _WIDTHS) if whole else
             edges(0.0, float(np.clip(quartile, _LEAST, _FARTHEST)) * _NARROW, _WIDTHS + _WIDER))
        beyond = np.abs(x) > _FARTHEST
        x = np.clip(x, -_FARTHEST, _FARTHEST)
        mass, below, above = (law(at.reshape(-1)).reshape(x.shape)
                              for law, at in ((density, x), (cdf, x), (cdf, -x - whole)))
        top = mass.max()  # 0 where there is none, and nothing is seen of it then
        share, rounded = mass / top, doubt(mass / top) + _LEAST / top
        # Beside each other: what is looked at, where it is wrong, what it must be.
        for what, found, wrong, must in (
            ("the density", mass, ~((mass >= 0) & np.isfinite(mass)), "a number of at least 0"),
            ("Pr[X ≤ x]", below, ~((below >= 0) & (below <= 1)), "in [0, 1]"),
            ("the sum of Pr[X ≤ x] and Pr[X > x]", below + above,
             np.abs((below - 0.5) + (above - 0.5)) > _COMPLEMENTS, "1"),
            ("the density", mass, np.abs(share - share[:, ::-1]) > rounded, "the same at x and −x"),
        ):
            if wrong.any():
                raise refused(name, what, must, f"{plain(found[wrong][0])} at x = {plain(x[wrong][0])}")
        low = x[:, 1:] <= 0
        within = np.where(low, np.diff(below), -np.diff(above))
        off = doubt(np.where(low, below[:, 1:], above[:, :-1]))
        within[beyond[:, 1:] | beyond[:, :-1]] = np.nan
        if (falls := within < -off).any():
            row, column = np.argwhere(falls)[0]
            raise refused(name, "Pr[X ≤ x]", "such that it never falls as x grows",
                          f"a fall from x = {plain(x[row, column])} to {plain(x[row, column + 1])}")
        for what, found, doubtful in (("its density", np.where(beyond, np.nan, share), rounded),
                                      ("its probability", within, off)):
            if place := bend(found, doubtful):
                raise refused(name, f"the logarithm of {what}", "concave in x",
                              f"a bend upwards at x = {plain(x[place])}")
