"""Reading and counting in a table, beside the window."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal

from dpstudio.data.file import DataFile
from dpstudio.gui.shell.worker import Worker, log


class FileWorker(Worker):
    """Does one thing after the other with a file; the newest wins, and what it overtakes is interrupted."""

    refused = Signal(str)

    def __init__(self, worded: Callable[[ValueError], str], parent: QObject | None = None) -> None:
        """`worded` is how a refusal is said."""
        super().__init__("data", parent, interrupt=self._let_end)
        self.file: DataFile | None = None
        self._worded = worded

    def open(self, file: DataFile, done: Callable[[Any], object]) -> None:
        """Open a file and read its first rows; `done` gets both."""
        old = self.file

        def work() -> Any:
            if old is not None:
                old.close()
            return file.open(), file.preview()

        self.stop()  # while that is of the file before
        self.file = file
        self.start(work, done, failed=self._refuse)

    def ask(self, work: Callable[[DataFile], Any], done: Callable[[Any], object]) -> None:
        """Do something with the open file."""
        if self.file is not None:
            self.start(partial(_resumed, work, self.file), done, failed=self._refuse)

    def end(self) -> None:
        """Wait until nothing runs any more, and close the file."""
        self.close()
        if self.file is not None:
            self.file.close()
            self.file = None

    def _let_end(self) -> None:
        if self.file is not None:
            self.file.interrupt()

    def _refuse(self, error: Exception) -> None:
        if not isinstance(error, ValueError | OSError):
            log.error("reading a table failed: %s", type(error).__name__)  # no more: it may quote a row
        self.refused.emit(self._worded(error) if isinstance(error, ValueError)
                          else f"This cannot be read ({type(error).__name__}).")


def _resumed(work: Callable[[DataFile], Any], file: DataFile) -> Any:
    file.resume()  # what was let go has ended
    return work(file)
