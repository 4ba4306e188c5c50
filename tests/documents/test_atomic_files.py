"""A file is the old one or the new one, whatever happens while it is written."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from memory_kit import first_free

from dpstudio.documents import files
from dpstudio.documents.files import atomic, read_file


def write(path, data=b"new"):
    with atomic(path) as file:
        file.write(data)


def test_that_a_file_appears_only_when_it_is_whole(tmp_path):
    target = tmp_path / "a"
    with atomic(target) as file:
        file.write(b"new")
        file.flush()
        assert not target.exists()
    assert target.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("interruption", [RuntimeError, KeyboardInterrupt, OSError])
def test_that_an_interrupted_file_leaves_the_old_one_and_no_trace(tmp_path, interruption):
    target = tmp_path / "a"
    target.write_bytes(b"old")

    def interrupted():
        with atomic(target) as file:
            file.write(b"half")
            raise interruption

    with pytest.raises(interruption):
        interrupted()
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


def test_that_an_error_names_the_file_that_was_asked_for(tmp_path):
    with pytest.raises(FileNotFoundError) as error:
        write(tmp_path / "none" / "a")
    assert error.value.filename == str(tmp_path / "none" / "a")
    with pytest.raises(IsADirectoryError) as error:
        write(tmp_path)
    assert error.value.filename == str(tmp_path)


def test_that_permissions_are_kept_and_new_files_have_ordinary_ones(tmp_path):
    (tmp_path / "plain").touch()
    write(tmp_path / "new")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "plain").stat().st_mode
    (tmp_path / "new").chmod(0o640)
    write(tmp_path / "new", b"newer")
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o640


def test_that_a_link_stays_a_link(tmp_path):
    (tmp_path / "target").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    write(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == b"new"


@contextmanager
def somebody_else():
    """Without the rights of an administrator, who may write everywhere."""
    if os.geteuid():
        yield
        return
    os.setresuid(65_534, 65_534, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


@pytest.mark.skipif(not hasattr(os, "setresuid"), reason="rights are not kept in modes there")
def test_that_a_file_that_may_not_be_written_is_not_replaced():
    with TemporaryDirectory() as folder:
        target = Path(folder, "a")
        target.write_bytes(b"old")
        Path(folder).chmod(0o777)  # the folder alone would let it be replaced
        target.chmod(0o444)
        with somebody_else(), pytest.raises(PermissionError):
            write(target)
        assert target.read_bytes() == b"old"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /dev/full")
def test_that_a_device_is_written_to_and_not_replaced():
    with pytest.raises(OSError, match="No space left on device: '/dev/full'"):
        write("/dev/full", b"x" * 100_000)
    write(os.devnull)
    assert not os.path.isfile(os.devnull)  # noqa: PTH113


linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks where Linux keeps what is open")
unix = pytest.mark.skipif(os.name != "posix", reason="needs pipes and locks of a Unix")


@linux
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "a link"])
def test_that_what_the_shell_appends_to_is_appended_to(tmp_path, name):
    log = tmp_path / "log"
    log.write_bytes(b"before\n")
    if name == "a link":
        name = tmp_path / "link"
        name.symlink_to("/dev/stdout")
    code = "import sys; from dpstudio.documents.files import atomic\nwith atomic(sys.argv[1]) as f: f.write(b'new\\n')"
    with log.open("ab") as out:
        subprocess.run([sys.executable, "-c", code, str(name)], stdout=out, check=True,
                       env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)})
    assert log.read_bytes() == b"before\nnew\n"
    assert {each.name for each in tmp_path.iterdir()} <= {"log", "link"}


@linux
def test_that_what_another_program_has_open_is_added_to_and_not_replaced(tmp_path):
    log = tmp_path / "log"
    with log.open("wb") as out, subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=out) as other:
        log.write_bytes(b"before\n")
        inode = log.stat().st_ino
        write(f"/proc/{other.pid}/fd/1", b"new\n")
        other.stdin.close()
    assert (log.read_bytes(), log.stat().st_ino) == (b"before\nnew\n", inode)


@unix
def test_that_a_pipe_is_written_to_and_stays_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        write(tmp_path / "pipe")
        assert os.read(reader, 100) == b"new"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


def test_that_a_ring_of_links_and_a_closed_descriptor_are_errors_of_the_machine(tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(OSError, match="symbolic links") as error:
        write(tmp_path / "a")
    assert error.value.filename == str(tmp_path / "a")
    with pytest.raises(OSError, match="/dev/fd/987"):
        write("/dev/fd/987")


@unix
def test_that_what_a_killed_writer_left_is_removed_at_the_next_write_and_nothing_else_is(tmp_path):
    code = ("import sys, os, signal; from dpstudio.documents.files import atomic\n"
            "with atomic(sys.argv[1]) as f:\n    f.write(b'half'), f.flush(), os.kill(os.getpid(), signal.SIGKILL)")
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "a")], check=False,
                   env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)})
    (left,) = tmp_path.iterdir()
    assert (left.name[:10], left.read_bytes()) == (".dpstudio-", b"half")
    others = {".dpstudio-notes", ".dpstudio-0123456789abcdeF", f"{left.name}0", f"x{left.name}"}
    for name in others:
        (tmp_path / name).touch()
    (tmp_path / ".dpstudio-0123456789abcdef").mkdir()
    (tmp_path / ".dpstudio-1123456789abcdef").symlink_to(tmp_path / ".dpstudio-notes")
    write(tmp_path / "b")
    assert {each.name for each in tmp_path.iterdir()} \
        == {"b", ".dpstudio-0123456789abcdef", ".dpstudio-1123456789abcdef", *others}


@unix
def test_that_a_writer_that_is_alive_keeps_its_file(tmp_path):
    with atomic(tmp_path / "a") as first:
        first.write(b"one")
        write(tmp_path / "b")
        write(tmp_path / "a", b"two")
    assert (tmp_path / "a").read_bytes() == b"one"
    assert {each.name for each in tmp_path.iterdir()} == {"a", "b"}


@unix
def test_that_a_file_that_was_swept_before_it_was_locked_is_begun_anew(tmp_path, monkeypatch):
    lock, taken = files.fcntl.flock, []

    def swept_first(file, how):
        if not taken:
            taken.extend(tmp_path.glob(".dpstudio-*"))
            taken[0].unlink()
        lock(file, how)

    monkeypatch.setattr(files.fcntl, "flock", swept_first)
    write(tmp_path / "a")
    assert len(taken) == 1
    assert (tmp_path / "a").read_bytes() == b"new"


@unix
def test_that_the_folder_is_synced_after_the_name_is_there(tmp_path, monkeypatch):
    synced = []

    def fsync(descriptor):
        found = os.fstat(descriptor)
        synced.append((stat.S_ISDIR(found.st_mode), (tmp_path / "a").exists()))

    monkeypatch.setattr(os, "fsync", fsync)
    write(tmp_path / "a")
    assert synced == [(False, False), (True, True)]


@unix
def test_that_a_private_file_is_private_from_its_first_byte(tmp_path):
    write(tmp_path / "a")
    (tmp_path / "a").chmod(0o600)
    with atomic(tmp_path / "a"):
        assert next(tmp_path.glob(".dpstudio-*")).stat().st_mode & 0o777 == 0o600


@unix
def test_that_only_ordinary_files_are_read_and_no_more_of_them_than_asked_for_and_none_stays_open(tmp_path):
    free = first_free()
    (tmp_path / "a").write_bytes(b"x" * 1000)
    assert read_file(tmp_path / "a", 10) == b"x" * 11
    assert read_file(tmp_path / "a", 999) == read_file(tmp_path / "a", 10**9) == b"x" * 1000
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    for name in ("pipe", "link", "zero", "/dev/null"):
        with pytest.raises(OSError, match="No ordinary file") as error:
            read_file(tmp_path / name, 10)
        assert error.value.filename == str(tmp_path / name)
    with pytest.raises(IsADirectoryError) as error:
        read_file(tmp_path, 10)
    assert error.value.filename == str(tmp_path)
    with pytest.raises(FileNotFoundError):
        read_file(tmp_path / "none", 10)
    assert first_free() == free


@unix
def test_that_what_another_person_left_is_not_removed(tmp_path, monkeypatch):
    left = tmp_path / ".dpstudio-0123456789abcdef"
    left.touch()
    mine = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: mine + 1)
    write(tmp_path / "a")
    assert left.exists()
    monkeypatch.undo()
    write(tmp_path / "a")
    assert not left.exists()


@pytest.mark.skipif(os.name != "posix", reason="modes are of POSIX")
@pytest.mark.parametrize("before", [None, 0o644, 0o600])
def test_that_what_is_private_nobody_else_may_read_from_its_first_byte_on(tmp_path, before):
    target = tmp_path / "a"
    if before is not None:
        target.write_bytes(b"old")
        target.chmod(before)
    mask = os.umask(0)
    try:
        made = [0o600] if before is None else [0o600, before]
        with atomic(target, private=True) as file:
            file.write(b"new")
            file.flush()
            assert sorted(stat.S_IMODE(each.stat().st_mode) for each in tmp_path.iterdir()) == sorted(made)
        assert stat.S_IMODE(target.stat().st_mode) == 0o600
        write(tmp_path / "b")
        assert stat.S_IMODE((tmp_path / "b").stat().st_mode) == 0o666, "what is not is made as any file is"
    finally:
        os.umask(mask)
