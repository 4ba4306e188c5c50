"""What a refusal quotes is on one line and short, whatever was given."""

from __future__ import annotations

import numpy as np
import pytest

from dpstudio.core.declare import InvalidParameter
from dpstudio.text.given import LONGEST, cut, shown

DEEP: list = []
for _ in range(100_000):
    DEEP = [DEEP]


@pytest.mark.parametrize("given", ["x" * 10**5, "\n" * 10**5, "\0" * 50, list(range(10**5)), 10**10_000, b"x" * 1000,
                                   {"a" * 100: 1}, DEEP, "'" * 59 + '"', np.ones(1000)],
                         ids=lambda given: type(given).__name__)
def test_that_anything_is_quoted_on_one_short_line(given):
    assert len(shown(given)) <= LONGEST
    assert shown(given).isprintable()
    assert len(str(InvalidParameter("epsilon", "in (0, ∞)", given))) < 120


@pytest.mark.parametrize(("given", "quoted"), [
    ("x" * 58, f"'{'x' * 58}'"), ("x" * 59, f"'{'x' * 56}…"), (np.float64(0.5), "0.5"), (None, "None"),
    ("\ud800", r"'\ud800'"), (True, "True")])
def test_that_what_is_short_is_quoted_whole(given, quoted):
    assert shown(given) == quoted


@pytest.mark.parametrize(("given", "quoted"), [
    ("plain words", "plain words"), ("\udc9a", "\ufffd"), ("a\0b\nc", "a\ufffdb c"), ("\n" * 100 + "x", "x"),
    ("x" * 61, "x" * 57 + "…"), ("x " * 40, "x " * 28 + "x…"), ("x\n" * 40, "x " * 28 + "x…"),
    ("100\u202f000\u00a0m\n", "100\u202f000\u00a0m")])
def test_that_what_is_not_quoted_is_one_line_that_can_be_shown(given, quoted):
    assert cut(given) == quoted
