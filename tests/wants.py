"""Wants made from known parameters, over random settings of a study: each can be met, for it was."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass

from dpstudio.core.attacker import Attacker
from dpstudio.core.declare import InvalidParameter
from dpstudio.core.solve.want import RELATIONS, Want
from dpstudio.vocabulary import Choice, Switch, Written

UNASKED = ("trials", "seed", *Attacker.by_name())
"""Parameters that no exact fact depends on."""
FAST = {"policy": {"symptoms": 1}, "posterior": {"people": 50}, "updating": {"batches": 50}, "watch": {"times": 5},
        "budget": {"plan_counts": 3, "plan_count_epsilon": 0.1}}
"""Settings at which a study's facts take a millisecond, not a hundred."""


@dataclass(frozen=True)
class Known:
    """A want, the parameter to solve for, the value from which it was made, and the other values."""

    kind: type
    explicit: dict
    want: Want
    name: str
    value: float


def drawn(parameter, rng):
    """A value of a parameter: over the range of its slider, now and then over its whole domain."""
    domain = parameter.domain
    if isinstance(domain, Choice):
        return rng.choice(domain.options)
    if isinstance(domain, Switch):
        return rng.random() < 0.5
    if isinstance(domain, Written):
        return rng.choice(domain.examples)
    whole = max(domain.low, -1e12), min(domain.high, 1e12)
    low, high = whole if rng.random() < 0.1 else parameter.range or whole
    if low > 0 and high / low > 50:
        return domain.nearest(math.exp(rng.uniform(math.log(low), math.log(high))))
    if low == 0 and high > 50:
        return domain.nearest(math.expm1(rng.uniform(0, math.log1p(high))))
    return domain.nearest(rng.uniform(low, high))


def known_wants(kind, count, seed, **fixed) -> Iterator[Known]:
    """So many wants of a study, each met at a value that the solver is not told."""
    rng = random.Random(f"{kind.key} {seed}")
    facts = [place for place, declared in kind.answers().index().items()
             if not declared.simulated and declared.group != "risk"]
    parameters = [each for each in kind.parameters() if each.name not in Attacker.by_name()]
    numbers = [each for each in kind.parameters() if each.is_number and each.name not in UNASKED]
    while count:
        values = {each.name: drawn(each, rng) for each in parameters
                  if rng.random() < 0.6 and each.name not in UNASKED} | fixed
        parameter, (key, of) = rng.choice(numbers), rng.choice(facts)
        try:
            study = kind(**values)
            explicit = study.values() | {parameter.name: drawn(parameter, rng)}
            kind(**explicit)
            fact = study.answer().fact(key, of)
        except InvalidParameter:
            continue
        if fact is None or not math.isfinite(fact.value):
            continue
        relation = rng.choice(RELATIONS)
        exact = fact.kind == "exact" or fact.low is None or fact.high is None
        wanted = fact.value if exact else {"<=": fact.high, ">=": fact.low, "=": fact.value}[relation]
        count -= 1
        yield Known(kind, explicit, Want(key, relation, wanted, of), parameter.name, getattr(study, parameter.name))


def wanted_fact(known, values):
    """The wanted fact at a solution, computed anew."""
    return known.kind(**{**known.explicit, **values}).answer().fact(known.want.quantity, known.want.series)
