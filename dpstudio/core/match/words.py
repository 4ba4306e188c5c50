"""The sentence about a match: what each series needs, or may have, and who cannot be matched."""

from __future__ import annotations

from collections.abc import Sequence

from dpstudio.core.declare import Parameter
from dpstudio.core.guarantee import Guarantee
from dpstudio.core.match.choice import SPENT, Match, Matched, Profile, SameGuarantee, outcomes
from dpstudio.core.results import NOTHING, Fact, Series, sign_of, stated
from dpstudio.core.solve.want import is_spent
from dpstudio.text.numbers import plain, short
from dpstudio.text.sentences import begun, listed
from dpstudio.vocabulary import Quantity

NEGLIGIBLE = 1e-30
"""Less of a parameter that may be 0 is next to none of it."""


def told(by: Match, reference: Matched, others: Sequence[Matched], parameter: Parameter, *, moves: bool) -> str:
    """One sentence about all of them; `moves` says whether the parameter makes a difference to the reference."""
    assert reference.fact is not None
    symbol = parameter.quantity.symbol
    if isinstance(by, SameGuarantee):
        first = _guarantee(reference, others)
    elif moves and not is_spent(reference.fact) and abs(reference.fact.value) < NOTHING:
        return (f"{begun(by.label)} of {_name(reference.series)} is 0, or too small for any number: what has the same "
                f"cannot be told.")
    else:
        few = [one for one in others if one.met and not one.everywhere and negligible(one, parameter)]
        rest = [one for one in others if one not in few]
        apart = _apart(by, reference, rest)
        first = _needs(by.label, reference, reference.fact, [one for one in rest if one not in apart], symbol,
                       moves=moves, like=isinstance(by, Profile) or reference.keeps_delta())
        first = " ".join((first, *(_apart_told(one, reference, symbol) for one in apart)))
        first += f" {_scarcely(few, symbol, reference.fact)}" if few else ""
    parts = (first, _always(others, symbol, reference.fact), _never(others, symbol, by))
    return " ".join(part for part in parts if part)


def _name(series: Series) -> str:
    """Its label; in quotes where it has a comma of its own."""
    return f"“{series.label}”" if "," in series.label else series.label


def _needs(label: str, reference: Matched, fact: Fact, others: Sequence[Matched], symbol: str, *, moves: bool,
           like: bool) -> str:
    """What the reference and those need who are compared with it; `like`: its guarantee is of the study's δ."""
    met = [one for one in others if one.met and not one.everywhere]
    about = {"≤": "at most ", "≥": "at least ", "≈": "about "}.get(sign_of(fact), "")
    unit = fact.quantity.unit
    value = f"{about}{stated(fact)}{f' {unit}' if unit and unit not in label else ''}"
    head, name = f"For the same {label} of {value}", _name(reference.series)
    numbers = [(_name(one.series), one.said) for one in met]
    if moves and like:
        numbers = [(name, reference.said), *numbers]
    elif moves:
        promised = reference.guarantee()
        at = _spending(promised) if promised else f"{symbol} = {reference.said}, promising nothing"
        if not met:
            return f"{name} has {label} {value} at {at}."
        head = f"{head}, which {name} has at {at},"
    elif not met:
        return f"{name} has {label} {value}, whatever {symbol} is."
    else:
        head = f"{head}, which {name} has whatever {symbol} is,"
    verb = "has" if not met else "may have" if is_spent(fact) else "needs"
    (who, number), *rest = numbers
    return f"{head} {listed([f'{who} {verb} {symbol} = {number}', *(f'{one} {its}' for one, its in rest)])}."


def _apart(by: Match, reference: Matched, others: Sequence[Matched]) -> list[Matched]:
    """Who matches by spending another δ, promising nothing or protecting another unit; of a profile nobody."""
    own = reference.guarantee()
    return [] if isinstance(by, Profile) else [
        one for one in others if one.met and not one.everywhere
        and (_other_unit(one.guarantee(), own) or not one.keeps_delta())]


def _other_unit(promised: Guarantee | None, own: Guarantee | None) -> bool:
    return promised is not None and own is not None and promised.relation != own.relation


def _spending(promised: Guarantee) -> str:
    """“ε = 0.0588 and δ = 0.0572”, rounded up."""
    epsilon, delta = (short(each, 3, "up").replace("-", "−") for each in (promised.epsilon, promised.delta))
    return f"ε = {epsilon} and δ = {delta}"


def _apart_told(one: Matched, reference: Matched, symbol: str) -> str:
    """What one that is not compared would need: “Cutoff would need ε = 0.0588 and δ = 0.0572.”"""
    promised, name = one.guarantee(), _name(one.series)
    if promised is None:
        return f"{name} would need {symbol} = {one.said}, and promises nothing."
    if _other_unit(promised, reference.guarantee()):
        return f"{name} protects {promised.relation.unit}, and is not compared."
    if promised.epsilon == one.handy.get("epsilon"):
        return f"{name} would need ε = {one.said} and δ = {short(promised.delta, 3, 'up').replace('-', '−')}."
    return f"{name} would need {symbol} = {one.said}, and spends {_spending(promised)}."


def negligible(one: Matched, parameter: Parameter) -> bool:
    """Whether what a series matches with is next to nothing of a parameter that may be 0."""
    value = one.values.get(parameter.name)
    return isinstance(value, float) and abs(value) < NEGLIGIBLE and parameter.domain.accept(0.0) is not None


def _scarcely(few: Sequence[Matched], symbol: str, fact: Fact) -> str:
    names, least = listed(_name(one.series) for one in few), plain(NEGLIGIBLE)
    if is_spent(fact):
        return f"{names} may have next to no {symbol}: less than {least}."
    return f"{names} {'needs' if len(few) == 1 else 'need'} next to no {symbol}: less than {least}."


def _guarantee(reference: Matched, others: Sequence[Matched]) -> str:
    """What each comes to with the same ε and δ."""
    answer = reference.study.answer()
    epsilon, delta = (answer.fact(each, reference.series) for each in SPENT)
    assert epsilon is not None
    assert delta is not None
    head = f"With ε = {stated(epsilon)} and δ = {stated(delta)}, as of {_name(reference.series)}"
    met = [one for one in others if one.met]
    quantity = _outcome(reference)
    if quantity is None:
        return f"{head}: {listed(_name(one.series) for one in met)}." if met else f"{head}, there is no other."
    found = [f"{stated(fact)} of {_name(one.series)}" for one in (reference, *met)
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


def _always(others: Sequence[Matched], symbol: str, fact: Fact) -> str:
    names = [_name(one.series) for one in others if one.everywhere]
    if not names:
        return ""
    how = "private" if is_spent(fact) else "good"
    return f"{listed(names)} {'is' if len(names) == 1 else 'are'} as {how} at every {symbol}."


def _never(others: Sequence[Matched], symbol: str, by: Match) -> str:
    """Who cannot be matched, and what comes nearest."""
    found = []
    for one in (other for other in others if not other.met):
        name = _name(one.series)
        if one.fact is None:
            found.append(f"{name} has none")
        elif isinstance(by, SameGuarantee):
            found.append(f"{name} has δ = {stated(one.fact)}")
        elif one.flat:
            found.append(f"{name} has {stated(one.fact)} whatever {symbol} is")
        else:
            found.append(f"{name} does not reach it: nearest is {stated(one.fact)} at {symbol} = {one.said}")
    return f"{'; '.join(found)}." if found else ""
