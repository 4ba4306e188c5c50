"""The dialog that opens a table of people, and counts in it.

`reading` is the form and reads the file, `dialog` asks and hands the count on, `builder` puts a condition together,
`preview` and `result` show rows and counts. What is read goes through `data`. `own_audit` is a dialog of its own, for
outcomes of somebody's mechanism.
Begin with `dialog`.
"""
