"""How good an answer is, on the first page: the outcomes of what was chosen, and how far others are from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from dpstudio.core.frontier.figure import key_of
from dpstudio.core.results import Fact, Series
from dpstudio.core.update import Update
from dpstudio.documents.comparison import change, told
from dpstudio.documents.report.contents import foremost
from dpstudio.documents.report.numbers import NONE, number
from dpstudio.documents.setting import Setting
from dpstudio.text.numbers import powered
from dpstudio.text.sentences import begun, grouped
from dpstudio.vocabulary import Quantity

DECISIONS = 10_000
"""Of so many the sentence of a decision says how many are a “yes”."""


def result(setting: Setting, update: Update, chosen: Series) -> str:
    """What the chosen series comes to: an answer at N in natural frequencies, then the study's outcomes."""
    return " ".join((*_frequencies(setting, update, chosen), *_outcomes(update, chosen)))


def compared(update: Update, chosen: Series | None, series: Iterable[Series | None]) -> Quantity | None:
    """An outcome of the study that the chosen series has, or any if none is chosen: that of page two, else the first.

    None where there is none.
    """
    asked, study = (chosen,) if chosen else tuple(series), update.answer.study
    first = foremost(type(study))
    outcomes = sorted(study.outcomes, key=lambda each: key_of(study.outcomes, each) not in first)
    return next((each.quantity for each in outcomes if any(
        _of(update, each.quantity, one) for one in asked
        if one and (each.quantity.key, one.key) in update.answer.index())), None)


def cells(update: Update, quantity: Quantity, series: Series, chosen: Series | None, *, alike: bool
          ) -> tuple[str, ...]:
    """The outcome of a series and, beside one that was chosen and protects the like, how it differs from that."""
    fact = _of(update, quantity, series)
    said = number(fact) if fact else NONE
    if chosen is None:
        return (said,)
    differs = change(fact, _of(update, quantity, chosen)) if fact and series != chosen and alike else None
    if differs and fact and fact.value < 0:
        differs = replace(differs, ratio=None)  # less than 1 would be more there
    return said, powered(told(differs)) if differs else NONE


def _outcomes(update: Update, chosen: Series) -> Iterator[str]:
    in_words = {each.quantity for each in update.answer.index().values() if each.role}
    for each in update.answer.study.outcomes:
        if each.quantity not in in_words and (fact := _of(update, each.quantity, chosen)):
            unit = f" {each.quantity.unit}" if each.quantity.unit else ""
            yield f"{begun(each.quantity.label)}: {number(fact)}{unit}."


def _frequencies(setting: Setting, update: Update, chosen: Series) -> Iterator[str]:
    acceptance, low, high, error = (_in_role(update, role, chosen) for role in ("yes", "from", "to", "error"))
    true = setting.study.values().get("records")
    if acceptance and isinstance(true, int | float):
        many = DECISIONS * acceptance.value
        said = "all" if many == DECISIONS else "none" if not many else (
            "more than 9 999" if many >= 9_999.5 else "less than 1" if many < 0.5 else f"about {grouped(round(many))}")
        yield f"Of {grouped(DECISIONS)} decisions at N = {grouped(true)} {said} say “yes”."
    if low and high:
        fewest = "1" if setting.study.values().get("zero_refused") else "0"
        least = number(low) if low.value >= float(fewest) else fewest  # no data have fewer, and no record is refused
        if high.value > float(fewest):
            yield f"Between {least} and {number(high)} records the answer is uncertain."
    if error:
        of = "one coordinate is" if setting.study.values().get("dimension", 1) != 1 else "the answer is"
        yield (f"In {grouped(DECISIONS * 0.95)} or more of {grouped(DECISIONS)} releases {of} within {number(error)} "
               "of the truth, on average.")


def _in_role(update: Update, role: str, series: Series) -> Fact | None:
    """The fact of a series that its study declares to be that; None where there is none."""
    return next((update.fact(*place) for place, each in update.answer.index().items()
                 if (each.role, place[1]) == (role, series.key)), None)


def _of(update: Update, quantity: Quantity, series: Series) -> Fact | None:
    """A fact of a series, of the question where it belongs to none; None where there is neither."""
    index = update.answer.index()
    of = series.key if (quantity.key, series.key) in index else None
    return update.fact(quantity, of) if (quantity.key, of) in index else None
