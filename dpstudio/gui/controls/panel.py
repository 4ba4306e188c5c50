"""The parameters of a study as a column of controls."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from dpstudio.core.answer import Answer
from dpstudio.core.declare import InvalidParameter, Parameter
from dpstudio.core.study import Study
from dpstudio.data.origin import Origin
from dpstudio.gui.controls.control import Control
from dpstudio.gui.controls.kinds import make_control
from dpstudio.gui.controls.section import Section
from dpstudio.gui.controls.style import refusal_in_words, wanted_height
from dpstudio.gui.shell.theme import Theme
from dpstudio.vocabulary import Value

_NARROWEST, _PREFERRED = 280, 320


class ParametersPanel(QWidget):
    """A scrolling column of controls, the main ones first and the less used under headings that fold."""

    edited = Signal(str, object, bool)
    """Name, value, and whether the gesture ends with it."""
    reset_requested = Signal(str)
    reset_all_requested = Signal()
    refused = Signal(str, str)
    """Name and sentence; an empty sentence once it is mended."""
    disowned = Signal(str)
    """A value is said not to be from data."""
    count_requested = Signal(str)
    entered = Signal()
    """A value was typed and taken: the keyboard is free for something else."""
    reshaped = Signal()
    """Other controls are in view: their height is another."""

    def __init__(self, study_class: type[Study], theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._controls: dict[str, Control] = {}
        self.sections: list[Section] = []
        self._title = QLabel("Parameters")
        self._title.setProperty("role", "title")
        self._reset_all = QPushButton("Reset all")
        self._reset_all.setProperty("role", "quiet")
        self._reset_all.clicked.connect(self.reset_all_requested)
        header = QHBoxLayout()
        header.addWidget(self._title)
        header.addStretch()
        header.addWidget(self._reset_all)
        self._scroll = QScrollArea(widgetResizable=True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(header)
        column.addWidget(self._scroll)
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

    def show_in_force(self, answer: Answer) -> None:
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

    def focus_parameter(self, name: str) -> None:
        """Bring a control into view and give it the keyboard."""
        control = self._controls[name]
        for section in self.sections:
            if control in section.controls:
                section.set_open(True)
        control.editor().setFocus(Qt.FocusReason.TabFocusReason)  # which selects what is there
        # Once more when a section that was opened has its size.
        self._scroll.ensureWidgetVisible(control)
        QTimer.singleShot(0, control, lambda: self._scroll.ensureWidgetVisible(control))

    def parts(self) -> list[QWidget]:
        """What stands in the panel from above to below, a section's heading before its controls."""
        inside = {control for section in self.sections for control in section.controls}
        rows: list[QWidget] = [control for control in self._controls.values() if control not in inside]
        return [self._reset_all, *rows, *(part for section in self.sections for part in section.parts())]

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.setMinimumWidth(theme.px(_NARROWEST))
        self._rows.setSpacing(theme.px(12))
        self._rows.setContentsMargins(0, theme.px(4), theme.px(8), theme.px(8))
        for control in self._controls.values():
            control.set_theme(theme)
        for section in self.sections:
            section.set_theme(theme)

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
        self._controls = {parameter.name: self._make(parameter) for parameter in study_class.parameters()}
        self.sections = []
        body = QWidget(self._scroll.viewport())
        self._rows = column = QVBoxLayout(body)
        in_groups = sorted(self._controls.values(), key=lambda control: _rank(control.parameter, study_class))
        for title, members in groupby(in_groups, key=lambda control: control.parameter.group):
            controls = list(members)
            if title:
                section = Section(title, controls, self._theme)
                section.folded.connect(self.reshaped)
                self.sections.append(section)
                column.addWidget(section)
            else:
                for control in controls:
                    column.addWidget(control)
        column.addStretch()
        self._scroll.setWidget(body)
        self.set_theme(self._theme)
        self.reshaped.emit()

    def _make(self, parameter: Parameter) -> Control:
        control = make_control(parameter, self._theme)
        control.edited.connect(self.edited)
        control.reset_requested.connect(self.reset_requested)
        control.refused.connect(self.refused)
        control.disowned.connect(self.disowned)
        control.count_requested.connect(self.count_requested)
        control.entered.connect(self.entered)
        return control


def _rank(parameter: Parameter, study_class: type[Study]) -> int:
    """The main parameters first, then the groups in the order in which the study first names them."""
    groups = [""] + [declared.group for declared in study_class.parameters()]
    return groups.index(parameter.group)
