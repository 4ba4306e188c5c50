"""What a report speaks of: the release that was chosen in a study, if any was, and what it promises."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dpstudio.core.answer import Answer
from dpstudio.core.attacker import NOBODY_FEARED, Attacker, alone
from dpstudio.core.guarantee import Guarantee
from dpstudio.core.results import Series
from dpstudio.core.risk import said_of
from dpstudio.core.sentence import Spoken
from dpstudio.documents.state import StudyState
from dpstudio.records import dataclass
from dpstudio.text.numbers import powered
from dpstudio.text.sentences import significant
from dpstudio.vocabulary import DELTA, EPSILON, Quantity, amount


@dataclass(frozen=True)
class Promised:
    """The guarantee of whatever can be chosen at these settings, and of what was."""

    each: Mapping[Series | None, Guarantee | None]
    """Under None that of a study that compares nothing."""
    chosen: Series | None
    settled: bool
    """Whether it is known what is promised; else nothing was chosen, and it depends on what is released."""
    guarantee: Guarantee | None
    """Of what was chosen, or of all alike; None where it is not known, or there is none."""
    feared: Attacker = NOBODY_FEARED

    @property
    def risk(self) -> Spoken:
        """What it means for one person; while what it holds is said apart."""
        return said_of(self.guarantee and replace(self.guarantee, holds=""), self.feared)


def promised(state: StudyState, answer: Answer[Any, Any, Any]) -> Promised:
    """What is released in a study, as somebody decided. What is only learnt from its one release promises what it does.
    """
    found = answer.guarantees
    each: dict[Series | None, Guarantee | None] = {
        series: found.get(series, found.get(None)) for series in answer.choices or (None,)}
    chosen = next((series for series in each if series and series.key == state.chosen), None)
    shared = next(iter(each.values()))
    alike = None in each or (shared is not None and all(one is shared for one in each.values()))
    return Promised(each, chosen, alike or chosen is not None, each[chosen] if chosen else shared if alike else None,
                    alone(answer.study))


def pair(guarantee: Guarantee) -> str:
    """“ε = 0.1, δ = 10⁻⁶, μ = 0.0276”, rounded up."""
    parts = [f"ε = {up(guarantee.epsilon, EPSILON)}", f"δ = {up(guarantee.delta, DELTA)}"]
    parts += [f"{symbol} = {powered(significant(value, side='up'))}"
              for symbol, value in (("μ", guarantee.mu), ("ρ", guarantee.rho)) if value is not None]
    return ", ".join(parts)


def up(value: float, quantity: Quantity) -> str:
    """What must not be understated."""
    return powered(amount(value, quantity, side="up"))
