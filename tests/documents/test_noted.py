"""What is noted of a study comes back with its session, and tells nothing of counts that are left out."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpstudio.core.declare import InvalidParameter
from dpstudio.data.origin import Origin
from dpstudio.documents import session_file
from dpstudio.documents.about import FIELDS
from dpstudio.documents.codec import SessionError
from dpstudio.documents.noted import LONGEST_ON_COVER, LONGEST_ON_PICTURE, Cover, PictureNote, Solved, SweepAsked
from dpstudio.documents.session import Session
from dpstudio.documents.setting import setting
from dpstudio.documents.state import LONGEST_NAME, LONGEST_NOTE, LONGEST_OF_SNAPSHOT
from dpstudio.studies import all_studies

DECISION = all_studies()["decision"]
COUNTED = Origin("people.csv", "", "age >= 65", counts=("records",), exact=True)
WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
WANT = "band_width@laplace <= 500"


def noted(session: Session, text: str = "why", x: float = 1.5) -> Session:
    """A session with something of each kind."""
    now = session.state().setting
    session = session.having(picture_notes=(PictureNote("acceptance", text, (x, 0.5)), PictureNote("tails", text)))
    session = session.keep_solved(Solved((WANT,), ("epsilon",), now, {"epsilon": (0.01, 1.0)}))
    session = session.having(sweeps=(SweepAsked(("epsilon=0.1:1:4:log",), (("band_width", "laplace"),), now),
                                  SweepAsked(("seed=0,1",), (("accepted_fraction", "laplace"),), now, True),))
    line = " ".join(text.split())
    about = {"name": line, "spent": text, "model": "Central", "published": "2026-01-01"}
    session = session.having(cover=Cover(text, text, text, text, "2026"), about=about, note=text)
    return session.keep("first " + text, text, "2026-01-02")


@given(WORDS, st.floats(-1e290, 1e290), st.floats(0.01, 5))
def test_that_what_is_noted_comes_back_with_its_session(text, x, epsilon):
    session = noted(Session.of(DECISION, {"epsilon": epsilon}), text, x)
    written = session_file.text(session)
    assert session_file.text(session_file.read(written)) == written


def test_that_a_snapshot_brings_back_values_and_pins_and_leaves_what_is_noted():
    session = noted(Session.of(DECISION, {"epsilon": 0.25}).pin())
    later = session.set("epsilon", 3.0).unpin().having(note="later")
    back = later.come_back(later.state().snapshots[0])
    assert back.explicit == {"epsilon": 0.25}
    assert (back.state().pins, back.state().note) == (session.state().pins, "later")
    assert not session.state().snapshots[0].state.snapshots


def test_that_a_snapshot_of_the_same_name_takes_the_place_of_the_former():
    session = Session.of(DECISION).keep("a").set("epsilon", 0.5).keep("b").keep("a")
    found = [(one.name, one.state.setting.study.epsilon) for one in session.state().snapshots]
    assert found == [("b", 0.5), ("a", 0.5)]


def test_that_the_same_question_is_kept_once_as_it_was_answered_last():
    now, then = (setting(DECISION, {"epsilon": each}) for each in (0.1, 0.2))
    kept = Session.of(DECISION).keep_solved(*(Solved((WANT,), ("epsilon",), each) for each in (now, then)))
    assert [each.setting for each in kept.state().solved] == [then]


@given(st.integers(1_234_567, 10**9 - 1))
def test_that_a_snapshot_alone_tells_no_count_that_is_left_out(count):
    session = Session.of(DECISION).take({"records": count}, COUNTED).look("records", (count - 10.0, count + 10.0))
    session = session.keep("then").reset("records").look_away("records").having(note=f"{count} people")
    assert session.state().holds_counts
    left = session.leaving(exact=False).state()
    assert str(count) not in session_file.text(session.leaving(exact=False))
    assert not left.snapshots[0].state.views
    assert str(count) in session_file.text(session.leaving(exact=True))


@pytest.mark.parametrize("change", [
    lambda state: replace(state, note="other"), lambda state: replace(state, picture_notes=()),
    lambda state: replace(state, snapshots=()), lambda state: replace(state, solved=()),
    lambda state: replace(state, sweeps=()), lambda state: replace(state, cover=Cover()),
    lambda state: replace(state, about={}),
])
def test_that_a_loss_of_anything_noted_is_a_loss(change):
    state = noted(Session.of(DECISION)).state()
    assert state.differs(change(state))
    assert not state.differs(replace(state, hidden=frozenset({"x"}), views={"records": (1, 2)}))


@given(st.integers(1_234_567, 10**9 - 1))
def test_that_nothing_noted_tells_a_count_that_is_left_out(count):
    session = noted(Session.of(DECISION).set("epsilon", 0.7).take({"records": count}, COUNTED), f"it is {count:,} now")
    study = session.state().setting
    session = session.keep_solved(Solved((f"rejection@laplace at records={count} <= 0.1",), ("epsilon",), study),
                                  Solved(("acceptance@laplace >= 0.5",), ("records",), study),
                                  Solved(("threshold@laplace <= 7",), ("epsilon",), study))
    session = session.having(sweeps=(SweepAsked((f"records=1:{3 * count}:3",), (("acceptance", "laplace"),), study),))
    left = session.leaving(exact=False)
    written = session_file.text(left)
    assert str(count) not in written
    assert f"{count:,}" not in written
    assert not left.state().solved, "what is wanted begins as the present value"
    assert not left.state().sweeps
    assert all(note.at is None for note in left.state().picture_notes)
    assert left.state().snapshots[0].state.setting.study.records != count
    assert str(count) in session_file.text(session.leaving(exact=True))


def test_that_the_fullest_session_can_be_read_again(tmp_path):
    """The widest signs, ten studies, everything as often as it may be."""
    wide = "\U0001f600"
    session = Session.of(DECISION)
    for study in all_studies().values():
        session = session.turn(study)
        name = next(each.name for each in study.parameters() if each.is_number)
        for i in range(9):
            session = session.set(name, 1 + i / 7 if not study.parameter(name).domain.integer else 1 + i).pin()
        now, figure = session.state().setting, study.figures[0].key
        session = session.having(note=wide * LONGEST_NOTE, picture_notes=tuple(
            [PictureNote(figure, wide * LONGEST_ON_PICTURE, (math.pi, math.e))] * 30))
        session = session.having(cover=Cover(*[wide * LONGEST_ON_COVER] * 5), about={
            key: wide * field.kind.longest for key, field in FIELDS.items() if field.is_words})
        for i in range(20):
            session = session.keep(f"{i}".rjust(LONGEST_NAME, wide), wide * LONGEST_OF_SNAPSHOT, "2026-11-22T12:00")
        key, of = next(place for place, each in study.answers().index().items() if not each.simulated)
        want = f"{key}@{of} <= " if of else f"{key} <= "
        session = session.keep_solved(*(Solved((f"{want}{i}",) * 20, (name,), now, {name: (0.0, float(i))})
                                        for i in range(20)))
    session_file.save(tmp_path / "full.dpstudio", session)
    assert session_file.text(session_file.load(tmp_path / "full.dpstudio")) == session_file.text(session)


def test_that_a_session_that_nobody_could_read_is_not_written(tmp_path, monkeypatch):
    session_file.save(tmp_path / "a.dpstudio", Session.of(DECISION))
    monkeypatch.setattr(session_file, "LARGEST_SESSION", 2000)
    large = Session.of(DECISION).having(note="x" * 2000)
    for session, advice in ((large, "shorten lists and texts"), (large.pin(), "remove pins"),
                            (large.pin().keep("a"), "remove snapshots")):
        with pytest.raises(SessionError, match=f"than 2000: {advice}$"):
            session_file.save(tmp_path / "a.dpstudio", session)
    assert "xxx" not in (tmp_path / "a.dpstudio").read_text()


@pytest.mark.parametrize(("make", "why"), [
    (lambda now: PictureNote("acceptance", "x", (math.inf, 0)).check(DECISION), "two finite numbers"),
    (lambda now: Solved((WANT,), ("epsilon",), now, {"epsilon": (2.0, 1.0)}).check(DECISION), "its lower end first"),
    (lambda now: Solved((WANT,), ("epsilon", "epsilon"), now).check(DECISION), "one parameter or two"),
    (lambda now: Solved((WANT,), ("epsilon", "delta", "minimum"), now).check(DECISION), "one parameter or two"),
    (lambda now: SweepAsked((), (("acceptance", "laplace"),), now).check(DECISION), "one parameter or two"),
    (lambda now: SweepAsked(("epsilon=1:2:3",), (("hits", "laplace"),), now).check(DECISION), "hits"),
])
def test_that_what_cannot_be_kept_is_refused_in_a_sentence(make, why):
    with pytest.raises(InvalidParameter, match=why):
        make(setting(DECISION, {}))


def test_that_a_session_of_before_has_nothing_noted():
    document = json.loads(session_file.text(Session.of(DECISION, {"epsilon": 0.5}))) | {"format": 4}
    state = session_file.from_json(document).state()
    assert (state.picture_notes, state.snapshots, state.solved, state.sweeps, state.cover, state.about) == (
        (), (), (), (), Cover(), {})
