"""The command line: the same studies, numbers and pictures as the window, for scripts and servers.

`parser` declares the commands and their flags, `request` makes a session of them, and each other module does what one
command asks; `talk` is how they refuse, fail and report progress. Everything heavy is imported by the command that
needs it. Exit status 0: done; 1: the machine failed; 2: the input was refused; 3: nothing is as wanted; 1 and 2 say why
in one line. Begin at `parser`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from dpstudio.cli.talk import Failure, Refused, give_up_output, prepare_streams, say
from dpstudio.text.given import cut

INTERRUPTED, READER_GONE = 128 + 2, 128 + 13
"""What a shell reports for a program that SIGINT or SIGPIPE ended."""
_LONGEST_PATH = 300
"""Characters of a path in a sentence: it is copied from there."""
_REWRITES = ("render", "report")
"""Commands that may write over what they read: all that they write carries its session."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    prepare_streams()
    os.environ.pop("MPLBACKEND", None)  # nothing is shown by matplotlib, which reads no further where it names nothing
    try:
        status = _run(sys.argv[1:] if arguments is None else arguments)
        if sys.stdout:
            sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        give_up_output()
        return READER_GONE
    except OSError as error:
        give_up_output()
        where = cut(str(error.filename), _LONGEST_PATH) if error.filename else "to standard output"
        say(f"cannot write {where}: {error.strerror or error}")
        return 1
    except (Failure, MemoryError) as failure:
        say(str(failure) or "this needs more memory than there is")
        return 1
    except UnicodeEncodeError:  # what a shell handed over is no text, but a file's name may be such
        say("what was given must be UTF-8 text, got bytes that are none")
        return 2
    except Exception as error:
        if _is_refusal(error):
            say(str(error))
            return 2
        if sys.flags.dev_mode:
            raise
        say(f"internal error, {type(error).__name__}: {error} (python -X dev -m dpstudio … shows where)")
        return 1


def _run(arguments: Sequence[str]) -> int:
    from dpstudio.cli.parser import COMMANDS, parser

    if not arguments or not (arguments[0] in COMMANDS or arguments[0].startswith("-")):
        from dpstudio.cli.window import open_window

        return open_window(*arguments)
    try:
        options = parser().parse_args(arguments)
    except SystemExit as leaving:  # it has printed its help
        return leaving.code if isinstance(leaving.code, int) else 0
    if getattr(options, "output", None) and options.command not in _REWRITES:
        from dpstudio.cli.request import spare_sources

        spare_sources(options)
    module = import_module(f"dpstudio.cli.{COMMANDS[options.command]}")
    status: int | None = getattr(module, f"run_{options.command}")(options)
    return status or 0


def _is_refusal(error: Exception) -> bool:
    from dpstudio.core.declare import InvalidParameter
    from dpstudio.documents.codec import SessionError

    return isinstance(error, Refused | InvalidParameter | SessionError)
