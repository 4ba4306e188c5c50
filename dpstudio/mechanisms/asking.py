"""Many answers of one decision: what they come to whichever N each is asked of, and what they reach while N stays."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import scipy.special

from dpstudio.core.declare import Array
from dpstudio.mechanisms.losses import Losses, repeated

CELLS, FEWEST, MOST = 4096, 16, 512
"""Cells of the grid of losses on either side of 0: of all answers together, and of one answer at least and at most."""
_ROUNDED = 1e-14
"""What a Fourier transform of probabilities may be off by, for each answer."""
_BEYOND = (1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0)


def whatever_is_asked(profile: Callable[[Array], Array], epsilon: float, k: int, delta: float) -> float:
    """An ε with which k answers are (ε, δ)-DP, each asked of any dataset, chosen after the answers before; ∞ if none.

    `profile` is δ(ε) of one answer on its worst pair of neighbours, either way, for an array of ε ≥ 0; `epsilon` is
    the ε of its guarantee. Two laws P and Q with that δ(ε) dominate every pair, and k of them every sequence [Zhu, Dong
    & Wang 2022, Theorem 10]. As max over pairs of E[(L − x)⁺], δ(ln x) is convex in x, so the chords between points of
    a grid lie on or above it: they are the δ(ε) of laws whose losses lie on that grid, and dominate, too
    [Doroshenko et al. 2022]. Losses beyond the grid count as infinite.
    """
    cells = min(max(FEWEST, CELLS // k), MOST)
    ends = epsilon * np.array(_BEYOND)
    deltas = profile(ends)
    step = float(ends[np.argmax(deltas <= deltas[-1] + 1e-3 * delta / k)]) / cells
    law, infinite = _on_grid(profile, step, cells)
    if infinite == 1:
        return math.inf
    size = 2 * cells * k + 1
    padded = 1 << (size - 1).bit_length()
    masses: Array = np.maximum(np.fft.irfft(np.fft.rfft(law, padded) ** k, padded)[:size], 0.0)
    values = step * np.arange(-cells * k, cells * k + 1.0)
    together = Losses(values, masses, -math.expm1(k * math.log1p(-infinite)))
    return float(together.epsilon(np.array([delta - _ROUNDED * k]))[0])


def _on_grid(profile: Callable[[Array], Array], step: float, cells: int) -> tuple[Array, float]:
    """The probabilities under P of the losses −`cells`·`step`, …, `cells`·`step`, and that of ∞."""
    above = step * np.arange(cells + 1.0)
    delta = profile(above)
    # P and Q change places: δ(−ε) = 1 − e^−ε (1 − δ(ε)).
    below = -np.expm1(-above[:0:-1]) + np.exp(-above[:0:-1]) * delta[:0:-1]
    heights, ratios = np.concatenate([below, delta]), np.exp(step * np.arange(-cells, cells + 1.0))
    # Beyond the last point δ stays as it is; from the first a chord goes to δ = 1 at ratio 0.
    widths = ratios[:-1] * math.expm1(step)
    slopes = np.concatenate([[(heights[0] - 1) / ratios[0]], np.diff(heights) / widths, [0.0]])
    return np.maximum(ratios * np.diff(slopes), 0.0), float(delta[-1])


def roughly_while_n_stays(accept: Array, reject: Array, losses: Array, k: int, delta: float) -> Array:
    """`while_n_stays` of many N, a column each, good to some digits: enough to tell where to look, for k ≤ 64, δ > 0.

    ∞ where an outcome proves which number it was, and has to be looked at by itself.
    """
    chances = np.concatenate([accept[1], reject[0]]), np.concatenate([reject[1], accept[0]])
    gain, drop = np.concatenate(losses), np.concatenate(losses[::-1])
    j = np.arange(k + 1.0)[:, None]
    with np.errstate(all="ignore"):
        masses = scipy.special.comb(k, j) * chances[0] ** j * chances[1] ** (k - j)
        values = np.nan_to_num(j * gain, nan=0.0) - np.nan_to_num((k - j) * drop, nan=0.0)
        # From one value to the next δ(ε) is what is reached there, less e^ε times the rest.
        reached = np.cumsum(masses[::-1], axis=0)[::-1]
        rest = np.cumsum((masses * np.exp(-values))[::-1], axis=0)[::-1]
        enough = reached - np.exp(values) * rest <= delta
        first = np.where(enough.any(axis=0), np.argmax(enough, axis=0), k)[None]
        met, left = (np.take_along_axis(each, first, axis=0)[0] for each in (reached, rest))
        found = np.minimum(np.log((met - delta) / left), np.take_along_axis(values, first, axis=0)[0])
    told = np.isfinite(gain) & np.isfinite(drop) & (chances[0] > 0) & (chances[1] > 0) & np.isfinite(found)
    return np.asarray(np.where(told, np.maximum(found, 0.0), math.inf).reshape(2, -1).max(axis=0))


def while_n_stays(accept: tuple[float, float], reject: tuple[float, float], losses: tuple[float, float], k: int,
                  delta: float) -> float:
    """The least ε with which k answers about N records and k about N + 1 are (ε, δ)-indistinguishable, exactly.

    `accept` and `reject` are f and 1 − f at N and at N + 1, `losses` those of “yes” and of “no” between them. The
    number of “yes” tells all, and is binomial.
    """
    of_yes, of_no = losses
    with_one = repeated(float(k), accept[1], reject[1], of_yes, of_no)
    without = repeated(float(k), reject[0], accept[0], of_no, of_yes)
    return max(float(law.epsilon(np.array([delta]))[0]) for law in (with_one, without))
