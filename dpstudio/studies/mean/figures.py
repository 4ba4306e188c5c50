"""The pictures of the mean study, as data."""

from __future__ import annotations

from dpstudio import vocabulary as v
from dpstudio.core.figure import Axis, Dots, Figure, Line, Mark
from dpstudio.core.results import Column, Series

RESPONSE = Series("response", "Randomized response")
LAPLACE = Series("laplace", "Laplace")
GEOMETRIC = Series("geometric", "Geometric")
GAUSSIAN = Series("gaussian", "Gaussian")
ALL = (RESPONSE, LAPLACE, GEOMETRIC, GAUSSIAN)
NOTED = (RESPONSE, LAPLACE)
"""Those whose error the lecture notes give a form for."""

X_PEOPLE = Column(v.PEOPLE)
X_EPSILON = Column(v.EPSILON)
X_ERROR = Column(v.FRACTION_ERROR)
PEOPLE_TABLE, EPSILON_TABLE, ERRORS_TABLE = "people", "epsilon", "errors"


def _lines(x: Column, y: v.Quantity) -> tuple[Line, ...]:
    return tuple(Line(x, Column(y, series)) for series in ALL)


def _noted(x: Column) -> tuple[Line, ...]:
    return tuple(Line(x, Column(v.NOTE_ERROR, series), role="other") for series in NOTED)


FIGURES = (
    Figure("people", "Error against the number of people", PEOPLE_TABLE,
           Axis(v.PEOPLE, "log"), Axis(v.ERROR_SD, "log", floor=1e-15),
           (*_lines(X_PEOPLE, v.ERROR_SD), *_noted(X_PEOPLE),
            *(Dots(X_PEOPLE, Column(v.SEEN_SD, series), Column(v.SEEN_SD_LOW, series), Column(v.SEEN_SD_HIGH, series))
              for series in ALL),
            Mark("people", draggable=True)),
           caption="Lines are exact, dots simulated; thin: the lecture notes’ 1/(ε√n) and 1/(εn). About a group "
                   "randomized response has slope −½, the others −1."),
    Figure("epsilon", "Error against ε", EPSILON_TABLE,
           Axis(v.EPSILON, "log"), Axis(v.ERROR_SD, "log", floor=1e-15),
           (*_lines(X_EPSILON, v.ERROR_SD), *_noted(X_EPSILON), Mark("epsilon", draggable=True)),
           caption="The lecture notes’ 1/(ε√n) (thin) is near for small ε only: about a group randomized response "
                   "improves exponentially in ε, Laplace noise does not."),
    Figure("errors", "Errors at this n and ε", ERRORS_TABLE,
           Axis(v.FRACTION_ERROR), Axis(v.ERROR_RELATIVE, low=0, high=1), _lines(X_ERROR, v.ERROR_RELATIVE),
           caption="What each mechanism adds to the fraction of a fixed group, each against its own peak."),
)
