"""Every menu can be read, whoever opens it and whatever the theme."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QMenu
from test_theme import contrast

from dpstudio.gui.shell.theme import DARK, LIGHT


def legibility(menu: QMenu) -> float:
    """Contrast between the ground of an open menu and the strongest ink on it."""
    image = menu.grab().toImage()
    colours = Counter(image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height()))
    ground, _ = colours.most_common(1)[0]
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
