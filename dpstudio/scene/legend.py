"""What says whose a curve is: the entries of a legend, and the names that curves, dots and pins may wear."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

import numpy as np

from dpstudio.core.figure import Band, Bars, Dots, Line, Map, Region
from dpstudio.records import dataclass
from dpstudio.scene.coincidence import same_here
from dpstudio.scene.maps import Shade, beside_ramp, shading
from dpstudio.scene.palette import NEUTRAL, Style
from dpstudio.scene.people import STATES
from dpstudio.scene.scene import Part, Scene, label_of, map_label, series_of
from dpstudio.text.language import tr
from dpstudio.vocabulary import amount

LONG = 25
"""Letters of names that stand in one line."""
SAME = 1e-3
"""Part of the picture's height by which curves of other samples may differ that are the same."""
Swatch: TypeAlias = Literal["curve", "other", "area", "dots", "person"]


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """One entry of a legend: words beside a sample of what they stand for."""

    key: str
    """What it hides and shows; empty where it only explains."""
    label: str
    style: Style
    kind: Swatch = "curve"
    """`other` is a thinner curve, `area` a band or a bar in the strip below, `person` a guess."""
    faint: bool = False
    refused: bool = False
    """Whether it does not keep the study's ε and δ, and says what it spends."""
    worn: bool = False
    """Whether the picture itself says it."""
    alone: str = ""
    """The label without what it coincides with or spends, where it does."""
    shade: Shade | None = None
    """What of a map it stands for, if it does."""


@dataclass(frozen=True, slots=True, eq=False)
class CurveName:
    """Words for one part, on its line or beside its dot."""

    words: str
    part: Part
    others: tuple[Part, ...] = ()
    """Of a pinned curve, the present one and those of the other pins, from which it is to be told."""


def entries(scene: Scene, coincident: Mapping[str, str], *, hidden: bool = False) -> tuple[LegendEntry, ...]:
    """An entry for every series, or line without one, that is seen; of what is hidden, too, where a click shows it.

    A curve that lies on another says so. Where series have two curves, what the thick and the thin ones are; at the end
    the pins. Of people what each colour means: whose they are stands beside them.
    """
    parts = [part for part in scene.parts if part.shown or (hidden and part.present)]
    if not scene.figure.has_axes:
        return tuple(LegendEntry("", words, look, "person") for look, words in STATES.values()) if parts else ()
    found: dict[tuple[str, str], LegendEntry] = {}
    first: dict[str, str] = {}
    for part in parts:
        line = part.layer
        if not isinstance(line, Line) or (not line.label and part.key in first):
            continue
        label, alone = label_of(line), ""
        if part.key not in first:
            first[part.key] = label
            if under := first.get(coincident.get(part.key, "")):
                label, alone = same_here(label, under), label
            label, alone = scene.named(part, label), alone or (label if part.refused else "")
        found.setdefault((part.key, line.label), LegendEntry(
            part.key, label, part.style, "other" if part.thin else "curve", refused=part.refused, worn=line.named,
            alone=alone))
    for part in parts:
        series = series_of(part.layer)
        if isinstance(part.layer, Band | Dots | Region) and series and series.key not in first:
            first[series.key] = tr(series.label)
            dots = isinstance(part.layer, Dots)
            found[series.key, ""] = LegendEntry(
                series.key, scene.named(part, tr(series.label)), part.style, "dots" if dots else "area",
                refused=part.refused, worn=dots and single(part) is not None)
    pins = (LegendEntry("", pin.title, NEUTRAL, faint=True) for pin in scene.pins)
    return (*found.values(), *_roles(parts), *_shades(scene), *pins)


def _shades(scene: Scene) -> Iterator[LegendEntry]:
    """What the ramp of a map stands for, and what is not on it."""
    for part in scene.shown(Map):
        layer = part.layer
        assert isinstance(layer, Map)
        quantity, values = layer.value.quantity, part.arrays[2]
        known, unit = shading(values, quantity), f" {layer.value.quantity.unit}".rstrip()
        if known.low <= known.high:
            low, high = amount(known.low, quantity), amount(known.high, quantity)
            said = f"{low} to {high}{unit}" if known.low < known.high else f"{low}{unit} everywhere"
            yield LegendEntry("", f"{map_label(layer)}: {said}", NEUTRAL, shade="ramp")
        for shade, words in beside_ramp(values, quantity).items():
            yield LegendEntry("", words, NEUTRAL, shade=shade)


def _roles(parts: list[Part]) -> Iterator[LegendEntry]:
    """What the thick and the thin curves of a series are."""
    lines = [part.layer for part in parts if isinstance(part.layer, Line) and part.layer.y.series]
    roles = {line.role: tr(line.y.quantity.label) for line in reversed(lines) if not line.label}
    if len(roles) == 2:
        for role in ("curve", "other"):
            yield LegendEntry("", roles[role], Style(NEUTRAL.light, NEUTRAL.dark), role)


def names(scene: Scene, coincident: Mapping[str, str], *, curves: bool) -> list[CurveName]:
    """What is to be named on the picture, the most wanted first: single dots, lines of equal value, pins and, where no
    legend says it, the curves, those that coincide together: “Laplace = Generalized”. They name their dots, too."""
    lines = scene.shown(Line)
    worn = {part.key for part in lines if curves and not (isinstance(part.layer, Line) and part.layer.label)}
    found = [CurveName(beside, part) for part in scene.shown(Dots) if (beside := _beside(scene, part))
             and not (isinstance(part.layer, Dots) and part.layer.says == "series" and part.key in worn)]
    found += [CurveName(label_of(part.layer), part) for part in (*lines, *scene.isolines)
              if isinstance(part.layer, Line) and part.layer.named]
    for i, pin in enumerate(scene.pins):
        if part := _differing(scene, i):
            found.append(CurveName(pin.title, part, tuple(
                each for each in (*lines, *scene.pinned) if each.layer is part.layer and each is not part)))
    if not curves:
        return found
    together: dict[str, list[str]] = {}
    wearing: dict[tuple[str, str], Part] = {}
    for part in lines:
        line = part.layer
        if not isinstance(line, Line) or isinstance(line, Bars) or line.named:
            continue
        if part.key in coincident:
            under = coincident[part.key]
            words = together.setdefault(coincident.get(under, under), [])
            words += [label_of(line)] if not words or label_of(line) not in words else []
        elif line.label or all(key != part.key for key, _ in wearing):
            wearing.setdefault((part.key, line.label), part)
    for (key, _), part in wearing.items():
        assert isinstance(part.layer, Line)
        label = joined([label_of(part.layer), *together.pop(key, ())])
        found.append(CurveName(scene.named(part, label), part))
    return found


def _beside(scene: Scene, part: Part) -> str:
    """What stands beside dots that are all in one place."""
    layer, at, series = part.layer, single(part), series_of(part.layer)
    assert isinstance(layer, Dots)
    if at is None or not series or not layer.says:
        return ""
    if layer.says == "series":
        return tr(series.label)
    x = float(part.arrays[0][at])
    return amount(10**x if scene.figure.x.scale == "log" else x, layer.x.quantity, 3, "up")


def joined(words: list[str]) -> str:
    """“Laplace = Generalized”; where that is long each has a line of its own."""
    return (" = " if sum(map(len, words)) <= LONG else " =\n").join(words)


def single(part: Part) -> int | None:
    """A point of dots that are all in one place; a table's columns have one length, and repeat what is single."""
    x, y = part.points
    good = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    same = good.size and (x[good] == x[good[0]]).all() and (y[good] == y[good[0]]).all()
    return int(good[0]) if same else None


def _differing(scene: Scene, pin: int) -> Part | None:
    """The first line of a pin that lies elsewhere than the present one; there may be none."""
    now = {part.layer: part for part in scene.shown(Line)}
    own = (part for part in scene.pinned if part.pin == pin and part.shown and not isinstance(part.layer, Bars))
    least = SAME * (scene.y[1] - scene.y[0])
    return next((part for part in own if part.layer not in now or _elsewhere(part, now[part.layer], least)), None)


def _elsewhere(one: Part, other: Part, least: float) -> bool:
    """Whether two curves, which may have other samples, are anywhere further apart than this."""
    (x, y), (across, up) = one.points, other.points
    if not len(across) or np.array_equal(x, across) or (across[1:] < across[:-1]).any():
        return not (np.array_equal(x, across) and np.array_equal(y, up, equal_nan=True))
    with np.errstate(invalid="ignore"):
        return bool((np.abs(y - np.interp(x, across, up, left=np.nan, right=np.nan)) > least).any())
