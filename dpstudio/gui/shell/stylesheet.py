"""The stylesheet of the window's widgets, written with the theme's colours.

Widgets may set a property `role` to be styled as one of “primary”, “quiet”, “segment”, “icon”, “title”,
“heading”, “muted”, “danger”, “warning” or “card”.
"""

from __future__ import annotations

from string import Template
from typing import TYPE_CHECKING

from dpstudio.core.resources import resource

if TYPE_CHECKING:
    from dpstudio.gui.shell.theme import Theme


def stylesheet(theme: Theme) -> str:
    """The rules in `resources/theme/widgets.qss` with colours and lengths filled in."""
    names = {name: getattr(theme, name) for name in (
        "background", "surface", "raised", "text", "muted", "line", "outline", "accent", "accent_text", "danger",
        "warning", "selection")}
    names |= {f"px{length}": f"{theme.px(length)}px" for length in (1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 28)}
    names |= {f"font_{role}": f"{theme.font_size(role)}px" for role in ("small", "label", "body", "title", "heading")}
    folder = resource("theme")
    return Template((folder / "widgets.qss").read_text("utf-8")).substitute(
        names, icons=folder.as_posix(), shade="dark" if theme.dark else "light")
