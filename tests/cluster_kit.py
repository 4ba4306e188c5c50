"""Programs of a Dask cluster of this machine."""

from __future__ import annotations

import os
import subprocess
import sys


def program(name, *arguments):
    """The scheduler or a worker, on this machine alone."""
    code = f"from distributed.cli.dask_{name} import main; main()"
    return subprocess.Popen([sys.executable, "-c", code, *arguments, "--no-dashboard", "--dashboard-address",
                             "127.0.0.1:0"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ | {
        "PYTHONPATH": os.pathsep.join(sys.path), "DASK_LOGGING__DISTRIBUTED": "critical"})
