"""A study handed over as text that does it elsewhere: a command line, Python, libraries that release data.

    written(study, {"epsilon": 0.1}, "laplace", "opendp").text

DP Studio explores and does not release: what goes to people is made by a library that does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isclose
from typing import Literal

from dpstudio import __version__
from dpstudio.core.declare import InvalidParameter, entry_text
from dpstudio.core.results import Series
from dpstudio.core.study import Study
from dpstudio.data.origin import Origin
from dpstudio.documents import words
from dpstudio.documents.code import command, google, opendp, plan, testing
from dpstudio.documents.code.command import command_line
from dpstudio.documents.code.composed import Composed, composed
from dpstudio.documents.code.plan import Maker, Release
from dpstudio.documents.code.script import comments, text_of
from dpstudio.records import dataclass
from dpstudio.text.language import in_english
from dpstudio.text.numbers import exact
from dpstudio.vocabulary import Choice, Value

LIBRARIES: Mapping[str, str] = {"opendp": opendp.NAME, "google": google.NAME, "dpstudio": command.NAME,
                                "command": "Command line"}
"""What text can be written for: its key, and its name."""
PLANS: Mapping[str, Mapping[str, tuple[type[Release], Maker]]] = {
    **plan.PLANS, "test": testing.PLANS, "plan": dict.fromkeys(("pure", "gaussian", "mixed"), (Composed, composed))}
"""By study and series: what kind of plan it has, and how it is made."""
RELEASING = {"opendp": opendp, "google": google}
"""Those that release data."""

NEAR = {("budget", "opendp"): "OpenDP adds up what you release: dp.c.make_composition, make_adaptive_composition, "
        "make_fully_adaptive_composition and make_privacy_filter; this study releases nothing"}
"""Of studies that no script is written for: what a library has for their question."""


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


@in_english()
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
                               NEAR.get((study.key, library), "DP Studio writes no script of another library for it"))
    if series not in {each.key for each in every} and (series or library in RELEASING):
        there: Choice | str = Choice(tuple(each.key for each in every))
        raise InvalidParameter("series", there if every else f"left out, for {study.key} compares none", series)
    counted = () if data is None else (f"Data: {words.counted(study, data)}.",)
    line = command_line(study, explicit)
    if library == "command":
        return Handed(f"{line}\n", "", counted, "shell")
    if library == "dpstudio":
        header = [_title(study, every, series), f"$ {line}", *counted]
        text = "\n".join([*comments(header), "", command.python(study, explicit, series)])
        return Handed(text, command.NEEDS, counted, "python")
    if series not in {each.key for each in offered(type(study))[library]}:
        raise _lacking(study, series, library)
    made = RELEASING[library].script(PLANS[study.key][series][1](study.answer(), series))
    name = LIBRARIES[library]
    plan = made.plan
    header = [
        _title(study, every, series), "",
        "The same in DP Studio:", f"$ {line}",
        f"Parameters: {', '.join(f'{name}={entry_text(value)}' for name, value in study.values().items())}.",
        *_guaranteed(study, series, plan),
        f'Needs {name}: pip install "{RELEASING[library].NEEDS}"',
        f"DP Studio explores; this releases. {plan.spends}",
        *counted, *made.sentences,
    ]
    return Handed(text_of(made, name, header), RELEASING[library].NEEDS, (*made.sentences, *counted), "python",
                  bool(plan.nearest))


def _guaranteed(study: Study, series: str, plan: Release) -> Iterator[str]:
    """What the series promises, to whom; and what is written, where it keeps something else."""
    found = study.answer().guarantees
    one = next((each for of, each in found.items() if of is None or of.key == series), None)
    if one is None:
        yield "Guarantee: none is promised at these settings."
    else:
        further = [f"{name} = {exact(value)}" for name, value in (("μ", one.mu), ("ρ", one.rho)) if value is not None]
        yield (f"Guarantee: {', '.join([f'ε = {exact(one.epsilon)}', f'δ = {exact(one.delta)}', *further])}, for "
               f"{one.relation.unit}. {one.promise}")
    if one is None or not (isclose(plan.epsilon, one.epsilon) and isclose(plan.delta, one.delta)):
        yield f"What is written here keeps ε = {exact(plan.epsilon)} and δ = {exact(plan.delta)}."
    yield f"Neighbouring relation: {(one.relation if one else study.relation).sentence}."


def _title(study: Study, every: tuple[Series, ...], series: str) -> str:
    label = next((each.label for each in every if each.key == series), "")
    return f"{study.title}{label and f', {label}'}: {study.question} (DP Studio {__version__})"


def _lacking(study: Study, series: str, library: str) -> InvalidParameter:
    """Neither the thing nor anything near: who has it."""
    having = [each for each, has in offered(type(study)).items() if series in {one.key for one in has}]
    return InvalidParameter("library", f"one of {', '.join(having)} for {series} of {study.key}", library,
                            f"{LIBRARIES[library]} has nothing near it")
