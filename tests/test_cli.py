"""The command line: what it prints, what it refuses, and how it ends."""

from __future__ import annotations

import csv
import ctypes
import io
import json
import math
import os
import signal
import subprocess
import sys
from functools import partial
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from settings_kit import held

from dpstudio import __version__
from dpstudio.cli import main, window
from dpstudio.cli.batch import LONGEST, answer
from dpstudio.cli.request import computed, requested
from dpstudio.core.study import answer as answer_of
from dpstudio.data.origin import Origin
from dpstudio.documents import session_file, tables
from dpstudio.documents.session import Session
from dpstudio.studies import all_studies

DECISION, RESPONSE = all_studies()["decision"], all_studies()["response"]
OLD = Path(__file__).parent / "documents" / "sessions"
EXACT = ("compute", "response", "--no-simulation")  # whose tables take no time


@pytest.fixture
def run(capsys):
    """Run the command line here: its status, standard output and standard error."""

    def runner(*arguments):
        status = main([str(argument) for argument in arguments])
        return status, *capsys.readouterr()

    return runner


def start(*arguments, **options):
    """Run it as a shell does."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)} | options.pop("environment", {})
    if os.name == "posix":  # tests that run behind a shell's & inherit that interruptions are ignored
        options.setdefault("preexec_fn", partial(signal.signal, signal.SIGINT, signal.SIG_DFL))
    return subprocess.Popen([sys.executable, "-m", "dpstudio", *map(str, arguments)], stdout=options.pop("stdout", -1),
                            stderr=-1, text=True, env=environment, **options)


def ended(process):
    out, err = process.communicate(timeout=240)
    return process.returncode, out, err


def refused(result, *words):
    """That it was refused in exactly one line that says so."""
    status, out, err = result
    assert (status, out) == (2, "")
    assert err.startswith("dpstudio: ")
    assert err.count("\n") == 1
    for word in words:
        assert word in err
    return True


def test_that_list_names_every_study_and_a_study_every_parameter_and_picture(run):
    status, out, err = run("list")
    assert (status, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()] == list(all_studies())
    _, out, _ = run("list", "response")
    assert sum("Used only where design is" in line for line in out.splitlines()) == 3
    _, out, _ = run("list", "decision")
    for declared in DECISION.parameters():
        line = next(line for line in out.splitlines() if line.split()[:1] == [declared.name])
        assert str(declared.domain) in line
        assert declared.quantity.sentence in line
    assert "conservative = 0.01" in out
    assert "0.1 × minimum" in out
    assert all(f"  {figure.key} " in out for figure in DECISION.figures)
    assert DECISION.neighbours.sentence[1:] in out


@pytest.mark.parametrize("key", all_studies())
def test_that_a_study_is_listed_as_plain_data_with_what_is_seen_first(run, key):
    status, out, err = run("list", key, "--format", "json")
    kind, found = all_studies()[key], json.loads(out)
    assert (status, err) == (0, "")
    assert list(found) == ["study", "question", "door", "parameters", "pictures", "facts", "series"]
    assert [each["name"] for each in found["parameters"]] == [each.name for each in kind.parameters()]
    assert kind(**{each["name"]: each["default"] for each in found["parameters"] if each["default"] is not None}
                ).values() == kind().values()
    assert {each["key"] for each in found["facts"]} == {key for key, _ in kind.answers().index()}
    assert {each["name"] for each in found["pictures"] if each["level"] == 1} == {
        kind.level_one.large, *kind.level_one.beside}
    assert {each["name"] for each in found["parameters"] if each["level"] == 1} == set(kind.level_one.parameters)
    assert {each["key"] for each in found["facts"] if each["level"] == 1} == {
        quantity.key for quantity in kind.level_one.facts}
    assert {each["key"] for each in found["series"] if each["level"] == 1} == {
        each.key for each in kind.level_one.series}
    per_series = {key for key, of in kind.answers().index() if of is not None}
    assert {each["key"] for each in found["facts"] if each["each"]} <= per_series


def test_that_all_studies_are_listed_as_plain_data(run):
    assert [each["study"] for each in json.loads(run("list", "--format", "json")[1])] == list(all_studies())


def test_that_compute_prints_what_the_study_answers(run):
    session = Session.of(RESPONSE, {"epsilon": 0.2, "trials": 50_000})
    update = answer_of(session.study)
    assert run("compute", "response", "--set", "epsilon=0.2", "--set", "trials=50k") == (
        0, tables.json_text(session, update), "")
    assert run("compute", "response", "--set", "epsilon=20%", "--set", "trials=5e4", "--format", "csv") == (
        0, tables.csv_text(session, update), "")


def test_that_no_simulation_gives_exact_facts_and_bounds_only(run):
    made = json.loads(run(*EXACT)[1])
    assert {fact["kind"] for fact in made["facts"]} == {"exact", "bound"}
    assert not any(name.startswith("surveys_within") for table in made["tables"].values() for name in table)


def test_that_named_values_and_decimal_commas_are_taken(run):
    lines = run("compute", "decision", "--no-simulation", "--format", "csv", "--set", "target=liberal", "--set",
                "epsilon = 0,25", "--set", "zero_refused=yes")[1].splitlines()
    assert {"# target: 0.99", "# epsilon: 0.25", "# zero_refused: true"} <= set(lines)


def test_that_output_goes_to_a_file_or_a_folder(run, tmp_path):
    assert run(*EXACT, "--output", tmp_path / "a.json") == (0, "", "")
    assert json.loads((tmp_path / "a.json").read_text("utf-8"))["study"] == "response"
    assert run(*EXACT, "--format", "csv", "--output", tmp_path / "a.csv")[0] == 0
    lines = (tmp_path / "a.csv").read_text("utf-8").splitlines()
    assert next(csv.reader(line for line in lines if line[0] != "#"))[0] == "key"
    assert run(*EXACT, "--format", "csv", "--output", f"{tmp_path}/new/")[0] == 0
    assert {"response-facts.csv", "response-attack.csv"} <= {file.name for file in (tmp_path / "new").iterdir()}


def test_that_a_session_is_an_alternative_to_flags(run, tmp_path):
    session_file.save(tmp_path / "s.json", Session.of(RESPONSE, {"epsilon": 0.2}))
    by_flags = run(*EXACT, "--set", "epsilon=0.2")
    assert run("compute", "--session", tmp_path / "s.json", "--no-simulation") == by_flags
    picture = tmp_path / "p.svg"
    assert run("render", "--session", tmp_path / "s.json", "--output", picture)[0] == 0
    assert run("compute", "--session", picture, "--no-simulation") == by_flags
    more = run("compute", "--session", picture, "--no-simulation", "--set", "seed=3")
    assert json.loads(more[1])["parameters"]["seed"] == 3


def test_that_a_file_stands_for_the_study_in_view_of_its_session_wherever_a_study_does(run, tmp_path):
    session = Session.of(DECISION, {"epsilon": 0.2}).turn(all_studies()["noise"]).set("epsilon", 3)
    session_file.save(tmp_path / "s.dpstudio", session.whole(all_studies().values()))
    old = ("3.dpstudio", "3.png", "1.dpstudio", "5.html", "5-report.pdf", "5.csv", "5.json", "5.svg")
    for file in (tmp_path / "s.dpstudio", *(OLD / f"format-{name}" for name in old)):
        held = session_file.load(file)
        flags = [each for name, value in held.explicit.items() for each in ("--set", f"{name}={value}")]
        found, numbers = (run("compute", asked, *more, "--no-simulation", "--format", "csv")[1].splitlines()
                          for asked, more in ((file, ()), (held.study_class.key, flags)))
        own = next(line for line in found if line.startswith("# session: "))
        assert json.loads(own.removeprefix("# session: ")) == session_file.as_json(held.carried())
        assert [line for line in found if line != own] == [line for line in numbers
                                                           if not line.startswith("# session: ")]
        assert run("list", file) == run("list", held.study_class.key)
    exact = ("--set", "epsilon=2", "--no-simulation", "--format", "csv")
    assert run("compute", tmp_path / "s.dpstudio", *exact) == run("compute", "noise", *exact)
    assert run("render", tmp_path / "s.dpstudio", "--output", tmp_path / "a.svg", "--size", "80x60mm")[0] == 0
    assert session_file.load(tmp_path / "a.svg").explicit == {"epsilon": 3}


def test_that_a_file_of_a_studys_name_is_not_taken_for_it_and_other_names_are(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    session_file.save("noise", Session.of(DECISION, {"epsilon": 0.2}))
    session_file.save("mine", Session.of(DECISION, {"epsilon": 0.2}))
    assert "Noise:" in run("list", "noise")[1]
    assert "Decision:" in run("list", "mine")[1]
    assert "Decision:" in run("list", "./noise")[1]
    assert refused(run("list", "none.dpstudio"), "session must be a file that can be read, got 'none.dpstudio'")
    assert refused(run("list", "nois"), "unknown study 'nois'")


@pytest.mark.parametrize(("arguments", "words"), [
    (("--set", "epsilon=-1"), ("epsilon must be in [1e-6, 20], got -1.0",)),
    (("--set", "epsilon=nan"), ("epsilon must be in [1e-6, 20], got nan",)),
    (("--set", "epsilon="), ("epsilon must be", "got ''")),
    (("--set", "epsilon=1,000"), ("epsilon", "two meanings")),
    (("--set", "minimum=1.5"), ("minimum must be an integer in [1, 1e9], got 1.5",)),
    (("--set", "prior=flat"), ("prior must be one of uniform, poisson, normal, got 'flat'",)),
    (("--set", "zero_refused=perhaps"), ("zero_refused must be yes or no",)),
    (("--set", "epsilno=1"), ("unknown parameter 'epsilno': decision has minimum, epsilon", "did you mean 'epsilon'?")),
    (("--set", "x\ny=1"), ("unknown parameter",)), (("--set", "epsilon=1\n2"), ("epsilon must be",)),
    (("--set", "epsilon"), ("NAME=VALUE, got 'epsilon'",)),
    (("--set", "epsilon=1", "--set", "epsilon=2"), ("epsilon is set twice, to 1 and to 2",)),
    (("--session", "none.json"), ("either a STUDY or --session",)), (("--format", "xml"), ("--format", "'xml'")),
    (("--tables",), ("--tables", "--batch")), (("--batch", "-"), ("--batch",)), (("--speed",), ("--speed",)),
    (("--outp", "x"), ("--outp",))], ids=lambda value: None if len(value) > 1 else value[0])
def test_that_bad_input_is_refused_in_one_line(run, arguments, words):
    assert refused(run("compute", "decision", *arguments), *words)


@pytest.mark.parametrize(("arguments", "words"), [
    (("compute",), ("STUDY", "--session")), (("compute", "decison"), ("unknown study 'decison'", "mean 'decision'?")),
    (("compute", "--session", "none.json"), ("session must be a file that can be read, got 'none.json'",)),
    (("compute", "--batch", "none.jsonl"), ("batch must be a file that can be read, or -, got 'none.jsonl'",)),
    (("list", "dice"), ("unknown study 'dice'",)), (("list", "decision", "x"), ("x",)), (("-x",), ("COMMAND",)),
    (("compile",), ("unknown command 'compile'", "mean 'compute'?")), (("a.json", "b.json"), ("one session",)),
    (("match", "decision"), ("unknown command 'match'",)),
    (("none.json",), ("session must be a file that can be read, got 'none.json'",)),
    (("render", "decision"), ("--output is missing",)),
    (("render", "decision", "--output", "x.gif"), ("output must be a file name that ends in .svg, .pdf, .png, got",)),
    (("render", "decision", "--output", "x.png", "--figure", "los"), ("unknown figure 'los'", "mean 'loss'?")),
    (("render", "decision", "--output", "x.png", "--size", "9x9mm"), ("width must be in [80, 1000] mm, got 9.0",)),
    (("render", "decision", "--output", "x.png", "--size", "big"), ("size must be WIDTHxHEIGHTmm", "got 'big'")),
    (("render", "decision", "--output", "x.png", "--dpi", "0"), ("dpi must be an integer in [36, 2400], got 0",)),
    (("render", "decision", "--output", "x", "--all", "--figure", "loss"), ("--figure", "--all")),
    (("render", "decision", "--output", "x.png", "--format", "png"), ("--format belongs to --all",))], ids=str)
def test_that_bad_commands_are_refused_in_one_line(run, arguments, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert refused(run(*arguments), *words)
    assert not list(tmp_path.iterdir())


def test_that_a_file_that_is_no_session_opens_no_window(run, tmp_path):
    (tmp_path / "a.json").write_text("{}")
    assert refused(run(tmp_path / "a.json"), "'a.json' is not a session")


def test_that_a_table_opens_the_window_and_one_of_ours_only_with_the_session_that_it_says(run, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    shown = SimpleNamespace(main=lambda path, fail: opened.append(path) or 0)
    monkeypatch.setitem(sys.modules, "dpstudio.gui.shell.app", shown)
    # Another test may have read it.
    monkeypatch.setattr(import_module("dpstudio.gui.shell"), "app", shown, raising=False)
    ours = (OLD / "format-5.csv").read_text("utf-8")
    (tmp_path / "people.csv").write_text(PEOPLE)
    (tmp_path / "ours.csv").write_text(ours, "utf-8")
    (tmp_path / "newer.csv").write_text(ours.replace('"format": 5', '"format": 99'), "utf-8")
    for name in ("people.csv", "ours.csv"):
        assert run(tmp_path / name) == (0, "", "")
    assert [Path(each).name for each in opened] == ["people.csv", "ours.csv"]
    assert refused(run(tmp_path / "newer.csv"), "'newer.csv' is not a session", "a newer DP Studio wrote it")
    assert refused(run("compute", tmp_path / "people.csv"), "'people.csv' is not a session: this table carries none")
    assert refused(run(tmp_path / "none.csv"), "session must be a file that can be read")


def test_that_help_and_version_are_no_refusals(run):
    assert run("--version") == (0, f"dpstudio {__version__}\n", "")
    for arguments in (("--help",), ("compute", "--help"), ("compute", "decision", "--help"), ("render", "-h")):
        status, out, err = run(*arguments)
        assert (status, err) == (0, "")
        assert "--" in out


@pytest.mark.parametrize("ending", ["svg", "pdf", "png"])
def test_that_render_draws_what_its_file_is_called(run, tmp_path, ending):
    file = tmp_path / f"x.{ending.upper()}"
    assert run("render", "response", "--figure", "map", "--size", "100x80mm", "--dpi", "50", "--output", file)[0] == 0
    assert held(session_file.load(file)) == (RESPONSE, {})


def test_that_render_all_draws_every_figure(run, tmp_path):
    assert run("render", "response", "--set", "trials=10", "--all", "--output", tmp_path / "new") == (0, "", "")
    assert {file.name for file in (tmp_path / "new").iterdir()} == {
        f"response-{figure.key}.svg" for figure in RESPONSE.figures}
    alone = tmp_path / "alone.svg"  # with its simulated dots
    assert run("render", "response", "--set", "trials=10", "--figure", "surveys", "--output", alone) == (0, "", "")
    assert alone.read_bytes() == (tmp_path / "new/response-surveys.svg").read_bytes()


def batch(run, monkeypatch, lines, *options):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("".join(lines).encode("utf-8", "surrogatepass"))))
    status, out, err = run("compute", "--batch", "-", *options)
    assert (status, err) == (0, "")
    return [json.loads(line, parse_constant=pytest.fail) for line in out.splitlines()]


REQUEST = '{"study": "response", "set": {"epsilon": 0.2}}\n'


def test_that_a_batch_answers_every_line_in_its_place(run, monkeypatch):
    answers = batch(run, monkeypatch, [
        REQUEST, "nonsense\n", "\n", '{"study": "dice"}\n', '{"study": "decision", "set": {"epsilno": 1}}\n',
        '{"study": "decision", "set": {"epsilon": -1}}\n', '{"study": "decision", "set": {"epsilon": true}}\n',
        '{"study": "decision", "set": {"epsilon": NaN}}\n', '{"study": "decision", "set": {"seed": 1, "seed": 2}}\n',
        '{"study": "decision", "sett": {}}\n', '{"set": {}}\n', "[" * 100_000 + "\n", "x" * (3 * LONGEST) + "\n",
        "[1]\n", '{"study": "decision", "set": 3}\n',
        '{"study": "decision", "set": {"prior_width": null, "target": "liberal"}, "facts": ["band_width"]}'])
    assert ["error" in made for made in answers] == [False] + [True] * 14 + [False]
    for made in answers[1:-1]:
        assert list(made) == ["error"]
        assert made["error"].isprintable()
    assert "epsilon must be in [1e-6, 20], got -1" in answers[5]["error"]
    assert "did you mean 'epsilon'?" in answers[4]["error"]
    assert answers[-1]["parameters"]["target"] == 0.99


def test_that_a_batch_gives_the_numbers_of_compute(run, monkeypatch):
    alone = json.loads(run(*EXACT, "--set", "epsilon=0.2")[1])
    del alone["session"]
    assert batch(run, monkeypatch, [REQUEST], "--tables") == [alone]
    del alone["tables"]
    assert batch(run, monkeypatch, [REQUEST]) == [alone]
    simulated = batch(run, monkeypatch, [REQUEST.replace("}}", ', "trials": 9}}')], "--simulate")[0]
    assert "estimate" in {fact["kind"] for fact in simulated["facts"]}


def test_that_a_batch_goes_from_file_to_file(run, tmp_path):
    (tmp_path / "in").write_text(REQUEST * 2)
    assert run("compute", "--batch", tmp_path / "in", "--output", tmp_path / "out") == (0, "", "")
    assert len((tmp_path / "out").read_text("utf-8").splitlines()) == 2


def test_that_a_batch_answers_before_the_next_request_is_sent():
    process = start("compute", "--batch", "-", stdin=subprocess.PIPE)
    for _ in range(2):
        process.stdin.write(REQUEST)
        process.stdin.flush()
        assert "facts" in json.loads(process.stdout.readline())
    assert ended(process) == (0, "", "")


@given(st.data())
def test_that_no_damage_of_a_request_does_more_than_refuse(data):
    damaged = bytearray(REQUEST.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(damaged) - 1))
        damaged[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    made = json.loads(answer(bytes(damaged), tables=False, simulate=False), parse_constant=pytest.fail)
    assert ("error" in made) != ("facts" in made)


def test_that_a_full_disk_is_one_line_and_no_half_file(tmp_path):
    resource = pytest.importorskip("resource")
    target = tmp_path / "a.json"
    target.write_text("old")

    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    status, out, err = ended(start(*EXACT, "--output", target, preexec_fn=limited))
    assert (status, out) == (1, "")
    assert err == f"dpstudio: cannot write {target}: File too large\n"
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_that_a_reader_that_leaves_is_no_error():
    process = start(*EXACT)
    process.stdout.close()
    process.stdout = None
    assert ended(process) == (128 + signal.SIGPIPE, None, "")


def test_that_an_interruption_ends_quietly():
    process = start("compute", "--batch", "-", stdin=subprocess.PIPE)
    process.stdin.write(REQUEST)
    process.stdin.flush()
    assert process.stdout.readline()
    process.send_signal(signal.SIGINT)
    assert ended(process) == (128 + signal.SIGINT, "", "")


def test_that_output_is_utf8_in_every_locale():
    process = start("list", "decision", environment={"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
                    encoding="utf-8")
    status, out, _ = ended(process)
    assert status == 0
    assert "ε" in out


def test_that_long_work_shows_progress_on_a_terminal_only(monkeypatch, capsys):
    from dpstudio.cli import talk

    monkeypatch.setattr(talk, "PATIENCE", -1)
    monkeypatch.setattr(talk, "EVERY", -1)
    computed(DECISION(trials=100_000), simulate=True)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    computed(DECISION(trials=100_000), simulate=True)
    shown = capsys.readouterr().err
    assert "simulating 100,000 of 100,000" in shown
    assert shown.endswith("\r\x1b[K")


PEOPLE = "id,age\n1,70\n1,71\n2,30\n,80\n3,\n"


@pytest.fixture
def people(tmp_path):
    (tmp_path / "people.csv").write_text(PEOPLE)
    return str(tmp_path / "people.csv")


def test_that_count_gives_facts_the_rows_of_each_person_and_what_they_mean(run, people):
    status, out, err = run("count", people, "--where", "age >= 65", "--person", "id", "--at-most", "1")
    made = json.loads(out)
    facts = {fact["key"]: fact["value"] for fact in made["facts"]}
    assert (status, err) == (0, "")
    assert (facts["records"], facts["counted_of"], facts["undecided_rows"], facts["unnamed_rows"]) == (1, 3, 1, 1)
    assert facts["person_sensitivity"] == 1
    assert made["tables"]["rows_each"]["persons_with"] == [0, 2, 1]
    assert (made["data"]["where"], made["data"]["file"]) == ("age >= 65", "people.csv")
    assert "sensitive" in made["verdicts"][-1]


def test_that_count_says_which_bound_suits_an_epsilon(run, tmp_path):
    rows = {"a": 6, "b": 2, "c": 1, "d": 0}
    table = tmp_path / "rows.csv"
    table.write_text("id,x\n" + "".join(f"{person},1\n" * number + f"{person},0\n" for person, number in rows.items()))
    asked = ("count", str(table), "--where", "x = 1", "--person", "id", "--at-most", "1")
    plain, made = (json.loads(run(*asked, *more)[1]) for more in ((), ("--epsilon", "1", "--delta", "1e-5")))
    assert plain["facts"] == made["facts"][:len(plain["facts"])]
    assert "bounds" not in plain["tables"]
    lost = {b: sum(max(number - b, 0) for number in rows.values()) for b in range(1, 7)}
    errors = {b: math.hypot(lost[b], math.sqrt(2) * b) for b in lost}
    best = min(errors, key=errors.get)
    found = {(fact["key"], fact["mechanism"]): fact["value"] for fact in made["facts"]}
    assert (found["best_bound", "laplace"], found["rows_lost", None]) == (best, lost[1])
    assert found["count_error", "laplace"] == pytest.approx(errors[1])
    assert {("best_bound", key) in found for key in ("geometric", "gaussian")} == {True}
    columns = made["tables"]["bounds"]
    assert columns["rows_bound"] == [1, 2, 3, 4, 5, 6]
    assert columns["count_error_laplace"] == pytest.approx(list(errors.values()))
    assert "count_mean_error_gaussian" in columns
    assert any("With one row of each this counts persons, of whom none is lost" in said for said in made["verdicts"])
    asked = (*asked[:-1], "2")
    made = json.loads(run(*asked, "--epsilon", "1", "--delta", "1e-5")[1])
    assert any(f"at most {best} of each would be best" in said or f"With at most {best} of each" in said
               for said in made["verdicts"])


@pytest.mark.parametrize(("options", "words"), [
    ((), ("--where",)), (("--where", "age > 1", "--epsilon", "1"), ("--person",)),
    (("--where", "age > 1", "--person", "id", "--delta", "0.1"), ("--delta goes with --epsilon",)),
    (("--where", "age > 1", "--person", "id", "--epsilon", "0"), ("epsilon must be in [1e-6, 20], got",)),
    (("--where", "age > 1", "--person", "id", "--epsilon", "1", "--delta", "x"), ("delta must be in [1e-15, 0.5]",)),
    (("--where", "agee > 1"), ("where must be a condition", "did you mean 'age'?")),
    (("--where", "age > 1; DROP TABLE data"), ("';' has no meaning",)),
    (("--where", "read_text('/etc/passwd') = ''"), ("calls no functions",)),
    (("--where", "age > 1", "--at-most", "1"), ("--person",)),
    (("--where", "age > 1", "--person", "id", "--at-most", "0"), ("at_most must be an integer in [1, 1e6], got 0",)),
    (("--symptom", "age > 1"), ("go together",)), (("--where", "age > 1", "--action", "id = 1"), ("either",)),
    (("--symptom", "age", "--action", "id = 1"), ("symptom must be a condition, or a column of 0 and 1",)),
    (("--symptom", "age > 1", "--action", "id = 1", "--seed", "x"), ("seed must be an integer",)),
    (("--where", "age > 1", "--person", "idd"), ("did you mean 'id'?",)),
    (("--by", "id", "--of", "age"), ("give one of them",)), (("--by", "agee"), ("by must be a column", "'age'")),
    (("--of", "agee"), ("of must be a column of numbers", "did you mean 'age'?")),
    (("--by", "id", "--by", "id"), ("by must be 2 different columns at most",)),
    (("--by", "id", "--by", "age", "--by", "id"), ("different columns",)),
    (("--by", "id", "--at-most", "1"), ("--person COLUMN says who",)),
    (("--by", "id", "--person", "id", "--at-most", "0"), ("at_most must be an integer in [1, 1e6], got 0",)),
    (("--of", "age", "--person", "id", "--at-most", "1"), ("--at-most does not go with --of",)),
    (("--by", "id", "--epsilon", "1"), ("--epsilon does not go with --by",)),
    (("--of", "age", "--symptom", "age > 1"), ("--symptom does not go with --of",)),
    (("--by", "id", "--where", "agee > 1"), ("where must be a condition",)),
    (("--of", "age", "--where", "age > 99"), ("of must be a column of numbers, got 'age'", "no row that counts"))])
def test_that_a_bad_count_is_refused_in_one_line(run, people, options, words):
    assert refused(run("count", people, *options), *words)


def test_that_groups_are_counted_and_their_list_is_a_text_for_a_parameter(run, people):
    status, out, err = run("count", people, "--by", "id", "--where", "age > 1")
    made = json.loads(out)
    assert (status, err) == (0, "")
    assert made["tables"] == {"groups": {"name": ["1", "2", "3"], "count": [2, 1, 0]}}
    assert made["cells"] == "1:2,2:1,3:0"
    assert (made["data"]["by"], made["data"]["where"], made["data"]["counts"]) == (["id"], "age > 1", ["cells"])
    facts = {fact["key"]: fact["value"] for fact in made["facts"]}
    assert (facts["groups_counted"], facts["valueless_rows"], facts["undecided_rows"]) == (3, 1, 1)
    assert "sensitive" in made["verdicts"][-1]
    persons = json.loads(run("count", people, "--by", "age", "--by", "id", "--person", "id", "--at-most", "1")[1])
    assert persons["tables"]["groups_each"] == {"groups_each": [1, 2], "persons_with": [1, 1]}
    assert persons["tables"]["groups"]["name"][:4] == ["30 / 1", "30 / 2", "30 / 3", "70 / 1"]
    assert sum(persons["tables"]["groups"]["count"]) == 3


def test_that_the_numbers_of_a_column_are_given_with_how_often_each_is_there(run, people):
    status, out, err = run("count", people, "--of", "id", "--person", "id")
    made = json.loads(out)
    assert (status, err) == (0, "")
    assert made["tables"] == {"values": {"value": [1.0, 2.0, 3.0], "times": [2, 1, 1]}}
    assert made["values"] == "1×2,2,3"
    assert (made["data"]["of"], made["data"]["where"], made["data"]["counts"]) == ("id", "", ["amounts"])
    facts = {fact["key"]: fact["value"] for fact in made["facts"]}
    assert (facts["values_taken"], facts["valueless_rows"], facts["rounded_to"], facts["most_rows"]) == (4, 1, 0, 2)
    assert "they are sensitive" in made["verdicts"][-1]


def test_that_a_cohort_is_counted_in_both_arms(run, people):
    status, out, _ = run("count", people, "--symptom", "age >= 71", "--action", "id = 1", "--person", "id", "--at-most",
                         "2")
    made = json.loads(out)
    assert (status, made["sensitivity"], made["unnamed"]) == (0, 2, 1)
    assert made["with"] == {"people": 2, "counts": {"age >= 71": 1}}
    assert made["without"] == {"people": 2, "counts": {"age >= 71": 0}}


def test_that_a_file_that_is_no_table_is_refused_in_one_line(run, tmp_path):
    assert refused(run("count", tmp_path / "none.csv", "--where", "a = 1"), "file must be a table", "no such file")


def test_that_a_count_left_out_of_a_session_is_told_and_a_flag_takes_its_place(run, tmp_path):
    data = Origin("people.csv", "0" * 64, "age >= 65", "id", 1)
    session_file.save(tmp_path / "a.dpstudio", Session.of(DECISION, {"records": 5}, data))
    asked = ("compute", "--session", tmp_path / "a.dpstudio", "--no-simulation", "--format", "csv")
    status, out, err = run(*asked)
    assert status == 0
    assert "left out as sensitive" in err
    assert next(line for line in out.splitlines() if line.startswith("# data: ")).removeprefix("# data: ") in err
    status, out, err = run(*asked, "--set", "records=700")
    assert (status, err) == (0, "")
    assert "# data:" not in out


@pytest.mark.skipif(sys.platform != "linux", reason="looks where Linux tells what a process has loaded")
def test_that_counting_can_be_interrupted_as_any_program(tmp_path):
    (tmp_path / "long.csv").write_text("a,b\n" + "1,2\n" * 3_000_000)
    process = start("count", tmp_path / "long.csv", "--where", "a > 1")
    while not Path(f"/proc/{process.pid}/maps").read_text().count("duckdb"):
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    assert ended(process) == (130, "", "")


def test_that_pins_that_were_counted_stay_behind_where_a_given_number_replaces_the_count(tmp_path):
    data = Origin("people.csv", "", "age >= 65", exact=True)
    session = Session.of(DECISION, {"records": 1234}, data).pin().set("epsilon", 0.3).having(note="it was 1234")
    session_file.save(tmp_path / "s.dpstudio", session)
    for flags, records in (([], [1234]), (["records=5"], []), (["epsilon=5"], [1234])):
        asked = requested(None, flags, str(tmp_path / "s.dpstudio"))
        given = flags == ["records=5"]
        assert (asked.data is None, asked.study.records) == (given, 5 if given else 1234)
        assert asked.state().note == ("it was …" if given else "it was 1234")
        assert [pin.study.records for pin in asked.state().pins] == records


def test_that_a_stretch_of_no_table_is_left_out_of_a_session_and_said(run, tmp_path):
    document = json.loads(session_file.text(Session.of(RESPONSE, {"epsilon": 0.3})))
    document["studies"]["response"]["views"] = {"variances": [0, 1]}
    (tmp_path / "a.dpstudio").write_text(json.dumps(document))
    status, written, said = run("compute", "--session", tmp_path / "a.dpstudio", "--no-simulation")
    assert (status, json.loads(written)["parameters"]["epsilon"]) == (0, 0.3)
    assert said == "dpstudio: Left out what was in view of 'variances', which response does not have.\n"


def test_that_a_backend_of_matplotlib_that_there_is_not_does_not_matter(tmp_path):
    process = start("render", "response", "--figure", "attack", "--output", tmp_path / "a.svg",
                    environment={"MPLBACKEND": "nonsense"})
    assert (*process.communicate(timeout=240), process.returncode) == ("", "", 0)
    assert (tmp_path / "a.svg").stat().st_size > 1000


def loads_what_x11_needs():
    """Whether this machine has the libraries of the system that a window on X11 is made with: a bare one has not."""
    try:
        ctypes.CDLL("libxcb.so.1")
        window._load_platform_plugin()
    except OSError:
        return False
    return True


@pytest.mark.skipif(sys.platform != "linux", reason="the others always have a display")
@pytest.mark.parametrize(("platform", "why"), [
    ({}, "there is no display: "), ({"DISPLAY": ":987"}, "the display :987 cannot be reached"),
    ({"QT_QPA_PLATFORM": "xcb"}, "the window cannot be opened: "),
    ({"QT_QPA_PLATFORM": "nonsense"}, "the window cannot be opened: "),
    ({"QT_QPA_PLATFORM": "linuxfb:fb=/nowhere"}, "the window cannot be opened: "),
    ({"WAYLAND_DISPLAY": "nowhere"}, "the window cannot be opened: ")])
def test_that_a_window_without_a_display_ends_in_one_sentence_and_by_no_signal(tmp_path, platform, why):
    pytest.importorskip("PySide6")
    none = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "QT_QPA_PLATFORM": "", "HOME": str(tmp_path),
            "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path)}
    process = start(environment=none | platform)
    out, said = process.communicate(timeout=240)
    assert (process.returncode, out) == (1, "")
    if "DISPLAY" in platform and not loads_what_x11_needs():
        why = "the window needs a library of the system: "
    assert said.startswith(f"dpstudio: {why}")
    assert said.endswith("; dpstudio --help names what works without a window\n")
    assert said.count("\n") == 1
