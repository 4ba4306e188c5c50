"""The line at the bottom: what runs, the seed, what the signs mean, and who counts as a neighbour."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QProgressBar, QSizePolicy, QStatusBar, QWidget

from dpstudio.core.results import SIGNS
from dpstudio.core.study import Study
from dpstudio.core.update import Update
from dpstudio.documents.words import relation
from dpstudio.gui.controls.style import push, said_as
from dpstudio.gui.plot.header import ElidedLabel
from dpstudio.gui.shell import foreign
from dpstudio.gui.shell.theme import Theme
from dpstudio.text.language import tr
from dpstudio.text.sentences import with_prefix


def copied(told: str, held: bool) -> str:
    """What is said of a copy: that an exact count of data is in it, where it holds one."""
    return told + tr("; an exact count of data, which is sensitive, went along") if held else told


class Status(QStatusBar):
    """Progress, seed, legend of the signs before numbers, and the neighbouring relation."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self._work, self._seed, self._signs = QLabel(), QLabel(), QLabel()
        self._relation, self._said, self._written = ElidedLabel(), ElidedLabel(), ElidedLabel()
        # As long as there is room, and never a reason for a wider window.
        for label in (self._relation, self._said, self._written):
            label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._bar = QProgressBar(textVisible=False, maximum=1000)
        self.written_bar = QProgressBar(textVisible=False)
        self.leave = push(tr("Cancel"), None, tr("Cancel what is being written"),
                          tr("Leave it: nothing is written"), "quiet")
        for number in (self._work, self._seed, self._signs):  # never cut: numbers are read in them
            number.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Preferred)
        for widget, name in ((self._work, tr("Progress")), (self._bar, tr("Progress of the simulation")),
                             (self._seed, tr("Seed")),
                             (self._written, tr("What is being written")),
                             (self.written_bar, tr("Progress of the file")),
                             (self._relation, tr("Neighbouring relation")), (self._signs, tr("Signs before numbers"))):
            said_as(widget, name)
        self._signs.setTextFormat(Qt.TextFormat.PlainText)
        self._signs.setText(" · ".join(f"{sign} {words}".strip() for sign, words in zip(
            SIGNS.values(), (tr("exact"), tr("bound"), tr("estimate")), strict=True)))
        self._signs.setToolTip(tr("A number without a sign is exact, ≤ stands before a bound, ≈ before an estimate"))
        said_as(self._said, tr("Message"))
        self._running, self._told = False, ("", "")
        """Whether a simulation runs, and how far it is, at length and in short."""
        self._shown: tuple[object, ...] = ()
        """What was told last: how far a simulation is, the seed, and who counts as a neighbour."""
        self._silence = QTimer(self, singleShot=True)
        self._silence.timeout.connect(self.fall_silent)
        for widget in (self._said, self._work, self._bar, self._seed):
            self.addWidget(widget)
        self._writing: tuple[QWidget, ...] = (self._written, self.written_bar, self.leave)
        for part in (*self._writing, self._relation, self._signs):
            self.addPermanentWidget(part)
            part.setHidden(part in self._writing)

    def set_theme(self, theme: Theme) -> None:
        for bar in (self._bar, self.written_bar):
            bar.setFixedWidth(theme.px(120))
        self.setContentsMargins(theme.px(8), 0, 0, 0)
        for label in (self._said, self._work, self._seed, self._relation, self._signs, self._written):
            label.setFont(theme.font("small"))
            label.setContentsMargins(0, 0, theme.px(16), 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show()

    def show_update(self, update: Update, study: Study) -> None:
        done, total, seed = update.done, update.total, study.values().get("seed")
        shown = done, total, seed, relation(study), study.relation.sentence
        if shown == self._shown:  # while a slider moves nothing of it changes, and to lay it out takes its time
            return
        self._shown = shown
        self._running = 0 < done < total
        if total and done >= total:
            self._told = tr("{n} simulated", n=with_prefix(total)), ""
        elif done:
            doing = tr("Simulating {done} of {total}", done=with_prefix(done), total=with_prefix(total))
            self._told = doing, f"{100 * done // total}\u202f%"
        else:
            self._told = tr("Exact answer"), ""
        self._bar.setValue(round(1000 * done / total) if total else 0)
        self._seed.setText("" if seed is None else tr("seed {seed}", seed=seed))
        self._relation.setText(tr(relation(study)))
        self._show()
        self._relation.setToolTip(tr("Unit of privacy: {sentence}", sentence=tr(study.relation.sentence)))

    def show_writing(self, doing: str, done: int, total: int) -> None:
        """How far a file has come that is being written; of nothing in total, that there is none any more."""
        self._written.setText(doing)
        self.written_bar.setRange(0, max(total, 1))
        self.written_bar.setValue(done)
        for widget in self._writing:
            widget.setVisible(total > 0)
        self._relation.setVisible(total == 0)  # it makes room

    @property
    def message(self) -> str:
        """What is being said, or nothing."""
        return self._said.text()

    def say(self, sentence: str, seconds: float = 6) -> None:
        """One sentence for a while, in the place of the progress."""
        self._said.setText(foreign.bounded(sentence, foreign.PARAGRAPH))
        self._said.setToolTip(foreign.tip(sentence))
        self._silence.start(int(seconds * 1000))
        self._show()

    def fall_silent(self) -> None:
        self._silence.stop()
        self._said.clear()
        self._show()

    def _show(self) -> None:
        silent = not self._said.text()
        self._said.setVisible(not silent)
        edge = self.fontMetrics().height()
        # Who is a neighbour is read whole: all else gives way to it where there is no room, signs and seed first.
        left = self.width() - edge - self._wide(self._relation)
        told = next((each for each in self._told if self._wide(self._work, each) <= left), self._told[-1])
        self._work.setText(told)
        self._work.setVisible(silent and bool(told))
        left -= self._wide(self._work) * (silent and bool(told))
        bar = self._wide(self._bar) * (silent and self._running)
        self._bar.setVisible(0 < bar <= left)
        signs, seed = map(self._wide, (self._signs, self._seed))
        self._signs.setVisible(not silent or signs <= left - bar)
        self._seed.setVisible(silent and signs + seed <= left - bar)

    def _wide(self, part: QWidget, text: str = "") -> int:
        """Pixels that it takes, with what lies beside it; a label with another text in it."""
        wide = max(part.sizeHint().width(), part.minimumWidth()) + self.fontMetrics().height()
        if text and isinstance(part, QLabel):
            wide += part.fontMetrics().horizontalAdvance(text) - part.fontMetrics().horizontalAdvance(part.text())
        return wide
