"""Installs the package in a bare system, uses it there as people do, removes it, and looks at what is left.

The bare system is a folder that debootstrap made; what the check itself needs there (a screen, a bus, hands) is
installed first. All of it runs as root in a chroot. Nothing of the project but the package and `hands.py` gets into it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import contents

ROOM = "/room"
TOOLS = ("xvfb", "xdotool", "openbox", "dbus", "at-spi2-core", "python3-gi", "gir1.2-atspi-2.0", "file",
         "desktop-file-utils", "shared-mime-info", "hicolor-icon-theme")
WATCHED = ("etc", "usr", "opt", "var/lib", "srv", "home", "root")
"""Folders in which nothing may be left: people's own homes are elsewhere in the check."""
MOVING = ("var/lib/dpkg", "var/lib/apt", "var/lib/systemd", "etc/ld.so.cache", "var/lib/ucf", "var/lib/xkb",
          "usr/lib/python3")
"""What the system itself writes to when packages come and go."""
COMMANDS = (
    ("compute", "decision", "--no-simulation"), ("compute", "budget", "--no-simulation", "--set", "delta=1e-6"),
    ("compute", "mean", "--set", "trials=2000"), ("guarantee", "noise"),
    ("code", "decision", "--library", "opendp", "--series", "laplace"),
    ("solve", "decision", "--want", "band_width@laplace <= 100", "--for", "epsilon"),
    ("sweep", "noise", "--over", "epsilon=0.1:1:40", "--facts", "noise_sd", "--workers", "2", "--output", "-"),
    ("count", f"{ROOM}/people.csv", "--where", "age >= 65"), ("list",), ("list", "deployments"),
)
"""What has to say the same, sign for sign, as from source."""
FILES = (
    ("render", "mean", "--output", "picture.svg"), ("render", "noise", "--output", "picture.pdf"),
    ("render", "table", "--output", "picture.png"), ("report", "decision", "--output", "report.pdf"),
    ("report", "noise", "--output", "report.html"),
    ("render", "noise", "--over", "epsilon=0.1:1:5", "--output", "living.html"),
    ("sweep", "noise", "--over", "epsilon=0.1:1:5", "--facts", "noise_sd", "--output", "sweep.parquet"),
)


def check(bare: Path, package: Path) -> int:
    """Install, use, remove; 0 where all of it is as it has to be."""
    with mounted(bare):
        tools(bare)
        room = bare / ROOM[1:]
        shutil.rmtree(room, ignore_errors=True)
        room.mkdir()
        for each in (package, Path(__file__).parent / "hands.py"):
            shutil.copy(each, room)
        (room / "people.csv").write_text("id,age\n" + "".join(f"{i},{18 + i * 7 % 78}\n" for i in range(3000)), "utf-8")
        expect("bare of the project’s libraries", inside(bare, "python3", "-c", "import numpy").returncode != 0)
        inside(bare, "apt-get", "purge", "--yes", contents.COMMAND)  # what a check that was ended left would be used
        before = found(bare)
        done = inside(bare, "apt-get", "install", "--yes", "--no-install-recommends", f"{ROOM}/{package.name}")
        expect(f"installed, {size(bare)} MB", done.returncode == 0, done.stderr)
        installed = found(bare)
        said(bare)
        files(bare)
        window(bare)
        expect("nothing is written outside the home", (left := changed(installed, found(bare))) == [], left)
        done = inside(bare, "apt-get", "purge", "--yes", "--autoremove", contents.COMMAND)
        expect("removed", done.returncode == 0, done.stderr)
        left = [name for name in changed(before, found(bare)) if contents.COMMAND in name.lower()]
        expect("nothing of it is left", not left, left)
    return 0


def said(bare: Path) -> None:
    """Every answer is that of the source."""
    for arguments in COMMANDS:
        there = inside(bare, contents.COMMAND, *arguments)
        asked = [each.replace(ROOM, f"{bare}{ROOM}") for each in arguments]
        here = subprocess.run([sys.executable, "-m", "dpstudio", *asked], capture_output=True, text=True,
                              cwd=contents.ROOT, check=False)
        same = there.returncode == 0 and there.stdout == here.stdout
        expect(f"the same from source: {' '.join(arguments[:2])}", same, there.stderr, here.stderr)


def files(bare: Path) -> None:
    """Every kind of file is written, and is what its name says."""
    kinds = {"svg": "SVG", "pdf": "PDF", "png": "PNG", "html": "HTML", "parquet": "Parquet"}
    for arguments in FILES:
        name = f"{ROOM}/{arguments[-1]}"
        done = inside(bare, contents.COMMAND, *arguments[:-1], name)
        kind = inside(bare, "file", "--brief", name).stdout
        right = done.returncode == 0 and kinds[name.rpartition(".")[2]] in kind
        expect(f"{name}: {kind.strip()[:50]}", right, done.stderr)
    known = (bare / "usr/share/mime/globs2").read_text("utf-8")
    expect("sessions have a type of their own", f"{contents.MIME}:*.{contents.SUFFIX}" in known)
    entry = f"/usr/share/applications/{contents.COMMAND}.desktop"
    expect("an entry of menus that holds", inside(bare, "desktop-file-validate", entry).returncode == 0)


def window(bare: Path) -> None:
    """The window, used by real keys and clicks."""
    script = f"""
        Xvfb :9 -screen 0 1280x800x24 -nolisten tcp & sleep 2
        openbox & /usr/libexec/at-spi-bus-launcher --launch-immediately & sleep 1
        python3 {ROOM}/hands.py {ROOM}; ended=$?
        kill %1 %2 %3; exit $ended"""
    done = inside(bare, "dbus-run-session", "--", "bash", "-c", script, DISPLAY=":9",
                  QT_LINUX_ACCESSIBILITY_ALWAYS_ON="1")
    print(done.stdout, end="")
    expect("the window", done.returncode == 0, done.stderr[-2000:])


def inside(bare: Path, *command: str, **further: str) -> subprocess.CompletedProcess[str]:
    """Run in the bare system with an environment of its own and a home in the room."""
    kept = {name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")}
    plain = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": f"{ROOM}/home", "LANG": "C.UTF-8",
             "XDG_RUNTIME_DIR": f"{ROOM}/run", "DEBIAN_FRONTEND": "noninteractive", "TMPDIR": "/tmp"}
    (bare / "room/home").mkdir(parents=True, exist_ok=True)
    (bare / "room/run").mkdir(mode=0o700, exist_ok=True)
    return subprocess.run(["chroot", bare, *command], capture_output=True, text=True, env={**kept, **plain, **further},
                          check=False, timeout=1200)


def tools(bare: Path) -> None:
    """What the check needs in the bare system, once."""
    if all((bare / "usr/share/doc" / name).exists() for name in TOOLS):
        return
    shutil.copy("/etc/resolv.conf", bare / "etc/resolv.conf")
    for each in Path("/etc/apt/apt.conf.d").glob("*proxy*"):
        shutil.copy(each, bare / "etc/apt/apt.conf.d")
    inside(bare, "apt-get", "update")
    done = inside(bare, "apt-get", "install", "--yes", "--no-install-recommends", *TOOLS)
    expect("the check’s own tools", done.returncode == 0, done.stderr)


@contextmanager
def mounted(bare: Path) -> Iterator[None]:
    """With what a system has at run time in place."""
    places = [("proc", "proc"), ("sysfs", "sys"), ("tmpfs", "tmp"), ("tmpfs", "run"), ("tmpfs", "dev/shm")]
    subprocess.run(["mount", "--bind", "/dev", bare / "dev"], check=True)
    try:
        for kind, place in places:
            subprocess.run(["mount", "-t", kind, kind, bare / place], check=True)
        yield
    finally:
        for _, place in reversed(places):
            subprocess.run(["umount", "--lazy", bare / place], check=False, capture_output=True)
        subprocess.run(["umount", "--lazy", bare / "dev"], check=False)


def found(bare: Path) -> dict[str, float]:
    """When each file of the system was last changed."""
    return {name: path.lstat().st_mtime for folder in WATCHED for path in (bare / folder).rglob("*")
            if not (name := str(path.relative_to(bare))).startswith(MOVING)}


def changed(before: dict[str, float], now: dict[str, float]) -> list[str]:
    """Names of what came, or was written to."""
    return [name for name, when in now.items() if before.get(name) != when and not name.endswith("__pycache__")]


def size(bare: Path) -> int:
    return round(sum(path.lstat().st_size for path in (bare / "usr/lib" / contents.COMMAND).rglob("*")) / 1e6)


def expect(what: str, good: object, *more: object) -> None:
    """Say what was seen, or end with what was not."""
    if not good:
        raise SystemExit(f"NOT {what}: " + " ".join(str(each) for each in more))
    print(f"{time.strftime('%H:%M:%S')} {what}", flush=True)
