"""The words for who needs what, wherever several are set to the same outcome: by matching, and on a frontier."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from dpstudio.core.results import Series
from dpstudio.text.language import phrase, tr
from dpstudio.text.numbers import SLACK, Side, said, short
from dpstudio.text.sentences import begun, listed

DIGITS = range(3, 18)
"""Significant digits of what is found: as few as do."""
UNFORGIVEN = 2 * float(SLACK)
"""Part of a number by which one lies that is rounded past it, as no rounding error is."""
TAKES = {"needs": "{who} needs {what} {number}", "may have": "{who} may have {what} {number}",
         "has": "{who} has {what} {number}", "allows": "{who} allows {what} {number}"}
"""What is said of the first of several, by its verb."""
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
    label = tr(series.label) if series else ""
    return phrase("“{name}”", name=label) if "," in label else label


def said_of(series: Sequence[Series | None], one: str, several: str, /, **values: str) -> str:
    """“Laplace and Gaussian are nowhere as good”: a text about `who`, which some series are, in the form for so many.
    """
    return phrase(one if len(series) == 1 else several, who=listed(map(called, series)), **values)


def needs(head: str, verb: str, what: str, numbers: Sequence[tuple[str, str]],
          together: Callable[[Iterable[str]], str] = listed) -> str:
    """“For the same error Laplace needs ε = 1 and Gaussian 3”: what each needs, the verb of TAKES said once."""
    (who, number), *rest = numbers
    first = phrase(TAKES[verb], who=who, what=what, number=number)
    return phrase("{head} {needs}", head=head, needs=together([first, *(f"{one} {its}" for one, its in rest)]))


def about(number: str) -> str:
    """“about 12.3”: of what is estimated."""
    return phrase("about {number}", number=number)


def cannot_be_told(label: str, series: Series | None) -> str:
    """Of an outcome that is too small to be told from 0."""
    return phrase("{label} of {who} is 0, or too small for any number: what has the same cannot be told.",
                  label=begun(label), who=called(series))
