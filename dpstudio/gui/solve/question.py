"""What the card asks, and how it is answered away from the window."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import chain, islice

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.solve.problem import Problem
from dpstudio.core.solve.solver import near, readable, solved, told
from dpstudio.core.solve.want import Want
from dpstudio.core.study import Study
from dpstudio.documents.words import parameter
from dpstudio.gui.shell.worker import failure
from dpstudio.gui.solve.guess import moving, solvable
from dpstudio.records import dataclass
from dpstudio.vocabulary import Value

SMOOTH = 4
"""Significant digits of what follows a hand."""


@dataclass(frozen=True, slots=True)
class Question:
    """Wants of a study at these values, and the parameters to solve for; where one is missing it is found."""

    kind: type[Study]
    explicit: Mapping[str, Value]
    wants: tuple[Want, ...]
    names: tuple[str, ...]
    led: bool = False
    """Whether a hand moves what is wanted, and the parameters follow."""
    near: Mapping[str, Value] | None = None
    """Where they are, while the hand moves on."""
    proposed: Mapping[str, Value] | None = None
    """Values that a hand pointed at: whether they do it is asked."""

    @property
    def key(self) -> object:
        """Equal for questions with one answer: what is solved for may stand where it will."""
        kept = {name: value for name, value in self.explicit.items() if name not in self.names}
        return self.kind, kept, self.wants, self.names, self.proposed

    def answered(self, going: Callable[[], None]) -> Reply:
        """Solve, in numbers that can be read; raises InvalidParameter for what no study can be asked."""
        if self.proposed is not None:
            problem = Problem.of(self.kind, self.explicit, self.wants, self.names, {}, going)
            met = problem.holds(self.proposed)
            says = f"{'This does it' if met else 'This does not do it'}: {told(problem, self.proposed)}"
            return Reply(self, self.names, (self.proposed,), met, says)
        places = [(want.quantity, want.series) for want in self.wants]
        offered = chain(moving(self.kind, self.explicit, places, going),
                        (each.name for each in solvable(self.kind, self.kind(**self.explicit).values())))
        fresh = (name for name in dict.fromkeys(offered if len(self.names) < len(self.wants) else ())
                 if name not in self.names)
        names = (*self.names[:len(self.wants)], *islice(fresh, max(len(self.wants) - len(self.names), 0)))
        problem = Problem.of(self.kind, self.explicit, self.wants, names, {}, going)
        if self.near is not None and len(names) == 1 and (values := near(problem, self.near)):
            values = readable(problem, values, SMOOTH)
            return Reply(self, names, (values,), True, told(problem, values))
        solution = solved(problem)
        asked = self if self.near is not None else replace(self, names=names, led=False)
        return Reply(asked, names, (solution.values, *solution.others), solution.met, solution.says, solution.leans)

    def stands(self) -> tuple[Value, ...]:
        """What is solved for, as it was when it was asked."""
        study = self.kind(**self.explicit)
        return tuple(getattr(study, name) for name in self.names)


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: the parameters that were solved for, and their values at each solution, the best first."""

    question: Question
    names: tuple[str, ...]
    every: tuple[Mapping[str, Value], ...]
    met: bool
    says: str
    leans: bool = False
    """Whether it would be another one, were what is solved for something else now."""

    @property
    def pair(self) -> Question:
        """The question with both parameters that were solved for, whichever of them was named when it was asked."""
        return replace(self.question, names=self.names, led=False, near=None, proposed=None)

    @property
    def falls_short(self) -> bool:
        """Whether nothing does it, and this is the nearest there is."""
        return not self.met and self.question.proposed is None

    def nearest(self, led: Mapping[str, Value]) -> int:
        """Which of several solutions lies nearest to these values, by parts of them."""
        def apart(values: Mapping[str, Value]) -> float:
            pairs = ((float(values[name]), float(value)) for name, value in led.items())
            return max(abs(left - right) / max(abs(left), abs(right), 1e-300) for left, right in pairs)

        return min(range(len(self.every)), key=lambda i: apart(self.every[i]))

    def words(self, at: int = 0) -> str:
        """“ε = 0.0158”."""
        kind = self.question.kind
        return ", ".join(parameter(kind.parameter(name), self.every[at][name]) for name in self.names)


def refusal(error: Exception) -> str:
    """Why a question has no answer."""
    return str(error) if isinstance(error, InvalidParameter) else (
        f"This could not be computed ({failure(error, 'solving')})")
