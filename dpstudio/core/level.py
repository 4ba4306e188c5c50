"""What a study shows first, and the door by which somebody who has its question comes in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal, NamedTuple, TypeAlias, get_args

from dpstudio.core.results import Series
from dpstudio.records import dataclass
from dpstudio.vocabulary import Quantity, Value

Heading: TypeAlias = Literal["Answer", "Learn", "Judge"]
"""What somebody wants to do: publish something, learn from what is noisy, judge what is there."""
HEADINGS: tuple[Heading, ...] = get_args(Heading)
"""In the order of the first page."""

RUNNER_UP = "runner_up"
"""The key of the sentence that says what comes next to what the headline recommends."""
MOST_PARAMETERS, MOST_FACTS, MOST_ASKED = 5, 7, 3
"""Of level one, and of a door."""


@dataclass(frozen=True, slots=True)
class LevelOne:
    """What of a study is seen first, each in reading order; everything else is level two."""

    parameters: tuple[str, ...]
    """Names, ε first where there is one."""
    facts: tuple[Quantity, ...]
    """What answers the question; a fact of every series is one of them."""
    series: tuple[Series, ...]
    """What is compared first; the others are drawn where somebody shows them."""
    large: str
    """The key of the large picture."""
    beside: tuple[str, ...]
    """The keys of the pictures that are offered beside it, the first of them shown."""
    sentences: tuple[str, ...] = ("risk",)
    """The keys of the sentences beside the headline and what stands under it."""
    wanted: Quantity = field(kw_only=True)
    """The fact of which *Wanted* begins: the one of these of which the headline, or what stands under it, speaks."""

    def level_of(self, name: str) -> int:
        """1 for a parameter that is seen first, else 2."""
        return 1 if name in self.parameters else 2

    def level_of_fact(self, quantity: Quantity) -> int:
        """1 for a fact that is seen first, else 2."""
        return 1 if quantity in self.facts else 2

    def level_of_figure(self, key: str) -> int:
        """1 for a picture that is offered first, else 2."""
        return 1 if key in (self.large, *self.beside) else 2

    def level_of_series(self, series: Series) -> int:
        """1 for what is compared first, else 2."""
        return 1 if series in self.series else 2


class DoorSign(NamedTuple):
    """What is read of a door before somebody opens it."""

    title: str
    """“A yes or no about a minimum”."""
    question: str
    """An example in words: “May we say “at least 1 000 took part”?”"""
    heading: Heading


@dataclass(frozen=True, slots=True)
class Ask:
    """One thing that a door asks: a parameter of its study, in the words of whoever comes in."""

    parameter: str
    words: str
    """“At least how many?”"""
    unit: str = ""
    """What stands after the value: “records”."""


@dataclass(frozen=True, slots=True)
class Door:
    """A question with which people come: behind it stands a study with the values that it asks for.

    What it recommends is the headline of the study, with the sentence `runner_up` under it and the large picture of
    level one: nothing is a separate program. Values that it neither asks for nor fixes stay as they are.
    """

    title: str
    question: str
    heading: Heading
    """These are its `DoorSign`."""
    asks: tuple[Ask, ...]
    """At most three."""
    fixed: Mapping[str, Value] = field(default_factory=dict)
    """Values with which the question is this one."""
    further: Mapping[str, str] = field(default_factory=dict)
    """Studies that are reached from here, by key, each in words: “What does one record change?”"""
    without: tuple[Series, ...] = ()
    """Not drawn there: it stands for a value that whoever comes in does not know."""
