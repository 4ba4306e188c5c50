"""The sentence about a match: what each series needs, or may have, and who cannot be matched."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from dpstudio import vocabulary as v
from dpstudio.core.declare import Parameter
from dpstudio.core.guarantee import Guarantee
from dpstudio.core.match.choice import By, Matched, Profile, SameGuarantee, outcomes, promised_fact
from dpstudio.core.needs import about, called, cannot_be_told, needs, said_of, up
from dpstudio.core.results import NOTHING, Fact, Series, sign_of, stated
from dpstudio.core.solve.want import is_spent
from dpstudio.text.language import phrase, tr
from dpstudio.text.numbers import plain
from dpstudio.text.sentences import listed, no_less_than, no_more_than
from dpstudio.vocabulary import Quantity

NEGLIGIBLE = 1e-30
"""Less of a parameter that may be 0 is next to none of it."""
_KNOWN: Mapping[str, Callable[[str], str]] = {"": str, "≤": no_more_than, "≥": no_less_than, "≈": about}
"""What is said of a number that is exact, a bound or an estimate."""


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
            parts.append(_negligible_told(few, spent, symbol))
    for near, where in ((False, phrase("every {symbol}", symbol=symbol)), (True, _near(reference, symbol))):
        if always := [one.series for one in others if one.everywhere and one.nearby == near]:
            parts.append(said_of(always, "{who} is as private at {where}.", "{who} are as private at {where}.",
                                 where=where) if spent else
                         said_of(always, "{who} is as good at {where}.", "{who} are as good at {where}.", where=where))
    if never := "; ".join(_never(others, symbol, by)):
        parts.append(f"{never}.")
    return " ".join(parts)


def _negligible_told(few: Sequence[Series], spent: bool, symbol: str) -> str:
    """“Cutoff needs next to no ε: less than 1e-30.”"""
    number = plain(NEGLIGIBLE)
    if spent:
        return phrase("{who} may have next to no {symbol}: less than {number}.", who=listed(map(called, few)),
                      symbol=symbol, number=number)
    return said_of(few, "{who} needs next to no {symbol}: less than {number}.",
                   "{who} need next to no {symbol}: less than {number}.", symbol=symbol, number=number)


def _near(reference: Matched, symbol: str) -> str:
    return phrase("any {symbol} near {number}", symbol=symbol, number=reference.said)


def _needs(label: str, reference: Matched, fact: Fact, met: Sequence[Matched], symbol: str, *,
           moves: bool | None, like: bool) -> str:
    """What the reference and those need who are compared with it; `like`: its guarantee is of the study's δ."""
    unit = tr(fact.quantity.unit)
    value = f"{_KNOWN[sign_of(fact)](stated(fact))}{f' {unit}' if unit and unit not in label else ''}"
    head, name = phrase("For the same {label} of {value}", label=label, value=value), called(reference.series)
    numbers = [(called(one.series), one.said) for one in met]
    if moves and like:
        numbers = [(name, reference.said), *numbers]
    else:
        where = _whatever(reference, symbol, moves=moves)
        if not met:
            return phrase("{name} has {label} {value} {where}." if moves else "{name} has {label} {value}, {where}.",
                          name=name, label=label, value=value, where=where)
        head = phrase("For the same {label} of {value}, which {name} has {where},", label=label, value=value,
                      name=name, where=where)
    return f"{needs(head, 'has' if not met else 'may have' if is_spent(fact) else 'needs', f'{symbol} =', numbers)}."


def _whatever(reference: Matched, symbol: str, *, moves: bool | None) -> str:
    """Where the reference has its value, if not at what is compared."""
    if moves is False:
        return phrase("whatever {symbol} is", symbol=symbol)
    if moves is None:
        return phrase("for any {symbol} near {number}", symbol=symbol, number=reference.said)
    if promised := reference.guarantee():
        return phrase("at {spending}", spending=_spending(promised))
    return phrase("at {symbol} = {number}, promising nothing", symbol=symbol, number=reference.said)


def _is_apart(one: Matched, reference: Matched) -> bool:
    """Whether it matches by spending another δ, promising nothing or protecting another unit."""
    return _other_unit(one.guarantee(), reference.guarantee()) or not one.keeps_delta()


def _other_unit(promised: Guarantee | None, own: Guarantee | None) -> bool:
    return promised is not None and own is not None and promised.relation != own.relation


def _spending(promised: Guarantee) -> str:
    """“ε = 0.0588 and δ = 0.0572”, rounded up."""
    return listed((f"ε = {up(promised.epsilon)}", f"δ = {up(promised.delta)}"))


def _apart_told(one: Matched, reference: Matched, symbol: str) -> str:
    """What one that is not compared would need: “Cutoff would need ε = 0.0588 and δ = 0.0572.”"""
    promised, name = one.guarantee(), called(one.series)
    if promised is None:
        return phrase("{name} would need {symbol} = {number}, and promises nothing.", name=name, symbol=symbol,
                      number=one.said)
    if _other_unit(promised, reference.guarantee()):
        return phrase("{name} protects {unit}, and is not compared.", name=name, unit=phrase(promised.relation.unit))
    if promised.epsilon == one.handy.get("epsilon"):
        return phrase("{name} would need ε = {number} and δ = {delta}.", name=name, number=one.said,
                      delta=up(promised.delta))
    return phrase("{name} would need {symbol} = {number}, and spends {spending}.", name=name, symbol=symbol,
                  number=one.said, spending=_spending(promised))


def negligible(one: Matched, parameter: Parameter) -> bool:
    """Whether what a series matches with is next to nothing of a parameter that may be 0."""
    value = one.values.get(parameter.name)
    return isinstance(value, float) and abs(value) < NEGLIGIBLE and parameter.domain.accept(0.0) is not None


def _guarantee(reference: Matched, others: Sequence[Matched]) -> str:
    """What each comes to with the same ε and δ."""
    answer = reference.study.answer()
    epsilon, delta = (promised_fact(answer, reference.series.key, each)
                      for each in (v.GUARANTEE_EPSILON, v.GUARANTEE_DELTA))
    assert epsilon is not None
    assert delta is not None
    head = phrase("With ε = {epsilon} and δ = {delta}, as of {name}", epsilon=stated(epsilon), delta=stated(delta),
                  name=called(reference.series))
    met = [one for one in others if one.met]
    quantity = _outcome(reference)
    if quantity is None:
        return f"{head}: {listed(called(one.series) for one in met)}." if met else phrase(
            "{head}, there is no other.", head=head)
    found = [phrase("{value} of {name}", value=stated(fact), name=called(one.series)) for one in (reference, *met)
             if (quantity.key, one.series.key) in answer.index()
             and (fact := one.study.answer().fact(quantity, one.series))]
    return f"{head}, {tr(quantity.label)}: {listed(found)}."


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
            yield phrase("{name} has none", name=name)
        elif isinstance(by, SameGuarantee):
            yield phrase("{name} has δ = {delta}", name=name, delta=stated(one.fact))
        elif one.flat:
            yield phrase("{name} has {value} whatever {symbol} is", name=name, value=stated(one.fact), symbol=symbol)
        else:
            yield phrase("{name} does not reach it: nearest is {value} at {symbol} = {number}", name=name,
                         value=stated(one.fact), symbol=symbol, number=one.said)
