"""One function draws any figure of any study for print: the curves of the window, in points and millimetres."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

from dpstudio.core.figure import Axis, Figure, Mark
from dpstudio.core.results import Span
from dpstudio.core.study import Study
from dpstudio.data.origin import Origin
from dpstudio.documents import words
from dpstudio.documents.print import painters, style
from dpstudio.documents.print.fonts import drawable, width, wrap
from dpstudio.documents.print.sheet import Entry, Sheet
from dpstudio.scene.axes import Ticks, ticks_of
from dpstudio.scene.legend import entries
from dpstudio.scene.names import shared, spread
from dpstudio.scene.notes import Text, beyond
from dpstudio.scene.published import told
from dpstudio.scene.scene import Pinned, Scene, Source, Straight, pointed, resolve
from dpstudio.text.numbers import decade, powered

OUT = 6.0
"""Points from the frame to the numbers beside it."""
LEADER = 5.5
"""Points from the frame to a mark's label, as far as a line leads."""


def draw(study: Study, update: Source, figure: Figure, size_mm: tuple[float, float],
         hidden: frozenset[str] = frozenset(), data: Origin | None = None, pins: Sequence[Pinned] = (), *,
         notes: Sequence[Text] = (), published: bool = False, alone: bool = True) -> Canvas:
    """The figure on a sheet of that size; raises KeyError where its table is not computed yet.

    One that does not stand alone has neither title nor small print: the page around it says these.
    """
    update.tables[figure.table]
    scene = resolve(figure, update, study.values(), {each.name: each for each in study.parameters()}, hidden=hidden,
                    pins=pins, with_published=published, notes=notes)
    sheet = Sheet(size_mm)
    kind = sheet.type
    if alone:
        sheet.head(figure.title, scene.told if kind is style.NORMAL else "")
        sheet.foot((words.parameters(study), *(((words.counted(study, data),),) if data is not None else ()),
                    *((told(scene.published)[:None if kind is style.NORMAL else 1],) if scene.published else ()),
                    (words.relation(study), words.MADE_BY)))
    # A little higher than the picture will be, so that curves that are said to coincide do.
    sheet.legend(printed(scene, kind, sheet.top - sheet.bottom))
    under = [drawable(note.words) for note in scene.notes if note.at is None]
    sheet.remarks([*under, *filter(None, [beyond(scene.notes, scene.x, scene.y)])])
    said = [each for each in scene.straights if math.isfinite(each.at)]
    across = [each for each in said if each.layer.axis == "x"]
    upward = [each for each in said if each.layer.axis == "y"]
    sheet.top -= kind.small + LEADER if across else 0.0
    sheet.bottom += OUT + kind.line + kind.unit / 2 + kind.label
    sheet.right -= max((LEADER + width(_label(each, scene.y), kind.small) for each in upward), default=0.0)

    below, above = painters.room(scene, kind, _marked(scene, sheet))
    most = (sheet.top - sheet.bottom - below - above) / (2.4 * kind.small)
    rows = ticks_of(figure.y, *scene.y, max(2, int(most)))
    _label_y(sheet, figure.y, rows)
    columns = _x_ticks(figure.x, scene.x, sheet)
    marked = _marked(scene, sheet)  # the numbers at both axes took of the width
    below, above = painters.room(scene, kind, marked)
    axes = sheet.axes()
    axes.set_xlim(*scene.x)
    axes.set_ylim(*_with_room(scene.y, sheet.top - sheet.bottom, below, above))
    _tick(axes, columns, rows)
    painters.paint(axes, scene, kind, sheet.right - sheet.left, sheet.top - sheet.bottom, marked)
    if scene.blank:
        sheet.text((sheet.left + sheet.right) / 2, (sheet.bottom + sheet.top) / 2, figure.empty, kind.label,
                   colour=style.MUTED, align="center")
    _label_x(sheet, figure.x, columns, scene.x)
    _number_y(sheet, rows, axes.get_ylim())
    _label_across(sheet, across, scene.x)
    _label_upward(sheet, upward, axes.get_ylim())
    return sheet.canvas


def _marked(scene: Scene, sheet: Sheet) -> painters.Marked:
    return painters.marked(scene, sheet.type, sheet.right - sheet.left, sheet.top - sheet.bottom)


def printed(scene: Scene, kind: style.Type, height: float) -> list[Entry]:
    """The legend in points, where the y axis is so many points high."""
    widths = {"curve": kind.curve, "other": kind.other, "dots": kind.curve, "area": 2.5 * kind.curve}
    return [Entry(one.label, one.style.light, one.style.dash if one.kind in ("curve", "other") else (),
                  widths[one.kind], painters.FAINT if one.faint or one.kind == "area" else 1.0,
                  one.kind == "dots", one.shade)
            for one in entries(scene, scene.coincident(scene.x, scene.y, height))]


def _x_ticks(axis: Axis, window: Span, sheet: Sheet) -> Ticks:
    """As many as can be read apart; the outermost number keeps on the sheet."""
    room, size = sheet.right - sheet.left, sheet.type.small
    most = max(2, int(room / (6 * size)))
    ticks = ticks_of(axis, *window, most)
    while most > 1 and len(ticks.major) > 2 and _crowded(ticks, window, room, size):
        most -= 1
        ticks = ticks_of(axis, *window, most)
    if ticks.labels:
        last = (ticks.major[-1] - window[0]) / (window[1] - window[0]) * room
        over = sheet.left + last + width(ticks.labels[-1], size) / 2 - (sheet.width - sheet.type.unit)
        sheet.right -= max(0.0, over)
    return ticks


def _crowded(ticks: Ticks, window: Span, room: float, size: float) -> bool:
    apart = (ticks.major[1] - ticks.major[0]) / (window[1] - window[0]) * room
    return max(width(label, size) for label in ticks.labels) + 1.5 * size > apart


def _with_room(window: Span, height: float, below: float, above: float) -> Span:
    """The window made longer, so that so many points of its height stay free at either end."""
    point = (window[1] - window[0]) / max(height - below - above, 1.0)
    return window[0] - below * point, window[1] + above * point


def _tick(axes: Axes, columns: Ticks, rows: Ticks) -> None:
    for axis, ticks in ((axes.xaxis, columns), (axes.yaxis, rows)):
        axis.set_ticks(ticks.major, [""] * len(ticks.major))
        axis.set_ticks(ticks.minor, minor=True)
        axis.grid(which="major", color=style.GRID, linewidth=style.HAIR, zorder=painters.BEHIND)
    axes.set_axisbelow(True)


def _named(axis: Axis, ticks: Ticks) -> str:
    """The quantity with its unit, and the power of ten that its numbers leave out."""
    return axis.quantity.axis_label + (f" × {decade(ticks.exponent)}" if ticks.exponent else "")


def _label_x(sheet: Sheet, axis: Axis, ticks: Ticks, window: Span) -> None:
    numbers, size = sheet.type.small, sheet.type.label
    for at, label in zip(_along(ticks.major, window, sheet.left, sheet.right), ticks.labels, strict=True):
        sheet.text(at, sheet.bottom - OUT - style.ASCENT * numbers, label, numbers, colour=style.MUTED, align="center")
    baseline = sheet.bottom - OUT - sheet.type.line - sheet.type.unit / 2 - style.ASCENT * size
    sheet.text((sheet.left + sheet.right) / 2, baseline, _named(axis, ticks), size, align="center")


def _label_y(sheet: Sheet, axis: Axis, ticks: Ticks) -> None:
    """Upwards beside the axis, in two lines where one is too long; it and the numbers take from the left."""
    size = sheet.type.label
    for line in wrap(_named(axis, ticks), size, sheet.top - sheet.bottom):
        sheet.text(sheet.left + style.ASCENT * size, (sheet.bottom + sheet.top) / 2, line, size, align="center",
                   upwards=True)
        sheet.left += size * style.LEADING
    sheet.left += OUT + max((width(label, sheet.type.small) for label in ticks.labels), default=0.0)


def _number_y(sheet: Sheet, ticks: Ticks, window: Span) -> None:
    size = sheet.type.small
    for at, label in zip(_along(ticks.major, window, sheet.bottom, sheet.top), ticks.labels, strict=True):
        sheet.text(sheet.left - OUT, at - style.MIDDLE * size, label, size, colour=style.MUTED, align="right")


def _label_across(sheet: Sheet, straights: Sequence[Straight], window: Span) -> None:
    """Above the frame, apart from each other, each led to by a line; levels as far as there is room."""
    size, unit = sheet.type.small, sheet.type.unit
    first, last = sheet.left - 2 * unit, sheet.width - 2 * unit
    marks = [(one, _label(one, window)) for one in straights if isinstance(one.layer, Mark)]
    levels = [(one, (_label(one, window), _label(replace(one, words=one.brief), window))) for one in straights
              if not isinstance(one.layer, Mark)]
    room = last - first - sum(width(said, size) + 2 * unit for _, said in marks)
    chosen = shared([(width(whole, size), width(brief, size)) for _, (whole, brief) in levels], room, 2 * unit)
    said = [*marks, *((one, both[i]) for (one, both), i in zip(levels, chosen, strict=True) if i is not None)]
    fitting = [(one, words, width(words, size)) for one, words in said]
    fitting.sort(key=lambda each: each[0].at)
    points = _along([one.at for one, *_ in fitting], window, sheet.left, sheet.right)
    lefts = spread(points, [wide for *_, wide in fitting], first, last, 2 * unit)
    for (one, label, wide), at, left in zip(fitting, points, lefts, strict=True):
        sheet.text(left, sheet.top + LEADER + 0.15 * size, label, size, colour=_ink(one))
        if window[0] <= one.at <= window[1]:
            sheet.line([at, at, left + wide / 2], [sheet.top, sheet.top + LEADER / 3, sheet.top + LEADER],
                       one.style.light, style.LEVEL)


def _label_upward(sheet: Sheet, straights: Sequence[Straight], window: Span) -> None:
    """Right of the frame, apart from each other, led to by a line where that moves them."""
    straights = sorted(straights, key=lambda one: one.at)
    line = sheet.type.line
    points = _along([one.at for one in straights], window, sheet.bottom, sheet.top)
    lows = spread(points, [line] * len(straights), sheet.bottom, sheet.top, 0.0)
    for one, at, low in zip(straights, points, lows, strict=True):
        words = _label(one, window)
        baseline = low + line / 2 - style.MIDDLE * sheet.type.small
        sheet.text(sheet.right + LEADER, baseline, words, sheet.type.small, colour=_ink(one))
        # A line straight to the label would read as a minus.
        if window[0] <= one.at <= window[1] and abs(low + line / 2 - at) > 1:
            sheet.line([sheet.right, sheet.right + LEADER - 1.5], [at, low + line / 2], one.style.light, style.LEVEL)


def _label(one: Straight, window: Span) -> str:
    """The words of a straight line, with an arrow where it lies beside the frame."""
    return pointed(powered(one.words), one.layer.axis, int(one.at > window[1]) - int(one.at < window[0]))


def _ink(one: Straight) -> str:
    """The colour of a label: a level's is that of its series."""
    return one.style.light if one.series else style.INK


def _along(positions: Sequence[float], window: Span, low: float, high: float) -> list[float]:
    """Positions on an axis as points on the sheet."""
    return [low + (at - window[0]) / (window[1] - window[0]) * (high - low) for at in positions]
