"""Maps: the values of a grid as shades of one ramp, with lines of equal value at round numbers.

Every painter draws what `shaded` and `isolines` say. What cannot be on the ramp is hatched: an infinity, a zero where
the ramp is of logarithms, and a cell without a value. A cell that is not computed yet is blank.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array
from dpstudio.core.figure import Axis
from dpstudio.core.results import not_yet
from dpstudio.records import dataclass
from dpstudio.scene.axes import ticks_of
from dpstudio.scene.palette import NEUTRAL, ramp
from dpstudio.text.numbers import said
from dpstudio.vocabulary import Interval, Quantity, Scale, amount

Shade: TypeAlias = Literal["ramp", "above", "below", "undefined"]
"""On the ramp; infinite; zero or minus infinite where the ramp does not reach; without a value."""
Pixels: TypeAlias = npt.NDArray[np.uint8]
"""Red, green, blue and opacity."""
MOST = 9
"""Lines of equal value, about."""
WIDE = 100.0
"""Values without an upper bound whose greatest is so many times the least are shaded by their logarithms."""
DIGITS = (0, 6, 9, 12)
"""Digits of the name of a line, the fewest that say its value."""
NEAREST, NARROWEST = 1e-9, 1e-300
"""Part of their positions by which the least and the greatest value must differ for lines between them, and of the way
between both by which a line keeps clear of them: at the very ends a plateau is outlined by its rounding errors. And the
least difference of positions that can be divided."""
HATCH, STROKE = 7.0, 1.2
"""From one line of a hatch to the next, and its width, in pixels of the screen."""


def grid(x: Array, y: Array) -> tuple[Array, Array]:
    """The values of both, each once, of a table that goes through all of y for every one of x."""
    changes = x != x[:1]
    length = int(changes.argmax()) if changes.any() else len(x)
    return x[::max(length, 1)], y[:length]


def edges(centres: Array) -> Array:
    """Where the cells begin and end: half way from one centre to the next, and at the outermost centres."""
    if len(centres) < 2:
        return np.concatenate([centres - 0.5, centres + 0.5])
    return np.concatenate([centres[:1], (centres[1:] + centres[:-1]) / 2, centres[-1:]])


@dataclass(frozen=True, slots=True)
class Shading:
    """Which values the ends of the ramp stand for, and whether it runs by logarithms; NaN where there are none."""

    low: float
    high: float
    scale: Scale

    def along(self, values: Array) -> Array:
        """Values as positions: themselves or their logarithms."""
        if self.scale == "linear":
            return values
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(values <= 0, -np.inf, np.log10(values))

    def parts(self, values: Array) -> Array:
        """How far along the ramp values lie, from 0 to 1; what is not on it stays infinite or NaN."""
        low, high = self.along(np.array([self.low, self.high]))
        at = self.along(values)
        if not high > low:
            return np.where(np.isfinite(at), 0.5, at)
        with np.errstate(invalid="ignore"):
            # Halved: the ends may be further apart than the largest number.
            return np.asarray((at / 2 - low / 2) / (high / 2 - low / 2))


def shading(values: Array, quantity: Quantity) -> Shading:
    """The ends of the values that are finite, by logarithms where the quantity's scale says so or they are far apart.

    Nothing below zero has a logarithm; zeros are then left beside the ramp.
    """
    finite = values[np.isfinite(values)]
    if not finite.size:
        return Shading(math.nan, math.nan, "linear")
    low, high = float(finite.min()), float(finite.max())
    domain = quantity.domain
    bounded = isinstance(domain, Interval) and math.isfinite(domain.high)
    if low >= 0 and high > 0 and (quantity.scale == "log" or (low > 0 and not bounded and high > WIDE * low)):
        return Shading(float(finite[finite > 0].min()), high, "log")
    return Shading(low, high, "linear")


def beside_ramp(values: Array, quantity: Quantity) -> Mapping[Shade, str]:
    """What of the values is not on the ramp, and the words for it."""
    parts = shading(values, quantity).parts(values)
    found: dict[Shade, str] = {}
    if (parts == np.inf).any():
        found["above"] = "∞"
    if (parts == -np.inf).any():
        zero = (values == 0).any()
        found["below"] = "0 and −∞" if zero and (values == -np.inf).any() else "0" if zero else "−∞"
    if (np.isnan(parts) & ~not_yet(values)).any():
        found["undefined"] = "no value"
    return found


def isolines(cells: Sequence[Array], quantity: Quantity) -> Iterator[tuple[str, Array, Array]]:
    """Words and points, broken by NaN, of lines of equal value at round numbers between the least and the greatest.

    Between cells values are taken to run straight, as positions on the ramp do.
    """
    x, y, values = cells
    known = shading(values, quantity)
    low, high = map(float, known.along(np.array([known.low, known.high])))  # whose difference may be ∞
    if len(x) < 2 or len(y) < 2 or not max(NEAREST * max(abs(low), abs(high)), NARROWEST) < high - low < math.inf:
        return
    from contourpy import LineType, contour_generator  # of no use to most pictures

    heights = np.ma.masked_invalid(known.along(values))
    drawn = contour_generator(x, y, heights, name="serial", line_type=LineType.ChunkCombinedNan)
    for at in ticks_of(Axis(quantity, known.scale), low, high, MOST).major:
        if not NEAREST < (at - low) / (high - low) < 1 - NEAREST:
            continue
        found = drawn.lines(at)[0][0]  # of the one chunk the points, or None
        value = float(f"{10**at if known.scale == 'log' else at:.12g}")
        said_as = (amount(value, quantity, digits) for digits in DIGITS)
        words = next((each for each in said_as if float(said(each)) == value), "")
        if words and found is not None and len(found):
            yield words, np.asarray(found[:, 0]), np.asarray(found[:, 1])


def shaded(cells: Sequence[Array], quantity: Quantity, across: Array, up: Array, *, dark: bool,
           ratio: float = 1.0) -> Pixels:
    """A picture of the map, a pixel for each position across and up, from the top; `ratio` is how many of them are one
    of the screen's.

    Cells are x and y in ascending order and their values, a row for each y. What has no colour is clear but for its
    hatch; what is not computed yet has none.
    """
    x, y, values = cells
    columns = np.searchsorted(edges(x)[1:-1], across, side="right")
    rows = np.searchsorted(edges(y)[1:-1], up, side="right")
    parts = shading(values, quantity).parts(values)
    return _painted(parts, rows, columns, dark, ratio, np.isnan(parts) & ~not_yet(values))


def sample(shade: Shade, width: int, height: int, *, dark: bool, ratio: float = 1.0) -> Pixels:
    """What a legend shows of the ramp, or of a hatch."""
    fill: dict[Shade, float] = {"above": math.inf, "below": -math.inf, "undefined": math.nan}
    parts = np.full(width, fill[shade]) if shade in fill else np.linspace(0.0, 1.0, width)
    parts = parts[None, :]
    return _painted(parts, np.zeros(height, dtype=np.intp), np.arange(width), dark, ratio, np.isnan(parts))


def _painted(parts: Array, rows: npt.NDArray[np.intp], columns: npt.NDArray[np.intp], dark: bool,
             ratio: float, undefined: npt.NDArray[np.bool_]) -> Pixels:
    known = ~np.isnan(parts)
    colours = np.concatenate([ramp(np.clip(np.where(known, parts, 0.0), 0.0, 1.0), dark=dark),
                              np.where(known, 255, 0)[..., None].astype(np.uint8)], axis=-1)
    picture = colours[rows[:, None], columns[None, :]]
    if np.isfinite(parts).all():
        return picture
    i, j = np.arange(len(rows))[:, None], np.arange(len(columns))[None, :]
    ink, other = (np.array([int(colour[k:k + 2], 16) for k in (1, 3, 5)], dtype=np.uint8)
                  for colour in (NEUTRAL.colour(dark=dark), NEUTRAL.colour(dark=not dark)))
    # Lines at half their strength: at the full one they would say more than the values.
    for odd, lines, colour in (
            (undefined, i + j, ink), (parts == np.inf, i - j, other), (parts == -np.inf, i - j, ink)):
        if odd.any():
            drawn = odd[rows[:, None], columns[None, :]] & (lines % (HATCH * ratio) < STROKE * ratio)
            clear = picture[drawn, 3:] == 0
            picture[drawn, :3] = np.where(clear, colour, picture[drawn, :3] // 2 + colour // 2)
            picture[drawn, 3:] = np.where(clear, 128, 255)
    return picture
