"""What stands in the middle of a plot that has no curves."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from dpstudio.gui.shell.theme import Theme


def explain(painter: QPainter, plot: QRectF, words: str, theme: Theme) -> None:
    """Write why there is nothing, on a ground of its own so that marks do not cross it."""
    painter.setFont(theme.font("label"))
    room, how = plot.adjusted(8, 8, -8, -8), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
    painter.fillRect(painter.boundingRect(room, how, words).adjusted(-4, -2, 4, 2), QColor(theme.surface))
    painter.setPen(QColor(theme.muted))
    painter.drawText(room, how, words)
