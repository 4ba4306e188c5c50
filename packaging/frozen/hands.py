"""Uses the window as a person does, by what a screen reader is told and by real keys and clicks; prints what it saw.

Runs on the system’s own Python, in a room of its own: `python3 hands.py FOLDER`, where FOLDER holds people.csv and
picture.svg. Exit status 0 only if all of it came to be.
"""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

WAIT = 60
"""Seconds in which something has to appear."""


def parts(one=None, depth=0):
    """Everything in the accessibility tree that can be seen, in its order."""
    one = one or Atspi.get_desktop(0)
    for place in range(one.get_child_count()):
        child = one.get_child_at_index(place)
        if child is None:
            continue
        if depth < 2 or child.get_state_set().contains(Atspi.StateType.SHOWING):
            yield child
            yield from parts(child, depth + 1)


def words(one):
    """What is said of it: name, description, and its text or value."""
    said = [one.get_name() or "", one.get_description() or ""]
    if "Text" in one.get_interfaces():
        said.append(Atspi.Text.get_text(one, 0, -1))
    return " ".join(said)


def find(pattern, role=None, enabled=True):
    """The first that says so, once it is there."""
    until = time.monotonic() + WAIT
    while time.monotonic() < until:
        for one in parts():
            try:
                right = (role is None or one.get_role_name() == role) and re.search(pattern, words(one))
                if right and (not enabled or one.get_state_set().contains(Atspi.StateType.ENABLED)):
                    return one
            except gi.repository.GLib.Error:  # it is gone since
                continue
        time.sleep(0.3)
    seen = "\n".join(f"  {one.get_role_name()}: {words(one).strip()[:100]}" for one in parts()
                     if words(one).strip() and "table" not in one.get_role_name())
    raise SystemExit(f"{seen}\nnot seen in {WAIT} seconds: {role or 'anything'} that says {pattern!r}")


def act(*arguments):
    subprocess.run(["xdotool", *map(str, arguments)], check=True)


def click(pattern, role="push button"):
    one = find(pattern, role)
    box = one.get_extents(Atspi.CoordType.SCREEN)
    act("mousemove", box.x + min(box.width // 2, 40), box.y + box.height // 2, "click", 1)
    time.sleep(0.5)
    return one


def write(text, *after):
    act("key", "ctrl+a")
    act("type", "--delay", 25, text)
    for key in after:
        act("key", key)
    time.sleep(0.5)


def changed(pattern, role, before):
    """What is said there once it is something else."""
    until = time.monotonic() + WAIT
    while time.monotonic() < until:
        now = words(find(pattern, role))
        if now != before:
            return now
        time.sleep(0.3)
    raise SystemExit(f"still the same after {WAIT} seconds: {before!r}")


def there(path):
    """Its size in bytes, once it is written."""
    until = time.monotonic() + WAIT
    while time.monotonic() < until:
        if path.exists() and path.stat().st_size:
            return path.stat().st_size
        time.sleep(0.3)
    raise SystemExit(f"not written: {path}")


def begun(*arguments):
    return subprocess.Popen(["dpstudio", *map(str, arguments)], stderr=subprocess.PIPE, text=True)


def ended(program, errors=""):
    act("key", "ctrl+q")
    said = program.communicate(timeout=WAIT)[1]
    if program.returncode or said.strip() != errors:
        raise SystemExit(f"the window ended with {program.returncode} and said {said!r}")


def saw(what, *more):
    print(f"  {what}", *more, flush=True)


def main(folder):
    program = begun()
    before = words(find("Use .*certain|Use .*yes", "label"))
    saw("window:", before[:90])
    click(r"^How private\?.*epsilon|^How private\?.*privacy loss", "text")
    write("0.5", "Return")
    now = changed("Use .*certain|Use .*yes", "label", before)
    saw("a value typed:", now[:90])

    click("Explore")
    before = words(find("Use .*", "label"))
    slider = find("epsilon|privacy loss", "slider")
    box = slider.get_extents(Atspi.CoordType.SCREEN)
    height = box.y + box.height // 2
    act("mousemove", box.x + box.width // 2, height, "mousedown", 1, "mousemove", box.x + box.width // 3, height,
        "mouseup", 1)
    saw("a slider dragged:", changed("Use .*", "label", before)[:90])

    act("key", "ctrl+shift+o")
    click("Choose file")
    find("^File name", "text")
    write(str(folder / "people.csv"), "Return")
    find("^id", "combo box")
    click("^Expression", "check box")
    click("[Cc]ondition as an expression", "text")
    write("age >= 65")
    click("Use in Decision")  # which can be clicked once something was counted
    saw("own data:", words(find("[Cc]ounted in .*people.csv", "label"))[:60])

    for keys, name in (("ctrl+e", "seen.svg"), ("ctrl+shift+r", "seen.pdf")):
        act("key", keys)
        click("^File", "text")
        write(str(folder / name))
        click("^Export")
        saw(f"{name}:", there(folder / name), "bytes")
        time.sleep(1)
        act("key", "Escape")
    act("key", "ctrl+shift+k")
    saw("code:", " ".join(words(find("(?s)^Code .*import", "text")).split())[:60])
    act("key", "Escape")
    time.sleep(1)
    ended(program)
    saw("closed by Ctrl+Q")

    program = begun(folder / "picture.svg")  # as a desktop opens what somebody double-clicks
    find("Use .*", "label")
    find("Mean|Noise|Number", "frame")
    ended(program)
    saw("a picture opened with its session")


if __name__ == "__main__":
    Atspi.init()
    os.umask(0o077)
    main(Path(sys.argv[1]))
