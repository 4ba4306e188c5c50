"""Pictures of whatever can be attacked: a privacy profile, an attacker's errors, its beliefs, losses against ±ε.

A study gives what it compares by series. The figures, the tables behind them and the facts of the attacker are written
here once, for every mechanism that knows its δ(ε) and its trade-off between errors.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.declare import Array
from dpstudio.core.facts import Declaration, Said, Tabled, each, table
from dpstudio.core.figure import EACH, Axis, Band, Figure, Layer, Line, Mark, lines
from dpstudio.core.guarantee import Guarantee, Law
from dpstudio.core.results import Column, Kind, Series, Span, Table
from dpstudio.core.risk import LEVEL
from dpstudio.core.sources import WZ10, Source
from dpstudio.core.special import updated
from dpstudio.studies.kit.tables import curves
from dpstudio.text.numbers import plain
from dpstudio.vocabulary import Quantity

PROMISE = Series("promise", "Any (ε, δ) mechanism")

X_PROFILE, X_ALPHA, X_BELIEF = Column(v.EPSILON_PRIME), Column(v.TYPE_I), Column(v.BELIEF)
PROFILE_TABLE, ATTACK_TABLE, BELIEF_TABLE = "profile", "attack", "belief"

PROFILE_POINTS = 161
ALPHA = np.unique(np.concatenate([np.linspace(0, 1, 81), np.geomspace(1e-6, 0.02, 24), [LEVEL]]))
BELIEFS = np.linspace(0, 1, 201)


def profile_figures(*marks: Mark, series: Iterable[Series] = (EACH,)) -> tuple[Figure, ...]:
    """The privacy profile on a linear and on a log axis."""
    curves: tuple[Layer, ...] = (*lines(X_PROFILE, v.PROFILE, series), *marks)
    return (
        Figure("profile", "Privacy profile δ(ε′)", PROFILE_TABLE, Axis(v.EPSILON_PRIME), Axis(v.PROFILE, low=0), curves,
               panel="profile",
               caption="The smallest δ that holds at each ε′, over all pairs; at ε′ = 0 the attacker’s advantage."),
        Figure("profile_log", "Privacy profile δ(ε′), log", PROFILE_TABLE,
               Axis(v.EPSILON_PRIME), Axis(v.PROFILE, "log", high=1, floor=1e-15), curves,
               panel="profile",
               caption="The smallest δ that holds at each ε′, over all pairs. A curve that ends is below the edge "
                       "or 0."),
    )


def attack_figure(found: str = "records that are there", promise: str = "grey: the least for (ε, δ)",
                  panel: str = "attack", series: Iterable[Series] = (EACH,)) -> Figure:
    """The two errors of the best attacker, beside guessing and, where a sentence says what it is, the promise."""
    return Figure("attack", "Errors of the best attacker", ATTACK_TABLE,
                  Axis(v.TYPE_I, low=0, high=1), Axis(v.TYPE_II, low=0, high=1),
                  (*lines(X_ALPHA, v.TYPE_II, (*((PROMISE,) if promise else ()), *series)),
                   Line(X_ALPHA, Column(v.GUESSING), role="other")),
                  panel=panel,
                  caption=f"Share β missed of the {found}, by false alarms α. Thin: guessing"
                          f"{promise and f'; {promise}'}.")


def belief_figure(caption: str, *marks: Mark, panel: str = "attack", series: Iterable[Series] = (EACH,)) -> Figure:
    """Belief after nearly all answers against belief before, beside the band of ε."""
    return Figure("belief", "Belief after the answer", BELIEF_TABLE,
                  Axis(v.BELIEF, low=0, high=1), Axis(v.POSTERIOR_95, low=0, high=1),
                  (*belief_layers(X_BELIEF, PROMISE, lines(X_BELIEF, v.POSTERIOR_95, series)), *marks),
                  panel=panel, caption=caption)


def belief_layers(x: Column, series: Series, curves: Iterable[Line]) -> tuple[Layer, ...]:
    """Beliefs, the band that they stay in at a given ε, and the diagonal of answers that say nothing."""
    return (Band(x, Column(v.POSTERIOR_LEAST, series), Column(v.POSTERIOR_MOST, series)), *curves,
            Line(x, Column(v.POSTERIOR_SAME), role="other"))


def loss_figure(title: str, table: str, x: Quantity, layers: Iterable[Layer], ends: Span, caption: str) -> Figure:
    """Privacy losses against ±ε, on an axis that ends at multiples of ε."""
    low, high = ends
    return Figure("loss", title, table, Axis(x), Axis(v.PRIVACY_LOSS, low=low, high=high, per="epsilon"),
                  (*layers, Mark("epsilon", axis="y"), Mark("epsilon", axis="y", factor=-1)),
                  panel="loss", caption=caption)


def profile_table(window: Span, mechanisms: Mapping[Series, Law], *bends: float) -> Table:
    """The smallest δ at each ε′, with those among the points at which curves bend."""
    low, high = max(0.0, window[0]), max(window[1], 0.0)
    inside = [bend for bend in bends if low <= bend <= high]
    epsilon = np.unique(np.append(np.linspace(low, high, PROFILE_POINTS), inside))
    return Table({X_PROFILE: epsilon} | curves(mechanisms, lambda one: one.delta_at(epsilon), v.PROFILE))


def attack_table(mechanisms: Mapping[Series, Law], epsilon: float, delta: float, *bends: float) -> Table:
    """The smallest type II error at each type I error, and that of any mechanism with this guarantee."""
    from dpstudio.mechanisms.laws import trade_off  # slow to import, and declared figures do without

    # The promise bends where it meets its own mirror image.
    alpha = np.unique(np.append(ALPHA, [*bends, (1 - delta) / (1 + math.exp(min(epsilon, 700.0)))]))
    return Table({X_ALPHA: alpha} | curves(mechanisms, lambda one: one.trade_off(alpha), v.TYPE_II)
                 | {Column(v.TYPE_II, PROMISE): np.asarray(trade_off(epsilon, delta, alpha)),
                    Column(v.GUESSING): 1 - alpha})


def belief_table(losses: Mapping[Series, float], epsilon: float) -> Table:
    """Beliefs after an answer of such a loss against beliefs before it, with the band of ε."""
    return Table({X_BELIEF: BELIEFS} | curves(losses, lambda loss: updated(BELIEFS, loss), v.POSTERIOR_95)
                 | belief_columns(BELIEFS, epsilon, PROMISE))


def belief_columns(prior: Array, epsilon: float, series: Series) -> dict[Column, Array]:
    """What frames beliefs: those whose odds are e^−ε and e^ε times the prior’s, and the prior."""
    return {Column(v.POSTERIOR_LEAST, series): np.asarray(updated(prior, -epsilon)),
            Column(v.POSTERIOR_MOST, series): np.asarray(updated(prior, epsilon)), Column(v.POSTERIOR_SAME): prior}


class Attacked(Law, Protocol):
    """One of what a study compares, as its facts of the best attacker read it."""

    @property
    def guarantee(self) -> Guarantee | None:
        """What it promises; None where nothing is promised."""

    @property
    def loose(self) -> str:
        """Why what is said of an attack is a bound; empty where it is exact."""


def attacked_fact(quantity: Quantity, of: Callable[[float], float], how: str) -> Declaration[Any, Any, Any]:
    """A function of the best attacker's advantage, of everything that is compared.

    It is that of the guarantee, for its unit; of what promises nothing, that of its own δ(0).
    """
    def found(one: Attacked) -> Said:
        if (promised := one.guarantee) is None:
            return Said(of(float(one.delta_at(0.0))), f"{how}{one.loose}", WZ10, "bound" if one.loose else "exact")
        return Said(of(promised.advantage), f"{how}, for {promised.relation.unit}{one.loose}", WZ10, promised.kind)

    return each(quantity, found)


ADVANTAGE_FACTS: tuple[Declaration[Any, Any, Any], ...] = (
    attacked_fact(v.ADVANTAGE, lambda most: most, "δ(0), the total variation distance"),
    attacked_fact(v.SUCCESS, lambda most: (1 + most) / 2, "(1 + advantage)/2"),
)
"""The best attacker’s advantage and success, of everything that is compared."""


def spent_fact(delta: Callable[[Any], float]) -> Declaration[Any, Any, Any]:
    """ε of everything that is compared at one δ, which its guarantee gives: what they are compared at."""
    def spent(one: Any) -> Said | None:
        promised = one.guarantee
        if promised is None:
            return None
        return Said(promised.epsilon_at(delta(one)), f"the smallest ε′ with δ(ε′) ≤ {plain(delta(one))}, for "
                    f"{promised.relation.unit}", promised.source, promised.kind)

    return each(v.EPSILON_AT_DELTA, spent)


def attacked(a: Answer[Any, Any, Any]) -> dict[Series, Law]:
    """What an attacker faces of everything that is compared: what it promises to its unit or, of nothing, itself."""
    return {series: one.guarantee or one for series, one in a.ones.items()}


ATTACK_TABLES: Mapping[str, Tabled[Any, Any]] = {
    PROFILE_TABLE: table(lambda a, view: profile_table(view, attacked(a), a.study.epsilon),
                         lambda a: (0.0, 2.5 * a.study.epsilon)),
    ATTACK_TABLE: table(lambda a, _: attack_table(attacked(a), a.study.epsilon, a.study.delta), (0.0, 1.0)),
    BELIEF_TABLE: table(lambda a, _: belief_table({series: one.common_loss for series, one in a.ones.items()},
                                                     a.study.epsilon), (0.0, 1.0)),
}
"""The tables behind the pictures of an attack, of everything that is compared: of each its `common_loss`, too."""


def believed(prior: float, loss: float, how: str, source: Source | None, kind: Kind = "exact") -> Said:
    """What an answer of such a loss makes of a belief."""
    return Said(float(updated(prior, loss)), f"the odds of {plain(prior)} times e^ℓ, {how}", source, kind)
