"""The window that compares: pinned settings with the present one, and series where they match."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QTabWidget, QVBoxLayout, QWidget

from dpstudio.documents.words import relation
from dpstudio.gui.compare.bench import Bench
from dpstudio.gui.compare.matched import MatchedPage
from dpstudio.gui.compare.settings import SettingsPage
from dpstudio.gui.shell.theme import Theme

SIZE = (980, 640)


class CompareWindow(QDialog):
    """Two pages that follow the document, with what is done to both."""

    def __init__(self, bench: Bench, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self._bench = bench
        self.settings, self.matched = SettingsPage(bench, theme), MatchedPage(bench, theme)
        self.tabs = QTabWidget()
        self.tabs.addTab(self.settings, "&Settings")
        self.tabs.addTab(self.matched, "&Matched")
        self.relation = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.relation.setProperty("role", "muted")
        self.buttons = QDialogButtonBox()
        role = QDialogButtonBox.ButtonRole.ActionRole
        self.copy_button, self.export_button = (self.buttons.addButton(words, role) for words in ("Copy", "Export…"))
        self.buttons.addButton(QDialogButtonBox.StandardButton.Close)
        for button in self.buttons.buttons():
            button.setAutoDefault(False)  # type: ignore[attr-defined]  # Return in a field presses nothing
        layout = QVBoxLayout(self)
        layout.addWidget(self.tabs, 1)
        layout.addWidget(self.relation)
        layout.addWidget(self.buttons)
        room = self.screen().availableGeometry()
        self.resize(min(theme.px(SIZE[0]), room.width() - 40), min(theme.px(SIZE[1]), room.height() - 80))
        self._connect()
        self._show_study()
        self._show_ready()

    def _connect(self) -> None:
        self._bench.document.study_changed.connect(self._show_study)
        self.tabs.currentChanged.connect(self._show_ready)
        self.copy_button.clicked.connect(self.copy)
        self.export_button.clicked.connect(lambda: self.page.export())
        self.buttons.rejected.connect(self.close)
        for page in (self.settings, self.matched):
            page.filled.connect(self._show_ready)
            copy = QAction("Copy", page.table, shortcut=QKeySequence(QKeySequence.StandardKey.Copy),
                           shortcutContext=Qt.ShortcutContext.WidgetShortcut)
            copy.triggered.connect(self.copy)
            page.table.addAction(copy)

    @property
    def page(self) -> SettingsPage | MatchedPage:
        """The page in view."""
        return self.matched if self.tabs.currentWidget() is self.matched else self.settings

    def set_theme(self, theme: Theme) -> None:
        self.settings.set_theme(theme)
        self.matched.set_theme(theme)

    def _show_study(self) -> None:
        study = self._bench.document.study
        self.setWindowTitle(f"Compare – {study.title}")
        self.relation.setText(f"{relation(study)}.")

    def _show_ready(self) -> None:
        for button in (self.copy_button, self.export_button):
            button.setEnabled(self.page.ready)

    def copy(self) -> None:
        """Copy the lines that are selected, or all that are shown."""
        rows = {index.row() for index in self.page.table.selectedIndexes()}
        QGuiApplication.clipboard().setText(self.page.model.copied(rows or None))
        held = self._bench.document.holds_counts
        self._bench.status.say("Copied at full precision" + (
            "; an exact count of data, which is sensitive, went along" if held else ""))

    def done(self, result: int) -> None:
        """Leave nothing running."""
        self.hide()  # at once: what is being solved may take its moment to stop
        self.matched.close_down()
        super().done(result)
