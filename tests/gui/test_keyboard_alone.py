"""From the first start to a signed page with the keyboard alone, in windows of every size: no click is needed."""

from __future__ import annotations

import pypdf
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from window_kit import answered, begin_at, closed, in_view, opened

from dpstudio.gui.page.pictures import BESIDE, PERSON, PICTURE
from dpstudio.gui.report.dialog import ReportDialog
from dpstudio.gui.shell.settings import Settings
from dpstudio.gui.shell.workbench import Workbench

KEY = Qt.Key
CTRL, ALT, SHIFT = (Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier,
                    Qt.KeyboardModifier.ShiftModifier)
REASON, WHO = "Small enough to be asked every day.", "A. Keller"


def press(*keys, modifier=Qt.KeyboardModifier.NoModifier):
    """Keys as the desktop gives them to whichever window has the keyboard."""
    for key in keys:
        QTest.keyClick(QApplication.focusWindow(), key, modifier)
        QApplication.processEvents()


def write(text):
    for sign in text:
        QTest.sendKeyEvent(QTest.KeyAction.Click, QApplication.focusWindow(), KEY.Key_unknown, sign,
                           Qt.KeyboardModifier.NoModifier)
    QApplication.processEvents()


@pytest.fixture(params=["normal", "narrow", "presentation"])
def window(request, qtbot, tmp_path):
    """A window at its very first start, with the keyboard."""
    begin_at("start")
    Settings().set_folder("export", tmp_path)
    made = opened(qtbot, (960, 540) if request.param == "narrow" else (1280, 720))
    made.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is made)
    if request.param == "presentation":
        press(KEY.Key_P, modifier=CTRL | SHIFT)
        qtbot.waitUntil(lambda: made.appearance.presentation)
    yield made
    closed(made)


@pytest.fixture
def bench(window):
    return window.findChild(Workbench)


def plain(text):
    """Without what only a line of type needs."""
    return " ".join(text.replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ").split())


def test_that_the_first_start_leads_to_a_signed_page(window, bench, qtbot, tmp_path):
    start = bench.pages.start
    qtbot.waitUntil(lambda: "“yes” from 1\u202f040" in start.card.headline.sentence)
    write("100000")
    press(KEY.Key_Tab, KEY.Key_Tab)
    write("1e-9")
    qtbot.waitUntil(lambda: "100\u202f040" in start.card.headline.sentence)
    press(KEY.Key_W, modifier=ALT)
    assert not start.isVisible()
    write("500")
    strip = bench.solver.bar.answers
    qtbot.waitUntil(lambda: bool(strip.choices) and strip.choices[0].ready
                    and strip.choices[0].words.startswith("Laplace"))
    qtbot.waitUntil(lambda: all(each.ready for each in strip.choices))
    press(KEY.Key_Return)
    answered(qtbot, bench)
    qtbot.waitUntil(lambda: "“yes” from 100\u202f250" in bench.page.headline.sentence)
    said = bench.page.headline.sentence.removeprefix("You chose Laplace: ")
    assert "the generalized decision, also uncertain over 500 records" in bench.page.runner_up.text()
    assert bench.document.study.values()["epsilon"] == pytest.approx(0.015648092, rel=1e-8)
    press(KEY.Key_R, modifier=CTRL | SHIFT)
    qtbot.waitUntil(lambda: isinstance(QApplication.activeWindow(), ReportDialog))
    dialog = QApplication.activeWindow()
    qtbot.waitUntil(dialog.reason.hasFocus)
    write(REASON)
    press(KEY.Key_Tab)
    write(WHO)
    press(KEY.Key_Return)
    path = tmp_path / "decision-report.pdf"
    qtbot.waitUntil(path.exists)
    first = plain(pypdf.PdfReader(path).pages[0].extract_text())
    for words in ("Chosen Laplace", f"Reason {REASON}", f"Use Laplace: {said}", "Minimum m: 100 000",
                  "privacy loss ε: 0.01564809", "Generalized 0.01565 10⁻⁹ 500", f"Prepared by {WHO}", "Signature"):
        assert plain(words) in first, words


def test_that_every_key_of_a_page_leads_where_it_says(window, bench, qtbot):
    press(KEY.Key_Return)
    answered(qtbot, bench)
    panels = [PICTURE, BESIDE, "facts", PERSON]
    narrow = bench.page.narrow
    if narrow:
        for panel in (*panels[1:], PICTURE):
            press(KEY.Key_F6)
            assert in_view(bench) == {panel}
    else:
        met = []
        for _ in range(12):
            press(KEY.Key_F6)
            met.append(window.focusWidget())
        assert None not in met
        assert bench.solver.bar.rows[0].entry in met
        assert any(bench.facts.isAncestorOf(each) or each is bench.facts for each in met)
        assert any(bench.page.parameters.isAncestorOf(each) for each in met)
    press(KEY.Key_C, modifier=ALT)
    assert bench.pictures.chips.isAncestorOf(window.focusWidget())
    press(KEY.Key_Right, KEY.Key_Space)
    assert bench.document.state.chosen == "generalized"
    press(KEY.Key_W, modifier=ALT)
    assert bench.solver.bar.isAncestorOf(window.focusWidget())
    before = bench.pictures.beside.current_figure().key
    press(KEY.Key_B, modifier=CTRL)
    assert bench.pictures.beside.current_figure().key != before
    press(KEY.Key_F8)
    assert bench.page.parameters.fold.isChecked()
    press(KEY.Key_F8)
    assert not bench.page.parameters.fold.isChecked()
    press(KEY.Key_Home, modifier=ALT)
    assert bench.pages.at_start
    press(KEY.Key_Escape)
    assert not bench.pages.at_start
    assert bench.appearance.presentation == (narrow and window.width() == 1280), "one step at a time"
