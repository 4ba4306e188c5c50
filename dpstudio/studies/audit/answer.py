"""The answer of the audit study: what is claimed, what is so, and what draws certify of it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.declare import Array
from dpstudio.core.facts import Declaration, Said, Tabled, drawn, drawn_table, once, table
from dpstudio.core.guarantee import Guarantee
from dpstudio.core.results import Column, Series, Span, Table
from dpstudio.core.sources import CP34, DR14, DWWZK18, JUO20
from dpstudio.mechanisms import laws
from dpstudio.models.auditing.cells import FULL, OutcomeCells, Processing, processing
from dpstudio.models.auditing.certificate import (
    MOST_DRAWS,
    Look,
    Needed,
    draws_needed,
    epsilon_of,
    exact_bounds,
    is_false,
    look_error,
    look_times,
    stream,
)
from dpstudio.records import cached_property, dataclass
from dpstudio.studies import audit as f
from dpstudio.studies.audit.mechanisms import MECHANISMS, Audited, Built, Claim
from dpstudio.studies.kit.tables import curves, shares
from dpstudio.text.sentences import significant

SEEN = 1e-4
"""Cells with less than this part of the fullest one’s probability lie outside the picture."""


@dataclass(frozen=True)
class Drawn:
    """The looks so far, and the one that proves the most: all looks hold together, so the best does."""

    looks: tuple[Look, ...] = ()
    best: Look | None = None

    @property
    def epsilon(self) -> float:
        """The best certificate of ε."""
        return max((float(look.certified.epsilon) for look in self.looks), default=0.0)

    @property
    def delta(self) -> float:
        """The best certificate of δ."""
        return max((float(look.certified.delta) for look in self.looks), default=0.0)

    def and_then(self, look: Look) -> Drawn:
        """With one look more; an event that proves as much on more draws is the better one."""
        best = self.best
        better = best is None or look.certified.epsilon >= best.certified.epsilon
        return Drawn((*self.looks, look), look if better else best)


class AuditAnswer(Answer[f.Audit, None, Drawn]):
    """All that is known of what is drawn from, after post-processing and before it, and of its claim."""

    @property
    def entry(self) -> Audited:
        return MECHANISMS[self.study.mechanism]

    @cached_property
    def _built(self) -> Built:
        return self.entry.build(self.study)

    @property
    def claim(self) -> Claim:
        """The ε and δ that are claimed."""
        return self._built[1]

    @property
    def guarantees(self) -> Mapping[Series | None, Guarantee]:
        """What is claimed of what is audited; nothing of one that is known to claim too much."""
        if self.entry.wrong:
            return {}
        return {None: Guarantee(self.study.relation, *self.claim, laws.Claim(*self.claim), DR14, "bound",
                                holds="if the claim is true", model=f.MODELS.get(self.study.mechanism, "central"))}

    @cached_property
    def cells(self) -> OutcomeCells:
        """The processed outcome, cut into cells."""
        return OutcomeCells(self._built[0], processing(self.study.processing, self.study.processing_at))

    @cached_property
    def epsilon(self) -> float:
        """ε of the pair beside the claimed δ, exactly."""
        return self.cells.exactly.epsilon(self.claim[1])

    @cached_property
    def raw_epsilon(self) -> float:
        """The same without post-processing; no event of processed outcomes shows more than one of raw ones."""
        return max(OutcomeCells(self._built[0], Processing()).exactly.epsilon(self.claim[1]), self.epsilon)

    @cached_property
    def delta(self) -> float:
        """δ that the pair needs at the claimed ε."""
        return self.cells.exactly.delta(self.claim[0])

    @cached_property
    def false(self) -> bool:
        """Whether this pair breaks the claim."""
        return is_false(self.cells, self.claim)

    @cached_property
    def needed(self) -> Needed:
        """Draws on each dataset that a certificate takes, by the error that the last look may have."""
        trials = self.study.trials
        return draws_needed(self.cells, self.claim, look_error(1, trials, trials, 1 - self.study.confidence))

    @cached_property
    def alike(self) -> bool:
        """Whether every outcome is as likely on one dataset as on the other."""
        return self.cells.exactly.log_delta(0.0) == -math.inf

    def simulate(self, views: Mapping[str, Span]) -> Iterator[tuple[Drawn | None, int]]:  # noqa: ARG002
        """A certificate at every look; after a chunk without one nothing is new but the count."""
        study, found = self.study, Drawn()
        for done, look in stream(self.cells, self.claim, study.confidence, study.seed, study.trials):
            if look is not None:
                found = found.and_then(look)
            yield (None if look is None and found.looks else found), done


# Facts

def _beside(a: AuditAnswer) -> str:
    return f"δ = {significant(a.claim[1])}"


def _delta(a: AuditAnswer) -> Said:
    how = f"the largest P − e^ε Q of all events, by the exact law of both datasets, ε = {significant(a.claim[0])}"
    if 0 < a.delta < FULL:
        return Said(a.delta, f"{how}; more than 0, and too small to be written with all its digits", kind="bound")
    return _by_law(a, a.delta, how)


def _by_law(a: AuditAnswer, value: float, how: str) -> Said:
    """A probability by the law: an estimate where no formula says how likely outcomes are."""
    ends = a.cells.subject.interval(value)
    if ends is None:
        return Said(value, how)
    return Said(value, f"{how}, estimated from draws of their own; 95 % interval", kind="estimate", low=ends[0],
                high=ends[1])


def _needed(a: AuditAnswer) -> Said:
    goal = "the claim is broken" if a.false else "90 % of the exact ε is certified"
    needed = a.needed
    if not a.epsilon:
        return Said(needed.draws, "no number: at the claimed δ there is no ε", kind="exact")
    if math.isinf(needed.draws):
        return Said(MOST_DRAWS, f"for no fewer it can be expected that {goal}", kind="bound")
    return Said(needed.draws, f"so that {goal} in about nine audits of ten: by counts 1.28 standard deviations worse "
                "than expected; the interval is for 0.67 and for 3", low=needed.low, high=needed.high)


def _sure(a: AuditAnswer, seen: Drawn) -> str:
    return f"{100 * a.study.confidence:.10g} % confidence in all looks together, {len(seen.looks)} so far"


def _has_looked(_: AuditAnswer, seen: Drawn) -> bool:
    return bool(seen.looks)


def _has_event(_: AuditAnswer, seen: Drawn) -> bool:
    """Whether an event was chosen."""
    return seen.best is not None


def _best(seen: Drawn) -> Look:
    assert seen.best is not None
    return seen.best


def _of_event(quantity: v.Quantity, side: int) -> tuple[Declaration[AuditAnswer, None, Drawn], ...]:
    """How likely the chosen event is on one of both datasets, by the exact law and of the certifying draws."""
    return (drawn(quantity, lambda a, seen: _by_law(a, float(a.cells.law[side, int(_best(seen).chosen.event)]),
                                                    "by the exact law"),
                  kind="exact", series=f.EXACT, when=_has_event),
            drawn(quantity, lambda _, seen: _share(_best(seen), side), source=CP34, series=f.AUDITED, when=_has_event))


def _share(best: Look, side: int) -> Said:
    """Of the certifying draws in the chosen event."""
    found = best.certified
    return Said(float(found.share[side]), f"share of {best.half} certifying draws; Clopper–Pearson interval at the "
                f"confidence of this checkpoint, 1 − {significant(best.error)}", low=float(found.low[side]),
                high=float(found.high[side]))


def _end(a: AuditAnswer, best: Look, end: int) -> Said:
    """Where the chosen event begins or ends: midway between outcomes, as cells stand in the picture."""
    midway = "; midway between the outcomes that can happen" if a.cells.lattice else ""
    return Said(a.cells.stretch(int(best.chosen.event))[end] - a.cells.lattice / 2,
                f"chosen on {best.draws - best.half} draws before{midway}")


FACTS: Mapping[str, tuple[Declaration[AuditAnswer, None, Drawn], ...]] = {
    "the answer": (
        once(v.AUDIT_EPSILON, lambda a: a.claim[0], lambda a: f"claimed, with {_beside(a)}", series=f.CLAIMED),
        once(v.AUDIT_EPSILON, lambda a: a.epsilon,
             lambda a: f"the largest ln((P − δ)/Q) of all events, by the exact law of both datasets, {_beside(a)}",
             DR14, series=f.EXACT),
        drawn(v.AUDIT_EPSILON, lambda _, seen: seen.epsilon,
              lambda a, seen: f"the largest ln((p₋ − δ)/q₊) of any look, {_sure(a, seen)}", DWWZK18, kind="bound",
              at_least=True, series=f.AUDITED, when=_has_looked),
        drawn(v.CAUGHT, lambda a, seen: float(seen.epsilon > a.claim[0]),
              "1 where the certified ε exceeds the claimed one", DWWZK18, kind="exact", series=f.AUDITED,
              when=_has_looked),
        once(v.DRAWS_NEEDED, _needed, source=JUO20, kind="estimate", at_least=True),
    ),
    "privacy": (
        once(v.RAW_EPSILON, lambda a: a.raw_epsilon,
             lambda a: f"the same without post-processing, {_beside(a)}; post-processing never raises it", DR14,
             series=f.EXACT),
        once(v.AUDIT_DELTA, lambda a: a.claim[1], lambda a: f"claimed, with ε = {significant(a.claim[0])}",
             series=f.CLAIMED),
        once(v.AUDIT_DELTA, _delta, source=DR14, series=f.EXACT),
        drawn(v.AUDIT_DELTA, lambda _, seen: seen.delta,
              lambda a, seen: f"the largest p₋ − e^ε q₊ of any look, {_sure(a, seen)}", DWWZK18, kind="bound",
              at_least=True, series=f.AUDITED, when=_has_looked),
    ),
    "attack": (
        *_of_event(v.FEWER_PROBABILITY, 0),
        *_of_event(v.MORE_PROBABILITY, 1),
        drawn(v.EVENT_FROM, lambda a, seen: _end(a, _best(seen), 0), kind="exact", series=f.AUDITED, when=_has_event),
        drawn(v.EVENT_TO, lambda a, seen: _end(a, _best(seen), 1), kind="exact", series=f.AUDITED, when=_has_event),
    ),
}


# Tables

def _looks_view(a: AuditAnswer) -> Span:
    times = look_times(a.study.trials)
    return float(times[0] if times else 1), float(max(a.study.trials, 10))


def _looks_table(a: AuditAnswer, seen: Drawn) -> Table:
    """What each look certified; before the first, the levels alone."""
    looks = seen.looks
    draws = np.array([look.draws for look in looks] if looks else a.view(f.LOOKS_TABLE), dtype=np.float64)
    columns: dict[Column, Array] = {f.X_DRAWS: draws}
    for quantity, claimed, exact in ((v.AUDIT_EPSILON, a.claim[0], a.epsilon), (v.AUDIT_DELTA, a.claim[1], a.delta)):
        columns |= {Column(quantity, f.CLAIMED): np.full(draws.shape, claimed),
                    Column(quantity, f.EXACT): np.full(draws.shape, exact)}
    if not looks:
        return Table(columns)
    certified = [look.certified for look in looks]
    epsilon, delta = np.array([(each.epsilon, each.delta) for each in certified], dtype=np.float64).T
    columns |= {Column(v.AUDIT_EPSILON, f.AUDITED): np.maximum.accumulate(epsilon),
                Column(v.AUDIT_DELTA, f.AUDITED): np.maximum.accumulate(delta),
                Column(v.LOOK_EPSILON, f.AUDITED): epsilon}
    for i, (side, quantity) in enumerate(zip(f.SIDES, (v.FEWER_PROBABILITY, v.MORE_PROBABILITY), strict=True)):
        shown = np.array([(one.share[i], one.low[i], one.high[i]) for one in certified])
        columns |= curves({side: shown.T}, tuple, *f.EVENT)
        columns[Column(quantity, f.EXACT)] = np.array([a.cells.law[i, int(look.chosen.event)] for look in looks])
    return Table(columns)


def _outcomes_view(a: AuditAnswer) -> Span:
    """The outcomes that are likely on either dataset."""
    cells = a.cells
    seen = np.flatnonzero(cells.masses.max(axis=0) >= SEEN * cells.masses.max())
    # A little of the empty cells beside them shows that they are empty.
    return float(cells.bounds[max(seen[0] - 1, 0)]), float(cells.bounds[min(seen[-1] + 1, cells.number - 1) + 1])


def _steps(cells: OutcomeCells) -> Array:
    """x of steps: both ends of each cell; the outer ones hold all that lies beyond."""
    return np.repeat(cells.bounds, 2)[1:-1]


def _outcomes_table(a: AuditAnswer, _: Span) -> Table:
    """The exact probability of each cell."""
    return Table({f.X_OUTCOME: _steps(a.cells)} | {Column(v.CELL_SHARE, side): np.repeat(masses, 2)
                                                   for side, masses in zip(f.SIDES, a.cells.masses, strict=True)})


def _outcomes_found(_: AuditAnswer, __: Table, seen: Drawn) -> dict[Column, Array]:
    """How the certifying draws fell."""
    if (best := seen.best) is None:
        return {}
    return curves(dict(zip(f.SIDES, best.certifying, strict=True)),
                  lambda found: np.repeat(shares(found, best.half), 2, axis=1), *f.CELLS)


def _events_table(a: AuditAnswer, _: Span) -> Table:
    """ε of all outcomes up to a cell, and from it on, exactly."""
    return Table({f.X_OUTCOME: _steps(a.cells)} | _edges(v.EDGE_EPSILON, *a.cells.epsilon(a.claim[1])))


def _events_found(a: AuditAnswer, _: Table, seen: Drawn) -> dict[Column, Array]:
    """The same as the certifying draws bound it."""
    if seen.best is None:
        return {}
    best, tails = seen.best, 2 * (a.cells.number - 1)
    low, high = exact_bounds(a.cells.gathered(best.certifying)[:, :tails], best.half, best.error / 2)
    return _edges(v.EDGE_FOUND, *np.split(epsilon_of(low[::-1], high, a.claim[1]).max(axis=0), 2))


def _edges(quantity: v.Quantity, above: Array, below: Array) -> dict[Column, Array]:
    """ε of the tails at every edge, as steps; all outcomes together show nothing."""
    return {Column(quantity, f.FEWER): np.repeat(np.maximum(np.append(below, 0.0), 0.0), 2),
            Column(quantity, f.MORE): np.repeat(np.maximum(np.append(0.0, above), 0.0), 2)}


TABLES: Mapping[str, Tabled[AuditAnswer, Drawn]] = {
    # What streams in is left out of the first answer, so that who asks for its picture alone waits for the draws.
    f.LOOKS_TABLE: drawn_table(_looks_table, _looks_view),
    f.OUTCOMES_TABLE: table(_outcomes_table, _outcomes_view, drawn=_outcomes_found),
    f.EVENTS_TABLE: table(_events_table, lambda a: a.view(f.OUTCOMES_TABLE), drawn=_events_found),
}

AuditAnswer.declared, AuditAnswer.tabled = FACTS, TABLES
