"""The page: its words and its still picture for whoever runs no scripts, and the cells as JSON for the script."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape, unescape
from typing import Any

import numpy as np

from dpstudio.core.declare import Array, Parameter
from dpstudio.core.resources import resource
from dpstudio.core.results import Column, Fact, Table
from dpstudio.core.study import Study
from dpstudio.core.update import Update
from dpstudio.documents import session_file, words
from dpstudio.documents.embedded import ID, SHOWN
from dpstudio.documents.living.cells import Living, LivingCell, facts_of
from dpstudio.documents.living.drawing import EDGE, ROW, SLIM, UNITS, WIDE, Axes, Drawn, Slot
from dpstudio.documents.print.fonts import font_faces
from dpstudio.documents.report.blocks import Picture
from dpstudio.documents.report.drawn import headed, values_of
from dpstudio.documents.report.html import in_script, inside
from dpstudio.documents.rows import by_quantity
from dpstudio.documents.tables import columns_of, json_number, json_numbers, of_a_person
from dpstudio.scene.axes import Ticks
from dpstudio.scene.palette import Style, style
from dpstudio.text.entry import write_number
from dpstudio.text.numbers import powered
from dpstudio.text.sentences import begun, grouped
from dpstudio.vocabulary import Value

SIGNS = "A number without a sign is exact; ≤ and ≥ stand before a bound, ≈ before an estimate with its 95 % interval."
NONE = "–"
SAME_WIDTH = 'vector-effect="non-scaling-stroke"'
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


# What the script reads

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
        self._heads |= dict.fromkeys(found)
        self._values.append(found)
        self._parameters.append(parameters(cell.study, self._living.study) if cell.study else ())
        self.kept.append(made)

    @property
    def common(self) -> frozenset[str]:
        """The parameters that every cell has alike, and so has the session."""
        own = frozenset(parameters(self._living.study, self._living.study))
        return own.intersection(*(each for each in self._parameters if each))

    def json(self, drawn: Iterable[Drawn | None], slots: Sequence[Slot], classes: Classes) -> str:
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


# The page

def page(living: Living, update: Update, still: Picture | None, cells: CellsText, data: str, axes: Axes,
         slots: Sequence[Slot], classes: Classes) -> bytes:
    """The bytes of the page; `update` and the `still` picture are those of the session."""
    figure, study, session = living.figure, living.study, living.session
    title = f"{study.title}: {figure.title}"
    shown = session.carried().choose(figure.place, figure.key) if figure in study.figures else session.carried()
    script = resource("living/page.js").read_text("utf-8")
    headline = powered(next(iter(update.verdicts), ""))
    body = f"""\
<header>
<div><h1>{escape(title)}</h1><button type="button" id="larger" aria-pressed="false" hidden>Larger type</button></div>
<p id="says" aria-live="polite">{escape(headline)}</p>
</header>
<main>
<figure>
<div class="card still">{inside(still, 1) if still else f"<p>{escape(figure.empty)}</p>"}</div>
{_live(living, axes, slots, classes)}
<figcaption id="told">{escape(still.text if still else powered(figure.caption))}</figcaption>
</figure>
<section aria-label="Settings and numbers">
{"".join(_sliders(living))}
<p id="setting">{escape(" · ".join(each for each in parameters(study, study) if each not in cells.common))}</p>
{_facts(living, facts_of(update, living.plan.facts), classes)}
<p class="small">{SIGNS}</p>
<details id="values"><summary>Values behind the picture</summary>
<div class="wide" role="region" aria-label="Values behind the picture" tabindex="0">{_values(living, update)}</div>
</details>
<details><summary>About this page</summary>
{"".join(f"<p>{escape(each)}</p>" for each in _about(living, still))}
</details>
</section>
</main>
<footer>
<p>{escape(words.relation(study))}. {escape(_drawn(living))}</p>
<p>{escape(" · ".join((*(each for each in parameters(study, study) if each in cells.common), words.MADE_BY)))}</p>
{"".join(f"<p>{escape(each)}</p>" for each in _counted(living))}</footer>
"""
    signs = {sign for sign in unescape(re.sub(r"<[^<>]*>", " ", body)) + _texts(data) if sign.isprintable()}
    look = resource("living/page.css").read_text("utf-8") + classes.rules() + font_faces({False: signs, True: signs})
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    allowed = (f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; font-src data:; "
               "img-src data:; base-uri 'none'; form-action 'none'")
    return f"""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{allowed}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="{escape(f"{words.MADE_BY} explores; it does not release.")}">
<title>{escape(title)}</title>
<style>
{look}</style>
<script type="application/json" id="{ID}" {SHOWN}>{in_script(session_file.text(shown))}</script>
</head>
<body>
{body}<script type="application/json" id="cells">{in_script(data)}</script>
<script>{script}</script>
</body>
</html>
""".encode()


def _texts(data: str) -> str:
    """Every sign that may be shown of the data."""
    return "".join({sign for text in re.findall(r'"(?:[^"\\]|\\.)*"', data) for sign in json.loads(text)})


def _live(living: Living, axes: Axes, slots: Sequence[Slot], classes: Classes) -> str:
    """The picture that the script fills: the axes, which stay, and an empty path for each element."""
    figure, size = living.figure, UNITS + 2 * EDGE
    plain, high = (slot for slot in slots if slot.kind != "region"), [slot for slot in slots if slot.kind == "region"]
    grid = "".join(f"M{round(float(axes.across(x)))} {-EDGE}v{size}" for x in map(_array, axes.columns[WIDE].major))
    grid += "".join(f"M0 {round(float(axes.down(y)))}h{UNITS}" for y in map(_array, axes.rows.major))
    rows = "".join(_row(axes, *each) for each in zip(axes.rows.major, axes.rows.labels, strict=True))
    long = max(map(len, axes.rows.labels), default=0)
    strip = (f'<svg id="strip" viewBox="0 0 {UNITS} {ROW * axes.regions}" preserveAspectRatio="none" '
             f'aria-hidden="true" style="height:{0.6 * axes.regions:g}rem">'
             f'{"".join(_element(each, classes) for each in high)}</svg>' if axes.regions else "")
    return f"""\
<div class="live" hidden>
<div class="plot" style="--numbers:{long}ch">
<p class="up" aria-hidden="true">{escape(figure.y.quantity.axis_label + axes.rows.power)}</p>
<div class="rows" aria-hidden="true">{rows}</div>
<div class="stage" role="img" aria-label="{escape(figure.title)}" aria-describedby="says told">
<svg viewBox="0 {-EDGE} {UNITS} {size}" preserveAspectRatio="none" aria-hidden="true">\
<path class="grid" {SAME_WIDTH} d="{grid}"/>\
{"".join(_element(each, classes) for each in plain)}</svg>
<div id="labels" aria-hidden="true"></div>
<p id="empty" hidden></p>
</div>
{strip}
<div class="columns" aria-hidden="true">{_columns(axes, WIDE)}{_columns(axes, SLIM)}</div>
<p class="along" aria-hidden="true">{escape(figure.x.quantity.axis_label + axes.columns[WIDE].power)}</p>
</div>
<ul id="legend" aria-label="Legend"></ul>
</div>"""


def _array(value: float) -> Array:
    return np.asarray(value)


def _element(slot: Slot, classes: Classes) -> str:
    return f'<path class="part {slot.kind}{slot.more} {classes.of(slot.style)}" {SAME_WIDTH} d=""/>'


def _row(axes: Axes, at: float, label: str) -> str:
    return f'<span style="top:{axes.top(at):g}%">{escape(label)}</span>'


def _columns(axes: Axes, room: str) -> str:
    ticks: Ticks = axes.columns[room]
    return "".join(f'<span class="{room}" style="left:{axes.left(at):g}%">{escape(label)}</span>'
                   for at, label in zip(ticks.major, ticks.labels, strict=True))


def _sliders(living: Living) -> Iterator[str]:
    """A slider for each parameter, hidden where no script moves them."""
    for i, (over, at) in enumerate(zip(living.over, living.nearest, strict=True)):
        declared: Parameter = living.study.parameter(over.name)
        symbol = f" {declared.quantity.symbol}" if declared.quantity.symbol not in declared.quantity.label else ""
        texts = said(living.study, over.name, over.values)
        ends = "".join(f"<span>{escape(each)}</span>" for each in declared.ends) if any(declared.ends) else ""
        yield (f'<div class="slider live" hidden><label for="slide{i}">{escape(begun(declared.quantity.label))}'
               f'{escape(symbol)}</label> <output id="at{i}" for="slide{i}">{escape(texts[at])}</output>'
               f'<input type="range" id="slide{i}" min="0" max="{len(texts) - 1}" step="1" value="{at}" '
               f'aria-valuetext="{escape(texts[at])}" autocomplete="off">'
               f'<p class="ends" aria-hidden="true">{ends}</p></div>\n')


def _facts(living: Living, facts: Sequence[Fact], classes: Classes) -> str:
    """The table of facts at the settings of the session; the script fills its body anew."""
    looks = [classes.of(style(each, living.figure.compared)) for each in living.series]
    heads = "".join(f'<th scope="col" class="{look}">{escape(each.label)}</th>'
                    for each, look in zip(living.series, looks, strict=True))
    body = []
    for label, row in fact_rows(living, living.study, facts):
        wide = f' colspan="{len(living.series)}"' if len(row) == 1 and len(living.series) > 1 else ""
        body.append(f'<tr><th scope="row">{escape(label)}</th>'
                    + "".join(f"<td{wide}>{escape(each[0]) if each else NONE}</td>" for each in row) + "</tr>")
    return (f'<div class="wide"><table id="facts"><thead><tr><th scope="col">Number</th>{heads}</tr></thead>'
            f'<tbody>{"".join(body)}</tbody></table></div>')


def _values(living: Living, update: Update) -> str:
    """The values at the settings of the session; the script fills the table anew where it is open."""
    table: Table = update.tables[living.figure.table]
    values = values_of(columns_of(living.figure, table), table)
    heads = "".join(f'<th scope="col">{escape(each)}</th>' for each in values.heads)
    rows = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in values.rows)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _about(living: Living, still: Picture | None) -> Iterator[str]:
    """How to read the page."""
    symbols = words.symbols(living.study, [over.name for over in living.over])
    yield (f"{grouped(living.plan.total)} settings of {symbols} were computed; nothing between them is made up. Where "
           "no scripts run, the picture and the numbers are those of the settings that the page was made at.")
    yield ("The axes stay as they are: x holds the stretch that is worth seeing at any of the settings, y all that the "
           "curves come to. The values behind the picture are over the stretch that is worth seeing at theirs.")
    if living.session.state().pins:
        yield "What is faint was pinned, and stays as it is."
    for note in still.notes if still else ():
        yield f"Note. {note}"
    yield f"{words.MADE_BY} explores; it does not release. Drop this page on its window to come back to its settings."


def _drawn(living: Living) -> str:
    return "What is simulated was drawn at each setting by its seed." if living.simulated else ""


def _counted(living: Living) -> Iterator[str]:
    """What must be said of values that were counted in people’s data, but of those that a slider sets."""
    data = living.session.data
    data = data and data.besides({over.name for over in living.over})
    if data is not None:
        yield f"{begun(words.counted(living.study, data))}."
        yield from of_a_person(living.study, data)

