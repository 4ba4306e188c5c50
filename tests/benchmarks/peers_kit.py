"""The same job done by another library: its version, and what memory either needs, each in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version

PEERS = ("dp-accounting", "duckdb", "opendp", "python-dp", "riskcal")
"""Distributions that the program is measured against."""
_PEAK = """
import gc
{body}
gc.collect()
resident = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(int(resident) / 1024)
"""


def versions() -> dict[str, str]:
    """Of each peer what is installed, or that it is not."""
    found = {}
    for name in PEERS:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def peak(body: str) -> float:
    """MiB of memory that a new process needs at most which runs a few lines, as Linux tells them."""
    done = subprocess.run([sys.executable, "-c", _PEAK.format(body=body)], capture_output=True, text=True, check=True,
                          timeout=120)
    return float(done.stdout.split()[-1])
