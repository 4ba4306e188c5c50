"""What a count means, as facts, a table and plain sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.results import Column, Fact, Table
from dpstudio.core.study import Study
from dpstudio.data.cohort import Cohort
from dpstudio.data.counting import Count
from dpstudio.data.origin import Origin
from dpstudio.data.targets import TARGETS, asked_for
from dpstudio.mechanisms.composition import group
from dpstudio.models.contributions import Spread
from dpstudio.text.sentences import even_odds, grouped, listed, numbered, safely, significant

_EACH, _PERSONS, _QUALIFYING = Column(v.ROWS_EACH), Column(v.PERSONS_WITH), Column(v.PERSONS_QUALIFYING)
_rows = partial(numbered, "rows")
SENSITIVE = "This is an exact count of people’s data: it is sensitive, and leaves this machine only where you let it."


def facts(counted: Count, at_most: int | None = None) -> tuple[Fact, ...]:
    """Every number of a count; all of them are exact."""
    people = counted.people
    found = [Fact(v.RECORDS, counted.records(at_most), how=_how(counted, at_most)),
             Fact(v.COUNTED_OF, counted.base(at_most)),
             Fact(v.FILE_ROWS, counted.rows),
             Fact(v.UNDECIDED_ROWS, counted.undecided)]
    if people is not None:
        found += [Fact(v.UNNAMED_ROWS, people.unnamed), Fact(v.PERSONS, people.rows.total),
                  Fact(v.MOST_ROWS, people.rows.most),
                  Fact(v.PERSON_SENSITIVITY, math.inf if at_most is None else at_most)]
    return tuple(found)


def rows_table(counted: Count) -> Table | None:
    """How many persons have how many rows, and how many qualifying ones; None without a person."""
    if counted.people is None:
        return None
    rows, qualifying = counted.people.rows.persons, counted.people.qualifying.persons
    each = sorted(rows.keys() | qualifying.keys())
    return Table({_EACH: np.array(each, dtype=np.float64),
                  _PERSONS: np.array([rows.get(k, 0) for k in each], dtype=np.float64),
                  _QUALIFYING: np.array([qualifying.get(k, 0) for k in each], dtype=np.float64)})


def sentences(counted: Count, at_most: int | None = None) -> tuple[str, ...]:
    """What a person should know before this becomes N."""
    return tuple(_sentences(counted, at_most))


def cohort_sentences(cohort: Cohort) -> tuple[str, ...]:
    """What a person should know before a cohort becomes one of a study."""
    without, having = map(grouped, cohort.people)
    several = len(cohort.symptoms) > 1
    told = []
    for name, untreated, treated, _ in _each_symptom(cohort):
        told.append(f"Of {without} untreated people {grouped(untreated)} have {name}, of {having} treated ones "
                    f"{grouped(treated)}.")
    told[-1] += " Unless treatment was drawn by lot, that may have other causes."
    if cohort.at_most is None:
        told.append("Nothing bounds the rows of a person, so one person may move these counts by more than 1.")
    else:
        kept = f"{_rows(cohort.at_most)} are" if cohort.at_most > 1 else "one row is"
        told.append(f"Of each person at most {kept} kept, drawn by the seed, so one person moves the counts of a "
                    f"symptom by at most {grouped(cohort.at_most)} in all.")
    for name, _, _, undecided in _each_symptom(cohort):
        if undecided:
            told.append(f"In {_rows(undecided)} a missing value leaves {name if several else 'the symptom'} undecided; "
                        "they count as without it.")
    if cohort.armless:
        told.append(f"In {_rows(cohort.armless)} it is not known whether there was treatment; they are in neither arm.")
    if cohort.unnamed:
        told.append(f"{_rows(cohort.unnamed)} {'names' if cohort.unnamed == 1 else 'name'} no person and are left out, "
                    "since no bound could be kept for them.")
    return tuple(told)


def _each_symptom(cohort: Cohort) -> Iterator[tuple[str, int, int, int]]:
    names = ("the graver symptom", "the milder symptom") if len(cohort.symptoms) > 1 else ("the symptom",)
    yield from zip(names, *cohort.counts, cohort.undecided, strict=True)


def group_guarantee(epsilon: float, delta: float, at_most: int | None, most: int | None = None) -> str:
    """What a guarantee for one record is for one person who may have b of them, by group privacy.

    Without a bound, `most` is the number of records that one person has in these data, if it is known.
    """
    if at_most == 1:
        return "One person is one record of the count, so the guarantee of a record holds for a person."
    if at_most is not None:
        return f"One person is up to {grouped(at_most)} records of the count, so {_grouped(epsilon, delta, at_most)}."
    unbounded = "Nothing bounds the rows of a person, so the guarantee holds for one record"
    if most is None or most < 2:
        return f"{unbounded}, and for no person who may have several."
    return (f"{unbounded}. Of the {grouped(most)} that one person has here, {_grouped(epsilon, delta, most)}; but that "
            "number is no bound, for it is itself read from the data.")


def _grouped(epsilon: float, delta: float, records: int) -> str:
    total, tight = group(epsilon, delta, records)
    if delta == 0:
        person = float(total)
        return (f"ε = {significant(epsilon)} for a record is ε = {safely(person)} for a person, by group privacy: even "
                f"odds about them become at most {even_odds(person)}")
    return (f"ε = {significant(epsilon)} and δ = {safely(delta)} for a record are ε = {safely(float(total))} and "
            f"δ = {safely(float(tight))} for a person, by group privacy")


def origin_sentences(origin: Origin, study: Study) -> str:
    """Where the numbers of a study were counted, and what its guarantee is for a person."""
    exact = [study.parameter(name).quantity.symbol for name in origin.counts if name not in origin.moved]
    moved = [study.parameter(name).quantity.symbol for name in origin.moved if name not in origin.follows]
    follows = [study.parameter(name).quantity.symbol for name in origin.follows]
    told = []
    if exact:
        what = "are exact counts" if len(exact) > 1 else "is an exact count"
        told.append(f"{listed(exact)} {what}, and sensitive: {origin.sentence}.")
    if moved:
        what = "were moved from exact counts, and are" if len(moved) > 1 else "was moved from an exact count, and is"
        told.append(f"{listed(moved)} {what} as sensitive" + ("." if exact else f": {origin.sentence}."))
    if follows:
        what = "were found from counts, and are" if len(follows) > 1 else "was found from a count, and is"
        told.append(f"{listed(follows)} {what} as sensitive" + ("." if exact or moved else f": {origin.sentence}."))
    return f"{' '.join(told)} {person_guarantee(origin, study)}"


def person_guarantee(origin: Origin, study: Study) -> str:
    """What the guarantee of a study, which holds for a record, is for a person who may have several."""
    asks = asked_for(study.key)
    if asks == "groups":
        return groups_guarantee(origin.person is not None, origin.at_most)
    if asks == "amounts":
        return AMOUNTS_GUARANTEE
    if origin.person is None:
        return "One row is what is protected: a person with several has less, and “one person” means one row here."
    told = group_guarantee(*spent(study), origin.at_most, origin.most)
    return told if origin.at_most == 1 else f"{told} Where “one person” is said beside this, one record is meant."


AMOUNTS_GUARANTEE = ("The guarantee holds for a person only while they have no more rows than the study allows one "
                     "person.")


def groups_guarantee(persons: bool, at_most: int | None) -> str:
    """What the guarantee of a table, which says what one person may have in it, is for one of these data."""
    if not persons:
        return ("Rows were counted: the guarantee holds for a person only while all their rows are within what the "
                "study allows one person.")
    rows = ("Nothing bounds the rows of a person in a group, nor" if at_most is None else
            f"At most {_rows(at_most)} of each person {'counts' if at_most == 1 else 'count'} in a group, and nothing "
            "bounds")
    return (f"{rows} in how many groups a person is: the guarantee holds for a person only within what the study "
            "allows one person.")


def spent(study: Study) -> tuple[float, float]:
    """What the counts of a study spend of the ε and δ of one record, which may be in several of them."""
    values = study.values()
    times = next((target.times(values) for target in TARGETS if target.study == study.key), 1)
    epsilon, delta = study.asked or ("epsilon", "delta")
    return (times * float(values.get("epsilon", values[epsilon])),
            times * float(values.get("delta", values.get(delta, 0.0))))


def _spread(rows: Spread) -> str:
    """“269 persons have 1 row, 246 have 2, 5 397 have 3 to 5”: the first few numbers of rows, then the others."""
    found = [(each, persons) for each, persons in rows.persons.items() if persons]
    told = [f"{grouped(persons)} {'persons' if persons != 1 else 'person'} with {_rows(each)}"
            for each, persons in found[:5]]
    rest = found[5:]
    if rest:
        told.append(f"{grouped(sum(persons for _, persons in rest))} with {grouped(rest[0][0])} to "
                    f"{grouped(rest[-1][0])}")
    return ", ".join(told)


def _sentences(counted: Count, at_most: int | None) -> Iterator[str]:
    yield _meaning(counted, at_most)
    people = counted.people
    if people is not None and people.rows.most > 1:
        yield f"Rows of each person: {_spread(people.rows)}."
    if counted.undecided:
        yield (f"In {_rows(counted.undecided)} a missing value leaves the condition undecided: these do not qualify, "
               "nor would they if the condition were reversed.")
    else:
        yield "No missing value leaves the condition undecided."
    if people is not None and people.unnamed:
        fate = "count all the same" if at_most is None else "are left out, since no bound could be kept for them"
        yield (f"{_rows(people.unnamed)} {'names' if people.unnamed == 1 else 'name'} no person, "
               f"{grouped(people.unnamed_qualifying)} of them qualifying; they {fate}.")


def _meaning(counted: Count, at_most: int | None) -> str:
    n, people = counted.records(at_most), counted.people
    if people is None:
        return (f"N = {grouped(n)} of {_rows(counted.rows)} qualify. A row is what is protected: if one person may "
                "have several, name the column that identifies a person.")
    if at_most == 1:
        return (f"N = {grouped(n)} of {grouped(people.rows.total)} persons have a row that qualifies. One person moves "
                "N by at most 1.")
    if at_most is not None:
        return (f"N = {grouped(n)}, at most {at_most} qualifying rows of each person: one person moves N by up to "
                f"{grouped(at_most)}.")
    return (f"N = {grouped(n)} of {_rows(counted.rows)} qualify, and one person has up to "
            f"{grouped(people.qualifying.most)} of these. The sensitivity is not 1, and how far it goes is itself read "
            "from the data: set a bound.")


def _how(counted: Count, at_most: int | None) -> str:
    if counted.people is None or at_most is None:
        return "rows for which the condition is true"
    return f"Σ over {grouped(counted.people.rows.total)} persons of min({at_most}, qualifying rows)"
