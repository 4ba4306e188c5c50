"""Jobs that other libraries do as well: both in one run, the same answer, then time and memory."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from peers_kit import peak

from dpstudio.data.condition.parser import parse
from dpstudio.data.counting import count
from dpstudio.data.file import DataFile
from dpstudio.mechanisms.noise import DiscreteGaussianNoise, GeometricNoise, LaplaceNoise
from dpstudio.studies import all_studies

DELTA, DRAWS, ROWS = 1e-7, 100_000, 10**6
NOISE = all_studies()["noise"]
FRESH = itertools.count()
LOSSES = {
    "laplace": "from_laplace_mechanism", "gaussian": "from_gaussian_mechanism",
    "geometric": "from_discrete_laplace_mechanism", "discrete_gaussian": "from_discrete_gaussian_mechanism",
}


@pytest.fixture
def losses():
    return pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")


@pytest.fixture
def dp():
    opendp = pytest.importorskip("opendp.prelude")
    opendp.enable_features("contrib", "honest-but-curious")
    return opendp


def released(series):
    """Noise that was never asked for, and its guarantee."""
    answer = NOISE(epsilon=0.5 * 1.000001 ** next(FRESH), delta=1e-6).answer()
    return answer.one(series).noise, answer.guarantee(series)


def scale_of(noise):
    """What dp-accounting calls its parameter: a scale, σ, or the ε of discrete Laplace noise."""
    return next(getattr(noise, name) for name in ("sigma", "scale", "epsilon") if hasattr(noise, name))


def supply(series):
    """Enough of them for one measure, made before it."""
    return iter([released(series) for _ in range(50)])


@pytest.mark.parametrize("series", LOSSES)
def test_the_epsilon_at_a_delta(ratio, losses, series):
    made = supply(series)

    def ours():
        return next(made)[1].epsilon_at(DELTA)

    def theirs():
        return getattr(losses, LOSSES[series])(scale_of(next(made)[0])).get_epsilon_for_delta(DELTA)

    assert ours() == pytest.approx(theirs(), abs=3e-4)
    ratio(f"ε at δ of {series} noise, against dp-accounting", ours, theirs, "1 ×", rounds=10)


def test_the_epsilon_of_gaussian_noise_by_opendp(ratio, dp):
    space, made = (dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)), supply("gaussian")

    def theirs():
        gaussian = dp.m.make_gaussian(*space, scale=next(made)[0].sigma)
        return dp.c.make_zCDP_to_approxDP(gaussian).map(1.0).epsilon(DELTA)

    def ours():
        return next(made)[1].epsilon_at(DELTA)

    assert ours() <= theirs()
    ratio("ε at δ of gaussian noise, against OpenDP, whose is larger", ours, theirs, "1 ×", rounds=10)


@pytest.mark.parametrize("series", ["laplace", "gaussian"])
def test_the_errors_of_an_attack(ratio, losses, series):
    analysis = pytest.importorskip("riskcal.analysis")
    alpha, made = np.linspace(0.01, 0.99, 99), supply(series)

    def ours():
        return next(made)[1].trade_off(alpha)

    def theirs():
        return analysis.get_beta_from_pld(getattr(losses, LOSSES[series])(scale_of(next(made)[0])), alpha)

    np.testing.assert_allclose(ours(), theirs(), atol=3e-4)
    ratio(f"errors of an attack on {series} noise at 99 places, against riskcal", ours, theirs, "1 ×", rounds=10)


@pytest.mark.parametrize(("kind", "maker"), [("discrete Gaussian", "make_gaussian"), ("geometric", "make_geometric")])
def test_draws(ratio, dp, kind, maker):
    space = dp.vector_domain(dp.atom_domain(T=int)), (dp.l2_distance(T=float) if kind == "discrete Gaussian" else
                                                      dp.l1_distance(T=int))
    theirs, zeros = getattr(dp.m, maker)(*space, scale=10.0), [0] * DRAWS
    noise = DiscreteGaussianNoise(10.0) if kind == "discrete Gaussian" else GeometricNoise(0.1, 1)
    rng = np.random.default_rng(0)
    spreads = [float(np.std(np.asarray(each, dtype=float))) for each in (noise.sample(DRAWS, rng), theirs(zeros))]
    assert spreads[0] == pytest.approx(spreads[1], rel=0.03)
    ratio(f"100 000 draws of {kind} noise, against OpenDP, whose are made to be released",
          lambda: noise.sample(DRAWS, rng), lambda: theirs(zeros), "1 ×", rounds=5)


@pytest.fixture(scope="module", params=["csv", "parquet"])
def people(tmp_path_factory, request):
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path_factory.mktemp("people") / f"people.{request.param}"
    duckdb.execute(f"COPY (SELECT hash(range) % 90 AS age, hash(range, 1) % 5 = 0 AS smoker FROM range({ROWS})) "
                   f"TO '{path}'")
    return path


def test_a_count_of_a_file(ratio, people):
    import duckdb

    own = f"SELECT count(*) FROM '{people}' WHERE age >= 65 AND smoker"
    with DataFile(people) as file, duckdb.connect() as connection:
        file.open()
        condition = parse("age >= 65 and smoker", file.opened().columns)
        wanted = connection.execute(own).fetchall()[0][0]
        assert count(file, condition).qualifying == wanted
        ratio(f"a count of 1 000 000 rows of {people.suffix[1:].upper()}, against DuckDB alone",
              lambda: count(file, condition), lambda: connection.execute(own).fetchall(), "2 ×", rounds=10)


def test_a_count_by_a_library_that_releases(ratio, people):
    pydp = pytest.importorskip("pydp.algorithms.laplacian")
    import duckdb

    own = f"SELECT age FROM '{people}' WHERE age >= 65 AND smoker"
    with DataFile(people) as file, duckdb.connect() as connection:
        file.open()
        condition = parse("age >= 65 and smoker", file.opened().columns)
        rng, noise = np.random.default_rng(0), LaplaceNoise(1.0)

        def ours():
            return count(file, condition).qualifying + noise.sample(1, rng)[0]

        def theirs():
            rows = [row[0] for row in connection.execute(own).fetchall()]
            return pydp.Count(epsilon=1.0, dtype="int").quick_result(rows)

        assert ours() == pytest.approx(theirs(), abs=60)
        ratio(f"a noisy count of 1 000 000 rows of {people.suffix[1:].upper()}, against python-dp fed by DuckDB",
              ours, theirs, "1 ×", rounds=5)


NOISE_OURS = ("from dpstudio.studies import all_studies\n"
              "all_studies()['noise'](delta=1e-6).answer().guarantee('{0}').epsilon_at(1e-7)")
JOBS = {
    "ε at δ of gaussian noise, against dp-accounting": (NOISE_OURS.format("gaussian"), (
        "from dp_accounting.pld import privacy_loss_distribution as p\n"
        "p.from_gaussian_mechanism(4.2).get_epsilon_for_delta(1e-7)")),
    "ε at δ of gaussian noise, against OpenDP": (NOISE_OURS.format("gaussian"), (
        "import opendp.prelude as dp\ndp.enable_features('contrib')\n"
        "m = dp.m.make_gaussian(dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float), scale=4.2)\n"
        "dp.c.make_zCDP_to_approxDP(m).map(1.0).epsilon(1e-7)")),
    "errors of an attack on gaussian noise, against riskcal": (
        NOISE_OURS.format("gaussian").replace("epsilon_at(1e-7)", "trade_off(0.05)"),
        "from riskcal.analysis import get_beta_from_gdp\nget_beta_from_gdp(0.24, 0.05)"),
    "acceptance of a decision, against python-dp": (
        "from dpstudio.studies import all_studies\nall_studies()['decision']().answer().fact('acceptance', 'laplace')",
        "from pydp.algorithms.partition_selection import create_partition_strategy as c\n"
        "c('laplace', 1.0, 1e-6, 1).should_keep(10)"),
}

LIBRARIES = "import numpy, scipy.special"
"""What whoever computes with arrays has read anyway: ours may take as much, also beside a library that has neither."""


@pytest.mark.parametrize("job", JOBS)
def test_memory(report, job):
    ours, theirs, libraries = (min(peak(each) for _ in range(3)) for each in (*JOBS[job], LIBRARIES))
    report(f"memory: {job}", ours / theirs, f"{max(libraries / theirs, 1.0):.3g} ×",
           f"{ours:.0f} MiB against {theirs:.0f} MiB; numpy and scipy.special alone, read whole, {libraries:.0f} MiB")
