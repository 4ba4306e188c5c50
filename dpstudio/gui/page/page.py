"""The page of a study: every part in its place, in a window that is wide, or narrow and shows one panel at a time."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from dpstudio.core.attacker import SPOKEN
from dpstudio.core.declare import InvalidParameter
from dpstudio.core.level import RUNNER_UP
from dpstudio.core.sentence import keyed
from dpstudio.core.study import Study
from dpstudio.core.update import Update
from dpstudio.documents.in_view import PARAMETERS
from dpstudio.documents.state import StudyState
from dpstudio.gui.controls.style import in_column, spaced
from dpstudio.gui.facts.sentences import Headline, RunnerUp
from dpstudio.gui.facts.view import FactsView
from dpstudio.gui.help.card import HelpCard
from dpstudio.gui.page.bar import Bar
from dpstudio.gui.page.cards import FactsCard, ParametersCard, SentencesCard
from dpstudio.gui.page.pictures import NARROWEST, PANELS, PERSON, PICTURE, Pictures
from dpstudio.gui.plot import FigureView
from dpstudio.gui.shell.docking import PaneHost
from dpstudio.gui.shell.theme import Theme
from dpstudio.text.language import tr
from dpstudio.vocabulary import Value

NARROW, LOW = 1100, 640
"""Width and height below which one panel is seen at a time, at normal size of type."""
SIDE, SIDE_WIDE, WIDE = 308, 364, 1700
"""Width of the column on the right, and from which width of the page on it is wider."""
HELP, LEAST = 360, (560, 320)
"""Width of the help, and the least size of the page, at normal size of type."""
SENTENCES, TWO = 160, 256
"""Pixels that the sentences keep with whom one fears beside parameters that need more than there is, and in which two
are read whole: for these parameters stand closer."""


class StudyPage(QWidget):
    """Bar and headline, the pictures with the facts on the left, parameters and sentences on the right, help beside.

    What is wanted is asked by another part, which is given its place here.
    """

    more_wanted = Signal(object)
    """A hand opened all of a kind, or closed it: what is to be open."""

    def __init__(self, study_class: type[Study], bar: Bar, host: PaneHost, theme: Theme,
                 connect: Callable[[FigureView], None], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._connect_view = theme, connect
        self._widths: list[int] = []
        """Of pictures, column and help, where a hand divided them."""
        self._state: StudyState | None = None
        self.narrow = False
        self._panel = PICTURE
        self.bar, self._host = bar, host
        self.facts, self.help_card = FactsView(theme), HelpCard(theme)
        self.headline, self.runner_up = Headline(theme), RunnerUp(theme)
        self._head = in_column(self.headline, self.runner_up, gap=0)
        self._wanted, self._above = in_column(), in_column()
        self._placed: list[QWidget] = []
        """What asks for what is wanted."""
        # From the outside to the inside: what is put into another is dressed anew, with all that is in it.
        self._row = QSplitter(Qt.Orientation.Horizontal, self, childrenCollapsible=False)
        self._column = in_column(bar, self._head, self._wanted, (self._row, 1), within=self)
        self._left, self._side = QWidget(), QWidget()
        for part in (self._left, self._side, self.help_card):
            self._row.addWidget(part)
        self._row.setStretchFactor(0, 1)
        self._left_column = in_column(self._above, (host, 1), within=self._left, gap=0)
        self.facts_card, self.sentences = FactsCard(self.facts, theme), SentencesCard(theme)
        self.fearing = self.sentences.fearing
        self.parameters_card = ParametersCard(study_class, theme, self._side)
        self.parameters = self.parameters_card.panel
        self._side_column = in_column(self.parameters_card, (self.sentences, 1), within=self._side)
        self.pictures = self._made(study_class)
        host.fill(self.pictures)
        self._settling = QTimer(self, singleShot=True)
        self._settling.timeout.connect(self._share)
        self._row.splitterMoved.connect(self._keep)
        self.parameters.reshaped.connect(self.settle_soon)
        self.sentences.verdict.said.connect(self.settle_soon)
        bar.panel_wanted.connect(self.show_panel)
        for opened in (self.facts_card.opened, self.parameters_card.opened, self.sentences.opened):
            opened.connect(self._open)
        self._dress()

    # What is shown

    def show_state(self, study: Study, explicit: Mapping[str, Value], state: StudyState) -> None:
        """Show all of a session that needs no answer."""
        self._state = state
        first = type(study).level_one
        self.parameters.show_study(study, explicit)
        self.fearing.show_attacker(study)
        self.parameters.show_origins(state.setting.origin, state.awaited)
        if self.parameters.is_open is not (PARAMETERS in state.opened):
            self.parameters.set_open(PARAMETERS in state.opened)
        self.pictures.show_state(state)
        self.facts_card.show_state(first, state)
        self.sentences.show_state(first, state)

    def show_headline(self, update: Update) -> None:
        """What an answer says first, and what comes next to it."""
        said = update.said
        self.headline.show_sentence(said[0] if said else "")
        self.runner_up.show_sentence(keyed(said, RUNNER_UP))
        self.pictures.show_suggested(update)

    def show_sentences(self, update: Update, before: Sequence[str]) -> None:
        """What else it says, after what is said of counts."""
        self.sentences.show_sentences(before, update.said[1:])

    def turn(self, study_class: type[Study]) -> Pictures:
        """Have the pictures of another study, and return those before, which are to be connected no more."""
        old = self.pictures
        panel, focused = old.alone, self.window().focusWidget()
        if had_keyboard := focused is not None and (old.isAncestorOf(focused) or self.facts_card.isAncestorOf(focused)):
            self.setFocus()  # what has the keyboard while it is taken away hands it on in mid-move
        self.facts_card.setParent(self)
        self.pictures = self._made(study_class)
        if self.narrow:
            self.pictures.stand_alone(panel, self.sentences)
        self._host.fill(self.pictures)
        old.settle()
        old.hide()
        old.deleteLater()
        if had_keyboard:
            self.pictures.large.canvas.setFocus()
        self.runner_up.clear()
        self.headline.show_sentence(tr(study_class.question))
        return self.pictures

    def _made(self, study_class: type[Study]) -> Pictures:
        return Pictures(study_class, self.facts_card, self._theme, self._connect_view, self._host)

    def _open(self, what: str, opened: bool) -> None:
        more = self._state.opened if self._state else frozenset()
        self.more_wanted.emit(more | {what} if opened else more - {what})

    def show_refusal(self, name: str, refusal: InvalidParameter) -> None:
        """Show where a parameter stands why its value was refused."""
        (self.fearing if name in SPOKEN else self.parameters).show_refusal(name, refusal)

    def show_entry(self, name: str) -> None:
        """Bring a parameter into view with the keyboard in its entry."""
        if name in SPOKEN:
            self.show_panel(PERSON)
            self.fearing.show_entry(name)
        else:
            self.parameters.show_entry(name)

    # The place of other parts

    def place_wanted(self, widget: QWidget) -> None:
        """Put what asks for what is wanted under the headline, over the whole width."""
        self._placed.append(widget)
        self._wanted.addWidget(widget)

    def place_above(self, widget: QWidget) -> None:
        """Put a card over the pictures."""
        self._above.addWidget(widget)
        self._above.setSpacing(self._theme.px(8))

    def parts(self) -> list[QWidget]:
        """What the Tab key walks through: what is wanted, the chips, parameters, facts, the picture beside, the bar."""
        return [*self._placed, self.pictures.chips, self.pictures.large, *self.parameters.parts(),
                *self.fearing.parts(), self.sentences,
                self.facts_card, self.pictures.beside, self._host, self._left, self.help_card, self.bar]

    def panes(self) -> list[QWidget]:
        """What F6 walks through."""
        first = self.parameters.parts()[0]
        parameter = first.editor() if hasattr(first, "editor") else first
        return [*self._placed, self.pictures.large.canvas, parameter, self.facts,
                self.pictures.beside.canvas, self.fearing.question, self.help_card, *self._host.stops,
                self.bar.question]

    @property
    def pictures_hidden(self) -> bool:
        """Whether help has the place of the pictures."""
        return self._left.isHidden()

    # How it stands

    def show_panel(self, panel: str) -> None:
        """Bring this panel before a pane that lies over it; in a narrow window it has the place of all."""
        self._host.show_pictures()
        self._panel = panel
        if self.narrow:
            focused = self.window().focusWidget()
            inside = focused is not None and self.pictures.isAncestorOf(focused)
            self.pictures.stand_alone(panel, self.sentences)
            self.bar.show_panel(panel)
            if inside:  # the keyboard goes along
                self.bar.panel[panel].setFocus()

    def next_panel(self, step: int) -> str:
        """In a narrow window the next panel, which comes into view; else, or beside panes with tabs, nothing."""
        if not self.narrow or self._host.shared:
            return ""
        self.show_panel(PANELS[(PANELS.index(self._panel) + step) % len(PANELS)])
        return self._panel

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for part in (self.bar, self.headline, self.runner_up, self.parameters_card, self.sentences, self.facts,
                     self.facts_card, self.pictures, self.help_card):
            part.set_theme(theme)
        self._dress()

    def _dress(self) -> None:
        theme = self._theme
        spaced(self._column, theme, 6, (12, 4, 12, 0))
        spaced(self._side_column, theme, 8)
        self._row.setHandleWidth(theme.px(8))
        self.fit()

    def minimumSizeHint(self) -> QSize:
        """Whatever stands on it, it never makes the window larger."""
        return QSize(self._theme.px(LEAST[0]), self._theme.px(LEAST[1]))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def fit(self) -> None:
        """Stand as there is room: side by side, or one panel at a time; help may take the place of the pictures."""
        theme, wide = self._theme, self.width() / self._theme.scale
        narrow = wide < NARROW or self.window().height() / theme.scale < LOW
        if narrow != self.narrow:
            self.narrow = narrow
            if narrow:
                self.pictures.stand_alone(self._panel, self.sentences)
            else:
                self.pictures.stand_alone("", None)
                self._side_column.addWidget(self.sentences, 1)
                self.sentences.show()
            self.sentences.set_theme(theme)  # what is put into another place takes on the type that it had there
            self.bar.show_panel(self._panel if narrow else "")
            self.headline.set_lines(2 if narrow else 1)
            self.runner_up.want(not narrow)
            self.sentences.say_runner_up(narrow)
        side = theme.px(SIDE_WIDE if wide >= WIDE else SIDE)
        help_wide = theme.px(HELP) if not self.help_card.isHidden() else 0
        edges = self._column.contentsMargins()
        rest = self.width() - edges.left() - edges.right() - 2 * self._row.handleWidth() - side - help_wide
        self._left.setVisible(not help_wide or rest >= theme.px(NARROWEST))
        self._side.setMinimumWidth(theme.px(260))
        wanted = self._widths if len(self._widths) == 3 else [max(rest, 1), side, help_wide]
        if self._row.sizes() != wanted:
            self._row.setSizes(wanted)
        self.settle_soon()

    def settle_soon(self) -> None:
        """Share the right column's height out, once all of this event is done."""
        self._settling.start(0)

    def _share(self) -> None:
        """Parameters have what they need; all of them what there is beside the first sentence."""
        room = closer = self._side.height()
        if not self.narrow:
            least = self.sentences.least() if self.parameters.is_open else self._theme.px(SENTENCES)
            closer -= max(least, self._theme.px(TWO)) + self._side_column.spacing()
            room -= least + self._side_column.spacing()
        self.parameters_card.fit(closer)
        wanted = room if self.narrow else min(self.parameters_card.needed(), room)
        if self.parameters_card.height() != wanted and wanted > 0:
            self.parameters_card.setFixedHeight(wanted)

    def _keep(self) -> None:
        self._widths = self._row.sizes()

    # What is remembered

    def remembered(self, study: str) -> str:
        """How everything stands, with the pictures of a study."""
        return json.dumps({"widths": self._widths, "pictures": {study: self.pictures.state()}})

    def restore(self, remembered: str, study: str) -> None:
        """Stand so again, as far as it makes sense: what is remembered is a convenience, never a reason to fail."""
        with suppress(ValueError, TypeError, AttributeError, LookupError):
            kept: dict[str, Any] = json.loads(remembered)
            widths = [int(width) for width in kept["widths"]]
            self._widths = widths if len(widths) in (0, 3) else []
            self.pictures.restore(kept["pictures"][study])
        self.fit()
