"""The answers of the audit study: the exact one at once, then a certificate at every look."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from dpstudio.core.results import Tables, Update, Window, joined
from dpstudio.models.auditing.looks import Look, stream
from dpstudio.studies.audit import figures as f
from dpstudio.studies.audit import tables
from dpstudio.studies.audit.compare import Audited, audited
from dpstudio.studies.audit.facts import exact_facts, found_facts, in_order
from dpstudio.studies.audit.verdicts import verdicts_of

if TYPE_CHECKING:
    from dpstudio.studies.audit import Audit as Study


def run(study: Study, views: Mapping[str, Window], *, simulate: bool) -> Iterator[Update]:  # noqa: ARG001
    """The exact update, then one at every look, and one after every chunk in which nothing is new but the count."""
    one = audited(study)
    outcomes = tables.outcomes_window(one)
    windows = {f.LOOKS_TABLE: tables.looks_window(study.trials), f.OUTCOMES_TABLE: outcomes, f.EVENTS_TABLE: outcomes}
    exact = tuple(exact_facts(one))
    settled = _tables(one, (), None, windows)
    # What streams in is left out of the first answer, so that who asks for its picture alone waits for the draws.
    latest = Update(_of_law(one, None), in_order(exact), verdicts_of(study, one, [], None), windows,
                    total=study.trials)
    yield latest
    if not simulate:
        return
    looks: list[Look] = []
    best: Look | None = None
    for done, look in stream(one.cells, one.claim, study.confidence, study.seed, study.trials):
        if look is None:
            latest = replace(latest, tables=settled if best is None else latest.tables, done=done)
        else:
            looks.append(look)
            # An event that proves as much on more draws is the better one.
            best = look if best is None or look.certified.epsilon >= best.certified.epsilon else best
            latest = Update(_tables(one, tuple(looks), best, windows),
                            in_order((*exact, *found_facts(study, one, looks, best))),
                            verdicts_of(study, one, looks, best), windows, done, study.trials)
        yield latest


def _tables(one: Audited, looks: tuple[Look, ...], best: Look | None, windows: Mapping[str, Window]) -> Tables:
    stream = Tables({f.LOOKS_TABLE: lambda: tables.looks_table(one, looks, windows[f.LOOKS_TABLE])})
    return joined(stream, _of_law(one, best))


def _of_law(one: Audited, best: Look | None) -> Tables:
    return Tables({f.OUTCOMES_TABLE: lambda: tables.outcomes_table(one, best),
                   f.EVENTS_TABLE: lambda: tables.events_table(one, best)})
