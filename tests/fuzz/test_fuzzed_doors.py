"""Whatever comes in by any door is what it says, or is refused in one sentence; what was once found stays mended."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from fuzzed import DOORS
from fuzzed.kit import Broken, in_json, in_pieces, need, refusing, sentence
from fuzzed.sessions import attached, carrying, keyworded, old_sessions
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dpstudio.core.declare import InvalidParameter, read_entry
from dpstudio.data import dialect
from dpstudio.data.columns import FileColumn
from dpstudio.data.condition.clauses import taken_apart
from dpstudio.data.condition.parser import parse
from dpstudio.data.condition.sql import rendered
from dpstudio.data.file import DataFile
from dpstudio.data.origin import Origin, read_origin
from dpstudio.documents import embedded
from dpstudio.documents.numbers_in_text import blanked
from dpstudio.studies import all_studies

FINDINGS = sorted((Path(__file__).parent / "findings").iterdir())
SLOW = {"pages": 3, "notes": 3, "line": 15, "tables": 20, "entries": 20}
"""Examples of doors behind which much is done."""
CELLS = all_studies()["table"].parameter("cells")
RELEASES = all_studies()["plan"].parameter("releases")


@pytest.fixture(autouse=True)
def own_key(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


@pytest.mark.parametrize("path", FINDINGS, ids=lambda path: path.name)
def test_that_what_was_found_once_is_mended(path):
    """Each is an input of the door whose name its own begins with; the rest says what it did."""
    DOORS[path.name.partition("-")[0]].check(path.read_bytes())


@pytest.mark.parametrize("name", DOORS)
def test_that_what_ought_to_come_by_a_door_does(name):
    door = DOORS[name]
    assert door.sown
    for seed in door.sown[::7] if name in SLOW else door.sown:
        door.check(seed)


@pytest.mark.parametrize("name", DOORS)
def test_that_whatever_comes_by_a_door_does_no_harm(name):
    door = DOORS[name]
    if door.computes:
        door_check = door.check

        @settings(max_examples=SLOW.get(name, 30))
        @given(st.sampled_from(HARMLESS[name]), st.integers(0, 2**32))
        def harmless(seed, chance):
            door_check(door.mutated(seed, random.Random(chance), door.tokens)[:door.longest])
    else:
        @settings(max_examples=SLOW.get(name, 30))
        @given(st.sampled_from(door.sown), st.integers(0, 2**32))
        def harmless(seed, chance):
            door.check(door.mutated(seed, random.Random(chance), door.tokens)[:door.longest])

    harmless()


HARMLESS = {"line": [each for each in DOORS["line"].sown if each.startswith((b"code", b"count", b"guarantee\nnoise"))],
            "batches": DOORS["batches"].sown[3:]}
"""Inputs of which what is made asks for little work."""


# What a door holds to


@pytest.mark.parametrize("wrong", ["", " ", "two\nlines", "a\x1b[31m", "a\u202eb", "x" * 2000,
                                   "internal error, KeyError: 'a'"])
def test_that_a_refusal_that_is_no_sentence_is_a_finding(wrong):
    with pytest.raises(Broken), refusing():
        raise Refusal(wrong)
    with pytest.raises(Broken):
        sentence(wrong)


class Refusal(InvalidParameter):
    """One with words of its own."""

    def __init__(self, said):
        ValueError.__init__(self, said)


def test_that_another_error_is_a_finding_and_a_refusal_is_none():
    with pytest.raises(KeyError), refusing():
        raise KeyError
    with refusing():
        raise InvalidParameter("a", "b", "c")
    sentence("at most 100\u202f000, got 'x'")
    with pytest.raises(Broken):
        need(False, "no")


@given(st.binary(max_size=60), st.integers(0, 2**32))
@example(b"", 0)
def test_that_a_change_is_the_same_for_the_same_chance(data, chance):
    for change in (in_pieces, in_json):
        assert change(data, random.Random(chance)) == change(data, random.Random(chance))


@given(st.integers(0, 2**32))
def test_that_a_changed_session_is_mostly_json(chance):
    made = [in_json(old_sessions()[-1], random.Random(chance + i)) for i in range(20)]
    assert sum(_is_json(each) for each in made) >= 10
    assert any(each != old_sessions()[-1] for each in made)


def _is_json(data):
    try:
        json.loads(data)
    except ValueError:
        return False
    return True


def test_that_a_session_is_found_in_the_smallest_file_of_every_kind():
    session = old_sessions()[2]
    made = carrying(session.decode().replace("\n", ""))
    assert {"PNG", "SVG", "PDF", "CSV", "Parquet", "page"} == set(made)
    assert all(embedded.extract(each).content for each in (*made.values(), keyworded(session), attached(session)))


# What was found, as facts


@pytest.mark.parametrize(("text", "given_back"), [("0" * 500_000, "0"), (", ".join(["0" * 190] * 5000),
                                                                         ",".join("0" * 5000))])
def test_that_digits_in_a_row_are_read_once(text, given_back):
    """Half a million of them took minutes: the comma behind them was looked for from each on."""
    assert read_entry(CELLS, text) == given_back


def test_that_a_long_word_among_releases_is_read_once():
    """20 000 letters took half a minute."""
    with pytest.raises(InvalidParameter, match="is no FIELD=NUMBER"):
        read_entry(RELEASES, "count " + "a" * 19_000)
    assert read_entry(RELEASES, "count within = 10  weight=1").startswith("count within=10")


@pytest.mark.parametrize("text", ["5·10^" + "9" * 5000, "hundred " * 1200, "thousand million " * 500,
                                  "5·10^-" + "9" * 5000])
def test_that_numbers_without_an_end_tell_of_no_count(text):
    assert blanked(text, [1000]) == text
    assert blanked(f"{text} and 1·10^3, ten hundred", [1000]) == f"{text} and …, …"


NUMBERS = (FileColumn("age", "BIGINT"), FileColumn("smoker", "BOOLEAN"))


def test_that_a_sum_asks_once_whether_it_has_a_value():
    """The database works out twice what stands in a nullif: of 40 quotients in a row, 2⁴⁰ times."""
    made, values = rendered(parse("age = " + "/".join(["7"] * 50) + " - age", NUMBERS))
    assert made.count("nullif") == 1
    assert len(values) == 50
    DOORS["conditions"].check(b"age = age" + b"/545/3" * 25)


@pytest.mark.parametrize(("where", "there"), [("weight / weight = 1", 2), ("weight / weight is missing", 2),
                                              ("(weight - weight) / 0 + 1 is missing", 4)])
def test_that_what_is_made_of_no_value_has_none(tmp_path, where, there):
    from dpstudio.data.counting import count

    (tmp_path / "a.csv").write_text("weight\n1\n2\nnan\n0\n")
    with DataFile(tmp_path / "a.csv") as file:
        assert count(file, parse(where, file.open().columns)).qualifying == there


def test_that_yes_compared_with_a_sign_is_no_clause_of_the_form():
    assert taken_apart("smoker=1", NUMBERS) is None
    assert taken_apart("smoker = true", NUMBERS) is None
    assert taken_apart("not smoker", NUMBERS) == (((NUMBERS[1], "is no", ""),), "all")


@pytest.mark.parametrize("declared", [CELLS, RELEASES], ids=["list", "records"])
def test_that_half_of_a_sign_is_no_name(declared):
    text = "\ud800: 5" if declared is CELLS else "\ud800: count within=5"
    with pytest.raises(InvalidParameter, match=r"half of a sign, which is no text"):
        read_entry(declared, text)


@pytest.mark.parametrize("sign", ["\ufeff", "\u200b", "\u2060", "\x85", "\x9b"])
def test_that_a_sign_that_nobody_sees_is_no_part_of_a_name(sign):
    assert read_entry(CELLS, f"{sign}Os{sign}lo{sign}: 5, b: 6") == "Os lo:5,b:6"
    with pytest.raises(InvalidParameter, match=r"^[^\u200d]*'a\\u200db' has no e, but"):
        read_entry(RELEASES, "a\u200db: count e=0")


def test_that_a_name_that_is_no_text_is_not_offered_as_one():
    with pytest.raises(InvalidParameter, match="no column") as refusal:
        parse('age > "\0"', NUMBERS)
    assert str(refusal.value).isprintable()
    with pytest.raises(InvalidParameter, match="single quotes: 'x'"):
        parse("age > x", NUMBERS)


@pytest.mark.parametrize(("content", "why"), [
    (b"\xef\xbb\xbf", "it is empty"), (b"\n\n \r\n", "it is empty"), (b"\na,b\n1,2\n", "its first line is empty"),
    (b"\xef\xbb\xbf\r\na,b\r\n1,2\r\n", "its first line is empty"), (b"  \n,\n1,2\n", "its first line is empty"),
    (b"\n" + b"," * 30_000 + b"\n", "its first line is empty"),
    (b'"' + b"x" * 140_000 + b'"' + b",c" * 30_000 + b"\n", "a name of more than 131072 signs")])
def test_that_a_table_without_names_in_its_first_line_is_refused_before_the_database_reads_it(tmp_path, monkeypatch,
                                                                                              content, why):
    """Of 30 000 columns behind an empty line it took minutes."""
    monkeypatch.setattr("dpstudio.data.file.connected", lambda *_: pytest.fail("the database has it"))
    (tmp_path / "a.csv").write_bytes(content)
    with pytest.raises(InvalidParameter, match=why), DataFile(tmp_path / "a.csv") as file:
        file.open()


@pytest.mark.parametrize("content", [b" a,b\n1,2\n", b"\t\tb\n1\t2\t3\n", b"a\n\n1\n"])
def test_that_names_may_begin_with_a_space_or_be_none(tmp_path, content):
    (tmp_path / "a.tsv").write_bytes(content)
    with DataFile(tmp_path / "a.tsv") as file:
        assert file.open().rows == (2 if content.startswith(b"a") else 1)


def test_that_a_table_that_goes_away_while_it_is_read_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "a.csv"
    path.write_text("a,b\n1,2\n")
    found = dialect.dialect_of(path)

    def gone(_):
        path.unlink()
        return found

    monkeypatch.setattr("dpstudio.data.file.dialect_of", gone)
    with pytest.raises(InvalidParameter, match="no such file"), DataFile(path) as file:
        file.open()
    path.write_text("a,b\n1,2\n")
    monkeypatch.setattr("dpstudio.data.file.dialect_of", lambda _: found)
    monkeypatch.setattr(DataFile, "_look", lambda self: path.unlink(missing_ok=True) or (1,))
    with pytest.raises(InvalidParameter, match="no such file"), DataFile(path) as file:
        file.open()


@pytest.mark.parametrize("key", ["counts", "follows"])
def test_that_an_origin_names_each_parameter_once(key):
    stated = {"counts": ["records"], "follows": ["epsilon"], "exact": True, "at_most": None, "persons": False}
    assert isinstance(read_origin(stated, {"records": 0, "epsilon": 0}), Origin)
    with pytest.raises(InvalidParameter, match="different names of parameters"):
        read_origin(stated | {key: stated[key] * 2}, {"records": 0, "epsilon": 0})
