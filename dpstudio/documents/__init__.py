"""What leaves the program and comes back: sessions, tables, pictures for print, reports, code for other libraries.

A `session.Session` is plain data; edits of it are its methods, `session_file` reads and writes it, and every other file
carries it (`embedded`). `tables`, `comparison` and `sweeps` write numbers, `pictures` and `print` figures, `report`
pages, which `typesetting` sets apart, `code` scripts; `rows` and `listing` are facts in words. Imports `data`,
`studies` and what lies below, never the window. Begin with `session.py`, then `state.py`.
"""
