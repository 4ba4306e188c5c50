"""What a series of a study releases, in terms that libraries share: noise, the steepest decision, a flipped coin."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import Any, Literal, TypeAlias

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.declare import InvalidParameter
from dpstudio.mechanisms.decision import EpsilonDecision, GaussianDecision, LaplaceDecision
from dpstudio.mechanisms.noise import DiscreteGaussianNoise, GaussianNoise, StaircaseNoise
from dpstudio.mechanisms.response import RandomizedResponse
from dpstudio.records import dataclass
from dpstudio.text.numbers import plain
from dpstudio.text.sentences import numbered

NamedValue: TypeAlias = tuple[str, float | int, str]
"""Name, value and what it is."""
WHOLE_YESES = "sum(map(yes, rows))"
YESES = f"float({WHOLE_YESES})"
MADE_FOR = "δ that the noise is made for"
ALIKE = 1e-12
"""Probabilities of truth after yes and after no that differ by less are one."""


@dataclass(frozen=True)
class Function:
    """A function of a script: its name, what it takes, what it says of itself, and its lines."""

    name: str
    takes: str
    sentence: str
    lines: tuple[str, ...]

    def ending(self, line: str) -> Function:
        """The same with another last line."""
        return replace(self, lines=(*self.lines[:-1], line))


YES = Function("yes", "row", "Whether a row is a yes; text is neither, however it reads.", (
    "if row not in (False, True):", '    raise ValueError("each row must be True, False, 1 or 0")', "return bool(row)"))


@dataclass(frozen=True)
class Release:
    """What is released, what it keeps, and functions that release it by `noise(…)` or `flip(…)`."""

    epsilon: float
    delta: float
    functions: tuple[Function, ...]
    constants: tuple[NamedValue, ...] = ()
    says: tuple[str, ...] = ()
    nearest: str = ""
    """Of what stands in for something else: the sentence that says so."""
    of: str = "of one call"
    """What ε and δ are of."""
    spends: str = "Every call spends the guarantee once more."
    """What is spent when the functions are called."""
    example: tuple[str, ...] = ('rows = ["a record"] * 1000  # your own list in its place',
                                'print("yes" if answer(rows) else "no")')


WIDER = 1.001
"""So many times the least σ that of Google’s library is at most."""


@dataclass(frozen=True)
class NoisyRelease(Release):
    """Noise on a number that one neighbour moves by `moves`, or on a list of numbers that it moves so far in all."""

    law: Literal["laplace", "geometric", "gaussian", "discrete_gaussian"] = field(kw_only=True)
    scale: float = field(kw_only=True)
    """b of Laplace noise, 1/ε′ of geometric noise with ratio e^−ε′, σ of Gaussian noise, discrete or not."""
    moves: float = 1.0
    several: bool = False
    own_sigma: bool = False
    """Whether the σ is another than the least one of (ε, δ)."""
    claimed: float | None = None
    """The δ that the noise is made for, where another is kept."""
    where_wider: tuple[NamedValue, ...] = ()
    """In the place of the constants where a library’s noise is wider: rounded Laplace noise, or a σ up to `WIDER`."""

    @property
    def whole(self) -> bool:
        return self.law in ("geometric", "discrete_gaussian")

    @property
    def number(self) -> str:
        """What Python calls what it is added to."""
        return "int" if self.whole else "float"

    @property
    def is_gaussian(self) -> bool:
        return self.law in ("gaussian", "discrete_gaussian")

    @property
    def delta_name(self) -> str:
        """Which constant is the δ that the noise is made for."""
        return "DELTA" if self.claimed is None else "CLAIMED"

    @property
    def claims(self) -> tuple[NamedValue, ...]:
        return () if self.claimed is None else (("CLAIMED", self.claimed, MADE_FOR),)


@dataclass(frozen=True)
class Steepest(Release):
    """The steepest (ε, δ) decision through one point."""

    decision: EpsilonDecision = field(kw_only=True)
    minimum: int = field(kw_only=True)
    instead: NoisyRelease = field(kw_only=True)
    """Laplace noise and a threshold with the same probability at the minimum, for whoever cannot do it."""
    exactly: str = ""
    """What holds where the decision itself is made, and not of what is near it."""

    target: float = field(kw_only=True)
    """How often Laplace noise instead accepts the minimum."""

    def otherwise(self, why: str) -> NoisyRelease:
        """What is nearest where a library cannot do it, and why it cannot; at δ = 0 and ½ it is the same decision."""
        if not self.decision.claimed_delta and self.target == 0.5:
            return replace(self.instead, says=(*self.instead.says, "Without δ, and with the minimum accepted half of "
                                               "the time, Laplace noise and a threshold are the steepest decision."))
        nearest = (f"{self.nearest} {why} Nearest, and written here: Laplace noise and a threshold, which accept "
                   f"{self.minimum} records with probability {plain(self.target)} and keep ε = "
                   f"{plain(self.instead.epsilon)} without δ, but are uncertain over more records.")
        return replace(self.instead, nearest=nearest.lstrip())


@dataclass(frozen=True)
class Selection(Release):
    """Whether a group is shown, by partition selection for (ε, δ) of all groups of a person."""

    kind: Literal["truncated_geometric", "laplace", "gaussian"] = field(kw_only=True)
    partitions: int = field(kw_only=True)


@dataclass(frozen=True)
class Naming(Release):
    """Which of several scores is the largest, where one neighbour moves each by `moves` at most."""

    gumbel: bool = field(kw_only=True)
    """Whether its noise is Gumbel noise, as an exponential mechanism has it; else exponential noise."""
    moves: int = field(kw_only=True)
    one_way: bool = field(kw_only=True)
    """Whether a neighbour moves all scores the same way."""


@dataclass(frozen=True)
class Coin(Release):
    """A yes or no that is told truthfully with this probability."""

    truthful: float = field(kw_only=True)


@dataclass(frozen=True)
class Candidate(Release):
    """A quantile, drawn among candidates from `lower` to `upper`, where neighbours differ by so many rows."""

    share: float = field(kw_only=True)
    lower: float = field(kw_only=True)
    upper: float = field(kw_only=True)
    rows: int = field(kw_only=True)
    replaced: bool = field(kw_only=True)
    """Whether these are replaced; else they are there or not."""


def one_of(a: Answer[Any, Any, Any], series: str) -> Any:
    """What the study compares under this key; raises InvalidParameter where these settings have none."""
    if (one := a.one(series)) is None:
        there = ", ".join(each.key for each in a.ones)
        raise InvalidParameter("series", f"one that there is at these settings, of {there}", series)
    return one


# The decision

COMPARED, FROM_HERE = "noise(float(len(rows))) >= THRESHOLD", "k: a noisy count from here on is a yes"
NONE_REFUSED = "if not rows:", "    return False  # no records are never accepted: the study assumes it"


def _answering(study: Any, comparison: str) -> tuple[Function, ...]:
    lines = (*(NONE_REFUSED if study.zero_refused else ()), f"return {comparison}")
    return (Function("answer", "rows", f"Whether there are at least {study.minimum} of these records, told by chance "
                     "near that number.", lines),)


def _assumed(study: Any) -> tuple[str, ...]:
    return ("It is assumed that no records are never accepted. A library does not know of that: the δ of DP Studio "
            "includes it, the one of the library does not.",) if study.zero_refused else ()


def _kept(a: Answer[Any, Any, Any], series: str) -> tuple[float, float]:
    """(ε, δ) as the facts state them."""
    facts = (a.fact(quantity, series) for quantity in (v.GUARANTEE_EPSILON, v.GUARANTEE_DELTA))
    epsilon, delta = (math.nan if fact is None else fact.value for fact in facts)
    return epsilon, delta


def _threshold(a: Answer[Any, Any, Any], series: str) -> NoisyRelease:
    """Laplace or Gaussian noise on the count, compared with k."""
    study, decision = a.study, one_of(a, series).decision
    functions, assumed = _answering(study, COMPARED), _assumed(study)
    if isinstance(decision, GaussianDecision):
        sigma = 1 / decision.mu
        threshold = study.minimum - float(GaussianNoise(1.0).quantile(study.target)) * sigma
        says = ("DP Studio’s Gaussian decision is the steepest one of μ-Gaussian differential privacy, here with μ = "
                f"{plain(decision.mu)}; its ε and δ follow from μ exactly.",)
        kept = _kept(a, series)[1] if study.zero_refused else study.delta
        return NoisyRelease(study.epsilon, kept, functions, (("THRESHOLD", threshold, FROM_HERE),), (*says, *assumed),
                            law="gaussian", scale=sigma, claimed=study.delta if study.zero_refused else None)
    return NoisyRelease(*_kept(a, series), functions, (("THRESHOLD", decision.threshold, FROM_HERE),), assumed,
                        law="laplace", scale=1 / study.epsilon)


def _laplace_instead(study: Any) -> NoisyRelease:
    decision = LaplaceDecision.for_target(study.epsilon, study.minimum, study.target)
    return NoisyRelease(study.epsilon, float(decision.delta_at(study.epsilon, study.zero_refused)),
                        _answering(study, COMPARED), (("THRESHOLD", decision.threshold, FROM_HERE),), _assumed(study),
                        law="laplace", scale=1 / study.epsilon)


def _steepest(a: Answer[Any, Any, Any], series: str) -> Steepest:
    study, decision = a.study, one_of(a, series).decision
    delta = _kept(a, series)[1] if study.zero_refused else decision.claimed_delta
    return Steepest(study.epsilon, delta, _answering(study, ""), says=_assumed(study), decision=decision,
                    minimum=study.minimum, target=study.target, instead=_laplace_instead(study))


def _cutoff(a: Answer[Any, Any, Any], _: str) -> Steepest:
    """The steepest decision of the cutoff's own guarantee: no library has the cutoff, and this is better."""
    return replace(_steepest(a, "matched"), nearest="No library releases the cutoff exponential decision. Nearest: the "
                   "steepest decision of the same ε and δ = 1 − e^−ε that accepts the minimum for certain.",
                   exactly="Below the minimum it accepts no more often than the cutoff exponential decision does.")


def _selection(kind: Literal["truncated_geometric", "laplace", "gaussian"]
               ) -> Callable[[Answer[Any, Any, Any], str], Selection]:
    def made(a: Answer[Any, Any, Any], series: str) -> Selection:
        study, one = a.study, one_of(a, series)
        nearest = ("The library has the optimum alone, where noise of whole reach spends "
                   f"{plain(one.delta)} of {plain(one.study.delta)}. Nearest: the optimum, which shows no group less "
                   "often, at the same guarantee.") if series == "selection_geometric" else ""
        says = [f"You must bound people before you ask: of each person keep {study.partitions} "
                f"group{'s' * (study.partitions > 1)} at most, each once. Nothing here does it, and the guarantee "
                "holds of no person who is in more."]
        if kind == "gaussian":
            says.append("Half of δ is for noise that would also release the count. Of a person in one group the answer "
                        "alone spends no more than either half.")
        answer = Function("answer", "rows", "Whether the group of these users, each there once, is shown; ask of every "
                          "group that somebody is in.", ("return selection.should_keep(len(rows))",))
        return Selection(study.epsilon, study.delta, (answer,), says=tuple(says), nearest=nearest, kind=kind,
                         partitions=study.partitions,
                         of="of all groups of a person, each asked of once",
                         spends="Asking of every group once spends the guarantee; asking again spends it once more.",
                         example=('rows = ["a user"] * 20  # the users of one group of yours',
                                  'print("shown" if answer(rows) else "not shown")'))
    return made


# Answers by chance

def _coin(epsilon: float, response: RandomizedResponse, functions: tuple[Function, ...], nearest: str = "") -> Coin:
    called = "release(rows)" if functions[-1].name == "release" else "[answer(truth) for truth in rows[:5]]"
    return Coin(epsilon, 0.0, functions, nearest=nearest,
                example=("rows = [True] * 300 + [False] * 700  # your own list in its place", f"print({called})"),
                truthful=response.yes_if_yes)


_ESTIMATED = Function("release", "rows", "The fraction of yeses, estimated from the answers of all; rows are truths.", (
    "answers = [flip(yes(truth)) for truth in rows]  # in practice each person flips before they answer",
    "return (sum(answers) / len(answers) - (1 - TRUTHFUL)) / (2 * TRUTHFUL - 1)"))


def _response(a: Answer[Any, Any, Any], series: str) -> Coin:
    response = one_of(a, series).response
    nearest = ""
    if abs(response.yes_if_yes - response.no_if_no) > ALIKE:
        epsilon = response.epsilon
        if not math.isfinite(epsilon):
            raise InvalidParameter("design", "one whose ε is finite, for a library has coins alone that treat yes and "
                                   "no alike", a.study.design)
        nearest = ("The library’s coin treats yes and no alike, and this response does not: it is truthful with "
                   f"probability {plain(response.yes_if_yes)} after a yes and {plain(response.no_if_no)} after a no. "
                   f"Nearest, and no less precise: the symmetric response of the same ε = {plain(epsilon)}.")
        response = RandomizedResponse.symmetric(epsilon)
    functions = (YES, _ESTIMATED) if response.yes_if_yes > 0.5 else (
        YES, Function("answer", "truth", "The answer of one person, which says nothing.",
                      ("return flip(yes(truth))",)))
    return _coin(response.epsilon, response, functions, nearest=nearest)


# A fraction, a count, any numbers

NO_STAIRCASE = ("No library releases staircase noise. Nearest, and written here: Laplace noise of the same ε, whose "
                "mean error is larger.")


def _fraction(law: str) -> Callable[[Answer[Any, Any, Any], str], NoisyRelease]:
    def made(a: Answer[Any, Any, Any], series: str) -> NoisyRelease:
        one = one_of(a, series)
        number = WHOLE_YESES if law == "geometric" else YESES
        return NoisyRelease(*_kept(a, series), (YES, Function("release", "rows", "The fraction of yeses among these "
                            "answers, with noise; their number is public.", (f"return noise({number}) / len(rows)",)),),
                            example=("rows = [True] * 300 + [False] * 700  # your own list in its place",
                                     "print(release(rows))"),
                            law=law, scale=one.noise.noise_scale)  # type: ignore[arg-type]
    return made


def _mean_response(a: Answer[Any, Any, Any], series: str) -> Coin:
    return _coin(_kept(a, series)[0], one_of(a, series).response, (YES, _ESTIMATED))


def _numbers(a: Answer[Any, Any, Any], series: str) -> NoisyRelease:
    """Noise on each number of the answer of a query."""
    one, study = one_of(a, series), a.study
    law: Any = ("discrete_gaussian" if isinstance(one.noise, DiscreteGaussianNoise) else
                "geometric" if one.noise.is_whole else
                "gaussian" if isinstance(one.noise, GaussianNoise) else "laplace")
    whole = one.noise.is_whole
    kind, norm = "whole number" if whole else "number", "ℓ₂" if one.noise.norm == 2 else "ℓ₁"
    staircase = isinstance(one.noise, StaircaseNoise)
    says = []
    delta = 0.0
    if one.noise.needs_delta:
        delta = study.delta if one.is_least else float(one.delta_at(study.epsilon))
    if not one.is_least:
        says.append(f"This σ is {plain(one.times_least)} times the least one; the δ stated is what it truly keeps at "
                    f"this ε, where {plain(study.delta)} was wanted.")
    moves = int(one.sensitivity) if whole else float(one.sensitivity)
    return NoisyRelease(study.epsilon, delta,
                        (Function("release", "answer", f"Your exact answer, a list with one {kind} for "
                 f"each of its coordinates, with noise; one record moves it by at most MOVES in {norm}.", ()),),
                 (), tuple(says),
                 example=(f"answer = [100{'' if whole else '.0'}] * {study.dimension}  # yours in its place",
                          "print(release(answer))"),
                 nearest=NO_STAIRCASE if staircase else "", law=law,
                 scale=one.sensitivity / study.epsilon if staircase else one.noise.noise_scale, moves=moves,
                 several=True, own_sigma=not one.is_least)


def _histogram(a: Answer[Any, Any, Any], series: str) -> NoisyRelease:
    """Noise on each count of a histogram, and what the study does with the noisy counts."""
    study, whole = a.study, one_of(a, series).noise.is_whole
    each = "count"
    if study.rounded and not whole:
        each = "round(count)"
    if study.clamped:
        each = f"max({each}, 0)"
    moved = "a record replaced moves two of them" if study.step == 2 else "one record more or less moves one of them"
    functions = [Function("release", "answer", f"These counts, one for each kind of record, with noise: {moved}.", ())]
    print_it = "print(release(answer))"
    if each != "count":
        functions.append(Function("published", "noisy", "Noisy counts as the study publishes them: this follows from "
                                  "what is released, and tells no more.", (f"return [{each} for count in noisy]",)))
        print_it = "print(published(release(answer)))"
    answer = list(map(int if whole else float, study.cells))
    return NoisyRelease(study.epsilon, 0.0, tuple(functions), law="geometric" if whole else "laplace",
                        scale=study.step / study.epsilon, moves=study.step, several=True,
                        example=(f"answer = {answer}  # your own counts in their place", print_it))


def _table(a: Answer[Any, Any, Any], series: str) -> NoisyRelease:
    """Noise on the count of every group, and what the study does with the noisy counts."""
    study, one = a.study, one_of(a, series)
    if one.threshold is not None:
        raise InvalidParameter("keys", "known for code", "secret", "OpenDP’s own threshold leaves out of its δ what is "
                               f"exactly at it: pass {plain(one.threshold + 1)} there, and quote the δ that it reports "
                               f"for {plain(one.threshold)}")
    whole, groups = one.noise.is_whole, one.cells.size
    each = "round(count)" if study.rounded and not whole else "count"
    each = f"max({each}, 0)" if study.clamped else each
    bell = one.noise.norm == 2
    reach = study.each_rows * (math.sqrt(one.moves) if bell else one.moves)
    who = study.relation.who[0].lower() + study.relation.who[1:]
    functions = [Function("release", "answer", f"These counts, one for each group, with noise: {who} moves them by at "
                          f"most MOVES in {'ℓ₂' if bell else 'ℓ₁'}.", ())]
    print_it = "print(release(answer))"
    if each != "count":
        functions.append(Function("published", "noisy", "Noisy counts as the study publishes them: this follows from "
                                  "what is released, and tells no more.", (f"return [{each} for count in noisy]",)))
        print_it = "print(published(release(answer)))"
    return NoisyRelease(study.epsilon, study.delta if bell else 0.0, tuple(functions),
                        law="gaussian" if bell else "geometric" if whole else "laplace", scale=one.noise.noise_scale,
                        moves=float(reach) if bell or not whole else int(reach), several=True,
                        says=(_kept_rows(study),),
                        example=(f"answer = [100{'' if whole else '.0'}] * {groups}  # your own counts in their place",
                                 print_it))


def _largest(a: Answer[Any, Any, Any], series: str) -> Naming:
    """The place of the group that is named as the largest."""
    study, one = a.study, one_of(a, series)
    return Naming(study.epsilon, 0.0, (Function("release", "answer", "The place, from 0, of the group that is named as "
                  "the largest of these counts.", ("return choose([int(each) for each in answer])",)),),
                  says=(_kept_rows(study),), gumbel=series == "exponential", moves=study.each_rows,
                  one_way=not study.replaced, example=(f"answer = [100] * {one.cells.size}  # your own counts in their "
                                                       "place", "print(release(answer))"))


def _kept_rows(study: Any) -> str:
    return (f"Of each person keep {numbered('groups', study.per_person)} at most, and "
            f"{numbered('rows', study.each_rows)} in each, before you count.")


def _count(a: Answer[Any, Any, Any], series: str) -> NoisyRelease:
    """A noisy count of yeses, and the posterior where it is plain arithmetic."""
    study = a.study
    whole = study.noise == "geometric"
    release = Function("release", "rows", "The number of yeses among these answers, with noise.",
                       (f"return noise({WHOLE_YESES if whole else YESES})",))
    plan = NoisyRelease(study.epsilon, 0.0, (YES, release),
                        example=("rows = [True] * 30 + [False] * 70  # your own list in its place",
                                 "count = release(rows)",
                                 "print(count)"),
                        law="geometric" if whole else "laplace", scale=1 / study.epsilon)
    if series == "aware":
        return replace(plan, says=("The noise-aware posterior of a released count c among n people follows from c "
                                   "alone: dpstudio compute posterior --set release=given --set noisy_share=c/n, with "
                                   "the same people, prior and ε.",))
    clamped = ("count = min(max(count, 0), people)",) if series == "clamped" else ()
    posterior = Function("posterior", "count, people", "a and b of the beta posterior of the rate; it follows from the "
                         "released count, and tells no more.",
                         (*clamped, "return PRIOR_A + count, PRIOR_B + people - count"))
    return replace(plan, functions=(*plan.functions, posterior),
                   constants=(("PRIOR_A", study.prior_a, "of the beta prior"), ("PRIOR_B", study.prior_b, "the same")),
                   says=("Noise may lead to a or b of 0 or less: then there is no naive posterior.",)
                   if series == "naive" else (), example=(*plan.example, "print(posterior(count, len(rows)))"))


# A sum, a mean or a quantile of values

_CLIPPED = Function("clipped", "rows", "The values within the bounds, which come from no data.", (
    "values = [float(row) for row in rows]", "if any(value != value for value in values):",
    '    raise ValueError("each row must be a number")',
    "return [min(max(value, LOWER), UPPER) for value in values]"))


def _bounded_people(study: Any) -> tuple[str, ...]:
    return (f"You must bound people before: of each person keep {study.rows} row{'s' * (study.rows > 1)} at most. "
            "Nothing here does it, and the guarantee holds of no person who has more.",)


def _values(study: Any) -> Mapping[str, Any]:
    return {"constants": (("LOWER", study.lower, "smaller values are raised to it"),
                          ("UPPER", study.upper, "larger values are lowered to it")),
            "says": _bounded_people(study),
            "example": ("rows = [12.5, 40.0, 7.0] * 100  # your own list in its place", "print(release(rows))")}


def _number(a: Answer[Any, Any, Any], series: str) -> NoisyRelease:
    """Noise on a clipped sum, which may be divided by a public number of values, or on a quantile."""
    study, one = a.study, one_of(a, series)
    if study.is_private_ratio:
        raise InvalidParameter("count", "public, for a script of another library", study.count,
                               "the mean over a noisy number of values is written for none")
    released = {"sum": ("The sum of these values, clipped, with noise.", ("return noise(math.fsum(clipped(rows)))",)),
                "mean": ("The mean of these values, clipped, with noise; their number is public.",
                         ("return noise(math.fsum(clipped(rows))) / len(rows)",))}
    sentence, lines = released.get(study.statistic, (
        "The quantile of these values, clipped, with noise.",
        ("values = sorted(clipped(rows))",
         f"return noise(values[max(math.ceil({study.share!r} * len(values)) - 1, 0)])")))
    return NoisyRelease(study.epsilon, study.delta if series == "gaussian" else 0.0,
                        (_CLIPPED, Function("release", "rows", sentence, ("import math", *lines))),
                        law="gaussian" if series == "gaussian" else "laplace", scale=one.noise.noise_scale,
                        moves=one.sensitivity, **_values(study))


def _candidate(a: Answer[Any, Any, Any], series: str) -> Candidate:
    """A quantile among candidates, by the exponential mechanism or what is better than it."""
    study = one_of(a, series).study
    return Candidate(study.epsilon, 0.0, (_CLIPPED, Function(
        "release", "rows", "A candidate near the quantile of these values, drawn by chance.",
        ("return drawn(clipped(rows))",))), share=study.share, lower=study.lower, upper=study.upper,
        rows=study.rows, replaced=study.change == "replace",
        nearest="The library draws among candidates, here 1 001 from the lower to the upper bound, where DP Studio "
        "draws any number between two values.", **_values(study))


Maker: TypeAlias = Callable[[Answer[Any, Any, Any], str], Release]
PLANS: Mapping[str, Mapping[str, tuple[type[Release], Maker]]] = {
    "decision": {"laplace": (NoisyRelease, _threshold), "cutoff": (Steepest, _cutoff),
                 "generalized": (Steepest, _steepest),
                 "gaussian": (NoisyRelease, _threshold), "matched": (Steepest, _steepest),
                 "selection_optimal": (Selection, _selection("truncated_geometric")),
                 "selection_geometric": (Selection, _selection("truncated_geometric")),
                 "selection_laplace": (Selection, _selection("laplace")),
                 "selection_gaussian": (Selection, _selection("gaussian"))},
    "response": {"response": (Coin, _response), "best": (Coin, _response)},
    "mean": {"response": (Coin, _mean_response), "laplace": (NoisyRelease, _fraction("laplace")),
             "geometric": (NoisyRelease, _fraction("geometric")), "gaussian": (NoisyRelease, _fraction("gaussian"))},
    "noise": dict.fromkeys(("laplace", "geometric", "gaussian", "gaussian_classical", "printed", "staircase",
                            "discrete_gaussian"), (NoisyRelease, _numbers)),
    "neighbours": dict.fromkeys(("laplace", "geometric"), (NoisyRelease, _histogram)),
    "number": {"laplace": (NoisyRelease, _number), "gaussian": (NoisyRelease, _number),
               "exponential": (Candidate, _candidate)},
    "posterior": dict.fromkeys(("naive", "clamped", "aware"), (NoisyRelease, _count)),
    "table": {**dict.fromkeys(("geometric", "laplace", "gaussian"), (NoisyRelease, _table)),
              **dict.fromkeys(("permute_and_flip", "exponential"), (Naming, _largest))},
}
"""By study and series: what kind of plan it has, and how it is made; of tests of a share `testing` has them."""
