"""The page: its words and its still picture for whoever runs no scripts, and the cells as JSON for the script."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from html import escape

import numpy as np

from dpstudio.core.declare import Array, Parameter
from dpstudio.core.resources import resource
from dpstudio.core.results import Table
from dpstudio.core.update import Update
from dpstudio.documents import session_file, words
from dpstudio.documents.embedded import SHOWN
from dpstudio.documents.living.cells import Living, facts_of
from dpstudio.documents.living.data import CellsText, Classes, fact_rows, parameters, said
from dpstudio.documents.living.drawing import EDGE, ROW, SLIM, UNITS, WIDE, Axes, Slot
from dpstudio.documents.report.blocks import Picture
from dpstudio.documents.report.drawn import values_of
from dpstudio.documents.report.html import inside, whole
from dpstudio.documents.rows import SIGNED
from dpstudio.documents.tables import columns_of, of_a_person
from dpstudio.scene.axes import Ticks
from dpstudio.scene.palette import style
from dpstudio.text.numbers import powered
from dpstudio.text.sentences import begun, grouped

NONE = "–"
SAME_WIDTH = 'vector-effect="non-scaling-stroke"'


def page(living: Living, update: Update, still: Picture | None, cells: CellsText, data: str, axes: Axes,
         slots: Sequence[Slot], classes: Classes) -> bytes:
    """The bytes of the page; `update` and the `still` picture are those of the session."""
    figure, study, session = living.figure, living.study, living.session
    title = f"{study.title}: {figure.title}"
    shown = session.carried().choose(figure.place, figure.key) if figure in study.figures else session.carried()
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
{_facts(living, update, classes)}
<p class="small">{SIGNED}.</p>
<details id="values"><summary>Values behind the picture</summary>
<div class="scrolls" role="region" aria-label="Values behind the picture" tabindex="0">{_values(living, update)}</div>
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
    return whole(title, f"{words.MADE_BY} explores; it does not release.",
                 resource("living/page.css").read_text("utf-8") + classes.rules(), body, session_file.text(shown),
                 carried=SHOWN, data=data, data_signs=_texts(data),
                 script=resource("living/page.js").read_text("utf-8"))


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


def _facts(living: Living, update: Update, classes: Classes) -> str:
    """The table of facts at the settings of the session, what is not allowed in fainter ink; the script fills its body
    anew."""
    refused = [" refused" if each.key in update.answer.refused else "" for each in living.series]
    looks = [classes.of(style(each, living.figure.compared)) for each in living.series]
    heads = "".join(f'<th scope="col" class="of-series {look}{faint}">{escape(each.label)}</th>'
                    for each, look, faint in zip(living.series, looks, refused, strict=True))
    body = []
    for label, row in fact_rows(living, living.study, facts_of(update, living.plan.facts)):
        alone = len(row) < len(living.series)
        kinds = [f' colspan="{len(living.series)}"'] if alone else [
            each and f' class="{each.strip()}"' for each in refused] or [""]
        body.append(f'<tr><th scope="row">{escape(label)}</th>' + "".join(
            f"<td{kind}>{escape(each[0]) if each else NONE}</td>" for kind, each in zip(kinds, row, strict=True))
            + "</tr>")
    return (f'<div class="scrolls"><table id="facts"><thead><tr><th scope="col">Number</th>{heads}</tr></thead>'
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
    if living.series:
        yield "What is not allowed at a setting is drawn fainter, and its numbers are."
    if living.session.state().pins:
        yield "What was pinned is faint as well, and stays as it is."
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

