"""The frontier of a study: its outcome against what privacy costs, who matches whom, and who is ahead where."""
