"""Wanted by itself: what it offers, guesses, refuses, and says; with no window around it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from wants import known_wants

from dpstudio import vocabulary as v
from dpstudio.core.figure import Axis, Figure
from dpstudio.core.slow import Wanted
from dpstudio.core.solve.problem import Problem
from dpstudio.core.solve.solver import near, readable, solve
from dpstudio.core.solve.want import Want
from dpstudio.core.study import Study
from dpstudio.core.update import Update
from dpstudio.documents.session import Session
from dpstudio.gui.session.document import Document
from dpstudio.gui.shell.theme import LIGHT
from dpstudio.gui.solve.bar import HINT
from dpstudio.gui.solve.guess import drawn_as, goals, moving, relation_for, solvable, wanted
from dpstudio.gui.solve.question import Question
from dpstudio.gui.solve.solver import Solver
from dpstudio.studies import all_studies
from dpstudio.studies.decision import Decision
from dpstudio.studies.mean import Mean
from dpstudio.text.entry import read_number

KEY = Qt.Key
STUDIES = all_studies()


@pytest.fixture
def solver(qtbot):
    """What is wanted of the decision study."""
    owner = QObject()
    document = Document(Session.of(Decision), parent=owner)
    solver = Solver(document, Wanted, LIGHT, owner)
    qtbot.addWidget(solver.bar)
    solver.bar.resize(1256, 40)
    solver.show_read(Update(document.study.answer()))
    yield solver
    solver.close_down()


def solved(solver):
    return not solver.asking.late


def related(row, sign):
    row.relation.show_option(sign)
    row.relation.activated.emit(row.relation.currentIndex())


def typed(entry, text):
    entry.selectAll()
    QTest.keyClicks(entry, text)


def asked(qtbot, solver, place, text, relation=None):
    """Want a value of a fact, and wait for all answers."""
    solver.want(place)
    row = solver.bar.rows[0]
    if relation:
        related(row, relation)
    typed(row.entry, text)
    qtbot.waitUntil(lambda: solved(solver))
    return row


def texts(solver):
    return [shown.words for shown in solver.bar.answers.choices]


def test_that_all_that_is_allowed_answers_at_once_and_one_undo_gives_back_value_and_choice(solver, qtbot):
    document = solver.document
    document.do("Change", Session.put, {"minimum": 100_000, "delta": 1e-9})
    before = document.session
    solver.bar.rows[0].begin(v.BAND_WIDTH)
    solver.want()
    typed(solver.bar.rows[0].entry, "500")
    assert all(shown.text == "…" and not shown.ready for shown in solver.bar.answers.choices)
    qtbot.waitUntil(lambda: solved(solver))
    assert texts(solver) == ["Laplace  0.01565", "Generalized  0.01565", "Gaussian  0.04535"]
    assert [button.property("role") or "" for button in solver.bar.answers.buttons[:3]] == ["first", "", ""]
    QTest.keyClick(solver.bar.rows[0].entry, KEY.Key_Return)
    there = solve(Decision, before.explicit, [Want("band_width", "<=", 500.0, "laplace")], ["epsilon"])
    assert document.study.epsilon == there.values["epsilon"] == pytest.approx(2 * math.log(50) / 500, rel=1e-12)
    assert document.state.chosen == "laplace"
    assert [each.wants for each in document.state.solved] == [("band_width@laplace <= 500",)]
    assert (document.undo_text, document.steps) == ("Solve for ε", 2)
    assert solver.bar.answers.says.text() == "Taken: ε = 0.01565, Laplace chosen"
    assert solver.bar.wants is None
    document.undo()
    assert document.session == before
    assert document.state.chosen is None


def test_that_a_click_takes_the_answer_that_stands_there(solver, qtbot):
    solver.bar.rows[0].begin(v.BAND_WIDTH)
    solver.want()
    typed(solver.bar.rows[0].entry, "300")
    qtbot.waitUntil(lambda: solved(solver))
    at = texts(solver).index(next(each for each in texts(solver) if each.startswith("Gaussian")))
    offer = solver.reply.offers[at]
    QTest.mouseClick(solver.bar.answers.buttons[at], Qt.MouseButton.LeftButton)
    assert solver.document.state.chosen == "gaussian"
    assert solver.document.study.epsilon == offer.values["epsilon"]
    assert solver.document.study.answer().fact("band_width", "gaussian").value <= 300


def test_that_enter_before_the_answers_takes_the_first_once_all_are_there(solver, qtbot):
    solver.bar.rows[0].begin(v.BAND_WIDTH)
    solver.want()
    typed(solver.bar.rows[0].entry, "300")
    QTest.keyClick(solver.bar.rows[0].entry, KEY.Key_Return)
    assert solver.document.steps == 0
    qtbot.waitUntil(lambda: solver.document.steps == 1)
    assert solver.document.study.answer().fact("band_width", solver.document.state.chosen).value <= 300


def test_that_what_nothing_does_is_said_in_the_place_of_the_button_and_cannot_be_taken(solver, qtbot):
    before = solver.document.session
    row = asked(qtbot, solver, ("acceptance", "laplace"), "0.01", "<=")
    assert texts(solver) == ["Laplace  at no ε"]
    button = solver.bar.answers.buttons[0]
    assert not button.isEnabled()
    assert "The nearest is ε = 1e-6" in button.accessibleDescription()
    with qtbot.waitSignal(solver.said) as said:
        QTest.keyClick(row.entry, KEY.Key_Return)
    assert said.args == ["Nothing that is allowed does it"]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert solver.document.session is before


def test_that_whoever_is_not_allowed_has_no_place_and_says_why_where_it_is_named(solver, qtbot):
    solver.bar.rows[0].begin(v.BAND_WIDTH)
    solver.want()
    typed(solver.bar.rows[0].entry, "300")
    qtbot.waitUntil(lambda: solved(solver))
    assert not any(each.startswith("Cutoff") for each in texts(solver))
    solver.want(("band_width", "cutoff"))
    assert solver.bar.whose == "cutoff"
    typed(solver.bar.rows[0].entry, "300")
    qtbot.waitUntil(lambda: solved(solver))
    (only,) = texts(solver)
    assert only.startswith("Cutoff exponential  not allowed: spends δ = ")
    before = solver.document.session
    solver.take()
    assert solver.document.session is before


def test_that_a_value_is_refused_in_red_with_a_reason_in_the_row_and_mended(solver, qtbot):
    solver.want(("acceptance", "laplace"))
    row, strip, before = solver.bar.rows[0], solver.bar.answers, solver.document.session
    for text, reason in (("2", "in [0, 1], got 2"), ("abc", "in [0, 1], got 'abc'")):
        typed(row.entry, text)
        assert solver.bar.wants is None
        QTest.keyClick(row.entry, KEY.Key_Return)
        assert row.entry.is_refused()
        assert strip.says.text().startswith(f"{v.ACCEPTANCE.label} must be ")
        assert reason in strip.says.text()
        assert strip.says.property("role") == "danger"
        assert not strip.choices
    assert solver.document.session is before
    typed(row.entry, "99 %")
    assert not row.entry.is_refused()
    qtbot.waitUntil(lambda: solved(solver))
    assert solver.bar.wants[0].value == 0.99
    assert strip.choices
    assert strip.says.isHidden()
    typed(row.entry, "")
    QTest.keyClick(row.entry, KEY.Key_Backspace)
    assert (strip.says.text(), strip.says.property("role"), strip.choices) == (HINT, "muted", ())
    QTest.keyClick(row.entry, KEY.Key_Return)
    assert not row.entry.is_refused()


def test_that_an_empty_entry_shows_what_the_fact_is_rounded_so_that_it_does_it(solver):
    row = solver.bar.rows[0]
    value = solver.document.study.answer().fact("band_width", "laplace").value  # 78.2404…
    solver.want(("band_width", "laplace"))
    assert (row.relation.currentText(), row.entry.placeholderText()) == ("at most", "78.25")
    assert row.present >= value
    related(row, ">=")
    assert row.entry.placeholderText() == "78.24"
    assert row.present <= value
    assert row.entry.text() == ""
    assert solver.bar.answers.says.text() == HINT


def test_that_escape_leaves_everything_as_it_was(solver, qtbot):
    before = solver.document.session
    row = asked(qtbot, solver, ("band_width", "laplace"), "500")
    with qtbot.waitSignal(solver.closed):
        QTest.keyClick(row.entry, KEY.Key_Escape)
    assert solver.document.session is before
    assert (solver.bar.wants, solver.active, solver._targets, solver.preview.pinned) == (None, False, [], None)
    assert row.entry.text() == ""
    assert solver.bar.answers.says.text() == HINT


def test_that_an_estimate_is_replaced_by_what_it_comes_to_and_one_without_that_is_not_wanted(solver, qtbot):
    with qtbot.waitSignal(solver.said) as said:
        solver.want(("accepted_fraction", "cutoff"))
    assert (solver.bar.rows[0].facts.key, solver.bar.whose) == ("acceptance", "cutoff")
    assert "wanted is what it comes to" in said.args[0]
    solver.document.turn(Mean)
    with qtbot.waitSignal(solver.said) as said:
        solver.want(("seen_sd", "laplace"))
    assert "nothing exact stands for it" in said.args[0]
    solver.document.turn(STUDIES["posterior"])
    with qtbot.waitSignal(solver.said):
        solver.want(("coverage_found", "prior"))  # what it comes to is another series'
    assert not solver.active


def test_that_two_wants_are_solved_for_by_two_parameters_in_one_step(solver, qtbot):
    solver.want(("acceptance", "laplace"))
    bar = solver.bar
    bar.add_button.click()
    for row, quantity, at in zip(bar.rows, (v.ACCEPTANCE, v.REJECTION), ("N=900", "N = 1100"), strict=True):
        row.facts.show_fact(quantity)
        row.facts.chosen.emit(quantity.key)
        related(row, "<=")
        typed(row.at_entry, at)
        typed(row.entry, "0.01")
    qtbot.waitUntil(lambda: solved(solver))
    assert solver.reply.question.names == ("epsilon", "target")
    first = solver.reply.first
    assert first.series.key == "laplace"
    (text,) = texts(solver)
    assert text == f"Laplace  {first.words}"
    assert Problem.of(Decision, {}, first.problem.wants, ("epsilon", "target"), {}).holds(first.values)
    typed(bar.rows[0].at_entry, "Q = 3")
    QTest.keyClick(bar.rows[0].at_entry, KEY.Key_Return)
    assert "one of m, ε, δ, p" in bar.answers.says.text()
    typed(bar.rows[0].at_entry, "N = 900")
    qtbot.waitUntil(lambda: solved(solver))
    solver.take()
    assert (solver.document.steps, solver.document.undo_text) == (1, "Solve for ε and p")
    assert not bar.several
    assert bar.rows[0].at == {}


@pytest.mark.parametrize(("text", "first"), [
    ("band", "band_"), ("error wrong", "error"), ("threshold_offset", "threshold_offset"), ("guarantee", "guarantee_")])
def test_that_facts_are_found_by_label_symbol_or_key_in_any_order(solver, text, first):
    box = solver.bar.rows[0].facts
    for words in (text, " ".join(reversed(text.split()))):
        box.line.setText(words)
        box.line.textEdited.emit(words)
        found = box.keys()
        assert found
        assert found[0].startswith(first) or "error" in found[0]
        assert all(next(each for each in box._entries if each.quantity.key == key).found_by(words.split())
                   for key in found)


@pytest.mark.parametrize("key", list(STUDIES))
def test_that_each_fact_is_offered_once_those_of_level_one_first_and_the_rest_by_label(key, solver):
    solver.document.turn(STUDIES[key])
    study, box = solver.document.study, solver.bar.rows[0].facts
    offered, first = box.offered(), study.level_one.facts
    assert len(set(offered)) == len(offered)
    seen = [each for each in offered if each in first]
    assert seen == [each for each in first if each in offered] == offered[:len(seen)]
    rest = [each.label.casefold() for each in offered[len(seen):]]
    assert rest == sorted(rest)
    index, chosen = study.answers().index(), {one.key for one in study.answer().chosen}
    compared = {one.key for one in study.answers().series()}
    assert {each.key for each in offered} == {
        name for (name, of), one in index.items() if not one.simulated and (of not in compared or of in chosen)}
    assert STUDIES[key].level_one.wanted in offered
    names = [each.name for each in goals(study)[0]]
    assert set(names) <= set(study.level_one.parameters)
    assert names[:1] == [name for name in ("epsilon",) if name in names] or "epsilon" not in names


def test_that_a_fact_of_the_question_as_a_whole_is_of_nobody(solver, qtbot):
    solver.want(("prior_below", None))
    assert solver.bar.whom.isHidden()
    solver.want(("band_width", "laplace"))
    assert not solver.bar.whom.isHidden()
    solver.want(("prior_below", None))
    typed(solver.bar.rows[0].entry, "0.4")
    qtbot.waitUntil(lambda: solved(solver))
    assert [offer.series for offer in solver.reply.offers] == [None]


@pytest.mark.parametrize("key", list(STUDIES))
def test_that_what_is_guessed_of_every_fact_can_be_asked(key):
    kind = STUDIES[key]
    study = kind()
    answer, offered = study.answer(), [each.name for each in solvable(study)]
    for place, declared in list(answer.index().items())[::5]:
        if declared.simulated or declared.slow or place == ("plan_epsilon", "accounting"):
            continue
        fact = answer.fact(*place)
        parameter = wanted("wanted0", declared.quantity, fact.value if fact else None)
        if fact and math.isfinite(fact.value):
            assert parameter.domain.accept(fact.value) is not None
            low, high = parameter.shown
            assert low <= fact.value <= high
        Want(place[0], relation_for(declared.quantity), 0.5, place[1]).check(kind)
        first = next(moving(kind, {}, [place]), None)
        assert first is None or first in offered


def test_that_the_parameter_guessed_is_one_that_privacy_hangs_on_where_it_changes_the_fact():
    def first(place):
        return next(moving(Decision, {}, [place]))

    assert first(("band_width", "laplace")) == "epsilon"
    assert first(("guarantee_delta", "gaussian")) != "minimum"
    assert first(("acceptance_at_minimum", "laplace")) == "target"
    assert first(("prior_below", None)) not in ("epsilon", "delta")
    assert relation_for(v.COVERAGE) == relation_for(v.POLICY_UTILITY) == ">="
    assert relation_for(v.BAND_WIDTH) == relation_for(v.GUARANTEE_EPSILON) == "<="


CASES = st.sampled_from([(Decision, "band_width", "laplace", "epsilon"), (Mean, "times_sd", "laplace", "people"),
                         (Mean, "population_error", "laplace", "people"), (Mean, "group_error", "response", "epsilon")])


@settings(deadline=None, max_examples=25)
@given(CASES, st.floats(0.05, 2.0), st.floats(0.3, 3.0), st.integers(3, 6))
def test_that_the_solution_next_to_a_value_is_that_of_the_whole_range_and_reads_well(case, epsilon, moved, digits):
    kind, key, series, name = case
    study = kind(epsilon=epsilon)
    fact = study.answer().fact(key, series)
    want = Want(key, "<=", fact.value * moved, series)
    problem = Problem.of(kind, {"epsilon": epsilon}, (want,), (name,), {})
    found, whole = near(problem, {name: getattr(study, name)}), solve(kind, {"epsilon": epsilon}, (want,), (name,))
    if found is None:
        return  # it lies elsewhere
    assert problem.holds(found)
    assert found in whole.limits
    short = readable(problem, found, digits)
    assert problem.holds(short)
    assert short[name] == pytest.approx(found[name], rel=10.0 ** (1 - digits))
    assert isinstance(short[name], int) or len(f"{short[name]:.15g}".replace(".", "").strip("0")) <= digits + 1


def test_that_what_is_typed_takes_the_place_of_the_fact_and_names_none_until_one_is_chosen(solver, qtbot):
    row = asked(qtbot, solver, ("acceptance", "laplace"), "0.5")
    box, before = row.facts, solver.document.session
    solver.bar.show()
    QTest.mouseClick(box.line, Qt.MouseButton.LeftButton, pos=QPoint(60, box.height() // 2))
    assert box.list.isVisible()
    assert box.keys() == [each.key for each in box.offered()]
    QTest.keyClicks(box.list, "uncertain band")  # the list has the keyboard, and gives the letters to the box
    assert box.line.text() == "uncertain band"
    assert not box.settled
    assert solver.bar.wants is None
    assert not solver.bar.answers.choices
    QTest.keyClick(box.list, KEY.Key_Return)
    assert box.key in {"band_width", "band_steps"}
    assert box.settled
    assert not box.list.isVisible()
    assert row.entry.text() == ""
    assert solver.document.session is before
    typed(row.entry, "300")
    qtbot.waitUntil(lambda: solved(solver))
    assert solver.reply.first.problem.wants[0].name == f"{box.key}@laplace"


def test_that_what_names_no_fact_is_red_says_so_and_nothing_is_taken(solver, qtbot):
    row = asked(qtbot, solver, ("band_width", "laplace"), "300")
    box, before = row.facts, solver.document.session
    solver.bar.show()
    box.setFocus()
    box.line.selectAll()
    QTest.keyClicks(box, "bandy of acce")
    assert box.property("refused")
    assert solver.bar.answers.says.text() == "No fact here is called “bandy of acce”: try one word of its name"
    assert not box.list.isVisible()
    for _ in range(2):
        assert solver.bar.wants is None
        QTest.keyClick(box, KEY.Key_Return)
        QTest.keyClick(row.entry, KEY.Key_Return)
    assert solver.document.session is before
    QTest.keyClick(box, KEY.Key_Escape)
    assert not box.property("refused")
    assert box.key == "band_width"
    qtbot.waitUntil(lambda: solved(solver))
    assert solver.bar.wants[0].quantity == "band_width"


def test_that_enter_takes_the_most_private_value_where_every_value_does(solver, qtbot):
    solver.document.edit("minimum", 100_000)
    row = asked(qtbot, solver, ("acceptance", "laplace"), "0")
    assert texts(solver) == ["Laplace  1e-6"]
    assert "the most private is ε = 1e-6" in solver.bar.answers.choices[0].tells
    QTest.keyClick(row.entry, KEY.Key_Return)
    assert solver.document.study.epsilon == 1e-6


def test_that_enter_changes_nothing_where_a_ceiling_on_what_is_spent_sets_no_limit(solver, qtbot):
    row = asked(qtbot, solver, ("guarantee_epsilon", "laplace"), "50")
    assert solver.reply.question.names == ("epsilon",)
    assert texts(solver) == ["✓ Laplace  0.1"]
    solver.document.edit("epsilon", 0.05)
    qtbot.waitUntil(lambda: solved(solver) and texts(solver) == ["✓ Laplace  0.05"])
    QTest.keyClick(row.entry, KEY.Key_Return)
    assert solver.document.study.epsilon == 0.05
    assert solver.document.state.chosen == "laplace"


def test_that_the_answers_follow_another_parameter_and_that_whoever_was_decided_for_leads(solver, qtbot):
    solver.bar.rows[0].begin(v.BAND_WIDTH)
    solver.document.do("Choose", Session.decide, "gaussian")
    solver.want()
    typed(solver.bar.rows[0].entry, "300")
    assert solver.asking.asked.among[0].key == "gaussian"
    qtbot.waitUntil(lambda: solved(solver))
    before = [offer.values["epsilon"] for offer in solver.reply.offers]
    solver.document.edit("uncertain", 0.05)
    qtbot.waitUntil(lambda: solved(solver) and solver.reply.question.explicit["uncertain"] == 0.05)
    assert all(offer.values["epsilon"] < former for offer, former in zip(solver.reply.offers, before, strict=True))


@settings(deadline=None, max_examples=15)
@given(st.sampled_from([Decision, Mean]), st.integers(0, 5), st.sampled_from((0.5, 1.0, 1.7)))
def test_that_the_window_takes_what_the_command_line_takes(kind, seed, factor):
    (known,) = known_wants(kind, 1, seed)
    want = Want(known.want.quantity, known.want.relation, known.want.value * factor)
    there = solve(kind, known.explicit, [Want(want.quantity, want.relation, want.value, known.want.series)],
                  [known.name])
    series = next((one for one in kind.answers().series() if one.key == known.want.series), None)
    *_, reply = Question(kind, known.explicit, (want,), (series,), (known.name,)).answered()
    (offer,) = reply.offers
    assert reply.done
    assert (offer.solution.values, offer.solution.met) == (there.values, there.met)
    assert offer.values in (there.values, *there.others)
    if offer.values == there.values:
        assert offer.says == there.says


def test_that_what_would_be_set_stands_beside_what_is_wanted_and_is_not_to_be_dragged(solver, qtbot):
    told = []
    solver.aimed.connect(told.append)
    row = asked(qtbot, solver, ("band_width", "laplace"), "500")
    goal, previewed = told[-1]
    assert (goal.words, goal.value, goal.draggable) == ("wanted ≤", 500.0, True)
    assert (previewed.words, previewed.value, previewed.draggable) == (
        "preview: ε =", solver.reply.first.values["epsilon"], False)
    over_epsilon = Figure("over", "Over", "over", Axis(v.EPSILON, "log"), Axis(v.BAND_WIDTH, "log"), ())
    assert (goal.axis(over_epsilon), previewed.axis(over_epsilon)) == ("y", "x")
    assert previewed.axis(Decision.figure("acceptance")) is None
    assert goal.axis(Decision.figure("acceptance")) is None
    typed(row.entry, "x")
    (line,) = told[-1]
    assert line.value == row.present  # nothing is wanted yet: its line stands where the fact is
    typed(row.entry, "500")
    qtbot.waitUntil(lambda: solved(solver))
    solver.take()
    assert told[-1] == []


@pytest.mark.parametrize("value", [0.00013571234, 123456.789012, 1.2345e-7, 80.0])
def test_that_what_a_fact_is_now_is_never_cut(solver, value):
    row = solver.bar.rows[0]
    row.begin(v.BAND_WIDTH)
    row.show_present(value)
    shown, entry = row.entry.placeholderText(), row.entry
    assert entry.fontMetrics().horizontalAdvance(shown) <= entry.width() - 18
    assert read_number(shown) >= value, "rounded to where it is so still"
    assert read_number(shown) == pytest.approx(value, rel=0.01)


def test_that_a_bar_that_is_narrow_leaves_words_and_then_answers_to_a_list(solver, qtbot):
    solver.bar.rows[0].begin(v.BAND_STEPS)
    solver.bar.resize(1600, 40)  # with room for any font
    solver.bar.show()
    solver.want()
    typed(solver.bar.rows[0].entry, "300")
    qtbot.waitUntil(lambda: solved(solver))
    strip = solver.bar.answers
    assert solver.bar.rows[0].words.isVisible()
    assert solver.bar.whom.isVisible()
    assert [button.isVisible() for button in strip.buttons[:3]] == [True] * 3
    solver.bar.resize(700, 40)
    qtbot.waitUntil(lambda: strip.more.isVisible())
    assert not solver.bar.rows[0].words.isVisible()
    assert not solver.bar.whom.isVisible()
    shown = [button for button in strip.buttons if button.isVisible()]
    assert shown
    assert all(button.width() >= button.sizeHint().width() for button in shown[1:])
    qtbot.waitUntil(lambda: 0 < strip.more.geometry().right() <= strip.width())
    strip.setGeometry(strip.x(), strip.y(), strip.buttons[0].sizeHint().width() + 20, strip.height())
    assert "…" in strip.buttons[0].text()
    assert strip.buttons[0].text().endswith(strip.choices[0].text)
    assert strip.more.geometry().right() <= strip.width()
    strip.setGeometry(strip.x(), strip.y(), 400, strip.height())
    assert strip.buttons[0].text() == texts(solver)[0]
    solver.bar.resize(701, 40)
    qtbot.waitUntil(lambda: strip.more.isVisible() and strip.width() < 400)
    shown = [button for button in strip.buttons if button.isVisible()]
    actions = strip.more.menu().actions()
    assert [action.text() for action in actions] == texts(solver)[len(shown):]
    actions[-1].trigger()
    assert solver.document.state.chosen == "gaussian"


@pytest.mark.parametrize("width", [816, 936, 1256, 1896])
def test_that_the_name_of_every_fact_is_read_whole(solver, width):
    bar = solver.bar
    bar.resize(width, bar.height())
    bar.show()
    facts = bar.rows[0].facts
    for kind in STUDIES.values():
        solver.document.turn(kind)
        for each in facts.offered():
            facts.show_fact(each)
            bar.rows[0].fact_changed.emit()
            QApplication.processEvents()
            assert facts.line.text() == each.label, (kind.key, width)


def test_that_the_study_that_is_turned_to_has_its_own_wanted(solver):
    for kind in STUDIES.values():
        solver.document.turn(kind)
        assert issubclass(kind, Study)
        assert solver.bar.rows[0].facts.quantity == kind.level_one.wanted
        assert solver.bar.wants is None
        assert not solver.active


@pytest.mark.parametrize("key", list(STUDIES))
def test_that_a_line_is_spoken_of_where_a_picture_that_is_seen_first_has_one(key, solver):
    kind = STUDIES[key]
    solver.document.turn(kind)
    axes = {axis.quantity for name in (kind.level_one.large, *kind.level_one.beside)
            for axis in (kind.figure(name).x, kind.figure(name).y)}
    for quantity in kind.level_one.facts:
        solver.bar.rows[0].begin(quantity)
        solver.bar.empty()
        drawn = quantity in axes or any(each in axes for each in drawn_as(quantity))
        assert solver.bar.answers.says.text() == (HINT if drawn else "type a value")
