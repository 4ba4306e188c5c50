"""`dpstudio report`: the same bytes as the package gives, with the words of the first page; and its refusals."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from report_kit import FEW, MEAN, NOISE, full

from dpstudio.cli import main
from dpstudio.data.origin import Origin
from dpstudio.documents import report, session_file
from dpstudio.documents.about import FIELDS
from dpstudio.documents.noted import Cover
from dpstudio.documents.session import Session
from dpstudio.studies import all_studies

DECISION = all_studies()["decision"]


def test_that_a_study_is_reported_with_the_words_that_flags_give(tmp_path, capsys):
    path = tmp_path / "mean.html"
    status = main(["report", "mean", "--set", "trials=2000", "--output", str(path), "--question", "Whom to trust?",
                   "--choice", "A curator", "--reason", "Fewer people", "--by", "Privacy office",
                   "--date", "2026-11-22", "--no-values", "--appendix", "none"])
    assert (status, *capsys.readouterr()) == (0, "", "")
    cover = Cover("Whom to trust?", "A curator", "Fewer people", "Privacy office", "2026-11-22")
    session = Session.of(MEAN, FEW).having(cover=cover)
    assert path.read_bytes() == report.made("html", session, report.ReportChoice(appendix="none", values=False))


def test_that_the_help_names_each_appendix_and_the_usual_one_is_that_of_the_window(capsys):
    assert main(["report", "--help"]) == 0
    told = capsys.readouterr().out
    assert f"--appendix {'|'.join(report.APPENDICES)}" in told
    assert f"{report.USUAL_APPENDIX}, unless something else is said" in " ".join(told.split())


def test_that_a_report_on_the_command_line_has_the_studies_that_the_window_would_tick(tmp_path):
    session = Session.of(NOISE, {"trials": 1_000}).decide("laplace").turn(DECISION).set("trials", 2_000).turn(MEAN)
    session = session.set("trials", 2_000)
    file, path = tmp_path / "mine.dpstudio", tmp_path / "mine.html"
    session_file.save(file, session)
    assert main(["report", str(file), "--output", str(path)]) == 0
    assert path.read_bytes() == report.made("html", session, report.ReportChoice(studies=(MEAN, NOISE)))


def test_that_the_session_of_the_first_page_makes_its_report(tmp_path):
    session = session_file.load(Path(__file__).parents[1] / "docs" / "example.dpstudio")
    assert not session.state().differs(session_file.read(session_file.text(session)).state())
    made = report.made("html", session,
                       report.ReportChoice(figures={"decision": ("acceptance",)}, values=False)).decode()
    for words in (*session.state().cover.question.split(), "the figure in hand", "Solved for: question 1", "Sweep 1"):
        assert words in made


def test_that_a_session_is_reported_with_what_it_holds_and_another_value(tmp_path):
    session = full().turn(NOISE).set("trials", 1_000).turn(MEAN)
    file, path = tmp_path / "mine.dpstudio", tmp_path / "mine.pdf"
    session_file.save(file, session)
    assert main(["report", str(file), "--set", "epsilon=0.5", "--studies", "mean", "--choice", "none", "--output",
                 str(path)]) == 0
    changed = session.set("epsilon", 0.5)
    changed = changed.having(cover=Cover("Q why", "none", "R why", "W why", "2026-11-22"))
    assert path.read_bytes() == report.made("pdf", changed, report.ReportChoice(studies=(MEAN,)))


def test_that_a_value_that_is_given_takes_the_place_of_a_count(tmp_path, capsys):
    origin = Origin("people.csv", "", "age >= 65", counts=("records",))
    session = Session.of(DECISION, FEW).take({"records": 4_711}, origin)
    file = tmp_path / "counted.dpstudio"
    session_file.save(file, session.leaving(True))
    flags = ["--output", str(tmp_path / "counted.html"), "--no-values"]
    assert main(["report", str(file), *flags]) == 0
    assert "exact and sensitive" in capsys.readouterr().err
    assert "4\u202f711" in (tmp_path / "counted.html").read_text("utf-8")
    assert main(["report", str(file), "--set", "records=5000", *flags]) == 0
    assert capsys.readouterr().err == ""
    text = (tmp_path / "counted.html").read_text("utf-8")
    assert "4\u202f711" not in text
    assert "4711" not in text
    assert "counted in people’s data, and sensitive" not in text


def test_that_what_is_stated_of_a_release_is_given_by_flags_in_the_place_of_what_the_session_says(tmp_path, capsys):
    session = Session.of(NOISE, {"trials": 1_000}).decide("laplace").having(about={"name": "Old", "model": "Local",
                                                                                  "notes": "x = 1"})
    file, path = tmp_path / "mine.dpstudio", tmp_path / "mine.html"
    session_file.save(file, session)
    flags = ["--about", "name= New ", "--about", "model=central", "--about", "notes=", "--about", "spent=ε = 1"]
    assert main(["report", str(file), "--output", str(path), *flags]) == 0
    told = session.having(about={"name": "New", "model": "Central", "spent": "ε = 1"})
    assert path.read_bytes() == report.made("html", told)
    assert capsys.readouterr().err == ""
    assert main(["report", str(file), "--output", str(path), "--no-words", *flags[:2]]) == 0
    assert path.read_bytes() == report.made("html", session.having(about={"name": "New", "model": "Local"}))


def test_that_an_entry_of_the_registry_is_written_and_its_tier_and_a_name_that_is_not_taken_are_told(tmp_path, capsys):
    path = tmp_path / "Mine.yaml"
    assert main(["report", "noise", "--choose", "laplace", "--about", "published=2026-11-22", "--output",
                 str(path)]) == 0
    session = Session.of(NOISE).decide("laplace").having(about={"published": "2026-11-22"})
    assert path.read_bytes() == report.made("yaml", session)
    out, err = capsys.readouterr()
    assert out == ""
    first, second = err.splitlines()
    assert first.startswith("dpstudio: An entry of tier 1 of 3; for tier 2 state name, curators, ")
    assert second.startswith("dpstudio: the registry takes names of lowercase letters")


def test_that_the_help_and_the_docs_name_every_field_about_the_release(capsys):
    assert main(["report", "--help"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert ", ".join(FIELDS) in re.sub(r"[;]", ",", told.partition("fields of --about are ")[2].replace(" and ", " "))
    docs = (Path(__file__).parents[1] / "docs" / "command-line.md").read_text("utf-8")
    assert all(f"`{key}`" in docs for key in FIELDS)


@pytest.mark.parametrize(("arguments", "said"), [
    (["mean"], "--output is missing"),
    (["mean", "--output", "report.docx"],
     "output must be a file name that ends in .pdf, .html or .yaml, got 'report.docx'"),
    (["--output", "report.pdf"], "give either a STUDY or --session FILE"),
    (["men", "--output", "report.pdf"], "unknown study 'men'"),
    (["mean", "--output", "report.pdf", "--studies", "mean,nois"], "unknown study 'nois'"),
    (["mean", "--output", "report.pdf", "--set", "epsilon=-1"], "epsilon must be in [0.0001, 20], got -1.0"),
    (["mean", "--output", "report.pdf", "--set", "epsilon"], "--set must be NAME=VALUE"),
    (["mean", "--output", "report.pdf", "--set", "epsilon=1", "--set", "epsilon=2"], "epsilon is set twice"),
    (["mean", "--output", "report.pdf", "--appendix", "some"],
     "appendix must be one of none, facts, all, got 'some'"),
    (["mean", "--output", "report.pdf", "--choice", "x" * 3000], "the choice on a cover must be a text of at most"),
    (["mean", "--output", "report.pdf", "--choose", "Laplace"],
     "choose must be one of response, laplace, geometric, gaussian, shuffled, got 'Laplace'"),
    (["mean", "--output", "report.pdf", "--choose", ""], "choose must be one of response, laplace"),
    (["noise", "--output", "report.pdf", "--choose", "gaussian", "--set", "delta=0"],
     "got 'gaussian' (there is none at these settings)"),
    (["decision", "--output", "report.pdf", "--choose", "discrete_laplace"],
     "got 'discrete_laplace' (it is compared with others=discrete)"),
    (["noise", "--output", "report.pdf", "--choose", "printed"], "got 'printed' (it is no release of its own)"),
    (["posterior", "--output", "report.pdf", "--choose", "truth"],
     "choose must be one of naive, clamped, aware, got 'truth' (it is no release of its own)"),
    (["mean", "--output", "report.pdf", "--about", "model"], "--about must be FIELD=VALUE, got 'model'"),
    (["mean", "--output", "report.pdf", "--about", "modle=Central"], "unknown field 'modle': the fields"),
    (["mean", "--output", "report.pdf", "--about", "unit=a", "--about", "unit=b"], "unit is stated twice, as a"),
    (["mean", "--output", "report.pdf", "--about", "model=none"],
     "model must be one of Central, Local, Shuffle, Federated, got 'none'"),
    (["mean", "--output", "report.pdf", "--about", "unit=a\nb"], "unit must be one line of at most 120 signs"),
    (["mean", "--output", "report.pdf", "--about", "published=2026-11-31"], "published must be a day such as 2026"),
    (["mean", "--output", "report.yaml"], "published must be a day stated about the release"),
    (["audit", "--output", "report.pdf", "--choose", "law"], "choose must be left out, for nothing is compared"),
])
def test_that_a_bad_request_is_refused_in_one_line(arguments, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["report", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert said in err
    assert not list(tmp_path.iterdir())


def test_that_a_place_that_is_none_is_a_failure_in_one_line(capsys, tmp_path):
    assert main(["report", "mean", "--set", "trials=2000", "--output", str(tmp_path / "no" / "report.html")]) == 1
    assert capsys.readouterr().err.count("\n") == 1
