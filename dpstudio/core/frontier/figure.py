"""The frontier of a study: its outcome against privacy for all that it compares, as a picture, a table and a sentence.

A study declares its outcomes; all else follows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.declare import Array
from dpstudio.core.facts import Steps, Tabled, table
from dpstudio.core.figure import Axis, Dots, Figure, Layer, Level, Line, Mark
from dpstudio.core.frontier.ahead import MOST_STRETCHES, Frontier, protects_another
from dpstudio.core.frontier.curves import Of, Outcome, Point, at_risk, ends
from dpstudio.core.frontier.measure import ASKS_WHOM, MOST
from dpstudio.core.needs import about, called, cannot_be_told, in_few_digits, needs, said_of, up
from dpstudio.core.results import NOTHING, Column, Kind, Span, Table
from dpstudio.text.language import phrase, speaking, tr
from dpstudio.text.numbers import powered, short
from dpstudio.text.sentences import begun, listed
from dpstudio.vocabulary import Quantity, amount, named, variant

_BESIDE = {0.5: "at half of it {value}", 2.0: "at twice that {value}"}
"""What is said of so many times what is spent."""

# The picture and its table

def key_of(outcomes: Sequence[Outcome], outcome: Outcome) -> str:
    """The name of its figure and of its table."""
    return "frontier" if outcome is outcomes[0] else f"frontier_{outcome.quantity.key}"


def keyed(kind: type[Any]) -> dict[str, Outcome]:
    """Every outcome by the name of its figure: those that a study declares, and behind them the same at a risk."""
    own = {key_of(kind.outcomes, outcome): outcome for outcome in kind.outcomes}
    return own | {f"{key}_{each.measure.key}": each for key, outcome in own.items() for each in at_risk(outcome)
                  if each.measure}


def figures(kind: type[Any]) -> tuple[Figure, ...]:
    """A picture of each outcome, beside the study's first."""
    return tuple(_figure(kind, outcome, key) for key, outcome in keyed(kind).items())


def tables(kind: type[Any], answers: type[Answer[Any, Any, Any]]) -> dict[str, Tabled[Any, Any]]:
    """The table behind each picture, computed where somebody looks at it."""
    return {key: _tabled(outcome, compared(outcome, answers)) for key, outcome in keyed(kind).items()}


def _tabled(outcome: Outcome, series: tuple[Of, ...]) -> Tabled[Any, Any]:
    def of(a: Answer[Any, Any, Any]) -> Frontier:
        return _frontier(outcome, series, a)

    def work(a: Answer[Any, Any, Any]) -> Steps:
        yield from of(a).work()
        of(a).words, of(a).language = _told(of(a)), speaking()

    return table(lambda a, _: _columns(of(a)), partial(shown_of, outcome), slow=work,
                 later=lambda a, _: _columns(of(a)).columns, aside=True)


def compared(outcome: Outcome, answers: type[Answer[Any, Any, Any]]) -> tuple[Of, ...]:
    """Everything with a curve: what is declared, or all that have the fact."""
    if outcome.series:
        return outcome.series
    having = [series for series in answers.series() if (outcome.quantity.key, series.key) in answers.index()]
    return tuple(having) or (None,)


def _here(quantity: Quantity, words: str) -> Quantity:
    """The quantity in another role, where one setting stands."""
    return variant(quantity, key=f"{quantity.key}_{words}", label=f"{quantity.label}, {words}")


def spent_by(kind: type[Any], outcome: Outcome, series: Of) -> Quantity:
    """What lies on the x axis of a series: what it spends, or the parameter that is swept."""
    return outcome.cost_of(series) or kind.parameter((outcome.over_of(series) or next(
        iter([outcome.over] if isinstance(outcome.over, tuple) else outcome.over.values())))[0]).quantity


def _figure(kind: type[Any], outcome: Outcome, key: str) -> Figure:
    first, answers = kind.pictures[0], kind.answers()
    series = compared(outcome, answers)
    y, axis = outcome.quantity, spent_by(kind, outcome, series[0])
    columns = {one: (Column(spent_by(kind, outcome, one), one if outcome.cost else None), Column(y, one))
               for one in series}
    reference = outcome.matched or series[0]
    layers: list[Layer] = [Line(*columns[one]) for one in series]
    layers += [Level(y, one) for one in outcome.level]
    layers.append(Level(y, reference if (y.key, reference and reference.key) in answers.index() else None))
    layers += [Dots(*_dots(kind, outcome, one, "now"), says="") for one in series]
    layers += [Dots(*_dots(kind, outcome, one, "now")) for one in outcome.beside if one not in outcome.level]
    # What is swept by parameters of its own protects something of its own: the units are the same at all settings.
    apart = () if isinstance(outcome.over, tuple) else protects_another(outcome, series, kind().answer())
    layers += [Dots(*_dots(kind, outcome, one, "matched"), says="x") for one in series
               if one != reference and one not in apart]
    if outcome.cost in (None, v.EPSILON_AT_DELTA) and isinstance(outcome.over, tuple) and not outcome.per:
        layers.append(Mark(outcome.over[0], draggable=True))
    measure = outcome.measure
    drawn = Figure(key, outcome.title, key, Axis(axis, measure.scale if measure else "log"),
                   Axis(v.variant(y, label=outcome.axis or y.label), outcome.scale, floor=outcome.floor),
                   tuple(layers), panel=first.place, caption=outcome.caption,
                   told=lambda a: told_of(_frontier(outcome, series, a)))
    return replace(drawn, empty=ASKS_WHOM) if measure else drawn


def _dots(kind: type[Any], outcome: Outcome, series: Of, words: str) -> tuple[Column, Column]:
    spent = spent_by(kind, outcome, series)
    return Column(_here(spent, words), series), Column(_here(outcome.quantity, words), series)


def shown_of(outcome: Outcome, a: Answer[Any, Any, Any]) -> Span:
    """The stretch of what is spent, or of the parameter that is swept, which its picture shows."""
    if outcome.measure:
        return outcome.measure.least(a.study), MOST
    if outcome.span:
        times = float(getattr(a.study, outcome.per)) if outcome.per else 1.0
        return outcome.span[0] * times, outcome.span[1] * times
    way = outcome.over if isinstance(outcome.over, tuple) else next(iter(outcome.over.values()))
    return ends(a.study, way, a.study.values() | dict(outcome.given))


def _frontier(outcome: Outcome, series: tuple[Of, ...], a: Answer[Any, Any, Any]) -> Frontier:
    """The frontier of an answer, which keeps it: the one, also for threads that ask at once, for work is kept in it."""
    found: Frontier | None = a.kept.get(outcome)
    return a.kept.setdefault(outcome, Frontier(outcome, series, a)) if found is None else found


# As a table

def _columns(f: Frontier) -> Table:
    """The curves with where each series stands and what matches; the dots stand in every row."""
    if not f.asked:
        return Table({})
    kind = type(f.answer.study)
    drawn = {one: f.curve(one).drawn(one, shown_of(f.outcome, f.answer)) for one in f.all}
    rows = max(map(len, (*drawn.values(), *(curve.values for curve in f.curves))))
    columns: dict[Column, Array] = {}
    for one, points in drawn.items():
        if points:
            spent = Column(spent_by(kind, f.outcome, one), one if f.outcome.cost else None)
            columns[spent] = filled([point.x for point in points], rows)
            columns[Column(f.outcome.quantity, one)] = filled([point.y for point in points], rows)
    for one in (*f.all, *f.outcome.beside):
        columns |= _standing(f, one, "now", f.now(one), rows)
    for one in f.matched or ():
        columns |= _standing(f, one, "matched", f.match(one), rows)
    return Table(columns)


def _standing(f: Frontier, series: Of, words: str, point: Point | None, rows: int) -> dict[Column, Array]:
    if point is None or not (f.outcome.cost_of(series) is None or 0 < point.x < math.inf) or math.isnan(point.x):
        return {}
    x, y = _dots(type(f.answer.study), f.outcome, series, words)
    return {x: np.full(rows, point.x), y: np.full(rows, point.y)}


# In words

def told_of(f: Frontier) -> str:
    """What the picture shows, in the language that is spoken; nothing before all is known."""
    return f.words if not f.words or f.language is speaking() else _told(f)


def _told(f: Frontier) -> str:
    """The same, said anew."""
    if not f.asked:
        return ""
    words = (_matched_words(f), _ahead_words(f)) if len(f.series) > 1 or f.matched else (_alone_words(f),)
    return " ".join(filter(None, (*words, *_left_out_words(f))))


def _left_out_words(f: Frontier) -> Iterator[str]:
    """Who is not on the picture, who is on it but protects something else, and who may do better than is known."""
    chosen = [one for one in f.series if one is None or f.answer.one(one) is not None]
    none = [one for one in chosen if not f.curve(one).points(one)]
    if none and f.outcome.cost == v.EPSILON_AT_DELTA:
        yield said_of(none, "{who} needs more than δ at every ε shown.", "{who} need more than δ at every ε shown.")
    if none and f.measure:
        yield said_of(none, "{who} promises nothing at every ε shown.", "{who} promise nothing at every ε shown.")
    others = [f"{called(one)} ({phrase(promised.relation.unit)})" for one in f.apart
              if (promised := f.answer.guarantee(one))]
    if others:
        yield phrase("Not compared, for what they protect is something else: {others}.", others=listed(others))
    kinds = _kinds(f, [one for one in chosen if one not in none])
    bounds = [one for one, kind in kinds.items() if kind == "bound"]
    if 0 < len(bounds) < len(kinds):
        yield (said_of(bounds, "{who} is known by bounds, and may allow less.",
                       "{who} are known by bounds, and may allow less.") if f.measure else
               said_of(bounds, "{who} is known by bounds, and may need less.",
                       "{who} are known by bounds, and may need less."))


def _kinds(f: Frontier, series: Sequence[Of]) -> dict[Of, Kind]:
    """Of some series whether what they spend is exact or a bound.

    A risk is, where all are bounds by one formula, as their guarantees are.
    """
    promises: dict[Of, Kind] = {one: promised.kind for one in series if one and f.outcome.cost
                and (promised := f.answer.guarantee(one))}
    return promises if f.measure is None or _bounded(f) else {one: _kind(f, one) for one in promises}


def _kind(f: Frontier, series: Of) -> Kind:
    """Whether what a series spends now is exact or a bound."""
    point = f.now(series)
    return "bound" if point and point.bounded else "exact"


def _bounded(f: Frontier) -> bool:
    """Whether the risks of all are bounds."""
    return f.measure is not None and all(_kind(f, one) == "bound" for one in f.series if f.now(one))


def _alone_words(f: Frontier) -> str:
    """What half and twice as much comes to."""
    (one,), y = f.series, f.outcome.quantity
    here, (low, high) = f.now(one), f.curve(one).ends
    if here is None:
        return ""
    setting = f"{_amounting(f, one)} {_spent_text(f, here.x)}" if f.measure else named(
        here.x, spent_by(type(f.answer.study), f.outcome, one))
    said = [phrase("{label} at {setting}: {value}", label=begun(tr(y.label)), setting=setting,
                   value=_valued(here, y))]
    for times in () if f.measure else _BESIDE:
        there = f.curve(one).of(one, times * here.x) if low <= times * here.x <= high else None
        said += [phrase(_BESIDE[times], value=_valued(there, y))] if there else []
    return f"{', '.join(said)}."


def _matched_words(f: Frontier) -> str:
    here, y = f.now(f.reference), f.outcome.quantity
    if here is None or not f.matched:
        return ""
    if f.outcome.better == "less" and abs(here.y) < NOTHING:
        return cannot_be_told(tr(y.label), f.reference)
    numbers = [(called(f.reference), _spent_text(f, here.x)), *(
        (called(one), _needed(f, one, value, here.y)) for one, value in f.matched.items() if value is not None)]
    lost = [one for one, value in f.matched.items() if value is None and f.curve(one).points(one)]
    never = f"; {said_of(lost, '{who} is nowhere as good', '{who} are nowhere as good')}" if lost else ""
    head = phrase("For the same {label} ({value})", label=tr(y.label), value=_valued(here, y))
    verb = "allows" if f.measure else "needs"
    return f"{needs(head, verb, _amounting(f, f.reference), numbers, ', '.join)}{never}."


def _needed(f: Frontier, series: Of, value: float, wanted: float) -> str:
    """What is spent where a series matches, rounded up to so few digits that it still is as good."""
    curve, point = f.curve(series), f.match(series)
    assert point is not None
    if value == curve.placed(series)[0][0] and not (f.measure and point.x <= f.measure.least(f.answer.study)):
        return phrase("{number} or less", number=_spent_text(f, point.x)) if point.x > 0 else "0"

    def good(rounded: float) -> bool:
        there = curve.of(series, rounded)
        return there is not None and f.outcome.good(there.y, wanted)

    spent = (_spent_text(f, point.x) if f.outcome.cost_of(series) else
             in_few_digits(value, good, ("up",)) or short(value, 17, "up"))
    spent = spent.replace("-", "−")
    return about(spent) if point.estimated else spent


def _ahead_words(f: Frontier) -> str:
    stretches = f.stretches or ()
    if not stretches:
        return ""
    if len(stretches) > MOST_STRETCHES:
        most = dict.fromkeys(one for stretch in stretches for one in stretch.ahead)
        always = [one for one in most if all(one in stretch.ahead for stretch in stretches)]
        turns = listed(called(one) for one in most if one not in always)
        if not always:
            return phrase("Ahead by turns: {turns}.", turns=turns)
        return phrase("Ahead: {always} everywhere, by turns alike to one step: {turns}." if f.step else
                      "Ahead: {always} everywhere, by turns alike: {turns}.", always=listed(map(called, always)),
                      turns=turns)

    def at(cost: float) -> str:
        return f.measure.up(cost, f.answer.study) if f.measure else short(cost, 3)

    spent = _amounting(f, f.series[0])
    parts, before = [], 0.0
    for i, stretch in enumerate(stretches):
        if 0 < i < len(stretches) - 1 and at(stretch.end) == at(before):
            continue
        who = phrase("all") if len(stretch.ahead) == len(f.series) else listed(
            [*map(called, stretch.ahead)] or [phrase("nobody")])
        if len(stretch.ahead) > 1:
            who = phrase("{who} alike to one step" if f.step else "{who} alike", who=who)
        if stretch.end < math.inf:
            parts.append(phrase("{who} up to {spent} {number}", who=who, spent=spent, number=at(stretch.end)))
        else:
            parts.append(phrase("from there {who}" if before else "{who} everywhere", who=who))
        before = stretch.end
    return phrase("Ahead: {parts}.", parts=", ".join(parts))


def filled(values: Sequence[float], rows: int) -> Array:
    """Values with the last one repeated: a table's columns have one length."""
    return np.array([*values, *[values[-1]] * (rows - len(values))])


def _valued(point: Point, quantity: Quantity) -> str:
    """“78.24 records”, “about 0.0498”."""
    number = f"{powered(amount(point.y, quantity))}{f' {tr(quantity.unit)}' if quantity.unit else ''}"
    return about(number) if point.estimated else number


def _spent_text(f: Frontier, spent: float) -> str:
    """What is spent, rounded up."""
    return f.measure.up(spent, f.answer.study) if f.measure else up(spent)


def _amounting(f: Frontier, series: Of) -> str:
    """“ε =”, “a total ε of”, “an attacker’s success of at most”."""
    if f.measure:
        return phrase(f.measure.at_most if _bounded(f) else f.measure.words)
    quantity = spent_by(type(f.answer.study), f.outcome, series)
    return f"{quantity.symbol} =" if len(quantity.symbol) == 1 else phrase("a {label} of", label=tr(quantity.label))
