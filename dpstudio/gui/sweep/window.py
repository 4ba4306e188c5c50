"""The window of sweeps: what is asked on the left, its picture on the right, and the present setting on it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.sweep import Progress, Swept
from dpstudio.documents.session import Session
from dpstudio.documents.tables import values_text
from dpstudio.gui.controls.style import refusal_in_words
from dpstudio.gui.pictures.export_dialog import ExportDialog
from dpstudio.gui.pictures.exports import Exports
from dpstudio.gui.pictures.values import ValuesDialog
from dpstudio.gui.plot import FigureView
from dpstudio.gui.session.document import Document
from dpstudio.gui.shell.appearance import Appearance
from dpstudio.gui.shell.settings import Settings
from dpstudio.gui.shell.theme import Theme
from dpstudio.gui.sweep.form import Form
from dpstudio.gui.sweep.running import Long, News, Refused, Running
from dpstudio.scene.swept import SweptSource, choices, figure_of, swept_parameters
from dpstudio.text.sentences import duration, grouped, listed
from dpstudio.vocabulary import Value, named

SIZE = (1080, 640)
COLUMN = 340
"""Pixels of the column of what is asked."""
COPIED = 1_000_000
"""Numbers that a clipboard takes without making the window wait."""
SETTLED = 2.0
"""Seconds after which what was done says how long the rest takes: processes take their time to begin."""
WAITING = "Choose one parameter for curves or two for a map, tick facts, and start"


class Bench(Protocol):
    """What the window is of."""

    document: Document
    settings: Settings
    appearance: Appearance

    @property
    def files(self) -> Exports: ...


class SweepWindow(QDialog):
    """Stays beside the main window, and follows its document."""

    def __init__(self, bench: Bench, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self._bench, self._document = bench, bench.document
        self.setWindowTitle("Sweep")
        self._swept: Swept | None = None
        self._source: SweptSource | None = None
        self._begun: Session = self._document.session
        """The session when the sweep began, and when the one that is shown did."""
        self._made: Session = self._begun
        self._began = 0.0
        self._long = False
        """Whether the next start is one that was announced to take long."""
        theme = bench.appearance.theme
        self.running = Running(self)
        self.form = Form(theme)
        self.view: FigureView | None = None
        self.size_label = QLabel(wordWrap=True)
        self.size_label.setAccessibleName("Size of the sweep")
        self.start = QPushButton("Start")
        self.start.setProperty("role", "primary")
        self.cancel = QPushButton("Cancel")
        self.bar = QProgressBar(textVisible=False)
        self.bar.setAccessibleName("Progress of the sweep")
        self.chooser = QComboBox()
        self.chooser.setAccessibleName("Fact that is shown")
        self.chooser.setMinimumContentsLength(16)
        self.chooser.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.values, self.picture, self.data = (QPushButton(words) for words in (
            "Values…", "Export picture…", "Export data…"))
        self.note = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.note.setAccessibleName("About this sweep")
        self._lay_out()
        self._connect()
        self.set_theme(theme)
        self._show_result(None)
        self._show_state()

    def begin(self) -> None:
        """Come to the front, for the study in view."""
        self.form.aim(self._document.study)
        if not self.isVisible():
            room = self.screen().availableGeometry()
            self.resize(min(self._theme.px(SIZE[0]), room.width()), min(self._theme.px(SIZE[1]), room.height()))
        self.show()
        self.raise_()
        self.activateWindow()

    def close_down(self) -> None:
        """Leave nothing running."""
        self.running.close()
        self.close()

    def closeEvent(self, event) -> None:
        self.running.cancel()
        self._show_state()
        super().closeEvent(event)

    def reject(self) -> None:
        """Escape lets go of what runs, else of the window."""
        if self.running.active:
            self._cancel()
        else:
            super().reject()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.form.set_theme(theme)
        self._side.setFixedWidth(theme.px(COLUMN))
        self.note.setFont(theme.font("small"))
        self.size_label.setFont(theme.font("small"))
        for layout in (self._row, self._column, self._picture):
            layout.setSpacing(theme.px(8))
        if self.view is not None:
            self.view.set_theme(theme)

    def _lay_out(self) -> None:
        for button in (self.start, self.cancel, self.values, self.picture, self.data):
            button.setAutoDefault(False)
        self._side = QWidget()
        self._column = QVBoxLayout(self._side)
        self._column.setContentsMargins(0, 0, 0, 0)
        scrolled = QScrollArea(widgetResizable=True)
        scrolled.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scrolled.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scrolled.setFrameShape(QScrollArea.Shape.NoFrame)
        scrolled.setWidget(self.form)
        self._column.addWidget(scrolled, 1)
        self._column.addWidget(self.size_label)
        self._column.addWidget(self.bar)
        buttons = QHBoxLayout()
        buttons.addWidget(self.start, 1)
        buttons.addWidget(self.cancel, 1)
        self._column.addLayout(buttons)
        self._picture = QVBoxLayout()
        top = QHBoxLayout()
        self._chooser_label = QLabel("Show")
        self._chooser_label.setBuddy(self.chooser)
        top.addWidget(self._chooser_label)
        top.addWidget(self.chooser, 1)
        for button in (self.values, self.picture, self.data):
            top.addWidget(button)
        self._picture.addLayout(top)
        self._place: QWidget = QLabel(WAITING, alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True)
        self._place.setProperty("role", "card")
        self._picture.addWidget(self._place, 1)
        self._picture.addWidget(self.note)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(12, 12, 12, 12)
        self._row.addWidget(self._side)
        self._row.addLayout(self._picture, 1)

    def _connect(self) -> None:
        self.form.changed.connect(self._changed)
        self.start.clicked.connect(self._start)
        self.cancel.clicked.connect(self._cancel)
        self.running.told.connect(self._hear)
        self.chooser.currentIndexChanged.connect(self._show_chosen)
        self.values.clicked.connect(self._show_values)
        self.picture.clicked.connect(self._export_picture)
        self.data.clicked.connect(self._export_data)
        self._document.changed.connect(self._follow)
        self._document.moving.connect(self._hold)
        self._bench.appearance.changed.connect(self.set_theme)
        self._bench.files.said.connect(self._say)
        self._bench.files.refused.connect(self._say)

    # What runs

    def _changed(self) -> None:
        self._long = False
        self._show_state()

    def _start(self) -> None:
        if self.form.wrong():
            return
        self._begun, self._began = self._document.session, time.monotonic()
        self.running.start(self.form.request(self._document.explicit), however_long=self._long)
        self._long = False
        self.bar.setRange(0, 0)
        self._show_state("Trying a few cells…")

    def _cancel(self) -> None:
        self.running.cancel()
        self._show_state("Cancelled")
        self.start.setFocus()

    def _hear(self, news: News) -> None:
        match news:
            case Progress(swept=None):
                self.bar.setRange(0, news.total)
                self.bar.setValue(news.done)
                known = news.left_seconds is not None and time.monotonic() - self._began > SETTLED
                left = f", {duration(news.left_seconds or 0.0)} left" if known else ""
                self._show_state(f"{grouped(news.done)} of {grouped(news.total)} cells{left}")
            case Progress():
                self._made = self._begun
                self._show_result(news.swept)
                self._show_state()
            case Long():
                self._long = True
                self._show_state(f"{news.sentence}. Start again to begin all the same.", "warning")
            case Refused():
                self._show_state(news.sentence, "danger")

    def _show_state(self, words: str = "", role: str = "muted") -> None:
        """What can be pressed, and how large it would be unless there is something else to say."""
        active, wrong = self.running.active, self.form.wrong()
        if not words:
            counts = " × ".join(grouped(each.count) for each in self.form.ranges if each.chosen is not None)
            facts = len(self.form.facts.chosen)
            whole = f"{counts} = {grouped(self.form.cells)}" if "×" in counts else counts
            words = wrong or f"{whole} cells, {facts} fact{'s' * (facts > 1)} each"
        self.size_label.setText(words)
        self.size_label.setStyleSheet(f"color: {getattr(self._theme, role)}")
        self.start.setEnabled(not active and not wrong)
        self.start.setText("Start all the same" if self._long else "Start")
        self.cancel.setEnabled(active)
        self.bar.setVisible(active)

    # What is shown

    def _show_result(self, swept: Swept | None) -> None:
        self._swept, self._source = swept, SweptSource(swept) if swept is not None else None
        kept = self.chooser.currentText()
        self.chooser.blockSignals(True)
        self.chooser.clear()
        for column in choices(swept) if swept is not None else ():
            whose = f" · {column.series.label}" if swept and column.series and len(swept.plan.over) == 2 else ""
            self.chooser.addItem(column.quantity.label + whose)
        self.chooser.setCurrentIndex(max(self.chooser.findText(kept), 0))
        self.chooser.blockSignals(False)
        for widget in (self._chooser_label, self.chooser, self.values, self.picture, self.data):
            widget.setEnabled(swept is not None)
        if swept is not None:
            self.setWindowTitle(f"Sweep – {swept.plan.study.title}")
            self._show_chosen()

    def _show_chosen(self) -> None:
        """A picture of the fact that is chosen, in the place of the one before."""
        if self._swept is None:
            return
        study = type(self._swept.plan.study)
        figure = figure_of(self._swept, choices(self._swept)[max(self.chooser.currentIndex(), 0)])
        view = FigureView([figure], self._theme, parameters={each.name: each for each in study.parameters()})
        view.enlarge_requested.connect(lambda: self.setWindowState(
            self.windowState() ^ Qt.WindowState.WindowMaximized))
        view.parameter_dragged.connect(lambda name, value: self._document.edit(name, value, False))
        view.drag_finished.connect(lambda name: self._document.edit(name, getattr(self._document.study, name)))
        view.picked.connect(self._take)
        view.copy_requested.connect(self._copy)
        view.export_requested.connect(lambda _: self._export_picture())
        view.values_requested.connect(lambda _: self._show_values())
        self._picture.replaceWidget(self._place, view)
        self._place.hide()
        self._place.deleteLater()
        view.show()
        self._place = self.view = view
        self._follow()

    def _follow(self) -> None:
        """Put the marks where the document stands, and say what else has changed since."""
        if self.isVisible():
            self.form.aim(self._document.study)
            self._show_state(*((self.size_label.text(),) if self.running.active else ()))
        if self.view is None or self._swept is None or self._source is None:
            return
        self.view.show_update(self._source, self._present())
        self._say(self._told() or "Click a place to take its values, or drag the marks.")

    def _present(self) -> Mapping[str, Value]:
        """The document's values, or those of the sweep where the document is of another study."""
        assert self._swept is not None
        made = self._swept.plan.study
        return self._document.study.values() if isinstance(self._document.study, type(made)) else made.values()

    def _told(self) -> str:
        """What must be said of what is shown."""
        swept, present = self._swept, self._present()
        assert swept is not None
        told = [f"{each[:1].upper()}{each[1:]}." for each in swept.told()]
        study = type(swept.plan.study)
        symbols = [study.parameter(name).quantity.symbol for name, value in swept.plan.base.items()
                   if present[name] != value]
        if symbols:
            told.append(f"{listed(symbols)} changed since: these are the values of before. Start again to follow.")
        if self._document.study_class is not study:
            told.append(f"A click turns back to “{study.title}”.")
        return " ".join(told)

    def _hold(self, moving: bool) -> None:
        if self.view is not None:
            self.view.set_interacting(moving)

    def _say(self, sentence: str) -> None:
        self.note.setText(sentence)

    # What a hand does

    def _take(self, x: float, y: float) -> None:
        """Set the document to a place of the picture, in one step."""
        assert self._swept is not None
        study = type(self._swept.plan.study)
        at = tuple(zip(swept_parameters(self._swept), (x, y), strict=False))
        said = listed(named(place, each.quantity) for each, place in at)
        try:
            if self._document.study_class is not study:
                self._document.turn(study)
            self._document.put({each.name: place for each, place in at}, f"Take {said}")
            self._say(f"Took {said}; undo leads back. {self._told()}".strip())
        except InvalidParameter as refusal:
            self._say(refusal_in_words(refusal, study.parameters()))

    def _copy(self, kind: str) -> None:
        if kind == "picture" and self.view is not None:
            QGuiApplication.clipboard().setImage(self.view.image())
        elif self._swept is not None:
            if len(self._swept.table) * self._swept.table.rows > COPIED:
                self._say("These are too many values for a clipboard: export them.")
                return
            QGuiApplication.clipboard().setText(values_text(self._swept.table))
        held = "; an exact count of data, which is sensitive, went along" if self._counted else ""
        self._say(f"{kind.capitalize()} copied{held}")

    def _show_values(self) -> None:
        if self._swept is not None and self.view is not None:
            ValuesDialog(self.view.current_figure(), self._swept.table, self._swept.plan.study.relation,
                         self._export_data, self).show()

    @property
    def _counted(self) -> bool:
        """Whether what is shown was computed with an exact count of data."""
        return self._made.state().holds_counts

    def _may_leave(self) -> bool:
        """Whether nothing sensitive is in what is shown, or it may go along; else that is said."""
        if self._counted and not self._bench.files.exact_counts:
            self._say("This sweep was computed with an exact count of data, which files leave out: choose “Include "
                      "exact counts in files” first, or sweep with another value.")
            return False
        return True

    def _export_picture(self) -> None:
        """Ask how, and write the picture with the session of the sweep and the present marks."""
        if self.view is None or self._swept is None or not self._may_leave():
            return
        swept, view, figure = self._swept, self.view, self.view.current_figure()
        dialog = ExportDialog(swept.plan.study.key, (figure,), figure.key, self._bench.settings, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def write() -> None:
            request = dialog.request(view.hidden)
            if request.as_on_screen:
                self._bench.files.export_image(request.path, view.image())
            else:
                self._bench.files.export_swept(request, swept, figure, self._leaving())

        dialog.accepted.connect(write)
        dialog.open()

    def _leaving(self) -> Session:
        """The session of what is shown: as it was when the sweep began, with the swept parameters as they are."""
        assert self._swept is not None
        study = type(self._swept.plan.study)
        alone = Session(study, {study: self._made.state(study)})
        if self._document.study_class is study:
            present = self._document.study.values()
            alone = alone.put({over.name: present[over.name] for over in self._swept.plan.over
                               if over.name in self._document.explicit})
        return alone.leaving(True)

    def _export_data(self) -> None:
        if self._swept is None or not self._may_leave():
            return
        data = self._leaving().data
        if data is not None and {over.name for over in self._swept.plan.over} & set(data.counts):
            data = None  # a number of the grid was not counted
        self._bench.files.export_grid(self._swept, data)
