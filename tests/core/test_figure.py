"""Marks that are there only under a choice."""

from __future__ import annotations

from dpstudio.core.figure import Mark


def test_that_a_mark_waits_for_the_value_it_belongs_to() -> None:
    mark = Mark("theta1", when=("design", "coins"))
    assert mark.applies({"design": "coins", "theta1": 0.5})
    assert not mark.applies({"design": "warner", "theta1": 0.5})
    assert mark.applies({"theta1": 0.5}), "of a choice that is not told nothing follows"
    assert Mark("theta1").applies({})
    either = Mark("at_most", when=("rows_law", "zipf", "rand"))
    assert [either.applies({"rows_law": law}) for law in ("one", "zipf", "rand")] == [False, True, True]
    assert either.applies({})
