"""The parts of the two commands that can be told without a network, a window or another system."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

FILE = Path(__file__).parents[1] / "packaging" / "bootstrap.py"
LDD = """
	linux-vdso.so.1 (0x00007ffc)
	libxcb-icccm.so.4 => not found
	libEGL.so.1 => /lib/libEGL.so.1 (0x00007f00)
/plugins/platforms/libqxcb.so:
	libxcb-icccm.so.4 => not found
	libdbus-1.so.3 => not found
"""


@pytest.fixture
def bootstrap(tmp_path, monkeypatch):
    """The file as a module, with its environment in a folder of its own."""
    spec = importlib.util.spec_from_file_location("bootstrap", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    venv = tmp_path / "with space é" / ".venv"
    monkeypatch.setattr(module, "VENV", venv)
    monkeypatch.setattr(module, "STAMP", venv / module.STAMP.name)
    monkeypatch.setattr(module, "LOCK", tmp_path / "lock")
    return module


@pytest.fixture
def finished(bootstrap):
    """An environment that looks installed for `test`."""
    python = bootstrap.interpreter(bootstrap.VENV)
    python.parent.mkdir(parents=True)
    python.touch()
    project = bootstrap.wanted(bootstrap.ROOT / "pyproject.toml")
    stamp = {"home": str(bootstrap.VENV), "python": sys.version, "project": project, "extras": ["test"]}
    bootstrap.write_stamp(stamp)
    return stamp


def test_an_old_python_is_told_what_is_needed_and_what_it_is(bootstrap):
    assert bootstrap.too_old((3, 11, 0)) == bootstrap.too_old((4, 0, 0)) == ""
    assert "needs Python 3.11 or newer, and this is 3.9.2" in bootstrap.too_old((3, 9, 2))


def test_nothing_but_the_standard_library_is_imported():
    probe = f"import runpy; runpy.run_path({str(FILE)!r})"
    subprocess.run([sys.executable, "-I", "-S", "-W", "error", "-c", probe], check=True)


def test_an_unknown_command_is_answered_by_the_two_there_are(bootstrap, capsys):
    assert bootstrap.main([]) == bootstrap.main(["install"]) == 2
    said = capsys.readouterr().err
    assert "bootstrap.py run" in said
    assert "bootstrap.py test" in said


def test_the_interpreter_is_where_each_system_puts_it(bootstrap):
    assert bootstrap.interpreter(Path("v"), "nt") == Path("v/Scripts/python.exe")
    assert bootstrap.interpreter(Path("v"), "posix") == Path("v/bin/python")


def test_a_finished_installation_is_used_as_it_is(bootstrap, finished, monkeypatch):
    monkeypatch.setattr(bootstrap, "install", lambda *_: pytest.fail("installed again"))
    assert bootstrap.read_stamp() == finished
    bootstrap.prepare(set())
    bootstrap.prepare({"test"})


@pytest.mark.parametrize("change", [{"home": "/elsewhere"}, {"python": "3.12"}, {"project": "older"}, {"extras": []}])
def test_what_was_installed_otherwise_is_not_ready(bootstrap, finished, change):
    assert bootstrap.ready(finished, {"test"})
    assert not bootstrap.ready({**finished, **change}, {"test"})


def test_a_lost_interpreter_or_a_spoilt_stamp_is_not_ready(bootstrap, finished):
    bootstrap.interpreter(bootstrap.VENV).unlink()
    assert not bootstrap.ready(finished, set())
    bootstrap.STAMP.write_text('{"home', encoding="utf-8")
    assert bootstrap.read_stamp() == {}


def test_an_interrupted_installation_leaves_no_finished_stamp(bootstrap, finished, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(bootstrap, "pip", interrupt)
    with pytest.raises(KeyboardInterrupt):
        bootstrap.install({**finished, "project": "older"}, set())
    assert bootstrap.read_stamp() == {}


def test_an_update_that_pip_refuses_leaves_what_was_there(bootstrap, finished, monkeypatch):
    def refuse(*_):
        raise bootstrap.Problem("no network")

    monkeypatch.setattr(bootstrap, "pip", refuse)
    older = {**finished, "project": "older"}
    with pytest.raises(bootstrap.Problem):
        bootstrap.install(older, set())
    assert bootstrap.read_stamp() == older


def test_an_update_keeps_the_extras_that_were_installed(bootstrap, finished, monkeypatch):
    asked = []
    monkeypatch.setattr(bootstrap, "pip", lambda *arguments: asked.append(arguments[-1]))
    bootstrap.install({**finished, "project": "older"}, set())
    assert asked == [".[test]"]
    assert bootstrap.read_stamp() == finished


def test_only_what_pip_is_told_counts_as_a_change(bootstrap, tmp_path):
    project = tmp_path / "pyproject.toml"
    text = '[build-system]\nrequires = []\n[project]\nname = "x"\n'
    digests = []
    for changed in (text, text + "# a comment\n[tool.ruff]\nline-length = 1\n", text + 'dependencies = ["y"]\n'):
        project.write_text(changed, encoding="utf-8")
        digests.append(bootstrap.wanted(project))
    assert digests[0] == digests[1] != digests[2]


def test_a_second_start_waits_for_the_lock(bootstrap):
    lock = bootstrap.LOCK
    with bootstrap.alone(), lock.open("ab") as handle:
        assert not bootstrap.locked(handle)
    with lock.open("ab") as handle:
        assert bootstrap.locked(handle)


def test_a_python_without_venv_is_told_the_package(bootstrap, monkeypatch):
    monkeypatch.setattr(bootstrap.importlib.util, "find_spec", lambda name: None if name == "ensurepip" else name)
    with pytest.raises(bootstrap.Problem, match="apt install python3-venv"):
        bootstrap.create()


def test_pip_that_fails_is_quoted(bootstrap, monkeypatch):
    monkeypatch.setattr(bootstrap, "interpreter", lambda _: sys.executable)
    with pytest.raises(bootstrap.Problem, match=r"(?s)last words:.*no-such-command.*needs the network"):
        bootstrap.pip("no-such-command")


def test_libraries_that_are_not_found_are_named_once(bootstrap):
    assert bootstrap.not_found(LDD) == ["libdbus-1.so.3", "libxcb-icccm.so.4"]


@pytest.mark.parametrize(
    ("soname", "debian", "arch"),
    [
        ("libEGL.so.1", "libegl1", "libglvnd"),
        ("libX11-xcb.so.1", "libx11-xcb1", "libx11"),
        ("libdbus-1.so.3", "libdbus-1-3", "dbus"),
        ("libfontconfig.so.1", "libfontconfig1", "fontconfig"),
        ("libglib-2.0.so.0", "libglib2.0-0", "glib2"),
        ("libgssapi_krb5.so.2", "libgssapi-krb5-2", "krb5"),
        ("libxcb-cursor.so.0", "libxcb-cursor0", "xcb-util-cursor"),
        ("libxcb-randr.so.0", "libxcb-randr0", "libxcb"),
        ("libxcb-render-util.so.0", "libxcb-render-util0", "xcb-util-renderutil"),
        ("libxkbcommon-x11.so.0", "libxkbcommon-x11-0", "libxkbcommon-x11"),
    ],
)
def test_a_library_is_in_the_package_that_each_system_gives_it(bootstrap, soname, debian, arch):
    assert bootstrap.package(soname, "apt-get") == debian
    assert bootstrap.package(soname, "pacman") == arch
    assert bootstrap.package(soname, "dnf") == f"'{soname}()(64bit)'"


def test_a_package_is_asked_for_once(bootstrap):
    command = bootstrap.install_command(["libGL.so.1", "libEGL.so.1"], "pacman")
    assert command == "pacman -S --needed libglvnd"


@pytest.mark.parametrize(
    ("environment", "system", "shown"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ""}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"QT_QPA_PLATFORM": "offscreen"}, "linux", True),
        ({}, "darwin", True),
        ({}, "win32", True),
    ],
)
def test_a_display_is_known_by_its_variables(bootstrap, environment, system, shown):
    assert bootstrap.has_display(environment, system) is shown


def test_the_platform_is_the_one_asked_for_or_the_one_of_the_display(bootstrap):
    assert bootstrap.qt_platform({"DISPLAY": ":0"}) == "xcb"
    assert bootstrap.qt_platform({"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}) == "wayland"
    assert bootstrap.qt_platform({"QT_QPA_PLATFORM": "offscreen:size=1x1"}) == "offscreen"


@pytest.fixture
def calls(bootstrap, finished, monkeypatch, tmp_path):
    """What would be run, and every look at Qt's libraries."""
    made = []
    monkeypatch.setattr(bootstrap, "call", lambda *arguments, **_: made.append(arguments) or 0)
    monkeypatch.setattr(bootstrap, "check_libraries", lambda platform: made.append(("libraries", platform)))
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return made


@pytest.mark.skipif(os.name == "nt" or sys.platform == "darwin", reason="there is always a display")
def test_without_a_display_the_decision_study_is_written_and_qt_is_not_looked_at(bootstrap, calls, tmp_path):
    assert bootstrap.main(["run"]) == 0
    folder = str(tmp_path / "dpstudio-output")
    assert calls[0] == ("-P", "-m", "dpstudio", "render", "decision", "--all", "--output", folder)
    assert [arguments[3:7] for arguments in calls[1:]] == [
        ("compute", "decision", "--format", kind) for kind in ("json", "csv")
    ]


@pytest.mark.skipif(os.name == "nt" or sys.platform == "darwin", reason="there is always a display")
def test_without_a_display_a_session_is_refused(bootstrap, calls, tmp_path, capsys):
    (tmp_path / "mine.json").touch()
    assert bootstrap.main(["run", "mine.json"]) == 1
    assert "no display to open mine.json on" in capsys.readouterr().err
    assert calls == []


def test_the_window_looks_at_the_libraries_first(bootstrap, calls, monkeypatch):
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert bootstrap.main(["run"]) == 0
    assert calls == [("libraries", "offscreen"), ("-P", "-m", "dpstudio")]


def test_a_command_is_passed_on_without_a_look_at_qt(bootstrap, calls):
    assert bootstrap.main(["run", "list", "decision"]) == 0
    assert calls == [("-P", "-m", "dpstudio", "list", "decision")]


def test_a_refusal_passes_through_and_a_failure_forgets_that_the_libraries_were_there(bootstrap, finished, monkeypatch):
    bootstrap.write_stamp({**finished, "libraries": ["xcb"]})
    monkeypatch.setattr(bootstrap, "damaged", lambda: False)
    for code, remembered in ((2, ["xcb"]), (1, [])):
        monkeypatch.setattr(bootstrap, "call", lambda *_, code=code, **__: code)
        assert bootstrap.main(["run", "list"]) == code
        assert json.loads(bootstrap.STAMP.read_text(encoding="utf-8"))["libraries"] == remembered


def test_a_damaged_installation_is_made_anew_once(bootstrap, finished, monkeypatch):
    codes = iter((1, 0))
    prepared = []
    monkeypatch.setattr(bootstrap, "call", lambda *_, **__: next(codes))
    monkeypatch.setattr(bootstrap, "damaged", lambda: True)
    monkeypatch.setattr(bootstrap, "prepare", prepared.append)
    assert bootstrap.main(["run", "list"]) == 0
    assert prepared == [set(), set()]


def test_pip_is_told_no_empty_extras(bootstrap):
    assert bootstrap.requirement(set()) == "."
    assert bootstrap.requirement({"test", "accounting"}) == ".[accounting,test]"


def test_that_the_first_start_asks_pip_for_the_project_alone(bootstrap, monkeypatch):
    asked = []
    monkeypatch.setattr(bootstrap, "pip", lambda *arguments: asked.append(arguments[-1]))
    monkeypatch.setattr(bootstrap, "create", lambda: bootstrap.VENV.mkdir(parents=True))
    bootstrap.install({}, set())
    assert asked == ["."]


def test_that_what_an_active_environment_sets_reaches_neither_pip_nor_the_program(bootstrap, monkeypatch, tmp_path):
    (tmp_path / "dpstudio.py").write_text("raise SystemExit(7)")
    monkeypatch.setattr(bootstrap, "interpreter", lambda _: sys.executable)
    for name, value in (("PYTHONPATH", str(tmp_path)), ("PYTHONHOME", "/nowhere"), ("PIP_TARGET", "/nowhere")):
        monkeypatch.setenv(name, value)
    assert bootstrap.call("-c", "import dpstudio") == 0
    assert not {"PYTHONHOME", "PIP_TARGET"} & set(bootstrap.own())


def test_that_a_finished_installation_that_may_not_be_written_to_starts(bootstrap, calls, monkeypatch):
    def refuse(_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(bootstrap, "write_stamp", refuse)
    monkeypatch.setattr(bootstrap, "missing_libraries", lambda _: [])
    assert bootstrap.main(["run", "list"]) == 0
    bootstrap.note(libraries=["xcb"])


def test_that_a_place_that_may_not_be_written_to_is_said_in_one_sentence(bootstrap, monkeypatch, capsys):
    monkeypatch.setattr(bootstrap.os, "access", lambda *_: False)
    assert bootstrap.main(["run", "list"]) == 1
    said = capsys.readouterr().err
    assert "may not be written to" in said
    assert said.count("\n") == 1


def test_that_a_folder_whose_name_separates_paths_is_refused_by_name(bootstrap, monkeypatch):
    monkeypatch.setattr(bootstrap, "VENV", Path(f"/some{os.pathsep}where/.venv"))
    with pytest.raises(bootstrap.Problem, match="Rename the folder"):
        bootstrap.create()


@pytest.mark.skipif(os.name == "nt", reason="handles are not handed on there")
def test_that_pip_holds_the_lock_when_what_started_it_is_gone(bootstrap, monkeypatch):
    lock = bootstrap.LOCK
    started = []
    monkeypatch.setattr(bootstrap, "interpreter", lambda _: sys.executable)
    popen = subprocess.Popen

    def outliving(command, **options):
        command = [sys.executable, "-c", "input()"]
        started.append(popen(command, stdin=subprocess.PIPE, pass_fds=options["pass_fds"]))
        return popen([sys.executable, "-c", ""], stdout=subprocess.PIPE, text=True)

    monkeypatch.setattr(bootstrap.subprocess, "Popen", outliving)
    with bootstrap.alone():
        bootstrap.pip("install")
    monkeypatch.undo()
    child = started[0]
    try:
        with lock.open("ab") as handle:
            assert not bootstrap.locked(handle)
    finally:
        child.communicate(b"\n")
    with lock.open("ab") as handle:
        assert bootstrap.locked(handle)


def test_that_all_cores_test_unless_the_arguments_say_otherwise(bootstrap, calls):
    assert bootstrap.main(["test", "-n", "0"]) == 0
    assert calls[-1] == ("-m", "pytest", "--numprocesses=auto", "--dist=worksteal", "-n", "0")
