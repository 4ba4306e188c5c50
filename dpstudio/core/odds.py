"""What an answer makes of a belief: Bayes’ rule, without what takes long to read."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array

_NARROW = 700.0
"""Beyond e^±700 a double has few digits, or none."""


def updated(belief: npt.ArrayLike, loss: npt.ArrayLike) -> float | Array:
    """The belief p after an outcome of that privacy loss ℓ, by Bayes' rule: p/(p + (1 − p) e^−ℓ).

    Beliefs are in [0, 1], losses in [−∞, ∞], of any shapes; of 0 and 1 nothing changes the belief.
    """
    p, gained = np.broadcast_arrays(np.asarray(belief, dtype=np.float64), np.asarray(loss, dtype=np.float64))
    near = np.where(np.abs(gained) > _NARROW, _NARROW / 2, 0.0)  # else e^−ℓ would have few digits, or none
    here, away = np.exp(near), np.exp(near - np.abs(gained))
    up, down = np.where(gained > 0, here, away) * p, np.where(gained > 0, away, here) * (1 - p)
    found = np.divide(up, up + down, out=p.copy(), where=up + down > 0)
    return found if found.ndim else float(found)
