"""What is asked of an open table: which count for which study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from dpstudio.core.declare import InvalidParameter
from dpstudio.data.cohort import Cohort, cohort, symptom
from dpstudio.data.condition import tree
from dpstudio.data.counting import Counted, count
from dpstudio.data.file import DataFile
from dpstudio.data.origin import Origin
from dpstudio.data.uses import Use, Values


@dataclass(frozen=True, slots=True)
class Request:
    """A condition and, for two arms, further symptoms and the action; whose rows they are, and their bound."""

    use: Use
    where: str
    condition: tree.Condition
    further: tuple[str, ...] = ()
    action: str = ""
    person: str | None = None
    at_most: int | None = None

    @property
    def complete(self) -> bool:
        """Whether enough is said to count."""
        return not self.use.arms or bool(self.action)

    def counted_in(self, file: DataFile) -> Counted | Cohort:
        """The count; raises InvalidParameter, and Stopped after an interruption."""
        if not self.use.arms:
            return count(file, self.condition, self.person)
        symptoms = {self.where: self.condition}
        for text in self.further:
            if text in symptoms:
                raise InvalidParameter("symptoms", "different conditions", text)
            symptoms[text] = symptom(file, text)
        return cohort(file, symptoms, symptom(file, self.action, "action"), self.person, self.at_most)

    def origin(self, file: DataFile, counted: Counted | Cohort, values: Mapping[str, object]) -> Origin:
        """Where these values of a study were counted."""
        table, rows = file.opened(), _rows(counted)
        origin = Origin(table.name, table.sha256, self.where, self.person, self.at_most, file.missing,
                        tuple(name for name in self.use.counts if name in values))
        if self.use.arms:
            origin = replace(origin, action=self.action, further=self.further)
        return replace(origin, most=rows if self.at_most is None else None)

    def values(self, counted: Counted | Cohort) -> Values:
        """What the count becomes in the study; raises InvalidParameter where it can become nothing."""
        return self.use.values(counted, self.at_most)


def _rows(counted: Counted | Cohort) -> int | None:
    """Records that one person has at most in these data, if it is known."""
    if isinstance(counted, Cohort):
        return counted.rows.most if counted.rows is not None else None
    return counted.people.qualifying.most if counted.people is not None else None
