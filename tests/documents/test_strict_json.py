"""JSON is read in time proportional to its length, and what strictness refuses is one short sentence."""

from __future__ import annotations

import pytest

from dpstudio.documents.strict_json import DEEPEST, LARGEST, NotJson, _unique, parse


class Key(str):
    """A key that counts how often it is compared or hashed."""

    __slots__ = ()
    work = 0

    def __eq__(self, other):
        Key.work += 1
        return str.__eq__(self, other)

    def __hash__(self):
        Key.work += 1
        return str.__hash__(self)


def work_of(size):
    """Comparisons and hashes that finding the last key twice takes, among so many."""
    Key.work = 0
    with pytest.raises(NotJson, match=f"'{size - 1}' twice"):
        _unique([*((Key(i), i) for i in range(size)), (Key(size - 1), 0)])
    return Key.work


def test_that_a_key_that_stands_twice_is_found_in_linear_work():
    assert work_of(8000) < 4.5 * work_of(2000)
    assert work_of(2000) < 20 * 2000


def test_that_the_first_key_that_stands_twice_is_named():
    with pytest.raises(NotJson, match="it has 'b' twice"):
        parse('{"a": 1, "b": {"a": 2}, "b": 3, "a": 4}')


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a": ', "}")])
def test_that_levels_are_bounded(opening, closing):
    assert parse(opening * DEEPEST + "1" + closing * DEEPEST) is not None
    for deep in (DEEPEST + 1, 900, 10_000):
        with pytest.raises(NotJson, match="nested too deeply"):
            parse(opening * deep + "1" + closing * deep)


def test_that_the_length_is_bounded():
    assert parse(" " * (LARGEST - 1) + "1") == 1
    for content in (" " * LARGEST + "1", b" " * LARGEST + b"1"):
        with pytest.raises(NotJson, match="far too large"):
            parse(content)


@pytest.mark.parametrize("made", [r'"\ud800"', r'{"\udc00": 1}', r'[{"a": ["x\udfff"]}]'])
def test_that_half_a_sign_is_refused_wherever_it_stands(made):
    with pytest.raises(NotJson, match="which is no text") as refusal:
        parse(made)
    assert str(refusal.value).isprintable()
    assert parse(r'"\ud83d\ude00"') == "😀"


@pytest.mark.parametrize("made", [f'{{"{"x" * 10**5}": 1, "{"x" * 10**5}": 2}}', r'"' + "x" * 100_000 + r'\ud800"'],
                         ids=["key", "text"])
def test_that_a_refusal_is_short(made):
    with pytest.raises(NotJson) as refusal:
        parse(made)
    assert len(str(refusal.value)) < 120
