"""Numbers as sentences say them: few digits, and where they promise something rounded to the safe side."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from functools import partial
from typing import NamedTuple

from dpstudio.text.language import counted, phrase
from dpstudio.text.numbers import THIN, Side, as_power, at_place, said, short, shown, unrounded, written_out

_TOGETHER = re.compile(r" (?=[=≤≥<>±×] \S)|(?<= [=≤≥<>±×]) (?=\S)|(?<=\d) (?=%|sd\b)|(?<=\d) (?=: \d)|(?<=\d :) (?=\d)")
"""Where a line may not end: at a relation, before a percent sign or an “sd”, within a power, and within odds."""


def together(text: str) -> str:
    """The text with “ε = 0.1”, “95 %” and “53 : 47” each on one line, by spaces that no line ends at."""
    return _TOGETHER.sub("\u00a0", text)


def grouped(number: float) -> str:
    """A whole number in groups of three; one with more than twelve digits by its power of ten, ∞ as such."""
    if math.isinf(number):
        return "∞"
    return f"{int(number):,}".replace(",", THIN) if abs(number) < 1e12 else significant(number)


def significant(value: float, digits: int = 3, side: Side = "nearest") -> str:
    """So many significant digits and zeros after them: 0.0123, 24 700, 3.2e−7, ∞; `side` as in `short`."""
    if value == 0 or not math.isfinite(value):
        return unrounded(value)
    exponent = Decimal(float(value)).adjusted()
    place = exponent - digits + 1
    number = at_place(value, place, side, Decimal(1).scaleb(place - 9))  # it may have been found by iteration
    return written_out(number) if exponent < 7 and number.adjusted() >= -4 else as_power(number).replace("-", "−")


def safely(number: float) -> str:
    """Three significant digits of what must not be understated, rounded up where they are not exact."""
    return significant(number, side="up")


def at_least(number: float, digits: int = 3) -> str:
    """A few significant digits of what must not be overstated, rounded down."""
    return significant(number, digits, "down")


class SaidBoth(NamedTuple):
    """A number that must not be understated, and what it is set against, as both are said."""

    one: str
    other: str


def beside(number: float, limit: float) -> SaidBoth:
    """What must not be understated, and a limit that was chosen: of three digits or as many as keep their order."""
    kept = number <= limit * (1 + 1e-12)
    return _together(number, limit, lambda most, allowed: (said(most) <= said(allowed)) == kept)


def apart(number: float, other: float) -> SaidBoth:
    """A number that must not be understated, and another: of three digits, or as many as tell them apart."""
    less = number < other
    return _together(number, other, lambda most, rounded: most != rounded and (said(most) < said(rounded)) == less)


def or_same(text: str, other: str) -> str:
    """A number to be set against another as both are said: “the same” where their digits are."""
    return phrase("the same") if text == other else text


def _together(number: float, other: float, good: Callable[[str, str], bool]) -> SaidBoth:
    """A number rounded up and another, of the fewest digits from three on with which the texts are good."""
    for digits in range(3, 17):
        texts = short(number, digits, "up"), short(other, digits)
        if good(*texts):
            break
    return SaidBoth(texts[0].replace("-", "−"), texts[1].replace("-", "−"))


def recommended(number: float, keeps: Callable[[float], bool], side: Side = "nearest") -> str:
    """A value that somebody may type, of as few significant digits as keep what is said of it.

    `keeps` is asked of the number as it stands; from three on to all seventeen, whatever they keep.
    """
    for many in range(3, 18):
        text = significant(number, many, side)
        if keeps(float(said(text))):
            break
    return text


def points(share: float, side: Side = "up") -> str:
    """A distance between shares, in percentage points, rounded up: “1 point”, “1.98 points”."""
    text = significant(100 * share, side=side)
    return counted("{number} point", "{number} points", 1 if text == "1" else 2, number=text)


def with_prefix(number: float) -> str:
    """A large number in up to three digits with the prefix of its size: 850, 12 k, 3.2 M."""
    for size, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{shown(f'{number / size:.3g}')}{THIN}{prefix}"
    return f"{number:.0f}"


def percent(share: float, digits: int = 3, side: Side = "nearest") -> str:
    """A share in per cent, a few significant digits; one that is not all is not called 100 % unless rounded up."""
    said = significant(100 * share, digits, side)
    return in_percent(said) if share >= 1 or side == "up" or said != "100" else more_than(in_percent(shown("99.9")))


def share_chosen(share: float) -> str:
    """“95 %”, with all digits of a share that somebody chose."""
    return in_percent(percentage(share))


def percentage(share: float) -> str:
    """“95” of a share of 0.95, with all its digits."""
    return shown(f"{(100 * Decimal(repr(share))).normalize():f}")


def in_percent(number: str) -> str:
    """“95 %” of 95."""
    return f"{number}{THIN}%"


def chance(probability: float) -> str:
    """A probability in three significant digits; what may only be next to certain is not called 1."""
    return more_than(shown("0.999")) if probability >= 0.9995 else significant(probability)


def numbered(plural: str, number: float) -> str:
    """“1 record”, “10 000 records”, “1 batch”, “1 person”."""
    one, many = COUNTED[plural]
    return counted(one, many, int(number) if math.isfinite(number) else 2, number=grouped(number))


COUNTED: Mapping[str, tuple[str, str]] = {
    "records": ("{number} record", "{number} records"), "users": ("{number} user", "{number} users"),
    "people": ("{number} person", "{number} people"), "steps": ("{number} step", "{number} steps"),
    "batches": ("{number} batch", "{number} batches"), "coordinates": ("{number} coordinate", "{number} coordinates"),
    "ratings": ("{number} rating", "{number} ratings"), "stars": ("{number} star", "{number} stars"),
    "symptoms": ("{number} symptom", "{number} symptoms"), "groups": ("{number} group", "{number} groups"),
    "rows": ("{number} row", "{number} rows"), "persons": ("{number} person", "{number} persons")}
"""What sentences count, one and several of them."""
records, people = partial(numbered, "records"), partial(numbered, "people")


def times(ratio: float) -> str:
    """“2.5 times”; what is all but once is not said by a number."""
    return phrase("{ratio} times", ratio=significant(ratio)) if ratio >= 1.005 else phrase("hardly more than")


def even_odds(epsilon: float) -> str:
    """What even odds become at most under an answer that is ε-private: “73 : 27”, “50.025 : 49.975”, rounded up."""
    return odds_after(0.5, epsilon)


def _nearly_even(gain: float) -> str:
    """A share of 50 % and this gain, as odds with two digits of a gain below 1, rounded up; empty for any other."""
    if not 1e-12 < gain < 1:
        return ""
    digits = 1 - math.floor(math.log10(gain))
    more = math.ceil(gain * 10**digits - 1e-9) / 10**digits
    return "51 : 49" if more >= 1 else shown(f"{50 + more:.{digits}f} : {50 - more:.{digits}f}")


def odds_after(belief: float, loss: float) -> str:
    """The odds that an answer of that privacy loss makes of a belief, never less, also where both are all but sure."""
    log = math.log(belief) - math.log1p(-belief) + loss
    if told := _nearly_even(50 * math.tanh(log / 2)):
        return told
    share = math.ceil(100 / (1 + math.exp(min(-log, 700.0))) - 1e-9)
    if 1 < share < 100:
        return f"{share} : {100 - share}"
    large = f"e^{safely(abs(log))}"
    if log < 0:
        return "1 : " + (short(math.exp(-log), 3, "down") if log > -700 else large)
    return f"{safely(math.exp(log)) if log < 700 else large} : 1"


def odds_before(belief: float) -> str:
    """A belief that was chosen, as odds: “50 : 50”, “10 : 90”, “1 : 999 000”."""
    if 0.01 <= belief <= 0.99:
        return shown(f"{100 * belief:.6g} : {100 * (1 - belief):.6g}")
    against = (1 - belief) / belief
    return f"1 : {significant(against)}" if belief < 0.5 else f"{significant(1 / against)} : 1"


def less_than(number: str) -> str:
    """“less than 0.01” of a number that is written already."""
    return phrase("less than {number}", number=number)


def more_than(number: str) -> str:
    """“more than 99.9 %”."""
    return phrase("more than {number}", number=number)


def no_less_than(number: str) -> str:
    """“at least 99 %”."""
    return phrase("at least {number}", number=number)


def no_more_than(number: str) -> str:
    """“at most 99 %”."""
    return phrase("at most {number}", number=number)


def from_to(low: str, high: str) -> str:
    """“12.7 to 70.5 %”."""
    return phrase("{low} to {high}", low=low, high=high)


def listed(names: Iterable[str]) -> str:
    """“a”, “a and b”, “a, b and c”."""
    *most, last = names
    return phrase("{most} and {last}", most=", ".join(most), last=last) if most else last


def begun(words: str) -> str:
    """“Error at N” as a sentence begins; a symbol stays what it is: “ε of the pair”."""
    return words[:1].upper() + words[1:] if words[1:2].isalpha() else words


def duration(seconds: float) -> str:
    """“40 s”, “3 min”, “5 h”, “12 days”, “300 years”."""
    for size, unit in ((365.25 * 86400, "{n} years"), (86400.0, "{n} days"), (3600.0, "{n} h"), (60.0, "{n} min")):
        if seconds >= 2 * size:
            return phrase(unit, n=f"{seconds / size:,.0f}")
    return f"{max(seconds, 1):.0f} s"


WAYS: Mapping[str, Callable[[float], str]] = {
    "near": significant, "up": safely, "down": at_least, "whole": grouped, "percent": percent, "chance": chance,
    "as many": times, **{plural: partial(numbered, plural) for plural in COUNTED}}
"""How a sentence writes a number, by name: rounded to the nearest or to a safe side, in full, as a share, counted."""
