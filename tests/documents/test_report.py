"""What a report says: recomputed from the study, number by number, and no less than was chosen."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report_kit import DECISION, FEW, MEAN, NOISE, blocks, full, numbers, own, section, table, texts
from settings_kit import accepted, inside

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.results import side_of
from dpstudio.core.solve.solver import solve
from dpstudio.core.solve.want import read_want
from dpstudio.core.study import answer, fact
from dpstudio.data.origin import Origin
from dpstudio.documents import report
from dpstudio.documents.noted import Cover, PictureNote, Solved, SweepAsked
from dpstudio.documents.report.blocks import BREAK, Cells, Formulas, Picture, References, Signature, Text, lines_of
from dpstudio.documents.report.chapter import Making
from dpstudio.documents.report.cover import day_of
from dpstudio.documents.report.numbers import parameters
from dpstudio.documents.session import Session
from dpstudio.documents.setting import setting
from dpstudio.studies import all_studies
from dpstudio.text.numbers import powered
from dpstudio.text.sentences import begun
from dpstudio.vocabulary import yes_or_no

COUNTED = Origin("people.csv", "", "age >= 65", "id", counts=("records",), at_most=2)
SLACK = Decimal("1e-11")
ALL = report.ReportChoice(appendix="all")


def label_of(key: str) -> str:
    """The label of what *Mean* compares."""
    return next(each.label for each in MEAN.answers().series() if each.key == key)


def titles_first(kind) -> set[str]:
    """The titles of the pictures of level one."""
    return {figure.title for figure in kind.figures if kind.level_one.level_of_figure(figure.key) == 1}


def found_in(tables: list[Cells], one) -> str:
    """The cell of a fact among the tables of facts."""
    for cells in tables:
        titles = [head.title for head in cells.heads]
        column = one.series.label if one.series else "Of all" if "Of all" in titles else "Value"
        for row in cells.rows:
            if row[:2] == (one.quantity.symbol, begun(one.quantity.axis_label)) and column in titles:
                return row[titles.index(column)]
    raise AssertionError(f"{one.key} is missing")


@settings(max_examples=8)
@given(st.data(), st.sampled_from([MEAN, NOISE]))
def test_that_every_fact_stands_in_the_report_rounded_to_its_safe_side_with_its_kind(data, kind):
    drawn = {each.name: data.draw(inside(each)) for each in kind.parameters() if each.name not in ("trials", "seed")}
    study = accepted(kind, {**drawn, **FEW})
    session = Session.of(kind, {name: getattr(study, name) for name in {**drawn, **FEW}})
    making = Making(session.state(), References(), report.ReportChoice(figures={kind.key: ()}, appendix="all"),
                    signed=True)
    for _ in making.first():
        pass
    chapter = making.chapter()
    tables = [each for each in section(chapter, "Facts") if isinstance(each, Cells)]
    how = table(section(chapter, "How each number was found"), "").rows
    for one in answer(study).facts:
        cell = found_in(tables, one)
        kinds = {"exact": "exact", "estimate": "estimate", "bound": "lower bound" if one.at_least else "upper bound"}
        said_of = [row for row in how if row[0] == begun(one.quantity.axis_label) and powered(one.how) in row[3]]
        assert any(row[2].startswith(kinds[one.kind]) for row in said_of)
        assert not one.source or all(row[4] for row in said_of)
        if one.low is not None and one.high is not None and not yes_or_no(one.quantity):
            pairs = [row[2][:-1].split("[")[1].split(", ") for row in said_of if row[2].endswith("]")]
            assert any(numbers(low)[0] <= Decimal(one.low) + Decimal("1e-15")
                       and numbers(high)[0] >= Decimal(one.high) - Decimal("1e-15") for low, high in pairs)
        assert cell[:1] == {"exact": cell[:1], "estimate": "≈", "bound": "≥" if one.at_least else "≤"}[one.kind]
        if yes_or_no(one.quantity) or not math.isfinite(one.value):
            continue
        number, *spread = numbers(cell)
        value, slack = Decimal(one.value), abs(Decimal(one.value)) * SLACK
        match side_of(one):
            case "up":
                assert number >= value - slack
            case "down":
                assert number <= value + slack
        near = Decimal("5.1e-4") if side_of(one) == "nearest" else Decimal("1.01e-3")
        assert abs(number - value) <= abs(value) * near + (1 if one.quantity.enough else 0) \
            or one.kind == "estimate"
        if spread and one.low is not None and one.high is not None:
            assert number - spread[0] <= Decimal(one.low)
            assert Decimal(one.high) <= number + spread[0]


@pytest.fixture(scope="module")
def made():
    """A session with something of each kind, and its report."""
    session = full()
    return session, report.content(session, ALL)


def test_that_a_report_says_what_was_asked_chosen_and_why_and_who_signs(made):
    _, content = made
    front = list(texts(content.front))
    assert {"Q why", "C why", "R why"} <= set(front)
    assert ("Prepared by", "W why", "2026-11-22") in next(b for b in blocks(content) if isinstance(b, Signature)).rows
    assert (content.author, content.day) == ("W why", (2026, 11, 22))
    assert f"DP Studio’s recommendation at these settings: {powered(answer(made[0].study).verdicts[0])}" in front


def test_that_the_first_page_says_for_whom_the_guarantee_holds_and_what_is_not_guaranteed(made):
    session, content = made
    words = " ".join(texts(content.front)).lower()
    assert session.study.relation.sentence.lower() in words
    for told in ("no data were released", "floating-point", "the next release", "what is true of everybody",
                 "more than one unit", "raw data", "choices made by looking", "counts in this document"):
        assert told in words


def test_that_what_nobody_wrote_is_said_by_the_study_or_left_to_be_written_by_hand():
    content = report.content(Session.of(MEAN, FEW), report.ReportChoice(figures={"mean": ()}))
    terms = dict(content.front[0].blocks[0].items)
    assert terms["Question"] == (MEAN.question,)
    assert terms["Chosen"] == terms["Reason"] == ()
    (told,) = terms["Setting"]
    assert "rivacy loss ε: 1 · " in told
    assert f"{MEAN.parameter('trials').quantity.label}: 2\u202f000" in told
    assert "seed" not in told, "which nobody set"
    assert terms["Advice"] == ("DP Studio’s recommendation at these settings: "
                               f"{powered(answer(MEAN(**FEW)).verdicts[0])}",)
    assert "Result" not in terms, "of what, nobody chose"
    assert next(b for b in blocks(content) if isinstance(b, Signature)).rows[0] == ("Prepared by", "", "")
    assert content.day is None


def test_that_pins_are_named_and_compared(made):
    _, content = made
    pinned = table(section(content.chapters[0], "Pinned settings"), "What differs")
    assert [head.title for head in pinned.heads[2:]] == ["Present", "ε = 0.3", "ε = 4"]
    facts = answer(MEAN()).facts
    answers = [MEAN(**FEW, people=5_000, epsilon=epsilon).answer() for epsilon in (1.0, 0.3, 4.0)]
    for row in pinned.rows:
        assert len(set(row[2:])) > 1
        key = next((each.key for each in facts if begun(each.quantity.axis_label) == row[0]
                    and each.series and each.series.label == row[1]), None)
        for cell, answered in zip(row[2:], answers, strict=True):
            of = next(each.key for each in MEAN.answers().series() if each.label == row[1])
            one = answered.fact(key, of)
            assert float(numbers(cell)[0]) == pytest.approx(one.value, rel=1e-3)
            assert one.kind != "bound" or numbers(cell)[0] >= Decimal(one.value)
    assert len(pinned.rows) >= 10


def test_that_what_was_solved_for_is_solved_again(made):
    session, content = made
    asked = session.state().solved[0]
    found = solve(MEAN, asked.setting.explicit, [read_want(MEAN, asked.wants[0])], asked.names, asked.between)
    told = " ".join(texts(section(content.chapters[0], "Solved for: question 1")))
    assert powered(found.says) in told
    assert "ε between 0.001 and 5" in told
    assert "--set epsilon" not in told
    assert "--want 'fraction_error_95@laplace <= 0.01' --for epsilon --between epsilon=0.001:5" in told


def test_that_sweeps_are_computed_again_as_pictures_and_rows(made):
    _, content = made
    first, second = (section(content.chapters[0], f"Sweep {i}") for i in (1, 2))
    rows = table(first, "Values").rows
    assert len(rows) == 12
    for row in (rows[0], rows[7], rows[-1]):
        for cell, of in zip(row[1:], ("laplace", "response"), strict=True):
            near = fact(MEAN(**FEW, people=5_000, epsilon=float(numbers(row[0])[0])), "fraction_error_95", of).value
            assert float(numbers(cell)[0]) == pytest.approx(near, rel=2e-3)  # the ε of a row is rounded, too
    assert (rows[0][0], rows[-1][0]) == ("0.1", "2")
    behind = next(each for each in first if isinstance(each, Picture)).values
    assert behind is not None
    assert len(behind.rows) == 30
    cells = table(second, "Values")
    assert len(cells.rows) == 4
    for i, j in ((0, 1), (1, 0), (3, 2)):
        study = MEAN(**FEW, people=(100, 550, 1000)[j], epsilon=(0.1, 2.2 / 3, 0, 2)[i])
        one = fact(study, "fraction_error_95", "laplace")
        assert float(numbers(cells.rows[i][1 + j])[0]) == pytest.approx(one.value, rel=2e-3)
    maps = [each for each in second if isinstance(each, Picture)]
    assert [each.values is not None for each in maps] == [True, False]
    assert "1 of its values stood there already" in " ".join(texts(second))
    assert [head.title for head in table(second, "Values").heads[1:]] == ["n = 100", "n = 550", "n = 1\u202f000"]
    assert any(isinstance(each, Picture) and each.alt.startswith("95 %") and "map" in each.alt for each in second)


def test_that_notes_snapshots_and_pictures_are_there_with_words_for_whoever_cannot_see_them(made):
    session, content = made
    (page,), chapter = content.grounds, content.chapters[0]
    assert own(page)["Noted"] == ("why", "why again")
    assert table(section(chapter, "Snapshots"), "").rows[0][:2] == ("first why", "2026-01-02 10:00:00")
    drawn = {each.caption: each for each in (*page.lead, *section(chapter, "Pictures")) if isinstance(each, Picture)}
    assert list(drawn) == [each.title for each in report.figures_in(session.state())]
    assert drawn[MEAN.figure("epsilon").title].notes == ("At ε = 0.5, sd = 0.01: why",)
    assert drawn[MEAN.figure("errors").title].notes == ("Without a place: why",)
    for each in drawn.values():
        first = MEAN.level_one.series if each.caption in titles_first(MEAN) else MEAN.answers().series()
        assert all(series.label in each.alt for series in first)
        assert "ε = 0.3" in each.alt
        ends = re.search(r"from (.+?) to (.+?)\. Shown", each.alt)
        for end, row in zip(ends.groups(), (each.values.rows[0], each.values.rows[-1]), strict=True):
            assert float(numbers(end)[0]) == pytest.approx(float(row[0]), rel=6e-3)
        assert each.values is not None
        assert each.values.rows
        assert b"DP Studio" not in re.sub(rb"'DP Studio Symbols'", b"", each.svg), "the page says who made it"
    assert session.state().hidden == frozenset()


def test_that_a_text_on_a_picture_that_is_not_drawn_stands_with_the_picture_and_its_place():
    content = report.content(full(), report.ReportChoice(appendix="none"))
    assert own(content.grounds[0])["Noted"][2:] == (
        f"{MEAN.figure('epsilon').title}. At ε = 0.5, sd = 0.01: why",
        f"{MEAN.figure('errors').title}. Without a place: why")


def test_that_a_hidden_curve_is_said_to_be_hidden_and_its_facts_stay():
    session = Session.of(MEAN, FEW).having(hidden=frozenset({"gaussian"}))
    chosen = report.ReportChoice(figures={"mean": (MEAN.level_one.large,)}, values=False)
    content = report.content(session, chosen)
    picture = next(each for each in blocks(content) if isinstance(each, Picture))
    assert picture.text.endswith(f"Not shown: {label_of('gaussian')}.")
    assert picture.values is None
    facts = table(section(content.chapters[0], "Facts"), "The answer")
    assert label_of("gaussian") in [head.title for head in facts.heads]


def test_that_what_is_not_chosen_is_left_out():
    large = MEAN.level_one.large
    chosen = report.ReportChoice(figures={"mean": (large, "errors")}, appendix="all", pins=False, solved=False,
                                 sweeps=False)
    content = report.content(full(), chosen)
    titles = [each.title for each in content.chapters[0].sections]
    assert titles == ["About the release", "Setting", "Pictures", "Snapshots", "Facts", "How each number was found",
                      "Formulas", "To compute it again"]
    drawn = [each for each in blocks(content) if isinstance(each, Picture)]
    assert [each.caption for each in drawn] == [MEAN.figure(key).title for key in (large, "errors")]
    assert not any("ε = 0.3" in each.alt for each in drawn)


def test_that_a_report_has_the_study_in_view_first_and_those_in_which_somebody_chose():
    session = Session.of(NOISE, {"epsilon": 0.5}).turn(DECISION).decide("laplace").turn(MEAN)
    assert report.studies_in(session) == (MEAN, DECISION)
    assert report.studies_in(session, (DECISION, MEAN)) == (MEAN, DECISION)
    assert report.studies_in(session, (NOISE,)) == (NOISE,)
    assert report.studies_in(session.turn(DECISION).decide(None)) == (DECISION,)


def test_that_what_was_merely_moved_solved_pinned_or_looked_at_in_a_study_is_offered_and_not_taken():
    asked = Solved(("noise_sd@laplace <= 2",), ("epsilon",), setting(NOISE, {}))
    for touched in (Session.of(NOISE).keep_solved(asked), Session.of(NOISE).set("epsilon", 0.5),
                    Session.of(NOISE).pin(), Session.of(NOISE).having(note="mine")):
        session = touched.turn(DECISION).turn(MEAN)
        if touched.state().pins:
            session = touched.set("epsilon", 0.7).turn(MEAN)
        assert report.studies_in(session) == (MEAN,)
        assert report.studies_offered(session) == (MEAN, NOISE)
    assert report.studies_offered(Session.of(NOISE).turn(MEAN)) == (MEAN,)


@pytest.mark.parametrize("kind", all_studies().values(), ids=all_studies())
def test_that_a_few_pictures_stand_for_a_study_and_every_one_that_bears_a_note(kind):
    session = Session.of(kind)
    keys = [each.key for each in report.figures_in(session.state())]
    assert keys[0] == kind.level_one.large
    assert keys[:len(report.foremost(kind))] == [*report.foremost(kind)]
    assert any(key.startswith("frontier") for key in keys)
    assert 3 <= len(keys) <= 7
    last = kind.figures[-1]
    noted = session.having(picture_notes=(PictureNote(last.key, "here"),)).choose(last.place, last.key)
    assert last.key in [each.key for each in report.figures_in(noted.state())]


def test_that_every_work_that_is_cited_is_listed_once_in_the_order_of_its_first_citation(made):
    _, content = made
    listed = next(each for each in content.chapters if each.title == "References").lead[0].items
    assert [number for number, _ in listed] == [f"[{i}]" for i in range(1, len(listed) + 1)]
    assert len({work for _, work in listed}) == len(listed)
    cited: list[int] = []
    for chapter in (content.front, content.chapters):
        for text in texts(chapter):
            for found in re.findall(r"(?:^|\. |δ |g |numbers |others |800-226 )\[([1-9]\d*(?:[,–] ?\d+)*)\]", text):
                ends = [int(each) for each in re.findall(r"\d+", found)]
                cited += range(ends[0], ends[-1] + 1) if "–" in found and "," not in found else ends
    first = list(dict.fromkeys(cited[:-len(listed)]))
    assert first == list(range(1, len(listed) + 1)), "in the order in which they are cited"
    assert {each.source.reference for each in MEAN.formulas()} <= {work for _, work in listed}
    assert References().cite(None) == ""


def test_that_citations_in_a_row_are_drawn_together():
    refs = References()
    works = [each.source for each in DECISION.formulas()]
    works = list(dict.fromkeys(works))
    assert refs.cite(*works[:3]) == "[1–3]"
    assert refs.cite(works[0], works[1], works[3], works[4], works[5]) == "[1, 2, 4–6]"
    assert refs.cite(works[1], works[0]) == "[1, 2]"


def test_that_the_formulas_of_a_study_are_all_there(made):
    _, content = made
    found = next(each for each in blocks(content) if isinstance(each, Formulas))
    assert tuple(formula for formula, _ in found.items) == MEAN.formulas()
    assert all(cite for _, cite in found.items)


# Counts of people's data

def test_that_a_report_says_of_an_exact_count_that_it_is_one_and_what_a_person_is():
    session = Session.of(DECISION, {**FEW, "minimum": 5_000}).take({"records": 4_711}, COUNTED)
    chosen = report.ReportChoice(figures={"decision": ()})
    content = report.content(session.leaving(True), chosen)
    with_count = " ".join(texts(content))
    assert "4\u202f711" in with_count
    assert "exact, counted in people’s data, and sensitive" in with_count
    assert "Whoever reads this document learns them" in with_count
    assert "One person is up to 2 records of the count" in " ".join(texts(content.front))
    assert "counted in data" in with_count
    without = report.content(session.leaving(False), chosen)
    told = " ".join(texts(without)) + without.session
    assert "4\u202f711" not in told
    assert "4711" not in told
    assert "people.csv" not in told
    assert "what was counted in people’s data is left out" in told


def test_that_nothing_is_made_of_a_count_that_is_said_to_be_left_out():
    session = Session.of(DECISION, FEW).take({"records": 4_711}, COUNTED)
    with pytest.raises(ValueError, match="records is said to be left out"):
        next(report.steps("html", session))
    pinned = session.pin().reset("records")
    with pytest.raises(ValueError, match="records is said to be left out"):
        next(report.steps("html", pinned))


# Words of people

@given(st.text(max_size=300), st.integers(1, 200))
def test_that_words_of_people_become_plain_lines(text, longest):
    import unicodedata

    lines = lines_of(text, longest)
    for line in lines:
        assert line == line.strip()
        assert not any(unicodedata.category(sign) in ("Cc", "Cs", "Co", "Cn") for sign in line)
        assert not any(unicodedata.category(sign) == "Cf" and sign != BREAK for sign in line)
        assert all(len(part) <= 40 for word in line.split() for part in word.split(BREAK))
    assert sum(map(len, lines)) <= 2 * longest + 2 * len(lines) + 2


def test_that_what_is_too_long_says_that_it_goes_on():
    assert lines_of("a b c d", 3) == ("a b …",)
    assert lines_of("a\n\n b ", 10) == ("a", "b")


def test_that_the_day_of_a_cover_is_one_that_there_is():
    assert day_of("Oslo, 2026-11-22, noon") == (2026, 11, 22)
    assert day_of("2026-02-30, that is 2026-03-02") == (2026, 3, 2)
    assert day_of("22 November 2026") is None


# Steps

def test_that_a_report_is_made_in_steps_that_can_be_left():
    chosen = report.ReportChoice(figures={"mean": ("people",)}, pins=False, solved=False, sweeps=False)
    seen = list(report.steps("html", Session.of(MEAN, FEW), chosen))
    assert [each.made is not None for each in seen] == [False] * (len(seen) - 1) + [True]
    assert [each.done for each in seen] == sorted(each.done for each in seen)
    assert {each.total for each in seen} == {3 + 0}
    assert seen[-1].done == seen[-1].total
    assert {each.doing for each in seen} == {"Mean: computing", "Mean: error against the number of people",
                                             "Setting the pages", ""}


@pytest.mark.parametrize("chosen", [report.ReportChoice(figures={"mean": ("nowhere",)})])
def test_that_a_picture_that_there_is_not_is_refused_before_anything_is_computed(chosen):
    with pytest.raises(InvalidParameter, match="figures must be among people, epsilon"):
        next(report.steps("html", Session.of(MEAN), chosen))


def test_that_a_pin_that_is_the_present_setting_is_no_other():
    session = Session.of(MEAN, FEW).pin()
    content = report.content(session.pin(setting(MEAN, {**FEW, "epsilon": 2.0})).having(cover=Cover()),
                             report.ReportChoice(figures={"mean": ()}))
    pinned = table(section(content.chapters[0], "Pinned settings"), "What differs")
    assert [head.title for head in pinned.heads[2:]] == ["Present", "ε = 2"]


def test_that_the_chapter_of_a_study_names_what_was_chosen_of_it():
    session = Session.of(NOISE, {"trials": 1_000}).decide("laplace").turn(MEAN).set("trials", 2_000)
    content = report.content(session, report.ReportChoice(figures={"mean": (), "noise": ()}))
    first, second = ([each.text for each in section(chapter, "Setting") if isinstance(each, Text)]
                     for chapter in content.chapters[:2])
    assert not any(each.startswith("Chosen") for each in first)
    assert "Chosen: Laplace." in second


def test_that_only_what_differs_is_set_beside_and_of_a_pin_of_one_curve_that_alone():
    now = Session.of(MEAN, FEW)
    for pin, series in ((setting(MEAN, {**FEW, "delta": 1e-9}), {label_of("gaussian"), label_of("shuffled")}),
                        (replace(setting(MEAN, {**FEW, "epsilon": 3.0}), only="laplace"), {label_of("laplace")})):
        content = report.content(now.pin(pin), report.ReportChoice(figures={"mean": ()}))
        rows = table(section(content.chapters[0], "Pinned settings"), "What differs").rows
        assert rows
        assert series <= {row[1] for row in rows} <= {*series, "–"}
        assert all("–" not in row[2:] for row in rows)


def test_that_a_setting_says_which_values_were_given():
    session = Session.of(DECISION, {**FEW, "minimum": 5_000}).take({"records": 4_711}, COUNTED).leaving(True)
    rows = {row[0]: row[1:] for row in parameters(session.state().setting).rows}
    assert [rows[symbol][3] for symbol in ("m", "ε", "N", "c")] == ["set", "default", "counted in data", "follows m"]
    assert rows["p"][1] == "0.5 (neutral)"
    assert rows["seed"][2] == "[0, 2⁶³ − 1]"
    moved = session.set("records", 4_712).state().setting
    assert next(row for row in parameters(moved).rows if row[0] == "N")[4] == "moved from a count"


def test_that_what_was_chosen_to_be_seen_in_a_place_is_what_a_report_shows():
    seen = [each.key for each in report.figures_in(Session.of(NOISE).choose("noise_needed", "too_much").state())]
    assert "too_much" in seen
    assert "sigma" not in seen


def test_that_a_lower_bound_of_a_sweep_is_rounded_down():
    kind = all_studies()["budget"]
    session = Session.of(kind)
    facts = (("left", "basic"), ("left", "advanced"))
    asked = SweepAsked(("budget=0.123456,3.456789",), facts, session.state().setting)
    content = report.content(session.having(sweeps=(asked,)), report.ReportChoice(figures={"budget": ()}))
    rows = table(section(content.chapters[0], "Sweep 1"), "Values").rows
    for row, budget in zip(rows, (0.123456, 3.456789), strict=True):
        for cell, of in zip(row[1:], ("basic", "advanced"), strict=True):
            one = fact(kind(budget=budget), "left", of)
            assert cell[:1] == "≥"
            assert numbers(cell)[0] <= Decimal(one.value) + Decimal("1e-12")


def test_that_a_report_draws_the_risk_of_whom_one_fears_and_nothing_of_nobody():
    kind = all_studies()["neighbours"]
    for attacker, there in (("nobody", False), ("membership", True)):
        session = Session.of(kind, {"attacker": attacker})
        found = [figure.key for figure in report.figures_in(session.state())]
        assert ("risk_people" in found) == there
    content = report.content(session, report.ReportChoice(figures={"neighbours": ("risk_people",)}, appendix="all"))
    (picture,) = [each for each in blocks(content) if isinstance(each, Picture)]
    assert picture.alt.startswith("Whom the attacker guesses right. Each small person is a guess")
    assert picture.values is not None
    assert len(picture.values.rows) == 1
