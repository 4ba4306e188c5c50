"""One control for each kind of declared parameter: a number, one of a few words, yes or no."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from dpstudio import vocabulary
from dpstudio.core.declare import Parameter
from dpstudio.gui.controls.choice import ChoiceBox, Drop, SwitchBox
from dpstudio.gui.controls.control import Control
from dpstudio.gui.controls.entry import NumberEntry
from dpstudio.gui.controls.scale import scale_of
from dpstudio.gui.controls.slider import Slider
from dpstudio.gui.controls.style import accessible_name, called
from dpstudio.gui.shell.theme import Theme
from dpstudio.text.numbers import said, short
from dpstudio.vocabulary import Value


class NumberControl(Control):
    """A number: typed, dragged along its scale where it has one, or picked by name where values have names."""

    def __init__(self, parameter: Parameter, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parameter, theme, parent)
        self.entry = NumberEntry(parameter, theme)
        self.entry.setAccessibleName(accessible_name(parameter))
        self.entry.edited.connect(lambda _name, value, final: self._edit(value, final))
        self.entry.refused.connect(self._say)
        self.entry.entered.connect(self._let_go)
        self._heading.setBuddy(self.entry)
        self._row(self._heading, self.reset_button, self.entry)
        self.named = self._add_named() if parameter.named else None
        scale = scale_of(parameter)
        self.slider = Slider(scale, theme) if scale else None
        self._ends = QWidget(self)  # a widget of nobody's would outlive the window
        self._ends.setVisible(self.slider is not None and any(parameter.ends))
        if self.slider:
            self._add_slider(self.slider)
        self.set_theme(theme)

    def editor(self) -> QWidget:
        return self.entry

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.entry.set_theme(theme)
        for end in self._ends.findChildren(QLabel):
            end.setFont(theme.font("small"))
            end.setStyleSheet(f"color: {theme.muted}")
        if self.slider:
            self.slider.set_theme(theme)

    def _show(self, value: Value, default: Value | None) -> None:
        assert not isinstance(value, str)
        assert not isinstance(default, str)
        self.entry.show_number(value)
        if self.slider:
            self.slider.show_number(value, default)
        if self.named:
            self.named.show_option(next((name for name, named in self.parameter.named.items() if named == value), ""))

    def show_in_force(self, value: float) -> None:
        self.entry.show_number(float(said(short(value, side="up"))))
        if self.slider and (covered := self.parameter.range):
            self.slider.show_number(min(max(value, covered[0]), covered[1]), None)

    def _waits_for_mending(self) -> bool:
        return self.entry.is_refused()

    def _let_go(self) -> None:
        if not self.refusal():  # else it is to be mended here
            self.entered.emit()

    def _foot(self) -> int:
        """The words at the slider's ends may be covered, the slider is still wanted."""
        return self.slider.geometry().bottom() + 1 if self.slider else self.height()

    def _add_slider(self, slider: Slider) -> None:
        slider.setAccessibleName(accessible_name(self.parameter))
        slider.moved.connect(self._slide)
        slider.reset_requested.connect(self._ask_reset)
        self._column.addWidget(slider)
        if any(self.parameter.ends):
            row = QHBoxLayout(self._ends)
            row.setContentsMargins(3, 0, 3, 0)
            for words, side in zip(self.parameter.ends, (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight),
                                   strict=True):
                row.addWidget(QLabel(words, wordWrap=True, alignment=side))
            self._column.addWidget(self._ends)

    def _add_named(self) -> Drop:
        title = QLabel(self.parameter.named_title)
        title.setProperty("role", "muted")
        drop = Drop(tuple(self.parameter.named), none="custom")
        drop.setAccessibleName(f"{self.parameter.named_title}, {called(self.parameter.quantity)}")
        drop.chosen.connect(lambda name: self._edit(self.parameter.named[name]))
        title.setBuddy(drop)
        row = self._row(title)
        row.setContentsMargins(0, 4, 0, 2)
        row.addStretch()
        row.addWidget(drop)
        return drop

    def _slide(self, number: Value, final: bool) -> None:
        assert not isinstance(number, str)
        self.entry.show_number(number)
        self._edit(number, final)


class ChoiceControl(Control):
    """One of a few words, under its heading."""

    def __init__(self, parameter: Parameter, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parameter, theme, parent)
        assert isinstance(parameter.domain, vocabulary.Choice)
        self.choice = ChoiceBox(parameter.domain.options)
        self.choice.setAccessibleName(accessible_name(parameter))
        self.choice.chosen.connect(self._edit)
        self._heading.setBuddy(self.choice)
        self._row(self._heading, self.reset_button)
        self._column.addWidget(self.choice)
        self.set_theme(theme)

    def editor(self) -> QWidget:
        return self.choice

    def _show(self, value: Value, _default: Value | None) -> None:
        self.choice.show_option(str(value))


class SwitchControl(Control):
    """Yes or no: a box at the end of its heading, which may be too long for one line."""

    def __init__(self, parameter: Parameter, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parameter, theme, parent)
        self.switch = SwitchBox()
        self.switch.setAccessibleName(accessible_name(parameter))
        self.switch.switched.connect(self._edit)
        self._heading.setBuddy(self.switch)
        self._row(self._heading, self.reset_button, self.switch)
        self.set_theme(theme)

    def editor(self) -> QWidget:
        return self.switch

    def _show(self, value: Value, _default: Value | None) -> None:
        self.switch.show_state(bool(value))


_CONTROLS: dict[type, type[Control]] = {
    vocabulary.Interval: NumberControl,
    vocabulary.Choice: ChoiceControl,
    vocabulary.Switch: SwitchControl,
}


def make_control(parameter: Parameter, theme: Theme) -> Control:
    """The control for a declared parameter, by the kind of its domain."""
    return _CONTROLS[type(parameter.domain)](parameter, theme)
