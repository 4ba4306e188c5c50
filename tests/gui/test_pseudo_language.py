"""Whatever the window says in its own words comes from the catalogue.

The window speaks a language whose words are the English ones in brackets: what stands outside brackets was never asked
of the catalogue, and stays English whatever is spoken.
"""

from __future__ import annotations

import html
import re

import pytest
from language_kit import spoken
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDialog,
    QGroupBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QTabBar,
    QTextBrowser,
    QWidget,
)
from window_kit import answered, begin_at, closed, opened, rested

from dpstudio import vocabulary as v
from dpstudio.core.attacker import Attacker
from dpstudio.documents.about import FIELDS
from dpstudio.documents.deployments import origin
from dpstudio.gui.shell import about
from dpstudio.gui.shell.workbench import Workbench
from dpstudio.studies import all_studies
from dpstudio.text.sentences import begun

NAMES = ("DP Studio", "OpenDP", "Google’s library", "Scroll Left", "Scroll Right", "OK", "Cancel", "Close", "Esc",
         "Ctrl", "Shift", "Alt", "Return", "PgUp", "PgDown", "Home", v.SWEPT.domain.phrase, "[NAME:] KIND FIELD=NUMBER")
"""Of programs and keys, what Qt says itself, a domain, and what a list of releases is written in."""
STUDIES = ("decision", "noise", "plan", "test", "table", "neighbours")
PANES = ("sweep", "compare", "history", "deployments", "handover")


def bracketed(text):
    """The text in brackets, which the dots of a command stay behind."""
    return f"⟦{text[:-1]}⟧…" if text.endswith("…") else f"⟦{text}⟧"


@pytest.fixture
def pseudo(tmp_path):
    with spoken(tmp_path, bracketed):
        yield


@pytest.fixture(scope="module")
def by_decision():
    """What is English in any language: explanations, as declared; domains, symbols and options."""
    found = set(NAMES)
    for kind in all_studies().values():
        quantities = [each.quantity for each in (*kind.parameters(), *kind.answers().index().values())]
        quantities += [axis.quantity for figure in kind.figures for axis in (figure.x, figure.y)]
        found |= {each.sentence for each in quantities} | {each.symbol for each in quantities}
        found |= {preset.sentence for preset in kind.presets}
        found |= {begun(each.domain.phrase) for each in kind.parameters()}
        found |= {each.domain.phrase for each in kind.parameters()}
        found |= {each.key for each in kind.answers().series()}
    quantities = [each.quantity for each in Attacker.parameters()]
    found |= {each.sentence for each in quantities} | {begun(each.domain.phrase) for each in Attacker.parameters()}
    found |= {field.help for field in FIELDS.values()}
    return sorted(filter(None, found), key=len, reverse=True)


def outside(text, by_decision):
    """The words of a text that stand in no brackets and are not English by decision, without markup."""
    text = html.unescape(re.sub(r"<[^>]*>", " ", text)).replace("&", "").translate(dict.fromkeys((0x200B, 0x2060)))
    text = text.replace("\u00a0", " ")
    while (shorter := re.sub(r"⟦[^⟦⟧]*⟧", " ", text)) != text:
        text = shorter
    if re.search(r"[^\W\d_]{2}", text):
        for each in by_decision:
            text = re.sub(rf"(?<!\w){re.escape(each)}(?!\w)", " ", text) if each.isalpha() else text.replace(each, " ")
    return re.findall(r"[^\W\d_]{2,}", text)


def texts(root):
    """What is read of a window and its menus, each with where it stands."""
    for widget in (root, *root.findChildren(QWidget)):
        if not widget.isVisible():
            continue
        where = f"{type(widget).__name__}"
        if isinstance(widget, QLabel | QAbstractButton):
            yield where, widget.text()
        if isinstance(widget, QGroupBox):
            yield where, widget.title()
        if isinstance(widget, QComboBox):
            yield from ((where, widget.itemText(i)) for i in range(widget.count()))
        if isinstance(widget, QLineEdit | QPlainTextEdit):
            yield where, widget.placeholderText()
        if isinstance(widget, QTabBar):
            yield from ((where, widget.tabText(i)) for i in range(widget.count()))
        if isinstance(widget, QListWidget):
            yield from ((where, widget.item(i).text()) for i in range(widget.count()))
        yield f"{where}, tool tip", widget.toolTip()
        yield f"{where}, name", widget.accessibleName()
        yield f"{where}, description", widget.accessibleDescription()
        if widget.isWindow():
            yield f"{where}, title", widget.windowTitle()


def commands(bench):
    for action in bench.menus.everything.findChildren(QAction):
        yield "menu", action.text()
        yield "menu, tool tip", action.toolTip()


def english(found, by_decision):
    return sorted({f"{where}: {text}" for where, text in found if outside(text, by_decision)})


def shown_dialogs():
    return [each for each in QApplication.topLevelWidgets() if isinstance(each, QDialog) and each.isVisible()]


@pytest.mark.parametrize("key", STUDIES)
def test_that_a_study_says_nothing_past_the_catalogue(pseudo, bench, qtbot, by_decision, key):
    bench.page.bar.study_wanted.emit(key)
    answered(qtbot, bench)
    rested(qtbot, bench)
    assert english([*texts(bench.window()), *commands(bench)], by_decision) == []


def test_that_no_pane_does(pseudo, bench, qtbot, by_decision):
    """Save for where the registry is from, and what is said of a script in the words of its library."""
    found = []
    for key in PANES:
        bench.desk.tools.open(key)
        QApplication.processEvents()
        others = {origin(), bench.desk.tools.get("handover").says.text()}
        found += english([each for each in texts(bench.window()) if each[1] not in others], by_decision)
    assert sorted(set(found)) == []


def test_that_no_dialog_does(pseudo, bench, qtbot, by_decision):
    desk, out, found = bench.desk, bench.outgoing, []
    for open_it in (desk.open_data, desk.audit_own, desk.write_report, desk.take_snapshot, desk.write_note,
                    out.export_picture, out.show_values, lambda: about.about(bench.window()).show(),
                    lambda: about.keyboard(bench.menus.actions.values(), bench.window()).show()):
        open_it()
        dialog, = shown_dialogs()
        found += english(texts(dialog), by_decision)
        if browser := dialog.findChild(QTextBrowser):
            found += english([("text", line) for line in browser.toPlainText().splitlines()], by_decision)
        dialog.reject()
        dialog.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert sorted(set(found)) == []


def test_that_nothing_that_is_done_is_told_past_it(pseudo, bench, qtbot, by_decision):
    desk, out, undo = bench.desk, bench.outgoing, bench.menus.actions["Undo"]
    told = []
    for act in (desk.pin, lambda: desk.document.set("epsilon", 0.5), out.copy_picture, out.copy_diagnostics,
                lambda: desk.document.reset("epsilon"), lambda: desk.apply_preset(desk.document.study_class.presets[0]),
                desk.reset_all):
        act()
        answered(qtbot, bench)
        told += [("status", bench.status.message), ("undo", undo.text())]
    assert english(told, by_decision) == []
    assert any("⟦" in words for _, words in told)


def test_that_the_first_page_does_not(pseudo, qtbot, by_decision):
    begin_at("start")
    window = opened(qtbot)
    try:
        qtbot.waitUntil(lambda: window.findChild(Workbench).pages.at_start)
        assert english(texts(window), by_decision) == []
    finally:
        closed(window)
