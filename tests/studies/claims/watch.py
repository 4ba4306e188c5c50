"""What the watch study says, recomputed from the laws of the first “yes”."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from claims.kit import Asked, Said, claims, near, not_above, not_below, number, only_when

from dpstudio import vocabulary as v
from dpstudio.mechanisms.decision import LaplaceDecision
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.mechanisms.watch import AboveThreshold, ExponentialAboveThreshold
from dpstudio.models.watching import TreeWatch
from dpstudio.studies import watch as f

NAMES = {"AboveThreshold": f.ABOVE, "AboveThreshold with exponential noise": f.EXPONENTIAL,
         "a new decision each step (ε/k)": f.BASIC, "a new decision each step (optimal)": f.OPTIMAL,
         "the binary tree": f.TREE}
SLOW = 120
"""Up to so many times the whole law is computed anew; of more what the study asks for."""


def history(said: Asked) -> tuple[np.ndarray, int]:
    """The counts, and at how many times they lie below m."""
    study = said.study
    counts = np.floor(study.per_time * np.arange(1, study.times + 1))
    return counts, int(np.sum(counts < study.minimum))


def is_late(asked: Asked) -> bool:
    """Whether m is reached before the last time."""
    return history(asked)[1] < asked.study.times - 1


def there(said: Asked) -> list:
    """The series whose first “yes” has a law."""
    return [one for one in f.EXACT if one != f.OPTIMAL or (said.study.delta > 0 and said.study.times > 1)]


def paid(series, one: float, two: float, k: int, stays: bool) -> tuple[float, float]:
    """What a record shows at most: what is likelier without it, and with it."""
    if series == f.EXPONENTIAL:
        return (one if stays or k == 1 else one + two), two
    all_no = min(one, k * two)
    then_yes = 0 if stays else min(one + two, (k - 1) * two)
    return max(all_no, then_yes), min(one, two) if k == 1 else two


def split(said: Asked, series=f.ABOVE) -> tuple[float, float]:
    """ε₁ and ε₂: as large as ε allows."""
    study = said.study
    worst = max(paid(series, study.share, 1 - study.share, study.times, study.presence == "stays"))
    return study.share / worst * study.epsilon, (1 - study.share) / worst * study.epsilon


def unsaid(said: Asked, series) -> np.ndarray:
    """Pr[T > t] for each t, with the threshold that the study says, which must give the alarm."""
    study, (counts, before) = said.study, history(said)
    threshold = study.minimum + said.value(v.THRESHOLD_MARGIN, series)
    if series in (f.BASIC, f.OPTIMAL):
        each = said.value(v.ASK_EPSILON, series)
        still = np.exp(np.cumsum(LaplaceDecision(each, threshold).log_reject(counts)))
    else:
        total = sum(split(said, series))
        watch = {f.ABOVE: AboveThreshold, f.EXPONENTIAL: ExponentialAboveThreshold}[series](
            total, threshold, study.share)
        few = study.times <= SLOW and total < 2
        still = 1 - np.cumsum(watch.first_yes(counts)) if few else watch.waiting(counts)
    alarm = 1 - still[before - 1] if before else 0.0
    assert abs(alarm - (study.alarm if before else 0.0)) <= 1e-6 * study.alarm + 1e-12
    return still


def delay(said: Asked, series) -> float:
    """What comes from t* to “yes” or the last time, on average: records, or times where they are fewer."""
    study, (counts, before) = said.study, history(said)
    come = np.diff(counts) if study.per_time >= 1 else np.ones(study.times - 1)
    return float(unsaid(said, series)[before:-1] @ come[before:])


def is_delay(text: str, said: Said, series) -> None:
    """“12.3 records”, or less than 0.01 of them; known to no more than its sum is."""
    true, unit = delay(said, series), "record" if said.study.per_time >= 1 else "step"
    digits = text.removeprefix("less than ").split(" ")[0]
    assert text.split(" ")[-1].removesuffix("s") == unit
    assert text.endswith("s") == (digits != "1")
    room = 1e-12 * said.study.times * max(said.study.per_time, 1)
    if text.startswith("less"):
        assert number(digits) == 0.01 > true - room
    else:
        assert true >= 0.01 - room
        assert near(number(digits), true) or abs(number(digits) - true) < room + 6e-3 * true


def is_missed(text: str, said: Said, series) -> None:
    true = float(unsaid(said, series)[-1])
    if text.startswith("less"):
        assert number(text.removeprefix("less than ")) == 1e-12 > true - 1e-11
    elif text.startswith("more"):
        assert true >= 0.9995 - 1e-9
    else:
        assert near(number(text), true) or abs(number(text) - true) < 1e-11


def outcomes(said: Asked) -> dict:
    """What each with a law is judged by, less than can be said being alike."""
    of, least = (delay, 0.01) if is_late(said) else (lambda given, one: float(unsaid(given, one)[-1]), 1e-12)
    return {one: max(of(said, one), least) for one in there(said)}


def first_of(found: dict) -> set:
    """What may be called the best: what spends the least δ and is declared first of all within 2 % of the least."""
    maybe = set()
    for room in (1.02 * (1 - 1e-6), 1.02 * (1 + 1e-6)):
        near = [one for one in found if found[one] <= min(found.values()) * room]
        maybe.add(min(near, key=lambda one: (one == f.OPTIMAL, f.EXACT.index(one))))
    return maybe


def headline(said: Said) -> object:
    """Of what the headline speaks, and that it is what was decided for or else the best."""
    study, (_, before) = said.study, history(said)
    one, decided = NAMES[said["spoken"]], said.update.answer.decided
    assert said["use"] == ("Use" if decided is None else "You chose")
    assert one == decided if decided else one in first_of(outcomes(said))
    assert (said["alarm"] is not None) == (before > 0)
    assert said["times"] == ("1 step" if study.times == 1 else f"{study.times:,} steps".replace(",", "\u202f"))
    assert said["keep"] == ("keeps" if study.times == 1 else "keep")
    assert not_below(said.number("epsilon"), study.epsilon)
    assert (said["delta"] is not None) == (one in spends(said))
    assert said["delta"] is None or not_below(said.number("delta"), study.delta)
    return one


@claims("choice", when=lambda asked: is_late(asked) and asked.update.answer.decided != f.TREE)
def _(said: Said) -> None:
    is_delay(said["first"], said, headline(said))


@claims("at_last", when=lambda asked: history(asked)[1] == asked.study.times - 1
        and asked.update.answer.decided != f.TREE)
def _(said: Said) -> None:
    is_missed(said["first"], said, headline(said))


@claims("drawn", when=lambda asked: asked.update.answer.decided == f.TREE and history(asked)[1] < asked.study.times)
def _(said: Said) -> None:
    assert headline(said) == f.TREE
    assert said.update.answer.fact(v.MEAN_DELAY, f.TREE) is None
    assert said.value(v.FALSE_ALARM, f.TREE) <= said.study.alarm * (1 + 1e-6)


def second(said: Said, check) -> None:
    """What comes next of what the headline does not speak of; what a new decision does where neither is one."""
    decided, found, one = said.update.answer.decided, outcomes(said), NAMES[said["second"]]
    maybe = first_of(found)
    spoken = decided or NAMES[said.update.verdicts[0].places["spoken"]]
    rest = {each: value for each, value in found.items() if each != spoken}
    assert one in first_of(rest)
    assert said["role"] in ({"Suggested", "Runner-up"} if len(maybe) > 1 and decided else
                            {"Suggested" if one in maybe and decided else "Runner-up"})
    assert said["spends"] == "no δ" if one not in spends(said) else not_below(
        number(said["spends"].removeprefix("δ = ")), said.study.delta)
    if said["other"] is None:
        assert said["its"] == ("as late" if check is is_delay else "missing with the same probability")
        said = replace(said, sentence=said.update.verdicts[0])
        check(said["first"], said, one)
    else:
        check(said["other"], said, one)
        assert said.update.verdicts[0].places.get("first") != said["other"]
    other = said.update.verdicts[1].places.get("basic")
    assert (other is not None) == (f.BASIC not in (one, spoken))
    if other is not None:
        assert other.startswith("; a new decision each step (ε/k): ")
        assert other.endswith(" late") == (check is is_delay)
        check(other.removeprefix("; a new decision each step (ε/k): ").removesuffix(" late"), said, f.BASIC)


@claims("runner_up", when=lambda asked: history(asked)[1] < asked.study.times)
def _(said: Said) -> None:
    second(said, is_delay if is_late(said) else is_missed)


@claims("not_reached", when=lambda asked: history(asked)[1] == asked.study.times)
def _(said: Said) -> None:
    assert near(said.number("minimum"), said.study.minimum, 12)
    assert said.number("times") == said.study.times
    assert near(said.number("last"), history(said)[0][-1], 12)


def recommended(asked: Asked) -> str:
    if asked.update.answer.decided:
        return asked.update.answer.decided.key
    return NAMES[asked.update.verdicts[0].places.get("spoken", "AboveThreshold")].key


@claims("risk", person=recommended)
def _(said: Said) -> None:
    """No test of what is said gets it right more often, of the record that comes just when m is reached either."""
    study, (counts, before) = said.study, history(said)
    best = next(series for series in NAMES.values() if series.key == recommended(said))
    many, right = said.number("guesses"), said.number("right")
    share = right / many
    if best == f.TREE:
        return
    if best in (f.ABOVE, f.EXPONENTIAL):
        a, b = paid(best, *split(said, best), study.times, study.presence == "stays")
        law = -math.expm1(-a * b / (a + b))
    else:
        a, b = (each * said.value(v.ASK_EPSILON, best) for each in (study.times, 1))
        law = min(-math.expm1(-a * b / (a + b)),
                  float(RandomizedResponse.symmetric(b).delta_after(study.times, 0.0)))
    assert (1 + law) / 2 * (1 - 1e-9) <= share <= (1 + law) / 2 + 1.001 / many
    if best in (f.ABOVE, f.EXPONENTIAL) and study.times <= SLOW and before < study.times:
        kind = {f.ABOVE: AboveThreshold, f.EXPONENTIAL: ExponentialAboveThreshold}[best]
        watch = kind(sum(split(said, best)), study.minimum + said.value(v.THRESHOLD_MARGIN, best), study.share)
        one, two = (np.append(watch.first_yes(each), watch.never(each))
                    for each in (counts, counts + (np.arange(study.times) >= before)))
        assert np.abs(one - two).sum() / 4 <= share - 0.5 + 1e-9


def has_tree(asked: Asked) -> bool:
    return asked.study.presence == "stays" or asked.study.times <= 2


def spends(asked: Asked) -> list:
    study = asked.study
    tree = TreeWatch(study.epsilon, study.delta, study.times).gaussian is not None
    optimal = study.delta > 0 and study.times > 1
    return ([f.OPTIMAL] if optimal else []) + ([f.TREE] if tree and has_tree(asked) else [])


def parts_of(text: str) -> list[tuple[str, object]]:
    names = sorted(NAMES, key=len, reverse=True)
    found = [(next(name for name in names if part.startswith(f"{name} ")), part) for part in text.split(", ")]
    return [(part.removeprefix(f"{name} "), NAMES[name]) for name, part in found]


@claims("late", when=is_late)
def _(said: Said) -> None:
    parts = parts_of(said["delays"])
    assert [one for _, one in parts] == there(said)
    for text, one in parts:
        is_delay(text, said, one)


def never(asked: Asked) -> list:
    """Which say no “yes” more often than once in a thousand; with what is as often but for rounding, if it is said."""
    often = {one: float(unsaid(asked, one)[-1]) for one in there(asked)}
    return [one for one, true in often.items() if true > 1e-3 * (1 + 1e-6)]


@claims("never", when=lambda asked: is_late(asked) and bool(never(asked)))
def _(said: Said) -> None:
    parts = {one: text for text, one in parts_of(said["never"])}
    assert set(never(said)) <= set(parts)
    for one, text in parts.items():
        assert unsaid(said, one)[-1] > 1e-3 * (1 - 1e-6)
        is_missed(text, said, one)


only_when("once", lambda asked: asked.study.times == 1)


@claims("cost")
def _(said: Said) -> None:
    study = said.study
    assert study.times > 1
    assert not_above(said.number("ask_epsilon:basic"), study.epsilon / study.times)
    one, two = split(said)
    assert not_below(said.number("comparison_sd:above"), math.sqrt(2 / one**2 + 2 / two**2))
    longer = [max(paid(f.ABOVE, study.share, 1 - study.share, k, study.presence == "stays"))
              for k in (study.times, study.times + 1, 10 * study.times, 10**6)]
    assert bool(said["any_longer"]) == (max(longer) - min(longer) < 1e-12)
    assert not_below(said.number("comparison_sd:basic"), math.sqrt(2) * study.times / study.epsilon)
    assert bool(said["optimal"]) == (study.delta > 0)
    if said["optimal"]:
        each = said.number("ask_epsilon:optimal")
        assert RandomizedResponse.symmetric(each).delta_after(study.times, study.epsilon) <= study.delta * (1 + 1e-9)
        more = RandomizedResponse.symmetric(each * 1.011).delta_after(study.times, study.epsilon)
        assert more > study.delta


@claims("split", when=lambda asked: asked.study.times > 1)
def _(said: Said) -> None:
    study, (one, two) = said.study, split(said)
    assert not_below(said.number("threshold"), one)
    assert not_below(said.number("count"), two)
    for place, stays in (("staying_epsilon:above", True), ("coming_epsilon:above", False)):
        assert not_below(said.number(place), max(paid(f.ABOVE, one, two, study.times, stays)))
        assert stays != (study.presence == "stays") or not_below(said.number(place), study.epsilon)


FAULTY = {"no noise on the counts": "bare", "the noisy count told": "told",
          "a new threshold each step": "drawn", "going on after “yes”": "on"}


def gives(asked: Asked) -> dict[str, float]:
    """The ε of the variants that have a formula."""
    k, (one, two) = asked.study.times, split(asked)
    return {"bare": math.inf if k > 1 else one, "told": k * two, "drawn": k * min(one, two)}


def exceeds(asked: Asked) -> bool:
    least = asked.study.epsilon * (1 + 1e-9)
    return max(*gives(asked).values(), asked.value(v.GOING_ON_EPSILON)) > least


@claims("faulty", when=exceeds)
def _(said: Said) -> None:
    study, (one, two), k = said.study, split(said), said.study.times
    assert not_below(said.number("epsilon"), study.epsilon)
    parts = [part.removesuffix(")").split(" (") for part in said["variants"].split(", ")]
    told = {FAULTY[name]: number(text.removeprefix("at least ")) for name, text in parts}
    assert [FAULTY[name] for name, _ in parts] == [name for name in FAULTY.values() if name in told]
    assert {name: text.startswith("at least") for name, text in parts} == {name: name[:2] == "go" for name, _ in parts}
    for name, true in gives(said).items():
        assert (name in told) == (true > study.epsilon * (1 + 1e-9)), name
        assert name not in told or told[name] == true or not_below(told[name], true), name
    # Every “no” that a record makes less likely shows ε₂ at most, and half of it to the threshold between both halves.
    if "on" not in told:
        assert said.value(v.GOING_ON_EPSILON) <= study.epsilon * (1 + 1e-9)
        return
    assert study.epsilon * (1 - 1e-2) <= told["on"] <= (k - k // 2) * two * (1 + 1e-9)
    if k >= 20 and study.epsilon > 0.1:
        assert told["on"] >= 0.3 * (k // 2) * two
    if study.epsilon < 1 and k <= 40:
        z, h = np.linspace(-40 / min(one, two), 40 / min(one, two), 200_001, retstep=True)
        def no(x):
            return np.where(x < 0, np.exp(two * np.minimum(x, 0)) / 2, 1 - np.exp(-two * np.maximum(x, 0)) / 2)
        weight = np.exp(-one * abs(z)) * (1 - no(z)) ** (k // 2)
        fewer, more = (np.sum(weight * no(z - c) ** (k - k // 2)) * h for c in (0, 1))
        assert abs(math.log(fewer / more) / told["on"] - 1) < 2e-2


@claims("no_tree", when=lambda asked: not has_tree(asked))
def _(said: Said) -> None:
    """A record that is counted where the number of 1s is odd moves every node: as many as there are times."""
    k = said.study.times
    counted = [t.bit_count() % 2 for t in range(k + 1)]
    moved = sum(abs(counted[t] - counted[t & (t - 1)]) for t in range(1, k + 1))
    assert moved == k > k.bit_length()
    assert not_below(said.number("epsilon"), said.study.epsilon)


@claims("tree", when=lambda asked: asked.update.seen is not None and has_tree(asked) and is_late(asked))
def _(said: Said) -> None:
    seen, early = (said.update.fact(each, f.TREE) for each in (v.DELAY_SEEN, v.ALARM_SEEN))
    assert near(said.number("delay_seen:tree"), seen.value)
    assert not_above(said.number("delay_seen:tree:low"), seen.low)
    assert not_below(said.number("delay_seen:tree:high"), seen.high)
    assert near(said.number("alarm_seen:tree"), early.value)
    study, (counts, before) = said.study, history(said)
    watch = TreeWatch(study.epsilon, study.delta, study.times)
    threshold = study.minimum + said.value(v.THRESHOLD_MARGIN, f.TREE)
    first = watch.first_yes(counts, threshold, 2000, np.random.default_rng(77))
    spread = np.maximum(np.minimum(first, study.times - 1) - before, 0)
    room = 5 * (spread.std() + 0.02 * study.times) / math.sqrt(400)
    assert seen.low - room <= spread.mean() <= seen.high + room


EXAMPLES = (
    {"per_time": 1.0, "minimum": 50}, {"times": 1}, {"times": 1, "minimum": 5},
    {"minimum": 5}, {"delta": 0.0}, {"epsilon": 20.0}, {"epsilon": 1e-6},
    {"times": 30}, {"epsilon": 0.1, "share": 0.2}, {"epsilon": 1e-6, "delta": 0.1}, {"times": 2, "minimum": 15},
    {"presence": "comes and goes"}, {"presence": "comes and goes", "times": 3, "share": 0.9, "minimum": 15},
    {"minimum": 1, "per_time": 285.0}, {"minimum": 1, "per_time": 0.4, "epsilon": 0.1},
    {"times": 9, "share": 0.243, "epsilon": 0.31, "presence": "comes and goes", "minimum": 15},
    {"times": 3, "share": 0.243, "epsilon": 0.31, "presence": "comes and goes", "minimum": 15},
)
