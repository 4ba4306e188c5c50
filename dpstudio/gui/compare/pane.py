"""The pane that compares: pinned settings with the present one, and series where they match."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QCloseEvent, QKeySequence
from PySide6.QtWidgets import QTabWidget, QWidget

from dpstudio.documents.words import relation
from dpstudio.gui.compare.matched import MatchedPage
from dpstudio.gui.compare.settings import SettingsPage
from dpstudio.gui.controls.style import in_column, in_row, prose, push
from dpstudio.gui.shell.desk import Desk
from dpstudio.gui.shell.pane import Pane
from dpstudio.gui.shell.theme import Theme
from dpstudio.text.language import tr


class ComparePane(Pane):
    """Two pages that follow the document, with what is done to both."""

    key = "compare"

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(desk, parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.settings, self.matched = SettingsPage(desk, self._theme), MatchedPage(desk, self._theme)
        self.tabs = QTabWidget()
        self.tabs.addTab(self.settings, tr("Settings"))
        self.tabs.addTab(self.matched, tr("Matched"))
        self.relation = prose(role="muted")
        self.copy_button, self.export_button = push(tr("Copy"), self.copy), push(
            tr("Export…"), lambda: self.page.export())
        below = in_row((self.relation, 1), self.copy_button, self.export_button)
        in_column((self.tabs, 1), below, within=self.inside, edges=None)
        self.setFocusProxy(self.tabs)
        desk.document.study_changed.connect(self._show_study)
        self.tabs.currentChanged.connect(self._show_ready)
        for page in (self.settings, self.matched):
            page.filled.connect(self._show_ready)
            copy = QAction(tr("Copy"), page.table, shortcut=QKeySequence(QKeySequence.StandardKey.Copy),
                           shortcutContext=Qt.ShortcutContext.WidgetShortcut)
            copy.triggered.connect(self.copy)
            page.table.addAction(copy)
        self._show_study()
        self._show_ready()

    def begin(self) -> None:
        """Come anew with the page that has something to say: what is pinned, else every series where it matches."""
        if not self.isVisible() and not self.settings.ready and self.matched.reference.count():
            self.tabs.setCurrentWidget(self.matched)
        super().begin()

    def show_settings(self) -> None:
        """Turn to what is pinned."""
        self.tabs.setCurrentWidget(self.settings)

    @property
    def page(self) -> SettingsPage | MatchedPage:
        """The page in view."""
        return self.matched if self.tabs.currentWidget() is self.matched else self.settings

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.settings.set_theme(theme)
        self.matched.set_theme(theme)

    def _show_study(self) -> None:
        study = self._document.study
        self.setWindowTitle(tr("Compare – {title}", title=tr(study.title)))
        self.relation.setText(f"{tr(relation(study))}.")

    def _show_ready(self) -> None:
        for button in (self.copy_button, self.export_button):
            button.setEnabled(self.page.ready)

    def copy(self) -> None:
        """Copy the lines that are selected, or all that are shown."""
        rows = {index.row() for index in self.page.table.selectedIndexes()}
        self.copy_text(self.page.model.copied(rows or None), tr("Copied at full precision"),
                       self._document.holds_counts)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Leave nothing running."""
        super().closeEvent(event)  # hidden at once: what is being solved may take its moment to stop
        self.matched.close_down()
