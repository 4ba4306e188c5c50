"""The card in which somebody says what is wanted, and reads which values do it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from dpstudio.core.declare import Parameter
from dpstudio.core.solve.want import Want
from dpstudio.core.study import Study
from dpstudio.gui.controls.kinds import Drop
from dpstudio.gui.controls.style import (
    dress_sign,
    heading,
    in_column,
    in_row,
    is_escape,
    no_narrower,
    prose,
    push,
    said_as,
    sign_button,
    spaced,
)
from dpstudio.gui.facts.model import Place
from dpstudio.gui.shell.foreign import breakable, together
from dpstudio.gui.shell.theme import Theme
from dpstudio.gui.solve.guess import solvable
from dpstudio.gui.solve.wanted import WantedRow
from dpstudio.text.numbers import powered

LINES = 3
"""Lines of the usual answer."""
MOST = 2
"""Things that can be wanted at once, and parameters that are solved for."""
NAMES = tuple(f"wanted{i}" for i in range(MOST))
"""What each of them is called where a parameter's name stands."""


class ParameterBox(Drop):
    """The parameters that can be solved for."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__((), parent)
        no_narrower(self, 3)

    def show_parameters(self, parameters: Sequence[Parameter]) -> None:
        """Offer these; the one that is chosen stays, if it is among them."""
        kept = self.currentData()
        if [each.name for each in parameters] != [self.itemData(i) for i in range(self.count())]:
            self.clear()
            for each in parameters:
                self.addItem("  ".join(filter(None, heading(each.quantity))), each.name)
                self.setItemData(self.count() - 1, each.quantity.sentence, Qt.ItemDataRole.ToolTipRole)
            self.show_option(kept)


class SolveCard(QFrame):
    """What is wanted, by which parameter, and the answer; Enter takes it, Escape leaves everything as it was."""

    changed = Signal()
    """Something else is asked."""
    moved = Signal()
    """What is wanted moves on under a hand."""
    fact_changed = Signal(object)
    """A row has another fact: whoever knows its present value begins it."""
    added = Signal()
    """One more thing is wanted."""
    chosen = Signal(int)
    """Another of several solutions."""
    taken = Signal()
    """The button is pressed."""
    entered = Signal()
    """Enter is pressed where something is wanted: take what does it."""
    region_wanted = Signal()
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self.setAccessibleName("Solve")
        self._theme = theme
        self.rows = [WantedRow(name, theme) for name in NAMES]
        self.boxes = [ParameterBox() for _ in NAMES]
        self.add_button = push("and…", self.added, "Want a second fact as well",
                               "Want a second fact as well, and solve for a second parameter", "quiet")
        self.note, self.says = prose(name="Remark", role="muted"), prose(name="Answer", selectable=True)
        self.says.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.others = said_as(Drop(()), "Which solution")
        self.region_button = push("Region…", self.region_wanted,
                                  tip="Where all that is wanted holds, parameter against parameter")
        self.take_button = push("Take", self.taken, role="primary")
        self.close_button = sign_button("✕", "Close the solver", "Close, and leave everything as it is (Esc)")
        by, self._and = said_as(QLabel("by"), role="muted"), said_as(QLabel("and"), role="muted")
        head = in_row(said_as(QLabel("Solve"), role="title"), None, self.close_button, gap=4)
        below = in_row(by, (self.boxes[0], 1), self._and, (self.boxes[1], 1), gap=4)
        foot = in_row(self.add_button, None, self.region_button, self.take_button, gap=4)
        self._column = in_column(head, *self.rows, below, self.note, self.says, self.others, foot, within=self)
        self.close_button.clicked.connect(self.closed)
        self.others.activated.connect(self.chosen)
        for row in self.rows:
            row.changed.connect(self.changed)
            row.moved.connect(self.moved)
            row.entered.connect(self.entered)
            row.fact_changed.connect(lambda row=row: self.fact_changed.emit(row))
            row.removed.connect(lambda row=row: self._remove(row))
        for box in self.boxes:
            box.chosen.connect(lambda _, box=box: self._choose(box))
        self.set_theme(theme)

    # What is asked

    @property
    def several(self) -> bool:
        """Whether two things are wanted."""
        return not self.rows[1].isHidden()

    @property
    def active(self) -> list[WantedRow]:
        """The rows that count."""
        return self.rows if self.several else self.rows[:1]

    @property
    def wants(self) -> tuple[Want, ...] | None:
        """What is wanted; None while a value is missing."""
        wants = [row.want() for row in self.active]
        return tuple(want for want in wants if want) if all(wants) else None

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters that a hand chose or that were found."""
        boxes = self.boxes if self.several else self.boxes[:1]
        return tuple(dict.fromkeys(box.currentData() for box in boxes if box.currentIndex() >= 0))

    def begin(self, study: Study, place: Place, present: float | None, note: str = "", *,
              looked: Sequence[Place] = ()) -> None:
        """Want one fact of a study; those that are looked at are offered first."""
        self.show_study(study, looked)
        for row in self.rows:
            row.forget_at()
        self.show_names(())
        self.want_second(shown=False)
        self.rows[0].begin(type(study), place, present)
        self._lower()
        self.note.setText(note)
        self.note.setVisible(bool(note))
        self.show_answer("", can_take=False)

    def show_wants(self, kind: type[Study], wants: Sequence[Want], names: Sequence[str]) -> None:
        """Want these, as many as there are rows, of these parameters."""
        self.want_second(shown=len(wants) > 1)
        for row, want in zip(self.rows, wants, strict=False):
            row.show_want(kind, want)
        self.show_names(names)

    def show_study(self, study: Study, looked: Sequence[Place] = ()) -> None:
        """Offer the facts that there are at these values, and the parameters that matter."""
        for row in self.rows:
            row.facts.show_facts(study.answer(), looked)
        offered = solvable(type(study), study.values())
        for box in self.boxes:
            box.show_parameters(offered)

    def show_names(self, names: Sequence[str]) -> None:
        """Solve for these parameters."""
        for box, name in zip(self.boxes, (*names, *("",) * MOST), strict=False):
            box.show_option(name)

    def want_second(self, *, shown: bool) -> None:
        """Let two things be wanted, or one."""
        for part in (self.rows[1], self.rows[1].remove, self._and, self.boxes[1], self.region_button):
            part.setVisible(shown)
        self.add_button.setVisible(not shown)
        self.boxes[0].setAccessibleName("Parameter that is solved for")
        self.boxes[1].setAccessibleName("Second parameter that is solved for")

    def _lower(self) -> None:
        """Room for an answer of the usual length."""
        self.says.setMinimumHeight(LINES * QFontMetrics(self._theme.font("label")).lineSpacing())

    # What is answered

    def show_answer(self, says: str, *, can_take: bool, take: str = "Take", others: Sequence[str] = (),
                    at: int = 0) -> None:
        """Say the answer, with the solutions to choose from."""
        self._say(breakable(together(powered(says))), sure=True)
        self.take_button.setEnabled(can_take)
        self.take_button.setText(take)
        self.take_button.setAccessibleName(take)
        self.others.setVisible(len(others) > 1)
        self.others.clear()
        for each in others:
            self.others.addItem(each)
        self.others.setCurrentIndex(at)

    def show_busy(self) -> None:
        """Say that it takes a while; what was said before is no longer the answer."""
        self._say("Solving…", sure=False)
        self.take_button.setEnabled(False)

    def _say(self, text: str, *, sure: bool) -> None:
        """Say it where the last words stood; what stands below moves down for longer ones, and never back up."""
        self.says.setText(text)
        self.says.setEnabled(sure)
        self.says.setMinimumHeight(max(self.says.minimumHeight(), self.says.heightForWidth(self.says.width())))

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._lower()
        spaced(self._column, theme, 6, (12, 8, 12, 10))
        for row in self.rows:
            row.set_theme(theme)
        for label in (self.note, self.says):
            label.setFont(theme.font("label"))
        dress_sign(self.close_button, theme)

    # What a hand does

    def event(self, event: QEvent) -> bool:
        """Escape belongs to the card while it has the keyboard."""
        return is_escape(event, self.closed.emit) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            (self.taken if self.take_button.hasFocus() else self.entered).emit()
        else:
            super().keyPressEvent(event)

    def _remove(self, row: WantedRow) -> None:
        assert row is self.rows[1]
        self.want_second(shown=False)
        self.rows[0].facts.setFocus(Qt.FocusReason.OtherFocusReason)
        self.changed.emit()

    def _choose(self, box: ParameterBox) -> None:
        """The same parameter is not solved for twice: the two change places."""
        other = self.boxes[1 - self.boxes.index(box)]
        if self.several and other.currentData() == box.currentData():
            free = (other.itemData(i) for i in range(other.count()) if other.itemData(i) != box.currentData())
            other.show_option(next(free, ""))
        self.changed.emit()
