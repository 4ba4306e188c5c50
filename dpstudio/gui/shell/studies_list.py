"""The list of studies on the left."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QWidget

from dpstudio.core.study import Study
from dpstudio.gui.shell.theme import Theme


class StudiesList(QListWidget):
    """One line a study; its question is the tooltip."""

    chosen = Signal(str)

    def __init__(self, studies: Mapping[str, type[Study]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Studies")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for key, study in studies.items():
            item = QListWidgetItem(study.title)
            item.setData(Qt.ItemDataRole.UserRole, key)
            item.setToolTip(study.question)
            self.addItem(item)
        self.currentItemChanged.connect(self._choose)

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.chosen.emit(item.data(Qt.ItemDataRole.UserRole))

    def show_chosen(self, key: str) -> None:
        """Mark a study without choosing it again."""
        for row in range(self.count()):
            if self.item(row).data(Qt.ItemDataRole.UserRole) == key:
                self.blockSignals(True)
                self.setCurrentRow(row)
                self.blockSignals(False)

    def set_theme(self, theme: Theme) -> None:
        self.setFixedWidth(theme.px(112))
        self.setStyleSheet("QListWidget { background: transparent; border: none; }")
