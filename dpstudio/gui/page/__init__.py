"""The page of a study: what it answers, what can be chosen, what it depends on; everything else opens in place.

`bar` leads it, `page` puts the parts where they belong, `pictures` are the large picture, the one beside it and the
facts, `cards` what stands on the right. What is seen first is the study's `level_one`. Begin with `page`.
"""
