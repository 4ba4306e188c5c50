"""The tag at a control whose value was counted in data, and what can be said about it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolButton, QWidget

from dpstudio.data.origin import Origin


class CountedTag(QToolButton):
    """Says where a value was counted; its menu counts again, or lets the value be an ordinary one."""

    disowned = Signal()
    counted_again = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "quiet")
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        menu = QMenu(self)
        self.again = menu.addAction("Count again…", self.counted_again.emit)
        self.own = menu.addAction("Not from data", self.disowned.emit)
        self.setMenu(menu)

    def show_origin(self, origin: Origin, name: str, *, held: bool) -> None:
        """`held` says that the value is there; else a session left it out, and a default stands in its place."""
        file = "".join(sign if sign.isprintable() else " " for sign in origin.file) or "people’s data"
        file = (file if len(file) <= 24 else f"{file[:12]}…{file[-11:]}").replace("&", "&&")
        follows = name in origin.follows
        what = (f"follows from a count in {file}" if follows else f"moved from a count in {file}"
                if name in origin.moved else f"counted in {file}")
        self.setText(what if held else f"left out: {what}")
        self.own.setEnabled(held)
        self.again.setEnabled(origin.told)
        told = ("The session left what was found from a count out; this is the default." if follows and not held else
                "The session left the exact count out; this is the default." if not held else
                "This was found where a count took part, which can be computed from it: exports leave it out, with a "
                "default in its place, unless you include exact counts." if follows else
                "Exact counts are sensitive, and so are numbers near them: exports leave this one out, with a default "
                "in its place, unless you include exact counts.")
        self.setToolTip(told)
        self.setAccessibleName(self.text().replace("&&", "&"))
        self.setAccessibleDescription(told)
