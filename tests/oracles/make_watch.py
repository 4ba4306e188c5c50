"""Makes watch.json: when a watch first says “yes”, by integrals over the noisy threshold in fifty digits."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from mpmath import ceil, e, expm1, mp, mpf, nstr, quad

mp.dps = 50
ABOUT = ("When AboveThreshold first says “yes”: the integral over the noisy threshold, by mpmath at 50 digits, cut at "
         "every bend; the sum of each case is 1 to 1e-20. Made by make_watch.py.")


def law(kind: str, first: float, second: float, threshold: float, counts: list[int]) -> list[mpf]:
    """The probability of each count, and of none, with noise of rates `first` and `second`."""
    one, two = mpf(first), mpf(second)
    apart = [mpf(count) - mpf(threshold) for count in counts]
    one_sided = kind == "exponential"

    def no(x: mpf) -> mpf:
        if one_sided:
            return mpf(0) if x < 0 else -expm1(-two * x)
        return e ** (two * x) / 2 if x < 0 else 1 - e ** (-two * x) / 2

    def yes(x: mpf) -> mpf:
        if one_sided:
            return mpf(1) if x < 0 else e ** (-two * x)
        return 1 - e ** (two * x) / 2 if x < 0 else e ** (-two * x) / 2

    bends = sorted({*apart, mpf(0)})
    low, high = bends[0] - 100 / one, bends[-1] + 110 / one + 110 / two
    if one_sided:
        bends, low = [x for x in bends if x >= 0], mpf(0)
    ends = [low]
    for x in [*bends, high]:
        start, parts = ends[-1], max(1, int(ceil((x - ends[-1]) * (one + two) / 4)))
        ends += [start + (x - start) * mpf(i + 1) / parts for i in range(parts)]

    def chance(t: int) -> mpf:
        def integrand(z: mpf) -> mpf:
            found = one * e ** (-one * z) if one_sided else one / 2 * e ** (-one * abs(z))
            for before in apart[:t]:
                found *= no(z - before)
            return found * yes(z - apart[t]) if t < len(apart) else found

        return quad(integrand, sorted(set(ends)), maxdegree=5)

    return [chance(t) for t in range(len(apart) + 1)]


def cases() -> list[dict[str, object]]:
    rng, made = np.random.default_rng(7), []
    for i in range(16):
        kind, size = ("laplace", "exponential")[i % 2], int(rng.integers(1, 6))
        epsilon, threshold = round(float(np.exp(rng.uniform(-3, 2))), 4), round(float(rng.uniform(0, 20)), 2)
        share, monotone = round(float(rng.uniform(0.1, 0.9)), 3), bool(rng.integers(2))
        counts = (np.cumsum(rng.integers(0, 12, size)) if i % 3 else rng.integers(0, 40, size)).tolist()
        found = law(kind, share * epsilon, (1 - share) * epsilon / (1 if monotone else 2), threshold, counts)
        assert abs(sum(found) - 1) < mpf(10) ** -20, kind
        made.append({"noise": kind, "epsilon": epsilon, "threshold": threshold, "share": share, "monotone": monotone,
                     "counts": counts, "first_yes": [nstr(x, 20) for x in found[:-1]], "never": nstr(found[-1], 20)})
    return made


if __name__ == "__main__":
    text = json.dumps({"about": ABOUT, "cases": cases()}, ensure_ascii=False, indent=1)
    Path(__file__).with_name("watch.json").write_text(text + "\n", "utf-8")
