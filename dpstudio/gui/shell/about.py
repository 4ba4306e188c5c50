"""What this application is, and which keys it listens to."""

from __future__ import annotations

import html
from collections.abc import Iterable

from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QAction, QKeySequence, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFrame, QTextBrowser, QWidget

from dpstudio import __version__
from dpstudio.core.resources import resource
from dpstudio.gui.controls.style import in_column, said_as
from dpstudio.gui.shell.theme import Theme
from dpstudio.text.language import tr


def hands() -> tuple[tuple[str, str], ...]:
    """What a hand can do besides, each with what comes of it."""
    return (
        (tr("Drag a mark on a picture"),
         tr("moves its parameter; so do the arrow keys once the picture has the keyboard")),
        (tr("Right click on a fact, a curve or a bar"), tr("puts it under “I want”: who reaches it, at which value")),
        (tr("Drag “wanted ≤ …” on a picture"),
         tr("moves what is wanted, and the parameter that is solved for follows")),
        (tr("Right click on a picture"),
         tr("writes a note at that point: drag it, double-click to edit it; Tab reaches it, too, arrows move it, "
            "Enter edits it, Delete removes it")),
        (tr("Drag a cap on “Belief before and after”"),
         tr("moves it, as arrows do once Tab has reached it; right click adds one or removes it, Delete removes it")),
        (tr("Wheel, or drag on the plot"), tr("zooms and pans; double-click fits again")),
        (tr("Click on the picture of a sweep"), tr("takes the values there, which one undo gives back")),
        (tr("E, Shift+E on a picture of ε"),
         tr("say the next published ε and the one before: View → Published deployments")),
        (tr("Click on a name over the large picture"),
         tr("decides for it, and takes that back; with Shift it hides and shows its curves")),
        (tr("Click on “Pr[error > 3]” and its like, or F2"), tr("sets the value at which it is asked for")),
        (tr("Enter in an entry"),
         tr("takes the value, and every key is a command again; Escape restores what was there")),
        (tr("Enter in a sweep"), tr("starts it, or goes on; Escape cancels it, and closes it once nothing runs")),
        (tr("Double-click between parameters and sentences"), tr("lets both be as high as they need to be")),
        (tr("Arrows, Page up, Page down, Home, End"), tr("move a slider; double-click resets it")),
        (tr("1e-3, 100k, 0.1 %, 0,5"), tr("are all numbers")),
        (tr("Double-click on a fact"), tr("copies it at full precision")),
        (tr("Drop a session, an exported file or a table"), tr("opens it")),
    )


def about(parent: QWidget) -> QDialog:
    explores = tr("A workbench that explores guarantees. It does not release data: use a vetted library for that.")
    free = tr("DP Studio is free software under the MIT licence. It stands on Qt {qt} and PySide6 (LGPL 3), pyqtgraph, "
              "DuckDB, NumPy, SciPy, matplotlib, typst and others: Help → Licences has the terms of each, of the "
              "fonts, and of the registry of deployments by OpenDP.", qt=qVersion())
    text = (f"<h2>DP Studio {__version__}</h2>"
            f"<p>{tr('What does this privacy cost, and what does it buy?')}</p>"
            f"<p>{explores}</p><h4>{tr('Licences')}</h4><p>{free}</p>")
    return _page(tr("About DP Studio"), text, (460, 420), parent)


def keyboard(actions: Iterable[QAction], parent: QWidget) -> QDialog:
    """Every key of the menus, read from the menus, and what a hand can do besides."""
    native = QKeySequence.SequenceFormat.NativeText
    keys = [(f" {tr('or')} ".join(key.toString(native) for key in action.shortcuts()),
             action.text().replace("&", "").rstrip("…")) for action in actions if action.shortcuts()]
    text = ""
    for heading, lines in ((tr("Keys"), keys), (tr("Hands"), hands())):
        rows = "".join(f"<tr><td><b>{html.escape(left)}</b>&nbsp;&nbsp;&nbsp;</td><td>{html.escape(right)}</td></tr>"
                       for left, right in lines)
        text += f"<h3>{heading}</h3><table cellspacing='0' cellpadding='3'>{rows}</table>"
    return _page(tr("Keyboard and mouse"), text, (620, 560), parent)


def own_data(theme: Theme, parent: QWidget) -> QDialog:
    """How counting in a table of one's own works."""
    dialog = _page(tr("Your own data"), "", (theme.px(680), theme.px(640)), parent)
    browser = dialog.findChild(QTextBrowser)
    assert browser is not None
    browser.document().setDefaultFont(theme.font())
    browser.setMarkdown(resource("help/data.md").read_text("utf-8"))
    block = browser.document().begin()
    while block.isValid():
        space, heading = QTextBlockFormat(), bool(block.blockFormat().headingLevel())
        space.setTopMargin(theme.px(16 if heading else 0))
        space.setBottomMargin(theme.px(8))
        cursor = QTextCursor(block)
        cursor.mergeBlockFormat(space)
        if heading:
            words = QTextCharFormat()
            words.setFont(theme.font("heading" if block.position() == 0 else "title", bold=True))
            cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(words)  # in place of Markdown's, whose own enlargement would win
        block = block.next()
    return dialog


def _page(title: str, text: str, size: tuple[int, int], parent: QWidget) -> QDialog:
    dialog = QDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    browser = said_as(QTextBrowser(), title)
    browser.setFrameShape(QFrame.Shape.NoFrame)
    browser.setStyleSheet("QTextBrowser { border: none; background: transparent; }")
    browser.setHtml(text)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.rejected.connect(dialog.close)
    in_column(browser, buttons, within=dialog, edges=(24, 24, 24, 16))
    dialog.resize(*size)
    return dialog
