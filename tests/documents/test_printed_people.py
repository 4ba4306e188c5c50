"""Guesses as small people in print: as many as the answer says, in a small file of lines, the same from anywhere."""

from __future__ import annotations

import io
import re

import numpy as np
import pytest
from matplotlib import image
from scipy import ndimage

from dpstudio.cli import main
from dpstudio.core.study import answer
from dpstudio.documents import pictures
from dpstudio.documents.session import Session
from dpstudio.documents.tables import columns_of, values_text
from dpstudio.scene.people import BODY, HEAD, STATES, panels
from dpstudio.studies.decision import Decision
from dpstudio.studies.neighbours import Neighbours
from dpstudio.studies.posterior import Posterior

FEARED = {"attacker": "membership"}
LIGHTEST = 60_000
"""Bytes of the file; ten thousand objects would be half a million."""
ONE = 6
"""How far a channel may be off to be a colour."""


def drawn(kind, values, ending, **more):
    session = Session.of(kind, values)
    found = answer(session.study, simulate=False)
    return pictures.picture(ending, session, found, kind.figure("risk_people"), **more)


@pytest.mark.parametrize("ending", pictures.FORMATS)
def test_that_a_picture_of_people_is_the_same_bytes_again_and_from_the_command_line(ending, tmp_path):
    once, again = drawn(Decision, FEARED, ending), drawn(Decision, FEARED, ending)
    assert once == again
    path = tmp_path / f"people.{ending}"
    assert main(["render", "decision", "--attacker", "membership:0.5", "--figure", "risk_people", "--output",
                 str(path)]) == 0
    assert path.read_bytes() == once


def test_that_the_file_is_small_and_of_lines():
    for kind in (Decision, Neighbours):
        svg = drawn(kind, FEARED, "svg").decode()
        assert "<image" not in svg
        assert len(svg) < LIGHTEST
        assert 10 < len(re.findall("<path", svg)) < 60


@pytest.mark.parametrize(("kind", "values"), [
    (Decision, FEARED), (Posterior, FEARED | {"epsilon": 1.0}), (Posterior, {"attacker": "name", "epsilon": 0.1}),
    (Posterior, FEARED | {"presence_prior": 0.9})])
def test_that_as_many_people_are_printed_as_are_in_the_table(kind, values, monkeypatch):
    """Heads and bodies lie apart: there are two of each colour for each of them."""
    from dpstudio.documents.print import painters
    from dpstudio.documents.print.drawing import draw

    placed = []
    monkeypatch.setattr(painters, "panels", lambda *given: placed.extend(panels(*given)) or placed)
    study = kind(**values)
    update, figure = answer(study, simulate=False), kind.figure("risk_people")
    table = update.tables["risk_people"]
    with pictures.print_settings():
        canvas, out = draw(study, update, figure, (190.0, 200.0)), io.BytesIO()
        canvas.savefig(out, format="png", dpi=250)
        out.seek(0)
        pixels = np.rint(255 * image.imread(out)[..., :3]).astype(int)
    (panel,), part = placed, canvas.axes[0].get_position()
    layer = panel.part.layer
    guesses, without, right = (int(table[each][0]) for each in (layer.guesses, layer.without, layer.right))
    high, wide = pixels.shape[:2]
    left, top = wide * part.x0 + panel.left * 250 / 72, high * (1 - part.y1) + panel.top * 250 / 72
    side, cell = (round(each * 250 / 72) for each in (panel.side, panel.cell))
    people = pixels[round(top):round(top) + side + cell, round(left) - cell:round(left) + side + 2 * cell]
    colours = {state: np.array([int(look.light[i:i + 2], 16) for i in (1, 3, 5)]) for state, (look, _) in
               STATES.items()}
    shown = without, right - without, min(guesses, 10_000) - right
    for colour, count in zip(colours.values(), shown, strict=True):
        assert ndimage.label((np.abs(people - colour) <= ONE).all(axis=-1))[1] == 2 * count
    for state, row, begin, end in panel.crowd.runs():
        for column in range(begin, end):
            x, y = panel.corner(row, column)
            middle = (pixels[round(high * (1 - part.y1) + (y + down * panel.cell) * 250 / 72 - 0.5),
                             round(wide * part.x0 + (x + panel.cell / 2) * 250 / 72 - 0.5)]
                      for down in (HEAD[0], BODY[0]))
            assert all((np.abs(each - colours[state]) <= ONE).all() for each in middle), (state, row, column)


def test_that_its_numbers_can_be_copied_with_how_many_guesses_there_are():
    update = answer(Decision(**FEARED), simulate=False)
    table = update.tables["risk_people"]
    columns = columns_of(Decision.figure("risk_people"), table)
    head, row = values_text({column: table[column] for column in columns}).splitlines()
    said = dict(zip(head.split("\t"), row.split("\t"), strict=True))
    assert said["guesses_laplace"] == "10000"
    assert said["guessed_without_laplace"] == "5000"
    assert said["guessed_with_laplace"] == "5238"
    assert len(said) == 15


def test_that_a_low_sheet_and_one_column_are_drawn_and_nobody_feared_is_explained():
    for size in ((86.0, 60.0), (160.0, 70.0), (400.0, 100.0)):
        assert drawn(Decision, FEARED, "svg", size_mm=size)
    assert b"Say whom you fear" in drawn(Decision, {}, "svg")
