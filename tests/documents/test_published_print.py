"""Print marks published ε where it is asked to: names under the curves, and what their units of privacy are."""

from __future__ import annotations

import pytest

from dpstudio.cli import main
from dpstudio.core.deployments import deployments
from dpstudio.core.study import answer
from dpstudio.documents import pictures
from dpstudio.documents.print import painters
from dpstudio.documents.print.drawing import draw
from dpstudio.documents.print.style import LEADING, NORMAL
from dpstudio.scene.published import WARNING, rows_of
from dpstudio.scene.scene import resolve
from dpstudio.studies import all_studies

NAMES = {one.name for one in deployments()}


@pytest.fixture(scope="module")
def asked():
    study = all_studies()["updating"]()
    return study, answer(study, simulate=False)


def texts(asked, size=(160, 100), **kwargs):
    study, update = asked
    with pictures.print_settings():
        canvas = draw(study, update, study.figure("frontier"), size, **kwargs)
    return " ".join(text.get_text() for owner in (canvas, *canvas.axes) for text in owner.texts)


def test_that_a_printed_mark_comes_with_its_unit(asked):
    words = texts(asked, published=True)
    for name in ("Broadband", "Suggested replies", "OhmConnect", "Hurricane"):
        assert f"{name}: one person (“User-level”)" in words
    assert "US census" not in words
    assert WARNING in words


def test_that_a_small_sheet_says_what_is_marked_alone(asked):
    words = texts(asked, (88, 62), published=True)
    assert WARNING in words
    assert "Broadband:" not in words


def test_that_printed_names_have_rows_of_their_own_under_the_curves_and_ticks_that_lead_there(asked):
    study, update = asked
    figure = study.figure("frontier")
    scene = resolve(figure, update, study.values(), {each.name: each for each in study.parameters()},
                    with_published=True)
    names = painters.strip_of(scene, NORMAL, 400.0, 120.0)
    rows, high = rows_of(names.flags), LEADING * NORMAL.foot
    assert rows > 1
    assert painters.room(scene, NORMAL, names)[0] - painters.room(scene, NORMAL)[0] == pytest.approx(
        painters.STUB + rows * high)
    with pictures.print_settings():
        axes, = draw(study, update, figure, (160, 100), published=True).axes
    ticks = [text.xyann[1] for text in axes.texts if getattr(text, "arrow_patch", None) is not None]
    up = {text.get_text(): text.xyann[1] for text in axes.texts if text.get_text() in NAMES}
    assert len(ticks) == len(scene.published)
    assert max(ticks) > max(up.values()) > min(up.values()) > min(ticks) - high


def test_that_the_command_marks_them_when_told_to_the_same_bytes_twice(tmp_path):
    files = [tmp_path / name for name in ("a.svg", "b.svg", "c.svg")]
    for file, flag in zip(files, (["--published"], ["--published"], []), strict=True):
        assert main(["render", "noise", "--figure", "sigma", "--output", str(file), *flag]) == 0
    marked, again, plain = (file.read_text("utf-8") for file in files)
    assert marked == again
    assert "City trips" in marked
    assert "City trips" not in plain
