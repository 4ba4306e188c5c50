"""What a person decided for: a series of the study, kept with the session, and what is handed over from it."""

from __future__ import annotations

import pytest

from dpstudio.cli import main
from dpstudio.core.declare import InvalidParameter
from dpstudio.documents import session_file
from dpstudio.documents.noted import Cover
from dpstudio.documents.session import Session
from dpstudio.studies import all_studies

DECISION, NOISE = all_studies()["decision"], all_studies()["noise"]


@pytest.mark.parametrize("kind", all_studies().values(), ids=all_studies())
def test_that_whatever_can_be_chosen_comes_back_from_a_file(kind):
    for series in kind().answer().choices:
        session = Session.of(kind).decide(series.key).having(cover=Cover(reason="because"))
        assert session_file.read(session_file.text(session)) == session
        assert session.state().differs(Session.of(kind).having(cover=Cover(reason="because")).state())


def test_that_a_choice_is_of_its_study_and_stays_while_values_move_and_not_with_a_snapshot():
    session = Session.of(DECISION).decide("gaussian").turn(NOISE)
    assert session.state().chosen is None
    session = session.decide("laplace").turn(DECISION).keep("before").set("epsilon", 0.5)
    assert (session.state(DECISION).chosen, session.state(NOISE).chosen) == ("gaussian", "laplace")
    (kept,) = session.state().snapshots
    assert kept.state.chosen is None
    assert session.decide(None).come_back(kept).state().chosen is None
    assert session.come_back(kept).state().chosen == "gaussian"


def test_that_what_is_refused_leaves_what_was_chosen():
    session = Session.of(DECISION).decide("laplace")
    with pytest.raises(InvalidParameter, match="choose must be one of laplace, cutoff, generalized, gaussian, matched"):
        session.decide("nothing")
    assert session.state().chosen == "laplace"


def test_that_code_is_of_the_series_that_was_chosen_unless_another_is_named(tmp_path, capsys):
    def code(*further: str) -> str:
        assert main(["code", str(path), "--library", "opendp", *further]) == 0
        return capsys.readouterr().out

    path = tmp_path / "mine.dpstudio"
    session_file.save(path, Session.of(NOISE).decide("gaussian"))
    chosen = code()
    assert chosen == code("--series", "gaussian") == code("--choose", "gaussian")
    assert chosen != code("--series", "laplace") == code("--choose", "laplace")
    assert "gaussian" in chosen


def test_that_code_of_nothing_chosen_asks_for_a_series(capsys):
    assert main(["code", "noise", "--library", "opendp"]) == 2
    assert "series must be one of laplace, geometric" in capsys.readouterr().err
