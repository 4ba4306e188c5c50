"""The frontier of a study: its outcome against what privacy costs, who matches whom, and who is ahead where.

`curves` has what a study declares (Outcome) and the fact traced along its parameter (Curves), `ahead` what is found
along the traces, `figure` the picture, the table and the words. Imports core alone, but no study and no solving: every
study has its frontiers, and solving asks studies. Begin at `figure.figures`.
"""
