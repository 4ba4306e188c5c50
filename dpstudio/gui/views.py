"""Which stretch of each table's x axis is shown, and when it may move.

A study names a natural window for each table. While something is dragged the window stands still, so that a growing
ε is seen to steepen a curve rather than to relabel an axis; afterwards it moves only if what matters went out of it.
A person's own zoom stays until it is reset.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dpstudio.core.figure import Mark
from dpstudio.core.results import Window
from dpstudio.core.study import Study
from dpstudio.vocabulary import Value

TOLERANCE = 2.5
"""A window so many times wider or narrower than the natural one no longer fits."""


class Views:
    """The windows of one study's tables."""

    def __init__(self) -> None:
        self._shown: dict[str, Window] = {}
        self._chosen: set[str] = set()

    @property
    def shown(self) -> Mapping[str, Window]:
        """What to show, and therefore what a study should sample; a table that is not in it is shown as it comes."""
        return dict(self._shown)

    @property
    def chosen(self) -> frozenset[str]:
        """Tables that a person zoomed."""
        return frozenset(self._chosen)

    def choose(self, table: str, window: Window) -> None:
        """Show what a person zoomed or panned to."""
        self._shown[table] = window
        self._chosen.add(table)

    def follow(self, table: str | None = None) -> None:
        """Show the natural window again: of one table, or of all."""
        for each in list(self._shown) if table is None else [table]:
            self._shown.pop(each, None)
            self._chosen.discard(each)

    def take(self, natural: Mapping[str, Window], study: Study) -> None:
        """Hold on to the natural windows of the tables that follow theirs."""
        for table, window in natural.items():
            if table not in self._shown and sticks(study, table):
                self._shown[table] = window

    def misfits(self, natural: Mapping[str, Window], study: Study) -> frozenset[str]:
        """The tables whose window no longer shows what matters; one that a person zoomed always fits."""
        values = study.values()
        return frozenset(
            table for table, window in natural.items()
            if table in self._shown and table not in self._chosen
            and not fits(self._shown[table], window, marks(study, table, values)))


def fits(shown: Window, natural: Window, values: Sequence[float]) -> bool:
    """Whether a window still does: about as wide as the natural one, and with every value in it that this one has."""
    width, wanted = shown[1] - shown[0], natural[1] - natural[0]
    if not wanted / TOLERANCE <= width <= wanted * TOLERANCE:
        return False
    return all(shown[0] <= value <= shown[1] for value in values if natural[0] <= value <= natural[1])


def marks(study: Study, table: str, values: Mapping[str, Value]) -> list[float]:
    """Where the figures of a table mark a parameter on the x axis."""
    return [layer.factor * float(values[layer.parameter]) for figure in study.figures if figure.table == table
            for layer in figure.layers if isinstance(layer, Mark) and layer.axis == "x"]


def sticks(study: Study, table: str) -> bool:
    """Whether a table's window may stand still; one on a log axis follows, for there a factor is a small step."""
    return all(figure.x.scale == "linear" for figure in study.figures if figure.table == table)
