"""The pane of the region in which all that is wanted holds, parameter against parameter."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPointF, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QProgressBar, QWidget

from dpstudio.core.figure import Mark
from dpstudio.core.solve.region import Feasible, region
from dpstudio.documents.session import Session
from dpstudio.gui.controls.style import in_column, in_row, said_as, spaced
from dpstudio.gui.pictures.made import Made, MadePane
from dpstudio.gui.plot.labels import snapped
from dpstudio.gui.shell.desk import Desk
from dpstudio.gui.shell.theme import Theme
from dpstudio.gui.solve.question import Question, refusal
from dpstudio.text.language import tr

HINT = "Click to preview a pair of values, drag a line to set it; what lies in the area does all that is wanted."


class RegionPane(MadePane[Made]):
    """Follows the document and what is wanted."""

    proposed = Signal(object)
    """Values of both parameters that a hand pointed at."""

    what = "region"
    key, size_wanted = "region", (620, 520)

    def __init__(self, desk: Desk, parent: QWidget) -> None:
        super().__init__(desk, parent)
        self.setWindowTitle(tr("Region"))
        self.found: Feasible | None = None
        """What is shown."""
        self._asked: Question | None = None
        said_as(self.note, tr("About this region"), role="muted").setText(tr(HINT))
        self.bar = said_as(QProgressBar(textVisible=False, minimum=0, maximum=0), tr("Looking where it holds"))
        self.bar.hide()
        self.worker.slow.connect(self.bar.show)
        self.worker.idle.connect(self.bar.hide)
        row = in_row((self.bar, 1), None, self.picture)
        self._column = in_column((self._place, 1), self.note, row, within=self.inside)
        self.set_theme(self._theme)

    @property
    def waiting(self) -> str:
        return tr("Looking where it holds…")

    @property
    def computed(self) -> str:
        return tr("This was computed with an exact count of data, which files leave out: choose “Save exact counts in "
                  "files” first.")

    @property
    def marked(self) -> str:
        return tr("The lines may show an exact count of data: export a drawing, which leaves it out.")

    def follow(self, question: Question) -> None:
        """Show the region of this, if anybody looks."""
        if not self.isVisible() or (self._asked is not None and self._asked.key == question.key):
            return
        self._asked = question
        work = partial(region, question.kind, question.explicit, question.wants_of(question.among[0]), question.names)
        self.worker.start(work, partial(self._show, question, self._document.session),
                          failed=lambda error: self.note.setText(refusal(error)))

    def closeEvent(self, event: QCloseEvent) -> None:
        self._asked = self.found = None
        super().closeEvent(event)

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        spaced(self._column, theme, 8, (12, 12, 12, 12))

    # What is shown

    def _show(self, question: Question, session: Session, found: Feasible) -> None:
        self.found, figure = found, found.figure
        self.setWindowTitle(figure.title)
        made = Made(found, found.table, question.kind, tuple(axis.name for axis in found.problem.axes), session)
        view = self.show_figure(made, figure)
        view.header.enlarge.hide()
        view.canvas.box.clicked.connect(self._propose)
        self.note.setText(tr(HINT) if found.solution.met else found.solution.says)

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
