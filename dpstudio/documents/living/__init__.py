"""A picture with sliders as one page for a browser: what a sweep comes to, cell by cell, and a script that shows it.

`cells` computes what each setting of the sliders has, `drawing` makes paths and labels of their scenes, `data` what the
script reads, `page` sets the page and `making` leads through it in steps. Begin with `making.steps`.
"""

from dpstudio.documents.living.cells import Living, swept
from dpstudio.documents.living.making import LARGEST, PageEstimate, estimate, made, steps

__all__ = ["LARGEST", "Living", "PageEstimate", "estimate", "made", "steps", "swept"]
