"""Try every door with inputs that new paths through the program lead to:

    pip install atheris
    python tests/fuzz/run.py --minutes 10 [--door sessions] [--corpus FOLDER]

Says how many inputs each door had, how many branches they reached, and what was found: each finding stands in
FOLDER/findings as the input and the traceback. What was learnt stays in the folder, and a later run goes on from it.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
MOST_MEMORY = 300 * 2**20
"""Bytes by which an input may raise what the program ever held."""
HANGS, FULL = 60, 4096
"""Seconds and MiB after which an input is broken off from outside."""
INSTRUMENTED = ["dpstudio", "pypdf", "defusedxml", "fuzzed"]


class Enough(BaseException):
    """Long work that was asked for has had its time."""


class Fuzzing:
    """One door under the fuzzer: what is found is written down once for each place, and it goes on."""

    def __init__(self, door: Any, folder: Path) -> None:
        self.door, self.folder = door, folder
        self.seen: dict[str, int] = {}
        folder.mkdir(parents=True, exist_ok=True)
        if door.computes:
            signal.signal(signal.SIGVTALRM, self._stop)

    def __call__(self, data: bytes) -> None:
        data = data[:self.door.longest]
        failed = self.failure(data)
        if failed is None:
            return
        key, told = failed
        if key not in self.seen or len(data) < self.seen[key] // 2:
            data, told = self.smaller(data, key, told)
            self.seen[key] = len(data)
            stem = self.folder / f"{self.door.name}-{hashlib.sha256(key.encode()).hexdigest()[:10]}"
            stem.with_suffix(".input").write_bytes(data)
            stem.with_suffix(".txt").write_text(f"{key}\n{data[:300]!r}\n\n{told}", "utf-8", "backslashreplace")
            print(f"FOUND {self.door.name}: {key}", file=sys.stderr, flush=True)

    def failure(self, data: bytes) -> tuple[str, str] | None:
        """What is wrong with an input, by the place where it is, and the traceback."""
        held, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
        if self.door.computes:
            signal.setitimer(signal.ITIMER_VIRTUAL, self.door.seconds)
        try:
            self.door.check(data)
        except Enough:
            return None
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:
            return _named(error), "".join(traceback.format_exception(error))
        finally:
            if self.door.computes:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        taken = time.process_time() - began
        more = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - held) * 1024
        if more > MOST_MEMORY:
            return "memory", f"{more / 2**20:.0f} MiB more for {len(data)} bytes"
        if taken > self.door.seconds and not self.door.computes:
            began = time.process_time()
            self.door.check(data)
            taken = time.process_time() - began
            if taken > self.door.seconds:
                return "time", f"{taken:.1f} s for {len(data)} bytes"
        return None

    def smaller(self, data: bytes, key: str, told: str) -> tuple[bytes, str]:
        """An input with the same failure, as small as a few seconds make it."""
        if key == "memory":
            return data, told
        end, size = time.monotonic() + 20, max(len(data) // 2, 1)
        while size and time.monotonic() < end:
            at = 0
            while at < len(data) and time.monotonic() < end:
                shorter = data[:at] + data[at + size:]
                failed = self.failure(shorter)
                if failed is not None and failed[0] == key:
                    data, told = shorter, failed[1]
                else:
                    at += size
            size //= 2
        return data, told

    def _stop(self, *_: object) -> None:
        raise Enough


def _named(error: BaseException) -> str:
    """The kind of an error and the place in the program that it came from."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "/dpstudio/" in frame.filename] or list(frames)
    last = ours[-1]
    said = re.sub(r"\d+|'.*'|\".*\"|“.*”", "…",
                  str(error).partition("\n")[0])[:60] if "fuzzed" in frames[-1].filename else ""
    return f"{type(error).__name__} in {Path(last.filename).name}:{last.name}:{last.lineno} {said}".strip()


def fuzz(name: str, seconds: int, corpus: Path) -> None:
    """Try one door in this process, which ends with it."""
    import atheris  # type: ignore[import-not-found]  # for this alone, and not for every system

    sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parents[1])]
    os.environ["XDG_CONFIG_HOME"] = tempfile.mkdtemp(prefix="dpstudio-fuzz-")
    with atheris.instrument_imports(include=INSTRUMENTED):
        doors = import_module("fuzzed").DOORS
        door = doors[name]
        kept = corpus / "corpus" / name
        kept.mkdir(parents=True, exist_ok=True)
        trying = Fuzzing(door, corpus / "findings")
        for seed in door.sown:  # what is imported late is instrumented, too
            trying.failure(seed)
            (kept / hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)

    for seed in door.sown:
        trying(seed)

    def mutated(data: bytes, most: int, seed: int) -> bytes:
        chance = random.Random(seed)
        how = chance.random()
        made = (bytes(atheris.Mutate(data, most)) if how < 0.4
                else door.mutated(chance.choice(door.sown) if how > 0.97 else data, chance, door.tokens))
        return made[:most]

    atheris.Setup([sys.argv[0], str(kept), f"-max_total_time={seconds}", f"-max_len={door.longest}",
                   "-print_final_stats=1",
                   f"-timeout={HANGS}", f"-rss_limit_mb={FULL}", f"-artifact_prefix={corpus}/findings/{name}-",
                   "-len_control=20"], trying, custom_mutator=mutated)
    atheris.Fuzz()


def run(names: Iterable[str], minutes: float, corpus: Path) -> int:
    """Try doors one after the other, each an equal share of the time, and say what came of it."""
    names, found, total = list(names), 0, 0
    print(f"{'door':12} {'seconds':>8} {'inputs':>10} {'branches':>8} {'kept':>6}  findings")
    for name in names:
        end = time.monotonic() + 60 * minutes / len(names)
        tried = branches = held = 0
        began, told = time.monotonic(), [""]
        while (left := int(end - time.monotonic())) > 1:
            ended = subprocess.run([sys.executable, __file__, "--door", name, "--seconds", str(left), "--corpus",
                                    str(corpus)],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   check=False)
            said = ended.stderr.decode("utf-8", "replace")
            told += re.findall(r"^FOUND (.*)$|(?:ERROR: libFuzzer: (.*))$", said, re.MULTILINE)
            tried += max(map(int, re.findall(r"(?:^#|number_of_executed_units: )(\d+)", said, re.MULTILINE)), default=0)
            branches = max([branches, *map(int, re.findall(r"cov: (\d+)", said))])
            held = max([held, *map(int, re.findall(r"corp: (\d+)/", said))])
            if ended.returncode and not re.search(r"libFuzzer: (timeout|out-of-memory|deadly)", said):
                print(said[-3000:], file=sys.stderr)
                break
        lines = sorted({a or f"{name}: {b}" for a, b in (each for each in told if each)})
        found, total = found + len(lines), total + tried
        print(f"{name:12} {time.monotonic() - began:8.0f} {tried:10} {branches:8} {held:6}  {len(lines)}", flush=True)
        for each in lines:
            print(f"    {each}", flush=True)
    print(f"{total} inputs, {found} findings; what was found stands in {corpus / 'findings'}")
    return 1 if found else 0


def main() -> int:
    asked = argparse.ArgumentParser(description="Try every door with inputs to which new paths lead.")
    asked.add_argument("--minutes", type=float, default=10.0, help="for all doors together")
    asked.add_argument("--door", action="append", help="one door, again for more; all if not given")
    asked.add_argument("--corpus", type=Path, default=Path(tempfile.gettempdir()) / "dpstudio-fuzz",
                       help="where inputs are kept")
    asked.add_argument("--seconds", type=int, help=argparse.SUPPRESS)
    options = asked.parse_args()
    if options.seconds:
        fuzz(options.door[0], options.seconds, options.corpus)
    sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parents[1])]
    doors = import_module("fuzzed").DOORS
    if unknown := set(options.door or ()) - doors.keys():
        asked.error(f"there is no door {sorted(unknown)[0]}: there are {', '.join(doors)}")
    return run(options.door or doors, options.minutes, options.corpus)


if __name__ == "__main__":
    sys.exit(main())
