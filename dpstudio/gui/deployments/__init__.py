"""Deployments in use, as a list: what each spends, for which unit of privacy, and why it is marked or not.

`model` is the table, `pane` the pane around it; what a row says, `documents/deployments.py` says. Begin at `pane.py`.
"""
