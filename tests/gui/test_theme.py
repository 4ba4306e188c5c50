"""Colours that can be read, type that grows, fonts that come with the application."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtGui import QColor, QFontInfo, QPalette

from dpstudio.gui.shell import theme
from dpstudio.gui.shell.theme import DARK, LIGHT, Theme, stylesheet
from dpstudio.scene.palette import NEUTRAL, SPARE, STYLES


def luminance(colour: str) -> float:
    """Relative luminance [WCAG 2.2]."""
    channels = (channel / 255 for channel in QColor(colour).getRgb()[:3])
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("look", [LIGHT, DARK], ids=lambda look: look.name)
def test_that_every_text_is_readable(look: Theme) -> None:
    for ground in (look.background, look.surface, look.raised):
        for text in (look.text, look.muted, look.accent, look.danger, look.warning):
            assert contrast(text, ground) >= 4.5, (text, ground)
    assert contrast(look.accent_text, look.accent) >= 4.5
    assert contrast(look.text, look.selection) >= 4.5


@pytest.mark.parametrize("look", [LIGHT, DARK], ids=lambda look: look.name)
def test_that_curves_and_edges_of_controls_stand_out(look: Theme) -> None:
    for style in (*STYLES.values(), *SPARE, NEUTRAL):
        assert contrast(style.colour(dark=look.dark), look.surface) >= 3, style
    assert contrast(look.outline, look.surface) >= 3
    assert contrast(look.outline, look.raised) >= 3


@pytest.mark.parametrize("look", [LIGHT, DARK], ids=lambda look: look.name)
def test_that_the_grid_is_quieter_than_the_axes(look: Theme) -> None:
    quiet, loud = contrast(look.grid, look.surface), contrast(look.outline, look.surface)
    assert 1.05 < quiet < 1.6 < loud


def test_that_the_fonts_come_with_the_application(qapp) -> None:
    assert set(theme.FAMILIES) <= set(theme.load_fonts())
    assert QFontInfo(LIGHT.font()).family() == theme.FAMILIES[0]


def test_that_applying_a_theme_reaches_font_palette_and_style(qapp) -> None:
    for look in (DARK, LIGHT):
        theme.apply(qapp, look)
        assert qapp.palette().color(QPalette.ColorRole.Window).name() == look.background
        assert qapp.font().pixelSize() == look.font_size()
        assert look.accent in qapp.styleSheet()


def test_that_presentation_enlarges_everything() -> None:
    large = theme.resolve("dark", presentation=True)
    assert large.dark
    assert large.scale == theme.PRESENTATION
    assert all(large.font_size(role) > DARK.font_size(role) for role in ("small", "body", "title"))
    assert large.px(10) == 15
    sizes = [LIGHT.font_size(role) for role in ("small", "label", "body", "title", "heading")]
    assert all(low < high for low, high in pairwise(sizes))


def test_that_the_stylesheet_has_no_name_left_open() -> None:
    for look in (LIGHT, DARK):
        assert "$" not in stylesheet(look)


def test_that_every_sign_exists_in_both_shades(qapp) -> None:
    for look in (LIGHT, DARK):
        for name in ("fit", "enlarge"):
            assert not theme.icon(name, look).pixmap(16, 16).isNull()
