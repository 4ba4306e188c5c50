"""What is asked, away from the window, and what is known of its answer."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from dpstudio.gui.shell.worker import Worker

if TYPE_CHECKING:
    from dpstudio.gui.solve.question import Question, Reply


class Inquiry(QObject):
    """One question at a time: a newer one overtakes it or, where a hand moves, waits for its first news."""

    found = Signal(object)
    """The Question of which something new is known."""
    refused = Signal(object)
    """Why what is asked has no answer: an exception."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.worker = Worker("solver", self)
        self.asked: Question | None = None
        self.reply: Reply | None = None
        """What is known, of the newest question of which something is."""
        self._answered: Question | None = None
        """Of which that is."""

    def ask(self, question: Question, *, overtake: bool = True) -> None:
        """Have a question answered; what was known stays until there is news."""
        self.asked = question
        begin = partial(self.worker.start, question.answered,
                        told=partial(self._take, question), failed=partial(self._refuse, question))
        if overtake:
            begin()
        else:
            self.worker.follow(begin)

    def forget(self) -> None:
        """Let go of what was asked."""
        self.worker.stop()
        self.asked = self.reply = self._answered = None

    @property
    def late(self) -> bool:
        """Whether what is known is not yet all of the answer to what is asked."""
        return self.reply is None or not self.reply.done or self._answered is not self.asked

    @property
    def key(self) -> object:
        """Of what is asked, with the parameters that were found for it."""
        known = self.reply.question if self.reply and self._answered is self.asked else self.asked
        return known.key if known else None

    def _take(self, question: Question, reply: Reply) -> None:
        self.reply, self._answered = reply, question
        self.found.emit(question)

    def _refuse(self, question: Question, error: Exception) -> None:
        if question is self.asked:
            self.refused.emit(error)
