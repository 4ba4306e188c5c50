"""A small figure of each kind and an update for it, so that plots are tested without a study."""

from __future__ import annotations

import numpy as np
from answers_kit import given

from dpstudio import vocabulary as v
from dpstudio.core.declare import Parameter
from dpstudio.core.figure import Axis, Band, Bars, Dots, Figure, Level, Line, Mark, Region
from dpstudio.core.results import Column, Fact, Series, Table
from dpstudio.core.study import Study, answer
from dpstudio.core.update import Update
from dpstudio.gui.plot import FigureView
from dpstudio.gui.shell import theme
from dpstudio.vocabulary import integers, reals

LAPLACE, CUTOFF = Series("laplace", "Laplace"), Series("cutoff", "Cutoff exponential")
BOTH = (LAPLACE, CUTOFF)
X = Column(v.RECORDS)
MARKS = (Mark("minimum", draggable=True), Mark("records", draggable=True))
PARAMETERS = {
    "minimum": Parameter("minimum", v.MINIMUM, integers(1, 10**9)),
    "records": Parameter("records", v.RECORDS, integers(0, 10**12)),
    "epsilon": Parameter("epsilon", v.EPSILON, reals(1e-6, 20)),
}
VALUES = {"minimum": 1000, "records": 1040, "epsilon": 0.1}

LINEAR = Figure(
    "linear", "Probability of accepting", "records", Axis(v.RECORDS), Axis(v.ACCEPTANCE, low=0, high=1),
    (*(Region(v.BAND_FROM, v.BAND_TO, one) for one in BOTH), *(Line(X, Column(v.ACCEPTANCE, one)) for one in BOTH),
     *MARKS), panel="one", caption="How likely.")
TAILS = Figure(
    "tails", "Both tails", "records", Axis(v.RECORDS), Axis(v.PROBABILITY, "log", high=1, floor=1e-12),
    (*(Line(X, Column(v.ACCEPTANCE, one)) for one in BOTH),
     *(Line(X, Column(v.REJECTION, one), role="other") for one in BOTH), *MARKS), panel="one")
LOSS = Figure(
    "loss", "Privacy loss", "records", Axis(v.RECORDS), Axis(v.PRIVACY_LOSS),
    (*(Line(X, Column(v.LOSS_ACCEPT, one)) for one in BOTH), Mark("epsilon", axis="y"),
     Mark("epsilon", axis="y", factor=-1), MARKS[1]))
SIMULATION = Figure(
    "simulation", "Decisions drawn", "simulation", Axis(v.DONE, "log"), Axis(v.FRACTION),
    (Band(Column(v.DONE), Column(v.FRACTION_LOW, LAPLACE), Column(v.FRACTION_HIGH, LAPLACE)),
     Line(Column(v.DONE), Column(v.FRACTION, LAPLACE)),
     Dots(Column(v.DONE), Column(v.FRACTION, LAPLACE), Column(v.FRACTION_LOW, LAPLACE),
          Column(v.FRACTION_HIGH, LAPLACE)),
     Level(v.ACCEPTANCE, LAPLACE)))


def sample_update(epsilon: float = 0.1, minimum: int = 1000, *, series: tuple[Series, ...] = BOTH) -> Update:
    """Logistic curves, a second one shifted; its loss is infinite from the minimum on."""
    n = np.arange(900.0, 1101.0)
    columns, facts = {X: n}, []
    for i, one in enumerate(series):
        middle = minimum - 20 * i
        accept = 1 / (1 + np.exp(-epsilon * (n - middle)))
        columns[Column(v.ACCEPTANCE, one)] = accept
        columns[Column(v.REJECTION, one)] = 1 - accept
        columns[Column(v.LOSS_ACCEPT, one)] = np.where((n >= minimum) & (i == 1), np.inf, epsilon * (1 - accept))
        facts += [Fact(v.BAND_FROM, middle - 4 / epsilon, one), Fact(v.BAND_TO, middle + 4 / epsilon, one),
                  Fact(v.ACCEPTANCE, 0.9, one)]
    done = np.array([1e2, 1e3, 1e4, 1e5])
    simulated = {Column(v.DONE): done, Column(v.FRACTION, LAPLACE): 0.9 + 1 / done,
                 Column(v.FRACTION_LOW, LAPLACE): 0.9 - 1 / np.sqrt(done),
                 Column(v.FRACTION_HIGH, LAPLACE): 0.9 + 1 / np.sqrt(done)}
    return given({"records": Table(columns), "simulation": Table(simulated)}, tuple(facts),
                  windows={"records": (900.0, 1100.0), "simulation": (1e2, 1e5)})
BARS = Figure(
    "bars", "Counts", "counts", Axis(v.STARS), Axis(v.IN_KIND),
    (BAR_ONE := Bars(Column(v.STARS), Column(v.IN_KIND, LAPLACE)), Bars(Column(v.STARS), Column(v.IN_KIND, CUTOFF)),
     Dots(Column(v.STARS), Column(v.COUNT_SEEN, LAPLACE), on=BAR_ONE)))


def painted(qtbot, *figures: Figure, update: Update | None = None, values=VALUES, size=(640, 400),
            parameters=PARAMETERS, look=theme.LIGHT) -> FigureView:
    """A panel of these figures that shows an update, as somebody sees it."""
    view = FigureView(figures or (LINEAR,), look, parameters=parameters)
    qtbot.addWidget(view)
    view.resize(*size)
    view.show()
    view.show_update(sample_update() if update is None else update, values)
    view.grab()  # what a hand does next, it does to a painted plot
    return view


def pictured(qtbot, study: Study, key: str, size=(640, 400)) -> FigureView:
    """The same of a study's own figure and answer."""
    return painted(qtbot, study.figure(key), update=answer(study, simulate=False), values=study.values(), size=size,
                   parameters={each.name: each for each in study.parameters()})


def bars_update() -> Update:
    """A negative bar, and one without a finite value."""
    table = Table({Column(v.STARS): np.array([1.0, 2.0]), Column(v.IN_KIND, LAPLACE): np.array([3.0, -2.0]),
                   Column(v.IN_KIND, CUTOFF): np.array([5.0, np.inf]),
                   Column(v.COUNT_SEEN, LAPLACE): np.array([3.0, 1.0])})
    return given({"counts": table}, windows={"counts": (0.5, 2.5)})
