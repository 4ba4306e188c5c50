"""The formulas of the test study."""

from __future__ import annotations

FORMULAS = ()
