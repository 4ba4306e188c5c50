"""The window of sweeps: what is asked on the left, its picture on the right, and the present setting on it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Qt
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
from dpstudio.documents.noted import SweepAsked
from dpstudio.documents.session import Session
from dpstudio.gui.controls.style import refusal_in_words
from dpstudio.gui.pictures.exports import Beside
from dpstudio.gui.plot import FigureView
from dpstudio.gui.shell.theme import Theme
from dpstudio.gui.shell.worker import Worker
from dpstudio.gui.sweep.form import Form
from dpstudio.gui.sweep.outgoing import Outgoing, Result
from dpstudio.gui.sweep.running import SETTLED, Long, refusal, sweeping
from dpstudio.scene.swept import SweptSource, choices, figure_of, swept_parameters
from dpstudio.text.sentences import begun, duration, grouped, listed
from dpstudio.vocabulary import Value, named

SIZE = (1080, 640)
COLUMN = 340
"""Pixels of the column of what is asked."""
WAITING = "Choose one parameter for curves or two for a map, tick facts, and start"


class SweepWindow(QDialog):
    """Stays beside the main window, and follows its document."""

    def __init__(self, bench: Beside, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self._bench, self._document = bench, bench.document
        self.setWindowTitle("Sweep")
        self.found: Result | None = None
        """What is shown."""
        self._begun: Session = self._document.session
        """The session when the sweep began that was started last."""
        self._over: tuple[str, ...] = ()
        """What was swept then, as the command line reads it."""
        self._began = 0.0
        self._long = False
        """Whether the next start is one that was announced to take long."""
        theme = bench.appearance.theme
        self.worker = Worker("sweep", self)
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
        self.chooser.setMinimumContentsLength(7)
        self.chooser.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.values, self.picture, self.data = (QPushButton(words) for words in (
            "Values…", "Export picture…", "Export data…"))
        self.keep = QPushButton("Keep for the report")
        self.keep.setToolTip("A report then has this sweep, computed anew; File → Report… lists what is kept")
        self.note = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.note.setAccessibleName("About this sweep")
        self.outgoing = Outgoing(self._document, bench.settings, bench.files, self, self._say)
        self._lay_out()
        self._connect()
        self.set_theme(theme)
        self._enable()
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
        self.worker.close()
        self.close()

    def closeEvent(self, event) -> None:
        self.worker.stop()
        self._show_state()
        super().closeEvent(event)

    def reject(self) -> None:
        """Escape lets go of what runs, else of the window."""
        if self.worker.busy:
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
        for button in (self.start, self.cancel, self.values, self.picture, self.data, self.keep):
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
        foot = QHBoxLayout()
        foot.addWidget(self.note, 1)
        foot.addWidget(self.keep)
        self._picture.addLayout(foot)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(12, 12, 12, 12)
        self._row.addWidget(self._side)
        self._row.addLayout(self._picture, 1)

    def _connect(self) -> None:
        self.form.changed.connect(self._changed)
        self.start.clicked.connect(self._start)
        self.cancel.clicked.connect(self._cancel)
        self.chooser.currentIndexChanged.connect(self._show_chosen)
        self.values.clicked.connect(lambda: self.outgoing.show_values(*self._shown()))
        self.picture.clicked.connect(lambda: self.outgoing.export_picture(*self._shown()))
        self.data.clicked.connect(lambda: self.outgoing.export_data(self._shown()[0]))
        self.keep.clicked.connect(self._keep)
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
        self._begun, self._began, self._over = self._document.session, time.monotonic(), self.form.over
        request = self.form.request(self._document.explicit)
        self.worker.start(partial(sweeping, request, self._long), self._end, told=self._show_progress,
                          failed=lambda error: self._show_state(refusal(error, request), "danger"))
        self._long = False
        self.bar.setRange(0, 0)
        self._show_state("Trying a few cells…")

    def _cancel(self) -> None:
        self.worker.stop()
        self._show_state("Cancelled")
        self.start.setFocus()

    def _show_progress(self, progress: Progress) -> None:
        self.bar.setRange(0, progress.total)
        self.bar.setValue(progress.done)
        known = progress.left_seconds is not None and time.monotonic() - self._began > SETTLED
        left = f", {duration(progress.left_seconds or 0.0)} left" if known else ""
        self._show_state(f"{grouped(progress.done)} of {grouped(progress.total)} cells{left}")

    def _end(self, found: Swept | Long) -> None:
        if isinstance(found, Long):
            self._long = True
            self._show_state(f"{found.sentence}. Start again to begin all the same.", "warning")
        else:
            self._show_result(Result(found, SweptSource(found), self._begun, self._asked(found)))
            self._show_state()

    def _show_state(self, words: str = "", role: str = "muted") -> None:
        """What can be pressed, and how large it would be unless there is something else to say."""
        active, wrong = self.worker.busy, self.form.wrong()
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

    def _asked(self, swept: Swept) -> SweepAsked:
        plan = swept.plan
        return SweepAsked(self._over, plan.facts, self._begun.state(type(plan.study)).setting, plan.simulate)

    # What is shown

    def _shown(self) -> tuple[Result, FigureView]:
        """The result and its picture, for what can be pressed only where there is one."""
        assert self.found is not None
        assert self.view is not None
        return self.found, self.view

    def _enable(self) -> None:
        for widget in (self._chooser_label, self.chooser, self.values, self.picture, self.data, self.keep):
            widget.setEnabled(self.found is not None)

    def _show_result(self, result: Result) -> None:
        self.found, swept = result, result.swept
        kept = self.chooser.currentText()
        self.chooser.blockSignals(True)
        self.chooser.clear()
        for column in choices(swept):
            whose = f" · {column.series.label}" if column.series and len(swept.plan.over) == 2 else ""
            self.chooser.addItem(column.quantity.label + whose)
        self.chooser.setCurrentIndex(max(self.chooser.findText(kept), 0))
        self.chooser.blockSignals(False)
        self._enable()
        self.setWindowTitle(f"Sweep – {result.study.title}")
        self._show_chosen()

    def _show_chosen(self) -> None:
        """A picture of the fact that is chosen, in the place of the one before."""
        if self.found is None:
            return
        study, swept = self.found.study, self.found.swept
        figure = figure_of(swept, choices(swept)[max(self.chooser.currentIndex(), 0)])
        view = FigureView([figure], self._theme, parameters={each.name: each for each in study.parameters()})
        view.look(published=self._bench.settings.published)
        view.enlarge_requested.connect(lambda: self.setWindowState(
            self.windowState() ^ Qt.WindowState.WindowMaximized))
        view.parameter_dragged.connect(lambda name, value: self._document.edit(name, value, False, on_picture=True))
        view.drag_finished.connect(lambda name: self._document.edit(name, getattr(self._document.study, name),
                                                                    on_picture=True))
        view.picked.connect(self._take)
        view.copy_requested.connect(lambda kind: self.outgoing.copy(kind, *self._shown()))
        view.export_requested.connect(lambda _: self.outgoing.export_picture(*self._shown()))
        view.values_requested.connect(lambda _: self.outgoing.show_values(*self._shown()))
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
            self._show_state(*((self.size_label.text(),) if self.worker.busy else ()))
        if self.view is None or self.found is None:
            return
        self.view.show_update(self.found.source, self._present())
        self._say(self._told() or "Click a place to take its values, or drag the marks.")

    def _present(self) -> Mapping[str, Value]:
        """The document's values, or those of the sweep where the document is of another study."""
        result, _ = self._shown()
        same = self._document.study_class is result.study
        return (self._document.study if same else result.swept.plan.study).values()

    def _told(self) -> str:
        """What must be said of what is shown."""
        result, _ = self._shown()
        present, study = self._present(), result.study
        told = [f"{begun(each)}." for each in result.swept.told()]
        symbols = [study.parameter(name).quantity.symbol for name, value in result.swept.plan.base.items()
                   if present[name] != value]
        if symbols:
            told.append(f"{listed(symbols)} changed since: these are the values of before. Start again to follow.")
        if self._document.study_class is not study:
            told.append(f"A click turns back to “{study.title}”.")
        return " ".join(told)

    def _hold(self, moving: bool) -> None:
        if self.view is not None:
            self.view.look(interacting=moving)

    def _say(self, sentence: str) -> None:
        self.note.setText(sentence)

    # What a hand does

    def _keep(self) -> None:
        """Keep what was asked for, in one step."""
        result, _ = self._shown()
        already = result.asked in self._document.session.state(result.study).sweeps
        try:
            self._document.do("Keep sweep", Session.on, result.study, Session.keep_sweep, result.asked)
        except InvalidParameter as refusal:
            self._say(refusal_in_words(refusal, result.study.parameters()))
        else:
            self._say("It is kept already." if already else "Kept for the report: File → Report… lists it.")

    def _take(self, x: float, y: float) -> None:
        """Set the document to a place of the picture, in one step."""
        result, _ = self._shown()
        study = result.study
        at = tuple(zip(swept_parameters(result.swept), (x, y), strict=False))
        said = listed(named(place, each.quantity) for each, place in at)
        try:
            if self._document.study_class is not study:
                self._document.turn(study)
            self._document.do(f"Take {said}", Session.find, {each.name: place for each, place in at})
            self._say(f"Took {said}; undo leads back. {self._told()}".strip())
        except InvalidParameter as refusal:
            self._say(refusal_in_words(refusal, study.parameters()))
