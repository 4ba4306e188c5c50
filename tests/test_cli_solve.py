"""dpstudio solve: what it prints, what it refuses, and how it ends."""

import json
import math
import re

import pytest

from dpstudio import __version__
from dpstudio.cli import main
from dpstudio.core.solve.among import candidates
from dpstudio.core.solve.every import offered, ranked
from dpstudio.core.solve.want import Want
from dpstudio.studies import all_studies

DECISION = all_studies()["decision"]
BAND = ("solve", "decision", "--set", "delta=1e-9", "--want", "band_width@laplace <= 500", "--for", "epsilon")


@pytest.fixture
def run(capsys):
    """Run the command line here: its status, standard output and standard error."""

    def runner(*arguments):
        status = main([str(argument) for argument in arguments])
        return status, *capsys.readouterr()

    return runner


def test_that_a_solution_is_printed_as_json_with_every_parameter(run):
    status, out, err = run(*BAND, "--format", "json")
    assert (status, err) == (0, "")
    made = json.loads(out)
    assert list(made) == ["study", "version", "parameters", "solved", "wants", "others", "says"]
    assert (made["study"], made["version"], made["others"]) == ("decision", __version__, [])
    assert list(made["solved"]) == ["epsilon"]
    assert made["parameters"] == DECISION(delta=1e-9, epsilon=made["solved"]["epsilon"]).values()
    (want,) = made["wants"]
    fact = DECISION(**made["parameters"]).answer().fact("band_width", "laplace")
    assert want == {"key": "band_width", "mechanism": "laplace", "relation": "<=", "wanted": 500.0,
                    "value": fact.value, "kind": "exact", "low": None, "high": None, "how": fact.how,
                    "source": fact.source.key}
    assert fact.value <= 500
    assert made["solved"]["epsilon"] == pytest.approx(2 * math.log(50) / 500, rel=1e-14)


def test_that_what_is_printed_for_people_can_be_put_back(run):
    status, out, _ = run(*BAND, "--format", "text")
    assert status == 0
    sentence, flags = out.splitlines()
    assert sentence.startswith("The least ε that does it: ε = 0.015648092")
    said = re.search(r"ε = ([.\d]+)[.] ", sentence)[1]
    assert flags == f"--set epsilon={said}"
    status, out, _ = run("compute", "decision", "--set", "delta=1e-9", *flags.split(" "), "--no-simulation")
    facts = {(each["key"], each["mechanism"]): each["value"] for each in json.loads(out)["facts"]}
    assert status == 0
    assert facts["band_width", "laplace"] <= 500


def test_that_the_status_is_3_where_nothing_does_and_the_nearest_is_named(run):
    asked = ("solve", "decision", "--want", "band_width@laplace <= 0.1", "--for", "epsilon")
    status, out, err = run(*asked, "--format", "json")
    made = json.loads(out)
    assert (status, err, made["solved"], made["nearest"]) == (3, "", {}, {"epsilon": 20.0})
    assert made["parameters"]["epsilon"] == 20.0
    assert "The nearest is ε = 20." in made["says"]
    status, out, _ = run(*asked, "--format", "text")
    assert (status, out) == (3, made["says"] + "\n")


def test_that_two_parameters_are_solved_for_together(run):
    status, out, _ = run("solve", "decision", "--want", "acceptance@laplace at records=900 <= 0.01", "--want",
                         "rejection@laplace at records=1100 <= 0.01", "--for", "epsilon", "--for", "target")
    made = json.loads(out)
    assert status == 0
    assert list(made["solved"]) == ["epsilon", "target"]
    assert [want["at"] for want in made["wants"]] == [{"records": 900}, {"records": 1100}]
    assert all(want["value"] <= 0.01 for want in made["wants"])
    assert made["solved"]["target"] == pytest.approx(0.5, rel=1e-6)


ASKED = ("solve", "decision", "--set", "minimum=100000", "--set", "delta=1e-9", "--want", "band_width <= 500", "--for",
         "epsilon")


def offers_of(kind, explicit, want, name="epsilon"):
    """What the window offers, first to last."""
    among = candidates(kind(**explicit).answer(), [want.quantity], kind.level_one.series)
    return [offer for offer in ranked(offered(kind, explicit, [want], [name], among)) if not offer.refused]


ANSWERED = ["study", "version", "parameters", "solved", "wants", "others", "says"]
"""What an answer to a question of one series says."""


def test_that_without_a_series_all_that_are_allowed_answer_as_in_the_window_and_each_does_it(run):
    status, out, err = run(*ASKED, "--format", "json")
    made = json.loads(out)
    assert (status, err, list(made)) == (0, "", [*ANSWERED, "order", "offers"])
    assert {"mechanism": "laplace"} | {key: made[key] for key in ANSWERED[2:]} == made["offers"][0]
    assert made["order"] == "the most private first"
    window = offers_of(DECISION, {"minimum": 100_000, "delta": 1e-9}, Want("band_width", "<=", 500.0))
    assert [(each["mechanism"], each["solved"]) for each in made["offers"]] == [
        (offer.series.key, dict(offer.values)) for offer in window]
    assert [each["mechanism"] for each in made["offers"]] == ["laplace", "generalized", "gaussian"]
    for each in made["offers"]:
        answer = DECISION(**each["parameters"]).answer()
        assert answer.fact("band_width", each["mechanism"]).value <= 500
        assert answer.allowed(each["mechanism"])
    status, out, _ = run(*ASKED, "--format", "text")
    lines = out.splitlines()
    assert (status, lines[0]) == (0, "The most private first:")
    assert [line for line in lines if line.startswith("Laplace: The least ε that does it: ε = 0.01564")]
    said = [line.removeprefix("--set epsilon=") for line in lines if line.startswith("--set")]
    assert [float(each) for each in said] == [offer.values["epsilon"] for offer in window]


def test_that_where_nothing_that_is_allowed_does_it_the_nearest_of_each_is_said(run):
    asked = ("solve", "decision", "--want", "band_width <= 0.1", "--for", "epsilon")
    status, out, _ = run(*asked, "--format", "text")
    assert status == 3
    assert out.startswith("Nothing that is allowed does it.\nLaplace: No ε from ")
    assert "--set" not in out
    status, out, _ = run(*asked, "--format", "json")
    made = json.loads(out)
    assert status == 3
    assert [each["mechanism"] for each in made["offers"]] == ["laplace", "generalized", "gaussian"], "who may, alone"
    assert all(each["solved"] == {} and each["nearest"] == {"epsilon": 20.0} for each in (made, *made["offers"]))
    assert made["says"].startswith("No ε from ")
    nowhere = run("solve", "decision", "--want", "band_width <= 50", "--for", "epsilon", "--format", "json",
                  "--set", "zero_refused=yes", "--set", "minimum=5")
    made = json.loads(nowhere[1])
    assert (nowhere[0], list(made), made["offers"]) == (3, [*ANSWERED, "order", "offers"], [])
    assert (made["solved"], made["parameters"]["minimum"], made["says"]) == ({}, 5, "Nothing that is allowed does it.")


def test_that_what_lets_a_parameter_matter_is_printed_with_it(run):
    """ε of the response study matters only where the design is chosen by it, and comes with two coins."""
    asked = ("solve", "response", "--want", "people_needed@response <= 20000", "--for", "epsilon", "--format", "text")
    status, out, _ = run(*asked)
    sentence, flags = out.splitlines()
    assert status == 0
    assert sentence.endswith("Set with it: response design by ε.")
    design, epsilon = (flag.partition("=")[2] for flag in flags.split(" ")[1::2])
    there = all_studies()["response"](design=design, epsilon=float(epsilon)).answer()
    assert there.fact("people_needed", "response").value <= 20_000
    (window, *_) = offers_of(all_studies()["response"], {}, Want("people_needed", "<=", 20_000.0))
    assert window.values == {"design": design, "epsilon": float(epsilon)}


@pytest.mark.parametrize(("arguments", "refusal"), [
    (("--want", "no_such_fact <= 500", "--for", "epsilon"), "no_such_fact"),
    (("--want", "accepted_fraction <= 0.5", "--for", "epsilon"), "draws estimate it"),
    (("--for", "epsilon"), "--want is missing"),
    (("--want", "band_width@laplace <= 500"), "--for is missing"),
    (("--want", "band_width@laplace <= 500", "--for", "epsilom"), "did you mean 'epsilon'?"),
    (("--want", "band_width@laplace <= 500", "--for", "prior"), "prior is no number"),
    (("--want", "accepted_fraction@laplace <= 0.5", "--for", "epsilon"), "draws estimate it: ask for acceptance"),
    (("--want", "band_width@laplace <= 500", "--for", "epsilon", "--between", "epsilon=1"), "NAME=LOW:HIGH"),
    (("--want", "band_width@laplace <= 500", "--for", "epsilon", "--between", "epsilon=2:1"), "lower end first"),
    (("--want", "band_width@laplace <= 500", "--for", "epsilon", "--between", "epsilon=0:1"), "epsilon must be in"),
    (("--want", "band_width@laplace <= 500", "--for", "epsilon", "--between", "delta=0:1"), "solved for: epsilon"),
    (("--want", "band_width@laplace <= 500", "--for", "epsilon", "--between", "epsilon=1:2", "--between",
      "epsilon=1:3"), "bounded twice"),
    (("--want", "band_width@laplace <= 1e999", "--for", "epsilon"), "finite number"),
])
def test_that_bad_input_is_refused_in_one_line(run, arguments, refusal):
    status, out, err = run("solve", "decision", *arguments)
    assert (status, out) == (2, "")
    assert re.fullmatch(r"dpstudio: [^\n]+\n", err)
    assert refusal in err


def test_that_a_risk_can_be_wanted_beside_an_error_and_what_cannot_be_had_says_what_comes_nearest(run):
    both = ("solve", "noise", "--attacker", "membership:0.5", "--want", "error_95@laplace <= {}", "--want",
            "risk_found@laplace <= 0.019", "--for", "epsilon", "--for", "delta", "--format", "json")
    status, out, _ = run(*(each.format(5) for each in both))
    assert status == 0
    solved = json.loads(out)["solved"]
    assert math.log(20) / 5 <= solved["epsilon"] * (1 + 1e-12) <= math.log(1.9) * (1 + 1e-9)
    status, out, _ = run(*(each.format(4) for each in both))
    assert status == 3
    assert json.loads(out)["solved"] == {}
    assert "The nearest is ε = 0.703" in json.loads(out)["says"]


def test_that_of_a_ceiling_on_a_risk_the_greatest_epsilon_is_meant(run):
    status, out, _ = run("solve", "noise", "--attacker", "membership:0.5", "--want", "risk_success@laplace <= 0.6",
                         "--for", "epsilon", "--format", "json")
    assert status == 0
    assert json.loads(out)["solved"]["epsilon"] == pytest.approx(-2 * math.log(0.8), rel=1e-9)
    assert json.loads(out)["says"].startswith("The greatest ε that does it: ")


def test_that_a_risk_of_nobody_is_no_number_to_solve_for(run):
    status, out, _ = run("solve", "noise", "--want", "risk_success@laplace <= 0.6", "--for", "epsilon",
                         "--format", "text")
    assert status == 3
    assert out.startswith("For no ε from 1e-6 to 20 there is a value of risk_success@laplace.")
