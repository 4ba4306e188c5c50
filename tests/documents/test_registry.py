"""Entries for the registry of deployments: its own judge takes them, and they promise what the guarantee does."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
import yaml
from about_kit import answers
from hypothesis import given, settings
from hypothesis import strategies as st
from registry_kit import SCHEMA, judged

from dpstudio.core.declare import InvalidParameter
from dpstudio.core.risk import said_of
from dpstudio.core.study import guarantees
from dpstudio.data.origin import Origin
from dpstudio.documents import report, session_file
from dpstudio.documents.about import FIELDS, LONGEST_LINE, LONGEST_LINES, AboutField
from dpstudio.documents.noted import Cover
from dpstudio.documents.report import registry
from dpstudio.documents.session import Session
from dpstudio.studies import all_studies

STUDIES = all_studies()
CHOSEN = (("decision", "laplace"), ("decision", "gaussian"), ("noise", "gaussian"), ("response", "response"),
          ("budget", "optimal"), ("watch", "above"))
PARTIAL = {"published": "2026-11-22", "name": "People", "model": "Central", "spent": "Nothing else:\n- no table"}
DAY = {"published": "2026-11-22"}


def session_of(key: str, chosen: str | None, about: dict[str, str]) -> Session:
    return Session.of(STUDIES[key]).decide(chosen).having(about=about)


def entry(session: Session, folder=None):
    """What the file of an entry holds, once the registry has judged it."""
    text = report.made("yaml", session).decode()
    if folder is not None:
        path = folder / "entry.yaml"
        path.write_text(text, "utf-8")
        assert not judged(path)
    return yaml.safe_load(text)


@pytest.mark.parametrize("about", [answers(), PARTIAL, DAY], ids=["full", "partial", "empty"])
@pytest.mark.parametrize(("key", "chosen"), [*CHOSEN, ("audit", None), ("mean", None)])
def test_that_the_judge_of_the_registry_takes_the_entry_of_a_report_whatever_is_answered(key, chosen, about, tmp_path):
    found = entry(session_of(key, chosen, about), tmp_path)
    full = len(about) == len(FIELDS)
    assert found["tier"] == (1 if not full or (chosen is None and key == "mean") else 3)
    assert found["deployment"]["basic"]["name"] == about.get("name", "Not stated")
    assert found["status"] == "Draft"


@pytest.mark.parametrize("kind", [*STUDIES.values()], ids=lambda kind: kind.key)
def test_that_an_entry_states_the_guarantee_of_what_was_chosen_and_no_other(kind):
    found = guarantees(kind())
    for series in kind().answer().choices:
        promised = found.get(series.key, found.get(None))
        made = entry(session_of(kind.key, series.key, DAY))["deployment"]
        if promised is None:
            assert "dp_variant" not in made
            continue
        variant, loss = made["dp_variant"]["variant_name"], made["privacy_loss"]
        assert variant == ("Custom" if promised.mu is not None else "Approximate DP" if promised.delta else "Pure DP")
        numbers = loss["privacy_parameters"]
        assert (numbers["epsilon"], numbers.get("delta", 0.0)) == (promised.epsilon, promised.delta)
        assert loss["privacy_unit"] == promised.relation.unit
        assert loss["privacy_unit_details"].lower() == promised.relation.sentence.lower()
        for said in (promised.source.reference, said_of(replace(promised, holds="")), promised.holds):
            assert said in loss["privacy_parameters_details"]
        assert ("μ = " in loss["privacy_parameters_details"]) == (promised.mu is not None)
        assert (" at most. " in loss["privacy_parameters_details"]) == (promised.kind == "bound")


def test_that_a_zero_concentrated_guarantee_is_named_as_such_with_its_rho():
    session = session_of("noise", "gaussian", DAY)
    update = session.study.answer()
    found = registry.promised(session.state(), update)
    of = replace(found, guarantee=replace(found.guarantee, mu=None, rho=0.5))
    made = dict(registry._promised(of))
    assert made["dp_variant.variant_name"] == "Zero-concentrated DP"
    assert made["privacy_loss.privacy_parameters"]["rho"] == 0.5
    nothing = replace(found, guarantee=replace(found.guarantee, epsilon=float("inf")))
    assert not dict(registry._promised(nothing)), "what promises nothing has no variant"


@pytest.mark.parametrize(("chosen", "model"), [("response", "Local"), ("laplace", "Central"), ("shuffled", "Shuffle")])
def test_that_the_model_is_that_of_what_was_chosen_unless_somebody_says_another_which_is_then_noted(chosen, model):
    made = entry(session_of("mean", chosen, DAY))["deployment"]
    assert made["deployment_model"]["model_name"] == model
    other = entry(session_of("mean", chosen, DAY | {"model": "Federated"}))["deployment"]
    assert other["deployment_model"]["model_name"] == "Federated"
    assert f"Deployment model: the guarantee was computed for “{model}”." in other["administrative"]["notes"]
    assert "computed for" not in made["administrative"]["notes"]


def test_that_a_unit_in_somebody_s_words_stands_beside_that_of_the_guarantee_and_not_in_its_place():
    made = entry(session_of("noise", "laplace", DAY | {"unit": "a customer"}))["deployment"]["privacy_loss"]
    assert made["privacy_unit"] == "a customer (computed for: one record of one person)"


def schema_of(key: str):
    at = SCHEMA["properties"]["deployment"]
    for part in key.split("."):
        at = at["properties"][part]
    return at


def test_that_every_answer_goes_where_the_schema_has_a_place_for_it_and_choices_are_those_of_the_schema():
    for field in FIELDS.values():
        place = schema_of(field.entry)
        options = getattr(field.kind, "options", None)
        assert options is None or set(options) == set(place["enum"]) - {"Varies"}
        assert field.entry in registry.KEYS


def test_that_the_tiers_are_those_of_the_schema_in_its_order_but_for_what_it_only_suggests():
    suggested = {"basic.data_product_sector", "administrative.sources", "administrative.notes",
                 "administrative.registry_authors", "deployment_model.release_type_details"}
    there = [f"{block}.{name}" for block, of in SCHEMA["properties"]["deployment"]["properties"].items()
             for name in of["properties"]]
    assert sorted(registry.KEYS) == sorted(set(there) - {
        "deployment_model.model_name_details", "deployment_model.data_source_type_details"})
    assert {key.partition(".")[0]: None for key in registry.KEYS} == {key.partition(".")[0]: None for key in there}
    for key, tier in registry.KEYS.items():
        assert tier == (0 if key in suggested else schema_of(key)["tier"]), key
    needed = {f"basic.{name}" for name in SCHEMA["properties"]["deployment"]["properties"]["basic"]["required"]}
    assert {key for key, tier in registry.KEYS.items() if tier == 1} == needed


@pytest.mark.parametrize("key", FIELDS)
def test_that_an_entry_falls_to_the_tier_below_the_one_that_asks_for_what_is_not_stated(key):
    about = answers(**{"access": "Interactive", key: ""})
    state = session_of("noise", "laplace", about).state()
    if key == "published":
        with pytest.raises(InvalidParameter, match=r"^published must be a day stated about the release, .+, got None$"):
            report.entry_of(state)
        return
    made = report.entry_of(state)
    asked = registry.KEYS[FIELDS[key].entry]
    alone = [each.key for each in FIELDS.values() if each.entry == FIELDS[key].entry] == [key]
    computed = key in ("product", "unit", "neighbours", "model")
    lacks = asked and alone and not computed
    assert made.tier == ((1 if asked == 1 else asked - 1) if lacks else 3)
    assert bool(made.lacking) == bool(lacks)
    assert not lacks or made.lacking == (FIELDS[key].label[:1].lower() + FIELDS[key].label[1:],)


def test_that_a_budget_of_analysts_is_asked_for_where_there_are_any():
    for access, tier in (("Interactive", 2), ("Non-interactive", 3)):
        about = answers(analysts="", access=access)
        assert report.entry_of(session_of("noise", "laplace", about).state()).tier == tier


def test_that_an_entry_says_its_tier_and_what_the_next_one_asks_for_besides():
    assert report.entry_of(session_of("noise", "laplace", answers()).state()).says == "An entry of tier 3 of 3."
    about = answers(releases="", source="")
    assert report.entry_of(session_of("noise", "laplace", about).state()).says == (
        "An entry of tier 1 of 3; for tier 2 state releases and source of data.")
    nothing = report.entry_of(session_of("mean", None, answers()).state())
    assert nothing.lacking == ("what was chosen",)


def test_that_page_one_answers_who_wrote_it_and_why_where_the_form_does_not():
    session = session_of("noise", "laplace", DAY).having(cover=Cover(reason="It is small.", who="A. B.; C. D."))
    made = entry(session)["deployment"]
    assert made["administrative"]["registry_authors"] == ["A. B.", "C. D."]
    assert made["implementation"]["justification"] == "- Why this ε: It is small."


def test_that_several_answers_under_one_key_each_stand_with_what_was_asked():
    about = DAY | {"library": "OpenDP 0.16", "channels": "None.\nNo clock."}
    assert entry(session_of("noise", "laplace", about))["deployment"]["implementation"]["mechanisms"] == (
        "- Mechanism: Laplace of “Noise” in DP Studio\n- Library: OpenDP 0.16\n"
        "- Side channels: None. No clock.")


def test_that_the_name_of_an_entry_is_made_as_the_registry_makes_it():
    about = DAY | {"name": "Current Pageviews", "curators": "Wikimedia Foundation"}
    assert entry(session_of("noise", "laplace", about))["url_slug"] == "current-pageviews-wikimedia-foundation-2026"
    about = DAY | {"name": "Israel’s births", "curators": "A; B"}
    assert entry(session_of("noise", "laplace", about))["url_slug"] == "israel-s-births-a-b-2026"
    assert report.made("yaml", session_of("noise", "laplace", DAY)).startswith(b"url_slug: "), "they look for it there"


WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=60) | st.sampled_from(
    ["yes", "null", "- a: b", "# no", "a\\\\b \\\\\\c", "'", '"', "2026-11-22", "1e3", "|", "> folded " * 20, "%", "@",
     " lead\n  more\n", "\\(x\\)", "\\\\(x\\\\)", "~", "{a: 1}", "x: y", "&a *a !t", "\t"])


@settings(max_examples=40)
@given(st.dictionaries(st.sampled_from([key for key, field in FIELDS.items() if field.is_words]), WORDS, max_size=6))
def test_that_the_judge_takes_whatever_people_write(tmp_path_factory, about):
    held = {key: (" ".join(text.split()) if FIELDS[key].kind.longest == LONGEST_LINE else text)[
        :FIELDS[key].kind.longest] for key, text in about.items()}
    entry(session_of("noise", "laplace", DAY | held), tmp_path_factory.mktemp("entry"))


def test_that_the_longest_answers_stand_in_an_entry_whole():
    about = {key: "x" * (LONGEST_LINE if field.kind.longest == LONGEST_LINE else LONGEST_LINES)
             for key, field in FIELDS.items() if isinstance(field, AboutField) and field.is_words}
    text = report.made("yaml", session_of("noise", "laplace", DAY | about)).decode()
    assert text.count("x") >= sum(map(len, about.values()))


COUNT = 7_654_321


def test_that_a_count_that_is_left_out_leaves_no_trace_in_an_entry(tmp_path):
    origin = Origin("quillwort.csv", "", "zygomatic >= 6", "brontide", 2, counts=("records",))
    session = Session.of(STUDIES["decision"]).take({"records": COUNT}, origin).decide("laplace")
    about = answers(f"it is {COUNT:,} now", name=f"{COUNT}")
    session = session.having(about=about, cover=Cover(reason=f"N is {COUNT}"))
    session = session.find({"epsilon": 0.7654321})
    left = report.made("yaml", session.leaving(False)).decode()
    assert not re.search(r"7.?654.?32|quillwort|zygomatic|brontide", left)
    entry(session.leaving(False), tmp_path)
    notes = entry(session.leaving(False))["deployment"]["administrative"]["notes"]
    assert "what was found from a count of people’s data is left out" in notes
    assert str(COUNT) in report.made("yaml", session.leaving(True)).decode()
    silent = session_file.text(session.leaving(False, words="left out"))
    assert '"about": {"product": "Summary statistics", "sector": "Technology", "published": "2026-11-22"' in silent
