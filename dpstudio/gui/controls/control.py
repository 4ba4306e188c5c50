"""What the row of every parameter has, whatever its kind."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QMenu, QSizePolicy, QToolButton, QWidget

from dpstudio.core.declare import Follow, Parameter
from dpstudio.data.origin import Origin
from dpstudio.gui.controls.entry import Refusal
from dpstudio.gui.controls.style import (
    Tool,
    called,
    condition,
    described,
    dress_sign,
    heading,
    in_column,
    in_row,
    said_as,
    sign_button,
    tooltip,
)
from dpstudio.gui.shell.theme import Theme
from dpstudio.text.language import tr
from dpstudio.vocabulary import Value


class CountedTag(Tool):
    """Says where a value was counted; its menu counts again, or lets the value be an ordinary one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "quiet")
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        menu = QMenu(self)
        self.again, self.own = menu.addAction(tr("Count again…")), menu.addAction(tr("Not from data"))
        self.setMenu(menu)

    def show_origin(self, origin: Origin, name: str, *, held: bool) -> None:
        """`held` says that the value is there; else a session left it out, and a default stands in its place."""
        file = "".join(sign if sign.isprintable() else " " for sign in origin.file) or tr("people’s data")
        file = (file if len(file) <= 24 else f"{file[:12]}…{file[-11:]}").replace("&", "&&")
        follows = name in origin.follows
        what = (tr("follows from a count in {file}", file=file) if follows
                else tr("moved from a count in {file}", file=file)
                if name in origin.moved else tr("counted in {file}", file=file))
        self.setText(what if held else tr("left out: {what}", what=what))
        self.own.setEnabled(held)
        self.again.setEnabled(origin.told)
        told = (tr("The session left what was found from a count out; this is the default.") if follows and not held
                else
                tr("The session left the exact count out; this is the default.") if not held else
                tr("This was found where a count took part, which can be computed from it: exports leave it out, with "
                   "a default in its place, unless you include exact counts.") if follows else
                tr("Exact counts are sensitive, and so are numbers near them: exports leave this one out, with a "
                   "default in its place, unless you include exact counts."))
        self.setToolTip(told)
        self.setAccessibleName(self.text().replace("&&", "&"))
        self.setAccessibleDescription(told)


class Asking(QWidget):
    """What a hand asks of parameters: by a control, or by the panel in which it stands."""

    edited = Signal(str, object, bool)
    """Name, value, and whether the gesture ends with it."""
    reset_requested = Signal(str)
    refused = Signal(str, str)
    """Name and sentence; an empty sentence once it is mended."""
    disowned = Signal(str)
    """The value is said not to be from data."""
    count_requested = Signal(str)
    entered = Signal()
    """A value was typed and taken: the keyboard is free for something else."""

    def pass_on(self, asked: Asking) -> None:
        """Ask what another does."""
        asked.edited.connect(self.edited)
        asked.reset_requested.connect(self.reset_requested)
        asked.refused.connect(self.refused)
        asked.disowned.connect(self.disowned)
        asked.count_requested.connect(self.count_requested)
        asked.entered.connect(self.entered)


class Control(Asking):
    """A parameter's heading, its editor, a way back to the default, and what is said of a refused value.

    A control only asks: it shows what it is told to, and the values are kept elsewhere.
    """

    def __init__(self, parameter: Parameter, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.parameter, self._theme = parameter, theme
        self.tag: CountedTag | None = None
        """Where the value was counted, if it was."""
        self._shown: tuple[Value, bool, Value | None] | None = None
        self._used = True
        self._heading = QLabel(textFormat=Qt.TextFormat.RichText, wordWrap=True)
        self._heading.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.reset_button = sign_button("⟲", tr("Reset {quantity}", quantity=called(parameter.quantity)))
        self.reset_button.clicked.connect(self._ask_reset)
        kept = self.reset_button.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self.reset_button.setSizePolicy(kept)
        self._refusal: Refusal | None = None
        """Says why a value was refused; made when one first is."""
        self._column = in_column(within=self)
        self.setToolTip(tooltip(parameter))
        said_as(self, called(parameter.quantity))
        self.setAccessibleDescription(described(parameter))

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

    def show_origin(self, origin: Origin | None, *, held: bool = True) -> None:
        """Say that the value was counted in data, or is to be."""
        if self.tag is None and origin is not None:
            self.tag = CountedTag(self)
            self.tag.setFont(self._theme.font("small"))
            self.tag.own.triggered.connect(lambda: self.disowned.emit(self.parameter.name))
            self.tag.again.triggered.connect(lambda: self.count_requested.emit(self.parameter.name))
            self._column.addWidget(self.tag)
        if self.tag is not None:
            self.tag.setVisible(origin is not None)
            if origin is not None:
                self.tag.show_origin(origin, self.parameter.name, held=held)

    def show_refusal(self, sentence: str) -> None:
        """Show that the study refused what was asked for: the value in force is the one shown before."""
        self._say(self.parameter.name, sentence)
        if self._shown is not None:
            value, _, default = self._shown
            self._show(value, default)

    def set_used(self, used: bool) -> None:
        """Grey a parameter that another choice leaves without effect, and say why; its value is kept.

        One that shows what is in force instead stays as it is: whoever moves it makes that choice.
        """
        if used != self._used:
            self._used = used
            self.setEnabled(used or self.parameter.instead is not None)
            self.setToolTip(tooltip(self.parameter, used=used))
            if used and self.parameter.instead and self._shown is not None:
                value, _, default = self._shown
                self._show(value, default)
            self._describe()
            self._write_heading()

    def show_in_force(self, value: float) -> None:
        """Of a parameter that is without effect, show what is in force instead; its own value is kept."""

    def is_changed(self) -> bool:
        """Whether the value differs from the default."""
        return self.reset_button.isVisibleTo(self)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._column.setSpacing(0)
        self._write_heading()
        self._heading.setFont(theme.font("body"))
        if self.tag is not None:
            self.tag.setFont(theme.font("small"))
        if self._refusal is not None:
            self._refusal.set_theme(theme)
        dress_sign(self.reset_button, theme)

    def _write_heading(self) -> None:
        theme, (symbol, words) = self._theme, map(escape, heading(self.parameter.quantity))
        gap = "&nbsp; " if symbol and words else ""
        strong, weak = (theme.text, theme.muted) if self.isEnabled() else (theme.faint, theme.faint)
        self._heading.setText(f'<b style="color:{strong}">{symbol}</b>{gap}<span style="color:{weak}">{words}</span>')

    def refusal(self) -> str:
        """The sentence that says why a value was refused, if one was."""
        return self._refusal.text() if self._refusal else ""

    def _describe(self) -> None:
        """Let a screen reader say why a value was refused, or why the control is without effect, and what it is."""
        without_effect = "" if self._used else condition(self.parameter)
        told = f"{without_effect} {described(self.parameter)}".strip()
        self.editor().setAccessibleDescription(self.refusal() or told)

    def _foot(self) -> int:
        """How far down a refusal may cover the control."""
        return self.height()

    def editor(self) -> QWidget:
        """What takes the keyboard."""
        raise NotImplementedError

    def _show(self, value: Value, default: Value | None) -> None:
        raise NotImplementedError

    def _waits_for_mending(self) -> bool:
        """Whether what was refused still stands there, to be mended."""
        return False

    def _head(self, *widgets: QWidget) -> None:
        """The heading, with the way back and other widgets at its end."""
        self._column.addLayout(in_row((self._heading, 1), self.reset_button, *widgets, gap=4))
        self._describe()

    def _edit(self, value: Value, final: bool = True) -> None:
        self.edited.emit(self.parameter.name, value, final)

    def _ask_reset(self) -> None:
        self.editor().setFocus()  # the button is about to go
        self.reset_requested.emit(self.parameter.name)

    def _say(self, name: str, sentence: str) -> None:
        if sentence and self._refusal is None:
            self._refusal = Refusal(self)
            self._refusal.set_theme(self._theme)
        if self._refusal is not None:
            self._refusal.say(sentence, self._foot)
        self._describe()
        self.refused.emit(name, sentence)
