"""The window of the region in which all that is wanted holds, parameter against parameter."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from dpstudio.core.figure import Mark
from dpstudio.core.solve.region import Feasible, region
from dpstudio.documents.session import Session
from dpstudio.documents.setting import Values
from dpstudio.documents.tables import values_text
from dpstudio.gui.pictures.export_dialog import ExportDialog
from dpstudio.gui.pictures.exports import Beside, values_of
from dpstudio.gui.plot import FigureView
from dpstudio.gui.plot.labels import snapped
from dpstudio.gui.shell.theme import Theme
from dpstudio.gui.shell.worker import Worker
from dpstudio.gui.solve.question import Question, refusal

SIZE = (620, 520)
HINT = "Click to preview a pair of values, drag a line to set it; what lies in the area does all that is wanted."


class RegionWindow(QDialog):
    """Stays beside the main window, and follows its document and what is wanted."""

    proposed = Signal(object)
    """Values of both parameters that a hand pointed at."""

    def __init__(self, bench: Beside, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self._bench, self._document, self._theme = bench, bench.document, bench.appearance.theme
        self.setWindowTitle("Region")
        self.worker = Worker("region", self)
        self.found: Feasible | None = None
        """What is shown."""
        self._asked: Question | None = None
        self._made: Session = self._document.session
        """The session in which it was asked."""
        self.view: FigureView | None = None
        self._place: QWidget = QLabel("Looking where it holds…", alignment=Qt.AlignmentFlag.AlignCenter)
        self._place.setProperty("role", "card")
        self.note = QLabel(HINT, wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.note.setProperty("role", "muted")
        self.note.setAccessibleName("About this region")
        self.bar = QProgressBar(textVisible=False, minimum=0, maximum=0)
        self.bar.setAccessibleName("Looking where it holds")
        self.bar.hide()
        self.worker.slow.connect(self.bar.show)
        self.worker.idle.connect(self.bar.hide)
        self.picture, shut = QPushButton("Export picture…"), QPushButton("Close")
        row = QHBoxLayout()
        row.addWidget(self.bar, 1)
        row.addStretch()
        for button in (self.picture, shut):
            button.setAutoDefault(False)
            row.addWidget(button)
        self._column = QVBoxLayout(self)
        self._column.addWidget(self._place, 1)
        self._column.addWidget(self.note)
        self._column.addLayout(row)
        self.picture.clicked.connect(self._export)
        shut.clicked.connect(self.close)
        self._document.changed.connect(self._move)
        self._document.moving.connect(self._hold)
        bench.appearance.changed.connect(self.set_theme)
        bench.files.said.connect(self.note.setText)
        self.set_theme(self._theme)

    def begin(self, question: Question) -> None:
        """Show the region of this, in front."""
        if not self.isVisible():
            self.resize(*(self._theme.px(length) for length in SIZE))
        self.show()
        self.raise_()
        self.activateWindow()
        self.follow(question)

    def follow(self, question: Question) -> None:
        """Show the region of this, if anybody looks."""
        if not self.isVisible() or (self._asked is not None and self._asked.key == question.key):
            return
        self._asked, self._made = question, self._document.session
        work = partial(region, question.kind, question.explicit, question.wants, question.names,
                       before=self.worker.going)
        self.worker.start(work, partial(self._show, question),
                          failed=lambda error: self.note.setText(refusal(error)))

    def close_down(self) -> None:
        """Leave nothing running."""
        self.worker.close()
        self.close()

    def closeEvent(self, event) -> None:
        self.worker.stop()
        self._asked = None
        super().closeEvent(event)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        edge = theme.px(12)
        self._column.setContentsMargins(edge, edge, edge, edge)
        self._column.setSpacing(theme.px(8))
        self.note.setFont(theme.font("small"))
        if self.view is not None:
            self.view.set_theme(theme)

    # What is shown

    def _show(self, question: Question, found: Feasible) -> None:
        self.found, figure = found, found.figure
        self.setWindowTitle(figure.title)
        parameters = {each.name: each for each in question.kind.parameters()}
        self.view = view = FigureView([figure], self._theme, parameters=parameters)
        view.header.enlarge.hide()
        view.look(published=self._bench.settings.published)
        view.parameter_dragged.connect(lambda name, value: self._document.edit(name, value, False, on_picture=True))
        view.drag_finished.connect(lambda name: self._document.edit(name, getattr(self._document.study, name),
                                                                    on_picture=True))
        view.copy_requested.connect(self._copy)
        view.export_requested.connect(lambda _: self._export())
        view.canvas.box.clicked.connect(self._propose)
        self._column.replaceWidget(self._place, view)
        self._place.hide()
        self._place.deleteLater()
        self._place = view
        view.show()
        self.note.setText(HINT if found.solution.met else found.solution.says)
        self._move()

    def _move(self) -> None:
        """Put the lines where the document stands."""
        study = self._document.study
        if self.view is not None and self.found is not None and isinstance(study, self.found.problem.kind):
            self.view.show_update(self.found, study.values())

    def _hold(self, moving: bool) -> None:
        if self.view is not None:
            self.view.look(interacting=moving)

    # What a hand does

    def _propose(self, point: QPointF) -> None:
        """Preview the pair of values at a point in pixels, as round as the screen is coarse."""
        if self.view is None or self.found is None:
            return
        figure, frame = self.view.current_figure(), self.view.canvas.marks.frame
        marks = [layer for layer in figure.layers if isinstance(layer, Mark)]
        pixels = {"x": (figure.x, point.x()), "y": (figure.y, point.y())}
        self.proposed.emit({mark.parameter: snapped(frame, axis, mark, self.view.parameters[mark.parameter], pixel)
                            for mark in marks for axis, pixel in (pixels[mark.axis],)})

    def _copy(self, kind: str) -> None:
        clipboard = QGuiApplication.clipboard()
        if kind == "picture" and self.view is not None:
            clipboard.setImage(self.view.image())
        elif self.found is not None:
            clipboard.setText(values_text(self.found.table))
        self.note.setText(f"{kind.capitalize()} copied")

    def _export(self) -> None:
        """Ask how, and write the picture with the session in which it was asked and the present marks."""
        if self.view is None or self.found is None:
            return
        if self._made.state().tells and not self._bench.files.exact_counts:
            self.note.setText("This was computed with an exact count of data, which files leave out: choose “Include "
                              "exact counts in files” first.")
            return
        found, view, figure = self.found, self.view, self.view.current_figure()
        dialog = ExportDialog(found.problem.kind.key, (figure,), figure.key, self._bench.settings, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def write() -> None:
            request = dialog.request(view.hidden)
            if request.as_on_screen and self._document.state.tells and not self._bench.files.exact_counts:
                self.note.setText("The lines may show an exact count of data: export a drawing, which leaves it out.")
            elif request.as_on_screen:
                self._bench.files.export_image(request.path, view.image(), values_of(self._leaving(), request))
            else:
                self._bench.files.export_made(request, found, figure, self._leaving())

        dialog.accepted.connect(write)
        dialog.open()

    def _leaving(self) -> Session:
        """The session of what is shown, with the two parameters as they are."""
        assert self.found is not None
        kind, present = self.found.problem.kind, self._document.study.values()
        alone = Session(kind, {kind: self._made.state(kind)})
        counted = self._document.origin.names if self._document.origin else ()  # taken since: not of this region
        names = [axis.name for axis in self.found.problem.axes
                 if axis.name in self._document.explicit and axis.name not in counted]
        moved: Values = {name: present[name] for name in names if isinstance(self._document.study, kind)}
        return alone.put(moved).leaving(True)
