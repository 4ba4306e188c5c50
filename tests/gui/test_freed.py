"""What a computation needed goes back to the system when it has ended."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

NEEDS = """
import sys, threading
import numpy as np
from dpstudio.gui.shell.freed import give_back

def held():
    with open("/proc/self/status") as told:
        return next(int(line.split()[1]) / 1024 for line in told if line.startswith("RssAnon"))

def compute():
    needed = np.ones(30 << 17)  # 30 MiB
    together.wait()
    del needed
    together.wait()

if sys.argv[1] == "given back":
    give_back()
np.ones(31 << 17)  # 31 MiB: the thresholds rise with it
began, together = held(), threading.Barrier(9)
threads = [threading.Thread(target=compute) for _ in range(8)]
for each in threads:
    each.start()
together.wait()
together.wait()
print(held() - began)
"""


@pytest.mark.skipif(sys.platform != "linux" or not hasattr(ctypes.CDLL(None), "mallopt"), reason="not of GNU")
def test_that_what_threads_needed_is_given_back_which_the_c_library_would_keep():
    kept, given_back = (float(subprocess.run([sys.executable, "-c", NEEDS, how], capture_output=True, text=True,
                                             check=True).stdout) for how in ("kept", "given back"))
    assert given_back < 8 < 64 < kept
