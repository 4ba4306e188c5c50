"""The frame of the window: there at once, filled when the libraries are in, and gone without a trace."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QRect, Qt, Signal
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMainWindow, QPushButton, QVBoxLayout, QWidget

from dpstudio.core.resources import resource
from dpstudio.gui.appearance import Appearance
from dpstudio.gui.log import Log, diagnostics
from dpstudio.gui.settings import NAME, Settings
from dpstudio.gui.theme import Theme

if TYPE_CHECKING:
    from dpstudio.core.study import Study

SIZE = (1280, 720)


class Window(QMainWindow):
    """Geometry, notices, files that are dropped, and an orderly end; the workbench inside does the rest."""

    painted = Signal()
    """The window was painted for the first time."""
    dropped = Signal(str)
    closing = Signal()

    def __init__(self, settings: Settings, appearance: Appearance, log: Log) -> None:
        super().__init__()
        self.settings, self.appearance, self.log = settings, appearance, log
        self.study: Callable[[], Study | None] = lambda: None
        """What is being looked at, once there is something."""
        self.setWindowTitle(NAME)
        self.setWindowIcon(QIcon(str(resource("icons/dpstudio.svg"))))
        self.setAcceptDrops(True)
        self._notice = Notice(self)
        self._content: QWidget = QLabel("Starting…", alignment=Qt.AlignmentFlag.AlignCenter)
        self._content.setProperty("role", "muted")
        centre = QWidget()
        self._column = QVBoxLayout(centre)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self._notice)
        self._column.addWidget(self._content, 1)
        self.setCentralWidget(centre)
        self._painted = False
        self._restore_geometry(settings.state("geometry"))

    def fill(self, content: QWidget) -> None:
        """Put the workbench in the place of the greeting."""
        self._column.replaceWidget(self._content, content)
        self._content.hide()
        self._content.deleteLater()
        self._content = content

    def report(self, sentence: str, act: str = "", action: Callable[[], None] | None = None) -> None:
        """Say in a strip above everything what went wrong; it waits to be closed, and stops nothing."""
        self._notice.say(sentence, act, action)

    def report_error(self, sentence: str) -> None:
        """The same, for what a programmer has to mend."""
        self.report(sentence, "Copy diagnostics", self.copy_diagnostics)

    def copy_diagnostics(self) -> None:
        QGuiApplication.clipboard().setText(diagnostics(self.log.memory, self.study()))

    @property
    def notice(self) -> Notice:
        return self._notice

    def _restore_geometry(self, stored: QByteArray) -> None:
        """Come back where the window was, if there is still a screen."""
        if not stored.isEmpty() and self.restoreGeometry(stored):
            if any(screen.availableGeometry().intersected(self.frameGeometry()).width() > 100
                   for screen in QGuiApplication.screens()):
                return
            self.setWindowState(Qt.WindowState.WindowNoState)
        room = QGuiApplication.primaryScreen().availableGeometry()
        width, height = min(SIZE[0], room.width()), min(SIZE[1], room.height())
        self.setGeometry(QRect(room.center().x() - width // 2, room.center().y() - height // 2, width, height))

    def paintEvent(self, event) -> None:
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            self.painted.emit()

    def dragEnterEvent(self, event) -> None:
        if event.mimeData().hasUrls() and any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event) -> None:
        path = next((url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()), "")
        if path:
            event.acceptProposedAction()
            self.dropped.emit(path)

    def closeEvent(self, event) -> None:
        self.settings.set_state("geometry", self.saveGeometry())
        self.closing.emit()
        self.settings.sync()
        event.accept()


class Notice(QWidget):
    """One sentence in a strip, with a way to act on it and a way to dismiss it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName("Notice")
        self.label = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.button = QPushButton()
        self.dismiss = QPushButton("Dismiss")
        self.dismiss.setProperty("role", "quiet")
        self.dismiss.clicked.connect(self.hide)
        self.button.clicked.connect(self._act)
        self._action: Callable[[], None] | None = None
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 8, 16, 8)
        row.addWidget(self.label, 1)
        row.addWidget(self.button)
        row.addWidget(self.dismiss)
        self.hide()

    def say(self, sentence: str, act: str, action: Callable[[], None] | None) -> None:
        if self.isVisible() and self.label.text() == sentence:
            return  # once is enough
        self.label.setText(sentence)
        self.button.setText(act)
        self.button.setVisible(action is not None)
        self._action = action
        self.show()

    def set_theme(self, theme: Theme) -> None:
        self.setStyleSheet(f"Notice {{ background: {theme.raised}; border-bottom: 2px solid {theme.danger}; }}")

    def _act(self) -> None:
        if self._action is not None:
            self._action()
