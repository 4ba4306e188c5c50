"""Domains of text that a person writes by a grammar: pairs of numbers, lists of numbers with names and multiples."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable
from functools import lru_cache
from typing import ClassVar, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from dpstudio.records import dataclass
from dpstudio.text.entry import is_ambiguous, read_number, write_number
from dpstudio.text.given import HALF
from dpstudio.text.numbers import plain

NONE = "none"
"""What stands where nothing was written."""
NO_TEXT = "it has half of a sign, which is no text"
"""Why a name is refused that no file can hold."""
_LONGEST_PAIRS = 1000
_LONGEST_ENTRY = 200
_BETWEEN_ENTRIES = re.compile(r",+")
_BETWEEN_LINES = re.compile(r"(?:[;\n]|,(?=[\s;]|$))+")
"""Where lines, semicolons or a tab stand, a comma without a space behind it belongs to a number: 0,5; 1,5."""
_TWO_MEANINGS = re.compile(r"(?<![\w.+-])[+-]?[1-9][0-9]{0,2},[0-9]{3}(?![0-9])|(?<![0-9])[0-9]+,0[0-9]+")
"""What may be thousands or a fraction, or two numbers that only a list of ours has without a space between them.
Digits are begun with once: from each of many in a row on, the comma would be looked for anew."""
_TIMES = re.compile(r"(.*?)[ ]*[×x*][ ]*([0-9_ ]+)", re.DOTALL)
_PLAIN = re.compile(r"0|[1-9][0-9]{0,14}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_IN_NAMES = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2060\u2066-\u2069\ufeff,;:=]+")


class Written:
    """A text of several entries, kept in the one form in which equal texts are equal."""

    __slots__ = ()

    @property
    @abstractmethod
    def phrase(self) -> str:
        """What such a text is, as a refusal says it."""

    @property
    @abstractmethod
    def examples(self) -> tuple[str, ...]:
        """Some texts of it."""

    @abstractmethod
    def accept(self, value: object) -> str | None:
        """The text as it is kept, or None where it is none."""

    def why(self, value: object) -> str:  # noqa: ARG002 - of most there is no more to say
        """What is wrong with a text that is refused, where it is not how it is written."""
        return ""

    has_lines: ClassVar[bool] = False
    """Whether it may have many entries, which are edited line by line."""

    def said(self, value: str) -> str:
        """The text as a person reads and edits it."""
        return value.replace(",", ", ")

    def brief(self, value: str) -> str:
        """The text as it is named where it does not fit."""
        return f"{value.count(',') + 1} entries"

    def in_lines(self, value: str) -> str:
        """The text with an entry a line."""
        return "" if value == NONE else value.replace(",", "\n")

    def within(self, other: object) -> bool:
        """Whether every text of it is one of the other."""
        return self == other


@dataclass(frozen=True, slots=True)
class Pairs(Written):
    """Caps by priors as one text, “0.01:0.05,0.1:0.3”, or “none”: probabilities, of which the priors rise."""

    most: int
    """So many pairs at most."""

    def __str__(self) -> str:
        return "PRIOR:CAP,…"

    @property
    def phrase(self) -> str:
        return f"pairs PRIOR:CAP with 0 < prior < cap < 1, at most {self.most} and of rising priors, or {NONE}"

    @property
    def examples(self) -> tuple[str, ...]:
        return NONE, "0.01:0.05", "0.001:0.01,0.2:0.6"

    def accept(self, value: object) -> str | None:
        """The pairs as they are kept, every number with all its digits and nothing between."""
        if value in ("", NONE):
            return NONE
        found = numbers_of(value)
        priors = [prior for prior, _ in found or ()]
        good = found and len(found) <= self.most and priors == sorted({*priors}) and all(
            0 < prior < cap < 1 for prior, cap in found)
        return text_of(found or ()) if good else None

    def why(self, value: object) -> str:
        """Why a cap below its prior is not meant."""
        turned = any(prior >= cap for prior, cap in numbers_of(value) or ())
        return "a cap below the prior can be kept by no release" if turned else ""

    def within(self, other: object) -> bool:
        return isinstance(other, Pairs) and self.most <= other.most


def text_of(pairs: Iterable[tuple[float, float]]) -> str:
    """Pairs as one text, with all digits; “none” of none."""
    return ",".join(f"{plain(prior)}:{plain(cap)}" for prior, cap in pairs) or NONE


def numbers_of(pairs: object) -> tuple[tuple[float, float], ...] | None:
    """The numbers of a text of pairs, whatever they are; of none of them, and of what is no such text, None."""
    if not isinstance(pairs, str) or len(pairs) > _LONGEST_PAIRS:
        return None
    entries = (pair.split(":") for pair in re.split(r"[,;\s]+", pairs.strip(" ,;\t\n")))
    found = [[read_number(number) for number in entry] for entry in entries]
    if not all(len(each) == 2 and None not in each for each in found):
        return None
    return tuple((float(prior or 0), float(cap or 0)) for prior, cap in found)


Numbers: TypeAlias = npt.NDArray[np.float64]


class Listing(NamedTuple):
    """What a list says: a number and how often it stands there, for each entry, and the names, where there are any."""

    numbers: Numbers
    times: npt.NDArray[np.int64]
    names: tuple[str, ...]
    """One for each entry, empty where it has none; none at all where no entry has one."""

    @property
    def size(self) -> int:
        """How many numbers there are, each as often as it stands there."""
        return sum(self.times.tolist())  # beyond 64 bits, where somebody writes so

    @property
    def expanded(self) -> Numbers:
        """Every number as often as it stands there."""
        return np.repeat(self.numbers, self.times)


class Unreadable(ValueError):
    """A list that cannot be read: the message says which entry and why."""


@dataclass(frozen=True, slots=True)
class Listed(Written):
    """A list of numbers as one text, or “none”: “12, 5, 31”, “Oslo: 12, Bergen: 5”, “0×100, 7”, “0 × 100” a hundred 0.

    Entries stand apart by commas, semicolons or lines; a column of names beside one of numbers is read, too. A comma
    with no space behind it belongs to a number where something else sets entries apart.
    """

    what: str
    """What the numbers are: “counts”."""
    low: float
    high: float
    whole: bool = False
    most: int = 100_000
    """So many entries at most."""
    most_numbers: int = 100_000
    """So many numbers at most, each as often as it stands there."""
    named: bool = False
    """Whether entries may have names."""

    has_lines = True

    def __str__(self) -> str:
        return "[NAME:]NUMBER[×TIMES],…" if self.named else "NUMBER[×TIMES],…"

    @property
    def phrase(self) -> str:
        kind = "whole numbers" if self.whole else "numbers"
        example = "“12, 5, 31”, “Oslo: 12, Bergen: 5”" if self.named else "“12, 5, 31”"
        return (f"{self.what}, {kind} in [{plain(self.low)}, {plain(self.high)}] such as {example} or “0×100, 7”, "
                f"at most {write_number(self.most_numbers)}, or {NONE}")

    @property
    def examples(self) -> tuple[str, ...]:
        low = max(self.low, 0) if self.high >= 0 else self.low
        once, names = np.ones(3, dtype=np.int64), ("a", "b", "c")
        numbers = np.minimum(low + np.array([0, 3, 40]), self.high)
        lists = [Listing(numbers, once, ()), Listing(numbers[2:], once[2:], ()), Listing(numbers, 3 * once, ())]
        return NONE, *map(text_of_listing, [*lists, Listing(numbers, once, names)] if self.named else lists)

    def accept(self, value: object) -> str | None:
        """The list as it is kept; a long one is looked through once, whatever else of a study changes."""
        if value in ("", NONE):
            return NONE
        return _kept(self, value) if isinstance(value, str) else None

    def why(self, value: object) -> str:
        if not isinstance(value, str):
            return ""
        try:
            return self._wrong(listing_of(value))
        except Unreadable as error:
            return str(error)

    def brief(self, value: str) -> str:
        found = listing_of(value)
        return f"{write_number(found.size)} {self.what}, {plain(float(found.numbers.min()))} to " \
               f"{plain(float(found.numbers.max()))}" if found.size else NONE

    def _wrong(self, found: Listing) -> str:
        """What is wrong with the numbers of a list; empty where nothing is."""
        if found.names and not self.named:
            return f"{found.names[0]!r} is no number"
        if len(found.numbers) > self.most:
            return f"these are {len(found.numbers)} entries, at most {self.most} are possible"
        if (found.times < 1).any() or float(found.times.sum(dtype=np.float64)) > self.most_numbers:
            return f"these are {found.size} numbers, from 1 to {self.most_numbers} are possible"
        outside = ~((found.numbers >= self.low) & (found.numbers <= self.high))
        if self.whole:
            outside |= found.numbers != np.floor(found.numbers)
        return f"{plain(float(found.numbers[outside][0]))} is none of these" if outside.any() else ""

    def within(self, other: object) -> bool:
        return (isinstance(other, Listed) and self.low >= other.low and self.high <= other.high
                and self.whole >= other.whole and self.named <= other.named and self.most <= other.most
                and self.most_numbers <= other.most_numbers)


@lru_cache(maxsize=16)
def _kept(domain: Listed, text: str) -> str | None:
    """A list in the form in which equal lists are equal, or None where it is none of the domain."""
    try:
        found = listing_of(text)
    except Unreadable:
        return None
    if domain._wrong(found):
        return None
    kept = text_of_listing(found)
    return text if kept == text else kept


@lru_cache(maxsize=16)
def listing_of(text: str) -> Listing:
    """What a list says, whatever its numbers are; nothing of “none”. Raises Unreadable."""
    if text in ("", NONE):
        return Listing(np.empty(0), np.empty(0, dtype=np.int64), ())
    if HALF.search(text):
        raise Unreadable(NO_TEXT)
    text = text.strip()
    lines = any(sign in text for sign in ";\n\t")
    entries = [entry for entry in (_BETWEEN_LINES if lines else _BETWEEN_ENTRIES).split(text) if entry.strip()]
    if not entries:
        raise Unreadable("there is no number in it")
    found = _listing(text, entries)
    if not lines and (one := _TWO_MEANINGS.search(text)) and text_of_listing(found) != text:
        raise Unreadable(f"{one[0][:40]!r} has two meanings: a comma between two numbers needs a space behind it, and "
                         "one number no comma")
    return found


def _listing(text: str, entries: list[str]) -> Listing:
    """What the entries of a text say; raises Unreadable."""
    try:  # most lists are long and plain
        numbers = np.array(entries, dtype=np.float64)
        if np.isfinite(numbers).all() and not any("_" in entry for entry in entries):
            return Listing(numbers, np.ones(len(entries), dtype=np.int64), ())
    except ValueError:
        pass
    if len(entries) == 1 and all(read_number(each) is not None for each in text.split()):
        if read_number(text) is not None and len(text.split()) > 1:
            raise Unreadable("spaces may set numbers or thousands apart: write commas between numbers")
        entries = text.split()  # “12 5 31”
    read = [_entry(entry) for entry in entries]
    names = tuple(name for name, _, _ in read)
    return Listing(np.array([number for _, number, _ in read], dtype=np.float64),
                   np.array([times for _, _, times in read], dtype=np.int64), names if any(names) else ())


def _entry(entry: str) -> tuple[str, float, int]:
    """The name, the number and how often it stands there."""
    if len(entry) > _LONGEST_ENTRY:
        raise Unreadable(f"an entry has more than {_LONGEST_ENTRY} characters")
    name, _, rest = re.sub(r"[\t=]+", ":", entry.strip()).rpartition(":")
    if "," not in name and _PLAIN.fullmatch(rest):  # most are
        return name_of(name), float(rest), 1
    times = 1
    if found := _TIMES.fullmatch(rest):
        rest, times = found[1], int(found[2].replace("_", "").replace(" ", "") or 0)
    number = read_number(rest)
    if is_ambiguous(rest):
        raise Unreadable(f"a comma before three digits, as in {_CONTROL.sub(' ', rest.strip())[:40]!r}, has two "
                         "meanings")
    if number is None or abs(number) == float("inf") or times >= 2**53 or "," in name:
        raise Unreadable(f"{_CONTROL.sub(' ', entry.strip())[:40]!r} is no number")
    return name_of(name), float(number), times


def name_of(text: str) -> str:
    """A name as a list has it: without the signs that set entries apart."""
    return " ".join(_IN_NAMES.sub(" ", text).split())


def text_of_listing(found: Listing) -> str:
    """A list as one text, with all digits; “none” of an empty one."""
    numbers = [plain(number) if number != int(number) or abs(number) >= 2**53 else str(int(number))
               for number in found.numbers.tolist()]
    if not found.names and (found.times == 1).all():
        return ",".join(numbers) or NONE
    names = [f"{name}:" if name else "" for name in found.names] or [""] * len(numbers)
    times = [f"×{many}" if many != 1 else "" for many in found.times.tolist()]
    return ",".join(map("".join, zip(names, numbers, times, strict=True))) or NONE
