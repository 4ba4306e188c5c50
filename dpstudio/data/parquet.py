"""A table of ours as a Parquet file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy.typing as npt

from dpstudio.data.columns import identifier, literal
from dpstudio.data.database import connected


def parquet(columns: Mapping[str, npt.NDArray[Any]], about: Mapping[str, str]) -> bytes:
    """Columns of equal length, in order, and what the file says about itself, by names that are plain words."""
    with TemporaryDirectory(prefix="dpstudio-") as folder:
        path = Path(folder) / "table.parquet"
        connection = connected(path)
        try:
            connection.register("columns", dict(columns))
            said = ", ".join(f"{name}: {literal(text)}" for name, text in about.items())
            # The database takes nan in an array for nothing at all.
            listed = ", ".join(f"coalesce({identifier(name)}, 'nan'::DOUBLE) AS {identifier(name)}"
                               if values.dtype.kind == "f" else identifier(name) for name, values in columns.items())
            connection.execute(f"COPY (SELECT {listed} FROM columns) TO {literal(str(path))} "
                               f"(FORMAT parquet, COMPRESSION zstd, KV_METADATA {{{said}}})")
        finally:
            connection.close()
        return path.read_bytes()
