"""Keeps PySide6 from reading the source of each module that is imported after it, a tenth of the start.

It looks there for its own name, for only such a module could ask for Qt's functions by other names, with
`from __feature__ import`; none does here.
"""

from __future__ import annotations

import sys
from typing import Any

from PySide6 import QtCore  # noqa: F401 - brings what is told below

_features: Any = sys.modules.get("shibokensupport.feature")
if hasattr(_features, "_mod_uses_pyside"):
    _features._mod_uses_pyside = lambda _: False
