"""The installed program: the command with arguments for it, the window without."""

import multiprocessing
import sys

if __name__ == "__main__":
    multiprocessing.freeze_support()  # first: a process for a sweep is this program begun anew
    from dpstudio.documents import typesetting

    if tuple(sys.argv[1:]) == typesetting.ARGUMENTS:  # and so is one that sets pages
        sys.exit(typesetting.main())
    from dpstudio.cli import main

    sys.exit(main())
