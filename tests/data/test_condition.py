"""A condition is understood by a grammar of our own, and rebuilt; whatever else stands in a text is refused."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpstudio.data.columns import FileColumn
from dpstudio.data.condition.parser import InvalidCondition, parse
from dpstudio.data.condition.sql import rendered

COLUMNS = tuple(FileColumn(name, kind) for name, kind in {
    "age": "BIGINT", "sex": "VARCHAR", "smoker": "BOOLEAN", "born": "DATE", "seen": "TIMESTAMP", "weight": "DOUBLE",
    "dose": "FLOAT", 'a "b': "INTEGER", "<img src=x>": "BIGINT", "in": "BIGINT", "x": "INTEGER[]"}.items())


def sql(text):
    return rendered(parse(text, COLUMNS))


@pytest.mark.parametrize(("text", "made", "values"), [
    ("age >= 65", '("age" >= ?)', [65]),
    ("65 <= age", '(? <= "age")', [65]),
    ("AGE = 3", '("age" = ?)', [3]),
    ("age = -3.5", '("age" = ?)', [-3.5]),
    ("sex = 'it''s'", '("sex" = ?)', ["it's"]),
    ("sex = '\"; DROP TABLE data --'", '("sex" = ?)', ['"; DROP TABLE data --']),
    ("smoker", '"smoker"', []), ("not smoker", '(NOT "smoker")', []), ("(smoker)", '"smoker"', []),
    ("smoker = 1", '("smoker" = ?)', [True]), ("smoker = false", '("smoker" = ?)', [False]),
    ("age in (1, 2) or sex not in ('m')", '(("age" IN (?, ?)) OR (NOT ("sex" IN (?))))', [1, 2, "m"]),
    ("age is missing and sex is not null", '(("age" IS NULL) AND (NOT ("sex" IS NULL)))', []),
    ("age in (-1, 2)", '("age" IN (?, ?))', [-1, 2]),
    ("age between 1 and 2 and smoker", '(("age" BETWEEN ? AND ?) AND "smoker")', [1, 2]),
    ("age = 1 or age = 2 and age = 3", '(("age" = ?) OR (("age" = ?) AND ("age" = ?)))', [1, 2, 3]),
    ("(age = 1 or age = 2) and age ≠ 3", '((("age" = ?) OR ("age" = ?)) AND ("age" != ?))', [1, 2, 3]),
    ('"a ""b" > 1', '("a ""b" > ?)', [1]), ("`<img src=x>` > 1", '("<img src=x>" > ?)', [1]),
    ('"in" in (1)', '("in" IN (?))', [1]), ("x is missing", '("x" IS NULL)', []),
    ("weight > 1", "(nullif(\"weight\", 'NaN'::DOUBLE) > ?)", [1]),
    ("dose = 0.1", "(nullif(\"dose\", 'NaN'::FLOAT) = CAST(? AS FLOAT))", [0.1]),
    ("(age + 1) * 2 > 3", "(nullif(CAST(CAST(\"age\" AS DOUBLE) + CAST(? AS DOUBLE) AS DOUBLE) * CAST(? AS DOUBLE), "
     "'NaN'::DOUBLE) > ?)", [1, 2, 3]),
])
def test_that_a_condition_is_rebuilt_with_quoted_names_and_its_values_apart(text, made, values):
    assert sql(text) == (made, values)


@pytest.mark.parametrize("text", ["born < '2000-01-31'", "seen >= '2000-01-31 10:30'",
                                  "seen between born and '2020-01-01'"])
def test_that_a_date_in_quotes_is_a_date(text):
    made, values = sql(text)
    assert "CAST(? AS" in made
    assert not any(isinstance(value, str) for value in values)


@pytest.mark.parametrize(("text", "why"), [
    ("", "it is empty"), ("  ", "it is empty"),
    ("agee > 3", "there is no column 'agee'; did you mean 'age'?"),
    ("zzz > 3", "there is no column 'zzz'; the columns are 'age', 'sex'"),
    ("sex = female", "a text stands in single quotes: 'female'"),
    ("age > 3; DROP TABLE data", "';' has no meaning in it, at 8"), ("1=1; DROP TABLE data", "';' has no meaning"),
    ("1 = 1", "must name a column"), ("age > 3 -- yes", "no comments, at 9"), ("age /* x */ > 3", "no comments"),
    ("read_text('/etc/passwd') = 'x'", "calls no functions, and 'read_text(' at 1 would be one"),
    ("age > getenv('HOME')", "calls no functions"), ("sex = upper(sex)", "calls no functions"),
    ("age in (select age)", "a value was expected, not 'select' at 9"),
    ("exists (select 1)", "calls no functions"), ("age > (select 1)", "there is no column 'select'"),
    ("'a.csv'", "a comparison was expected"), ("age > 'a.csv'", "'age' is a number, and 'a.csv' is text"),
    ("sex = 1", "'sex' is text, so 1 must stand in single quotes: '1'"), ("age", "so a comparison must follow it"),
    ("age >", "a column or a value was expected, not the end"), ("age > 3 4", "'4' at 9 was not expected"),
    ("age > 3)", "')' at 8 was not expected"), ("(age > 3", "the parenthesis at 1 is never closed"),
    ("age > 100k", "'100k' at 7 is no number"), ("sex = 'm", "the quote at 7 is never closed"),
    ("age > $1", "'$' at 7 has no meaning"), ("age > ?", "'?' at 7"), ("age > 3 ~ 4", "'~'"), ("x = 1", "'INTEGER[]'"),
    ("born > '31.12.2000'", "which is written '2026-11-21', not '31.12.2000'"), ("born > 3", "is a date"),
    ("sex + 1 > 2", "'sex' is text, and + is for numbers"), ("-sex > 2", "is text"), ("smoker + 1 > 2", "for numbers"),
    ("smoker = 2", "'smoker' is yes or no"), ("age is 3", "stands “missing”"), ("age not 3", "“in” or “between”"),
    ("age between 3 or 4", "between has two ends"), ("age in 3", "“(” was expected"), ("age in ()", "a value"),
    ("age in (3,", "a value was expected, not the end"), ("age in (3, -", "a value was expected, not the end"),
    ("age = 1e999", "too large"), ("not " * 100 + "smoker", "nested deeper"), ("(" * 9000, "never closed"),
    ("(" * 100 + "smoker" + ")" * 100, "nested deeper"), ("-" * 2 + "age > 1", "no comments"),
    ("age > " + "1 + " * 61 + "1", "at most 60 terms"),
    ("age = " + "1" * 5000, "too large"), ("sex in (-'m')", "a value was expected, not 'm' at 10"),
    ("age > 1" + " " * 10_001, "more than 10000"),
])
def test_that_anything_else_is_refused_in_one_sentence_that_says_why(text, why):
    with pytest.raises(InvalidCondition, match=re.escape(why)) as refusal:
        parse(text, COLUMNS)
    sentence = str(refusal.value)
    assert sentence.startswith("where must be a condition on the columns, got ")
    assert sentence.isprintable()
    assert len(sentence) < 400


@given(st.text(alphabet="ageSEXx'\"`();,.<>=!-+*/ 019orandtis\\\n", max_size=60))
def test_that_no_text_does_more_than_be_refused(text):
    try:
        made, values = sql(text)
    except InvalidCondition as refusal:
        made, values = str(refusal).partition("(")[0], []
    assert made.isprintable()
    assert made.startswith("where must be") or (made.count("?") == len(values) and ";" not in made)


@given(st.text(min_size=1, max_size=20), st.text(max_size=20))
@example("false", "")
@example("missing", "not")
def test_that_whatever_a_column_is_called_and_a_value_says_it_stays_a_name_and_a_value(name, value):
    column = FileColumn(name, "VARCHAR")
    quoted = '"' + name.replace('"', '""') + '"'
    text = f"{quoted} = '" + value.replace("'", "''") + "'"
    made, values = rendered(parse(text, (column,)))
    assert made == f"({quoted} = ?)"
    assert values == [value]
