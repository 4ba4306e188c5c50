"""The words for who needs what, wherever several are set to the same outcome: by matching, and on a frontier."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from dpstudio.core.results import Series
from dpstudio.text.numbers import SLACK, Side, said, short
from dpstudio.text.sentences import begun, listed

DIGITS = range(3, 18)
"""Significant digits of what is found: as few as do."""
UNFORGIVEN = 2 * float(SLACK)
"""Part of a number by which one lies that is rounded past it, as no rounding error is."""
ANY_SIDE: tuple[Side, ...] = ("nearest", "up", "down")


def as_number(text: str) -> float:
    """The double that a text of `short` says."""
    return float(said(text))


def in_few_digits(number: float, does: Callable[[float], bool], sides: Sequence[Side] = ANY_SIDE,
                  digits: Iterable[int] = DIGITS) -> str | None:
    """A number in as few digits as do, rounded to one of these sides; None where none does.

    Next to a number there may be nothing: where what differs by a rounding error does not do, none is forgiven.
    """
    beyond = {"nearest": 0.0, "up": UNFORGIVEN * abs(number), "down": -UNFORGIVEN * abs(number)}
    texts = (short(each, kept, side) for kept in digits for side in sides for each in (number, number + beyond[side]))
    return next((text for text in texts if does(as_number(text))), None)


def up(number: float) -> str:
    """What must not be understated: three digits, rounded up."""
    return short(number, 3, "up").replace("-", "−")


def called(series: Series | None) -> str:
    """Its label; in quotes where it has a comma of its own."""
    label = series.label if series else ""
    return f"“{label}”" if "," in label else label


def do(series: Sequence[Series | None], one: str, several: str) -> str:
    """“Laplace and Gaussian are”: some series with the verb for their number."""
    return f"{listed(map(called, series))} {one if len(series) == 1 else several}"


def needs(head: str, verb: str, what: str, numbers: Sequence[tuple[str, str]],
          together: Callable[[Iterable[str]], str] = listed) -> str:
    """“For the same error Laplace needs ε = 1 and Gaussian 3”: what each needs, the verb said once."""
    (who, number), *rest = numbers
    return f"{head} {together([f'{who} {verb} {what} {number}', *(f'{one} {its}' for one, its in rest)])}"


def cannot_be_told(label: str, series: Series | None) -> str:
    """Of an outcome that is too small to be told from 0."""
    return f"{begun(label)} of {called(series)} is 0, or too small for any number: what has the same cannot be told."
