"""A study handed over as text that does it elsewhere: a command line, Python, libraries that release data."""
