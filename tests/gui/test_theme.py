"""Colours that can be read, type that grows, fonts that come with the application."""

from __future__ import annotations

import math
import re
from itertools import pairwise

import pytest
from memory_kit import allocated
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


LARGE = [theme.resolve(name, presentation=True) for name in ("light", "dark")]
LOOKS = pytest.mark.parametrize("look", [LIGHT, DARK, *LARGE], ids=lambda look: f"{look.name}, {look.scale} times")
WORDS = ("text", "muted", "accent", "danger", "warning", "faint")
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")


@LOOKS
def test_that_every_text_is_readable_also_in_rows_that_are_chosen_and_where_nothing_can_be_done(look: Theme) -> None:
    for ground in (look.background, look.surface, look.raised):
        for words in WORDS:
            assert contrast(getattr(look, words), ground) >= 4.5, (words, ground)
    for words in ("text", "muted", "accent", "danger", "warning"):
        assert contrast(getattr(look, words), look.selection) >= 4.5, words
    assert contrast(look.accent_text, look.accent) >= 4.5
    for style in (*STYLES.values(), *SPARE, NEUTRAL):
        for ground in (look.surface, look.raised):
            assert contrast(style.ink(dark=look.dark), ground) >= 4.5, style


@LOOKS
def test_that_curves_edges_of_controls_and_what_has_the_keyboard_stand_out(look: Theme) -> None:
    for style in (*STYLES.values(), *SPARE, NEUTRAL):
        assert contrast(style.colour(dark=look.dark), look.surface) >= 3, style
    for ground in (look.background, look.surface, look.raised):
        for edge in (look.outline, look.accent, look.danger):
            assert contrast(edge, ground) >= 3, (edge, ground)
    assert contrast(look.accent, look.selection) >= 3, "the edge of what is chosen and has the keyboard"


@LOOKS
def test_that_every_rule_of_the_stylesheet_puts_readable_words_on_its_ground(look: Theme) -> None:
    met = 0
    for selector, body in RULE.findall(re.sub(r"/\*.*?\*/", "", stylesheet(look), flags=re.S)):
        says = dict(re.findall(r"(?:^|[\s;])((?:[a-z]+-)*color|background):\s*(#[0-9a-f]{6})", body))
        for words, ground in (("color", "background"), ("selection-color", "selection-background-color")):
            if words in says:
                met += 1
                grounds = [says[ground]] if ground in says else [look.background, look.surface, look.raised]
                assert all(contrast(says[words], each) >= 4.5 for each in grounds), (selector.strip(), says)
    assert met > 20


@LOOKS
def test_that_whatever_has_the_keyboard_wears_an_edge_that_stands_out(look: Theme) -> None:
    met = 0
    for selector, body in RULE.findall(stylesheet(look)):
        if ":focus" in selector and (edge := re.search(r"border(?:-color)?:[^;]*?(#[0-9a-f]{6})", body)):
            met += 1
            grounds = (look.background, look.surface, look.raised)
            assert all(contrast(edge[1], ground) >= 3 for ground in grounds), selector
        elif ":focus" in selector:
            assert "padding" in body, selector  # keeps its place where the edge is wider
    assert met > 10


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


@pytest.mark.skipif(math.isnan(allocated()), reason="only the C library of GNU tells")
def test_that_signs_that_are_drawn_anew_are_not_kept(qapp) -> None:
    """Each under a name of its own: 14 MiB of them."""
    theme.apply(qapp, LIGHT)
    before = allocated()
    for _ in range(6000):
        theme.icon("fit", LIGHT).pixmap(14, 14)
    assert allocated() - before < 3
