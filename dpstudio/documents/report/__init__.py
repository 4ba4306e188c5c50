"""Reports: what was chosen and why, as documents.

    report.write("decision.pdf", session)
    for progress in report.steps("html", session, report.Chosen(values=False)): …
"""

from dpstudio.documents.report.chapter import Chosen
from dpstudio.documents.report.writing import (
    FORMATS,
    Progress,
    content,
    figures_in,
    format_of,
    made,
    steps,
    studies_in,
    write,
)

__all__ = ["FORMATS", "Chosen", "Progress", "content", "figures_in", "format_of", "made", "steps", "studies_in", "write"]
