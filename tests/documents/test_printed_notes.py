"""Texts on pictures are printed where they stand, as plain text, and never cost the picture."""

from __future__ import annotations

import io
import re
from html import unescape

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.image import imread

from dpstudio.core.study import answer
from dpstudio.documents import pictures
from dpstudio.documents.noted import LONGEST_ON_PICTURE, MOST_ON_PICTURES, PictureNote
from dpstudio.documents.print.drawing import draw
from dpstudio.documents.session import Session
from dpstudio.scene.scene import resolve
from dpstudio.studies import all_studies

DECISION = all_studies()["decision"]()
UPDATE = answer(DECISION, simulate=False)
NOTES = (PictureNote("acceptance", "all answer <b>yes</b> & $x^2$ half of the time", (1000.0, 0.5)),
         PictureNote("acceptance", "under all of it"), PictureNote("acceptance", "far", (9000.0, 0.5)),
         PictureNote("tails", "one in a thousand", (1010.0, 1e-3)))


def drawn(figure, notes, size=(160, 100)):
    with pictures.print_settings():
        return draw(DECISION, UPDATE, DECISION.figure(figure), size, notes=notes)


def picture(kind, notes=(), dpi=300):
    session = Session.of(type(DECISION)).having(picture_notes=tuple(notes))
    return pictures.picture(kind, session, UPDATE, DECISION.figure("acceptance"), dpi=dpi)


def words(canvas) -> list[str]:
    return [text.get_text() for text in (*canvas.texts, *canvas.axes[0].texts)]


def pixels(png: bytes) -> bytes:
    """What is drawn, without the session that goes along."""
    return imread(io.BytesIO(png)).tobytes()


def svg_words(data: bytes) -> str:
    return " ".join(unescape(each) for each in re.findall(r"<text[^>]*>([^<]*)</text>", data.decode()))


def test_that_a_picture_has_its_notes_as_text_and_says_what_is_out_of_view():
    said = svg_words(picture("svg", NOTES))
    assert "all answer <b>yes</b> & $x^2$ half" in said
    assert "under all of it" in said
    assert "1 note outside the view" in said
    assert "far" not in said.split()
    assert "one in a thousand" not in said


@pytest.mark.parametrize(("figure", "note"), [("acceptance", NOTES[0]), ("tails", NOTES[3])])
def test_that_a_note_leads_to_its_point_and_is_clipped_to_nothing(figure, note):
    canvas = drawn(figure, NOTES)
    FigureCanvasAgg(canvas).draw()
    axes = canvas.axes[0]
    scene = resolve(DECISION.figure(figure), UPDATE, DECISION.values(), {}, notes=NOTES)
    at = next(each.at for each in scene.notes if each.text is note)
    point = axes.transData.transform(at)
    dot = next(line for line in axes.lines if line.get_marker() == "o" and line.get_transform() is axes.transAxes)
    assert dot.get_window_extent().padded(1).contains(*point)
    (box,) = (patch for patch in axes.patches if patch.get_transform() is not axes.transData
              and patch.get_facecolor()[:3] == (1, 1, 1) and patch is not axes.patch)
    inside = box.get_window_extent()
    assert axes.bbox.contains(inside.x0, inside.y0)
    assert axes.bbox.contains(inside.x1, inside.y1)
    for text in axes.texts:
        if text.get_text() in note.text:
            extent = text.get_window_extent()
            assert inside.x0 <= extent.x0 + 1
            assert extent.x1 <= inside.x1 + 1
            assert inside.y0 <= extent.y0 + 1
            assert extent.y1 <= inside.y1 + 1


def test_that_the_same_notes_give_the_same_bytes_and_none_the_bytes_of_before():
    assert picture("png", NOTES, 36) == picture("png", NOTES, 36)
    drawn, without, elsewhere = (pixels(picture("png", notes, 36)) for notes in (NOTES, (), NOTES[3:]))
    assert without != drawn
    assert without == elsewhere


@pytest.mark.parametrize("at", [None, (1000.0, 0.5)])
def test_that_as_many_notes_as_there_may_be_still_leave_a_picture(at):
    notes = [PictureNote("acceptance", f"{i} \u202e\x00漢" + "long " * 58, at) for i in range(MOST_ON_PICTURES)]
    assert all(len(note.text) <= LONGEST_ON_PICTURE for note in notes)
    for size in ((80, 60), (160, 100)):
        said = words(drawn("acceptance", notes, size))
        assert not any(sign in "".join(said) for sign in "\u202e\x00漢")
        if at is None and size == (160, 100):
            assert any(re.fullmatch(r"\d+ more notes in the session", each) for each in said)
