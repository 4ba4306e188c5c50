"""The parameters of a study as a column of controls."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from math import ceil
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

from dpstudio.core.answer import Answer
from dpstudio.core.attacker import Attacker
from dpstudio.core.declare import InvalidParameter, Parameter
from dpstudio.core.study import Study
from dpstudio.data.origin import Origin
from dpstudio.gui.controls.control import Asking, Control
from dpstudio.gui.controls.kinds import NumberControl, make_control
from dpstudio.gui.controls.style import (
    Push,
    in_column,
    in_row,
    only_scrolls,
    push,
    refusal_in_words,
    spaced,
    wanted_height,
)
from dpstudio.gui.shell.later import later
from dpstudio.gui.shell.theme import Theme
from dpstudio.text.language import tr
from dpstudio.vocabulary import Value

NARROWEST = 244
"""Pixels that a control takes, at normal size of type."""
GAP = 6
"""Pixels between two controls, where there is room, at normal size of type."""


class Fold(Push):
    """A heading that opens and closes what stands below it, by a click, Space or Enter."""

    def __init__(self, title: str, theme: Theme, parent: QWidget | None = None, *, opened: bool = False,
                 name: str = "") -> None:
        """`name` is what it is called where the title does not say of what it is more."""
        super().__init__(parent)
        self.title, self._more = title, ""
        self.setCheckable(True)
        self.setChecked(opened)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name or title)
        self.toggled.connect(lambda _: self.say(self._more))
        self.set_theme(theme)
        self.say("")

    def say(self, more: str) -> None:
        """Stand with something more after the title."""
        self._more = more
        self.setText(f"{'▾' if self.isChecked() else '▸'}  {self.title}{more and f'  ·  {more}'}")
        self.setAccessibleDescription(", ".join(filter(None, (
            tr("open") if self.isChecked() else tr("closed"), more))))

    def set_theme(self, theme: Theme, colour: str = "", indent: int = 0, above: int = -1) -> None:
        """In this colour, with so many pixels before it, and above and below."""
        above = theme.px(4) if above < 0 else above
        self.setStyleSheet(
            f"QPushButton {{ background: transparent; border: none; border-radius: {theme.px(4)}px; padding: "
            f"{above}px {indent}px; color: {colour or theme.muted}; font-weight: bold; text-align: left; "
            f"font-size: {theme.font_size('title' if colour else 'body')}px; }}"
            f"QPushButton:hover {{ color: {theme.text}; }}"
            f"QPushButton:focus {{ background: {theme.selection}; color: {theme.text}; "
            f"border: 1px solid {theme.accent}; }}")


class FoldedControls(QWidget):
    """A heading that folds controls away, and says how many of them were changed; most are never opened.

    So they are made when it is first opened, or when one of them is asked for.
    """

    folded = Signal()
    """Opened or closed: its height is another."""

    def __init__(self, title: str, members: Sequence[Parameter], make: Callable[[Sequence[Parameter]], list[Control]],
                 theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.members, self._make = members, make
        self.controls: list[Control] = []
        self._heading = Fold(title, theme)
        self._heading.toggled.connect(self.set_open)
        self._line = QFrame()
        self._line.setFixedHeight(1)
        self._body = QWidget()
        self._body.hide()
        self._rows = in_column(within=self._body)
        in_column(self._line, self._heading, self._body, within=self, gap=4)
        self.set_theme(theme)

    def title(self) -> str:
        """The heading as it stands."""
        return self._heading.text()

    def parts(self) -> list[QWidget]:
        """The heading, and what it folds away."""
        return [self._heading, *self.controls]

    def fill(self) -> None:
        """Make the controls, unless they are there."""
        if not self.controls:
            self.controls = self._make(self.members)
            for control in self.controls:
                self._rows.addWidget(control)

    def set_open(self, opened: bool) -> None:
        if opened:
            self.fill()
        self._heading.setChecked(opened)
        self._body.setVisible(opened)
        self.folded.emit()

    def show_changes(self, changed: int) -> None:
        self._heading.say(tr("{n} changed", n=changed) if changed else "")

    def set_theme(self, theme: Theme) -> None:
        spaced(self._rows, theme, 12, (0, 4, 0, 8))
        self._line.setStyleSheet(f"background: {theme.line}")
        self._heading.set_theme(theme)


class Ground(QWidget):
    """What controls stand on: it covers what is behind it, so that nothing of that is painted while a slider moves."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._colour = QColor()

    def set_colour(self, colour: str) -> None:
        """Have this colour."""
        self._colour = QColor(colour)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(event.rect(), self._colour)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # here, for a style sheet takes it back


class ParametersPanel(Asking):
    """A column of controls: those that are seen first, then all others under a fold, the less used in groups."""

    reset_all_requested = Signal()
    reshaped = Signal()
    """Other controls are in view: their height is another."""
    opened = Signal(bool)
    """A hand opened what is under the fold, or closed it."""

    _study: Study | None
    """What was told last: controls that are made later show it, too."""
    _explicit: Mapping[str, Value]
    _origins: tuple[Origin | None, Origin | None]
    _answer: Answer[Any, Any, Any] | None

    def __init__(self, study_class: type[Study], theme: Theme, parent: QWidget | None = None, *,
                 elsewhere: Collection[str] = ()) -> None:
        """Parameters that stand `elsewhere`, by name, have no place here."""
        super().__init__(parent)
        self._theme, self.is_open, self._elsewhere = theme, False, frozenset(elsewhere)
        self._reset_all = push(tr("Reset all"), self.reset_all_requested, role="quiet")
        self.fold = Fold(tr("more"), theme, name=tr("More parameters"))
        self.fold.clicked.connect(lambda: self.opened.emit(self.fold.isChecked()))
        self._scroll = only_scrolls(QScrollArea(widgetResizable=True))
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._foot = in_row((self.fold, 1), self._reset_all)
        self._whole = in_column((self._scroll, 1), self._foot, within=self)
        self.setAccessibleName(tr("Parameters"))
        self._build(study_class)

    def control(self, name: str) -> Control:
        if name not in self._controls:
            if name in (each.name for each in self._plain):
                self._fill()
            for section in self.sections:
                if name in (each.name for each in section.members):
                    section.fill()
        return self._controls[name]

    def reveal(self, name: str) -> Control:
        """The control of a parameter, in view: what folds it away is opened."""
        found = self.control(name)
        if found not in self._main:
            if not self.is_open:
                self.set_open(True)
                self.opened.emit(True)
            for section in self.sections:
                if found in section.controls:
                    section.set_open(True)
        return found

    def show_entry(self, name: str) -> None:
        """Bring a parameter into view with the keyboard in its entry; one of another study is not there."""
        if name not in self._study_class.by_name():
            return  # facts stay until those of this study are there
        control = self.reveal(name)
        control.editor().setFocus(Qt.FocusReason.TabFocusReason)
        later(control, lambda: self._scroll.ensureWidgetVisible(control))  # once it has its size

    def set_open(self, opened: bool) -> None:
        """Show all parameters, or those alone that are seen first."""
        if opened and not self.is_open:
            self._fill()
        self.is_open = opened
        self._offer_names()
        self.fold.setChecked(opened)
        self._rest.setVisible(opened)
        self.reshaped.emit()

    def _offer_names(self) -> None:
        """Of a parameter that is seen first, values that have names are seen with all else."""
        for control in self._main:
            if isinstance(control, NumberControl):
                control.show_named(self.is_open)

    def _fill(self) -> None:
        """Make the controls under the fold that are in no group, unless they are there."""
        if self._plain and self._plain[0].name not in self._controls:
            for i, control in enumerate(self._made(self._plain)):
                self._others.insertWidget(i, control)

    def show_study(self, study: Study, explicit: Mapping[str, Value]) -> None:
        """Show the values of a study, of which some were set; another study gets its own controls."""
        if type(study) is not self._study_class:
            self._build(type(study))
        self._study, self._explicit = study, explicit
        values = study.values()
        for name, control in self._controls.items():
            control.show_value(getattr(study, name), name in explicit, study.default(name))
            control.set_used(control.parameter.matters(values))
        changed = {name for name in explicit if getattr(study, name) != study.default(name)}
        for section in self.sections:
            section.show_changes(sum(each.name in changed for each in section.members))
        own = explicit.keys() - Attacker.by_name().keys()  # what is of the session is not reset with a study
        further = len(changed & own - set(study.level_one.parameters))
        self.fold.say(tr("{n} changed", n=further) if further else "")
        self._reset_all.setEnabled(bool(own))

    def show_in_force(self, answer: Answer[Any, Any, Any]) -> None:
        """Let parameters that are without effect say what is in force instead."""
        self._answer = answer
        for declared in (control.parameter for control in self._controls.values()):
            if declared.instead and not declared.matters(answer.study.values()):
                series = next(place for place in answer.index() if place[0] == declared.instead.key)[1]
                named = next((one for one in answer.series() if one.key == series), None)
                self._controls[declared.name].show_in_force(answer.value(declared.instead, named))

    def show_origins(self, held: Origin | None, awaited: Origin | None) -> None:
        """Mark what was counted in data, and what a session left out."""
        self._origins = held, awaited
        for name, control in self._controls.items():
            here = held is not None and name in held.names
            left = awaited is not None and name in awaited.names
            control.show_origin(held if here else awaited if left else None, held=here)

    def show_refusal(self, name: str, refusal: InvalidParameter) -> None:
        """Show at its control why the study refused a value."""
        self.reveal(name).show_refusal(refusal_in_words(refusal, self._study_class.parameters()))

    def parts(self) -> list[QWidget]:
        """What stands in the panel from above to below, a section's heading before its controls."""
        plain = [self._controls[each.name] for each in self._plain if each.name in self._controls]
        return [*self._main, *plain, *(part for section in self.sections for part in section.parts()), self.fold,
                self._reset_all]

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._dress()
        for control in self._controls.values():
            control.set_theme(theme)
        for section in self.sections:
            section.set_theme(theme)

    def _dress(self) -> None:
        """Give what is in no control its measures; controls are dressed as they are made."""
        self.setMinimumWidth(self._theme.px(NARROWEST))
        self._ground.set_colour(self._theme.surface)
        spaced(self._rows, self._theme, GAP, (0, 0, 0, 2))
        spaced(self._others, self._theme, 6, (0, 0, 0, 0))
        spaced(self._whole, self._theme, 2)
        self.fold.set_theme(self._theme)

    @property
    def area(self) -> QScrollArea:
        """What the controls are seen through."""
        return self._scroll

    def content_height(self) -> int:
        """Pixels that it takes where nothing of it is scrolled."""
        return wanted_height(self._rows, self._scroll.width()) + self._foot.sizeHint().height() + self._whole.spacing()

    def fit(self, room: int) -> None:
        """Stand as far apart as nothing of what is seen first is scrolled in so many pixels."""
        gaps, spacing, wide = len(self._main) - 1, self._rows.spacing(), self._theme.px(GAP)
        missing = self.content_height() + gaps * (wide - spacing) - room
        closer = max(wide - ceil(missing / gaps), 0) if missing > 0 and gaps and not self.is_open else wide
        if closer != spacing:  # to set the same again has all of it laid out anew
            self._rows.setSpacing(closer)

    def _build(self, study_class: type[Study]) -> None:
        self._study_class = study_class
        self._study, self._explicit, self._origins, self._answer = None, {}, (None, None), None
        self._controls: dict[str, Control] = {}
        self._ground = body = Ground(self._scroll.viewport())
        first = study_class.level_one.parameters
        self._main = self._made([study_class.parameter(name) for name in first])
        others = [each for each in study_class.parameters() if each.name not in self._elsewhere.union(first)]
        self._plain = [each for each in others if not each.group]
        self.sections = [FoldedControls(tr(title), [each for each in others if each.group == title], self._made,
                                        self._theme)
                         for title in dict.fromkeys(each.group for each in others if each.group)]
        for section in self.sections:
            section.folded.connect(self.reshaped)
        self._rest = QWidget()
        self._others = in_column(*self.sections, within=self._rest)
        self._rest.hide()
        self._rows = in_column(*self._main, self._rest, None, within=body)
        self.is_open = False
        self.fold.title = tr("{n} more", n=len(others))
        self.fold.setChecked(False)
        self.fold.say("")
        self.fold.setVisible(bool(others))
        self._offer_names()
        self._scroll.setWidget(body)
        self._dress()
        self.reshaped.emit()

    def _made(self, members: Sequence[Parameter]) -> list[Control]:
        """Controls that show what is known by now."""
        made = [make_control(each, self._theme) for each in members]
        for control in made:
            self._controls[control.parameter.name] = control
            self.pass_on(control)
        if self._study is not None:
            self.show_study(self._study, self._explicit)
            self.show_origins(*self._origins)
        if self._answer is not None and self._answer.study == self._study:
            self.show_in_force(self._answer)
        return made
