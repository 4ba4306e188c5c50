"""Every word of the application, declared once.

A `Quantity` labels a control, a flag, an axis, a CSV header and a row of a report: they are the same object, so
they cannot drift apart. The keys are a promise to whoever reads our files: add, never rename.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Sequence
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
        return self.one_of()

    def one_of(self, option: Callable[[str], str] = str) -> str:
        """The options, as somebody writes each of them."""
        return f"one of {', '.join(map(option, self.options))}"

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
    enough: bool = False
    """Whether it is a number that is enough, of which a fraction is shown as one more."""

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
EPSILON = Quantity("epsilon", "ε", "privacy parameter ε", "Bound on the privacy loss: without δ, no outcome "
                   "becomes more than e^ε times as likely through one record.", POSITIVE, "log")
EPSILON_OR_ZERO = variant(EPSILON, domain=NONNEGATIVE)
EPSILON_PRIME = Quantity("epsilon_prime", "ε′", "privacy parameter ε′", "Any ε at which the smallest δ is asked for.",
                         NONNEGATIVE)
DELTA = Quantity("delta", "δ", "privacy parameter δ", "How far the probability of any set of outcomes may lie above "
                 "e^ε times that with one record more or fewer.", UNIT, "log")
DELTA_COMPLEMENT = Quantity("delta_complement", "1−δ", "1 less δ", "The complement of δ, given apart where δ lies near "
                            "1.", UNIT)
MU = Quantity("mu", "μ", "Gaussian privacy parameter μ", "An answer tells no more of one record than a draw from a "
              "standard normal tells of whether it was shifted by μ.", POSITIVE, "log")
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
THRESHOLD_OFFSET = variant(THRESHOLD, key="threshold_offset", symbol="k − m", label="threshold minus minimum",
                           sentence="How far the value that the noisy count must reach lies above the minimum.")
TARGET = Quantity("target", "p", "acceptance at m", "Pr[Q(m)=1], the probability of accepting a dataset of "
                  "exactly m records.", UNIT)
COMPLEMENT = Quantity("complement", "1−p", "rejection at m", "Pr[Q(m)=0], the complement of the target, "
                      "given apart where the target lies near 1.", UNIT)
N = Quantity("n", "n", "records n", "Number of records that qualify.", integers(0, EXACT_INTEGERS), unit="records")

# Counts taken from a file
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

# Probabilities
PROBABILITY = Quantity("probability", "Pr", "probability", "A probability.", UNIT)
ACCEPTANCE = Quantity("acceptance", "Pr[Q(N)=1]", "probability of accepting", "Probability that the decision says “yes”"
                      " to N records.", UNIT)
REJECTION = Quantity("rejection", "Pr[Q(N)=0]", "probability of rejecting", "Probability that the decision says “no” "
                     "to N records, its complement carried without subtraction.", UNIT)
COMPLEMENTS = {ACCEPTANCE: REJECTION, REJECTION: ACCEPTANCE}
"""Probabilities that lack to 1 what another says."""

TAIL = Quantity("uncertain", "τ", "uncertain tail τ", "Where accepting and rejecting both have at least this "
                "probability, the decision counts as uncertain.", reals(0, 0.5, open="both"), "log")
BAND_FROM = Quantity("band_from", "N₋", "uncertain from", "N at which the probability of accepting reaches the tail, "
                     "the curve continued between integers.", REAL, unit="records")
BAND_TO = Quantity("band_to", "N₊", "uncertain to", "N at which the probability of rejecting falls to the tail, the "
                   "curve continued between integers.", REAL, unit="records")
BAND_WIDTH = Quantity("band_width", "N₊ − N₋", "uncertain width", "Width of the stretch of N in which the answer is "
                      "uncertain.", NONNEGATIVE, unit="records")
BAND_STEPS = Quantity("band_steps", "⌈N₊⌉ − ⌊N₋⌋", "uncertain width in whole records", "Records from the last N that "
                      "is accepted with probability τ at most to the first that is rejected with that.", integers(),
                      unit="records")
CENTRE_ACCEPTANCE = variant(ACCEPTANCE, key="centre_acceptance", symbol="p₀", label="probability at the centre p₀",
                            sentence="Where the generalized curve changes branch: the acceptance probability that its "
                            "centre n₀ has.")
ABOVE_CENTRE = Quantity("above_centre", "N₊ − n₀", "centre to upper end of the band", "Records from the centre n₀ of "
                        "the generalized curve up to where rejecting falls to the tail.", REAL, unit="records")
BELOW_CENTRE = Quantity("below_centre", "n₀ − N₋", "lower end of the band to centre", "Records from the centre n₀ of "
                        "the generalized curve down to where accepting falls to the tail.", REAL, unit="records")
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
                        "of ten answers together, at most.", domain=NONNEGATIVE)
ASKED_DELTA = variant(DELTA, key="asked_delta", label="δ after asking 10 times", sentence="The δ of ten answers "
                      "together that goes with their ε.")
COMPOSED_EPSILON = variant(EPSILON, key="composed_epsilon", label="total ε", sentence="Privacy parameter of all "
                           "answers together, at most.")
COMPOSED_DELTA = variant(DELTA, key="composed_delta", label="total δ", sentence="The δ of all answers together that "
                         "goes with the total ε.")

# Theorems, by example
STEPS_FROM_ZERO = Quantity("steps_from_zero", "n(0→1)", "records from surely no to surely yes", "The fewest records in "
                           "which the probability of “yes” can rise from 0 to 1.", NONNEGATIVE, unit="records")
LARGEST_RATIO = Quantity("largest_ratio", "e^ε", "largest ratio", "How many times as likely one record can make an "
                         "answer.", NONNEGATIVE)
LARGEST_RATIO_TWICE = variant(LARGEST_RATIO, key="largest_ratio_twice", symbol="e^2ε", label="largest ratio of two",
                              sentence="How many times as likely one record can make two answers together.")
ONE_AMONG = Quantity("one_among", "1/δ", "people of whom one is published", "Of so many people the record of one could "
                     "be published whole, within δ.", integers(1))
PEEKING_DELTA = variant(DELTA, key="peeking_delta", label="δ of a second look", sentence="The δ it takes to correct a "
                        "noisy count where it is off by less than one.")
TWICE_DELTA = variant(DELTA, key="twice_delta", label="δ of two responses at ε", sentence="The smallest δ with which "
                      "two randomized responses are together still ε-private.")
PAIR_DELTA = variant(DELTA, key="pair_delta", label="δ of two records", sentence="The smallest δ that goes with 2ε for "
                     "two records.")
PAIR_DELTA_ADDED = variant(DELTA, key="pair_delta_added", symbol="2δ", label="2δ", sentence="What a formula that adds "
                           "δ up says of two records; it is no bound.")

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
GUESSING = variant(TYPE_II, key="guessing", symbol="1 − α", label="guessing", sentence="Type II error of a test that "
                   "does not look at the answer.")
RELEASES = Quantity("releases", "k", "releases k", "Number of releases that look at the same people.",
                    integers(1, 10**9), "log")
ALLOWANCE = Quantity("allowance", "δ′", "slack δ′", "What of the total δ is given away to composition, for the sake of "
                     "a smaller ε.",
                     UNIT, "log")
GROUP_SIZE = Quantity("group_size", "k", "group size k", "Number of records in which two datasets differ.",
                      integers(1, EXACT_INTEGERS), "log", "records")


# Randomized response
DESIGN = Quantity("design", "design", "kind of response", "How a person randomizes: symmetric with a chosen ε, two "
                  "coins θ₁ and θ₂, or two fair coins, which “warner” stands for.",
                  Choice(("symmetric", "coins", "warner")))
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
                         sentence="Largest posterior that an answer with this ε can lead to from this prior.")
POSTERIOR_LEAST = variant(POSTERIOR, key="posterior_least", symbol="min p(y|y′)", label="least that ε allows",
                          sentence="Smallest posterior that an answer with this ε can lead to from this prior.")
POSTERIOR_SAME = variant(POSTERIOR, key="posterior_same", symbol="p(y|y′) = p(y)", label="the answer says nothing",
                         sentence="The posterior equals the prior: the answer is worthless.")
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
                         "1.96 standard deviations of the estimate fit the margin: where they are many, about 95 % of "
                         "surveys are then within it.",
                         NONNEGATIVE, "log", "people", enough=True)
PEOPLE_SURE = Quantity("people_sure", "n(Hoeffding)", "people certainly enough", "Number of people with which at "
                       "least 95 % of surveys are within the margin, whatever the fraction, by Hoeffding’s inequality.",
                       NONNEGATIVE, "log", "people", enough=True)
SURVEYS = Quantity("surveys", "T", "surveys", "Number of simulated surveys.", integers(1, 10**12), "log")
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
ROUNDED_SD = variant(NOISE_SD, key="rounded_sd", symbol="sd, rounded", label="sd, rounded to whole numbers",
                     sentence="Standard deviation of the noise where the answer is rounded to a whole number "
                     "afterwards.")
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
                        "exceeds ε: never less than the δ that is kept at this ε.", UNIT, "log")
POSTERIOR_95 = Quantity("posterior_95", "p′₉₅", "belief after 95 % of answers", "What an attacker who knows all "
                        "other records believes at most of a record that is there, after 95 % of all answers.", UNIT)
BELIEF_MOST = Quantity("belief_most", "max p′", "belief after any answer", "What an attacker who knows all other "
                      "records believes of the record after the most telling answer.", UNIT)
TOO_MUCH = Quantity("too_much", "σ/σ₀", "σ over least σ", "σ over the least σ that keeps this guarantee: "
                    "below 1 it is broken.", NONNEGATIVE, "log")
VARIANCE_TOO_MUCH = Quantity("variance_too_much", "σ²/σ₀²", "variance over least", "The variance over the least "
                             "one that keeps this guarantee.",
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

# A policy: whether to act, from what private counts say
SYMPTOM_RATE = Quantity("symptom_rate", "π", "probability of a symptom", "Probability that a person has a symptom.",
                        UNIT)
WEIGHT = Quantity("weight", "w", "weight, gravest symptom", "What the gravest symptom is worth to one person, on the "
                  "scale of the cost: never above 0.", reals(high=0))
MILD_WEIGHT = variant(WEIGHT, key="mild_weight", symbol="w′", label="weight, mildest symptom",
                      sentence="What the mildest symptom is worth; those between are spaced by equal ratios.")
UNTREATED = variant(SYMPTOM_RATE, key="untreated", symbol="π₀", label="sick without action", sentence="Probability of "
                    "the gravest symptom in somebody on whom nobody acts.")
TREATED = variant(SYMPTOM_RATE, key="treated", symbol="π₁", label="sick with action", sentence="Probability of the "
                  "gravest symptom in somebody on whom one acts.")
MILD_UNTREATED = variant(SYMPTOM_RATE, key="mild_untreated", symbol="π₀′", label="mildest, without action",
                         sentence="Probability of the mildest symptom without action; those between are spaced evenly.")
MILD_TREATED = variant(SYMPTOM_RATE, key="mild_treated", symbol="π₁′", label="mildest, with action",
                       sentence="Probability of the mildest symptom with action; those between are spaced evenly.")
SYMPTOMS = Quantity("symptoms", "d", "symptoms d", "Number of symptoms that are counted in each person.",
                    integers(1, 10**6), unit="symptoms")
COST = Quantity("cost", "C", "cost C of acting", "What acting on one person costs, on the scale of the weights.",
                NONNEGATIVE)
FACTOR = Quantity("factor", "f", "factor f", "What the symptoms of somebody on whom one acted are multiplied by: 2 "
                  "in “Our Utility”, so that interfering is the worse choice.", NONNEGATIVE)
ARM = Quantity("arm", "n₀", "people without action", "Number of people without action whose symptoms were counted "
               "first; as many with action, unless these are set apart.", integers(1, EXACT_INTEGERS), "log", "people")
ARM_TREATED = variant(ARM, key="arm_treated", symbol="n₁", label="people with action", sentence="Number of people with "
                      "action whose symptoms were counted first.")
SICK_UNTREATED = Quantity("sick_untreated", "k₀", "sick without action", "How many of the people first counted without "
                          "action had the gravest symptom: at most all of them.", integers(0, EXACT_INTEGERS), "log",
                          "people")
SICK_TREATED = variant(SICK_UNTREATED, key="sick_treated", symbol="k₁", label="sick with action",
                       sentence="How many of the people first counted with action had the gravest symptom: at most all "
                       "of them.")
MILD_SICK_UNTREATED = variant(SICK_UNTREATED, key="mild_sick_untreated", symbol="k₀′", label="mildest, without action",
                              sentence="How many of the people first counted without action had the mildest symptom; "
                              "counts of those between are spaced evenly.")
MILD_SICK_TREATED = variant(SICK_UNTREATED, key="mild_sick_treated", symbol="k₁′", label="mildest, with action",
                            sentence="How many of the people first counted with action had the mildest symptom; counts "
                            "of those between are spaced evenly.")
ARM_SICK = Quantity("sick", "k", "people with a symptom", "How many people of an arm have each symptom; a count with "
                    "noise may be any number from 0 to n.", NONNEGATIVE, unit="people")
PRIOR_SICK = Quantity("prior_sick", "a", "prior a", "Pseudo-people with the symptom in the Beta prior of every "
                      "symptom and action.", POSITIVE, "log")
PRIOR_WELL = Quantity("prior_well", "b", "prior b", "Pseudo-people without the symptom in the Beta prior of every "
                      "symptom and action.", POSITIVE, "log")
COUNT_EPSILON = variant(EPSILON, key="count_epsilon", label="ε of each count", sentence="Privacy parameter of each "
                        "released count: Laplace noise of scale 1/ε. A person is in d counts.")
ACT_EPSILON = variant(EPSILON_OR_ZERO, key="act_epsilon", symbol="ε′", label="ε of the decision", sentence="Privacy "
                      "parameter of each person’s own decision, whose best action passes through randomized response.")
ACT_DESIGN = Quantity("act_design", "design", "decision made by", "How a person’s decision is randomized: symmetric "
                      "with a chosen ε, or by two coins θ₁ and θ₂.", Choice(("symmetric", "coins")))
ARM_MAY_CHANGE = Quantity("arm_may_change", "arm", "the arm may change", "Whether neighbours may also differ in "
                          "whether the person was acted upon: then 2d counts change, not d.", Switch())
POLICY_BATCHES = Quantity("policy_batches", "B", "batches", "Number of batches in which people arrive.",
                          integers(1, 10**6), unit="batches")
POLICY_BATCH = variant(POLICY_BATCHES, key="policy_batch", symbol="t", label="batch", sentence="Which batch of people; "
                       "a single one is drawn from ½ to 1½.", domain=NONNEGATIVE, unit="")
ARRIVALS = Quantity("arrivals", "m", "people in a batch", "Number of people who arrive in each batch.",
                    integers(1, EXACT_INTEGERS), "log", "people")
POLICY_UPDATING = Quantity("policy_updating", "updating", "updating", "How counts are kept private over batches: "
                           "sequential adds a noisy count of each batch to the last, retrain releases the whole "
                           "count anew with a share of ε.", Choice(("sequential", "retrain")))
REPLICATES = variant(TRIALS, key="replicates", label="replicates", sentence="Number of simulated programmes, each with "
                     "all its batches.")
UTILITY = Quantity("utility", "E U", "expected utility", "Expected utility of one person: weighted symptoms, times the "
                   "factor and less the cost where one acts.", REAL)
UTILITY_WAITING = variant(UTILITY, key="utility_no_action", symbol="E U₀", label="utility without action",
                          sentence="Σ w π₀: expected utility of a person on whom nobody acts.")
UTILITY_ACTING = variant(UTILITY, key="utility_action", symbol="E U₁", label="utility with action",
                         sentence="f Σ w π₁ − C: expected utility of a person on whom one acts.")
UTILITY_LOW = variant(UTILITY, key="utility_low", label="utility, lower end", sentence="Lower end of what "
                      "the counts leave likely: posterior mean less 1.96 posterior standard deviations.")
UTILITY_HIGH = variant(UTILITY, key="utility_high", label="utility, upper end", sentence="Upper end of what "
                       "the counts leave likely: posterior mean and 1.96 posterior standard deviations.")
UTILITY_BEST = variant(UTILITY, key="utility_best", symbol="U*", label="utility, truth known", sentence="Expected "
                       "utility of the better action, for whoever knows the true probabilities.")
GAP = Quantity("gap", "gap", "worth of choosing well", "Difference of the two expected utilities: what one loses on "
               "a person for whom the worse action is taken.", NONNEGATIVE)
BREAKEVEN_COST = Quantity("breakeven_cost", "C*", "break-even cost", "f Σ w π₁ − Σ w π₀: acting is better where it "
                          "costs less; below 0 it is not, even for nothing.", REAL)
BEST_ACTION = Quantity("best_action", "best", "acting is better", "1 where acting has the larger expected utility, "
                       "else 0; on a tie nobody acts.", integers(0, 1))
WAITING_SD = Quantity("waiting_sd", "sd U₀", "posterior sd without action", "Posterior standard deviation of the "
                      "expected utility without action, from exact counts.", NONNEGATIVE)
ACTING_SD = variant(WAITING_SD, key="acting_sd", symbol="sd U₁", label="posterior sd with action",
                    sentence="Posterior standard deviation of the expected utility with action, from exact counts.")
RECOMMENDED = Quantity("recommended", "Pr[act is best]", "acting recommended", "Probability that the counts, as "
                       "released, make acting look better.", UNIT)
TAKEN = Quantity("taken", "Pr[act]", "action taken", "Probability that one acts on a person, after their own "
                 "randomized response.", UNIT)
RIGHT = Quantity("right", "Pr[right]", "right action taken", "Probability that a person gets the truly better action.",
                 UNIT)
UNCLIPPED = variant(RECOMMENDED, key="recommended_unclipped", symbol="Pr, unclipped",
                    label="recommended, unclipped", sentence="The same with counts as noise leaves them, which "
                    "may be below 0 and above n.")
POLICY_UTILITY = variant(UTILITY, key="policy_utility", label="utility a person", sentence="Expected utility of a "
                         "person under the true probabilities, when the action comes about so.")
PRICE = Quantity("price", "price", "price of privacy", "Utility a person that privacy costs against exact counts and "
                 "truthful decisions; negative where exact counts mislead.", REAL)
PRICE_SHARE = Quantity("price_share", "price/gap", "price, share of gap", "Price of privacy as a part of what the "
                       "choice is worth.", REAL)
COUNTS_EPSILON = variant(EPSILON, key="counts_epsilon", symbol="d·ε", label="ε of the counts", domain=NONNEGATIVE,
                         sentence="Privacy parameter of all counts that one person is in, together.")
PERSON_EPSILON = variant(EPSILON, key="person_epsilon", symbol="Σε", label="total ε a person", domain=NONNEGATIVE,
                         sentence="Privacy parameter of all that is released of one person: their counts and their own "
                         "decision.")
FIRST_RECOMMENDED = variant(RECOMMENDED, key="first_recommended", symbol="first", label="recommended, simulated",
                            sentence="Share of simulated programmes whose first released counts made acting look "
                            "better.")
LAST_RECOMMENDED = variant(RECOMMENDED, key="last_recommended", symbol="last", label="recommended in the end",
                           sentence="Share of simulated programmes whose counts made acting look better before the "
                           "last batch.")
SEEN_UTILITY = variant(UTILITY, key="seen_utility", symbol="mean U", label="utility of a batch", sentence="Mean "
                       "utility a person of the people of one batch, over simulated programmes.")
SEEN_UTILITY_LOW = variant(SEEN_UTILITY, key="seen_utility_low", label="utility of a batch, lower end",
                           sentence="Lower end of its 95 % interval, by the central limit theorem.")
SEEN_UTILITY_HIGH = variant(SEEN_UTILITY, key="seen_utility_high", label="utility of a batch, upper end",
                            sentence="Upper end of its 95 % interval, by the central limit theorem.")
ALL_UTILITY = variant(SEEN_UTILITY, key="all_utility", label="utility, simulated", sentence="Mean utility a person, "
                      "over all batches of the simulated programmes.")
REGRET = Quantity("regret", "regret", "regret so far", "Utility lost on all people so far against always taking "
                  "the truly better action.", NONNEGATIVE)
REGRET_LOW = variant(REGRET, key="regret_low", label="regret, lower end", sentence="Lower end of its 95 % interval, by "
                     "the central limit theorem, lower by what three programmes may lose.")
REGRET_HIGH = variant(REGRET, key="regret_high", label="regret, upper end", sentence="Upper end of its 95 % interval, "
                      "by the central limit theorem, wider by what three programmes may lose.")
REGRET_PERSON = variant(REGRET, key="regret_person", symbol="regret/person", label="regret, simulated",
                        sentence="Mean utility lost a person over all batches, against always taking the truly better "
                        "action.")

# What many releases and many records come to
BUDGET = variant(EPSILON, key="budget", symbol="Σε", label="allowed total ε", sentence="The largest ε that all "
                 "releases together may have.")
BUDGET_DELTA = variant(DELTA, key="budget_delta", symbol="Σδ", label="allowed total δ", sentence="The largest δ that "
                       "all releases together may have.")
STEP_DELTA = variant(DELTA, key="step_delta", label="δ of each release", sentence="By how much, in one release, the "
                     "probability of an event may exceed e^ε times that without a record.")
TOTAL_EPSILON = variant(EPSILON, key="total_epsilon", symbol="ε after k", label="total ε", sentence="Privacy parameter "
                        "of all releases together.", domain=NONNEGATIVE)
TOTAL_DELTA = variant(DELTA, key="total_delta", symbol="δ after k", label="total δ", sentence="The δ of all releases "
                      "together that goes with the total ε.")
LEFT = Quantity("left", "ε left", "ε left", "What of the allowed total ε is left; negative where more was spent.", REAL)
LEFT_DELTA = Quantity("left_delta", "δ left", "δ left", "What of the allowed total δ is left; negative where more was "
                      "spent.", REAL)
LOSS_GRID = Quantity("loss_grid", "Δℓ", "grid of losses", "Step of the grid to which dp-accounting rounds privacy "
                     "losses up: the finer, the less pessimistic.", POSITIVE, "log")
COUNT_ERROR_95 = variant(ERROR_95, key="count_error_95", label="95 % error of a count",
                         sentence="How far a count with Laplace noise for one release’s ε is off at most, in 95 % of "
                                  "all releases.")
MOST_RELEASES = Quantity("most_releases", "max k", "releases allowed", "Number of such releases that the allowed total "
                         "ε and δ are enough for.", integers(), "log")
TOTAL_BELIEF = variant(POSTERIOR_MOST, key="total_belief", label="belief at the total ε", sentence="What a privacy "
                       "loss of the total ε makes of even odds about a record; a loss exceeds it with a probability of "
                       "its own, “loss beyond ε”.")
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


# Audits
AUDITED = Quantity("mechanism", "mechanism", "mechanism audited", "What is drawn from; those that begin with “wrong” "
                   "claim what they do not keep.", Choice((
                       "laplace_decision", "cutoff_decision", "generalized_decision", "gaussian_decision", "response",
                       "laplace_count", "geometric_count", "gaussian_count", "wrong_sensitivity", "wrong_delta",
                       "wrong_shared_noise", "wrong_not_randomized")))
FEWER_RECORDS = variant(N, key="fewer_records", label="records n of the pair", sentence="The audit draws from n "
                        "records and from n + 1: the pair of neighbours it looks at.")
PROCESSING = Quantity("processing", "g", "post-processing", "What is done to the released number before anybody sees "
                      "it.", Choice(("none", "rounding", "clamping", "thresholding")))
PROCESSING_AT = Quantity("processing_at", "t", "step, limit or threshold", "Rounding goes to multiples of t, clamping "
                         "into [0, t], thresholding asks whether the number is at least t.", POSITIVE, "log")
CONFIDENCE = Quantity("confidence", "1 − α", "confidence", "Probability, at least, with which all certificates of an "
                      "audit are true together.", INSIDE_UNIT)
DRAWS = variant(TRIALS, key="draws", label="draws", sentence="Number of outcomes drawn on each of the two datasets.")
DRAWS_DONE = variant(TRIALS, key="draws_done", label="draws so far", sentence="Number of outcomes drawn so far on each "
                     "of the two datasets.")
DRAWS_NEEDED = Quantity("draws_needed", "draws needed", "draws needed", "Draws on each dataset with which about nine "
                        "audits in ten certify 90 % of the ε that the pair has or, if the claim is false, break it.",
                        NONNEGATIVE, "log")
OUTCOME = Quantity("outcome", "x", "outcome x", "A released number after post-processing; yes is 1 and no is 0.", REAL)
CELL_SHARE = Quantity("cell_share", "Pr[cell]", "probability of a cell", "Exact probability that an outcome falls into "
                      "one cell of the picture.", UNIT)
CELL_FOUND = variant(CELL_SHARE, key="cell_found", label="share of the draws", sentence="Share of the certifying draws "
                     "that fell into one cell of the picture.")
CELL_LOW = variant(CELL_SHARE, key="cell_low", label="lower end of the share", sentence="Lower end of the 95 % "
                   "Clopper–Pearson interval of a share.")
CELL_HIGH = variant(CELL_SHARE, key="cell_high", label="upper end of the share", sentence="Upper end of the 95 % "
                    "Clopper–Pearson interval of a share.")
AUDIT_EPSILON = variant(EPSILON, key="audit_epsilon", label="ε of the pair", sentence="ε beside the claimed δ: as "
                        "claimed, as the exact law has it for the best event, and as the draws certify at least.",
                        domain=NONNEGATIVE, scale="linear")
RAW_EPSILON = variant(AUDIT_EPSILON, key="raw_epsilon", label="ε before post-processing", sentence="ε of the best "
                      "event of the released number itself, by the exact law.")
AUDIT_DELTA = variant(DELTA, key="audit_delta", label="δ of the pair", sentence="δ beside the claimed ε: as claimed, "
                      "as the best event needs it by the exact law, and as the draws certify at least.", scale="linear")
LOOK_EPSILON = variant(AUDIT_EPSILON, key="look_epsilon", label="ε certified by one look", sentence="What the draws of "
                       "one look certify alone.")
EVENT_PROBABILITY = variant(PROBABILITY, key="event_probability", symbol="Pr[S]", label="probability of the event",
                            sentence="Probability of the chosen event.")
EVENT_LOW = variant(EVENT_PROBABILITY, key="event_low", label="lower end of the interval", sentence="Lower end of the "
                    "Clopper–Pearson interval that the certificate uses.")
EVENT_HIGH = variant(EVENT_PROBABILITY, key="event_high", label="upper end of the interval", sentence="Upper end of "
                     "the Clopper–Pearson interval that the certificate uses.")
FEWER_PROBABILITY = variant(EVENT_PROBABILITY, key="fewer_probability", symbol="Pr[S | n]",
                            label="Pr[event], n records", sentence="Probability of the chosen event on n records.")
MORE_PROBABILITY = variant(EVENT_PROBABILITY, key="more_probability", symbol="Pr[S | n+1]",
                           label="Pr[event], n + 1 records", sentence="Probability of the chosen event on n + 1 "
                           "records.")
EVENT_FROM = variant(OUTCOME, key="event_from", symbol="S from", label="event from", sentence="The chosen event holds "
                     "outcomes from here on.")
EVENT_TO = variant(OUTCOME, key="event_to", symbol="S to", label="event up to", sentence="The chosen event holds "
                   "outcomes below this.")
CAUGHT = Quantity("caught", "caught", "claim shown to be false", "1 where the draws prove, at the stated confidence, "
                  "that the claim is false, else 0.", integers(0, 1))
EDGE_EPSILON = variant(AUDIT_EPSILON, key="edge_epsilon", label="ε that an event shows", sentence="What the event of "
                       "all outcomes up to x, or from x on, shows by the exact law; 0 where it shows nothing.")
EDGE_FOUND = variant(AUDIT_EPSILON, key="edge_found", label="ε that its draws show", sentence="What the certifying "
                     "draws would certify for this event, had it been chosen; only the chosen one’s is a certificate.")
# Neighbouring databases
CELL_COUNT = Quantity("cell_count", "xᵢ", "records of one kind", "How many records of one kind the database has.",
                      integers(0, 10**6), unit="records")
CELL1 = variant(CELL_COUNT, key="cell1", symbol="x₁", label="1-star ratings x₁", sentence="Records of the first kind: "
                "ratings of one star.")
CELL2 = variant(CELL_COUNT, key="cell2", symbol="x₂", label="2-star ratings x₂", sentence="Records of the second kind: "
                "ratings of two stars.")
CELL3 = variant(CELL_COUNT, key="cell3", symbol="x₃", label="3-star ratings x₃", sentence="Records of the third kind: "
                "ratings of three stars.")
CELL4 = variant(CELL_COUNT, key="cell4", symbol="x₄", label="4-star ratings x₄", sentence="Records of the fourth kind: "
                "ratings of four stars.")
CELL5 = variant(CELL_COUNT, key="cell5", symbol="x₅", label="5-star ratings x₅", sentence="Records of the fifth kind: "
                "ratings of five stars.")
CHANGE = Quantity("change", "change", "from x to y", "What makes the neighbour y of the database x: one record is "
                  "added, removed, or swapped for another.", Choice(("add", "remove", "swap")))
KIND = Quantity("kind", "i", "stars of the record i", "Kind of the record that is added, removed or replaced.",
                integers(1))
KIND_BY = variant(KIND, key="kind_by", symbol="i′", label="swapped for i′", sentence="Kind of the record that takes "
                  "the place of the one that is swapped; otherwise it has no effect.")
STARS = Quantity("stars", "i", "stars", "Kind of a record, and its value: the stars of a rating.", integers(0))
CLAMPED = Quantity("clamped", "≥ 0", "negative counts raised to 0", "Whether noisy counts below 0 are raised to it; "
                   "post-processing, which costs no privacy.", Switch())
ROUNDED = Quantity("rounded", "⌊ ⌉", "counts rounded", "Whether noisy counts are rounded to whole numbers; "
                   "post-processing, which costs no privacy.", Switch())
RELEASE_TRIALS = variant(TRIALS, key="release_trials", label="releases", sentence="Number of simulated releases of the "
                         "histogram, and of people attacked, of whom 4 000 are enough.")
IN_KIND = Quantity("in_kind", "count", "count", "Records of a kind: in the database, or as released with noise.", REAL,
                   unit="records")
TRUE_COUNT = Quantity("true_count", "xᵢ", "true count", "Records of a kind that are in the database.", NONNEGATIVE,
                      unit="records")
DISTANCE = Quantity("distance", "‖x − y‖₁", "distance ‖x − y‖₁", "Sum of the differences of the counts: records to be "
                    "added or removed to get from x to y.", integers(), unit="records")
MOVE = Quantity("move", "Δf", "how far the answer moves", "How far one record moves the answer of a query.",
                NONNEGATIVE)
MOVE_COUNT = variant(MOVE, key="move_count", label="one count", sentence="How far one record moves a count.")
MOVE_HISTOGRAM = variant(MOVE, key="move_histogram", symbol="Δ₁", label="histogram, ℓ₁", sentence="How far one record "
                         "moves all counts together, their changes added up.")
MOVE_HISTOGRAM_L2 = variant(MOVE, key="move_histogram_l2", symbol="Δ₂", label="histogram, ℓ₂", sentence="How far one "
                            "record moves all counts together: the root of the sum of their squared changes.")
MOVE_SUM = variant(MOVE, key="move_sum", label="sum of stars", sentence="How far one record moves the sum of all "
                   "values.")
MOVE_MEAN = variant(MOVE, key="move_mean", label="mean", sentence="How far one record moves the average value of at "
                    "least one record.")
MOVE_SHARES = variant(MOVE, key="move_shares", label="shares, ℓ₁", sentence="How far one record moves the counts over "
                      "their sum, the changes added up.")
MOVE_MEDIAN = variant(MOVE, key="move_median", label="median", sentence="How far one record moves the value of the "
                      "middle record, the lower of two.")
MOVE_MODE = variant(MOVE, key="move_mode", label="commonest value", sentence="How far one record moves the commonest "
                    "value, the least of several.")
MOVE_TRIED = variant(MOVE, key="move_tried", label="found by trying", sentence="Farthest move of the answer "
                     "over every database of n records and every neighbour of it, each tried.")
NOTE_MOVE = variant(MOVE, key="note_move", symbol="1/n", label="1/n", sentence="The sensitivity of an average "
                    "of values in [0, 1], for a public n and swapped records.")
COUNT_ERROR = Quantity("count_error", "E|e|", "mean error of a count", "Mean distance of a released count from the "
                       "true one, after post-processing.", NONNEGATIVE, unit="records")
COUNT_ERROR_RAW = variant(COUNT_ERROR, key="count_error_raw", symbol="E|X|", label="before post-processing",
                          sentence="Mean distance of a noisy count from the true one, before post-processing.")
COUNT_BIAS = Quantity("count_bias", "E e", "bias of a count", "Mean of a released count minus the true one.",
                      NONNEGATIVE, unit="records")
COUNT_SEEN = variant(COUNT_ERROR, key="count_seen", symbol="seen", label="mean error, simulated", sentence="Mean "
                     "distance of simulated released counts from the true one.")
COUNT_SEEN_LOW = variant(COUNT_SEEN, key="count_seen_low", label="lower end of the interval", sentence="Lower end of "
                         "the 95 % interval of a simulated mean error, by the central limit theorem.")
COUNT_SEEN_HIGH = variant(COUNT_SEEN, key="count_seen_high", label="upper end of the interval", sentence="Upper end of "
                          "the 95 % interval of a simulated mean error, by the central limit theorem.")
HISTOGRAM_ERROR = variant(COUNT_ERROR, key="histogram_error", symbol="Σ E|e|", label="error of all counts",
                          sentence="Mean distance of the released histogram from the true one, the errors of all "
                          "counts added up.")
HISTOGRAM_ERROR_RAW = variant(COUNT_ERROR_RAW, key="histogram_error_raw", symbol="Σ E|X|", label="not post-processed",
                              sentence="Mean distance of the noisy histogram from the true one before "
                              "post-processing, the errors of all counts added up.")
TOTAL_BIAS = variant(COUNT_BIAS, key="total_bias", symbol="Σ E e", label="bias of the total", sentence="By how much "
                     "the sum of all released counts is too large on average.")
HISTOGRAM_SEEN = variant(COUNT_SEEN, key="histogram_seen", symbol="Σ seen", label="error, simulated",
                         sentence="Mean distance of simulated released histograms from the true one, the errors of "
                         "all counts added up.")
RELEASE_LOSS = variant(PRIVACY_LOSS, key="release_loss", symbol="ln p(r|x)/p(r|y)", label="loss of the release shown",
                       sentence="How much more likely x makes the release in the picture than y does, before "
                       "post-processing; its size is at most ε.")
NEIGHBOUR_BELIEF = Quantity("neighbour_belief", "p′", "belief after the histogram", "What somebody who was 50 : 50 "
                            "between x and any neighbour can believe at most after the release.", UNIT)

# Linking records
KNOWN = Quantity("known", "k", "ratings known k", "How many ratings of a person an attacker knows from elsewhere.",
                 integers(0, 8))
DATE_ERROR = Quantity("date_error", "±d", "dates known to ± d", "How far the known dates may be off, either way.",
                      integers(0, 730), unit="days")
AUX_WRONG = Quantity("aux_wrong", "w", "known ratings that are false", "Probability that a known rating is one that "
                     "the person never gave.", UNIT)
CONTRIBUTED = Quantity("contributed", "C", "ratings counted of each person", "How many of a person’s ratings the "
                       "private release counts at most; its noise grows with it.", integers(1), "log")
IDENTIFIED = Quantity("identified", "found", "people re-identified", "Share of the people who are named rightly at the "
                      "first guess.", UNIT)
IDENTIFIED_LOW = variant(IDENTIFIED, key="identified_low", label="lower end of the interval", sentence="Lower end of "
                         "the 95 % Clopper–Pearson interval of the share re-identified.")
IDENTIFIED_HIGH = variant(IDENTIFIED, key="identified_high", label="upper end of the interval", sentence="Upper end of "
                          "the 95 % Clopper–Pearson interval of the share re-identified.")
IDENTIFIED_TABLE = variant(IDENTIFIED, key="identified_table", label="re-identified, table", sentence="Share of the "
                           "people whose record in the table without names is found at the first guess.")
IDENTIFIED_RELEASE = variant(IDENTIFIED, key="identified_release", label="re-identified, release", sentence="Share of "
                             "the people who are named rightly as the one whom the private release counts.")
IDENTIFIED_MOST = variant(IDENTIFIED, key="identified_most", symbol="most found", label="any release at ε",
                          sentence="No attack on any ε-private release finds more than this share of 2 000 people on "
                                   "average.")
GUESSED = variant(IDENTIFIED, key="guessed", symbol="1/2 000", label="guessing", sentence="Share of the people whom "
                  "somebody names rightly who has seen nothing.")
NOTICED = Quantity("noticed", "right", "right about being there", "Share of the people about whom the attacker "
                   "guesses rightly whether they are in the data at all, which a fair coin decides.", UNIT)
NOTICED_LOW = variant(NOTICED, key="noticed_low", label="lower end of the interval", sentence="Lower end of the 95 % "
                      "Clopper–Pearson interval of the share guessed rightly.")
NOTICED_HIGH = variant(NOTICED, key="noticed_high", label="upper end of the interval", sentence="Upper end of the 95 % "
                       "Clopper–Pearson interval of the share guessed rightly.")
NOTICED_TABLE = variant(NOTICED, key="noticed_table", label="there or not, table", sentence="Share of the people about "
                        "whom an attacker of the table without names is right whether they are in it.")
NOTICED_RELEASE = variant(NOTICED, key="noticed_release", label="there or not, release", sentence="Share of the "
                          "people about whom an attacker of the private release is right whether it counts them.")
NOTICED_MOST = variant(NOTICED, key="noticed_most", symbol="e^ε/(1+e^ε)", label="any release at ε: there",
                       sentence="No attack on any ε-private release is right more often about who is there.")
COIN_TOSS = variant(NOTICED, key="coin_toss", symbol="½", label="tossing a coin", sentence="How often somebody is "
                    "right who tosses a coin.")
# A running count, released after each of several batches
BATCHES = Quantity("batches", "Q", "batches Q", "Number of batches; the running count is released after each.",
                   integers(1, 10**7), "log", "batches")
BATCH = Quantity("batch", "t", "batch t", "The batch after which the running count is looked at; 0 is the start.",
                 integers(0))
BATCH_PEOPLE = variant(PEOPLE, key="batch_people", label="people per batch", sentence="Number of people in each batch, "
                       "which is public.")
UPDATE_STRATEGY = Quantity("update_strategy", "strategy", "update strategy", "How the running count is released: batch "
                           "counts added up, counted again with a share of ε each time, assembled from a binary tree, "
                           "batch counts of everybody in every batch, or with a large share of ε kept for the last "
                           "release.", Choice(("sequential", "retrain", "tree", "overlapping", "skewed")))
MEMBERSHIP = Quantity("membership", "who", "who is in which batch", "Once: each person is in one batch. Status: the "
                      "same people each time, a yes may come and go, and each counts once at most. Visits: the same "
                      "people each time, and every yes of theirs counts.", Choice(("once", "status", "visits")))
LAST_SHARE = Quantity("last_share", "s", "share kept for the last", "Share of ε that skewed retraining keeps for the "
                      "last release.", INSIDE_UNIT)
BATCH_RATE = Quantity("batch_rate", "θ", "rate θ of yes", "Probability that an answer is yes.", UNIT)
UPDATE_DELTA = variant(DELTA, key="update_delta", label="δ, if one is spent", sentence="How far the probability of "
                       "any set of outcomes of all releases may exceed e^ε times that without one person, where noise "
                       "may spend a δ.")
HISTORIES = variant(TRIALS, key="histories", label="histories", sentence="Number of simulated histories of all "
                    "batches.")
RUNNING_SD = Quantity("running_sd", "sd", "sd of the noise", "Standard deviation of the noise in the running count "
                      "after a batch.", POSITIVE, "log")
RUNNING_SEEN = variant(RUNNING_SD, key="running_seen", symbol="seen", label="simulated sd of the noise",
                       sentence="Root of the mean squared noise in the simulated running counts.", domain=NONNEGATIVE)
RUNNING_SEEN_LOW = variant(RUNNING_SEEN, key="running_seen_low", label="lower end of the simulated sd",
                           sentence="Lower end of its 95 % interval, by the central limit theorem.")
RUNNING_SEEN_HIGH = variant(RUNNING_SEEN, key="running_seen_high", label="upper end of the simulated sd",
                            sentence="Upper end of its 95 % interval, by the central limit theorem.")
END_VARIANCE = Quantity("end_variance", "Var at Q", "variance at the end", "Variance of the noise in the running count "
                        "after the last batch.", POSITIVE, "log")
END_SD = variant(RUNNING_SD, key="end_sd", symbol="sd at Q", label="sd at the end", sentence="Standard deviation of "
                 "the noise in the running count after the last batch.")
END_SEEN = variant(END_VARIANCE, key="end_seen", symbol="seen at Q", label="variance, simulated",
                   sentence="Mean squared noise in the running count after the last batch of the simulated histories.",
                   domain=NONNEGATIVE)
END_ERROR_95 = Quantity("end_error_95", "e₉₅ at Q", "95 % error at the end", "How far the noise takes the running "
                        "count at most after the last batch, with probability 95 %.", POSITIVE, "log")
END_TIMES = Quantity("end_times", "Var/Var", "variance over adding up’s", "Variance at the end against that of adding "
                     "up noisy batch counts: below 1 is better.", NONNEGATIVE, "log")
WORST_VARIANCE = variant(END_VARIANCE, key="worst_variance", symbol="max Var", label="variance, worst batch",
                         sentence="Largest variance of the noise in the running count after any batch.")
WORST_SD = variant(RUNNING_SD, key="worst_sd", symbol="max sd", label="sd, worst batch", sentence="Largest standard "
                   "deviation of the noise in the running count after any batch.")
MOVED_TOGETHER = Quantity("moved_together", "Δ₁", "moved together Δ₁", "How far one person can move all counts "
                          "that get noise, added up.", NONNEGATIVE, "log")
ONCE_EPSILON = variant(EPSILON, key="once_epsilon", symbol="ε once", label="ε, in one batch", sentence="Privacy "
                       "parameter of a person who is in one batch, the worst one.", domain=NONNEGATIVE)
STATUS_EPSILON = variant(EPSILON, key="status_epsilon", symbol="ε status", label="ε, yes may change",
                         sentence="Privacy parameter of a person whose yes may come and go with every batch and counts "
                         "once at most.", domain=NONNEGATIVE)
VISITS_EPSILON = variant(EPSILON, key="visits_epsilon", symbol="ε visits", label="ε, in every batch",
                         sentence="Privacy parameter of a person who is in every batch and counts every time.",
                         domain=NONNEGATIVE)
BETTER_FROM = Quantity("better_from", "first Q", "end: first better Q", "Smallest number of batches with which the end "
                       "has less noise than adding up; ∞ where there is none up to 20 000.", NONNEGATIVE, "log",
                       "batches")
BETTER_AFTER = Quantity("better_after", "always past Q", "end: last Q not better", "Largest number of batches up to "
                        "20 000 with which the end has no less noise than adding up; ∞ where it never has less.",
                        NONNEGATIVE, "log", "batches")
WORST_BETTER_FROM = variant(BETTER_FROM, key="worst_better_from", symbol="first Q, worst",
                            label="worst: first better Q", sentence="Smallest number of batches with which the worst "
                            "batch has less noise than the worst of adding up; ∞ where there is none up to 20 000.")
WORST_BETTER_AFTER = variant(BETTER_AFTER, key="worst_better_after", symbol="always past Q, worst",
                             label="worst: last Q not better", sentence="Largest number of batches up to 20 000 with "
                             "which the worst batch has no less noise than the worst of adding up; ∞ where it never "
                             "has less.")
EACH_EPSILON = variant(EPSILON, key="each_epsilon", symbol="ε/Q", label="ε of each release", sentence="Privacy "
                       "parameter of one release, by basic composition.")
EACH_OPTIMAL = variant(EPSILON, key="each_optimal", symbol="ε₀", label="ε of each, optimal", sentence="Largest ε of "
                       "one release with which any Q such releases are (ε, δ)-private together.")
OPTIMAL_VARIANCE = variant(END_VARIANCE, key="optimal_variance", symbol="Var, δ", label="variance, optimal",
                           sentence="Variance of the noise at the end if every release has the largest ε that optimal "
                           "composition allows at (ε, δ).")
GAUSSIAN_VARIANCE = variant(END_VARIANCE, key="gaussian_variance", symbol="Var, Gaussian", label="variance, Gaussian",
                            sentence="Variance of the noise at the end with the least Gaussian noise that keeps (ε, δ) "
                            "over all releases together.")
BATCH_COUNT = Quantity("batch_count", "c", "running count", "Number of yes so far, or what is released of it.", REAL)
TRUE_RUNNING_COUNT = variant(BATCH_COUNT, key="true_running_count", label="true running count",
                             sentence="Number of yes so far.")
RUNNING_NOISE = Quantity("running_noise", "c − S", "noise in the running count", "Released running count minus the "
                         "true one.", REAL)
COUNT_NOISE_MOST = variant(RUNNING_NOISE, key="count_noise_most", symbol="e₉₅", label="95 % of the noise above",
                           sentence="The noise stays between this and its negative with probability 95 %.")
COUNT_NOISE_LEAST = variant(RUNNING_NOISE, key="count_noise_least", symbol="−e₉₅", label="95 % of the noise below",
                            sentence="Negative of what the noise stays within with probability 95 %.")
RUNNING_RATE_SD = Quantity("running_rate_sd", "sd of θ", "sd of the rate", "Standard deviation of the running count "
                           "over the number of answers, about the rate: the sample’s own and the noise’s together.",
                           NONNEGATIVE, "log")
RUNNING_RATE_MEAN = Quantity("running_rate_mean", "E[θ|c]", "posterior mean of the rate", "Mean of the posterior that "
                             "takes the released count, clamped, for the true one.", UNIT)
RATE_LOW = variant(RUNNING_RATE_MEAN, key="rate_low", symbol="θ₋", label="lower end of the posterior", sentence="Lower "
                   "end of the central 95 % of the posterior that takes the released count, clamped, for the true one.")
RATE_HIGH = variant(RUNNING_RATE_MEAN, key="rate_high", symbol="θ₊", label="upper end of the posterior",
                    sentence="Upper end of the central 95 % of the posterior that takes the released count, clamped, "
                    "for the true one.")
RATE_COVERED = Quantity("rate_covered", "covers", "naive coverage", "Share of the simulated histories in "
                        "which the naive posterior’s central 95 % holds the rate, drawn evenly from 0 to 1.", UNIT)
RATE_COVERED_LOW = variant(RATE_COVERED, key="rate_covered_low", label="lower end of the coverage", sentence="Lower "
                           "end of the 95 % Clopper–Pearson interval of the coverage.")
RATE_COVERED_HIGH = variant(RATE_COVERED, key="rate_covered_high", label="upper end of the coverage", sentence="Upper "
                            "end of the 95 % Clopper–Pearson interval of the coverage.")
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
RELEASE = Quantity("release", "release", "released count", "Whether the released count is given, or drawn: the true "
                   "count with noise of this ε, by the seed.", Choice(("given", "drawn")))
DRAWN_RELEASE = variant(NOISY_SHARE, key="drawn_release", label="drawn share c/n", sentence="The noisy count that was "
                        "drawn for the true one, over the number of people.")
LEVEL = Quantity("level", "1−α", "level of the interval", "Probability that a posterior gives to its central interval.",
                 INSIDE_UNIT)
TRUE_YES = Quantity("true_yes", "k", "true count k", "Number of yeses among these people, before any noise.",
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
DESERVED = Quantity("deserved", "Pr[in | c]", "probability inside", "Probability that the rate lies in this "
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
                       "noise is as large as the error of the sample itself, if the rate is ½.")
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
NOTE_ERROR = variant(ERROR_SD, key="note_error", symbol="1/(ε√n), 1/(εn)", label="lecture notes’ form", sentence="What "
                     "the lecture notes say the error is proportional to, 1/(ε√n) or 1/(εn), with the constant 1.")
GROUP_ERROR = variant(ERROR_SD, key="group_error", symbol="sd | group", label="sd, group", sentence="Standard "
                      "deviation about the fraction among these n people: what the mechanism adds.")
POPULATION_ERROR = variant(ERROR_SD, key="population_error", symbol="sd | population", label="sd, population",
                           sentence="Standard deviation about the fraction in the population: the mechanism’s and the "
                           "sample’s own together.")
FRACTION_ERROR_95 = variant(ERROR_SD, key="fraction_error_95", symbol="95 %", label="95 % error",
                            sentence="Error about the fraction among these people that the mechanism stays "
                            "within with probability 95 %, at least.")
TIMES_SD = Quantity("times_sd", "sd ratio", "times the sd, group", "Standard deviation about the group against that "
                    "of Laplace noise.", NONNEGATIVE, "log")
TIMES_SD_POPULATION = variant(TIMES_SD, key="times_sd_population", label="times the sd, population",
                              sentence="Standard deviation about the population against that of Laplace noise.")
TIMES_PEOPLE = Quantity("times_people", "n ratio", "times the people, group", "How many times more people randomized "
                        "response needs for the error about its group that Laplace noise has.", NONNEGATIVE, "log")
TIMES_PEOPLE_POPULATION = variant(TIMES_PEOPLE, key="times_people_population", label="times the people, population",
                                  sentence="How many times more people randomized response needs for the error about "
                                  "the population that Laplace noise has.")
BREAK_EVEN = Quantity("break_even", "n*", "break-even people", "Number of people below which randomized response has a "
                      "smaller error about its group than Laplace noise, 8 sinh²(ε/2)/ε².", NONNEGATIVE, "log",
                      "people")
SEEN_SD = variant(ERROR_SD, key="seen_sd", symbol="seen", label="simulated sd", sentence="Root of the mean squared "
                  "error of the simulated surveys.")
SEEN_SD_LOW = variant(ERROR_SD, key="seen_sd_low", label="lower end of the simulated sd", sentence="Lower end of its "
                      "95 % interval, by the exact spread of squared errors.")
SEEN_SD_HIGH = variant(ERROR_SD, key="seen_sd_high", label="upper end of the simulated sd", sentence="Upper end of its "
                       "95 % interval, by the exact spread of squared errors.")


def words() -> Sequence[Quantity]:
    """Every quantity of the vocabulary, in order of declaration."""
    return tuple(value for value in globals().values() if isinstance(value, Quantity))
