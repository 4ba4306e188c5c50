"""What somebody wants of a study: a fact, a relation and a value, and how near a setting comes to it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from typing import Any, Literal, TypeAlias, get_args

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.declare import InvalidParameter, Parameter, read_entry
from dpstudio.core.facts import Declaration
from dpstudio.core.results import Fact, fact_name
from dpstudio.core.study import Study
from dpstudio.records import dataclass
from dpstudio.text.entry import read_number, read_typed
from dpstudio.text.language import phrase, tr
from dpstudio.text.numbers import in_full, plain
from dpstudio.text.sentences import listed, no_less_than, no_more_than
from dpstudio.vocabulary import Choice, Quantity, Value, amount

Relation: TypeAlias = Literal["<=", ">=", "="]
RELATIONS: tuple[Relation, ...] = get_args(Relation)
SIGNS: Mapping[Relation, str] = {"<=": "at most", ">=": "at least", "=": "exactly"}
"""A relation in words."""
_ASKED: Mapping[Relation, Callable[[str], str]] = {
    "<=": no_more_than, ">=": no_less_than, "=": lambda number: phrase("exactly {number}", number=number)}
"""What is wanted of a number, in a sentence."""
EQUAL = 1e-9
"""Part of a wanted value by which a fact may miss it and still be equal."""
FORM = "a fact, a relation and a number: band_width@laplace <= 500"
SPENDS = ("privacy", "risk", "attack")
"""Headings of facts that say what privacy spends."""
SPENDING = tuple(each.symbol for each in (v.EPSILON, v.DELTA))
"""How the symbols of what is spent begin, or of what of it is left; such facts say it whatever they stand under."""
REMAINING = frozenset({v.LEFT, v.LEFT_DELTA, v.PLAN_LEFT, v.MOST_RELEASES, v.MOST_WITHIN, v.PROFILE_ROOM,
                       v.PROFILE_EPSILON})
"""Facts that say what remains to be spent: the more of them, the less is spent."""
_RELATION = re.compile(r"<=|>=|==|≤|≥|[<>=]")
_SPELLED: Mapping[str, Relation] = {"≤": "<=", "≥": ">=", "==": "="}
_FACT = re.compile(r"\s*(\w+)(?:@(\w+))?(?:\s+at\s+(.+))?\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Want:
    """A fact by keys of quantity and series, how it shall lie to a value, and other parameters' values at which."""

    quantity: str
    relation: Relation
    value: float
    series: str | None = None
    at: Mapping[str, Value] = field(default_factory=dict)

    def __str__(self) -> str:
        at = " at " + ", ".join(f"{name}={written(value)}" for name, value in self.at.items()) if self.at else ""
        return f"{self.name}{at} {self.relation} {plain(self.value)}"

    @property
    def name(self) -> str:
        """“band_width@laplace”: the fact, as it is asked for."""
        return fact_name(self.quantity, self.series)

    def settled(self, kind: type[Study]) -> bool:
        """Whether it is of one series, or of the question as a whole; else it is of whoever has such a fact."""
        return self.series is not None or (self.quantity, None) in kind.answers().index()

    def declared(self, kind: type[Study]) -> Declaration[Any, Any, Any]:
        """How the fact is declared; raises InvalidParameter, naming what there is, where there is none."""
        return kind.answers().declaration(self.quantity, self.series)

    def limits(self, kind: type[Study]) -> bool:
        """Whether it is a ceiling on what privacy spends: “Σε <= 1”, “ε left >= 0”."""
        declared = self.declared(kind)
        return is_spent(declared) and self.relation == ceiling(declared.quantity)

    def check(self, kind: type[Study]) -> Declaration[Any, Any, Any]:
        """The declaration of the fact; raises InvalidParameter for one that cannot be solved for, saying why."""
        declared = self.declared(kind)
        if declared.simulated:
            why = f"draws estimate it: ask for {declared.exact.key}" if declared.exact else "draws estimate it"
            raise InvalidParameter("fact", "one that is exact or a bound", self.name, why)
        if self.relation not in RELATIONS:
            raise InvalidParameter("relation", Choice(RELATIONS), self.relation)
        if not math.isfinite(self.value):
            raise InvalidParameter("what is wanted", "a finite number", self.value)
        for name, value in self.at.items():
            named_parameter(kind, name).accept(value)
        return declared

    def of(self, answer: Answer[Any, Any, Any]) -> Fact | None:
        """The fact that is wanted, as an answer has it."""
        return answer.fact(self.quantity, self.series)

    def miss(self, fact: Fact) -> float:
        """How far a fact lies on the wrong side: 0 or less where the want is met, of “=” the signed distance.

        An interval is met as a whole, a fact that is a bound as the bound that it is.
        """
        low = fact.value if fact.low is None or fact.kind == "exact" else fact.low
        high = fact.value if fact.high is None or fact.kind == "exact" else fact.high
        match self.relation:
            case "<=":
                return _less(high, self.value)
            case ">=":
                return _less(self.value, low)
        return _less(fact.value, self.value)

    def met(self, miss: float) -> bool:
        """Whether a fact with that miss is as wanted; NaN never is."""
        return abs(miss) <= EQUAL * abs(self.value) if self.relation == "=" else miss <= 0

    def label(self, kind: type[Study]) -> str:
        """“Uncertain band (Laplace)”, “probability of “yes” (Laplace) at N = 900”."""
        declared = self.declared(kind)
        of = next((one.label for one in (declared.series, *kind.answers().series()) if one and one.key == self.series),
                  "")
        at = [f"{kind.parameter(name).quantity.symbol} = {value if isinstance(value, str) else in_full(value)}"
              for name, value in self.at.items()]
        what = f"{tr(declared.quantity.label)}{of and f' ({tr(of)})'}"
        return phrase("{what} at {values}", what=what, values=listed(at)) if at else what

    def phrase(self, kind: type[Study]) -> str:
        """“at most 500”: what is wanted, with as many digits as it takes."""
        quantity = self.declared(kind).quantity
        text = amount(self.value, quantity)
        shown = read_typed(text.replace("−", "-"))
        return _ASKED[self.relation](text if shown == self.value else in_full(self.value))


def is_spent(fact: Fact | Declaration[Any, Any, Any]) -> bool:
    """Whether a fact says what privacy spends, or what of it remains."""
    return fact.group in SPENDS or fact.quantity.symbol.startswith(SPENDING) or fact.quantity in REMAINING


def ceiling(quantity: Quantity) -> Relation:
    """How a fact that says what privacy spends lies to the most that may be spent."""
    return ">=" if quantity in REMAINING else "<="


def _less(low: float, high: float) -> float:
    """low − high; 0 where both are the same infinity."""
    return 0.0 if low == high else low - high


def written(value: Value) -> str:
    """A value as `read_values` reads it."""
    return value if isinstance(value, str) else "yes" if value is True else "no" if value is False else plain(value)


def read_want(kind: type[Study], text: str, *, whoever: bool = False) -> Want:
    """“FACT[@SERIES] [at NAME=VALUE, …] <= NUMBER”; raises InvalidParameter saying what is wrong with it.

    With `whoever` a fact that series have may name none of them: it is then of whoever has it.
    """
    found = list(_RELATION.finditer(text))
    head = _FACT.fullmatch(text[:found[-1].start()]) if found else None
    if head is None:
        raise InvalidParameter("want", FORM, text)
    relation = _SPELLED.get(found[-1][0], found[-1][0])
    if relation not in RELATIONS:
        raise InvalidParameter("relation", Choice(RELATIONS), relation, "what is equal is as good")
    number = read_number(text[found[-1].end():].strip())
    if number is None:
        raise InvalidParameter("what is wanted", "a finite number", text[found[-1].end():].strip())
    want = Want(head[1], relation, float(number), head[2], read_values(kind, head[3].split(",") if head[3] else ()))
    having = [of for key, of in kind.answers().index() if key == want.quantity]
    asked = want if want.settled(kind) or not whoever or not having else replace(want, series=having[0])
    asked.check(kind)
    return want


def read_values(kind: type[Study], entries: Iterable[str]) -> dict[str, Value]:
    """Values of parameters from “NAME=VALUE” each; raises InvalidParameter for one that the study refuses."""
    values: dict[str, Value] = {}
    for entry in entries:
        name, equals, value = (part.strip() for part in entry.partition("="))
        if not equals:
            raise InvalidParameter("what follows “at”", "NAME=VALUE", entry.strip())
        values[name] = read_entry(named_parameter(kind, name), value)
    return values


def named_parameter(kind: type[Study], name: str, *, numeric: bool = False) -> Parameter:
    """The declaration of a parameter; raises InvalidParameter naming what there is."""
    known = {each.name: each for each in kind.parameters() if each.is_number or not numeric}
    if name not in known:
        every = {each.name for each in kind.parameters()}
        raise InvalidParameter("parameter", Choice(tuple(known)), name, f"{name} is no number" if name in every else "")
    return known[name]
