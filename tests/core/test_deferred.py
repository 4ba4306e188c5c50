"""Modules that wait until they are used."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import numpy.linalg
import pytest

from dpstudio.core.deferred import defer

LATE = """
import sys
import numpy
import dpstudio.studies, scipy.special
assert "unittest" not in sys.modules, "numpy.testing was read"
numpy.testing.assert_array_equal([1], [1])
assert "unittest" in sys.modules
import numpy.f2py
assert numpy.f2py is sys.modules["numpy.f2py"] and numpy.f2py.__version__
"""
LACKING = """
import sys
import dpstudio.studies
import scipy.special
from dpstudio.core.deferred import under
assert "scipy.special._ufuncs" not in sys.modules, "scipy.special was read"
from scipy.special import ndtr
assert "scipy.special._ufuncs" in sys.modules
assert "scipy.special._basic" not in sys.modules, "all of scipy.special was read"
assert "multigammaln" not in vars(scipy.special)
from scipy.special import multigammaln
try:
    scipy.special.no_such_function
except AttributeError as error:
    assert "no_such_function" in str(error)
else:
    raise AssertionError
part = sys.modules["scipy.special._ufuncs"]
assert all(getattr(scipy.special, name) is getattr(part, name) for name in part.__all__)
assert "numpy.linalg" in under("numpy") and under("numpy.no_such_part") == []
"""
MASKED = """
import sys
import numpy
import dpstudio.studies
assert numpy.unique([2, 1, 2]).tolist() == [1, 2]
assert "numpy.ma.core" not in sys.modules, "numpy.ma was read"
from numpy.ma.core import masked_array
some = masked_array([2, 1, 2], [False, True, False])
assert numpy.unique(some).tolist() == numpy.ma.unique(some).tolist() == numpy.unique(some).tolist() == [2, None]
"""
FIRST = """
import sys
import dpstudio.studies
assert "numpy.polynomial._polybase" not in sys.modules, "numpy.polynomial was read"
import numpy.polynomial.polynomial as part
import numpy.polynomial
assert part is numpy.polynomial.polynomial is sys.modules["numpy.polynomial.polynomial"]
assert part.Polynomial is numpy.polynomial.Polynomial
assert part.__spec__.name == part.__name__ and part.__spec__.loader is part.__loader__
import numpy.f2py.crackfortran, numpy.random.mtrand, numpy.testing.overrides, scipy.special.cython_special
import scipy.interpolate, scipy.signal, scipy.stats
"""


@pytest.mark.parametrize("script", [LATE, LACKING, MASKED, FIRST], ids=["whole", "lacking", "masked", "a part first"])
def test_that_a_deferred_module_is_read_at_its_first_use_and_is_whole(script):
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def test_that_what_is_read_already_or_cannot_be_found_is_left_alone():
    before = numpy.linalg
    defer("numpy.linalg", "numpy.no_such_part")
    assert sys.modules["numpy.linalg"] is numpy.linalg is before
    with pytest.raises(ModuleNotFoundError):
        import_module("numpy.no_such_part")
