"""A session is edited by making the next one; counts of data leave it only where that was chosen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dpstudio.core.declare import InvalidParameter
from dpstudio.data.origin import Origin
from dpstudio.documents import session_file
from dpstudio.documents.noted import Cover, PictureNote
from dpstudio.documents.numbers_in_text import blanked, found
from dpstudio.documents.session import Session
from dpstudio.documents.setting import setting, title
from dpstudio.documents.state import MOST_PINS
from dpstudio.studies import all_studies

DECISION, NOISE, POSTERIOR = (all_studies()[key] for key in ("decision", "noise", "posterior"))
ORIGIN = Origin("quillwort.csv", "", "zygomatic >= 6", "brontide", 2)
COUNT = 7_654_321


def counted(**values):
    """A session whose N is an exact count."""
    return Session.of(DECISION, values).take({"records": COUNT}, ORIGIN)


def written(session, **options):
    return session_file.text(session, **options)


def test_that_an_edit_makes_another_session_and_leaves_the_first():
    first = Session.of(DECISION)
    second = first.set("epsilon", 0.5)
    assert (first.explicit, second.explicit) == ({}, {"epsilon": 0.5})
    assert second.reset("epsilon") == first
    assert second.turn(NOISE).set("epsilon", 3).state(DECISION) is second.state()


@pytest.mark.parametrize(("name", "value"), [("epsilon", -1), ("epsilon", "0.1"), ("minimum", 0.5), ("price", 1),
                                             ("epsilon", None)])
def test_that_a_bad_value_makes_none(name, value):
    with pytest.raises(InvalidParameter, match=f"^{name} must be "):
        Session.of(DECISION).set(name, value)


def test_that_too_many_pins_and_too_long_a_note_are_refused():
    session = Session.of(DECISION)
    for minimum in range(1, MOST_PINS + 1):
        session = session.set("minimum", minimum).pin()
    assert session.pin() is session
    with pytest.raises(InvalidParameter, match="pins must be at most 9 of one study, got 10"):
        session.set("minimum", 5000).pin()
    assert len(session.having(note="x" * 10_000).state().note) == 10_000
    with pytest.raises(InvalidParameter, match="note must be a text of at most"):
        session.having(note="x" * 10_001)


@pytest.mark.parametrize(("pinned", "now", "expected"), [
    ({"epsilon": 0.2}, {"epsilon": 0.5}, "ε = 0.2"),
    ({}, {"epsilon": 0.5}, "ε = 0.1"),
    ({"epsilon": 0.2, "delta": 0}, {"minimum": 500, "epsilon": 0.2}, "m = 1\u202f000, δ = 0"),
    ({"epsilon": 0.1}, {}, "the present values"),
    ({"minimum": 500}, {}, "m = 500"),
    ({"prior_centre": 7}, {"minimum": 500}, "m = 1\u202f000, c = 7"),
    ({"prior": "normal"}, {}, "prior: normal"),
    ({"epsilon": 0.2}, {"prior_centre": 7}, "ε = 0.2, c = 1\u202f000"),
])
def test_that_a_pin_is_named_by_what_differs_and_not_by_what_merely_follows(pinned, now, expected):
    assert title(setting(DECISION, pinned), setting(DECISION, now)) == expected


def test_that_two_pins_are_named_by_what_differs_from_the_present_values():
    session = Session.of(DECISION).pin().apply({"epsilon": 0.5, "minimum": 700}).pin().set("epsilon", 2)
    titles = [title(pin, session.state().setting) for pin in session.state().pins]
    assert titles == ["m = 1\u202f000, ε = 0.1", "ε = 0.5"]


def test_that_what_matters_in_neither_is_named_only_where_nothing_else_differs():
    response = all_studies()["response"]  # two coins have no ε of their own
    now = setting(response, {})
    assert title(setting(response, {"epsilon": 3, "people": 70}), now) == "n = 70"
    assert title(setting(response, {"epsilon": 3}), now) == "ε = 3"
    assert title(setting(response, {"epsilon": 3, "design": "symmetric"}), now) == "design: by ε, ε = 3"
    assert title(now, setting(response, {"epsilon": 3, "design": "symmetric"})).startswith("design: two coins, ε = 1")


def test_that_a_session_opened_takes_the_place_of_its_own_studies_alone():
    mine = Session.of(DECISION, {"epsilon": 0.5}).turn(NOISE).set("epsilon", 3)
    found = mine.open(Session.of(DECISION, {"minimum": 7}).having(hidden=frozenset({"laplace"})))
    assert (found.study_class, found.explicit, found.state().hidden) == (DECISION, {"minimum": 7}, {"laplace"})
    assert found.state(NOISE).setting.explicit == {"epsilon": 3}


def test_that_taking_a_step_back_leaves_what_came_since_and_was_no_part_of_it():
    before = Session.of(DECISION)
    after = before.set("epsilon", 0.5)
    later = after.having(hidden=frozenset({"laplace"})).look("records", (1.0, 2.0)).turn(NOISE).set("epsilon", 3)
    found = later.back(before, after)
    assert (found.study_class, found.explicit, found.state().hidden) == (DECISION, {}, {"laplace"})
    assert found.state(NOISE).setting.explicit == {"epsilon": 3}


# What leaves


def test_that_a_pinned_count_a_view_and_a_note_leave_no_trace_where_counts_stay():
    session = counted().pin().set("epsilon", 0.5).look("records", (COUNT - 30.0, COUNT + 30.0)).having(note=
        f"N is {COUNT:,} of 9 000 000; agreed on 0.5")
    text = written(session.leaving(exact=False), again=True)
    assert "76543" not in text
    assert "7,654" not in text
    assert "agreed on 0.5" in text
    assert "of 9 000 000" in text
    assert "quillwort" in text, "how to count again is kept"
    found = session_file.read(text)
    assert found.state().awaited is not None
    assert [pin.study.records for pin in found.state().pins] == [1020]


def test_that_a_count_of_one_study_leaves_no_trace_in_the_words_on_another():
    session = counted().turn(NOISE).having(note=f"as in the decision: {COUNT}")
    assert str(COUNT) not in written(session.leaving(exact=False))


def test_that_a_pinned_count_stays_in_even_where_the_present_value_is_another():
    session = counted().pin().reset("records")
    assert session.state().holds_counts
    assert str(COUNT) not in written(session.leaving(exact=False))


def test_that_what_was_left_out_is_awaited_until_another_number_takes_its_place():
    session = session_file.read(written(counted().leaving(exact=False), again=True))
    assert session.data.counts == ("records",)
    typed = session.set("records", 500)
    assert (typed.state().awaited, typed.data) == (None, None)
    assert "data" not in written(typed.leaving(exact=False), again=True).replace("data_", "")
    assert typed.reset("records").data == session.data


def test_that_a_view_of_a_count_stays_in_though_the_count_is_set_no_more():
    session = counted().look("records", (COUNT - 30.0, COUNT + 30.0)).reset("records")
    assert "views" not in written(session.leaving(exact=False))
    again = session_file.read(written(session.leaving(exact=True), again=True))
    assert again.state().views == {"records": (COUNT - 30.0, COUNT + 30.0)}
    assert "views" not in written(again.leaving(exact=False)), "a file that it went along with says so"
    never = Session.of(DECISION, {}).look("records", (COUNT - 30.0, COUNT + 30.0))
    assert "views" in written(never.leaving(exact=False))
    assert "views" not in written(never.leaving(False, [(DECISION, "records", COUNT)]))


def test_that_what_is_found_where_a_count_takes_part_follows_from_it():
    found = counted().set("epsilon", 0.2).find({"minimum": COUNT, "delta": 0.001})
    setting = found.state().setting
    assert setting.follows == {"minimum", "delta"}
    assert (setting.origin.counts, setting.origin.follows) == (("records",), ("minimum", "delta"))
    left = found.leaving(exact=False)
    assert left.explicit == {"epsilon": 0.2}, "what was typed goes along"
    assert left.data.note.startswith("records: a default stands in for the exact count")
    assert "minimum and delta: a default stands in for what was found from a count" in left.data.note
    for again in (session_file.read(written(left, again=True)), session_file.read(written(left))):
        assert again.data.follows == ("minimum", "delta")
        assert str(COUNT) not in written(again)
    assert Session.of(DECISION, {"records": COUNT}).find({"minimum": 7}).state().setting.follows == frozenset()


def test_that_what_was_found_keeps_its_origin_until_it_is_reset_disowned_or_replaced():
    found = counted().find({"minimum": COUNT})
    for session in (found.set("minimum", COUNT + 1), found.reset("records"), found.pin().reset("minimum"),
                    found.keep("then").reset("minimum"), found.reset("minimum").back(found.reset("minimum"), found),
                    found.take({"records": 12}, ORIGIN),
                    session_file.read(written(found.leaving(exact=True), again=True))):
        assert "765432" not in written(session.leaving(exact=False), again=True)
    assert str(COUNT) in written(found.disown("minimum").leaving(exact=False)), "a person says that it is theirs"
    assert found.reset("minimum").set("minimum", 5).leaving(exact=False).explicit == {"minimum": 5}


def test_that_pins_that_were_found_stay_behind_however_many_there_are():
    now = counted().state().setting
    session = counted().pin(now.found({"epsilon": 0.4}, "laplace"), now.found({"epsilon": 0.5}, "cutoff"), now,
                            now.varied({"epsilon": 0.7}))
    left = session.leaving(exact=False)
    assert [(pin.explicit, pin.only) for pin in left.state().pins] == [({}, None), ({"epsilon": 0.7}, None)]
    kept = session_file.read(written(session.leaving(exact=True), again=True))
    assert [pin.follows for pin in kept.state().pins] == [{"epsilon"}, {"epsilon"}, frozenset(), frozenset()]


def test_that_a_count_is_asked_for_again_only_as_far_as_no_number_took_its_place():
    left = session_file.read(written(counted().find({"minimum": 7}).leaving(exact=False), again=True))
    assert (left.state().awaited.counts, left.state().awaited.follows) == (("records",), ("minimum",))
    assert left.set("minimum", 3).state().awaited.follows == ()
    assert left.set("records", 3).state().awaited.counts == ()
    assert left.set("records", 3).set("minimum", 3).state().awaited is None


def test_that_words_are_left_out_blanked_or_let_along_as_was_chosen():
    session = counted().having(note=f"N is {COUNT}").keep(f"at {COUNT}", "why").having(
        picture_notes=(PictureNote("acceptance", "here", (COUNT, 0.5)),),
        cover=Cover("which?", reason=f"{COUNT} of them"))
    assert {place for place, _ in session.texts()} == {
        "the note (Decision)", "the name of a snapshot (Decision)", "the note of a snapshot (Decision)",
        "a text on a picture (Decision)", "the question on the cover (Decision)", "the reason on the cover (Decision)"}
    out, along, blanked = (session.leaving(False, words=words) for words in ("left out", "along", "blanked"))
    assert [text for _, text in out.texts()] == ["Snapshot 1"]
    assert along.texts() == session.texts()
    assert blanked.state().note == "N is …"
    assert blanked.state().cover == Cover("which?", reason="… of them")
    assert str(COUNT) not in written(out) + written(blanked)


def test_that_the_date_of_a_cover_is_no_word_that_may_tell_and_anything_else_in_its_place_is():
    for when, is_word in (("2026-11-26", False), (f"2026-11-26, N {COUNT}", True), ("20261126", True), ("2026", True)):
        session = counted().having(cover=Cover(when=when))
        assert bool(session.texts()) is is_word, when
        assert session.leaving(False, words="left out").state().cover.when == ("" if is_word else when)


def test_that_views_of_a_study_without_counts_are_written():
    session = counted().turn(NOISE).look(NOISE.figures[0].table, (-1.0, 2.0))
    assert session_file.read(written(session.leaving(exact=False))).state().views == {NOISE.figures[0].table: (-1, 2)}


def test_that_counts_that_go_along_come_back_as_counts_pinned_ones_too():
    session = counted().pin().set("records", COUNT + 1)
    found = session_file.read(written(session.leaving(exact=True), again=True))
    state = found.state()
    assert (state.setting.study.records, state.setting.origin.moved) == (COUNT + 1, ("records",))
    assert (state.pins[0].study.records, state.pins[0].origin.moved) == (COUNT, ())
    again = written(found.leaving(exact=False), again=True)
    assert "765432" not in again


def test_that_a_count_whose_origin_does_not_let_it_go_is_never_written_whoever_asks():
    session = counted().pin()
    assert str(COUNT) not in written(session, again=True)
    assert str(COUNT) in written(replace(session).leaving(exact=True), again=True)


@pytest.mark.parametrize(("note", "expected"), [
    ("N = 7654321.", "N = …."), ("7,654,321 or 7 654 321 or 7.654.321", "… or … or …"), ("7.65e6", "…"),
    ("about 7 700 000", "about …"), ("7 000 000", "7 000 000"), ("12 patients", "12 patients"),
    ("a share of 42.1 %", "a share of … %"), ("0.421", "…"), ("0,42", "…"), ("", ""), ("no number", "no number"),
    ("7.65 M", "…"), ("7654k", "…"), ("7\u2007654\u2007321", "…"), ("7\t654\t321", "…"), ("7.65 × 10⁶", "…"),
    ("7.65·10^6", "…"), ("７６５４３２１", "…"), ("7'654'321", "…"), ("3.22 million", "…"), ("12 7654321", "12 …"),
    ("seven million six hundred fifty-four thousand three hundred and twenty-one", "…"),
    ("4 429 791 others", "… others"), ("in 2026", "in 2026"), ("seven of us", "seven of us")])
def test_that_numbers_near_a_count_are_blanked_and_no_others(note, expected):
    assert blanked(note, {COUNT, 0.4212, "drawn", True}) == expected


LISTS = ("Oslo:3481,Bergen:0,Narvik:96×2,Bodø:711.5", "drawn", "none", "0.01:0.05,0.1:0.3")


@pytest.mark.parametrize(("note", "expected"), [
    ("3 481 there", "… there"), ("about 3500", "about …"), ("96 each", "… each"), ("none or 0", "none or …"),
    ("5 numbers", "… numbers"), ("4 entries", "… entries"), ("4 384.5 in all", "… in all"),
    ("877 on average", "… on average"),
    ("711.5", "…"), ("twice", "twice"), ("2 of them", "… of them"), ("in 2026", "in 2026"), ("1 of 7", "1 of 7"),
    ("−96", "−…"), ("ninety-six", "…")])
def test_that_the_numbers_of_a_list_their_sum_mean_and_size_are_blanked_and_no_others(note, expected):
    assert blanked(note, set(LISTS)) == expected


NAMED = ("Oslo:3481,New York / f:12,90210:7,c-d:1,no sign:2", "0.5")


@pytest.mark.parametrize(("note", "expected"), [
    ("Oslo has the most", "… has the most"), ("in oslo, and NEW  YORK", "in …, and …"), ("New York / f", "…"),
    ("newer, York, Oslofjord", "newer, York, Oslofjord"), ("ZIP 90210 or 902100", "ZIP … or 902100"),
    ("c-d, c d, cd", "…, …, cd"),
    ("no such sign", "no such sign"), ("no sign of it", "… of it"), ("3481 in Oslo", "… in …"), ("f alone", "… alone")])
def test_that_the_names_of_a_list_are_blanked_word_for_word(note, expected):
    assert blanked(note, set(NAMED)) == expected
    assert len(found(note, set(NAMED))) == expected.count("…")


def test_that_a_long_list_is_searched_for_in_no_time():
    counted_list = ",".join(f"c{i}:{1000 + 37 * i}" for i in range(100_000))
    assert blanked("some 999999 or 5 " * 500, {counted_list}) == "some … or 5 " * 500


def test_that_pins_of_one_series_are_told_from_those_of_all_and_named_by_it():
    now = Session.of(DECISION, {"epsilon": 0.2}).state().setting
    one, two = now.varied({"epsilon": 0.4}, "gaussian"), now.varied({"epsilon": 0.4}, "laplace")
    session = Session.of(DECISION, {"epsilon": 0.2}).pin(one, two, now).pin(one)
    assert session.state().pins == (one, two, now)
    assert [title(pin, now) for pin in session.state().pins] == [
        "Gaussian: ε = 0.4", "Laplace: ε = 0.4", "the present values"]
    assert session.unpin(one.study, "laplace").state().pins == (one, now)
    assert session.unpin(one.study).state().pins == (one, two, now)
    assert not session.unpin().state().pins
    assert session.differing(session.unpin(one.study, "laplace"))
    assert session.adopt(one).state().setting == replace(one, only=None)
    many = [now.varied({"epsilon": 1 + i}) for i in range(10)]
    assert len(session.unpin().pin(*many[:9]).state().pins) == 9
    with pytest.raises(InvalidParameter, match="at most 9 of one study, got 10"):
        session.unpin().pin(*many)


def test_that_a_count_stays_one_in_a_varied_setting_and_one_of_one_series_when_it_leaves():
    kept = setting(DECISION, {"records": COUNT, "epsilon": 0.2}, {"records": ORIGIN})
    varied = kept.varied({"epsilon": 0.4}, "gaussian")
    assert (varied.explicit, varied.only) == ({"records": COUNT, "epsilon": 0.4}, "gaussian")
    assert varied.counted == kept.counted
    assert kept.varied({"records": 80}).moved == {"records"}
    assert (varied.leaving(False).explicit, varied.leaving(False).only) == ({"epsilon": 0.4}, "gaussian")


def test_that_a_study_takes_no_table_figure_or_setting_of_another():
    session, other = Session.of(DECISION), Session.of(NOISE, {"epsilon": 0.3}).state().setting
    for edit, why in ((lambda: session.look("distributions", (0.0, 1.0)), "table must be one of records"),
                      (lambda: session.choose("acceptance", "noise"), "figure must be one of acceptance"),
                      (lambda: session.choose("nowhere", "acceptance"), "figure must be one of another place"),
                      (lambda: session.pin(other), "setting must be one of decision, got 'noise'"),
                      (lambda: session.adopt(other), "setting must be one of decision, got 'noise'")):
        with pytest.raises(InvalidParameter, match=why):
            edit()
    for study_class in all_studies().values():
        for figure in study_class.figures:
            seen = Session.of(study_class).look(figure.table, (0.0, 1.0)).choose(figure.place, figure.key)
            assert session_file.read(written(seen)) == seen, "what a session takes it can read again"
