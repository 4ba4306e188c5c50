"""One table of colours and dashes for every painter: the same look means the same mechanism everywhere.

The hues follow Okabe & Ito (2008), tuned to each background: a series keeps its hue from one to the other. Dashes tell
them apart in grey too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import numpy.typing as npt

from dpstudio.core.declare import Array
from dpstudio.core.results import Series
from dpstudio.records import dataclass


@dataclass(frozen=True, slots=True)
class Style:
    """How a series looks: a colour on light and on dark ground, and dash lengths in pen widths (none: solid)."""

    light: str
    dark: str
    dash: tuple[float, ...] = ()
    width: float = 2.0

    def colour(self, *, dark: bool) -> str:
        return self.dark if dark else self.light

    def ink(self, *, dark: bool) -> str:
        """The colour of words of it, which take more contrast than a line does."""
        return _ink(self.colour(dark=dark), dark)


REFUSED, DECIDED = 0.4, 1.5
"""Opacity of what is not allowed, and how many times as wide a curve is that somebody decided for."""

NEUTRAL = Style("#37424d", "#cdd6df")
"""What belongs to no series."""

STYLES = {
    "laplace": Style("#0065b3", "#58b4ff"),
    "cutoff": Style("#c44a00", "#ff9a57", (6, 3)),
    "generalized": Style("#00805a", "#35d0a0", (9, 3, 2, 3)),
    "gaussian": Style("#8a3ba8", "#d694f0", (2, 2)),
    "matched": Style("#736a00", "#e6dc52", (4, 2, 1.5, 2, 1.5, 2)),
    # Which groups to show, and whole noise
    "selection_optimal": Style("#2b9400", "#8cff66", (8, 2, 3, 2)),
    "discrete_gaussian": Style("#d6006f", "#ff4fa8", (4, 2, 1, 2, 1, 2)),
    "selection_laplace": Style("#883c20", "#fbccae", (7, 2, 1, 2)),
    "selection_gaussian": Style("#101820", "#ffffff", (14, 3)),
    "response": Style("#c2185b", "#ff7eb6", (20, 2)),
    "best": Style("#1a9a90", "#3fe0e0", (3, 3)),
    "raw": Style("#6b3f2a", "#c9a183", (6, 2, 1, 2)),
    "shuffled": Style("#00805a", "#35d0a0", (9, 3, 2, 3)),
    "geometric": Style("#24307a", "#8080ff", (10, 2, 4, 2)),
    "open": Style("#4f7d00", "#a8d93c", (4, 2)),
    "both": Style("#5b1fa6", "#b99bff", (9, 2, 2, 2)),
    "waiting": Style("#0a8458", "#2fcf9f", (2, 2)),
    "acting": Style("#c44a00", "#ff9a57", (6, 3)),
    # Levels of one quantity, from the faintest to the strongest
    "level1": Style("#8b9299", "#757d85", (3, 2)),
    "level2": Style("#6d747b", "#97a0a8", (8, 2)),
    "level3": Style("#50575e", "#b9c3cc", (16, 2, 2, 2)),
    "level4": Style("#2b2b2b", "#e8eef4", (12, 2, 2, 2, 2, 2)),
    "gaussian_classical": Style("#876900", "#e3b93c", (5, 2, 1, 2)),
    "printed": Style("#b3131c", "#ff5a5f", (1, 2)),
    "snapped": Style("#6b3f2a", "#c9a183", (7, 2)),
    "staircase": Style("#00805a", "#35d0a0", (9, 3)),
    "promise": Style("#5e6b78", "#93a2b1", (3, 3, 1, 3)),
    "basic": Style("#101820", "#ffffff", (10, 2)),
    "advanced": Style("#d6006f", "#ff4fa8", (8, 4)),
    "simple": Style("#0092a8", "#2fd3ea", (6, 2, 2, 2)),
    "accounting": Style("#1a1aff", "#5b93ff", (2, 3)),
    "group_formula": Style("#9a6a00", "#b08a00", (3, 2)),
    # An audit: what draws certify, what is so, and the two datasets
    "audited": Style("#b3001b", "#ff7a6b"),
    "law": Style("#007a5c", "#35d6a6", (9, 3)),
    "fewer": Style("#4a4fb5", "#8f9bff", (14, 2)),
    "more": Style("#b36b00", "#ffc24d", (4, 2)),
    # What is believed of a rate
    "prior": Style("#7b838b", "#8a939c", (3, 2)),
    "truth": Style("#101820", "#ffffff", (14, 3)),
    "naive": Style("#d000c0", "#ff4fd8", (1, 2)),
    "clamped": Style("#c44a00", "#ff9a57", (6, 3)),
    "aware": Style("#0065b3", "#58b4ff"),
    "optimal": Style("#2b9400", "#8cff66", (8, 2, 3, 2)),
    # A database and its neighbour, what is asked of them, and a table without names
    "database": Style("#3a3a3a", "#e8eef4", (14, 2)),
    "neighbour": Style("#c44a00", "#ff9a57", (5, 2)),
    "this": Style("#c44a00", "#ff9a57", (5, 2)),
    "local": Style("#3a3a3a", "#e8eef4", (14, 2)),
    "global": Style("#5e6b78", "#93a2b1", (3, 3, 1, 3)),
    "of_histogram": Style("#00805a", "#35d0a0", (9, 3, 2, 3)),
    "of_sum": Style("#736a00", "#e6dc52", (4, 2, 1.5, 2, 1.5, 2)),
    "of_mean": Style("#c2185b", "#ff7eb6", (20, 2)),
    "of_median": Style("#8a3ba8", "#d694f0", (2, 2)),
    "table": Style("#d000c0", "#ff4fd8", (7, 2, 1, 2)),
    # Ways to release a running count
    "sequential": Style("#0065b3", "#58b4ff"),
    "retrain": Style("#c44a00", "#ff9a57", (6, 3)),
    "skewed": Style("#8a3ba8", "#d694f0", (2, 2)),
    "tree": Style("#00805a", "#35d0a0", (9, 3, 2, 3)),
    "unnoised": Style("#37424d", "#cdd6df", (12, 3)),
}

SPARE = (
    Style("#a070ff", "#bb33ff", (8, 3)),
    Style("#660052", "#b95b87", (16, 2, 3, 2)),
    Style("#075507", "#4c8f00", (3, 2, 7, 2)),
    Style("#0088ff", "#0081c2", (5, 2, 2, 2, 2, 2)),
    Style("#bf69a8", "#ffb8fa", (1, 3)),
    Style("#5c0000", "#c75a23", (11, 2, 1.5, 2, 1.5, 2)),
)
"""For what has no look of its own: told apart from all that have, and from each other, on both grounds and in grey."""

RAMP = ("#faf8d1", "#cbe2aa", "#96cc9c", "#64b397", "#329892", "#007b8f", "#005c88", "#0d3a76", "#1f1a5a")
"""The colours of a map at even steps of what is seen, from its least value to its greatest on a light ground; on a dark
one the other way round, so that the greatest stands out. Their lightness alone tells them apart."""


READ = 4.5
"""Contrast of words with their ground that WCAG 2.2 asks for (1.4.3); lines take 3 (1.4.11)."""
GROUNDS = "#ffffff", "#272e36"
"""What words stand on in a light picture, and the lighter of what they stand on in a dark one."""


def luminance(colour: str) -> float:
    """Relative luminance of “#rrggbb” (WCAG 2.2), from 0 to 1."""
    parts = (int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@cache
def _ink(colour: str, dark: bool) -> str:
    """The colour, moved towards black on light ground and white on dark one, in hundredths, until it can be read."""
    ground, end = luminance(GROUNDS[dark]) + 0.05, 255 * dark
    for part in range(101):
        mixed = [round(int(colour[i:i + 2], 16) * (1 - part / 100) + end * part / 100) for i in (1, 3, 5)]
        moved = f"#{mixed[0]:02x}{mixed[1]:02x}{mixed[2]:02x}"
        own = luminance(moved) + 0.05
        if max(own, ground) / min(own, ground) >= READ:
            return moved
    raise AssertionError(colour)  # black and white can be read on either


@cache
def _ramp() -> Array:
    return np.array([[int(colour[i:i + 2], 16) for i in (1, 3, 5)] for colour in RAMP], dtype=np.float64)


def ramp(parts: Array, *, dark: bool) -> npt.NDArray[np.uint8]:
    """Red, green and blue at parts of the way from the least value to the greatest, in one more dimension."""
    along = np.linspace(1.0, 0.0, len(RAMP)) if dark else np.linspace(0.0, 1.0, len(RAMP))
    order = np.argsort(along)
    channels = [np.interp(parts, along[order], channel[order]) for channel in _ramp().T]
    return np.asarray(np.rint(np.stack(channels, axis=-1)), dtype=np.uint8)


def begun(dash: tuple[float, ...], room: float) -> float:
    """Where in its pattern a short sample of a line begins, in pen widths: late enough that the first gap and what
    follows it are seen, or a long dash would be taken for a solid line."""
    first, gap, following = (*dash, *dash)[:3]
    return max(0.0, first + gap + min(following, (room - gap) / 2) - room)


def style(series: Series | None, compared: Sequence[Series] = ()) -> Style:
    """How a series looks: by its look or, where the table has no such, by its place among those like it.

    `compared` is all that its study compares, so that it looks the same in every picture.
    """
    if series is None:
        return NEUTRAL
    if series.look in STYLES:
        return STYLES[series.look]
    others = list(dict.fromkeys(each.look for each in compared if each.look not in STYLES))
    again, place = divmod(others.index(series.look) if series.look in others else len(others), len(SPARE))
    return replace(SPARE[place], dash=(*SPARE[place].dash, *(1, 2) * again))
