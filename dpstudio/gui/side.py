"""The column on the right: presets, parameters, and what to take away from them."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QMenu, QPushButton, QSplitter, QVBoxLayout, QWidget

from dpstudio.core.study import Study
from dpstudio.gui.controls import ParametersPanel
from dpstudio.gui.theme import Theme
from dpstudio.gui.verdict import Verdict
from dpstudio.vocabulary import Value


class Side(QWidget):
    """Parameters over the verdict; the presets' button shows which one is in force."""

    def __init__(self, study_class: type[Study], presets: QMenu, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # From the outside to the inside: what is put into another is dressed anew, with all that is in it.
        self.splitter = QSplitter(Qt.Orientation.Vertical, self, childrenCollapsible=False)
        self._upper, self._lower = QFrame(self.splitter), QFrame(self.splitter)
        self.presets = QPushButton("Presets", self._upper)
        self.presets.setMenu(presets)
        self.presets.setToolTip("Known settings to begin from")
        self.parameters = ParametersPanel(study_class, theme, self._upper)
        self.verdict = Verdict(theme)
        self._title = QLabel("Verdict")
        self._title.setProperty("role", "title")
        self._above, self._below = above, below = QVBoxLayout(self._upper), QVBoxLayout(self._lower)
        above.addWidget(self.presets)
        above.addWidget(self.parameters, 1)
        below.addWidget(self._title)
        below.addWidget(self.verdict, 1)
        below.setSpacing(0)
        for frame in (self._upper, self._lower):
            frame.setProperty("role", "card")
        self.splitter.setStretchFactor(0, 2)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([480, 180])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.splitter)
        self.set_theme(theme)

    def show_study(self, study: Study, explicit: Mapping[str, Value]) -> None:
        self.parameters.show_study(study, explicit)
        chosen = next((preset.title for preset in study.presets if dict(preset.values) == dict(explicit)), None)
        self.presets.setText(chosen or "Presets")
        self.presets.setVisible(bool(study.presets))

    def set_theme(self, theme: Theme) -> None:
        edge, gap = theme.px(12), theme.px(8)
        self._above.setContentsMargins(edge, edge, edge, gap)
        self._above.setSpacing(gap)
        self._below.setContentsMargins(0, gap, 0, 0)
        self._title.setContentsMargins(edge, 0, edge, 0)
        self.splitter.setHandleWidth(gap)
        self.parameters.set_theme(theme)
        self.verdict.set_theme(theme)


def card(inside: QWidget) -> QFrame:
    """A frame with rounded corners around a widget."""
    frame = QFrame()
    frame.setProperty("role", "card")
    column = QVBoxLayout(frame)
    column.setContentsMargins(1, 4, 1, 4)
    column.addWidget(inside)
    return frame
