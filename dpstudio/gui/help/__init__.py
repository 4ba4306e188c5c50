"""Help pages beside a study: shown, searched, and with today's numbers in their formulas; the texts are `documents.help`.

Begin with `page`.
"""
