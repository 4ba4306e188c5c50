"""What a test of a share releases: a noisy count with its critical value, or the steepest decision that it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dpstudio.core.answer import Answer
from dpstudio.core.declare import InvalidParameter
from dpstudio.documents.code.plan import (
    WHOLE_YESES,
    WIDER,
    YES,
    YESES,
    Function,
    Maker,
    NoisyRelease,
    Release,
    Steepest,
    one_of,
)
from dpstudio.models.testing import ShareTest
from dpstudio.models.testing.rises import LaplaceRise, NormalRise
from dpstudio.records import dataclass
from dpstudio.studies.test.compared import Compared, Rule

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
    edges = _edges(one)
    constants, wider = (tuple((name, edge, f"for {study.people} people: a count {sign} it rejects")
                              for name, (edge, sign) in each.items()) for each in (edges, _wider(one, edges)))
    release = Function("release", "rows", "The number of yeses among these answers, with noise.",
                       (f"return noise({WHOLE_YESES if one.whole else YESES})",))
    found = " or ".join(f"count {sign} {name}" for name, (_, sign) in edges.items())
    rejects = Function("rejects", "count", "Whether a released count rejects the share that is doubted; it tells no "
                       "more than the count.", (f"return {found}",))
    return NoisyRelease(study.epsilon, one.promised.delta, (YES, release, rejects), constants,
                        (f"Its level is {study.level} at most where the number of answers is {study.people}.",),
                        example=(ROWS, "count = release(rows)", "print(count, rejects(count))"),
                        law="geometric" if one.whole else "gaussian", scale=one.noise.noise_scale, where_wider=wider)


def _edges(one: Compared) -> dict[str, tuple[float, str]]:
    """From where on and up to where a noisy count rejects, as far as it does, and how it is compared with that."""
    sides = (("REJECTS_FROM", one.edge(False), ">="), ("REJECTS_UP_TO", one.edge(True), "<="))
    return {name: (int(edge) if one.whole else edge, sign) for name, edge, sign in sides if edge is not None}


def _wider(one: Compared, edges: dict[str, tuple[float, str]]) -> dict[str, tuple[float, str]]:
    """The same where the level is kept by these edges and by those of noise that is wider, whichever are farther out.

    Of whole numbers that is Laplace noise that is rounded.
    """
    noise = LaplaceRise(one.study.epsilon) if one.whole else NormalRise(1 / (WIDER * one.rule.rise.spread))
    other = _edges(replace(one, rule=Rule(noise, noise if one.whole else None)))
    farther = {">=": max, "<=": min}
    return {name: (farther[sign](edge, other[name][0]), sign) for name, (edge, sign) in edges.items()}


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
