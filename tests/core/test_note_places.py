"""Texts on a picture break into lines, and stand beside their points, clear of what else is written."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpstudio.documents.noted import PictureNote
from dpstudio.scene.frame import overlap
from dpstudio.scene.notes import beyond, notes_of, place_notes, plain, wrapped
from dpstudio.studies import all_studies

FIGURE, TAILS = (all_studies()["decision"].figure(key) for key in ("acceptance", "tails"))
ROOM = (0.0, 0.0, 400.0, 300.0)
WORDS = st.text(st.characters(codec="utf-8"), max_size=100)


def width_of(words: str) -> float:
    return 6.0 * len(words)


def placed(*texts, room=ROOM, curves=(), taken=(), kept=None):
    notes = notes_of(FIGURE, [PictureNote(FIGURE.key, text, at) for text, at in texts])
    return place_notes(notes, lambda points: points, width_of, 12.0, 4.0, 150.0, room, curves, taken, kept)


@given(WORDS, st.floats(6, 200), st.integers(1, 9))
def test_that_lines_hold_all_words_in_order_and_are_no_wider_than_they_may_be(words, within, most):
    words = plain(words)
    lines = wrapped(words, width_of, within, most)
    assert len(lines) <= most
    assert all(width_of(line) <= within or len(line) == 1 for line in lines)
    whole = wrapped(words, width_of, within, 1000)
    assert "".join(whole).replace(" ", "") == words.replace(" ", "")
    if len(whole) > most:
        assert lines[-1].endswith("…")
        assert lines[:-1] == whole[:most - 1]
    else:
        assert lines == whole


def test_that_lines_break_between_words_where_they_can():
    assert wrapped("one two three", width_of, 6.0 * 8, 9) == ("one two", "three")
    assert wrapped("one twothreefour", width_of, 6.0 * 8, 9) == ("one", "twothree", "four")


@given(WORDS)
def test_that_what_turns_or_ends_lines_is_never_written(text):
    words = plain(f"a\x00\n\u202eb\u2028{text}")
    assert words.startswith("a b")
    assert not any(ord(sign) < 32 or 0x7f <= ord(sign) < 0xa0 or sign in "\u202a\u202e\u2066\u2028" for sign in words)


points = st.tuples(st.floats(0, 400), st.floats(0, 300))


@given(st.lists(st.tuples(st.sampled_from(["short", "a text that takes more than one line, or two"]), points),
                max_size=4))
def test_that_boxes_lie_in_the_picture_apart_from_each_other_and_from_all_points(texts):
    found = placed(*texts)
    assert [(each.note.words, each.point) for each in found] == texts
    for each in found:
        assert each.box[0] >= 0
        assert each.box[1] >= 0
        assert each.box[2] <= 400
        assert each.box[3] <= 300
        assert math.isclose(each.box[3] - each.box[1], 12 * len(each.lines) + 8)
        assert not any(each.box[0] < x < each.box[2] and each.box[1] < y < each.box[3] for _, (x, y) in texts)
    for one, other in combinations(found, 2):
        assert not overlap(one.box, other.box)


def test_that_a_box_avoids_labels_and_then_curves_and_stays_near():
    (alone,) = placed(("here", (200.0, 150.0)))
    assert alone.box == (214.0, 140.0, 246.0, 160.0)
    assert alone.leader == (200.0, 150.0, 214.0, 150.0)
    (beside,) = placed(("here", (200.0, 150.0)), taken=[(205.0, 0.0, 300.0, 300.0)])
    assert not overlap(beside.box, (205.0, 0.0, 300.0, 300.0))
    x = np.linspace(0, 400, 50)
    (above,) = placed(("here", (200.0, 150.0)), curves=[(x, np.full(50, 145.0))])
    assert above.box == (184.0, 116.0, 216.0, 136.0)
    across = [(x, np.full(50, float(y))) for y in range(10, 300, 15)]
    (among,) = placed(("here", (200.0, 150.0)), curves=across[:-4])
    assert math.dist(among.leader[:2], among.leader[2:]) < 30, "however clear it is far away"


def test_that_a_note_stands_where_everything_is_taken_on_as_little_as_can_be():
    everywhere = [(0.0, 0.0, 400.0, 300.0), (0.0, 0.0, 400.0, 100.0)]
    (found,) = placed(("here", (200.0, 50.0)), taken=everywhere)
    assert found.box[1] >= 100
    (tight,) = placed(("a text of many words " * 14, (5.0, 5.0)), room=(0.0, 0.0, 60.0, 40.0))
    assert (len(tight.lines), tight.lines[0][-1]) == (1, "…")


def test_that_a_box_that_is_kept_serves_on_while_it_has_the_size_and_lies_in_the_picture():
    text = PictureNote(FIGURE.key, "here", (200.0, 150.0))
    kept = {text: (300.0, 20.0, 332.0, 40.0)}
    assert placed(("here", (200.0, 150.0)), kept=kept)[0].box == kept[text]
    assert placed(("here", (200.0, 150.0)), kept=kept, room=(0.0, 0.0, 320.0, 300.0))[0].box[0] == 214
    assert placed(("here", (200.0, 150.0)), kept={text: (300.0, 20.0, 350.0, 40.0)})[0].box[0] == 214


def test_that_points_are_positions_on_the_axes_and_what_is_out_of_view_is_counted():
    texts = [PictureNote("tails", "in", (1000.0, 1e-3)), PictureNote("tails", "low", (1000.0, 0.0)),
             PictureNote("tails", "far", (3000.0, 1e-3)), PictureNote("tails", "under"), PictureNote("loss", "other")]
    notes = notes_of(TAILS, texts)
    assert [note.words for note in notes] == ["in", "low", "far", "under"]
    assert notes[0].at == pytest.approx((1000, -3))
    assert [note.seen((900, 1100), (-6, 0)) for note in notes] == [True, False, False, False]
    assert beyond(notes, (900, 1100), (-6, 0)) == "2 notes outside the view"
    assert beyond(notes[1:2], (900, 1100), (-6, 0)) == "1 note outside the view"
    assert beyond(notes[:1], (900, 1100), (-6, 0)) == ""
