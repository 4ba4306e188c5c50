"""The workbench: studies, pictures, parameters, facts and help around one document."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.figure import Line
from dpstudio.core.slow import EVERY, Wanted
from dpstudio.core.study import Preset, Study
from dpstudio.core.update import Update
from dpstudio.data.origin import Origin
from dpstudio.documents.noted import PictureNote
from dpstudio.documents.session import Session
from dpstudio.documents.setting import Setting, Values
from dpstudio.documents.words import symbols
from dpstudio.gui.facts.sentences import Headline
from dpstudio.gui.facts.view import FactsView
from dpstudio.gui.help.page import HelpCard
from dpstudio.gui.pictures.arrangement import NARROWEST, Arrangement
from dpstudio.gui.pictures.outgoing import Outgoing
from dpstudio.gui.plot import FigureView
from dpstudio.gui.plot.header import ElidedLabel
from dpstudio.gui.session.answers import Answers
from dpstudio.gui.session.document import Document
from dpstudio.gui.session.files import Files
from dpstudio.gui.session.pins import Pins
from dpstudio.gui.session.recovery import LeftSession
from dpstudio.gui.shell import foreign
from dpstudio.gui.shell.menus import Menus
from dpstudio.gui.shell.panes import step_focus
from dpstudio.gui.shell.questions import shown
from dpstudio.gui.shell.side import SidePanel, card
from dpstudio.gui.shell.status import Status
from dpstudio.gui.shell.studies_list import StudiesList
from dpstudio.gui.shell.theme import Theme
from dpstudio.gui.shell.window import Window
from dpstudio.scene.scene import Pinned
from dpstudio.studies import all_studies

if TYPE_CHECKING:
    from dpstudio.documents.noted import Solved
    from dpstudio.gui.compare.window import CompareWindow
    from dpstudio.gui.history.window import History
    from dpstudio.gui.pictures.handover import HandoverWindow
    from dpstudio.gui.practice.practice import Practice
    from dpstudio.gui.report.dialog import ReportRequest
    from dpstudio.gui.report.writing import Writing
    from dpstudio.gui.solve.question import Question
    from dpstudio.gui.solve.region import RegionWindow
    from dpstudio.gui.solve.solver import Solver
    from dpstudio.gui.sweep.window import SweepWindow

FACTS = "facts"


class _Dressed(Protocol):
    """A part that takes on a theme."""

    def set_theme(self, theme: Theme, /) -> None: ...


class Workbench(QWidget):
    """Fills a window: owns the document and what computes, and passes every change from one to the other."""

    def __init__(self, window: Window, left: LeftSession) -> None:
        super().__init__(window.centralWidget())
        self.window_, self.settings, self.appearance = window, window.settings, window.appearance
        self.appearance.settle()
        theme = self.appearance.theme
        self.document = Document(left.session, left.saved, self)
        self.answers = Answers(self.document, self)
        self.files = Files(self.document, self.settings, window)
        self.pins = Pins(self.document, self)
        self._comparison: CompareWindow | None = None
        self._handover: HandoverWindow | None = None
        self._sizes: list[int] = []
        """Widths to return to after presentation mode."""
        self._sweep: SweepWindow | None = None
        self._region: RegionWindow | None = None
        self._history: History | None = None
        self._pinned: list[Pinned] = []

        # In the order of the keyboard, and from the outside to the inside: what is put into another is dressed anew.
        self.studies = StudiesList(all_studies(), self)
        self._row = QSplitter(Qt.Orientation.Horizontal, self, childrenCollapsible=False)
        self.facts = FactsView(theme)
        self._facts_card = card(self.facts.with_filter())
        self.help_card = HelpCard(theme)
        self.help = self.help_card.pane
        self.status = Status()
        self.outgoing = Outgoing(self)
        self.menus = Menus(self, self)
        self._centre = QWidget(self._row)
        self.question = ElidedLabel("muted", self._centre)
        self.headline = Headline(theme, self._centre)
        self.pictures = self._arranged(self._centre)
        self._middle = QVBoxLayout(self._centre)
        self._middle.setContentsMargins(0, 0, 0, 0)
        top = QVBoxLayout()
        top.setSpacing(0)
        top.addWidget(self.question)
        top.addWidget(self.headline)
        self._middle.addLayout(top)
        self._middle.addWidget(self.pictures, 1)
        self.side = SidePanel(left.session.study_class, self.menus.presets, theme, self._row)
        for widget in (self._centre, self.side, self.help_card):
            self._row.addWidget(widget)
        for part in (self.studies, self._centre):  # not where parameters are typed
            part.addActions(self.menus.letters)
        self._row.setStretchFactor(0, 1)
        self._row.setSizes([850, 320, 360])
        self.help_card.setVisible(self.settings.help_shown)
        self._outer = QHBoxLayout(self)
        self._outer.addWidget(self.studies)
        self._outer.addWidget(self._row, 1)
        window.setStatusBar(self.status)
        window.study = lambda: self.document.leaving(exact=False).study  # diagnostics hold nobody's data
        window.parts = lambda: (self.studies, *self.side.parts(), self._centre, self.help_card)
        self._connect()
        self._dress(theme, (self.studies, self.status, window.notice))  # the others are dressed as they are made
        self._restore_layout()
        self._show_session()
        self.files.begin(left)
        if self.settings.text("scenario_card", ""):
            self.practice.restore()

    def showEvent(self, event) -> None:
        """Ask for the first answer once it is known what is in view."""
        super().showEvent(event)
        if self.answers.latest is None:
            self.answers.begin_anew()

    # From the document to what is seen

    def _connect(self) -> None:
        self.answers.seen = self._in_view
        self.pins.seen = lambda: Wanted(self.pictures.tables_in_sight())
        window, document, panel = self.window_, self.document, self.side.parameters
        document.study_changed.connect(self._turn_to_study)
        document.changed.connect(self._show_session)
        document.refused.connect(panel.show_refusal)
        document.moving.connect(lambda moving: self.pictures.look(interacting=moving))
        document.moving.connect(self.side.set_interacting)
        self.answers.shown.connect(self._show_update)
        self.answers.failed.connect(self._say_failed)
        self.answers.finished.connect(self.pins.complete)
        self.pins.shown.connect(self._show_pins)
        panel.edited.connect(document.edit)
        panel.reset_requested.connect(document.reset)
        panel.reset_all_requested.connect(self.reset_all)
        panel.refused.connect(self._say_refused)
        panel.disowned.connect(lambda name: document.do(
            f"Say that {document.symbol(name)} is not from data", Session.disown, name))
        panel.count_requested.connect(lambda _: self.open_data(origin=document.origin))
        panel.entered.connect(self._to_the_picture)
        self.studies.chosen.connect(self.open_study)
        self.facts.copied.connect(self.status.say)
        self.facts.solve_requested.connect(self.solve)
        self.files.said.connect(self.status.say)
        self.files.refused.connect(window.report)
        self.files.table.connect(self.open_data)
        self.files.named.connect(self._show_title)
        self.files.counts_missing.connect(self._offer_to_count)
        self.files.opened.connect(self.answers.begin_anew)
        window.may_close = self.files.may_close
        self.appearance.changed.connect(self.set_theme)
        self.help_card.closed.connect(lambda: self.menus.actions["About this study"].setChecked(False))
        window.dropped.connect(self.open_path)
        window.closing.connect(self.close_down)

    def _show_session(self) -> None:
        """Show all of the session that needs no answer."""
        document, state = self.document, self.document.state
        self.side.show_study(document.study, document.explicit)
        self.side.parameters.show_origins(state.setting.origin, state.awaited)
        self.studies.show_chosen(document.study_class.key)
        self.question.setText(document.study_class.question)
        self.pictures.show_state(state)
        self.menus.show_session(document)
        self._show_title()
        if state.awaited is None:
            self.window_.withdraw("counting")

    def _show_update(self, update: Update, study: Study) -> None:
        self.pictures.show_update(update, study, self.answers.windows)
        self.pins.look(update, study, self.answers.windows)
        self.facts.show_update(update, study)
        origin = self.document.counted_in(study)
        said = update.said
        self.headline.show_sentence(said[0] if said else "")
        self.side.verdict.show_sentences((*_told(origin, study), *said[1:]))
        self.status.show_update(update, study)
        if study == self.document.study:
            self.side.parameters.show_in_force(update.answer)
        self.help.show_update(update, study)
        if "solver" in self.__dict__:
            self.solver.show_update(update, self.answers.windows)

    def _show_pins(self, pins: Sequence[Pinned]) -> None:
        """Show what is pinned, and after it what a solution would look like."""
        self._pinned = list(pins)
        previewed = self.solver.preview.pinned if "solver" in self.__dict__ else None
        self.pictures.look(pins=[*pins, previewed] if previewed else pins)

    def _in_view(self) -> Wanted:
        """What a person sees of the answer."""
        facts = self.facts.in_view() | self.pictures.facts_in_sight()
        return Wanted(self.pictures.tables_in_sight(), facts, EVERY if self.side.verdict.isVisible() else 1)

    def _look_closer(self) -> None:
        """Ask for what is computed only where somebody looks at it, and now does."""
        if self.answers.latest is None:
            return
        answer = self.answers.latest[0].answer
        if any(answer.tabled[name].aside and answer.slow(name) for name in self.pictures.tables_in_sight()
               if name in answer.tabled):
            self.answers.ask()

    def _show_title(self) -> None:
        name = shown(self.files.path.with_suffix("")) if self.files.path else self.document.study_class.title
        self.window_.setWindowTitle(f"{foreign.title(name)}[*] – DP Studio")
        self.window_.setWindowModified(bool(self.files.unsaved))

    def _turn_to_study(self) -> None:
        """Another study has other pictures; its parameters' panel builds itself anew."""
        self.side.set_interacting(False)
        self._facts_card.setParent(self)
        old, self.pictures = self.pictures, self._arranged()
        self._middle.removeWidget(old)
        self._middle.addWidget(self.pictures, 1)
        old.settle()
        old.hide()
        old.deleteLater()
        self.headline.show_sentence(self.document.study_class.question)
        self.menus.show_study(self.document.study_class)

    def _arranged(self, parent: QWidget | None = None) -> Arrangement:
        pictures = Arrangement(self.document.study_class, {FACTS: self._facts_card}, self.appearance.theme,
                               self._connect_picture, parent)
        pictures.look(published=self.settings.published)
        pictures.enlarged.connect(self._show_way_back)
        pictures.hidden_changed.connect(self._of_what_is_in_view(
            lambda keys: self.document.show(Session.having, hidden=keys)))
        pictures.figure_chosen.connect(self._of_what_is_in_view(partial(self.document.show, Session.choose)))
        pictures.figure_chosen.connect(self._look_closer)
        pictures.rearranged.connect(self._look_closer)
        return pictures

    def _connect_picture(self, view: FigureView) -> None:
        for signal, act in ((view.parameter_dragged, self._drag), (view.drag_finished, self._drop),
                            (view.solve_requested, self.solve), (view.view_reset, self.answers.follow),
                            (view.copy_requested, lambda kind: self.outgoing.copy(kind, view)),
                            (view.export_requested, self.outgoing.export_picture),
                            (view.values_requested, self.outgoing.show_values)):
            signal.connect(self._of_what_is_in_view(act))
        # What is being written, or looked at, when another study is turned to belongs to this one.
        study_class = self.document.study_class
        view.note_changed.connect(partial(self._change_note, study_class))
        view.view_changed.connect(lambda table, low, high: self.answers.choose_view(table, low, high, study_class))

    def _of_what_is_in_view(self, act: Callable[..., object]) -> Callable[..., None]:
        """What a hand does to a picture: nothing once another study is in view, which may have the same parameters."""
        study_class = self.document.study_class

        def heard(*arguments: object) -> None:
            if self.document.study_class is study_class:
                act(*arguments)

        return heard

    # What a hand does

    def _drag(self, name: str, value: float) -> None:
        """A hand moves a mark: of a parameter, or of what is wanted."""
        if name in self.document.study.values():
            self.document.edit(name, value, False, on_picture=True)
        else:
            self.solver.lead(name, value)

    def _drop(self, name: str) -> None:
        if name in self.document.study.values():
            self.document.edit(name, getattr(self.document.study, name), on_picture=True)
        else:
            self.solver.release()

    def _say_refused(self, name: str, sentence: str) -> None:  # noqa: ARG002 - the sentence names it
        if sentence:
            self.status.say(sentence)
        else:
            self.status.fall_silent()

    def _to_the_picture(self) -> None:
        """Give the keyboard to the large picture, where every key is a command."""
        shown = next((pane for pane in self.pictures.panes() if pane.isVisible()), self.facts)
        shown.setFocus(Qt.FocusReason.OtherFocusReason)

    def _say_failed(self, sentence: str) -> None:
        kept = " The last answer is still shown." if self.answers.latest is not None else ""
        self.window_.report_error(f"This could not be computed ({sentence}).{kept}")

    def reset_all(self) -> None:
        self.document.do("Reset all", Session.apply, {})
        self.answers.follow()

    def apply_preset(self, preset: Preset) -> None:
        self.document.do(f"Preset “{preset.title}”", Session.apply, preset.values)
        self.answers.follow()
        self.status.say(preset.sentence, 12)

    def open_study(self, key: str) -> None:
        if key != self.document.study_class.key:
            self.document.turn(all_studies()[key])

    def open_session(self) -> None:
        self.files.open()

    def open_data(self, path: str = "", origin: Origin | None = None) -> None:
        """Open the dialog that counts in a table, with a file or with the choices of an earlier count."""
        from dpstudio.gui.data.dialog import DataDialog  # rarely needed, and not at the start

        dialog = DataDialog(self.document, self.settings, self.appearance.theme, self.window_)
        dialog.used.connect(self._use_counted)
        self.window_.closing.connect(dialog.reject)
        dialog.open()
        dialog.begin(path, origin)

    def _use_counted(self, study: str, values: Values, origin: Origin) -> None:
        self.open_study(study)
        try:
            self.document.do(f"Count in {origin.file}", Session.take, values, origin)
        except InvalidParameter as refusal:
            self.window_.report(str(refusal))
        else:
            self.answers.follow()
            self.status.say(f"Counted in {origin.file}; exact, and left out of sessions and exports", 12)

    def _offer_to_count(self, origin: Origin) -> None:
        counts, follows = (symbols(self.document.study_class, names) for names in (origin.counts, origin.follows))
        told = [f"{counts} {'were' if len(origin.counts) > 1 else 'was'} {origin.sentence}."] if counts else []
        if follows:
            told.append(f"{follows} {'were' if len(origin.follows) > 1 else 'was'} found from what was counted.")
        told.append("The session leaves exact counts and what follows from them out, so a default stands there."
                    if follows else "The session leaves exact counts out, so a default stands there.")
        if origin.told and counts:
            self.window_.report(" ".join(told), "Count again…", lambda: self.open_data(origin=origin), about="counting")
        else:
            self.window_.report(" ".join(told), about="counting")

    def open_path(self, path: str) -> None:
        """Open a session or what carries one; a table of people's data, to count in."""
        self.files.open_path(path)

    def pin(self) -> None:
        """Keep the present curves as a faint reference."""
        if self.answers.latest is None:
            return
        try:
            self.document.do("Pin", Session.pin)
        except InvalidParameter as refusal:
            self.status.say(str(refusal))
        else:
            self.status.say("Pinned: these curves stay as a faint reference")

    @cached_property
    def solver(self) -> Solver:
        """Made when somebody first solves."""
        from dpstudio.gui.solve.solver import Solver

        solver = Solver(self.document, self._in_view, self.appearance.theme, self)
        solver.looked = self._drawn
        self.side.put_above(solver.card)
        solver.said.connect(self.status.say)
        solver.aimed.connect(lambda targets: self.pictures.look(targets=targets))
        solver.preview.shown.connect(lambda: self._show_pins(self._pinned))
        solver.closed.connect(self._to_the_picture)
        solver.region_wanted.connect(self._show_region)
        if self.answers.latest is not None:
            solver.show_update(self.answers.latest[0], self.answers.windows)
        return solver

    @cached_property
    def practice(self) -> Practice:
        """Made when somebody first opens a scenario or takes the tour."""
        from dpstudio.gui.practice.practice import Practice

        return Practice(self, self._middle, self)

    def _show_region(self, question: Question) -> None:
        """Show where all that is wanted holds, in a window that is made when it is first wanted."""
        if self._region is None:
            from dpstudio.gui.solve.region import RegionWindow

            self._region = RegionWindow(self, self.window_)
            self._region.proposed.connect(self.solver.propose)
            self.solver.found_pair.connect(self._region.follow)
            self.solver.closed.connect(self._region.close)
            self.window_.closing.connect(self._region.close_down)
        self._region.begin(question)

    def solve(self, place: tuple[str, str | None] | None = None) -> None:
        """Solve for a fact: the one that is meant, where none is named."""
        self.solver.open(place or self._meant())

    def _meant(self) -> tuple[str, str | None]:
        """The fact that has the keyboard, else one of the picture that has it, else the study's outcome."""
        if self.facts.hasFocus() and (place := self.facts.current_place()):
            return place
        kind, picture = self.document.study_class, self.pictures.picture()
        index, looked = kind.answers().index(), self._drawn()
        outcomes = [place for outcome in kind.outcomes for place in index if place[0] == outcome.quantity.key]
        places = (*looked, *outcomes) if picture.canvas.hasFocus() else (*outcomes, *looked)
        return next(place for place in (*places, *index) if place in index and not index[place].simulated)

    def _drawn(self) -> list[tuple[str, str | None]]:
        """The facts that the picture in view has curves of."""
        drawn = [layer.y for layer in self.pictures.picture().current_figure().layers if isinstance(layer, Line)]
        return [(column.quantity.key, column.series.key if column.series else None) for column in drawn]

    def write_note(self) -> None:
        """Ask for words on the study in view, which its session keeps."""
        from dpstudio.gui.session.note import NoteDialog  # rarely needed, and not at the start

        NoteDialog(self.document, self.appearance.theme, self.window_).open()

    def note_on_picture(self) -> None:
        """Write on the picture that is meant, at the point that is read or in the middle."""
        self.pictures.picture().write_note()

    def _change_note(self, study_class: type[Study], before: PictureNote | None, after: PictureNote | None) -> None:
        label = ("Remove note" if after is None else "Note on picture" if before is None
                 else "Move note" if before.text == after.text else "Edit note")
        try:
            self.document.do(label, Session.on, study_class, Session.swap, "picture_notes", before, after)
        except InvalidParameter as refusal:
            self.status.say(str(refusal))

    def take_snapshot(self) -> None:
        """Ask for a name under which the study in view is kept as it stands."""
        from dpstudio.gui.history.window import take_snapshot  # rarely needed, and not at the start

        take_snapshot(self, self.window_)

    def show_history(self) -> None:
        """List the snapshots of the study in view, in a window that is made when it is first wanted."""
        if self._history is None:
            from dpstudio.gui.history.window import History

            self._history = History(self, self.window_)
            self.window_.closing.connect(self._history.close)
        self._history.show()
        self._history.raise_()
        self._history.activateWindow()

    def write_report(self) -> None:
        """Ask what a report is to have, and write it."""
        from dpstudio.gui.report.dialog import ReportDialog  # rarely needed, and not at the start

        document = self.document
        held = document.tells
        dialog = ReportDialog(document, self.settings, self.appearance.theme, self.window_,
                              exact_counts=self.files.exact_counts if held else None)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self._write_report(dialog.request()))
        dialog.asked_again.connect(self._ask_again)
        self.files.abandoned.connect(dialog.close)
        dialog.open()

    def _write_report(self, request: ReportRequest) -> None:
        """Of the session with every study, as it may leave: a saved one makes the same report."""
        leaving = self.files.leaving(request.exact_counts)
        if leaving is not None:
            self.reports.write(request, leaving.whole(all_studies().values()))

    @cached_property
    def reports(self) -> Writing:
        """Made when the first report is written."""
        from dpstudio.gui.report.writing import Writing

        writing = Writing(self.files, self.window_)
        writing.moved.connect(lambda progress: self.status.show_writing(
            *((progress.doing, progress.done, progress.total) if progress else ("", 0, 0))))
        self.status.leave.clicked.connect(writing.leave)
        return writing

    def _ask_again(self, asked: Solved) -> None:
        """Put a question that was kept into the solver, at the present values of its study."""
        self.open_study(asked.setting.study.key)
        self.solver.ask_again(asked)

    def sweep(self) -> None:
        """Show the window that sweeps facts over one parameter or two; it is made when it is first wanted."""
        if self._sweep is None:
            from dpstudio.gui.sweep.window import SweepWindow

            self._sweep = SweepWindow(self, self.window_)
            self.window_.closing.connect(self._sweep.close_down)
        self._sweep.begin()

    def show_comparison(self) -> None:
        """Set what is pinned and the present values beside each other, in a window of their own."""
        from dpstudio.gui.compare.window import CompareWindow  # rarely needed, and not at the start

        if self._comparison is None:
            self._comparison = window = CompareWindow(self, self.appearance.theme, self.window_)
            self.appearance.changed.connect(window.set_theme)
            self.window_.closing.connect(window.close)
            window.destroyed.connect(self._forget_comparison)
        self._comparison.show()
        self._comparison.raise_()
        self._comparison.activateWindow()

    def _forget_comparison(self) -> None:
        self._comparison = None

    def hand_over(self) -> None:
        """Show code that does what is in view, in a window of its own."""
        from dpstudio.gui.pictures.handover import HandoverWindow  # rarely needed, and not at the start

        if self._handover is None:
            self._handover = window = HandoverWindow(self, self.appearance.theme, self.window_)
            self.appearance.changed.connect(window.set_theme)
            self.window_.closing.connect(window.close)
            window.destroyed.connect(self._forget_handover)
        self._handover.show()
        self._handover.raise_()
        self._handover.activateWindow()

    def _forget_handover(self) -> None:
        self._handover = None

    def pin_settings(self, settings: tuple[Setting, ...]) -> None:
        """Keep settings, each of one series, as a faint reference."""
        try:
            self.document.do("Pin", Session.pin, *settings)
        except InvalidParameter as refusal:
            self.status.say(str(refusal))
        else:
            self.status.say("Pinned: each series stays as a faint reference where it matches")

    def show_frontier(self) -> None:
        """Show the frontier of the study in its place, before whatever window lies over it."""
        for figure in self.document.study_class.figures:
            if figure.key == "frontier":
                self.document.show(Session.choose, figure.place, figure.key)
                self.pictures.show_panel(figure.place)
                self.window_.raise_()
                self.window_.activateWindow()
                self.status.say(f"“{figure.title}” is shown, in the place of another picture")

    def take_setting(self, setting: Setting) -> None:
        """Take the values of a setting, such as one that is pinned."""
        try:
            self.document.do("Take setting", Session.adopt, setting)
        except InvalidParameter as refusal:
            self.status.say(str(refusal))
        else:
            self.answers.follow()

    def show_published(self, shown: bool) -> None:
        """Mark the ε of deployments on every axis of ε, in print too, or nowhere."""
        self.settings.published = shown
        self.pictures.look(published=shown)
        for window in (self._sweep, self._region):
            if window is not None and window.view is not None:
                window.view.look(published=shown)

    def toggle_enlarged(self) -> None:
        self.pictures.toggle_enlarged()

    def step_back(self) -> None:
        """Leave what was entered last: an enlarged picture, else presentation mode."""
        if self.pictures.is_enlarged():
            self.pictures.enlarge(None)
        else:
            self.menus.actions["Presentation mode"].setChecked(False)
        self._show_way_back()

    def _show_way_back(self) -> None:
        back = self.pictures.is_enlarged() or self.appearance.presentation
        self.menus.actions["Back to all pictures"].setEnabled(back)

    def show_facts(self) -> None:
        self.pictures.show_panel(FACTS)
        self.facts.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show_help(self, shown: bool) -> None:
        had_keyboard = self.help_card.isAncestorOf(self.window_.focusWidget() or self)
        self.help_card.setVisible(shown)
        self.settings.help_shown = shown
        self._make_room()
        if shown:
            self.help.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif had_keyboard:
            self._to_the_picture()

    def _make_room(self) -> None:
        """Give the help the place of the pictures where there is not enough room for both."""
        room = self._row.width() - 2 * self._row.handleWidth()
        rest = room - self.side.minimumSizeHint().width() - self.help_card.minimumSizeHint().width()
        self._centre.setVisible(not self.settings.help_shown or rest >= self.appearance.theme.px(NARROWEST))

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._make_room()

    def show_theorems(self) -> None:
        self.menus.actions["About this study"].setChecked(True)
        self.help.show_theorems(True)

    def next_pane(self, step: int = 1) -> None:
        """Give the keyboard to the next part of the window."""
        solving = [self.solver.card.rows[0].facts] if "solver" in self.__dict__ else []
        panes = [self.studies, self.headline, *self.pictures.panes(), *solving, self.side.presets,
                 self.side.parameters.control(self.document.study_class.parameters()[0].name).editor(), self.facts,
                 self.help]
        step_focus(self.window_, panes, step)

    # How it looks, and how it ends

    def set_theme(self, theme: Theme) -> None:
        solver = (self.solver.card,) if "solver" in self.__dict__ else ()
        self._dress(theme, (self.studies, self.headline, self.facts, self.help_card, self.status, self.side,
                            self.pictures, self.window_.notice, *solver))

    def _dress(self, theme: Theme, parts: Sequence[_Dressed]) -> None:
        gap = theme.px(8)
        if theme.scale != 1:
            self._sizes = self._sizes or self._row.sizes()
        self._outer.setContentsMargins(gap, 0, gap, 0)
        self._outer.setSpacing(gap)
        self._row.setHandleWidth(gap)
        self._middle.setSpacing(theme.px(4))
        self.question.setContentsMargins(theme.px(4), 0, theme.px(4), 0)
        self.studies.setVisible(theme.scale == 1)  # large type wants the room, and the menu has them too
        for part in parts:
            part.set_theme(theme)
        if theme.scale == 1 and self._sizes:
            self._row.setSizes(self._sizes)
            self._sizes = []
        self._make_room()
        self._show_way_back()

    def _restore_layout(self) -> None:
        try:
            kept = json.loads(self.settings.text("layout", "{}"))
            if len(kept.get("row", ())) == self._row.count():
                self._row.setSizes([int(size) for size in kept["row"]])
            self.side.restore(kept["side"])
            self.pictures.restore(kept["pictures"][self.document.study_class.key])
        except (ValueError, TypeError, AttributeError, LookupError):
            return  # a remembered layout is a convenience, never a reason to fail

    def close_down(self) -> None:
        """Leave nothing running, and remember how things stood."""
        self.settings.set_text("layout", json.dumps({
            "row": self._sizes or self._row.sizes(), "side": self.side.state(),
            "pictures": {self.document.study_class.key: self.pictures.state()}}))
        self.answers.close()
        self.pins.close()
        if "solver" in self.__dict__:
            self.solver.close_down()
        self.files.close()


def _told(origin: Origin | None, study: Study) -> tuple[str, ...]:
    """What is said of exact counts, if there are any."""
    if origin is None:
        return ()
    from dpstudio.data.meaning import origin_sentences  # whoever has no data does not wait for it

    return (origin_sentences(origin, study),)
