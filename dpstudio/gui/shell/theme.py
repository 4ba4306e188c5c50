"""How the window looks: colours, sizes of type, fonts, and one place that applies them to the application.

Fusion with a palette of our own looks the same on every platform, also where the system's scheme cannot be set.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from string import Template
from typing import Literal, TypeAlias

from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QIcon, QPalette, QPixmapCache
from PySide6.QtWidgets import QApplication

from dpstudio.core.resources import resource
from dpstudio.records import dataclass

ThemeChoice: TypeAlias = Literal["system", "light", "dark"]
FontRole: TypeAlias = Literal["small", "body", "label", "title", "heading"]

FAMILIES = ("Source Sans 3", "DP Studio Symbols")
"""The second has the signs that the first lacks."""
PRESENTATION = 1.5
_PICTURES = 1024
"""KiB of drawn signs that Qt keeps: it draws those of a rule anew, under a new name, for each widget."""
_PIXELS: dict[FontRole, float] = {"small": 12, "label": 13, "body": 14, "title": 15, "heading": 19}


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours by what they are for, and the size of type."""

    name: str
    dark: bool
    background: str
    """Behind panels."""
    surface: str
    """Panels and plots."""
    raised: str
    """Buttons and what lies above a panel."""
    text: str
    muted: str
    faint: str
    """Words of what cannot be used now, which are still read."""
    line: str
    """Separators."""
    outline: str
    """Edges of what can be clicked or typed into; at least 3:1 on a surface."""
    grid: str
    accent: str
    accent_text: str
    danger: str
    warning: str
    selection: str
    scale: float = 1.0
    """1.0, or `PRESENTATION` in front of a class."""

    def font_size(self, role: FontRole = "body") -> int:
        """Size of type in device-independent pixels."""
        return round(_PIXELS[role] * self.scale)

    def font(self, role: FontRole = "body", *, bold: bool = False) -> QFont:
        font = QFont(list(FAMILIES))
        font.setPixelSize(self.font_size(role))
        font.setBold(bold)
        return font

    def px(self, length: float) -> int:
        """A length that grows with the type."""
        return round(length * self.scale)


LIGHT = Theme("light", dark=False, background="#f2f4f6", surface="#ffffff", raised="#ffffff", text="#1b232b",
              muted="#586471", faint="#66717c", line="#dbe0e5", outline="#7f8a95", grid="#edf0f3", accent="#0a62b4",
              accent_text="#ffffff", danger="#b3261e", warning="#855600", selection="#cde2f7")
DARK = Theme("dark", dark=True, background="#14181c", surface="#1c2127", raised="#272e36", text="#e8edf2",
             muted="#a0acb8", faint="#8a96a3", line="#323b45", outline="#717e8c", grid="#272e36", accent="#62aef8",
             accent_text="#08131f", danger="#ff8f86", warning="#f0c26a", selection="#223f60")


def first_theme(choice: ThemeChoice = "system") -> Theme:
    """The theme for a first frame: “system” by the palette that Qt has of the desktop, which is quick to ask."""
    ours = QGuiApplication.palette()
    dark = ours.window().color().lightness() < ours.windowText().color().lightness()
    return DARK if choice == "dark" or (choice == "system" and dark) else LIGHT


def resolve(choice: ThemeChoice = "system", presentation: bool = False) -> Theme:
    """The theme for a person's choice; “system” follows the desktop where it says."""
    from PySide6.QtCore import Qt  # slow to import, and the first frame does without

    dark = choice == "dark"
    if choice == "system":
        dark = QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
    theme = DARK if dark else LIGHT
    return replace(theme, scale=PRESENTATION) if presentation else theme


@cache
def load_fonts() -> tuple[str, ...]:
    """The families of the application's own fonts, made known to Qt once."""
    families: dict[str, None] = {}
    for path in sorted(resource("fonts").glob("*.ttf")):
        handle = QFontDatabase.addApplicationFont(str(path))
        families |= dict.fromkeys(QFontDatabase.applicationFontFamilies(handle))
    return tuple(families)


def palette(theme: Theme) -> QPalette:
    """The theme as Qt's palette, which also draws what no stylesheet reaches."""
    role, group = QPalette.ColorRole, QPalette.ColorGroup
    colours = {
        role.Window: theme.background, role.WindowText: theme.text, role.Base: theme.surface,
        role.AlternateBase: theme.background, role.Text: theme.text, role.Button: theme.raised,
        role.ButtonText: theme.text, role.BrightText: theme.danger, role.ToolTipBase: theme.raised,
        role.ToolTipText: theme.text, role.PlaceholderText: theme.muted, role.Highlight: theme.accent,
        role.HighlightedText: theme.accent_text, role.Accent: theme.accent, role.Link: theme.accent,
        role.LinkVisited: theme.accent, role.Light: theme.raised, role.Midlight: theme.line, role.Mid: theme.line,
        role.Dark: theme.outline, role.Shadow: theme.outline,
    }
    result = QPalette()
    for each, colour in colours.items():
        result.setColor(each, QColor(colour))
    for each in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        result.setColor(group.Disabled, each, QColor(theme.faint))
    result.setColor(group.Disabled, role.Highlight, QColor(theme.line))
    return result


def stylesheet(theme: Theme) -> str:
    """The rules in `resources/theme/widgets.qss` with colours and lengths filled in.

    Widgets may set a property `role` to be styled as one of “primary”, “quiet”, “segment”, “icon”, “title”,
    “heading”, “muted”, “danger”, “warning” or “card”.
    """
    names = {name: getattr(theme, name) for name in (
        "background", "surface", "raised", "text", "muted", "faint", "line", "outline", "accent", "accent_text",
        "danger", "warning", "selection")}
    names |= {f"px{length}": f"{theme.px(length)}px" for length in (1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 28)}
    names |= {f"font_{role}": f"{theme.font_size(role)}px" for role in ("small", "label", "body", "title", "heading")}
    folder = resource("theme")
    return Template((folder / "widgets.qss").read_text("utf-8")).substitute(
        names, icons=folder.as_posix(), shade="dark" if theme.dark else "light")


def apply(app: QApplication, theme: Theme) -> None:
    """Make the whole application look so; what looks so already is not dressed anew."""
    load_fonts()
    QPixmapCache.setCacheLimit(_PICTURES)
    worn, rules = app.styleSheet(), stylesheet(theme)
    if not worn and app.style().name() != "fusion":  # under rules a style has no name
        app.setStyle("Fusion")
    app.setPalette(palette(theme))
    app.setFont(theme.font())
    if worn != rules:
        app.setStyleSheet(rules)


def icon(name: str, theme: Theme) -> QIcon:
    """One of the application's own signs in the theme's colour."""
    return QIcon(str(resource("theme") / f"{name}-{'dark' if theme.dark else 'light'}.svg"))
