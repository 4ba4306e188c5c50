"""The agreement of handed-over code with the studies, as docs/handover.md shows it: `python packaging/agreement.py`.

Every script is run as it is written: its text is executed, and releases of it are counted. Where a library has noise on
lists of numbers, the line of the script that makes it is given a list, which is the same mechanism many times over.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import bdtr, bdtrc, ndtri

from dpstudio.core.study import Study
from dpstudio.documents.code import Handed, opendp, written
from dpstudio.mechanisms.noise import DiscreteGaussianNoise, GaussianNoise, GeometricNoise, LaplaceNoise, StaircaseNoise
from dpstudio.studies import all_studies

PAGE = Path(__file__).parents[1] / "docs" / "handover.md"
BEGIN, END = "<!-- the table: packaging/agreement.py -->", "<!-- end of the table -->"
DRAWS = 100_000
MISSED = 1e-4
"""Probability with which a right script misses its interval."""
EXACT_COUNT = 100
"""What noise is added to."""
LIST = "dp.vector_domain(dp.atom_domain(T={0})), dp.l{1}_distance(T={2})"
DISTRIBUTIONS = {"opendp": "opendp", "google": "python-dp"}
DECISION = {"epsilon": 1.0, "delta": 0.05, "minimum": EXACT_COUNT, "target": 0.9}
SELECTION = {"epsilon": 1.0, "delta": 1e-4, "others": "selection", "partitions": 2}
ONE = {"epsilon": 1.0}
COINS = {"design": "coins", "theta1": 0.2557620939896121, "theta2": 0.2}
"""With ε = 1, to the last bit: the best response of it is the symmetric one."""


@dataclass(frozen=True)
class Case:
    """One script, and the event that is counted in its releases."""

    study: str
    values: Mapping[str, Any] = field(hash=False)
    series: str
    library: str
    at: float
    """The records of a decision; else how much more than the exact number is released, at least."""

    @property
    def made(self) -> Study:
        return all_studies()[self.study](**self.values)

    @property
    def handed(self) -> Handed:
        return written(self.made, self.values, self.series, self.library)

    @property
    def event(self) -> str:
        match self.study:
            case "decision":
                return f"yes to {self.at:.0f} records"
            case "response":
                return "yes after a yes"
        return "yes after a yes" if self.series == "response" else f"{self.at:+g} or more"

    def probability(self, scale: float = 1.0) -> float:
        """Of the event, exactly; or what it would be, were the noise so many times as wide."""
        one: Any = self.made.answer().one(self.series)
        if self.study == "decision":
            return self._accepted(one.decision, scale)
        if hasattr(one, "response"):
            return float(1 / (1 + np.exp(-one.response.epsilon / scale)) if self.handed.nearest or scale != 1
                         else one.response.yes_if_yes)
        if self.study == "posterior":
            noise = GeometricNoise(1.0) if self.values.get("noise") == "geometric" else LaplaceNoise(1.0)
        else:
            noise = one.noise
        if isinstance(noise, StaircaseNoise):  # Laplace noise stands in for it
            noise = LaplaceNoise.calibrate(noise.epsilon, noise.sensitivity)
        if self.library == "google" and isinstance(noise, DiscreteGaussianNoise):  # what stands in for it is rounded
            least = GaussianNoise.analytic(one.study.epsilon, one.study.delta, 1.0)
            return float(_wider(least, scale).tail(self.at - 0.5))
        if self.library == "google" and isinstance(noise, GeometricNoise):
            return float(LaplaceNoise(noise.noise_scale * scale).tail(self.at - 0.5))
        return float(_wider(noise, scale).tail(self.at))

    def _accepted(self, decision: Any, scale: float) -> float:
        if self.series in ("cutoff", "matched"):  # the second is written for the first
            made = self.made.replace(epsilon=self.values["epsilon"] / scale)
            decision = made.answer().one("matched").decision  # type: ignore[attr-defined]
        elif scale != 1 and self.series in ("gaussian", "selection_gaussian"):
            decision = decision.replace(mu=decision.mu / scale)
        elif scale != 1:
            kind = type(decision).__mro__[1] if self.series in ("laplace", "selection_laplace") else None
            decision = (kind(decision.epsilon / scale, decision.threshold) if kind
                        else decision.replace(epsilon=decision.epsilon / scale))
        return float(decision.accept_probability(int(self.at)))


CASES = (
    *(Case("decision", DECISION, series, "opendp", at) for series, at in (
        ("laplace", 99), ("cutoff", 99), ("generalized", 99), ("gaussian", 99), ("matched", 99))),
    Case("decision", DECISION, "laplace", "google", 99),
    Case("decision", DECISION | {"target": 0.05}, "generalized", "google", 102),
    Case("decision", DECISION, "gaussian", "google", 99),
    *(Case("decision", SELECTION, series, "google", at) for series, at in (
        ("selection_optimal", 20), ("selection_laplace", 20), ("selection_gaussian", 20))),
    Case("response", {"design": "symmetric", "epsilon": 1.0}, "response", "opendp", 0),
    Case("response", COINS, "response", "opendp", 0), Case("response", COINS, "best", "opendp", 0),
    Case("mean", ONE, "response", "opendp", 0),
    *(Case("mean", ONE, series, library, at) for series, at in (("laplace", 1), ("geometric", 1), ("gaussian", 4))
      for library in DISTRIBUTIONS),
    *(Case("noise", ONE, series, library, at) for series, at in (
        ("laplace", 1), ("geometric", 1), ("gaussian", 4), ("gaussian_classical", 4), ("printed", 25),
        ("staircase", 1), ("discrete_gaussian", 4))
      for library in DISTRIBUTIONS),
    *(Case("posterior", ONE | {"noise": noise}, series, library, 1) for series, noise in (
        ("naive", "laplace"), ("clamped", "geometric"), ("aware", "laplace")) for library in DISTRIBUTIONS),
    *(Case("neighbours", ONE, series, library, 1) for series in ("laplace", "geometric") for library in DISTRIBUTIONS),
)


def _wider(noise: Any, scale: float) -> Any:
    match noise:
        case GeometricNoise():
            return noise.replace(epsilon=noise.epsilon / scale)
        case LaplaceNoise():
            return noise.replace(scale=noise.scale * scale)
    assert isinstance(noise, GaussianNoise | DiscreteGaussianNoise)
    return noise.replace(sigma=noise.sigma * scale)


def loaded(text: str) -> dict[str, Any]:
    """What a script defines, run as a module."""
    names: dict[str, Any] = {"__name__": "handed"}
    exec(compile(text, "handed.py", "exec"), names)
    return names


def hits(case: Case, text: str, draws: int = DRAWS, again: int = 0) -> int:
    """How often the event happened in so many releases of a script."""
    if (case.study == "decision" and "THRESHOLD =" not in text) or "selection" in text:
        return _yeses(re.sub("(?m)^#.*\n", "", text), int(case.at), draws, again)
    names = loaded(text)
    if "flip" in names:
        return _truthful(code_of(text), draws, again)
    exact = case.at if case.study == "decision" else EXACT_COUNT
    released = _released(code_of(text), float(exact), draws, again)
    return int(np.count_nonzero(released >= (names["THRESHOLD"] if case.study == "decision" else exact + case.at)))


def code_of(text: str) -> str:
    """The imports and constants of a script, and how it makes its noise, on lists where the library can."""
    lines = [line for line in text.split("\n\n\ndef ")[0].splitlines() if not line.startswith("#")]
    code = "\n".join(line for line in lines if not re.match(r"THRESHOLD|PRIOR_|DELTA = 0\.0  ", line))
    for space, atom, number in ((opendp.ONE, "float, nan=False", "float"), (opendp.WHOLE, '"i64"', '"i64"')):
        code = code.replace(space, LIST.format(atom, 2 if "gaussian" in code else 1, number))
    return code


@lru_cache(maxsize=32)
def _yeses(text: str, records: int, draws: int, again: int) -> int:  # noqa: ARG001 - asked again, it draws again
    answer, rows = loaded(text)["answer"], range(records)
    return sum(answer(rows) for _ in range(draws))


@lru_cache(maxsize=32)
def _truthful(code: str, draws: int, again: int) -> int:  # noqa: ARG001 - the same
    flip = loaded(code)["flip"]
    return sum(flip(True) for _ in range(draws))


@lru_cache(maxsize=32)
def _released(code: str, exact: float, draws: int, again: int) -> np.ndarray[Any, Any]:  # noqa: ARG001 - the same
    """The exact number with noise, again and again; what several scripts make alike is drawn once."""
    noise = loaded(code)["noise"]
    value: float | int = int(exact) if "i64" in code or "rounded" in code else exact
    if "opendp" in code:
        return np.asarray(noise([value] * draws))
    return np.asarray([noise(value) for _ in range(draws)])


def is_likely(found: int, probability: float, draws: int = DRAWS, missed: float = MISSED) -> bool:
    """Whether so many hits lie in the central interval of their binomial law."""
    return bool(2 * min(bdtr(found, draws, probability), bdtrc(found - 1, draws, probability)) >= missed)


def enough(exact: float, wider: float, missed: float = MISSED) -> int:
    """Releases among which the one probability is taken for the other as seldom as it misses its own interval.

    Normal laws in place of the binomials: √n |p − q| = z(missed/2) √(p(1 − p)) + z(missed) √(q(1 − q)).
    """
    apart = -ndtri(missed / 2) * np.sqrt(exact * (1 - exact)) - ndtri(missed) * np.sqrt(wider * (1 - wider))
    return int(np.ceil((apart / (exact - wider)) ** 2))


HEADER = ("study", "series", "library", "version", "event", "exact", "measured", "ε, δ ours", "ε, δ theirs",
          "why they differ")


def rows(measure: bool) -> Iterator[tuple[str, ...]]:
    """The table; without measuring, that column is empty."""
    for case in CASES:
        handed = case.handed
        names = loaded(handed.text)
        theirs = names["accounted"]() if "accounted" in names else None
        found = f"{hits(case, handed.text) / DRAWS:.5f}" if measure else ""
        yield (case.study, case.series, case.library, version(DISTRIBUTIONS[case.library]), case.event,
               f"{case.probability():.5f}", found, _pair(names["EPSILON"], names["DELTA"]),
               _pair(*theirs) if theirs else "none", why(case, handed, names, theirs))


def why(case: Case, handed: Handed, names: Mapping[str, Any], theirs: tuple[float, float] | None) -> str:
    """What explains a difference of the accounts, or of what is written from what was asked for."""
    said = ["nearest: see the script"] if handed.nearest else []
    if theirs is None:
        said.append("a σ that is given has no account there")
    elif "zCDP" in handed.text:
        said.append("by way of zCDP")
    elif not (names["EPSILON"] <= theirs[0] <= names["EPSILON"] * (1 + 1e-12)):
        said.append("rounded")
    if case.library == "google" and case.series == "gaussian":
        said.append(f"its σ is {names['mechanism'].std:.6g}")
    return "; ".join(said)


def _pair(epsilon: float, delta: float) -> str:
    return f"{epsilon:.6g}, {delta:.4g}"


def table(measure: bool) -> str:
    lines = [HEADER, ("---",) * len(HEADER), *rows(measure)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main() -> None:
    page = PAGE.read_text("utf-8")
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    PAGE.write_text(f"{before}{BEGIN}\n\n{table(measure=True)}\n\n{END}{after}", "utf-8")


if __name__ == "__main__":
    sys.exit(main())
