"""The installed program: the command with arguments for it, the window without."""

import multiprocessing
import sys

if __name__ == "__main__":
    multiprocessing.freeze_support()  # first: a process for a sweep is this program begun anew
    from dpstudio.cli import main

    sys.exit(main())
