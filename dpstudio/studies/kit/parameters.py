"""Parameters that several studies have: ε and δ, how many people, and how much is drawn from which seed."""

from __future__ import annotations

from typing import Any

from dpstudio import vocabulary as v
from dpstudio.core.declare import Follow, parameter
from dpstudio.vocabulary import Interval, Quantity, integers

USEFUL = "more private", "more useful"
"""What is spent at either end of a slider."""
SIMULATION = "Simulation"
ERROR = "Error asked for"
"""A distance and a level at which errors are said."""


def epsilon(default: float, domain: Interval, shown: tuple[float, float], quantity: Quantity = v.EPSILON, **more: Any
            ) -> Any:
    """An ε, which privacy keeps small."""
    return parameter(quantity, default, domain=domain, shown=shown, ends=USEFUL, **more)


def delta(default: float, domain: Interval, quantity: Quantity = v.DELTA, shown: tuple[float, float] = (1e-12, 0.1),
          **more: Any) -> Any:
    """A δ, which privacy keeps small."""
    return parameter(quantity, default, domain=domain, shown=shown, ends=USEFUL, **more)


def people(default: int | Follow, most: int, shown: tuple[float, float], quantity: Quantity = v.PEOPLE, **more: Any
           ) -> Any:
    """Of how many people something is known."""
    return parameter(quantity, default, domain=integers(1, most), shown=shown, ends=("cheaper", "more precise"), **more)


def error_level(domain: Interval, **more: Any) -> Any:
    """At which level an error is said."""
    return parameter(v.ERROR_LEVEL, 0.95, domain=domain, shown=(0.5, 0.999), ends=("fewer answers", "more answers"),
                     **more)


def error_beyond(default: float | Follow, domain: Interval, shown: tuple[float, float], **more: Any) -> Any:
    """Of which error it is said how often it is exceeded."""
    return parameter(v.ERROR_BEYOND, default, domain=domain, shown=shown, ends=("smaller error", "larger error"),
                     **more)


def trials(quantity: Quantity, default: int, shown: tuple[float, float], most: int = 10**9) -> Any:
    """How much is drawn."""
    return parameter(quantity, default, domain=integers(1, most), shown=shown, group=SIMULATION,
                     ends=("sooner done", "more precise"))


def seed() -> Any:
    """From which seed."""
    return parameter(v.SEED, 0, shown=(0, 999), group=SIMULATION)
