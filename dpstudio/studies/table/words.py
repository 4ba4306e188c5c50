"""What a person should take away from the table study, made from the facts; the first is the headline."""

from __future__ import annotations

from decimal import Decimal

from dpstudio import vocabulary as v
from dpstudio.core.results import Series
from dpstudio.core.sentence import Sentence, Sentences, found_once, part, sentence
from dpstudio.studies import table as f
from dpstudio.studies.kit.choosing import USE, ranked, role, spoken_of
from dpstudio.studies.table.answer import Drawn, TableAnswer
from dpstudio.text.language import phrase
from dpstudio.text.numbers import shown
from dpstudio.text.sentences import chance, grouped, less_than, numbered, percent, percentage, safely
from dpstudio.vocabulary import Quantity

MOST_SENTENCES = 8
NAMES = {f.GEOMETRIC: "discrete Laplace", f.DISCRETE: "discrete Gaussian", f.LAPLACE: "Laplace",
         f.GAUSSIAN: "Gaussian", f.PERMUTE: "permute-and-flip", f.EXPONENTIAL: "the exponential mechanism",
         f.NOISY_MAX: "the noisy maximum with Laplace noise"}
"""How a sentence calls them."""
_BELLS = (f.GAUSSIAN, f.DISCRETE)
_DEFAULT = {"counts": f.GEOMETRIC, "largest": f.PERMUTE}


@found_once
def _ranked(a: TableAnswer) -> tuple[Series, ...]:
    """What is allowed, the least width for all groups first, a whole step being none; or the least regret."""
    if a.study.chooses:
        return ranked(a, v.TABLE_REGRET, f.CHOOSING)
    return ranked(a, v.WITHIN_ALL, f.NOISES, step=1.0)


def suggested(a: TableAnswer) -> Series | None:
    """The least width; of what is within a step, or a fiftieth, that which spends less δ, or is plainer."""
    return next(iter(_ranked(a)), None)


def spoken(a: TableAnswer) -> Series:
    """What the sentences speak of."""
    return spoken_of(a, suggested(a) or _DEFAULT[a.study.released])


def _other(a: TableAnswer) -> Series | None:
    """The best of the other kind of noise; of what names a group the next."""
    one = spoken(a)
    return next((each for each in _ranked(a) if each != one and (a.study.chooses or (each in _BELLS) != (one in _BELLS))
                 ), next((each for each in _ranked(a) if each != one), None))


def _others(a: TableAnswer) -> Series:
    other = _other(a)
    assert other is not None
    return other


def _there(a: TableAnswer) -> bool:
    return a.one(spoken(a)) is not None


def _within(a: TableAnswer, series: Series) -> str:
    far = a.value(v.WITHIN_ALL, series)
    return grouped(far) if far == int(far) and far < 1e12 else safely(far)


def _share(a: TableAnswer) -> str:
    return phrase("{number} of 100", number=percentage(a.study.error_level))


def _spends(*, other: bool = False) -> tuple[Sentence[TableAnswer, Drawn], ...]:
    def delta(a: TableAnswer) -> float:
        promised = a.guarantee(_others(a) if other else spoken(a))
        return 0.0 if promised is None else promised.delta

    return (part("no δ", when=lambda a: delta(a) == 0), part("δ = {its_delta|up}", its_delta=delta))


def _chance(a: TableAnswer, series: Series) -> str:
    return chance(a.value(v.LARGEST_RIGHT, series))


def _few(number: float) -> str:
    return less_than(shown("0.01")) if number < 0.01 else safely(number)


def _groups(a: TableAnswer) -> str:
    if a.study.secret:
        return phrase("all counts that are shown are")
    return phrase("the one group is") if a.cells.size == 1 else phrase(
        "all {number} groups are", number=grouped(a.cells.size))


def _counts(a: TableAnswer) -> bool:
    return not a.study.chooses and _there(a)


def _far(a: TableAnswer, count: float) -> str:
    return percent(a.get(spoken(a)).alone / count, side="up")  # type: ignore[union-attr]


def _smallest_there(a: TableAnswer) -> float:
    return float(a.cells.different[a.cells.different > 0][-1])


def _is_unequal(a: TableAnswer) -> bool:
    return (_counts(a) and not a.study.secret and a.cells.different[0] > 0
            and _smallest_there(a) < a.cells.different[0])


def _is_exact(a: TableAnswer, quantity: Quantity) -> bool:
    fact = a.fact(quantity, spoken(a))
    return fact is not None and fact.kind == "exact"


def _no_order(a: TableAnswer) -> bool:
    k = a.study.first
    return _counts(a) and not a.study.secret and a.cells.size > 1 and (
        k >= a.cells.size or a.cells.at(k) == a.cells.at(k + 1))


def _is_less_together(a: TableAnswer) -> bool:
    return (_counts(a) and a.cells.size > 1 and _is_exact(a, v.EACH_ALONE)
            and a.value(v.EACH_ALONE, spoken(a)) < a.study.error_level)


SENTENCES: Sentences[TableAnswer, Drawn] = (
    (sentence("nothing", "No noise keeps secret names at δ = {delta|up}: allow more δ, or let names be public.",
              when=lambda a: not _there(a)),
     sentence("chosen", "{use} {name}: it names the largest of {counted} with probability {largest}, and spends "
              "{spent}.",
              USE, when=lambda a: a.study.chooses, name=lambda a: phrase(NAMES[spoken(a)]),
              counted=lambda a: numbered("groups", a.cells.size), largest=lambda a: _chance(a, spoken(a)),
              spent=_spends()),
     sentence("all", "{use} {noise} noise: {counted} {near}{together} in {share} tables, and it spends {spent}.",
              USE, noise=lambda a: phrase(NAMES[spoken(a)]), counted=_groups,
              near=(part("exactly right", when=lambda a: a.value(v.WITHIN_ALL, spoken(a)) == 0),
                    part("within ±{within}", within=lambda a: _within(a, spoken(a)))),
              together=part(" together", when=lambda a: a.cells.size > 1), share=_share, spent=_spends())),
    (sentence("runner_up", "{role}: {other}, which names the largest with probability {largest}.",
              when=lambda a: a.study.chooses and _other(a) is not None,
              role=role(lambda a: _others(a) == suggested(a)),
              other=lambda a: phrase(NAMES[_others(a)]), largest=lambda a: _chance(a, _others(a))),
     sentence("runner_up", "{role}: {other} noise, {within}; it spends {cost}.",
              when=lambda a: _counts(a) and _other(a) is not None,
              role=role(lambda a: _others(a) == suggested(a)),
              other=lambda a: phrase(NAMES[_others(a)]), cost=_spends(other=True),
              within=(part("within the same ±{same}", same=lambda a: _within(a, spoken(a)),
                           when=lambda a: _within(a, spoken(a)) == _within(a, _others(a))),
                      part("within ±{its}", its=lambda a: _within(a, _others(a)))))),
    sentence("risk", "{risk}", when=_there, risk=lambda a: a.risk(spoken(a))),
    sentence("regret", "On average the group that it names has fewer people than the largest by {fewer}.",
             when=lambda a: a.study.chooses and a.value(v.TABLE_REGRET, spoken(a)) > 0,
             fewer=lambda a: _few(a.value(v.TABLE_REGRET, spoken(a)))),
    sentence("unequal", "Equal noise is unequal in relative terms: in {level} of releases the largest group, of "
             "{largest}, is within {its} of its count, the smallest one, of {smallest}, within {their}.",
             when=_is_unequal,
             level=lambda a: percent(a.study.error_level, 17), largest=lambda a: grouped(float(a.cells.different[0])),
             its=lambda a: _far(a, float(a.cells.different[0])), smallest=lambda a: grouped(_smallest_there(a)),
             their=lambda a: _far(a, _smallest_there(a))),
    sentence("alone", "{level} for each is not {level} for all: within ±{e} are all {counted} groups at once in "
             "{both} of tables.", when=_is_less_together, level=lambda a: percent(a.study.error_level, 17),
             counted=lambda a: grouped(a.cells.size), e=lambda a: safely(a.get(spoken(a)).alone),
             both=lambda a: percent(a.value(v.EACH_ALONE, spoken(a)), side="down")),
    sentence("too_small", "{many} of fewer than {least|whole} people {verb} off by more than {part} in more than "
             "{rest} of releases.", when=lambda a: _counts(a) and _is_exact(a, v.TOO_SMALL) and a.value(
                 v.TOO_SMALL, spoken(a)) > 0,
             many=lambda a: numbered("groups", a.value(v.TOO_SMALL, spoken(a))),
             verb=(part("is", when=lambda a: a.value(v.TOO_SMALL, spoken(a)) == 1), part("are")),
             least=lambda a: a.value(v.SMALLEST_CELL, spoken(a)), part=lambda a: percent(a.study.relative, 17),
             rest=lambda a: percent(float(1 - Decimal(repr(a.study.error_level))), 17)),
    sentence("hidden", "Groups are shown from {threshold|whole} on: {hidden|near} of {there|whole} groups with "
             "somebody "
             "in them are left out on average.", when=lambda a: _counts(a) and a.study.secret,
             threshold=lambda a: a.value(v.SHOWN_FROM, spoken(a)), hidden=lambda a: a.value(v.GROUPS_HIDDEN, spoken(a)),
             there=lambda a: float(a.cells.times[a.cells.different > 0].sum())),
    sentence("raised", "Raising negative counts to 0 makes the sum {bias|up} too large on average.",
             when=lambda a: _counts(a) and a.study.clamped and not a.study.secret,
             bias=lambda a: a.value(v.CLAMPED_TOTAL, spoken(a))),
    sentence("no_order", "The first {first|whole} cannot be told from the next: {why}.", when=_no_order,
             why=(part("there are only {counted}", when=lambda a: a.study.first >= a.cells.size,
                       counted=lambda a: numbered("groups", a.cells.size)),
                  part("both groups have the same count"))),
    sentence("no_margins", "No margins are computed: {why}.",
             when=lambda a: a.study.margins != "none" and a.study.shape(a.cells.size) is None,
             why=(part("there is only one column", when=lambda a: a.study.columns == 1),
                  part("there is only one row", when=lambda a: a.study.columns == a.cells.size),
                  part("{counted} are no multiple of {columns|whole} columns",
                       counted=lambda a: numbered("groups", a.cells.size)))),
)
