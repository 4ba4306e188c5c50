"""Every word of the application, declared once.

A `Quantity` labels a control, a flag, an axis, a CSV header and a row of a report: they are the same object, so
they cannot drift apart. The keys are a promise to whoever reads our files: add, never rename.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

Value: TypeAlias = float | int | bool | str
Scale: TypeAlias = Literal["linear", "log"]

EXACT_INTEGERS = 2**53
"""Above this a float can no longer count one by one."""


def plain(number: float) -> str:
    """A number for a sentence, shortest and without padding: 1e-6, 20, 1e9, ∞."""
    if math.isinf(number):
        return "∞" if number > 0 else "−∞"
    if isinstance(number, int) and abs(number) >= 10**15:
        return str(number)
    text = repr(float(number)).removesuffix(".0")
    if text.lstrip("-").isdigit() and len(text.rstrip("0")) <= 2 and abs(number) >= 10**5:
        mantissa = text.rstrip("0")
        text = f"{mantissa}e{len(text) - len(mantissa)}"
    mantissa, e, exponent = text.partition("e")
    return f"{mantissa}e{int(exponent)}" if e else mantissa


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval of reals or integers, the domain of a number."""

    low: float
    high: float
    low_open: bool = False
    high_open: bool = False
    integer: bool = False

    def __str__(self) -> str:
        left = "(" if self.low_open or math.isinf(self.low) else "["
        right = ")" if self.high_open or math.isinf(self.high) else "]"
        return f"{left}{plain(self.low)}, {plain(self.high)}{right}"

    @property
    def phrase(self) -> str:
        return f"an integer in {self}" if self.integer else f"in {self}"

    def accept(self, value: object) -> Value | None:
        """The value as a plain float or int, or None where it lies outside."""
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            return None
        try:
            number: float | int = float(value)
        except OverflowError:
            return None
        if self.integer:
            if not math.isfinite(number) or (whole := math.floor(value)) != value:
                return None
            number = int(whole)  # through int, not through float: 2⁶³ − 1 must survive
        above = number > self.low if self.low_open else number >= self.low
        below = number < self.high if self.high_open else number <= self.high
        # An infinite end is a limit, never a value.
        return number if above and below and not math.isinf(number) else None

    def nearest(self, number: float) -> float | int:
        """The value of the domain that lies nearest to a finite number."""
        low = math.nextafter(self.low, math.inf) if self.low_open else self.low
        high = math.nextafter(self.high, -math.inf) if self.high_open else self.high
        clamped = min(max(number, low), high)
        if not self.integer:
            return float(clamped)
        whole = round(clamped)
        return whole + (whole < low) - (whole > high)

    def within(self, other: Interval) -> bool:
        """Whether every value of this interval is one of the other."""
        # An end that is infinite is open, whether or not it was declared so.
        low = self.low > other.low or (
            self.low == other.low and (self.low_open or not other.low_open or math.isinf(self.low)))
        high = self.high < other.high or (
            self.high == other.high and (self.high_open or not other.high_open or math.isinf(self.high)))
        return low and high and (self.integer or not other.integer)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words."""

    options: tuple[str, ...]

    def __str__(self) -> str:
        return "{" + ", ".join(self.options) + "}"

    @property
    def phrase(self) -> str:
        return f"one of {', '.join(self.options)}"

    def accept(self, value: object) -> Value | None:
        return value if isinstance(value, str) and value in self.options else None

    def within(self, other: Domain) -> bool:
        return isinstance(other, Choice) and set(self.options) <= set(other.options)


@dataclass(frozen=True, slots=True)
class Switch:
    """Yes or no."""

    def __str__(self) -> str:
        return "{no, yes}"

    @property
    def phrase(self) -> str:
        return "yes or no"

    def accept(self, value: object) -> Value | None:
        return value if isinstance(value, bool) else None

    def within(self, other: Domain) -> bool:
        return isinstance(other, Switch)


Domain: TypeAlias = Interval | Choice | Switch


def reals(low: float = -math.inf, high: float = math.inf, *, open: str = "") -> Interval:  # noqa: A002 - reads well
    """Reals from low to high; `open` is "", "low", "high" or "both"."""
    return Interval(low, high, open in ("low", "both"), open in ("high", "both"))


def integers(low: float = 0, high: float = math.inf) -> Interval:
    return Interval(low, high, integer=True)


POSITIVE = reals(0, open="low")
NONNEGATIVE = reals(0)
REAL = reals()
UNIT = reals(0, 1)
INSIDE_UNIT = reals(0, 1, open="both")


@dataclass(frozen=True, slots=True)
class Quantity:
    """One word of the field: how it is written, what it means, which values it can have and how it is shown."""

    key: str
    symbol: str
    label: str
    sentence: str
    domain: Domain = REAL
    scale: Scale = "linear"
    unit: str = ""

    @property
    def axis_label(self) -> str:
        """The label with its unit, as an axis and a column of a table show it."""
        return f"{self.label} ({self.unit})" if self.unit and self.unit not in self.label else self.label

    def __hash__(self) -> int:  # quantities key tables, and their keys are unique
        return hash(self.key)


def variant(quantity: Quantity, **changes: object) -> Quantity:
    """The same quantity in another role, with its own key."""
    return replace(quantity, **changes)  # type: ignore[arg-type]


# Privacy
EPSILON = Quantity("epsilon", "ε", "privacy parameter ε", "Bound on the privacy loss: no outcome becomes more than "
                   "e^ε times as likely through one record.", POSITIVE, "log")
EPSILON_OR_ZERO = variant(EPSILON, domain=NONNEGATIVE)
EPSILON_PRIME = Quantity("epsilon_prime", "ε′", "privacy parameter ε′", "Any ε at which the smallest δ is asked for.",
                         NONNEGATIVE)
DELTA = Quantity("delta", "δ", "privacy parameter δ", "Probability by which an outcome may exceed the bound e^ε.",
                 UNIT, "log")
MU = Quantity("mu", "μ", "Gaussian privacy parameter μ", "The decision is as hard to see through as one draw of a "
              "standard normal shifted by μ.", POSITIVE, "log")
PRIVACY_LOSS = Quantity("privacy_loss", "ℓ", "privacy loss", "Logarithm of how many times as likely one more record "
                        "makes an outcome.", REAL)
LOSS_ACCEPT = variant(PRIVACY_LOSS, key="loss_accept", symbol="ℓ₁", label="privacy loss of accepting",
                      sentence="ln Pr[Q(N+1)=1] / Pr[Q(N)=1]: what seeing “yes” tells about one more record.")
LOSS_REJECT = variant(PRIVACY_LOSS, key="loss_reject", symbol="ℓ₀", label="privacy loss of rejecting",
                      sentence="ln Pr[Q(N)=0] / Pr[Q(N+1)=0]: what seeing “no” tells about one record fewer.")
ZERO_REFUSED = Quantity("zero_refused", "f(0)=0", "no records, never accepted",
                        "Whether a dataset of no records can never be accepted, as when nobody knows it might exist.",
                        Switch())

# Counting records
RECORDS = Quantity("records", "N", "records N", "Number of records that qualify, each of one person.",
                   integers(0, EXACT_INTEGERS), "log", "records")
MINIMUM = Quantity("minimum", "m", "minimum m", "Number of records that the decision asks for.",
                   integers(0, EXACT_INTEGERS), "log", "records")
REAL_MINIMUM = variant(MINIMUM, domain=POSITIVE)
CENTRE = Quantity("centre", "n₀", "centre n₀", "The integer at which the generalized curve changes branch.",
                  integers(0, EXACT_INTEGERS), unit="records")
THRESHOLD = Quantity("threshold", "k", "threshold k", "Value that the noisy count must reach.", REAL, unit="records")
THRESHOLD_OFFSET = variant(THRESHOLD, key="threshold_offset", symbol="k − m", label="threshold less minimum",
                           sentence="How far the value that the noisy count must reach lies above the minimum.")
TARGET = Quantity("target", "p", "acceptance at m", "Pr[Q(m)=1], the probability of accepting a dataset of "
                  "exactly m records.", UNIT)
COMPLEMENT = Quantity("complement", "1−p", "rejection at m", "Pr[Q(m)=0], the complement of the target, "
                      "given apart where the target lies near 1.", UNIT)
N = Quantity("n", "n", "records n", "Number of records that qualify.", integers(0, EXACT_INTEGERS), unit="records")

# Probabilities
PROBABILITY = Quantity("probability", "Pr", "probability", "A probability.", UNIT)
ACCEPTANCE = Quantity("acceptance", "Pr[Q(N)=1]", "probability of accepting", "Probability that the decision says “yes”"
                      " to N records.", UNIT)
REJECTION = Quantity("rejection", "Pr[Q(N)=0]", "probability of rejecting", "Probability that the decision says “no” "
                     "to N records, its complement carried without subtraction.", UNIT)

TAIL = Quantity("uncertain", "τ", "uncertain tail τ", "Where accepting and rejecting both have at least this "
                "probability, the decision counts as uncertain.", reals(0, 0.5, open="both"), "log")
BAND_FROM = Quantity("band_from", "N₋", "uncertain from", "N at which the probability of accepting reaches the tail, "
                     "the curve continued between integers.", REAL, unit="records")
BAND_TO = Quantity("band_to", "N₊", "uncertain to", "N at which the probability of rejecting falls to the tail, the "
                   "curve continued between integers.", REAL, unit="records")
BAND_WIDTH = Quantity("band_width", "N₊ − N₋", "uncertain width", "Width of the stretch of N in which the answer is "
                      "uncertain.", NONNEGATIVE, unit="records")
BAND_STEPS = Quantity("band_steps", "⌈N₊⌉ − ⌊N₋⌋", "uncertain width in whole records", "Records from the last N that "
                      "is almost surely rejected to the first that is almost surely accepted.", integers(),
                      unit="records")
CENTRE_ACCEPTANCE = variant(ACCEPTANCE, key="centre_acceptance", symbol="p₀", label="probability at the centre p₀",
                            sentence="Where the generalized curve changes branch: the acceptance probability that its "
                            "centre n₀ has.")
ABOVE_CENTRE = Quantity("above_centre", "N₊ − n₀", "surely accepted, above the centre", "Records from the centre n₀ of "
                        "the generalized curve up to where rejecting falls to the tail.", REAL, unit="records")
BELOW_CENTRE = Quantity("below_centre", "n₀ − N₋", "surely rejected, below the centre", "Records from the centre n₀ of "
                        "the generalized curve down to where accepting falls to the tail.", REAL, unit="records")
LOG_ACCEPTANCE = Quantity("log_acceptance", "ln Pr", "log-probability", "Logarithm of a probability.", reals(high=0))
ACCEPTANCE_AT_MINIMUM = variant(ACCEPTANCE, key="acceptance_at_minimum", symbol="Pr[Q(m)=1]",
                                label="probability of accepting m", sentence="Probability that the decision says “yes” "
                                "to exactly the minimum.")
HALF_MET = Quantity("half_met", "Pr[Q(m)=1] ≥ ½", "accepts m at least half the time", "1 where a dataset of exactly m "
                    "records is accepted with probability ½ or more, else 0.", integers(0, 1))

# Guarantees and what they cost
GUARANTEE_EPSILON = variant(EPSILON, key="guarantee_epsilon", label="guarantee ε", sentence="The ε of the guarantee.",
                            domain=NONNEGATIVE)
GUARANTEE_DELTA = variant(DELTA, key="guarantee_delta", label="guarantee δ", sentence="The smallest δ that holds with "
                          "that ε, over every pair of neighbouring datasets.")
PROFILE = variant(DELTA, key="profile", symbol="δ(ε′)", label="smallest δ at ε′", sentence="Privacy profile: the "
                  "smallest δ with which the decision is (ε′, δ)-differentially private.")
DELTA_RECORDS = Quantity("delta_records", "δ·m", "δ against 1/m", "δ times the minimum: far below 1 is prudent, near "
                         "or above 1 it may hand out somebody's record.", NONNEGATIVE)
SLACK = Quantity("slack", "min slack", "worst slack", "How far the tightest of the four inequalities of the definition "
                 "stays from failing, over every N.", REAL)
SLACK_AT = Quantity("slack_at", "N*", "where the slack is worst", "The smaller dataset of the pair with the worst "
                    "slack.", integers(), unit="records")
ASKED = Quantity("asked", "times", "times asked", "How often the decision is asked as N grows.", integers(1), "log")
ASKED_EPSILON = variant(EPSILON, key="asked_epsilon", label="ε after asking 10 times", sentence="Privacy parameter "
                        "of ten answers together, by basic composition.")
ASKED_DELTA = variant(DELTA, key="asked_delta", label="δ after asking 10 times", sentence="Privacy parameter of ten "
                      "answers together, by basic composition.")
COMPOSED_EPSILON = variant(EPSILON, key="composed_epsilon", label="total ε", sentence="Privacy parameter of all "
                           "answers together, by basic composition.")
COMPOSED_DELTA = variant(DELTA, key="composed_delta", label="total δ", sentence="Privacy parameter of all answers "
                         "together, by basic composition.")

# Errors
FALSE_ACCEPT = Quantity("false_accept", "Pr[Q=1 | N<m]", "false acceptance", "Probability of accepting a dataset that "
                        "does not qualify.", UNIT)
FALSE_REJECT = Quantity("false_reject", "Pr[Q=0 | N≥m]", "false rejection", "Probability of rejecting a dataset that "
                        "qualifies.", UNIT)
ERROR = Quantity("error", "Pr[wrong]", "probability of a wrong answer", "Probability that the decision is wrong.", UNIT)
ERROR_AT_N = variant(ERROR, key="error_at_records", label="error at N", sentence="Probability that the answer to the "
                     "dataset in hand is wrong.")
OVERALL_ERROR = variant(ERROR, key="overall_error", label="overall error", sentence="Probability of a wrong answer "
                        "when N is drawn from the prior.")
PRIOR = Quantity("prior", "prior", "prior on N", "What is believed about N before asking; it weighs the error rates.",
                 Choice(("uniform", "poisson", "normal")))
PRIOR_CENTRE = Quantity("prior_centre", "c", "centre of the prior", "Centre of the prior on N.", NONNEGATIVE, "log",
                        "records")
PRIOR_WIDTH = Quantity("prior_width", "w", "width of the prior", "Half-width of a uniform prior, standard deviation of "
                       "a normal one; a Poisson prior has none.", POSITIVE, "log", "records")
PRIOR_MASS = Quantity("prior_below", "Pr[N<m]", "prior below m", "Probability under the prior that the dataset does "
                      "not qualify.", UNIT)

# Simulation
TRIALS = Quantity("trials", "T", "trials", "Number of simulated decisions.", integers(1, 10**12), "log")
SEED = Quantity("seed", "seed", "seed", "Start of the random numbers: the same seed gives the same numbers everywhere.",
                integers(0, 2**63 - 1))
FRACTION = Quantity("accepted_fraction", "accepted", "fraction accepted", "Fraction of the simulated decisions that "
                    "said “yes”.", UNIT)
FRACTION_LOW = variant(FRACTION, key="accepted_low", label="lower end of the interval", sentence="Lower end of the "
                       "95 % Clopper–Pearson interval.")
FRACTION_HIGH = variant(FRACTION, key="accepted_high", label="upper end of the interval", sentence="Upper end of the "
                        "95 % Clopper–Pearson interval.")
DONE = variant(TRIALS, key="trials_done", label="decisions drawn", sentence="Number of decisions drawn so far.")

# Theorem 1
POSITION = Quantity("position", "x", "position x", "Where a decreasing function is looked at.", REAL)
VALUE = Quantity("value", "f(x)", "decreasing function f(x)", "A decreasing function, such as the probability of "
                 "rejecting.", UNIT)
LEMMA_BOUND = Quantity("lemma_bound", "1.2·f(x+1)", "bound 1.2·f(x+1)", "What f(x) may not exceed where e^ε = 1.2 and "
                       "δ = 0.", NONNEGATIVE)
SLACK_HERE = Quantity("slack_here", "slack", "slack of the pair (N, N+1)", "e^ε·Pr[Q(N+1)=0] + δ − Pr[Q(N)=0]: "
                      "negative where the inequality fails.", REAL)


# Responses, noise and composition
YES_IF_YES = Quantity("yes_if_yes", "Pr[yes | yes]", "answers yes if yes", "Probability of the answer “yes” where the "
                      "truth is yes.", UNIT)
YES_IF_NO = Quantity("yes_if_no", "Pr[yes | no]", "answers yes if no", "Probability of the answer “yes” where the "
                     "truth is no.", UNIT)
THETA1 = Quantity("theta1", "θ₁", "first coin θ₁", "Probability with which the first coin asks for the truth.", UNIT)
THETA2 = Quantity("theta2", "θ₂", "second coin θ₂", "Probability with which the second coin, thrown where the first "
                  "does not ask for the truth, says “yes”.", UNIT)
PREVALENCE = Quantity("prevalence", "p(y)", "prior probability of yes", "Probability, before the answer, that the "
                      "truth is yes.", UNIT)
PEOPLE = Quantity("people", "n", "people n", "Number of people who answer.", integers(1, EXACT_INTEGERS), "log",
                  "people")
YES_COUNT = Quantity("yes_count", "c", "answers yes", "Number of answers (or of people) that say “yes”.",
                     integers(0, EXACT_INTEGERS), unit="people")
YES_FRACTION = Quantity("yes_fraction", "π", "fraction of yes", "Fraction of the people for whom the truth is yes.",
                        UNIT)
SCALE = Quantity("scale", "b", "scale of the noise b", "Mean distance of Laplace noise from zero.", POSITIVE, "log")
SIGMA = Quantity("sigma", "σ", "standard deviation σ", "Standard deviation of Gaussian noise.", POSITIVE, "log")
SENSITIVITY = Quantity("sensitivity", "Δ", "sensitivity Δ", "How far one record can move the answer of the query.",
                       POSITIVE, "log")
WHOLE_SENSITIVITY = variant(SENSITIVITY, key="whole_sensitivity", domain=integers(1, EXACT_INTEGERS))
NOISE = Quantity("noise", "x", "noise x", "What is added to the answer of the query.", REAL)
TYPE_I = Quantity("type_i", "α", "type I error α", "Probability with which an attacker's test finds a record that is "
                  "not there.", UNIT)
TYPE_II = Quantity("type_ii", "β", "type II error β", "Probability with which an attacker's test misses a record "
                   "that is there.", UNIT)
RELEASES = Quantity("releases", "k", "releases k", "Number of releases that look at the same people.",
                    integers(1, 10**9), "log")
ALLOWANCE = Quantity("allowance", "δ′", "slack δ′", "Probability given away to composition, for the sake of a smaller "
                     "ε.",
                     UNIT, "log")
GROUP_SIZE = Quantity("group_size", "k", "group size k", "Number of records in which two datasets differ.",
                      integers(1, EXACT_INTEGERS), "log", "records")


# Randomized response
DESIGN = Quantity("design", "design", "dress of the response", "How a person randomizes: symmetric with a chosen ε, "
                  "two coins θ₁ and θ₂, or two fair coins after Warner.", Choice(("symmetric", "coins", "warner")))
ANSWER_YES = Quantity("answer_yes", "p(y′)", "answers yes overall", "Probability that somebody drawn at "
                      "random answers “yes”.", UNIT)
ANSWERS_AS_PRIOR = variant(ANSWER_YES, key="answers_as_prior", symbol="p(y)", label="everybody tells the truth",
                           sentence="Probability of the answer “yes” if nobody randomized.")
POSTERIOR = Quantity("posterior", "p(y|y′)", "posterior probability of yes", "Probability, after the answer, that the "
                     "truth is yes.", UNIT)
POSTERIOR_YES = variant(POSTERIOR, key="posterior_yes", symbol="p(y|yes)", label="posterior after yes",
                        sentence="Probability that the truth is yes, once somebody has answered “yes”.")
POSTERIOR_NO = variant(POSTERIOR, key="posterior_no", symbol="p(y|no)", label="posterior after no",
                       sentence="Probability that the truth is yes, once somebody has answered “no”.")
POSTERIOR_MOST = variant(POSTERIOR, key="posterior_most", symbol="max p(y|y′)", label="most that ε allows",
                         sentence="Largest posterior that any answer with the same ε can lead to.")
POSTERIOR_LEAST = variant(POSTERIOR, key="posterior_least", symbol="min p(y|y′)", label="least that ε allows",
                          sentence="Smallest posterior that any answer with the same ε can lead to.")
POSTERIOR_SAME = variant(POSTERIOR, key="posterior_same", symbol="p(y|y′) = p(y)", label="the answer says nothing",
                         sentence="The posterior equals the prior: the answer is worthless, as at θ₁ = 0.")
COIN1 = variant(THETA1, key="coin1", label="equivalent first coin", sentence="First coin θ₁ of the two coins that "
                "answer with the same probabilities.")
COIN2 = variant(THETA2, key="coin2", label="equivalent second coin", sentence="Second coin θ₂ of the two coins that "
                "answer with the same probabilities.")
ESTIMATE = Quantity("estimate", "est.", "estimated fraction of yes", "Fraction of yes that a survey arrives at; "
                    "debiased it can lie outside [0, 1].", REAL)
ESTIMATE_RELATIVE = Quantity("estimate_relative", "relative", "probability relative to the likeliest", "Probability of "
                             "an estimate, as a part of that of the likeliest one.", UNIT)
ESTIMATOR_SD = Quantity("estimator_sd", "sd", "sd of the estimate", "Standard deviation of the estimate from n people, "
                        "each of whom is a yes with the prior probability.", NONNEGATIVE, "log")
ESTIMATOR_SD_GIVEN = variant(ESTIMATOR_SD, key="estimator_sd_given", symbol="sd | people", label="sd, the people fixed",
                             sentence="Standard deviation of the estimate for one fixed group of n people: only their "
                             "coins vary.")
ESTIMATE_BIAS = Quantity("estimate_bias", "bias", "bias of the estimate", "Mean of the estimate minus the fraction "
                         "that it estimates.", REAL)
MARGIN = Quantity("margin", "m", "margin of error", "How far the estimate may be from the true fraction, either way.",
                  POSITIVE, "log")
WITHIN_MARGIN = Quantity("within_margin", "Pr[|error| ≤ m]", "within the margin", "Probability that the "
                         "estimate is no farther from the true fraction than the margin.", UNIT)
PEOPLE_NEEDED = Quantity("people_needed", "n(1.96 sd)", "people for 1.96 sd", "Number of people at which "
                         "1.96 standard deviations of the estimate fit the margin: it then holds about 95 % of "
                         "surveys.",
                         NONNEGATIVE, "log", "people")
PEOPLE_SURE = Quantity("people_sure", "n(Hoeffding)", "people surely enough", "Number of people with which at "
                       "least 95 % of surveys are within the margin, whatever the fraction, by Hoeffding’s inequality.",
                       NONNEGATIVE, "log", "people")
SURVEYS = Quantity("surveys", "T", "surveys", "Number of simulated surveys.", integers(1, 10**12), "log")
SURVEYS_DONE = variant(SURVEYS, key="surveys_done", label="surveys drawn", sentence="Number of surveys drawn so far.")
SHARE = Quantity("share", "share", "probability of a cell", "Probability that the estimate falls into one "
                 "cell of the picture.", UNIT)
SURVEYS_SHARE = variant(SHARE, key="surveys_share", label="share of the surveys", sentence="Share of the simulated "
                        "surveys whose estimate fell into one cell of the picture.")
SURVEYS_SHARE_LOW = variant(SHARE, key="surveys_share_low", label="lower end of the share", sentence="Lower end of the "
                            "95 % Clopper–Pearson interval of a share.")
SURVEYS_SHARE_HIGH = variant(SHARE, key="surveys_share_high", label="upper end of the share", sentence="Upper end of "
                             "the 95 % Clopper–Pearson interval of a share.")
SURVEYS_WITHIN = variant(WITHIN_MARGIN, key="surveys_within", symbol="within", label="simulated within",
                         sentence="Fraction of the simulated surveys whose estimate was within the margin.")

# Noise on the answer of a query
L1_SENSITIVITY = variant(SENSITIVITY, key="l1_sensitivity", symbol="Δ₁", label="ℓ₁ sensitivity Δ₁",
                         sentence="How far one record can move the answer of the query: the sum over its coordinates.")
L2_SENSITIVITY = variant(SENSITIVITY, key="l2_sensitivity", symbol="Δ₂", label="ℓ₂ sensitivity Δ₂",
                         sentence="How far one record can move the answer of the query: the straight distance.")
L1_USED = variant(L1_SENSITIVITY, key="l1_used", label="ℓ₁ sensitivity in use",
                  sentence="The smallest ℓ₁ sensitivity that both declared ones and the dimension allow.")
L2_USED = variant(L2_SENSITIVITY, key="l2_used", label="ℓ₂ sensitivity in use",
                  sentence="The smallest ℓ₂ sensitivity that both declared ones allow.")
DIMENSION = Quantity("dimension", "d", "dimension d", "Number of coordinates of the answer, each with noise of its "
                     "own.", integers(1, 10**9), "log")
BELIEF = Quantity("belief", "p", "attacker’s prior p", "What an attacker believes, before the answer, of the chance "
                  "that the record is there.", INSIDE_UNIT)
NOISY_ANSWER = Quantity("noisy_answer", "x", "noisy answer x", "A released answer, counted from the true answer "
                        "without the record.", REAL)
DENSITY = Quantity("density", "f(x)", "density", "Probability density of the noisy answer without the record; of whole "
                   "numbers the probability, as bars of width 1.", NONNEGATIVE)
DENSITY_BESIDE = variant(DENSITY, key="density_beside", symbol="f′(x)", label="density with the record",
                         sentence="Probability density of the noisy answer with the record.")
NOISE_SCALE = Quantity("noise_scale", "b, σ", "scale of the noise", "b of Laplace noise, Δ/ε of geometric noise, σ of "
                       "Gaussian noise.", POSITIVE, "log")
NOISE_SD = Quantity("noise_sd", "sd", "standard deviation", "Standard deviation of the noise in one coordinate.",
                    POSITIVE, "log")
MEAN_ERROR = Quantity("mean_error", "E|X|", "mean error", "Mean distance of the noisy answer from the true one, in one "
                      "coordinate.", NONNEGATIVE, "log")
ERROR_95 = Quantity("error_95", "e₉₅", "95 % error", "How far one coordinate of the answer is off at most, in 95 % of "
                    "all releases.", NONNEGATIVE, "log")
WORST_ERROR_95 = variant(ERROR_95, key="worst_error_95", symbol="max e₉₅", label="95 % error, worst coordinate",
                         sentence="How far the worst of all coordinates is off at most, in 95 % of all releases.")
RMS_ERROR = Quantity("rms_error", "√d·sd", "root mean square distance", "Typical straight distance of the noisy answer "
                     "from the true one, over all coordinates.", POSITIVE, "log")
ADVANTAGE = Quantity("advantage", "max 1−α−β", "best advantage", "Largest 1 − α − β of any test that looks "
                     "for the record: 0 is guessing, 1 is certainty.", UNIT)
SUCCESS = Quantity("success", "½(1 + adv.)", "attacker’s success", "Probability that the best attacker is right where "
                   "a fair coin decides whether the record is there.", UNIT)
LOSS_EXCEEDS = Quantity("loss_exceeds", "Pr[ℓ > ε]", "loss beyond ε", "Probability of an answer whose privacy loss "
                        "exceeds ε; it is more than δ.", UNIT, "log")
POSTERIOR_95 = Quantity("posterior_95", "p′₉₅", "belief after 95 % of answers", "The attacker’s belief in a record "
                        "that is there, at most, after 95 % of all answers.", UNIT)
BELIEF_MOST = Quantity("belief_most", "max p′", "belief after any answer", "The attacker’s belief in the record "
                          "after the most telling answer.", UNIT)
TOO_MUCH = Quantity("too_much", "σ/σ₀", "σ over least σ", "How many times the noise that this guarantee needs "
                    "at least.", NONNEGATIVE, "log")
VARIANCE_TOO_MUCH = Quantity("variance_too_much", "σ²/σ₀²", "variance over least", "How many times the variance "
                             "that this guarantee needs at least: so many times the data makes up for it.",
                             NONNEGATIVE, "log")
TRUE_DELTA = variant(DELTA, key="true_delta", symbol="δ(ε)", label="δ that is kept", sentence="The smallest δ with "
                     "which noise of this scale keeps ε.")
ANSWER_TRIALS = variant(TRIALS, key="answer_trials", label="answers released", sentence="Number of simulated releases "
                        "of the answer.")
ANSWERS_DONE = variant(TRIALS, key="answers_done", label="answers so far", sentence="Number of answers released so "
                       "far.")
SUCCESS_FOUND = variant(SUCCESS, key="success_found", symbol="right", label="attacker’s success, simulated",
                        sentence="Fraction of simulated answers after which the best attacker was right.")
SUCCESS_LOW = variant(SUCCESS_FOUND, key="success_low", label="lower end of the interval", sentence="Lower end of the "
                      "95 % Clopper–Pearson interval of the attacker’s success.")
SUCCESS_HIGH = variant(SUCCESS_FOUND, key="success_high", label="upper end of the interval", sentence="Upper end of "
                       "the 95 % Clopper–Pearson interval of the attacker’s success.")
DENSITY_FOUND = variant(DENSITY, key="density_found", label="density, simulated", sentence="Share of the simulated "
                        "answers in a stretch of x, over its width.")
DENSITY_LOW = variant(DENSITY_FOUND, key="density_low", label="lower end of the interval", sentence="Lower end of the "
                      "95 % Clopper–Pearson interval of the density.")
DENSITY_HIGH = variant(DENSITY_FOUND, key="density_high", label="upper end of the interval", sentence="Upper end of "
                       "the 95 % Clopper–Pearson interval of the density.")

# What many releases and many records come to
BUDGET = variant(EPSILON, key="budget", symbol="Σε", label="allowed total ε", sentence="The largest ε that all "
                 "releases together may have.")
STEP_DELTA = variant(DELTA, key="step_delta", label="δ of each release", sentence="Probability by which one release "
                     "may exceed its bound e^ε.")
TOTAL_EPSILON = variant(EPSILON, key="total_epsilon", symbol="ε after k", label="total ε", sentence="Privacy parameter "
                        "of all releases together.", domain=NONNEGATIVE)
TOTAL_DELTA = variant(DELTA, key="total_delta", symbol="δ after k", label="total δ", sentence="The δ of all releases "
                      "together that goes with the total ε.")
LEFT = Quantity("left", "ε left", "ε left", "What of the allowed total ε is left; negative where more was spent.", REAL)
MOST_RELEASES = Quantity("most_releases", "max k", "releases allowed", "Number of such releases that the allowed total "
                         "ε is enough for.", integers(), "log")
TOTAL_BELIEF = variant(POSTERIOR_MOST, key="total_belief", label="belief after all releases", sentence="What somebody "
                       "who was 50 : 50 about a record can believe at most after all releases, but for the total δ.")
GROUP_RECORDS = variant(GROUP_SIZE, key="group_records", symbol="g", label="group size g", sentence="Number of records "
                        "that one person has, or that a group has together.")
GROUP_EPSILON = variant(EPSILON, key="group_epsilon", label="ε of the group", sentence="gε: privacy parameter for "
                        "datasets that differ in a whole group.", domain=NONNEGATIVE)
GROUP_DELTA = Quantity("group_delta", "δ of g", "δ of the group", "The δ that goes with gε for datasets that differ in "
                       "a whole group; a printed formula may exceed 1 and say nothing.", NONNEGATIVE, "log")
GROUP_COST = Quantity("group_cost", "δ/δ₀", "δ over the tight one", "Above 1 a formula wastes privacy, below 1 it is "
                      "false.", NONNEGATIVE, "log")
STEP = Quantity("step", "step", "releases so far", "Releases of the plan made so far.", integers(1))
PLAN_COUNTS = Quantity("plan_counts", "n₁", "Laplace releases", "How often the plan releases with Laplace noise.",
                       integers(0, 1000))
PLAN_COUNT_EPSILON = variant(EPSILON, key="plan_count_epsilon", symbol="ε₁", label="ε of each Laplace release",
                             sentence="Privacy parameter of each Laplace release of the plan.")
PLAN_ANSWERS = Quantity("plan_answers", "n₂", "randomized responses", "How often the plan asks everybody for a "
                        "randomized response.", integers(0, 1000))
PLAN_ANSWER_EPSILON = variant(EPSILON, key="plan_answer_epsilon", symbol="ε₂", label="ε of each response",
                              sentence="Privacy parameter of each randomized response of the plan.")
PLAN_SUMS = Quantity("plan_sums", "n₃", "Gaussian releases", "How often the plan releases with Gaussian noise.",
                     integers(0, 1000))
NOISE_MULTIPLIER = Quantity("noise_multiplier", "σ/Δ", "noise multiplier", "Standard deviation of Gaussian noise in "
                            "multiples of the ℓ₂ sensitivity.", POSITIVE, "log")
PLAN_EPSILON = variant(TOTAL_EPSILON, key="plan_epsilon", label="total ε of the plan", sentence="Privacy parameter of "
                       "all releases of the plan together.")
PLAN_LEFT = variant(LEFT, key="plan_left", label="ε left after the plan", sentence="What of the allowed total ε the "
                    "plan leaves; negative where it spends more.")


# The Beta–Bernoulli model with a noisy count
RATE = Quantity("rate", "θ", "rate θ", "Probability with which each person drawn from the population is a yes.", UNIT)
PRIOR_A = Quantity("prior_a", "a", "prior a", "First parameter of the Beta prior on the rate: like a yeses seen "
                   "before.", POSITIVE, "log")
PRIOR_B = Quantity("prior_b", "b", "prior b", "Second parameter of the Beta prior on the rate: like b noes seen "
                   "before.", POSITIVE, "log")
NOISY_COUNT = Quantity("noisy_count", "c", "noisy count c", "The released count of yeses: the true one and noise. It "
                       "may be negative, or above the number of people.", REAL, unit="people")
MODEL_PEOPLE = variant(PEOPLE, key="model_people", label="people counted", sentence="Number of people "
                       "whose yeses are counted.", domain=integers(0, EXACT_INTEGERS))
COUNT_NOISE = Quantity("count_noise", "noise", "noise on the count", "Which noise the count was released with.",
                       Choice(("laplace", "geometric")))
POSTERIOR_METHOD = Quantity("posterior_method", "method", "method", "How a posterior deals with the noise: as if there "
                            "were none, the count moved into its range, or exactly.",
                            Choice(("naive", "clamped", "noise-aware")))
NOISY_SHARE = Quantity("noisy_share", "c/n", "released share c/n", "The released noisy count over the number of "
                       "people; noise may take it below 0 or above 1.", REAL)
LEVEL = Quantity("level", "1−α", "level of the interval", "Probability that a posterior gives to its central interval.",
                 INSIDE_UNIT)
TRUE_COUNT = Quantity("true_count", "k", "true count k", "Number of yeses among these people, before any noise.",
                      integers(0, EXACT_INTEGERS), unit="people")
NOISE_DRAWN = Quantity("noise_drawn", "c − k", "noise in this count", "How far the released count is from the true "
                       "one.", REAL, unit="people")
NOISE_BEYOND = Quantity("noise_beyond", "Pr[|x| ≥ |c − k|]", "probability of such noise", "Probability of noise that "
                        "is as far from zero as that in this count.", UNIT)
RATE_DENSITY = Quantity("rate_density", "p(θ)", "density of the rate", "Probability density of the rate.", NONNEGATIVE)
RATE_MEAN = Quantity("rate_mean", "E[θ]", "mean of the rate", "Mean of the rate under the posterior.", UNIT)
RATE_SD = Quantity("rate_sd", "sd[θ]", "sd of the rate", "Standard deviation of the rate under the posterior.",
                   NONNEGATIVE)
INTERVAL_LOW = variant(RATE, key="interval_low", symbol="θ₋", label="interval from", sentence="Lower end of the "
                       "central interval of the posterior.")
INTERVAL_HIGH = variant(RATE, key="interval_high", symbol="θ₊", label="interval to", sentence="Upper end of the "
                        "central interval of the posterior.")
INTERVAL_WIDTH = Quantity("interval_width", "θ₊ − θ₋", "interval width", "Length of the central interval of the "
                          "posterior.", NONNEGATIVE)
DESERVED = Quantity("deserved", "Pr[in | c]", "probability deserved", "Probability that the rate lies in this "
                    "interval, given the released count and all that is known of its noise.", UNIT)
COVERAGE = Quantity("coverage", "coverage", "coverage", "Share of all releases whose interval holds the rate, where "
                    "the rate is drawn from the prior.", UNIT)
COVERAGE_FOUND = variant(COVERAGE, key="coverage_found", symbol="covered", label="coverage, simulated",
                         sentence="Share of the simulated releases whose interval held the rate; a release without an "
                         "interval holds nothing.")
COVERAGE_LOW = variant(COVERAGE_FOUND, key="coverage_low", label="lower end of the coverage", sentence="Lower end of "
                       "the 95 % Clopper–Pearson interval of the coverage.")
COVERAGE_HIGH = variant(COVERAGE_FOUND, key="coverage_high", label="upper end of the coverage", sentence="Upper end of "
                        "the 95 % Clopper–Pearson interval of the coverage.")
INVALID = Quantity("invalid", "Pr[no Beta]", "no naive posterior", "Probability that the noise makes a′ or b′ of the "
                   "naive posterior 0 or less, for the true count in hand.", UNIT)
INVALID_A = variant(INVALID, key="invalid_a", symbol="Pr[a′ ≤ 0]", label="a′ = a + c ≤ 0", sentence="Probability that "
                    "the noise makes a′ = a + c of the naive posterior 0 or less, for the true count in hand.")
INVALID_B = variant(INVALID, key="invalid_b", symbol="Pr[b′ ≤ 0]", label="b′ = b + n − c ≤ 0", sentence="Probability "
                    "that the noise makes b′ = b + n − c of the naive posterior 0 or less, for the true count in hand.")
INVALID_OVERALL = variant(INVALID, key="invalid_overall", label="no naive posterior, overall", sentence="Share of all "
                          "releases without a naive posterior, where the rate is drawn from the prior.")
INVALID_FOUND = variant(INVALID_OVERALL, key="invalid_found", symbol="no Beta", label="no naive posterior, simulated",
                        sentence="Share of the simulated releases without a naive posterior.")
INVALID_LOW = variant(INVALID_FOUND, key="invalid_low", label="lower end of the share", sentence="Lower end of the "
                      "95 % Clopper–Pearson interval of releases without a naive posterior.")
INVALID_HIGH = variant(INVALID_FOUND, key="invalid_high", label="upper end of the share", sentence="Upper end of the "
                       "95 % Clopper–Pearson interval of releases without a naive posterior.")
CLAMP_BIAS = Quantity("clamp_bias", "bias", "bias of the clamped count", "Mean of the count moved into its range, "
                      "minus the true count in hand.", REAL, unit="people")
EVEN_EPSILON = variant(EPSILON, key="even_epsilon", symbol="ε½", label="ε of equal variances", sentence="At this ε the "
                       "noise is as large as the error of the sample itself, if half of the population are yeses.")
MEAN_RMSE = Quantity("mean_rmse", "rmse", "error of the mean, simulated", "Root of the mean squared error of the "
                     "posterior’s mean about the rate, over the simulated releases.", NONNEGATIVE)
SIMULATED = variant(TRIALS, key="simulated", label="releases simulated", sentence="Number of simulated groups of "
                    "people, each with a rate from the prior, a count and its noise.")
SIMULATED_DONE = variant(TRIALS, key="simulated_done", label="releases so far", sentence="Number of releases simulated "
                         "so far.")
DRAWN_SHARE = variant(NOISY_SHARE, key="drawn_share", label="simulated share c/n", sentence="Released share of a "
                      "simulated release.")
DRAWN_RATE = variant(RATE, key="drawn_rate", label="simulated rate", sentence="The rate behind a simulated release.")


# A fraction, locally and centrally
ABOUT = Quantity("about", "about", "fraction of whom", "Whether the error counts against the fraction among these n "
                 "people, or in the population that they were drawn from.", Choice(("group", "population")))
FRACTION_ERROR = Quantity("fraction_error", "error", "error of the fraction", "Estimate minus the true fraction of the "
                          "group.",
                      REAL)
ERROR_RELATIVE = Quantity("error_relative", "relative", "density relative to its peak", "Probability of an error, as a "
                          "part of that of the likeliest one; for randomized response beyond a million people its "
                          "normal limit.", UNIT)
ERROR_SD = Quantity("error_sd", "sd", "sd of the error", "Standard deviation of the estimate about the true fraction.",
                    NONNEGATIVE, "log")
NOTE_ERROR = variant(ERROR_SD, key="note_error", symbol="note", label="the note’s form", sentence="What the note says "
                     "the error is proportional to, 1/(ε√n) or 1/(εn), with the constant 1.")
GROUP_ERROR = variant(ERROR_SD, key="group_error", symbol="sd | group", label="sd, group", sentence="Standard "
                      "deviation about the fraction among these n people: what the mechanism adds.")
POPULATION_ERROR = variant(ERROR_SD, key="population_error", symbol="sd | population", label="sd, population",
                           sentence="Standard deviation about the fraction in the population: the mechanism’s and the "
                           "sample’s own together.")
FRACTION_ERROR_95 = variant(ERROR_SD, key="fraction_error_95", symbol="95 %", label="95 % error",
                            sentence="Error that the mechanism stays within with probability 95 %.")
TIMES_SD = Quantity("times_sd", "sd ratio", "× sd, group", "Standard deviation about the group against that "
                    "of Laplace noise.", NONNEGATIVE, "log")
TIMES_SD_POPULATION = variant(TIMES_SD, key="times_sd_population", label="× sd, population",
                              sentence="Standard deviation about the population against that of Laplace noise.")
TIMES_PEOPLE = Quantity("times_people", "n ratio", "× people, group", "How many times more people randomized "
                        "response needs for the error about its group that Laplace noise has.", NONNEGATIVE, "log")
TIMES_PEOPLE_POPULATION = variant(TIMES_PEOPLE, key="times_people_population", label="× people, population",
                                  sentence="How many times more people randomized response needs for the error about "
                                  "the population that Laplace noise has.")
BREAK_EVEN = Quantity("break_even", "n*", "break-even people", "Number of people below which randomized "
                      "response has the smaller error about its group, 8 sinh²(ε/2)/ε².", NONNEGATIVE, "log", "people")
SEEN_SD = variant(ERROR_SD, key="seen_sd", symbol="seen", label="simulated sd", sentence="Root of the mean squared "
                  "error of the simulated surveys.")
SEEN_SD_LOW = variant(ERROR_SD, key="seen_sd_low", label="lower end of the simulated sd", sentence="Lower end of its "
                      "95 % "
                      "interval, by the central limit theorem.")
SEEN_SD_HIGH = variant(ERROR_SD, key="seen_sd_high", label="upper end of the simulated sd", sentence="Upper end of its "
                       "95 % interval, by the central limit theorem.")


def words() -> Sequence[Quantity]:
    """Every quantity of the vocabulary, in order of declaration."""
    return tuple(value for value in globals().values() if isinstance(value, Quantity))
