"""Walking through the parts of the window by keyboard."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QWidget


def step_focus(window: QWidget, panes: Sequence[QWidget], step: int) -> None:
    """Give the keyboard to the next pane in view after the one that has it, or to the one before."""
    shown = [pane for pane in panes if pane.isVisible()]
    focused = window.focusWidget()
    at = next((i for i, pane in enumerate(shown)
               if focused is not None and (pane is focused or pane.isAncestorOf(focused))), -1)
    shown[(at + step) % len(shown)].setFocus(Qt.FocusReason.ShortcutFocusReason)


def stops(window: QWidget, parts: Sequence[QWidget]) -> list[QWidget]:
    """Where the Tab key stops: what takes it, part by part, and inside a part as it was made; the rest comes first."""
    # Not along nextInFocusChain(): PySide takes what it returns for a child of the widget that was asked, and forgets
    # all that hangs on it, the window's commands among them, when that widget is deleted.
    found = [each for each in window.findChildren(QWidget)
             if each.isVisible() and each.isEnabled() and each.focusProxy() is None and each.window() is window
             and each.focusPolicy() & Qt.FocusPolicy.TabFocus == Qt.FocusPolicy.TabFocus]  # the dearest question last
    order = [[part is each or part.isAncestorOf(each) for part in parts] for each in found]
    ranks = [marks.index(True) if any(marks) else -1 for marks in order]
    return [each for _, each in sorted(zip(ranks, found, strict=True), key=lambda pair: pair[0])]


def step_tab(window: QWidget, parts: Sequence[QWidget], forward: bool) -> bool:
    """Give the keyboard to the next stop, or to the one before; says whether there is one."""
    found, focused = stops(window, parts), window.focusWidget()
    if not found:
        return False
    at = found.index(focused) if focused in found else (-1 if forward else 0)
    chosen = found[(at + (1 if forward else -1)) % len(found)]
    chosen.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
    above = chosen.parentWidget()
    while above is not None:
        if isinstance(above, QScrollArea):
            above.ensureWidgetVisible(chosen)
        above = above.parentWidget()
    return True
