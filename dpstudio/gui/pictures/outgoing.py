"""What leaves the window: to the clipboard, to a table, to files; and the values behind a picture as a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QLabel, QTableView, QWidget

from dpstudio.core.figure import Figure
from dpstudio.core.results import Column, Table
from dpstudio.documents.session import Session
from dpstudio.documents.tables import columns_of, values_text
from dpstudio.gui.controls.style import in_column, in_row, push, said_as
from dpstudio.gui.facts.table import CellsModel, Index
from dpstudio.gui.facts.view import FactsView
from dpstudio.gui.page.pictures import Pictures
from dpstudio.gui.plot import FigureView
from dpstudio.gui.shell.desk import Desk
from dpstudio.gui.shell.status import copied
from dpstudio.text.language import tr
from dpstudio.text.numbers import exact, fixed
from dpstudio.vocabulary import amount

if TYPE_CHECKING:
    from dpstudio.gui.pictures.export_dialog import ExportRequest


class TableModel(CellsModel):
    """Reads the arrays of a table in place."""

    def __init__(self, table: Table, columns: list[Column]) -> None:
        super().__init__()
        self._table, self._arrays = table, [table[column] for column in columns]
        self._columns = columns
        self._rows = table.rows

    @property
    def size(self) -> tuple[int, int]:
        return self._rows, len(self._columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        value = float(self._arrays[index.column()][index.row()])
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return amount(value, self._columns[index.column()].quantity, 8)
            case Qt.ItemDataRole.ToolTipRole:
                return exact(value)
            case Qt.ItemDataRole.TextAlignmentRole:
                return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role != Qt.ItemDataRole.DisplayRole or orientation is not Qt.Orientation.Horizontal:
            return None
        column = self._columns[section]
        return f"{column.quantity.symbol}\n{tr(column.series.label)}" if column.series else column.quantity.symbol

    def copied(self, indexes: list[QModelIndex]) -> str:
        """A block of cells with its headings, at full precision."""
        rows, columns = sorted({index.row() for index in indexes}), sorted({index.column() for index in indexes})
        chosen = [self._columns[column] for column in columns]
        return values_text({column: self._table[column][rows] for column in chosen})


class ValuesDialog(QDialog):
    """The table of one picture, to read, to copy and to export."""

    def __init__(self, figure: Figure, table: Table, relation: str, export: Callable[[], None],
                 parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Values of “{title}”", title=tr(figure.title)))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.model = TableModel(table, columns_of(figure, table))
        self.view = QTableView()
        self.view.setModel(self.model)
        self.view.setAccessibleName(self.windowTitle())
        self.view.verticalHeader().hide()
        self.view.verticalHeader().setDefaultSectionSize(24)
        self.view.setShowGrid(False)
        self.view.setAlternatingRowColors(True)
        self.view.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for i in range(self.model.columnCount()):
            self.view.setColumnWidth(i, max(self.view.horizontalHeader().sectionSizeHint(i) + 8, 112))
        note = said_as(QLabel(tr("{n} rows; {relation}", n=fixed(self.model.rowCount(), 0),
                                 relation=relation), wordWrap=True), role="muted")
        buttons = in_row((None, 1), push(tr("Copy"), self.copy), push(tr("Export CSV…"), export),
                         push(tr("Close"), self.close))
        QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self.view, self.copy,
                  context=Qt.ShortcutContext.WidgetShortcut)
        in_column((self.view, 1), note, buttons, within=self, gap=12, edges=(16, 16, 16, 16))
        wide = self.view.horizontalHeader().length() + self.view.verticalScrollBar().sizeHint().width() + 36
        self.resize(min(max(760, wide), 1200), 520)  # every column in view, where that leaves a window

    def copy(self) -> None:
        """Copy what is selected, or all."""
        chosen = self.view.selectedIndexes()
        if not chosen:
            rows, columns = range(self.model.rowCount()), range(self.model.columnCount())
            chosen = [self.model.index(row, i) for row in rows for i in columns]
        QGuiApplication.clipboard().setText(self.model.copied(chosen))


class Seen(Protocol):
    """What of a study is seen."""

    @property
    def facts(self) -> FactsView: ...
    @property
    def pictures(self) -> Pictures: ...


class Outgoing:
    """Copies and exports of what the window shows."""

    def __init__(self, desk: Desk, seen: Seen) -> None:
        self._desk, self._seen = desk, seen

    def copy(self, kind: str, view: FigureView) -> None:
        """What a picture's own menu asks for: “picture” or “values”."""
        if kind == "picture":
            self.copy_picture(view)
        elif dialog := self._values(view.current_figure().key):
            dialog.copy()
            dialog.deleteLater()
            self._say_copied(tr("Values copied"))

    def copy_picture(self, view: FigureView | None = None) -> None:
        # Mime data made here would be the clipboard's to delete when no interpreter is left to do it, which is a crash.
        QGuiApplication.clipboard().setImage((view or self._seen.pictures.picture()).image())
        self._say_copied(tr("Picture copied"))

    def _say_copied(self, told: str) -> None:
        self._desk.status.say(copied(told, self._desk.document.holds_counts))

    def copy_facts(self) -> None:
        self._seen.facts.copy_all()

    def copy_diagnostics(self) -> None:
        self._desk.window.copy_diagnostics()
        self._desk.status.say(tr("Diagnostics copied"))

    def show_values(self, key: str = "") -> None:
        if dialog := self._values(key or self._seen.pictures.figure().key):
            dialog.show()

    def export_picture(self, key: str = "", *, everything: bool = False) -> None:
        """Ask how, and write one picture or all."""
        from dpstudio.gui.pictures.export_dialog import ExportDialog  # rarely needed, and not at the start

        desk = self._desk
        chosen = None if everything else key or self._seen.pictures.figure().key
        study = desk.document.study_class
        counts = desk.files.exact_counts if desk.document.state.tells else None
        dialog = ExportDialog(study.key, study.figures, chosen, desk.settings, desk.window, exact_counts=counts,
                              session=desk.document.session, theme=desk.appearance.theme)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self.export(dialog.request(desk.document.state.hidden)))
        desk.document.study_changed.connect(dialog.reject)  # a session that was on its way may be of another
        dialog.open()

    def export(self, request: ExportRequest) -> None:
        desk = self._desk
        if request.over and request.figure is not None:
            self._export_living(request, request.figure)
        elif request.as_on_screen and request.figure is not None:
            if desk.document.state.tells and not request.exact_counts:
                desk.window.report(tr("The screen may tell of an exact count of data: export it as a drawing, which "
                                      "leaves it out, or choose to include exact counts."))
                return
            place = desk.document.study_class.figure(request.figure).place
            view = self._seen.pictures.bring(request.figure)
            shown = desk.document.leaving(request.exact_counts).carried(as_seen=True)
            desk.files.export_image(request.path, view.image(), shown.choose(place, request.figure))
        else:
            desk.files.export(request)

    def _export_living(self, request: ExportRequest, key: str) -> None:
        """Write a page with sliders, as the command line would, in steps between which it can be left."""
        from dpstudio.documents.living import Living, steps, swept

        leaving = self._desk.files.leaving(request.exact_counts, Session.carried)
        if leaving is None:
            return
        kind = leaving.study_class
        self._desk.tools.get("reports").make(request.path, "living page", lambda: steps(
            Living(leaving, kind.figure(key), swept(kind, request.over))))

    def export_data(self) -> None:
        if self._desk.answers.latest is not None:
            update, study = self._desk.answers.latest
            self._desk.files.export_data(study, update)

    def _values(self, key: str) -> ValuesDialog | None:
        desk = self._desk
        if desk.answers.latest is None:
            return None
        update, study = desk.answers.latest
        figure = study.figure(key)
        if figure.table not in update.tables or update.answer.slow(figure.table, update.views.get(figure.table)):
            desk.status.say(tr("There are no values yet"))
            return None
        return ValuesDialog(figure, update.tables[figure.table], tr(study.relation.sentence),
                            lambda: desk.files.export_data(study, update, figure.table), desk.window)
