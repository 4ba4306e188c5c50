"""The pane of sweeps: what is asked on the left, its picture on the right, and the present setting on it."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial

from PySide6.QtGui import QCloseEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLabel, QProgressBar, QScrollArea, QWidget

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.figure import Figure
from dpstudio.core.sweep import Swept
from dpstudio.documents import sweeps
from dpstudio.documents.files import atomic
from dpstudio.documents.noted import SweepAsked
from dpstudio.documents.session import Session
from dpstudio.gui.controls.style import (
    RETURNS,
    Combo,
    in_column,
    in_row,
    labelled,
    no_narrower,
    only_scrolls,
    push,
    refill,
    refusal_in_words,
    said_as,
    spaced,
)
from dpstudio.gui.pictures.made import Made, MadePane
from dpstudio.gui.pictures.outgoing import ValuesDialog
from dpstudio.gui.shell.desk import Desk
from dpstudio.gui.shell.questions import shown
from dpstudio.gui.shell.theme import Theme
from dpstudio.gui.shell.worker import Pace
from dpstudio.gui.sweep import keeping
from dpstudio.gui.sweep.form import SweepForm
from dpstudio.gui.sweep.last import recall, remember
from dpstudio.gui.sweep.running import SETTLED, Ended, Leaving, Long, News, Request, refusal, sweeping
from dpstudio.records import dataclass
from dpstudio.scene.swept import SweptSource, choices, figure_of, swept_parameters
from dpstudio.text.language import counted, in_english, tr
from dpstudio.text.sentences import begun, duration, grouped, listed
from dpstudio.vocabulary import named

LOOKED = 150
"""Milliseconds from one look at what is done to the next."""
WIDEST = 16_777_215
"""Pixels of what may be as wide as it likes, to Qt."""
SURVEYED = 1_000_000
"""Cells up to which the window looks at once how many are done."""
COLUMN, ABREAST, BOTH = 320, 720, 560
"""Pixels of the column of what is asked, those from which on the picture stands beside it, not below,
and the height from which on there is room for both then."""


@dataclass(frozen=True, slots=True)
class SweepResult(Made):
    """A sweep, and how it is kept."""

    swept: Swept
    asked: SweepAsked

    @classmethod
    def of(cls, swept: Swept, made: Session, over: tuple[str, ...]) -> SweepResult:
        """What was swept `over` this, as the command line reads it, in a session."""
        plan = swept.plan
        kind = type(plan.study)
        asked = SweepAsked(over, plan.facts, made.state(kind).setting, plan.simulate)
        return cls(SweptSource(swept), swept.rows, kind, tuple(each.name for each in plan.over), made, swept, asked)


class SweepPane(MadePane[SweepResult]):
    """Follows the document."""

    what = "sweep"
    key, size_wanted, across = "sweep", (1080, 640), 760

    def __init__(self, desk: Desk, parent: QWidget) -> None:
        super().__init__(desk, parent)
        self._begun: Session = self._document.session
        """The session when the sweep began that was started last."""
        self._over: tuple[str, ...] = ()
        """What was swept then, as the command line reads it."""
        self._began = 0.0
        self._long = False
        """Whether the next start is one that was announced to take long."""
        self._left = Leaving()
        """Set once what runs is to be left as far as it is."""
        self._kept = ""
        """What must be said of how what is shown is kept."""
        self._done = 0, 0
        """How many cells of what is asked are done already, of how many."""
        self._asking = False
        """Whether the form is seen where only it or the picture has room."""
        self.form = SweepForm(self._theme, partial(recall, desk.settings))
        self.setFocusProxy(self.form.ranges[0].parameter)
        self.size_label = said_as(QLabel(wordWrap=True), tr("Size of the sweep"))
        self.start, self.cancel = push(tr("Start"), self._start, role="primary"), push(tr("Cancel"), self._cancel)
        self.change = push(tr("Change…"), self._turn_over)
        self.bar = said_as(QProgressBar(textVisible=False), tr("Progress of the sweep"))
        self.chooser = no_narrower(said_as(Combo(), tr("Fact that is shown")), 7)
        self.values, self.data = push(tr("Values…"), self._show_values), push(tr("Export numbers…"), self._export_data)
        self.keep = push(tr("Keep for the report"), self._keep,
                         tip=tr("A report then has this sweep, computed anew; File → Report… lists what is kept"))
        said_as(self.note, tr("About this sweep"))
        self._lay_out()
        self._look = Pace(LOOKED, self._look_done, self)
        self.form.changed.connect(self._changed)
        self.chooser.currentIndexChanged.connect(self._show_chosen)
        self.set_theme(self._theme)
        self._enable()
        self._show_state()

    @property
    def waiting(self) -> str:
        return tr("Choose one parameter for curves or two for a map, tick facts, then start")

    @property
    def computed(self) -> str:
        return tr("This sweep was computed with an exact count of data, which files leave out: choose “Save exact "
                  "counts in files” first, or sweep with another value.")

    @property
    def marked(self) -> str:
        return tr("The marks show an exact count of data, which files leave out: choose “Save exact counts in files” "
                  "first, or sweep with another value.")

    def begin(self) -> None:
        """Come to the front, for the study in view."""
        self._aim()
        super().begin()

    def _aim(self) -> None:
        """Ask about the study in view; the title is of what is shown, if anything is."""
        self.form.aim(self._document.study, self._document.explicit)
        study = self.made.study if self.made else self._document.study_class
        self.setWindowTitle(tr("Sweep – {title}", title=tr(study.title)))

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self._stand()
        self.chooser.clear()
        self._enable()
        self._show_state()

    def close_down(self) -> None:
        self.form.close_down()
        super().close_down()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return begins, or goes on with, what is asked."""
        if event.key() in RETURNS:
            self.start.click()
        else:
            super().keyPressEvent(event)

    def leave(self) -> None:
        """Escape lets go of what runs, else of the pane."""
        if self.worker.busy:
            self._cancel()
        else:
            super().leave()

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.form.set_theme(theme)
        self._stand()
        self.size_label.setFont(theme.font("small"))
        for layout in (self._row, self._column, self._picture):
            spaced(layout, theme, 8)

    def _lay_out(self) -> None:
        self._side, self._drawn = QWidget(), QWidget()
        self._scrolled = only_scrolls(QScrollArea(widgetResizable=True), self.form)
        buttons = in_row((self.start, 2), (self.cancel, 1), self.change)
        self._column = in_column((self._scrolled, 1), self.size_label, self.bar, buttons, within=self._side)
        self._chooser_label = labelled(tr("Show"), self.chooser)
        self._picture = in_column(in_row(self._chooser_label, (self.chooser, 1), self.values), (self._place, 1),
                                  self.note, in_row((None, 1), self.picture, self.data, self.keep), within=self._drawn)
        self._row = in_row(self._side, (self._drawn, 1), within=self.inside, edges=(12, 12, 12, 12))

    def _stand(self) -> None:
        """What is asked beside the picture, above it where there is no room for that, or one of them alone."""
        abreast = self.inside.width() >= self._theme.px(ABREAST)
        alone = not abreast and self.inside.height() < self._theme.px(BOTH)
        asking = self.made is None or self._asking
        self._scrolled.setVisible(not alone or asking)
        self._drawn.setVisible(not alone or not asking)
        self.change.setVisible(alone and self.made is not None)
        self.change.setText(tr("Picture") if asking else tr("Change…"))
        self._row.setDirection(QBoxLayout.Direction.LeftToRight if abreast else QBoxLayout.Direction.TopToBottom)
        self._row.setStretch(0, 0 if abreast or (alone and not asking) else 2)
        self._row.setStretch(1, 1 if abreast else 3)
        self._side.setMinimumWidth(self._theme.px(COLUMN) if abreast else 0)
        self._side.setMaximumWidth(self._theme.px(COLUMN) if abreast else WIDEST)

    def _turn_over(self) -> None:
        self._asking = not self._asking
        self._stand()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._stand()

    # What runs

    def _changed(self) -> None:
        self._long = False
        self._look()
        self._show_state()

    def _request(self) -> Request:
        study, files = self._document.study_class, self._desk.files
        return self.form.request(self._document.session.state(study).tells, files.exact_counts,
                                 self.made.swept if self.made is not None else None)

    def _look_done(self) -> None:
        """See how much of what is asked is done: of what is shown, else of what is kept."""
        done, total = 0, 0
        if not self.form.wrong() and self.form.cells <= SURVEYED and self.isVisible() and not self.worker.busy:
            request = self._request()
            begun, total = request.begun, request.plan.total
            if begun is not None and begun.plan.digest == request.plan.digest:
                done = begun.done
            elif request.kept:
                done = keeping.done(request.plan, counted=request.counted)
        self._done = done, total
        self._show_buttons()

    def _start(self) -> None:
        if self.form.wrong():
            return
        self._begun, self._began, self._over = self._document.session, time.monotonic(), self.form.over
        request, self._left = replace(self._request(), done=self._done[0]), Leaving()
        remember(self._desk.settings, request, self._over)
        self.worker.start(partial(sweeping, request, self._left, self._long), self._end, told=self._show_news,
                          failed=lambda error: self._show_state(refusal(error, request), "danger"))
        self._long = self._asking = False
        self.bar.setRange(0, 0)
        self._show_state(tr("Trying a few cells…"))

    def _cancel(self) -> None:
        """Leave it as far as it is, which stays."""
        self._left.asked = True
        self._show_state(tr("Cancelling…"))

    def _show_news(self, news: News) -> None:
        progress = news.progress
        if news.swept is not None and (self.made is None or news.swept is not self.made.swept):
            self._show_result(SweepResult.of(news.swept, self._begun, self._over))
        if self._left.asked:
            return
        self.bar.setRange(0, progress.total)
        self.bar.setValue(progress.done)
        known = progress.left_seconds is not None and time.monotonic() - self._began > SETTLED
        left = tr(", {time} left", time=duration(progress.left_seconds or 0.0)) if known else ""
        self._show_state(tr("{done} of {total} cells{left}", done=grouped(progress.done), total=grouped(progress.total),
                            left=left))

    def _end(self, found: Ended | Long) -> None:
        swept = found.swept
        self._kept = "" if isinstance(found, Long) else found.told
        if swept is not None and swept.done:
            self._show_result(SweepResult.of(swept, self._begun, self._over))
        self._look_done()
        if isinstance(found, Long):
            self._long = True
            self._show_state(tr("{sentence}. Start again to begin all the same.", sentence=found.sentence),
                             "warning")
        elif swept is None or swept.whole:
            self._show_state()
        else:
            self._show_state(tr("Cancelled: {done} of {total} cells are done and stay.", done=grouped(swept.done),
                                total=grouped(swept.plan.total)) if swept.done else
                             tr("Cancelled: nothing was done yet."))
            self.start.setFocus()

    def _show_state(self, words: str = "", role: str = "muted") -> None:
        """What can be pressed, and how large it would be unless there is something else to say."""
        if not words:
            counts = " × ".join(grouped(each.count) for each in self.form.ranges if each.chosen is not None)
            facts = len(self.form.facts.chosen)
            whole = f"{counts} = {grouped(self.form.cells)}" if "×" in counts else counts
            words = self.form.wrong() or counted(
                "{cells} cells, {n} fact each", "{cells} cells, {n} facts each", facts, cells=whole)
        self.size_label.setText(words)
        self.size_label.setStyleSheet(f"color: {getattr(self._theme, role)}")
        self._show_buttons()

    def _show_buttons(self) -> None:
        """What can be pressed now."""
        active = self.worker.busy
        to_press = ((self.cancel, active and not self._left.asked), (self.start, not active and not self.form.wrong()))
        for button, may in to_press:
            button.setEnabled(may or button.hasFocus())
        if active and self.start.hasFocus():
            self.cancel.setFocus()  # else what has nothing to do with it had the keyboard
        elif not active and self.cancel.hasFocus():
            self.start.setFocus()
        for button, may in to_press:
            button.setEnabled(may)
        there, total = map(grouped, self._done)
        done = (tr("All {total} done", total=total) if there == total else
                tr("Continue: {there} of {total} done", there=there, total=total))
        self.start.setText(tr("Start anyway") if self._long else done if self._done[0] else tr("Start"))
        self.start.setToolTip(done if self._done[0] else "")
        self.bar.setVisible(active)

    # What is shown

    def _enable(self) -> None:
        for widget in (self._chooser_label, self.chooser, self.values, self.picture, self.data, self.keep):
            widget.setEnabled(self.made is not None)

    def _show_result(self, result: SweepResult) -> None:
        self.made, swept = result, result.swept
        crossed = len(swept.plan.over) == 2
        refill(self.chooser, (
            (tr(each.quantity.label) + (f" · {tr(each.series.label)}" if each.series and crossed else ""), each)
            for each in choices(swept)))
        self._enable()
        self._aim()
        self._stand()
        self._show_chosen(grown=True)

    def _show_chosen(self, *_: object, grown: bool = False) -> None:
        """A picture of the fact that is chosen, in the place of the one before; one that has grown stays where it is
        the same."""
        if self.made is None:
            return
        figure = self._figure(self.made.swept)
        if grown and self.view is not None and self.view.current_figure() == figure:
            self._follow()
            return
        view = self.show_figure(self.made, figure)
        view.enlarge_requested.connect(lambda: self._side.setVisible(self._side.isHidden()))
        view.picked.connect(self._take)
        view.values_requested.connect(lambda _: self._show_values())

    def _figure(self, swept: Swept) -> Figure:
        """The picture of the fact that is chosen."""
        return figure_of(swept, choices(swept)[max(self.chooser.currentIndex(), 0)])

    def _follow(self) -> None:
        """Put the marks where the document stands, and say what else has changed since."""
        if self.isVisible():
            self._aim()
            self._show_state(*((self.size_label.text(),) if self.worker.busy else ()))
        super()._follow()
        if self.view is not None:
            self.note.setText(self._told() or tr("Click a place to take its values, or drag the marks."))

    def _told(self) -> str:
        """What must be said of what is shown."""
        result, _ = self._shown()
        present, study = self._present(), result.study
        swept = result.swept
        told = [*(f"{begun(each)}." for each in swept.told(counting=grouped)), *filter(None, [self._kept])]
        symbols = [study.parameter(name).quantity.symbol for name, value in swept.plan.base.items()
                   if present[name] != value]
        if symbols:
            told.append(tr("{symbols} changed since: these are the values of before. Start again to follow.",
                           symbols=listed(symbols)))
        if self._document.study_class is not study:
            told.append(tr("A click turns back to “{title}”.", title=tr(study.title)))
        return " ".join(told)

    def drawn(self) -> Figure:
        """In English, with how much of it is computed, where that is not all: nobody sees it elsewhere."""
        swept = self._shown()[0].swept
        with in_english():
            figure = self._figure(swept)
        so_far = f"{swept.done:,} of {swept.plan.total:,} cells are computed; the others are blank."
        return figure if swept.whole else replace(figure, caption=f"{figure.caption} {so_far}")

    def _show_values(self) -> None:
        result, view = self._shown()
        relation = result.swept.plan.study.relation.sentence
        ValuesDialog(view.current_figure(), result.table, relation, self._export_data, self).show()

    def _export_data(self) -> None:
        """Ask where to, and write all that the sweep came to, as the command line does."""
        (result, _), files = self._shown(), self._desk.files
        if not self._may_leave(result.counted, self.computed):
            return
        path = files.ask_where(f"{result.study.key}-sweep.csv", "CSV (*.csv);;JSON (*.json)")
        if path is None:
            return
        form: sweeps.SweepFormat = "json" if path.suffix.lower() == ".json" else "csv"
        data = self._leaving().data
        data = data and data.besides(set(result.names))  # a number of the grid was not counted

        def work() -> str:
            with atomic(path) as file:
                sweeps.write(file, result.swept, form, data)
            return tr("Exported {path}", path=shown(path))

        files.do(work, path)

    # What a hand does

    def _keep(self) -> None:
        """Keep what was asked for, in one step."""
        result, _ = self._shown()
        already = result.asked in self._document.session.state(result.study).sweeps
        try:
            self._document.do(tr("Keep sweep"), Session.on, result.study, Session.keep_sweep, result.asked)
        except InvalidParameter as refusal:
            self.note.setText(refusal_in_words(refusal, result.study.parameters()))
        else:
            self.note.setText(tr("It is kept already.") if already else
                              tr("Kept for the report: File → Report… lists it."))

    def _take(self, x: float, y: float) -> None:
        """Set the document to a place of the picture, in one step."""
        result, _ = self._shown()
        study = result.study
        at = tuple(zip(swept_parameters(result.swept), (x, y), strict=False))
        said = listed(named(place, each.quantity) for each, place in at)
        try:
            if self._document.study_class is not study:
                self._document.turn(study)
            self._document.do(tr("Take {values}", values=said), Session.find, {each.name: place for each, place in at})
            took = tr("Took {values}; undo leads back.", values=said)
            self.note.setText(" ".join(filter(None, (took, self._told()))))
        except InvalidParameter as refusal:
            self.note.setText(refusal_in_words(refusal, study.parameters()))
