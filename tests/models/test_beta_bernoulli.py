"""Posteriors of a rate given a noisy count: the oracle, the plain sum over true counts, and what must hold of any."""

from __future__ import annotations

import json
import math
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import reference_posterior as reference
from hypothesis import assume, example, given
from hypothesis import strategies as st
from mpmath import mp, mpf

from dpstudio.core.declare import InvalidParameter
from dpstudio.models import beta_bernoulli
from dpstudio.models.beta_bernoulli import InvalidPosterior, noisy_count_posterior
from dpstudio.models.beta_bernoulli.likelihood import Rates, log_likelihood

ROWS = json.loads((Path(__file__).parents[1] / "oracles" / "beta_bernoulli.json").read_text("utf-8"))
METHODS = {"beta_aware": "noise-aware", "beta_naive": "naive", "beta_naive_clipped": "clamped"}
POSTERIORS = [row for row in ROWS if row["quantity"].split(".")[0] in METHODS
              and row["quantity"].split(".")[1] not in ("coverage95", "valid")]
LEVELS = np.array([1e-6, 0.025, 0.3, 0.5, 0.9, 0.975, 1 - 1e-6])


def aware(*given, noise="laplace"):
    return noisy_count_posterior(*given, "noise-aware", noise)


def of_row(row, method):
    given = row["params"]
    return posterior_of(float(given["a"]), float(given["b"]), given["n"], float(given["c"]),
                        float(given.get("eps", 1)), method)


posterior_of = cache(noisy_count_posterior)


@pytest.mark.parametrize("name", METHODS)
def test_that_a_posterior_equals_the_oracle(name):
    for row in (row for row in POSTERIORS if row["quantity"].startswith(f"{name}.")):
        asked, posterior = row["quantity"].split(".", 1)[1], of_row(row, METHODS[name])
        found = posterior.quantile(float(asked.split("_")[1])) if "_" in asked else getattr(posterior, asked)
        assert found == pytest.approx(float(row.get("value_f64", row["value"])), rel=1e-11), row["id"]


@pytest.mark.parametrize("row", [row for row in ROWS if row["quantity"] == "beta_naive.valid"],
                         ids=lambda row: row["id"])
def test_that_the_naive_posterior_exists_exactly_where_the_oracle_says(row):
    if row["value"] == "1":
        of_row(row, "naive")
    else:
        with pytest.raises(InvalidPosterior, match=r"^[ab]′ = prior_[ab] .* must be in \(0, ∞\)"):
            of_row(row, "naive")


def test_that_an_invalid_posterior_says_which_parameter_fails():
    with pytest.raises(InvalidPosterior, match=r"a′ = prior_a \+ noisy_count must be .* got -2\.0"):
        noisy_count_posterior(1, 1, 10, -3, 0.1, "naive")
    with pytest.raises(InvalidPosterior, match=r"b′ = prior_b \+ n − noisy_count must be .* got 0"):
        noisy_count_posterior(1, 1, 10, 11, 0.1, "naive")


@pytest.mark.parametrize(("given", "sentence"), [
    ((0, 1, 5, 2, 1, "naive"), "prior_a must be in (0, ∞), got 0.0"),
    ((1, -1, 5, 2, 1, "naive"), "prior_b must be in (0, ∞), got -1.0"),
    ((1, 1, 2.5, 2, 1, "naive"), "n must be an integer in [0, 9007199254740992], got 2.5"),
    ((1, 1, 5, math.nan, 1, "naive"), "noisy_count must be in (−∞, ∞), got nan"),
    ((1, 1, 5, 2, 0, "clamped"), "epsilon must be in (0, ∞), got 0.0"),
    ((1, 1, 5, 2, 1, "exact"), "method must be one of naive, clamped, noise-aware, got 'exact'"),
    ((1, 1, 5, 2, 1, "naive", "gaussian"), "noise must be one of laplace, geometric, got 'gaussian'"),
    ((1, 1, 5, 2.5, 1, "noise-aware", "geometric"), "noisy_count must be whole where the noise is geometric, got 2.5"),
])
def test_that_bad_input_is_refused_in_one_sentence(given, sentence):
    with pytest.raises(InvalidParameter) as refusal:
        noisy_count_posterior(*given)
    assert str(refusal.value) == sentence


def positive(low, high):
    """Numbers over many powers of ten."""
    return st.floats(math.log10(low), math.log10(high)).map(lambda x: 10.0**x)


PRIORS, EPSILONS = positive(1e-3, 1e6), positive(1e-6, 50)
SHARES = st.floats(-0.5, 1.5) | st.sampled_from([0.0, 1.0])


@given(a=PRIORS, b=PRIORS, n=st.integers(0, 3000), share=SHARES, epsilon=EPSILONS)
def test_that_the_noise_aware_posterior_is_the_sum_over_all_true_counts(a, b, n, share, epsilon):
    c = share * n
    posterior = aware(a, b, n, c, epsilon)
    mean, sd = reference.moments(a, b, n, c, epsilon)
    assert posterior.mean == pytest.approx(mean, rel=1e-9)
    assert posterior.sd == pytest.approx(sd, rel=1e-9)
    for theta in posterior.quantile([0.025, 0.5, 0.975]):
        if 1e-300 < theta < 1 - 1e-9:  # nearer to 1 the rounding of θ itself counts
            assert posterior.cdf(theta) == pytest.approx(reference.below(a, b, n, c, epsilon, theta), rel=2e-8)


@pytest.mark.parametrize("given", [
    (1, 1, 10**6, 3e5, 1e-4), (1, 1, 10**6, 3e5, 1e-6), (0.5, 2, 10**6, 3.3, 0.05), (30, 50, 10**6, -50, 3e-6),
    (1e5, 3e5, 10**6, 5e5, 1e-3), (1, 1, 10**6, 5e5, 1.0), (2, 3, 10**6, 999_990.5, 50.0)])
def test_that_a_million_people_cost_no_digits(given):
    posterior = aware(*given)
    mean, sd = reference.moments(*given)
    assert posterior.mean == pytest.approx(mean, rel=1e-10)
    assert posterior.sd == pytest.approx(sd, rel=1e-10)


@given(a=PRIORS, b=PRIORS, n=st.integers(1, 10**7), share=SHARES, epsilon=EPSILONS)
@example(a=10.0**3.09375, b=10.0**3.09375, n=3902, share=0.0, epsilon=1.0)
def test_that_quantiles_undo_the_distribution_function(a, b, n, share, epsilon):
    posterior = aware(a, b, n, share * n, epsilon)
    theta = posterior.quantile(LEVELS)
    assert (np.diff(theta) >= 0).all()
    inside = (theta > 1e-300) & (theta < 1 - 1e-6)
    np.testing.assert_allclose(posterior.cdf(theta)[inside], LEVELS[inside], rtol=1e-8)
    np.testing.assert_allclose(posterior.survival(theta)[inside], 1 - LEVELS[inside], rtol=1e-8)


@given(a=PRIORS, b=PRIORS, n=st.integers(0, 10**7), share=SHARES, epsilon=EPSILONS)
def test_that_a_posterior_is_finite_proper_and_rises(a, b, n, share, epsilon):
    posterior = aware(a, b, n, share * n, epsilon)
    assert 0 < posterior.mean <= 1
    assert 0 <= posterior.sd <= 0.5
    grids = np.linspace(0, 1, 101), np.geomspace(1e-300, 0.5, 40), posterior.quantile(LEVELS)
    theta = np.unique(np.concatenate(grids))
    cdf, survival, density = posterior.cdf(theta), posterior.survival(theta), posterior.density(theta)
    assert (density >= 0).all()
    assert not np.isnan(density).any()
    assert (np.diff(cdf) >= -1e-13).all()
    assert (np.diff(survival) <= 1e-13).all()
    assert (cdf[0], cdf[-1], survival[0], survival[-1]) == (0, 1, 1, 0)
    np.testing.assert_allclose(cdf + survival, 1, rtol=1e-12)


MANY = np.polynomial.legendre.leggauss(300)
"""A kink at c/n is smooth over √(c(n − c)/n³) only."""


@given(a=positive(0.5, 1e4), b=positive(0.5, 1e4), n=st.integers(1, 10**6), share=SHARES, epsilon=EPSILONS)
def test_that_the_density_is_the_slope_of_the_distribution_function(a, b, n, share, epsilon):
    posterior = aware(a, b, n, share * n, epsilon)
    low, high = posterior.quantile([0.2, 0.8])
    assume(low > 1e-12 and high < 1 - 1e-6)
    x, w = MANY
    integral = (high - low) / 2 * (w * posterior.density((low + high) / 2 + (high - low) / 2 * x)).sum()
    assert integral == pytest.approx(0.6, rel=1e-6)


@given(a=PRIORS, b=PRIORS, n=st.integers(0, 10**7), share=SHARES, epsilon=EPSILONS)
def test_that_yes_and_no_can_be_exchanged(a, b, n, share, epsilon):
    one, other = aware(a, b, n, share * n, epsilon), aware(b, a, n, n - share * n, epsilon)
    assert one.sd == pytest.approx(other.sd, rel=1e-9, abs=1e-290)
    assert one.mean + other.mean == pytest.approx(1, abs=1e-12)
    theta = np.array([0.01, 0.3, 0.5, 0.875])
    np.testing.assert_allclose(one.cdf(theta), other.survival(1 - theta), rtol=1e-7, atol=1e-12)


@given(n=st.integers(1, 10**6), epsilon=EPSILONS, beyond=positive(1e-3, 1e9))
def test_that_all_counts_below_zero_say_the_same_and_all_above_n_too(n, epsilon, beyond):
    for end, further in ((0, -beyond), (n, n + beyond)):
        one, other = aware(0.5, 2, n, end, epsilon), aware(0.5, 2, n, further, epsilon)
        assert (one.mean, one.sd) == (other.mean, other.sd)
        np.testing.assert_array_equal(one.quantile(LEVELS), other.quantile(LEVELS))


@given(n=st.integers(1, 1000), k=st.integers(0, 1000))
def test_that_without_noise_all_three_agree(n, k):
    k = min(k, n)
    exact = [noisy_count_posterior(2, 3, n, k, 50, method) for method in ("naive", "clamped", "noise-aware")]
    for posterior in exact[1:]:
        assert posterior.mean == pytest.approx(exact[0].mean, rel=1e-12)
        np.testing.assert_allclose(posterior.quantile(LEVELS), exact[0].quantile(LEVELS), rtol=1e-10)


def test_that_all_noise_leaves_the_prior():
    posterior, prior = aware(2, 5, 1000, 800, 1e-12), noisy_count_posterior(2, 5, 0, 0, 1, "naive")
    np.testing.assert_allclose(posterior.quantile(LEVELS), prior.quantile(LEVELS), rtol=1e-8)
    nobody = aware(2, 5, 0, 3.3, 1.0)
    np.testing.assert_allclose(nobody.quantile(LEVELS), prior.quantile(LEVELS), rtol=1e-11)


@pytest.mark.parametrize("epsilon", [99.0, 101.0, 1e3, 1e6, 1e308])
def test_that_no_epsilon_is_too_large(epsilon):
    sure, half = noisy_count_posterior(2, 3, 50, 20, 1, "naive"), aware(2, 3, 50, 20.5, epsilon)
    for c in (20, 20.25):
        np.testing.assert_allclose(aware(2, 3, 50, c, epsilon).quantile(LEVELS), sure.quantile(LEVELS), rtol=1e-9)
    assert half.mean == pytest.approx(reference.moments(2, 3, 50, 20.5, 1e3)[0], rel=1e-9)


@pytest.mark.parametrize("prior", [1e-6, 1e-9, 1e-11, 1e-300])
def test_that_a_prior_all_at_the_ends_stays_there(prior):
    mean, sd = reference.moments(max(prior, 1e-9), max(prior, 1e-9), 10, 3, 0.1)  # nearer to 0 it loses digits
    posterior = aware(prior, prior, 10, 3, 0.1)
    assert posterior.mean == pytest.approx(mean, rel=1e-8)
    assert posterior.sd == pytest.approx(sd, rel=1e-8)


@pytest.mark.parametrize("n", [10**9, 10**12, 2**53])
def test_that_even_more_people_are_counted(n):
    posterior = aware(1, 1, n, round(0.3 * n), 1.0)
    assert posterior.mean == pytest.approx(0.3, abs=2 / n + 1e-15)
    assert posterior.sd == pytest.approx(math.sqrt(0.21 / n), rel=1e-3)


def test_that_geometric_noise_has_the_same_posterior_at_whole_counts():
    for c in (-4, 0, 7, 30):
        assert aware(1, 2, 20, c, 0.3, noise="geometric").mean == aware(1, 2, 20, c, 0.3).mean


@pytest.mark.parametrize("method", ["naive", "clamped", "noise-aware"])
def test_that_the_ends_of_the_axis_have_their_density(method):
    for prior, at_zero in ((0.5, math.inf), (2.0, 0.0)):
        assert noisy_count_posterior(prior, 1, 0, 0, 1, method).density(0) == at_zero
    assert noisy_count_posterior(1, 3, 0, 0, 1, method).density(0) == pytest.approx(3, rel=1e-12)
    assert noisy_count_posterior(1, 3, 0, 0, 1, method).density([0.0, 1.0]).tolist() == [pytest.approx(3), 0.0]


@pytest.mark.parametrize(("n", "c"), [(1, 0.3), (7, 7.0), (7, 0.0), (40, 11.5), (3000, 1234.25)])
def test_that_the_likelihood_without_a_sum_is_the_sum(n, c):
    for theta, epsilon in product((1e-9, 0.013, 0.4, 0.9999), (1e-4, 0.3, 4.0, 50.0)):
        check_likelihood(theta, n, c, epsilon)


def check_likelihood(theta, n, c, epsilon):
    with mp.workdps(40):
        p, e = mpf(theta), mpf(epsilon)
        term, total = (1 - p) ** n, mpf(0)
        for k in range(n + 1):
            total += term * mp.exp(-e * abs(mpf(c) - k))
            term *= (n - k) * p / ((k + 1) * (1 - p))
        wanted = float(mp.log(total))
    rates = Rates(np.array([theta]), np.array([1 - theta]))
    m = np.array([math.floor(c)], dtype=float)
    assert log_likelihood(rates, n, m, c - m, epsilon)[0] == pytest.approx(wanted, rel=1e-12, abs=1e-11)


@pytest.mark.parametrize("level", [2.0, 0.0, 1.0, -0.5, math.nan])
@pytest.mark.parametrize("method", ["clamped", "noise-aware"])
def test_that_an_interval_of_no_probability_is_refused(method, level):
    posterior = noisy_count_posterior(1, 1, 20, 7.0, 1.0, method)
    with pytest.raises(InvalidParameter) as refusal:
        posterior.interval(level)
    assert str(refusal.value) == f"level must be in (0, 1), got {level}"


def test_that_no_module_of_the_posterior_imports_one_that_imports_it():
    folder = Path(beta_bernoulli.__file__).parent
    imports = {path.stem: {other.stem for other in folder.glob("*.py")
                           if f"beta_bernoulli.{other.stem} import" in path.read_text("utf-8")}
               for path in folder.glob("*.py") if path.stem != "__init__"}
    left = dict(imports)
    while free := {name for name, needed in left.items() if not needed & left.keys()}:
        left = {name: needed for name, needed in left.items() if name not in free}
    assert not left
