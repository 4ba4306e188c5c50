"""A program that is killed while it writes leaves the old file or the new one; `tests/kills.py` does it more often."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "kills.py"
KILLS = 12


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a killed program is forked")
@pytest.mark.parametrize("case", ["saving", "autosaving"])
def test_that_a_killed_program_leaves_the_old_file_or_the_new_one_and_nothing_else_for_long(case):
    done = subprocess.run([sys.executable, SCRIPT, case, str(KILLS), "--seed", "2"], check=True, capture_output=True,
                          env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)})
    counts = json.loads(done.stdout)
    assert counts["first"] + counts["second"] == KILLS
    assert (counts["neither"], counts["stayed"]) == (0, 0)
