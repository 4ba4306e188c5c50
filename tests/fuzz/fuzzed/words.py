"""Doors of what people type: numbers, lists, requests, conditions, formulas."""

from __future__ import annotations

import math
import re
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from zlib import crc32

from dpstudio.cli.request import feared, read_facts, read_settings
from dpstudio.cli.solving import _between
from dpstudio.core.attacker import read_attacker
from dpstudio.core.declare import Parameter, entry_text, read_entry
from dpstudio.core.formula import Formula
from dpstudio.core.solve.want import read_want
from dpstudio.core.sources import DR14
from dpstudio.core.study import Study
from dpstudio.core.sweep import Plan, read_over, size_of
from dpstudio.data.columns import identifier
from dpstudio.data.condition.clauses import clause, joined, taken_apart
from dpstudio.data.condition.parser import parse
from dpstudio.data.condition.sql import rendered
from dpstudio.data.condition.tree import Not
from dpstudio.data.counting import count
from dpstudio.data.file import DataFile
from dpstudio.documents.numbers_in_text import blanked, found
from dpstudio.documents.report.mathml import equation
from dpstudio.studies import all_studies
from dpstudio.text.entry import read_number, shortened, write_number
from dpstudio.vocabulary import Interval, Written
from fuzzed.kit import Door, bytes_of, in_pieces, need, printable, refusing, text_of

EPSILON = all_studies()["decision"].parameter("epsilon")


@cache
def parameters() -> tuple[Parameter, ...]:
    """One parameter of every domain that there is."""
    every = (each for kind in all_studies().values() for each in kind.parameters())
    return tuple({(repr(each.domain), tuple(each.named)): each for each in every}.values())


@cache
def typed() -> tuple[Parameter, ...]:
    return tuple(each for each in parameters() if not isinstance(each.domain, Written))


@cache
def written() -> tuple[Parameter, ...]:
    return tuple(each for each in parameters() if isinstance(each.domain, Written))


# Numbers


def numbers(data: bytes) -> None:
    """A number is read as it is written back; an entry is a value of its domain, or refused."""
    text = text_of(data)
    number = read_number(text)
    if number is not None:
        need(not math.isnan(number), "nan was read")
        if math.isfinite(number):
            need(read_number(write_number(number)) == number, "it is not read back")
        need(len(shortened(number, lambda said: len(said) <= 3)) < 400, "it is not short")
    some = crc32(data) % len(typed())
    for declared in (typed()[some], typed()[some - 1], EPSILON):
        with refusing():
            value = read_entry(declared, text)
            need(declared.domain.accept(value) == value, f"{value!r} is not kept as it is")
            need(read_entry(declared, entry_text(value)) == value, f"{value!r} is not read back")


# Lists, pairs and records


def lists(data: bytes) -> None:
    """A list is kept in one form, which is read as itself, also from lines."""
    text = text_of(data[1:])
    declared = written()[data[0] % len(written())] if data else written()[0]
    domain = declared.domain
    assert isinstance(domain, Written)
    with refusing():
        value = str(read_entry(declared, text))
        need(domain.accept(value) == value, "the form that is kept is not kept")
        need(domain.said(value).strip(), "it says nothing")
        need(len(domain.brief(value)) < 400, "in brief it is long")
        need(domain.accept(domain.said(value)) == value, "as it is said it is another")
        if domain.has_lines:
            need(domain.accept(domain.in_lines(value)) == value, "in lines it is another")
        need(printable(declared.said(value)), f"it is no line: {declared.said(value)[:200]!r}")


def _written_seeds() -> Sequence[bytes]:
    extra = ("Oslo: 12, Bergen: 5", "0×100, 7", "1;2;3", "1,5; 2,5", "a\t5\nb\t7", "12 5 31", "1e3,2k", "1,000",
             "x:1:2",
             "visits: count within=10 people=5; ages: mean within=1 upper=100 people=5000")
    return [bytes([i]) + bytes_of(text) for i, each in enumerate(written())
            for text in (*each.domain.examples, *extra)]  # type: ignore[union-attr]


# Requests of solving and sweeping, of facts, settings and whom one fears


def requests(data: bytes) -> None:
    """What is wanted, gone through, set or feared is read as it was written, or refused."""
    kinds = tuple(all_studies().values())
    kind, how = kinds[data[0] % len(kinds)] if data else kinds[0], data[1] % 6 if len(data) > 1 else 0
    text = text_of(data[2:])
    with refusing():
        _REQUESTS[how](kind, text)


def _want(kind: type[Study], text: str) -> None:
    want = read_want(kind, text, whoever=True)
    need(read_want(kind, str(want), whoever=True) == want, f"{want} is not read back")
    need(want.label(kind) and want.phrase(kind), "it has no words")


def _over(kind: type[Study], text: str) -> None:
    size = size_of(text)
    over = read_over(kind, text, min(size, 3_000))
    need(0 < len(over.values) <= max(min(size, 3_000), 1), "of another size")
    need(len(over.values) + over.repeated <= max(size, 1), "more than were asked")
    domain = kind.parameter(over.name).domain
    need(all(domain.accept(value) == value for value in over.values), "outside of the domain")
    if isinstance(domain, Interval) and ":" in text:
        need(list(over.values) == sorted(set(over.values)), "not rising")
    fact = next(place for place, each in kind.answers().index().items() if not each.simulated)
    Plan(kind(), (over,), (fact,)).check()


def _whom(_: type[Study], text: str) -> None:
    read_attacker(text)
    for name in ("attacker", "false_alarms", "profile", "exception"):
        with refusing():
            feared({name: text})


def _ends(kind: type[Study], text: str) -> None:
    _between(kind, text.split("\n"))


def _settings(kind: type[Study], text: str) -> None:
    values = read_settings(kind, text.split("\n"))
    study = kind(**values)
    need(all(study.values()[name] == value for name, value in values.items()), "a value is another")


def _facts(kind: type[Study], text: str) -> None:
    need(all(place in kind.answers().index() for place in read_facts(kind, text.split(","))), "there is no such fact")


_REQUESTS = (_want, _over, _whom, _ends, _settings, _facts)


@cache
def request_tokens() -> tuple[bytes, ...]:
    names = {each.name for kind in all_studies().values() for each in kind.parameters()}
    keys = {part for kind in all_studies().values() for place in kind.answers().index() for part in place if part}
    return tuple(map(bytes_of, (*sorted(names), *sorted(keys), " <= ", " >= ", " = ", "@", " at ", ":log", "≤", "≥",
                                "membership:0.5",
                                "name:1000", "attribute:0.1", "reconstruction:1e-4", "0.01:0.05,0.1:0.3")))


def _request_seeds() -> Sequence[bytes]:
    places = {key: i for i, key in enumerate(all_studies())}
    asked = [("decision", 0, "band_width@laplace <= 500"), ("decision", 0, "acceptance@laplace at records=900 <= 0.01"),
             ("decision", 0, "acceptance ≥ 99%"), ("decision", 1, "epsilon=0.01:10:100:log"),
             ("decision", 1, "minimum=1:1000:50"), ("decision", 1, "prior=uniform,normal"),
             ("mean", 1, "epsilon=1,2,2"),
             ("decision", 2, "name:1000"), ("decision", 2, "0.01:0.05,0.1:0.3"),
             ("noise", 3, "epsilon=0.1:1\nscale=1:2"),
             ("decision", 4, "epsilon=0.2\nminimum=500"), ("table", 4, "cells=Oslo: 12, Bergen: 5"),
             ("plan", 4, "releases=visits: count within=10"), ("decision", 5, "acceptance@laplace,band_width")]
    return [bytes([places[key], how]) + bytes_of(text) for key, how, text in asked]


# Conditions

TABLE = ('age,sex,smoker,born,seen,"a ""b",weight\n'
         "30,f,true,1990-01-01,2020-01-01 10:30:00,1,0.1\n31,m,false,1990-01-02,2020-01-02 10:30:00,2,nan\n"
         ",it's,,,,3,inf\n9007199254740993,x,true,1955-05-05,,,-0.0\n")
_SQL = re.compile(r"nullif|CAST|AS|DOUBLE|FLOAT|DATE|TIMESTAMP|VARCHAR|IN|IS|NULL|NOT|AND|OR|BETWEEN|'NaN'|[()?,:]|"
                  r"[-=<>!+*/]|\s")


@cache
def _opened() -> DataFile:
    folder = tempfile.mkdtemp(prefix="dpstudio-fuzz-")
    path = Path(folder) / "people.csv"
    path.write_text(TABLE, "utf-8")
    file = DataFile(path, memory="256 MiB")
    file.open()
    return file


def conditions(data: bytes) -> None:
    """A condition is rebuilt of quoted names and signs, its values apart; all rows are counted, once."""
    file = _opened()
    table = file.opened()
    with refusing():
        condition = parse(text_of(data), table.columns)
        made, values = rendered(condition)
        rest = made
        for column in table.columns:
            rest = rest.replace(identifier(column.name), "")
        need(not _SQL.sub("", rest), f"the query has {_SQL.sub('', rest)[:100]!r}")
        need(made.count("?") == len(values), "values are missing")
        try:
            here, there = count(file, condition), count(file, Not(condition))
        except Exception as error:
            raise AssertionError(f"the database refuses a condition: {error}") from error
        need(here.undecided == there.undecided and here.qualifying + there.qualifying + here.undecided == here.rows
             == table.rows, f"{here} beside {there}")
        if (parts := taken_apart(text_of(data), table.columns)) is not None:
            need(parse(joined((clause(*each) for each in parts[0]), parts[1]), table.columns) == condition,
                 "put together of clauses it is another")


CONDITIONS = ("age >= 65 and sex = 'f'", "age between 1 and 5 or not smoker", "sex in ('f', 'x')", "age is missing",
              "not (age = 1 or age = 2) and age ≠ 3", '"a ""b" > 1', "born < '2000-01-31'",
              "(age + 1) * 2 / weight > 3",
              "seen >= '2020-01-01 10:30'", "seen between born and '2020-01-01'", "smoker = 1", "weight is not null",
              "age = -9007199254740993", "-age < .5e3", "born = '20200101'", "seen > '2020-01-01T00:00:00+02:00'")
_CONDITION_TOKENS = tuple(map(bytes_of, (
    "age", "sex", "smoker", "born", "seen", '"a ""b"', "weight", " and ", " or ", " not ", " in ", " is missing",
    " is not null",
    " between ", "(", ")", "=", "!=", "<=", ">=", "<>", "≠", "≤", "'f'", "'2020-01-01'", "'2020-01-01 10:30'", "1",
    "0", "-1",
    "0.1", "1e300", "99999999999999999999999999999999999999", "true", "false", "+", "*", "/", "--", ";", "''")))


# Formulas, which are the project's own


def formulas(data: bytes) -> None:
    """A formula is set and read aloud, whatever stands in it."""
    formula = Formula("a formula", text_of(data), DR14)
    need(isinstance(formula.spoken, str) and isinstance(formula.typeset, str), "it is nothing")
    need(equation(formula).startswith('#math.equation(alt: "'), "it is no equation")


def _formula_seeds() -> Sequence[bytes]:
    from importlib import import_module

    modules = (import_module(f"dpstudio.studies.{key}.formulas") for key in all_studies())
    return [bytes_of(each.text) for module in modules for each in module.FORMULAS]


# A person's words, of which numbers are left out

COUNTS = frozenset((48_317, 0.25, 1000, "Oslo:12,Bergen:5"))


def texts(data: bytes) -> None:
    """Of a text without its counts nothing is found any more."""
    text = text_of(data)
    left = blanked(text, COUNTS)
    need(bool(found(text, COUNTS)) == (left != text), "something was found and nothing left out")


TEXTS = ("About 48 317 people, 48.3 thousand, 4.8e4 and forty-eight thousand three hundred and seventeen.",
         "12 in Oslo, one thousand · 10^2, 25 %", "1'000 or 1,000 or 1 000 ٤٨٣١٧", "Bergen / 5")

DOORS = (
    Door("numbers", "numbers as people write them", numbers,
         lambda: tuple(map(bytes_of, ("1e-3", "100k", "0.1%", "0,5", "1 000", "1.5·10⁻³", "−5", "yes", "none",
                                      "normal"))),
         in_pieces, 600),
    Door("lists", "lists, pairs and records as typed", lists, _written_seeds, in_pieces, 40_000),
    Door("requests", "wants, grids, ranges, settings, facts, attackers", requests, _request_seeds,
         lambda data, chance, tokens: in_pieces(data, chance, tokens or request_tokens()), 8_000),
    Door("conditions", "conditions on columns", conditions, lambda: tuple(map(bytes_of, CONDITIONS)), in_pieces, 3_000,
         tokens=_CONDITION_TOKENS),
    Door("formulas", "formulas", formulas, _formula_seeds, in_pieces, 2_000),
    Door("texts", "a person’s words, of which counts are left out", texts, lambda: tuple(map(bytes_of, TEXTS)),
         in_pieces,
         12_000, tokens=tuple(map(bytes_of, ("one ", "hundred ", "thousand ", "million ", "·10^", "e5", " and ", "-",
                                             "Oslo")))),
)
