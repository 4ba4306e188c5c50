"""What the installed program is made of and how systems know it: one declaration for Linux, Windows and macOS."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from importlib.metadata import distribution
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NAME, COMMAND, IDENTITY = "DP Studio", "dpstudio", "studio.dp.DPStudio"
SUMMARY = "See what differential privacy costs, and what it buys"
SUFFIX, MIME, SESSION = "dpstudio", "application/x-dpstudio-session", "DP Studio session"
ICON = ROOT / "resources" / "icons" / "dpstudio.svg"
VERSION = re.search(r'__version__ = "(.+)"', (ROOT / "dpstudio" / "__init__.py").read_text("utf-8"))[1]

HIDDEN = ("matplotlib.backends.backend_agg", "matplotlib.backends.backend_pdf", "matplotlib.backends.backend_svg",
          "dp_accounting.pld.privacy_loss_distribution", "PySide6.QtSvg", "PySide6.QtSvgWidgets")
"""Modules that are looked for by name only."""
EXCLUDED = ("tkinter", "IPython", "jax", "pytest", "setuptools", "pip", "distributed", "dask", "opendp", "pydp", "mypy",
            "PySide6.QtQml", "PySide6.QtQuick", "PySide6.QtNetwork", "PySide6.QtDesigner", "PySide6.QtHelp",
            "PySide6.QtSql")
"""Modules that others would use were they there."""
EXTRAS = ("accounting",)
"""Extras that are packed; sweeps by a cluster are not, for its workers need an environment with the same program."""
DROPPED = re.compile(
    r"PySide6/Qt/(qml|translations/(?!qtbase_)|plugins/(egldeviceintegrations|generic|tls|networkinformation|sqldrivers|"
    r"qmltooling|platforms/libq(?!xcb|wayland|offscreen)|imageformats/libq(?!svg|ico)))"
    r"|PySide6/translations/(?!qtbase_)|libQt6(Egl(FS|Fs)|Network|Qml|Quick|VirtualKeyboard|Pdf)"
    r"|libgtk-3|libgdk|libgdk_pixbuf|platformthemes/libqgtk3|mpl-data/(sample_data|images)|duckdb/experimental")
"""Files that nothing asks for. Wayland stays: a desktop that has no X11 shows nothing without it."""
PYTHON = re.compile("(lib)?python", re.IGNORECASE)
"""The interpreter, which the starter opens by name."""
ARCHIVED = f"{COMMAND}-{VERSION}"


def distributions() -> list[str]:
    """The libraries that are packed, by the names under which their descriptions lie."""
    from dpstudio.documents.licences import PROGRAM, required

    own = distribution(PROGRAM)
    return [each.name for each in (own, *required(own, EXTRAS))]


def belongs(name: str) -> bool:
    """Whether a file of the environment, by its place in the program, is packed."""
    return not DROPPED.search(name.replace("\\", "/"))


def in_use(binaries: list[tuple[str, str, str]], asked: Callable[[str], set[str]]) -> list[tuple[str, str, str]]:
    """The binaries without those libraries that none of the others asks for.

    Each is its place in the program, its source and a kind; `asked` gives the names of libraries that a file asks for.
    """
    wants = {source: asked(source) for _, source, kind in binaries if kind != "SYMLINK"}
    while True:
        wanted = {name for _, source, kind in binaries if kind != "SYMLINK" for name in wants[source]}
        kept = [each for each in binaries if "/" in each[0] or each[2] == "EXTENSION" or each[0] in wanted
                or PYTHON.match(each[0])]
        if len(kept) == len(binaries):
            return kept
        binaries = kept


def icon(size: int):
    """The program’s icon as a picture of so many dots a side."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(ICON)).render(painter)
    painter.end()
    return image
