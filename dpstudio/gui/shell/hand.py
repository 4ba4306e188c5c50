"""What a hand does to the pictures of a study: it reaches that study alone, not one that was turned to meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction

from dpstudio.core.study import Study
from dpstudio.documents.in_view import CURVES
from dpstudio.documents.noted import PictureNote
from dpstudio.documents.session import Session
from dpstudio.gui.page.pictures import Pictures
from dpstudio.gui.pictures.outgoing import Outgoing
from dpstudio.gui.plot import FigureView
from dpstudio.gui.shell.desk import Desk
from dpstudio.text.language import tr
from dpstudio.vocabulary import Value

if TYPE_CHECKING:
    from dpstudio.gui.solve.solver import Solver


class Hand:
    """Connects pictures with what they change."""

    def __init__(self, desk: Desk, outgoing: Outgoing, keys: Sequence[QAction]) -> None:
        """`keys` are done while a picture has the keyboard."""
        self._desk, self._document, self._outgoing, self._keys = desk, desk.document, outgoing, keys

    def on_page(self, pictures: Pictures) -> None:
        """Hear what is chosen around the pictures of the study in view."""
        look_closer = partial(self._look_closer, pictures)
        pictures.rearranged.connect(look_closer)
        for signal, act in ((pictures.hidden_changed, lambda keys: self._document.show(Session.having, hidden=keys)),
                            (pictures.curve_wanted, self._show_curve), (pictures.seen, self._see),
                            (pictures.seen, lambda *_: look_closer()), (pictures.decided, self.decide),
                            (pictures.plan_wanted, self._desk.add_to_plan)):
            signal.connect(self._of_what_is_in_view(act))

    def on_picture(self, view: FigureView) -> None:
        """Hear what is done on one of them."""
        outgoing, answers = self._outgoing, self._desk.answers
        for signal, act in ((view.parameter_dragged, self._drag), (view.drag_finished, self._drop),
                            (view.next_wanted, self._document.step_on),
                            (view.solve_requested, self._solver.want), (view.view_reset, answers.follow),
                            (view.copy_requested, lambda kind: outgoing.copy(kind, view)),
                            (view.export_requested, outgoing.export_picture),
                            (view.values_requested, outgoing.show_values)):
            signal.connect(self._of_what_is_in_view(act))
        # What is being written, or looked at, when another study is turned to belongs to this one.
        study_class = self._document.study_class
        view.note_changed.connect(partial(self._change_note, study_class))
        view.view_changed.connect(lambda table, low, high: answers.choose_view(table, low, high, study_class))
        view.take_keys(self._keys)

    def decide(self, key: str | None) -> None:
        """A person decides for a series, or takes that back."""
        series = next((each for each in self._document.study_class.answers().series() if each.key == key), None)
        label = tr("Choose {label}", label=tr(series.label)) if series else tr("Choose nothing")
        self._desk.tried(label, Session.decide, key)

    @property
    def _solver(self) -> Solver:
        solver: Solver = self._desk.tools.get("solver")
        return solver

    def _look_closer(self, pictures: Pictures) -> None:
        """Ask for what is computed only where somebody looks at it, and now does."""
        answers = self._desk.answers
        if answers.latest is None:
            return
        answer = answers.latest[0].answer
        if any(answer.tabled[name].aside and answer.slow(name) for name in pictures.tables_in_sight()
               if name in answer.tabled):
            answers.ask()

    def _of_what_is_in_view(self, act: Callable[..., object]) -> Callable[..., None]:
        """What a hand does to a picture: nothing once another study is in view, which may have the same parameters."""
        study_class = self._document.study_class

        def heard(*arguments: object) -> None:
            if self._document.study_class is study_class:
                act(*arguments)

        return heard

    def _drag(self, name: str, value: Value) -> None:
        """A mark is moved: of a parameter, or of what is wanted, which is a number."""
        if isinstance(value, str) or name in self._document.study.values():
            self._document.edit(name, value, False, on_picture=True)
        else:
            self._solver.lead(name, value)

    def _drop(self, name: str) -> None:
        if name in self._document.study.values():
            self._document.edit(name, getattr(self._document.study, name), on_picture=True)
        else:
            self._solver.release()

    def _see(self, large: str, beside: str) -> None:
        """What is in view is chosen."""
        self._document.show(Session.see, large, beside)

    def _show_curve(self, key: str) -> None:
        """Of the curves that are not seen first, show one."""
        state = self._document.state
        others = state.folded - {key}
        self._document.show(Session.having, more=state.opened | {CURVES}, hidden=(state.hidden | others) - {key})

    def _change_note(self, study_class: type[Study], before: PictureNote | None, after: PictureNote | None) -> None:
        label = (tr("Remove note") if after is None else tr("Note on picture") if before is None
                 else tr("Move note") if before.text == after.text else tr("Edit note"))
        self._desk.tried(label, Session.on, study_class, Session.swap, "picture_notes", before, after)
