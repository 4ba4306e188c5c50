"""The pane that lists deployments in use, and says all of the one that is chosen."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QSplitter, QTableView, QTextBrowser, QWidget

from dpstudio.core.units import MODELS
from dpstudio.documents.deployments import COLUMNS, EPSILON, ListedDeployment, copied, listed, origin
from dpstudio.documents.help import escaped
from dpstudio.gui.controls.style import in_column, in_row, prose, push, said_as
from dpstudio.gui.deployments.model import DeploymentsModel, Sifted
from dpstudio.gui.facts.view import Filter
from dpstudio.gui.shell.desk import Desk
from dpstudio.gui.shell.pane import Pane
from dpstudio.gui.shell.theme import Theme
from dpstudio.gui.shell.worker import Pace
from dpstudio.text.language import tr

READING = 250
"""Milliseconds from one look at the document to the next."""
WIDTHS = (216, 52, 84, 92, 220, 68, 320, 130)
"""Pixels of the columns at normal size of type, before a hand moves them."""
NONE = "No deployment has all these words."
HIGH = 26


class DeploymentsPane(Pane):
    """Follows the document: where a deployment is marked hangs on what the study in view promises."""

    key, size_wanted = "deployments", (1100, 620)

    def __init__(self, desk: Desk, parent: QWidget) -> None:
        super().__init__(desk, parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.model = DeploymentsModel(self)
        self.shown = Sifted(self.model, self)
        self.table = said_as(QTableView(), tr("Deployments of differential privacy in use"))
        self.details = said_as(QTextBrowser(), tr("About the chosen deployment"))
        self.details.setOpenExternalLinks(True)
        self.filter = Filter(self.table, self._sift, tr("Filter deployments"))
        self.origin = prose(origin(), role="muted")
        self._furnish()
        halves = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        halves.addWidget(self.table)
        halves.addWidget(self.details)
        halves.setStretchFactor(0, 3)
        halves.setStretchFactor(1, 2)
        row = in_row((self.origin, 1), push(tr("Copy all"), self.copy_all,
                                               tip=tr("Every row that is shown, as a table")))
        in_column(self.filter, (halves, 1), row, within=self.inside, edges=None)
        self.setFocusProxy(self.table)
        self.refresh = Pace(READING, self._refresh, self)
        desk.document.changed.connect(self._follow)
        desk.document.study_changed.connect(self._follow)
        self.set_theme(self._theme)

    def _furnish(self) -> None:
        table = self.table
        table.setModel(self.shown)
        table.setSortingEnabled(True)
        table.sortByColumn(EPSILON, Qt.SortOrder.AscendingOrder)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setAlternatingRowColors(True)
        table.setShowGrid(False)
        table.setStyleSheet("QTableView::item { padding: 0 4px; }")
        table.setWordWrap(False)
        table.setTabKeyNavigation(False)
        table.verticalHeader().hide()
        table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        copy = QAction(tr("Copy"), table, shortcut=QKeySequence(QKeySequence.StandardKey.Copy),
                       shortcutContext=Qt.ShortcutContext.WidgetShortcut)
        copy.triggered.connect(self.copy_selected)
        table.addAction(copy)
        for column, title in enumerate(COLUMNS):  # titles have no keyboard
            order = QAction(tr("Order by “{title}”", title=tr(title)), table)
            order.triggered.connect(partial(self._order, column))
            table.addAction(order)
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        table.selectionModel().currentRowChanged.connect(self._show_chosen)

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.table.setFont(theme.font("label"))
        self.table.horizontalHeader().setFont(theme.font("label"))
        self.table.verticalHeader().setDefaultSectionSize(theme.px(HIGH))
        for column, width in enumerate(WIDTHS):
            self.table.setColumnWidth(column, theme.px(width))
        self.details.document().setDefaultFont(theme.font("label"))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()

    def _follow(self) -> None:
        if self.isVisible():
            self.refresh()

    def _refresh(self) -> None:
        study = self._document.study
        self.setWindowTitle(tr("Deployments – {title}", title=tr(study.title)))
        rows = listed(study, tuple(study.answer().guarantees.values()))
        if rows != self.model.rows:
            self.model.show(rows)
            self.shown.sort(self.shown.sortColumn(), self.shown.sortOrder())
        if not self.table.currentIndex().isValid():
            self.table.setCurrentIndex(self.shown.index(0, 0))
        self._show_chosen()

    def _order(self, column: int, *_: object) -> None:
        """By a column, and backwards where it is so already."""
        before = self.shown.sortColumn(), self.shown.sortOrder()
        down = before == (column, Qt.SortOrder.AscendingOrder)
        self.table.sortByColumn(column, Qt.SortOrder.DescendingOrder if down else Qt.SortOrder.AscendingOrder)

    def _sift(self, typed: str) -> None:
        self.shown.sift(typed)
        if not self.table.currentIndex().isValid():
            self.table.setCurrentIndex(self.shown.index(0, 0))
        self._show_chosen()

    @property
    def chosen(self) -> ListedDeployment | None:
        """What all is said of."""
        index = self.table.currentIndex()
        return self.shown.rows_at([index])[0] if index.isValid() else None

    def _show_chosen(self, *_: object) -> None:
        chosen = self.chosen
        self.details.setMarkdown(described(chosen) if chosen else tr(NONE))

    def copy_selected(self) -> None:
        """Copy the rows that are selected."""
        self._copy(self.shown.rows_at(self.table.selectionModel().selectedRows()))

    def copy_all(self) -> None:
        """Copy every row that is shown."""
        self._copy(self.shown.rows_at(self.shown.index(row, 0) for row in range(self.shown.rowCount())))

    def _copy(self, rows: list[ListedDeployment]) -> None:
        self.copy_text(copied(rows), tr("Copied at full precision"), held=False)


def described(row: ListedDeployment) -> str:
    """All of a deployment, as Markdown."""
    one = row.one
    lines = [f"**{escaped(one.title)}** – {escaped(', '.join(one.curators))}, {one.date}, {escaped(one.product)}",
             escaped(one.what),
             f"**It spends** {escaped(one.spent)}" + (f" ({escaped(one.variant)})" if one.variant else "") + ". "
             f"**For** {escaped(one.whose)}; {MODELS[one.model]}."
             + (f" {one.release}, {one.access.lower()}." if one.release and one.access else ""),
             f"**Marked here?** {escaped(row.here)}"]
    if one.source:
        lines.append(f"**Confirmed** {escaped(one.caveat)} {escaped(one.source.reference)}")
    lines += [f"**Its entry says** {escaped(each)}" for each in one.remarks]
    lines += [f"[{escaped(each)}](<{each}>)" for each in one.links]
    lines.append(f"Tier {one.tier} of 3; status in the registry: {one.status.lower()}.")
    return "\n\n".join(lines)
