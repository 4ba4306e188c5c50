"""What the command line does when streams are closed or full, and when what it is given is no text or has no end."""

from __future__ import annotations

import io
import json
import os
import shlex
import signal
import subprocess
import sys

import pytest

from dpstudio.cli import batch, main, talk

EXACT = ("compute", "response", "--no-simulation")
LONG = "x" * 100_000
unix = pytest.mark.skipif(os.name != "posix", reason="needs a shell and devices of a Unix")
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /dev/full and names of any bytes")


def shell(line, **environment):
    """Run a line of a shell, in which $dpstudio is the command; its status, output and errors."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path),
                                "dpstudio": "run"} | environment
    command = ["sh", "-c", f'run() {{ {shlex.quote(sys.executable)} -m dpstudio "$@"; }}; {line}']
    ended = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60, check=False)
    return ended.returncode, ended.stdout, ended.stderr


def one_line(err):
    assert err.startswith("dpstudio: ")
    assert err.count("\n") == 1
    assert "internal error" not in err
    return True


def one_line_of(capsys):
    err = capsys.readouterr().err
    assert one_line(err)
    return err


class OneByte(io.RawIOBase):
    """A raw file that takes one byte at a time, and no more than there is room for."""

    def __init__(self, room=10**9):
        self.room, self.taken = room, bytearray()

    def writable(self):
        return True

    def write(self, data):
        if len(self.taken) >= self.room:
            raise OSError(28, os.strerror(28))
        self.taken += bytes(data[:1])
        return 1


@pytest.mark.parametrize("command", [("list", "decision"), ("--help",)])
def test_that_a_write_that_takes_less_is_gone_on_with(monkeypatch, command, capsys):
    main(list(command))
    whole = capsys.readouterr().out
    raw = OneByte()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, write_through=True))
    monkeypatch.setattr(sys, "__stdout__", sys.stdout)
    assert main(list(command)) == 0
    assert raw.taken.decode() == whole


@pytest.mark.parametrize("command", [("list", "decision"), ("--help",), ("compute", "--batch", "-")])
def test_that_output_that_does_not_fit_is_a_failure(monkeypatch, command, capsys):
    raw = OneByte(100)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"study": "response"}\n')))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, write_through=True))
    monkeypatch.setattr(sys, "__stdout__", sys.stdout)
    monkeypatch.setattr("dpstudio.cli.give_up_output", lambda: setattr(raw, "room", 10**9))
    assert main(list(command)) == 1
    assert "cannot write to standard output: No space left on device" in capsys.readouterr().err


@linux
@pytest.mark.parametrize(("command", "unbuffered"), [
    ("list", ""), ("--version", "1"), ("compute response --no-simulation", ""),
    ("compute --batch requests", "1"), ("compute --batch requests", "")])
def test_that_a_full_disk_is_a_failure_with_and_without_a_buffer(tmp_path, command, unbuffered):
    (tmp_path / "requests").write_text('{"study": "response"}\n')
    status, out, err = shell(f"cd {tmp_path}; $dpstudio {command} > /dev/full", PYTHONUNBUFFERED=unbuffered)
    assert (status, out, err) == (1, "", "dpstudio: cannot write to standard output: No space left on device\n")


@unix
@pytest.mark.parametrize("command", ["list", "compute response --no-simulation", "compute --batch requests"])
def test_that_a_closed_output_is_a_failure_in_one_sentence(tmp_path, command):
    (tmp_path / "requests").write_text('{"study": "response"}\n')
    status, _, err = shell(f"cd {tmp_path}; $dpstudio {command} >&-")
    assert (status, err) == (1, "dpstudio: cannot write to standard output: Bad file descriptor\n")


@unix
def test_that_what_needs_no_standard_stream_works_without_any(tmp_path):
    for closed in (">&-", "2>&-", "<&-", "<&- >&- 2>&-"):
        target = tmp_path / "a.json"
        assert shell(f"$dpstudio {' '.join(EXACT)} --output {target} {closed}") == (0, "", ""), closed
        assert json.loads(target.read_text())["study"] == "response"
        target.unlink()


@unix
def test_that_with_errors_closed_notes_do_not_go_to_the_output(tmp_path):
    assert shell("$dpstudio compute response --set epsilon=x 2>&-") == (2, "", "")
    (tmp_path / "t.csv").write_text("a\n1\n")
    status, out, _ = shell(f"$dpstudio count {tmp_path}/t.csv --where 'a = 1' 2>&-")
    assert status == 0
    assert json.loads(out)["facts"][0]["value"] == 1


@linux
def test_that_what_a_shell_appends_to_is_appended_to(tmp_path):
    log = tmp_path / "log"
    log.write_text("before\n")
    assert shell(f"$dpstudio {' '.join(EXACT)} --output /dev/stdout >> {log}") == (0, "", "")
    before, _, after = log.read_text().partition("\n")
    assert before == "before"
    assert json.loads(after)["study"] == "response"


@linux
@pytest.mark.parametrize("arguments", [
    ("compute", "response", "--set", "epsilon=\udcff"), ("compute", "response", "--set", "\udcff=1"),
    ("compute", "\udcff"), ("compute", "response", "--\udcff"), ("compute", "response", "--format", "\udcff"),
    ("compute", "--session", "\udcff.json"), ("compute", "--batch", "none\udcff"), ("\udcff",), ("\udcff.json",),
    ("count", "none\udcff.csv", "--where", "a = 1"), ("count", "{t}", "--where", "a = '\udcff'"),
    ("count", "{t}", "--where", "\udcff = 1"), ("count", "{t}", "--where", "a = 1", "--person", "\udcff"),
    ("count", "{t}", "--where", "a = 1", "--missing", "\udcff"), ("count", "{t}", "--where", "\ud800"),
    ("render", "response", "--output", "\udcff"), ("render", "response", "--output", "a.svg", "--size", "\udcff"),
    ("render", "response", "--output", "a.svg", "--figure", "\udcff")], ids=lambda each: ascii(" ".join(each)))
def test_that_what_is_no_text_is_refused_in_one_line(tmp_path, capsys, arguments):
    (tmp_path / "t.csv").write_text("a\n1\n")
    assert main([each.replace("{t}", str(tmp_path / "t.csv")) for each in arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert one_line(err)
    err.encode()


@linux
def test_that_a_name_that_is_no_text_is_a_name(tmp_path, capsys):
    folder = os.fsencode(tmp_path)
    table, target = os.fsdecode(folder + b"/t\xff.csv"), os.fsdecode(folder + b"/o\xff.json")
    with open(table, "w") as file:  # noqa: PTH123
        file.write("a\n1\n")
    assert main(["count", table, "--where", "a = 1"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert (made["data"]["file"], made["facts"][0]["value"]) == ("t\ufffd.csv", 1)
    assert main([*EXACT, "--output", target]) == 0
    assert os.path.exists(target)  # noqa: PTH110
    assert main([*EXACT, "--output", target + "/x"]) == 1
    assert one_line(capsys.readouterr().err)


@unix
@pytest.mark.parametrize("arguments", [
    ("compute", "--session", "{ring}"), ("compute", "--batch", "{ring}"), ("count", "{ring}", "--where", "a = 1"),
    ("compute", "--session", "{pipe}"), ("count", "{pipe}", "--where", "a = 1"), ("compute", "--session", "/dev/zero"),
    ("compute", "--session", "/"), ("compute", "--batch", "/")])
def test_that_what_is_no_ordinary_file_is_refused_and_not_waited_for(tmp_path, capsys, arguments):
    (tmp_path / "ring.csv").symlink_to(tmp_path / "ring.csv")
    os.mkfifo(tmp_path / "pipe.csv")
    places = {"{ring}": str(tmp_path / "ring.csv"), "{pipe}": str(tmp_path / "pipe.csv")}
    assert main([places.get(each, each) for each in arguments]) == 2
    assert one_line(capsys.readouterr().err)


def test_that_an_output_in_a_ring_of_links_or_a_missing_folder_is_a_failure(tmp_path, capsys):
    (tmp_path / "ring.svg").symlink_to(tmp_path / "ring.svg")
    (tmp_path / "file").touch()
    for target, words in ((tmp_path / "ring.svg", ()), (tmp_path / "none" / "a.pdf", ()),
                          (tmp_path / f"{'x' * 300}.svg", ()), (tmp_path / "file" / "x", ("--all",))):
        assert main(["render", "response", *words, "--output", str(target)]) == 1
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith(f"dpstudio: cannot write {tmp_path}")
        assert one_line(err)


@pytest.mark.parametrize("arguments", [
    (LONG,), (f"{LONG}.json",), ("compute", LONG), ("compute", "response", LONG), ("compute", "response", f"--{LONG}"),
    ("compute", "response", "--set", LONG), ("compute", "response", "--set", f"{LONG}=1"),
    ("compute", "response", "--set", f"epsilon={LONG}"), ("compute", "response", "--set", f"epsilon={'9' * 100_000}"),
    ("compute", "response", "--set", f"epsilon={LONG}", "--set", f"epsilon={LONG}"),
    ("compute", "response", "--set", "epsilon=1", "--set", f"epsilon={LONG}"),
    ("compute", "response", "--format", LONG), ("compute", "response", "--format", "x " * 50_000),
    ("compute", "--session", LONG), ("compute", "--batch", LONG), ("render", "response", "--output", LONG),
    ("render", "response", "--output", f"{LONG}.svg"), ("render", "response", "--output", "a.svg", "--figure", LONG),
    ("render", "response", "--output", "a.svg", "--size", LONG),
    ("render", "response", "--output", "a.svg", "--dpi", LONG),
    ("count", LONG, "--where", "a = 1"), ("count", "{t}", "--where", LONG), ("count", "{t}", "--where", LONG[:9000]),
    ("count", "{t}", "--where", f"a = '{LONG[:9000]}"), ("count", "{t}", "--where", "a = 1", "--person", LONG),
    ("count", "{t}", "--symptom", LONG[:9000], "--action", "a = 1"), ("count", f"{LONG}.csv", "--where", "a = 1"),
    ("count", "{t}", "--where", "a = 1", "--person", "a", "--at-most", LONG)],
    ids=lambda each: " ".join(word[:12] for word in each))
def test_that_no_refusal_repeats_a_hundred_thousand_signs(tmp_path, capsys, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("a\n1\n")
    assert main([each.replace("{t}", "t.csv") for each in arguments]) in (1, 2)
    out, err = capsys.readouterr()
    assert out == ""
    assert one_line(err)
    assert len(err) < 800


def test_that_a_fault_of_ours_in_a_batch_is_answered_in_its_place(monkeypatch, capsys):
    computed, faults = batch.computed, iter((None, RuntimeError("y" * 1000), None))

    def failing(study, **options):
        if (fault := next(faults)) is not None:
            raise fault
        return computed(study, **options)

    monkeypatch.setattr(batch, "computed", failing)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"study": "response"}\n' * 3)))
    assert main(["compute", "--batch", "-"]) == 0
    made = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert ["error" in each for each in made] == [False, True, False]
    assert made[1]["error"].startswith("internal error, RuntimeError: yyy")
    assert len(made[1]["error"]) < 300


def test_that_requests_that_cannot_be_read_are_a_failure(monkeypatch, capsys):
    class Broken(io.RawIOBase):
        def readable(self):
            return True

        def readinto(self, _):
            raise OSError(5, os.strerror(5))

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Broken())))
    assert main(["compute", "--batch", "-"]) == 1
    assert capsys.readouterr() == ("", "dpstudio: the requests cannot be read: Input/output error\n")


@unix
def test_that_a_pipe_whose_reader_leaves_ends_without_a_word_unbuffered():
    line = "{ $dpstudio compute response; echo $? >&2; } | head -c 10 > /dev/null"
    status, out, err = shell(line, PYTHONUNBUFFERED="1")
    assert (status, out, err) == (0, "", f"{128 + signal.SIGPIPE}\n")


def test_that_streams_are_made_ready_once():
    before = sys.stdout
    talk.prepare_streams()
    assert sys.stdout is before


@pytest.mark.parametrize("arguments", [("code", "{}", "--output", "{}"), ("compute", "{}", "--output", "./{}"),
                                       ("compute", "--session", "{}", "--output", "{}"),
                                       ("code", "{}", "--output", "link"),
                                       ("sweep", "{}", "--over", "epsilon=.1,.2", "--output", "{}", "--format", "csv")])
def test_that_nothing_is_written_over_the_session_that_is_read(tmp_path, monkeypatch, capsys, arguments):
    monkeypatch.chdir(tmp_path)
    session = tmp_path / "kept.dpstudio"
    main(["render", "noise", "--output", "noise.svg"])
    session.write_bytes((tmp_path / "noise.svg").read_bytes())
    (tmp_path / "link").symlink_to(session)
    before = session.read_bytes()
    assert main([each.format(session.name) for each in arguments]) == 2
    assert "must be another file than the one that is read" in one_line_of(capsys)
    assert session.read_bytes() == before


def test_that_answers_are_not_written_over_their_requests(tmp_path, capsys):
    requests = tmp_path / "requests.jsonl"
    requests.write_text('{"study": "noise"}\n', "utf-8")
    assert main(["compute", "--batch", str(requests), "--output", str(requests)]) == 2
    assert "must be another file than the one that is read" in one_line_of(capsys)
    assert requests.read_text("utf-8") == '{"study": "noise"}\n'


def test_that_a_picture_is_drawn_anew_in_its_own_place(tmp_path, capsys):
    picture = tmp_path / "noise.svg"
    assert main(["render", "noise", "--output", str(picture)]) == 0
    assert main(["render", str(picture), "--output", str(picture)]) == 0
