"""What a person kept with a study, in a report: pins, questions that were solved for, sweeps, snapshots."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from dpstudio.core.results import Column, Fact
from dpstudio.core.solve import read_want, solve
from dpstudio.core.sweep import KINDS, Plan, Swept, read_over, sweep
from dpstudio.core.workers import Here
from dpstudio.documents.code.command import command_line
from dpstudio.documents.noted import Solved, SweepAsked
from dpstudio.documents.report.blocks import Block, Cells, Code, Head, Text, line_of, lines_of
from dpstudio.documents.report.drawn import SMALL_MM, picture, values_of
from dpstudio.documents.report.numbers import NONE, beside, number
from dpstudio.documents.session import LONGEST_NAME, LONGEST_OF_SNAPSHOT, Snapshot
from dpstudio.documents.setting import Setting, title
from dpstudio.scene.swept import SweptSource, choices, figure_of
from dpstudio.text.numbers import exact, powered
from dpstudio.text.sentences import begun, listed
from dpstudio.vocabulary import amount

MOST_ROWS = 12
"""Rows of a sweep that are printed; all of them stand behind its pictures."""
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
        if not (declared.simulated or declared.slow) and declared.group != "technical" \
                and (setting.only is None or place[1] in (None, setting.only)):
            if (found := answer.fact(*place)) is not None:
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
    study = asked.setting.study
    kind = type(study)
    plan = Plan(study, tuple(read_over(kind, text) for text in asked.over), asked.facts, asked.simulate,
                tuple(asked.setting.explicit))
    swept: Swept | None = None
    for progress in sweep(plan, Here()):
        swept = progress.swept
        yield None
    assert swept is not None
    source = SweptSource(swept)
    names = [begun(kind.parameter(over.name).quantity.label) for over in plan.over]
    yield Text(powered(f"Over {listed([names[0], *(name[:1].lower() + name[1:] for name in names[1:])])}: "
                       f"{plan.total:,} settings".replace(",", "\u202f")
                       + (f", otherwise where {title(asked.setting, now)}." if asked.setting.study != now.study
                          else ", otherwise as at present.")))
    behind = values_of(tuple(swept.table), swept.table) if values else None
    for column in choices(swept)[:MOST_PICTURES]:
        drawn = picture(study, source, figure_of(swept, column), SMALL_MM, values=False)
        if drawn is not None:
            yield replace(drawn, values=behind)
            behind = None  # they stand behind the first picture
    yield _rows(swept)
    for sentence in swept.told():
        yield Text(begun(sentence) + ".", "small")
    facts = ",".join(f"{key}@{of}" if of else key for key, of in asked.facts)
    words = [word for text in asked.over for word in ("--over", text)]
    explicit = {name: value for name, value in asked.setting.explicit.items()
                if name not in {over.name for over in plan.over}}
    yield Code((command_line(study, explicit, "sweep", *words, "--facts", facts, *["--simulate"] * asked.simulate,
                             "--output", "sweep.csv"),))


def _rows(swept: Swept) -> Cells:
    """Rows of a sweep, evenly chosen where there are many, the first and the last among them."""
    plan, total = swept.plan, swept.plan.total
    chosen = range(total) if total <= MOST_ROWS else np.unique(
        np.linspace(0, total - 1, MOST_ROWS).round().astype(int)).tolist()
    kind = type(plan.study)
    heads = [Head(kind.parameter(over.name).quantity.symbol, right=True) for over in plan.over]
    heads += [Head(column.quantity.label + (f", {column.series.label}" if column.series else ""), right=True, share=1)
              for column in swept.columns]
    rows = []
    for i in chosen:
        cell = plan.cell(i)
        over = [value if isinstance(value, str) else powered(amount(float(value), kind.parameter(name).quantity))
                for name, value in cell.items()]
        rows.append((*over, *(_fact(swept, i, place, column) for place, column in enumerate(swept.columns))))
    part = "" if len(rows) == total else f" {len(rows)} of {total} settings."
    return Cells(f"Values of the sweep.{part}", tuple(heads), tuple(rows))


def _fact(swept: Swept, i: int, place: int, column: Column) -> str:
    value, low, high = (float(each[i, place]) for each in (swept.cells.value, swept.cells.low, swept.cells.high))
    known = int(swept.cells.kind[i, place])
    if math.isnan(value) or not 1 <= known <= len(KINDS):
        return NONE
    declared = type(swept.plan.study).answers().index()[swept.plan.facts[place]]
    kind = KINDS[known - 1]
    ends = (None, None) if math.isnan(low) or math.isnan(high) else (low, high)
    return number(Fact(column.quantity, value, column.series, kind, *ends,
                       at_least=declared.at_least and kind == "bound"))


def snapshots(kept: Sequence[Snapshot], now: Setting) -> Cells:
    """Snapshots by name, with their time and note, and what differs in each from the present values."""
    rows = tuple((line_of(one.name, LONGEST_NAME), line_of(one.when, LONGEST_NAME) or NONE,
                  powered(title(one.state.setting, now)), " ".join(lines_of(one.note, LONGEST_OF_SNAPSHOT)) or NONE)
                 for one in kept)
    return Cells("Snapshots that were kept, with what differs from the present values.",
                 (Head("Name", share=1.5), Head("Taken", share=1), Head("Values", share=2.5), Head("Note", share=2.5)),
                 rows)
