"""The terms of everything that the program is made of, each with its whole text."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from types import MappingProxyType

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from dpstudio.core.resources import resource
from dpstudio.records import dataclass

PROGRAM = "dpstudio"
OPTIONAL = ("accounting", "cluster")
"""Extras of the program that are used where they are installed."""
STANDARD = MappingProxyType({
    "pyside6-essentials": ("LGPL-3", "GPL-3"), "shiboken6": ("LGPL-3", "GPL-3"), "dp-accounting": ("Apache-2.0",),
})
"""Libraries that come without the text of their terms, and the texts that they name; the LGPL rests upon the GPL."""
NOTES = MappingProxyType({"pyside6-essentials": (
    "It contains Qt, under the same terms; doc.qt.io/qt-6/licenses-used-in-qt.html lists what Qt has of others.",)})
_TEXTS = ("licen", "copying", "notice")


@dataclass(frozen=True, slots=True)
class Licence:
    """Something that is part of the program, and under which terms it is."""

    name: str
    version: str
    text: str


@cache
def licences() -> tuple[Licence, ...]:
    """The program’s own terms, then those of libraries, of fonts and data, and of what else a packed program holds."""
    own = distribution(PROGRAM)
    libraries = sorted(required(own), key=lambda each: each.name.lower())
    return (_of(own), *map(_of, libraries), *_of_files())


def required(program: Distribution, extras: tuple[str, ...] = OPTIONAL) -> list[Distribution]:
    """The libraries that are installed here because the program, with these extras, or one of them needs them."""
    found: dict[str, Distribution] = {}
    asked: list[tuple[Distribution, tuple[str, ...]]] = [(program, ("", *extras))]
    while asked:
        one, wanted = asked.pop()
        for requirement in map(Requirement, one.requires or ()):
            if requirement.marker and not any(requirement.marker.evaluate({"extra": extra}) for extra in wanted):
                continue
            name = canonicalize_name(requirement.name)
            if name in found:
                continue
            try:
                found[name] = distribution(requirement.name)
            except PackageNotFoundError:  # an extra that is not installed
                continue
            asked.append((found[name], ("", *requirement.extras)))
    return list(found.values())


def _of(one: Distribution) -> Licence:
    name = canonicalize_name(one.name)
    texts = [path.read_text("utf-8", "replace") for path in _files(one)]
    if not texts:
        texts = [resource(f"licences/{each}.txt").read_text("utf-8") for each in STANDARD.get(name, ())]
    text = "\n\n".join((*NOTES.get(name, ()), *texts))
    return Licence("DP Studio" if name == PROGRAM else one.name, one.version, text)


def _files(one: Distribution) -> Iterator[Path]:
    """The files with terms among what describes a distribution."""
    for path in sorted(one.files or (), key=str):
        if path.parts[0].endswith(".dist-info") and any(each in str(path).lower() for each in _TEXTS):
            yield Path(str(path.locate()))


def _of_files() -> Iterator[Licence]:
    """The terms that lie as files beside what they are about; in a packed program those of its other parts, too."""
    for title, folder, files in (("Fonts", "fonts", "*-LICENSE.txt"),
                                 ("Deployments in use", "deployments", "LICENSE.txt"),
                                 ("Also in this program", "licences", "within/*")):
        for path in sorted(resource(folder).glob(files)):
            name = path.stem.removesuffix("-LICENSE")
            yield Licence(title if name == "LICENSE" else f"{title}: {name}", "", path.read_text("utf-8", "replace"))
