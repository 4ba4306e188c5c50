"""The cells as the script of the page reads them: JSON in which what several cells have alike stands once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from dpstudio.core.results import Column, Fact
from dpstudio.core.study import Study
from dpstudio.documents import words
from dpstudio.documents.living.cells import Living, LivingCell
from dpstudio.documents.living.drawing import DrawnCell, Slot
from dpstudio.documents.report.drawn import headed
from dpstudio.documents.rows import by_quantity
from dpstudio.documents.tables import json_number, json_numbers
from dpstudio.scene.palette import Style
from dpstudio.text.entry import write_number
from dpstudio.text.numbers import powered
from dpstudio.text.sentences import begun
from dpstudio.vocabulary import Value

_STATES = {"": ".", "refused": "r", "decided": "d"}
"""What an element of the picture is in a cell, as one sign."""


class Shared:
    """What several cells have alike, once, as JSON; a cell says which."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.size = 0
        """Bytes of all of it."""
        self._places: dict[str, int] = {}

    def add(self, thing: object) -> int:
        """Where it stands."""
        text = _json(thing)
        if text not in self._places:
            self._places[text] = len(self.texts)
            self.texts.append(text)
            self.size += len(text) + 1
        return self._places[text]

    @property
    def json(self) -> str:
        return f"[{','.join(self.texts)}]"


class Classes:
    """The looks that a picture has, as classes of a style sheet."""

    def __init__(self) -> None:
        self.styles: dict[Style, str] = {}

    def of(self, style: Style) -> str:
        return self.styles.setdefault(style, f"k{len(self.styles)}")

    def rules(self) -> str:
        """Ink on a light and on a dark ground, and dashes, in pixels whatever the width."""
        light = "".join(f".{name}{{--ink:{style.light}}}" for style, name in self.styles.items())
        dark = "".join(f".{name}{{--ink:{style.dark}}}" for style, name in self.styles.items())
        dashes = "".join(f".line.{name},.bars.{name}{{stroke-dasharray:{_dash(style)}}}"
                         for style, name in self.styles.items() if style.dash)
        return f"{light}\n@media screen and (prefers-color-scheme:dark){{{dark}}}\n{dashes}\n"


def _dash(style: Style) -> str:
    return " ".join(f"{length * style.width:g}px" for length in style.dash)


def _json(thing: object) -> str:
    """Nothing but ASCII, and no space that nobody needs."""
    return json.dumps(thing, allow_nan=False, separators=(",", ":"))


class CellsText:
    """The cells as the script reads them, as they come."""

    def __init__(self, living: Living) -> None:
        self.columns, self.words = Shared(), Shared()
        self.kept: list[dict[str, Any]] = []
        self._living = living
        self._heads: dict[Column, None] = {}
        self._values: list[Mapping[Column, int]] = []
        self._parameters: list[tuple[str, ...]] = []

    @property
    def size(self) -> int:
        """Bytes so far, without what is drawn."""
        return self.columns.size + self.words.size

    def add(self, cell: LivingCell) -> None:
        """The numbers and sentences of the next cell."""
        made: dict[str, Any] = {"says": self.words.add(cell.headline)}
        found: dict[Column, int] = {}
        if cell.study is not None:
            assert cell.scene is not None
            found = {column: self.columns.add(json_numbers(values)) for column, values in (cell.columns or {}).items()}
            made["told"] = self.words.add(powered(cell.scene.told))
            made["empty"] = self.words.add(cell.scene.figure.empty if cell.scene.blank else "")
            made["facts"] = list(fact_rows(self._living, cell.study, cell.facts))
            made["refused"] = [i for i, each in enumerate(self._living.series) if each.key in cell.scene.refused]
        self._heads |= dict.fromkeys(found)
        self._values.append(found)
        self._parameters.append(parameters(cell.study, self._living.study) if cell.study else ())
        self.kept.append(made)

    @property
    def common(self) -> frozenset[str]:
        """The parameters that every cell has alike, and so has the session."""
        own = frozenset(parameters(self._living.study, self._living.study))
        return own.intersection(*(each for each in self._parameters if each))

    def json(self, drawn: Iterable[DrawnCell | None], slots: Sequence[Slot], classes: Classes) -> str:
        """All of it, with what is drawn in each cell."""
        paths, legends, labels, common = Shared(), Shared(), Shared(), self.common
        heads = list(self._heads)
        for made, found, told, picture in zip(self.kept, self._values, self._parameters, drawn, strict=True):
            made["setting"] = self.words.add(" · ".join(each for each in told if each not in common))
            if picture is None:
                continue
            made["values"] = [found.get(column, -1) for column in heads]
            made["paths"] = [paths.add(picture.paths[slot][0]) if slot in picture.paths else -1 for slot in slots]
            made["states"] = "".join(_STATES[picture.paths.get(slot, ("", ""))[1]] for slot in slots)
            made["labels"] = labels.add([[each.words, f"{each.kind} {classes.of(each.style)}", each.left, each.top]
                                         for each in picture.labels])
            made["legend"] = legends.add([[each.kind, f"{classes.of(each.style)} {each.state}".rstrip(), each.words]
                                          for each in picture.legend])
        living = self._living
        over = [{"name": each.name, "values": list(each.values), "said": said(living.study, each.name, each.values)}
                for each in living.over]
        head = {"over": over, "series": max(len(living.series), 1),
                "heads": [[column.key, headed(column)] for column in heads]}
        pools = {"words": self.words, "columns": self.columns, "paths": paths, "labels": labels, "legends": legends}
        body = ",\n".join(f'"{name}":{pool.json}' for name, pool in pools.items())
        cells = ",\n".join(map(_json, self.kept))
        return f'{_json(head)[:-1]},\n{body},\n"cells":[{cells}]}}'


def fact_rows(living: Living, study: Study, facts: Sequence[Fact]) -> Iterator[list[Any]]:
    """Of each quantity its words, and for each series, or for all at once, text, value, kind and ends."""
    known = by_quantity(facts)
    for row in known.values():
        keys: list[str | None] = [each.key for each in living.series] if None not in row.facts else [None]
        yield [begun(words.label_at(row.quantity, study)), [
            [powered(row.cell(key, known)), json_number(fact.value), fact.kind,
             *(None if end is None else json_number(end) for end in (fact.low, fact.high))]
            if (fact := row.facts.get(key)) else 0 for key in keys]]


def parameters(study: Study, own: Study) -> tuple[str, ...]:
    """Every parameter that matters with its value, and who is a neighbour where that is another than at first."""
    told = words.parameters(study)
    return told if study.relation == own.relation else (*told, words.relation(study))


def said(study: Study, name: str, values: Sequence[Value]) -> list[str]:
    """Values of a parameter with every digit, as its slider says them."""
    declared = study.parameter(name)
    return [declared.said(value) if isinstance(value, bool | str) else powered(write_number(value)) for value in values]
