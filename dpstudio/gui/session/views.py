"""Which stretch of each table's x axis is shown, and when it may move.

A study names a natural window for each table. While something is dragged the window stands still, so that a growing
ε is seen to steepen a curve rather than to relabel an axis; afterwards it moves only if what matters went out of it.
A person's own zoom stays until it is reset, or until a change moves out of it what it was about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dpstudio.core.figure import Mark
from dpstudio.core.results import Span
from dpstudio.core.study import Study
from dpstudio.vocabulary import Value

TOLERANCE = 2.5
"""A window so many times wider or narrower than the natural one no longer fits."""


class Views:
    """The windows of one study's tables."""

    def __init__(self) -> None:
        self._shown: dict[str, Span] = {}
        self._chosen: dict[str, int] = {}
        """Tables that a person zoomed, with how much of interest was in their window so far."""

    @property
    def shown(self) -> Mapping[str, Span]:
        """What to show, and therefore what a study should sample; a table that is not in it is shown as it comes."""
        return dict(self._shown)

    def choose(self, table: str, window: Span) -> None:
        """Show what a person zoomed or panned to."""
        self._shown[table] = window
        self._chosen[table] = 0

    def hold(self, chosen: Mapping[str, Span]) -> None:
        """Show what a session says a person zoomed to, and nothing else that a person did."""
        for table in self._chosen.keys() - chosen.keys():
            self.follow(table)
        for table, window in chosen.items():
            if table not in self._chosen or self._shown[table] != window:
                self.choose(table, window)

    def follow(self, table: str | None = None) -> None:
        """Show the natural window again: of one table, or of all."""
        for each in list(self._shown) if table is None else [table]:
            self._shown.pop(each, None)
            self._chosen.pop(each, None)

    def take(self, natural: Mapping[str, Span], study: Study) -> None:
        """Hold on to the natural windows of the tables that follow theirs, and note what those of a person show."""
        values = study.values()
        for table, window in natural.items():
            if table in self._chosen:
                now = interest(self._shown[table], window, marks(study, table, values))
                self._chosen[table] = max(self._chosen[table], now)
            elif table not in self._shown and sticks(study, table):
                self._shown[table] = window

    def misfits(self, natural: Mapping[str, Span], study: Study) -> frozenset[str]:
        """The tables whose window no longer shows what matters; of one that a person zoomed, what mattered in it."""
        values = study.values()

        def fit(table: str, window: Span) -> bool:
            marked = marks(study, table, values)
            if table in self._chosen:
                return interest(self._shown[table], window, marked) >= self._chosen[table]
            return fits(self._shown[table], window, marked)

        return frozenset(table for table, window in natural.items() if table in self._shown and not fit(table, window))


def interest(shown: Span, natural: Span, values: Sequence[float]) -> int:
    """What there is to see in a window: 2 some of the natural one, 1 no more than a marked value, 0 nothing."""
    if shown[0] < natural[1] and natural[0] < shown[1]:
        return 2
    return int(any(shown[0] <= value <= shown[1] for value in values))


def fits(shown: Span, natural: Span, values: Sequence[float]) -> bool:
    """Whether a window still does: about as wide as the natural one, around its middle, and with its marked values."""
    width, wanted = shown[1] - shown[0], natural[1] - natural[0]
    if not wanted / TOLERANCE <= width <= wanted * TOLERANCE:
        return False
    values = [(natural[0] + natural[1]) / 2, *values]
    return all(shown[0] <= value <= shown[1] for value in values if natural[0] <= value <= natural[1])


def marks(study: Study, table: str, values: Mapping[str, Value]) -> list[float]:
    """Where the figures of a table mark a parameter on the x axis."""
    return [layer.factor * float(values[layer.parameter]) for figure in study.figures if figure.table == table
            for layer in figure.layers if isinstance(layer, Mark) and layer.axis == "x"]


def sticks(study: Study, table: str) -> bool:
    """Whether a table's window may stand still; one on a log axis follows, for there a factor is a small step."""
    return all(figure.x.scale == "linear" for figure in study.figures if figure.table == table)
