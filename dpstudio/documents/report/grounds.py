"""What a choice rests on, on one page: level one of a study, with what a person wanted, noted and set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dpstudio.core.level import RUNNER_UP
from dpstudio.core.results import FactPlace, Series
from dpstudio.core.sentence import key_of
from dpstudio.core.update import Update
from dpstudio.documents.report import cover, numbers
from dpstudio.documents.report.blocks import Block, Cells, Chapter, Picture, References, Terms, Text, line_of, lines_of
from dpstudio.documents.report.contents import foremost
from dpstudio.documents.report.drawn import LONGEST_NOTE, placed
from dpstudio.documents.setting import Setting
from dpstudio.documents.state import LONGEST_NOTE as LONGEST_OF_STUDY
from dpstudio.documents.state import StudyState
from dpstudio.text.numbers import powered
from dpstudio.text.sentences import begun, listed
from dpstudio.vocabulary import DELTA, EPSILON, amount

RISK = "risk"
"""The key of what a release means for one person: the page to sign says it of what was chosen."""


def page(state: StudyState, update: Update, drawn: Mapping[str, Picture], solved: Sequence[Sequence[Block]],
         refs: References, *, alone: bool, signed: bool) -> Chapter:
    """Level one of a study, whose answer is spoken of with what was chosen.

    `alone` says that it is the only study, `signed` that the page to sign is its own; `drawn` are pictures by the keys
    of figures, `solved` the blocks of each question that was solved for.
    """
    study, first = state.setting.study, foremost(type(state.setting.study))
    what = "choice" if update.answer.choices else "result"
    lead: list[Block] = [] if signed else [*cover.decided(state, update, refs)]
    said = said_first(update)
    lead += [Text(powered(each), "" if i else "lead") for i, each in enumerate(said)]
    if first[0] in drawn:
        lead.append(drawn[first[0]])
    lead.append(table(state, update))
    lead += [drawn[key] for key in first[1:] if key in drawn]
    if own := tuple(_own(state, drawn, solved)):
        lead.append(Terms(own))
    return Chapter(f"What the {what} rests on" if alone else f"{study.title}: what the {what} rests on", tuple(lead))


def said_first(update: Update) -> tuple[str, ...]:
    """The headline, what stands under it, and the sentences of level one."""
    keys = (RUNNER_UP, *update.study.level_one.sentences)
    return tuple(each for i, each in enumerate(_said(update)) if not i or key_of(each) in keys)


def further(update: Update) -> tuple[str, ...]:
    """All other sentences."""
    first = said_first(update)
    return tuple(each for each in _said(update) if each not in first)


def _said(update: Update) -> tuple[str, ...]:
    """What is said here: the risk of a person stands with the guarantee, where somebody chose."""
    return tuple(each for each in update.verdicts if update.answer.decided is None or key_of(each) != RISK)


def compared_first(state: StudyState, update: Update) -> tuple[Series, ...]:
    """What was chosen, and what else is drawn: what is compared first, unless somebody showed more."""
    answer = update.answer
    there = (answer.decided, *update.study.level_one.series, *answer.ones)
    return tuple(each for each in dict.fromkeys(there)
                 if each is not None and (each == answer.decided or each.key not in state.folded))


def places(state: StudyState, update: Update) -> tuple[FactPlace, ...]:
    """The facts of level one, by keys of quantity and series."""
    series = (*(each.key for each in compared_first(state, update)), None)
    index = update.answer.index()
    return tuple((quantity.key, of) for quantity in update.study.level_one.facts for of in series
                 if (quantity.key, of) in index)


def table(state: StudyState, update: Update) -> Cells:
    """The facts of level one, a column for each thing that is drawn; what is not allowed is named below."""
    series, decided = compared_first(state, update), update.answer.decided
    facts = [fact for place in places(state, update) if (fact := update.fact(*place))]
    what = "each comes" if len({fact.series for fact in facts if fact.series}) > 1 else "it comes"
    return numbers.side_by_side(f"What {what} to at these settings.", facts, series,
                                {decided.key: f"{decided.label} (chosen)"} if decided else {},
                                _not_allowed(update, series))


def _not_allowed(update: Update, series: Sequence[Series]) -> str:
    """“Not allowed at ε = 0.1, δ = 10⁻⁶: Cutoff exponential spends δ = 0.0952.”; empty where all are.

    An account that shows more is no other release: another account of the same may show less.
    """
    answer, asked = update.answer, update.study.allowed
    told = [f"{each.label} {answer.spends(each)}" for each in series
            if each in answer.choices and not answer.allowed(each)]
    if not told or asked is None:
        return ""
    epsilon, delta = (amount(value, quantity) for value, quantity in zip(asked, (EPSILON, DELTA), strict=True))
    what = "Too weak to show that all is allowed" if update.study.several else "Not allowed"
    return powered(f"{what} at ε = {epsilon}, δ = {delta}: {listed(told)}.")


def _own(state: StudyState, drawn: Mapping[str, Picture], solved: Sequence[Sequence[Block]]
         ) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What a person wanted, noted and set."""
    if wanted := tuple(" ".join(each.text for each in blocks[:2] if isinstance(each, Text)) for blocks in solved):
        yield "Wanted", wanted
    kind = type(state.setting.study)
    elsewhere = [f"{kind.figure(note.figure).title}. {placed(kind.figure(note.figure), note)}"
                 for note in state.picture_notes if note.figure not in drawn and line_of(note.text, LONGEST_NOTE)]
    if noted := (*lines_of(state.note, LONGEST_OF_STUDY), *elsewhere):
        yield "Noted", noted
    if told := differing(state.setting):
        yield "Set", (told,)


def differing(setting: Setting) -> str:
    """“Privacy loss ε: 0.2 (default 0.1) · minimum m: 5 000 (default 1 000)”: what differs; empty if nothing does."""
    study = setting.study
    values = study.values()
    return begun(" · ".join(
        f"{numbers.named(value, each)} (default {numbers.value_of(usual, each)})"
        for each in study.parameters() if each.matters(values) and (value := values[each.name]) is not None
        and (usual := study.default(each.name)) is not None and value != usual))
