"""From what is wanted to the values that do it: asks all that may, previews, lets a hand lead, and takes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.results import Series
from dpstudio.core.slow import NotYet, Wanted, hurried
from dpstudio.core.solve import read_want
from dpstudio.core.solve.among import candidates, having
from dpstudio.core.update import Update
from dpstudio.documents.noted import Solved
from dpstudio.documents.setting import Values
from dpstudio.gui.facts.model import Place
from dpstudio.gui.plot.labels import DragTarget
from dpstudio.gui.session.document import Document
from dpstudio.gui.shell.theme import Theme
from dpstudio.gui.solve.asking import Inquiry
from dpstudio.gui.solve.bar import NAMES, WantedBar
from dpstudio.gui.solve.guess import at_once
from dpstudio.gui.solve.leading import LeadingHand
from dpstudio.gui.solve.preview import SolutionPreview
from dpstudio.gui.solve.row import WantedRow
from dpstudio.gui.solve.shown import aims, shown_answers, under_way
from dpstudio.gui.solve.taking import Awaiting, take, taken
from dpstudio.text.language import tr

if TYPE_CHECKING:
    from dpstudio.core.solve.every import Offer
    from dpstudio.gui.solve.question import Question, Reply


class Solver(QObject):
    """What is wanted in a window: its bar, what it asks and what comes of it."""

    said = Signal(str)
    aimed = Signal(object)
    """The wanted values, to be dragged on the plots: a list of DragTarget."""
    region_wanted = Signal(object)
    """Where all of a Question holds is to be shown."""
    found_pair = Signal(object)
    """A Question of two parameters was answered."""
    closed = Signal()

    def __init__(self, document: Document, seen: Callable[[], Wanted], theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self.document, self.bar = document, WantedBar(theme)
        self.asking, self.leading, self.preview = Inquiry(self), LeadingHand(document), SolutionPreview(seen, self)
        self.active = False
        """Whether somebody wants something: its line can be dragged on the pictures."""
        self._targets: list[DragTarget] = []
        self._newest: Update | None = None
        self._awaiting = Awaiting()
        self.asking.found.connect(self._take_in)
        self.asking.refused.connect(self._refuse)
        bar = self.bar
        bar.begun.connect(self._begin)
        bar.changed.connect(self._tell_present)
        bar.changed.connect(self._ask)
        bar.fact_changed.connect(self._begin_row)
        bar.added.connect(self._add)
        bar.taken.connect(self._take_pressed)
        bar.entered.connect(self.take)
        bar.region_wanted.connect(self._ask_region)
        bar.left.connect(self.close)
        document.study_changed.connect(self._turn)
        document.changed.connect(self._follow)
        self._turn()

    @property
    def reply(self) -> Reply | None:
        """What is known of the answer to what is asked."""
        return self.asking.reply

    def want(self, place: Place | None = None) -> None:
        """Put the caret where a value is wanted: of this fact and of whom it is, or of what stands there.

        Of one that is drawn, what it comes to.
        """
        if place is not None:
            index, note = self.document.study_class.answers().index(), ""
            declared = index[place]
            if declared.simulated:
                exact = declared.exact.key if declared.exact else ""
                label = tr(declared.quantity.label)
                found = next((each for each in ((exact, place[1]), (exact, None)) if each in index), None)
                if found is None:
                    self.said.emit(tr("“{label}” is drawn, and nothing exact stands for it", label=label))
                    return
                place, note = found, tr("“{label}” is drawn; wanted is what it comes to", label=label)
            self._clear()
            self.bar.rows[0].begin(index[place].quantity)
            self._offer_series(place[1])
            if note:
                self.said.emit(note)
        self.bar.rows[0].entry.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.bar.rows[0].entry.selectAll()
        self._begin()

    def ask_again(self, asked: Solved) -> None:
        """Ask what was kept, at the present values; of many wants, those that the bar has room for."""
        kind, bar = self.document.study_class, self.bar
        wants = [read_want(kind, text) for text in asked.wants[:len(bar.rows)]]
        self._clear()
        bar.want_second(shown=len(wants) > 1)
        for row, want in zip(bar.rows, wants, strict=False):
            row.show_want(want.declared(kind).quantity, want)
        whose = list(dict.fromkeys(want.series for want in wants if want.series))
        self._offer_series(next(iter(whose), ""))
        bar.show_names(asked.names)
        if len(whose) > 1:
            self.said.emit(tr("It was asked of several at once, and is now asked of {series}",
                              series=bar.series.currentText()))
        self.want()
        self._ask()

    def close(self) -> None:
        """Leave everything as it is."""
        self.leading.let_go()
        self._clear()
        self.closed.emit()

    def close_down(self) -> None:
        """Leave nothing running."""
        self.asking.worker.close()
        self.preview.close()

    def show_read(self, update: Update) -> None:
        """Say what the facts are now, of the setting of which they and the sentences are read."""
        self._newest = update
        self._tell_present()

    # Taking

    def take(self) -> None:
        """Set what the first answer says; while any is under way, once all are there and one does it."""
        if self.bar.wants is None:
            return
        if self.asking.late:
            self._awaiting.expect(self.take)
        elif self.reply and self.reply.first:
            self._take(self.reply.first)
        else:
            self.said.emit(tr("Nothing that is allowed does it"))

    def once_taken(self, act: Callable[[], object]) -> None:
        """Do this at once, but where Return waits for an answer once that is taken, for it may be about that."""
        self._awaiting.after(act)

    def _take_pressed(self, at: int) -> None:
        choice = self.bar.answers.choices[at]
        offers = self.reply.offers if self.reply else ()
        if choice.ready and (offer := next((each for each in offers if each.series == choice.series), None)):
            self._take(offer)

    def _take(self, offer: Offer) -> None:
        if refused := take(self.document, offer):
            self.said.emit(str(refused))
            return
        self.close()
        self.bar.answers.say(taken(offer))

    # Two parameters and their region

    def _ask_region(self) -> None:
        """Want the region of what was found; of an answer that is still under way, once it is there."""
        pair = self._pair()
        if pair is None:
            self._awaiting.expect(self._ask_region)
        else:
            self._awaiting.let_be()
            self.region_wanted.emit(pair)

    def _pair(self) -> Question | None:
        """What is asked, of the one series that comes first; None while that is not known, or it is of one thing."""
        reply = self.reply
        if reply is None or self.asking.late or len(reply.question.names) < 2 or not reply.offers:
            return None
        first = reply.first or reply.offers[0]
        return replace(reply.question, among=(first.series,), proposed=None)

    def propose(self, values: Values) -> None:
        """Preview these values, and say whether they do it."""
        if (asked := self.asking.asked) is not None:
            first = self.reply.first if self.reply else None
            self._put(replace(asked, among=(first.series,) if first else self._among()[:1], names=tuple(values),
                              led=False, near=None, proposed=values))

    # A hand on a target

    def lead(self, name: str, value: float) -> None:
        """A hand moves what is wanted, and the parameters follow."""
        if not self.active:
            return
        self.bar.rows[NAMES.index(name)].show_number(value)
        self._ask(overtake=False, led=True, near=self.leading.near(self.bar.names))

    def release(self) -> None:
        """The hand has let go."""
        if self.active:
            self._ask(overtake=False, led=True)

    # Asking

    def _ask(self, *, overtake: bool = True, led: bool = False, near: Values | None = None) -> None:
        from dpstudio.gui.solve.question import Question  # not before somebody wants something

        bar, document = self.bar, self.document
        self._awaiting.let_be()
        wants = bar.wants
        self._offer_series()
        if wants is None:
            self._forget()
            self._say_how()
            self._show_preview()
            return
        self.active = True
        question = Question(document.study_class, document.explicit, wants, self._among(), bar.names, led, near)
        if not led and self.asking.key == question.key and not self._leans_on_other():
            self._show_found()
        else:
            self._put(question, overtake=overtake)

    def _put(self, question: Question, *, overtake: bool = True) -> None:
        self.asking.ask(question, overtake=overtake)
        if not question.led:
            self.bar.answers.show_choices(under_way(question.kind, question.among), question.kind.answers().series())
        self._aim()

    def _among(self) -> tuple[Series | None, ...]:
        """Who is asked: the one that was named, or all; whoever was decided for, or came first before, leads."""
        answer, keys = self.document.study.answer(), [row.facts.key for row in self.bar.active]
        if self.bar.whose:
            return tuple(each for each in having(answer, keys) if each.key == self.bar.whose)
        before = self.reply.first if self.reply else None
        leads = [self.document.state.chosen, before.series.key if before and before.series else None, self._suggested()]
        return tuple(sorted(candidates(answer, keys, self.document.study_class.level_one.series),
                            key=lambda each: [each is None or key != each.key for key in leads]))

    def _suggested(self) -> str | None:
        """Whom the headline recommends, as far as that is known without a wait."""
        answer = self._newest.answer if self._newest else None
        with hurried(), suppress(NotYet):
            if answer is not None and answer.study == self.document.study and answer.suggested is not None:
                return answer.suggested.key
        return None

    def _offer_series(self, key: str | None = None) -> None:
        """Of whom it can be wanted: everything that has these facts at these settings."""
        self.bar.show_series(having(self.document.study.answer(), [row.facts.key for row in self.bar.active]), key)

    def _follow(self) -> None:
        """The document has changed: by what was led, or by another hand, whose moves would let no answer arrive."""
        if self.leading.values is None:
            self.bar.show_study(self.document.study)
            if self.bar.wants is not None:
                self._ask(overtake=False)
            else:
                self._say_how()  # what was taken stands there no more

    def _turn(self) -> None:
        """Another study is in view: what was led is another's."""
        self._newest = None
        self.leading.forget()
        self.bar.show_study(self.document.study)
        for row in self.bar.rows:
            row.begin(self.document.study_class.level_one.wanted)
        self._clear()
        self._offer_series("")

    def _leans_on_other(self) -> bool:
        """Whether what was found leans on what was solved for as it was then, and now is not."""
        reply, study = self.reply, self.document.study
        return reply is not None and reply.leans and isinstance(study, reply.question.kind) and any(
            getattr(study, name) != value for name, value in reply.question.stands().items())

    # Answers

    def _take_in(self, question: Question) -> None:
        """Something new is known of a question."""
        reply, newest = self.reply, question is self.asking.asked
        if reply is None or question.kind is not self.document.study_class or self.bar.wants is None:
            return
        self.bar.show_names(reply.question.names)
        if question.led:
            self.leading.follow(reply)
            if newest and question.near is None and reply.follows is None:
                self.leading.end(reply)
        self._show_found()
        if not reply.done:
            return
        if not question.led and newest and self._leans_on_other():
            self._ask(overtake=False)
        if (pair := self._pair()) is not None and question.proposed is None:
            self.found_pair.emit(pair)
        self._awaiting.arrive()

    def _refuse(self, error: Exception) -> None:
        from dpstudio.gui.solve.question import refusal

        self.leading.let_go()
        self._forget()
        self.bar.answers.say(refusal(error), refused=True)
        self._show_preview()

    def _show_found(self) -> None:
        """Show what is known of the answer, and preview the first."""
        if self.reply is not None:
            shown = shown_answers(self.reply, self.document.study, named=bool(self.bar.whose))
            self.bar.answers.show_choices(shown, self.document.study_class.answers().series(), order=self.reply.order,
                                          sure=self.reply.done)
            if not shown:
                self.bar.answers.say(tr("Nothing that is allowed does it at any {symbols}", symbols=self.reply.symbols))
            self._show_preview()

    def _show_preview(self) -> None:
        """What taking the first would show, unless it is shown already."""
        offer = self._previewed
        series = offer.series if offer else None
        self.preview.show_study(offer.study if offer else None, tr(
            "preview: {words}", words=offer.words) if offer else "",
                                series.key if series else None)
        self._aim()

    @property
    def _previewed(self) -> Offer | None:
        """What would be set, as long as no hand leads and it is not there; of what a hand pointed at, if it goes."""
        first = self.reply.first if self.reply and self.leading.values is None else None
        with suppress(InvalidParameter):
            return first if first is not None and first.study != self.document.study else None
        return None

    # Rows

    def _begin(self) -> None:
        """Somebody wants something: its line stands on the pictures, at first where the fact is now."""
        self.active = True
        self._tell_present()

    def _begin_row(self, row: WantedRow) -> None:
        """Want another fact, as it is now."""
        assert row.facts.quantity is not None
        row.begin(row.facts.quantity)
        row.entry.setFocus(Qt.FocusReason.OtherFocusReason)
        self._ask()
        self._tell_present()

    def _add(self) -> None:
        """Want a second fact as well: the next of level one."""
        first, second = self.bar.rows
        offered = first.facts.offered()
        at = offered.index(first.facts.quantity) if first.facts.quantity in offered else -1
        second.begin(offered[(at + 1) % len(offered)])
        self.bar.want_second(shown=True)
        second.facts.setFocus(Qt.FocusReason.OtherFocusReason)
        self._ask()
        self._tell_present()

    def _aim(self) -> None:
        """Let what is wanted be dragged wherever it lies on an axis; beside it stands what would be set."""
        targets = aims(self.bar.active, self._previewed) if self.active else []
        if targets != self._targets:
            self._targets = targets
            self.aimed.emit(targets)

    def _tell_present(self) -> None:
        """Say in each empty entry what the fact is now: in the answer that is shown, if there is one of this study."""
        shown = self._newest.answer if self._newest else None
        if shown is not None and type(shown.study) is self.document.study_class:
            leading, *_ = self._among() or (None,)
            for row in self.bar.active:
                asked = shown.study.replace(**row.at).answer() if row.at else shown
                of = leading.key if leading and (row.facts.key, None) not in shown.index() else None
                fact = at_once(asked, (row.facts.key, of))
                row.show_present(fact.value if fact else None)
        self._aim()

    def _say_how(self) -> None:
        """Say how something is wanted, or what is wrong with what stands there."""
        self.bar.answers.say(self.bar.refusal or self.bar.hint, refused=bool(self.bar.refusal))

    def _forget(self) -> None:
        """Let go of what was asked."""
        self.asking.forget()
        self._awaiting.let_be()

    def _clear(self) -> None:
        """Want nothing."""
        self._forget()
        self.active = False
        self.bar.empty()
        self._show_preview()
        self._tell_present()
