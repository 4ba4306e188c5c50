"""The packed program as Linux installs it: a Debian package, and an archive to unpack anywhere."""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
import tarfile
from email.utils import formatdate
from functools import cache
from pathlib import Path

import contents
import within

MAINTAINER = "DP Studio contributors <dpstudio@localhost>"
SIZES = (16, 24, 32, 48, 64, 128, 256)
KIND = f"{contents.MIME.replace('/', '-')}"
"""How icons name a type of file."""
DESKTOP = f"""[Desktop Entry]
Type=Application
Name={contents.NAME}
GenericName=Differential privacy workbench
Comment={contents.SUMMARY}
Exec={contents.COMMAND} %f
Icon={contents.COMMAND}
Terminal=false
Categories=Science;Math;DataVisualization;
Keywords=differential privacy;epsilon;noise;statistics;
MimeType={contents.MIME};
StartupWMClass={contents.COMMAND}
"""
TYPES = f"""<?xml version="1.0" encoding="UTF-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
  <mime-type type="{contents.MIME}">
    <comment>{contents.SESSION}</comment>
    <sub-class-of type="application/json"/>
    <glob pattern="*.{contents.SUFFIX}"/>
  </mime-type>
</mime-info>
"""
COMPONENT = f"""<?xml version="1.0" encoding="UTF-8"?>
<component type="desktop-application">
  <id>{contents.IDENTITY}</id>
  <metadata_license>CC0-1.0</metadata_license>
  <project_license>MIT</project_license>
  <name>{contents.NAME}</name>
  <summary>{contents.SUMMARY}</summary>
  <description>
    <p>Say what you want to know, and read what to use, how good it is, and what it means for one person, while you
    type. Numbers are exact, bounds, or estimates with an interval, and each names its formula and source.</p>
    <p>It leaves you with a choice, a reason, a document to sign, and code for a library that releases. It releases
    nothing itself.</p>
  </description>
  <developer id="{contents.IDENTITY.rpartition('.')[0]}"><name>DP Studio contributors</name></developer>
  <launchable type="desktop-id">{contents.COMMAND}.desktop</launchable>
  <provides><binary>{contents.COMMAND}</binary><mediatype>{contents.MIME}</mediatype></provides>
  <content_rating type="oars-1.1"/>
  <releases><release version="{contents.VERSION}" date="{{date}}"/></releases>
</component>
"""
CONTROL = f"""Package: {contents.COMMAND}
Version: {contents.VERSION}
Section: science
Priority: optional
Architecture: {{machine}}
Installed-Size: {{kilobytes}}
Depends: {{needed}}
Recommends: libgl1-mesa-dri
Maintainer: {MAINTAINER}
Description: {contents.SUMMARY[0].lower()}{contents.SUMMARY[1:]}
 A desktop workbench: drag a privacy loss, thresholds and costs and see at
 once acceptance probabilities, errors, what an attacker learns, and what
 else could do it; solve for what is needed; export pictures, a report and
 code.
"""
MANUAL = f""".TH {contents.COMMAND.upper()} 1 "" "{contents.NAME} {contents.VERSION}"
.SH NAME
{contents.COMMAND} \\- {contents.SUMMARY[0].lower()}{contents.SUMMARY[1:]}
.SH SYNOPSIS
.B {contents.COMMAND}
[\\fIFILE\\fR.{contents.SUFFIX}]
.br
.B {contents.COMMAND}
\\fICOMMAND\\fR [\\fIOPTION\\fR ...]
.SH DESCRIPTION
Without a command the window opens, with a session where one is given.
.PP
.B {contents.COMMAND} \\-\\-help
names the commands, and
.B {contents.COMMAND} \\fICOMMAND\\fB \\-\\-help
says what each takes.
"""
COPYRIGHT = """Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: DP Studio

Files: *
Copyright: DP Studio contributors
License: Expat
Comment: What is packed with it is under terms of its own: Help, Licences shows all of them; their texts lie in
 /usr/lib/dpstudio/_internal, under *.dist-info and dpstudio/resources/licences.

License: Expat
"""


def archive(folder: Path, target: Path) -> Path:
    """The program as one .tar.xz, whose root is a folder with its name and version."""
    made = target / f"{contents.ARCHIVED}-linux-{_machine()}.tar.xz"
    shutil.rmtree(target / "shared", ignore_errors=True)
    shared = _shared(target / "shared")
    # Python’s own compression has one thread, and would take longer than all else.
    with made.open("wb") as file, subprocess.Popen(["xz", "-T0"], stdin=subprocess.PIPE, stdout=file) as pressing:
        with tarfile.open(fileobj=pressing.stdin, mode="w|") as packed:
            packed.add(folder, contents.ARCHIVED, filter=_of_nobody)
            packed.add(shared, f"{contents.ARCHIVED}/share", filter=_of_nobody)
        pressing.stdin.close()
    shutil.rmtree(shared)
    return made


def debian(folder: Path, target: Path) -> Path:
    """The program as a Debian package: all of it in /usr/lib, and what desktops look for."""
    root = target / "debian"
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(folder, root / "usr/lib" / contents.COMMAND, symlinks=True)
    (root / "usr/bin").mkdir()
    (root / "usr/bin" / contents.COMMAND).symlink_to(f"../lib/{contents.COMMAND}/{contents.COMMAND}")
    _shared(root / "usr/share")
    about = root / "usr/share/doc" / contents.COMMAND
    about.mkdir(parents=True)
    terms = (contents.ROOT / "LICENSE").read_text("utf-8").partition("\n\n")[2]
    (about / "copyright").write_text(COPYRIGHT + "".join(f" {line or '.'}\n" for line in terms.splitlines()), "utf-8")
    _packed(about / "changelog.gz", _changes())
    manual = root / "usr/share/man/man1"
    manual.mkdir(parents=True)
    _packed(manual / f"{contents.COMMAND}.1.gz", MANUAL)
    (root / "DEBIAN").mkdir()
    kilobytes = sum(path.lstat().st_size for path in root.rglob("*")) // 1024
    (root / "DEBIAN/control").write_text(CONTROL.format(machine=_machine(), kilobytes=kilobytes, needed=", ".join(
        needed(folder))), "utf-8")
    for path in root.rglob("*"):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or _runs(path) else 0o644)
    made = target / f"{contents.COMMAND}_{contents.VERSION}_{_machine()}.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, made], check=True,
                   stdout=subprocess.DEVNULL)
    shutil.rmtree(root)
    return made


def _packed(path: Path, text: str) -> None:
    """A text in a .gz, the same whenever it is made."""
    with gzip.GzipFile(path, "wb", mtime=0) as file:
        file.write(text.encode())


def needed(folder: Path) -> list[str]:
    """The Debian packages of the libraries that the program’s files ask for and that are not among them."""
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink() and _is_elf(path)]
    said = subprocess.run(["readelf", "--dynamic", *files], capture_output=True, text=True, check=True).stdout
    asked = set(re.findall(r"\(NEEDED\).*\[(.+?)\]", said)) - {path.name for path in folder.rglob("*.so*")}
    known = re.findall(r"^\s*(\S+) .*=> (\S+)$", subprocess.run(["ldconfig", "-p"], capture_output=True, text=True,
                                                             check=True).stdout, re.MULTILINE)
    return within.packages([Path(path) for name, path in known if name in asked])


def _shared(folder: Path) -> Path:
    """What desktops look for: the entry of menus, the type of sessions, the description, and icons."""
    written = {f"applications/{contents.COMMAND}.desktop": DESKTOP, f"mime/packages/{contents.COMMAND}.xml": TYPES,
               f"metainfo/{contents.IDENTITY}.metainfo.xml": COMPONENT.format(date=_released())}
    for name, text in written.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    drawn = folder / "icons/hicolor"
    for kind, name in (("apps", contents.COMMAND), ("mimetypes", KIND)):
        scalable = drawn / "scalable" / kind
        scalable.mkdir(parents=True)
        shutil.copyfile(contents.ICON, scalable / f"{name}.svg")
        for size in SIZES:
            place = drawn / f"{size}x{size}" / kind
            place.mkdir(parents=True)
            contents.icon(size).save(str(place / f"{name}.png"))
    return folder


def _changes() -> str:
    return (f"{contents.COMMAND} ({contents.VERSION}) stable; urgency=medium\n\n  * As the project’s CHANGELOG says.\n"
            f"\n -- {MAINTAINER}  {formatdate(_date(), localtime=False)}\n")


@cache
def _date() -> int:
    """Seconds: when the newest commit was made, so that the same state gives the same package."""
    said = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=contents.ROOT, capture_output=True, text=True,
                          check=True)
    return int(said.stdout)


def _released() -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(_date(), UTC).date().isoformat()


def _machine() -> str:
    return subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True, check=True).stdout.strip()


def _is_elf(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def _runs(path: Path) -> bool:
    return path.name == contents.COMMAND and path.parent.name == contents.COMMAND and _is_elf(path)


def _of_nobody(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mtime = _date()
    return entry
