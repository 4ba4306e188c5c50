"""A study: one question, its parameters, its pictures, and a generator of complete answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import ClassVar

from dpstudio.core.declare import Declared
from dpstudio.core.figure import Figure
from dpstudio.core.results import Update, Window
from dpstudio.vocabulary import Value


@dataclass(frozen=True, slots=True)
class Preset:
    """Named values of some parameters; the others take their defaults."""

    key: str
    title: str
    sentence: str
    values: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Study(Declared):
    """A question about what privacy costs; a frozen dataclass whose fields are declared parameters."""

    key: ClassVar[str]
    place: ClassVar[int] = 100
    """Where lists of studies have it: what comes first is explained first."""
    title: ClassVar[str]
    question: ClassVar[str]
    relation: ClassVar[str] = "neighbours differ by one record of one person, added or removed"
    """The neighbouring relation and the unit of privacy, which every picture and export names."""
    figures: ClassVar[tuple[Figure, ...]]
    presets: ClassVar[tuple[Preset, ...]] = ()

    def run(self, views: Mapping[str, Window] | None = None, *, simulate: bool = True) -> Iterator[Update]:
        """Complete answers: what is exact and quick at once, all that is exact, then simulation converging on it.

        They come from the module `answers` beside the study's class, which is read when the first is asked for: a list
        of studies costs next to nothing.

        `views` gives, for a table, the range of its first column to sample; without it the study chooses. Without
        `simulate` the last answer is all that is exact.
        The generator knows no thread, flag or callback: to cancel is not to ask for the next answer.
        """
        updates: Iterator[Update] = import_module(f"{type(self).__module__}.answers").run(
            self, views or {}, simulate=simulate)
        return updates

    @classmethod
    def figure(cls, key: str) -> Figure:
        """The figure of that key; a KeyError says there is none."""
        return {figure.key: figure for figure in cls.figures}[key]


def answer(study: Study, *, simulate: bool = True) -> Update:
    """The last answer of a study: all that is exact, and what was simulated unless that is not asked for."""
    for update in study.run(simulate=simulate):  # noqa: B007 - the last one is the answer
        pass
    return update
