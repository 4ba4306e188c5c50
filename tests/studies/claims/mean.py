"""What the mean study says, recomputed from the laws of the answers and of the noise."""

from __future__ import annotations

import math
from itertools import accumulate, pairwise

import numpy as np
from claims.kit import Asked, Said, claims, near, not_below, only_when
from scipy.special import ndtr

from dpstudio.core.special import log_binomial
from dpstudio.core.study import Study
from dpstudio.mechanisms.noise import GaussianNoise


def variances(said: Asked, *, population: bool) -> dict[str, float]:
    """Of every estimate: each answer is a coin of p = e^ε/(1 + e^ε), each noise has the variance of its law."""
    study = said.study
    n, epsilon, share = study.people, study.epsilon, study.fraction
    sample = share * (1 - share) / n if population else 0.0
    true, lie = 1 / (1 + math.exp(-epsilon)), 1 / (1 + math.exp(epsilon))
    own = {"response": true * lie / math.tanh(epsilon / 2) ** 2 / n, "Laplace": 2 / (epsilon * n) ** 2,
           "geometric": 1 / (2 * math.sinh(epsilon / 2) ** 2) / n**2,
           "Gaussian": (GaussianNoise.analytic(epsilon, study.delta, 1.0).sigma / n) ** 2}
    return {name: variance + sample for name, variance in own.items()}


def curator(said: Asked, *, population: bool) -> dict[str, float]:
    found = variances(said, population=population)
    return {name: found[name] for name in ("Laplace", "geometric", "Gaussian")}


def about_population(said: Asked) -> bool:
    return said.study.about == "population"


def is_times(said: Said, *, population: bool) -> None:
    """So many times the people bring the variance of randomized response, 1/n of one person’s, down to the least."""
    local = variances(said, population=population)["response"]
    least = min(curator(said, population=population).values())
    if (said["times"] or "").endswith("times"):
        assert not_below(said.number("times"), local / least) or local / least < 1.01
        assert said.number("times") > 1
    elif said["needs"] == "no more people":
        assert local <= least * (1 + 1e-8)
    else:
        assert least <= local < 1.011 * least


@claims("response", "curator")
def _(said: Said) -> None:
    population, name = about_population(said), said["noise"]
    assert said["whom"] == ("the population" if population else "these people")
    found, least = variances(said, population=population), min(curator(said, population=population).values())
    assert found[name] <= least * (1 + 1e-8)  # no noise of a curator errs less
    assert name == "geometric" or curator(said, population=False)[name] < found["geometric"]
    used, other = ("response", name) if said.key == "response" else (name, "response")
    assert found[used] <= found[other] * (1 + 1e-8)
    assert not_below(said.number("used"), math.sqrt(found[used]))
    if said["other"] == "the same":
        assert found[other] <= found[used] * 1.03
    else:
        assert not_below(said.number("other"), math.sqrt(found[other]))
    if used == name:
        is_times(said, population=population)


def recommended(asked: Asked) -> str:
    return "response" if asked.says("response") else asked.update.verdicts[0].places["noise"].lower()


claims("risk_of_response", when=lambda asked: asked.says("response"), person=recommended)(lambda _: True)


@claims("risk_of_noise", person=recommended)
def _(said: Said) -> None:
    epsilon = said.study.epsilon
    sigma = GaussianNoise.analytic(epsilon, said.study.delta, 1.0).sigma
    # ln f(x)/f(x − 1) > ε of a normal x: the loss is normal, of mean 1/(2σ²) and sd 1/σ.
    assert not_below(said.number("loss_exceeds:gaussian"), float(ndtr((1 / (2 * sigma**2) - epsilon) * sigma)))


@claims("errors")
def _(said: Said) -> None:
    n, epsilon = said.study.people, said.study.epsilon
    tight = math.sqrt(math.log(2 / 0.05) / (2 * n)) / math.tanh(epsilon / 2)
    assert not_below(said.number("fraction_error_95:response"), tight)
    assert not_below(said.number("fraction_error_95:laplace"), math.log(20) / epsilon / n)
    sigma = GaussianNoise.analytic(epsilon, said.study.delta, 1.0).sigma
    assert not_below(said.number("fraction_error_95:gaussian"), 1.959963984540054 * sigma / n)
    # Pr[|X| ≥ x + 1] = 2a^(x+1)/(1 + a): the first x with 5 % beyond it at most.
    steps = max(0, math.ceil((math.log(40) - math.log1p(math.exp(-epsilon))) / epsilon - 1 - 1e-9))
    geometric = said.number("fraction_error_95:geometric")
    assert not_below(geometric, steps / n) if steps else geometric == 0


only_when("alike", lambda asked: asked.study.fraction in (0.0, 1.0))
claims("of_people")(lambda said: about_population(said) and is_times(said, population=False) is None)
claims("of_population")(lambda said: not about_population(said) and is_times(said, population=True) is None)


def is_smaller(asked: Asked) -> bool:
    """Whether randomized response errs less than Laplace noise; of what is the same but for rounding what is said."""
    own = variances(asked, population=False)
    same = math.isclose(own["response"], own["Laplace"], rel_tol=1e-9)
    return asked.says("few") if same else own["response"] < own["Laplace"]


@claims("few", when=is_smaller)
def _(said: Said) -> None:
    epsilon, last = said.study.epsilon, int(said.number("last"))

    def smaller(n: int) -> bool:
        return 1 / (4 * math.sinh(epsilon / 2) ** 2 * n) < 2 / (epsilon * n) ** 2

    if last < 10**6:  # else three digits of it are said
        assert smaller(last)
        assert not smaller(last + 1)
    assert said.study.people <= last * 1.01
    own, geometric = 1 / (4 * math.sinh(epsilon / 2) ** 2), 1 / (2 * math.sinh(epsilon / 2) ** 2)
    assert own < geometric  # of one person
    assert own / 2 >= geometric / 4 * (1 - 1e-12)  # of two


def persons_by_rows(study: Study) -> list[int]:
    """Persons with a yes who have 1, 2, … rows: of so many, as many have more as the law says, rounded."""
    yeses, weight = round(study.fraction * study.people), [35, 23, 451, 7, 185]
    if study.rows_law == "zipf":
        weight = [r**-study.rows_exponent for r in range(1, study.most_rows + 1)]
    most, total = len(weight), math.fsum(weight)
    beyond = [round(yeses * min(math.fsum(weight[r:]) / total, 1.0)) for r in range(most + 1)]
    return [before - after for before, after in pairwise(beyond)]


def has_rows(asked: Asked) -> bool:
    return asked.study.rows_law != "one" and len(persons_by_rows(asked.study)) > 1


@claims("rows", when=has_rows)
def _(said: Said) -> None:
    study, persons = said.study, persons_by_rows(said.study)
    n, own, most = study.people, study.at_most, len(persons)
    above = list(accumulate(reversed(persons)))[::-1]  # with 1, 2, … rows at least
    lost = [*accumulate(reversed(above), initial=0)][::-1]

    def error(b: int) -> float:
        return math.hypot(lost[min(b, most)], math.sqrt(2) * b / study.epsilon) / n

    assert (said.number("most"), said.number("kept")) == (most, own)
    assert not_below(said.number("bound_error:laplace"), error(own))
    assert not_below(said.number("bound_bias"), lost[min(own, most)] / n)
    assert not_below(said.number("unbounded_error:laplace"), error(most))
    best = int(said.number("best")) if said["best"] else own
    assert error(best) <= min(map(error, range(1, most + 1))) * (1 + 1e-9)
    if said["best"]:
        assert best != own
        assert not_below(said.number("best_bound_error:laplace"), error(best))


def largest_delta(said: Said, local: float) -> float:
    """Of the number of yes at the study's ε, by its own law, where all others are a yes: a sum over few liars."""
    n, epsilon = said.study.people, said.study.epsilon
    truth, lie = 1 / (1 + math.exp(-local)), 1 / (1 + math.exp(local))
    liars = np.arange(min(n - 1, 10 + 3 * n * lie) + 1)
    mass = np.exp(log_binomial(liars, float(n - 1), lie, truth)) if n > 1 else np.ones(1)
    fewer = np.append(0.0, np.cumsum(mass)[:-1])
    return float(((truth - math.exp(epsilon) * lie) * mass - math.expm1(epsilon) * fewer).max())


def coins_delta(said: Said, local: float) -> float:
    """The bound by the coins among few others, one number of coins after the other."""
    n, epsilon = said.study.people, said.study.epsilon
    truth, lie = 1 / (1 + math.exp(-local)), 1 / (1 + math.exp(local))
    number = np.arange(min(n - 1, 20 + 6 * n * lie) + 1)
    weight = np.exp(log_binomial(number, float(n - 1), 2 * lie, 1 - 2 * lie)) if n > 1 else np.ones(1)
    total = 1 - weight.sum()
    for coins, mass in zip(number, weight, strict=True):
        law = np.exp(log_binomial(np.arange(coins + 1), coins, 0.5, 0.5)) if coins else np.ones(1)
        beyond = np.append(np.cumsum(law[::-1])[-2::-1], 0.0)
        total += mass * max(((truth - math.exp(epsilon) * lie) * law - math.expm1(epsilon) * beyond).max(), 0.0)
    return float(total)


@claims("shuffled")
def _(said: Said) -> None:
    n, epsilon, delta = said.study.people, said.study.epsilon, said.study.delta
    local = said.number("local_epsilon:shuffled")
    if n / (1 + math.exp(local)) < 1e5:  # else its law is long
        assert largest_delta(said, local) <= delta
        assert largest_delta(said, 1.15 * local + 0.7) > delta
    if n / (1 + math.exp(local)) < 60:
        assert coins_delta(said, local) <= delta * (1 + 1e-6)
        assert coins_delta(said, 1.02 * local + 0.02) > delta
    error = 1 / (2 * math.sinh(local / 2) * math.sqrt(n))
    least = math.exp(-0.005 * local - 0.01)  # as ε₀ is rounded down by a part of 100 at most
    least_of = {name: math.sqrt(one) for name, one in curator(said, population=False).items()}
    assert least_of[said["noise"]] <= min(least_of.values()) * (1 + 1e-8)
    for written, true in (("group_error:shuffled", error), ("times", error / min(least_of.values()))):
        assert true * least <= said.number(written) <= true * 1.011
    assert not_below(said.number("epsilon"), epsilon)
    assert not_below(said.number("delta"), delta)
    assert local > 1.004 * alone(said) * (1 - 0.01)


def alone(said: Asked) -> float:
    """The ε₀ with which one answer has that δ at ε: p − e^ε q = δ."""
    return math.log((math.exp(said.study.epsilon) + said.study.delta) / (1 - said.study.delta))


claims("honest", when=lambda asked: asked.says("shuffled"))(lambda _: True)


@claims("no_help")
def _(said: Said) -> None:
    assert said.number("local_epsilon:shuffled") <= 1.005 * alone(said)
    assert largest_delta(said, 1.02 * alone(said) + 0.02) > said.study.delta


@claims("formula")
def _(said: Said) -> None:
    n, epsilon = said.study.people, said.study.epsilon
    form = 1 / (epsilon * math.sqrt(n))
    times = form / math.sqrt(variances(said, population=False)["response"])
    if said["ratio"] is None:
        assert 1 - 1e-9 <= times < 1.005 + 1e-9
    else:
        assert near(said.number("note_error:response"), form)
        assert near(said.number("ratio"), times)


EXAMPLES = (
    {"people": 1}, {"delta": 0.4, "epsilon": 0.01},
    {"about": "population"}, {"fraction": 0.0}, {"epsilon": 1e-4, "people": 1}, {"epsilon": 0.01},
    {"epsilon": 20.0, "people": 10**12}, {"epsilon": 10.0, "people": 100, "about": "population"}, {"people": 2},
    {"epsilon": 20.0, "people": 3}, {"rows_law": "zipf", "most_rows": 40, "at_most": 2, "epsilon": 0.05},
    {"epsilon": 0.2, "people": 10**9, "delta": 1e-9}, {"epsilon": 20.0},
    {"epsilon": 10.0, "people": 440}, {"epsilon": 10.0, "people": 441}, {"people": 5}, {"epsilon": 15.0},
)
