"""Makes resources/deployments anew from a checkout of the registry of deployments:

    git clone https://github.com/opendp/deployments-registry-data
    python packaging/deployments.py deployments-registry-data

What the entries state is kept as it stands there. Of what they state in words of their own, the kind of unit of privacy
and for how long it holds are found by the rules below; what no rule knows stays unknown, and is said.
"""

from __future__ import annotations

import argparse
import html
import json
import math
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from dpstudio.core.units import Model, Period, Unit
from dpstudio.text.numbers import decade

FOLDER = Path(__file__).parents[1] / "resources" / "deployments"
REGISTRY = "https://github.com/opendp/deployments-registry-data"
LICENCE = "MIT, Copyright (c) 2025 OpenDP: see LICENSE.txt"

UNITS: Sequence[tuple[str, Unit]] = (
    (r";", "several"),
    (r"\bestablishment\b", "organization"),
    (r"\bbounded contribution\b", "part"),
    (r"\baccount\b", "account"),
    (r"\bdevice\b", "device"),
    (r"\bevent\b", "event"),
    (r"\b(record|tuple|birth|trip)\b", "record"),
    (r"\b(user|person|individual)\b", "person"),
)
"""The first of these that is found in the `privacy_unit` of an entry says its kind: “User-device-level” is a device. A
birth and a trip are records of which a person may have several; an event is reported by whom it happens to."""
PERIODS: Sequence[tuple[str, Period]] = (
    (r"\bquarter-day\b", "quarter of a day"), (r"\bday\b", "day"), (r"\bweek\b", "week"), (r"\bmonth\b", "month"),
    (r"\byear\b", "year"),
)
LASTING: frozenset[Unit] = frozenset(("person", "device", "account"))
"""Units that may take part again; of a record or an event it makes no difference."""
AGAIN = re.compile(r"\b(daily|weekly|monthly|yearly|\d+ hours?)\b")
"""What is released so often spends its ε anew each time, unless the unit itself says for how long it is."""
MODELS: Mapping[str | None, Model] = {"Central": "central", "Local": "local", "Shuffle": "shuffled",
                                      "Federated": "federated", "Varies": "varies", None: "unknown"}

BELOW = {"epsilon": math.inf, "delta": 1.0, "rho": math.inf}
"""What a parameter that is stated as a number is less than."""

NOTHING = ("- N/A", "N/A")
_SIGNS = {"epsilon": "ε", "delta": "δ", "rho": "ρ", "mu": "μ", "tau": "τ", "ln": "ln", "prime": "′"}
_WRITTEN = (
    (r"\\+[()]", ""),  # where mathematics begins and ends
    (r"(?:\\|\t)times\b|\times\b", "×"),  # in quotes YAML reads the first two signs as a tabulator
    (r"\\(" + "|".join(_SIGNS) + r")(?![a-z])", lambda found: _SIGNS[found[1]]),
    (r"10\^\{[-−](\d+)\}", lambda found: decade(-int(found[1]))),
    (r"\^\{\((.*)\)\}", r"^(\1)"),
    (r"_\{(\w+)\}", r"_\1"),
    ("\ufb00", "ff"), ("\ufb01", "fi"),
    (r"\s+", " "),
)


class Unreadable(Exception):
    """What is wrong with a checkout, in one sentence."""


def plain(text: object) -> str:
    """Words of an entry on one line, mathematics with signs: “\\\\(\\epsilon = 4\\\\)” as “ε = 4”."""
    said = html.unescape(str(text or ""))
    for pattern, by in _WRITTEN:
        said = re.sub(pattern, by, said)
    said = said.strip()
    return "" if said in NOTHING else said


def unit_of(words: str, released: str) -> tuple[Unit, Period]:
    """The kind of unit that an entry states, and for how long it is, by what it says of how it is released."""
    unit = next((kind for pattern, kind in UNITS if re.search(pattern, words.casefold())), "unknown")
    period = next((kind for pattern, kind in PERIODS if re.search(pattern, words.casefold())), "")
    if not period and unit in LASTING and AGAIN.search(released.casefold()):
        period = "unsaid"
    return unit, period


def entry(found: Mapping[str, Any], name: str) -> dict[str, Any]:
    """One entry of the registry as the project keeps it; `name` is that of its file."""
    try:
        deployment = found["deployment"]
        basic = deployment["basic"]
        variant, loss, how, about = (deployment.get(part) or {} for part in (
            "dp_variant", "privacy_loss", "deployment_model", "administrative"))
        spent = loss.get("privacy_parameters") or {}
        words, released = plain(loss.get("privacy_unit")), plain(how.get("release_type_details"))
        unit, period = unit_of(words, released)
        return {
            "slug": found["url_slug"], "name": plain(basic["name"]), "curators": list(basic["data_curators"]),
            "date": basic["publication_date"], "what": plain(basic["description"]),
            "product": basic["data_product_type"],
            "unit": unit, "period": period, "unit_words": words,
            "unit_details": plain(loss.get("privacy_unit_details")),
            "model": MODELS[how.get("model_name")], "variant": variant.get("variant_name") or "",
            **{each: number(spent.get(each), each) for each in ("epsilon", "delta", "rho")},
            "spent": plain(loss.get("privacy_parameters_details")),
            "unprotected": plain(variant.get("unprotected_quantities")),
            "release": how.get("release_type") or "", "release_details": released,
            "access": how.get("access_type") or "", "notes": plain(about.get("notes")),
            "links": links(about.get("sources") or ""), "tier": found["tier"], "status": found["status"],
        }
    except (KeyError, TypeError, ValueError) as error:
        raise Unreadable(f"{name} is no entry that this can read: {error!r}") from error


def number(stated: object, name: str) -> float | str | None:
    """A parameter as it is stated: a number, or for δ the words that stand in its place."""
    if stated is None:
        return None
    if isinstance(stated, str):
        with suppress(ValueError):  # YAML reads 1e-7, without a point, as words
            return number(float(stated), name)
        if name == "delta" and not re.fullmatch(r"[-+.\deE]+", stated):
            return plain(stated)
    if isinstance(stated, int | float) and not isinstance(stated, bool) and 0 <= stated < BELOW[name]:
        return float(stated)
    raise ValueError(f"{name} is {stated!r}")


def links(sources: str) -> list[str]:
    """Every address that is named, once."""
    found = (html.unescape(each).rstrip(".,;") for each in re.findall(r"https?://\S+", sources))
    return list(dict.fromkeys(found))


def entries(checkout: Path) -> Iterator[dict[str, Any]]:
    """All entries of a checkout, by slug; raises Unreadable."""
    import yaml  # needed by this alone

    files = sorted((checkout / "deployments").glob("*.yaml"))
    if not files:
        raise Unreadable(f"{checkout} has no deployments/*.yaml: it is no checkout of {REGISTRY}")
    made = [entry(yaml.safe_load(file.read_text("utf-8")), file.name) for file in files]
    if len({each["slug"] for each in made}) < len(made):
        raise Unreadable("two entries have one slug")
    yield from sorted(made, key=lambda each: each["slug"])


def made(checkout: Path, commit: str, date: str) -> str:
    """The file, as text that is the same for the same entries."""
    listed = {"registry": REGISTRY, "commit": commit, "date": date, "licence": LICENCE,
              "deployments": list(entries(checkout))}
    return json.dumps(listed, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def version(checkout: Path) -> tuple[str, str]:
    """The commit that is checked out, and its day."""
    asked = ("git", "-C", str(checkout), "log", "-1", "--format=%H %cs")
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Unreadable(f"git knows no commit of {checkout}: {done.stderr.strip()}")
    commit, date = done.stdout.split()
    return commit, date


def main(arguments: Sequence[str] | None = None, folder: Path = FOLDER) -> int:
    parser = argparse.ArgumentParser(description="Make resources/deployments anew.")
    parser.add_argument("checkout", type=Path, help=f"a checkout of {REGISTRY}")
    checkout = parser.parse_args(arguments).checkout
    try:
        text = made(checkout, *version(checkout))
        licence = (checkout / "LICENSE").read_text("utf-8")
    except (Unreadable, OSError) as problem:
        print(problem, file=sys.stderr)
        return 1
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "deployments.json").write_text(text, "utf-8", newline="\n")
    (folder / "LICENSE.txt").write_text(licence, "utf-8", newline="\n")
    for each in json.loads(text)["deployments"]:
        if each["unit"] == "unknown" or each["period"] == "unsaid":
            print(f"{each['slug']}: of “{each['unit_words']}” the unit is {each['unit']}"
                  + (", and for how long is not said" if each["period"] else ""), file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
