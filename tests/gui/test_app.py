"""The application starts with nothing heavy, and ends with nothing left, in a process of its own."""

from __future__ import annotations

from process_kit import run

from dpstudio.documents import session_file
from dpstudio.documents.session import Session
from dpstudio.studies.decision import Decision

CLOSE_WHILE_SIMULATING = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from dpstudio.gui.shell import app, workbench

made = workbench.Workbench.__init__

def made_and_closed(self, *args):
    made(self, *args)
    def simulating(update, study):
        if 0 < update.done < update.total:
            QTimer.singleShot(int(sys.argv[2]), QApplication.closeAllWindows)
    self.answers.shown.connect(simulating)

workbench.Workbench.__init__ = made_and_closed
code = app.main(sys.argv[1])
import threading
assert threading.active_count() == 1, threading.enumerate()
sys.exit(code)
"""

COPY_AND_CLOSE = """
import gc, sys
import shiboken6
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from dpstudio.gui.shell import app, workbench

made, windows = app.fill, []

def made_and_closed(window, session=None):
    made(window, session)
    windows.append(window)
    window.findChild(workbench.Workbench).outgoing.copy_picture()
    QTimer.singleShot(0, window.close)

app.fill = made_and_closed
code = app.main()
gc.collect()
assert not shiboken6.isValid(windows[0])
assert not QApplication.topLevelWidgets(), QApplication.topLevelWidgets()
sys.exit(code)
"""

GARBAGE = """
import gc, sys
from PySide6.QtCore import QTimer
from dpstudio.gui.shell import app

app.STARTED = int(sys.argv[1])
made = app.fill

def made_and_closed(window, session=None):
    made(window, session)
    print(gc.isenabled())
    looking = QTimer(window, interval=10)
    looking.timeout.connect(lambda: window.close() if gc.isenabled() == bool(int(sys.argv[2])) else None)
    looking.start()

app.fill = made_and_closed
app.main()
print(gc.isenabled())
"""

FIRST = """
import linecache, sys
from PySide6.QtCore import QEvent, QObject, Qt
from dpstudio.gui.shell import app

app.PATIENCE, answered = int(sys.argv[1]), bool(int(sys.argv[2]))
fill, told, read = app.fill, [], []

class Painted(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:
            told.append("painted")
            read.extend(name for name, module in sys.modules.items() if type(module).__name__ != "_Unread")
            watched.window().close()
        return False

painted = Painted()

def fill_and_watch(window, session=None):
    from dpstudio.gui.shell import workbench
    made = workbench.Workbench.__init__

    def made_and_watched(self, *args):
        made(self, *args)
        self.headline.installEventFilter(painted)
        if answered:
            self.answers.shown.connect(lambda *_: told.append("answered"), type=Qt.ConnectionType.SingleShotConnection)
        else:
            self.answers.ask = lambda: None

    workbench.Workbench.__init__ = made_and_watched
    fill(window, session)

app.fill = fill_and_watch
app.main()
print(*told[:told.index("painted") + 1])
print(*read)
print(*(name for name in linecache.cache if "dpstudio" in name or "pyqtgraph" in name))
"""


def test_that_closing_in_mid_simulation_ends_the_process_cleanly(tmp_path, well_read):
    path = tmp_path / "long.dpstudio"
    session_file.save(path, Session.of(Decision, {"trials": 10**9}))
    ended = [well_read.run(CLOSE_WHILE_SIMULATING, path, after) for after in (0, 10, 30, 90)]
    assert [each.returncode for each in ended] == [0] * 4, [each.stderr for each in ended]
    assert not any("Traceback" in each.stderr for each in ended)


def test_that_nothing_outlives_the_window_neither_widgets_nor_a_copied_picture(well_read):
    """What Qt deletes after the interpreter has gone takes the process down with it."""
    ended = well_read.run(COPY_AND_CLOSE)
    assert ended.returncode == 0, ended.stderr


def test_that_the_frame_needs_no_heavy_library():
    heavy = ("pyqtgraph", "scipy", "matplotlib", "numpy", "hmac", "json", "dpstudio.documents", "dpstudio.core.slow")
    script = ("import sys, dpstudio.gui.shell.app; from PySide6 import QtCore\n"
              f"print([name for name in {heavy} if name in sys.modules], 'Qt' in vars(QtCore))")
    assert run(script).stdout.strip() == "[] False"  # Qt's own names are made when they are first used, all of them


def test_that_a_start_reads_neither_matplotlib_nor_scipy_stats():
    heavy = ("contourpy", "matplotlib", "scipy.stats", "dpstudio.core.sweep")
    script = ("import sys, dpstudio.gui.shell.app, dpstudio.gui.shell.workbench\n"
              f"print([name for name in {heavy} if name in sys.modules])")
    assert run(script).stdout.strip() == "[]"


def test_that_the_first_picture_is_painted_once_from_nothing_that_it_does_not_need():
    told, read, sources = run(FIRST, 10**6, 1).stdout.splitlines()
    assert told == "answered painted"
    assert {"numpy", "scipy.special._ufuncs", "pyqtgraph.graphicsItems.ViewBox.ViewBox"} <= {*read.split()}
    unneeded = {"numpy.ma.core", "numpy.testing", "numpy.f2py", "scipy.special", "scipy._lib._array_api", "unittest",
                "pyqtgraph.multiprocess", "pyqtgraph.graphicsItems.PlotItem", "pyqtgraph.widgets.PlotWidget"}
    assert not unneeded & {*read.split()}
    assert sources == ""  # PySide6 would read them


def test_that_a_window_is_painted_also_while_its_first_answer_is_awaited():
    assert run(FIRST, 0, 0).stdout.splitlines()[0] == "painted"


def test_that_no_garbage_is_looked_for_while_the_program_is_read_and_whoever_reads_it_goes_on_looking():
    script = ("import gc\nlooked = []\ngc.collect()\ngc.callbacks.append(lambda *_: looked.append(1))\n"
              "import dpstudio.gui.shell.app\ngc.callbacks.clear()\n"
              "print(len(looked), gc.isenabled(), gc.get_freeze_count() > 10_000, len(gc.get_objects()) < 1_000)")
    assert run(script).stdout.strip() == "0 True True True"


def test_that_a_start_looks_for_no_garbage_and_what_follows_does(well_read):
    assert well_read.run(GARBAGE, 10**6, 0).stdout.split() == ["False", "True"]  # closed while none was looked for
    assert well_read.run(GARBAGE, 0, 1).stdout.split()[-1] == "True"  # closed when it was
