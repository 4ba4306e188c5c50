"""What an answer says beside its pictures: the table of facts, the headline and the verdict.

`model` holds the facts as rows and columns, `paint` draws headings and cells, `view` is the table on screen, `table` is
what it shares with other tables, `sentences` are the words. It reads updates and changes nothing. Begin with `view`.
"""
