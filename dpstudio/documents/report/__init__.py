"""Reports: what was chosen and why, as documents; a tree of plain blocks first, from which both forms are written.

`writing` leads, `chapter` and `cover` say what stands there, `numbers`, `outcome`, `drawn` and `kept` make the blocks
of `blocks`; `html` and `pdf` read nothing else. Begin with `writing.steps`.

    report.write("decision.pdf", session)
    for progress in report.steps("html", session, report.ReportChoice(values=False)): …
"""

from dpstudio.documents.report.chapter import ReportChoice
from dpstudio.documents.report.writing import (
    FORMATS,
    ReportProgress,
    content,
    figures_in,
    format_of,
    made,
    steps,
    studies_in,
    write,
)

__all__ = ["FORMATS", "ReportChoice", "ReportProgress", "content", "figures_in", "format_of", "made", "steps",
           "studies_in",
           "write"]
