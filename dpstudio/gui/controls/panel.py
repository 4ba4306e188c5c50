"""The parameters of a study as a column of controls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QScrollArea, QSizePolicy, QWidget

from dpstudio.core.answer import Answer
from dpstudio.core.declare import InvalidParameter
from dpstudio.core.study import Study
from dpstudio.data.origin import Origin
from dpstudio.gui.controls.control import Asking, Control
from dpstudio.gui.controls.kinds import make_control
from dpstudio.gui.controls.style import (
    in_column,
    in_row,
    only_scrolls,
    push,
    refusal_in_words,
    said_as,
    spaced,
    wanted_height,
)
from dpstudio.gui.shell.theme import Theme
from dpstudio.vocabulary import Value

_NARROWEST, _PREFERRED = 280, 320


class Fold(QPushButton):
    """A heading that opens and closes what stands below it, by a click, Space or Enter."""

    def __init__(self, title: str, theme: Theme, parent: QWidget | None = None, *, opened: bool = False) -> None:
        super().__init__(parent)
        self.title, self._more = title, ""
        self.setCheckable(True)
        self.setChecked(opened)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(title)
        self.toggled.connect(lambda _: self.say(self._more))
        self.set_theme(theme)
        self.say("")

    def say(self, more: str) -> None:
        """Stand with something more after the title."""
        self._more = more
        self.setText(f"{'▾' if self.isChecked() else '▸'}  {self.title}{more and f'  ·  {more}'}")
        self.setAccessibleDescription("open" if self.isChecked() else "closed")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def set_theme(self, theme: Theme, colour: str = "", indent: int = 0) -> None:
        self.setStyleSheet(
            f"QPushButton {{ background: transparent; border: none; border-radius: {theme.px(4)}px; padding: "
            f"{theme.px(4)}px {indent}px; color: {colour or theme.muted}; font-weight: bold; text-align: left; "
            f"font-size: {theme.font_size('title' if colour else 'body')}px; }}"
            f"QPushButton:hover {{ color: {theme.text}; }}"
            f"QPushButton:focus {{ background: {theme.selection}; color: {theme.text}; }}")


class FoldedControls(QWidget):
    """A heading that folds its controls away, and says how many of them were changed."""

    folded = Signal()
    """Opened or closed: its height is another."""

    def __init__(self, title: str, controls: Sequence[Control], theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.controls = tuple(controls)
        self._heading = Fold(title, theme)
        self._heading.toggled.connect(self.set_open)
        self._line = QFrame()
        self._line.setFixedHeight(1)
        self._body = QWidget()
        self._body.hide()
        self._rows = in_column(*controls, within=self._body)
        in_column(self._line, self._heading, self._body, within=self, gap=4)
        self.set_theme(theme)
        self.show_changes()

    def title(self) -> str:
        """The heading as it stands."""
        return self._heading.text()

    def parts(self) -> list[QWidget]:
        """The heading, and what it folds away."""
        return [self._heading, *self.controls]

    def set_open(self, opened: bool) -> None:
        self._heading.setChecked(opened)
        self._body.setVisible(opened)
        self.show_changes()
        self.folded.emit()

    def show_changes(self) -> None:
        changed = sum(control.is_changed() for control in self.controls)
        self._heading.say(f"{changed} changed" if changed else "")

    def set_theme(self, theme: Theme) -> None:
        spaced(self._rows, theme, 12, (0, 4, 0, 8))
        self._line.setStyleSheet(f"background: {theme.line}")
        self._heading.set_theme(theme)


class ParametersPanel(Asking):
    """A scrolling column of controls, the main ones first and the less used under headings that fold."""

    reset_all_requested = Signal()
    reshaped = Signal()
    """Other controls are in view: their height is another."""

    def __init__(self, study_class: type[Study], theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._controls: dict[str, Control] = {}
        self.sections: list[FoldedControls] = []
        self._reset_all = push("Reset all", self.reset_all_requested, role="quiet")
        header = in_row(said_as(QLabel("Parameters"), role="title"), None, self._reset_all)
        self._scroll = only_scrolls(QScrollArea(widgetResizable=True))
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        in_column(header, self._scroll, within=self)
        self.setAccessibleName("Parameters")
        self._build(study_class)

    def control(self, name: str) -> Control:
        return self._controls[name]

    def show_study(self, study: Study, explicit: Mapping[str, Value]) -> None:
        """Show the values of a study, of which some were set; another study gets its own controls."""
        if type(study) is not self._study_class:
            self._build(type(study))
        values = study.values()
        for name, control in self._controls.items():
            control.show_value(getattr(study, name), name in explicit, study.default(name))
            control.set_used(control.parameter.matters(values))
        for section in self.sections:
            section.show_changes()
        self._reset_all.setEnabled(bool(explicit))

    def show_in_force(self, answer: Answer[Any, Any, Any]) -> None:
        """Let parameters that are without effect say what is in force instead."""
        for declared in (control.parameter for control in self._controls.values()):
            if declared.instead and not declared.matters(answer.study.values()):
                series = next(place for place in answer.index() if place[0] == declared.instead.key)[1]
                named = next((one for one in answer.series() if one.key == series), None)
                self._controls[declared.name].show_in_force(answer.value(declared.instead, named))

    def show_origins(self, held: Origin | None, awaited: Origin | None) -> None:
        """Mark what was counted in data, and what a session left out."""
        for name, control in self._controls.items():
            here = held is not None and name in held.names
            left = awaited is not None and name in awaited.names
            control.show_origin(held if here else awaited if left else None, held=here)

    def show_refusal(self, name: str, refusal: InvalidParameter) -> None:
        """Show at its control why the study refused a value."""
        self._controls[name].show_refusal(refusal_in_words(refusal, self._study_class.parameters()))

    def parts(self) -> list[QWidget]:
        """What stands in the panel from above to below, a section's heading before its controls."""
        inside = {control for section in self.sections for control in section.controls}
        rows: list[QWidget] = [control for control in self._controls.values() if control not in inside]
        return [self._reset_all, *rows, *(part for section in self.sections for part in section.parts())]

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._dress()
        for control in self._controls.values():
            control.set_theme(theme)
        for section in self.sections:
            section.set_theme(theme)

    def _dress(self) -> None:
        """Give what is in no control its measures; controls are dressed as they are made."""
        self.setMinimumWidth(self._theme.px(_NARROWEST))
        spaced(self._rows, self._theme, 12, (0, 4, 8, 8))

    @property
    def area(self) -> QScrollArea:
        """What the controls are seen through."""
        return self._scroll

    def content_height(self) -> int:
        """Pixels that all controls take at the present width."""
        return wanted_height(self._rows, self._scroll.width())

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        hint.setWidth(self._theme.px(_PREFERRED))
        return hint

    def _build(self, study_class: type[Study]) -> None:
        self._study_class = study_class
        self._controls = {each.name: make_control(each, self._theme) for each in study_class.parameters()}
        for control in self._controls.values():
            self.pass_on(control)
        self.sections = []
        body = QWidget(self._scroll.viewport())
        self._rows = in_column(within=body)
        groups = ["", *(declared.group for declared in study_class.parameters())]  # the main ones, then as first named
        in_groups = sorted(self._controls.values(), key=lambda control: groups.index(control.parameter.group))
        for title, members in groupby(in_groups, key=lambda control: control.parameter.group):
            controls: list[Control] = list(members)
            parts: Sequence[QWidget] = controls
            if title:
                section = FoldedControls(title, controls, self._theme)
                section.folded.connect(self.reshaped)
                self.sections.append(section)
                parts = [section]
            for part in parts:
                self._rows.addWidget(part)
        self._rows.addStretch()
        self._scroll.setWidget(body)
        self._dress()
        self.reshaped.emit()
