"""The dialog that opens a table, lets a person say which records qualify, and hands their number to a study."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QPushButton, QWidget

from dpstudio.core.declare import InvalidParameter, accepted
from dpstudio.core.study import Study
from dpstudio.data.amounts import Amounts
from dpstudio.data.cohort import Cohort
from dpstudio.data.columns import find, shown
from dpstudio.data.counting import Count
from dpstudio.data.groups import Groups
from dpstudio.data.origin import Origin
from dpstudio.data.targets import Asked, Counted, CountRequest, Target, offered
from dpstudio.gui.controls.style import RETURNS
from dpstudio.gui.data.builder import ColumnBox
from dpstudio.gui.data.reading import ReadingForm
from dpstudio.gui.session.document import Document
from dpstudio.gui.shell.about import own_data
from dpstudio.gui.shell.settings import AskedOfTable, Settings
from dpstudio.gui.shell.theme import Theme
from dpstudio.studies import all_studies
from dpstudio.text.language import tr
from dpstudio.text.sentences import listed

PAUSE = 250
"""Milliseconds without a change after which counting begins."""


def asked_for(what: Asked) -> tuple[str, str]:
    """The heading of the condition, and what is to be said first."""
    match what:
        case "records":
            return tr("Which records qualify"), tr("Say which records qualify: their number is N.")
        case "arms":
            return tr("Who has the symptom"), tr("Say who has the symptom and who was treated: both arms are counted.")
        case "groups":
            return tr("Which records count, if not all"), tr(
                "Say by which column records are grouped, or by which two: how many each group has is a cell of the "
                "table.")
        case "amounts":
            return tr("Which records count, if not all"), tr("Say of which column the numbers are taken.")


class DataDialog(ReadingForm):
    """File, preview, condition, person, result; everything that reads the file does so in another thread."""

    used = Signal(str, object, object)
    """A study, values of its parameters, and where they were counted."""

    def __init__(self, document: Document, settings: Settings, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(settings, theme, parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Count in your data"))
        self._document, self._theme = document, theme
        self._counted: tuple[Counted, CountRequest] | None = None
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._targets = tuple(offered(all_studies()))
        for target in self._targets:
            self.target.addItem(tr(all_studies()[target.study].title))
            if target.study == document.study_class.key:
                self.target.setCurrentIndex(self.target.count() - 1)
        for widget in (self.target_label, self.target):
            widget.setVisible(len(self._targets) > 1)
        self._connect(theme)
        self._show_table(None)
        self._aim()

    def _connect(self, theme: Theme) -> None:
        self.builder.changed.connect(self._changed)
        self.person.currentIndexChanged.connect(self._changed)
        self.grouped.changed.connect(self._changed)
        self.numbers.changed.connect(self._changed)
        self.bounded.toggled.connect(self._bound)
        self.at_most.valueChanged.connect(self._bound)
        self.stop.clicked.connect(self._stop)
        self.target.currentIndexChanged.connect(self._aim)
        self.action.textChanged.connect(self._changed)
        self.milder.textChanged.connect(self._changed)
        self._pause.timeout.connect(self._count)
        self.worker.refused.connect(self._refuse)
        self.buttons.accepted.connect(self._use)
        self.buttons.rejected.connect(self.reject)
        self.buttons.helpRequested.connect(lambda: own_data(theme, self).open())
        self.finished.connect(self._close_down)

    # What is asked

    @property
    def _target(self) -> Target:
        return self._targets[max(0, self.target.currentIndex())]

    @property
    def _at_most(self) -> int | None:
        return self._bound_set if self._target.asks != "amounts" else None

    @property
    def _bound_set(self) -> int | None:
        """The bound that stands there, also while the numbers of a column are asked for, which have none."""
        return self.at_most.value() if self._person is not None and self.bounded.isChecked() else None

    @property
    def _person(self) -> str | None:
        index = self.person.currentIndex()
        return self._table.columns[index - 1].name if self._table is not None and index > 0 else None

    def _request(self) -> CountRequest | None:
        """What is asked for, or None while a condition is missing or unfinished; what is wrong with it is shown."""
        condition = self.builder.condition() if self._table is not None else None
        if self._table is None or (condition is None and (
                self._target.needs_condition or not self.builder.untouched)):
            return None
        milder = self.milder.text().strip()
        return CountRequest(self._target, self.builder.where, condition, (milder,) if milder else (),
                            self.action.text().strip(), self._person, self._at_most, self.grouped.chosen, self._of)

    @property
    def _of(self) -> str:
        return next(iter(self.numbers.chosen), "")

    def _asked(self) -> Origin | None:
        table, target, milder = self._table, self._target, self.milder.text().strip()
        if table is None:
            return None
        return Origin(table.name, table.sha256, self.builder.where, self._person, self._bound_set, self._texts(),
                      target.counts, action=self.action.text().strip() or None, further=(milder,) if milder else (),
                      by=self.grouped.chosen, of=self._of)

    def _restore(self, earlier: Origin, study: str = "") -> None:
        assert self._table is not None
        if earlier.where:
            self.builder.show_columns(self._table.columns, earlier.where)
        for i, target in enumerate(self._targets):
            if target.study == study if study else target.fits(earlier.counts):
                self.target.setCurrentIndex(i)
        self.action.setText(earlier.action or "")
        self.milder.setText(next(iter(earlier.further), ""))
        self.grouped.choose(earlier.by)
        self.numbers.choose((earlier.of,))
        columns = self._table.columns
        person = find(earlier.person, columns) if earlier.person else None
        self.person.setCurrentIndex(0 if person is None else columns.index(person) + 1)
        # Where nobody was named, nobody chose a bound either; nor for the numbers of a column, which have none.
        self.bounded.setChecked(earlier.at_most is not None or not earlier.person or self._target.asks == "amounts")
        self.at_most.setValue(earlier.at_most or 1)
        taken = (*self.grouped.chosen, *self.numbers.chosen, earlier.person if person is not None else "")
        gone = [name for name in (earlier.person, *earlier.by, earlier.of) if name and name not in taken]
        if gone:  # what is counted without it is another thing, and not what was asked for
            self._pause.stop()
            self.worker.stop()
            names = listed(map(shown, gone))
            self.found.show_nothing(
                tr("What was counted before asked for {names}, and this file has no such columns: change something to "
                   "count without.", names=names) if len(gone) > 1 else
                tr("What was counted before asked for {names}, and this file has no such column: change something to "
                   "count without.", names=names))

    # The count

    def _changed(self) -> None:
        """Another condition or person: what was counted holds no more."""
        self._counted = None
        self.use.setEnabled(False)
        self._bounds_enabled()
        request = self._request()
        complete = request is not None and request.complete
        if self._table is None or complete:
            self.found.show_nothing()
        else:
            self.found.show_nothing(asked_for(self._target.asks)[1])
        if complete:
            self._pause.start()
        else:
            self._pause.stop()
            self.worker.stop()

    def _count(self) -> None:
        request = self._request()
        if request is not None and request.complete:
            self.worker.ask(request.counted_in, lambda found: self._show_count(found, request))

    def _show_count(self, counted: Counted, request: CountRequest) -> None:
        self._counted = counted, request
        self._show_found()

    def _bound(self) -> None:
        """A bound changes what a count comes to, not what was read; of a cohort and of groups another is counted."""
        if self._target.asks in ("arms", "groups"):
            self._changed()
        self._again()

    def _aim(self) -> None:
        """Another study may want something else counted."""
        asks = self._target.asks
        self.asked.setText(asked_for(asks)[0])
        self.of_each.setText(tr("rows of each, in each group") if asks == "groups" else tr("rows of each"))
        seen: Mapping[QWidget, bool] = {
            **dict.fromkeys((self.also, self.milder, self.acted, self.action), asks == "arms"),
            **dict.fromkeys((self.bounded, self.at_most, self.of_each), asks != "amounts"),
            self.grouped: asks == "groups", self.numbers: asks == "amounts"}
        for widget, there in seen.items():
            widget.setVisible(there)
        if self._counted is None or asks != self._counted[1].target.asks:
            self._changed()
        self._again()

    def _again(self) -> None:
        """What was counted, for the present study and bound."""
        self._bounds_enabled()
        request = self._request() if self._counted is not None else None
        if self._counted is not None and request is not None:
            self._counted = self._counted[0], request
        self._show_found()

    def _show_found(self) -> None:
        if self._counted is not None:
            found, request = self._counted
            match found:
                case Cohort():
                    self.found.show_cohort(found, self._study(request))
                case Count():
                    self.found.show_count(found, self._at_most, self._study(request))
                case Groups():
                    self.found.show_groups(found)
                case Amounts():
                    self.found.show_amounts(found)
            refusal = self._refusal()
            if refusal is not None:
                self.found.show_first(self.worded(refusal))
            self.use.setEnabled(refusal is None)
            self.use.setDefault(refusal is None)
        self.use.setText(tr("&Use in {study}", study=self.target.currentText()))
        bold = QFontMetrics(self._theme.font(bold=True))  # as it is once it can be pressed
        self.use.setMinimumWidth(bold.horizontalAdvance(self.use.text()) + self._theme.px(32))

    def _refusal(self) -> InvalidParameter | None:
        """Why what was counted cannot be used, if it cannot."""
        assert self._counted is not None
        counted, request = self._counted
        study = all_studies()[request.target.study]
        try:
            for name, value in request.values(counted).items():
                accepted(name, study.parameter(name).domain, value)
        except InvalidParameter as refusal:
            return refusal
        return None

    def _bounds_enabled(self) -> None:
        self.bounded.setEnabled(self._person is not None)
        self.at_most.setEnabled(self._person is not None and self.bounded.isChecked())

    def _study(self, request: CountRequest) -> Study:
        """The study that the count is for, as it would be with the count; or without, if it can become nothing."""
        key = request.target.study
        explicit = self._document.explicit if self._document.study.key == key else {}
        assert self._counted is not None
        try:
            return all_studies()[key](**{**explicit, **request.values(self._counted[0])})
        except InvalidParameter:
            return all_studies()[key](**explicit)

    def _refuse(self, sentence: str) -> None:
        if self._table is None:
            self._say(sentence, danger=True)
        else:
            self.found.show_nothing(sentence)

    def _stop(self) -> None:
        self._pause.stop()
        self.worker.stop()
        if self._table is None:
            self._say(tr("Reading was stopped."))
        else:
            self.found.show_nothing(tr("Counting was stopped; change something to count again."))

    # The end

    def _use(self) -> None:
        for box in self.findChildren(ColumnBox):
            box.settle()  # what is being typed is asked for, too
        if self._counted is None:
            return
        counted, request = self._counted
        assert self.worker.file is not None
        try:
            values = request.values(counted)
        except InvalidParameter as refusal:
            self.found.show_nothing(self.worded(refusal))
            return
        self.used.emit(request.target.study, values, request.origin(self.worker.file, counted, values))
        self.accept()

    def _close_down(self) -> None:
        if (asked := self._asked()) is not None:
            self._settings.asked.pop(self._path, None)
            self._settings.asked[self._path] = AskedOfTable(asked, self._target.study)
        self._pause.stop()
        self.worker.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return counts at once what is asked, wherever it is pressed; only a button takes what was counted."""
        if event.key() in RETURNS:
            if isinstance(button := self.focusWidget(), QPushButton):
                button.click()
            elif self._pause.isActive():
                self._pause.stop()
                self._count()
            event.accept()
            return
        super().keyPressEvent(event)
