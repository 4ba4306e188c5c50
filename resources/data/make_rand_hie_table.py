"""Remake rand_hie.csv.gz, the example table, from the statsmodels wheel: every row, the columns named below, as text.

python resources/data/make_rand_hie_table.py statsmodels-0.15.0-….whl
"""

import csv
import gzip
import io
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path

MEMBER = "statsmodels/datasets/randhie/src/randhie.csv"
COLUMNS = ("zper", "year", "coins", "female", "xage", "educdec", "physlm", "disea", "ghindx", "hlthg", "hlthf", "hlthp",
           "mdvis")


def packed(table: Iterable[dict[str, str]]) -> bytes:
    """The columns as CSV, packed by gzip without a date or a name, so that the same table gives the same bytes."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(table)
    return gzip.compress(text.getvalue().encode(), compresslevel=9, mtime=0)


def main(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        text = io.TextIOWrapper(archive.open(MEMBER), encoding="utf-8", newline="")
        Path(__file__).with_name("rand_hie.csv.gz").write_bytes(packed(csv.DictReader(text)))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
