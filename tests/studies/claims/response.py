"""What the response study claims, recomputed from the probabilities of an answer."""

from __future__ import annotations

import math

from claims.kit import claims, near, not_above, not_below, number, only_when
from mpmath import mp, mpf, workdps

DIGITS = 700
"""Enough for coins as small as any double beside 1."""
Z = 1.959963984540054


def precisely(check):
    """A check with so many digits."""
    def with_digits(said):
        with workdps(DIGITS):
            return check(said)

    return with_digits


def coins(study):
    """θ₁ and θ₂ of the study’s kind of response, to fifty digits."""
    if study.design == "symmetric":
        return mp.tanh(mpf(study.epsilon) / 2), mpf("0.5")
    return (mpf("0.5"), mpf("0.5")) if study.design == "warner" else (mpf(study.theta1), mpf(study.theta2))


def answers(theta1, theta2):
    """Pr["yes" | yes], Pr["yes" | no]."""
    return theta1 + (1 - theta1) * theta2, (1 - theta1) * theta2


def epsilon_of(yes, no):
    """The largest loss of an answer."""
    ratios = [(yes, no), (no, yes), (1 - yes, 1 - no), (1 - no, 1 - yes)]
    return max(mp.inf if not b else mp.log(a / b) for a, b in ratios if a)


def people_needed(study, theta1, theta2):
    """How many people bring 1.96 standard deviations of the estimate down to the margin."""
    yes, no = answers(theta1, theta2)
    share = mpf(study.prevalence) * yes + (1 - mpf(study.prevalence)) * no
    return share * (1 - share) * (Z / (mpf(study.margin) * theta1)) ** 2


def is_coin(text, epsilon):
    """Whether a coin is that of the best response, tanh(ε/2), rounded down."""
    if not text.startswith("1 − "):
        return not_above(number(text), float(mp.tanh(epsilon / 2)))
    rest = 2 / (mp.exp(epsilon) + 1)
    if "10⁻" in text:
        return rest <= number(text.removeprefix("1 − ")) <= 10 * rest * (1 + mpf("1e-9")) or rest < mpf("1e-320")
    return not_below(number(text.removeprefix("1 − ")), float(rest))


def is_whole(said, true):
    """Whether so many people are the first whole number that is enough; large ones are said in three digits."""
    first = max(1, math.ceil(true * (1 - 1e-12)))
    return first <= said <= math.ceil(true * (1 + 1e-12)) or (first >= 1e12 and near(said, first))


def coin_epsilon(study):
    return epsilon_of(*answers(*coins(study)))


def says_something(asked):
    """Whether an answer depends on the truth, so that anything can be estimated."""
    return coins(asked.study)[0] >= mpf("1e-100")


@precisely
def is_certain(asked):
    return coin_epsilon(asked.study) == mp.inf


def spoken(asked):
    """Of which design the sentences speak: the one that was decided for, else the one that needs fewer whole people."""
    decided = asked.update.answer.decided
    return decided.key if decided else "best" if asked.says("change") else "response"


def spoken_coins(asked):
    """θ₁ and θ₂ of that design."""
    if spoken(asked) == "response":
        return coins(asked.study)
    return mp.tanh(coin_epsilon(asked.study) / 2), mpf("0.5")


def is_margin(said):
    return near(said.number("points"), 100 * said.study.margin)


@claims("change", "yours")
@precisely
def _(said):
    study, epsilon = said.study, coin_epsilon(said.study)
    theta1, theta2 = coins(study)
    best = mp.tanh(epsilon / 2)
    assert abs(epsilon_of(*answers(best, mpf("0.5"))) - epsilon) < 1e-9 * epsilon + mpf("1e-30")
    needed, own = people_needed(study, best, mpf("0.5")), people_needed(study, theta1, theta2)
    assert is_whole(said.number("needed"), needed)
    assert theta2 != 0.5
    assert is_margin(said)
    if said.key == "yours":
        assert said["use"] == "You chose"
        assert said["give"] == ("give" if said.number("here") > 1 else "gives")
        return said.number("here") > said.number("needed") and is_whole(said.number("here"), own)
    assert said["give"] == ("give" if said.number("needed") > 1 else "gives")
    assert is_coin(said["coin"], epsilon)
    # Whoever types the coin as it is printed needs no more people than are said, at no more ε.
    typed = typed_coin(said["coin"])
    assert typed <= best * (1 + mpf("1e-12"))
    if typed < 1:
        assert people_needed(study, typed, mpf("0.5")) <= said.number("needed") * (1 + 2e-12) or (
            said.number("needed") >= 1e12)
    if said["instead"]:
        return own > needed and said.number("fewer") > said.number("needed") and is_whole(said.number("fewer"), own)
    return said["same"] and is_whole(said.number("needed"), own)


def error_95(study, theta1, theta2):
    """The least distance that 95 % of the estimates keep, found by adding up their law from the mean outwards."""
    yes, no = answers(theta1, theta2)
    share = mpf(study.prevalence) * yes + (1 - mpf(study.prevalence)) * no
    n = study.people
    nearest = sorted(range(n + 1), key=lambda c: abs(c - n * share))
    found = mpf(0)
    for c in nearest:
        found += mp.binomial(n, c) * share**c * (1 - share) ** (n - c)
        if found >= mpf("0.95") - mpf("1e-12"):
            return abs(c - n * share) / n / theta1
    raise AssertionError


FEW = 200
"""People whose law is added up in full."""


def points(text):
    """A distance that is said in percentage points."""
    return number(text.removesuffix("s").removesuffix(" point"))


def is_error(text, study, theta1, theta2):
    """Whether an error in points is that of 95 % of the estimates, rounded up; of many people near their normal law."""
    said = points(text) / 100
    if study.people <= FEW:
        true = float(100 * error_95(study, theta1, theta2))
        return not_below(points(text), true) if true else said == 0
    yes, no = answers(theta1, theta2)
    share = mpf(study.prevalence) * yes + (1 - mpf(study.prevalence)) * no
    sd = float(mp.sqrt(share * (1 - share) / study.people) / theta1)
    step = float(1 / study.people / theta1)
    normal = 0.97 * Z * sd - 2 * step <= said <= 1.03 * Z * sd + 2 * step
    return said <= 4.5 * sd + 2 * step and (sd < 30 * step or normal)


@claims("truth")
@precisely
def _(said):
    """Whoever tells the truth so often errs by no more, and spends no more."""
    study = said.study
    theta1, theta2 = coins(study)
    assert theta2 == 0.5
    truth = number(said["truth"])
    assert truth <= answers(theta1, theta2)[0] * (1 + mpf("1e-15"))
    if study.people <= FEW and truth > 0.5:
        most = float(error_95(study, 2 * mpf(truth) - 1, mpf("0.5")))
        assert 100 * most <= points(said["error"]) * (1 + 1e-9)
    return is_error(said["error"], study, theta1, theta2)


@claims("runner_up", when=lambda asked: says_something(asked) and not is_certain(asked))
@precisely
def _(said):
    """The noise of a curator is discrete Laplace: by how much it moves a share in 95 % of releases."""
    study, epsilon = said.study, float(coin_epsilon(said.study))
    off = points(said["trusted"])
    beyond = lambda t: 2 * math.exp(-epsilon * (t + 1)) / (1 + math.exp(-epsilon))  # noqa: E731
    t = max(0.0, math.ceil(-math.log(0.025 * (1 + math.exp(-epsilon))) / epsilon - 1 - 1e-9))
    assert beyond(t) <= 0.05 * (1 + 1e-9)
    assert t == 0 or beyond(t - 1) > 0.05 * (1 - 1e-9)
    assert not_below(off, 100 * t / study.people) or off == t == 0
    if said["error"]:
        return is_error(said["error"], study, *spoken_coins(said))
    assert coins(study)[1] == 0.5
    return is_margin(said) and is_whole(said.number("here"), people_needed(study, *coins(study)))


def typed_coin(text):
    """θ₁ as it is printed, to all digits."""
    bare = text.replace("\u202f", "").replace("−", "-")
    if not bare.startswith("1 - "):
        return mpf(bare)
    rest = bare.removeprefix("1 - ")
    return 1 - (mpf(10) ** int(rest[2:].translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))) if "10⁻" in rest
                else mpf(rest))


@claims("keep")
@precisely
def _(said):
    """No other design at that ε needs fewer whole people: none of all its θ₂, each with the most θ₁ that ε allows."""
    study, epsilon = said.study, coin_epsilon(said.study)
    assert not_below(said.number("guarantee_epsilon:response"), float(epsilon))
    assert is_margin(said)
    assert is_whole(said.number("here"), people_needed(study, *coins(study)))
    e = mp.exp(epsilon)
    for k in range(1, 40):
        lie = mpf(k) / 40 if k < 39 else 1 / (1 + e)  # Pr["yes" | no]
        yes = min(e * lie, 1 - (1 - lie) / e)
        theta1 = yes - lie
        needed = people_needed(study, theta1, lie / (1 - theta1))
        assert max(1, math.ceil(needed * (1 + mpf("1e-12")))) >= said.number("here") * (1 - 1e-12) or (
            said.number("here") >= 1e12)
    return True


def proves(study, truth):
    """Whether an answer proves a truth: “yes” proves yes where nobody says it whose truth is no."""
    yes, no = answers(*coins(study))
    return no == 0 and yes > 0 if truth == "yes" else yes == 1 and no < 1


@claims("certain", when=is_certain)
@precisely
def _(said):
    study, proof = said.study, said["proof"]
    theta1, _ = coins(study)
    assert said["advice"] == ("a smaller θ₁" if theta1 == 1 else "a fair second coin")
    if theta1 == 1:
        return proof == "every answer" and proves(study, "yes") and proves(study, "no")
    return proves(study, "yes" if proof == "a “yes”" else "no")


@claims("worthless", when=lambda asked: not says_something(asked))
@precisely
def _(said):
    assert (said["control"] == "ε") == (said.study.design == "symmetric")
    theta1, _ = coins(said.study)
    if said["coin"]:
        return 0 < theta1 < mpf("1e-100") and near(said.number("coin"), float(theta1))
    yes, no = answers(*coins(said.study))
    return theta1 == 0 and yes == no


def posterior(study, answer, used=None):
    yes, no = answers(*(used or coins(study)))
    p = mpf(study.prevalence)
    a, b = (yes, no) if answer == "yes" else (1 - yes, 1 - no)
    return p * a / (p * a + (1 - p) * b)


def is_belief(text, true, prior):
    """Whether a belief is said in three digits, rounded away from the prior."""
    if text.startswith("more than"):
        return 0.999 <= true < 1
    assert number(text) < 1  # with a finite ε no answer is certain
    rounded = not_below if true > prior else not_above
    same = abs(true - prior) < mpf("1e-15") * prior and near(number(text), float(true), 2)
    return rounded(number(text), float(true)) or near(number(text), float(true), 14) or same


claims("risk", person=spoken)(lambda _: True)


@claims("no_belief", when=lambda asked: coins(asked.study)[0] == 0)
@precisely
def _(said):
    yes, no = answers(*coins(said.study))
    return yes == no


@precisely
def moves_beliefs(asked):
    """Whether both beliefs, and the one before, have digits."""
    study = asked.study
    if coin_epsilon(study) in (0, mp.inf) or study.prevalence in (0, 1):
        return False
    return min(mpf(study.prevalence), posterior(study, "no", spoken_coins(asked))) > mpf("1e-100")


@claims("beliefs", when=moves_beliefs)
@precisely
def _(said):
    """What an answer of each design makes of the prior."""
    study = said.study
    epsilon, own = coin_epsilon(study), coins(study)
    best = mp.tanh(epsilon / 2), mpf("0.5")
    used, other = (best, own) if spoken(said) == "best" else (own, best)
    yes, no = (posterior(study, answer, used) for answer in ("yes", "no"))
    assert is_belief(said["yes"], yes, study.prevalence)
    assert is_belief(said["no"], no, study.prevalence)
    if said["which"] is None:
        return own[1] == 0.5
    assert said["which"] == ("your design" if other is own else "the best design")
    yes, no = (posterior(study, answer, other) for answer in ("yes", "no"))
    assert is_belief(said["their_yes"], yes, study.prevalence)
    return is_belief(said["their_no"], no, study.prevalence)


@claims("error", when=lambda asked: says_something(asked) and not is_exact(asked))
@precisely
def _(said):
    study = said.study
    theta1, theta2 = spoken_coins(said)
    yes, no = answers(theta1, theta2)
    p, n = mpf(study.prevalence), study.people
    share = p * yes + (1 - p) * no
    assert near(points(said["sd"]) / 100, float(mp.sqrt(share * (1 - share) / n) / theta1))
    assert is_margin(said)
    if n <= 400:  # by adding up the surveys that are within
        within = mp.fsum(mp.binomial(n, c) * share**c * (1 - share) ** (n - c) for c in range(n + 1)
                         if abs((c / mpf(n) - no) / theta1 - p) <= study.margin + mpf("1e-9") / n / theta1)
        text = said["within"]
        assert within >= 0.9995 - 1e-9 if text.startswith("more") else near(number(text), float(within))
    yes, no = answers(*coins(study))
    bias = p * yes + (1 - p) * no - p
    if said["bias"] is None:
        return abs(bias) <= 0.1 * study.margin * (1 + 1e-9)
    assert abs(bias) > 0.1 * study.margin * (1 - 1e-9)
    assert near(points(said["bias"]) / 100, float(abs(bias)))
    return (said["side"] == "high") == (bias > 0)


@precisely
def is_exact(asked):
    """Whether every answer is the same, and known."""
    study = asked.study
    yes, no = answers(*coins(study))
    share = mpf(study.prevalence) * yes + (1 - mpf(study.prevalence)) * no
    return study.prevalence in (0, 1) and (share * (1 - share) < mpf("1e-300") or share in (0, 1))


only_when("alike", lambda asked: says_something(asked) and is_exact(asked))


@precisely
def has_another_best(asked):
    theta1, theta2 = coins(asked.study)
    return says_something(asked) and theta1 < 1 and 0 < theta2 < 1 and theta2 != 0.5


@claims("fair_coin", when=has_another_best)
@precisely
def _(said):
    epsilon = coin_epsilon(said.study)
    own, best = coins(said.study)[0], mp.tanh(epsilon / 2)  # 1 − α − β of the test that believes the answer
    assert own <= best
    return not_below(said.number("best"), float(best)) and not_below(said.number("own"), float(own))


@claims("goal", when=lambda asked: asked.study.design == "coins" and says_something(asked))
@precisely
def _(said):
    yes, no = answers(*coins(said.study))
    return yes != no  # with any other θ₁ an answer changes a belief


EXAMPLES = (
    {"design": "warner"}, {"design": "symmetric", "epsilon": 12.0}, {"design": "symmetric", "epsilon": 0.0},
    {"theta1": 1.0}, {"theta2": 0.0}, {"theta2": 1.0}, {"theta1": 0.0}, {"theta1": 1e-120}, {"people": 1},
    {"theta1": 1.0, "prevalence": 0.0}, {"theta1": 0.9999, "theta2": 1e-320}, {"people": 300, "prevalence": 0.5},
    {"people": 40, "margin": 0.3}, {"prevalence": 1.0, "theta2": 0.9}, {"margin": 1.0},
    {"prevalence": 0.201, "margin": 0.001}, {"design": "symmetric", "epsilon": 5.2953},
    {"design": "symmetric", "epsilon": 20.0}, {"theta1": 0.8, "theta2": 0.1, "margin": 0.7},
)
