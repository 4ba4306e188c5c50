"""Two pages to decide: one to sign, and what the choice rests on, as its study declares what is seen first."""

from __future__ import annotations

import io
from functools import cache

import pypdf
import pytest
from about_kit import answers
from report_kit import DECISION, FEW, MEAN, NOISE, full, numbers, own, table, texts

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.risk import said_of
from dpstudio.core.sentence import Spoken
from dpstudio.core.study import Study, answer, guarantees
from dpstudio.documents import report
from dpstudio.documents.noted import Cover
from dpstudio.documents.report import cover, pdf
from dpstudio.documents.report.blocks import Bullets, Cells, Formulas, Picture, References, Report, Text
from dpstudio.documents.report.chapter import Making
from dpstudio.documents.session import Session
from dpstudio.studies import all_studies
from dpstudio.text.numbers import powered
from dpstudio.text.sentences import begun, grouped
from dpstudio.vocabulary import DELTA, EPSILON, amount

TO_DECIDE = report.ReportChoice(appendix="none")
STUDIES = tuple(all_studies().values())
BY_KEY = pytest.mark.parametrize("kind", STUDIES, ids=lambda kind: kind.key)


def first_choice(kind: type[Study]) -> Session:
    """A study at its defaults, with what it compares first chosen where there is anything to choose."""
    session, there = Session.of(kind), kind().answer().choices
    return session.decide(there[0].key) if there else session


@cache
def chosen_of(kind: type[Study]) -> Report:
    """The two pages of a study at its defaults, with its first choice."""
    return report.content(first_choice(kind), TO_DECIDE)


def page(session: Session):
    return report.content(session, TO_DECIDE).grounds[0]


def sheets(content: Report) -> list[str]:
    """The words of each page."""
    return [each.extract_text() for each in pypdf.PdfReader(io.BytesIO(pdf.made(content))).pages]


@BY_KEY
def test_that_a_study_at_its_defaults_is_two_pages_to_decide_chosen_or_not(kind):
    undecided = [report.content(Session.of(kind), TO_DECIDE)] if kind().answer().choices else []
    for content in (chosen_of(kind), *undecided):
        first, second = sheets(content)
        assert "Approved by" in first
        assert second.rstrip().endswith("Page 2 of 2")
        assert "The pages were set by typst" in second


@BY_KEY
def test_that_answers_to_all_questions_about_the_release_leave_page_one_a_page(kind):
    session = first_choice(kind).having(about=answers("It is said here at some length, " * 3))
    first, _ = sheets(report.content(session, TO_DECIDE))
    assert "Raw data and seeds: It is said here" in " ".join(first.split())
    assert "Approved by" in first


def test_that_words_of_a_cover_a_note_and_what_was_set_still_leave_two_pages():
    words = "A few words of somebody who has to say why, and who says it in a sentence or in two of them."
    session = first_choice(DECISION).set("epsilon", 0.2).set("minimum", 5_000).set("delta", 1e-7)
    session = session.having(note=words, cover=Cover(words, words, words, "Privacy office", "2026-11-22"))
    assert len(sheets(report.content(session, TO_DECIDE))) == 2


def test_that_much_that_is_compared_is_set_smaller_and_leaves_two_pages():
    groups = next(each for each in DECISION.presets if each.key == "groups")
    session = Session.of(DECISION, dict(groups.values)).decide("selection_gaussian")
    assert len(sheets(report.content(session, TO_DECIDE))) == 2


def test_that_a_long_reason_goes_on_to_another_page_with_nothing_lost():
    words = [f"reason{i}" for i in range(180)]
    long = " ".join(words)
    pages = sheets(report.content(Session.of(MEAN, FEW).having(cover=Cover(long, long, long)), TO_DECIDE))
    assert len(pages) > 2
    text = "".join(pages)
    assert all(text.count(word) >= 3 for word in words)
    assert "Approved by" in text


def test_that_a_long_note_goes_on_to_further_pages_with_nothing_lost():
    words = [f"word{i}" for i in range(1_200)]
    pages = sheets(report.content(Session.of(DECISION).having(note=" ".join(words)), TO_DECIDE))
    assert len(pages) > 2
    assert "References" in pages[-1]
    assert all(word in "".join(pages).split() for word in words)


@BY_KEY
def test_that_page_two_has_what_a_study_shows_first_and_nothing_of_what_it_shows_later(kind):
    session = first_choice(kind)
    found, first, chosen = chosen_of(kind).grounds[0], kind.level_one, session.state().chosen
    drawn = [each.caption for each in found.lead if isinstance(each, Picture)]
    assert drawn == [kind.figure(key).title for key in report.foremost(kind)]
    assert drawn[0] == kind.figure(first.large).title
    assert len(drawn) == 2
    answered = answer(session.study).deciding(chosen)
    said = [each.text for each in found.lead if isinstance(each, Text)]
    assert said[0] == powered(answered.verdicts[0])
    keys = {"runner_up", *first.sentences} - ({"risk"} if chosen else set())
    assert said[1:] == [powered(each) for each in answered.verdicts[1:]
                        if isinstance(each, Spoken) and each.key in keys]


@BY_KEY
def test_that_every_fact_of_level_one_stands_on_page_two_for_each_thing_that_is_compared_first(kind):
    session = first_choice(kind)
    chosen = session.state().chosen
    cells = table(chosen_of(kind).grounds[0].lead, "What")
    update, level = answer(session.study), kind.level_one
    folded = session.state().folded
    there = [each for each in dict.fromkeys((*level.series, *update.answer.ones))
             if each.key not in folded or each.key == chosen]
    for quantity in level.facts:
        for series in (*there, None):
            place = quantity.key, series.key if series else None
            if place not in update.answer.index() or (one := update.fact(*place)) is None:
                continue
            titles = [head.title for head in cells.heads]
            title = series.label + (" (chosen)" if series.key == chosen else "") if series else next(
                each for each in ("Of all", "Value") if each in titles)
            column = titles.index(title)
            cell = next(row[column] for row in cells.rows if row[0] == quantity.symbol
                        and row[1].casefold() == quantity.axis_label.casefold())
            if cell not in ("yes", "no", "∞", "−∞"):
                assert float(numbers(cell)[0]) == pytest.approx(one.value, rel=2e-3, abs=1e-12)
    titles = [head.title.removesuffix(" (chosen)") for head in cells.heads[2:] if head.title not in ("Of all", "Value")]
    first = [each.key for each in level.series]
    order = sorted(there, key=lambda each: (each.key != chosen, first.index(each.key) if each.key in first else 99))
    assert titles == [each.label for each in order if each.label in titles], "what was chosen stands first"
    refused = [each for each in there if each in update.answer.choices and not update.answer.allowed(each)]
    assert bool(cells.note) == bool(refused)
    for each in refused:
        assert powered(f"{each.label} {update.answer.spends(each)}") in cells.note


@BY_KEY
def test_that_the_recommendation_stays_what_it_is_whatever_was_chosen(kind):
    session = first_choice(kind)
    update = answer(session.study, simulate=False)
    terms = dict(cover.front(session.state(), update, References())[0].blocks[0].items)
    assert terms["Advice" if update.answer.choices else "Result"][0].endswith(powered(update.verdicts[0]))
    making = Making(session.state(), References(), TO_DECIDE, signed=True)
    for _ in making.first():
        pass
    assert (making.update.answer.decided, making.decided.answer.decided and making.decided.answer.decided.key) == (
        None, session.state().chosen)


@BY_KEY
def test_that_page_one_compares_what_the_picture_of_page_two_has_against_epsilon(kind):
    key = next((key for key in report.foremost(kind) if key.startswith("frontier")), None)
    compared = [each for section in chosen_of(kind).front for each in section.blocks if isinstance(each, Cells)]
    titles = {head.title for cells in compared for head in cells.heads}
    labels = {each.quantity.key: begun(each.quantity.axis_label) for each in kind.outcomes}
    if key is not None and (quantity := key.removeprefix("frontier_")) in labels and len(titles) > 4:
        assert labels[quantity] in titles


def test_that_what_was_chosen_is_drawn_stronger():
    drawn = [next(each.svg for each in page(session).lead if isinstance(each, Picture))
             for session in (Session.of(DECISION), Session.of(DECISION).decide("laplace"))]
    assert drawn[0] != drawn[1]


def test_that_what_was_chosen_of_what_is_not_compared_first_is_drawn_and_has_a_column():
    folded = Session.of(DECISION).state().folded
    further = next(each for each in DECISION().answer().choices if each.key in folded)
    usual = page(Session.of(DECISION))
    assert further.label not in [head.title for head in table(usual.lead, "What").heads]
    assert further.label not in first_picture(usual).alt
    assert "Not shown" not in first_picture(usual).text, "which says what somebody hid"
    found = page(Session.of(DECISION).decide(further.key))
    assert f"{further.label} (chosen)" in [head.title for head in table(found.lead, "What").heads]
    assert further.label in first_picture(found).alt
    hidden = page(Session.of(DECISION).having(hidden=frozenset({further.key})).decide(further.key))
    assert further.label not in first_picture(hidden).alt
    assert first_picture(hidden).text.endswith(f"Not shown: {further.label}.")


def first_picture(found) -> Picture:
    return next(each for each in found.lead if isinstance(each, Picture))


def test_that_two_pages_to_decide_compute_no_sweep_and_an_appendix_does():
    sweeps = {appendix: sum(name == "sweeping" for name, _ in Making(
        full().state(), References(), report.ReportChoice(appendix=appendix), signed=True).steps())
        for appendix in report.APPENDICES}
    assert sweeps == {"none": 0, "facts": 2, "all": 2}


def test_that_what_is_not_allowed_is_named_with_what_it_spends_and_what_was_asked():
    cells = table(page(Session.of(DECISION)).lead, "What")
    assert cells.note.startswith("Not allowed at ε = 0.1, δ = 10⁻⁶: Cutoff exponential spends δ = 0.0952")
    assert not table(page(Session.of(DECISION, {"delta": 0.1})).lead, "What").note
    accounts = table(page(Session.of(all_studies()["budget"])).lead, "What").note
    assert accounts.startswith("Too weak to show that all is allowed at ε = 5, δ = 10⁻⁵: ")
    assert "Basic shows ε = 10" in accounts


def test_that_what_a_person_wanted_noted_and_set_stands_on_page_two():
    content = report.content(full(), TO_DECIDE)
    told = own(content.grounds[0])
    assert list(told) == ["Wanted", "Noted", "Set"]
    (wanted,) = told["Wanted"]
    full_answer = report.content(full(), report.ReportChoice(sweeps=False, pins=False)).chapters[0]
    question, says = (each.text for each in next(
        each.blocks for each in full_answer.sections if each.title.startswith("Solved")) if isinstance(each, Text))
    assert wanted == f"{question} {says}"
    assert told["Noted"][:2] == ("why", "why again")
    people, trials = (MEAN.parameter(name).quantity.label for name in ("people", "trials"))
    assert told["Set"] == (f"{begun(people)}: 5\u202f000 (default 10\u202f000) · {trials}: 2\u202f000 "
                           f"(default {grouped(MEAN().trials)})",)
    assert own(page(Session.of(MEAN))) == {}


def test_that_a_value_that_was_set_to_its_default_does_not_differ():
    assert "Set" not in own(page(Session.of(MEAN, {"epsilon": MEAN().epsilon})))


def test_that_a_value_that_makes_no_difference_beside_the_others_is_not_said_to_differ():
    other = next(each for each in MEAN.parameters() if not each.matters(MEAN().values()) and each.is_number)
    low, high = other.shown
    assert "Set" not in own(page(Session.of(MEAN, {other.name: other.domain.nearest((low + high) / 3)})))


def test_that_each_study_in_which_somebody_chose_has_a_page_with_its_choice_and_its_guarantee():
    session = Session.of(NOISE, {"trials": 1_000}).decide("gaussian")
    session = session.having(cover=Cover(reason="Others use it")).turn(MEAN).set("trials", 2_000)
    content = report.content(session, TO_DECIDE)
    assert [each.title for each in content.grounds] == ["Mean: what the choice rests on",
                                                        "Noise: what the choice rests on"]
    mine, other = (" ".join(texts(each.lead)) for each in content.grounds)
    assert "Others use it" not in mine
    label = next(each.label for each in NOISE.answers().series() if each.key == "gaussian")
    assert own(content.grounds[1]) == {"Chosen": (label,), "Reason": ("Others use it",)}
    promised = guarantees(session.state(NOISE).setting.study)["gaussian"]
    assert powered(f"ε = {amount(promised.epsilon, EPSILON, side='up')}, "
                   f"δ = {amount(promised.delta, DELTA, side='up')}") in other
    assert said_of(promised) in other
    assert said_of(promised) not in mine
    assert len(sheets(content)) == 3


@pytest.mark.parametrize("appendix", report.APPENDICES)
def test_that_an_appendix_has_what_it_says_and_the_literature_stands_last(appendix):
    content = report.content(full(), report.ReportChoice(appendix=appendix))
    titles = [section.title for chapter in content.chapters for section in chapter.sections]
    kept = ["About the release", "Setting", "Pinned settings", "Solved for: question 1", "Sweep 1", "Sweep 2",
            "Snapshots", "Facts"]
    last = (content.chapters or content.grounds)[-1]
    works = last.lead[-1] if content.chapters else last.sections[-1].blocks[-1]
    assert isinstance(works, Bullets)
    assert (last.title if content.chapters else last.sections[-1].title) == "References"
    assert {"none": titles == [], "facts": titles == [*kept, "To compute it again"],
            "all": titles == [*kept[:2], "Pictures", *kept[2:], "How each number was found", "Formulas",
                              "To compute it again"]}[appendix]
    blocks = [block for chapter in content.chapters for section in chapter.sections for block in section.blocks]
    assert any(isinstance(each, Formulas) for each in blocks) == (appendix == "all")
    cited = {number for part in (content.front, content.grounds, content.chapters[:-1])
             for number in "123456789" if f"[{number}]" in " ".join(texts(part))}
    assert {f"[{each}]" for each in cited} <= {number for number, _ in works.items}


def test_that_facts_follow_unless_something_else_is_said_and_all_numbers_are_among_them():
    assert report.content(Session.of(MEAN, FEW)) == report.content(Session.of(MEAN, FEW),
                                                                   report.ReportChoice(appendix="facts"))
    facts = next(each for each in report.content(Session.of(MEAN, FEW)).chapters[0].sections if each.title == "Facts")
    rows = [row for each in facts.blocks if isinstance(each, Cells) for row in each.rows]
    assert len(rows) == len({fact.quantity for fact in answer(MEAN(**FEW)).facts})


def test_that_the_sentences_that_page_two_has_are_not_said_again_in_the_appendix():
    session = first_choice(DECISION)
    content = report.content(session)
    said = [each.text for part in (content.grounds[0], content.chapters[0]) for each in part.lead
            if isinstance(each, Text)]
    assert len(said) == len(set(said))
    told = answer(session.study).deciding("laplace").verdicts
    assert {powered(each) for each in told if not isinstance(each, Spoken) or each.key != "risk"} <= set(said)


def test_that_an_appendix_that_there_is_not_is_refused_before_anything_is_computed():
    with pytest.raises(InvalidParameter, match="appendix must be one of none, facts, all, got 'some'"):
        next(report.steps("html", Session.of(MEAN), report.ReportChoice(appendix="some")))
