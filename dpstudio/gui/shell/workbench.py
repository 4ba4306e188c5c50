"""The workbench: the page of a study around one document."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from dpstudio.core.slow import EVERY, Wanted
from dpstudio.core.study import Study
from dpstudio.core.update import Update
from dpstudio.documents.in_view import FACTS, MORE
from dpstudio.documents.session import Session
from dpstudio.gui.controls.style import in_column
from dpstudio.gui.facts.sentences import Headline, of_counts
from dpstudio.gui.facts.view import FactsView
from dpstudio.gui.help.card import HelpCard
from dpstudio.gui.page.bar import Bar
from dpstudio.gui.page.page import StudyPage
from dpstudio.gui.page.pictures import BESIDE, PICTURE, Pictures
from dpstudio.gui.pictures.outgoing import Outgoing
from dpstudio.gui.session.recovery import LeftSession
from dpstudio.gui.shell import foreign
from dpstudio.gui.shell.desk import Desk
from dpstudio.gui.shell.hand import Hand
from dpstudio.gui.shell.menus import Menus
from dpstudio.gui.shell.pages import Pages
from dpstudio.gui.shell.panes import step_focus
from dpstudio.gui.shell.questions import shown
from dpstudio.gui.shell.status import copied
from dpstudio.gui.shell.theme import Theme
from dpstudio.gui.shell.window import Window
from dpstudio.scene.scene import Pinned
from dpstudio.studies import study_titles
from dpstudio.text.language import tr

if TYPE_CHECKING:
    from dpstudio.gui.help.page import HelpPane
    from dpstudio.gui.practice.practice import Practice
    from dpstudio.gui.solve.question import Question
    from dpstudio.gui.solve.solver import Solver


class Workbench(QWidget):
    """Fills a window: shows what is on its desk, and passes on what a hand does."""

    def __init__(self, window: Window, left: LeftSession) -> None:
        super().__init__(window.centralWidget())
        window.appearance.settle()
        theme = window.appearance.theme
        self.desk = desk = Desk(window, left, self)
        self.window_, self.settings, self.appearance = window, window.settings, window.appearance
        self.document, self.answers, self.files, self.pins = desk.document, desk.answers, desk.files, desk.pins
        self.status, self.tools = desk.status, desk.tools
        self.tools.add("practice", self._make_practice)
        self.tools.add("solver", self._make_solver)
        self._pinned: list[Pinned] = []

        self.outgoing = Outgoing(desk, self)
        self.menus = Menus(desk, self.outgoing, self, self)
        self.hand = Hand(desk, self.outgoing, self.menus.letters)
        self._page: StudyPage | None = None
        self._column = in_column(within=self)
        window.setStatusBar(self.status)
        window.study = lambda: self.document.leaving(exact=False).study  # diagnostics hold nobody's data
        window.parts = lambda: self.pages.start.parts() if self.pages.at_start else self.page.parts()
        self.pages = Pages(self, self)
        self._connect(desk)
        for part in (self.status, window.notice):  # the others are dressed as they are made
            part.set_theme(theme)
        self.show_title()
        self.files.begin(left)

    def showEvent(self, event: QShowEvent) -> None:
        """Ask for the first answer once it is known what is in view."""
        super().showEvent(event)
        page = self.page
        if self.answers.latest is None:
            self.answers.begin_anew()
        if not self.isAncestorOf(self.window_.focusWidget() or self.window_) or page.bar.start.hasFocus():
            self._to_the_picture()

    @property
    def page(self) -> StudyPage:
        """The page of the study in view, made when it is first wanted: the first page does without."""
        if self._page is None:
            self._page = self._made()
            self._begin_page(self._page)
        return self._page

    def _made(self) -> StudyPage:
        theme, desk = self.appearance.theme, self.desk
        bar = Bar(study_titles(), self.menus.everything, self.menus.actions, theme)
        page = StudyPage(self.document.study_class, bar, desk.panes, theme, self.hand.on_picture, self)
        self._column.addWidget(page)
        page.place_wanted(self.solver.bar)
        self.solver.bar.setFocusProxy(self.solver.bar.rows[0].entry)  # who comes by F6 types a value
        return page

    def _begin_page(self, page: StudyPage) -> None:
        """Have it show what there is, as it was left."""
        self._connect_pictures()
        page.help_card.setVisible(self.settings.help_shown)
        self._connect_page(page)
        page.restore(self.settings.text("layout", "{}"), self.document.study_class.key)
        self._show_session()
        if self.settings.text("scenario_card", ""):
            self.practice.restore()

    # From the document to what is seen

    def _connect(self, desk: Desk) -> None:
        """What is heard whether or not there is the page of a study."""
        window, document = self.window_, self.document
        document.study_changed.connect(lambda: self.menus.show_study(document.study_class))
        document.changed.connect(self._show_document)
        self.answers.failed.connect(self._say_failed)
        self.files.named.connect(self.show_title)
        desk.frontier_wanted.connect(self._show_frontier)
        desk.panes.wanted.connect(self._make_room)
        desk.panes.left_empty.connect(self._to_the_picture)
        window.may_close = self.files.may_close
        self.appearance.changed.connect(self.set_theme)
        window.dropped.connect(self.files.open_path)
        window.closing.connect(self.close_down)

    def _connect_page(self, page: StudyPage) -> None:
        self.answers.seen = self._in_view
        self.answers.watched = lambda: Wanted(self.pictures.tables_in_sight(), self.pictures.facts_in_sight())
        self.pins.seen = lambda: Wanted(self.pictures.tables_in_sight())
        document, desk, panel, bar = self.document, self.desk, page.parameters, page.bar
        document.study_changed.connect(self._turn_to_study)
        document.changed.connect(self._show_session)
        document.refused.connect(page.show_refusal)
        document.moving.connect(lambda moving: self.pictures.look(interacting=moving))
        self.answers.shown.connect(self._show_update)
        self.answers.told.connect(self._show_facts)
        self.answers.headed.connect(self._show_headline)
        self.answers.said.connect(self._show_sentences)
        self.answers.finished.connect(self.pins.complete)
        self.pins.shown.connect(self._show_pins)
        for asking in (panel, page.fearing):
            asking.edited.connect(document.edit)
            asking.refused.connect(
                lambda _, sentence: self.status.say(sentence) if sentence else self.status.fall_silent())
            asking.entered.connect(self._to_the_picture)
        panel.reset_requested.connect(document.reset)
        panel.reset_all_requested.connect(desk.reset_all)
        panel.disowned.connect(lambda name: document.do(
            tr("Say that {name} is not from data", name=document.symbol(name)), Session.disown, name))
        panel.count_requested.connect(lambda _: desk.open_data(origin=document.origin))
        bar.start_wanted.connect(self.show_start)
        bar.study_wanted.connect(desk.open_study)
        page.more_wanted.connect(lambda more: document.show(Session.open_up, *more))
        page.facts.copied.connect(self.status.say)
        page.facts.whole_copied.connect(lambda told: self.status.say(copied(told, document.holds_counts)))
        page.facts.solve_requested.connect(self.solver.want)
        page.facts.value_requested.connect(page.show_entry)
        page.help_card.closed.connect(lambda: self.menus.actions["Help on this study"].setChecked(False))

    def _show_session(self) -> None:
        """Show all of the session that needs no answer."""
        self.page.show_state(self.document.study, self.document.explicit, self.document.state)
        self.page.bar.show_study(self.document.study_class)

    def _show_document(self) -> None:
        """Show what the window has of it beside its pages."""
        document = self.document
        self.menus.show_session(document)
        self.show_title()
        if document.state.awaited is None:
            self.window_.withdraw("counting")

    def _show_update(self, update: Update, study: Study) -> None:
        self.pictures.show_update(update, study, self.answers.windows)
        self.pins.look(update, study, self.answers.windows)
        self.status.show_update(update, study)
        if study == self.document.study:
            self.page.parameters.show_in_force(update.answer)
        self.solver.preview.look(update, self.answers.windows)

    def _show_facts(self, update: Update, study: Study) -> None:
        """Facts, all of one setting: while a hand moves the pictures may be of a later one."""
        self.facts.show_update(update, study)

    def _show_headline(self, update: Update, _study: Study) -> None:
        """What comes first of the same setting, and what the fact is that somebody wants otherwise."""
        self.page.show_headline(update)
        self.solver.show_read(update)

    def _show_sentences(self, update: Update, study: Study) -> None:
        """Sentences of the same setting, besides the headline."""
        self.page.show_sentences(update, of_counts(self.document.counted_in(study), study))
        self.help_card.show_update(update, study)

    def _show_pins(self, pins: Sequence[Pinned]) -> None:
        """Show what is pinned, and after it what a solution would look like."""
        self._pinned = list(pins)
        previewed = self.solver.preview.pinned
        self.pictures.look(pins=[*pins, previewed] if previewed else pins)

    def _in_view(self) -> Wanted:
        """What a person sees of the answer: nothing, where its pictures are still about to take others' place."""
        if self.pictures.study_class is not self.document.study_class:
            return Wanted()
        facts = self.facts.in_view() | self.pictures.facts_in_sight()
        return Wanted(self.pictures.tables_in_sight(), facts, EVERY)

    def show_title(self) -> None:
        seen = tr("Start") if self.pages.at_start else tr(self.document.study_class.title)
        name = shown(self.files.path.with_suffix("")) if self.files.path else seen
        self.window_.setWindowTitle(f"{foreign.title(name)}[*] – DP Studio")
        if (unsaved := bool(self.files.unsaved)) != self.window_.isWindowModified():  # Qt tells all of the window anew
            self.window_.setWindowModified(unsaved)

    @property
    def facts(self) -> FactsView:
        return self.page.facts

    @property
    def help_card(self) -> HelpCard:
        return self.page.help_card

    @property
    def pictures(self) -> Pictures:
        return self.page.pictures

    @property
    def headline(self) -> Headline:
        return self.page.headline

    def _turn_to_study(self) -> None:
        """Another study has other pictures; its parameters' panel builds itself anew."""
        self.page.turn(self.document.study_class)
        self._connect_pictures()

    def _connect_pictures(self) -> None:
        pictures = self.pictures
        pictures.look(published=self.settings.published)
        pictures.enlarged.connect(self._show_way_back)
        self.hand.on_page(pictures)

    def take_chips(self) -> None:
        """Give the keyboard to what can be decided for."""
        self.page.show_panel(PICTURE)
        self.pictures.chips.take_keyboard()

    def step_beside(self) -> None:
        """The next picture beside the large one, in view."""
        self.page.show_panel(BESIDE)
        self.pictures.step()

    def show_everything(self) -> None:
        """Open all that is folded, or show again what is seen first alone."""
        state = self.document.state
        self.document.show(Session.open_up, *(() if state.opened.issuperset(MORE) else MORE))

    # What a hand does

    def show_start(self) -> None:
        """Leave the study for the first page."""
        self.pages.show_start()

    def come_back(self) -> None:
        """Be in view again, and up to date."""
        if self.answers.latest is not None:
            self.answers.ask()
        self._to_the_picture()

    def _to_the_picture(self) -> None:
        """Give the keyboard to the large picture, where every key is a command; else to what is in its place."""
        panes = (*self.pictures.panes(), self.page.fearing.question)
        shown = next((pane for pane in panes if pane.isVisible()), self.facts)
        shown.setFocus(Qt.FocusReason.OtherFocusReason)

    def _say_failed(self, sentence: str) -> None:
        kept = tr(" The last answer is still shown.") if self.answers.latest is not None else ""
        self.window_.report_error(tr("This could not be computed ({error}).", error=sentence) + kept)

    # What is made when it is first wanted

    @property
    def help(self) -> HelpPane:
        return self.help_card.inside.pane

    @property
    def solver(self) -> Solver:
        solver: Solver = self.tools.get("solver")
        return solver

    @property
    def practice(self) -> Practice:
        practice: Practice = self.tools.get("practice")
        return practice

    def _make_solver(self) -> Solver:
        from dpstudio.gui.solve.solver import Solver

        solver = Solver(self.document, self._in_view, self.appearance.theme, self)
        solver.said.connect(self.status.say)
        solver.aimed.connect(lambda targets: self.pictures.look(targets=targets))
        solver.preview.shown.connect(lambda: self._show_pins(self._pinned))
        solver.closed.connect(self._to_the_picture)
        solver.region_wanted.connect(partial(self._show_region, solver))
        return solver

    def _make_practice(self) -> Practice:
        from dpstudio.gui.practice.practice import Practice

        return Practice(self.desk, self.page.place_above, lambda: self.pictures, self)

    def _show_region(self, solver: Solver, question: Question) -> None:
        """Show where all that is wanted holds."""
        first = self.tools.made("region") is None
        region = self.tools.open("region")
        if first:
            region.proposed.connect(solver.propose)
            solver.found_pair.connect(region.follow)
            solver.closed.connect(region.close)
        region.follow(question)

    def solve(self) -> None:
        """Put the caret where a value is wanted: of the fact in the table that has the keyboard, if one has it."""
        self.solver.want(self.facts.current_place() if self.facts.hasFocus() else None)

    def _show_frontier(self) -> None:
        """Show the frontier of the study beside the large picture, before whatever window lies over it."""
        for figure in self.document.study_class.figures:
            if figure.key == "frontier":
                self.pictures.enlarge(None)
                self.page.show_panel(BESIDE)
                self.pictures.bring(figure.key)
                self.window_.raise_()
                self.window_.activateWindow()
                self.status.say(tr("“{title}” is shown beside the large picture", title=tr(figure.title)))

    def show_published(self, shown: bool) -> None:
        """Mark the ε of deployments on axes of ε where their unit of privacy is alike, in print too, or nowhere."""
        self.settings.published = shown
        self.pictures.look(published=shown)
        for window in map(self.tools.made, ("sweep", "region")):
            if window is not None and window.view is not None:
                window.view.look(published=shown)

    def step_back(self) -> None:
        """Leave what was entered last: an enlarged picture, else presentation mode."""
        if self.pictures.is_enlarged():
            self.pictures.enlarge(None)
        else:
            self.menus.actions["Presentation mode"].setChecked(False)
        self._show_way_back()

    def _show_way_back(self) -> None:
        back = self.appearance.presentation or (self._page is not None and self.pictures.is_enlarged())
        self.menus.actions["Back to all pictures"].setEnabled(back)

    def show_facts(self) -> None:
        """All facts, with the keyboard in their filter's table."""
        self.pictures.enlarge(None)
        self.page.show_panel(FACTS)
        self.document.show(Session.open_up, *self.document.state.opened, FACTS)
        self.facts.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show_help(self, shown: bool) -> None:
        had_keyboard = self.help_card.isAncestorOf(self.window_.focusWidget() or self)
        self.help_card.setVisible(shown)
        self.settings.help_shown = shown
        self.page.fit()
        if shown:
            self.help.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif had_keyboard:
            self._to_the_picture()

    def _make_room(self) -> None:
        """A pane is to be seen: help that has the place of the pictures gives it back."""
        if self.page.pictures_hidden:
            self.menus.actions["Help on this study"].setChecked(False)

    def show_theorems(self) -> None:
        self.menus.actions["Help on this study"].setChecked(True)
        self.help.show_theorems(True)

    def next_pane(self, step: int = 1) -> None:
        """Give the keyboard to the next part of the page, or in a narrow window bring its next panel into view."""
        if self.page.next_panel(step):
            self._to_the_picture()
        else:
            step_focus(self.window_, self.page.panes(), step)

    # How it looks, and how it ends

    def set_theme(self, theme: Theme) -> None:
        self.status.set_theme(theme)
        self.window_.notice.set_theme(theme)
        if self._page is not None:
            self._page.set_theme(theme)
            self.solver.bar.set_theme(theme)
        self._show_way_back()

    def close_down(self) -> None:
        """Leave nothing running, and remember how things stood."""
        if self._page is not None:
            self.settings.set_text("layout", self._page.remembered(self.document.study_class.key))
            self.solver.close_down()
            self.facts.close_down()
        self.desk.close_down()
