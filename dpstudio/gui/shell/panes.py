"""Walking through the parts of the window by keyboard."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cmp_to_key

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QScrollArea, QTabWidget, QWidget


def step_focus(window: QWidget, panes: Sequence[QWidget], step: int) -> None:
    """Give the keyboard to the next pane in view after the one that has it, or to the one before."""
    shown = [pane for pane in panes if pane.isVisible()]
    focused = window.focusWidget()
    at = next((i for i, pane in enumerate(shown)
               if focused is not None and (pane is focused or pane.isAncestorOf(focused))), -1)
    shown[(at + step) % len(shown)].setFocus(Qt.FocusReason.ShortcutFocusReason)


def stops(window: QWidget, parts: Sequence[QWidget]) -> list[QWidget]:
    """Where the Tab key stops: what takes it, part by part, and inside a part as it is read; the rest comes first."""
    # Neither along nextInFocusChain() nor by findChildren() and focusProxy(): PySide takes what they return for
    # children of the widget that was asked. It forgets all that hangs on it, the window's commands among them, when
    # that widget is deleted, or keeps it, pictures and bars for scrolling, when all that it belonged to has gone.
    found = [each for each in QApplication.allWidgets()
             if each.focusPolicy() & Qt.FocusPolicy.TabFocus == Qt.FocusPolicy.TabFocus and each.isVisible()
             and each.isEnabled() and each.window() is window and not _hands_on(each)]
    read = cmp_to_key(_reading)

    def place(each: QWidget) -> tuple[int, object]:
        return (next((i for i, part in enumerate(parts) if part is each or part.isAncestorOf(each)), -1),
                read(_rectangles(each)))

    return sorted(found, key=place)


def _hands_on(widget: QWidget) -> bool:
    """Whether it gives the keyboard to the part that it is made of, or is made for: a ground, a line of a choice."""
    return type(widget) is QWidget or isinstance(widget, QTabWidget) or isinstance(widget.parentWidget(),
                                                                                   QComboBox | QAbstractSpinBox)


def _rectangles(widget: QWidget) -> list[QRect]:
    """Where it stands, from its window on: the rectangle of each that it hangs on in the one before."""
    place: list[QRect] = []
    each: QWidget | None = widget
    while each is not None and not each.isWindow():
        place.append(each.geometry())
        each = each.parentWidget()
    return place[::-1]


def _reading(one: list[QRect], other: list[QRect]) -> int:
    """Less than 0 where one place is read before the other: line by line, and a line from the left."""
    for here, there in zip(one, other, strict=False):
        if here != there:
            beside = min(here.bottom(), there.bottom()) - max(here.top(), there.top())
            in_line = 2 * beside > min(here.height(), there.height())
            return (here.left() - there.left() if in_line else 0) or here.top() - there.top()
    return len(one) - len(other)


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
