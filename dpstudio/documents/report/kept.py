"""What a person kept with a study, in a report: pins, questions that were solved for, sweeps, snapshots."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from dpstudio.core.results import Column, Fact, fact_name
from dpstudio.core.solve.solver import solve
from dpstudio.core.solve.want import read_want
from dpstudio.core.study import Study
from dpstudio.core.sweep import KINDS, Swept, sweep
from dpstudio.core.workers import Here
from dpstudio.documents.code.command import command_line
from dpstudio.documents.noted import Solved, SweepAsked
from dpstudio.documents.report.blocks import Block, Cells, Code, Head, Text, line_of, lines_of
from dpstudio.documents.report.drawn import SMALL_MM, headed, picture, values_of
from dpstudio.documents.report.numbers import NONE, beside, number
from dpstudio.documents.setting import Setting, title
from dpstudio.documents.state import LONGEST_NAME, LONGEST_OF_SNAPSHOT, Snapshot
from dpstudio.scene.swept import SweptSource, choices, figure_of
from dpstudio.text.numbers import exact, powered
from dpstudio.text.sentences import begun, grouped, listed
from dpstudio.vocabulary import Value, amount

MOST_ROWS = 12
"""Rows of a sweep that are printed; all of them stand behind its pictures."""
MOST_ACROSS = 7
"""Columns of one over two parameters."""
MOST_PICTURES = 4
"""Of one sweep."""
PRESENT = "Present"


def pins_beside(now: Setting, pins: Sequence[Setting], hidden: frozenset[str]) -> Iterator[Block]:
    """The pinned settings by name, and what differs between them and the present one."""
    titles = [powered(title(pin, now)) for pin in pins]
    told = "; ".join(f"({i}) {each}" for i, each in enumerate(titles, 1))
    yield Text(f"Beside the present setting, faint in the pictures: {told}.")
    names = [PRESENT, *(f"({i})" if len(each) > 28 else each for i, each in enumerate(titles, 1))]
    yield from beside(names, [tuple(_exact(each)) for each in (now, *pins)], hidden)


def _exact(setting: Setting) -> Iterator[Fact]:
    """The exact facts of a setting, of the one series that it keeps or of all, without those that take longer."""
    answer = setting.study.answer()
    for place, declared in answer.index().items():
        wanted = setting.only is None or place[1] in (None, setting.only)
        quick = not (declared.simulated or declared.slow) and declared.group != "technical"
        if wanted and quick and (found := answer.fact(*place)):
            yield found


def answered(asked: Solved, now: Setting) -> Iterator[Block]:
    """A question that was solved for, answered anew."""
    study = asked.setting.study
    kind = type(study)
    wants = [read_want(kind, text) for text in asked.wants]
    found = solve(kind, asked.setting.explicit, wants, asked.names, asked.between)
    symbols = [kind.parameter(name).quantity.symbol for name in asked.names]
    wanted = listed(f"{begun(want.label(kind)) if not i else want.label(kind)} {want.phrase(kind)}"
                    for i, want in enumerate(wants))
    between = [f"{kind.parameter(name).quantity.symbol} between {amount(low, kind.parameter(name).quantity)} and "
               f"{amount(high, kind.parameter(name).quantity)}" for name, (low, high) in asked.between.items()]
    yield Text(powered(f"{wanted}: which {listed(symbols)}?{f' Looked for {listed(between)}.' if between else ''}"))
    yield Text(powered(found.says), "lead")
    rows = [(begun(want.label(kind)), powered(want.phrase(kind)), number(fact) if fact else NONE,
             fact.kind if fact else NONE) for want, fact in zip(wants, found.facts, strict=True)]
    yield Cells("What was wanted, and what it comes to." if found.met else "What was wanted, and the nearest to it.",
                (Head("Fact", share=3), Head("Wanted", share=1.5), Head("Reached", right=True, share=1.5),
                 Head("Kind")), tuple(rows))
    around = {name: value for name, value in asked.setting.explicit.items() if name not in asked.names}
    here = {name: value for name, value in now.study.values().items() if name not in asked.names}
    if any(here[name] != value for name, value in asked.setting.study.values().items() if name in here):
        yield Text(powered(f"Asked where {title(asked.setting, now)}."), "small")
    further = [word for want in wants for word in ("--want", str(want))]
    further += [word for name in asked.names for word in ("--for", name)]
    further += [word for name, (low, high) in asked.between.items()
                for word in ("--between", f"{name}={exact(low)}:{exact(high)}")]
    yield Code((command_line(study, around, "solve", *further),))


def computed(asked: SweepAsked, now: Setting, *, values: bool) -> Iterator[Block | None]:
    """A sweep, computed anew: its pictures, some of its rows and, behind the first picture, all of them.

    None stands for a moment at which it can be left.
    """
    plan = asked.plan()
    study = plan.study
    kind = type(study)
    swept: Swept | None = None
    for progress in sweep(plan, Here()):
        swept = progress.swept
        yield None
    assert swept is not None
    source = SweptSource(swept)
    names = listed(kind.parameter(over.name).quantity.label for over in plan.over)
    around = f"where {title(asked.setting, now)}" if study != now.study else "as at present"
    yield Text(powered(f"{grouped(plan.total)} settings over {names}, otherwise {around}."))
    behind = values_of(tuple(swept.table), swept.table) if values else None
    for column in choices(swept)[:MOST_PICTURES]:
        drawn = picture(study, source, figure_of(swept, column), SMALL_MM, values=False)
        if drawn is not None:
            yield replace(drawn, values=behind)
            behind = None  # they stand behind the first picture
    yield _rows(swept)
    for sentence in swept.told():
        yield Text(begun(sentence) + ".", "small")
    facts = ",".join(fact_name(*place) for place in asked.facts)
    words = [word for text in asked.over for word in ("--over", text)]
    explicit = {name: value for name, value in asked.setting.explicit.items()
                if name not in {over.name for over in plan.over}}
    yield Code((command_line(study, explicit, "sweep", *words, "--facts", facts, *["--simulate"] * asked.simulate,
                             "--output", "sweep.csv"),))


def _rows(swept: Swept) -> Cells:
    """Some settings of a sweep, evenly chosen where there are many, the first and the last among them."""
    plan, kind = swept.plan, type(swept.plan.study)
    outer, heads = plan.over[0], [Head(_symbol(kind, plan.over[0].name), right=True, share=0.7)]
    chosen, part = _some(len(outer.values), MOST_ROWS), ""
    if len(plan.over) == 1:
        heads += [Head(headed(column), right=True, share=1) for column in swept.columns]
        rows = [(_written(kind, outer.name, outer.values[i]),
                 *(_fact(swept, i, place, column) for place, column in enumerate(swept.columns))) for i in chosen]
    else:  # the first fact alone, a row for each value of one parameter and a column for each of the other
        inner, column = plan.over[1], swept.columns[0]
        across, part = _some(len(inner.values), MOST_ACROSS), f" {begun(headed(column))}."
        heads += [Head(f"{_symbol(kind, inner.name)} = {_written(kind, inner.name, inner.values[j])}", right=True,
                       share=1) for j in across]
        rows = [(_written(kind, outer.name, outer.values[i]),
                 *(_fact(swept, i * len(inner.values) + j, 0, column) for j in across)) for i in chosen]
    shown = len(rows) * (len(heads) - 1 if len(plan.over) == 2 else 1)
    some = "" if shown == plan.total else f" {shown} of {grouped(plan.total)} settings."
    return Cells(f"Values of the sweep.{part}{some}", tuple(heads), tuple(rows))


def _some(total: int, most: int) -> list[int]:
    found: list[int] = np.unique(np.linspace(0, total - 1, min(total, most)).round().astype(int)).tolist()
    return found


def _symbol(kind: type[Study], name: str) -> str:
    return kind.parameter(name).quantity.symbol


def _written(kind: type[Study], name: str, value: Value) -> str:
    return value if isinstance(value, str) else powered(amount(float(value), kind.parameter(name).quantity))


def _fact(swept: Swept, i: int, place: int, column: Column) -> str:
    low: float | None
    high: float | None
    value, low, high = (float(each[i, place]) for each in (swept.cells.value, swept.cells.low, swept.cells.high))
    known = int(swept.cells.kind[i, place])
    if math.isnan(value) or not 1 <= known <= len(KINDS):
        return NONE
    declared = type(swept.plan.study).answers().index()[swept.plan.facts[place]]
    kind = KINDS[known - 1]
    low, high = (None, None) if math.isnan(low) or math.isnan(high) else (low, high)
    return number(Fact(column.quantity, value, column.series, kind, low, high,
                       at_least=declared.at_least and kind == "bound"))


def snapshots(kept: Sequence[Snapshot], now: Setting) -> Cells:
    """Snapshots by name, with their time and note, and what differs in each from the present values."""
    rows = tuple((line_of(one.name, LONGEST_NAME), line_of(one.when, LONGEST_NAME).replace("T", " ") or NONE,
                  powered(title(one.state.setting, now)), " ".join(lines_of(one.note, LONGEST_OF_SNAPSHOT)) or NONE)
                 for one in kept)
    return Cells("Snapshots that were kept, with what differs from the present values.",
                 (Head("Name", share=1.5), Head("Taken", share=1.7), Head("Values", share=2.5),
                  Head("Note", share=2.5)), rows)
