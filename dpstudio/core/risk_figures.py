"""The risk of every study as pictures: guesses as small people, shares found, beliefs, success against ε.

Each is beside the study's own pictures, of everything that is compared, and shows nothing while nobody is feared.
Beliefs stand below the caps of a risk profile, where one is set.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core import attack
from dpstudio.core.answer import Answer
from dpstudio.core.attacker import ATTRIBUTE, MEMBERSHIP, NOBODY, before, guessed
from dpstudio.core.caps import caps_of, kept_of, summary
from dpstudio.core.declare import Array
from dpstudio.core.facts import Steps, Tabled, table
from dpstudio.core.figure import EACH, Axis, Dots, Figure, Guesses, Layer, Level, Line, Mark
from dpstudio.core.frontier.curves import Curves, Of, Outcome, curves
from dpstudio.core.frontier.figure import filled, shown_of, spent_by
from dpstudio.core.odds import updated
from dpstudio.core.results import Column, Series, Span, Table
from dpstudio.core.risk import Risk, at_least, at_most, common_loss, many_of
from dpstudio.core.slow import NotYet
from dpstudio.text.numbers import fixed

PEOPLE, FOUND, BELIEF, SUCCESS = "risk_people", "risk_found", "risk_profile", "risk_success"
PANEL = "risk"
DRAWN = 10_000
"""People of one picture: of more guesses it shows so many."""
EMPTY = "Say whom you fear, under Attacker: of nobody, and of what promises nothing, there is no risk to be shown"

X_ALPHA, X_PRIOR = Column(v.FALSE_ALARMS), Column(v.RISK_PRIOR)
ALPHAS: Span = (1e-6, 1.0)
LEAST_ALPHA, POINTS = 1e-15, 161
PRIORS = 121
LEAST_PRIOR, MOST_PRIOR = 1e-3, 0.999
"""The beliefs that are shown, where no cap lies beyond."""
EACH_EPSILON = v.variant(v.EPSILON, key="release_epsilon", label="privacy loss ε of each release")
CAPPED = (Column(v.variant(v.RISK_PRIOR, key="capped_before")),
          Column(v.variant(v.RISK_BELIEF, key="capped_after", label="caps on belief")))


def figures(kind: type[Any]) -> tuple[Figure, ...]:
    """The pictures of risk of a study: level two, in a place of their own; none where nothing is released."""
    if not kind.answers().promises():
        return ()
    series: tuple[Series | None, ...] = (None,) if kind.answers().one_release() else (EACH,)
    found = [
        Figure(PEOPLE, "Whom the attacker guesses right", PEOPLE, Axis(v.GUESSES), Axis(v.RISK_SUCCESS, low=0, high=1),
               tuple(Guesses(*_counted(one)) for one in series), panel=PANEL,
               caption="Each small person is a guess of the attacker whom you fear.", told=_told, empty=EMPTY),
        Figure(FOUND, "Found and falsely accused", FOUND, Axis(v.FALSE_ALARMS, "log", floor=LEAST_ALPHA),
               Axis(v.RISK_FOUND, "log", high=1, floor=LEAST_ALPHA),
               (*_lines(X_ALPHA, v.RISK_FOUND, series), Line(X_ALPHA, Column(v.RISK_FOUND_GUESSING), role="other"),
                Mark("false_alarms", draggable=True)), panel=PANEL,
               caption="The most found of those of whom it is true, by the share falsely accused. Thin: guessing.",
               empty=EMPTY),
        Figure(BELIEF, "Belief before and after", BELIEF,
               Axis(v.RISK_PRIOR, "log", floor=LEAST_ALPHA), Axis(v.RISK_USUAL, "log", high=1, floor=LEAST_ALPHA),
               (*_lines(X_PRIOR, v.RISK_USUAL, series, thin=v.RISK_BELIEF),
                Line(X_PRIOR, Column(v.RISK_PRIOR_KEPT), role="other"), Dots(*CAPPED, moves="profile"),
                *(Mark(f"{name}_prior", draggable=True, when=("attacker", of))
                  for name, of in (("presence", MEMBERSHIP), ("attribute", ATTRIBUTE)))), panel=PANEL,
               caption="How far 95 % of answers, and at worst any (thin), move a belief in what is true. Dots: caps.",
               told=summary, empty=EMPTY)]
    if (outcome := _outcome(kind, kind.answers())) is not None:  # type: ignore[arg-type]  # mypy compares the hash
        found.append(_success_figure(kind, outcome))
    return tuple(found)


def tables(kind: type[Any], answers: type[Answer[Any, Any, Any]]) -> dict[str, Tabled[Any, Any]]:
    """The table behind each, computed where somebody looks at it."""
    if not answers.promises():
        return {}
    found: dict[str, Tabled[Any, Any]] = {
        PEOPLE: table(_people, (1.0, float(DRAWN)), aside=True), FOUND: table(_found, ALPHAS, aside=True),
        BELIEF: table(_believed, _priors, aside=True)}
    if (outcome := _outcome(kind, answers)) is not None:  # type: ignore[arg-type]
        def work(a: Answer[Any, Any, Any]) -> Steps:
            for each in _curves(outcome, a):
                yield from each.work()

        found[SUCCESS] = table(lambda a, _: _succeeded(outcome, a), lambda a: shown_of(outcome, a), slow=work,
                               later=lambda a, _: _succeeded(outcome, a).columns, aside=True)
    return found


def foremost(a: Answer[Any, Any, Any], among: Sequence[Series]) -> Series | None:
    """The one of some series that stands for all: what was decided for, else what is suggested, else the first."""
    wanted = [a.decided]
    with suppress(NotYet):  # what is suggested may take longer than anybody waits
        wanted.append(a.suggested)
    return next((each for each in wanted if each in among), among[0] if among else None)


def _released(a: Answer[Any, Any, Any]) -> tuple[Of, ...]:
    """Each thing that is released, by itself."""
    return (None,) if a.one_release() else tuple(a.ones)


def _risks(a: Answer[Any, Any, Any]) -> dict[Of, Risk]:
    """What the attacker gains from each thing that promises something."""
    return {one: risk for one in _released(a) if (risk := a.faced(one)) is not None}


def _lines(x: Column, y: v.Quantity, series: Sequence[Series | None], thin: v.Quantity | None = None
           ) -> tuple[Line, ...]:
    thick = tuple(Line(x, Column(y, one)) for one in series)
    return thick if thin is None else (*thick, *(Line(x, Column(thin, one), "other") for one in series))


# Guesses as people

def _counted(series: Of) -> tuple[Column, Column, Column]:
    """Of so many guesses those right without a release, and with it."""
    return Column(v.GUESSES, series), Column(v.GUESSED_WITHOUT, series), Column(v.GUESSED_WITH, series)


def _people(a: Answer[Any, Any, Any], _: Span) -> Table:
    """Of so many guesses those right without a release, rounded down, and with each, rounded up.

    Ten thousand, or as many as the gain of a release takes to show in two digits.
    """
    risks = _risks(a)
    if not risks:
        return Table({Column(v.GUESSES): np.array([float(DRAWN)])})
    prior = before(a.study)
    columns: dict[Column, float] = {Column(v.RISK_BEFORE): prior}
    for one in risks:
        share = a.value(v.RISK_SUCCESS, one)
        many = many_of(share - prior)
        without = at_least(prior, many)
        counts = many, without, max(at_most(share, many), without)  # of 10¹² their own rounding is one
        columns |= {Column(v.RISK_SUCCESS, one): share, **dict(zip(_counted(one), counts, strict=True))}
    return Table({column: np.array([float(value)]) for column, value in columns.items()})


def _told(a: Answer[Any, Any, Any]) -> str:
    """The numbers of the picture, in words."""
    risks, made = _risks(a), a.table(PEOPLE)
    assert made is not None
    if not risks:
        return ""
    first = foremost(a, [one for one in risks if one]) if None not in risks else None

    def said(series: Of) -> tuple[str, str, str]:
        guesses, without, right = (fixed(float(made[column][0]), 0) for column in _counted(series))
        return guesses, without, "no more" if right == without else f"at most {right}"

    guesses, without, right = said(first)
    which = f" ({first.label})" if first else ""
    words = [f"Of {guesses} guesses {guessed(a.study, risks[first].promised.relation)}, {without} "
             f"{'is' if without == '1' else 'are'} right without this release and {right} with it{which}."]
    others = [(one.label, said(one)) for one in risks if one and one != first]
    if others:
        words.append("With the others: " + ", ".join(
            f"{label} {most}{'' if many == guesses else f' of {many}'}" for label, (many, _, most) in others) + ".")
    return " ".join(words)


# Shares found, and beliefs

def _found(a: Answer[Any, Any, Any], view: Span) -> Table:
    """g(α) = 1 − T(α) of each: found at most of those of whom it is true, at false accusations α."""
    low = min(max(view[0], LEAST_ALPHA), 0.5)
    alpha = np.geomspace(low, min(max(view[1], 2 * low), 1.0), POINTS)
    risks = _risks(a)
    columns = {X_ALPHA: alpha}
    for one, risk in risks.items():
        power = np.clip(np.asarray(attack.success(risk.two_values[0], np.minimum(alpha, 1 - 1e-12))), 0.0, 1.0)
        columns[Column(v.RISK_FOUND, one)] = np.where(alpha < 1, power, 1.0)
    return Table({**columns, **({Column(v.RISK_FOUND_GUESSING): alpha} if risks else {})})


def _capped(a: Answer[Any, Any, Any]) -> dict[Of, Risk]:
    """What caps are on where nobody is feared."""
    return {one: Risk(kept.attacker, kept.promised) for one in _released(a) if (kept := kept_of(a, one)) is not None}


def _priors(a: Answer[Any, Any, Any]) -> Span:
    """The beliefs that are shown: the usual ones, and those of the caps."""
    priors = [cap.prior for cap in caps_of(a.study)]
    return (min((LEAST_PRIOR, *(prior / 2 for prior in priors))),
            max((MOST_PRIOR, *((1 + prior) / 2 for prior in priors))))


def _believed(a: Answer[Any, Any, Any], view: Span) -> Table:
    """The belief in what is true after 95 % of answers, and after any, by the belief before.

    Of a risk profile with an exception, after all answers but that part of them. The caps stand in the first rows.
    """
    risks = _risks(a) or _capped(a)
    low = min(max(view[0], LEAST_ALPHA), 0.5)
    prior = np.geomspace(low, min(max(view[1], 2 * low), MOST_PRIOR), PRIORS)
    columns = {X_PRIOR: prior}
    for one, risk in risks.items():
        kept = kept_of(a, one)
        columns[Column(v.RISK_USUAL, one)] = np.asarray(updated(prior, common_loss(risk.two_values[0])))
        columns[Column(v.RISK_BELIEF, one)] = np.array([
            kept.belief(float(each)) if kept else risk.at_worst(float(each)) for each in prior])
    caps = caps_of(a.study)
    if risks and caps:
        for column, values in zip(CAPPED, zip(*((cap.prior, cap.most) for cap in caps), strict=True), strict=True):
            columns[column] = filled(values, PRIORS)
    return Table({**columns, **({Column(v.RISK_PRIOR_KEPT): prior} if risks else {})})


# Success against ε

_AGAINST = "Right guesses against {}"


@cache
def _outcome(kind: type[Any], answers: type[Answer[Any, Any, Any]]) -> Outcome | None:
    """The success as it follows what the study's first outcome sweeps; None where nothing is swept."""
    if not kind.outcomes:
        return None
    first: Outcome = kind.outcomes[0]
    own = isinstance(first.over, Mapping)  # where each has parameters of its own, they compare at what they spend
    # What other parameters are given along the curves may make some alike, or other than they are here.
    series = (None,) if answers.one_release() else first.series if first.given or own else answers.series()
    return Outcome(
        v.RISK_SUCCESS, _AGAINST.format("ε"),
        "The share of guesses that are right at most, all else held. Level: without this release.",
        over=first.over, cost=first.cost if own else None, given=first.given, alike=first.alike,
        series=series, span=first.span if own else None, per=first.per if own else "", scale="linear")


def _success_figure(kind: type[Any], outcome: Outcome) -> Figure:
    series = (EACH,) if outcome.series == kind.answers().series() else outcome.series
    swept = _swept(kind, outcome, series[0])
    layers: list[Layer] = [Line(_x(kind, outcome, one), Column(v.RISK_SUCCESS, one)) for one in series]
    layers.append(Level(v.RISK_BEFORE))
    layers += [Mark(outcome.over[0], draggable=True)] if isinstance(outcome.over, tuple) else []
    title = outcome.title if "ε" in swept.symbol else _AGAINST.format(swept.symbol)
    return Figure(SUCCESS, title, SUCCESS, Axis(swept, "log"), Axis(v.RISK_SUCCESS), tuple(layers),
                  panel=PANEL, caption=outcome.caption, empty=EMPTY)


def _swept(kind: type[Any], outcome: Outcome, one: Of) -> v.Quantity:
    """What lies on the x axis: of many releases together the ε of each is not what they spend."""
    quantity = spent_by(kind, outcome, one)
    return EACH_EPSILON if kind.several and quantity == v.EPSILON else quantity


def _x(kind: type[Any], outcome: Outcome, one: Of) -> Column:
    return Column(_swept(kind, outcome, one), one if outcome.cost else None)


def _curves(outcome: Outcome, a: Answer[Any, Any, Any]) -> tuple[Curves, ...]:
    """The curves of all; none while nobody is feared."""
    return () if a.study.attacker == NOBODY else curves(outcome, a.study, outcome.series)


def _succeeded(outcome: Outcome, a: Answer[Any, Any, Any]) -> Table:
    """The success of each along its parameter."""
    kind = type(a.study)
    found = {one: points for each in _curves(outcome, a) for one in each.series
             if (points := each.drawn(one, shown_of(outcome, a)))}
    if not found:
        low, high = shown_of(outcome, a)
        return Table({_x(kind, outcome, outcome.series[0]): np.array([low, high])})
    rows = max(map(len, found.values()))
    return Table(dict(_success_columns(kind, outcome, found, rows)))


def _success_columns(kind: type[Any], outcome: Outcome, found: Mapping[Of, Sequence[Any]], rows: int
                     ) -> Iterator[tuple[Column, Array]]:
    for one, points in found.items():
        yield _x(kind, outcome, one), filled([point.x for point in points], rows)
        yield Column(v.RISK_SUCCESS, one), filled([point.y for point in points], rows)
