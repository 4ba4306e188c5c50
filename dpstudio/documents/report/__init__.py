"""Reports: what was chosen and why, as documents; a tree of plain blocks first, from which both forms are written.

Page one, to be signed, is `cover`; page two, what the choice rests on, is `grounds`; the appendix to check them is
`chapter`, which begins with the `label` and what is `stated` of the release, whose guarantee is `promised`. `contents`
says what goes in, `writing` leads; `numbers`, `outcome`, `drawn` and `kept` make the blocks of `blocks`; `html` and
`pdf` read nothing else. `registry` makes an entry for the registry of deployments. Begin with `writing.steps`.

    report.write("decision.pdf", session)
    for progress in report.steps("html", session, report.ReportChoice(appendix="none")): …
"""

from dpstudio.documents.report.contents import (
    APPENDICES,
    USUAL_APPENDIX,
    Appendix,
    ReportChoice,
    figures_in,
    foremost,
    studies_in,
    studies_offered,
)
from dpstudio.documents.report.registry import NAME, entry_of
from dpstudio.documents.report.writing import ENDINGS, FORMATS, content, format_of, made, steps, write

__all__ = ["APPENDICES", "ENDINGS", "FORMATS", "NAME", "USUAL_APPENDIX", "Appendix", "ReportChoice", "content",
           "entry_of", "figures_in", "foremost", "format_of", "made", "steps", "studies_in",
           "studies_offered", "write"]
