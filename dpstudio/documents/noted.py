"""What is noted of a study besides values: texts on pictures, questions solved for, sweeps, the cover of a report.

Plain texts and settings: a question or a sweep is kept as it was asked, and answered again where it is read.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field, replace
from datetime import date
from typing import TYPE_CHECKING, Any, Self

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.results import FactPlace, Span
from dpstudio.core.study import Study
from dpstudio.documents.codec import file_field, fits
from dpstudio.documents.setting import Setting
from dpstudio.records import dataclass
from dpstudio.vocabulary import integers

if TYPE_CHECKING:
    from dpstudio.core.sweep import Plan

LONGEST_ON_PICTURE, LONGEST_ON_COVER = 300, 2_000
"""Signs of a text on a picture, and of each on a cover."""
MOST_ON_PICTURES, MOST_SOLVED, MOST_SWEEPS = 30, 20, 10
"""Of one study."""
MOST_KEYS = 200
"""Keys of curves, of tables or of parameters."""
MOST_CELLS = 10_000
"""Cells of a sweep that is kept with a session: a report computes it anew."""


@dataclass(frozen=True, slots=True)
class PictureNote:
    """A text at a point of a picture."""

    figure: str
    text: str = field(metadata={"longest": LONGEST_ON_PICTURE, "called": "the text on a picture"})
    at: Span | None = None
    """The point, as values of the two axes; where there is none, the text stands under the picture."""

    def check(self, kind: type[Study]) -> Self:
        """Itself; raises InvalidParameter for a picture that the study does not have, or what is no point.

        On a picture that the study had once it stands on the one that is shown instead, without a place.
        """
        if self.figure in kind.retired:
            return replace(self, figure=kind.retired[self.figure], at=None)
        known = [figure.key for figure in kind.figures]
        if self.figure not in known:
            raise InvalidParameter("figure", f"one of {', '.join(known)}", self.figure)
        if self.at is not None and not all(map(math.isfinite, self.at)):
            raise InvalidParameter("the point on a picture", "two finite numbers", self.at)
        return self


@dataclass(frozen=True, slots=True)
class Solved:
    """A question that was solved for, and the setting that answered it."""

    wants: tuple[str, ...]
    """As `core.solve.want` reads them."""
    names: tuple[str, ...] = field(metadata={"key": "for"})
    """The parameters that were solved for, one or two."""
    setting: Setting
    between: Mapping[str, Span] = file_field(dict, always=True, means="an object of parameters", most=MOST_KEYS)

    def check(self, _: type[Study]) -> Self:
        """Itself; raises InvalidParameter for what cannot be asked of its study."""
        from dpstudio.core.solve.want import named_parameter, read_want  # few sessions have any

        kind = type(self.setting.study)
        if not 1 <= len(self.names) <= 2 or len(set(self.names)) < len(self.names):
            raise InvalidParameter("what is solved for", "one parameter or two", ", ".join(self.names))
        if not 1 <= len(self.wants) <= MOST_SOLVED:
            raise InvalidParameter("wants", f"1 to {MOST_SOLVED} of them", len(self.wants))
        for name in (*self.names, *self.between):
            named_parameter(kind, name, numeric=True)
        for want in self.wants:
            read_want(kind, fits("want", want, LONGEST_ON_PICTURE))
        for name, ends in self.between.items():
            if not ends[0] <= ends[1]:
                raise InvalidParameter(name, "a range, its lower end first", ends)
        return self


@dataclass(frozen=True, slots=True)
class SweepAsked:
    """A sweep, and the setting around it."""

    over: tuple[str, ...]
    """As `core.sweep.grid` reads them."""
    facts: tuple[FactPlace, ...] = field(metadata={"means": "a list of keys of quantity and series"})
    setting: Setting
    simulate: bool = file_field(False, always=True)

    def check(self, _: type[Study]) -> Self:
        """Itself; raises InvalidParameter for what cannot be swept, or is too much to be computed by the way."""
        from dpstudio.core.sweep.plan import size_of  # as above

        if not 1 <= len(self.over) <= 2:
            raise InvalidParameter("over", "one parameter or two", len(self.over))
        cells = math.prod(size_of(fits("over", text, LONGEST_ON_COVER)) for text in self.over)
        if cells > MOST_CELLS:
            raise InvalidParameter("cells of a sweep that is kept", integers(1, MOST_CELLS), cells)
        self.plan().check()
        return self

    def plan(self) -> Plan:
        """What it computes."""
        from dpstudio.core.sweep import Plan, read_over

        study = self.setting.study
        return Plan(study, tuple(read_over(type(study), text) for text in self.over), self.facts, self.simulate,
                    tuple(self.setting.explicit))


def _on_cover(name: str) -> Any:
    return file_field("", longest=LONGEST_ON_COVER, called=f"the {name} on a cover")


@dataclass(frozen=True, slots=True)
class Cover:
    """The words of a report's first page; what is empty is said from the study, or left to be written by hand."""

    question: str = _on_cover("question")
    choice: str = _on_cover("choice")
    reason: str = _on_cover("reason")
    who: str = _on_cover("who")
    when: str = _on_cover("when")


def is_date(text: str) -> bool:
    """Whether a text is a day as the calendar writes it, and nothing else."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
