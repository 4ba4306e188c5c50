"""The sliders of a living page: one parameter or two with their values, and how large and long that will be."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.figure import Figure
from dpstudio.core.solve.problem import APART
from dpstudio.documents.session import Session
from dpstudio.gui.controls.style import in_column, refusal_in_words
from dpstudio.gui.shell.theme import Theme
from dpstudio.gui.shell.worker import Pace, Worker
from dpstudio.gui.sweep.ranges import RangeForm
from dpstudio.text.language import tr
from dpstudio.text.sentences import duration

if TYPE_CHECKING:
    from dpstudio.documents.living import PageEstimate

FIRST, SECOND = 41, 9
"""Values of each slider, unless others are asked for."""
LOOKED = 250
"""Milliseconds from one look at size and time to the next."""
LOOKING = "How large it will be is being looked at."


class SlidersForm(QWidget):
    """One slider or two of the study in view, with the range of its own slider proposed."""

    changed = Signal()

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self._asked: tuple[str, tuple[str, ...]] | None = None
        self.wrong, self.told = "", tr(LOOKING)
        """Why there can be no page, if there can be none; how large it will be, and how long it takes."""
        self._worker = Worker("size of a living page", self)
        self._look = Pace(LOOKED, self._guess, self)
        self.ranges = (RangeForm(tr("Slider"), theme, optional=False, count=FIRST),
                       RangeForm(tr("and a second"), theme, optional=True, count=SECOND))
        in_column(*self.ranges, within=self)
        kind, values = session.study_class, session.study.values()
        first = kind.level_one.parameters
        self._offered = sorted((each for each in kind.parameters() if each.is_number and each.matters(values)
                                and each.range is not None and each.name not in APART),
                               key=lambda each: first.index(each.name) if each.name in first else len(first))
        names = [each.name for each in self._offered]
        indent = max(each.indent for each in self.ranges)
        for each in self.ranges:
            each.set_theme(theme)
            each.align(indent)
        self.ranges[0].offer(self._offered, "epsilon" if "epsilon" in names else next(iter(names), None))
        self._offer_second()
        self.ranges[0].parameter.currentIndexChanged.connect(self._offer_second)
        for each in self.ranges:
            each.changed.connect(self.changed)

    @property
    def over(self) -> tuple[str, ...]:
        """What is swept, as the command line reads it."""
        return tuple(each.text for each in self.ranges if each.chosen is not None and not each.refused)

    def ask(self, figure: Figure) -> None:
        """Look how large and long a page of this picture will be, unless that is known; `changed` says when it is."""
        if any(each.refused for each in self.ranges) or not self.over:
            self._asked, self.wrong = None, tr("Something above needs correcting.")
            self._worker.stop()
        elif (asked := (figure.key, self.over)) != self._asked:
            self._asked, self.wrong, self.told = asked, "", tr(LOOKING)
            self._worker.stop()
            self._look(figure, self.over)

    def close_down(self) -> None:
        """Leave nothing running."""
        self._worker.close()

    def _offer_second(self) -> None:
        self.ranges[1].offer([each for each in self._offered if each is not self.ranges[0].chosen], None)

    def _guess(self, figure: Figure, over: tuple[str, ...]) -> None:
        kind, session = self._session.study_class, self._session

        def work() -> Generator[None, None, PageEstimate]:
            from dpstudio.documents.living import Living, estimate, swept  # matplotlib comes with it

            return (yield from estimate(Living(session, figure, swept(kind, over))))

        self._worker.start(work, self._take, failed=self._refuse)

    def _take(self, found: PageEstimate) -> None:
        from dpstudio.documents.living import LARGEST

        size = tr("About {size} MB", size=f"{max(found.size / 1e6, 0.1):.1f}")
        large = found.size > LARGEST
        self.wrong = tr("{size}, and a page has at most {largest} MB: ask for fewer values.", size=size,
                        largest=LARGEST // 10**6) if large else ""
        self.told = tr("{size}, in about {seconds}.", size=size, seconds=duration(found.seconds))
        self.changed.emit()

    def _refuse(self, error: Exception) -> None:
        self.wrong = refusal_in_words(error, self._session.study.parameters()) if isinstance(error, InvalidParameter) \
            else tr("This could not be looked at: {error}.", error=error)
        self.changed.emit()
