"""The cards of a study's page beside its pictures: the facts, the parameters, and the sentences."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QWidget

from dpstudio.core.attacker import SPOKEN
from dpstudio.core.level import RUNNER_UP, LevelOne
from dpstudio.core.sentence import key_of
from dpstudio.core.study import Study
from dpstudio.documents.in_view import FACTS, PARAMETERS, SENTENCES
from dpstudio.documents.state import StudyState
from dpstudio.gui.controls.panel import Fold, ParametersPanel
from dpstudio.gui.controls.style import in_column, in_row, spaced
from dpstudio.gui.facts.sentences import Verdict
from dpstudio.gui.facts.view import FactsView
from dpstudio.gui.page.fearing import FearingLine
from dpstudio.gui.shell.theme import Theme
from dpstudio.text.language import tr


class FactsCard(QFrame):
    """The facts that are seen first; all of them, filtered and scrolled, where somebody opens them."""

    opened = Signal(str, bool)
    """A hand opened all of this kind, or closed it."""

    def __init__(self, facts: FactsView, theme: Theme) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.facts = facts
        self._heads: tuple[object, int] = None, 0
        """The highest that titles have been, as the table is laid out now."""
        self.fold = Fold(tr("all facts"), theme, name=tr("All facts"))
        self.fold.clicked.connect(lambda: self.opened.emit(FACTS, self.fold.isChecked()))
        self._head = QWidget()
        in_row(facts.filter, within=self._head)
        self._column = in_column(self._head, (facts, 1), self.fold, within=self, gap=0)
        self.set_theme(theme)

    def show_state(self, first: LevelOne, state: StudyState) -> None:
        """Show what the session says."""
        opened = FACTS in state.opened
        self.fold.setChecked(opened)
        self._head.setVisible(opened)
        if not opened:
            self.facts.filter.clear()
        self.facts.facts.show_only(None if opened else first, state.folded)

    def needed(self) -> int:
        """Pixels in which nothing of what is seen first is scrolled."""
        edges, facts = self._column.contentsMargins(), self.facts
        rows, heads = facts.verticalHeader().length(), facts.horizontalHeader().sizeHint().height()
        # Titles have another line beside a bar for scrolling, which goes when they have it, and the line with it.
        laid_out = facts.width(), rows, facts.facts.columnCount()
        self._heads = laid_out, max(heads, self._heads[1]) if laid_out == self._heads[0] else heads
        rows += self._heads[1]
        return rows + self.fold.sizeHint().height() + edges.top() + edges.bottom() + 2

    def set_theme(self, theme: Theme) -> None:
        spaced(self._column, theme, edges=(1, 4, 1, 2))
        layout = self._head.layout()
        assert layout is not None
        spaced(layout, theme, edges=(8, 2, 8, 2))
        self.fold.set_theme(theme, indent=theme.px(8))


class ParametersCard(QFrame):
    """The parameters that are seen first, and under a fold all others."""

    opened = Signal(str, bool)

    def __init__(self, study_class: type[Study], theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self.panel = ParametersPanel(study_class, theme, self, elsewhere=SPOKEN)
        self.panel.opened.connect(lambda opened: self.opened.emit(PARAMETERS, opened))
        self._column = in_column(self.panel, within=self)
        self._dress(theme)

    def set_theme(self, theme: Theme) -> None:
        self._dress(theme)
        self.panel.set_theme(theme)

    def _dress(self, theme: Theme) -> None:
        spaced(self._column, theme, edges=(12, 6, 8, 2))

    def needed(self) -> int:
        """Pixels in which nothing of it is scrolled."""
        return self.panel.content_height() + self._around()

    def fit(self, room: int) -> None:
        """Stand closer where there is no more room."""
        self.panel.fit(room - self._around())

    def _around(self) -> int:
        edges = self._column.contentsMargins()
        return edges.top() + edges.bottom() + 2


class SentencesCard(QFrame):
    """Whom one fears, what it means for one person, and what else to take away; all of it, where somebody opens it.

    Of what is seen first, what has no room to be read whole is under the fold, but for the first sentence.
    """

    opened = Signal(str, bool)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.fearing, self.verdict = FearingLine(theme), Verdict(theme)
        self.fold = Fold(tr("more"), theme, name=tr("More sentences"))
        self.fold.clicked.connect(lambda: self.opened.emit(SENTENCES, self.fold.isChecked()))
        self._said: tuple[str, ...] = ()
        self._before: tuple[str, ...] = ()
        self._keys: tuple[str, ...] = ()
        self._opened = self._beside = False
        self._column = in_column(self.fearing, (self.verdict, 1), self.fold, within=self, gap=0)
        self.set_theme(theme)

    def show_state(self, first: LevelOne, state: StudyState) -> None:
        """Say as much as the session says."""
        opened = SENTENCES in state.opened
        self.fold.setChecked(opened)
        if (opened, first.sentences) != (self._opened, self._keys):  # a hand that moves changes neither
            self._opened, self._keys = opened, first.sentences
            self._say()

    def show_sentences(self, before: Sequence[str], said: Sequence[str]) -> None:
        """Say these: first what is said before all, such as where counts come from; the headline is no part of it."""
        self._before, self._said = tuple(before), tuple(said)
        self._say()

    def say_runner_up(self, wanted: bool) -> None:
        """Whether what comes next is said here, for want of room under the headline."""
        if wanted != self._beside:
            self._beside = wanted
            self._say()

    def set_theme(self, theme: Theme) -> None:
        self.fearing.set_theme(theme)
        self.verdict.set_theme(theme)
        spaced(self._column, theme, edges=(1, 2, 1, 2))
        self.fold.set_theme(theme, indent=theme.px(8), above=theme.px(2))

    def least(self) -> int:
        """Pixels that the line above and its first sentence take."""
        return self.verdict.first_height() + self._around(not self.fold.isHidden())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._say()

    def _around(self, fold: bool) -> int:
        """Pixels of height beside the sentences, with the fold or without."""
        edges = self._column.contentsMargins()
        folded = self.fold.sizeHint().height() if fold else 0
        return self.fearing.sizeHint().height() + folded + edges.top() + edges.bottom() + 2

    def _with_room(self, sentences: Sequence[str], more: bool) -> int:
        """How many of these are read whole here, beside the fold where there are more or some of them are under it."""
        edges = self._column.contentsMargins()
        width = self.width() - edges.left() - edges.right() - 2
        for fold in dict.fromkeys((more, True)):  # where there is more anyway, once
            number = self.verdict.fitting(sentences, width, self.height() - self._around(fold))
            if number == len(sentences):
                break
        return number

    def _say(self) -> None:
        others = [each for each in self._said if key_of(each) != RUNNER_UP or self._beside]
        places = {key: i for i, key in enumerate((RUNNER_UP, *self._keys))}
        first = sorted((each for each in others if key_of(each) in places), key=lambda each: places[key_of(each)])
        rest = [each for each in others if key_of(each) not in places]
        if not first:  # of a study that does not say which
            first, rest = rest[:2], rest[2:]
        kept = max(len(first) - len(self._before), 1)  # what is said before all takes the room of the last of them
        seen = self._with_room((*self._before, *first[:kept]), len(first) > kept or bool(rest))
        kept = max(seen - len(self._before), 1)
        first, rest = first[:kept], [*first[kept:], *rest]
        self.fold.title = tr("{n} more", n=len(rest))
        self.fold.setVisible(bool(rest))
        self.fold.say("")
        self.verdict.show_sentences((*self._before, *first, *(rest if self.fold.isChecked() else ())))
