"""Opening the window, or one sentence that says why it cannot be opened."""

from __future__ import annotations

import ctypes
import os
import sys
from importlib.util import find_spec
from pathlib import Path

from dpstudio.cli.parser import COMMANDS
from dpstudio.cli.talk import Failure, Refused, say, unknown

WITHOUT = "dpstudio --help names what works without a window"


def open_window(*files: str) -> int:
    """Open the window, on a session or on a file that carries one; or on a table, to count in."""
    session = files[0] if files else None
    if session is not None and not Path(session).exists() and Path(session).name == session and "." not in session:
        raise unknown("command", session, COMMANDS, "the commands are")
    if len(files) > 1:
        raise Refused(f"the window opens one session, got {len(files)} arguments")
    if session is not None:
        from dpstudio.cli.request import opened
        from dpstudio.data.origin import is_table
        from dpstudio.documents.session_file import NoSession

        try:
            opened(session)  # refused here, before a window is on its way
        except NoSession:
            if not is_table(session):
                raise
    # Qt ends the program where it finds no display or misses a library of it, so both are looked for first.
    if sys.platform == "linux" and not os.environ.get("QT_QPA_PLATFORM"):
        _check_display()
    try:
        from dpstudio.gui.shell import app
    except ImportError as error:
        raise Failure(f"the window cannot be opened: {error}; {WITHOUT}") from error
    return app.main(session, _fail)


def _fail(why: str) -> None:
    """End at once: Qt, which cannot begin, would abort with a signal."""
    say(f"the window cannot be opened: {why}; {WITHOUT}")
    os._exit(1)


def _check_display() -> None:
    if os.environ.get("WAYLAND_DISPLAY"):
        return
    if not os.environ.get("DISPLAY"):
        raise Failure(f"there is no display: DISPLAY and WAYLAND_DISPLAY are not set; {WITHOUT}")
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
        _load_platform_plugin()
    except OSError as error:
        raise Failure(f"the window needs a library of the system: {error}; {WITHOUT}") from error
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    refused = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    if refused:
        raise Failure(f"the display {os.environ['DISPLAY']} cannot be reached; {WITHOUT}")


def _load_platform_plugin() -> None:
    """Raises OSError naming the library that Qt's part for X11 misses."""
    found = find_spec("PySide6")
    for folder in (found.submodule_search_locations or ()) if found else ():
        plugin = Path(folder, "Qt", "plugins", "platforms", "libqxcb.so")
        if plugin.exists():
            ctypes.CDLL(str(plugin))
