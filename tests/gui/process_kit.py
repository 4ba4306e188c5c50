"""Windows in processes of their own: begun with nothing read, or forked from one that has read the libraries."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 100
READ = """
import importlib, json, os, signal, sys
from dpstudio.gui.shell import app, workbench

for name in app.HEAVY:
    importlib.import_module(name)
for line in sys.stdin:
    asked = json.loads(line)
    child = os.fork()
    if not child:
        break
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
else:
    sys.exit()
signal.alarm(asked["patience"])
for number, (name, how) in enumerate(((os.devnull, os.O_RDONLY), (asked["out"], os.O_WRONLY | os.O_CREAT),
                                      (asked["err"], os.O_WRONLY | os.O_CREAT))):
    os.dup2(os.open(name, how, 0o600), number)
os.environ.clear()
os.environ.update(asked["environment"])
sys.argv = ["-c", *asked["arguments"]]
exec(compile(asked["script"], "<string>", "exec"))
"""
"""Reads the libraries; then each fork of it does what it is asked to, and ends as any process does."""


def _began(script: str) -> list[str]:
    return [sys.executable, "-X", "faulthandler", "-c", script]


def _environment(**more: str) -> dict[str, str]:
    return os.environ | {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)} | more


def run(script: str, *arguments: object, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a script in a process that has read nothing."""
    return subprocess.run([*_began(script), *map(str, arguments)], cwd=ROOT, env=_environment(**more),
                          capture_output=True, text=True, timeout=PATIENCE, check=False)


class WellRead:
    """Runs scripts in processes that have read all libraries: that takes twice as long as a window there and away."""

    def __init__(self) -> None:
        self._reader: subprocess.Popen[str] | None = None

    def run(self, script: str, *arguments: object, **more: str) -> subprocess.CompletedProcess[str]:
        if not hasattr(os, "fork") or sys.platform == "darwin":  # whose own libraries do not outlive a fork
            return run(script, *arguments, **more)
        if self._reader is None:
            self._reader = subprocess.Popen(_began(READ), cwd=ROOT, env=_environment(), text=True,
                                            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        with TemporaryDirectory() as folder:
            out, err = (Path(folder, name) for name in ("out", "err"))
            print(json.dumps({"script": script, "arguments": [*map(str, arguments)], "patience": PATIENCE,
                              "environment": _environment(**more), "out": str(out), "err": str(err)}),
                  file=self._reader.stdin, flush=True)
            code = int(self._reader.stdout.readline())
            return subprocess.CompletedProcess([script, *arguments], code, out.read_text(), err.read_text())

    def close(self) -> None:
        if self._reader is not None:
            self._reader.communicate()
