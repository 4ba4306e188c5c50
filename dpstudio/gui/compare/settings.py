"""What is pinned and the present values beside each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QCheckBox, QMenu, QStackedWidget, QWidget

from dpstudio.core.study import Study
from dpstudio.core.update import Update
from dpstudio.documents.comparison import ComparedSide, compared
from dpstudio.documents.session import Session
from dpstudio.documents.setting import Setting, title
from dpstudio.gui.compare.table import ComparedPage, chooser
from dpstudio.gui.controls.style import Combo, in_column, in_row, prose, push, refill
from dpstudio.gui.facts.view import Filter
from dpstudio.gui.shell import foreign
from dpstudio.gui.shell.desk import Desk
from dpstudio.gui.shell.theme import Theme
from dpstudio.text.language import tr

HOW = ("Nothing is pinned yet. Pin the present values (P), then move a slider: both stand here beside each other with "
       "every fact, the largest difference first.")
ALONE = "The present values are the pinned ones. Move a slider, or open an example: what differs then stands here."
HINT = "A click on a title compares with that setting, a double-click takes its values."


class SettingsPage(ComparedPage):
    """The pinned settings and the present one."""

    def __init__(self, desk: Desk, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(desk, theme, parent)
        self.hint.setText(tr(HINT))
        self._settings: tuple[Setting, ...] = ()
        self._reference: Study | None = None
        """What the others are compared with; the first of all, where there is none."""
        self._before: Study | None = None
        self.series = Combo()
        self.filter = Filter(self.table, self.model.set_filter)
        self.differing = QCheckBox(tr("Only what differs"))
        self.how = prose()
        self.pin_button = push(tr("Pin the present values"), desk.pin)
        self._lay_out()
        self._connect()
        self._show_study()

    def _lay_out(self) -> None:
        row = in_row(*chooser(tr("Compare with"), self.reference), *chooser(tr("Of"), self.series), (self.filter, 1),
                     self.differing)
        whole, empty = QWidget(), QWidget()
        in_column(row, (self.table, 1), self.hint, within=whole)
        in_column((None, 1), self.how, in_row(self.pin_button, None), (None, 2), within=empty, edges=None)
        self.pages = QStackedWidget()
        self.pages.addWidget(whole)
        self.pages.addWidget(empty)
        in_column(self.pages, within=self, edges=(0, 8, 0, 0))

    def _connect(self) -> None:
        desk = self._desk
        for signal in (desk.answers.told, desk.answers.finished, desk.pins.answered):
            signal.connect(self._follow)
        self.reference.activated.connect(lambda i: self.compare_with(self.reference.itemData(i)))
        self.series.activated.connect(lambda i: self.model.choose_series(self.series.itemData(i)))
        self.differing.toggled.connect(self.model.set_differing)
        heads = self.table.heads
        heads.sectionClicked.connect(lambda section: self._on_setting(section, self.compare_with))
        heads.sectionDoubleClicked.connect(lambda section: self._on_setting(section, self._take_clicked))
        heads.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        heads.customContextMenuRequested.connect(
            lambda at: self._offer(heads.logicalIndexAt(at), heads.mapToGlobal(at)))
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._offer_here)

    @property
    def ready(self) -> bool:
        """Whether there is something to compare."""
        return len(self._settings) > 1

    # Following

    def _show_study(self) -> None:
        """Another study has other series, and other pins."""
        series = self._desk.document.study_class.answers().series()
        self.series.clear()
        refill(self.series, [(tr("all"), None), *((tr(one.label), one) for one in series)])
        self.model.choose_series(None)
        self._reference = None
        self.refresh()

    def _refresh(self) -> None:
        state = self._desk.document.state
        every = (*(replace(pin, only=None) for pin in state.pins), state.setting)
        self._settings = tuple({setting.study: setting for setting in every}.values())
        studies = [setting.study for setting in self._settings]
        at = studies.index(self._reference) if self._reference in studies else 0
        self.pages.setCurrentIndex(0 if self.ready else 1)
        self.how.setText(tr(ALONE) if state.pins else tr(HOW))
        self.pin_button.setVisible(not state.pins)
        if self.ready:
            updates = map(self._update_of, studies)
            answers = [update.standing() if update else ((), frozenset(study.answers().index()))  # all under way
                       for study, update in zip(studies, updates, strict=True)]
            titles = (foreign.bounded(title(setting, *self._settings), foreign.LINE) for setting in self._settings)
            sides = [ComparedSide(tr("now: {title}", title=told) if setting.study == state.setting.study else told,
                                  setting.study, facts, setting.origin)
                     for setting, told, (facts, _) in zip(self._settings, titles, answers, strict=True)]
            refill(self.reference, ((side.title, side.study) for side in sides))
            self.reference.setCurrentIndex(at)
            lines = compared([facts for facts, _ in answers], at, [pending for _, pending in answers])
            self.model.show(sides, lines, at, in_order=self._moving)
        self.filled.emit()

    def _update_of(self, study: Study) -> Update | None:
        desk, told = self._desk, self._desk.answers.whole
        if study in desk.pins.studies and (told is None or told.study != study):
            return desk.pins.update_of(study)
        return told  # while a hand moves, the newest there is

    # What a hand does

    def _on_setting(self, section: int, act: Callable[[Study], None]) -> None:
        if 0 < section <= len(self._settings):
            act(self._settings[section - 1].study)

    def compare_with(self, study: Study) -> None:
        """Let this setting be the one that the others are compared with."""
        self._before, self._reference = self._reference, study
        self._refresh()

    def take(self, study: Study) -> None:
        """Take the values of a setting."""
        self._desk.take_setting(next(each for each in self._settings if each.study == study))

    def _take_clicked(self, study: Study) -> None:
        """The click that began a double one chose no other reference."""
        self._reference = self._before
        self.take(study)

    def _offer_here(self, at: QPoint) -> None:
        index = self.table.indexAt(at)
        self._offer((index if index.isValid() else self.table.currentIndex()).column(),
                    self.table.viewport().mapToGlobal(at))

    def _offer(self, section: int, at: QPoint) -> None:
        """A menu of what can be done with a setting."""
        if not 0 < section <= len(self._settings):
            return
        desk, study = self._desk, self._settings[section - 1].study
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Compare with it"), lambda: self.compare_with(study))
        if study != desk.document.study:
            menu.addAction(tr("Take its values"), lambda: self.take(study))
        pins = [pin for pin in desk.document.state.pins if pin.study == study]
        if pins:
            menu.addAction(tr("Remove this pin"), lambda: desk.document.do(
                tr("Remove pin"), Session.unpin, *pins[-1].pinned))
        else:
            menu.addAction(tr("Pin it"), desk.pin)
        menu.popup(at)

    def export(self) -> None:
        """Ask where to, and write all facts of all settings."""
        studies = [setting.study for setting in self._settings]
        known = {study: update for study in studies if (update := self._update_of(study))
                 and update.study == study and update.done == update.total}
        self._desk.files.export_comparison(self._settings, self.model.reference, known)
