"""Reading people's files into counts, with an embedded database that can read the chosen file and nothing else.

    with DataFile("people.csv") as file:
        table = file.open()
        counted = file.count(parse("age >= 65 and smoker", table.columns), person="id")
    counted.records(at_most=1)

`file` opens a table through a locked `database`, `condition` says which records qualify, `counting` counts them, and
`origin` remembers where a number came from. Nothing heavy is imported before a file is opened. Imports `studies` and
what lies below. Begin at `file`.
"""
