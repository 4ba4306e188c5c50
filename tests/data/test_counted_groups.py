"""Groups are counted as by hand, called apart, and in an order that no count has a part in; empty ones are there."""

from __future__ import annotations

import csv
import random
from collections import Counter, defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpstudio import vocabulary as v
from dpstudio.core.declare import InvalidParameter
from dpstudio.data import groups as module
from dpstudio.data.condition.parser import parse
from dpstudio.data.file import DataFile
from dpstudio.data.groups import Groups, apart, groups
from dpstudio.data.meaning_of_lists import first_groups, group_facts, group_sentences, groups_each_table
from dpstudio.models.contributions import Spread
from dpstudio.vocabulary.written import Listed, listing_of

CELLS = Listed("counts", 0, 1e12, whole=True, most_numbers=10**6, named=True)


def grouped(file, *by, where="", **asked):
    return groups(file, by, parse(where, file.opened().columns) if where else None, **asked)


def read(path, *by, **asked):
    with DataFile(path) as file:
        file.open()
        return grouped(file, *by, **asked)


def test_that_each_value_has_the_rows_that_hold_it_in_the_order_of_names(people):
    found = grouped(people, "sex")
    assert (found.names, found.counts) == (("f", "m"), (3, 5))
    assert found.text == "f:3,m:5"
    assert (found.rows, found.qualifying, found.valueless, found.undecided, found.persons) == (8, 8, 0, 0, None)


def test_that_rows_without_a_value_are_in_no_group_and_counted(people):
    found = grouped(people, "smoker")
    assert (found.names, found.counts, found.valueless) == (("no", "yes"), (2, 5), 1)
    found = grouped(people, "smoker", where="age > 64")
    assert (found.counts, found.valueless, found.undecided) == ((1, 3), 1, 1)
    assert found.qualifying + found.valueless == 5


def test_that_a_condition_changes_counts_and_no_groups(people):
    found = grouped(people, "born", where="sex = 'm'")
    assert found.names == ("1950-01-01", "1955-05-05", "1960-01-02", "1990-01-01")
    assert found.counts == (0, 1, 1, 0)
    assert any("with 0" in told for told in group_sentences(found))
    assert not any("with 0" in told for told in group_sentences(grouped(people, "born")))


def test_that_two_columns_make_a_cross_table_row_by_row_with_its_margins(people):
    found = grouped(people, "smoker", "sex")
    assert found.names == ("no / f", "no / m", "yes / f", "yes / m")
    assert found.counts == (2, 0, 1, 4)
    assert found.values == (("no", "yes"), ("f", "m"))
    turned = grouped(people, "sex", "smoker")
    assert turned.counts == (2, 1, 0, 4)
    rows = [sum(found.counts[i * 2:i * 2 + 2]) for i in range(2)]
    assert rows == list(grouped(people, "smoker").counts)


def test_that_each_person_counts_so_often_in_a_group(people):
    found = grouped(people, "sex", person="person", at_most=1)
    assert (found.counts, found.unnamed) == ((1, 3), 1)
    assert grouped(people, "sex", person="person", at_most=2).counts == (2, 4)
    unbounded = grouped(people, "sex", person="person")
    assert (unbounded.counts, unbounded.unnamed, unbounded.most, unbounded.whole) == ((3, 5), 1, 3, 3)
    assert found.persons == Spread({1: 4})
    by_year = grouped(people, "age", person="person", at_most=1)
    assert by_year.persons == Spread({1: 1, 2: 1, 3: 1}), "one person has no age"
    assert (by_year.most, by_year.whole) == (1, 3)
    assert grouped(people, "age", person="person", where="age > 80").persons == Spread({0: 2, 2: 1})


ROWS = st.lists(st.tuples(st.none() | st.integers(0, 3), st.none() | st.integers(0, 2), st.none() | st.integers(0, 2),
                          st.integers(0, 2)), min_size=1, max_size=30)


@settings(max_examples=25)
@given(ROWS, st.integers(1, 3))
def test_that_any_table_is_counted_as_by_hand(tmp_path_factory, rows, bound):
    path = tmp_path_factory.mktemp("rows") / "a.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("person", "a", "b", "x"), *rows])
    with DataFile(path) as file:
        if any(column.kind != "number" for column in file.open().columns):
            return  # a column without a value has no type
        plain = grouped(file, "a", "b", where="x > 0")
        bounded = grouped(file, "a", "b", where="x > 0", person="person", at_most=bound)
        loose = grouped(file, "a", "b", where="x > 0", person="person")
    pairs = [(a, b) for a in sorted({r[1] for r in rows} - {None}) for b in sorted({r[2] for r in rows} - {None})]
    kept = [row for row in rows if row[3] > 0]
    assert plain.names == tuple(f"{a} / {b}" for a, b in pairs)
    assert plain.counts == loose.counts == tuple(sum(row[1:3] == pair for row in kept) for pair in pairs)
    assert plain.valueless == sum(None in row[1:3] for row in kept) == bounded.valueless
    each = Counter((row[0], row[1:3]) for row in kept if row[0] is not None and None not in row[1:3])
    assert bounded.counts == tuple(sum(min(bound, many) for (_, at), many in each.items() if at == pair)
                                   for pair in pairs)
    of_person = defaultdict(set)
    for person, pair in each:
        of_person[person].add(pair)
    known = {row[0] for row in rows if row[0] is not None and None not in row[1:3]}
    assert bounded.persons.persons == Counter(len(of_person[person]) for person in known)
    assert bounded.most == max(each.values(), default=0)
    assert bounded.whole == max((sum(min(bound, many) for (who, _), many in each.items() if who == person)
                                 for person in known), default=0)
    assert bounded.unnamed == sum(row[0] is None and None not in row[1:3] for row in kept)
    assert plain.qualifying == sum(None not in row[1:3] for row in kept)
    assert plain.rows == bounded.rows == len(rows)


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=20), st.integers(1, 2),
       st.integers(0, 3))
def test_that_one_person_moves_each_count_by_at_most_the_bound(tmp_path_factory, rows, bound, who):
    folder = tmp_path_factory.mktemp("rows")
    found = []
    for name, kept in (("a", rows), ("b", [row for row in rows if row[0] != who])):
        (folder / f"{name}.csv").write_text("person,a\n" + "".join(f"{p},{a}\n" for p, a in [*kept, (9, 0), (9, 1),
                                                                                         (9, 2), (9, 3)]))
        found.append(read(folder / f"{name}.csv", "a", person="person", at_most=bound))
    moved = [abs(one - other) for one, other in zip(*(each.counts for each in found), strict=True)]
    assert max(moved) <= bound
    assert sum(moved) <= found[0].whole


def test_that_names_are_in_the_order_of_people_whatever_their_counts(write):
    words = ["b 10", "B 9", "a", "A", "b 2", "Ä", "10", "9", "b 0010"]
    for seed in range(3):
        rows = words * 2 + random.Random(seed).choices(words, k=30)
        random.Random(seed).shuffle(rows)
        found = read(write("a.csv", "word\n" + "\n".join(rows)), "word")
        assert found.names == ("9", "10", "A", "a", "b 2", "B 9", "b 0010", "b 10", "Ä")
        assert found.counts == tuple(rows.count(name) for name in found.names)


def test_that_numbers_and_days_are_in_their_own_order_and_written_plainly(write):
    path = write("a.csv", "x,day,t\n10,2020-02-01,2020-01-01 10:00:00\n9.5,1999-12-31,2020-01-01 09:00:00\n-2,,\n")
    assert read(path, "x").names == ("-2", "9.5", "10")
    assert read(path, "day").names == ("1999-12-31", "2020-02-01")
    assert read(path, "t").text == "2020-01-01 09 00 00:1,2020-01-01 10 00 00:1"


def test_that_every_type_of_a_parquet_file_has_names(tmp_path):
    import duckdb

    path = tmp_path / "a.parquet"
    duckdb.execute("COPY (SELECT 0.1::FLOAT AS f, 1.50::DECIMAL(9, 2) AS d, 'a'::ENUM('b', 'a') AS e, true AS b, "
                   "'x;:=,y'::VARCHAR AS v, ' '::VARCHAR AS s, 12345678901234567::BIGINT AS h, "
                   f"'infinity'::DATE AS i, [1] AS l, 'nan'::DOUBLE AS n) TO '{path}'")
    with DataFile(path) as file:
        file.open()
        assert [grouped(file, name).names[0] for name in "fdebvshi"] == [
            "0.1", "1.5", "a", "yes", "x y", "unnamed", "12345678901234567", "infinity"]
        assert grouped(file, "n").valueless == 1
        with pytest.raises(InvalidParameter, match=r"by must be columns with values, got 'n' .no row has a value"):
            grouped(file, "n").text  # noqa: B018 - it refuses
        with pytest.raises(InvalidParameter, match="by must be a column of numbers, text or dates, got 'l'"):
            grouped(file, "l")


def test_that_names_that_become_equal_have_numbers_and_are_read_back(write):
    long = "n" * 100
    rows = ["a:b", "a;b", '"a,b"', "a b", "a b (2)", f"{long}1", f"{long}2", "'"]
    found = read(write("a.csv", "word,x\n" + "".join(f"{word},1\n" for word in rows)), "word")
    assert len(set(found.names)) == len(found.names) == 8
    assert {"a b", "a b (2)", "a b (3)", "a b (4)", "a b (5)"} < set(found.names)
    listing = listing_of(found.text)
    assert listing.names == found.names
    assert CELLS.accept(found.text) == found.text


@given(st.lists(st.sampled_from(["a", "a (2)", "a (3)", "b", "a (2) (2)"]), max_size=12))
def test_that_any_names_are_told_apart_and_the_first_of_each_keeps_its_own(names):
    made = apart(names)
    assert len(set(made)) == len(names)
    for name in set(names):
        assert made[names.index(name)] == name


def test_that_pairs_that_read_alike_are_told_apart():
    found = Groups(("x", "y"), (("a", "a / b"), ("b / c", "c")), (1, 2, 3, 4), 10)
    assert found.names == ("a / b / c", "a / c", "a / b / b / c", "a / b / c (2)")


def test_that_too_many_groups_are_refused_in_one_sentence(write, monkeypatch):
    path = write("a.csv", "x,y\n" + "".join(f"{i},{i % 3}\n" for i in range(30)))
    monkeypatch.setattr(module, "MOST_GROUPS", 29)
    with pytest.raises(InvalidParameter, match=r"at most 29 groups, got 'x' .there are more."):
        read(path, "x")
    with pytest.raises(InvalidParameter, match=r"at most 29 groups, got 'y and x' .there are more pairs"):
        read(path, "y", "x")
    monkeypatch.setattr(module, "MOST_GROUPS", 30)
    assert len(read(path, "x").counts) == 30
    monkeypatch.setattr(module, "_READ", 30)
    with pytest.raises(InvalidParameter, match="at most 30 groups"):
        read(path, "x")
    with pytest.raises(InvalidParameter, match="at most 30 groups"):
        read(path, "x", person="y")


def test_that_many_numbers_are_said_to_be_many(write, monkeypatch):
    monkeypatch.setattr(module, "MANY_NUMBERS", 2)
    path = write("a.csv", "x,y\n1,a\n2,b\n3,c\n")
    assert read(path, "x").numbers == ("x",)
    assert any("many different numbers" in told for told in group_sentences(read(path, "x")))
    assert read(path, "y").numbers == ()


@pytest.mark.parametrize(("by", "asked", "why"), [
    (("sx",), {}, "by must be a column, got 'sx' .there is no column 'sx'; did you mean 'sex'"),
    (("sex", "sex"), {}, "2 different columns at most, got 'sex and sex'$"), ((), {}, "2 different columns"),
    (("sex", "SEX"), {}, "2 different columns"), (("sex", "age", "born"), {}, "2 different columns"),
    (("sex",), {"at_most": 1}, "used together with a person"),
    (("sex",), {"person": "person", "at_most": 0}, "at_most must be an integer"),
    (("sex",), {"person": "person", "at_most": float("nan")}, "at_most must be an integer"),
    (("sex",), {"person": "p"}, "there is no column 'p'")])
def test_that_what_cannot_be_counted_is_refused(people, by, asked, why):
    with pytest.raises(InvalidParameter, match=why):
        grouped(people, *by, **asked)


def test_that_a_file_that_has_changed_is_not_counted_in(people):
    people.path.write_text(people.path.read_text() + "9,9,f,true,,\n")
    with pytest.raises(InvalidParameter, match="it has changed since it was opened"):
        grouped(people, "sex")


def test_that_facts_say_what_one_person_moves_and_in_how_many_groups_they_are(people):
    facts = {fact.quantity: fact.value for fact in group_facts(grouped(people, "age", person="person", at_most=2))}
    assert (facts[v.GROUPS_COUNTED], facts[v.GROUPED_ROWS], facts[v.COUNTED_OF]) == (7, 6, 7)
    assert (facts[v.MOST_GROUPS_EACH], facts[v.MOST_IN_GROUP], facts[v.PERSON_SENSITIVITY]) == (3, 1, 2)
    assert (facts[v.VALUELESS_ROWS], facts[v.UNNAMED_ROWS], facts[v.PERSONS_COUNTED]) == (1, 1, 3)
    loose = {fact.quantity: fact.value for fact in group_facts(grouped(people, "age", person="person"))}
    assert loose[v.PERSON_SENSITIVITY] == float("inf")
    assert v.PERSON_SENSITIVITY not in {fact.quantity for fact in group_facts(grouped(people, "age"))}
    table = groups_each_table(grouped(people, "age", person="person"))
    assert [list(column) for column in table.values()] == [[1, 2, 3], [1, 1, 1]]
    assert groups_each_table(grouped(people, "age")) is None


def test_that_sentences_say_what_one_person_can_do_and_that_groups_are_read_from_the_data(people):
    one, two, loose, rows = (" ".join(group_sentences(grouped(people, "sex", **asked))) for asked in (
        {"person": "person", "at_most": 1}, {"person": "person", "at_most": 2}, {"person": "person"}, {}))
    assert "2 groups by 'sex' have 4 of 8 rows" in one
    assert "each of their groups by 1 at most" in one
    assert "At most 2 rows of each person count in a group" in two
    assert "up to 3 rows in one group" in loose
    assert "set a bound" in loose
    assert "name the column that identifies a person" in rows
    assert all("Which groups there are is read from the data" in told for told in (one, two, loose, rows))
    assert "1 row names no person; they are left out" in one
    assert "they count all the same" in loose
    assert "4 persons in 1 group." in one
    assert first_groups(grouped(people, "age")) == "30: 1, 31: 1, 65: 1, 70: 1, 80: 1, and 2 more"
