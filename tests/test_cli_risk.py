"""Whom one fears, on the command line: the same flags and names everywhere, and one sentence for what is none."""

from __future__ import annotations

import csv
import io
import json
import math

import pytest

from dpstudio.cli import main
from dpstudio.core.attacker import Attacker
from dpstudio.core.study import guarantees
from dpstudio.studies import all_studies

RISK = {"risk_success", "risk_found", "risk_belief", "risk_advantage", "risk_usual", "risk_after", "risk_of_records"}


def said(capsys, *words):
    """What a command prints, as JSON."""
    assert main(list(words)) == 0, capsys.readouterr().err
    return json.loads(capsys.readouterr().out)


def refused(capsys, *words):
    """The one line with which a command is refused."""
    assert main(list(words)) == 2
    out, err = capsys.readouterr()
    assert not out
    (line,) = err.splitlines()
    return line.removeprefix("dpstudio: ")


def facts(made):
    return {(fact["key"], fact["mechanism"]): fact for fact in made["facts"]}


@pytest.mark.parametrize("key", all_studies())
def test_every_series_with_a_guarantee_has_the_facts_of_whom_one_fears_and_none_where_nobody_is(key, capsys):
    plain = said(capsys, "compute", key, "--no-simulation", "--format", "json")
    assert not [fact["key"] for fact in plain["facts"] if fact["key"].startswith("risk_")]
    feared = facts(said(capsys, "compute", key, "--no-simulation", "--format", "json", "--attacker", "membership:0.5",
                        "--false-alarms", "0.01"))
    for series in guarantees(all_studies()[key]()):
        kinds = {feared[each, series]["kind"] for each in RISK}
        assert kinds <= {"exact", "bound"}, series
    assert feared["risk_before", None]["value"] == 0.5


@pytest.mark.parametrize(("attacker", "laplace", "before"), [
    ("membership:0.5", (2 - math.exp(-0.5)) / 2, 0.5), ("membership:0.9", 0.9, 0.9), ("name:1000", math.e / 1000, 1e-3),
    ("reconstruction:1e-4", math.e * 1e-4, 1e-4), ("attribute:0.5", 1 - math.exp(-1) / 2, 0.5),
])
def test_success_is_that_of_laplace_noise_in_closed_form(attacker, laplace, before, capsys):
    found = facts(said(capsys, "compute", "noise", "--no-simulation", "--attacker", attacker, "--format", "json"))
    assert found["risk_success", "laplace"]["value"] == pytest.approx(laplace, rel=1e-12)
    assert found["risk_before", None]["value"] == pytest.approx(before, rel=1e-15)


@pytest.mark.parametrize(("flags", "sentence"), [
    (("--attacker", "membership:0"), "presence_prior must be in (0, 1), got 0.0 (whoever is certain beforehand learns "
     "nothing)"),
    (("--attacker", "membership:1"), "presence_prior must be in (0, 1), got 1.0 (whoever is certain beforehand learns "
     "nothing)"),
    (("--attacker", "name:1"), "candidates must be an integer in [2, 9007199254740992], got 1 (of one candidate the "
     "name is known)"),
    (("--attacker", "reconstruction:2"), "guessed_before must be in (0, 1), got 2.0 (what is guessed for certain needs "
     "no release)"),
    (("--false-alarms", "0"), "false_alarms must be in (0, 1), got 0.0 (whoever accuses nobody finds nobody, but with "
     "a probability of δ)"),
    (("--attacker", "spy"), "attacker must be membership:π* | name:M | attribute:p* | reconstruction:b*, got 'spy'"),
    (("--attacker", "membership:0.5", "--set", "attacker=name"), "attacker is given by --set and by a flag of its own: "
     "one of the two would be ignored"),
])
def test_what_is_no_attacker_is_refused_in_one_sentence_with_what_holds(flags, sentence, capsys):
    assert refused(capsys, "compute", "noise", *flags) == sentence


def test_a_batch_a_sweep_and_a_solution_say_the_same_risk_by_the_same_names(capsys, tmp_path):
    asked = {"study": "noise", "attacker": "membership:0.5", "false_alarms": 0.01, "facts": ["risk_success@laplace"]}
    file = tmp_path / "asked.jsonl"
    file.write_text("\n".join(map(json.dumps, (asked, asked | {"attacker": "name:1"}, asked | {"attacker": True}))))
    assert main(["compute", "--batch", str(file)]) == 0
    first, bad, worse = map(json.loads, capsys.readouterr().out.splitlines())
    success = (2 - math.exp(-0.5)) / 2
    assert first["facts"][0]["value"] == pytest.approx(success, rel=1e-12)
    assert bad["error"].startswith("candidates must be")
    assert worse["error"] == "attacker must be a text or a number, got True"
    assert main(["sweep", "noise", "--over", "epsilon=0.5,1", "--facts", "risk_success@laplace", "--attacker",
                 "membership:0.5"]) == 0
    rows = [row for row in csv.reader(io.StringIO(capsys.readouterr().out)) if not row[0].startswith("#")]
    assert float(rows[-1][-1]) == pytest.approx(success, rel=1e-12)
    assert main(["solve", "noise", "--want", "risk_success@laplace <= 0.6", "--for", "epsilon", "--attacker",
                 "membership:0.5", "--format", "json"]) == 0
    solved = json.loads(capsys.readouterr().out)
    assert solved["solved"]["epsilon"] == pytest.approx(-2 * math.log(0.8), rel=1e-9), "the greatest that keeps it"
    assert solved["parameters"]["attacker"] == "membership"


def test_the_risk_of_a_guarantee_and_of_a_report_is_that_of_whom_one_fears(capsys, tmp_path):
    made = said(capsys, "guarantee", "noise", "--series", "laplace", "--format", "json", "--attacker", "name:100")
    assert made[0]["risk"].replace("\u202f", " ").startswith(
        "Of 10 000 guesses which of 100 people it is, on average 100 are right")
    page = tmp_path / "page.html"
    assert main(["report", "noise", "--attacker", "name:100", "--choose", "laplace", "--output", str(page)]) == 0
    assert "guesses which of 100 people it is" in page.read_text(encoding="utf-8").replace("\u202f", " ")


def test_a_session_says_whom_one_fears_and_flags_change_it(capsys, tmp_path):
    from dpstudio.documents import session_file
    from dpstudio.documents.session import Session

    kept = tmp_path / "mine.dpstudio"
    noise = all_studies()["noise"]
    session_file.save(kept, Session.of(noise, {"epsilon": 1.0, "attacker": "name", "candidates": 50}))
    found = said(capsys, "compute", str(kept), "--no-simulation", "--format", "json")
    assert found["parameters"]["attacker"] == "name"
    assert facts(found)["risk_success", "laplace"]["value"] == pytest.approx(math.e / 50, rel=1e-12)
    other = said(capsys, "compute", str(kept), "--no-simulation", "--format", "json", "--attacker", "name:20")
    assert facts(other)["risk_success", "laplace"]["value"] == pytest.approx(math.e / 20, rel=1e-12)


def test_every_parameter_of_an_attacker_stands_behind_those_of_each_study():
    for study in all_studies().values():
        names = list(study.by_name())
        assert names[-len(Attacker.by_name()):] == list(Attacker.by_name()), study.key
