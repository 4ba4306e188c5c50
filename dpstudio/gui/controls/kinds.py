"""The kinds of controls, each by its declared parameter or alone: a number, one of a few words, yes or no, a text."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QLabel, QWidget

from dpstudio import vocabulary
from dpstudio.core.declare import Parameter
from dpstudio.gui.controls.choices import Drop, choice_box
from dpstudio.gui.controls.control import Control
from dpstudio.gui.controls.entry import NumberEntry
from dpstudio.gui.controls.scale import scale_of
from dpstudio.gui.controls.slider import Slider
from dpstudio.gui.controls.style import called, in_row, labelled, said_as
from dpstudio.gui.controls.written import WrittenControl
from dpstudio.gui.shell.theme import Theme
from dpstudio.text.entry import write_number
from dpstudio.text.language import tr
from dpstudio.text.numbers import said, short
from dpstudio.vocabulary import Value


class NumberControl(Control):
    """A number: typed, dragged along its scale where it has one, or picked by name where values have names."""

    def __init__(self, parameter: Parameter, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parameter, theme, parent)
        self.entry = said_as(NumberEntry(parameter, theme), called(parameter.quantity))
        self.entry.edited.connect(lambda _name, value, final: self._edit(value, final))
        self.entry.refused.connect(self._say)
        self.entry.entered.connect(lambda: None if self.refusal() else self.entered.emit())  # else it is mended here
        self._heading.setBuddy(self.entry)
        self._head(self.entry)
        self.named = self._add_named() if parameter.named else None
        scale = scale_of(parameter)
        self.slider = Slider(scale, theme) if scale else None
        self._ends = QWidget(self)  # a widget of nobody's would outlive the window
        self._ends.setVisible(self.slider is not None)
        if self.slider:
            self._add_slider(self.slider)
        self.set_theme(theme)

    def editor(self) -> QWidget:
        return self.entry

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.entry.set_theme(theme)
        for end in self._ends.findChildren(QLabel):
            end.setStyleSheet(f"color: {theme.muted}; font-size: {theme.font_size('small')}px")
        if self.slider:
            self.slider.set_theme(theme)

    def _show(self, value: Value, default: Value | None) -> None:
        assert not isinstance(value, str)
        assert not isinstance(default, str)
        self.entry.show_number(value)
        if self.slider:
            self.slider.show_number(value, default)
            self._tell_slid(value)
        if self.named:
            self.named.show_option(next((name for name, named in self.parameter.named.items() if named == value), ""))

    def show_in_force(self, value: float) -> None:
        self.entry.show_number(float(said(short(value, side="up"))))
        if self.slider and (covered := self.parameter.range):
            self.slider.show_number(min(max(value, covered[0]), covered[1]), None)
            self._tell_slid(value)

    def _waits_for_mending(self) -> bool:
        return self.entry.is_refused()

    def _foot(self) -> int:
        """The slider is still wanted."""
        return self._ends.geometry().bottom() + 1 if self.slider else self.height()

    def _add_slider(self, slider: Slider) -> None:
        slider.setAccessibleName(called(self.parameter.quantity))
        slider.moved.connect(self._slide)
        slider.reset_requested.connect(self._ask_reset)
        low, high = (QLabel(tr(words)) for words in self.parameter.ends)
        in_row(low, (slider, 1), high, within=self._ends, gap=2)
        for end, words in zip((low, high), self.parameter.ends, strict=True):
            end.setVisible(bool(words))
        self._column.addWidget(self._ends)

    def _add_named(self) -> Drop:
        words = tr(self.parameter.named_title)
        drop = said_as(Drop(tuple(self.parameter.named), none="custom"), f"{words}, {called(self.parameter.quantity)}")
        title = said_as(labelled(words, drop), role="muted")
        drop.chosen.connect(lambda name: self._edit(self.parameter.named[name]))
        self._names = QWidget(self)
        in_row(title, None, drop, within=self._names, gap=4, edges=(0, 4, 0, 2))
        self._column.addWidget(self._names)
        return drop

    def show_named(self, shown: bool) -> None:
        """Offer the values that have names, where there are some."""
        if self.named:
            self._names.setVisible(shown)

    def _slide(self, number: Value, final: bool) -> None:
        assert not isinstance(number, str)
        self.entry.show_number(number)
        self._tell_slid(number)
        self._edit(number, final)

    def _tell_slid(self, number: float) -> None:
        """Let a screen reader say where the slider stands: to Qt that is thousandths of its length."""
        assert self.slider is not None
        low, high = self.parameter.ends
        ends = (tr("to the left"), low), (tr("to the right"), high)
        ways = ", ".join(f"{way}: {tr(words)}" for way, words in ends if words)
        here = f"{write_number(number)} {tr(self.parameter.quantity.unit)}".strip()
        self.slider.setAccessibleDescription("; ".join(filter(None, (here, ways))))


class ChoiceControl(Control):
    """One of a few words, under its heading."""

    def __init__(self, parameter: Parameter, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parameter, theme, parent)
        assert isinstance(parameter.domain, vocabulary.Choice)
        self.choice = said_as(choice_box(parameter.domain.options, parameter.domain.words), called(parameter.quantity))
        self.choice.chosen.connect(self._edit)
        self._heading.setBuddy(self.choice)
        self._head()
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
        self.switch = said_as(QCheckBox(), called(parameter.quantity))
        self.switch.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # flush with the entries of other rows
        self.switch.clicked.connect(self._edit)
        self._heading.setBuddy(self.switch)
        self._head(self.switch)
        self.set_theme(theme)

    def editor(self) -> QWidget:
        return self.switch

    def _show(self, value: Value, _default: Value | None) -> None:
        self.switch.setChecked(bool(value))


def make_control(parameter: Parameter, theme: Theme) -> Control:
    """The control for a declared parameter, by the kind of its domain."""
    if isinstance(parameter.domain, vocabulary.Written):
        return WrittenControl(parameter, theme)
    kinds = {vocabulary.Interval: NumberControl, vocabulary.Choice: ChoiceControl, vocabulary.Switch: SwitchControl}
    return kinds[type(parameter.domain)](parameter, theme)
