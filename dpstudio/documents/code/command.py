"""What computes a setting again with this program: a command, or Python."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from dpstudio import __version__
from dpstudio.core.declare import entry_text
from dpstudio.core.study import Study
from dpstudio.vocabulary import Value

NAME, NEEDS = "DP Studio", f"dpstudio=={__version__}"


def command_line(study: Study, explicit: Mapping[str, Value], verb: str = "compute", *further: str) -> str:
    """One line for a POSIX shell: the verb, the study, --set for what was set, in the order of the declarations.

    `further` are words that follow, such as "--figure", "tails". Read back, every value is the same double.
    """
    words = ["dpstudio", verb, study.key]
    for name, value in study.values().items():
        if explicit.get(name) is not None:
            words += ["--set", f"{name}={entry_text(value)}"]
    return shlex.join((*words, *further))


def python(study: Study, explicit: Mapping[str, Value], series: str) -> str:
    """The study made again, and its exact facts, of one series where one is named."""
    given = [f"    {name}={value!r}," for name, value in study.values().items() if explicit.get(name) is not None]
    called = f'study = all_studies()["{study.key}"]'
    made = [f"{called}(", *given, ")"] if given else [f"{called}()"]
    chosen = [f'    if fact.series is None or fact.series.key == "{series}":'] if series else []
    printed = 'print(fact.key, fact.series.key if fact.series else "", fact.value, fact.kind)'
    return "\n".join(["from dpstudio.core.study import answer", "from dpstudio.studies import all_studies", "",
                      *made, "", "for fact in answer(study, simulate=False).facts:", *chosen,
                      f"    {'    ' * bool(chosen)}{printed}"]) + "\n"
