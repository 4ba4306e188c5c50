"""Guarantees on the command line: JSON that programs read, words that people read, refusals in one sentence."""

from __future__ import annotations

import json

import pytest

from dpstudio.cli import main
from dpstudio.core.study import guarantees
from dpstudio.studies import all_studies


def told(capsys, *arguments):
    status = main(["guarantee", *arguments])
    out, err = capsys.readouterr()
    return status, out, err


@pytest.mark.parametrize("key", all_studies())
def test_what_is_printed_is_every_guarantee_of_the_study(key, capsys):
    status, out, _ = told(capsys, key, "--format", "json")
    assert status == 0
    found = {one["series"]: one for one in json.loads(out)}
    promised = guarantees(all_studies()[key]())
    assert found.keys() == promised.keys()
    for series, one in promised.items():
        made = found[series]
        fields = ("relation", "epsilon", "delta", "kind", "words", "mu", "rho")
        assert [made[field] for field in fields] == [one.relation.key, one.epsilon, one.delta, one.kind, one.promise,
                                                     one.mu, one.rho]
        assert len(made["profile"]) == len(made["trade_off"]) == 41
        assert all(float(one.delta_at(at)) == delta for at, delta in made["profile"][::10])
        assert all(float(one.trade_off(at)) == beta for at, beta in made["trade_off"][::10])
        assert [pair[0] for pair in made["trade_off"]][::20] == [0.0, 0.5, 1.0]


def test_one_series_in_words(capsys):
    status, out, _ = told(capsys, "decision", "--series", "generalized", "--format", "text", "--set", "delta=0.001")
    assert status == 0
    assert "Generalized: One record more or less raises the probability of no set of outcomes above e^0.1" in out
    assert "plus 0.001." in out.replace("\n", " ")
    assert "Cutoff" not in out


@pytest.mark.parametrize(("arguments", "sentence"), [
    (("decision", "--series", "nobody"),
     "series must be one of laplace, cutoff, generalized, gaussian, matched, got 'nobody'"),
    (("noise", "--series", "gaussian_printed"),
     "series must be one of laplace, geometric, gaussian, gaussian_classical, staircase, discrete_gaussian, got "
     "'gaussian_printed'"),
    (("posterior", "--series", "truth"), "series must be left out: the study has one release, got 'truth'"),
    (("decision", "--points", "1"), "points must be an integer in [2, 100001], got '1'"),
    (("decision", "--points", "many"), "points must be an integer in [2, 100001], got 'many'"),
    (("nothing",), "nothing"),
])
def test_bad_input_is_one_sentence(arguments, sentence, capsys):
    status, out, err = told(capsys, *arguments)
    assert (status, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert sentence in err
