"""The key that digests of tables are kept under: one on a machine, its owner's alone, and none where it cannot be."""

from __future__ import annotations

import hmac
import os
import subprocess
import sys

import pytest
from memory_kit import first_free

from dpstudio.data import secret
from dpstudio.data.secret import LENGTH, NAME, keyed

PLAIN = "ab" * 32
posix = pytest.mark.skipif(os.name != "posix", reason="permissions of a Unix")


@pytest.fixture(autouse=True)
def settings(tmp_path, monkeypatch):
    monkeypatch.setattr(secret, "folder", lambda: tmp_path / "dpstudio")
    return tmp_path / "dpstudio"


def test_that_the_same_table_has_the_same_digest_here_and_it_is_not_the_plain_one(settings):
    once = keyed(PLAIN)
    assert once == keyed(PLAIN) != keyed("cd" * 32)
    assert once == hmac.new((settings / NAME).read_bytes(), PLAIN.encode(), "sha256").hexdigest()
    assert [each.name for each in settings.iterdir()] == [NAME], "no half of a key is left"


def test_that_another_machine_gives_another_digest(settings):
    once = keyed(PLAIN)
    (settings / NAME).unlink()
    assert len((settings / NAME).read_bytes() if keyed(PLAIN) else b"") == LENGTH
    assert keyed(PLAIN) != once


@posix
def test_that_nobody_else_may_read_the_key(settings):
    old = os.umask(0)
    try:
        keyed(PLAIN)
    finally:
        os.umask(old)
    assert (settings / NAME).stat().st_mode & 0o777 == 0o600
    assert settings.stat().st_mode & 0o777 == 0o700


@posix
@pytest.mark.parametrize("spoil", [lambda path: path.chmod(0o640), lambda path: path.write_bytes(b"short"),
                                   lambda path: path.write_bytes(b"x" * (LENGTH + 1)),
                                   lambda path: path.rename(path.with_name("k")) and path.symlink_to("k"),
                                   lambda path: (path.unlink(), os.mkfifo(path)),
                                   lambda path: (path.unlink(), path.mkdir())],
                         ids=["readable by others", "short", "long", "a link", "a pipe", "a folder"])
def test_that_a_key_that_is_none_of_ours_is_not_used(settings, spoil):
    keyed(PLAIN)
    spoil(settings / NAME)
    free = first_free()
    assert keyed(PLAIN) == ""
    assert first_free() == free, "what was looked at is closed"


def test_that_without_a_place_for_the_key_there_is_no_digest(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setattr(secret, "folder", lambda: tmp_path / "file" / "dpstudio")
    assert keyed(PLAIN) == ""
    assert keyed("") == ""


def test_that_of_two_who_make_the_key_at_once_both_have_the_one(settings, monkeypatch):
    link = os.link

    def late(made, path):
        path.write_bytes(b"k" * LENGTH)
        path.chmod(0o600)
        link(made, path)

    monkeypatch.setattr(os, "link", late)
    assert keyed(PLAIN) == hmac.new(b"k" * LENGTH, PLAIN.encode(), "sha256").hexdigest()


def test_that_the_key_lies_beside_the_settings_of_the_window(tmp_path):
    code = ("from PySide6.QtCore import QSettings; from dpstudio.data.secret import folder; from pathlib import Path; "
            "q = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, 'dpstudio', 'dpstudio'); "
            "assert Path(q.fileName()).parent == folder(), (q.fileName(), folder())")
    environment = {**os.environ, "HOME": str(tmp_path)}
    for config in ({}, {"XDG_CONFIG_HOME": str(tmp_path / "elsewhere")}):
        environment.pop("XDG_CONFIG_HOME", None)
        subprocess.run([sys.executable, "-c", code], check=True, env=environment | config)
