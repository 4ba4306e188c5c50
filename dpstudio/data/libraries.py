"""Mechanisms of libraries that are installed beside this program, to be audited in a process apart."""

from __future__ import annotations

import sys
from importlib.util import find_spec

from dpstudio.core.declare import InvalidParameter
from dpstudio.data.runs import Arguments
from dpstudio.records import dataclass

_START = """\
import sys
value, draws, scale = float(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
"""
_OPENDP = """\
import opendp.prelude as dp
dp.enable_features("contrib")
release = dp.m.{maker}(dp.atom_domain({domain}), dp.absolute_distance(T={type}), scale=scale)
for _ in range(draws):
    print(repr(release({type}(value))))
"""
_GOOGLE = """\
from pydp.algorithms.numerical_mechanisms import LaplaceMechanism
mechanism = LaplaceMechanism(1 / scale, 1.0)
for _ in range(draws):
    print(repr(mechanism.add_noise({type}(value))))
"""


@dataclass(frozen=True, slots=True)
class LibraryNoise:
    """A noise of a library: the package that is imported, and the program that draws."""

    package: str
    code: str

    def arguments(self, value: float, draws: int, scale: float) -> Arguments:
        return sys.executable, "-c", _START + self.code, repr(value), str(draws), repr(scale)


def _opendp(maker: str, kind: str, domain: str) -> LibraryNoise:
    return LibraryNoise("opendp", _OPENDP.format(maker=maker, domain=domain, type=kind))


LIBRARY_NOISE = {
    "opendp:laplace": _opendp("make_laplace", "float", "T=float, nan=False"),
    "opendp:geometric": _opendp("make_laplace", "int", "T=int"),
    "opendp:gaussian": _opendp("make_gaussian", "float", "T=float, nan=False"),
    "google:laplace": LibraryNoise("pydp", _GOOGLE.format(type="float")),
    "google:geometric": LibraryNoise("pydp", _GOOGLE.format(type="int")),
}
"""By library and noise; the scale of Google's Laplace noise is 1/ε of what it is asked for."""


def library_noise(name: str) -> LibraryNoise:
    """The noise of that name; raises InvalidParameter where there is none, or its library is not installed."""
    found = LIBRARY_NOISE.get(name)
    if found is None:
        raise InvalidParameter("library", f"one of {', '.join(LIBRARY_NOISE)}", name)
    if getattr(sys, "frozen", False):
        raise InvalidParameter("library", "of a Python that is installed: the packed program has none, and --command "
                               "runs one", name)
    if find_spec(found.package) is None:
        raise InvalidParameter("library", f"one whose Python package is installed, here {found.package}", name)
    return found
