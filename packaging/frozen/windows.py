"""The packed program as Windows installs it: facts of the .exe, and a script for Inno Setup. By construction."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import contents

FACTS = """VSVersionInfo(
  ffi=FixedFileInfo(filevers={numbers}, prodvers={numbers}),
  kids=[StringFileInfo([StringTable("040904B0", [
    StringStruct("FileDescription", "{name}"), StringStruct("ProductName", "{name}"),
    StringStruct("FileVersion", "{version}"), StringStruct("ProductVersion", "{version}"),
    StringStruct("OriginalFilename", "{command}.exe"),
    StringStruct("LegalCopyright", "DP Studio contributors, MIT")])]),
    VarFileInfo([VarStruct("Translation", [1033, 1200])])])
"""
SCRIPT = r'''[Setup]
AppId={identity}
AppName={name}
AppVersion={version}
DefaultDirName={{autopf}}\{name}
DefaultGroupName={name}
OutputBaseFilename={archived}-windows
PrivilegesRequired=lowest
ChangesAssociations=yes
LicenseFile={root}\LICENSE

[Files]
Source: "{command}\*"; DestDir: "{{app}}"; Flags: recursesubdirs

[Icons]
Name: "{{group}}\{name}"; Filename: "{{app}}\{command}.exe"

[Registry]
Root: HKA; Subkey: "Software\Classes\.{suffix}"; ValueType: string; ValueData: "{identity}"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\{identity}"; ValueType: string; ValueData: "{session}"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\{identity}\shell\open\command"; ValueType: string; \
  ValueData: """{{app}}\{command}.exe"" ""%1"""
'''


def version(folder: Path) -> Path:
    """The facts that the system shows of the program, as PyInstaller reads them."""
    numbers = (*map(int, contents.VERSION.split(".")), 0, 0)[:4]
    path = folder / "version.txt"
    path.write_text(FACTS.format(numbers=numbers, name=contents.NAME, version=contents.VERSION,
                                 command=contents.COMMAND), "utf-8")
    return path


def script() -> str:
    """What Inno Setup makes an installer of: the folder, an entry of menus, and the type of sessions."""
    return SCRIPT.format(identity=contents.IDENTITY, name=contents.NAME, version=contents.VERSION, root=contents.ROOT,
                         archived=contents.ARCHIVED, command=contents.COMMAND, suffix=contents.SUFFIX,
                         session=contents.SESSION)


def installer(target: Path) -> None:
    """The script beside the folder and, where Inno Setup is there, the installer."""
    path = target / f"{contents.COMMAND}.iss"
    path.write_text(script(), "utf-8-sig")
    if made := shutil.which("iscc"):
        subprocess.run([made, path], check=True)
