"""A picture in words, for whoever cannot see it: on screen, in a page and in a file."""

from __future__ import annotations

import math

from dpstudio.core.figure import Figure, Map
from dpstudio.scene.legend import entries
from dpstudio.scene.scene import Scene
from dpstudio.text.numbers import powered
from dpstudio.text.sentences import begun
from dpstudio.vocabulary import amount

_HEIGHT = 300.0
"""Points of height in which two curves are told apart, for words."""


def described(figure: Figure, scene: Scene) -> str:
    """What is to be seen: what is drawn against what, from where to where, which curves, and at which values lines."""
    if not figure.has_axes:
        return powered(f"{figure.title}. {scene.told}")
    maps = any(isinstance(part.layer, Map) for part in scene.parts)
    across = _ends(scene, figure)
    shown = dict.fromkeys(one.label for one in entries(scene, scene.coincident(scene.x, scene.y, _HEIGHT)))
    said = [f"{figure.title}.", f"A map over {figure.x.quantity.label} and {figure.y.quantity.label}." if maps else
            f"{begun(figure.y.quantity.axis_label)} against {figure.x.quantity.axis_label}, from {across[0]} to "
            f"{across[1]}."]
    if shown:
        said.append(f"Shown: {'; '.join(shown)}.")
    marks = [one.words for one in scene.straights if math.isfinite(one.at)]
    if marks:
        said.append(f"Lines at {', '.join(dict.fromkeys(marks))}.")
    return powered(" ".join(said))


def _ends(scene: Scene, figure: Figure) -> tuple[str, str]:
    """Both ends of the x axis as values."""
    log = figure.x.scale == "log"
    low, high = (10**end if log else end for end in scene.x)
    return amount(low, figure.x.quantity, 3), amount(high, figure.x.quantity, 3)
