"""Remake DPStudioSymbols-*.ttf: the mathematical signs that Source Sans 3 lacks, cut from DejaVu Sans.

    python resources/fonts/make_symbols.py FOLDER    (with DejaVuSans.ttf and DejaVuSans-Bold.ttf in it)

The cut is renamed because the licence of DejaVu asks it of every modified copy.
"""

import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

FAMILY = "DP Studio Symbols"
BLOCKS = (
    (0x2190, 0x21FF),  # arrows
    (0x2200, 0x22FF),  # mathematical operators
    (0x2308, 0x230B),  # ceiling and floor
    (0x25A0, 0x25FF),  # geometric shapes
    (0x27E8, 0x27E9),  # angle brackets
)
SINGLES = "ℕℝϵᵢₖₙ★✓✗⟲"
DROPPED = ["FFTM", "GDEF", "GPOS", "GSUB", "kern"]  # single signs need no layout


def cut(source: Path, style: str) -> None:
    """Write the signs of one DejaVu file beside this script, under our own name."""
    font = TTFont(source, recalcTimestamp=False)  # the same input gives the same bytes
    options = Options(layout_features=[], name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14], hinting=False, drop_tables=DROPPED)
    subsetter = Subsetter(options)
    subsetter.populate(text=SINGLES, unicodes=[c for first, last in BLOCKS for c in range(first, last + 1)])
    subsetter.subset(font)
    postscript = f"{FAMILY.replace(' ', '')}-{style}"
    names = {1: FAMILY, 2: style, 3: f"{postscript} from DejaVu Sans", 4: f"{FAMILY} {style}", 6: postscript}
    for record in font["name"].names:
        record.string = names.get(record.nameID, record.toUnicode())
    font.save(Path(__file__).with_name(f"{postscript}.ttf"))


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    cut(folder / "DejaVuSans.ttf", "Regular")
    cut(folder / "DejaVuSans-Bold.ttf", "Bold")
