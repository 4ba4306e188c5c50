"""What formulas say, transcribed: each below what is typeset, to be read against it, and compared at random settings to
the mechanism or the fact.
"""
