"""Facts as rows, and as text to paste."""

from __future__ import annotations

from dataclasses import replace

from answers_kit import Asked

from dpstudio import vocabulary as v
from dpstudio.core.results import Fact, Series
from dpstudio.documents.rows import by_quantity, table_text

ONE, TWO = Series("laplace", "Laplace"), Series("cutoff", "Cutoff")
OF_ALL = Fact(v.MINIMUM, 1000.0, group="the answer")
FIRST, SECOND = Fact(v.ACCEPTANCE, 0.1 + 0.2, ONE, group="errors"), Fact(v.ACCEPTANCE, 0.25, TWO, group="errors")
LATER = Fact(v.EPSILON, 1e-3, TWO, group="privacy")
FACTS = (OF_ALL, FIRST, SECOND, LATER)


def test_that_facts_of_one_quantity_share_a_row_under_its_heading():
    assert [(row.group, row.quantity, dict(row.facts)) for row in by_quantity(FACTS).values()] == [
        ("the answer", v.MINIMUM, {None: OF_ALL}), ("errors", v.ACCEPTANCE, {"laplace": FIRST, "cutoff": SECOND}),
        ("privacy", v.EPSILON, {"cutoff": LATER})]


def test_that_what_a_probability_lacks_to_1_is_said_where_both_are_exact():
    lacking = Fact(v.REJECTION, 1e-20, ONE)
    for other, found in (
            (lacking, 1e-20), (replace(lacking, kind="bound"), None), (replace(lacking, series=TWO), None)):
        rows = by_quantity((replace(FIRST, value=1.0), other, LATER))
        assert rows["acceptance"].lack("laplace", rows) == found
        assert rows["epsilon"].lack("cutoff", rows) is None


def test_that_a_table_to_paste_has_every_digit_and_what_is_no_series_first():
    assert table_text(Asked(), FACTS).splitlines() == [
        f"# Asked; {Asked.neighbours.sentence}", "\tLaplace\tCutoff", f"{v.MINIMUM.label}\t1000\t",
        f"{v.ACCEPTANCE.label}\t0.30000000000000004\t0.25", f"{v.EPSILON.label}\t\t0.001"]
    assert table_text(Asked(), [OF_ALL]).splitlines()[1:] == ["", f"{v.MINIMUM.label}\t1000"]
