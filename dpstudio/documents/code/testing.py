"""What a test of a share releases: a noisy count with its critical value, or the steepest decision that it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dpstudio.core.answer import Answer
from dpstudio.core.declare import InvalidParameter
from dpstudio.documents.code.plan import (
    WHOLE_YESES,
    YES,
    YESES,
    Function,
    Maker,
    NamedValue,
    NoisyRelease,
    Release,
    Steepest,
    one_of,
)
from dpstudio.models.testing import ShareTest
from dpstudio.records import dataclass

ROWS = "rows = [True] * 96 + [False] * 64  # your own list in its place"
NOT_ITSELF = "The most powerful private test is a steepest decision."
INSTEAD = ("Nearest, and written here: discrete Laplace noise and the whole critical value with which the level is "
           "kept, which finds less often.")


@dataclass(frozen=True)
class SteepestTest(Steepest):
    """A test that is the steepest decision; where a library cannot do it, a noisy count that keeps the level."""

    def otherwise(self, why: str) -> NoisyRelease:
        return replace(self.instead, nearest=f"{NOT_ITSELF} {why} {INSTEAD}")


def noisy_count(a: Answer[Any, Any, Any], series: str) -> NoisyRelease:
    """A noisy count of yeses, and whether it rejects."""
    study, one = a.study, one_of(a, series)
    sides = (("REJECTS_FROM", one.edge(False), ">="), ("REJECTS_UP_TO", one.edge(True), "<="))
    there = [(name, int(edge) if one.whole else edge, sign) for name, edge, sign in sides if edge is not None]
    constants: tuple[NamedValue, ...] = tuple((name, edge, f"for {study.people} people: a count {sign} it rejects")
                                              for name, edge, sign in there)
    release = Function("release", "rows", "The number of yeses among these answers, with noise.",
                       (f"return noise({WHOLE_YESES if one.whole else YESES})",))
    found = " or ".join(f"count {sign} {name}" for name, _, sign in there)
    rejects = Function("rejects", "count", "Whether a released count rejects the share that is doubted; it tells no "
                       "more than the count.", (f"return {found}",))
    return NoisyRelease(study.epsilon, one.promised.delta, (YES, release, rejects), constants,
                        (f"Its level is {study.level} at most where the number of answers is {study.people}.",),
                        example=(ROWS, "count = release(rows)", "print(count, rejects(count))"),
                        law="geometric" if one.whole else "gaussian", scale=one.noise.noise_scale)


def most_powerful(a: Answer[Any, Any, Any], series: str) -> Steepest:
    """The one-sided test, by the point through which its decision goes; `rows` are the yeses, or the noes."""
    study = a.study
    one_of(a, series)
    if study.side == "two":
        raise InvalidParameter("side", "greater or less, for no library has the unbiased test of either side",
                               study.side)
    decision = ShareTest(study.people, study.share, study.epsilon, study.delta, study.level, study.side).decision
    assert decision is not None
    which = "no" if study.side == "less" else "yes"
    answer = Function("answer", "rows", f"Whether the share that is doubted is rejected; rows are those people, of "
                      f"{study.people} who were asked, who are a {which}.", ("",))
    return SteepestTest(
        study.epsilon, study.delta, (answer,),
        exactly="It tells the decision alone, and has the level of the study exactly.", decision=decision,
        minimum=decision.minimum, target=decision.target, instead=noisy_count(a, "laplace"),
        example=(f'rows = ["a {which}"] * {study.people - study.people // 3}  # your own in their place',
                 'print("rejected" if answer(rows) else "not rejected")'))


PLANS: Mapping[str, tuple[type[Release], Maker]] = {
    "private": (Steepest, most_powerful), "laplace": (NoisyRelease, noisy_count),
    "gaussian": (NoisyRelease, noisy_count)}
"""By series, as those of other studies."""
