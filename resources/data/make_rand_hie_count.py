"""Remake rand_hie_count.json from the statsmodels wheel, which carries the whole table.

python resources/data/make_rand_hie_count.py statsmodels-0.15.0-….whl
"""

import csv
import inspect
import io
import json
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path

MEMBER = "statsmodels/datasets/randhie/src/randhie.csv"


def count(table: Iterable[dict[str, str]]) -> dict[str, int]:
    """Persons (zper) with a physical limitation (physlm is exactly 1), and the rows they take."""
    rows = list(table)
    limited = [row for row in rows if float(row["physlm"]) == 1.0]
    return {
        "records": len({row["zper"] for row in limited}),
        "rows": len(limited),
        "all_records": len({row["zper"] for row in rows}),
        "all_rows": len(rows),
    }


def describe(counts: dict[str, int]) -> dict[str, object]:
    """The counts together with all that is needed to judge them."""
    return {
        "title": "RAND Health Insurance Experiment: persons with a physical limitation",
        "source": "RAND Health Insurance Experiment, 1974–1982, as distributed with Cameron and Trivedi, "
        f"Microeconometrics (2005), and carried by statsmodels ({MEMBER})",
        "licence": "public domain",
        "unit": "one person (column zper); a row is one person in one study year, so a person has 1 to 5 rows",
        "condition": "physlm = 1: a physical limitation at baseline; fractional values of physlm are imputed "
        "and are not counted",
        "sensitivity": 1,
        **counts,
        "made_by": inspect.getsource(count).splitlines(),
    }


def main(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        text = io.TextIOWrapper(archive.open(MEMBER), encoding="utf-8", newline="")
        described = describe(count(csv.DictReader(text)))
    target = Path(__file__).with_name("rand_hie_count.json")
    target.write_text(json.dumps(described, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
