"""Reports: what was chosen and why, as documents.

    report.write("decision.pdf", session)
    for progress in report.steps("html", session, report.Chosen(values=False)): …
"""

from dpstudio.documents.report.writing import FORMATS, Chosen, Progress, figures_in, format_of, made, steps, write

__all__ = ["FORMATS", "Chosen", "Progress", "figures_in", "format_of", "made", "steps", "write"]
