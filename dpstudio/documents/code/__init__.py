"""A study handed over as text that does it elsewhere: a command line, Python, libraries that release data.

    written(study, {"epsilon": 0.1}, "laplace", "opendp").text

DP Studio explores and does not release: what goes to people is made by a library that does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from dpstudio import __version__
from dpstudio.core.declare import InvalidParameter
from dpstudio.core.results import Series
from dpstudio.core.study import Study
from dpstudio.data.origin import Origin
from dpstudio.documents import words
from dpstudio.documents.code import google, opendp, studio
from dpstudio.documents.code.command import command_line
from dpstudio.documents.code.plan import PLANS, plan_of
from dpstudio.documents.code.script import comments, text_of
from dpstudio.text.numbers import exact
from dpstudio.vocabulary import Choice, Value

LIBRARIES: Mapping[str, str] = {"opendp": opendp.NAME, "google": google.NAME, "dpstudio": studio.NAME,
                                "command": "Command line"}
"""What text can be written for: its key, and its name."""
RELEASING = {"opendp": opendp, "google": google}
"""Those that release data."""


@dataclass(frozen=True)
class Handed:
    """A text that does what a series of a study does."""

    text: str
    needs: str
    """What pip must install; empty where nothing is needed."""
    says: tuple[str, ...]
    """What differs from the study, a sentence each."""
    language: Literal["python", "shell"]
    nearest: bool = False
    """Whether it is not the thing itself but what is nearest, as the first sentence says."""


def offered(kind: type[Study]) -> dict[str, tuple[Series, ...]]:
    """By library, the series that it can be asked for: the thing itself, or what is nearest."""
    every = kind.answers().series()
    plans = PLANS.get(kind.key, {})
    return {library: tuple(each for each in every if each.key in plans and plans[each.key][0] in RELEASING[library].HAS)
            if library in RELEASING else every for library in LIBRARIES}


def written(study: Study, explicit: Mapping[str, Value], series: str, library: str, data: Origin | None = None
            ) -> Handed:
    """The text for a library; of the command and of Python an empty series stands for all of them.

    `data` says which values were counted. Raises InvalidParameter for a library or a series that there is not, and
    ValueError where a count is said to be left out and is not.
    """
    words.check_left_out(study, data)
    if library not in LIBRARIES:
        raise InvalidParameter("library", Choice(tuple(LIBRARIES)), library)
    every = study.answers().series()
    if library in RELEASING and study.key not in PLANS:
        raise InvalidParameter("library", f"dpstudio or command for {study.key}", library,
                               f"{LIBRARIES[library]} has nothing near it")
    if series not in {each.key for each in every} and (series or library in RELEASING):
        there: Choice | str = Choice(tuple(each.key for each in every))
        raise InvalidParameter("series", there if every else f"left out, for {study.key} compares none", series)
    counted = () if data is None else (f"Data: {words.counted(study, data)}.",)
    command = command_line(study, explicit)
    if library == "command":
        return Handed(f"{command}\n", "", counted, "shell")
    if library == "dpstudio":
        header = [_title(study, every, series), f"$ {command}", *counted]
        return Handed("\n".join([*comments(header), "", studio.script(study, explicit, series)]), studio.NEEDS, counted,
                      "python")
    if series not in {each.key for each in offered(type(study))[library]}:
        raise _lacking(study, series, library)
    made = RELEASING[library].script(plan_of(study, series))
    name = LIBRARIES[library]
    plan = made.plan
    header = [
        _title(study, every, series), "",
        "The same in DP Studio:", f"$ {command}",
        f"Parameters: {', '.join(f'{name}={_value(value)}' for name, value in study.values().items())}.",
        f"Guarantee of one call: ε = {exact(plan.epsilon)}, δ = {exact(plan.delta)}.",
        f"Neighbouring relation and unit of privacy: {study.relation.sentence}.",
        f'Needs {name}: pip install "{RELEASING[library].NEEDS}"',
        "DP Studio explores; this releases. Every call spends the guarantee once more.",
        *counted, *made.sentences,
    ]
    return Handed(text_of(made, name, header), RELEASING[library].NEEDS, (*made.sentences, *counted), "python",
                  bool(plan.nearest))


def _title(study: Study, every: tuple[Series, ...], series: str) -> str:
    label = next((each.label for each in every if each.key == series), "")
    return f"{study.title}{label and f', {label}'}: {study.question} (DP Studio {__version__})"


def _value(value: Value) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else value if isinstance(value, str) else exact(value)


def _lacking(study: Study, series: str, library: str) -> InvalidParameter:
    """Neither the thing nor anything near: who has it."""
    having = [each for each, has in offered(type(study)).items() if series in {one.key for one in has}]
    return InvalidParameter("library", f"one of {', '.join(having)} for {series} of {study.key}", library,
                            f"{LIBRARIES[library]} has nothing near it")
