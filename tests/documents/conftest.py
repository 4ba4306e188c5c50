"""A study of every kind of layer, with infinities and gaps where real ones have few."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.declare import parameter
from dpstudio.core.facts import Said, once, table
from dpstudio.core.figure import Axis, Band, Dots, Figure, Level, Line, Mark, Region
from dpstudio.core.results import Column, Series, Table
from dpstudio.core.study import Study, answer
from dpstudio.core.update import Update
from dpstudio.documents.session import Session
from dpstudio.studies import all_studies

ONE, TWO = Series("laplace", "Laplace"), Series("cutoff", "=Cutoff")
X, LOW, HIGH = Column(v.RECORDS), Column(v.FRACTION_LOW, ONE), Column(v.FRACTION_HIGH, ONE)
LOSS_ONE, LOSS_TWO = Column(v.PRIVACY_LOSS, ONE), Column(v.PRIVACY_LOSS, TWO)


@dataclass(frozen=True)
class Sample(Study):
    """A study that is no study."""

    key = "sample"
    title = "Sample"
    question = "Is everything drawn?"
    pictures = (
        Figure("all", "Everything at once", "numbers", Axis(v.RECORDS), Axis(v.PRIVACY_LOSS),
               (Region(v.BAND_FROM, v.BAND_TO, ONE), Region(v.BAND_FROM, v.BAND_TO, TWO), Band(X, LOW, HIGH),
                Line(X, LOSS_ONE), Line(X, LOSS_TWO), Dots(X, Column(v.FRACTION, ONE), LOW, HIGH),
                Mark("minimum"), Mark("records"), Mark("epsilon", "y"), Mark("epsilon", "y", factor=-1),
                Level(v.ACCEPTANCE, ONE), Line(X, Column(v.PRIVACY_LOSS, Series("absent", "Absent")))),
               caption="A caption."),
        Figure("later", "Not computed", "none", Axis(v.RECORDS), Axis(v.PRIVACY_LOSS), ()),
    )

    minimum: int = parameter(v.MINIMUM, 50)
    records: int = parameter(v.RECORDS, 51)
    epsilon: float = parameter(v.EPSILON, 0.1)

    @classmethod
    def answers(cls) -> type[Answer]:
        return SampleAnswer


class SampleAnswer(Answer):
    """Numbers with infinities and gaps."""

    declared = {"the answer": (
        once(v.BAND_FROM, lambda _: 20.0, series=ONE), once(v.BAND_TO, lambda _: np.inf, series=ONE),
        once(v.BAND_FROM, lambda _: np.nan, series=TWO), once(v.BAND_TO, lambda _: 30.0, series=TWO),
        once(v.ACCEPTANCE, lambda _: Said(0.3, kind="estimate", low=0.25, high=0.35), series=ONE))}
    tabled = {"numbers": table(lambda _, __: numbers(), (0.0, 99.0))}

    def sentences(self, seen: object = None) -> Iterator[str]:
        yield "A verdict."


def numbers() -> Table:
    x = np.arange(100.0)
    y = np.where(x == 30, np.nan, np.where(x < 10, np.inf, np.where(x > 95, -np.inf, np.sin(x / 9))))
    fraction = np.linspace(0.2, 0.4, 100)
    return Table({X: x, LOSS_ONE: y, LOSS_TWO: np.where(x < 5, np.inf, x / 100), Column(v.FRACTION, ONE): fraction,
                  LOW: fraction - 0.05, HIGH: fraction + 0.05})


@pytest.fixture
def own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key that no other test has."""
    for name in ("HOME", "APPDATA", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "settings"))


@pytest.fixture(scope="session")
def sample() -> Sample:
    return Sample()


@pytest.fixture(scope="session")
def sample_update(sample: Sample) -> Update:
    return answer(sample)


@pytest.fixture(scope="session")
def decision() -> Study:
    return all_studies()["decision"](epsilon=0.2, trials=40_000)


@pytest.fixture(scope="session")
def sample_session() -> Session:
    return Session.of(Sample)


@pytest.fixture(scope="session")
def decision_session() -> Session:
    return Session.of(all_studies()["decision"], {"epsilon": 0.2, "trials": 40_000})


@pytest.fixture(scope="session")
def decision_update(decision: Study) -> Update:
    return answer(decision)
