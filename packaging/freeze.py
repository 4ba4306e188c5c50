"""Make the program that installs without Python, and try it where nothing of it is.

    python packaging/freeze.py build           dist/: a folder, a .tar.xz and, on Debian, a .deb
    python packaging/freeze.py check ROOM      installs dist/*.deb in the bare system ROOM and uses it as people do
    python packaging/freeze.py start           how long its plots take, packed and from source
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
DIST = ROOT / "dist"
sys.path.insert(0, str(HERE / "frozen"))
sys.path.insert(0, str(ROOT))


def build() -> None:
    """The folder by PyInstaller, and what is made of it on this system."""
    options = ("--noconfirm", "--log-level", "WARN", "--distpath", DIST, "--workpath", ROOT / "build" / "pyinstaller")
    subprocess.run([sys.executable, "-m", "PyInstaller", *options, HERE / "frozen" / "dpstudio.spec"], check=True,
                   cwd=ROOT)
    if sys.platform == "win32":
        import windows

        windows.installer(DIST)
    elif sys.platform == "linux":
        import linux

        folder = DIST / linux.contents.COMMAND
        for made in (linux.archive(folder, DIST), linux.debian(folder, DIST)):
            print(f"{made.relative_to(ROOT)}: {made.stat().st_size / 1e6:.0f} MB")
        print(f"unpacked: {sum(path.lstat().st_size for path in folder.rglob('*')) / 1e6:.0f} MB")


def refuse(sentence: str) -> int:
    """Say what is missing; returns the status of a command that cannot be done."""
    print(f"freeze.py: {sentence}", file=sys.stderr)
    return 2


def main() -> int:
    match sys.argv[1:]:
        case ["build"]:
            build()
            return 0
        case ["check", room]:
            packages = sorted(DIST.glob("*.deb"))
            if not packages:
                return refuse("no package lies in dist: freeze.py build makes it")
            if not (Path(room) / "dev").is_dir():
                return refuse(f"{room} is no bare system: debootstrap --variant=minbase bookworm {room} makes it")
            import check

            return check.check(Path(room), packages[-1])
        case ["start"]:
            program = DIST / "dpstudio" / "dpstudio"
            if not program.exists():
                return refuse("no program lies in dist: freeze.py build makes it")
            import start

            took = start.measure(program)
            print("  ".join(f"{name} {seconds:.2f} s ({seconds / took['pyqtgraph']:.2f} ×)"
                            for name, seconds in took.items()))
            return 0
        case _:
            print(__doc__.strip(), file=sys.stderr)
            return 2


if __name__ == "__main__":
    sys.exit(main())
