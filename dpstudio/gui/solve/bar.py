"""Wanted: one row in which somebody says what is wanted, and reads who does it at which value."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy

from dpstudio.core.results import Series
from dpstudio.core.solve.want import Want
from dpstudio.core.study import Study
from dpstudio.gui.controls.choices import Drop
from dpstudio.gui.controls.style import dress_sign, in_column, in_row, is_escape, push, said_as, sign_button, spaced
from dpstudio.gui.shell.theme import Theme
from dpstudio.gui.solve.answers import AnswerButton, AnswerStrip
from dpstudio.gui.solve.row import WantedRow
from dpstudio.text.language import tr

MOST = 2
"""Things that can be wanted at once, and parameters that are solved for."""
NAMES = tuple(f"wanted{i}" for i in range(MOST))
"""What each of them is called where a parameter's name stands."""
TYPE = "type a value"
HINT = "type a value, or drag its line in a picture"
EVERY = "every allowed one"
NARROWEST, NARROW, WIDE = 700, 1000, 1400
"""Pixels at normal size of type below which answers alone say of whom they are, below which words that are understood
are left out, and from which names have room."""
LEAST, NAME, LONG_NAME = 440, 164, 250
"""Pixels that the row takes at least, and those of a name."""


class WantedBar(QFrame):
    """“I want [fact] [at most] [value] for [every allowed one] → [parameter]”, and an answer of each.

    Enter takes the first answer, Escape leaves everything as it was.
    """

    changed = Signal()
    """Something else is asked."""
    begun = Signal()
    """Somebody is here to want something."""
    fact_changed = Signal(object)
    """A row has another fact: whoever knows its present value tells it."""
    added = Signal()
    """One more thing is wanted."""
    taken = Signal(int)
    """Which of the answers was pressed."""
    entered = Signal()
    """Enter is pressed where something is wanted: take what does it."""
    region_wanted = Signal()
    left = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.setAccessibleName(tr("I want"))
        self._theme, self._of_series = theme, False
        self._offered: object = None
        """What tells which facts and parameters there are."""
        self.for_ = said_as(QLabel(tr("for")), role="muted")
        self.series = said_as(Drop(()), tr("Of whom it is wanted"))
        whom = QFrame()
        in_row(self.for_, self.series, within=whom, gap=6)
        self.whom = whom
        self.rows = [WantedRow(NAMES[0], tr("I want"), theme, whom), WantedRow(NAMES[1], tr("and"), theme)]
        self.answers = AnswerStrip(theme)
        self.add_button = push(tr("and…"), self.added, tr("Want a second fact as well"),
                               tr("Want a second fact as well, and solve for a second parameter"), "quiet")
        self.region_button = push(tr("Region…"), self.region_wanted,
                                  tip=tr("Where all that is wanted holds, parameter against parameter"))
        self.remove_button = sign_button("✕", tr("Remove the second fact"), tr("Remove the second fact"))
        self._first = in_row(self.rows[0], (self.answers, 1), self.add_button)
        self._second = QFrame()
        self._below = in_row(self.rows[1], self.region_button, None, self.remove_button, within=self._second)
        self._column = in_column(self._first, self._second, within=self)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._second.hide()
        self.remove_button.clicked.connect(self._remove)
        self.answers.taken.connect(self.taken)
        self.series.chosen.connect(lambda _: self.changed.emit())
        for row in self.rows:
            row.changed.connect(self.changed)
            row.entered.connect(self.entered)
            row.refused.connect(lambda _: self._say_refusal())
            row.entry.begun.connect(self.begun)
            row.fact_changed.connect(lambda row=row: self.fact_changed.emit(row))
            row.goal.chosen.connect(lambda _, row=row: self._keep_apart(row))
        self.set_theme(theme)

    # What is asked

    @property
    def several(self) -> bool:
        """Whether two things are wanted."""
        return not self._second.isHidden()

    @property
    def active(self) -> list[WantedRow]:
        """The rows that count."""
        return self.rows if self.several else self.rows[:1]

    @property
    def wants(self) -> tuple[Want, ...] | None:
        """What is wanted, of whomever; None while a value is missing."""
        wants = [row.want() for row in self.active]
        return tuple(want for want in wants if want) if all(wants) else None

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters that a hand chose or that were found."""
        return tuple(dict.fromkeys(row.goal.currentData() for row in self.active if row.goal.by_hand))

    @property
    def whose(self) -> str:
        """The key of the one series of which it is wanted; empty for all that are allowed."""
        return self.series.currentData() or ""

    @property
    def refusal(self) -> str:
        return next(filter(None, (row.refusal for row in self.active)), "")

    @property
    def hint(self) -> str:
        """What to do where nothing is wanted yet."""
        return tr(HINT) if any(row.drawn for row in self.active) else tr(TYPE)

    def show_study(self, study: Study) -> None:
        """Offer the facts that there are at these values, and the parameters that matter."""
        answer, values = study.answer(), study.values()
        shown = type(study), answer.chosen, [each.matters(values) for each in study.parameters()]
        if shown != self._offered:  # while a slider moves all that is offered stays
            self._offered = shown
            for row in self.rows:
                row.show_study(study, answer)

    def show_series(self, offered: Sequence[Series], key: str | None = None) -> None:
        """Offer these to want it of, or all at once; for a fact of the question as a whole there are none."""
        kept = self.whose if key is None else key
        if [each.key for each in offered] != [self.series.itemData(i) for i in range(2, self.series.count())]:
            self.series.clear()
            self.series.addItem(tr(EVERY), "")
            self.series.insertSeparator(1)
            for each in offered:
                self.series.addItem(tr(each.label), each.key)
        self.series.show_option(kept if kept in [each.key for each in offered] else "")
        self._of_series = bool(offered)
        self._fit()

    def show_names(self, names: Sequence[str]) -> None:
        """Solve for these parameters."""
        for row, name in zip(self.active, names, strict=False):
            row.goal.show_found(name)

    def want_second(self, *, shown: bool) -> None:
        """Let two things be wanted, or one."""
        self._second.setVisible(shown)
        for row in self.rows:
            row.show_at(shown)
        self._fit()

    def empty(self) -> None:
        """Want nothing."""
        self.want_second(shown=False)
        for row in self.rows:
            row.empty()
        self.answers.say(self.hint)

    def _say_refusal(self) -> None:
        if self.refusal:
            self.answers.say(self.refusal, refused=True)
        elif self.wants is None:
            self.answers.say(self.hint)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        spaced(self._column, theme, 4, (10, 4, 6, 4))
        for layout in (self._first, self._below):
            layout.setSpacing(theme.px(8))
        for row in self.rows:
            row.set_theme(theme)
        self.series.setFixedWidth(theme.px(NAME))
        self.setMinimumWidth(theme.px(LEAST))
        self.answers.set_theme(theme)
        dress_sign(self.remove_button, theme)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Leave out words that are understood where there is little room; whose it is stays where it is one alone."""
        room, theme = self.width() / self._theme.scale, self._theme
        usual = LONG_NAME if room >= WIDE else NAME if room >= NARROWEST else 0.75 * NAME
        # A long name has the room of words that are understood, or of those that are not said.
        whom = self._of_series and room >= (NARROWEST if self.whose else NARROW)
        most = LONG_NAME if room >= (NARROW if whom else NARROWEST) else usual
        wide = [max(theme.px(usual), min(row.facts.needed(theme), theme.px(most))) for row in self.rows]
        long = room < WIDE and self._of_series and wide[0] > theme.px(usual)
        for row, width in zip(self.rows, wide, strict=True):
            row.words.setVisible(room >= NARROW and not long)
            row.facts.setFixedWidth(width)
        self.for_.setVisible(room >= NARROW)
        self.whom.setVisible(whom)
        self.add_button.setVisible(not self.several and room >= NARROWEST)

    # What a hand does

    def event(self, event: QEvent) -> bool:
        """Escape belongs to the row while it has the keyboard."""
        return is_escape(event, self.left.emit) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            focused = self.window().focusWidget()
            if isinstance(focused, AnswerButton):
                focused.click()
        else:
            super().keyPressEvent(event)

    def _remove(self) -> None:
        self.want_second(shown=False)
        self.rows[1].empty()
        self.rows[0].entry.setFocus(Qt.FocusReason.OtherFocusReason)
        self.changed.emit()

    def _keep_apart(self, row: WantedRow) -> None:
        """The same parameter is not solved for twice: the other takes another."""
        other = self.rows[1 - self.rows.index(row)].goal
        if self.several and other.currentData() == row.goal.currentData():
            every = (other.itemData(i) for i in range(other.count()))
            other.show_found(next(each for each in every if each and each != row.goal.currentData()))
        self.changed.emit()
