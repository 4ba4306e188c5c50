"""Counts taken from a file of people’s data."""

from __future__ import annotations

from dpstudio.vocabulary.quantity import *

FILE_ROWS = Quantity("file_rows", "rows", "rows of the file", "Number of rows that the file has.",
                     integers(0, EXACT_INTEGERS), "log", "rows")
COUNTED_OF = Quantity("counted_of", "of", "counted of", "Number of records among which N was counted.",
                      integers(0, EXACT_INTEGERS), "log", "records")
UNDECIDED_ROWS = Quantity("undecided_rows", "undecided", "rows undecided", "Rows in which a missing value leaves the "
                          "condition undecided: they do not qualify.", integers(0, EXACT_INTEGERS), "log", "rows")
UNNAMED_ROWS = Quantity("unnamed_rows", "unnamed", "rows of nobody", "Rows without a value that identifies a person.",
                        integers(0, EXACT_INTEGERS), "log", "rows")
PERSONS = Quantity("persons", "persons", "persons in the file", "Number of persons that the file's rows belong to.",
                   integers(0, EXACT_INTEGERS), "log", "people")
ROWS_EACH = Quantity("rows_each", "rows each", "rows of one person", "Number of rows that belong to one person.",
                     integers(0, EXACT_INTEGERS), unit="rows")
PERSONS_WITH = Quantity("persons_with", "persons", "persons with so many rows", "Number of persons with so many rows.",
                        integers(0, EXACT_INTEGERS), unit="people")
PERSONS_QUALIFYING = variant(PERSONS_WITH, key="persons_qualifying", label="persons with so many qualifying rows",
                             sentence="Number of persons with so many rows that qualify.")
MOST_ROWS = variant(ROWS_EACH, key="most_rows", symbol="max rows", label="most rows of one person",
                    sentence="Largest number of rows that belong to one person in this file; other data may have more.")
PERSON_SENSITIVITY = Quantity("person_sensitivity", "Δ person", "sensitivity to one person", "How far one person, "
                              "with all their rows, can move the count; infinite where nothing bounds their rows.",
                              integers(1))
