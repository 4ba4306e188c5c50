"""A plan of several releases as a script of OpenDP: each with its own noise, and OpenDP’s composition of them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import field
from typing import Any, NamedTuple

from dpstudio.core.answer import Answer
from dpstudio.core.declare import InvalidParameter
from dpstudio.documents.code.plan import Function, Release, one_of
from dpstudio.documents.code.script import Script
from dpstudio.records import dataclass

HAS_NOISE = ("count", "sum", "mean", "table", "decision")
"""Kinds of releases that are a number, or numbers, with noise."""
MOST_TIMES = 10_000
"""So many releases are composed there at most."""
RELEASE = Function("release", "number, answer", "The exact answer of one release, by its number, with its noise; of a "
                   "table a list of counts.", ("return RELEASES[number][0]({number: answer})",))


class ComposedPart(NamedTuple):
    """One release: its number in the plan, its name, its noise, how far one person moves it, and how often."""

    number: int
    name: str
    whole: bool
    gaussian: bool
    several: bool
    scale: float
    moves: float
    times: int


@dataclass(frozen=True)
class Composed(Release):
    """Several releases with noise, each by itself."""

    parts: tuple[ComposedPart, ...] = field(kw_only=True)


def composed(a: Answer[Any, Any, Any], series: str) -> Composed:
    """The releases of a plan; raises InvalidParameter where one is no number with noise."""
    one, study = one_of(a, series), a.study
    wanted = one.asked.plan.wanted
    odd = [each for each in wanted if each.kind not in HAS_NOISE]
    if odd or not wanted or one.asked.plan.before.epsilons:
        raise InvalidParameter("releases", f"of the kinds {', '.join(HAS_NOISE)} for a script of OpenDP",
                               odd[0].kind if odd else "spent" if wanted else "none")
    if (times := sum(each.release.times for each in wanted)) > MOST_TIMES:
        raise InvalidParameter("releases", f"{MOST_TIMES} at most, with their times, for a script of OpenDP", times)
    promised = a.guarantee(series)
    if promised is None:
        raise InvalidParameter("releases", "some that promise an ε at these settings", study.releases)
    parts = tuple(_part(each, noise, float(strength)) for each, noise, strength in zip(
        wanted, one.noises, one.strengths, strict=True))
    says = ["Each release is made by calling release() with its number and its exact answer, as often as planned, or "
            "all by release_all(); a sum or a mean must be of values that were clamped before, a mean be divided by "
            "the public number of people.",
            "OpenDP takes from this script how far one person moves each answer: hence “honest-but-curious”.",
            "It adds up every ε, or ρ: a true bound, never below the exact total that DP Studio states."]
    if any(each.release.group for each in wanted):
        says.append("Groups that share nobody are added up, too: for one person the dearest of them counts.")
    if any(each.kind == "decision" for each in wanted):
        says.append("A yes or no is a noisy count compared with its minimum; that comparison spends nothing more.")
    first = parts[0]
    answer = [100 if first.whole else 100.0] * 3 if first.several else 100 if first.whole else 100.0
    return Composed(promised.epsilon, promised.delta, (RELEASE,), says=tuple(says), of="of the whole plan",
                    spends="All releases of the plan, each made as often as planned, spend the guarantee once.",
                    example=(f"print(release({first.number}, {answer!r}))  # your exact answers in its place",),
                    parts=parts)


def _part(wanted: Any, noise: str, strength: float) -> ComposedPart:
    table = wanted.kind == "table"
    moves = 1.0 if wanted.kind == "decision" else wanted.moves(gaussian=noise == "gaussian")
    whole = noise == "geometric"
    return ComposedPart(wanted.place, wanted.name, whole, noise == "gaussian", table, moves / strength, moves,
                wanted.release.times)


def script(plan: Composed) -> Script:
    """The plan in Python: releases by number with how often each is made, and what they compose to."""
    pure, bell = ([part.number for part in plan.parts if part.gaussian == gaussian] for gaussian in (False, True))
    both = bool(pure and bell)
    sentence = "All releases of the plan at once, of exact answers by number: each as often as planned"
    at_once = Function("release_all", "answers", f"{sentence}, those with Gaussian noise last." if both else
                       f"{sentence}.", ("return [one for part in whole(answers) for one in part]" if both else
                                        "return whole(answers)",))
    account = ("ε and δ of the whole plan, as OpenDP accounts for its releases.",
               "return whole.map(1)" if bell else "return whole.map(1), 0.0")
    return Script(plan, ("import opendp.prelude as dp", "", 'dp.enable_features("contrib", "honest-but-curious")'),
                  (*_made(plan), "", *_composition(pure, bell)), account, functions=(*plan.functions, at_once))


def _made(plan: Composed) -> Iterator[str]:
    yield 'ANSWERS = dp.user_domain("exact answers by number", lambda answers: isinstance(answers, dict))'
    yield 'PERSONS = dp.user_distance("persons by whom the data differ")'
    yield ""
    yield ""
    yield "def noisy(make, number, domain, metric, scale, moves):"
    yield '    """The answer of this number, which one person moves so far, with noise."""'
    yield "    answer = dp.t.make_user_transformation("
    yield "        ANSWERS, PERSONS, domain, metric, lambda answers: answers[number], lambda persons: persons * moves)"
    yield "    return answer >> make(domain, metric, scale=scale)"
    yield ""
    yield ""
    yield "# By number: the release, and how often it is made."
    yield "RELEASES = {"
    for part in plan.parts:
        atom = 'dp.atom_domain(T="i64")' if part.whole else "dp.atom_domain(T=float, nan=False)"
        number = '"i64"' if part.whole else "float"
        space = (f"dp.vector_domain({atom}), dp.l{2 if part.gaussian else 1}_distance(T={number})" if part.several else
                 f"{atom}, dp.absolute_distance(T={number})")
        maker = "make_gaussian" if part.gaussian else "make_laplace"
        moves = math.ceil(part.moves) if part.whole else part.moves
        yield f"    # {part.name}"
        yield f"    {part.number}: (noisy(dp.m.{maker}, {part.number}, {space},"
        yield f"              scale={part.scale!r}, moves={moves!r}), {part.times}),"
    yield "}"


def _composition(pure: list[int], bell: list[int]) -> Iterator[str]:
    listed = "[one for one, times in map(RELEASES.get, {}) for _ in range(times)]"
    for name, numbers in (("pure", pure), ("bell", bell)):
        if numbers:
            yield f"{name} = dp.c.make_composition({listed.format(numbers)})"
    if bell:
        yield "bell = dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(bell), DELTA)"
    yield ("whole = dp.c.make_composition([dp.c.make_approximate(pure), bell])" if pure and bell else
           f"whole = {'bell' if bell else 'pure'}")
