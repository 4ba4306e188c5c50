"""The installed program: the command with arguments for it, the window without."""

import multiprocessing
import sys

if __name__ == "__main__":
    multiprocessing.freeze_support()  # first: a process for a sweep is this program begun anew
    if sys.argv[1:2] == ["-m"]:  # and so is one that sets pages: what it needs, no window waits for
        from dpstudio.documents import typesetting

        sys.exit(typesetting.main())
    from dpstudio.cli import main

    sys.exit(main())
