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
from dpstudio.documents.print.sheet import Sheet
from dpstudio.scene.axes import Ticks, ticks_of
from dpstudio.scene.frame import Frame
from dpstudio.scene.legend import entries
from dpstudio.scene.notes import NoteText, beyond
from dpstudio.scene.published import Strip, told
from dpstudio.scene.scene import Pictured, Pinned, Scene, resolve
from dpstudio.scene.straights import Straight, pointed, row_of_labels, spread
from dpstudio.text.language import in_english
from dpstudio.text.numbers import powered

OUT = 6.0
"""Points from the frame to the numbers beside it."""
LEADER = 5.5
"""Points from the frame to a mark's label, as far as a line leads."""


@in_english()
def draw(study: Study, update: Pictured, figure: Figure, size_mm: tuple[float, float],
         hidden: frozenset[str] = frozenset(), data: Origin | None = None, pins: Sequence[Pinned] = (), *,
         notes: Sequence[NoteText] = (), published: bool = False, alone: bool = True) -> Canvas:
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
    sheet.legend(entries(scene, scene.coincident(scene.x, scene.y, sheet.room[1])))
    under = [drawable(note.words) for note in scene.notes if note.at is None]
    sheet.remarks([*under, *filter(None, [beyond(scene.notes, scene.x, scene.y)])])
    if not figure.has_axes:
        _draw_alone(sheet, scene)
        return sheet.canvas
    said = [each for each in scene.straights if math.isfinite(each.at)]
    across = [each for each in said if each.layer.axis == "x"]
    upward = [each for each in said if each.layer.axis == "y"]
    sheet.top -= kind.small + LEADER if across else 0.0
    sheet.bottom += OUT + kind.line + kind.unit / 2 + kind.label
    sheet.right -= max((LEADER + width(_label(each, scene.y), kind.small) for each in upward), default=0.0)

    below, above = painters.room(scene, kind, painters.strip_of(scene, kind, *sheet.room))
    most = (sheet.room[1] - below - above) / (2.4 * kind.small)
    rows = ticks_of(figure.y, *scene.y, max(2, int(most)))
    _label_y(sheet, figure.y, rows)
    columns = _x_ticks(figure.x, scene, sheet)
    names = painters.strip_of(scene, kind, *sheet.room)  # the numbers at both axes took of the width
    below, above = painters.room(scene, kind, names)
    axes = sheet.axes()
    wide, high = sheet.room
    point = (scene.y[1] - scene.y[0]) / max(high - below - above, 1.0)
    frame = Frame(scene.x, (scene.y[0] - below * point, scene.y[1] + above * point), wide, high)
    axes.set_xlim(*frame.x)
    axes.set_ylim(*frame.y)
    _tick(axes, columns, rows)
    painters.paint(axes, scene, kind, frame, names)
    _explain(sheet, scene)
    _label_x(sheet, figure.x, columns, frame)
    for at, label in zip(rows.major, rows.labels, strict=True):
        sheet.text(sheet.left - OUT, sheet.bottom + frame.up(at) - style.MIDDLE * kind.small, label, kind.small,
                   colour=style.MUTED, align="right")
    _label_across(sheet, across, frame)
    _label_upward(sheet, upward, frame)
    return sheet.canvas


def _draw_alone(sheet: Sheet, scene: Scene) -> None:
    """A picture without axes takes all that is left."""
    axes, (wide, high) = sheet.axes(), sheet.room
    axes.set_axis_off()
    frame = Frame(scene.x, scene.y, wide, high)
    axes.set_xlim(*frame.x)
    axes.set_ylim(*frame.y)
    painters.paint(axes, scene, sheet.type, frame, Strip())
    _explain(sheet, scene)


def _explain(sheet: Sheet, scene: Scene) -> None:
    """Why there is nothing, where there is nothing."""
    lines = wrap(scene.figure.empty, sheet.type.label, sheet.right - sheet.left) if scene.blank else []
    x, y = (sheet.left + sheet.right) / 2, (sheet.bottom + sheet.top) / 2
    for i, line in enumerate(lines):
        sheet.text(x, y - i * style.LEADING * sheet.type.label, line, sheet.type.label, colour=style.MUTED,
                   align="center", apart=True)


def _x_ticks(axis: Axis, scene: Scene, sheet: Sheet) -> Ticks:
    """As many as can be read apart; the outermost number keeps on the sheet."""
    window = scene.x
    room, size = sheet.right - sheet.left, sheet.type.small
    most = max(2, int(room / (6 * size)))
    ticks = ticks_of(axis, *window, most, scene.x_names)
    while most > 1 and len(ticks.major) > 2 and _crowded(ticks, window, room, size):
        most -= 1
        ticks = ticks_of(axis, *window, most, scene.x_names)
    if ticks.labels:
        last = (ticks.major[-1] - window[0]) / (window[1] - window[0]) * room
        over = sheet.left + last + width(ticks.labels[-1], size) / 2 - (sheet.width - sheet.type.unit)
        sheet.right -= max(0.0, over)
    return ticks


def _crowded(ticks: Ticks, window: Span, room: float, size: float) -> bool:
    apart = (ticks.major[1] - ticks.major[0]) / (window[1] - window[0]) * room
    return max(width(label, size) for label in ticks.labels) + 1.5 * size > apart


def _tick(axes: Axes, columns: Ticks, rows: Ticks) -> None:
    for axis, ticks in ((axes.xaxis, columns), (axes.yaxis, rows)):
        axis.set_ticks(ticks.major, [""] * len(ticks.major))
        axis.set_ticks(ticks.minor, minor=True)
        axis.grid(which="major", color=style.GRID, linewidth=style.HAIR, zorder=painters.BEHIND)
    axes.set_axisbelow(True)


def _label_x(sheet: Sheet, axis: Axis, ticks: Ticks, frame: Frame) -> None:
    numbers, size = sheet.type.small, sheet.type.label
    for at, label in zip(ticks.major, ticks.labels, strict=True):
        sheet.text(sheet.left + frame.across(at), sheet.bottom - OUT - style.ASCENT * numbers, label, numbers,
                   colour=style.MUTED, align="center")
    baseline = sheet.bottom - OUT - sheet.type.line - sheet.type.unit / 2 - style.ASCENT * size
    sheet.text((sheet.left + sheet.right) / 2, baseline, axis.quantity.axis_label + ticks.power, size, align="center")


def _label_y(sheet: Sheet, axis: Axis, ticks: Ticks) -> None:
    """Upwards beside the axis, in two lines where one is too long; it and the numbers take from the left."""
    size = sheet.type.label
    for line in wrap(axis.quantity.axis_label + ticks.power, size, sheet.top - sheet.bottom):
        sheet.text(sheet.left + style.ASCENT * size, (sheet.bottom + sheet.top) / 2, line, size, align="center",
                   upwards=True)
        sheet.left += size * style.LEADING
    sheet.left += OUT + max((width(label, sheet.type.small) for label in ticks.labels), default=0.0)


def _label_across(sheet: Sheet, straights: Sequence[Straight], frame: Frame) -> None:
    """Above the frame, apart from each other, each led to by a line; levels as far as there is room."""
    size, unit = sheet.type.small, sheet.type.unit
    said = [(_label(one, frame.x),) if isinstance(one.layer, Mark)
            else (_label(one, frame.x), _label(replace(one, words=one.brief), frame.x)) for one in straights]
    points = [sheet.left + frame.across(one.at) for one in straights]
    widths = [[width(words, size) for words in each] for each in said]
    for i, which, left in row_of_labels(points, widths, sheet.left - 2 * unit, sheet.width - 2 * unit, 2 * unit):
        one, at = straights[i], points[i]
        sheet.text(left, sheet.top + LEADER + 0.15 * size, said[i][which], size, colour=_ink(one))
        if frame.x[0] <= one.at <= frame.x[1]:
            sheet.line([at, at, left + widths[i][which] / 2], [sheet.top, sheet.top + LEADER / 3, sheet.top + LEADER],
                       one.style.light, style.LEVEL)


def _label_upward(sheet: Sheet, straights: Sequence[Straight], frame: Frame) -> None:
    """Right of the frame, apart from each other, led to by a line where that moves them."""
    straights = sorted(straights, key=lambda one: one.at)
    line = sheet.type.line
    points = [sheet.bottom + frame.up(one.at) for one in straights]
    lows = spread(points, [line] * len(straights), sheet.bottom, sheet.top, 0.0)
    for one, at, low in zip(straights, points, lows, strict=True):
        baseline = low + line / 2 - style.MIDDLE * sheet.type.small
        sheet.text(sheet.right + LEADER, baseline, _label(one, frame.y), sheet.type.small, colour=_ink(one))
        # A line straight to the label would read as a minus.
        if frame.y[0] <= one.at <= frame.y[1] and abs(low + line / 2 - at) > 1:
            sheet.line([sheet.right, sheet.right + LEADER - 1.5], [at, low + line / 2], one.style.light, style.LEVEL)


def _label(one: Straight, window: Span) -> str:
    """The words of a straight line, with an arrow where it lies beside the frame."""
    return pointed(powered(one.words), one.layer.axis, int(one.at > window[1]) - int(one.at < window[0]))


def _ink(one: Straight) -> str:
    """The colour of a label: a level's is that of its series."""
    return one.style.light if one.series else style.INK
