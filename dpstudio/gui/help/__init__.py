"""Help pages beside a study: shown, searched, and with today's numbers in their formulas.

The texts are `documents.help`; `page` shows them, in the place that `card` keeps for it until somebody looks.
"""
