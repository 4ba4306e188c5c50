"""A plan of several releases as a script of OpenDP: each with its own noise, and what OpenDP adds up."""

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
RELEASE = Function("release", "number, answer", "The exact answer of one release, by its number, with its noise; of a "
                   "table a list of counts.", ("return NOISES[number][0](answer)",))


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
    promised = a.guarantee(series)
    if promised is None:
        raise InvalidParameter("releases", "some that promise an ε at these settings", study.releases)
    parts = tuple(_part(each, noise, float(strength)) for each, noise, strength in zip(
        wanted, one.noises, one.strengths, strict=True))
    says = ["Each release is made by calling release() with its number and its exact answer, as often as planned; a "
            "sum or a mean must be of values that were clamped before, a mean be divided by the public number of "
            "people.",
            "OpenDP adds up every ε, or ρ: a true bound, never below the exact total that DP Studio states."]
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
    """The plan in Python: a noise for each release by its number, with how far one person moves it and how often."""
    account = ("ε and δ of the whole plan, as OpenDP accounts for its parts.", *_account(plan))
    return Script(plan, ("import math", "", "import opendp.prelude as dp", "", 'dp.enable_features("contrib")'),
                  tuple(_made(plan)), account)


def _made(plan: Composed) -> Iterator[str]:
    yield "# By number: the noise, how far one person moves the answer, and how often it is released."
    yield "NOISES = {"
    for part in plan.parts:
        atom = 'dp.atom_domain(T="i64")' if part.whole else "dp.atom_domain(T=float, nan=False)"
        number = '"i64"' if part.whole else "float"
        space = (f"dp.vector_domain({atom}), dp.l{2 if part.gaussian else 1}_distance(T={number})" if part.several else
                 f"{atom}, dp.absolute_distance(T={number})")
        maker = "make_gaussian" if part.gaussian else "make_laplace"
        moves = math.ceil(part.moves) if part.whole else part.moves
        yield f"    # {part.name}"
        yield f"    {part.number}: (dp.m.{maker}({space}, scale={part.scale!r}), {moves!r}, {part.times}),"
    yield "}"


def _account(plan: Composed) -> Iterator[str]:
    pure = [part.number for part in plan.parts if not part.gaussian]
    bell = [part.number for part in plan.parts if part.gaussian]
    total = "sum(times * noise.map(moves) for noise, moves, times in map(NOISES.get, {}))"
    yield f"epsilon = {total.format(pure) if pure else '0.0'}"
    if not bell:
        yield "return epsilon, 0.0"
        return
    yield f"rho = {total.format(bell)}"
    yield "# One Gaussian release of the same ρ."
    yield "one = dp.m.make_gaussian(dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float),"
    yield "                          scale=1 / math.sqrt(2 * rho))"
    yield "found, delta = dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(one), DELTA).map(1.0)"
    yield "return epsilon + found, delta"
