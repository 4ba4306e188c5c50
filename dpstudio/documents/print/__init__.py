"""Figures drawn for print: a Scene on a sheet of paper, as SVG, PDF or PNG; matplotlib is imported only to draw.

`drawing` lays out the sheet, `painters` put each layer on the axes, `sheet` has what stands around them, `style` the
sizes and `fonts` the letters. It draws what `scene` says and decides nothing of it. Begin with `drawing.draw`.
"""
