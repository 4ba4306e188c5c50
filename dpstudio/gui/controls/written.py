"""A text by a grammar, such as a list of counts: a line, and a box of lines for one that is long or is pasted."""

from __future__ import annotations

from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QWidget

from dpstudio.core.declare import InvalidParameter, Parameter, read_entry
from dpstudio.gui.controls.control import Control
from dpstudio.gui.controls.records import RecordsForm
from dpstudio.gui.controls.style import Push, called, in_column, prose, refusal_in_words, said_as
from dpstudio.gui.controls.text_box import TextBox
from dpstudio.gui.controls.typed import TypedEntry
from dpstudio.gui.shell import foreign
from dpstudio.gui.shell.theme import Theme
from dpstudio.text.language import tr
from dpstudio.vocabulary import Records, Value, Written

IN_LINE = 400
"""Signs of a text that is edited in a line."""
LONGEST = 4_000_000
"""Signs of a text that is edited in lines: a hundred thousand entries with names."""
BOX = 460, 380
"""Pixels of the box, at normal size of type."""


class TextEntry(TypedEntry):
    """A line of text that is a text of a parameter's domain; a longer one is said in short, and edited elsewhere."""

    def __init__(self, parameter: Parameter, parent: QWidget | None = None) -> None:
        super().__init__(parameter, parent)
        self._value = ""
        self.setMaxLength(IN_LINE)
        self.setPlaceholderText(str(parameter.domain))

    def show_text(self, value: Value) -> None:
        """Show a value, unless it is the present one: what is being typed stays."""
        if value != self._value or not self.typing:
            self._keep(value)
            self._restore()

    def take_pasted(self) -> bool:
        """Take what is on the clipboard whole, where no line has room for it; whether it was taken or refused."""
        text = QGuiApplication.clipboard().text()
        if len(text) <= IN_LINE and not set(text.strip()) & {"\n", "\t"}:
            return False
        try:
            self._take(read_entry(self._parameter, text.replace("\r", "")), final=True)
        except InvalidParameter as refusal:
            self.refuse(foreign.sentence(refusal_in_words(refusal, (self._parameter,))))
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not (event.matches(QKeySequence.StandardKey.Paste) and self.take_pasted()):
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.createStandardContextMenu()
        for action in menu.actions():
            if action.objectName() == "edit-paste":
                action.triggered.disconnect()
                action.triggered.connect(lambda: None if self.take_pasted() else self.paste())
        menu.exec(event.globalPos())
        menu.deleteLater()

    def _written(self) -> str:
        domain = self._parameter.domain
        assert isinstance(domain, Written)
        text = domain.said(self._value)
        return text if len(text) <= IN_LINE else domain.brief(self._value)

    def _keep(self, value: Value) -> None:
        self._value = str(value)

    def _restore(self) -> None:
        super()._restore()
        self.setReadOnly(len(self._value) > IN_LINE)


class ListForm(QDialog):
    """Asks for a text with an entry a line; what is refused is said here, and stays to be mended."""

    def __init__(self, parameter: Parameter, value: str, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        assert isinstance(parameter.domain, Written)
        self._parameter = parameter
        self.value = value
        words = called(parameter.quantity)
        self.setWindowTitle(f"{words[:1].upper()}{words[1:]}")
        self.text = TextBox(words, parameter.domain.in_lines(value), LONGEST)
        self.problem = prose(role="warning")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.text.textChanged.connect(lambda: self.problem.setText(""))
        in_column(prose(tr("One on each line, as {domain}; columns of a table can be pasted.",
                           domain=parameter.domain), role="muted"),
                  (self.text, 1), self.problem, buttons, within=self, edges=None)
        self.resize(*map(theme.px, BOX))

    def accept(self) -> None:
        try:
            self.value = str(read_entry(self._parameter, self.text.words))
        except InvalidParameter as refusal:
            self.problem.setText(foreign.sentence(refusal_in_words(refusal, (self._parameter,))))
            self.text.setFocus()
        else:
            super().accept()


class WrittenControl(Control):
    """A text by a grammar as a line under its heading; one of many entries is edited in a box of lines, too."""

    def __init__(self, parameter: Parameter, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parameter, theme, parent)
        assert isinstance(parameter.domain, Written)
        self.entry = said_as(TextEntry(parameter), called(parameter.quantity))
        self.entry.edited.connect(lambda _name, value, _final: self._edit(value))
        self.entry.refused.connect(self._say)
        self.entry.entered.connect(lambda: None if self.refusal() else self.entered.emit())  # else it is mended here
        self._heading.setBuddy(self.entry)
        self.lines = said_as(Push(tr("Edit…")), tr("Edit {quantity}", quantity=called(parameter.quantity)),
                             tr("One entry a line"), "quiet")
        self.lines.clicked.connect(self.open_lines)
        self.lines.setVisible(parameter.domain.has_lines)
        self._head(self.lines)
        self._column.addWidget(self.entry)
        self.set_theme(theme)

    def editor(self) -> QWidget:
        return self.entry

    def open_lines(self) -> ListForm | RecordsForm:
        """Let the text be edited with an entry a line."""
        value = self._shown[0] if self._shown else ""
        made = RecordsForm if isinstance(self.parameter.domain, Records) else ListForm
        form = made(self.parameter, str(value), self._theme, self)
        form.accepted.connect(lambda: self._edit(form.value))
        form.finished.connect(form.deleteLater)
        form.open()
        return form

    def _show(self, value: Value, _default: Value | None) -> None:
        self.entry.show_text(value)

    def _waits_for_mending(self) -> bool:
        return self.entry.is_refused()
