"""The program as it is packed: one declaration for every system, all studies in it, and the terms of everything."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

import dpstudio
from dpstudio.core.resources import resource
from dpstudio.documents import licences as terms
from dpstudio.gui.session.files import SUFFIX
from dpstudio.studies import all_studies

FROZEN = Path(__file__).parents[1] / "packaging" / "frozen"
EXTENSION = "EXTENSION"


@pytest.fixture(scope="module")
def frozen():
    """What the folder’s files declare, by name of the file."""
    sys.path.insert(0, str(FROZEN))
    try:
        import contents
        import linux
        import windows

        yield {"contents": contents, "linux": linux, "windows": windows}
    finally:
        sys.path.remove(str(FROZEN))
        for name in ("contents", "linux", "windows", "within"):
            sys.modules.pop(name, None)


def test_that_the_packed_program_has_the_version_and_the_ending_of_sessions_of_this_one(frozen):
    assert dpstudio.__version__ == frozen["contents"].VERSION
    assert f".{frozen['contents'].SUFFIX}" == SUFFIX
    assert f"AppVersion={dpstudio.__version__}\n" in frozen["windows"].script()


def test_that_an_entry_of_menus_opens_sessions_by_the_name_under_which_the_window_is_known(frozen):
    entry = configparser.ConfigParser(interpolation=None)
    entry.optionxform = str
    entry.read_string(frozen["linux"].DESKTOP)
    entry = entry["Desktop Entry"]
    assert entry["Exec"] == "dpstudio %f"
    assert entry["MimeType"] == f"{frozen['contents'].MIME};"
    source = (Path(dpstudio.__file__).parent / "gui/shell/app.py").read_text("utf-8")
    known = re.search(r'setDesktopFileName\("(.+)"\)', source)[1]
    assert known == entry["StartupWMClass"] == frozen["contents"].COMMAND
    types = ElementTree.fromstring(frozen["linux"].TYPES)
    assert [each.get("pattern") for each in types.iter() if each.tag.endswith("glob")] == [f"*{SUFFIX}"]
    component = ElementTree.fromstring(frozen["linux"].COMPONENT)
    assert component.find("launchable").text == "dpstudio.desktop"
    assert component.find("provides/mediatype").text == frozen["contents"].MIME


def test_that_what_a_desktop_looks_for_is_drawn_and_named_alike(frozen, tmp_path, qapp):
    shared = frozen["linux"]._shared(tmp_path)
    entry = (shared / "applications/dpstudio.desktop").read_text("utf-8")
    assert "\nIcon=dpstudio\n" in entry
    for size in frozen["linux"].SIZES:
        for name in ("apps/dpstudio", f"mimetypes/{frozen['contents'].MIME.replace('/', '-')}"):
            drawn = (shared / f"icons/hicolor/{size}x{size}/{name}.png").read_bytes()
            assert drawn[:8] == b"\x89PNG\r\n\x1a\n"
            assert int.from_bytes(drawn[16:20], "big") == size


@pytest.mark.parametrize(("name", "packed"), [
    ("PySide6/Qt/plugins/platforms/libqxcb.so", True), ("PySide6/Qt/plugins/platforms/libqwayland.so", True),
    ("PySide6/Qt/plugins/platforms/libqeglfs.so", False), ("PySide6/Qt/plugins/imageformats/libqsvg.so", True),
    ("PySide6/Qt/plugins/imageformats/libqjpeg.so", False), ("PySide6/Qt/translations/qtbase_de.qm", True),
    ("PySide6/Qt/translations/linguist_de.qm", False), ("PySide6/Qt/lib/libQt6Svg.so.6", True),
    ("PySide6/Qt/lib/libQt6Quick.so.6", False), ("libQt6EglFsKmsSupport.so.6", False), ("libgtk-3.so.0", False),
    ("matplotlib/mpl-data/fonts/ttf/DejaVuSans.ttf", True), ("matplotlib/mpl-data/sample_data/data.npz", False),
    ("dpstudio/resources/help/data.md", True), (r"PySide6\Qt\plugins\tls\qopensslbackend.dll", False),
])
def test_that_what_nothing_asks_for_is_left_out_and_all_else_is_packed(frozen, name, packed):
    assert frozen["contents"].belongs(name) is packed


def test_that_a_library_goes_with_the_last_that_asks_for_it_and_the_interpreter_stays(frozen):
    asked = {"/a": {"libb.so", "libm.so"}, "/b": {"libc.so"}, "/c": set(), "/d": {"libe.so"}, "/e": set(), "/p": set()}
    binaries = [("x/a.so", "/a", EXTENSION), ("libb.so", "/b", "BINARY"), ("libc.so", "/c", "BINARY"),
                ("libd.so", "/d", "BINARY"), ("libe.so", "/e", "BINARY"), ("libpython3.11.so.1.0", "/p", "BINARY")]
    kept = frozen["contents"].in_use(binaries, asked.__getitem__)
    assert [name for name, _, _ in kept] == ["x/a.so", "libb.so", "libc.so", "libpython3.11.so.1.0"]


def test_that_studies_and_all_that_is_looked_for_by_name_are_packed(frozen):
    spec = (FROZEN / "dpstudio.spec").read_text("utf-8")
    assert 'collect_submodules("dpstudio")' in spec
    assert not any(name.startswith("dpstudio") for name in frozen["contents"].EXCLUDED)
    assert {f"matplotlib.backends.backend_{kind}" for kind in ("agg", "pdf", "svg")} <= set(frozen["contents"].HIDDEN)
    assert len(all_studies()) > 10


def test_that_every_library_that_is_packed_is_described_and_its_terms_are_whole(frozen):
    packed = {canonicalize_name(name) for name in frozen["contents"].distributions()}
    said = {canonicalize_name(each.name): each for each in terms.licences()}
    assert {"pyside6-essentials", "numpy", "scipy", "typst", "duckdb", "pyqtgraph", "dp-accounting"} <= packed
    assert packed - {"dpstudio"} <= said.keys()
    assert all(each.text.strip() for each in said.values())
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in said["pyside6-essentials"].text
    assert "GNU GENERAL PUBLIC LICENSE" in said["pyside6-essentials"].text
    assert said["dp studio"].text.startswith("MIT License")


def test_that_all_that_the_program_imports_has_its_terms_shown():
    said = {canonicalize_name(each.name) for each in terms.licences()}
    needed = distribution("dpstudio").requires
    names = {canonicalize_name(re.match(r"[\w.-]+", each)[0]) for each in needed if "extra ==" not in each}
    assert names <= said


def test_that_terms_that_lie_as_files_are_shown_too():
    said = {each.name for each in terms.licences()}
    assert {"Deployments in use", *(f"Fonts: {path.stem.removesuffix('-LICENSE')}" for path in resource("fonts").glob(
        "*-LICENSE.txt"))} <= said


def test_that_libraries_of_libraries_are_found_once_and_what_is_not_installed_is_passed_over(monkeypatch):
    class Made:
        def __init__(self, name, *requires):
            self.name, self.requires = name, list(requires)

    made = {"a": Made("a", "b[more]>=1", "missing", 'c; extra == "never"'), "b": Made("b", "a", 'd; extra == "more"'),
            "c": Made("c"), "d": Made("d")}

    def find(name):
        if name not in made:
            raise PackageNotFoundError(name)
        return made[name]

    monkeypatch.setattr(terms, "distribution", find)
    program = Made("p", "a", 'c; extra == "accounting"')
    assert [each.name for each in terms.required(program, ())] == ["a", "b", "d"]
    assert {each.name for each in terms.required(program)} == {"a", "b", "c", "d"}


@pytest.mark.parametrize(("command", "packed", "lacks"), [
    (["check", "nowhere"], False, "no package lies in dist"), (["start"], False, "no program lies in dist"),
    (["check", "nowhere"], True, "nowhere is no bare system")])
def test_that_what_the_check_of_the_package_lacks_is_said_in_one_sentence(tmp_path, command, packed, lacks):
    (tmp_path / "packaging").mkdir()
    shutil.copy(FROZEN.parent / "freeze.py", tmp_path / "packaging")
    if packed:
        (tmp_path / "dist").mkdir()
        (tmp_path / "dist/dpstudio.deb").touch()
    done = subprocess.run([sys.executable, "packaging/freeze.py", *command], cwd=tmp_path, capture_output=True,
                          text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"freeze.py: {lacks}")
    assert done.stderr.count("\n") == 1
