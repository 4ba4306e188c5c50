"""Cases that open ready, and a first look at the window."""
