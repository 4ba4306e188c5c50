"""What counts by groups, and the numbers of a column, mean: facts, tables and plain sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.results import Column, Fact, Table
from dpstudio.data.amounts import LARGEST, MOST_VALUES, Amounts
from dpstudio.data.columns import shown
from dpstudio.data.groups import Groups
from dpstudio.text.numbers import plain
from dpstudio.text.sentences import grouped, listed, numbered, significant

_rows, _persons = partial(numbered, "rows"), partial(numbered, "persons")
SECRET_GROUPS = ("Which groups there are is read from the data, too: where a group by itself may tell of somebody, "
                 "take a list of groups that was known before, or show only those whose noisy count is large.")
SENSITIVE_VALUES = ("These are values of people’s data: they are sensitive, and leave this machine only where you let "
                    "them.")
FEW = 5
"""Groups or numbers that a sentence names before it breaks off."""


def group_facts(found: Groups) -> tuple[Fact, ...]:
    """Every number about the groups; the counts of each stand in their table."""
    facts = [Fact(v.GROUPS_COUNTED, len(found.counts)), Fact(v.GROUPED_ROWS, found.total, how=_how(found)),
             Fact(v.COUNTED_OF, found.qualifying, how="rows that qualify and have a value in each column"),
             Fact(v.FILE_ROWS, found.rows), Fact(v.UNDECIDED_ROWS, found.undecided),
             Fact(v.VALUELESS_ROWS, found.valueless)]
    if found.persons is not None and found.most is not None:
        facts += [Fact(v.UNNAMED_ROWS, found.unnamed),
                  Fact(v.PERSONS_COUNTED, found.persons.between(1, found.persons.most)),
                  Fact(v.MOST_GROUPS_EACH, found.persons.most), Fact(v.MOST_IN_GROUP, found.most),
                  Fact(v.PERSON_SENSITIVITY, math.inf if found.at_most is None else found.at_most,
                       how="of the count of one group")]
    return tuple(facts)


def amount_facts(found: Amounts) -> tuple[Fact, ...]:
    """Every number about the values; the values stand in their table."""
    facts = [Fact(v.VALUES_TAKEN, found.size), Fact(v.DIFFERENT_VALUES, len(found.values)),
             Fact(v.ROUNDED_TO, found.step), Fact(v.FILE_ROWS, found.rows), Fact(v.UNDECIDED_ROWS, found.undecided),
             Fact(v.VALUELESS_ROWS, found.valueless), Fact(v.INFINITE_ROWS, found.infinite)]
    if found.persons is not None and found.most is not None:
        facts += [Fact(v.PERSONS_COUNTED, found.persons), Fact(v.MOST_ROWS, found.most, how="of the rows that count")]
    return tuple(facts)


def groups_each_table(found: Groups) -> Table | None:
    """How many persons are in how many groups; None without persons."""
    if found.persons is None:
        return None
    each = found.persons.persons
    return Table({Column(v.GROUPS_EACH): np.array(list(each), dtype=np.float64),
                  Column(v.PERSONS_WITH): np.array(list(each.values()), dtype=np.float64)})


def group_sentences(found: Groups) -> tuple[str, ...]:
    """What a person should know before groups become the cells of a table."""
    return tuple(_of_groups(found))


def amount_sentences(found: Amounts) -> tuple[str, ...]:
    """What a person should know before the numbers of a column become those of a study."""
    return tuple(_of_amounts(found))


def first_groups(found: Groups) -> str:
    """“Bergen: 31, Oslo: 120, and 22 more”: the first few with their counts."""
    named = [f"{name}: {grouped(count)}" for name, count in zip(found.names[:FEW], found.counts, strict=False)]
    rest = len(found.counts) - len(named)
    return ", ".join(named) + (f", and {grouped(rest)} more" if rest else "")


def _of_groups(found: Groups) -> Iterator[str]:
    by = listed(map(shown, found.by))
    yield (f"{numbered('groups', len(found.counts))} by {by} {_have(len(found.counts))} "
           f"{grouped(found.total)} of {_rows(found.rows)}. {_of_one_person(found)}")
    if found.persons is not None and found.persons.total:
        yield f"Groups of each person: {_spread(found)}. Other data may have a person in more."
    yield SECRET_GROUPS + (" Groups without a row that qualifies are there, with 0." if 0 in found.counts else "")
    for name in found.numbers:
        yield (f"{shown(name)} holds many different numbers, each of which is a group: where ranges are meant, make a "
               "column of them first.")
    yield from _left_out(found.undecided, found.valueless)
    if found.unnamed:
        fate = "count all the same" if found.at_most is None else "are left out, since no bound could be kept for them"
        yield f"{_rows(found.unnamed)} {'names' if found.unnamed == 1 else 'name'} no person; they {fate}."


def _of_one_person(found: Groups) -> str:
    if found.persons is None:
        return "A row is what is protected: if one person may have several, name the column that identifies a person."
    if found.at_most == 1:
        return "Each person counts once in a group: one person moves the count of each of their groups by 1 at most."
    if found.at_most is not None:
        return (f"At most {grouped(found.at_most)} rows of each person count in a group: one person moves the count of "
                "each of their groups by so many at most.")
    return (f"One person has up to {_rows(found.most or 0)} in one group. The sensitivity is not 1, and how far it "
            "goes is itself read from the data: set a bound.")


def _spread(found: Groups) -> str:
    """“269 persons in 1 group, 31 persons in 2 groups, 4 in 3 to 9”."""
    assert found.persons is not None
    each = [(groups, persons) for groups, persons in found.persons.persons.items() if persons]
    told = [f"{_persons(persons)} in {numbered('groups', groups)}" for groups, persons in each[:FEW]]
    if rest := each[FEW:]:
        told.append(f"{grouped(sum(persons for _, persons in rest))} in {grouped(rest[0][0])} to "
                    f"{grouped(rest[-1][0])}")
    return ", ".join(told)


def _of_amounts(found: Amounts) -> Iterator[str]:
    of = shown(found.of)
    if found.values:
        spread = (f"from {_said(found.values[0])} to {_said(found.values[-1])}, half of them at most "
                  f"{_said(found.quantile(0.5))} and nine in ten at most {_said(found.quantile(0.9))}")
        yield f"{grouped(found.size)} of {_rows(found.rows)} have a number in {of}: {spread}."
    else:
        yield f"None of {_rows(found.rows)} that counts has a number in {of}{found.taken}."
    if found.step:
        yield (f"There are more than {grouped(MOST_VALUES)} different numbers, so they are rounded to multiples of "
               f"{_said(found.step)}, which leaves {grouped(len(found.values))}: all that follows is of the rounded "
               "numbers.")
    else:
        yield f"{grouped(len(found.values))} different numbers are taken as they stand in the file."
    if found.most is None:
        yield "A row is what is protected: if one person may have several, the study must be told how many."
    else:
        yield (f"Rows are taken as they are, and one person has up to {grouped(found.most)} of these. That is itself "
               "read from the data, and no bound: other data may have more.")
    yield from _left_out(found.undecided, found.valueless)
    if found.infinite:
        yield (f"{_rows(found.infinite)} {_have(found.infinite)} an infinite number there and {_are(found.infinite)} "
               "left out.")
    if found.beyond:
        yield (f"{_rows(found.beyond)} {_have(found.beyond)} a number beyond ±{plain(LARGEST)} there, which the study "
               f"does not take, and {_are(found.beyond)} left out.")


def _left_out(undecided: int, valueless: int) -> Iterator[str]:
    if undecided:
        yield f"In {_rows(undecided)} a missing value leaves the condition undecided: these do not count."
    if valueless:
        yield f"{_rows(valueless)} that would count {_have(valueless)} no value there and {_are(valueless)} left out."


def _have(number: int) -> str:
    return "has" if number == 1 else "have"


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _said(number: float) -> str:
    """A number in a sentence: whole ones whole, others of few digits."""
    if number.is_integer() and abs(number) < 1e12:
        return grouped(number).replace("-", "−")
    text = plain(number)
    return (text if len(text) <= 8 else significant(number, 4)).replace("-", "−")


def _how(found: Groups) -> str:
    return ("rows for which the condition is true, in a group" if found.at_most is None else
            f"Σ over groups and persons of min({found.at_most}, qualifying rows)")
