"""A cohort: of the people without and with an action, how many have each symptom.

With a bound, b rows of each person are kept, drawn by a seed, so that a person moves the counts of d symptoms by at
most b·d in all when they come or go; twice as many where a person may also change from one arm to the other.
"""

from __future__ import annotations

from collections.abc import Mapping

from dpstudio.core.declare import InvalidParameter, accepted
from dpstudio.data.columns import FileColumn, find, identifier
from dpstudio.data.condition import tree
from dpstudio.data.condition.parser import InvalidCondition, parse
from dpstudio.data.condition.sql import rendered, value_of
from dpstudio.data.counting import person_column
from dpstudio.data.file import DataFile
from dpstudio.data.origin import AT_MOST
from dpstudio.models.contributions import Spread
from dpstudio.records import dataclass

MOST_SYMPTOMS = 200


@dataclass(frozen=True, slots=True)
class Cohort:
    """Counts in two arms, without and with the action: exact, and therefore sensitive."""

    symptoms: tuple[str, ...]
    people: tuple[int, int]
    """Records in each arm."""
    counts: tuple[tuple[int, ...], tuple[int, ...]]
    """In each arm, the records with each symptom."""
    undecided: tuple[int, ...]
    """For each symptom, the records in which a missing value decides nothing; they count as without it."""
    armless: int
    """Records whose action is unknown; they are in neither arm."""
    unnamed: int = 0
    """Rows that name no person; under a bound they are left out."""
    at_most: int | None = None
    rows: Spread | None = None
    """Rows of each person, where a column says who they are."""

    @property
    def sensitivity(self) -> int | None:
        """How far one person moves the symptoms' counts in all, b·d; None where nothing bounds their rows."""
        return None if self.at_most is None else self.at_most * len(self.symptoms)


def symptom(file: DataFile, text: str, name: str = "symptom") -> tree.Condition:
    """The condition that a text states; a column of 0 and 1 by itself means that it is 1.

    Raises InvalidParameter, and InvalidCondition where it is neither.
    """
    columns = file.opened().columns
    column = find(text.strip().strip('"'), columns)
    if column is None or column.kind != "number":
        try:
            return parse(text, columns)
        except InvalidCondition as refusal:
            raise InvalidCondition(text, refusal.why, name) from None
    other = file.query(f"SELECT count(*) FROM data WHERE {value_of(column)} NOT IN (0, 1)")[0][0]
    if other:
        raise InvalidParameter(name, "a condition, or a column of 0 and 1", text,
                               f"{other} row{'s' if other != 1 else ''} hold another number")
    return tree.Compare("=", tree.Name(column), tree.Literal(1))


def cohort(file: DataFile, symptoms: Mapping[str, tree.Condition], action: tree.Condition, person: str | None = None,
           at_most: int | None = None, seed: int = 0) -> Cohort:
    """Count every symptom in both arms; raises InvalidParameter, and Stopped after an interruption."""
    if not 1 <= len(symptoms) <= MOST_SYMPTOMS:
        raise InvalidParameter("symptoms", f"between 1 and {MOST_SYMPTOMS} conditions", len(symptoms))
    if at_most is not None:
        at_most = int(accepted("at_most", AT_MOST, at_most))
        if person is None:
            raise InvalidParameter("at_most", "used together with a person", at_most)
    file.check_unchanged()
    action_text, values = rendered(action)
    parts = [f"{action_text} AS action"]
    for i, condition in enumerate(symptoms.values()):
        text, more = rendered(condition)
        parts.append(f"{text} AS s{i}")
        values += more
    source, unnamed = f"SELECT {', '.join(parts)} FROM data", 0
    column = person_column(file, person) if person is not None else None
    rows = _rows_each(file, column) if column is not None else None
    if column is not None and at_most is not None:
        unnamed = file.query(f"SELECT count(*) FROM data WHERE {value_of(column)} IS NULL")[0][0]
        # A digest of a row's place orders the rows of a person as by chance, and the same for the same seed.
        source = (f"SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY person ORDER BY md5(place || ?), place) "
                  f"AS drawn FROM (SELECT {', '.join(parts)}, {value_of(column)} AS person, row_number() OVER () "
                  f"AS place FROM data) WHERE person IS NOT NULL) WHERE drawn <= {at_most}")
        values = [f":{seed}", *values]
    columns = [identifier(f"s{i}") for i in range(len(symptoms))]
    counted = ", ".join(f"coalesce(count_if({each}), 0), count(*) - count({each})" for each in columns)
    found = {row[0]: row[1:] for row in
             file.query(f"SELECT action, count(*), {counted} FROM ({source}) GROUP BY action", values)}
    file.check_unchanged()
    nothing = (0,) * (1 + 2 * len(symptoms))
    without, having = found.get(False, nothing), found.get(True, nothing)
    return Cohort(tuple(symptoms), (without[0], having[0]), (tuple(without[1::2]), tuple(having[1::2])),
                  tuple(a + b for a, b in zip(without[2::2], having[2::2], strict=True)),
                  found.get(None, nothing)[0], unnamed, at_most, rows)


def _rows_each(file: DataFile, column: FileColumn) -> Spread:
    name = value_of(column)
    found = file.query(f"SELECT rows, count(*) FROM (SELECT count(*) AS rows FROM data WHERE {name} IS NOT NULL "
                       f"GROUP BY {name}) GROUP BY rows ORDER BY rows")
    return Spread(dict(found))
