"""How the pictures of a study stand, and how they leave the window: copied, as tables, as files, as code.

`arrangement` and `slot` place them, `outgoing` copies and asks, `export_dialog` says how, `exports` writes beside the
window, `handover` shows code. What is written comes from `documents`. Begin with `arrangement`.
"""
