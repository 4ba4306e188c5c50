"""What studies and mechanisms are made of: declarations, answers, figures, seeded sampling.

`declare` has parameters, `facts` what an answer is declared to have, `answer` and `slow` how and when it is computed,
`results` what comes of it, `figure` what is drawn; `study` puts them together: begin there. The folders `solve`,
`match`, `frontier` and `sweep` ask many answers at once. It imports `vocabulary` and `text`; no window, no file.
"""
