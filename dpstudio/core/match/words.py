"""The sentence about a match: what each series needs, or may have, and who cannot be matched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dpstudio import vocabulary as v
from dpstudio.core.declare import Parameter
from dpstudio.core.guarantee import Guarantee
from dpstudio.core.match.choice import By, Matched, Profile, SameGuarantee, outcomes
from dpstudio.core.needs import called, cannot_be_told, do, needs, up
from dpstudio.core.results import NOTHING, Fact, sign_of, stated
from dpstudio.core.solve.want import is_spent
from dpstudio.text.numbers import plain
from dpstudio.text.sentences import listed
from dpstudio.vocabulary import Quantity

NEGLIGIBLE = 1e-30
"""Less of a parameter that may be 0 is next to none of it."""


def told(by: By, reference: Matched, others: Sequence[Matched], parameter: Parameter, *,
         moves: bool | None) -> str:
    """One sentence about all of them; `moves` says whether the parameter makes a difference to the reference, None
    where it makes one at its ends alone.
    """
    fact, symbol = reference.fact, parameter.quantity.symbol
    assert fact is not None
    spent = is_spent(fact)
    if isinstance(by, SameGuarantee):
        parts = [_guarantee(reference, others)]
    elif moves and not spent and abs(fact.value) < NOTHING:
        return cannot_be_told(by.label, reference.series)
    else:
        few = [one.series for one in others if one.moved and negligible(one, parameter)]
        rest = [one for one in others if one.moved and one.series not in few]
        apart = [] if isinstance(by, Profile) else [one for one in rest if _is_apart(one, reference)]
        like = isinstance(by, Profile) or reference.keeps_delta()
        parts = [_needs(by.label, reference, fact, [one for one in rest if one not in apart], symbol, moves=moves,
                        like=like), *(_apart_told(one, reference, symbol) for one in apart)]
        if few:
            verb = f"{listed(map(called, few))} may have" if spent else do(few, "needs", "need")
            parts.append(f"{verb} next to no {symbol}: less than {plain(NEGLIGIBLE)}.")
    for near, where in ((False, f"every {symbol}"), (True, f"any {symbol} near {reference.said}")):
        if always := [one.series for one in others if one.everywhere and one.nearby == near]:
            parts.append(f"{do(always, 'is', 'are')} as {'private' if spent else 'good'} at {where}.")
    if never := "; ".join(_never(others, symbol, by)):
        parts.append(f"{never}.")
    return " ".join(parts)


def _needs(label: str, reference: Matched, fact: Fact, met: Sequence[Matched], symbol: str, *,
           moves: bool | None, like: bool) -> str:
    """What the reference and those need who are compared with it; `like`: its guarantee is of the study's δ."""
    about = {"≤": "at most ", "≥": "at least ", "≈": "about "}.get(sign_of(fact), "")
    unit = fact.quantity.unit
    value = f"{about}{stated(fact)}{f' {unit}' if unit and unit not in label else ''}"
    head, name = f"For the same {label} of {value}", called(reference.series)
    numbers = [(called(one.series), one.said) for one in met]
    if moves and like:
        numbers = [(name, reference.said), *numbers]
    else:
        whatever = f"whatever {symbol} is" if moves is False else f"for any {symbol} near {reference.said}"
        at = f"at {symbol} = {reference.said}, promising nothing"
        if moves and (promised := reference.guarantee()):
            at = f"at {_spending(promised)}"
        if not met:
            return f"{name} has {label} {value} {at}." if moves else f"{name} has {label} {value}, {whatever}."
        head = f"{head}, which {name} has {at if moves else whatever},"
    return f"{needs(head, 'has' if not met else 'may have' if is_spent(fact) else 'needs', f'{symbol} =', numbers)}."


def _is_apart(one: Matched, reference: Matched) -> bool:
    """Whether it matches by spending another δ, promising nothing or protecting another unit."""
    return _other_unit(one.guarantee(), reference.guarantee()) or not one.keeps_delta()


def _other_unit(promised: Guarantee | None, own: Guarantee | None) -> bool:
    return promised is not None and own is not None and promised.relation != own.relation


def _spending(promised: Guarantee) -> str:
    """“ε = 0.0588 and δ = 0.0572”, rounded up."""
    return f"ε = {up(promised.epsilon)} and δ = {up(promised.delta)}"


def _apart_told(one: Matched, reference: Matched, symbol: str) -> str:
    """What one that is not compared would need: “Cutoff would need ε = 0.0588 and δ = 0.0572.”"""
    promised, name = one.guarantee(), called(one.series)
    if promised is None:
        return f"{name} would need {symbol} = {one.said}, and promises nothing."
    if _other_unit(promised, reference.guarantee()):
        return f"{name} protects {promised.relation.unit}, and is not compared."
    if promised.epsilon == one.handy.get("epsilon"):
        return f"{name} would need ε = {one.said} and δ = {up(promised.delta)}."
    return f"{name} would need {symbol} = {one.said}, and spends {_spending(promised)}."


def negligible(one: Matched, parameter: Parameter) -> bool:
    """Whether what a series matches with is next to nothing of a parameter that may be 0."""
    value = one.values.get(parameter.name)
    return isinstance(value, float) and abs(value) < NEGLIGIBLE and parameter.domain.accept(0.0) is not None


def _guarantee(reference: Matched, others: Sequence[Matched]) -> str:
    """What each comes to with the same ε and δ."""
    answer = reference.study.answer()
    epsilon, delta = (answer.fact(each, reference.series) for each in (v.GUARANTEE_EPSILON, v.GUARANTEE_DELTA))
    assert epsilon is not None
    assert delta is not None
    head = f"With ε = {stated(epsilon)} and δ = {stated(delta)}, as of {called(reference.series)}"
    met = [one for one in others if one.met]
    quantity = _outcome(reference)
    if quantity is None:
        return f"{head}: {listed(called(one.series) for one in met)}." if met else f"{head}, there is no other."
    found = [f"{stated(fact)} of {called(one.series)}" for one in (reference, *met)
             if (quantity.key, one.series.key) in answer.index()
             and (fact := one.study.answer().fact(quantity, one.series))]
    return f"{head}, {quantity.label}: {listed(found)}."


def _outcome(reference: Matched) -> Quantity | None:
    """What a person would look at first: the study's outcome or, where none is declared, its first error."""
    answer, key = reference.study.answer(), reference.series.key
    index = answer.index()
    errors = (one.quantity for (_, of), one in index.items() if of == key and one.group == "errors"
              and not one.simulated)
    found = (*outcomes(type(reference.study)), *errors)
    return next((each for each in found if (each.key, key) in index and answer.fact(each, key)), None)


def _never(others: Sequence[Matched], symbol: str, by: By) -> Iterator[str]:
    """Who cannot be matched, and what comes nearest."""
    for one in (other for other in others if not other.met):
        name = called(one.series)
        if one.fact is None:
            yield f"{name} has none"
        elif isinstance(by, SameGuarantee):
            yield f"{name} has δ = {stated(one.fact)}"
        elif one.flat:
            yield f"{name} has {stated(one.fact)} whatever {symbol} is"
        else:
            yield f"{name} does not reach it: nearest is {stated(one.fact)} at {symbol} = {one.said}"
