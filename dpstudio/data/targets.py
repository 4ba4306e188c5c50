"""Which count is asked for which study, and what it becomes there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Literal, TypeAlias

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.study import Study
from dpstudio.data.amounts import Amounts, amounts
from dpstudio.data.cohort import Cohort, cohort, symptom
from dpstudio.data.condition import tree
from dpstudio.data.counting import Count, count
from dpstudio.data.file import DataFile
from dpstudio.data.groups import Groups, groups
from dpstudio.data.origin import Origin
from dpstudio.records import dataclass
from dpstudio.vocabulary import Value

CELLS, AMOUNTS = "cells", "amounts"
"""The parameters that are lists: a name of a study's own, such as `values`, is none that a parameter can have."""
Values: TypeAlias = dict[str, Value]
Counted: TypeAlias = Count | Cohort | Groups | Amounts
Asked: TypeAlias = Literal["records", "arms", "groups", "amounts"]
"""What is counted: records that qualify, symptoms in two arms, groups by columns, or the numbers of a column."""


@dataclass(frozen=True, slots=True)
class Target:
    """A study, its parameters that are counts, and its values for what was counted under a bound."""

    study: str
    counts: tuple[str, ...]
    values: Callable[[Counted, int | None], Values]
    """All values that are set, those of `counts` that could be counted among them."""
    asks: Asked = "records"
    times: Callable[[Values], int] = lambda _: 1
    """How many counts of the study one record is in, at most."""

    @property
    def needs_condition(self) -> bool:
        """Whether nothing is counted without one; else all rows are."""
        return self.asks in ("records", "arms")

    def fits(self, counts: tuple[str, ...]) -> bool:
        """Whether an earlier count of these parameters was for this study."""
        return set(counts) <= set(self.counts)


def _decision(counted: Counted, at_most: int | None) -> Values:
    assert isinstance(counted, Count)
    return {"records": counted.records(at_most)}


def _posterior(counted: Counted, at_most: int | None) -> Values:
    """People and their share; the released count is drawn, for the exact one is what nobody else would see."""
    assert isinstance(counted, Count)
    n = counted.base(at_most)
    if n == 0:
        raise InvalidParameter("people", "at least 1", n, "nobody is counted")
    return {"people": n, "fraction": counted.records(at_most) / n, "release": "drawn"}


def _test(counted: Counted, at_most: int | None) -> Values:
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


def _policy(cohort: Counted, _: int | None) -> Values:
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


def _table(counted: Counted, _: int | None) -> Values:
    assert isinstance(counted, Groups)
    return {CELLS: counted.text}


def _number(counted: Counted, _: int | None) -> Values:
    assert isinstance(counted, Amounts)
    return {AMOUNTS: counted.text}


TARGETS = (Target("decision", ("records",), _decision), Target("posterior", ("people", "fraction"), _posterior),
        Target("test", ("people", "alternative"), _test),
        Target("policy", ("people", "people_treated",
                       *(f"{prefix}{sick}{arm}" for prefix in _SYMPTOMS for sick in ("", "sick_")
                         for arm in ("untreated", "treated"))), _policy, "arms", _policy_times),
        Target("table", (CELLS,), _table, "groups"), Target("number", (AMOUNTS,), _number, "amounts"))


def asked_for(study: str) -> Asked:
    """What is counted for the study of that key; of one that nothing is counted for, records."""
    return next((target.asks for target in TARGETS if target.study == study), "records")


def offered(studies: Mapping[str, type[Study]]) -> Iterator[Target]:
    """The targets for which there is a study with these parameters."""
    for target in TARGETS:
        study = studies.get(target.study)
        if study is not None and {declared.name for declared in study.parameters()} >= set(target.counts):
            yield target


@dataclass(frozen=True, slots=True)
class CountRequest:
    """What is to be counted: which rows, in which arms, groups or column; whose they are, and their bound."""

    target: Target
    where: str
    condition: tree.Condition | None
    """None where all rows count."""
    further: tuple[str, ...] = ()
    action: str = ""
    person: str | None = None
    at_most: int | None = None
    by: tuple[str, ...] = ()
    of: str = ""

    @property
    def complete(self) -> bool:
        """Whether enough is said to count."""
        if self.condition is None and self.target.needs_condition:
            return False
        return bool({"arms": self.action, "groups": self.by, "amounts": self.of}.get(self.target.asks, True))

    def counted_in(self, file: DataFile) -> Counted:
        """The count; raises InvalidParameter, and Stopped after an interruption."""
        if self.target.asks == "groups":
            return groups(file, self.by, self.condition, self.person, self.at_most)
        if self.target.asks == "amounts":
            return amounts(file, self.of, self.condition, self.person)
        assert self.condition is not None, "it is not complete"
        if self.target.asks == "records":
            return count(file, self.condition, self.person)
        symptoms = {self.where: self.condition}
        for text in self.further:
            if text in symptoms:
                raise InvalidParameter("symptoms", "different conditions", text)
            symptoms[text] = symptom(file, text)
        return cohort(file, symptoms, symptom(file, self.action, "action"), self.person, self.at_most)

    def origin(self, file: DataFile, counted: Counted, values: Mapping[str, object]) -> Origin:
        """Where these values of a study were counted."""
        table = file.opened()
        origin = Origin(table.name, table.sha256, self.where, self.person, self.at_most, file.missing,
                        tuple(name for name in self.target.counts if name in values))
        if self.target.asks == "arms":
            origin = replace(origin, action=self.action, further=self.further)
        elif self.target.asks == "groups":
            origin = replace(origin, by=self.by)
        elif self.target.asks == "amounts":
            origin = replace(origin, of=self.of, at_most=None)
        return replace(origin, most=_rows(counted) if origin.at_most is None else None)

    def values(self, counted: Counted) -> Values:
        """What the count becomes in the study; raises InvalidParameter where it can become nothing."""
        return self.target.values(counted, self.at_most)


def _rows(counted: Counted) -> int | None:
    """Records that one person has at most in these data, if it is known."""
    match counted:
        case Cohort():
            return counted.rows.most if counted.rows is not None else None
        case Count():
            return counted.people.qualifying.most if counted.people is not None else None
        case Groups():
            return counted.whole
        case Amounts():
            return counted.most
