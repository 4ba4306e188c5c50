"""The window against the least it could cost: a slider's frame, the start, memory after many moves."""

from __future__ import annotations

import gc
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyqtgraph as pg
import pytest
from benchmarks_kit import begun
from PySide6.QtCore import QEvent, QEventLoop, QObject, QPoint, QRect
from PySide6.QtWidgets import QApplication, QWidget

from dpstudio.core.figure import Line
from dpstudio.core.risk_figures import DRAWN
from dpstudio.core.study import answer
from dpstudio.gui.page.pictures import Pictures
from dpstudio.gui.plot import FigureView
from dpstudio.gui.shell.appearance import Appearance
from dpstudio.gui.shell.log import Log
from dpstudio.gui.shell.pages import PLACE
from dpstudio.gui.shell.settings import Settings
from dpstudio.gui.shell.window import Window
from dpstudio.gui.shell.workbench import Workbench
from dpstudio.scene.palette import style
from dpstudio.scene.people import STATES
from dpstudio.studies import all_studies
from dpstudio.studies.decision import Decision

SIZE = 1280, 720
MOVES = 150
FRAME = 1000 / 60


class Painted(QObject):
    """Quits a loop once watched widgets of one window have painted since it was armed: all that changed, for Qt paints
    them in one go, and what did not change is not painted."""

    def __init__(self, widgets):
        super().__init__()
        self.loop = QEventLoop()
        self.widgets = list(widgets)
        self.waiting = set()
        for widget in self.widgets:
            widget.installEventFilter(self)

    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint and watched in self.waiting:
            # The paint event is delivered after this filter: leave when control is back in the loop.
            self.waiting = set()
            self.loop.quit()
        return False

    def arm(self):
        self.waiting = set(self.widgets)

    def wait(self):
        if self.waiting:
            self.loop.exec()
        QApplication.processEvents()


@pytest.fixture
def bench(qapp, tmp_path, monkeypatch, request):
    """The window, on a decision or on the study that a test names."""
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    settings = Settings()
    log = Log(tmp_path)
    window = Window(settings, Appearance(settings), log)
    window.resize(*SIZE)
    window.show()
    study = all_studies()[getattr(request, "param", "decision")]
    workbench = Workbench(window, begun(study, {"trials": 1}))
    workbench.pages.show_study()
    window.fill(workbench)
    end = time.monotonic() + 2
    while time.monotonic() < end:
        qapp.processEvents()
    yield workbench
    window.close()
    window.deleteLater()
    qapp.processEvents()
    log.close()


def views(workbench):
    return [view for view in workbench.findChildren(FigureView) if view.canvas.isVisible()]


def frames_of_the_window(workbench):
    """Milliseconds from a moved slider to the new curves of every picture in view, painted."""
    painted = Painted(view.canvas.viewport() for view in views(workbench))
    times = []
    shown = []
    # Armed before the pictures get the answer: some paint at once.
    workbench.answers.shown.disconnect(workbench._show_update)
    workbench.answers.shown.connect(lambda *_: shown.append(1) or painted.arm())
    workbench.answers.shown.connect(workbench._show_update)
    for i in range(MOVES):
        painted.waiting = {None}  # not before the answer is in
        start = time.perf_counter()
        workbench.document.edit("epsilon", float(f"{0.1 * 1.004 ** (1 + i % 50):.4g}"), False)  # as a slider yields it
        painted.wait()
        times.append(1e3 * (time.perf_counter() - start))
    workbench.document.edit("epsilon", 0.1, True)
    assert len(shown) >= MOVES
    return times


def frames_of_the_floor(qapp, workbench):
    """Milliseconds for pyqtgraph to set the same arrays in the same room and paint them."""
    room = QWidget()
    room.resize(*SIZE)
    lines, people, plots = [], [], []
    for view in views(workbench):
        plot = pg.PlotWidget(parent=room)
        plot.setGeometry(QRect(view.canvas.mapTo(workbench.window(), QPoint(0, 0)), view.canvas.size()))
        plots.append(plot)
        figure = view._figure
        if not figure.has_axes:  # a dot for each of ten thousand, in their colours
            shown = pg.ImageItem(axisOrder="row-major")
            plot.addItem(shown)
            plot.hideAxis("left")
            plot.hideAxis("bottom")
            people.append((figure.table, figure.layers[0], shown))
        for layer in figure.layers:
            if isinstance(layer, Line):
                pen = pg.mkPen(style(layer.y.series).light, width=2 if layer.role == "curve" else 1)
                lines.append((figure.table, layer, plot.plot(pen=pen, antialias=True)))
    room.show()
    qapp.processEvents()
    study = workbench.document.study
    updates = [answer(study.replace(epsilon=0.1 * 1.004**i), simulate=False) for i in range(50)]
    tables = [{table: update.tables[table] for table, *_ in (*lines, *people)} for update in updates]
    colours = np.array([[int(look.light[i:i + 2], 16) for i in (1, 3, 5)] for look, _ in STATES.values()], np.uint8)
    painted = Painted([plot.viewport() for plot in plots])
    times = []
    for i in range(MOVES):
        painted.arm()
        start = time.perf_counter()
        for name, layer, item in lines:
            table = tables[i % 50][name]
            if layer.y in table:
                y = table[layer.y]
                item.setData(table[layer.x], np.where(np.isfinite(y), y, np.nan))
        for name, layer, item in people:
            without, right = (int(tables[i % 50][name][column][0]) for column in (layer.without, layer.right))
            order = np.repeat([0, 1, 2], [without, right - without, DRAWN - right]).reshape(100, 100)
            item.setImage(colours[order], autoLevels=False)
        painted.wait()
        times.append(1e3 * (time.perf_counter() - start))
    room.close()
    room.deleteLater()
    return times


@pytest.mark.parametrize("bench", ["decision", "watch", "policy"], indirect=True)
def test_a_slider_moved_to_new_curves_painted(qapp, bench, report):
    frames_of_the_window(bench)
    ours = frames_of_the_window(bench)
    floor = frames_of_the_floor(qapp, bench)
    p95 = [float(np.percentile(times, 95)) for times in (ours, floor)]
    bound = max(FRAME, 1.2 * p95[1])
    what = f"slider to painted frame, all pictures of {bench.document.study.key} in view, 95th percentile"
    report(what, p95[0] / bound, "1 ×",
           f"{p95[0]:.1f} ms; a frame is {FRAME:.1f} ms, 1.2 × the floor {1.2 * p95[1]:.1f} ms; "
           f"medians {statistics.median(ours):.1f} and {statistics.median(floor):.1f} ms")


def test_a_slider_moved_to_people_painted(qapp, bench, report):
    """Ten thousand of them in the large picture, curves beside them: against pyqtgraph’s image of as many dots."""
    bench.document.edit("attacker", "membership", True)
    pictures = bench.findChild(Pictures)
    pictures.beside.header.titles.chosen.emit("risk_people")
    pictures.swap()
    qapp.processEvents()
    assert [view.current_figure().key for view in pictures.views] == ["risk_people", "acceptance"]
    frames_of_the_window(bench)
    ours = frames_of_the_window(bench)
    floor = frames_of_the_floor(qapp, bench)
    p95 = [float(np.percentile(times, 95)) for times in (ours, floor)]
    bound = max(FRAME, 1.2 * p95[1])
    report("slider to painted people and curves, 95th percentile", p95[0] / bound, "1 ×",
           f"{p95[0]:.1f} ms; a frame is {FRAME:.1f} ms, 1.2 × the floor {1.2 * p95[1]:.1f} ms; "
           f"medians {statistics.median(ours):.1f} and {statistics.median(floor):.1f} ms")


@pytest.mark.parametrize("bench", ["table"], indirect=True)
def test_a_slider_moved_to_a_table_of_ten_thousand_cells_painted(bench, report):
    cells = (np.random.default_rng(0).pareto(1.1, 10_000) * 10).astype(int)
    bench.document.edit("cells", ",".join(map(str, cells.tolist())), True)
    frames_of_the_window(bench)
    ours = frames_of_the_window(bench)
    report("slider to a painted table of 10 000 cells, 95th percentile", float(np.percentile(ours, 95)) / (1.5 * FRAME),
           "1 ×", f"of a frame and a half, {1.5 * FRAME:.1f} ms; median {statistics.median(ours):.1f} ms")


def resident():
    """MiB of this process that are in memory."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return float("nan")


def test_memory_after_a_hundred_thousand_slider_moves(qapp, bench, report):
    def moves(count):
        for i in range(count):
            bench.document.edit("epsilon", 0.1 * 1.0001 ** (i % 5000), (i + 1) % 100 == 0)
            if i % 20 == 0:
                qapp.processEvents()
        while bench.answers._worker.waiting:
            qapp.processEvents()
        gc.collect()

    moves(5_000)
    before = resident()
    moves(100_000)
    report("memory after 100 000 slider moves, MiB more", resident() - before, "20 MiB", f"{before:.0f} MiB before")


PROGRAM = """
import sys, time
began = time.perf_counter()
import os
{body}
"""
EMPTY = """
from PySide6.QtWidgets import QApplication, QMainWindow
class Window(QMainWindow):
    def paintEvent(self, event):
        super().paintEvent(event)
        print(time.perf_counter() - began, flush=True)
        os._exit(0)
app = QApplication([])
window = Window()
window.resize(1280, 720)
window.show()
app.exec()
"""
EMPTY_PLOT = """
from PySide6.QtWidgets import QApplication, QMainWindow
import pyqtgraph
class Plot(pyqtgraph.PlotWidget):
    def paintEvent(self, event):
        super().paintEvent(event)
        print(time.perf_counter() - began, flush=True)
        os._exit(0)
app = QApplication([])
window = QMainWindow()
window.setCentralWidget(Plot())
window.resize(1280, 720)
window.show()
app.exec()
"""
OURS = """
from dpstudio.gui.shell import app
from dpstudio.gui.shell.window import Window
def painted():
    print(time.perf_counter() - began, flush=True)
    os._exit(0)
show = Window.show
def shown(self):
    self.painted.connect(painted)
    show(self)
Window.show = shown
app.main()
"""
OURS_PLOT = """
from dpstudio.gui.shell import app, window
fill = window.Window.fill
def filled(self, bench):
    fill(self, bench)
    from PySide6.QtCore import QEvent, QObject
    class First(QObject):
        armed = False
        def eventFilter(self, watched, event):
            if self.armed and event.type() == QEvent.Type.Paint:
                print(time.perf_counter() - began, flush=True)
                os._exit(0)
            return False
    first = self.first = First(self)
    start = bench.pages.start if bench.pages.at_start else None
    picture = start.card.view if start else bench.pictures.picture()
    picture.canvas.viewport().installEventFilter(first)
    (start or bench.answers).shown.connect(lambda *_: setattr(first, "armed", True))
window.Window.fill = filled
app.main()
"""


def start_of(body, home):
    environment = {**os.environ, "HOME": str(home), "XDG_CONFIG_HOME": str(home), "XDG_DATA_HOME": str(home)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # the libraries have theirs, and so shall we
    done = subprocess.run([sys.executable, "-c", PROGRAM.format(body=body)], env=environment, capture_output=True,
                          text=True, timeout=60, check=True)
    return float(done.stdout.split()[-1])


@pytest.mark.parametrize(("what", "page", "ours", "floor"), [
    ("window on screen against an empty PySide6 window", "start", OURS, EMPTY),
    ("plots live against an empty pyqtgraph window", "start", OURS_PLOT, EMPTY_PLOT),
    ("plots of a study live, as it was left, against the same", "study", OURS_PLOT, EMPTY_PLOT)])
def test_the_start(report, tmp_path, what, page, ours, floor):
    left = tmp_path / "dpstudio/dpstudio.ini"
    left.parent.mkdir()
    left.write_text(f"[dialog]\n{PLACE}={page}\n", "utf-8")
    start_of(ours, tmp_path), start_of(floor, tmp_path)
    pairs = [(start_of(ours, tmp_path), start_of(floor, tmp_path)) for _ in range(7)]
    mine, theirs = (statistics.median(times) for times in zip(*pairs, strict=True))
    report(what, mine / theirs, "1.5 ×" if "plots" in what else "1.3 ×", f"{mine:.2f} s against {theirs:.2f} s")


def test_that_hidden_views_cost_nothing(bench, ratio):
    """Showing an answer in a view that is not seen, for the other is enlarged, against that one."""
    bench.pictures.enlarge(bench.pictures.large)
    seen, hidden = bench.pictures.views
    assert seen.isVisible()
    assert not hidden.isVisible()
    hidden.choose(seen.current_figure().key)
    update = answer(Decision(), simulate=False)
    values = Decision().values()
    ratio("an answer shown to a hidden view against a seen one", lambda: hidden.show_update(update, values),
          lambda: seen.show_update(update, values), "1/20")
