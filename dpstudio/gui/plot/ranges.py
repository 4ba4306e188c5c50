"""Which stretch of the y axis a picture shows: round, wide enough, and steady while a hand moves something."""

from __future__ import annotations

from dpstudio.core.results import Window

WASTE = 3.0
"""While a hand moves something, a range is kept until it is this many times wider than it need be."""


def steady(old: Window, new: Window) -> Window:
    """The old range for as long as it holds the new one without much waste."""
    holds = old[0] <= new[0] and new[1] <= old[1]
    return old if holds and (old[1] - old[0]) <= WASTE * (new[1] - new[0]) else new
