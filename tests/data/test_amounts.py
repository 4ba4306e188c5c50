"""The numbers of a column are those that stand there, each so often, or rounded to the least step that leaves few."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpstudio import vocabulary as v
from dpstudio.core.declare import InvalidParameter
from dpstudio.data import amounts as module
from dpstudio.data.amounts import Amounts, amounts
from dpstudio.data.condition.parser import parse
from dpstudio.data.file import DataFile
from dpstudio.data.meaning_of_lists import amount_facts, amount_sentences
from dpstudio.vocabulary.written import Listed, listing_of

AMOUNTS = Listed("values", -1e308, 1e308, most_numbers=10**9)


def taken(file, of, where="", **asked):
    return amounts(file, of, parse(where, file.opened().columns) if where else None, **asked)


def of_numbers(tmp_path_factory, numbers, of="x", **asked):
    """What is taken of a Parquet file of these numbers."""
    import duckdb

    path = tmp_path_factory.mktemp("numbers") / "a.parquet"
    made = {"x": np.array(numbers, dtype=np.float64)}
    with duckdb.connect() as connection:
        connection.register("made", made)
        connection.execute(f"COPY (SELECT * FROM made) TO '{path}'")
    with DataFile(path) as file:
        file.open()
        return taken(file, of, **asked)


def test_that_numbers_are_taken_as_they_are_with_how_often_each_is_there(people):
    found = taken(people, "age")
    assert (found.values, found.times) == ((30, 31, 65, 70, 80, 81, 82), (1,) * 7)
    assert (found.valueless, found.rows, found.size, found.step) == (1, 8, 7, 0)
    assert taken(people, "person").text == "1×2,2,3,4×3"
    found = taken(people, "person", where="age > 30")
    assert (found.text, found.undecided, found.valueless) == ("1,2,4×3", 1, 1)


def test_that_what_is_no_number_is_left_out_and_counted(tmp_path_factory):
    found = of_numbers(tmp_path_factory, [1, 1, math.inf, -math.inf, math.nan, -0.0, 0.0, 2.5])
    assert (found.values, found.times) == ((0.0, 1.0, 2.5), (2, 2, 1))
    assert (found.infinite, found.valueless, found.rows) == (2, 1, 8)
    assert math.copysign(1, found.values[0]) == 1
    assert found.text == "0×2,1×2,2.5"


NUMBERS = st.lists(st.floats(-1e15, 1e15), min_size=1, max_size=40)


@settings(max_examples=25)
@given(NUMBERS)
def test_that_any_few_numbers_come_through_to_the_last_digit(tmp_path_factory, numbers):
    found = of_numbers(tmp_path_factory, numbers)
    assert dict(zip(found.values, found.times, strict=True)) == Counter(number + 0.0 for number in numbers)
    listing = listing_of(found.text)
    assert (listing.numbers.tolist(), listing.times.tolist()) == (list(found.values), list(found.times))


def test_that_numbers_that_the_study_does_not_take_are_left_out_counted_and_said(tmp_path_factory, monkeypatch):
    huge = (1.7e308, -1.7e308, 1e300, np.nextafter(1e15, np.inf))
    found = of_numbers(tmp_path_factory, [1, *huge, math.inf, -1e15, 1e15])
    assert (found.values, found.beyond, found.infinite, found.valueless) == ((-1e15, 1.0, 1e15), 4, 1, 0)
    assert v.AMOUNTS.domain.accept(found.text) is not None
    assert "4 rows have a number beyond ±1e15 there, which the study does not take, and are left out." in \
        amount_sentences(found)
    none = of_numbers(tmp_path_factory, [1.7e308, -1.7e308])
    assert amount_sentences(none)[0] == "None of 2 rows that counts has a number in 'x' that the study takes."
    with pytest.raises(InvalidParameter, match="no row that counts has one that the study takes"):
        none.text  # noqa: B018 - it refuses
    assert of_numbers(tmp_path_factory, [1.0, 1e300], person="x").persons == 1
    monkeypatch.setattr(module, "MOST_VALUES", 50)
    among = of_numbers(tmp_path_factory, np.append(np.random.default_rng(1).uniform(0, 1, 300), huge))
    assert (among.step, among.beyond, among.size) == (0.05, 4, 300), "they take no part in the step"


def least(numbers, most):
    """Of the steps 1, 2 and 5 times a power of ten the least that leaves so many multiples, and the values."""
    largest = math.floor(math.log10(np.abs(numbers).max()))
    for power in range(largest - 12, largest + 2):
        for size in (1, 2, 5):
            step = float(f"{size}e{power}")
            ratio = np.abs(numbers) / step
            rounded = np.copysign(np.floor(ratio) + (ratio - np.floor(ratio) >= 0.5), numbers) + 0.0
            if np.unique(rounded).size <= most:
                return step, rounded
    return None


@pytest.mark.parametrize(("draw", "rows"), [
    (lambda d, n: d.normal(size=n), 500), (lambda d, n: d.lognormal(3, 2, n), 500),
    (lambda d, n: d.uniform(1e6, 1e6 + 1, n), 400), (lambda d, n: np.append(d.uniform(0, 1, n), 1e9), 300),
    (lambda d, n: d.uniform(-1e15, 1e15, n), 300), (lambda d, n: 1e-200 * d.uniform(size=n), 1),
    (lambda d, n: d.integers(0, 90, n) + 0.0, 300), (lambda d, n: np.round(d.normal(50, 9, n), 2), 4_000)])
def test_that_many_numbers_are_rounded_to_the_least_step_that_leaves_few_enough(tmp_path_factory, monkeypatch, draw,
                                                                                rows):
    monkeypatch.setattr(module, "MOST_VALUES", 50)
    numbers = draw(np.random.default_rng(1), rows)
    for looked_at in (10**6, 40, 10):
        monkeypatch.setattr(module, "_LOOKED_AT", looked_at)
        found = of_numbers(tmp_path_factory, numbers)
        assert found.size == len(numbers)
        assert len(found.values) <= 50
        if np.unique(numbers).size <= 50:
            assert found.step == 0
            continue
        step, multiples = least(numbers, 50)
        assert found.step == step, looked_at
        assert found.values == pytest.approx(step * np.unique(multiples), rel=1e-12)
        assert list(found.times) == np.unique(multiples, return_counts=True)[1].tolist()


def test_that_rounded_numbers_are_written_with_few_digits(tmp_path_factory, monkeypatch):
    monkeypatch.setattr(module, "MOST_VALUES", 20)
    found = of_numbers(tmp_path_factory, np.random.default_rng(2).uniform(0, 2, 300))
    assert found.step == 0.2
    assert found.text.startswith("0×")
    assert all(len(str(value)) <= 3 for value in found.values)
    assert any("multiples of 0.2, which leaves 11" in told for told in amount_sentences(found))


def test_that_as_many_different_numbers_as_there_may_be_are_not_rounded(tmp_path_factory, monkeypatch):
    monkeypatch.setattr(module, "MOST_VALUES", 30)
    assert of_numbers(tmp_path_factory, np.arange(30) / 7).step == 0
    assert of_numbers(tmp_path_factory, np.arange(31) / 7).step == 0.2


def test_that_a_number_of_single_precision_is_that_which_is_written(tmp_path):
    import duckdb

    path = tmp_path / "a.parquet"
    duckdb.execute(f"COPY (SELECT 0.1::FLOAT AS f, 2.5::DECIMAL(9, 3) AS d, 7::UTINYINT AS i) TO '{path}'")
    with DataFile(path) as file:
        file.open()
        assert [taken(file, name).values for name in "fdi"] == [(0.1,), (2.5,), (7.0,)]


@pytest.mark.parametrize(("of", "asked", "why"), [
    ("sex", {}, "of must be a column of numbers, got 'sex' .it holds text"),
    ("born", {}, "got 'born' .it holds date"), ("smoker", {}, "it holds yes or no"),
    ("agee", {}, "did you mean 'age'"), ("age", {"person": "p"}, "there is no column 'p'")])
def test_that_what_has_no_numbers_is_refused_by_its_name(people, of, asked, why):
    with pytest.raises(InvalidParameter, match=why):
        taken(people, of, **asked)


def test_that_no_number_at_all_is_no_list(people):
    found = taken(people, "age", where="age > 100")
    assert (found.values, found.size) == ((), 0)
    assert amount_sentences(found)[0] == "None of 8 rows that counts has a number in 'age'."
    with pytest.raises(InvalidParameter, match=r"of must be a column of numbers, got 'age' .no row that counts"):
        found.text  # noqa: B018 - it refuses


def test_that_a_file_that_has_changed_is_not_read(people):
    people.path.write_text(people.path.read_text() + "9,9,f,true,,\n")
    with pytest.raises(InvalidParameter, match="it has changed since it was opened"):
        taken(people, "age")


def test_that_rows_of_persons_stay_as_they_are_and_the_most_are_told(people):
    found = taken(people, "age", person="person")
    assert found.values == taken(people, "age").values
    assert (found.persons, found.most) == (3, 3), "one person has no age, one age no person"
    assert taken(people, "age", person="person", where="age < 80").most == 2
    facts = {fact.quantity: fact.value for fact in amount_facts(found)}
    assert (facts[v.PERSONS_COUNTED], facts[v.MOST_ROWS], facts[v.VALUES_TAKEN]) == (3, 3, 7)
    assert (facts[v.DIFFERENT_VALUES], facts[v.ROUNDED_TO], facts[v.VALUELESS_ROWS]) == (7, 0, 1)
    assert v.MOST_ROWS not in {fact.quantity for fact in amount_facts(taken(people, "age"))}
    assert any("one person has up to 3 of these" in told for told in amount_sentences(found))


def test_that_quantiles_are_those_of_all_rows():
    found = Amounts("x", (1.0, 2.0, 7.5), (5, 4, 1), 10)
    assert [found.quantile(share) for share in (0, 0.5, 0.51, 0.9, 0.91, 1)] == [1, 1, 2, 2, 7.5, 7.5]
    assert "from 1 to 7.5, half of them at most 1 and nine in ten at most 2." in amount_sentences(found)[0]
    told = amount_sentences(Amounts("x", (1.0,), (1,), 4, valueless=1, infinite=2, undecided=1))
    assert "1 row that would count has no value there and is left out." in told
    assert "2 rows have an infinite number there and are left out." in told
    assert "In 1 row a missing value leaves the condition undecided: these do not count." in told
