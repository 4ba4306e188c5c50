"""What is said of a release: the form, what becomes of it where sessions go, and what a report says of it."""

from __future__ import annotations

import json

import pytest
from about_kit import answers
from report_kit import texts

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.risk import said_of
from dpstudio.core.study import guarantees
from dpstudio.data.origin import Origin
from dpstudio.documents import report, session_file
from dpstudio.documents.about import FIELDS, GROUPS, ITEMS, About, FewLines, checked, names_in
from dpstudio.documents.codec import SessionError
from dpstudio.documents.noted import Cover
from dpstudio.documents.report import label, stated
from dpstudio.documents.report.blocks import Cells, PrivacyLabel
from dpstudio.documents.report.promised import promised
from dpstudio.documents.session import Session
from dpstudio.studies import all_studies

NOISE, MEAN, BUDGET, DECISION = (all_studies()[key] for key in ("noise", "mean", "budget", "decision"))
NO_PICTURES = report.ReportChoice(figures={"noise": ()})


def told(session: Session) -> dict[str, stated.Stated]:
    state = session.state()
    return {each.field.key: each for each in stated.about(state, promised(state, state.setting.study.answer()))}


# The form


def test_that_every_field_stands_in_one_group_and_each_part_of_the_publication_asks_for_something():
    assert [each.key for fields in GROUPS.values() for each in fields] == list(FIELDS)
    assert len(GROUPS) == len({each.group for each in FIELDS.values()})
    assert {each.item for each in FIELDS.values()} == {None, *ITEMS}
    assert [each.section for each in ITEMS] == sorted(each.section for each in ITEMS)
    for field in FIELDS.values():
        assert field.help.endswith(".")
        assert len({each.label for each in FIELDS.values()}) == len(FIELDS)


@pytest.mark.parametrize(("about", "why"), [
    ({"modle": "Central"}, "a field about the release must be one of name, curators,.+ got 'modle'"),
    ({"model": "central"}, "model must be one of Central, Local, Shuffle, Federated, got 'central'"),
    ({"unit": "a" * 121}, "unit must be one line of at most 120 signs"), ({"unit": "a\nb"}, "unit must be one line"),
    ({"spent": "a" * 801}, "spent must be a text of at most 800 signs"),
    ({"curators": "a\n"}, None), ({"curators": "a;\nb"}, "curators must be names on one line"),
    ({"published": "22 November"}, "published must be a day such as 2026-11-22, got '22 November'"),
])
def test_that_what_cannot_be_an_answer_is_refused_in_a_sentence_also_in_a_session(about, why):
    document = session_file.as_json(Session.of(NOISE))
    document["studies"]["noise"]["about"] = about
    if why is None:
        assert session_file.from_json(document).state().about == about
        return
    with pytest.raises(InvalidParameter, match=why):
        Session.of(NOISE).having(about=about)
    with pytest.raises(SessionError, match=why):
        session_file.read(json.dumps(document))


@pytest.mark.parametrize("given", [["name"], "name", {"name": 1}, {"name": None}])
def test_that_what_is_no_object_of_texts_is_refused_in_a_session(given):
    document = session_file.as_json(Session.of(NOISE))
    document["studies"]["noise"]["about"] = given
    with pytest.raises(SessionError, match="about"):
        session_file.from_json(document)


def test_that_answers_are_kept_in_the_order_of_the_form_and_empty_ones_are_none():
    assert list(checked({"notes": "b", "name": "a", "unit": ""})) == ["name", "notes"]
    assert names_in(" A. B.; ;C ") == ("A. B.", "C")


# In a session


def about_of(session: Session) -> About:
    return session.state().about


def test_that_answers_come_back_are_no_part_of_a_snapshot_and_go_with_a_step_back():
    session = Session.of(NOISE).having(about=answers())
    assert about_of(session_file.read(session_file.text(session))) == answers()
    kept = session.keep("then")
    assert kept.state().snapshots[0].state.about == {}
    assert about_of(kept.having(about={}).come_back(kept.state().snapshots[0])) == {}
    assert about_of(kept.back(Session.of(NOISE), session)) == {}
    assert about_of(session.prepare(Cover(), None)) == answers(), "who says nothing of it changes nothing"
    assert about_of(session.prepare(Cover(), None, (), {"name": "b"})) == {"name": "b"}


def test_that_answers_are_words_of_a_person_but_for_choices_and_days():
    session = Session.of(NOISE).having(about=answers("some words"))
    words = {key for key, field in FIELDS.items() if field.is_words}
    assert {place for place, text in session.texts() if text == "some words"} == {
        f"“{FIELDS[key].label}” about the release (Noise)" for key in words}
    left = about_of(session.without_words())
    assert left == {key: text for key, text in answers().items() if key not in words}
    assert set(left) == {"product", "sector", "published", "model", "releases", "source", "access"}


def test_that_numbers_that_tell_of_a_count_are_blanked_in_answers_where_it_is_left_out():
    session = Session.of(DECISION).take({"records": 7_654_321}, Origin("a.csv", "", "x", counts=("records",)))
    session = session.having(about={"spent": "7,654,321 people, ε = 0.5", "published": "2026-11-22"})
    assert about_of(session.leaving(False)) == {"spent": "… people, ε = 0.5", "published": "2026-11-22"}
    assert about_of(session.leaving(False, words="left out")) == {"published": "2026-11-22"}
    assert about_of(session.leaving(True)) == about_of(session)


# What is stated


def test_that_what_the_guarantee_says_is_computed_and_what_somebody_says_takes_nothing_away():
    alone = told(Session.of(NOISE).decide("laplace"))
    promise = guarantees(NOISE())["laplace"]
    assert alone["unit"].words == f"{promise.relation.unit} (computed)"
    assert alone["neighbours"].computed.lower() == promise.relation.sentence
    assert alone["mechanism"].words == "Laplace of “Noise” in DP Studio (computed)"
    assert alone["spent"].words == ""
    both = told(Session.of(NOISE).decide("laplace").having(about={"unit": "a customer", "model": "Central"}))
    assert both["unit"].words == f"a customer (computed for: {promise.relation.unit})"
    assert both["model"].words == "Central", "what is the same is said once"


def test_that_what_was_not_chosen_is_not_described_and_of_several_releases_the_account_is():
    assert told(Session.of(MEAN))["mechanism"].words == ""
    assert told(Session.of(MEAN))["model"].words == ""
    assert told(Session.of(BUDGET))["releases"].words == "Many releases (computed)"
    account = told(Session.of(BUDGET).decide("optimal"))
    assert "by the account “Optimal”: " in account["spent"].computed
    assert "releases k: 100" in account["spent"].computed
    assert account["mechanism"].words == ""


def test_that_page_one_says_in_short_what_is_stated_and_on_one_line_what_is_not():
    def release(about: About) -> tuple[str, ...]:
        content = report.content(Session.of(NOISE).decide("laplace").having(about=about),
                                 report.ReportChoice(appendix="none", figures={"noise": ()}))
        return dict(content.front[0].blocks[0].items)["Release"]

    first, second = release({"releases": "One release", "library": "word " * 24})
    assert first.startswith("Deployment model: Central (computed) · Releases: One release · Library: word word")
    assert first.endswith("word …")
    assert second.startswith("Not stated: who sees the raw data, refresh, access, ")
    rest = [each for each in FIELDS.values() if each.item and each.key not in label.FOREMOST]
    computed = sum(each.key in ("unit", "neighbours", "mechanism") for each in rest)
    assert second.endswith(f" and {len(rest) - computed} more that NIST SP 800-226 asks for.")
    (only,) = release(answers())
    assert "ot stated" not in only
    (nothing,) = label.in_short([stated.Stated(field, "", "") for field in FIELDS.values()])
    assert nothing.startswith("Not stated: deployment model, ")


def test_that_the_label_states_the_guarantee_and_each_answer_that_it_asks_for_or_that_it_is_not_stated():
    def shown(about: About, chosen: str | None = "gaussian", kind=NOISE) -> dict[str, str]:
        content = report.content(Session.of(kind, {"trials": 1_000}).decide(chosen).having(about=about),
                                 report.ReportChoice(figures={kind.key: ()}))
        block = content.chapters[0].sections[0].blocks[0]
        assert isinstance(block, PrivacyLabel)
        return dict(block.items)

    promise, made = guarantees(NOISE())["gaussian"], shown(answers("Our answer.", name="People"))
    assert made["What is released"] == "People"
    assert made["What it means"] == said_of(promise)
    assert made["Privacy loss"] == "ε = 1, δ = 10⁻⁶, μ = 0.237"
    assert promise.mu <= 0.237
    assert made["Releases"] == "One release · Our answer. · Static"
    assert "not stated" not in made.values()
    bare = shown({})
    assert [name for name, words in bare.items() if words == "not stated"] == [
        "Releases", "Spent elsewhere", "Access", "Without noise", "Raw data and seeds"]
    assert shown({}, None, MEAN)["Privacy loss"] == "depends on what is chosen, and nothing is"
    assert shown({}, "shuffled", MEAN)["Privacy loss"] == "ε = 1, δ = 10⁻⁶ at most"
    assert shown({}, "shuffled", MEAN)["It holds"].startswith("while the shuffler is honest")


def table_of(about: About) -> list[Cells]:
    content = report.content(Session.of(NOISE, {"trials": 1_000}).decide("laplace").having(about=about), NO_PICTURES)
    return [each for each in content.chapters[0].sections[0].blocks if isinstance(each, Cells)]


def test_that_the_table_has_every_answer_whole_and_names_what_is_not_stated_and_where_page_one_has_it():
    about = answers(**{key: "word " * 100 + key for key, each in FIELDS.items() if each.kind == FewLines()})
    first, entry = table_of(about)
    cells = [cell for row in (*first.rows, *entry.rows) for cell in row]
    for key, text in about.items():
        assert any(" ".join(text.split()) in cell for cell in cells), key
    assert "not stated" not in cells
    parts = [row[0] for row in first.rows if row[0]]
    assert parts == [f"{each.name} ({each.section})" for each in ITEMS]
    where = {row[1]: row[3] for row in first.rows}
    assert (where["ε and δ"], where["Library"], where["Sampler"], where["Why this ε"], where["Unit of privacy"]) == (
        "Guarantee", "Release", "–", "–", "–"), "page one has a unit that is computed, and a reason of its own"
    (bare,) = table_of({})
    assert {row[1]: row[3] for row in bare.rows}["Unit of privacy"] == "Guarantee"
    row = next(each for each in bare.rows if each[0].startswith("Side channels"))
    assert row[1:] == ("Sampler and side channels", "not stated", "–")
    assert sum(cell[2] == "not stated" for cell in bare.rows) == len(ITEMS) - 1, "all of the unit is computed"


def test_that_a_report_without_an_appendix_has_no_label_and_every_other_has_one_for_each_study():
    session = Session.of(NOISE, {"trials": 1_000}).decide("laplace").turn(MEAN).set("trials", 1_000).decide("laplace")
    session = session.having(about={"name": "Of the mean"})
    for appendix, labels in (("none", 0), ("facts", 2)):
        content = report.content(session, report.ReportChoice(appendix=appendix, figures={"noise": (), "mean": ()}))
        found = [each for chapter in content.chapters for section in chapter.sections for each in section.blocks
                 if isinstance(each, PrivacyLabel)]
        assert len(found) == labels
    assert "Of the mean" in list(texts(found[0]))
    assert "Of the mean" not in list(texts(found[1]))


def test_that_the_label_and_the_answers_stand_in_both_forms():
    session = Session.of(NOISE, {"trials": 1_000}).decide("laplace").having(about={"spent": "<b>Nothing</b> & else"})
    page = report.made("html", session, NO_PICTURES).decode()
    assert '<div class="label"><p class="lead">Privacy label</p>' in page
    assert "&lt;b&gt;Nothing&lt;/b&gt; &amp; else" in page
    assert "Spent elsewhere" in page
