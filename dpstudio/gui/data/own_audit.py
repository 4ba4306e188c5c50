"""The dialog that holds a claim against outcomes of somebody's own mechanism, and says what they prove."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QGridLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QSizePolicy,
    QWidget,
)

from dpstudio.core.declare import InvalidParameter, accepted
from dpstudio.core.slow import still_awaited
from dpstudio.data.libraries import LIBRARY_NOISE, library_noise
from dpstudio.data.outcomes import read_pair
from dpstudio.data.runs import DRAWS, LIMIT, Arguments, arguments_of, run_pair
from dpstudio.documents.audited import sentences
from dpstudio.gui.controls.style import Combo, in_column, in_row, labelled, mark_refused, prose, push, restyle, said_as
from dpstudio.gui.shell.questions import ask
from dpstudio.gui.shell.settings import Settings
from dpstudio.gui.shell.theme import Theme
from dpstudio.gui.shell.worker import Worker, failure
from dpstudio.models.auditing.exhibits import EXHIBITS
from dpstudio.models.auditing.own import CONFIDENCES, DELTAS, EPSILONS, OutcomePair, OwnAudit, audited
from dpstudio.text.entry import read_typed, write_number
from dpstudio.text.language import tr
from dpstudio.vocabulary import POSITIVE, REAL, Interval

FILES, COMMAND, LIBRARY, EXHIBIT = "Two files", "A command", "A library", "A published defect"
WAYS = FILES, COMMAND, LIBRARY, EXHIBIT
_FIRST = "A claim stands until outcomes contradict it; no number of them proves it."
_SEED = 0

Outcomes = Callable[[], OutcomePair]


class OwnAuditDialog(QDialog):
    """Where outcomes come from, what is claimed of them, and what they prove; outcomes are had in another thread."""

    def __init__(self, settings: Settings, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Audit your mechanism"))
        self._settings = settings
        self.worker = Worker("own audit", self)
        self.worker.begun.connect(lambda: self._show_busy(True))
        self.worker.idle.connect(lambda: self._show_busy(False))
        self._make(theme)
        self._arrange(theme)
        self.way.currentIndexChanged.connect(self._turn)
        self.exhibit.currentIndexChanged.connect(self._turn)
        self.buttons.rejected.connect(self.reject)
        self.finished.connect(lambda: self.worker.close())
        self._turn()
        self._show_busy(False)

    def _make(self, theme: Theme) -> None:
        self.about = prose(name=tr("About these outcomes"), role="muted")
        self.verdict = prose(name=tr("Verdict"), role="title", selectable=True)
        self.found = prose(name=tr("What outcomes prove"), selectable=True)
        self.way = said_as(Combo(), tr("Where outcomes come from"))
        for words in (tr(FILES), tr(COMMAND), tr(LIBRARY), tr(EXHIBIT)):
            self.way.addItem(words)
        self.first, self.second = self._entry(tr("dataset A")), self._entry(tr("its neighbour B"))
        self.choosers = [push(tr("Choose…"), partial(self._choose, entry), tr("Choose the file of {side}", side=side))
                         for entry, side in ((self.first, "A"), (self.second, "B"))]
        self.column = self._entry(tr("Column that has the outcomes"), tr("none: an outcome on each line"))
        self.command = self._entry(tr("Command"), "python mine.py {data} {draws}")
        self.library = said_as(Combo(), tr("Noise of a library"))
        self.library.addItems(list(LIBRARY_NOISE))
        self.exhibit = said_as(Combo(), tr("Sampler"))
        for name, each in EXHIBITS.items():
            self.exhibit.addItem(each.title + ("" if each.wrong else tr(" (keeps its claim)")), name)
        self.scale, self.draws = self._entry(tr("Scale of the noise")), self._entry(tr("Draws of each dataset"))
        self.epsilon, self.delta = self._entry(tr("Claimed ε")), self._entry(tr("Claimed δ"))
        self.confidence = self._entry(tr("Confidence"))
        for entry, text in ((self.scale, "1"), (self.draws, "10000"), (self.epsilon, "1"), (self.delta, "0"),
                            (self.confidence, "0.99")):
            entry.setText(text)
            entry.setFixedWidth(theme.px(90))
        self.progress = said_as(QProgressBar(maximum=0, textVisible=False), tr("Auditing"))
        self.progress.setFixedWidth(theme.px(120))
        self.stop = push(tr("Stop"), self.worker.stop, role="quiet")
        self.audit = push(tr("&Audit"), self._audit, role="primary")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.buttons.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.buttons.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)

    def _entry(self, name: str, hint: str = "") -> QLineEdit:
        entry = said_as(QLineEdit(placeholderText=hint), name)
        entry.textChanged.connect(self._forget)
        entry.returnPressed.connect(self._audit)
        return entry

    def _arrange(self, theme: Theme) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.px(10))
        grid.setColumnStretch(1, 1)
        rows: tuple[tuple[str, QWidget, QWidget | None], ...] = (
            (tr("Outcomes &from"), self.way, None), (tr("&Sampler"), self.exhibit, None),
            (tr("&Library"), self.library, None), (tr("Co&mmand"), self.command, None),
            (tr("Data A"), self.first, self.choosers[0]),
            (tr("Data B"), self.second, self.choosers[1]), (tr("&Column"), self.column, None))
        self._labels: dict[QWidget, QLabel] = {}
        for place, (words, entry, button) in enumerate(rows):
            self._labels[entry] = labelled(words, entry)
            grid.addWidget(self._labels[entry], place, 0)
            grid.addWidget(entry, place, 1)
            if button is not None:
                grid.addWidget(button, place, 2)
        claims = ((tr("&Draws"), self.draws), (tr("Scal&e"), self.scale), ("ε", self.epsilon), ("δ", self.delta),
                  (tr("Confidence"), self.confidence))
        self._labels |= {entry: labelled(words, entry) for words, entry in claims}
        claim = in_row(*(each for _, entry in claims for each in (self._labels[entry], entry)), None,
                       gap=theme.px(8))
        edge = theme.px(20)
        in_column(grid, self.about, claim, theme.px(6), self.verdict, self.found, None,
                  in_row(self.progress, self.stop, None, self.audit, self.buttons),
                  within=self, gap=theme.px(10), edges=(edge, edge, edge, theme.px(16)))
        self.resize(theme.px(720), theme.px(500))

    # What is asked

    @property
    def _way(self) -> str:
        return WAYS[self.way.currentIndex()]

    def _turn(self) -> None:
        """Show what the chosen way asks, and nothing else."""
        way = self._way
        shown = {self.exhibit: way == EXHIBIT, self.library: way == LIBRARY, self.command: way == COMMAND,
                 self.first: way != EXHIBIT, self.second: way != EXHIBIT, self.column: way == FILES,
                 self.draws: way != FILES, self.scale: way == LIBRARY}
        for entry, visible in shown.items():
            entry.setVisible(visible)
            self._labels[entry].setVisible(visible)
        for button in self.choosers:
            button.setVisible(way in (FILES, COMMAND))
        exhibit = EXHIBITS[self.exhibit.currentData()]
        about = {FILES: tr("Text files with one outcome on each line, a number or a word, or CSV tables: as many "
                           "independent releases of A as of its neighbour B."),
                 COMMAND: tr("It runs as you, without a shell and for a minute at most, once for A and once for B, in "
                             "the place of {data}, and prints {draws} outcomes, one a line."),
                 LIBRARY: tr("Its noise on the number A and on B, in a Python of its own; Gaussian noise claims a δ."),
                 EXHIBIT: f"{exhibit.wrong} {exhibit.source.reference}".strip()}
        self.about.setText(about[way])
        if way == EXHIBIT:
            self.draws.setText(str(exhibit.draws))
            self.delta.setText(write_number(exhibit.delta))
            self.epsilon.setText("1")
        if way == LIBRARY and not self.first.text():
            self.first.setText("0")
            self.second.setText("1")
        self._forget()

    def _choose(self, entry: QLineEdit) -> None:
        path, _ = QFileDialog.getOpenFileName(self, tr("Audit your mechanism"), str(self._settings.folder("data")),
                                              tr("All files (*)"))
        if path:
            self._settings.set_folder("data", Path(path).parent)
            entry.setText(path)

    def _number(self, name: str, entry: QLineEdit, domain: Interval) -> float:
        number = read_typed(entry.text())
        try:
            return float(accepted(name, domain, entry.text() if number is None else number))
        except InvalidParameter:
            mark_refused(entry, True)
            raise

    def _outcomes(self) -> Outcomes | None:
        """How outcomes are had; None where a command is not to run. Raises InvalidParameter."""
        way, going = self._way, self._left
        first, second = self.first.text(), self.second.text()
        for name, entry in (("first", self.first), ("second", self.second)):
            if way != EXHIBIT and not entry.text().strip():
                mark_refused(entry, True)
                raise InvalidParameter(name, "a file of outcomes" if way == FILES else "a dataset", entry.text())
        if way == FILES:
            return partial(read_pair, first, second, self.column.text().strip() or None, going)
        draws = int(self._number("draws", self.draws, DRAWS))
        if way == EXHIBIT:
            return partial(EXHIBITS[self.exhibit.currentData()].drawn, draws, _SEED)
        if way == LIBRARY:
            noise, scale = library_noise(self.library.currentText()), self._number("scale", self.scale, POSITIVE)
            runs = (noise.arguments(self._number("first", self.first, REAL), draws, scale),
                    noise.arguments(self._number("second", self.second, REAL), draws, scale))
        else:
            runs = arguments_of(self.command.text(), first, draws), arguments_of(self.command.text(), second, draws)
            if not self._agreed(runs):
                return None
        return partial(run_pair, runs, draws, LIMIT, going)

    @staticmethod
    def _left() -> bool:
        still_awaited()
        return False

    def _agreed(self, runs: tuple[Arguments, Arguments]) -> bool:
        told = "\n\n".join(shlex.join(arguments) for arguments in runs)
        return ask(self, tr("Run these two commands?"), tr("{told}\n\nThey may do whatever you may.", told=told),
                   "Run") == "Run"

    # What is found

    def _audit(self) -> None:
        self._forget()
        try:
            claim = (self._number("epsilon", self.epsilon, EPSILONS), self._number("delta", self.delta, DELTAS),
                     self._number("confidence", self.confidence, CONFIDENCES))
            outcomes = self._outcomes()
        except InvalidParameter as refusal:
            self._refuse(refusal)
            return
        if outcomes is not None:
            self.worker.start(lambda: audited(outcomes(), *claim), self._show, failed=self._refuse)

    def _show(self, found: OwnAudit) -> None:
        verdict, *more = sentences(found)
        self._say(verdict, "title")
        self.found.setText("\n\n".join(more))

    def _refuse(self, error: Exception) -> None:
        said = (error.worded(lambda name: _names().get(name, name)) if isinstance(error, InvalidParameter)
                else failure(error, "an audit"))
        self._say(said, "danger")

    def _forget(self) -> None:
        """What was found is of other entries."""
        self.worker.stop()
        for entry in (self.epsilon, self.delta, self.confidence, self.draws, self.scale, self.first, self.second):
            mark_refused(entry, False)
        self.found.clear()
        self._say(tr(_FIRST), "muted")

    def _say(self, words: str, role: str) -> None:
        self.verdict.setText(words)
        restyle(said_as(self.verdict, role=role))

    def _show_busy(self, busy: bool) -> None:
        self.progress.setVisible(busy)
        self.stop.setVisible(busy)
        self.audit.setEnabled(not busy)


def _names() -> dict[str, str]:
    """What a refusal calls the entries."""
    return {"epsilon": "ε", "delta": "δ", "confidence": tr("The confidence"), "draws": tr("The draws"),
            "scale": tr("The scale"), "first": "A", "second": "B", "outcomes": tr("What holds outcomes"),
            "command": tr("The command"), "library": tr("The library")}
