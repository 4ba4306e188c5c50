"""Install DP Studio into .venv beside the project on first use, then start it or test it.

    python3 packaging/bootstrap.py run [ARGUMENT of dpstudio …]
    python3 packaging/bootstrap.py test [ARGUMENT of pytest …]

The standard library only, since nothing is installed yet. Where packages come from is pip's own configuration.
"""

import compileall
import hashlib
import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import deque
from contextlib import contextmanager, suppress
from pathlib import Path


def too_old(version):
    """One sentence if this Python cannot run the project; annotations wait until it is known that it can."""
    if tuple(version[:2]) >= (3, 11):
        return ""
    found = ".".join(str(part) for part in version[:3])
    return f"DP Studio needs Python 3.11 or newer, and this is {found}: python3.11 packaging/bootstrap.py run"


if too_old(sys.version_info):
    sys.exit(too_old(sys.version_info))

import tomllib  # noqa: E402 - an older Python has none

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
LOCK = ROOT / ".venv.lock"  # beside it, not in it: a damaged .venv is removed
STAMP = VENV / "dpstudio-installed.json"
HELD: list[int] = []
"""The lock's handle while this process installs."""
ON_ALL_CORES = ("--numprocesses=auto", "--dist=worksteal")  # `-n 0` among the arguments takes it back
OUTPUT, FORMATS = "dpstudio-output", ("json", "csv")  # what is written where there is no display


class Problem(Exception):
    """What went wrong and what to do about it, ready to be read."""


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def interpreter(venv: Path, system: str = os.name) -> Path:
    return venv / "Scripts" / "python.exe" if system == "nt" else venv / "bin" / "python"


def wanted(project: Path) -> str:
    """A digest of what pip is told; the tools' own sections of the file change without a new installation."""
    tables = tomllib.loads(project.read_text(encoding="utf-8"))
    told = json.dumps([tables["build-system"], tables["project"]], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()


def read_stamp() -> dict:
    try:
        return json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def write_stamp(stamp: dict) -> None:
    partial = STAMP.with_suffix(f".{os.getpid()}")
    partial.write_text(json.dumps(stamp), encoding="utf-8")
    partial.replace(STAMP)


def note(**facts: object) -> None:
    """Keep facts for the next start, where this one may write: an administrator's installation serves others too."""
    with suppress(OSError):
        write_stamp({**read_stamp(), **facts})


def belongs(stamp: dict) -> bool:
    """Whether .venv was finished here, by this Python: a moved or copied one still names its old place."""
    return stamp.get("home") == str(VENV) and stamp.get("python") == sys.version and interpreter(VENV).exists()


def ready(stamp: dict, extras: set[str]) -> bool:
    return belongs(stamp) and stamp.get("project") == wanted(ROOT / "pyproject.toml") and extras <= set(stamp["extras"])


def prepare(extras: set[str]) -> None:
    if ready(read_stamp(), extras):
        return
    if not os.access(ROOT, os.W_OK):
        raise Problem(f"DP Studio is not installed for this Python ({sys.executable}), and {ROOT} may not be written "
                      "to: begin where it was installed, or in a copy of your own.")
    with alone():
        stamp = read_stamp()  # another start may have installed while this one waited
        if not ready(stamp, extras):
            install(stamp, extras)


@contextmanager
def alone():
    """Hold the lock; the system drops it when this process and the pip it started have died."""
    with LOCK.open("ab") as handle:
        if not locked(handle):
            say("Another start is installing; waiting for it.")
            while not locked(handle):
                time.sleep(0.5)
        HELD.append(handle.fileno())
        try:
            yield
        finally:
            HELD.remove(handle.fileno())


def locked(handle) -> bool:
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def install(stamp: dict, extras: set[str]) -> None:
    """Make .venv if there is none that works, and let pip bring what is missing."""
    if belongs(stamp):
        extras = extras | set(stamp["extras"])
    else:
        stamp = {}
        if STAMP.exists() or not has_pip():
            create()
    write_stamp({})  # an installation that is interrupted from here on is begun anew
    say(f"Installing DP Studio into {VENV} (once; this can take some minutes).")
    try:
        pip("install", "--no-input", "--no-user", "--disable-pip-version-check", "--editable", requirement(extras))
    except Problem:
        write_stamp(stamp)  # what was there before still works
        raise
    # So the first start is as quick as all others, also where Python is told to write no bytecode.
    compileall.compile_dir(ROOT / "dpstudio", quiet=2)
    described = wanted(ROOT / "pyproject.toml")
    write_stamp({"home": str(VENV), "python": sys.version, "project": described, "extras": sorted(extras)})


def requirement(extras: set[str]) -> str:
    """The project as pip is told it: “.”, or “.[test]”; empty brackets are refused."""
    return f".[{','.join(sorted(extras))}]" if extras else "."


def own(**changes: str) -> dict[str, str]:
    """The environment of what runs in .venv: nothing of another Python, nor of pip's other targets, reaches it."""
    foreign = {"PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_PYTHON",
               "PIP_DRY_RUN", "PIP_NO_DEPS", "PIP_REQUIRE_HASHES"}  # fmt: skip
    return {name: value for name, value in os.environ.items() if name not in foreign} | changes


def has_pip() -> bool:
    """Whether an environment that someone else made can be used: ours to fill, not to throw away."""
    probe = [interpreter(VENV), "-c", "import pip, sys; sys.exit(sys.argv[1] != sys.version)", sys.version]
    return probe[0].exists() and subprocess.run(probe, env=own(), capture_output=True).returncode == 0


def create() -> None:
    if not all(map(importlib.util.find_spec, ("venv", "ensurepip"))):
        raise Problem(
            "This Python lacks its venv module: on Debian and Ubuntu `apt install python3-venv` brings it "
            "(elsewhere, the package with Python's venv and ensurepip); then run the same command again."
        )
    if os.pathsep in str(VENV):
        raise Problem(f"Python cannot make an environment in {ROOT}: its name has a “{os.pathsep}”. Rename the folder.")
    if VENV.is_symlink() or VENV.is_file():
        VENV.unlink()
    elif VENV.exists():
        shutil.rmtree(VENV)
    command = [sys.executable, "-m", "venv", VENV]
    made = subprocess.run(command, env=own(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if made.returncode:
        raise Problem(f"Python's venv module could not make {VENV}:\n{made.stdout.decode(errors='replace').strip()}")


def pip(*arguments: str) -> None:
    """Run pip in .venv, telling what it downloads, and keeping its last words for the case that it fails."""
    command = [interpreter(VENV), "-m", "pip", *arguments]
    words: deque[str] = deque(maxlen=12)
    merged = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True, "errors": "replace"}
    if os.name == "posix":
        merged["pass_fds"] = tuple(HELD)  # should this process be killed, pip goes on, and holds the lock meanwhile
    with subprocess.Popen(command, cwd=ROOT, env=own(), **merged) as process:
        try:
            for line in process.stdout:
                words.append(f"  {line.rstrip()}")
                if line.lstrip().startswith(("Downloading ", "Installing collected")):
                    say(f"  {line.strip()[:110]}")
        except BaseException:
            process.terminate()
            raise
    if process.returncode:
        raise Problem(
            "\n".join(["pip could not install DP Studio's libraries. Its last words:", *words])
            + "\nThe first time needs the network, or an index that pip knows (`pip config list` shows it). "
            "Then run the same command again."
        )


def damaged() -> bool:
    """Whether a file that pip installed is gone, or a requirement with it."""
    probe = (
        "import sys, importlib.metadata as m; m.version('dpstudio'); sys.exit(not all(f.suffix == '.pyc' "
        "or f.locate().exists() for d in m.distributions() for f in d.files or ()))"
    )
    checks = ([interpreter(VENV), "-c", probe], [interpreter(VENV), "-m", "pip", "check"])
    return not interpreter(VENV).exists() or any(
        subprocess.run(check, env=own(), capture_output=True).returncode for check in checks)


# Debian calls a package after the soname, except for these; dnf and zypper find a package by its soname.
DEBIAN = {"libglib-2.0.so.0": "libglib2.0-0", "libgthread-2.0.so.0": "libglib2.0-0", "libz.so.1": "zlib1g"}
ARCH = {
    "libEGL.": "libglvnd", "libGL.": "libglvnd", "libGLX.": "libglvnd", "libOpenGL.": "libglvnd", "libdbus": "dbus",
    "libX11": "libx11", "libfontconfig": "fontconfig", "libfreetype": "freetype2", "libglib": "glib2",
    "libgthread": "glib2", "libgssapi": "krb5", "libwayland": "wayland", "libxcb-cursor": "xcb-util-cursor",
    "libxcb-icccm": "xcb-util-wm", "libxcb-image": "xcb-util-image", "libxcb-keysyms": "xcb-util-keysyms",
    "libxcb-render-util": "xcb-util-renderutil", "libxcb-util": "xcb-util", "libxcb": "libxcb",
    "libxkbcommon-x11": "libxkbcommon-x11", "libxkbcommon": "libxkbcommon", "libz.": "zlib",
}  # fmt: skip
APT = "apt-get install -y --no-install-recommends"
INSTALLERS = {"apt-get": APT, "dnf": "dnf install -y", "zypper": "zypper install -y", "pacman": "pacman -S --needed"}


def package(soname: str, installer: str) -> str:
    """libxcb-icccm.so.4 is in Debian's libxcb-icccm4, and libdbus-1.so.3 in libdbus-1-3: a digit is kept apart."""
    if installer == "apt-get":
        name, _, version = soname.lower().replace("_", "-").partition(".so.")
        return DEBIAN.get(soname, f"{name}-{version}" if name[-1].isdigit() else name + version)
    if installer == "pacman":
        return next((name for begin, name in ARCH.items() if soname.startswith(begin)), soname)
    return f"'{soname}()(64bit)'"


def install_command(sonames: list[str], installer: str) -> str:
    return " ".join([INSTALLERS[installer], *dict.fromkeys(package(soname, installer) for soname in sonames)])


def not_found(report: str) -> list[str]:
    """The libraries that ldd did not find."""
    return sorted(set(re.findall(r"^\s*(\S+) => not found", report, re.MULTILINE)))


def missing_libraries(platform: str) -> list[str]:
    """What Qt's widgets and the plugin of this platform would not find."""
    wanted_by = ("QtWidgets*.so", "Qt/lib/libQt6Widgets.so.6", f"Qt/plugins/platforms/libq{platform}.so")
    files = [file for name in wanted_by for file in VENV.glob(f"lib*/python3.*/site-packages/PySide6/{name}")]
    return not_found(subprocess.run(["ldd", *files], capture_output=True, text=True).stdout)


def has_display(environment: dict, system: str = sys.platform) -> bool:
    named = map(environment.get, ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))
    return system in ("win32", "darwin") or any(named)


def qt_platform(environment: dict) -> str:
    asked = re.split("[;:]", environment.get("QT_QPA_PLATFORM", ""))[0]
    return asked or ("wayland" if environment.get("WAYLAND_DISPLAY") else "xcb")


def check_libraries(platform: str) -> None:
    """See that Qt can load, once; on Debian and Ubuntu the administrator's start brings what is missing."""
    stamp = read_stamp()
    if platform in stamp.get("libraries", ()) or not sys.platform.startswith("linux") or not shutil.which("ldd"):
        return
    missing = missing_libraries(platform)
    if missing and shutil.which("apt-get") and os.geteuid() == 0:
        apt_install(missing)
        missing = missing_libraries(platform)
    if missing:
        installer = next((name for name in INSTALLERS if shutil.which(name)), None)
        advice = f"sudo {install_command(missing, installer)}" if installer else "install your system's packages"
        raise Problem(f"Qt lacks system libraries ({', '.join(missing)}). To bring them:\n  {advice}")
    note(libraries=[*stamp.get("libraries", ()), platform])


def apt_install(sonames: list[str]) -> None:
    say(f"Installing system libraries for Qt: {', '.join(sonames)}")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in ("apt-get update", install_command(sonames, "apt-get")):
        done = subprocess.run(command.split(), env=environment, capture_output=True, text=True)
    if done.returncode:  # an update that failed is no matter if the packages could be had
        words = (done.stderr or done.stdout).strip().splitlines() or ["nothing"]
        say(f"apt-get could not install them; it said: {words[-1]}")


def call(*arguments: str, cwd: Path | None = None, **environment: str) -> int:
    """Run .venv's Python and return its exit code, passing on what ends this process."""
    # The path that pip keeps for an editable project is read line by line, on Windows in the code page: a folder with a
    # line break in its name, or with letters outside the page, is found by this one alone.
    variables = own(PYTHONPATH=str(ROOT), **environment)
    with subprocess.Popen([interpreter(VENV), *arguments], cwd=cwd, env=variables) as child:
        signal.signal(signal.SIGTERM, lambda *_: child.terminate())  # from here on it is the child's
        while True:
            try:
                code = child.wait()
                return code if code >= 0 else 128 - code  # a child ended by signal n, as a shell says it
            except KeyboardInterrupt:
                continue  # it went to the child too, which ends in its own way


def start(extras: set[str], expected: set[int], *arguments: str, **options: str) -> int:
    """Run; if it ends as it should not and the installation is at fault, repair that and run once more."""
    code = call(*arguments, **options)
    if code in {0, 130, *expected}:
        return code
    note(libraries=[])  # the next start looks at Qt's system libraries again
    if not damaged():
        return code
    say("The installation is damaged; making it anew.")
    write_stamp({})
    prepare(extras)
    return call(*arguments, **options)


def dpstudio(*arguments: str) -> int:
    return start(set(), {2}, "-P", "-m", "dpstudio", *arguments)  # -P: the current folder is no library


def run(arguments: list[str]) -> int:
    prepare(set())
    if not arguments or Path(arguments[0]).is_file():  # a session: it opens the window
        if has_display(os.environ):
            check_libraries(qt_platform(os.environ))
        elif arguments:
            raise Problem(f"There is no display to open {arguments[0]} on: DISPLAY and WAYLAND_DISPLAY are not set.")
        else:
            return without_window()
    return dpstudio(*arguments)


def without_window() -> int:
    """The main job, as files."""
    folder = Path.cwd() / OUTPUT
    folder.mkdir(exist_ok=True)
    say(f"There is no display, so the decision study goes to {folder}; `run list` shows what else there is.")
    tables = (("compute", "decision", "--format", kind, "--output", f"{folder}/decision.{kind}") for kind in FORMATS)
    for job in (("render", "decision", "--all", "--output", str(folder)), *tables):
        code = dpstudio(*job)
        if code:
            return code
    say(f"Written: {', '.join(sorted(file.name for file in folder.iterdir()))}")
    return 0


def test(arguments: list[str]) -> int:
    prepare({"test"})
    platform = os.environ.get("QT_QPA_PLATFORM") or "offscreen"
    try:
        check_libraries(platform)
    except Problem as problem:
        say(str(problem))  # all that is not the window is tested all the same
    return start({"test"}, {1}, "-m", "pytest", *ON_ALL_CORES, *arguments, cwd=ROOT, QT_QPA_PLATFORM=platform)


def ended(*_: object) -> None:
    """Being asked to end while installing ends pip too; what is half done is begun anew by the next start."""
    raise SystemExit(128 + signal.SIGTERM)


def main(arguments: list[str]) -> int:
    commands = {"run": run, "test": test}
    if not arguments or arguments[0] not in commands:
        say("\n".join(__doc__.splitlines()[2:4]))
        return 2
    signal.signal(signal.SIGTERM, ended)
    try:
        return commands[arguments[0]](arguments[1:])
    except (Problem, OSError) as problem:
        say(str(problem))
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
