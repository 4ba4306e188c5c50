"""What the mean study says, recomputed from the laws of the answers and of the noise."""

from __future__ import annotations

import math
from itertools import accumulate, pairwise

import numpy as np
from claims.patterns import NUMBER as N
from claims.patterns import Claim, Said, near, not_below, of_person
from scipy.special import ndtr

from dpstudio.core.special import log_binomial
from dpstudio.core.study import Study
from dpstudio.mechanisms.noise import GaussianNoise


def variances(said: Said, *, population: bool) -> dict[str, float]:
    """Of every estimate: each answer is a coin of p = e^ε/(1 + e^ε), each noise has the variance of its law."""
    study = said.study
    n, epsilon, share = study.people, study.epsilon, study.fraction
    sample = share * (1 - share) / n if population else 0.0
    true, lie = 1 / (1 + math.exp(-epsilon)), 1 / (1 + math.exp(epsilon))
    own = {"response": true * lie / math.tanh(epsilon / 2) ** 2 / n, "Laplace": 2 / (epsilon * n) ** 2,
           "geometric": 1 / (2 * math.sinh(epsilon / 2) ** 2) / n**2,
           "Gaussian": (GaussianNoise.analytic(epsilon, study.delta, 1.0).sigma / n) ** 2}
    return {name: variance + sample for name, variance in own.items()}


def curator(said: Said, *, population: bool) -> dict[str, float]:
    found = variances(said, population=population)
    return {name: found[name] for name in ("Laplace", "geometric", "Gaussian")}


def about_population(said: Said) -> bool:
    return said.study.about == "population"


def is_times(said: Said, *, population: bool) -> None:
    """So many times the people bring the variance of randomized response, 1/n of one person’s, down to the least."""
    local = variances(said, population=population)["response"]
    least = min(curator(said, population=population).values())
    if said.groups["times"]:
        assert not_below(said.number("times"), local / least) or local / least < 1.01
    elif "no more people" in said.sentence:
        assert local <= least * (1 + 1e-8)
    else:
        assert least <= local < 1.011 * least


def headline(said: Said) -> None:
    population, name = about_population(said), said.groups["noise"]
    assert said.groups["whom"] == ("the population" if population else "these people")
    assert said.number("people") == said.study.people or near(said.number("people"), said.study.people)
    found, least = variances(said, population=population), min(curator(said, population=population).values())
    assert found[name] <= least * (1 + 1e-8)  # no noise of a curator errs less
    assert name == "geometric" or curator(said, population=False)[name] < found["geometric"]
    used, other = ("response", name) if said.sentence.startswith("Use randomized") else (name, "response")
    assert found[used] <= found[other] * (1 + 1e-8)
    assert not_below(said.number("used"), math.sqrt(found[used]))
    if said.groups["other"] == "the same":
        assert found[other] <= found[used] * 1.03
    else:
        assert not_below(said.number("other"), math.sqrt(found[other]))
    if used == name:
        is_times(said, population=population)
    own = variances(said, population=False)
    if abs(own["response"] / own["Laplace"] - 1) > 1e-9:
        assert said.says("have a smaller error about them than Laplace noise") == (own["response"] < own["Laplace"])


def recommended(said: Said) -> str:
    words = said.update.verdicts[0].split()
    return "response" if words[1] == "randomized" else words[1].lower()


def beyond(said: Said) -> None:
    assert (said.groups["beyond"] is None) == (recommended(said) == "response")
    if said.groups["beyond"]:
        epsilon = said.study.epsilon
        sigma = GaussianNoise.analytic(epsilon, said.study.delta, 1.0).sigma
        # ln f(x)/f(x − 1) > ε of a normal x: the loss is normal, of mean 1/(2σ²) and sd 1/σ.
        assert not_below(said.number("beyond"), float(ndtr((1 / (2 * sigma**2) - epsilon) * sigma)))


def errors(said: Said) -> None:
    n, epsilon = said.study.people, said.study.epsilon
    tight = math.sqrt(math.log(2 / 0.05) / (2 * n)) / math.tanh(epsilon / 2)
    assert not_below(said.number("response"), tight)
    assert not_below(said.number("laplace"), math.log(20) / epsilon / n)
    sigma = GaussianNoise.analytic(epsilon, said.study.delta, 1.0).sigma
    assert not_below(said.number("gaussian"), 1.959963984540054 * sigma / n)
    # Pr[|X| ≥ x + 1] = 2a^(x+1)/(1 + a): the first x with 5 % beyond it at most.
    steps = max(0, math.ceil((math.log(40) - math.log1p(math.exp(-epsilon))) / epsilon - 1 - 1e-9))
    assert not_below(said.number("geometric"), steps / n) if steps else said.number("geometric") == 0


def few(said: Said) -> None:
    epsilon, last = said.study.epsilon, int(said.number("last"))
    assert near(said.number("epsilon"), epsilon)

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


def rows(said: Said) -> None:
    study, persons = said.study, persons_by_rows(said.study)
    n, own, most = study.people, study.at_most, len(persons)
    above = list(accumulate(reversed(persons)))[::-1]  # with 1, 2, … rows at least
    lost = [*accumulate(reversed(above), initial=0)][::-1]

    def error(b: int) -> float:
        return math.hypot(lost[min(b, most)], math.sqrt(2) * b / study.epsilon) / n

    assert (said.number("most"), said.number("kept")) == (most, own)
    assert not_below(said.number("error"), error(own))
    assert not_below(said.number("lost"), lost[min(own, most)] / n)
    assert not_below(said.number("all"), error(most))
    best = int(said.number("best")) if said.groups["best"] else own
    assert error(best) <= min(map(error, range(1, most + 1))) * (1 + 1e-9)
    if said.groups["best"]:
        assert best != own
        assert not_below(said.number("least"), error(best))


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


def shuffled(said: Said) -> None:
    n, epsilon, delta = said.study.people, said.study.epsilon, said.study.delta
    local = said.number("local")
    if n / (1 + math.exp(local)) < 1e5:  # else its law is long
        assert largest_delta(said, local) <= delta
        assert largest_delta(said, 1.15 * local + 0.7) > delta
    if n / (1 + math.exp(local)) < 60:
        assert coins_delta(said, local) <= delta * (1 + 1e-6)
        assert coins_delta(said, 1.02 * local + 0.02) > delta
    error = 1 / (2 * math.sinh(local / 2) * math.sqrt(n))
    least = math.exp(-0.005 * local - 0.01)  # as ε₀ is rounded down by a part of 100 at most
    least_of = {name: math.sqrt(one) for name, one in curator(said, population=False).items()}
    assert least_of[said.groups["noise"]] <= min(least_of.values()) * (1 + 1e-8)
    for written, true in (("error", error), ("times", error / min(least_of.values()))):
        assert true * least <= said.number(written) <= true * 1.011
    assert not_below(said.number("epsilon"), epsilon)
    assert not_below(said.number("delta"), delta)
    assert local > 1.004 * alone(said) * (1 - 0.01)


def alone(said: Said) -> float:
    """The ε₀ with which one answer has that δ at ε: p − e^ε q = δ."""
    return math.log((math.exp(said.study.epsilon) + said.study.delta) / (1 - said.study.delta))


def no_help(said: Said) -> None:
    assert near(said.number("epsilon"), said.study.epsilon)
    assert near(said.number("delta"), said.study.delta)
    assert said.number("people") == said.study.people or near(said.number("people"), said.study.people)
    assert said.number("local") <= 1.005 * alone(said)
    assert largest_delta(said, 1.02 * alone(said) + 0.02) > said.study.delta


def note(said: Said) -> None:
    n, epsilon = said.study.people, said.study.epsilon
    form = 1 / (epsilon * math.sqrt(n))
    times = form / math.sqrt(variances(said, population=False)["response"])
    assert not said.groups["form"] or near(said.number("form"), form)
    assert near(said.number("times"), times) if said.groups["times"] else 1 - 1e-9 <= times < 1.005 + 1e-9


NOISE = "(?P<noise>Laplace|geometric|Gaussian)"
TIMES = rf"(?:(?P<times>{N}) times|hardly more than)"
ERROR = (rf"with (?P<people>{N}) (?:people|person) its error about (?P<whom>these people|the population) is "
         rf"(?P<used>{N})")

CLAIMS = (
    Claim(rf"Use {NOISE} noise if a curator is trusted: {ERROR}; randomized response has "
          rf"(?P<other>{N}|the same) and needs {TIMES} the people to match it\.", headline),
    Claim(rf"Use randomized response, which trusts nobody: {ERROR}, with a curator’s {NOISE} noise "
          rf"(?P<other>{N}|the same)\.", headline),
    of_person(recommended, rf" (?:With Gaussian noise the loss exceeds ε with probability (?P<beyond>{N})|That holds "
              r"against whoever collects the answers, too)\.", beyond),
    Claim(rf"For the analyst: 95 % of the estimates are off from the fraction among these people by at most "
          rf"(?P<response>{N}) where everybody randomizes, (?P<laplace>{N}) with Laplace noise on the count, "
          rf"(?P<geometric>{N}) with geometric and (?P<gaussian>{N}) with Gaussian noise\.", errors),
    Claim(r"Everybody in the population is alike, so a sample of it is not off, and both readings of “fraction of "
          r"whom” agree\.", lambda said: said.study.fraction in (0.0, 1.0)),
    Claim(rf"About the population randomized response needs (?:{TIMES} the|no more) people: a sample is off from its "
          r"population anyway\.",
          lambda said: not about_population(said) and is_times(said, population=True) is None),
    Claim(rf"About these people themselves randomized response needs (?:{TIMES} the|no more) people: there a "
          r"sample’s own error, which no mechanism can undo, does not count\.",
          lambda said: about_population(said) and is_times(said, population=False) is None),
    Claim(rf"At ε = (?P<epsilon>{N}) randomized responses of up to (?P<last>{N}) (?:people|person) have a smaller "
          r"error about them than Laplace noise on their count; than geometric noise, of 1 person only\.", few),
    Claim(rf"With up to (?P<most>{N}) rows a person and (?P<kept>{N}) of each kept, the mean number of yes rows a "
          rf"person is typically off by (?P<error>{N}) with Laplace noise; the rows lost alone make (?P<lost>{N})\. "
          rf"(?:No other bound is better|At most (?P<best>{N}) would be best, (?P<least>{N})); with all rows it is "
          rf"(?P<all>{N})\. Which bound is best is read from the data\.", rows),
    Claim(rf"A shuffler that hides whose answer is whose is no help to (?P<people>{N}) (?:people|person) at "
          rf"ε = (?P<epsilon>{N}) and δ = (?P<delta>{N}): each still has to answer with ε₀ = (?P<local>{N})\.",
          no_help),
    Claim(rf"With a shuffler that hides whose answer is whose each may answer with ε₀ = (?P<local>{N}): all answers "
          rf"together keep ε = (?P<epsilon>{N}) with δ = (?P<delta>{N}), and the typical error about these people is "
          rf"(?P<error>{N}), (?P<times>{N}) times that of a curator’s {NOISE} noise\.", shuffled),
    Claim(r"That holds while the shuffler is honest and all answer as they should: whoever tells an attacker what they "
          r"said hides nobody, so that n counts the others only\.",
          lambda said: said.says("With a shuffler that hides")),
    Claim(rf"The lecture notes’ 1/\(ε√n\) (?:= (?P<form>{N}) is (?P<times>{N}) times|is at so small an ε) the error of "
          r"randomized response about these people(?:, to 0\.5 %)?; the curator’s is “quadratically better” in the "
          r"number of people, not in ε\.", note),
)

EXAMPLES = (
    {"people": 1}, {"delta": 0.4, "epsilon": 0.01},
    {"about": "population"}, {"fraction": 0.0}, {"epsilon": 1e-4, "people": 1}, {"epsilon": 0.01},
    {"epsilon": 20.0, "people": 10**12}, {"epsilon": 10.0, "people": 100, "about": "population"}, {"people": 2},
    {"epsilon": 20.0, "people": 3}, {"rows_law": "zipf", "most_rows": 40, "at_most": 2, "epsilon": 0.05},
    {"epsilon": 20.0, "people": 3}, {"epsilon": 0.2, "people": 10**9, "delta": 1e-9},
)
