"""Walking through the parts of the window by keyboard."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def step_focus(window: QWidget, panes: Sequence[QWidget], step: int) -> None:
    """Give the keyboard to the next pane in view after the one that has it, or to the one before."""
    shown = [pane for pane in panes if pane.isVisible()]
    focused = window.focusWidget()
    at = next((i for i, pane in enumerate(shown)
               if focused is not None and (pane is focused or pane.isAncestorOf(focused))), -1)
    shown[(at + step) % len(shown)].setFocus(Qt.FocusReason.ShortcutFocusReason)
