"""One row of the panel for each declared parameter, made from its declaration."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from dpstudio import vocabulary
from dpstudio.core.declare import Follow, Parameter
from dpstudio.gui.controls.choice import Choice, Drop, Switch
from dpstudio.gui.controls.entry import NumberEntry
from dpstudio.gui.controls.scale import scale_of
from dpstudio.gui.controls.slider import Slider
from dpstudio.gui.controls.style import accessible_name, heading, tooltip
from dpstudio.gui.theme import Theme
from dpstudio.vocabulary import Value


class Control(QWidget):
    """A parameter's heading, its editor, a way back to the default, and room for a refusal.

    A control only asks: it shows what it is told to, and the values are kept elsewhere.
    """

    edited = Signal(str, object, bool)
    """Name, value, and whether the gesture ends with it."""
    reset_requested = Signal(str)
    refused = Signal(str, str)
    """Name and sentence; an empty sentence once it is mended."""

    def __init__(self, parameter: Parameter, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.parameter, self._theme = parameter, theme
        self._shown: tuple[Value, bool, Value | None] | None = None
        self._heading = QLabel(textFormat=Qt.TextFormat.RichText, wordWrap=True)
        self._heading.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.reset_button = QToolButton()
        self.reset_button.setText("⟲")
        self.reset_button.setProperty("role", "quiet")
        self.reset_button.setAccessibleName(f"Reset {parameter.name}")
        self.reset_button.clicked.connect(self._ask_reset)
        kept = self.reset_button.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self.reset_button.setSizePolicy(kept)
        self._refusal = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._refusal.hide()
        self._refusal.setProperty("role", "danger")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self.setToolTip(tooltip(parameter))

    def show_value(self, value: Value, explicit: bool, default: Value | None = None) -> None:
        """Show the value in force; the default is given where it follows another parameter."""
        if isinstance(self.parameter.default, Follow):
            default = value if default is None and not explicit else default
        else:
            default = self.parameter.default
        if (value, explicit, default) != self._shown:
            self._shown = value, explicit, default
            self.reset_button.setVisible(explicit and value != default)
            self._show(value, default)
            if self.refusal() and not self._waits_for_mending():
                self._say(self.parameter.name, "")

    def show_refusal(self, sentence: str) -> None:
        """Show that the study refused what was asked for: the value in force is the one shown before."""
        self._say(self.parameter.name, sentence)
        if self._shown is not None:
            value, _, default = self._shown
            self._show(value, default)

    def is_changed(self) -> bool:
        """Whether the value differs from the default."""
        return self.reset_button.isVisibleTo(self)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._column.setSpacing(theme.px(2))
        symbol, words = map(escape, heading(self.parameter.quantity))
        gap = "&nbsp; " if symbol and words else ""
        self._heading.setText(f'<b style="color:{theme.text}">{symbol}</b>{gap}'
                              f'<span style="color:{theme.muted}">{words}</span>')
        self._heading.setFont(theme.font("body"))
        self.reset_button.setFixedSize(theme.px(24), theme.px(24))
        self.reset_button.setStyleSheet(f"padding: 0; min-height: 0; color: {theme.muted}")

    def refusal(self) -> str:
        """The sentence that stands under the control, if any."""
        return self._refusal.text()

    def editor(self) -> QWidget:
        """What takes the keyboard."""
        raise NotImplementedError

    def _show(self, value: Value, default: Value | None) -> None:
        raise NotImplementedError

    def _waits_for_mending(self) -> bool:
        """Whether what was refused still stands there, to be mended."""
        return False

    def _row(self, *widgets: QWidget) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(4)
        for widget in widgets:
            row.addWidget(widget, 1 if widget is self._heading else 0)
        self._column.addLayout(row)
        return row

    def _edit(self, value: Value, final: bool = True) -> None:
        self.edited.emit(self.parameter.name, value, final)

    def _ask_reset(self) -> None:
        self.editor().setFocus()  # the button is about to go
        self.reset_requested.emit(self.parameter.name)

    def _say(self, name: str, sentence: str) -> None:
        self._refusal.setText(sentence)
        self._refusal.setVisible(bool(sentence))
        self.refused.emit(name, sentence)


class NumberControl(Control):
    """A number: typed, dragged along its scale where it has one, or picked by name where values have names."""

    def __init__(self, parameter: Parameter, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parameter, theme, parent)
        self.entry = NumberEntry(parameter, theme)
        self.entry.setAccessibleName(accessible_name(parameter))
        self.entry.edited.connect(lambda _name, value, final: self._edit(value, final))
        self.entry.refused.connect(self._say)
        self._heading.setBuddy(self.entry)
        self._row(self._heading, self.reset_button, self.entry)
        self._column.addWidget(self._refusal)
        self.named = self._add_named() if parameter.named else None
        scale = scale_of(parameter)
        self.slider = Slider(scale, theme) if scale else None
        self._ends = QWidget()
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

    def _waits_for_mending(self) -> bool:
        return self.entry.is_refused()

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
        drop.setAccessibleName(f"{self.parameter.named_title}, {self.parameter.name}")
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
        self.choice = Choice(parameter.domain.options)
        self.choice.setAccessibleName(accessible_name(parameter))
        self.choice.chosen.connect(self._edit)
        self._heading.setBuddy(self.choice)
        self._row(self._heading, self.reset_button)
        self._column.addWidget(self.choice)
        self._column.addWidget(self._refusal)
        self.set_theme(theme)

    def editor(self) -> QWidget:
        return self.choice

    def _show(self, value: Value, _default: Value | None) -> None:
        self.choice.show_option(str(value))


class SwitchControl(Control):
    """Yes or no: a box at the end of its heading, which may be too long for one line."""

    def __init__(self, parameter: Parameter, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parameter, theme, parent)
        self.switch = Switch()
        self.switch.setAccessibleName(accessible_name(parameter))
        self.switch.switched.connect(self._edit)
        self._heading.setBuddy(self.switch)
        self._row(self._heading, self.reset_button, self.switch)
        self._column.addWidget(self._refusal)
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
