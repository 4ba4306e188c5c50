"""The pane that shows code for what is in view: by library and series, to be copied or saved."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit, QTabBar, QWidget

from dpstudio.core.declare import InvalidParameter
from dpstudio.documents.code import LIBRARIES, RELEASING, Handed, offered, written
from dpstudio.gui.controls.style import Combo, in_column, in_row, labelled, prose, push, refill, said_as
from dpstudio.gui.shell.desk import Desk
from dpstudio.gui.shell.pane import Pane
from dpstudio.gui.shell.questions import shown
from dpstudio.gui.shell.theme import Theme
from dpstudio.text.language import tr
from dpstudio.text.sentences import begun

FAMILIES = '"DejaVu Sans Mono", "Consolas", "Menlo", monospace'
ENDINGS = {"python": ("py", "Python (*.py)"), "shell": ("sh", "Shell (*.sh)")}


class HandoverPane(Pane):
    """Follows the document, without what was counted in data unless that may go along."""

    key, size_wanted = "handover", (960, 640)

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(desk, parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._handed: Handed | None = None
        self.libraries = said_as(QTabBar(documentMode=True, expanding=False), tr("Library"))
        for key, name in {**LIBRARIES, "command": tr("Command line")}.items():
            self.libraries.setTabData(self.libraries.addTab(name), key)
        self.series = Combo()
        self.says = prose(name=tr("What it needs, and what differs"), selectable=True)
        self.text = said_as(QPlainTextEdit(readOnly=True, lineWrapMode=QPlainTextEdit.LineWrapMode.NoWrap), tr("Code"))
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse
                                          | Qt.TextInteractionFlag.TextSelectableByKeyboard)
        self.text.setTabChangesFocus(True)
        self.copy_button = push(tr("Copy"), self.copy, tip=tr("Enter"), role="primary")
        self.save_button = push(tr("Save…"), self.save)
        row = in_row(labelled(tr("Series"), self.series), (self.series, 1), self.copy_button, self.save_button)
        in_column(self.libraries, row, self.says, (self.text, 1), within=self.inside, gap=8, edges=(12, 8, 12, 12))
        self.setFocusProxy(self.libraries)
        self.set_theme(self._theme)
        desk.document.study_changed.connect(self._show_study)
        desk.document.changed.connect(self._write)
        desk.files.counts_chosen.connect(self._write)
        self.libraries.currentChanged.connect(self._show_library)
        self.series.currentIndexChanged.connect(self._write)
        self._show_study()

    @property
    def library(self) -> str:
        """The key of the library in view."""
        return str(self.libraries.tabData(self.libraries.currentIndex()))

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.text.setStyleSheet(f"font-family: {FAMILIES}; font-size: {theme.font_size('label')}px")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return copies, wherever it means nothing else."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.copy()
        else:
            super().keyPressEvent(event)

    def _show_study(self) -> None:
        """Another study is in view: not every library has something for it."""
        study = self._document.study_class
        self.setWindowTitle(tr("Code – {title}", title=tr(study.title)))
        there = {key: bool(series) or key not in RELEASING for key, series in offered(study).items()}
        for place in range(self.libraries.count()):
            key = self.libraries.tabData(place)
            self.libraries.setTabEnabled(place, there[key])
            self.libraries.setTabToolTip(place, "" if there[key] else tr(
                "{library} has nothing near this study", library=LIBRARIES[key]))
        if not there[self.library]:
            with QSignalBlocker(self.libraries):
                self.libraries.setCurrentIndex(list(LIBRARIES).index("dpstudio"))
        self._show_library()
        if (place := self.series.findData(self._document.state.chosen)) > 0:
            self.series.setCurrentIndex(place)  # what was decided for is what is to be released

    def _show_library(self) -> None:
        """What the library has for the study, the chosen series if it is among it."""
        library = self.library
        every = [] if library in RELEASING else [(tr("All series"), "")]
        series = () if library == "command" else offered(self._document.study_class)[library]
        refill(self.series, [*every, *((tr(each.label), each.key) for each in series)])
        self.series.setEnabled(self.series.count() > 1)
        self._write()

    def _write(self) -> None:
        """The text as it follows from the document now."""
        leaving = self._document.leaving(self._desk.files.exact_counts)
        said: list[str] = []
        try:
            self._handed = written(leaving.study, leaving.explicit, self.series.currentData(), self.library,
                                   leaving.data)
        except InvalidParameter as refusal:
            self._handed, text = None, ""
            said.append(f"{begun(str(refusal))}.")
        else:
            text = self._handed.text
            said += [tr("Needs {needs}.", needs=self._handed.needs)] if self._handed.needs else []
            said += self._handed.says
        self.says.setText(" ".join(said))
        self.says.setVisible(bool(said))
        if text != self.text.toPlainText():
            self.text.setPlainText(text)
        for button in (self.copy_button, self.save_button):
            button.setEnabled(self._handed is not None)

    def copy(self) -> None:
        """Copy the whole text."""
        if self._handed is not None:
            held = self._document.holds_counts and self._desk.files.exact_counts
            self.copy_text(self._handed.text, tr("Code copied"), held)

    def save(self) -> None:
        """Ask where to, and write the text."""
        if (handed := self._handed) is None:
            return
        ending, kind = ENDINGS[handed.language]
        parts = (self._document.study_class.key, self.series.currentData(), self.library)
        if path := self._desk.files.ask_where(f"{'-'.join(filter(None, parts))}.{ending}", kind, tr("Save code")):
            self._desk.files.put(path, lambda: handed.text.encode("utf-8"), tr("Saved {path}", path=shown(path)))
