"""Which count is asked for which study, and what it becomes there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.study import Study
from dpstudio.data.cohort import Cohort, cohort, symptom
from dpstudio.data.condition import tree
from dpstudio.data.counting import Count, count
from dpstudio.data.file import DataFile
from dpstudio.data.origin import Origin
from dpstudio.records import dataclass
from dpstudio.vocabulary import Value

Values = dict[str, Value]


@dataclass(frozen=True, slots=True)
class Target:
    """A study, its parameters that are counts, and its values for what was counted under a bound."""

    study: str
    counts: tuple[str, ...]
    values: Callable[[Count | Cohort, int | None], Values]
    """All values that are set, those of `counts` that could be counted among them."""
    arms: bool = False
    """Whether it wants a cohort: symptoms in two arms."""
    times: Callable[[Values], int] = lambda _: 1
    """How many counts of the study one record is in, at most."""

    def fits(self, counts: tuple[str, ...]) -> bool:
        """Whether an earlier count of these parameters was for this study."""
        return set(counts) <= set(self.counts)


def _decision(counted: Count | Cohort, at_most: int | None) -> Values:
    assert isinstance(counted, Count)
    return {"records": counted.records(at_most)}


def _posterior(counted: Count | Cohort, at_most: int | None) -> Values:
    """People and their share; the released count is drawn, for the exact one is what nobody else would see."""
    assert isinstance(counted, Count)
    n = counted.base(at_most)
    if n == 0:
        raise InvalidParameter("people", "at least 1", n, "nobody is counted")
    return {"people": n, "fraction": counted.records(at_most) / n, "release": "drawn"}


def _test(counted: Count | Cohort, at_most: int | None) -> Values:
    """People, and their share as the one worth finding; what is released is not touched."""
    assert isinstance(counted, Count)
    n = counted.base(at_most)
    found = counted.records(at_most)
    if not 0 < found < n:
        raise InvalidParameter("alternative", "a share in (0, 1)", found / n if n else found,
                               "some must be counted and some not")
    return {"people": n, "alternative": found / n}


_SYMPTOMS = ("", "mild_")
"""What names of the gravest and of the mildest symptom begin with."""


def _policy(cohort: Count | Cohort, _: int | None) -> Values:
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
        for prefix, sick in zip(_SYMPTOMS, counts, strict=False):
            values |= {f"{prefix}{name}": sick / people, f"{prefix}sick_{name}": sick}
    return values


def _policy_times(values: Values) -> int:
    return int(values["symptoms"]) * (2 if values["arm_may_change"] else 1)


TARGETS = (Target("decision", ("records",), _decision), Target("posterior", ("people", "fraction"), _posterior),
        Target("test", ("people", "alternative"), _test),
        Target("policy", ("people", "people_treated",
                       *(f"{prefix}{sick}{arm}" for prefix in _SYMPTOMS for sick in ("", "sick_")
                         for arm in ("untreated", "treated"))), _policy, arms=True, times=_policy_times))


def offered(studies: Mapping[str, type[Study]]) -> Iterator[Target]:
    """The targets for which there is a study with these parameters."""
    for target in TARGETS:
        study = studies.get(target.study)
        if study is not None and {declared.name for declared in study.parameters()} >= set(target.counts):
            yield target


@dataclass(frozen=True, slots=True)
class CountRequest:
    """A condition and, for two arms, further symptoms and the action; whose rows they are, and their bound."""

    target: Target
    where: str
    condition: tree.Condition
    further: tuple[str, ...] = ()
    action: str = ""
    person: str | None = None
    at_most: int | None = None

    @property
    def complete(self) -> bool:
        """Whether enough is said to count."""
        return not self.target.arms or bool(self.action)

    def counted_in(self, file: DataFile) -> Count | Cohort:
        """The count; raises InvalidParameter, and Stopped after an interruption."""
        if not self.target.arms:
            return count(file, self.condition, self.person)
        symptoms = {self.where: self.condition}
        for text in self.further:
            if text in symptoms:
                raise InvalidParameter("symptoms", "different conditions", text)
            symptoms[text] = symptom(file, text)
        return cohort(file, symptoms, symptom(file, self.action, "action"), self.person, self.at_most)

    def origin(self, file: DataFile, counted: Count | Cohort, values: Mapping[str, object]) -> Origin:
        """Where these values of a study were counted."""
        table, rows = file.opened(), _rows(counted)
        origin = Origin(table.name, table.sha256, self.where, self.person, self.at_most, file.missing,
                        tuple(name for name in self.target.counts if name in values))
        if self.target.arms:
            origin = replace(origin, action=self.action, further=self.further)
        return replace(origin, most=rows if self.at_most is None else None)

    def values(self, counted: Count | Cohort) -> Values:
        """What the count becomes in the study; raises InvalidParameter where it can become nothing."""
        return self.target.values(counted, self.at_most)


def _rows(counted: Count | Cohort) -> int | None:
    """Records that one person has at most in these data, if it is known."""
    if isinstance(counted, Cohort):
        return counted.rows.most if counted.rows is not None else None
    return counted.people.qualifying.most if counted.people is not None else None
