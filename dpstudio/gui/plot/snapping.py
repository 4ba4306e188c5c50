"""Where a dragged mark comes to rest: in its parameter's domain, and round at the resolution of the screen."""

from __future__ import annotations

import math

from dpstudio.core.declare import Parameter
from dpstudio.core.figure import Axis, Mark
from dpstudio.scene.axes import value_at
from dpstudio.scene.frame import Frame
from dpstudio.vocabulary import Interval


def snapped(frame: Frame, axis: Axis, mark: Mark, parameter: Parameter, pixel: float) -> float:
    """The parameter's value with its mark at a pixel."""
    at = frame.x_at if mark.axis == "x" else frame.y_at
    step = screen_step(frame, axis, mark, parameter, pixel)
    return admitted(parameter, round(value_at(at(pixel), axis) * mark.factor / step) * step, step)


def screen_step(frame: Frame, axis: Axis, mark: Mark, parameter: Parameter, pixel: float) -> float:
    """The power of ten that a pixel resolves there; at least 1 for whole numbers."""
    at = frame.x_at if mark.axis == "x" else frame.y_at
    resolved = abs(value_at(at(pixel + 0.5), axis) - value_at(at(pixel - 0.5), axis)) or 1e-300
    step = 10.0 ** math.floor(math.log10(resolved) + 1e-9)
    whole = isinstance(parameter.domain, Interval) and parameter.domain.integer
    return max(step, 1.0) if whole else step


def admitted(parameter: Parameter, value: float, step: float) -> float:
    """The nearest value that the parameter's domain holds."""
    domain = parameter.domain
    if not isinstance(domain, Interval):
        return value
    low = domain.low + (step if domain.low_open else 0.0)
    high = domain.high - (step if domain.high_open else 0.0)
    value = min(max(value, low), high)
    return float(round(value)) if domain.integer else float(f"{value:.12g}")
