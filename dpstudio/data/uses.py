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
    """All values that are set, those of `counts` that could be counted among them."""
    arms: bool = False
    """Whether it wants a cohort: symptoms in two arms."""
    times: Callable[[Values], int] = lambda _: 1
    """How many counts of the study one record is in, at most."""

    def fits(self, counts: tuple[str, ...]) -> bool:
        """Whether an earlier count of these parameters was for this study."""
        return set(counts) <= set(self.counts)


def _decision(counted: Counted | Cohort, at_most: int | None) -> Values:
    assert isinstance(counted, Counted)
    return {"records": counted.records(at_most)}


def _posterior(counted: Counted | Cohort, at_most: int | None) -> Values:
    """People and their share; the released count is drawn, for the exact one is what nobody else would see."""
    assert isinstance(counted, Counted)
    n = counted.base(at_most)
    if n == 0:
        raise InvalidParameter("people", "at least 1", n, "nobody is counted")
    return {"people": n, "fraction": counted.records(at_most) / n, "release": "drawn"}


_SYMPTOMS = ("", "mild_")
"""What names of the gravest and of the mildest symptom begin with."""


def _policy(cohort: Counted | Cohort, _: int | None) -> Values:
    """Both arms whole: people, and the sick of one symptom or of two; the truth is at first what the arms show.

    Raises InvalidParameter where an arm is empty, and for more than two symptoms.
    """
    assert isinstance(cohort, Cohort)
    if len(cohort.symptoms) > len(_SYMPTOMS):
        raise InvalidParameter("symptoms", f"at most {len(_SYMPTOMS)} conditions", len(cohort.symptoms))
    values: Values = {"symptoms": len(cohort.symptoms)}
    arms = zip(("without", "with"), ("people", "people_treated"), ("untreated", "treated"), cohort.people,
               cohort.counts, strict=True)
    for arm, size, name, people, counts in arms:
        if people == 0:
            raise InvalidParameter(size, f"at least 1 {arm} the action", people)
        values[size] = people
        for symptom, count in zip(_SYMPTOMS, counts, strict=False):
            values |= {f"{symptom}{name}": count / people, f"{symptom}sick_{name}": count}
    return values


def _policy_times(values: Values) -> int:
    return int(values["symptoms"]) * (2 if values["arm_may_change"] else 1)


USES = (Use("decision", ("records",), _decision), Use("posterior", ("people", "fraction"), _posterior),
        Use("policy", ("people", "people_treated",
                       *(f"{symptom}{sick}{arm}" for symptom in _SYMPTOMS for sick in ("", "sick_")
                         for arm in ("untreated", "treated"))), _policy, arms=True, times=_policy_times))


def offered(studies: Mapping[str, type[Study]]) -> Iterator[Use]:
    """The uses for which there is a study with these parameters."""
    for use in USES:
        study = studies.get(use.study)
        if study is not None and {declared.name for declared in study.parameters()} >= set(use.counts):
            yield use
