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

# Groups by the values of columns, and the numbers of a column
GROUPS_COUNTED = Quantity("groups_counted", "K", "groups", "Number of groups that the values of one column make, or "
                          "the pairs of values of two.", integers(0, EXACT_INTEGERS), "log", "groups")
GROUPED_ROWS = Quantity("grouped_rows", "in groups", "rows in groups", "Sum of the counts of all groups, under the "
                        "bound on the rows of each person if there is one.", integers(0, EXACT_INTEGERS), "log", "rows")
VALUELESS_ROWS = Quantity("valueless_rows", "no value", "rows without a value", "Rows that qualify and have no value "
                          "in a column that is asked for: they are left out.", integers(0, EXACT_INTEGERS), "log",
                          "rows")
INFINITE_ROWS = Quantity("infinite_rows", "infinite", "rows with an infinite value", "Rows that qualify and have an "
                         "infinite number in the column: they are left out.", integers(0, EXACT_INTEGERS), "log",
                         "rows")
PERSONS_COUNTED = variant(PERSONS, key="persons_counted", label="persons with a row that counts",
                          sentence="Number of persons that the rows which count belong to.")
GROUPS_EACH = Quantity("groups_each", "groups each", "groups of one person", "Number of groups in which one person has "
                       "a row that counts.", integers(0, EXACT_INTEGERS), unit="groups")
MOST_GROUPS_EACH = variant(GROUPS_EACH, key="most_groups", symbol="κ", label="most groups of one person",
                           sentence="Largest number of groups that one person is in, in this file; other data may "
                           "have more.")
MOST_IN_GROUP = variant(ROWS_EACH, key="most_in_group", symbol="max rows in a group", label="most rows of one person "
                        "in a group", sentence="Largest number of rows that one person has in one group, before any "
                        "bound, in this file; other data may have more.")
VALUES_TAKEN = Quantity("values_taken", "n", "numbers of the column", "Number of rows that count and have a finite "
                        "number in the column.", integers(0, EXACT_INTEGERS), "log", "rows")
DIFFERENT_VALUES = Quantity("different_values", "different", "different values", "Number of different numbers in the "
                            "column, after rounding if there is any.", integers(0, EXACT_INTEGERS), "log")
ROUNDED_TO = Quantity("rounded_to", "step", "rounded to", "Step to whose multiples numbers are rounded; 0 where they "
                      "are as they stand in the file.", NONNEGATIVE)
