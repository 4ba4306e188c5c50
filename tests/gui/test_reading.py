"""While a hand moves curves come first; what is read follows in slices, all of one setting, and does come."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from window_kit import answered

from dpstudio.core.slow import EVERY, Wanted
from dpstudio.core.update import Update
from dpstudio.gui.session import answers
from dpstudio.gui.session.answers import READING, SLICE, SOON, MidMove, ReadInSlices, answering
from dpstudio.gui.shell.worker import Pause
from dpstudio.studies.decision import RECORDS_TABLE, Decision

FACTS = frozenset(Decision.answers().index())


class Clock:
    """Stands until something takes its time."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch):
    made = Clock()
    monkeypatch.setattr(answers, "time", made)
    return made


def of_steps(clock, *steps):
    """An answer whose reading takes so many slices a step; or fails, where that is no number."""
    def prepare(_seen, *, hurry):
        assert hurry, "nobody waits for what takes longer while a hand moves"
        for part in steps:
            clock.now += part * SLICE
            yield

    return SimpleNamespace(prepare=prepare)


def test_that_what_is_read_is_made_in_slices_and_counts_once_it_is_whole(clock):
    shown, next_, later = object(), of_steps(clock, 0.6, 0.6, 0.6, 0.6, 3, 0.6), of_steps(clock, 0.1, 0.1)
    reading, began = ReadInSlices(shown), clock.now
    reading.go_on()
    assert (reading.made, clock.now) == (shown, began), "there is nothing to do"
    reading.begin(next_, Wanted())
    for slices in (1.2, 2.4, 5.4, 6.0):
        assert reading.made is shown
        reading.begin(later, Wanted())
        reading.go_on()
        assert clock.now - began == pytest.approx(slices * SLICE)
    assert reading.made is next_, "it was its turn"
    reading.begin(later, Wanted())
    reading.go_on()
    assert reading.made is next_, "it is too soon"
    clock.now = began + READING
    reading.begin(later, Wanted())
    reading.go_on()
    assert reading.made is later


def test_that_what_takes_too_long_is_made_at_a_stretch(clock):
    reading, long = ReadInSlices(object()), of_steps(clock, *[2.0] * 99)
    reading.begin(long, Wanted())
    reading.go_on()
    assert reading.made is not long
    clock.now += READING
    reading.go_on()
    assert reading.made is long


def test_that_no_later_setting_takes_the_turn_of_one_that_is_under_way(clock):
    reading, first = ReadInSlices(object()), of_steps(clock, 2, 2)
    reading.begin(first, Wanted())
    reading.go_on()
    clock.now += READING  # while curves were made
    reading.begin(of_steps(clock, 2, 2), Wanted())
    reading.go_on()
    assert reading.made is first


def test_that_what_fails_is_told_once_and_is_not_whole(clock):
    shown, failing, sound = object(), of_steps(clock, 2.0, "no number", 1.0), of_steps(clock)
    reading = ReadInSlices(shown)
    reading.begin(failing, Wanted())
    reading.go_on()
    with pytest.raises(TypeError):
        reading.go_on()
    reading.go_on()
    assert reading.made is shown
    clock.now += READING
    reading.begin(sound, Wanted())
    reading.go_on()
    assert reading.made is sound


def test_that_under_a_hand_what_is_watched_comes_alone_and_all_that_is_seen_once_it_rests():
    before = Update(Decision().answer())
    watched, *others = sorted(FACTS, key=str)
    seen = Wanted(frozenset({RECORDS_TABLE}), FACTS, EVERY)
    news = [each for each in answering(Decision(epsilon=0.3), {}, seen, rest=None, reading=ReadInSlices(before),
                                       watched=Wanted(frozenset({RECORDS_TABLE}), frozenset({watched}))) if each]
    drawn, pause, whole = news
    assert (drawn.read, pause) == (before, Pause(SOON))
    assert whole == (drawn.update, drawn.update)
    assert whole.read.said == whole.read.verdicts
    steps = answering(Decision(epsilon=0.4), {}, seen, rest=None, reading=ReadInSlices(before),
                      watched=Wanted(frozenset({RECORDS_TABLE}), frozenset({watched})))
    drawn = next(each for each in steps if isinstance(each, MidMove))
    assert drawn.update.answer.known(*watched)
    assert not any(drawn.update.answer.known(*place) for place in others)
    assert not drawn.update.said


def test_that_a_move_tells_what_an_earlier_one_read_and_reads_nothing_while_it_tells(clock):
    before, made = Update(Decision().answer()), of_steps(clock, 0.1)
    reading = ReadInSlices(before)
    reading.begin(made, Wanted())

    def moved(*, telling):
        steps = answering(Decision(epsilon=0.3), {}, Wanted(), rest=None, reading=reading, telling=telling)
        return next(each for each in steps if each)

    assert moved(telling=True).read is before
    assert reading.made is before, "nothing is read in a frame that lays out what was"
    assert moved(telling=False).read is before
    assert reading.made is made, "for the next move to tell"
    clock.now += READING
    told = moved(telling=True)
    assert told.read is made
    reading.go_on()
    assert reading.made is made, "nor is another setting begun"
    begun = moved(telling=False)
    reading.go_on()
    assert reading.made is begun.update


def test_that_nothing_older_is_told_after_a_hand_has_rested(bench, qtbot, monkeypatch):
    told = []
    bench.answers.told.connect(lambda _, study: told.append(study.epsilon))
    monkeypatch.setattr(answers, "SLICE", 0)
    monkeypatch.setattr(answers, "READING", 60)
    for epsilon in (0.11, 0.12, 0.13):
        bench.document.edit("epsilon", epsilon, False)
        answered(qtbot, bench)
    qtbot.waitUntil(lambda: bench.answers.whole.study == bench.document.study)
    monkeypatch.setattr(answers, "READING", 0)
    for epsilon in (0.14, 0.15, 0.16):
        bench.document.edit("epsilon", epsilon, False)
        answered(qtbot, bench)
    qtbot.waitUntil(lambda: bench.answers.whole.study == bench.document.study)
    assert told[-1] == 0.16
    assert told == sorted(told)


def test_that_headline_and_sentences_follow_what_is_told_a_move_later_each_and_at_once_where_a_hand_rests(
        bench, qtbot, monkeypatch):
    monkeypatch.setattr(answers, "READING", 0.1)
    monkeypatch.setattr(answers, "SOON", 60)
    seen = []
    parts = "told", "headed", "said"
    for name in ("shown", *parts):
        getattr(bench.answers, name).connect(lambda update, _, name=name: seen.append((name, update)))
    go_on = ReadInSlices.go_on
    monkeypatch.setattr(ReadInSlices, "go_on", lambda reading: seen.append(("read", None)) or go_on(reading))

    def moved(moves):
        for move in moves:
            bench.document.edit("epsilon", 0.1 * 1.001**move, False)
            answered(qtbot, bench)

    moved(range(1, 200))
    heard = {part: [update for name, update in seen if name == part] for part in parts}
    assert len(heard["told"]) > 2
    for part in parts[1:]:
        assert [id(each) for each in heard[part]] == [id(each) for each in heard["told"]][:len(heard[part])], "in order"
        assert len(heard["told"]) - len(heard[part]) <= 1, "all of it"
    for update in heard["said"]:
        began, ended = seen.index(("told", update)), seen.index(("said", update))
        frames = [name for name, _ in seen[began:ended]]
        assert frames == ["told", "shown", "headed", "shown"], "each in a frame of its own, in which nothing is read"
    monkeypatch.setattr(answers, "READING", 60)
    moved(range(200, 210))
    said = [update for name, update in seen if name == "said"]
    assert len(said) == len({id(update) for update in said}), "nothing is said twice"
    monkeypatch.undo()
    del seen[:]
    bench.document.edit("epsilon", 0.3, False)
    qtbot.waitUntil(lambda: bench.answers.whole.study == bench.document.study)
    assert [name for name, _ in seen][-3:] == list(parts)
    assert {id(update) for _, update in seen[-3:]} == {id(bench.answers.whole)}


def test_that_nothing_is_left_unsaid_where_every_move_is_read(bench):
    heard, whole = [], [SimpleNamespace(study=i) for i in range(5)]
    for part in ("told", "headed", "said"):
        getattr(bench.answers, part).disconnect()
        getattr(bench.answers, part).connect(lambda update, _, part=part: heard.append((part, update.study)))
    for each in whole:
        bench.answers._begin_to_tell(each)
        bench.answers._tell(1)
    assert heard == [(part, i) for i in range(4) for part in ("told", "headed", "said")] + [("told", 4)]


def test_that_nothing_is_told_of_another_study_before_its_answer(bench):
    assert bench.answers.whole is not None
    bench.desk.open_study("noise")
    assert bench.answers.whole is None


def test_that_facts_and_sentences_follow_a_hand_that_never_rests_and_are_of_one_setting(bench, qtbot, monkeypatch):
    monkeypatch.setattr(answers, "SOON", 60)
    told, shown = [], []
    bench.answers.shown.connect(lambda _, study: shown.append(study))
    bench.answers.told.connect(lambda update, study: told.append((update, study)))
    seen = bench._in_view()
    for move in range(1, 1000):
        bench.document.edit("epsilon", 0.1 * 1.001**move, False)
        answered(qtbot, bench)
        if len(told) == 4:
            break
    else:
        pytest.fail("nothing to read for a thousand moves")
    moved = [study.epsilon for study in shown]
    assert [update.study for update, _ in told] == [study for _, study in told]
    assert [study.epsilon for _, study in told] == sorted(study.epsilon for _, study in told)
    assert {study.epsilon for _, study in told} <= set(moved)
    assert len(moved) > len(told), "curves follow every move"
    for update, _ in told:
        _, pending = update.standing()
        assert not pending & seen.facts - {place for place, each in update.answer.index().items() if each.simulated}
        assert update.said == update.verdicts != ()
    monkeypatch.undo()
    bench.document.edit("epsilon", 0.3, False)
    qtbot.waitUntil(lambda: bench.answers.whole.study == bench.document.study)
    qtbot.waitUntil(lambda: bench.facts.facts._update is bench.answers.whole)
    qtbot.waitUntil(lambda: bench.headline.sentence == bench.answers.whole.said[0])
    bench.document.edit("epsilon", bench.document.study.epsilon, True)
    bench.answers.told.connect(lambda *_: shown.clear())
    bench.document.edit("epsilon", 0.2, True)
    answered(qtbot, bench)
    assert not shown, "a single step is shown whole"


def test_that_under_a_hand_no_window_out_of_sight_is_looked_for_and_all_are_there_once_it_rests():
    before, watched = Update(Decision().answer()), Wanted(frozenset({RECORDS_TABLE}))
    steps = answering(Decision(epsilon=0.3), {}, watched, rest=None, reading=ReadInSlices(before), watched=watched)
    drawn = next(each for each in steps if isinstance(each, MidMove))
    found = drawn.update.answer._views
    assert set(found) == {RECORDS_TABLE}
    next(each for each in steps if isinstance(each, MidMove))
    assert set(found) == set(drawn.update.answer.tabled)


def test_that_pictures_are_given_a_setting_once_though_a_hand_rests_on_it(bench, qtbot):
    shown = []
    bench.answers.shown.connect(lambda update, study: shown.append((update, study.epsilon)))
    for epsilon in (0.21, 0.22):
        bench.document.edit("epsilon", epsilon, False)
        qtbot.waitUntil(lambda: bench.answers.whole.study == bench.document.study)
    assert [epsilon for _, epsilon in shown] == [0.21, 0.22]
    assert bench.answers.latest[0] is shown[-1][0]


def test_that_the_line_at_the_bottom_is_laid_out_anew_only_where_something_else_is_told(bench, monkeypatch):
    laid, lay = [], bench.status._show
    monkeypatch.setattr(bench.status, "_show", lambda: laid.append(1) or lay())
    study = Decision(seed=3)
    bench.status.show_update(Update(study.answer()), study)
    del laid[:]
    for epsilon in (0.21, 0.22):
        moved = study.replace(epsilon=epsilon)
        bench.status.show_update(Update(moved.answer()), moved)
    assert not laid
    other = study.replace(seed=7)
    bench.status.show_update(Update(other.answer()), other)
    assert len(laid) == 1
    assert "7" in bench.status._seed.text()
