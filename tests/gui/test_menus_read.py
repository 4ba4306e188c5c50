"""Every menu can be read, whoever opens it and whatever the theme."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication, QMenu
from test_theme import contrast

from dpstudio.gui.shell.theme import DARK, LIGHT


def legibility(menu: QMenu) -> float:
    """Contrast between the ground of an open menu and the strongest ink on it."""
    image = menu.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    found, times = np.unique(np.frombuffer(image.constBits(), np.uint32), return_counts=True)
    colours = [QColor(int(each)).name() for each in found]
    ground = colours[times.argmax()]
    return max(contrast(ground, colour) for colour in colours)


def test_that_every_menu_of_the_window_can_be_read(bench):
    for theme in (LIGHT, DARK):
        bench.appearance.choose(theme.name)
        bench.pictures.picture().canvas.customContextMenuRequested.emit(QPoint(40, 40))
        opened = QApplication.activePopupWidget()
        assert isinstance(opened, QMenu)
        grounds = []
        for menu in [opened, *bench.window_.findChildren(QMenu)]:
            if not menu.actions():
                continue
            assert legibility(menu) >= 4.5, [action.text() for action in menu.actions()]
            image = menu.grab().toImage()
            grounds.append(image.pixelColor(image.width() // 2, 3).name())
        assert set(grounds) == {theme.raised}
        assert len(grounds) > 4
        opened.close()
