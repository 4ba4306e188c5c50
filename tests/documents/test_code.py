"""A setting handed over as text is that setting."""

from __future__ import annotations

import ast
import contextlib
import io
import itertools
import re
import shlex
import tokenize

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from settings_kit import accepted, inside

from dpstudio.cli import main
from dpstudio.cli.request import requested
from dpstudio.core.attacker import Attacker, set_of
from dpstudio.core.declare import InvalidParameter
from dpstudio.core.study import answer
from dpstudio.data.origin import Origin
from dpstudio.documents import session_file
from dpstudio.documents.code import LIBRARIES, RELEASING, offered, written
from dpstudio.documents.code.command import command_line
from dpstudio.documents.session import Session
from dpstudio.studies import all_studies
from dpstudio.text.numbers import exact


@st.composite
def asked(draw, keys=None):
    """A study and the values that were set."""
    kind = all_studies()[draw(st.sampled_from(sorted(keys or all_studies())))]
    of = {each.name: each for each in kind.parameters()}
    values = {name: draw(inside(of[name])) for name in sorted(draw(st.sets(st.sampled_from(sorted(of)), max_size=4)))}
    study = accepted(kind, values)
    return study, {name: getattr(study, name) for name in values}


@given(asked())
def test_that_the_command_gives_the_same_values_and_no_others(one):
    study, explicit = one
    words = shlex.split(command_line(study, explicit, "render", "--figure", "a b"))
    assert words[:3] + words[-2:] == ["dpstudio", "render", study.key, "--figure", "a b"]
    found = requested(words[2], words[4:-2:2], None)
    own = {name: value for name, value in explicit.items() if name not in Attacker.by_name()}
    assert (found.study, found.explicit) == (study, own | set_of(study))


@given(asked(["decision", "response", "mean", "noise", "neighbours", "posterior", "table", "test"]), st.data())
def test_that_every_script_is_python_with_all_parameters_or_is_refused_in_one_sentence(one, data):
    study, explicit = one
    library = data.draw(st.sampled_from(sorted(library for library, there in offered(type(study)).items() if there)))
    series = data.draw(st.sampled_from(offered(type(study))[library])).key
    refused = ""
    try:
        handed = written(study, explicit, series, library)
    except InvalidParameter as refusal:
        refused = str(refusal)
    if refused:
        assert "\n" not in refused
        assert study.key in ("response", "decision", "noise", "table", "test", "plan")  # δ = 0, ε = ∞, no whole step
        return
    assert handed.text.endswith("\n")
    assert not re.search(r"[^\S\n]$|\t|\r|\x00", handed.text, re.MULTILINE)
    if handed.language == "shell":
        assert handed.text.strip() == command_line(study, explicit)
        return
    tree = ast.parse(handed.text)
    assert f"$ {command_line(study, explicit)}\n" in handed.text
    if library in RELEASING:
        assert handed.needs in handed.text
        header = " ".join(comments(handed.text))
        values = {name: ("yes" if value else "no") if isinstance(value, bool) else value if isinstance(value, str)
                  else exact(value) for name, value in study.values().items()}
        assert all(f"{name}={value}" in header for name, value in values.items())
        one = study.answer().guarantees.get(next(each for each in study.answer().ones if each.key == series)) \
            if study.key != "posterior" else study.answer().guarantees[None]
        assert ("Every call spends the guarantee once more." in header) == (
            not series.startswith("selection") and study.key != "plan")
        compile(handed.text, "handed.py", "exec")
        assert (one.promise in header) if one else ("Guarantee: none is promised" in header)
        assert (one.relation if one else study.relation).sentence in header
        assert all(sentence in header for sentence in handed.says)
        assert {"EPSILON", "DELTA"} <= {node.targets[0].id for node in tree.body if isinstance(node, ast.Assign)}
        assert handed.nearest == any("Nearest" in sentence for sentence in handed.says)


def comments(text):
    """The words of the comments of a text, as they are read."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string.removeprefix("#").strip()


@pytest.mark.parametrize(("series", "of"), [("laplace", {None, "laplace"}), ("", {None, "laplace", "cutoff"})])
def test_that_python_of_this_package_prints_the_same_facts(series, of):
    study = all_studies()["decision"](epsilon=0.2, prior="poisson")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(written(study, {"epsilon": 0.2, "prior": "poisson"}, series, "dpstudio").text, {})
    facts = [fact for fact in answer(study, simulate=False).facts
             if not series or fact.series is None or fact.series.key == series]
    assert of <= {fact.series and fact.series.key for fact in facts}
    assert printed.getvalue().splitlines() == [
        f"{fact.key} {fact.series.key if fact.series else ''} {fact.value} {fact.kind}" for fact in facts]


def test_that_no_records_are_refused_where_the_study_assumes_it():
    study = all_studies()["decision"](zero_refused=True, delta=0.01, epsilon=1.0, minimum=3)
    for library in RELEASING:
        for series in offered(type(study))[library]:
            if study.answer().one(series) is None:
                continue
            handed = written(study, {}, series.key, library)
            assert "if not rows:\n        return False" in handed.text
            assert any("no records are never accepted" in sentence for sentence in handed.says)


@pytest.mark.parametrize(("arguments", "said"), [
    (["response", "--series", "response", "--library", "google"],
     "library must be one of opendp, dpstudio, command for response of response, got 'google' (Google’s library has "
     "nothing near it)"),
    (["decision", "--series", "laplace", "--library", "pydp"],
     "library must be one of opendp, google, dpstudio, command, got 'pydp'"),
    (["decision", "--library", "opendp"],
     "series must be one of laplace, cutoff, generalized, gaussian, matched, selection_optimal, selection_geometric, "
     "selection_laplace, selection_gaussian, discrete_laplace, discrete_gaussian, got ''"),
    (["decision", "--series", "laplace"], "--library is missing: one of opendp, google, dpstudio, command"),
    (["decision", "--series", "gaussian", "--library", "google", "--set", "delta=0"],
     "series must be one that there is at these settings, of laplace, cutoff, generalized, matched, got 'gaussian'"),
    (["budget", "--series", "basic", "--library", "opendp"],
     "library must be dpstudio or command for budget, got 'opendp' (OpenDP adds up what you release: "
     "dp.c.make_composition, make_adaptive_composition, make_fully_adaptive_composition and make_privacy_filter; this "
     "study releases nothing)"),
    (["watch", "--series", "tree", "--library", "opendp"],
     "library must be dpstudio or command for watch, got 'opendp' (DP Studio writes no script of another library for "
     "it)"),
    (["posterior", "--series", "prior", "--library", "opendp"],
     "library must be one of dpstudio, command for prior of posterior, got 'opendp' (OpenDP has nothing near it)"),
    (["audit", "--series", "law", "--library", "dpstudio"],
     "series must be left out, for audit compares none, got 'law'"),
])
def test_that_what_there_is_no_code_for_is_refused_in_one_line(capsys, arguments, said):
    assert main(["code", *arguments]) == 2
    assert capsys.readouterr() == ("", f"dpstudio: {said}\n")


def run(text):
    """What a script defines, run as a module."""
    names = {"__name__": "handed"}
    exec(compile(text, "handed.py", "exec"), names)
    return names


@pytest.mark.parametrize(("key", "series", "function"), [
    ("mean", "laplace", "release"), ("mean", "geometric", "release"), ("mean", "response", "release"),
    ("posterior", "naive", "release"), ("response", "response", "release")])
def test_that_rows_of_text_are_refused_and_never_counted_as_yeses(key, series, function):
    pytest.importorskip("opendp")
    names = run(written(all_studies()[key](), {}, series, "opendp").text)
    names["noise"] = names["flip"] = lambda number: number
    for row in ("no", "0", "False", "", None, 2, 0.5, float("nan")):
        with pytest.raises(ValueError, match=r"^each row must be True, False, 1 or 0$"):
            names[function]([True, row])
    names[function]([True, False, 1, 0])


@pytest.mark.parametrize("values", [{}, {"theta1": 0.0, "theta2": 0.5}])
def test_that_the_script_of_a_coin_runs_as_it_stands(values, capsys):
    pytest.importorskip("opendp")
    text = written(all_studies()["response"](**values), values, "response", "opendp").text
    exec(compile(text, "handed.py", "exec"), {"__name__": "__main__"})
    assert "OpenDP: epsilon = " in capsys.readouterr().out


def test_that_selection_of_groups_says_who_must_bound_people_and_of_what_its_guarantee_is():
    for partitions in (1, 3):
        text = written(all_studies()["decision"](others="selection", partitions=partitions), {}, "selection_optimal",
                       "google").text
        header = " ".join(comments(text))
        groups = "3 groups" if partitions == 3 else "1 group"
        assert f"of each person keep {groups} at most" in header
        assert "of one call" not in header
        assert "Every call spends" not in header
        assert ("for one person in 3 groups at most" in header) == (partitions == 3)


def test_that_what_a_script_shows_has_as_many_coordinates_as_the_study():
    for dimension in (1, 3, 5, 1000):
        for library in RELEASING:
            text = written(all_studies()["noise"](dimension=dimension), {}, "laplace", library).text
            assert f"answer = [100.0] * {dimension}  " in text


def test_that_the_counts_of_a_histogram_are_published_as_the_study_does():
    pytest.importorskip("opendp")
    for change, moves in (("add", 1), ("swap", 2)):
        for clamped, rounded, published in ((True, True, [0, 2]), (True, False, [0, 1.6]), (False, True, [-2, 2])):
            study = all_studies()["neighbours"](change=change, clamped=clamped, rounded=rounded)
            names = run(written(study, {}, "laplace", "opendp").text)
            assert (names["MOVES"], names["SCALE"]) == (moves, moves / study.epsilon)
            assert names["published"]([-1.7, 1.6]) == published


def test_that_the_counts_of_a_table_have_the_noise_that_hides_all_groups_of_a_person():
    pytest.importorskip("opendp")
    table = all_studies()["table"]
    for series, moves, count in (("geometric", 6, 100), ("laplace", 6.0, 100.0), ("gaussian", 2 * 3**0.5, 100.0)):
        study = table(groups=7, per_person=3, rows=2, clamped=True)
        text = written(study, {}, series, "opendp").text
        assert f"answer = [{count}] * 7  " in text
        names = run(text)
        assert names["MOVES"] == pytest.approx(moves, rel=1e-12)
        assert names["published"]([-1, 2]) == [0, 2]
        drawn = np.array([names["release"]([0 * count] * 7) for _ in range(400)], dtype=float).ravel()
        sd = study.answer().get(table.answers().entry_of(series).series).noise.sd
        assert abs(drawn.std() / sd - 1) < 0.15
    with pytest.raises(InvalidParameter, match="keys must be known for code, got 'secret'") as refusal:
        written(table(keys="secret"), {}, "geometric", "opendp")
    assert "pass 16 there" in str(refusal.value)


def test_that_a_group_is_named_as_often_as_the_study_says():
    pytest.importorskip("opendp")
    table = all_studies()["table"]
    for series, change in itertools.product(("permute_and_flip", "exponential"), ("add_or_remove", "replace")):
        study = table(released="largest", cells="9,8,8,3", rows=2, change=change, per_person=2)
        names = run(written(study, {}, series, "opendp").text)
        named = np.bincount([names["release"]([9, 8, 8, 3]) for _ in range(2000)], minlength=4) / 2000
        wins = study.answer().one(series).wins[[0, 1, 1, 2]]
        assert (np.abs(named - wins) < 5 * np.sqrt(wins * (1 - wins) / 2000)).all()
        assert names["accounted"]() == (pytest.approx(study.epsilon, rel=1e-12), 0.0)


def test_that_the_command_prints_and_writes_the_same_text(capsys, tmp_path):
    asked_for = ["code", "decision", "--series", "cutoff", "--library", "opendp", "--set", "epsilon=0.5"]
    kind = all_studies()["decision"]
    expected = written(kind(epsilon=0.5), {"epsilon": 0.5}, "cutoff", "opendp").text
    assert main(asked_for) == 0
    assert capsys.readouterr() == (expected, "")
    assert main([*asked_for, "--output", str(tmp_path / "a.py")]) == 0
    assert (tmp_path / "a.py").read_text("utf-8") == expected


@pytest.mark.parametrize("along", [False, True])
def test_that_a_counted_value_is_in_the_text_only_where_it_goes_along(tmp_path, capsys, along):
    origin = Origin("quillwort.csv", "", "zygomatic >= 6", exact=along)
    session = Session.of(all_studies()["decision"], {"records": 71_993} if along else {}, origin)
    session_file.save(tmp_path / "a.dpstudio", session)
    for library in LIBRARIES:
        assert main(["code", str(tmp_path / "a.dpstudio"), "--series", "laplace", "--library", library]) == 0
        text = capsys.readouterr().out
        assert ("71993" in text) == along
        assert "quillwort" not in text
        if library != "command":
            assert ("sensitive" if along else "left out") in " ".join(comments(text))


def test_that_a_count_that_is_said_to_be_left_out_is_written_nowhere():
    study = all_studies()["decision"](records=71_993)
    with pytest.raises(ValueError, match="left out"):
        written(study, {"records": 71_993}, "laplace", "opendp", Origin("a.csv", "", "x > 1"))
