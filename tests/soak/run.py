"""Use the window for hours, and say what is left behind:

    python tests/soak/run.py [--seed 0] [--actions 100000] [--looks 25000,50000,100000]

Each action is random and follows the seed. Whatever is raised, warned of or written down as a fault, in any thread, by
Python or by Qt, is told with the actions before it. At each look the same session is opened, and what the program holds
is written down. It grew where the least of it in the last stretch, as long as that to the first look, is more than in
the one after that look. Exit status 1 where anything failed or grew.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import resource
import sys
import tempfile
import threading
import time
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parents[1])]
from memory_kit import resident  # noqa: E402 - beside the suite, which is no package

MOST_TOLD = 20
STILL = 300.0
"""Seconds after which a window that has not come back from an action stands still: where is told, and the run ends."""
MUCH, TOO_MUCH = 2**30, 3 * 2**30
"""Bytes from which on it is told where each thread is, and at which the run ends, before the system ends it."""


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("--seed", type=int, default=0)
    asked.add_argument("--actions", type=int, default=100_000)
    asked.add_argument("--looks", default="25000,50000,100000")
    options = asked.parse_args()
    looks = sorted({int(each) for each in options.looks.split(",") if int(each) <= options.actions} | {options.actions})
    with tempfile.TemporaryDirectory(prefix="soak-") as room:
        return soak(options.seed, looks, Path(room))


def soak(seed: int, looks: list[int], room: Path) -> int:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    for name, folder in (("HOME", "."), ("XDG_CONFIG_HOME", "config"), ("XDG_DATA_HOME", "data"),
                         ("XDG_STATE_HOME", "state"), ("XDG_CACHE_HOME", "cache")):
        (room / folder).mkdir(exist_ok=True)
        os.environ[name] = str(room / folder)
    os.chdir(room)  # what is typed as the name of a file may be one without a folder
    warnings.simplefilter("error")
    from anything import SoakHand, grew, least, more_of
    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QApplication

    from dpstudio.gui.shell.freed import give_back

    give_back()  # as the program does
    app = QApplication([])
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(room / "config"))
    files = room / "files"
    files.mkdir()
    (files / "people.csv").write_text("id,age\n" + "".join(f"{i},{i * 7 % 90}\n" for i in range(500)), "utf-8")
    threading.Thread(target=watch_memory, args=(room,), daemon=True).start()
    hand = SoakHand(seed, files)
    hand.settle()
    began, used, seen, told, kinds = time.monotonic(), time.process_time(), {}, 0, None
    for number in range(1, looks[-1] + 1):
        faulthandler.dump_traceback_later(STILL, exit=True)
        try:
            hand.act()
        except Exception as error:
            import traceback

            hand.fail(f"{type(error).__name__}: {error}\n" + traceback.format_exc())
        faulthandler.cancel_dump_traceback_later()
        if number % 500 == 0:
            hand.settle(0.05)
        for why in hand.failures[told:told + 1] if told < MOST_TOLD else ():
            print(f"\nFAILED at action {number} of seed {seed}: {why}", flush=True)
        told = len(hand.failures)
        if number in looks or number % 5000 == 0:
            seen[number] = look(hand)
            says = "  ".join(f"{name} {value:.0f}" for name, value in seen[number].items())
            print(f"{number:7d}  {time.monotonic() - began:6.0f} s  {says}  failures {len(hand.failures)}", flush=True)
            kinds = kinds or hand.kinds
            print("".join(f"         {each}\n" for each in more_of(kinds, hand.kinds)), end="", flush=True)
    print(f"\n{looks[-1]} actions, {time.monotonic() - began:.0f} s, of the processor "
          f"{time.process_time() - used:.0f} s; most memory "
          f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")
    print("done: " + ", ".join(f"{name} {times}" for name, times in hand.acts.most_common()))
    first, last = looks[0], looks[-1]
    grown = grew(*(least(seen[number] for number in seen if begin <= number <= begin + first)
                   for begin in (first, last - first)))
    for each in grown:
        print(f"GREW: {each}")
    hand.end()
    del app
    return 1 if hand.failures or grown else 0


def watch_memory(room: Path) -> None:
    """Tell where each thread is when memory is more than ever, and end the run where it does not end.

    What was done last stands in a file of the room, which is left there then.
    """
    most = MUCH
    while (held := resident()) < TOO_MUCH:
        if held > most:
            most = held + MUCH // 4
            print(f"\n{held / 2**20:.0f} MiB are held while", flush=True)
            faulthandler.dump_traceback(all_threads=True)
        time.sleep(0.1)
    print(f"\nFAILED: {held / 2**20:.0f} MiB are held; what was done last: {room}", flush=True)
    faulthandler.dump_traceback(all_threads=True)
    os._exit(1)


def look(hand) -> dict[str, float]:
    """What is held while the same session is in view, and nothing is under way."""
    from PySide6.QtWidgets import QApplication

    for each in QApplication.topLevelWidgets():
        if each is not hand.window and each.isVisible() and each.isWindow():
            each.close()
    hand.begin_anew()
    hand.settle(3.0)
    hand.rest()
    return hand.levels()


if __name__ == "__main__":
    sys.exit(main())
