"""The command that computes a setting again."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from dpstudio.core.study import Study
from dpstudio.text.numbers import exact
from dpstudio.vocabulary import Value


def command_line(study: Study, explicit: Mapping[str, Value], verb: str = "compute", *further: str) -> str:
    """One line for a POSIX shell: the verb, the study, --set for what was set, in the order of the declarations.

    `further` are words that follow, such as "--figure", "tails". Read back, every value is the same double.
    """
    words = ["dpstudio", verb, study.key]
    for name, value in study.values().items():
        if explicit.get(name) is not None:
            words += ["--set", f"{name}={_written(value)}"]
    return shlex.join((*words, *further))


def _written(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else exact(value)
