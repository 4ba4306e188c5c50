"""Counts agree with counting by hand, say what one person can move, and never have fewer records than qualify."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpstudio import vocabulary as v
from dpstudio.core.declare import InvalidParameter
from dpstudio.data.cohort import cohort, symptom
from dpstudio.data.columns import FileColumn
from dpstudio.data.condition.clauses import clause, comparisons, joined, needs_value, taken_apart
from dpstudio.data.condition.parser import parse
from dpstudio.data.counting import count
from dpstudio.data.file import DataFile
from dpstudio.data.meaning import facts, group_guarantee, rows_table, sentences
from dpstudio.mechanisms.composition import group

ROWS = st.lists(st.tuples(st.none() | st.integers(0, 3), st.none() | st.integers(0, 2), st.booleans()), max_size=30)


def counted(people, where, person=None):
    return count(people, parse(where, people.opened().columns), person)


@pytest.mark.parametrize(("where", "qualifying", "undecided"), [
    ("age >= 65", 5, 1), ("not age >= 65", 2, 1), ("age is missing", 1, 0), ("age is not missing", 7, 0),
    ("smoker", 5, 1), ("not smoker", 2, 1), ("smoker is missing or smoker", 6, 0), ("sex = 'f' and age < 70", 2, 0),
    ("age >= 65 or smoker", 7, 0), ("born < '1956-01-01'", 2, 3), ("note in ('=cmd()', '<b>x</b>')", 2, 5),
    ("age / (person - person) > 1", 6, 2), ("(age - 30) * (age - 31) = 0", 2, 1), ("age between 80 and 81", 2, 1),
    ("age not between 80 and 81", 5, 1), ("person = 4", 3, 1)])
def test_that_missing_values_decide_nothing_and_are_counted(people, where, qualifying, undecided):
    found = counted(people, where)
    assert (found.rows, found.qualifying, found.undecided) == (8, qualifying, undecided)


def test_that_a_person_adds_at_most_the_bound(people):
    found = counted(people, "sex = 'm'", "person")
    assert dict(found.people.rows.persons) == {1: 2, 2: 1, 3: 1}
    assert dict(found.people.qualifying.persons) == {0: 1, 1: 2, 3: 1}
    assert [found.records(bound) for bound in (None, 1, 2, 3, 9)] == [5, 3, 4, 5, 5]
    assert [found.base(bound) for bound in (None, 1, 2, 3)] == [8, 4, 6, 7]
    assert (found.people.unnamed, found.people.unnamed_qualifying) == (1, 0)


def test_that_rows_of_nobody_are_left_out_under_a_bound_and_told(people):
    found = counted(people, "age = 70", "person")
    assert (found.records(), found.records(1)) == (1, 0)
    assert any("1 row names no person" in told for told in sentences(found, 1))
    assert any("are left out" in told for told in sentences(found, 1))
    assert any("count all the same" in told for told in sentences(found, None))


@settings(max_examples=25)
@given(ROWS, st.integers(1, 4))
def test_that_one_person_moves_the_count_by_at_most_the_bound(tmp_path_factory, rows, bound):
    path = tmp_path_factory.mktemp("rows") / "a.csv"
    path.write_text("person,x,y\n" + "".join(f"{'' if p is None else p},{'' if x is None else x},{int(y)}\n"
                                             for p, x, y in rows))
    with DataFile(path) as file:
        columns = (FileColumn("person", "BIGINT"), FileColumn("x", "BIGINT"), FileColumn("y", "BIGINT"))
        table = file.open()
        if not rows or any(column.kind != "number" for column in table.columns):
            return  # a column without a value has no type
        found = count(file, parse("x = 1", columns), "person")
    qualifying = Counter(p for p, x, _ in rows if x == 1 and p is not None)
    assert found.records(bound) == sum(min(bound, each) for each in qualifying.values())
    assert found.qualifying == sum(x == 1 for _, x, _ in rows)
    assert found.undecided == sum(x is None for _, x, _ in rows)
    assert 0 <= found.records(bound) <= found.base(bound) <= found.rows
    assert found.people.rows.total == len({p for p, _, _ in rows if p is not None})


def test_that_without_a_person_a_row_is_what_counts(people):
    found = counted(people, "age > 60")
    assert found.people is None
    assert rows_table(found) is None
    with pytest.raises(InvalidParameter, match="at_most must be used together with a person"):
        found.records(1)


@pytest.mark.parametrize(("person", "why"), [("persn", "did you mean 'person'"), ("zzz", "there is no column 'zzz'")])
def test_that_an_unknown_person_is_refused(people, person, why):
    with pytest.raises(InvalidParameter, match=why):
        counted(people, "age > 60", person)


def test_that_the_rows_of_each_person_are_told_only_where_somebody_has_several(write):
    for rows, told in (("1,a\n2,a\n", False), ("1,a\n1,a\n", True)):
        with DataFile(write("rows.csv", f"person,word\n{rows}")) as file:
            file.open()
            said = sentences(counted(file, "word = 'a'", "person"), 1)
        assert any(each.startswith("Rows of each person") for each in said) == told


def test_that_facts_say_what_a_person_can_move(people):
    found = counted(people, "sex = 'm'", "person")
    by_quantity = {fact.quantity: fact for fact in facts(found, 2)}
    assert by_quantity[v.RECORDS].value == 4
    assert by_quantity[v.PERSON_SENSITIVITY].value == 2
    assert {fact.quantity: fact for fact in facts(found)}[v.PERSON_SENSITIVITY].value == math.inf
    assert all(fact.kind == "exact" for fact in by_quantity.values())
    assert next(iter(rows_table(found).values())).tolist() == [0, 1, 2, 3]


def test_that_group_privacy_is_told_where_a_person_is_several_records():
    total, tight = group(0.1, 1e-6, 3)
    assert f"ε = {total:.1f}" in group_guarantee(0.1, 1e-6, 3)
    assert "3.33e-6" in group_guarantee(0.1, 1e-6, 3).replace("−", "-")
    assert 3.3e-6 < tight <= 3.33e-6, "rounded to the safe side"
    assert "read from the data" in group_guarantee(0.1, 1e-6, None, 5)
    assert "ε = 0.5" in group_guarantee(0.1, 1e-6, None, 5)
    assert "no person" in group_guarantee(0.1, 1e-6, None)
    assert "group" not in group_guarantee(0.1, 1e-6, 1)


SYMPTOMS = {"old": "age >= 65", "smoker": "smoker"}


def cohort_of(people, **options):
    columns = people.opened().columns
    return cohort(people, {name: parse(text, columns) for name, text in SYMPTOMS.items()},
                  parse("sex = 'm'", columns), **options)


def test_that_a_cohort_counts_each_symptom_in_both_arms(people):
    found = cohort_of(people)
    assert (found.people, found.counts) == ((3, 5), ((1, 1), (4, 4)))
    assert (found.undecided, found.armless, found.sensitivity) == ((1, 1), 0, None)


def test_that_a_bounded_cohort_keeps_so_many_rows_of_each_person_by_the_seed(people):
    found = cohort_of(people, person="person", at_most=1)
    assert (found.people, found.unnamed, found.sensitivity) == ((1, 3), 1, 2)
    assert found == cohort_of(people, person="person", at_most=1, seed=0)
    drawn = {cohort_of(people, person="person", at_most=1, seed=seed).counts for seed in range(12)}
    assert len(drawn) == 2, "person 1 smokes in one of the two rows"
    assert cohort_of(people, person="person", at_most=9).people == (2, 5)


@pytest.mark.parametrize(("options", "why"), [
    ({"at_most": 1}, "used together with a person"), ({"at_most": 0, "person": "person"}, "an integer in"),
    ({"at_most": 1.5, "person": "person"}, "an integer in"), ({"at_most": 1, "person": "p"}, "there is no column")])
def test_that_a_bad_bound_is_refused(people, options, why):
    with pytest.raises(InvalidParameter, match=why):
        cohort_of(people, **options)


def test_that_a_cohort_has_a_symptom(people):
    with pytest.raises(InvalidParameter, match="symptoms must be between 1"):
        cohort(people, {}, parse("smoker", people.opened().columns))


def test_that_a_column_of_0_and_1_is_a_symptom_and_another_number_is_none(write):
    with DataFile(write("a.csv", "ill,stage\n1,1\n0,2\n,3\n")) as file:
        columns = file.open().columns
        assert symptom(file, "ill") == parse("ill = 1", columns)
        assert symptom(file, '"ill"') == symptom(file, "ill")
        assert symptom(file, "stage > 1") == parse("stage > 1", columns)
        with pytest.raises(InvalidParameter, match="a column of 0 and 1, got 'stage' \\(2 rows hold another number\\)"):
            symptom(file, "stage")


@pytest.mark.parametrize(("name", "kind", "comparison", "value", "made"), [
    ("age", "BIGINT", "≥", "65", "age ≥ 65"), ("age", "BIGINT", "=", "1,5", "age = 1.5"),
    ("a b", "BIGINT", "between", "1 and 2", '"a b" between 1 and 2'),
    ("in", "BIGINT", "is missing", "", '"in" is missing'),
    ("sex", "VARCHAR", "=", "it's", "sex = 'it''s'"), ("sex", "VARCHAR", "is one of", "f, m", "sex in ('f', 'm')"),
    ("smoker", "BOOLEAN", "is no", "", "not smoker"), ("born", "DATE", "<", "2000-01-31", "born < '2000-01-31'"),
    ("age", "BIGINT", "<", "10k", "age < 10000")])
def test_that_comparisons_become_conditions(name, kind, comparison, value, made):
    column = FileColumn(name, kind)
    assert comparison in comparisons(column)
    assert needs_value(comparison) == bool(value)
    assert clause(column, comparison, value) == made
    parse(joined([made, made], "any"), (column,))


@pytest.mark.parametrize(("kind", "comparison", "value", "why"), [
    ("VARCHAR", "=", " ", "is missing"),
    ("BIGINT", "=", "", "value must be a number, got ''"), ("BIGINT", "=", "1; DROP", "value must be a number"),
    ("BIGINT", "between", "1", "two values with “and”"), ("DATE", "=", "soon", "a date such as 2026-11-21"),
    ("TIMESTAMP", "=", "noon", "a time such as")])
def test_that_a_value_a_column_cannot_have_is_refused(kind, comparison, value, why):
    with pytest.raises(InvalidParameter, match=why):
        clause(FileColumn("a", kind), comparison, value)


@given(st.text(max_size=20).filter(str.strip))
def test_that_any_text_is_a_value_and_no_more(value):
    column = FileColumn("sex", "VARCHAR")
    assert parse(clause(column, "=", value), (column,)).right.value == value.strip()


@pytest.mark.parametrize("how", ["all", "any"])
def test_that_comparisons_are_found_again_in_the_condition_they_make_and_what_is_written_otherwise_is_not(how):
    columns = [FileColumn("age", "BIGINT"), FileColumn("her name", "VARCHAR"),
               FileColumn("seen", "DATE"), FileColumn("at", "TIMESTAMP"),
               FileColumn("ill", "BOOLEAN")]
    values = {"number": "65", "text": "O'Neil", "date": "2026-11-21", "time": "2026-11-21 09:30:00"}
    made = []
    for column in columns:
        for comparison in comparisons(column):
            entry = values.get(column.kind, "") if needs_value(comparison) else ""
            entry = {"between": f"{entry} and {entry}", "is one of": f"{entry}, {entry}"}.get(comparison, entry)
            made.append((column, comparison, entry))
            assert taken_apart(clause(*made[-1]), columns) == ((made[-1],), "all")
    together = joined((clause(*each) for each in made), how)
    assert taken_apart(together, columns) == (tuple(made), how)
    for other in ("age>=65", "age + 1 > 2", "age > 1 and (age < 3 or ill)", "not (age = 1)", "age >", "age = ill", ""):
        assert taken_apart(other, columns) is None
