"""What a person has set, and the answers to it.

`document` owns the session and the way back, `counts` knows which values are data's, `answers` and `pins` ask for what
is seen of it, `views` decides which stretch is shown, and `files` opens, saves and keeps it for the next start
(`recovery`). Imports `documents` and the frame of the window, no picture and no control. Begin at `document.py`.
"""
