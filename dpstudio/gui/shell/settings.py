"""What the window remembers from one start to the next."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Literal, get_args

from PySide6.QtCore import QByteArray, QSettings, QStandardPaths

from dpstudio.core.resources import OWNERS_FOLDER, whether
from dpstudio.gui.shell import theme
from dpstudio.records import dataclass
from dpstudio.text.language import ENGLISH, LANGUAGES, tr

if TYPE_CHECKING:
    from dpstudio.data.origin import Origin

NAME = "DP Studio"
RECENT = 8
PROBE = 2**16
"""Bytes that must find room where the studies are kept: more than they take."""
DATA_FILES = 20
"""Tables whose places are remembered, on this machine alone, so that a session can count again."""


def data_folder() -> Path:
    """Where the log and the last sessions live; made on first use, where it can be made."""
    folder = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericDataLocation)) / "dpstudio"
    with suppress(OSError):  # whoever writes there is told
        folder.mkdir(mode=OWNERS_FOLDER, parents=True, exist_ok=True)  # exact counts of data may be kept there
    return folder


def unkept(settings: Settings) -> str:
    """One sentence that says why nothing is kept for the next start; nothing where all is well."""
    try:
        with TemporaryFile(dir=data_folder()) as probe:
            probe.write(bytes(PROBE))
    except OSError as error:
        return tr("Settings and studies are not kept for the next start: {error}.",
                  error=(error.strerror or str(error)).lower())
    settings.sync()
    return "" if settings.stored else tr("Settings are not kept for the next start: they cannot be written.")


@dataclass(frozen=True, slots=True)
class AskedOfTable:
    """What was last asked of a table."""

    origin: Origin
    study: str


class Settings:
    """Typed access to the stored settings: a fresh process reads them back as text."""

    def __init__(self) -> None:
        self.asked: dict[Path, AskedOfTable] = {}
        """What was last asked of each table, the newest last, for this run alone: a condition may quote people's data,
        and goes to no disk from here."""
        self._store = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "dpstudio", "dpstudio")

    def sync(self) -> None:
        self._store.sync()

    @property
    def stored(self) -> bool:
        """Whether the settings could be read and written so far."""
        return self._store.status() is not QSettings.Status.AccessError

    @property
    def theme(self) -> theme.ThemeChoice:
        stored = self._text("theme", "system")
        return stored if stored in get_args(theme.ThemeChoice) else "system"  # type: ignore[return-value]

    @theme.setter
    def theme(self, choice: theme.ThemeChoice) -> None:
        self._store.setValue("theme", choice)

    @property
    def language(self) -> str:
        """The language of the window, one of `LANGUAGES`."""
        stored = self._text("language", ENGLISH)
        return stored if stored in LANGUAGES else ENGLISH

    @language.setter
    def language(self, choice: str) -> None:
        self._store.setValue("language", choice)

    @property
    def help_shown(self) -> bool:
        return bool(self._store.value("help_shown", False, type=bool))

    @help_shown.setter
    def help_shown(self, shown: bool) -> None:
        self._store.setValue("help_shown", shown)

    @property
    def published(self) -> bool:
        """Whether the ε of deployments are marked on axes of ε."""
        return bool(self._store.value("published", False, type=bool))

    @published.setter
    def published(self, shown: bool) -> None:
        self._store.setValue("published", shown)

    @property
    def recent(self) -> tuple[str, ...]:
        """Paths of session files, the newest first, those that still exist."""
        stored = self._store.value("recent", [], type=list)
        paths = map(str, stored) if isinstance(stored, list) else ()
        return tuple(path for path in paths if whether(Path(path).exists))

    def add_recent(self, path: str) -> None:
        newest = [path, *(each for each in self.recent if each != path)]
        self._store.setValue("recent", newest[:RECENT])

    def clear_recent(self) -> None:
        self._store.remove("recent")

    def folder(self, kind: Literal["session", "export", "data"]) -> Path:
        """The folder that files of this kind were last read from or written to."""
        documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        stored = Path(self._text(f"folder/{kind}", documents) or documents)
        return stored if whether(stored.is_dir) else Path.home()

    def set_folder(self, kind: Literal["session", "export", "data"], folder: Path) -> None:
        self._store.setValue(f"folder/{kind}", str(folder))

    def data_file(self, digest: str) -> str:
        """Where a table with this digest, under the key of this machine, was last read, or nothing."""
        return next((path for known, path in self._data_files() if digest and known == digest), "")

    def add_data_file(self, digest: str, path: Path) -> None:
        if not digest:
            return  # no key can be kept here, and no plain digest is
        import json  # the first frame does without

        kept = [(digest, str(path)), *(each for each in self._data_files() if each[0] != digest)]
        self._store.setValue("tables", json.dumps(kept[:DATA_FILES]))

    def _data_files(self) -> list[tuple[str, str]]:
        import json

        try:
            plain = self._text("data_files", "[]")  # as the first versions kept it
            if plain != "[]":
                from dpstudio.data.secret import keyed  # the first frame does without

                under_key = [(keyed(str(digest)), path) for digest, path in json.loads(plain)]
                self._store.setValue("tables", json.dumps(under_key))
                self._store.remove("data_files")
            return [(str(digest), str(path)) for digest, path in json.loads(self._text("tables", "[]"))]
        except (ValueError, TypeError):
            return []

    def text(self, key: str, default: str) -> str:
        """A remembered choice of a dialog."""
        return self._text(f"dialog/{key}", default)

    def set_text(self, key: str, value: str) -> None:
        self._store.setValue(f"dialog/{key}", value)

    def state(self, key: str) -> QByteArray:
        """The geometry of a window, the sizes of a splitter."""
        stored = self._store.value(f"state/{key}", QByteArray())
        return stored if isinstance(stored, QByteArray) else QByteArray()

    def set_state(self, key: str, value: QByteArray) -> None:
        self._store.setValue(f"state/{key}", value)

    def _text(self, key: str, default: str) -> str:
        return str(self._store.value(key, default, type=str))
