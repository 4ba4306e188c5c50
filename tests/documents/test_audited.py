"""Every sentence about an audit of somebody's own mechanism says what is so, recomputed from the audit."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpstudio.documents.audited import audit_object, sentences
from dpstudio.models.auditing.own import OwnAudit
from dpstudio.text.numbers import said

least = st.one_of(st.just(0.0), st.floats(1e-6, 50))


@st.composite
def audits(draw):
    low, high = draw(st.floats(1e-9, 1)), draw(st.floats(1e-9, 1))
    return OwnAudit(draw(st.floats(0, 30)), draw(st.one_of(st.just(0.0), st.floats(1e-12, 0.4))),
                    draw(st.sampled_from([0.6, 0.95, 0.99, 0.9999])), draw(st.integers(10, 10**6)), "the outcome is 1",
                    draw(st.integers(0, 1)), (draw(st.integers(0, 5)), draw(st.integers(0, 5))), low, high,
                    draw(least), draw(st.one_of(st.just(0.0), st.floats(1e-9, 1))))


def number(pattern, text):
    return float(said(re.search(pattern, text)[1].rstrip(".,:")))


@given(audits())
def test_that_a_bound_is_never_overstated_and_the_verdict_is_that_of_the_numbers(one):
    told = [*sentences(one)]
    verdict = told[0]
    assert (" is contradicted" in verdict) == (one.least_epsilon > one.epsilon and one.least_delta > one.delta)
    assert "prove" not in " ".join(told)
    if "at least" in verdict:
        stated = number(r"at least ([^\s,]+)", verdict)
        assert stated <= one.least_epsilon * (1 + 1e-9)
        assert stated >= one.least_epsilon * 0.99
        if one.contradicted:
            assert stated > one.epsilon
    else:
        assert one.least_epsilon == 0
    delta = [text for text in told if text.startswith("At ε")]
    assert bool(delta) == (one.least_delta > 0)
    for text in delta:
        assert number(r"δ is at least (.+)\.$", text) <= one.least_delta * (1 + 1e-9)


@given(audits())
def test_that_counts_and_bounds_stand_beside_the_datasets_that_they_are_of(one):
    told = " ".join(sentences(one))
    likelier, other = "AB"[one.likelier], "AB"[1 - one.likelier]
    assert f"holds {one.counts[one.likelier]} on {likelier} and {one.counts[1 - one.likelier]} on {other}" in told
    low = number(rf"at least (\S+)\u202f% on {likelier}", told)
    high = number(rf"at most (\S+)\u202f% on {other}", told)
    assert low <= 100 * one.low * (1 + 1e-9)
    assert high >= 100 * one.high * (1 - 1e-9)
    made = audit_object(one)
    assert made["counts"] == {"A": one.counts[0], "B": one.counts[1]}
    assert made["contradicted"] == one.contradicted


@pytest.mark.parametrize(("least", "claimed", "stated"), [(1.00004, 1.0, "1.00004"), (1.2399, 1.0, "1.23"),
                                                          (0.98765, 1.0, "0.987")])
def test_that_a_bound_just_above_the_claim_keeps_the_digits_that_say_so(least, claimed, stated):
    one = OwnAudit(claimed, 0.0, 0.95, 100, "the outcome is 1", 1, (0, 5), 0.5, 0.1, least, 0.1)
    assert f"ε is at least {stated}" in next(sentences(one))
