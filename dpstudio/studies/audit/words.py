"""What a person should take away, in plain sentences made from the audit."""

from __future__ import annotations

import math

from dpstudio.core.sentence import Fillings, Sentences, drawn_sentence, part, sentence
from dpstudio.models.auditing.certificate import MOST_DRAWS, Look
from dpstudio.studies.audit.answer import AuditAnswer, Drawn
from dpstudio.text.language import phrase
from dpstudio.text.numbers import THIN, short, shown
from dpstudio.text.sentences import at_least, grouped, in_percent, percent

_WAYS = {"rounding": "Rounding to multiples of", "clamping": "Clamping into [0, t] with t =",
         "thresholding": "Asking only whether the number is at least"}


# What the draws prove

def _breaks(a: AuditAnswer, seen: Drawn) -> bool:
    """Whether the draws prove more than is claimed."""
    return seen.epsilon > a.claim[0]


def _is_shown(a: AuditAnswer, seen: Drawn) -> bool:
    return a.false and _breaks(a, seen)


def _best(_: AuditAnswer, seen: Drawn) -> Look:
    assert seen.best is not None
    return seen.best


def _event(a: AuditAnswer, seen: Drawn) -> str:
    """The event as a sentence says it: “a noisy count of at least 1”, “the answer “yes””."""
    low, high = a.cells.stretch(int(_best(a, seen).chosen.event))
    if a.cells.number == 2 and a.cells.lattice == 1:
        return phrase("the answer “yes”" if math.isinf(high) else "the answer “no”")
    outcome = phrase(a.entry.outcome)
    if math.isinf(high):
        return phrase("{outcome} of at least {low}", outcome=outcome, low=short(low))
    if math.isinf(low):
        return phrase("{outcome} below {high}", outcome=outcome, high=short(high))
    return phrase("{outcome} from {low} to below {high}", outcome=outcome, low=short(low), high=short(high))


def _share(a: AuditAnswer, seen: Drawn, side: int) -> str:
    """How often it came of the draws without the record, and with it."""
    return percent(float(_best(a, seen).certified.share[side]))


# What it takes to prove more

def _never_ends(a: AuditAnswer) -> bool:
    return math.isinf(a.needed.draws)


def _enough(a: AuditAnswer) -> str:
    trials, needed = a.study.trials, a.needed
    return phrase("enough" if trials >= needed.high else
                  "too few" if trials < needed.low else "enough more often than not")


def beyond(number: float, limit: float) -> str:
    """What must not be overstated, in as many digits as it takes to say that it exceeds the limit."""
    for digits in range(3, 12):
        step = 10.0 ** (math.floor(math.log10(number)) - digits + 1)
        if math.floor(number / step * (1 + 1e-12)) * step > limit * (1 + 1e-9):
            return at_least(number, digits)
    return at_least(number, 12)


def odds_at_least(epsilon: float) -> str:
    """What even odds become at least by an answer of that loss: “86 : 14”, rounded down."""
    share = math.floor(100 / (1 + math.exp(-epsilon)))
    return f"{share} : {100 - share}" if share < 99 else f"{at_least(math.exp(min(epsilon, 700)))} : 1"


_CLAIM: Fillings = {
    "claim": part("ε = {claimed|up}{and_delta}", claimed=lambda a, *_: a.claim[0], and_delta=part(
        ", δ = {claimed_delta|up}", when=lambda a, *_: bool(a.claim[1]), claimed_delta=lambda a, *_: a.claim[1])),
    "beside": part(" at that δ", when=lambda a, *_: bool(a.claim[1])),
    "law": lambda a, *_: a.epsilon,
    "percent": lambda a, *_: in_percent(shown(f"{100 * a.study.confidence:.10g}")),
    "found": lambda a, seen: beyond(seen.epsilon, a.claim[0])}
_HAS = "this pair of datasets has exactly ε = {law|up}{beside}"
_GOAL = part("disprove the claim", when=lambda a: a.false), part(f"prove 90{THIN}% of this ε")
_WAY: Fillings = {"way": lambda a: phrase(_WAYS[a.study.processing]), "before": lambda a: a.raw_epsilon}

SENTENCES: Sentences[AuditAnswer, Drawn] = (
    # The exact law decides how the headline begins, so that drawing only adds to it; what draws prove is said with it.
    (drawn_sentence("caught", "Reject the claim {claim}: with {percent} confidence the draws prove ε ≥ "
                    "{found}{beside}; this pair has exactly {law|up}.", _CLAIM, when=_is_shown),
     drawn_sentence("not_caught", "Reject the claim {claim}: " + _HAS + "; these draws are too few to prove it.",
                    _CLAIM, when=lambda a, seen: a.false and seen.best is not None),
     sentence("false", "Reject the claim {claim}: " + _HAS + ".", _CLAIM, when=lambda a: a.false),
     sentence("hidden", "Reject the claim {claim}, though not by this pair: it has exactly ε = {law|up}{beside}.",
              _CLAIM, when=lambda a: bool(a.entry.wrong)),
     drawn_sentence("chance", "Do not reject the claim {claim}: the draws contradict it by chance (ε ≥ {found} with "
                    "{percent} confidence); this pair has exactly {law|up}{beside}.", _CLAIM, when=_breaks),
     drawn_sentence("certified", "No violation of the claim {claim} found: " + _HAS + "; with {percent} "
                    "confidence the draws prove at least {most|down}.", _CLAIM, when=lambda _, seen: seen.epsilon > 0,
                    most=lambda _, seen: seen.epsilon),
     sentence("nothing", "No violation of the claim {claim} found: " + _HAS + ".", _CLAIM)),
    sentence("runner_up", "{needed}", needed=(
        part("Each outcome is as likely on one dataset as on the other: no number of draws proves anything.",
             when=lambda a: a.alike),
        part("No event is likelier on one dataset by more than the claimed δ: no number of draws proves an ε at "
             "that δ.", when=lambda a: not a.epsilon),
        part("More than {most} draws per dataset are needed to {goal}: the event that shows it is too rare.",
             when=_never_ends, most=lambda _: at_least(MOST_DRAWS, 1), goal=_GOAL),
        part("About {draws} draws per dataset {goal} in nine of ten audits; {trials|whole} are {enough}.",
             enough=_enough, draws=lambda a: grouped(float(f"{a.needed.draws:.2g}")), goal=_GOAL))),
    (drawn_sentence("risk_and_odds", "{risk} With {percent} confidence some answers turn even odds into {odds} or "
                    "more.", _CLAIM, when=_is_shown, risk=lambda a, _: a.risk(),
                    odds=lambda _, seen: odds_at_least(seen.epsilon)),
     sentence("risk", "{risk}", risk=lambda a: a.risk())),
    (sentence("wrong", "{wrong}", when=lambda a: bool(a.entry.wrong), wrong=lambda a: phrase(a.entry.wrong)),
     sentence("no_proof", "An audit can disprove a claim, never prove it: it sees one pair of datasets, and no event "
              "rarer than its draws.")),
    drawn_sentence("event", "So far the event that proves most is {event}: it came in {more} of the draws {having} and "
                   "in {fewer} of those {without_it}.", when=lambda _, seen: seen.best is not None and seen.epsilon > 0,
                   event=_event, more=lambda a, seen: _share(a, seen, 1), fewer=lambda a, seen: _share(a, seen, 0),
                   having=lambda a, _: phrase(a.entry.sides[1]), without_it=lambda a, _: phrase(a.entry.sides[0])),
    (sentence("erased", "{way} {processing_at|near} makes both datasets alike, so ε = 0 after it; before it this pair "
              "has ε = {before|up}.", _WAY, when=lambda a: a.study.processing != "none" and a.alike),
     sentence("processed", "{way} {processing_at|near} cannot raise ε: {beside}this pair has ε = {before|up} before it "
              "and {after|up} after it.", _WAY, when=lambda a: a.study.processing != "none", after=lambda a: a.epsilon,
              beside=part("at the claimed δ ", when=lambda a: bool(a.claim[1])))),
)
