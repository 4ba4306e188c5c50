"""What a count becomes in each study that can use one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.study import Study
from dpstudio.data.cohort import Cohort
from dpstudio.data.counting import Counted
from dpstudio.vocabulary import Value

Values = dict[str, Value]


@dataclass(frozen=True, slots=True)
class Use:
    """A study, its parameters that are counts, and its values for what was counted under a bound."""

    study: str
    counts: tuple[str, ...]
    values: Callable[[Counted | Cohort, int | None], Values]
    arms: bool = False
    """Whether it wants a cohort: a symptom in two arms."""


def _decision(counted: Counted | Cohort, at_most: int | None) -> Values:
    assert isinstance(counted, Counted)
    return {"records": counted.records(at_most)}


def _posterior(counted: Counted | Cohort, at_most: int | None) -> Values:
    assert isinstance(counted, Counted)
    n = counted.base(at_most)
    if n == 0:
        raise InvalidParameter("people", "at least 1", n, "nobody is counted")
    return {"people": n, "fraction": counted.records(at_most) / n}


def _policy(cohort: Counted | Cohort, _: int | None) -> Values:
    """The first symptom's shares without and with the action, and the people of the smaller arm, whom noise blurs more.

    Raises InvalidParameter where an arm is empty.
    """
    assert isinstance(cohort, Cohort)
    for arm, people in zip(("without", "with"), cohort.people, strict=True):
        if people == 0:
            raise InvalidParameter("people", f"at least 1 {arm} the action", people)
    untreated, treated = (counts[0] / people for counts, people in zip(cohort.counts, cohort.people, strict=True))
    return {"people": min(cohort.people), "untreated": untreated, "treated": treated, "symptoms": 1}


USES = (Use("decision", ("records",), _decision), Use("posterior", ("people", "fraction"), _posterior),
        Use("policy", ("people", "untreated", "treated"), _policy, arms=True))


def offered(studies: Mapping[str, type[Study]]) -> Iterator[Use]:
    """The uses for which there is a study with these parameters."""
    for use in USES:
        study = studies.get(use.study)
        if study is not None and {declared.name for declared in study.parameters()} >= set(use.counts):
            yield use
