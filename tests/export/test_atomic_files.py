"""A file is the old one or the new one, whatever happens while it is written."""

from __future__ import annotations

import os
import sys

import pytest

from dpstudio.export.files import atomic


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


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_that_a_file_that_may_not_be_written_is_not_replaced(tmp_path):
    target = tmp_path / "a"
    target.write_bytes(b"old")
    target.chmod(0o400)
    with pytest.raises(PermissionError):
        write(target)
    assert target.read_bytes() == b"old"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /dev/full")
def test_that_a_device_is_written_to_and_not_replaced():
    with pytest.raises(OSError, match="No space left on device: '/dev/full'"):
        write("/dev/full", b"x" * 100_000)
    write(os.devnull)
    assert not os.path.isfile(os.devnull)  # noqa: PTH113
