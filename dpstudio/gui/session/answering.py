"""How a study is answered beside the window: what is in view first, and what is drawn once no hand moves any more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from dpstudio.core.answer import Answer
from dpstudio.core.results import Span
from dpstudio.core.slow import EVERY, NOTHING, Wanted
from dpstudio.core.study import Study
from dpstudio.core.update import Update
from dpstudio.gui.shell.worker import Pause

REST = 0.12
"""Seconds without a change after which simulation begins: a moving slider needs the exact answer alone."""


def answering(study: Study, views: Mapping[str, Span] | None = None, seen: Wanted = NOTHING,
              answer: Answer[Any, Any, Any] | None = None, rest: float | None = REST
              ) -> Iterator[Update | Pause | None]:
    """What is `seen` comes ready made, then everything, then what is drawn; None where it can be left.

    `answer` is an earlier one: where it is the study's, what it knows is not computed again. Without a `rest` only what
    is seen is answered.
    """
    if answer is None or answer.study != study:
        answer = study.answer()
    update = Update(answer, views)
    yield from update.prepare(seen, hurry=True)
    yield update
    if rest is None:
        return
    yield Pause(rest)
    yield from update.prepare(answer.everything(seen))
    yield update
    drawn = replace(seen, sentences=EVERY)
    for found, done in answer.simulate({**update.windows, **update.views}):
        if found is not None:
            update = Update(answer, views, found, done)
            yield from update.prepare(drawn)
            yield update
        elif done > update.done:
            update = update.further(done)
            yield update
        else:
            yield None
