"""An answer computes nothing until it is asked, everything at most once, and one fact alone."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, replace

import numpy as np
import pytest
from answers_kit import at_hand

from dpstudio import vocabulary as v
from dpstudio.core.answer import Answer
from dpstudio.core.declare import InvalidParameter, parameter
from dpstudio.core.facts import Entry, Said, drawn, drawn_table, each, in_one_step, once, simulated, table
from dpstudio.core.results import Column, Series, Table
from dpstudio.core.slow import EVERY, NotYet, Wanted, hurried
from dpstudio.core.sources import DMNS06, DR14
from dpstudio.core.study import Study, answer, fact
from dpstudio.core.update import Update
from dpstudio.studies import all_studies

FEW, MANY, NEVER = Series("few", "Few"), Series("many", "Many"), Series("never", "Never")
X = Column(v.N)
MADE: list[str] = []


@dataclass(frozen=True)
class Counting(Study):
    """How many?"""

    key = "counting"
    title = "Counting"
    question = "How many?"
    pictures = ()

    records: int = parameter(v.RECORDS, 3)
    trials: int = parameter(v.TRIALS, 4)

    @classmethod
    def answers(cls):
        return CountingAnswer


def noted(what, value=1.0):
    MADE.append(what)
    return value


def search(a):
    for step in range(3):
        MADE.append(f"step {step}")
        yield


def counted(a, view):
    MADE.append(f"table {view}")
    return Table({X: np.linspace(*view, 3)})


class CountingAnswer(Answer):
    compared = (Entry(FEW, lambda a: noted("few", 1), DMNS06), Entry(MANY, lambda a: noted("many", 100)),
                Entry(NEVER, lambda a: None))
    declared = {
        "the answer": (
            each(v.RECORDS, lambda one: noted("records", one), "{records} records"),
            once(v.MINIMUM, lambda a: noted("minimum", Said(2, "by hand", DR14, "bound")), kind="exact"),
            once(v.EPSILON, lambda a: None),
            simulated(v.FRACTION, lambda key, seen: seen if key == "few" else None),
        ),
        "technical": (
            once(v.DELTA, lambda a: noted("delta"), slow=search, series=MANY),
            drawn(v.DONE, lambda a, seen: seen),
        ),
    }
    tabled = {
        "counted": table(counted, lambda a: (0.0, float(a.study.records)),
                         drawn=lambda a, made, seen: {Column(v.DONE): np.full(3 if seen < 4 else 2, seen)}),
        "later": table(lambda a, view: Table({X: np.zeros(1)}), (0.0, 1.0), slow=search),
        "drawn": drawn_table(lambda a, seen: Table({X: np.arange(float(seen))}), (0.0, 1.0)),
    }

    def sentences(self, seen=None):
        yield f"There are {self.study.records}."
        yield f"In the end {self.value(v.DELTA, MANY):g}."

    def simulate(self, views):
        yield None, 0
        for done in range(1, self.study.trials + 1):
            yield done, done


@pytest.fixture(autouse=True)
def nothing_made():
    MADE.clear()


def test_that_making_an_answer_computes_nothing():
    update = Update(Counting().answer())
    assert list(update.tables) == ["counted", "later"]
    assert "drawn" not in update.tables
    assert not MADE


def test_that_one_fact_builds_its_own_series_and_nothing_else_and_is_kept():
    a = Counting().answer()
    assert a.fact(v.RECORDS, FEW).value == 1
    assert a.fact("records", "few") is a.fact(v.RECORDS, FEW)
    assert MADE == ["few", "records"]


def test_that_what_another_thread_made_meanwhile_is_everybodys(monkeypatch):
    found = Counting().answer()
    made = iter([lambda a: a.one(FEW), lambda a: None])  # the first is overtaken while it makes its own
    monkeypatch.setattr(CountingAnswer, "compared", (Entry(FEW, lambda a: [next(made)(a)], DMNS06),))
    assert found.one(FEW) is found.one(FEW)
    assert found.one(FEW) == [None]


def test_that_a_fact_is_as_it_was_declared_unless_what_makes_it_says_more():
    a = Counting(records=7).answer()
    of_each, said = a.fact(v.RECORDS, FEW), a.fact(v.MINIMUM)
    assert (of_each.how, of_each.source, of_each.kind, of_each.group) == ("7 records", DMNS06, "exact", "the answer")
    assert a.fact(v.RECORDS, MANY).source is None
    assert (said.how, said.source, said.kind, said.value) == ("by hand", DR14, "bound", 2.0)


def test_that_a_fact_is_there_where_it_says_and_nothing_is_made_of_it_elsewhere():
    class Waiting(CountingAnswer):
        declared = {"the answer": (
            each(v.RECORDS, lambda one: noted("each", one), when=lambda one: one > 1),
            once(v.MINIMUM, lambda a: noted("once"), when=lambda a: a.study.records > 5),
            drawn(v.DONE, lambda a, seen: noted("drawn", seen), when=lambda a, seen: seen > 1),
            once(v.DELTA, lambda a: 1.0, slow=in_one_step(lambda a: noted("worked"))),
        )}

    few, many = (Waiting(Counting(records=n)) for n in (3, 7))
    assert (few.fact(v.RECORDS, FEW), few.fact(v.MINIMUM), few.fact(v.DONE, seen=1)) == (None, None, None)
    assert MADE == ["few"]
    made = many.fact(v.RECORDS, MANY), many.fact(v.MINIMUM), many.fact(v.DONE, seen=2)
    assert [one.value for one in made] == [100, 1, 2]
    step, *rest = many.work(many.declaration("delta", None).slow)
    assert (step, rest, MADE[-1]) == (None, [], "worked")


def test_that_who_proved_an_entry_may_depend_on_the_settings_and_proved_no_draws(monkeypatch):
    by = Entry(FEW, lambda a: 1, lambda a: DMNS06 if a.study.records > 5 else DR14)
    monkeypatch.setattr(CountingAnswer, "compared", (by, Entry(MANY, lambda a: 100)))
    assert [Counting(records=n).answer().fact(v.RECORDS, FEW).source for n in (3, 7)] == [DR14, DMNS06]
    assert Counting().answer().fact(v.FRACTION, FEW, 3).source is None


def test_that_an_entry_may_wait_for_a_word_of_a_choice():
    class Choosing(CountingAnswer):
        compared = (CountingAnswer.compared[0], Entry(MANY, lambda a: 100, when=("records", 7)))

    without, chosen = Choosing(Counting(records=10)), Choosing(Counting(records=7))
    assert (without.chosen, without.one(MANY), without.fact(v.RECORDS, MANY)) == ((FEW,), None, None)
    assert (chosen.chosen, chosen.one(MANY)) == ((FEW, MANY), 100)
    assert [MANY in {found.series for found in each.facts()} for each in (without, chosen)] == [False, True]


def test_that_facts_come_in_the_order_of_declaration_and_none_where_they_do_not_apply():
    facts = Update(Counting().answer()).facts
    assert [(each.key, each.series) for each in facts] == [
        ("records", FEW), ("records", MANY), ("minimum", None), ("delta", MANY)]


def test_that_what_is_drawn_is_there_once_something_was():
    a = Counting().answer()
    assert a.fact(v.FRACTION, FEW) is None
    update = Update(a, seen=3, done=3)
    assert update.fact(v.FRACTION, FEW).value == 3
    assert update.fact(v.FRACTION, FEW).kind == "estimate"
    assert update.fact(v.FRACTION, MANY) is None
    assert update.fact(v.DONE).value == 3
    assert update.tables["drawn"].rows == 3


def test_that_draws_widen_a_table_unless_they_were_made_for_another_view():
    a = Counting().answer()
    assert list(Update(a, seen=3).tables["counted"]) == [X, Column(v.DONE)]
    assert list(Update(a, seen=4).tables["counted"]) == [X]


def test_that_a_table_is_made_once_a_view_and_the_last_view_is_kept():
    a = Counting().answer()
    a.table("counted")
    a.table("counted")
    Update(a, {"counted": (0.0, 2.0)}).tables["counted"]
    a.table("counted", (0.0, 2.0))
    a.table("counted")
    assert MADE == ["table (0.0, 3.0)", "table (0.0, 2.0)", "table (0.0, 3.0)"]


@pytest.mark.parametrize(("ask", "sentence"), [
    (lambda a: a.fact("what"),
     "fact must be one of records, minimum, epsilon, accepted_fraction, risk_before, risk_success, risk_found, "
     "risk_belief, risk_usual, risk_advantage, risk_after, risk_of_records, profile_room, profile_epsilon, delta, "
     "trials_done, got 'what'"),
    (lambda a: a.fact(v.RECORDS), "series must be one of few, many, never, got None (for records)"),
    (lambda a: a.fact(v.RECORDS, "x"), "series must be one of few, many, never, got 'x' (for records)"),
    (lambda a: a.fact(v.MINIMUM, FEW), "series must be left out, as minimum belongs to no series, got 'few'"),
    (lambda a: a.table("x"), "table must be one of counted, later, drawn, got 'x'"),
    (lambda a: a.one("x"), "series must be one of few, many, never, got 'x'"),
])
def test_that_what_does_not_exist_is_refused_by_naming_what_does(ask, sentence):
    with pytest.raises(InvalidParameter) as refusal:
        ask(Counting().answer())
    assert str(refusal.value) == sentence


@pytest.mark.parametrize("view", [(2.0, 1.0), (-np.inf, 0.0), (0.0, np.inf), (np.nan, 1.0), (0.0, np.nan)])
def test_that_a_view_without_an_end_or_the_wrong_way_round_is_refused(view):
    with pytest.raises(InvalidParameter, match="the view of counted must be two finite numbers, the lower first, got"):
        next(Counting().run({"counted": view}))
    assert not MADE


def test_that_a_view_of_no_width_is_one_and_a_view_of_no_table_is_refused():
    assert next(Counting().run({"counted": (1.0, 1.0)})).tables["counted"].rows == 3
    with pytest.raises(InvalidParameter, match="table must be one of counted, later, drawn, got 'what'"):
        next(Counting().run({"what": (0.0, 1.0)}))


def test_that_a_fact_that_does_not_apply_is_refused_by_saying_so():
    with pytest.raises(InvalidParameter, match="these settings have without a simulation, got 'epsilon'"):
        fact(Counting(), v.EPSILON)
    with pytest.raises(InvalidParameter, match="got 'accepted_fraction@few'"):
        fact(Counting(), v.FRACTION, FEW)
    assert fact(Counting(), "delta", "many").value == 1


def test_that_in_a_hurry_nothing_that_takes_longer_is_computed():
    a = Counting().answer()
    with hurried(), pytest.raises(NotYet):
        a.fact(v.DELTA, MANY)
    with hurried(), pytest.raises(NotYet):
        a.table("later")
    assert not MADE
    assert a.fact(v.DELTA, MANY).value == 1
    assert MADE == ["step 0", "step 1", "step 2", "delta"]
    with hurried():
        a.table("later")  # its work was done by then


class Slow(CountingAnswer):
    """A table whose search follows the view, and one of which only a column waits."""

    tabled = {
        "followed": table(counted, (0.0, 1.0), slow_in=lambda a, view: iter([noted(f"search {view}")])),
        "partly": table(counted, (0.0, 1.0), slow=lambda a: iter(range(a.study.records)),
                        later=lambda a, made: {Column(v.DONE): 2 * made[X]}),
    }


def test_that_work_of_a_view_is_done_once_a_view():
    a = Slow(Counting())
    for view in ((0.0, 1.0), (0.0, 2.0), (0.0, 1.0)):
        a.table("followed", view)
    assert [each for each in MADE if "search" in each] == ["search (0.0, 1.0)", "search (0.0, 2.0)"]
    update = Update(a, {"followed": (0.0, 3.0)})
    assert at_hand(update, "followed") is None
    for _ in update.prepare(Wanted(frozenset({"followed"}))):
        pass
    assert MADE[-2:] == ["search (0.0, 3.0)", "table (0.0, 3.0)"]
    assert at_hand(update, "followed")[X][-1] == 3


def test_that_only_the_columns_that_take_longer_wait_for_them():
    update = Update(Slow(Counting()))
    assert list(at_hand(update, "partly")) == [X]
    assert list(update.tables["partly"]) == [X, Column(v.DONE)]
    assert list(at_hand(update, "partly")) == [X, Column(v.DONE)]
    nothing_left = Update(Slow(Counting(records=0)))
    assert list(at_hand(nothing_left, "partly")) == [X, Column(v.DONE)]


def test_that_preparing_in_a_hurry_leaves_out_what_takes_longer_and_afterwards_nothing():
    update = Update(Counting().answer())
    wanted = Wanted(frozenset({"counted", "later"}), frozenset({("delta", "many"), ("records", "few")}), EVERY)
    for _ in update.prepare(wanted, hurry=True):
        pass
    assert "delta" not in MADE
    assert update.said == ("There are 3.",)
    facts, pending = update.standing()
    assert {each.key for each in facts} == {"records"}
    assert ("delta", "many") in pending
    steps = sum(1 for _ in update.prepare(wanted))
    assert steps >= 3
    assert update.said == update.verdicts == ("There are 3.", "In the end 1.")
    facts, pending = update.standing()
    assert [each.value for each in facts if each.place == ("delta", "many")] == [1]
    assert ("delta", "many") not in pending
    assert MADE.count("step 0") == MADE.count("delta") == MADE.count("few") == 1


def patient(a):
    yield
    yield from search(a)


class Widened(Answer):
    tabled = {"widened": table(counted, (0.0, 1.0), slow=patient, drawn=lambda a, made, seen: {Column(v.DONE): seen},
                               later=lambda a, made: {Column(v.RECORDS): noted("wide", 2 * made[X])})}


def test_that_columns_that_take_longer_join_a_table_that_was_there_before():
    asked = Widened(Counting())
    with hurried():
        assert list(asked.table("widened")) == [X]
        assert list(asked.table("widened", seen=np.ones(3))) == [X, Column(v.DONE)]
    assert MADE == ["table (0.0, 1.0)"]
    whole = asked.table("widened")
    assert whole[Column(v.RECORDS)].tolist() == [0, 1, 2]
    assert MADE == ["table (0.0, 1.0)", "step 0", "step 1", "step 2", "wide"]
    with hurried():
        assert list(asked.table("widened", (0.0, 2.0))) == [X, Column(v.RECORDS)], "the work was done"


def test_that_a_table_prepared_in_a_hurry_is_there_for_who_must_not_wait_and_is_made_whole_afterwards():
    update, wanted = Update(Widened(Counting())), Wanted(frozenset({"widened"}))
    for _ in update.prepare(wanted, hurry=True):
        pass
    assert list(at_hand(update, "widened")) == [X], "whoever paints it now does not wait"
    assert "step 0" not in MADE
    for _ in update.prepare(wanted):
        pass
    assert list(update.tables["widened"]) == [X, Column(v.RECORDS)]
    assert list(Update(Widened(Counting())).tables["widened"]) == [X, Column(v.RECORDS)]


def test_that_only_as_many_sentences_are_made_as_are_wanted():
    update = Update(Counting().answer())
    for _ in update.prepare(Wanted(sentences=1), hurry=True):
        pass
    assert update.said == ("There are 3.",)
    assert not MADE


def test_that_sentences_are_made_once_however_they_are_asked_for(monkeypatch):
    made, sentences = [], CountingAnswer.sentences
    monkeypatch.setattr(CountingAnswer, "sentences", lambda a, seen=None: made.append(seen) or sentences(a, seen))
    update = Update(Counting().answer())
    assert update.verdicts is update.verdicts
    list(update.prepare(Wanted(sentences=EVERY)))
    assert update.said is update.verdicts
    assert len(made) == 1


def test_that_numbers_in_a_formula_are_written_as_sentences_have_them():
    assert Counting(records=10**9).answer().fact(v.RECORDS, FEW).how == "1e9 records"


def test_that_a_declaration_made_twice_is_refused():
    class Twice(CountingAnswer):
        declared = {"errors": (once(v.MINIMUM, lambda a: 1), once(v.MINIMUM, lambda a: 2))}

    class Elsewhere(CountingAnswer):
        declared = {"gossip": (once(v.MINIMUM, lambda a: 1),)}

    with pytest.raises(AssertionError, match="declares minimum twice"):
        Twice(Counting()).facts()
    with pytest.raises(AssertionError, match="gossip, which is no group"):
        Elsewhere(Counting()).facts()


def test_that_quantities_and_series_are_equal_by_key_also_after_a_process():
    assert pickle.loads(pickle.dumps(v.EPSILON)) == v.EPSILON
    assert {pickle.loads(pickle.dumps(Column(v.EPSILON, FEW))): 1}[Column(v.EPSILON, Series("few", "other"))]
    assert replace(FEW, label="Some") == FEW != MANY
    assert Series("few", "Few").look == "few"
    assert Series("few", "Few", "laplace").look == "laplace"


@pytest.mark.parametrize("key", all_studies())
def test_that_every_study_gives_each_fact_alone_as_it_gives_all(key):
    study = all_studies()[key]()
    found = answer(study, simulate=False).facts
    for one in found:
        assert fact(study, one.quantity, one.series) == one
