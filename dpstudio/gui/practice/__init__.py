"""Cases that open ready, and a first look at the window.

`practice` opens the scenarios of `documents/scenarios.py`, with a `scenario` card above the pictures, and leads the
`tour`, which lies over the window while that is used. Read when it is first wanted. Begin at `practice.py`.
"""
