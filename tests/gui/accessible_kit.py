"""The window as a screen reader meets it: the tree that Qt hands out, one node for each thing in view."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

Role, Text = QAccessible.Role, QAccessible.Text
DATA = (Role.Table, Role.Tree)
"""Of these the cells are read from their model, not from the tree."""
CONTROLS = frozenset((Role.Button, Role.ButtonMenu, Role.ButtonDropDown, Role.CheckBox, Role.RadioButton, Role.ComboBox,
                      Role.EditableText, Role.Slider, Role.SpinBox, Role.List, Role.Table, Role.Tree, Role.PageTab,
                      Role.ListItem, Role.Link))
"""Roles of what can be used."""
READ = frozenset((Role.StaticText, Role.Client, Role.Document, Role.PageTabList, Role.Window))
"""Roles of what takes the keyboard to be read: sentences, pages and pictures, to which Qt gives the role of a pane."""
WORD = re.compile(r"[^\W\d_]{2,}")
MARKUP = re.compile(r"<[a-z/]")


@dataclass(frozen=True)
class Node:
    """One thing that can be met, and what is said of it."""

    role: QAccessible.Role
    name: str
    description: str
    value: str
    labels: tuple[str, ...]
    focusable: bool
    disabled: bool
    widget: QWidget | None
    path: tuple[str, ...]

    def __str__(self) -> str:
        kind = type(self.widget).__name__ if self.widget is not None else "-"
        return f"{' / '.join(self.path[-3:])} / {self.role.name} {kind} “{self.name}” ({self.description})"


def nodes(root: QWidget) -> list[Node]:
    """All that is in view below a widget, itself included, from the tree of accessible interfaces."""
    return list(_walk(QAccessible.queryAccessibleInterface(root), ()))


def _walk(each: QAccessibleInterface | None, path: tuple[str, ...]) -> Iterator[Node]:
    if each is None or not each.isValid() or each.state().invisible:
        return
    state, widget = each.state(), each.object()
    labels = tuple(other.text(Text.Name) for other, how in each.relations() if how == QAccessible.RelationFlag.Label)
    node = Node(each.role(), each.text(Text.Name), each.text(Text.Description), each.text(Text.Value), labels,
                bool(state.focusable), bool(state.disabled), widget if isinstance(widget, QWidget) else None, path)
    yield node
    if node.role not in DATA:
        for index in range(each.childCount()):
            yield from _walk(each.child(index), (*path, node.name or node.role.name))


def faults(root: QWidget) -> list[str]:
    """What somebody who cannot see the window, or has no mouse, would miss of what is in view below a widget."""
    return [f"{fault}: {node}" for node in nodes(root) for fault in _faults(node)]


def _faults(node: Node) -> Iterator[str]:
    if any(MARKUP.search(text) for text in (node.name, node.description, node.value)):
        yield "markup is read out"
    if isinstance(node.widget, QLabel) and node.role == Role.StaticText:
        shown = _plain(node.widget)
        if shown and not _said(shown) <= _said(node.name):
            yield "a text is called by something else"
        return
    if node.role not in CONTROLS and not node.focusable:
        return
    if node.role not in CONTROLS and node.role not in READ:
        yield "no role that says what it is for"
    called = " ".join((node.name, *node.labels, node.description if node.role == Role.ComboBox else ""))
    if not WORD.search(called) or (node.widget is not None and called.strip() == type(node.widget).__name__):
        yield "no name"
    if node.role == Role.ComboBox and not node.labels and not node.description:
        yield "which choice it is, is not said"
    if node.role == Role.Slider and not re.search(r"\d", node.description):
        yield "the value of a slider is not said"
    if node.role in CONTROLS and not node.disabled and not _reached(node):
        yield "no key leads to it"


def _plain(label: QLabel) -> str:
    text = label.text()
    if label.textFormat() == Qt.TextFormat.RichText:
        return re.sub(r"<[^>]*>", "", text).replace("&nbsp;", " ")
    return text.replace("&", "") if label.buddy() else text  # it marks a key


def _said(text: str) -> set[str]:
    return set(WORD.findall(re.sub("[\u200b\u2060]", "", text)))


def _reached(node: Node) -> bool:
    """Whether Tab stops at it, or it is a part of what Tab stops at, or a shortcut presses it."""
    widget = node.widget
    if widget is None:
        return True  # a part of what is met as one, such as a row of a list
    if isinstance(widget, QAbstractButton):
        if not widget.shortcut().isEmpty():
            return True
        if (group := widget.group()) is not None and group.exclusive():  # arrow keys lead from one to the next
            return any(each.focusPolicy() & Qt.FocusPolicy.TabFocus for each in group.buttons())
    takes = Qt.FocusPolicy.TabFocus
    while widget is not None and not widget.isWindow():
        if widget.focusPolicy() & takes == takes:
            return True
        widget = widget.parentWidget()
    return False
