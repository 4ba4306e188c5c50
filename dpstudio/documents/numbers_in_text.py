"""What in a person’s words tells of a count: numbers, in figures or in words, and names of groups that were counted.

Words cannot be searched surely: “about as many as last year” tells a count as well. What is found here is blanked where
nobody can be asked, and named where somebody is; whoever must be sure leaves the text out.
"""

from __future__ import annotations

import math
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import chain

import numpy as np

from dpstudio.core.declare import Array
from dpstudio.text.entry import read_double
from dpstudio.vocabulary import Value
from dpstudio.vocabulary.written import Unreadable, listing_of

NEAR = 0.02
"""Relative distance at which a number tells of a count."""
_SPACE = r"\t \u00a0\u1680\u2000-\u200b\u202f\u205f\u2060\u3000"
_SCALES = {"k": 1e3, "tsd": 1e3, "thousand": 1e3, "thousands": 1e3, "m": 1e6, "mio": 1e6, "mn": 1e6, "million": 1e6,
           "millions": 1e6, "bn": 1e9, "billion": 1e9, "billions": 1e9, "hundred": 1e2, "dozen": 12}
_TO = re.compile(rf"[{_SPACE}]*(?:[·×*x][{_SPACE}]*10[{_SPACE}]*\^?[{_SPACE}]*([+-]?\d+|[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)"
                 rf"|({'|'.join(sorted(map(re.escape, _SCALES), key=len, reverse=True))})(?![^\W\d_]))", re.IGNORECASE)
"""What may stand behind the digits of a number: a power of ten, or the word of a scale."""
_DIGITS = re.compile(rf"\d(?:[\d.,'’‘`´_٫٬{_SPACE}]*\d)?(?:[eE][+-]?\d+)?")
_RAISED = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "+-0123456789")
_ONES = {word: i for i, word in enumerate((
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"))}
_TENS = {word: 10 * i for i, word in enumerate((
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"), 2)}
_POWERS = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_WORD = "|".join(sorted((*_ONES, *_TENS, *_POWERS), key=len, reverse=True))
_TOKEN = re.compile(r"\w+")
_WORDS = re.compile(rf"\b(?:{_WORD})(?:(?:[{_SPACE}\n,-]+(?:and[{_SPACE}\n]+)?)?(?:{_WORD}))*\b", re.IGNORECASE)


def found(text: str, counts: Collection[Value]) -> list[str]:
    """The numbers of a text that are, or are near, one of these or what follows from two of them.

    Of a text that is a list, these are its numbers, how many there are, and their sum; its names are found, too.
    """
    return [text[begin:end] for begin, end in _places(text, frozenset(counts))]


def blanked(text: str, counts: Collection[Value]) -> str:
    """A text with “…” in the place of every such number and name."""
    made, after = [], 0
    for begin, end in _places(text, frozenset(counts)):
        made += [text[after:begin], "…"]
        after = end
    return "".join([*made, text[after:]])


@lru_cache(maxsize=4)
def _sought(counts: frozenset[Value]) -> list[float]:
    """All that tells of the counts, without signs, rising."""
    lists = [_of_list(value) for value in counts if isinstance(value, str)]
    return sorted({abs(number) for number in chain(_of_numbers(counts), *(each.tolist() for each in lists))})


@lru_cache(maxsize=4)
def _names(counts: frozenset[Value]) -> Mapping[str, Set[tuple[str, ...]]]:
    """The words of every name in the lists, and of both parts of one of two values, by the first of them."""
    made: dict[str, set[tuple[str, ...]]] = {}
    for value in counts:
        for name in _names_of_list(value) if isinstance(value, str) else ():
            for part in {name, *name.split(" / ")}:
                if words := tuple(word.casefold() for word in _TOKEN.findall(part)):
                    made.setdefault(words[0], set()).add(words)
    return made


@lru_cache(maxsize=64)
def _names_of_list(text: str) -> tuple[str, ...]:
    """The names in a list; none of another text."""
    try:
        return tuple(filter(None, listing_of(text).names))
    except Unreadable:
        return ()


@lru_cache(maxsize=64)
def _of_list(text: str) -> Array:
    """The numbers of a list, how often each stands there and how many there are, their sum and mean.

    Nothing of another text.
    """
    try:
        found = listing_of(text)
    except Unreadable:
        return np.empty(0)
    if not found.numbers.size:
        return found.numbers
    with np.errstate(over="ignore"):
        total = float(found.numbers @ found.times)
    several = found.times[found.times > 1]
    return np.concatenate([found.numbers, several, [found.numbers.size, found.size, total, total / found.size]])


def _of_numbers(counts: Collection[Value]) -> Iterator[float]:
    """The counts; where shares of people were counted, also how many each is, and how many are left."""
    numbers = {float(value) for value in counts if isinstance(value, int | float) and not isinstance(value, bool)}
    yield from numbers
    shares = [share for share in numbers if 0 < share < 1]
    for people in numbers:
        if people > 1 and people.is_integer():
            yield from (part for share in shares for part in (share * people, people - share * people))


def _places(text: str, counts: frozenset[Value]) -> Iterator[tuple[int, int]]:
    """Where such numbers and names stand, in order, none within another."""
    sought, names = _sought(counts), _names(counts)
    if not sought:
        return
    plain = "".join(_figure(sign) for sign in text)
    numbers = ((begin, end) for begin, end, values in chain(_in_figures(plain), _in_words(plain))
               if any(_near(abs(value), sought) for value in values))
    after = 0
    for begin, end in sorted(chain(numbers, _in_names(text, names)), key=lambda span: (span[0], -span[1])):
        if begin >= after:
            yield begin, end
            after = end


def _in_names(text: str, names: Mapping[str, Set[tuple[str, ...]]]) -> Iterator[tuple[int, int]]:
    """Where a name stands word for word, whatever stands between its words and in whichever case."""
    if not names:
        return
    words = [(found[0].casefold(), found.start(), found.end()) for found in _TOKEN.finditer(text)]
    for i, (first, begin, _) in enumerate(words):
        for length in {len(each) for each in names.get(first, ())}:
            here = words[i:i + length]
            if len(here) == length and tuple(word for word, _, _ in here) in names[first]:
                yield begin, here[-1][2]


def _near(value: float, sought: Sequence[float]) -> bool:
    """Whether a number is, or is near, one of many that rise: one of the two beside it, if any is."""
    place = bisect_left(sought, value)
    return any(math.isclose(value, number, rel_tol=NEAR) for number in sought[max(place - 1, 0):place + 1])


def _figure(sign: str) -> str:
    """A digit of whichever script as one of ours; superscripts stay, for they are exponents."""
    if sign.isascii() or not sign.isdecimal():
        return sign
    return str(unicodedata.decimal(sign))


def _in_figures(text: str) -> Iterator[tuple[int, int, list[float]]]:
    for match in _DIGITS.finditer(text):
        values, end = list(_readings(match[0])), match.end()
        if behind := _TO.match(text, end):
            power, scale = behind[1], behind[2]
            factor = _power(power) if power else _SCALES[scale.lower()]
            values, end = [*values, *(value * factor for value in values)], behind.end()
        yield match.start(), end, values
        parts = [part for part in re.finditer(r"\d+(?:[.,]\d+)?", match[0]) if part[0] != match[0]]
        for part in parts if re.search(rf"[{_SPACE}]", match[0]) else ():  # “12 48317” may be two numbers
            yield match.start() + part.start(), match.start() + part.end(), list(_readings(part[0]))


def _power(text: str) -> float:
    return math.pow(10.0, max(-300.0, min(300.0, float(text.translate(_RAISED)))))  # of any number of digits


def _readings(text: str) -> Iterator[float]:
    """What the digits may say: comma or point as a decimal sign or between thousands; in percent, too."""
    text = text.replace("٫", ".").replace("٬", "")
    for form in (re.sub(r"[^\deE.+-]", "", text.replace(",", "")), re.sub(r"[^\deE+-]", "", text),
                 re.sub(r"[^\deE.+-]", "", text.replace(".", "").replace(",", "."))):
        if (number := read_double(form)) is not None:
            yield from (number, number / 100)


def _in_words(text: str) -> Iterator[tuple[int, int, list[float]]]:
    for match in _WORDS.finditer(text):
        yield match.start(), match.end(), [_spoken(re.findall(_WORD, match[0].lower()))]


def _spoken(words: list[str]) -> float:
    """“forty-eight thousand three hundred and seventeen” as 48317."""
    total, group = 0.0, 0.0  # which have no end, as a row of such words has none
    for word in words:
        if word == "hundred":
            group = max(group, 1.0) * 100
        elif word in _POWERS:
            total, group = total + max(group, 1.0) * _POWERS[word], 0.0
        else:
            group += _ONES.get(word, 0) + _TENS.get(word, 0)
    return total + group
