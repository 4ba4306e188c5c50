"""What the mean study says, recomputed from the laws of the answers and of the noise."""

from __future__ import annotations

import math
from itertools import accumulate, pairwise

import numpy as np
from claims.kit import Asked, Said, claims, near, not_above, not_below, number, only_when
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
           "discrete Laplace": 1 / (2 * math.sinh(epsilon / 2) ** 2) / n**2,
           "Gaussian": (GaussianNoise.analytic(epsilon, study.delta, 1.0).sigma / n) ** 2}
    return {name: variance + sample for name, variance in own.items()}


def curator(said: Asked, *, population: bool) -> dict[str, float]:
    found = variances(said, population=population)
    return {name: found[name] for name in ("Laplace", "discrete Laplace", "Gaussian")}


def about_population(said: Asked) -> bool:
    return said.study.about == "population"


NAMES = {"discrete Laplace": "geometric", "Laplace": "laplace", "Gaussian": "gaussian"}


def best(asked: Asked) -> str:
    """The noise that a curator is to use: of those within 2 % what spends no δ, and of these the first by name."""
    found = {name: math.sqrt(one) for name, one in curator(asked, population=False).items()}
    near = [name for name, error in found.items() if error <= min(found.values()) * 1.02]
    return next(name for name in ("discrete Laplace", "Laplace", "Gaussian") if name in near)


def spoken(asked: Asked) -> str:
    """What the sentences speak of: what was decided for, else randomized response where it errs hardly more."""
    decided = asked.update.answer.decided
    if decided:
        return decided.key
    found = variances(asked, population=about_population(asked))
    ratio = math.sqrt(found["response"] / found[best(asked)])
    if math.isclose(ratio, 1.02, rel_tol=1e-9) or (ratio < 1.02) == asked.says("response"):
        return "response" if asked.says("response") else NAMES[best(asked)]
    raise AssertionError((ratio, asked.study))


def noise_of(asked: Asked) -> str:
    """The noise of a curator that is spoken of."""
    own = next((name for name, key in NAMES.items() if key == spoken(asked)), "")
    return own or best(asked)


def is_times(text: str | None, said: Said, *, population: bool) -> None:
    """So many times the people bring the variance of randomized response, 1/n of one person’s, down to that noise’s."""
    found = variances(said, population=population)
    times = found["response"] / found[noise_of(said)]
    if text == "no more people":
        assert times <= 1 + 1e-8
    elif text == "hardly more people":
        assert 1 - 1e-8 <= times <= 1.000001
    else:
        assert text is not None
        assert not_below(number(text.removesuffix(" times the people")), times)
        assert times > 1 - 1e-8


FEW = 120
"""People whose law is added up by hand."""


def law_of_answers(said: Asked, key: str) -> tuple[np.ndarray, np.ndarray]:
    """Errors of randomized answers and their probabilities: a coin of each person, one after the other."""
    study = said.study
    local = study.epsilon if key == "response" else said.value("local_epsilon", "shuffled")
    true, lie = 1 / (1 + math.exp(-local)), 1 / (1 + math.exp(local))
    yeses = round(study.fraction * study.people)
    coins = [true] * yeses + [lie] * (study.people - yeses)
    share, law = yeses / study.people, np.ones(1)
    if about_population(said):
        share = study.fraction
        coins = [share * true + (1 - share) * lie] * study.people
    for p in coins:
        law = np.append(law * (1 - p), 0.0) + np.append(0.0, law * p)
    answers = np.arange(study.people + 1)
    return (answers / study.people - lie) / math.tanh(local / 2) - share, law


def exceeded(said: Asked, key: str, distance: float) -> float:
    """How often an error is beyond a distance, by adding up every survey of few people."""
    study = said.study
    n, slack = study.people, 1e-9 / study.people
    if key in ("response", "shuffled"):
        off, law = law_of_answers(said, key)
        return float(law[np.abs(off) > distance + slack / math.tanh(study.epsilon / 2)].sum())
    sample, law = np.zeros(1), np.ones(1)
    if about_population(said):
        sample = np.arange(n + 1) - n * study.fraction
        for _ in range(n):
            law = np.append(law * (1 - study.fraction), 0.0) + np.append(0.0, law * study.fraction)
    return float(sum(mass * (beyond(said, key, distance * n - off) + beyond(said, key, distance * n + off))
                     for mass, off in zip(law, sample, strict=True)))


def beyond(said: Asked, key: str, y: float) -> float:
    """Pr[noise > y], of any sign."""
    epsilon = said.study.epsilon
    if key == "gaussian":
        return float(ndtr(-y / GaussianNoise.analytic(epsilon, said.study.delta, 1.0).sigma))
    if key == "laplace":
        return math.exp(-epsilon * y) / 2 if y > 0 else 1 - math.exp(epsilon * y) / 2
    first, ratio = math.floor(y + 1e-9) + 1, math.exp(-epsilon)
    return ratio**first / (1 + ratio) if first > 0 else 1 - ratio ** (1 - first) / (1 + ratio)


def is_within(text: str | None, said: Said, key: str) -> None:
    """Whether “within ±x” in points is the least that so many estimates keep, rounded up; of many people roughly."""
    assert text is not None
    study = said.study
    share = 0.0 if text == "exactly right" else number(
        text.removeprefix("within ±").removesuffix("s").removesuffix(" point")) / 100
    if study.people <= FEW:
        most = 1 - study.error_level
        assert exceeded(said, key, share) <= most * (1 + 1e-7)
        lower = share - 1.001 * 10.0 ** (math.floor(math.log10(share)) - 2) if share else 0.0
        assert lower * study.people < 1e-5 or exceeded(said, key, lower * (1 - 1e-7)) >= most * (1 - 1e-7)
    elif key in NAMES.values() and not about_population(said):
        assert exceeded(said, key, share) <= (1 - study.error_level) * (1 + 1e-7)
    else:  # by Chebyshev at most, and by the normal law where that is near
        local = said.value("local_epsilon", "shuffled") if key == "shuffled" else study.epsilon
        name = {one: other for other, one in NAMES.items()}.get(key, "response")
        found = variances(said, population=about_population(said))[name]
        if key == "shuffled":
            found += 1 / (4 * math.sinh(local / 2) ** 2 * study.people) - 1 / (
                4 * math.sinh(study.epsilon / 2) ** 2 * study.people)
        assert share <= 1.03 * math.sqrt(found / (1 - study.error_level)) + 1 / study.people / math.tanh(local / 2)


@claims("response", "curator", "shuffled")
def _(said: Said) -> None:
    key, study = spoken(said), said.study
    assert said.key == {"response": "response", "shuffled": "shuffled"}.get(key, "curator")
    assert said["noise"] == noise_of(said)
    assert not_above(said.number("level"), study.error_level)
    is_within(said["own"], said, key)
    other = "response" if said.key == "curator" else NAMES[best(said)]
    text = said["local" if said.key == "curator" else "central"]
    is_within(said["own"] if text == "the same" else text, said, other)
    spends = {"gaussian": True, "shuffled": True}.get(key, False)
    assert (said["delta"] is not None) == spends


@claims("runner_up")
def _(said: Said) -> None:
    assert said["noise"] == noise_of(said)
    is_times(said["needs"], said, population=about_population(said))
    is_within(said["shuffled"], said, "shuffled")


claims("risk", person=spoken)(lambda _: True)


@claims("loss", when=lambda asked: spoken(asked) != "response")
def _(said: Said) -> None:
    epsilon = said.study.epsilon
    sigma = GaussianNoise.analytic(epsilon, said.study.delta, 1.0).sigma
    # ln f(x)/f(x − 1) > ε of a normal x: the loss is normal, of mean 1/(2σ²) and sd 1/σ.
    assert not_below(said.number("loss_exceeds:gaussian"), float(ndtr((1 / (2 * sigma**2) - epsilon) * sigma)))


claims("collector", when=lambda asked: spoken(asked) == "response")(lambda _: True)


@claims("errors")
def _(said: Said) -> None:
    for key in ("response", "shuffled", *NAMES.values()):
        is_within(f"within ±{said[f'by_{key}']}", said, key)


only_when("alike", lambda asked: asked.study.fraction in (0.0, 1.0))
claims("of_people")(lambda said: about_population(said) and is_times(said["other"], said, population=False) is None)
claims("of_population")(lambda said: not about_population(said) and is_times(
    said["other"], said, population=True) is None)


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


@claims("shuffler")
def _(said: Said) -> None:
    n, delta = said.study.people, said.study.delta
    local = said.number("local_epsilon:shuffled")
    if n / (1 + math.exp(local)) < 1e5:  # else its law is long
        assert largest_delta(said, local) <= delta
        assert largest_delta(said, 1.15 * local + 0.7) > delta
    if n / (1 + math.exp(local)) < 60:
        assert coins_delta(said, local) <= delta * (1 + 1e-6)
        assert coins_delta(said, 1.02 * local + 0.02) > delta
    error = 1 / (2 * math.sinh(local / 2) * math.sqrt(n))
    least = math.exp(-0.005 * local - 0.01)  # as ε₀ is rounded down by a part of 100 at most
    noise = math.sqrt(curator(said, population=False)[noise_of(said)])
    assert said["noise"] == noise_of(said)
    for written, true in (("group_error:shuffled", error), ("times", error / noise)):
        assert true * least <= said.number(written) <= true * 1.011
    assert local > 1.004 * alone(said) * (1 - 0.01)


def alone(said: Asked) -> float:
    """The ε₀ with which one answer has that δ at ε: p − e^ε q = δ."""
    return math.log((math.exp(said.study.epsilon) + said.study.delta) / (1 - said.study.delta))


@claims("no_help")
def _(said: Said) -> None:
    assert said.number("local_epsilon:shuffled") <= 1.005 * alone(said)
    assert largest_delta(said, 1.02 * alone(said) + 0.02) > said.study.delta


@claims("formula")
def _(said: Said) -> None:
    n, epsilon = said.study.people, said.study.epsilon
    form = 1 / (epsilon * math.sqrt(n))
    times = form / math.sqrt(variances(said, population=False)["response"])
    assert near(said.number("of_curator"), math.sqrt(2) / (epsilon * n))
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
