"""What is in view comes back with a session, also from those of the time when every place was in view."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpstudio.documents import session_file
from dpstudio.documents.codec import SessionError
from dpstudio.documents.in_view import CURVES, FACTS, MORE, PARAMETERS, folded, left_out
from dpstudio.documents.session import Session
from dpstudio.studies import all_studies
from dpstudio.studies.decision import MATCHED, Decision

KINDS = list(all_studies().values())


@settings(max_examples=60)
@given(data=st.data())
def test_that_any_two_pictures_in_view_come_back_from_a_file(data):
    kind = data.draw(st.sampled_from(KINDS))
    large, beside = data.draw(st.permutations([figure.key for figure in kind.figures]))[:2]
    session = Session(kind, {kind: Session.of(kind, {}).state()}).see(large, beside)
    assert session.state().in_view == (large, beside)
    assert session_file.read(session_file.text(session)).state().in_view == (large, beside)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.key)
def test_that_what_is_seen_first_is_in_view_until_somebody_chooses(kind):
    first = kind.level_one
    assert Session.of(kind, {}).state().in_view == (first.large, first.beside[0])


def test_that_a_picture_chosen_in_a_place_of_an_older_session_is_in_view():
    session = Session.of(Decision, {})
    assert session.choose("loss", "belief").state().in_view == ("acceptance", "belief")
    assert session.choose("acceptance", "tails").state().in_view[0] == "tails"
    assert session.choose("loss", "belief").choose("errors", "errors_log").state().in_view == (
        "acceptance", "errors_log")
    exchanged = session.see("loss", "acceptance")
    assert exchanged.open(session.choose("loss", "belief"), whole=False).state().in_view == ("acceptance", "belief"), (
        "what a picture brings is in view")
    assert exchanged.carried().state().figures == {}


def test_that_everything_is_open_of_which_an_older_session_made_use_unless_a_hand_said_otherwise():
    assert Session.of(Decision, {}).state().opened == frozenset()
    assert Session.of(Decision, {"epsilon": 0.2}).state().opened == frozenset(), "it is seen first"
    used = Session.of(Decision, {"seed": 7}).having(hidden=frozenset({"gaussian"}))
    assert used.state().opened == {PARAMETERS, CURVES}
    assert used.open_up(FACTS).state().opened == {FACTS}
    assert session_file.read(session_file.text(used.open_up(FACTS))).state().opened == {FACTS}
    assert used.open_up(*MORE).state().opened == set(MORE)
    assert "more" not in session_file.text(used), "a session says it only where a hand did"


def test_that_a_snapshot_made_while_more_was_open_leaves_a_file_that_is_read_again():
    session = Session.of(Decision, {"epsilon": 0.2}).open_up(*MORE).keep("first")
    read = session_file.read(session_file.text(session)).state()
    assert (read.more, [each.name for each in read.snapshots]) == (frozenset(MORE), ["first"])
    written = json.loads(session_file.text(session))
    written["studies"]["decision"]["snapshots"][0]["state"]["more"] = [FACTS]  # as there are files
    read = session_file.from_json(written).state()
    assert (read.setting.study.epsilon, read.more) == (0.2, frozenset(MORE))


def test_that_a_session_that_opens_what_there_is_not_is_refused():
    document = json.loads(session_file.text(Session.of(Decision, {})))
    document["studies"]["decision"]["more"] = ["everything"]
    with pytest.raises(SessionError, match="more must be a list of parameters, facts"):
        session_file.from_json(document)


def test_that_further_curves_are_left_out_of_what_is_seen_first_and_of_no_other_picture():
    assert MATCHED.key in folded(Decision)
    state = Session.of(Decision, {}).state()
    assert MATCHED.key in state.unseen(Decision.figure("acceptance"))
    assert state.unseen(Decision.figure("simulation")) == frozenset(), "it is a further picture"
    assert Session.of(Decision, {}).open_up(CURVES).state().unseen(Decision.figure("acceptance")) == frozenset()
    pinned = state.setting
    assert MATCHED.key not in Session.of(Decision, {}).pin(pinned.varied({}, MATCHED.key)).state().unseen(
        Decision.figure("acceptance")), "who pins a curve wants to see it"
    for kind in KINDS:
        for figure in kind.figures:
            drawn = {one.key for one in figure.drawn()}
            assert drawn - left_out(figure, kind, folded(kind)) or not drawn, (kind.key, figure.key)
