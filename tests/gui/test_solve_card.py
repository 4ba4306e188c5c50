"""The solver by itself: what it guesses, refuses, and says; with no window around it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtTest import QTest
from wants import known_wants

from dpstudio import vocabulary as v
from dpstudio.core.figure import Axis, Figure
from dpstudio.core.slow import Wanted
from dpstudio.core.solve.problem import Problem
from dpstudio.core.solve.solver import near, readable, solve
from dpstudio.core.solve.want import Want
from dpstudio.documents.session import Session
from dpstudio.gui.session.document import Document
from dpstudio.gui.shell.theme import LIGHT
from dpstudio.gui.solve.guess import moving, relation_for, solvable, wanted
from dpstudio.gui.solve.question import Question
from dpstudio.gui.solve.solver import Solver
from dpstudio.studies import all_studies
from dpstudio.studies.decision import Decision
from dpstudio.studies.mean import Mean
from dpstudio.text.entry import write_number

KEY = Qt.Key


@pytest.fixture
def solver(qtbot):
    """A solver of the decision study, to be opened."""
    owner = QObject()
    document = Document(Session.of(Decision), parent=owner)
    solver = Solver(document, Wanted, LIGHT, owner)
    qtbot.addWidget(solver.card)
    yield solver
    solver.close_down()


def opened(qtbot, solver, place):
    solver.open(place)
    qtbot.waitUntil(lambda: solved(solver))
    return solver.card


def solved(solver):
    return solver.found is not None and not solver.worker.busy


def related(row, words):
    at = row.relation.findText(words)
    row.relation.setCurrentIndex(at)
    row.relation.activated.emit(at)


def typed(entry, text, line=None):
    (line or entry).selectAll()
    QTest.keyClicks(entry, text)


def test_that_a_wanted_value_is_refused_in_red_with_a_reason_and_mended(solver, qtbot):
    card = opened(qtbot, solver, ("acceptance", "laplace"))
    row, = card.active
    typed(row.entry, "2")
    assert not card.take_button.isEnabled()  # nothing legible is asked
    QTest.keyClick(row.entry, KEY.Key_Return)
    assert row.entry.is_refused()
    assert "in [0, 1], got 2" in row.refusal()
    assert solver.is_open
    typed(row.entry, "99 %")
    assert not row.entry.is_refused()
    qtbot.waitUntil(lambda: solved(solver))
    assert card.wants[0].value == 0.99
    assert card.take_button.isEnabled()
    row.at_button.click()
    typed(row.at_entry, "Q = 3")
    QTest.keyClick(row.at_entry, KEY.Key_Return)
    assert "one of m, ε, δ, p" in row.refusal()
    assert not card.take_button.isEnabled()
    typed(row.at_entry, "N = 1 100, p = 0.6")
    assert card.wants[0].at == {"records": 1100, "target": 0.6}
    row.at_button.click()
    assert card.wants[0].at == {}


def test_that_an_estimate_is_replaced_by_what_it_comes_to_and_one_without_that_is_not_solved_for(solver, qtbot):
    card = opened(qtbot, solver, ("accepted_fraction", "cutoff"))
    assert card.rows[0].facts.place == ("acceptance", "cutoff")
    assert "estimated by draws" in card.note.text()
    solver.close()
    solver.document.turn(Mean)
    with qtbot.waitSignal(solver.said) as said:
        solver.open(("seen_sd", "laplace"))
    assert "nothing exact stands for it" in said.args[0]
    solver.document.turn(all_studies()["posterior"])
    with qtbot.waitSignal(solver.said):
        solver.open(("coverage_found", "prior"))  # what it comes to is another series'
    assert not solver.is_open


def test_that_the_nearest_is_taken_only_after_it_was_said(solver, qtbot):
    card = opened(qtbot, solver, ("acceptance", "laplace"))
    before = solver.document.session
    typed(card.rows[0].entry, "0.01")
    related(card.rows[0], "At most")
    QTest.keyClick(card.rows[0].entry, KEY.Key_Return)  # while it is still under way
    qtbot.waitUntil(lambda: solved(solver))
    assert solver.is_open
    assert solver.document.session is before
    assert card.says.text().startswith("No ε")
    assert card.take_button.text() == "Take the nearest, ε = 10⁻⁶"
    QTest.keyClick(card.rows[0].entry, KEY.Key_Return)
    assert solver.document.session is before  # Enter takes what does it
    QTest.mouseClick(card.take_button, Qt.MouseButton.LeftButton)
    assert solver.document.session is not before
    assert solver.document.steps == 1


def test_that_enter_before_the_answer_takes_it_once_it_is_there(solver, qtbot):
    card = opened(qtbot, solver, ("band_width", "laplace"))
    typed(card.rows[0].entry, "300")
    QTest.keyClick(card.rows[0].entry, KEY.Key_Return)
    qtbot.waitUntil(lambda: not solver.is_open)
    assert solver.document.study.answer().fact("band_width", "laplace").value <= 300
    assert solver.document.undo_text == "Solve for ε"


def test_that_each_of_several_solutions_can_be_chosen_and_is_one(solver, qtbot):
    card = opened(qtbot, solver, ("error_at_records", "laplace"))
    box = card.boxes[0]
    box.show_option("minimum")
    box.chosen.emit("minimum")
    typed(card.rows[0].entry, "0.2")
    qtbot.waitUntil(lambda: solved(solver) and len(solver.found.every) > 1)
    assert card.others.count() == len(solver.found.every)
    want, = card.wants
    for at in range(card.others.count()):
        card.others.setCurrentIndex(at)
        card.others.activated.emit(at)
        study = solver.document.study.replace(**solver.found.every[at])
        assert want.miss(study.answer().fact("error_at_records", "laplace")) <= 0
        assert card.take_button.text() == (
            "Done" if study == solver.document.study else f"Take {solver.found.words(at)}")
    solver.take()
    assert solver.document.study.minimum == study.minimum


def test_that_two_wants_are_solved_for_by_two_parameters_in_one_step(solver, qtbot):
    card = opened(qtbot, solver, ("acceptance", "laplace"))
    card.add_button.click()
    for row, place, at in zip(card.rows, (("acceptance", "laplace"), ("rejection", "laplace")), ("N=900", "N = 1100"),
                              strict=True):
        row.facts.show_place(Decision, place)
        row.facts.chosen.emit(place)
        related(row, "At most")
        row.at_button.click()
        typed(row.at_entry, at)
        typed(row.entry, "0.01")
    qtbot.waitUntil(lambda: solved(solver))
    assert solver.found.names == ("epsilon", "target")
    assert solver.found.met
    assert solver.found.words() in card.says.text().replace("\u00a0", " ")
    assert Problem.of(Decision, {}, card.wants, solver.found.names, {}).holds(solver.found.every[0])
    solver.take()
    assert (solver.document.steps, solver.document.undo_text) == (1, "Solve for ε and p")


@pytest.mark.parametrize(("text", "first"), [
    ("band", "band_width"), ("laplace band", "band_width"), ("width laplace", "band_width"), ("error", ""),
    ("gauss threshold_offset", "threshold_offset"), ("95", ""), ("cutoff guarantee ε", "guarantee_epsilon")])
def test_that_facts_are_found_by_words_in_any_order(solver, text, first):
    solver.card.begin(solver.document.study, ("acceptance", "laplace"), 0.9, looked=[("band_width", "laplace")])
    box = solver.card.rows[0].facts
    assert box.places()[0] == ("band_width", "laplace")  # what is looked at stands first
    box.setText(text)
    box.textEdited.emit(text)  # no key has a Greek letter
    found = box.found()
    assert found
    assert all(box._entries[box.places().index(place)].found_by(text.split()) for place in found)
    assert not first or found[0][0] == first


def test_that_facts_of_what_is_not_compared_are_not_offered(solver):
    card = solver.card
    card.begin(solver.document.study, ("acceptance", "laplace"), 0.9)
    chosen = {one.key for one in solver.document.study.answer().chosen}
    assert {series for _, series in card.rows[0].facts.places()} == {*chosen, None}
    other = solver.document.study.replace(others="selection")
    card.show_study(other)
    assert {series for _, series in card.rows[0].facts.places()} > {*chosen, None}


@pytest.mark.parametrize("key", list(all_studies()))
def test_that_what_is_guessed_of_every_fact_can_be_asked(key):
    kind = all_studies()[key]
    study = kind()
    answer, offered = study.answer(), [each.name for each in solvable(kind, study.values())]
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
        first = next(moving(kind, {}, [place], lambda: None), None)
        assert first is None or first in offered


def test_that_the_parameter_guessed_is_one_that_privacy_hangs_on_where_it_changes_the_fact():
    def first(place):
        return next(moving(Decision, {}, [place], lambda: None))

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


def test_that_the_slider_of_what_is_wanted_is_answered_while_it_moves_and_sets_nothing(solver, qtbot):
    card = opened(qtbot, solver, ("band_width", "laplace"))
    card.resize(320, 300)
    row, before, answers = card.rows[0], solver.document.session, []
    answer = solver._answer
    solver._answer = lambda question, found: (answers.append((question.wants[0].value, found)), answer(question, found))
    slider = row.slider
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=slider.handle().toPoint())
    for part in (0.6, 0.7, 0.8):
        QTest.mouseMove(slider, QPoint(round(part * slider.width()), slider.height() // 2))
        qtbot.waitUntil(lambda: not solver.worker.busy)
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: solved(solver))
    wanted_values = [value for value, _ in answers]
    assert wanted_values == sorted(wanted_values)
    assert len(wanted_values) == 3
    assert row.entry.text().replace("\u202f", "") == f"{wanted_values[-1]:g}"
    assert solver.document.session is before


def test_that_what_is_typed_takes_the_place_of_the_fact_and_names_none_until_one_is_chosen(solver, qtbot):
    card = opened(qtbot, solver, ("acceptance", "laplace"))
    box, before = card.rows[0].facts, solver.document.session
    card.show()
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(60, box.height() // 2))
    assert box.list.isVisible()
    assert box.found() == box.places()
    QTest.keyClicks(box, "gauss width uncertain")
    assert box.text() == "gauss width uncertain"
    assert card.wants is None
    assert not card.take_button.isEnabled()
    assert card.says.text() == ""
    QTest.keyClick(box, KEY.Key_Return)
    assert card.rows[0].facts.place in {("band_width", "gaussian"), ("band_steps", "gaussian")}
    assert box.text().startswith("Gaussian: ")
    assert not box.list.isVisible()
    qtbot.waitUntil(lambda: solved(solver))
    assert card.wants[0].name == "@".join(box.place)
    assert solver.is_open
    assert solver.document.session is before


def test_that_what_names_no_fact_is_red_says_so_and_nothing_is_taken(solver, qtbot):
    card = opened(qtbot, solver, ("band_width", "laplace"))
    box, before = card.rows[0].facts, solver.document.session
    card.show()
    box.setFocus()
    typed(box, "bandy of acce")
    assert box.property("refused")
    assert card.rows[0].refusal() == (
        "No fact here is called “bandy of acce”: try one word of its name, or clear it to see all")
    assert not box.list.isVisible()
    for _ in range(2):
        assert card.wants is None
        assert not card.take_button.isEnabled()
        QTest.keyClick(box, KEY.Key_Return)
        QTest.keyClick(card.rows[0].entry, KEY.Key_Return)
        card.rows[0].entry.setFocus()  # it stays to be mended
    assert solver.is_open
    assert solver.document.session is before
    box.setFocus()
    QTest.keyClick(box, KEY.Key_Escape)
    assert not box.property("refused")
    assert box.text().startswith("Laplace: ")
    assert solver.is_open
    qtbot.waitUntil(lambda: solved(solver))
    assert card.wants[0].name == "band_width@laplace"


def test_that_enter_takes_the_most_private_value_and_the_button_names_it(solver, qtbot):
    card = opened(qtbot, solver, ("acceptance", "laplace"))
    solver.document.edit("minimum", 100_000)
    typed(card.rows[0].entry, "0")
    qtbot.waitUntil(lambda: solved(solver) and solver.found.question.wants == card.wants)
    assert solver.found.every == ({"epsilon": 1e-6},)
    assert card.says.text().replace("\u00a0", " ").startswith(
        "Every ε from 10⁻⁶ to 20 does it; the most private is ε = 10⁻⁶.")
    assert card.take_button.text() == "Take ε = 10⁻⁶"
    QTest.keyClick(card.rows[0].entry, KEY.Key_Return)
    assert solver.document.study.epsilon == 1e-6


def test_that_enter_takes_nothing_where_a_ceiling_on_what_is_spent_sets_no_limit(solver, qtbot):
    card = opened(qtbot, solver, ("guarantee_epsilon", "laplace"))
    typed(card.rows[0].entry, "50")
    qtbot.waitUntil(lambda: solved(solver) and solver.found.question.wants == card.wants)
    assert solver.found.names == ("epsilon",)
    assert card.take_button.text() == "Done"
    solver.document.edit("epsilon", 0.05)
    qtbot.waitUntil(lambda: solved(solver) and solver.found.every[0] == {"epsilon": 0.05})
    QTest.keyClick(card.rows[0].entry, KEY.Key_Return)
    assert solver.document.study.epsilon == 0.05


@settings(deadline=None, max_examples=15)
@given(st.sampled_from([Decision, Mean]), st.integers(0, 5), st.sampled_from((0.5, 1.0, 1.7)))
def test_that_the_window_takes_what_the_command_line_takes(kind, seed, factor):
    (known,) = known_wants(kind, 1, seed)
    want = Want(known.want.quantity, known.want.relation, known.want.value * factor, known.want.series)
    there = solve(kind, known.explicit, [want], [known.name])
    found = Question(kind, known.explicit, (want,), (known.name,)).answered(lambda: None)
    assert (found.every, found.says, found.met) == ((there.values, *there.others), there.says, there.met)
    if "makes no difference" not in found.says:
        assert write_number(there.values[known.name]) in found.says


def test_that_what_would_be_set_stands_beside_what_is_wanted_and_is_not_to_be_dragged(solver, qtbot):
    told = []
    solver.aimed.connect(told.append)
    card = opened(qtbot, solver, ("band_width", "laplace"))
    typed(card.rows[0].entry, "500")
    qtbot.waitUntil(lambda: solved(solver))
    goal, previewed = told[-1]
    assert (goal.words, goal.value, goal.draggable) == ("wanted ≤", 500.0, True)
    assert (previewed.words, previewed.value, previewed.draggable) == (
        "preview: ε =", solver.found.every[0]["epsilon"], False)
    over_epsilon = Figure("over", "Over", "over", Axis(v.EPSILON, "log"), Axis(v.BAND_WIDTH, "log"), ())
    assert (goal.axis(over_epsilon), previewed.axis(over_epsilon)) == ("y", "x")
    assert previewed.axis(Decision.figure("acceptance")) is None
    assert goal.axis(Decision.figure("acceptance")) is None
    typed(card.rows[0].entry, "x")
    assert told[-1] == []
    typed(card.rows[0].entry, "500")
    qtbot.waitUntil(lambda: solved(solver))
    solver.take()
    assert told[-1] == []
