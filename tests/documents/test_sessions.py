"""Sessions come back as they were saved, and anything else is refused in one sentence."""

from __future__ import annotations

import json
import os

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from settings_kit import held

from dpstudio.core.attacker import Attacker, alone
from dpstudio.core.declare import Follow, InvalidParameter
from dpstudio.documents import codec, embedded, pictures, session_file
from dpstudio.documents.codec import DATA, SessionError, keys_of
from dpstudio.documents.session import Session
from dpstudio.documents.state import StudyState
from dpstudio.studies import all_studies

DECISION = all_studies()["decision"]
GOOD = session_file.text(Session.of(DECISION, {"epsilon": 0.2, "prior_width": 12.5}))


def changed(**changes):
    return json.dumps(json.loads(GOOD) | changes)


def with_state(**changes):
    """The session with other keys of its study."""
    return changed(studies={"decision": json.loads(GOOD)["studies"]["decision"] | changes})


def with_values(**values):
    return with_state(values=json.loads(GOOD)["studies"]["decision"]["values"] | values)


def of_before(**changes):
    """A session of the format that held one study."""
    values = json.loads(GOOD)["studies"]["decision"]["values"]
    return json.dumps({"application": "DP Studio", "version": "0.1.0", "format": 2, "study": "decision",
                       "values": values} | changes)


@pytest.mark.parametrize("study_class", all_studies().values(), ids=lambda study: study.key)
def test_that_a_session_comes_back_as_it_was_saved(study_class, tmp_path):
    session_file.save(tmp_path / "a.json", Session.of(study_class, {}))
    assert held(session_file.load(tmp_path / "a.json")) == (study_class, {})


def test_that_set_values_come_back_and_followed_ones_still_follow(tmp_path):
    explicit = {"epsilon": 0.2, "minimum": 5000, "prior": "normal", "zero_refused": True, "seed": 2**63 - 1}
    session_file.save(tmp_path / "a.json", Session.of(DECISION, explicit))
    study_class, loaded = held(session_file.load(tmp_path / "a.json"))
    assert loaded == explicit
    assert study_class(**loaded).prior_centre == 5000


def test_that_every_parameter_is_written_and_followed_ones_as_null():
    values = json.loads(session_file.text(Session.of(DECISION, {})))["studies"]["decision"]["values"]
    own = [declared for declared in DECISION.parameters() if declared.name not in Attacker.by_name()]
    assert list(values) == [declared.name for declared in own], "whom one fears stands once, beside the studies"
    for declared in own:
        assert (values[declared.name] is None) == isinstance(declared.default, Follow)


def test_that_the_values_of_a_study_that_only_follow_are_not_explicit():
    explicit = session_file.explicit_of(DECISION(minimum=500, prior_width=7.0))
    assert explicit["prior_width"] == 7.0
    assert "prior_centre" not in explicit


def test_that_a_value_of_a_wrong_kind_is_never_saved(tmp_path):
    with pytest.raises(InvalidParameter):
        session_file.save(tmp_path / "a.json", Session.of(DECISION, {"epsilon": "much"}))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("content", "why"), [
    ("", "no JSON"), ("[1]", "no JSON object"), ("null", "no JSON object"), (GOOD[:-2], "no JSON"),
    (GOOD + "x", "no JSON"), ("[" * 100_000, "nested too deeply"),
    (" " * (session_file.LARGEST_SESSION + 1), "far too large"),
    (GOOD.replace("decision", "\ud800").encode("utf-8", "surrogatepass"), "no UTF-8"), (b"\xff\xfe\x00", "no UTF-8"),
    (GOOD.replace("0.2", "NaN"), "NaN, which is no number"), (GOOD.replace("0.2", "-Infinity"), "-Infinity"),
    (GOOD.replace("0.2", "9" * 5000), "too long"), (GOOD.replace('"study"', '"format": 1, "study"'), "'format' twice"),
    ("{}", "does not say that DP Studio wrote it"), (changed(application="Word"), "does not say"),
    (changed(format=session_file.FORMAT + 1), "a newer DP Studio wrote it"), (changed(format=True), "does not say"),
    (changed(format=1.0), "does not say"), (changed(format=0), "no such format"),
    (changed(study="dice"), "unknown study 'dice': the studies are decision"),
    (changed(study=["decision"]), "must be text"), (changed(extra=1), "unknown key 'extra'"),
    (json.dumps({key: value for key, value in json.loads(GOOD).items() if key != "version"}), "version is missing"),
    (with_state(values=[]), "values must be an object"), (of_before(values=[]), "values must be an object"),
    (of_before(studies={}), "unknown key 'studies'"), (of_before(pins=[]), "unknown key 'pins'"),
    (of_before(study="dice"), "unknown study 'dice': the studies are decision"),
    (changed(values={}), "unknown key 'values'"), (changed(studies=[]), "studies must be an object"),
    (changed(studies={}), "it shows decision, and does not hold it"),
    (changed(studies=json.loads(GOOD)["studies"] | {"dice": {"values": {}}}), "unknown study 'dice': the studies are"),
    (changed(studies={"decision": 7}), "decision must be an object of values"),
    (changed(studies={"decision": {}}), "values is missing"), (with_state(colour=1), "unknown key 'colour'"),
    (with_state(pins={}), "pins must be a list"), (with_state(pins=[{"values": {}}] * 10), "at most 9"),
    (with_state(pins=[7]), "pins must be a list of objects"), (with_state(pins=[{}]), "values is missing"),
    (with_state(pins=[{"values": {"epsilon": -1}}]), "epsilon must be in"),
    (with_state(pins=[{"values": {}, "title": "x"}]), "unknown key 'title'"),
    (with_state(hidden="laplace"), "hidden must be a list"), (with_state(hidden=[1]), "hidden must be a list"),
    (with_state(hidden=["x" * 101]), "hidden must be a list"), (with_state(views=[]), "views must be an object"),
    (with_state(views={"none": [0, 0]}), "two numbers, the lower first"),
    (with_state(views={"records": [1, 1]}), "two numbers, the lower first"),
    (with_state(views={str(i): [0, 1] for i in range(201)}), "at most 200 tables"),
    (with_state(solved=[{"values": {}, "wants": [f"acceptance@laplace <= 0.{i}"], "for": ["epsilon"], "between": {}}
                        for i in range(10, 31)]), "solved must be at most 20 of one study, got 21"),
    (with_state(solved=[{"values": {}, "wants": ["acceptance@laplace <= 1"], "for": ["epsilon"],
                         "between": {str(i): [0, 1] for i in range(201)}}]), "between must be an object of parameters"),
    (with_state(sweeps=[7] * 11), "sweeps must be a list of objects"),
    (with_state(sweeps=[{}] * 11), "sweeps must be at most 10 of one study, got 11"),
    (with_state(views={"records": [0, True]}), "two numbers"), (with_state(views={"records": [0]}), "two numbers"),
    (with_state(views={"records": [0, "9"]}), "two numbers"), (with_state(views={"records": [0, 10**400]}), "two numb"),
    (with_state(figures=[]), "figures must be an object"), (with_state(figures={"acceptance": "no"}), "unknown figure"),
    (with_state(figures={"acceptance": ["tails"]}), "unknown figure"), (with_state(note=7), "note must be a text"),
    (with_state(note="x" * 10_001), "note must be a text of at most 10000"),
    (with_values(speed=1), "unknown parameter 'speed'"),
    (with_state(picture_notes=[{"figure": "no", "text": ""}]), "figure must be one of acceptance"),
    (with_state(picture_notes=[{"figure": "acceptance"}]), "text is missing"),
    (with_state(picture_notes=[{"figure": "acceptance", "text": "x", "at": [1]}]), "at must be two numbers"),
    (with_state(picture_notes=[{"figure": "acceptance", "text": "x" * 301}]), "at most 300 signs"),
    (with_state(picture_notes=[{"figure": "acceptance", "text": "x"}] * 31), "at most 30 of one study, got 31"),
    (with_state(snapshots=[{"name": "a", "note": "", "when": "", "state": {"values": {}, "snapshots": []}}]),
     "unknown key 'snapshots'"),
    (with_state(snapshots=[{"name": "a", "note": "", "when": "", "state": {"values": {}}}] * 21), "at most 20"),
    (with_state(solved=[{"values": {}, "wants": ["no"], "for": ["epsilon"], "between": {}}]), "'no'"),
    (with_state(solved=[{"values": {}, "wants": ["acceptance@laplace <= 1"], "for": ["prior"], "between": {}}]),
     "prior is no number"),
    (with_state(solved=[{"values": {}, "wants": ["acceptance@laplace <= 1"], "for": [], "between": {}}]),
     "one parameter or two"),
    (with_state(sweeps=[{"values": {}, "over": ["epsilon=1:2:99999"], "facts": [["acceptance", "laplace"]],
                         "simulate": False}]), "cells of a sweep that is kept must be"),
    (with_state(sweeps=[{"values": {}, "over": ["epsilon=1:2:9"], "facts": [["acceptance"]], "simulate": False}]),
     "facts must be a list of keys"),
    (with_state(cover={"author": "x"}), "unknown key 'author'"), (with_state(cover={"who": 7}), "who must be a text"),
    (with_values(epsilon=-1), r"epsilon must be in \[1e-6, 20\], got -1"), (with_values(epsilon=None), "got None"),
    (with_values(epsilon="0.1"), "got '0.1'"), (with_values(epsilon=True), "got True"),
    (with_values(epsilon=[[1]]), "got"), (with_values(epsilon="x" * 10_000), "…"),
    (GOOD.replace("0.2", "1e999"), "epsilon must be"), (with_values(minimum=1.5), "minimum must be an integer"),
    (with_values(zero_refused=0), "zero_refused must be yes or no"),
    ("<svg></svg>", "carries none"), (b"%PDF-1.4", "carries none"), (b"\x89PNG\r\n\x1a\n", "carries none")],
    ids=lambda content: None if isinstance(content, bytes) or len(content) > 60 else content)
def test_that_anything_else_is_refused_in_one_sentence(content, why, tmp_path):
    file = tmp_path / "a.json"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(SessionError, match=why) as refusal:
        session_file.load(file)
    sentence = str(refusal.value)
    assert sentence.startswith("'a.json' is not a session: ")
    assert sentence.isprintable()
    assert len(sentence) < 700


def test_that_as_much_as_is_allowed_is_read():
    hidden = [f"{i:100}" for i in range(200)]
    session = session_file.read(with_state(hidden=hidden, note="x" * 10_000))
    assert session.state().hidden == set(hidden)
    assert session_file.as_json(session)["studies"]["decision"]["hidden"] == hidden, "in order, whatever a set has"
    assert refusal_of(with_state(hidden=[*hidden, "x"])) == "hidden must be a list of keys of curves"
    assert len(session_file.read(with_state(pins=[{"values": {}}] * 9)).state().pins) == 9


def test_that_a_session_edited_by_hand_may_begin_with_a_mark_of_utf8():
    assert held(session_file.read(b"\xef\xbb\xbf" + GOOD.encode())) == (DECISION, {"epsilon": 0.2, "prior_width": 12.5})


def test_that_parameters_newer_than_a_session_take_their_defaults():
    values = {"epsilon": 0.2}
    assert held(session_file.read(with_state(values=values))) == (DECISION, values)


def test_that_a_missing_file_is_an_error_of_the_machine(tmp_path):
    with pytest.raises(OSError, match="No such file"):
        session_file.load(tmp_path / "none.json")


JSON = st.recursive(st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=9),
                    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3))


def refusal_of(content):
    """The sentence that refuses it, or nothing."""
    try:
        session_file.read(content)
    except SessionError as error:
        return str(error)
    return ""


@given(st.dictionaries(st.sampled_from(session_file.KEYS), JSON, max_size=2))
def test_that_no_change_of_a_key_does_more_than_refuse(changes):
    assert refusal_of(json.dumps(json.loads(GOOD) | changes)).isprintable()


@given(st.dictionaries(st.sampled_from(["values", DATA, *keys_of(StudyState)]), JSON, max_size=2))
def test_that_no_change_of_a_key_of_a_study_does_more_than_refuse(changes):
    assert refusal_of(with_state(**changes)).isprintable()


@given(st.sampled_from([declared.name for declared in DECISION.parameters()]), JSON)
def test_that_no_value_does_more_than_refuse(name, value):
    refusal = refusal_of(with_values(**{name: value}))
    assert not refusal or name in refusal or "which is no number" in refusal or "twice" in refusal


@given(st.data())
def test_that_no_damage_of_a_session_does_more_than_refuse(data):
    damaged = bytearray(GOOD.encode())
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(damaged) - 1))
        damaged[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    assert refusal_of(bytes(damaged)).isprintable()


@pytest.fixture(scope="module")
def carriers(sample, sample_session, sample_update):
    return [pictures.picture(format, sample_session, sample_update, sample.figures[0], dpi=36)
            for format in pictures.FORMATS]


@given(st.integers(0, 2), st.data())
def test_that_no_damage_of_a_picture_does_more_than_lose_its_session(carriers, which, data):
    damaged = bytearray(carriers[which])
    for _ in range(data.draw(st.integers(1, 9))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    found = embedded.extract(bytes(damaged))
    assert found is None or isinstance(found.content, bytes)


@given(st.binary(max_size=60))
@example(b"\x89PNG\r\n\x1a\n\xff\xff\xff\xffiTXt")
@example(b"%PDF-/Keywords (\\")
@example(b'<svg <metadata id="dpstudio-session">&#xffffffff;</metadata>')
def test_that_any_bytes_are_a_picture_or_not(data):
    for start in (b"", b"\x89PNG\r\n\x1a\n", b"%PDF-", b"<svg", b"<html>", b"# DP Studio 1\n", b"PAR1"):
        assert embedded.extract(start + data) is None or embedded.carrier_of(start + data)


def test_that_a_session_is_never_half_written(tmp_path, monkeypatch):
    file = tmp_path / "a.json"
    session_file.save(file, Session.of(DECISION, {"epsilon": 0.2}))

    def full(_):
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match=r"No space left on device: .*a\.json"):
        session_file.save(file, Session.of(DECISION, {"epsilon": 0.3}))
    assert held(session_file.load(file)) == (DECISION, {"epsilon": 0.2})
    assert [each.name for each in tmp_path.iterdir()] == ["a.json"]


@pytest.mark.parametrize("place", ["state", "snapshot"])
def test_that_what_was_in_view_of_a_table_that_there_is_not_costs_nothing_else_and_is_said(tmp_path, place):
    views = {"records": [1, 2], "variances": [0, 1]}
    seen = {"values": {"epsilon": 0.3}, "views": views}
    (tmp_path / "a.dpstudio").write_text(with_state(**seen) if place == "state" else with_state(
        snapshots=[{"name": "a", "note": "", "when": "", "state": seen}]))
    opened = session_file.open_file(tmp_path / "a.dpstudio")
    state = opened.session.state()
    state = state if place == "state" else state.snapshots[0].state
    assert (state.setting.explicit, state.views) == ({"epsilon": 0.3}, {"records": (1.0, 2.0)})
    assert opened.told == "Left out what was in view of 'variances', which decision does not have."
    (tmp_path / "a.dpstudio").write_text(with_state(views={"records": [1, 2]}))
    assert session_file.open_file(tmp_path / "a.dpstudio").told == ""
    (tmp_path / "a.dpstudio").write_text(with_state(views={f"{i} {'x' * 999}": [1, 2] for i in range(99)}))
    assert len(session_file.open_file(tmp_path / "a.dpstudio").told) < 300


@pytest.mark.parametrize("name", ["solved", "sweeps", "snapshots", "picture_notes"])
def test_that_no_entry_of_a_list_that_is_too_long_is_read(monkeypatch, name):
    monkeypatch.setattr(codec, "need_keys", lambda given, *_: pytest.fail("read") if given == {} else None)
    with pytest.raises(SessionError, match=f"{name} must be at most"):
        session_file.read(with_state(**{name: [{}] * 31}))


@given(moves=st.lists(st.tuples(st.sampled_from(list(all_studies().values())), st.floats(0.001, 0.999)), max_size=6))
def test_that_every_setting_of_every_study_faces_whom_one_fears_though_none_but_that_in_view_is_another(moves):
    session = Session.of(DECISION)
    for kind in all_studies().values():
        session = session.turn(kind).pin().keep("kept")
    for kind, prior in moves:
        turned = session.turn(kind)
        session = turned.fear({"attacker": "membership", "presence_prior": prior})
        assert all(session.states[each] is turned.states[each] for each in all_studies().values() if each is not kind)
        for each in all_studies().values():
            assert {alone(setting.study) for setting in session.state(each).settings} == {session.attacker}
            assert len(list(session.state(each).settings)) == 4
    again = session_file.read(session_file.text(session))
    assert again == session
    assert not again.differing(session)
