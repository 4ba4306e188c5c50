"""What was swept last in a study: the next start offers the same, and so goes on with what is kept of it."""

from __future__ import annotations

import json

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.study import Study
from dpstudio.core.sweep import read_over
from dpstudio.gui.facts.model import Place
from dpstudio.gui.shell.settings import Settings
from dpstudio.gui.sweep.running import Request
from dpstudio.records import dataclass


@dataclass(frozen=True, slots=True)
class Last:
    """As the form has it."""

    over: tuple[str, ...]
    """As the command line reads it."""
    facts: tuple[Place, ...]


def remember(settings: Settings, request: Request, over: tuple[str, ...]) -> None:
    """Keep it for the next start; nothing of what was asked with a count of data."""
    plan = request.plan
    text = "" if request.counted else json.dumps({"over": over, "facts": plan.facts})
    settings.set_text(_key(type(plan.study)), text)


def recall(settings: Settings, study: type[Study]) -> Last | None:
    """What was swept last, if all of it is there still."""
    try:
        kept = json.loads(settings.text(_key(study), ""))
        last = Last(tuple(map(str, kept["over"])), tuple((str(key), series and str(series))
                                                         for key, series in kept["facts"]))
        for text in last.over:
            read_over(study, text, 2)
    except (ValueError, KeyError, TypeError, InvalidParameter):
        return None
    index = study.answers().index()
    return last if 1 <= len(last.over) <= 2 and last.facts and all(each in index for each in last.facts) else None


def _key(study: type[Study]) -> str:
    return f"swept-{study.key}"
