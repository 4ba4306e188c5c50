"""Whether a law is log-concave, as far as windows of it show: what derived privacy losses are true of.

Where single masses or a density have a concave logarithm, so have the masses of windows of one width that stand side
by side. Looked at are windows of 1, 4, 16, … units, sixteen on either side of a middle: the narrow ones see a bend near
it, the wide ones a second hump or a tail that falls ever more slowly, however far away.

A bend is seen where it is more than the rounding of tails that are good to 1e-12 of themselves, and where it is as wide
as a quarter of its distance from the middle or leaves a hump of such windows: what passes is not proved to be
log-concave.
"""

from __future__ import annotations

import numpy as np

from dpstudio.core.declare import Array, InvalidParameter, Verbatim

SIDE = 16
"""Windows on either side of the middle, of each width."""
_GOOD = 2.0**-40
"""What is relied on of a tail, relative to it and times its logarithm."""
_LEAST = 1e-300
"""Less than this is not told from 0."""
_APART = 1, 2, 4, 8


def edges(middle: float, unit: float, wide: int) -> Array:
    """The edges of windows of so many widths from a unit on, a row for each, in order; the middle is among them."""
    return np.asarray(middle + unit * np.ldexp(np.arange(-SIDE, SIDE + 1.0), 2 * np.arange(wide)[:, None]))


def doubt(tail: Array) -> Array:
    """By how much a tail may be rounded, or a difference of it and a smaller one."""
    return np.asarray(_GOOD * tail * (1 - np.log(np.clip(tail, _LEAST, 1.0))) + _LEAST)


def bend(values: Array, off: Array) -> tuple[int, int] | None:
    """The first row and column at which the logarithm of values bends upwards, None where it does nowhere.

    Each row has values at places equally far apart, each off by so much at most; NaN where there is none.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        least, most = np.log(np.maximum(values - off, 0.0)), np.log(values + off)
        # No place lies below both of what is highest before it and behind it.
        before = np.fmax.accumulate(least, axis=1)
        behind = np.fmax.accumulate(least[:, ::-1], axis=1)[:, ::-1]
        bent = np.minimum(before, behind) > most
        for apart in _APART:
            bent[:, apart:-apart] |= least[:, : -2 * apart] + least[:, 2 * apart :] > 2 * most[:, apart:-apart]
    return tuple(np.argwhere(bent)[0].tolist()) if bent.any() else None


def refused(name: str, what: str, must: str, found: str) -> InvalidParameter:
    """The refusal of a mechanism by its name: what of it must be what, and what was found instead."""
    return InvalidParameter(f"{name}: {what}", must, Verbatim(found))
