"""Help pages beside a study: shown, searched, and with today's numbers in their formulas.

The texts are `documents.help`; the page and its card are in `page`.
"""
