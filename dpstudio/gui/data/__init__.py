"""The dialog that opens a table of people, and counts in it."""
