"""Cases from practice that open ready.

`practice` opens the scenarios of `documents/scenarios.py`, with a `scenario` card above the pictures. Read when it is
first wanted.
"""
