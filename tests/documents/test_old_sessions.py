"""Files of every format that was ever written come back, and what is no longer written of them stays unwritten.

The files in `sessions` were written by the version that had the format, and are never written anew.
"""

from __future__ import annotations

import json
import math
import re
from copy import deepcopy
from functools import reduce
from operator import attrgetter, getitem
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpstudio.core.attacker import Attacker, set_of
from dpstudio.documents import pictures, session_file
from dpstudio.documents.codec import SessionError
from dpstudio.documents.noted import Cover, PictureNote
from dpstudio.documents.session import Session
from dpstudio.studies import all_studies

pytestmark = pytest.mark.usefixtures("own_settings")
OLD = Path(__file__).parent / "sessions"
DECISION = all_studies()["decision"]
EXPLICIT = {"epsilon": 0.2, "minimum": 700}
RECORDS = {"records": 1_020}
"""What N was where nobody had set it: it did not follow m yet, and stays what it was where that was written."""
PLAIN = "ab" * 32


def test_that_every_format_there_was_has_its_file():
    assert {path.name.partition(".")[0].split("-")[1] for path in OLD.glob("*.dpstudio")} \
        == {str(each) for each in range(1, session_file.FORMAT + 1)}


@pytest.mark.parametrize("path", sorted(OLD.glob("format-*[0-9].*")), ids=lambda path: path.name)
def test_that_sessions_and_pictures_of_every_format_are_read(path):
    kept = session_file.load(path)
    alone = path.name in {f"format-{old}.{each}" for old in (1, 2) for each in pictures.FORMATS}
    assert (kept.study_class, kept.explicit) == (DECISION, EXPLICIT | ({} if alone else RECORDS))


@pytest.mark.parametrize("path", sorted(OLD.glob("format-*-*.dpstudio")), ids=lambda path: path.name)
def test_that_a_count_of_every_format_can_be_made_again(path):
    kept = session_file.load(path)
    exact = "exact" in path.name
    assert kept.explicit == EXPLICIT | ({"records": 7_654_321} if exact else {})
    assert (kept.data.file, kept.data.where) == ("people.csv", "age >= 65 and note = '=cmd()'")
    assert (kept.data.person, kept.data.at_most, kept.data.missing) == ("id", 2, ("", "NA"))
    assert (kept.data.counts, kept.data.exact, kept.state().seen_counts) == (("records",), exact, exact)


@pytest.mark.parametrize("name", ["format-1-counted.dpstudio", "format-1-exact.dpstudio"])
def test_that_a_plain_digest_is_read_and_not_written_again(name, tmp_path):
    kept = session_file.load(OLD / name)
    assert kept.data.is_of(PLAIN)
    assert not kept.data.is_of("cd" * 32)
    session_file.save(tmp_path / "a.dpstudio", Session.of(kept.study_class, kept.explicit, kept.data))
    assert PLAIN not in (tmp_path / "a.dpstudio").read_text()
    again = session_file.load(tmp_path / "a.dpstudio").data
    assert again.is_of(PLAIN), "it is known by the key of this machine"
    assert not again.is_of("cd" * 32)


def test_that_on_another_machine_no_digest_is_known(tmp_path, monkeypatch):
    kept = session_file.load(OLD / "format-1-counted.dpstudio")
    content = session_file.text(Session.of(kept.study_class, kept.explicit, kept.data), again=True)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "other"))
    monkeypatch.setenv("APPDATA", str(tmp_path / "other"))
    assert not session_file.read(content).data.is_of(PLAIN)


def test_that_a_table_is_not_known_by_no_digest_at_all(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "file"))
    monkeypatch.setenv("APPDATA", str(tmp_path / "file"))
    kept = session_file.load(OLD / "format-1-counted.dpstudio")
    again = session_file.read(session_file.text(kept, again=True)).data
    assert again.kept_digest == ""
    assert not again.is_of(PLAIN)


def test_that_all_of_a_session_of_the_third_format_comes_back():
    found = session_file.load(OLD / "format-3.dpstudio")
    noise = all_studies()["noise"]
    assert list(found.states) == [DECISION, noise]
    state = found.state()
    assert [dict(pin.explicit) for pin in state.pins] == [
        {"minimum": 700} | RECORDS, {"minimum": 700, "epsilon": 0.5} | RECORDS]
    assert (state.hidden, state.views) == ({"cutoff", "generalized"}, {"records": (650.0, 750.5)})
    assert (state.figures, state.note) == ({"acceptance": "tails"}, "Agreed on 0.2.")
    assert (found.state(noise).setting.explicit, found.state(noise).pins) == ({"epsilon": 3.0}, ())


JSON = st.sampled_from(["", "decision", "gone", "laplace", "\ud800", "x" * 20_000, 10**400, 2**53, 1e308, -1, 0, 0.5, 4,
                        math.nan, math.inf, None, True, [], {}, [1, 2], [2, 1], [[]], {"a": 1}]).map(deepcopy)
KEYS = st.sampled_from(["data", "pins", "views", "records", "values", "gone", ""])


def places(document, start=()):
    """Where something stands in nested objects and lists."""
    keys = document if isinstance(document, dict) else range(len(document)) if isinstance(document, list) else ()
    for key in keys:
        yield (*start, key)
        yield from places(document[key], (*start, key))


@settings(max_examples=300)
@given(st.sampled_from(sorted(OLD.glob("*.dpstudio"))), st.data())
def test_that_no_change_anywhere_in_a_session_of_any_format_does_more_than_refuse(path, data):
    document = json.loads(path.read_text("utf-8"))
    for _ in range(data.draw(st.integers(1, 3))):
        *way, last = data.draw(st.sampled_from(sorted(places(document), key=str)))
        at = reduce(getitem, way, document)
        match data.draw(st.sampled_from(["another", "none", "further"])):
            case "none":
                del at[last]
            case "further" if isinstance(at, dict):
                at[data.draw(KEYS)] = data.draw(JSON)
            case _:
                at[last] = data.draw(JSON)
    content = json.dumps(document)
    try:
        found = session_file.read(content)
    except SessionError:
        with pytest.raises(SessionError, match=r"^[^\n]{5,700}$"):
            session_file.read(content)
        return
    again = session_file.read(session_file.text(found, again=True))
    assert [state.explicit for state in map(attrgetter("setting"), again.states.values())] \
        == [state.explicit for state in map(attrgetter("setting"), found.states.values())]
    if document["format"] > 1:  # the first states a digest that is not written again
        assert again == found


def test_that_files_of_every_kind_are_among_the_files():
    assert {path.suffix for path in OLD.iterdir()} == {".dpstudio", ".html", ".json", ".csv",
                                                       *(f".{each}" for each in pictures.FORMATS)}


def test_that_all_that_is_noted_in_a_session_of_the_fifth_format_comes_back():
    state = session_file.load(OLD / "format-5.dpstudio").state()
    assert [(pin.study.epsilon, pin.only) for pin in state.pins] == [(0.1, None), (0.4, "gaussian")]
    assert (state.hidden, state.views) == ({"cutoff", "generalized"}, {"records": (650.0, 750.5)})
    assert state.picture_notes == (PictureNote("acceptance", "Here <b>700</b> qualify.", (700.0, 0.5)),
                                   PictureNote("tails", "ε = 0.2 & δ"))
    assert state.cover == Cover("Do at least 700 qualify?", "Laplace", "It holds for every ε.", "A. Nobody",
                                "2026-11-22")
    (before,), (solved,), (swept,) = state.snapshots, state.solved, state.sweeps
    assert (before.name, before.note, before.when) == ("before", "As it was agreed in May.", "2026-05-04T12:30")
    assert (dict(before.state.setting.explicit), len(before.state.pins)) == ({"minimum": 700} | RECORDS, 1)
    assert (solved.wants, solved.names, solved.between) == (("band_width@laplace <= 50",), ("epsilon",),
                                                            {"epsilon": (0.01, 1.0)})
    assert (swept.over, swept.facts, swept.simulate) == (
        ("epsilon=0.1:1:4:log",), (("band_width", "laplace"), ("guarantee_delta", "cutoff")), False)
    assert dict(solved.setting.explicit) == dict(swept.setting.explicit) == EXPLICIT | RECORDS


@pytest.mark.parametrize("name", ["5.svg", "5.pdf", "5.png", "5.json", "5.csv", "5.html", "5-report.pdf"])
def test_that_a_file_of_the_fifth_format_brings_what_it_shows_and_a_report_all(name):
    session, found = session_file.load(OLD / "format-5.dpstudio"), session_file.open_file(OLD / f"format-{name}")
    assert found.whole == (name in ("5.html", "5-report.pdf"))
    shown = session.carried() if name in ("5.json", "5.csv") else session.carried().choose("acceptance", "tails")
    assert found.session == (session if found.whole else shown)


def test_that_what_was_chosen_in_a_session_of_the_sixth_format_comes_back_and_the_words_of_the_fifth_stay_words():
    for version, chosen in ((5, None), (6, "generalized")):
        state = session_file.load(OLD / f"format-{version}.dpstudio").state()
        assert (state.chosen, state.cover.choice) == (chosen, "Laplace")


def test_that_what_was_said_of_the_release_in_a_session_of_the_seventh_format_comes_back():
    assert session_file.load(OLD / "format-7.dpstudio").state().about == {
        "name": "Qualified people", "published": "2026-11-22", "unit": "one person, who is one record",
        "model": "Central", "releases": "One release", "spent": "A table in May,\nat ε = 0.1.",
        "library": "OpenDP 0.16"}
    assert session_file.load(OLD / "format-6.dpstudio").state().about == {}


@pytest.mark.parametrize(("study", "series"), [("decision", "Generalized"), ("noise", "printed"),
                                               ("posterior", "truth"), ("policy", "open"), ("audit", "law"),
                                               ("decision", 1), ("decision", ["laplace"])])
def test_that_a_choice_of_what_is_no_release_of_the_study_is_refused_in_a_session(study, series):
    document = session_file.as_json(Session.of(all_studies()[study], {}))
    document["studies"][study]["chosen"] = series
    with pytest.raises(SessionError, match=rf"unknown series .+: those that {study} lets be chosen are "):
        session_file.from_json(document)


def test_that_a_pin_of_one_series_comes_back_as_such_and_of_one_that_there_is_not_is_refused():
    kept = session_file.load(OLD / "format-4.dpstudio")
    assert [(pin.study.epsilon, pin.only) for pin in kept.state().pins] == [
        (0.1, None), (0.5, None), (0.4, "gaussian"), (0.3, None)]
    document = session_file.as_json(kept)
    document["studies"]["decision"]["pins"][2]["only"] = "nobody"
    with pytest.raises(SessionError, match="unknown series 'nobody': those of decision are laplace, cutoff"):
        session_file.from_json(document)


def test_that_whom_one_fears_comes_back_from_the_first_format_that_says_it():
    kept = session_file.load(OLD / "feared-7.dpstudio")
    assert (kept.study_class, kept.study.epsilon, kept.study.minimum) == (DECISION, 0.2, 700)
    assert set_of(kept.attacker) == {"attacker": "name", "candidates": 50, "false_alarms": 0.02,
                                      "profile": "0.01:0.05,0.1:0.3", "exception": 1e-6}
    assert kept.study.attacker == "name"
    assert session_file.load(OLD / "format-6.dpstudio").attacker == Attacker()


@pytest.mark.parametrize(("given", "sentence"), [
    ([], "attacker must be an object of attacker, presence_prior, candidates, "), ({"spy": 1}, "unknown key 'spy'"),
    ({"candidates": 1}, "candidates must be an integer in [2, 9007199254740992], got 1"),
    ({"attacker": 3}, "attacker must be one of nobody, membership, name, attribute, reconstruction, got 3"),
    ({"profile": "0.5:0.1"}, "profile must be"),
])
def test_that_an_attacker_that_is_none_is_refused_in_one_sentence(given, sentence):
    document = json.loads((OLD / "feared-7.dpstudio").read_text(encoding="utf-8"))
    with pytest.raises(SessionError, match=re.escape(sentence)) as refused:
        session_file.read(json.dumps(document | {"attacker": given}))
    assert "\n" not in str(refused.value)


def test_that_an_older_format_fears_nobody():
    document = json.loads((OLD / "format-6.dpstudio").read_text(encoding="utf-8"))
    with pytest.raises(SessionError, match="unknown key 'attacker'"):
        session_file.read(json.dumps(document | {"attacker": {"attacker": "name"}}))


def test_that_a_session_that_names_pictures_which_a_study_has_no_longer_opens_without_them():
    neighbours = all_studies()["neighbours"]
    document = json.loads(session_file.text(Session.of(neighbours)))
    one = document["studies"]["neighbours"]
    one["figures"] = {"errors": "clamping", "large": "bias", "beside": "linkage"}
    one["views"] = {"counts": [0.0, 9.0]}
    one["picture_notes"] = [{"figure": "errors", "text": "Too large", "at": [2.0, 0.5]}]
    state = session_file.read(json.dumps(document)).state(neighbours)
    assert state.figures == {"beside": "linkage"}
    assert state.views == {}
    assert [(each.figure, each.text, each.at) for each in state.picture_notes] == [("histogram", "Too large", None)]
    one["figures"] = {"errors": "gone"}
    with pytest.raises(SessionError, match="unknown figure"):
        session_file.read(json.dumps(document))
