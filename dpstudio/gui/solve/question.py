"""What is asked, of everything that may do it, and how it is answered away from the window."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.results import Series
from dpstudio.core.solve.among import of_series
from dpstudio.core.solve.every import Offer, offered, order_told, ranked
from dpstudio.core.solve.problem import Problem, solvable
from dpstudio.core.solve.solution import Solution
from dpstudio.core.solve.solver import near, readable, told
from dpstudio.core.solve.want import Want
from dpstudio.core.study import Study
from dpstudio.gui.shell.worker import Pause, failure
from dpstudio.gui.solve.guess import moving
from dpstudio.records import dataclass
from dpstudio.text.language import tr
from dpstudio.text.sentences import listed
from dpstudio.vocabulary import Value

SMOOTH = 4
"""Significant digits of what follows a hand."""
REST = 0.12
"""Seconds without a move after which the others are asked as well."""


@dataclass(frozen=True, slots=True)
class Question:
    """Wants of a study at these values, of whom, and the parameters to solve for; where one is missing it is found."""

    kind: type[Study]
    explicit: Mapping[str, Value]
    wants: tuple[Want, ...]
    """Of whatever series is asked."""
    among: tuple[Series | None, ...]
    """Who is asked, whoever leads first."""
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
        return self.kind, kept, self.wants, set(self.among), self.names, self.proposed

    def wants_of(self, series: Series | None) -> tuple[Want, ...]:
        """What is wanted of one series."""
        return tuple(of_series(self.kind, want, series) for want in self.wants)

    def stands(self) -> Mapping[str, Value]:
        """What is solved for, as it was when it was asked."""
        study = self.kind(**self.explicit)
        return {name: getattr(study, name) for name in self.names}

    def answered(self) -> Iterator[Reply | Pause]:
        """What is known, again and again; raises InvalidParameter for what no study can be asked."""
        leading, *_ = self.among
        if self.proposed is not None:
            problem = Problem.of(self.kind, self.explicit, self.wants_of(leading), self.names, {})
            met = problem.holds(self.proposed)
            found = told(problem, self.proposed)
            says = tr("This does it: {told}", told=found) if met else tr("This does not do it: {told}", told=found)
            solution = Solution(problem.whole(self.proposed), problem.facts(self.proposed), met, says=says)
            yield Reply(self, (Offer.of(leading, problem, solution),), done=True)
            return
        asked = replace(self, names=self._names(leading), led=False, near=None)
        follows: Mapping[str, Value] | None = None
        if self.near is not None and len(asked.names) == 1:
            problem = Problem.of(self.kind, self.explicit, self.wants_of(leading), asked.names, {})
            if values := near(problem, {**asked.stands(), **self.near}):
                follows = problem.whole(readable(problem, values, SMOOTH))
                yield Reply(asked, (), follows)
                yield Pause(REST)
        offers: list[Offer] = []
        for offer in offered(self.kind, self.explicit, self.wants, asked.names, self.among):
            offers.append(offer)
            yield Reply(asked, ranked(offers), follows, done=len(offers) == len(self.among))

    def _names(self, leading: Series | None) -> tuple[str, ...]:
        """The parameters that were named, and as many that move the facts as there are more of these."""
        missing = max(len(self.wants) - len(self.names), 0)
        places = [(want.quantity, want.series) for want in self.wants_of(leading)]
        offered = chain(moving(self.kind, self.explicit, places),
                        (each.name for each in solvable(self.kind(**self.explicit))))
        fresh = (name for name in dict.fromkeys(offered if missing else ()) if name not in self.names)
        return *self.names[:len(self.wants)], *islice(fresh, missing)


@dataclass(frozen=True, slots=True)
class Reply:
    """What is known of an answer: those that are there, the first first."""

    question: Question
    """With the parameters that were found."""
    offers: tuple[Offer, ...] = ()
    follows: Mapping[str, Value] | None = None
    """Where a hand leads the parameters."""
    done: bool = False
    """Whether all that were asked have answered."""

    @property
    def first(self) -> Offer | None:
        """What Enter takes, or what a hand pointed at."""
        return next((each for each in self.offers if each.does or self.question.proposed is not None), None)

    @property
    def waiting(self) -> tuple[Series | None, ...]:
        """Who has not answered yet."""
        answered = {each.series for each in self.offers}
        return tuple(each for each in self.question.among if each not in answered)

    @property
    def leading(self) -> Offer | None:
        """The answer of whoever leads; None while it is under way."""
        return next((each for each in self.offers if each.series == self.question.among[0]), None)

    @property
    def leans(self) -> bool:
        """Whether it would be another one, were what is solved for something else now."""
        return any(each.solution.leans for each in self.offers)

    @property
    def symbols(self) -> str:
        """“ε”, “ε and p”: what is solved for."""
        return listed(self.question.kind.parameter(name).quantity.symbol for name in self.question.names)

    @property
    def order(self) -> str:
        return order_told(self.offers[0].problem) if self.offers else ""

    def nearest(self, offer: Offer, led: Mapping[str, Value]) -> Mapping[str, Value]:
        """Which of several solutions lies nearest to these values, by parts of them."""
        def apart(values: Mapping[str, Value]) -> float:
            pairs = ((float(values[axis.name]), float(led[axis.name])) for axis in offer.problem.axes)
            return max(abs(left - right) / max(abs(left), abs(right), 1e-300) for left, right in pairs)

        return min((offer.values, *offer.solution.others), key=apart)


def refusal(error: Exception) -> str:
    """Why a question has no answer."""
    return str(error) if isinstance(error, InvalidParameter) else (
        tr("This could not be computed ({error})", error=failure(error, "solving")))
