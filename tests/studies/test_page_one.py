"""Page one of a report: its ε, δ, words, risk and table are those of the guarantees of the study, and of no other."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import lru_cache

import pytest
from claims.kit import number, settings_of
from hypothesis import given, settings
from report_kit import texts

from dpstudio import vocabulary as v
from dpstudio.core.study import Study, answer, guarantees
from dpstudio.documents.noted import Cover
from dpstudio.documents.report import cover, outcome
from dpstudio.documents.report.blocks import Cells, References, ReportSection, Terms, Text
from dpstudio.documents.report.cover import NOTHING_CHOSEN
from dpstudio.documents.report.numbers import NONE
from dpstudio.documents.session import Session
from dpstudio.studies import all_studies

UP = 1 + 1e-9
DECISION, NOISE, BUDGET = (all_studies()[key] for key in ("decision", "noise", "budget"))
RISK = re.compile(r"Of (?P<many>[\d\u202f]+) guesses at even odds (?P<what>.+?), on average (?P<half>[\d\u202f]+) are "
                  r"right without this release and at most (?P<right>[\d\u202f]+) with it, even if all else is known\.")


def pages(study: Study) -> Iterator[tuple[str | None, tuple[ReportSection, ...]]]:
    """Page one with each thing chosen that can be, and with nothing."""
    session = Session.of(type(study), study.values())
    update = answer(study, simulate=False)
    for key in (None, *(each.key for each in update.answer.choices)):
        yield key, cover.front(session.decide(key).state(), update, References())


def page(study: Study, chosen: str | None) -> tuple[ReportSection, ...]:
    return next(found for key, found in pages(study) if key == chosen)


def part(found: tuple[ReportSection, ...], title: str) -> ReportSection:
    return next(each for each in found if each.title.startswith(title))


def promised(found: tuple[ReportSection, ...]) -> list[Text]:
    return [each for each in part(found, "What is guaranteed").blocks if isinstance(each, Text)]


def stated(text: str) -> float:
    """A number of a page: “9.995 × 10⁻⁷”, “10⁻⁶”, “1 − 0.001”, “∞”."""
    if text.startswith("1 − "):
        return 1 - stated(text.removeprefix("1 − "))
    return number(text.replace(" × ", "·"))


def up(text: str, value: float) -> None:
    """Stated no better than it is, and no worse than four digits take."""
    said = stated(text)
    assert value <= said * UP
    assert said <= value * (1 + 1.1e-3) + 1e-300 or said == value


@lru_cache(maxsize=1)
def promised_by(study: Study):
    """Asked for again with each series and choice of one study."""
    return guarantees(study)


def guarantee_of(study: Study, key: str | None):
    found = promised_by(study)
    return found.get(key, found.get(None))


def states_what_is_promised(study: Study, chosen: str | None, found: tuple[ReportSection, ...]) -> bool:
    """Page one states the guarantee of what was chosen, and the odds of nothing else; whether there is one.

    Where all that can be chosen has one guarantee, that stands there without a choice.
    """
    risks = RISK.findall(" ".join(texts(found)))
    of = [guarantee_of(study, series.key) for series in study.answer().choices]
    if chosen is None and of and (of[0] is None or any(each is not of[0] for each in of)):
        assert not risks
        assert NOTHING_CHOSEN in [each.text for each in promised(found)]
        assert dict(part(found, "").blocks[0].items)["Chosen"] == ()
        return False
    one = of[0] if chosen is None and of else guarantee_of(study, chosen)
    if one is None or one.promise == "Nothing is promised.":
        assert not risks
        return False
    lead, words, *_ = promised(found)
    assert lead.look == "lead"
    pair = re.match(r"ε = (.+?), δ = (.+?)(?:, [μρ] = .+?)?( at most)?, for (.+)\. \[", lead.text)
    assert pair, lead.text
    up(pair[1], one.epsilon)
    up(pair[2], one.delta)
    assert bool(pair[3]) == (one.kind == "bound")
    assert pair[4] == one.relation.unit
    assert one.relation.sentence[1:] in words.text
    promise = re.search(r"above e\^(.+?) times its former value(?: plus (.+?))?\.(?: That |$)", words.text)
    assert promise, words.text
    assert one.epsilon <= stated(promise[1]) * UP
    assert one.delta <= (stated(promise[2]) if promise[2] else 0.0) * UP
    ((many, what, half, right),) = risks
    total, most = number(many), number(right)
    assert (what, number(half)) == (one.relation.what, total / 2)
    assert total * one.guess(0.5) <= most * UP < total * one.guess(0.5) + 1 + total * 1e-9
    least = min((each for each in (one.advantage / 2, 1 - one.guess(0.5)) if each > 0), default=1.0)
    assert total >= 1e12 or least * total >= 10 * (1 - 1e-9), "two digits of the gain and of what stays wrong"
    assert total == 10_000 or least * total < 100 * UP, "and no more guesses than these take"
    return True


def compares_what_can_be_chosen(study: Study, chosen: str | None, found: tuple[ReportSection, ...]) -> None:
    """The table has the guarantee of each thing that can be chosen, and says which breaks what was asked."""
    choices = study.answer().choices
    tables = [each for section in found for each in section.blocks if isinstance(each, Cells)]
    assert len(tables) == bool(choices)
    for cells in tables:
        rows = {row[0].removesuffix(" (chosen)"): row for row in cells.rows}
        assert list(rows) == [each.label for each in sorted(choices, key=lambda each: each.key != chosen)]
        remarked = cells.heads[-1].title == "Remark"
        for series in choices:
            row, one = rows[series.label], guarantee_of(study, series.key)
            assert row[0].endswith(" (chosen)") == (series.key == chosen)
            remark = row[-1] if remarked else NONE
            if one is None or one.promise == "Nothing is promised.":
                assert remark == "no guarantee at these settings"
                continue
            up(row[1], one.epsilon)
            up(row[2], one.delta)
            breaks = study.allowed is not None and not one.keeps(*study.allowed)
            assert breaks == (remark.startswith(("does not keep ε", "does not show ε"))), remark
            assert one.holds in remark
            own = guarantee_of(study, chosen) if chosen else None
            unit = own.relation if own else study.relation
            assert one.relation == unit or one.relation.unit in remark
            if chosen and one.relation != unit and cells.heads[-2].title == "Difference":
                assert row[-2] == NONE, "what protects something else is not compared"
            spends = own is not None and study.allowed is not None and not own.keeps(*study.allowed)
            if remarked and (breaks or spends) and not study.several and cells.heads[-2].title == "Difference":
                assert row[-2] == NONE, "what is not allowed is not compared"


@pytest.mark.parametrize("key", all_studies())
def test_that_page_one_states_what_was_chosen_beside_the_guarantee_of_each_thing_that_can_be(key):
    seen = []

    @given(settings_of(all_studies()[key]))
    @settings(max_examples=8)
    def check(study: Study) -> None:
        for chosen, found in pages(study):
            seen.append(states_what_is_promised(study, chosen, found))
            compares_what_can_be_chosen(study, chosen, found)

    check()
    assert any(seen)


@pytest.mark.parametrize(("kind", "values", "chosen", "warned"), [
    (DECISION, {"zero_refused": True, "minimum": 5}, "laplace",
     ["does not keep ε = 0.1, δ = 10⁻⁶", "δ is 1.68 times 1/m (m = 5)", "With no record the answer is always “no”"]),
    (DECISION, {}, "laplace", []),
    (DECISION, {}, "cutoff", ["does not keep", "would also permit publishing whole records"]),
    (DECISION, {"delta": 0.001}, "generalized", ["δ is 1 times 1/m"]),
    (DECISION, {"delta": 0.000999}, "generalized", []),
    (all_studies()["mean"], {}, "shuffled", ["It holds while the shuffler is honest"]),
    (NOISE, {"epsilon": 0.5}, "gaussian_classical", []),
])
def test_that_each_warning_that_belongs_to_the_choice_stands_on_page_one_in_bold_and_no_other(
        kind, values, chosen, warned):
    _, _, risk, *rest = promised(page(kind(**values), chosen))
    assert RISK.fullmatch(risk.text)
    bold = [each.text for each in rest if each.look == "lead"]
    for told in warned:
        assert any(told in each for each in bold), bold
    assert len(bold) == len(warned)


def test_that_a_budget_says_its_total_at_its_own_delta_by_the_best_account():
    study = BUDGET()
    least = guarantees(study)["optimal"].epsilon_at(study.budget_delta)
    assert least < guarantees(study)["optimal"].epsilon
    for chosen in ("basic", "advanced", "optimal"):
        (told,) = [each.text for each in promised(page(study, chosen)) if each.text.startswith("At δ = 10⁻⁵")]
        needed, allowed = re.search(r"need ε = (.+?) by the best account: within its ε = (.+?)\.$", told).groups()
        up(needed, least)
        assert stated(allowed) == study.budget
    (told,) = [each.text for each in promised(page(study, "gaussian")) if each.text.startswith("At δ = ")]
    up(re.search(r"need ε = (.+?) by", told)[1], guarantees(study)["gaussian"].epsilon_at(study.budget_delta))
    (told,) = [each.text for each in promised(page(BUDGET(budget=0.5), "optimal")) if each.text.startswith("At δ = ")]
    assert told.endswith("above its ε = 0.5.")


def test_that_page_one_has_the_outcome_of_the_choice_what_others_differ_by_and_the_advice_as_such():
    study = NOISE()
    update = answer(study, simulate=False)
    terms = dict(part(page(study, "gaussian"), "").blocks[0].items)
    assert terms["Chosen"] == ("Gaussian (analytic)",)
    error, sd = (update.fact(key, "gaussian").value for key in ("error_95", "noise_sd"))
    (result,) = terms["Result"]
    assert float(re.search(r"the answer is within (.+?) of the truth", result)[1]) == pytest.approx(error, rel=1e-3)
    assert v.ERROR_95.label not in result.lower(), "what is told in words is told once"
    assert float(re.search(r"Standard deviation: (.+?)\. ", result)[1]) == pytest.approx(sd, rel=1e-3)
    (advice,) = terms["Advice"]
    assert advice == f"DP Studio’s recommendation at these settings: {cover.powered(update.verdicts[0])}"
    cells = next(each for each in part(page(study, "gaussian"), "What was not chosen").blocks)
    assert cells.rows[0][0] == "Gaussian (analytic) (chosen)"
    assert not any("without the root" in cell for row in cells.rows for cell in row)
    for row in cells.rows[1:]:
        other = next(each for each in update.answer.choices if each.label == row[0])
        value = update.fact("error_95", other).value
        assert float(row[3]) == pytest.approx(value, rel=1e-3)
        difference, ratio = row[4].split(", × ")
        assert number(difference.lstrip("+")) == pytest.approx(value - error, rel=1e-2)
        assert float(ratio) == pytest.approx(value / error, rel=1e-2)
    without = dict(part(page(study, None), "").blocks[0].items)
    assert "Result" not in without
    assert without["Advice"] == (advice,)


def test_that_decisions_are_counted_of_ten_thousand():
    study = DECISION(records=990)
    terms = dict(part(page(study, "laplace"), "").blocks[0].items)
    said = re.match(r"Of 10\u202f000 decisions at N = 990 about ([\d\u202f]+) say “yes”\. "
                    r"Between (.+?) and (.+?) records", terms["Result"][0])
    facts = [answer(study, simulate=False).fact(key, "laplace").value for key in ("acceptance", "band_from", "band_to")]
    assert abs(number(said[1]) - 10_000 * facts[0]) <= 0.5
    assert [number(said[2]), number(said[3])] == pytest.approx(facts[1:], rel=1e-3)


def test_that_words_stand_beside_a_choice_and_a_choice_of_other_settings_is_said_to_be_none():
    session = Session.of(DECISION, {"others": "discrete"}).decide("discrete_laplace")
    session = session.having(cover=Cover(choice="The one we have."))
    terms = _terms(session)
    assert terms["Chosen"] == ("Discrete Laplace", "The one we have.")
    terms = _terms(session.set("others", "none"))
    assert terms["Chosen"] == ("Discrete Laplace was chosen at other settings; at these it is not compared, and "
                               "nothing is chosen.",)
    assert terms["In words"] == ("The one we have.",)


def _terms(session: Session) -> dict[str, tuple[str, ...]]:
    (block,) = cover.front(session.state(), answer(session.study, simulate=False), References())[0].blocks
    assert isinstance(block, Terms)
    return dict(block.items)


def test_that_the_unit_is_that_of_what_is_released():
    of = all_studies()["policy"]
    for chosen, unit in (("laplace", "all symptoms of one person, not their own decision"),
                         ("response", "the own decision of one person, not their symptoms"),
                         ("both", "one person: all their symptoms, and their own decision")):
        assert f"for {unit}. [" in promised(page(of(), chosen))[0].text
    groups = DECISION(others="selection", partitions=5)
    assert "for one person in 5 groups at most. [" in promised(page(groups, "selection_laplace"))[0].text
    assert math.isclose(guarantees(groups)["selection_laplace"].epsilon, groups.epsilon)


def test_that_a_scale_beyond_its_proof_is_said_to_keep_no_guarantee():
    found = page(NOISE(epsilon=12.0), "gaussian_classical")
    assert [each.text for each in promised(found)] == [
        "No guarantee holds at these settings: what was chosen does not keep what was asked for."]
    (cells,) = part(found, "What was not chosen").blocks
    assert cells.rows[0][1:3] == (NONE, NONE)
    assert cells.rows[0][-1] == "no guarantee at these settings"


def test_that_an_uncertain_answer_is_said_of_no_fewer_records_than_there_can_be():
    for values, low in (({"minimum": 5}, "0"), ({"minimum": 5, "zero_refused": True}, "1")):
        terms = dict(part(page(DECISION(**values), "laplace"), "").blocks[0].items)
        assert f"Between {low} and 44.12 records the answer is uncertain." in terms["Result"][0]


def test_that_decisions_that_are_all_alike_are_said_to_be_without_a_second_number():
    terms = dict(part(page(DECISION(), "cutoff"), "").blocks[0].items)
    assert terms["Result"][0].startswith("Of 10\u202f000 decisions at N = 1\u202f020 all say “yes”.")
    terms = dict(part(page(DECISION(records=900), "matched"), "").blocks[0].items)
    assert terms["Result"][0].startswith("Of 10\u202f000 decisions at N = 900 none say “yes”.")


def test_that_of_an_outcome_below_0_no_ratio_is_said():
    update = answer(all_studies()["policy"](), simulate=False)
    both, counts = (next(each for each in update.answer.choices if each.key == key) for key in ("both", "laplace"))
    assert outcome.cells(update, v.POLICY_UTILITY, both, counts, alike=True)[1] == "−0.00739"
    assert outcome.cells(update, v.POLICY_UTILITY, both, counts, alike=False)[1] == NONE


@pytest.mark.parametrize(("key", "chosen"), [("audit", None), ("mean", "shuffled")])
def test_that_while_what_a_guarantee_holds_is_said_once(key, chosen):
    study = all_studies()[key]()
    (holds,) = {each.holds for series, each in guarantees(study).items()
                if each and (series is None or series == chosen)}
    said = [each.text for each in part(page(study, chosen), "What is guaranteed").blocks if isinstance(each, Text)]
    assert " ".join(said).count(holds) == 1


def test_that_a_table_without_outcomes_promises_none():
    (cells,) = (each for each in part(page(all_studies()["budget"](), None), "What there is").blocks)
    assert cells.caption == "Guarantee of each, at these settings."
    (cells,) = (each for each in part(page(DECISION(), None), "What there is").blocks)
    assert cells.caption == "Guarantee and outcome of each, at these settings."


@pytest.mark.parametrize(("chosen", "whom"), [("laplace", ""), ("selection_laplace", ", for one record of one person")])
def test_that_advice_for_another_unit_than_the_choice_says_for_whom(chosen, whom):
    study = DECISION(others="selection", partitions=5, minimum=20, epsilon=1.0)
    (advice,) = dict(part(page(study, chosen), "").blocks[0].items)["Advice"]
    assert advice.startswith(f"DP Studio’s recommendation at these settings{whom}: ")


@pytest.mark.parametrize(("key", "given", "replaced", "said"), [
    ("number", {"amounts": "5,6,7"}, ("people", "law", "law_mean"), "values n:"),
    ("table", {"cells": "5,60,7"}, ("groups", "people", "falloff"), "groups K:")])
def test_that_what_own_values_replace_is_not_said_to_be_a_setting(key, given, replaced, said):
    kind = all_studies()[key]
    for study, stands in ((kind(), True), (kind(**given), False)):
        assert {kind.parameter(name).matters(study.values()) for name in replaced} == {stands}
        assert (said in " ".join(texts(page(study, None)))) is stands
