"""A window for tests, and the hands that move it."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import Mock

from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QObject, QPoint, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget

from dpstudio import vocabulary as v
from dpstudio.core.results import Column
from dpstudio.gui.shell import app, log, theme
from dpstudio.gui.shell.appearance import Appearance
from dpstudio.gui.shell.docking import PaneHost
from dpstudio.gui.shell.later import later
from dpstudio.gui.shell.pages import PLACE
from dpstudio.gui.shell.settings import Settings, data_folder
from dpstudio.gui.shell.window import Window
from dpstudio.gui.shell.workbench import Workbench
from dpstudio.studies.decision import LAPLACE, RECORDS_TABLE

LEFT = Qt.MouseButton.LeftButton
CURVE = Column(v.ACCEPTANCE, LAPLACE)


class Questions:
    """The hand that answers message boxes."""

    def __init__(self) -> None:
        self.answers: list[str] = []
        self.asked: list[str] = []
        self.unexpected: list[str] = []
        self._timer = QTimer(interval=5)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def expect(self, *answers: str) -> None:
        """Click these, one question after the other."""
        self.answers += answers

    def stop(self) -> None:
        self._timer.stop()

    def _look(self) -> None:
        box = QApplication.activeModalWidget()
        if not isinstance(box, QMessageBox) or not box.isVisible():
            return
        self.asked.append(f"{box.text()} {box.informativeText()}")
        if not self.answers:
            self.unexpected.append(self.asked[-1])
            box.reject()
            return
        wanted = self.answers.pop(0)
        button = next((each for each in box.buttons() if each.text() == wanted), None)
        if button is None:
            self.unexpected.append(f"{self.asked[-1]} without {wanted}")
            box.reject()
        else:
            QTest.mouseClick(button, LEFT)


class Painted(QObject):
    """Counts how often each widget was painted."""

    def __init__(self, *widgets: QWidget) -> None:
        super().__init__()
        self.times = dict.fromkeys(widgets, 0)
        for widget in widgets:
            widget.installEventFilter(self)

    def eventFilter(self, watched, event):
        if event.type() is QEvent.Type.Paint:
            self.times[watched] += 1
        return False


def place_of_panes(width: int = 1000) -> PaneHost:
    """A place for panes without pictures, beside any document."""
    host = PaneHost(Mock(theme=theme.LIGHT), Settings())
    host.resize(width, 640)
    host.show()
    return host


def show_facts(model, facts, study):
    """Let a table of facts show these, which are all that there are."""
    model._show(facts, study, (), [(fact.group, fact.quantity) for fact in facts],
                [fact.series for fact in facts if fact.series])


def focus_parameter(panel, name):
    """Open what folds a parameter away, if anything does, and give its control the keyboard, in view."""
    control = panel.reveal(name)
    control.editor().setFocus(Qt.FocusReason.TabFocusReason)
    panel._scroll.ensureWidgetVisible(control)
    later(control, lambda: panel._scroll.ensureWidgetVisible(control))  # once more when it has its size


def begin_at(page: str) -> None:
    """Let the next window begin at a study, or at the first page as the very first does."""
    settings = Settings()
    settings.set_text(PLACE, page)
    settings.sync()


def first_settings(page: str) -> None:
    """The same in a home without settings, and nobody waits until it has reached the disk."""
    file = Path(Settings()._store.fileName())
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"[dialog]\n{PLACE}={page}\n", "utf-8")


def opened(qtbot, size=(1280, 720), **kwargs) -> Window:
    kept = log.Log(data_folder())
    settings = Settings()
    window = Window(settings, Appearance(settings), kept)
    window.resize(*size)
    with qtbot.waitExposed(window):
        window.show()
    app.fill(window, **kwargs)
    bench = window.findChild(Workbench)
    qtbot.waitUntil(lambda: bench.pages.at_start or bench.answers.latest is not None)
    return window


def closed(window: Window) -> None:
    window.leave()
    window.log.close()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    if window.appearance.theme != theme.LIGHT:  # nothing is there any more that would be dressed anew
        theme.apply(QApplication.instance(), theme.LIGHT)


def answered(qtbot, bench) -> None:
    """Wait until what is shown answers what is set."""
    def up_to_date():
        return bench.answers.latest is not None and bench.answers.latest[1] == bench.document.study

    qtbot.waitUntil(up_to_date)


def rested(qtbot, bench) -> None:
    """Wait until the sentences stand, and the room is shared for them."""
    qtbot.waitUntil(lambda: bench.page.sentences.verdict.show_sentences._waiting is None
                    and not bench.page._settling.isActive())


def in_view(bench) -> set[str]:
    """The panels that are seen."""
    panels = {"picture": bench.pictures.large, "beside": bench.pictures.beside, "facts": bench.facts,
              "person": bench.page.sentences}
    return {panel for panel, widget in panels.items() if widget.isVisible()}


def value(bench, name):
    return getattr(bench.document.study, name)


def open_file(qtbot, bench, path):
    """Open a session and wait until it is there."""
    with qtbot.waitSignal(bench.files.opened):
        bench.files.open_path(str(path))


def curve(bench):
    return bench.answers.latest[0].tables[RECORDS_TABLE][CURVE]


def fact_text(bench, quantity) -> str:
    model = bench.facts.facts
    if quantity not in model.entries:
        return ""
    row = model.entries.index(quantity)
    return model.index(row, 1).data()


def drag_slider(bench, name, *ways):
    slider = bench.page.parameters.control(name).slider
    QTest.mousePress(slider, LEFT, pos=slider.handle().toPoint())
    for way in ways:
        QTest.mouseMove(slider, QPoint(round(way * slider.width()), slider.height() // 2))
        QApplication.processEvents()
    return slider


def type_entry(bench, name, text):
    entry = bench.page.parameters.control(name).entry
    entry.setFocus()
    entry.selectAll()
    QTest.keyClicks(entry, text)
    QTest.keyClick(entry, Qt.Key.Key_Return)


def drop(window, path):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    how = (Qt.DropAction.CopyAction, data, LEFT, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(window, QDragEnterEvent(QPoint(10, 10), *how))
    QApplication.sendEvent(window, QDropEvent(QPointF(10, 10), *how))
