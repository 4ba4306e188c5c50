"""The frame of the window: there at once, filled when the libraries are in, and gone without a trace.

What is read before the first paint is little: Qt's namespace of enumerations alone takes a fifth of the time to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QRect, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication, QIcon, QPaintEvent
from PySide6.QtWidgets import QLabel, QMainWindow, QVBoxLayout, QWidget

from dpstudio.core.resources import resource
from dpstudio.gui.shell.appearance import Appearance
from dpstudio.gui.shell.log import Log, diagnostics
from dpstudio.gui.shell.settings import NAME, Settings
from dpstudio.records import cached_property
from dpstudio.text.language import tr

if TYPE_CHECKING:
    from dpstudio.core.study import Study
    from dpstudio.gui.shell.notice import Act, Notice

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
        self.may_close: Callable[[], bool] = lambda: True
        """Asks, where something would be lost."""
        self._asks = True
        self.parts: Callable[[], Sequence[QWidget]] = tuple
        """The parts of the window in the order of the Tab key."""
        self.setWindowTitle(NAME)
        self.setWindowIcon(QIcon(str(resource("icons/dpstudio.svg"))))
        self.setAcceptDrops(True)
        self._content: QWidget = QLabel(tr("Starting…"))
        self._content.setStyleSheet("qproperty-alignment: AlignCenter")
        centre = QWidget()
        self._column = QVBoxLayout(centre)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self._content, 1)
        self.setCentralWidget(centre)
        self._painted = False
        self._restore_geometry(settings.state("geometry"))
        app = QGuiApplication.instance()
        assert isinstance(app, QGuiApplication)
        for change in (app.screenRemoved, app.primaryScreenChanged):
            change.connect(self._stay_in_view)

    def fill(self, content: QWidget) -> None:
        """Put the workbench in the place of the greeting."""
        self._column.replaceWidget(self._content, content)
        self._content.hide()
        self._content.deleteLater()
        self._content = content

    def hold(self, page: QWidget) -> None:
        """Have another page in the same place; whoever has it shows one of them."""
        self._column.addWidget(page, 1)

    def report(self, sentence: str, act: str = "", action: Callable[[], None] | None = None, *,
               about: str = "") -> None:
        """Say in a strip above everything what went wrong; it waits to be closed, and stops nothing.

        `about` is a word by which it can be withdrawn.
        """
        self.notice.say(sentence, [(act, action)] if action else (), about)

    def tell(self, sentence: str, acts: Sequence[Act]) -> None:
        """Say in the same strip what is there now, with what can be done with it."""
        self.notice.say(sentence, acts, calm=True)

    def withdraw(self, about: str) -> None:
        """What is said about this is true no longer."""
        if "notice" in self.__dict__:  # else nothing was ever said
            self.notice.withdraw(about)

    def leave(self) -> None:
        """Close without a question, as a signal asks; what stands is kept for the next start."""
        self._asks = False
        self.close()

    def report_error(self, sentence: str) -> None:
        """The same, for what a programmer has to mend."""
        self.report(sentence, tr("Copy diagnostics"), self.copy_diagnostics)

    def copy_diagnostics(self) -> None:
        QGuiApplication.clipboard().setText(diagnostics(self.log.memory, self.study()))

    @cached_property
    def notice(self) -> Notice:
        from dpstudio.gui.shell.notice import Notice

        notice = Notice(self)
        self._column.insertWidget(0, notice)
        return notice

    def _restore_geometry(self, stored: QByteArray) -> None:
        """Come back where the window was, if there is still a screen."""
        if not stored.isEmpty() and self.restoreGeometry(stored):
            if any(screen.availableGeometry().intersected(self.frameGeometry()).width() > 100
                   for screen in QGuiApplication.screens()):
                return
            from PySide6.QtCore import Qt

            self.setWindowState(Qt.WindowState.WindowNoState)
        self._centre()

    def _stay_in_view(self) -> None:
        """A screen is gone: what stood there comes to one that there is."""
        centre = self.frameGeometry().center()
        if not any(screen.geometry().contains(centre) for screen in QGuiApplication.screens()):
            self._centre()

    def _centre(self) -> None:
        room = QGuiApplication.primaryScreen().availableGeometry()
        width, height = min(SIZE[0], room.width()), min(SIZE[1], room.height())
        self.setGeometry(QRect(room.center().x() - width // 2, room.center().y() - height // 2, width, height))

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab walks through the parts in the order in which they are used, not in that in which they were made."""
        from dpstudio.gui.shell.panes import step_tab

        return step_tab(self, self.parts(), forward)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            self.painted.emit()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls() and any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        path = next((url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()), "")
        if path:
            event.acceptProposedAction()
            self.dropped.emit(path)

    def closeEvent(self, event: QCloseEvent) -> None:
        # The second look: a signal may have come while something was asked, when closing was under way already.
        if self._asks and not self.may_close() and self._asks:
            event.ignore()
            return
        self.settings.set_state("geometry", self.saveGeometry())
        self.hide()  # at once: what is still computing, such as the import of a library, may take its second to stop
        self.closing.emit()
        self.settings.sync()
        event.accept()
