"""The numbers of a report as tables: parameters, facts by group, how each was found, settings beside each other."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from dpstudio.core.declare import Follow, Parameter
from dpstudio.core.results import Fact, Series
from dpstudio.documents.comparison import FactLine, compared
from dpstudio.documents.report.blocks import Cells, Head, References
from dpstudio.documents.rows import SIGNED, Row, by_quantity, lacking, pieces, series_of, shown
from dpstudio.documents.setting import Setting
from dpstudio.text.entry import write_number
from dpstudio.text.numbers import powered, short
from dpstudio.text.sentences import begun
from dpstudio.vocabulary import Value, yes_or_no

SIGNS = f"{SIGNED}: of draws one of 95 %, unless its formula says another."
MOST_BESIDE = 4
"""Settings that stand beside each other in one table."""
MOST_LINES = 24
"""Facts of such a table, the largest differences first."""
NONE = "–"
NONE_NAMED: Mapping[str, str] = MappingProxyType({})
_LARGEST = str(2**63 - 1)


def parameters(setting: Setting) -> Cells:
    """Every parameter that matters: symbol, name, value, domain, and whether somebody set it."""
    values = setting.study.values()
    rows = ((each.quantity.symbol, begun(each.quantity.label), value_of(values[each.name], each),
             powered(str(each.domain)).replace(_LARGEST, "2⁶³ − 1"), _origin(each, setting))
            for each in setting.study.parameters() if values[each.name] is not None and each.matters(values))
    heads = (Head("Symbol"), Head("Parameter", share=3), Head("Value", right=True), Head("Domain", share=2),
             Head("Given", share=1.4))
    return Cells("The setting: every parameter on which the numbers depend.", heads, tuple(rows))


def value_of(value: Value, declared: Parameter) -> str:
    """“0.5 (neutral)”, “yes”."""
    if isinstance(value, bool | str):
        return declared.said(value)
    named = next((name for name, each in declared.named.items() if each == value), "")
    return powered(write_number(value)) + (f" ({named})" if named else "")


def named(value: Value, declared: Parameter) -> str:
    """“privacy loss ε: 0.1”."""
    return f"{declared.quantity.label}: {value_of(value, declared)}"


def in_words(setting: Setting) -> str:
    """The values that were set, and those of the parameters that are seen first, in words."""
    study = setting.study
    values, first = study.values(), study.level_one.parameters
    return begun(" · ".join(
        named(value, each) for each in study.parameters() if (value := values[each.name]) is not None
        and each.matters(values) and (each.name in first or each.name in setting.names)))


def _origin(declared: Parameter, setting: Setting) -> str:
    if declared.name in setting.counted:
        return ("found from a count" if declared.name in setting.follows else "moved from a count"
                if declared.name in setting.moved else "counted in data")
    if declared.name in setting.names:
        return "set"
    if isinstance(declared.default, Follow):
        names = " and ".join(setting.study.parameter(name).quantity.symbol for name in declared.default.names)
        return f"follows {names}"
    return "default"


def facts(found: Sequence[Fact]) -> Iterator[Cells]:
    """The values of all facts by group: a row a quantity, a column each thing that is compared."""
    groups: dict[str, list[Row]] = {}
    for row in by_quantity(found).values():
        groups.setdefault(row.group, []).append(row)
    for group, rows in groups.items():
        for of in (True, False):
            several = [row for row in rows if any(key is not None for key in row.facts) is of]
            if several:
                yield _values(begun(group), several, found)


def _values(group: str, rows: Sequence[Row], found: Iterable[Fact]) -> Cells:
    several = any(fact.series for row in rows for fact in row.facts.values())
    return side_by_side(f"{group}{'' if several else ', of the question as a whole'}.", found,
                        only={row.quantity.key for row in rows})


def side_by_side(caption: str, found: Iterable[Fact], order: Sequence[Series] = (),
                 named: Mapping[str, str] = NONE_NAMED, note: str = "", only: Collection[str] | None = None) -> Cells:
    """Facts with a row for each quantity, or some by key, and a column for each series, by its label or as `named`.

    Series stand in this order, others as they come behind them.
    """
    known = by_quantity(found)
    rows = [row for key, row in known.items() if only is None or key in only]
    there = series_of(fact for row in rows for fact in row.facts.values())
    series = [*(each for each in order if each in there), *(each for each in there if each not in order)]
    keys: list[str | None] = [one.key for one in series]
    if any(None in row.facts for row in rows):
        keys.append(None)
    heads = [Head("Symbol"), Head("Quantity", share=2.6 if len(keys) < 7 else 1.8)]
    heads += [Head(named.get(one.key, one.label), right=True, share=1.2) for one in series]
    heads += [Head("Of all" if series else "Value", right=True, share=1.2)] if None in keys else []
    cells = tuple((row.quantity.symbol, _label(row), *(powered(row.cell(key, known)) or NONE for key in keys))
                  for row in rows)
    return Cells(caption, tuple(heads), cells, note)


def _label(row: Row) -> str:
    return begun(row.quantity.axis_label)


def derivations(found: Sequence[Fact], refs: References) -> Cells:
    """How each fact was found: kind, interval, formula with today’s numbers, sources; alike ones together."""
    known = by_quantity(found)
    rows = []
    for row in known.values():
        alike: dict[tuple[str, str], list[Fact]] = {}
        for fact in row.facts.values():
            alike.setdefault((_kind(fact), powered(fact.how)), []).append(fact)
        for (kind, how), same in alike.items():
            names = "all" if len(alike) == 1 and len(same) > 2 else ", ".join(
                fact.series.label for fact in same if fact.series)
            rows.append((_label(row), names or NONE, kind, how or NONE, refs.cite(*(fact.source for fact in same))))
    heads = (Head("Quantity", share=2), Head("Of", share=1.6), Head("Kind", share=1.5), Head("Formula", share=3.8),
             Head("Source", share=0.8))
    return Cells("How each number was found, with the values of this setting put in.", heads, tuple(rows))


def _kind(fact: Fact) -> str:
    """“exact”, “lower bound”, “estimate in [0.93, 0.94]”: the interval is rounded outwards."""
    kind = fact.kind if fact.kind != "bound" else "lower bound" if fact.at_least else "upper bound"
    if fact.low is None or fact.high is None or yes_or_no(fact.quantity):
        return kind
    low, high = short(fact.low, 4, "down"), short(fact.high, 4, "up")
    return powered(f"{kind} in [{low}, {high}]")


def beside(titles: Sequence[str], settings: Sequence[Sequence[Fact]], hidden: Collection[str]) -> Iterator[Cells]:
    """Facts that differ between the present setting, which comes first, and others; the largest differences first."""
    for begin in range(1, len(settings), MOST_BESIDE):
        part = [0, *range(begin, min(begin + MOST_BESIDE, len(settings)))]
        lines = [line for line in compared([settings[i] for i in part])
                 if line.weight > 0 and sum(map(bool, line.facts)) > 1
                 and len(set(_line(line)[2:])) > 1  # what reads the same differs by nothing that is shown
                 and not (line.series and line.series.key in hidden)][:MOST_LINES]
        if not lines:
            continue
        heads = (Head("Quantity", share=2.2), Head("Of", share=1.5),
                 *(Head(titles[i], right=True, share=1.3) for i in part))
        yield Cells("What differs between the settings, the largest relative differences first.", heads,
                    tuple(map(_line, lines)))


def _line(line: FactLine) -> tuple[str, ...]:
    alike = lacking(zip(line.facts, line.lacks, strict=True))
    values = (powered(shown(fact, lack, lacking=alike)) if fact else NONE
              for fact, lack in zip(line.facts, line.lacks, strict=True))
    return begun(line.quantity.axis_label), line.series.label if line.series else NONE, *values


def number(fact: Fact) -> str:
    """A fact in a sentence or a cell."""
    return powered(" ".join(filter(None, pieces(fact))))
