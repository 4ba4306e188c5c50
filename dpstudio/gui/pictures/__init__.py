"""The arrangement of the pictures in the window, their values as a table, and their way to files and the clipboard."""
