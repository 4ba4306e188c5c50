"""A picture with sliders on the command line: what is swept, progress, and the page."""

from __future__ import annotations

from argparse import Namespace

from dpstudio.cli.request import check_over, figure_of, session_of
from dpstudio.cli.talk import Refused, progress
from dpstudio.documents.files import write_file
from dpstudio.documents.living import Living, steps, swept


def render_living(options: Namespace) -> None:
    """Write the page; raises InvalidParameter, Refused and OSError."""
    for flag in ("size", "dpi", "published", "all", "format"):
        if getattr(options, flag):
            raise Refused(f"--{flag} is for pictures on paper: a living page takes what room there is")
    if not options.over:
        raise Refused("--over is missing: a living page has a slider for a parameter or two, such as "
                      "--over epsilon=0.01:10:41:log")
    session = session_of(options)
    kind = session.study_class
    check_over(kind, options.over, options.settings)
    made = b""
    with progress() as show:
        for step in steps(Living(session, figure_of(kind, options.figure), swept(kind, options.over))):
            made = step.made or made
            show(f"{step.doing}, {step.done} of {step.total} settings")
    write_file(options.output, made)
