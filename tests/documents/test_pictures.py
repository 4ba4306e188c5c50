"""Pictures: what is drawn, that nothing overlaps, and that the files keep their promises."""

from __future__ import annotations

import base64
import io
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest
from fontTools.ttLib import TTFont
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgba
from matplotlib.lines import Line2D
from settings_kit import held

from dpstudio import vocabulary as v
from dpstudio.core.declare import InvalidParameter
from dpstudio.core.figure import Line, Region
from dpstudio.core.results import Column
from dpstudio.core.study import answer
from dpstudio.documents import pictures, session_file
from dpstudio.documents.print.drawing import draw
from dpstudio.documents.print.style import FAINT
from dpstudio.documents.session import Session
from dpstudio.documents.setting import setting
from dpstudio.scene.legend import entries
from dpstudio.scene.palette import DECIDED, REFUSED
from dpstudio.scene.scene import Pinned, resolve
from dpstudio.studies import all_studies
from dpstudio.studies.decision import LAPLACE

SIZES = [(80, 60), (160, 100), (240, 140), (100, 300), (300, 75)]
DECISION = all_studies()["decision"]
PICTURES, FRONTIERS = DECISION.figures[:len(DECISION.pictures)], DECISION.figures[len(DECISION.pictures):]
"""The frontiers are of one kind."""
every_format = pytest.mark.parametrize("kind", pictures.FORMATS)


def drawn(study, update, figure, size=(160, 100), **options):
    """The sheet as it is laid out; to paint every letter takes longer than all the rest."""
    with pictures.print_settings():
        canvas = draw(study, update, figure, size, **options)
        FigureCanvasAgg(canvas)
        canvas.draw_without_rendering()
    return canvas


def lines_of(canvas):
    return {line.get_label(): line for line in canvas.axes[0].lines if not line.get_label().startswith("_")}


@pytest.mark.parametrize(("figure", "size"), [
    (figure, size) for i, figure in enumerate((*PICTURES, FRONTIERS[0])) for size in (SIZES[0], SIZES[1 + i % 4])]
    + [(FRONTIERS[1], SIZES[0]), (FRONTIERS[2], SIZES[1])],
    ids=lambda each: getattr(each, "key", str(each)))
def test_that_no_words_overlap_or_leave_the_sheet(decision, decision_update, figure, size):
    canvas = drawn(decision, decision_update, figure, size)
    boxes = {text.get_text(): text.get_window_extent() for text in canvas.texts if text.get_text().strip()}
    assert len(boxes) > 8
    for words, box in boxes.items():
        assert box.x0 >= 0, words
        assert box.y0 >= 0, words
        assert box.x1 <= canvas.bbox.x1, words
        assert box.y1 <= canvas.bbox.y1, words
    for (first, a), (second, b) in combinations(boxes.items(), 2):
        across, up = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
        assert min(across, up) < 1.5, (first, second)  # the boxes' own margins may touch


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("values", [
    {"minimum": 10**9, "epsilon": 1e-6, "records": 10**12}, {"minimum": 1, "epsilon": 20.0, "records": 0},
    {"delta": 0.0, "target": 1e-9, "zero_refused": True}, {"delta": 0.5, "target": 1 - 1e-9, "records": 1000}], ids=str)
def test_that_every_figure_is_drawn_at_the_ends_of_the_domain(values):
    study = DECISION(**values, trials=10)
    *_, update = study.run()
    for figure in (*study.pictures, *FRONTIERS[:1]):
        with pictures.print_settings():
            canvas = draw(study, update, figure, (80, 60))
            FigureCanvasAgg(canvas)
            assert canvas.axes
            for text in canvas.texts:
                text.set_visible(False)
            canvas.canvas.draw()  # what may break at the ends is a curve


def test_that_close_marks_have_labels_apart():
    study = DECISION(minimum=1000, records=1001, trials=1)
    canvas = drawn(study, next(study.run()), study.figures[0])
    boxes = sorted((text.get_window_extent().x0, text.get_window_extent().x1) for text in canvas.texts
                   if re.match("[mN] = 1", text.get_text()) and len(text.get_text()) < 12)
    assert len(boxes) == 2
    assert boxes[0][1] < boxes[1][0]


def test_that_curves_are_the_figures_data(decision, decision_update):
    figure = decision.figure("acceptance")
    table = decision_update.tables["records"]
    curves = lines_of(drawn(decision, decision_update, figure))
    assert len(curves) == 5
    for column, values in table.items():
        if column.key in curves:
            np.testing.assert_array_equal(curves[column.key].get_ydata(), values)
            np.testing.assert_array_equal(curves[column.key].get_xdata(), next(iter(table.values())))


def test_that_a_log_axis_has_decades_and_a_floor(decision, decision_update):
    canvas = drawn(decision, decision_update, decision.figure("tails"))
    words = {text.get_text() for text in canvas.texts}
    assert {"10⁰", "10⁻²"} <= words
    lowest = min(np.nanmin(line.get_ydata()) for line in lines_of(canvas).values())
    assert canvas.axes[0].get_ylim()[0] >= -12.5
    assert lowest == pytest.approx(-14)  # exact zeros leave through the bottom


def test_that_infinite_values_become_arrows_and_nan_a_gap(sample, sample_update):
    axes = drawn(sample, sample_update, sample.figures[0]).axes[0]
    curve = lines_of(axes.figure)["privacy_loss_laplace"].get_ydata()
    assert np.isnan(curve[30])
    assert np.isnan(curve[:10]).all()
    arrows = {line.get_marker(): line for line in axes.lines if line.get_marker() in ("^", "v")}
    assert set(arrows) == {"^", "v"}


def test_that_layers_without_numbers_are_left_out(sample, sample_update):
    scene = resolve(sample.figures[0], sample_update, sample.values(), {})
    assert [part.key for part in scene.shown(Line)] == ["laplace", "cutoff"]
    assert [part.key for part in scene.shown(Region)] == ["laplace"]
    assert [entry.label for entry in entries(scene, {})] == ["Laplace", "=Cutoff"]


def test_that_a_hidden_series_is_not_drawn(decision, decision_update):
    figure = decision.figure("acceptance")
    canvas = drawn(decision, decision_update, figure, hidden=frozenset({"laplace", "gaussian"}))
    assert set(lines_of(canvas)) == {"acceptance_cutoff", "acceptance_generalized", "acceptance_matched"}
    assert "Laplace" not in {text.get_text() for text in canvas.texts}


def test_that_a_figure_without_curves_says_why_and_one_with_hidden_curves_does_not():
    noise = all_studies()["noise"]
    for delta, hidden, said in ((0.0, (), True), (1e-6, (), False), (1e-6, ("gaussian", "printed"), False)):
        study = noise(delta=delta)
        update, figure = answer(study, simulate=False), noise.figure("too_much")
        words = [text.get_text() for text in drawn(study, update, figure, hidden=frozenset(hidden)).texts]
        assert (figure.empty in words) is said


def test_that_no_marker_crosses_the_words_why_there_is_nothing():
    plan = all_studies()["plan"]()
    canvas = drawn(plan, answer(plan, simulate=False), plan.figure("risk_success"))
    why = [text for text in canvas.texts if text.get_text() and text.get_text() in plan.figure("risk_success").empty]
    assert why
    assert all(to_rgba(text.get_bbox_patch().get_facecolor()) == (1, 1, 1, 1) for text in why)


def test_that_the_sheet_names_parameters_relation_and_version(decision, decision_update):
    words = " ".join(text.get_text() for text in drawn(decision, decision_update, decision.figures[0]).texts)
    for wanted in ("m = 1\u202f000", "ε = 0.2", "δ = 10⁻⁶", "prior: uniform", "f(0)=0: no", "seed = 0",
                   decision.neighbours.sentence[1:], "DP Studio 0."):
        assert wanted in words


def test_that_print_shows_what_is_pinned_faintly_with_its_name(decision, decision_session, decision_update):
    figure = decision.figure("acceptance")
    pin = Pinned("ε = 0.05", answer(DECISION(epsilon=0.05), simulate=False))
    plain, canvas = drawn(decision, decision_update, figure), drawn(decision, decision_update, figure, pins=[pin])
    assert len(lines_of(canvas)) == len(lines_of(plain)) == 5  # a pin's are not the figure's data
    faint = [line for line in canvas.axes[0].lines if line.get_alpha() == FAINT and len(line.get_xdata()) > 2]
    assert len(faint) == 5
    samples = [sum(line.get_alpha() == FAINT for line in each.findobj(Line2D) if line.axes is None)
               for each in (plain, canvas)]
    assert samples[1] == samples[0] + 1, "its sample in the legend is as faint"
    table = pin.update.tables["records"]
    assert any(np.array_equal(line.get_ydata(), table[Column(v.ACCEPTANCE, LAPLACE)]) for line in faint)
    assert "ε = 0.05" in {text.get_text() for text in canvas.axes[0].texts}
    assert "ε = 0.05" in {text.get_text() for text in canvas.texts}
    assert pictures.picture("svg", decision_session, decision_update, figure, pins=[pin]) != pictures.picture(
        "svg", decision_session, decision_update, figure)


def test_that_a_name_with_no_room_at_its_pin_is_led_to_it(decision, decision_update):
    figure = decision.figure("acceptance")
    pins = [Pinned(f"ε = {epsilon}", answer(DECISION(epsilon=epsilon), simulate=False))
            for epsilon in (0.09, 0.091, 0.092, 0.093, 0.094, 0.095)]
    axes = drawn(decision, decision_update, figure, (120, 80), pins=pins).axes[0]
    assert len([text for text in axes.texts if text.get_text().startswith("ε = 0.09")]) == len(pins)
    leaders = [line for line in axes.lines if line.get_transform() == axes.transAxes]
    assert leaders
    for line in leaders:
        assert (np.array([line.get_xdata(), line.get_ydata()]) >= 0).all()
        assert (np.array([line.get_xdata(), line.get_ydata()]) <= 1).all()


def test_that_no_long_dash_is_taken_for_a_solid_line_in_the_legend():
    response = all_studies()["response"]()
    canvas = drawn(response, answer(response, simulate=False), response.figure("profile"))
    first = next(line for line in canvas.get_children() if isinstance(line, Line2D) and line.is_dashed())
    offset, pattern = first._dash_pattern
    length = float(np.ptp(first.get_xdata())) * canvas.get_figwidth() * 72
    assert offset + length >= pattern[0] + pattern[1] + length / 4  # the gap is seen, and enough of what follows


def test_that_what_is_pinned_is_drawn_where_the_present_picture_looks_and_simulated_if_that_is():
    now = setting(DECISION, {"trials": 20_000})
    state = Session.of(DECISION, {"minimum": 2000, "trials": 20_000}).pin().adopt(now).state()
    for simulate in (False, True):
        update = answer(now.study, simulate=simulate)
        (pin,) = pictures.pinned(state, update)
        assert pin.title == "m = 2\u202f000"
        records = [each.tables["records"][Column(v.RECORDS)] for each in (update, pin.update)]
        assert [records[1][0], records[1][-1]] == [records[0][0], records[0][-1]]
        assert (pin.update.seen is not None) == simulate


def test_that_a_single_dot_is_named_beside_it_and_a_dot_in_the_legend():
    response = all_studies()["response"]()
    canvas = drawn(response, answer(response, simulate=False), response.figure("map"))
    assert {"Your design", "Best design, same ε"} <= {text.get_text() for text in canvas.axes[0].texts}
    dots = [line for line in canvas.get_children() if isinstance(line, Line2D) and line.get_marker() == "o"]
    assert len(dots) == 1


def test_that_the_same_study_gives_the_same_bytes_here_and_from_the_command_line(decision, decision_session,
                                                                                 decision_update, tmp_path):
    figure = decision.figure("loss")
    words = ["render", "decision", "--set", "trials=40k", "--set", "epsilon=0.2", "--figure", "loss", "--output"]
    files = [tmp_path / f"a.{kind}" for kind in pictures.FORMATS]
    script = f"from dpstudio.cli import main\nfor file in {[*map(str, files)]}: main([*{words}, file])"
    subprocess.run([sys.executable, "-c", script], check=True, cwd=tmp_path,
                   env=os.environ | {"PYTHONHASHSEED": "1", "PYTHONPATH": os.pathsep.join(sys.path)})
    for kind, file in zip(pictures.FORMATS, files, strict=True):
        assert file.read_bytes() == pictures.picture(kind, decision_session, decision_update, figure), file.name


def test_that_a_picture_is_drawn_without_what_its_session_hides(decision, decision_session, decision_update):
    figure = decision.figures[0]
    plain, hidden = (pictures.picture("svg", each, decision_update, figure)
                     for each in (decision_session, decision_session.having(hidden=frozenset({"laplace"}))))
    assert b">Laplace<" in plain
    assert b">Laplace<" not in hidden


@every_format
def test_that_settings_of_the_user_change_nothing(sample, sample_session, sample_update, kind):
    plain = pictures.picture(kind, sample_session, sample_update, sample.figures[0])
    with matplotlib.rc_context({"font.size": 30, "axes.grid": False, "svg.fonttype": "path", "savefig.dpi": 20}):
        assert pictures.picture(kind, sample_session, sample_update, sample.figures[0]) == plain


def test_that_pictures_drawn_at_once_are_those_drawn_alone_and_no_thread_leaves_a_font_open(
        sample, sample_session, sample_update):
    def made(_):
        return pictures.picture("svg", sample_session, sample_update, sample.figures[0])

    alone, together, opened = made(0), set(), Path("/proc/self/fd")
    for _ in range(3):
        with ThreadPoolExecutor(3) as threads:
            together |= set(threads.map(made, range(12)))
    assert together == {alone}
    assert not [each for each in opened.glob("*") if each.resolve().suffix == ".ttf"]  # where the system tells


@every_format
def test_that_a_picture_carries_its_session(decision, decision_session, decision_update, kind, tmp_path):
    file = tmp_path / f"picture.{kind}"
    pictures.write(file, decision_session, decision_update, decision.figures[0])
    assert held(session_file.load(file)) == (DECISION, {"epsilon": 0.2, "trials": 40_000})
    assert not re.search(rb"CreationDate|<dc:date>|tIME", file.read_bytes())


def test_that_text_in_an_svg_is_text_with_its_font(decision, decision_session, decision_update):
    data = pictures.picture("svg", decision_session, decision_update, decision.figure("profile_log"))
    root = ElementTree.fromstring(data)
    ns = "{http://www.w3.org/2000/svg}"
    texts = [(element.text, "700" in element.get("style")) for element in root.iter(f"{ns}text")]
    assert ("privacy loss ε′", False) in texts
    covered = {False: set(), True: set()}
    for bold, encoded in re.findall(rb"font-weight:(normal|bold);src:url\(data:font/woff;base64,([^)]*)\)", data):
        covered[bold == b"bold"] |= TTFont(io.BytesIO(base64.b64decode(encoded))).getBestCmap().keys()
    for words, bold in texts:
        assert {ord(sign) for sign in words} <= covered[bold], words


def test_that_an_svg_is_one_picture_with_a_name_and_says_what_is_to_be_seen_whatever_names_have_in_them(
        decision, decision_session, decision_update):
    data = pictures.picture("svg", decision_session, decision_update, decision.figures[0])
    root = ElementTree.fromstring(data)
    ns = "{http://www.w3.org/2000/svg}"
    assert root.get("role") == "img"
    title, says = root.find(f"{ns}title"), root.find(f"{ns}desc")
    assert (title.get("id"), says.get("id")) == (root.get("aria-labelledby"), root.get("aria-describedby"))
    assert len([each for each in root.iter() if each.get("id") in ("title", "says")]) == 2
    assert title.text == "Decision: Probability of “yes”"
    assert says.text.startswith("Probability of “yes”. Probability of “yes” against true count N (records), from ")
    assert "Shown: Laplace" in says.text
    assert "Lines at m = 1" in says.text
    marked = pictures._with_words(b"<svg x='1'><title>a</title></svg>", "a < b & c")
    assert ElementTree.fromstring(marked).find("desc").text == "a < b & c"


def test_that_a_pdf_embeds_true_type_and_nothing_else(decision, decision_session, decision_update):
    data = pictures.picture("pdf", decision_session, decision_update, decision.figures[0])
    assert b"/FontFile2" in data
    assert b"/Type3" not in data
    assert b"DejaVu" not in data


def test_that_a_png_has_the_size_that_was_asked_for(sample, sample_session, sample_update):
    data = pictures.picture("png", sample_session, sample_update, sample.figures[0], size_mm=(127, 76.2), dpi=200)
    assert (int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")) == (1000, 600)


def test_that_every_figure_goes_into_a_folder(tmp_path):
    study = all_studies()["response"]
    update = answer(study(trials=10))
    files = pictures.write_all(tmp_path / "new", Session.of(study, {"trials": 10}), update, format="png", dpi=40)
    assert [file.name for file in files] == [f"response-{figure.key}.png" for figure in study.figures]
    assert sorted(files) == sorted((tmp_path / "new").iterdir())


@pytest.mark.parametrize(("name", "options"), [
    ("x.gif", {}), ("x", {}), ("x.svg", {"size_mm": (79, 60)}), ("x.svg", {"size_mm": (80, float("nan"))}),
    ("x.png", {"dpi": 10}), ("x.png", {"size_mm": (1000, 1000), "dpi": 2400})])
def test_that_a_picture_that_cannot_be_had_is_refused(sample, sample_session, sample_update, tmp_path, name, options):
    with pytest.raises(InvalidParameter):
        pictures.write(tmp_path / name, sample_session, sample_update, sample.figures[0], **options)
    assert not list(tmp_path.iterdir())


def test_that_a_figure_without_its_table_is_a_key_error(sample, sample_session, sample_update, tmp_path):
    with pytest.raises(KeyError):
        pictures.write(tmp_path / "x.svg", sample_session, sample_update, sample.figure("later"))


@pytest.mark.parametrize(("text", "size"), [("160x100mm", (160, 100)), ("80.5 × 60 mm", (80.5, 60)), ("9x7", (9, 7))])
def test_that_sizes_are_read_in_millimetres(text, size):
    assert pictures.read_size(text) == size


@pytest.mark.parametrize("text", ["", "160", "160x100in", "1e3x100", "-160x100", "٣٠٠x100", "x"])
def test_that_no_size_is_guessed(text):
    with pytest.raises(InvalidParameter, match="size must be WIDTHxHEIGHTmm"):
        pictures.read_size(text)


def test_that_print_draws_what_is_refused_fainter_and_what_is_decided_for_stronger(decision, decision_update):
    figure = decision.figure("acceptance")
    axes = drawn(decision, decision_update.deciding("gaussian"), figure).axes[0]
    lines = {line.get_label(): line for line in axes.lines if line.get_label().startswith("acceptance_")}
    width = lines["acceptance_laplace"].get_linewidth()
    assert lines["acceptance_cutoff"].get_alpha() == REFUSED
    assert lines["acceptance_cutoff"].get_linewidth() == width
    assert lines["acceptance_gaussian"].get_alpha() is None
    assert lines["acceptance_gaussian"].get_linewidth() == pytest.approx(DECIDED * width)
    assert REFUSED in {line.get_alpha() for line in axes.lines if line.get_label().startswith("_")}, "its bar, too"


def test_that_an_exported_picture_speaks_of_the_choice_of_its_session(decision, decision_update):
    figure, session = decision.figure("acceptance"), Session.of(type(decision), {})
    plain, chosen = (pictures.picture("svg", each, decision_update, figure)
                     for each in (session, session.decide("gaussian")))
    assert b"stroke-width: 2.1" not in plain
    assert b"stroke-width: 2.1" in chosen
