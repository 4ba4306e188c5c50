"""What a newcomer's machine meets: the first commands of the README, from nothing, in a copy of what is committed.

The folder has a space, an accent and brackets in its name, the home is empty, and there is no display: `run` must write
the study's pictures and data, `run compute` must answer, and the window, offscreen, must open, stay and end when asked.
"""

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
INSTALLING, STARTING, STAYING = 900, 90, 5
"""Seconds that an installation and a start may take, and that a window is watched."""
FIRST = ("python3", "packaging/bootstrap.py", "run")
ABSENT = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "VIRTUAL_ENV", "PYTHONPATH")


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="first start é [1] ") as room:
        copy, home = Path(room, "DP Studio"), Path(room, "home")
        home.mkdir()
        cloned = committed(copy)
        bare = {name: value for name, value in os.environ.items() if name not in ABSENT} | {"HOME": str(home)}
        pictures_and_data(copy, bare)
        answer(copy, bare)
        window(copy, bare | {"QT_QPA_PLATFORM": "offscreen"}, home)
        if cloned:
            left = subprocess.run(["git", "status", "--porcelain"], cwd=copy, capture_output=True, text=True).stdout
            expect(not left, f"the checkout is no longer clean: {left}")
    print("first start: pictures, data, an answer and the window, from nothing")


def committed(copy: Path) -> bool:
    """A clone of the newest commit; where there is no repository, a copy of the files and False."""
    done = subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", ROOT, copy], capture_output=True)
    if done.returncode != 0:
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "__pycache__", "dpstudio-output"))
    return done.returncode == 0


def pictures_and_data(copy: Path, environment: dict) -> None:
    done = ran(FIRST, copy, environment, INSTALLING)
    expect(done.returncode == 0, f"the first command ended with {done.returncode}: {done.stderr[-2000:]}")
    folder = copy / "dpstudio-output"
    drawn = sorted(folder.glob("*.svg"))
    expect(len(drawn) >= 5, f"only {len(drawn)} pictures were written")
    for picture in drawn:
        words = "".join(ElementTree.parse(picture).getroot().itertext())
        expect(len(words) > 100, f"{picture.name} has next to no text")
    answered = json.loads((folder / "decision.json").read_text("utf-8"))
    expect(answered["study"] == "decision" and len(answered["facts"]) > 50, "decision.json is not the study's answer")
    with (folder / "decision.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
    expect(len(rows) > 50, "decision.csv has next to no rows")


def answer(copy: Path, environment: dict) -> None:
    command = (*FIRST, "compute", "decision", "--set", "epsilon=0.001", "--no-simulation")
    done = ran(command, copy, environment, STARTING)
    expect(done.returncode == 0, f"run compute ended with {done.returncode}: {done.stderr[-2000:]}")
    expect(json.loads(done.stdout)["parameters"]["epsilon"] == 0.001, "run compute answered something else")


def window(copy: Path, environment: dict, home: Path) -> None:
    with tempfile.TemporaryFile("w+") as said:
        shown = subprocess.Popen(FIRST, cwd=copy, env=environment, stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        began = time.monotonic()
        while shown.poll() is None and time.monotonic() - began < STARTING and not list(home.rglob("dpstudio.log")):
            time.sleep(0.1)
        stays = time.monotonic() + STAYING
        while shown.poll() is None and time.monotonic() < stays:
            time.sleep(0.1)
        ended_early = shown.poll() is not None
        shown.send_signal(signal.SIGTERM)
        try:
            code = shown.wait(STARTING)
        except subprocess.TimeoutExpired:
            shown.kill()
            code = None
        said.seek(0)
        words = said.read()
    expect(not ended_early, f"the window did not stay: exit {code}: {words[-2000:]}")
    expect(bool(list(home.rglob("dpstudio.log"))), "no window came")
    expect(code in (0, 128 + signal.SIGTERM), f"the window ended with {code}: {words[-2000:]}")
    expect("Traceback" not in words, words[-2000:])


def ran(command: tuple, copy: Path, environment: dict, limit: float) -> subprocess.CompletedProcess:
    return subprocess.run(command, cwd=copy, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=limit)


def expect(true: bool, otherwise: str) -> None:
    if not true:
        sys.exit(f"first start: {otherwise}")


if __name__ == "__main__":
    main()
