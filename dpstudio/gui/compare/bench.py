"""What the pages of a comparison follow and act on, and how their choices stand in a row."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel

from dpstudio.documents.setting import Setting
from dpstudio.gui.pictures.exports import Exports
from dpstudio.gui.session.answers import Answers
from dpstudio.gui.session.document import Document
from dpstudio.gui.session.pins import Pins
from dpstudio.gui.shell.status import Status

SHORTEST = 12
"""Characters that a choice has room for."""


class Bench(Protocol):
    """The window that a comparison belongs to."""

    document: Document
    answers: Answers
    pins: Pins
    status: Status

    @property
    def files(self) -> Exports: ...
    def pin(self) -> None: ...
    def pin_settings(self, settings: tuple[Setting, ...], /) -> None: ...
    def take_setting(self, setting: Setting, /) -> None: ...
    def show_frontier(self) -> None: ...


def chooser(row: QHBoxLayout, words: str, box: QComboBox) -> None:
    """A choice with words before it, in as much of the row as there is room for."""
    label = QLabel(words)
    label.setBuddy(box)
    box.setAccessibleName(words)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(SHORTEST)
    row.addWidget(label)
    row.addWidget(box, 1)
