"""How long the program takes until its plots are seen, packed and from source, against an empty plot of pyqtgraph.

All three are looked at from outside, on a screen of its own: a plot is there when a curve of its colour is. Needs Xvfb.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import contents

SCREEN, RUNS = ":97", 9
ROOM = (300, 150, 900, 450)
"""Where on the screen a plot is: left, top, width, height."""
SEEN = 60
"""Dots of the curve’s colour that are no accident."""
LONGEST = 60
PLOT = """
from PySide6.QtWidgets import QApplication, QMainWindow
import pyqtgraph
app = QApplication([])
window = QMainWindow()
plot = pyqtgraph.PlotWidget()
plot.plot([0, 1], [0, 1], pen=pyqtgraph.mkPen({colour!r}, width=2))
window.setCentralWidget(plot)
window.resize(1280, 720)
window.show()
app.exec()
"""


def measure(packed: Path) -> dict[str, float]:
    """Median seconds from the command to a curve on the screen."""
    from dpstudio.scene.palette import style
    from dpstudio.studies.decision import LAPLACE

    colour = style(LAPLACE).light
    commands = {"packed": [str(packed)], "source": [sys.executable, "-m", "dpstudio"],
                "pyqtgraph": [sys.executable, "-c", PLOT.format(colour=colour)]}
    times: dict[str, list[float]] = {name: [] for name in commands}
    screen = subprocess.Popen(["Xvfb", SCREEN, "-screen", "0", "1280x720x24", "-nolisten", "tcp"],
                              stderr=subprocess.DEVNULL)
    try:
        time.sleep(2)
        os.environ |= {"DISPLAY": SCREEN, "QT_QPA_PLATFORM": "xcb"}
        from PySide6.QtGui import QGuiApplication

        app = QGuiApplication([])
        for turn in range(RUNS + 1):
            for name, command in commands.items():
                with tempfile.TemporaryDirectory() as home:
                    took = seen_after(app, command, colour, Path(home))
                if turn:  # the first reads files that are read from memory from then on
                    times[name].append(took)
    finally:
        screen.terminate()
    return {name: statistics.median(each) for name, each in times.items()}


def seen_after(app, command: list[str], colour: str, home: Path) -> float:
    """Seconds until dots of this colour are on the screen."""
    import numpy as np
    from PySide6.QtGui import QColor, QImage

    wanted = QColor(colour).rgb() & 0xffffff
    environment = {**os.environ, "HOME": str(home), "XDG_CONFIG_HOME": str(home), "XDG_DATA_HOME": str(home),
                   "PYTHONPATH": str(contents.ROOT)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    began = time.perf_counter()
    program = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while time.perf_counter() - began < LONGEST:
            image = app.primaryScreen().grabWindow(0, *ROOM).toImage().convertToFormat(QImage.Format.Format_RGB32)
            dots = np.frombuffer(image.constBits(), np.uint32) & 0xffffff
            if (dots == wanted).sum() >= SEEN:
                return time.perf_counter() - began
            time.sleep(0.005)
    finally:
        program.kill()
        program.wait()
    raise SystemExit(f"no plot after {LONGEST} seconds: {' '.join(command[:3])}")
