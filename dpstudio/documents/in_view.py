"""What of a study is in view: two pictures, and of the rest what is seen first, unless somebody opened more.

Which pictures they are is kept as the figure that was chosen in each place of a study, as sessions had it when every
place was in view; where that would not say it, under `large` and `beside`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache

from dpstudio.core.figure import Figure
from dpstudio.core.study import Study

LARGE, BESIDE = "large", "beside"
MORE = PARAMETERS, FACTS, SENTENCES, CURVES = "parameters", "facts", "sentences", "curves"
"""What can be opened: each shows everything of its kind."""


def in_view(kind: type[Study], figures: Mapping[str, str]) -> tuple[str, str]:
    """The keys of the large picture and of the one beside it, by the figures that were chosen.

    A figure of the large one's place is in its place; of other places the last that was chosen stands beside it.
    """
    first = kind.level_one
    large = figures.get(LARGE) or figures.get(kind.figure(first.large).place) or first.large
    chosen = [figures[BESIDE]] if BESIDE in figures else [
        key for place, key in reversed(list(figures.items())) if place != LARGE]
    others = (*chosen, *first.beside, first.large, *(each.key for each in kind.figures))
    return large, next((key for key in others if key != large), large)


def showing(kind: type[Study], large: str, beside: str) -> dict[str, str]:
    """What says that these are in view."""
    home = kind.figure(kind.level_one.large).place
    plain = {kind.figure(key).place: key for key in (large, beside)}
    if plain.get(home) == large:
        return plain
    return {LARGE: large, BESIDE: beside}


def seen_as_well(figures: Mapping[str, str], others: Mapping[str, str]) -> dict[str, str]:
    """The figures that were chosen, and others that are brought into view."""
    kept = {place: key for place, key in figures.items() if not others or place not in (*others, LARGE, BESIDE)}
    return {**kept, **others}


def opened(kind: type[Study], explicit: Collection[str], hidden: Collection[str]) -> frozenset[str]:
    """What has to be open where values of further parameters are set, or curves were hidden among all of them."""
    first = kind.level_one
    found = {PARAMETERS} if any(name not in first.parameters for name in explicit) else set()
    return frozenset(found | ({CURVES} if hidden else set()))


@cache
def folded(kind: type[Study]) -> frozenset[str]:
    """The keys of the series that are drawn only where somebody shows them: not those that are there by choice."""
    usual = kind()
    return frozenset(entry.series.key for entry in kind.answers().compared
                     if entry.series not in kind.level_one.series and entry.asked(usual))


def left_out(figure: Figure, kind: type[Study], keys: Collection[str]) -> frozenset[str]:
    """Of folded series those that a picture leaves out: none, where it is a further picture or has no other curves."""
    if kind.level_one.level_of_figure(figure.key) > 1 or all(one.key in keys for one in figure.drawn()):
        return frozenset()
    return frozenset(keys)
