"""The script that makes the data on deployments: what an entry states is kept, what no rule knows stays unknown."""

import json
import runpy
import shutil
import subprocess
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
SCRIPT = runpy.run_path(str(PROJECT / "packaging" / "deployments.py"), run_name="deployments")
SHIPPED = PROJECT / "resources" / "deployments" / "deployments.json"
TRIPS = r"""
url_slug: trips-somewhere-2024
status: Draft
tier: 2
deployment:
  basic:
    name: Trips
    data_curators:
      - Somebody
      - Somebody else
    description: |
      Where people
      go.
    intended_use: Planning
    data_product_type: Dataset
    data_product_region: Somewhere
    publication_date: "2024-05-06"
  dp_variant:
    variant_name: Approximate DP
    unprotected_quantities: "- N/A"
  privacy_loss:
    privacy_unit: User-day-level
    privacy_unit_details: 'Adjacent: \\(\epsilon_c\\)'
    privacy_parameters:
      epsilon: 1.25
      delta: 3e-08
    privacy_parameters_details: "\\(\\epsilon = 1.25\\), \\(\\delta = 3 \times 10^{-8}\\)"
  deployment_model:
    model_name: Local
    release_type: Many releases
    release_type_details: Daily
    access_type: Non-interactive
  administrative:
    sources: |
      - Paper: https://example.org/a_(2024).
      - Again: https://example.org/a_(2024)
      - Data: https://example.org/?a=1&amp;b=2
    registry_authors: []
"""
BARE = """
url_slug: bare-2020
status: Pending
tier: 1
deployment:
  basic:
    name: Bare
    data_curators: [Nobody]
    description: Nothing is known.
    intended_use: None
    data_product_type: SQL queries
    data_product_region: Nowhere
    publication_date: "2020-01-01"
  dp_variant:
    variant_name: Zero-concentrated DP
  privacy_loss:
    privacy_parameters:
      rho: 0.5
      delta: n^{(-\\epsilon \\ln(n))}
"""


@pytest.fixture
def checkout(tmp_path):
    folder = tmp_path / "registry"
    (folder / "deployments").mkdir(parents=True)
    (folder / "LICENSE").write_text("MIT License\n", "utf-8")
    for name, text in (("trips", TRIPS), ("bare", BARE)):
        (folder / "deployments" / f"{name}.yaml").write_text(text, "utf-8")
    return folder


def committed(folder):
    """The commit under which a folder is kept."""
    if shutil.which("git") is None:
        pytest.skip("there is no git")
    ours = ("git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
    for words in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "x", "--date", "2024-01-02T03:04:05Z")):
        subprocess.run((*ours, *words), check=True, capture_output=True)
    return subprocess.run((*ours, "rev-parse", "HEAD"), check=True, capture_output=True, text=True).stdout.strip()


def test_that_an_entry_is_kept_as_it_states_itself(checkout):
    bare, trips = json.loads(SCRIPT["made"](checkout, "abc", "2024-01-02"))["deployments"]
    assert trips == {
        "slug": "trips-somewhere-2024", "name": "Trips", "curators": ["Somebody", "Somebody else"],
        "date": "2024-05-06", "what": "Where people go.", "product": "Dataset", "unit": "person", "period": "day",
        "unit_words": "User-day-level", "unit_details": "Adjacent: ε_c", "model": "local", "variant": "Approximate DP",
        "epsilon": 1.25, "delta": 3e-8, "rho": None, "spent": "ε = 1.25, δ = 3 × 10⁻⁸", "unprotected": "",
        "release": "Many releases", "release_details": "Daily", "access": "Non-interactive", "notes": "",
        "links": ["https://example.org/a_(2024)", "https://example.org/?a=1&b=2"], "tier": 2, "status": "Draft"}
    assert (bare["epsilon"], bare["delta"], bare["rho"]) == (None, "n^(-ε ln(n))", 0.5)
    assert (bare["unit"], bare["period"], bare["model"], bare["links"]) == ("unknown", "", "unknown", [])


@pytest.mark.parametrize(("words", "released", "unit"), [
    ("User-level", "", ("person", "")), ("User-level", "Daily", ("person", "unsaid")),
    ("User-level", "Static, over six days", ("person", "")), ("User-day-level", "6 hours", ("person", "day")),
    ("User-quarter-day-level", "", ("person", "quarter of a day")),
    ("User-month-country-level", "", ("person", "month")), ("User account-month-level", "", ("account", "month")),
    ("User-device-level", "", ("device", "")),
    ("Person-level; housing-unit-level", "", ("several", "")), ("Business establishment", "", ("organization", "")),
    ("Bounded contribution-day", "", ("part", "day")), ("Event-level", "Daily", ("event", "")),
    ("User-trip-level", "", ("record", "")), ("Birth-level", "", ("record", "")), ("record-level", "", ("record", "")),
    ("Tuple-level", "", ("record", "")), ("Individual-level", "", ("person", "")),
    ("Aggregate-level", "", ("unknown", "")), ("", "", ("unknown", "")), ("Username-level", "", ("unknown", "")),
])
def test_that_rules_know_a_unit_or_say_that_none_does(words, released, unit):
    assert SCRIPT["unit_of"](words, released) == unit


def test_that_the_command_writes_the_same_file_twice_names_what_is_unknown_and_copies_the_licence(
        checkout, tmp_path, capsys):
    commit, made = committed(checkout), []
    for name in ("a", "b"):
        assert SCRIPT["main"]([str(checkout)], tmp_path / name) == 0
        made.append((tmp_path / name / "deployments.json").read_bytes())
        assert (tmp_path / name / "LICENSE.txt").read_text("utf-8") == "MIT License\n"
    assert made[0] == made[1]
    found = json.loads(made[0])
    assert found["commit"] == commit
    assert [each["slug"] for each in found["deployments"]] == ["bare-2020", "trips-somewhere-2024"]
    assert "bare-2020: of “” the unit is unknown" in capsys.readouterr().err


@pytest.mark.parametrize(("found", "by", "why"), [
    ("epsilon: 1.25", "epsilon: two", "epsilon is 'two'"), ("epsilon: 1.25", "epsilon: -1", "epsilon is -1"),
    ("epsilon: 1.25", "epsilon: .nan", "epsilon is nan"), ("delta: 3e-08", "delta: 1.5", "delta is 1.5"),
    ("delta: 3e-08", "delta: 3e0", "delta is '3e0'"),
    ("model_name: Local", "model_name: Magic", "Magic"), ("    name: Trips\n", "", "'name'"),
    ("trips-somewhere-2024", "bare-2020", "two entries have one slug"),
])
def test_that_what_it_cannot_read_is_refused_in_one_sentence(checkout, found, by, why, capsys, tmp_path):
    file = checkout / "deployments" / "trips.yaml"
    text = file.read_text("utf-8")
    assert found in text
    file.write_text(text.replace(found, by), "utf-8")
    committed(checkout)
    assert SCRIPT["main"]([str(checkout)], tmp_path / "out") == 1
    said = capsys.readouterr().err
    assert why in said
    assert said.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_that_what_is_no_checkout_is_refused(tmp_path, capsys):
    assert SCRIPT["main"]([str(tmp_path)], tmp_path / "out") == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_that_the_shipped_file_is_as_the_script_writes_it():
    text = SHIPPED.read_text("utf-8")
    assert text == json.dumps(json.loads(text), ensure_ascii=False, indent=1) + "\n"
    assert json.loads(text)["registry"] == SCRIPT["REGISTRY"]
    for each in json.loads(text)["deployments"]:
        assert SCRIPT["unit_of"](each["unit_words"], each["release_details"]) == (each["unit"], each["period"])
        assert each.keys() == json.loads(text)["deployments"][0].keys()
