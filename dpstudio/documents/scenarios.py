"""Cases from practice that open ready: a story, a question to answer, and what to look for.

Every number in their words is a place, filled with a parameter or a fact at the scenario's settings, `{epsilon}` and
`{acceptance:laplace}`, or at others of its settings, `{strict.epsilon}`; what it claims is said where that holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

from dpstudio.core.answer import Answer
from dpstudio.core.results import Fact
from dpstudio.core.sentence import Sentence, part
from dpstudio.documents.session import Session
from dpstudio.documents.setting import Values, setting
from dpstudio.documents.state import StudyState
from dpstudio.records import cached_property, dataclass
from dpstudio.studies import all_studies
from dpstudio.text.numbers import powered


@dataclass(frozen=True, slots=True)
class Scenario:
    """One case: a study with values, and words with places for its numbers."""

    key: str
    title: str
    study: str
    values: Values
    story: tuple[str, str, str]
    question: str
    claims: tuple[Sentence[ScenarioWords, None], ...]
    """What there is to see; the condition of each is asked by quantity, series and the name of a setting."""
    others: Mapping[str, Values] = field(default_factory=dict)
    """Further settings by name, as far as they differ; they are pinned."""

    @property
    def words(self) -> str:
        """The story, with places."""
        return " ".join(self.story)

    def session(self, before: StudyState | None = None) -> Session:
        """The study at these settings with the others pinned; what somebody noted `before` stays.

        Raises InvalidParameter for values that the study refuses.
        """
        kind = all_studies()[self.study]
        pins = tuple(setting(kind, {**self.values, **changes}) for changes in self.others.values())
        fresh = StudyState(setting(kind, self.values))
        state = replace(before or fresh, setting=fresh.setting, left_out=None, pins=pins, hidden=frozenset(), views={},
                        figures={})
        return Session(kind, {kind: state})

    def told(self) -> ScenarioWords:
        """Its words with today's numbers."""
        return ScenarioWords(self)


class ScenarioWords:
    """The words of a scenario; what they need is computed when they are asked for."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        kind = all_studies()[scenario.study]
        self._answers: dict[str, Answer[Any, Any, Any]] = {
            name: kind(**{**scenario.values, **changes}).answer()
            for name, changes in {"": {}, **scenario.others}.items()}

    def __call__(self, quantity: str, series: str | None = None, at: str = "") -> float:
        """The value of a fact, at its settings or at others of that name."""
        found = self._answers[at].fact(quantity, series)
        assert found is not None, f"{quantity} has no value at {at or 'its settings'}"
        return found.value

    def filling(self, name: str) -> Fact | str | float | None:
        """What stands in a place of that name; after the name of another setting and a point, the same there."""
        at, _, place = name.rpartition(".")
        return self._answers[at].filling(place)

    @cached_property
    def story(self) -> str:
        return self._said(part(self.scenario.words))

    @cached_property
    def answer(self) -> str:
        """What there is to see."""
        return self._said(*self.scenario.claims)

    def _said(self, *sentences: Sentence[ScenarioWords, None]) -> str:
        return powered(" ".join(said for each in sentences if (said := each.said(self)) is not None))


SCENARIOS: Mapping[str, Scenario] = {each.key: each for each in (
    Scenario(
        "region", "A statistic of a region, from enough users on", "decision",
        {"minimum": 100, "epsilon": 0.5, "delta": 1e-6, "target": 0.01, "records": 110},
        ("A company shows a statistic of a region where at least {minimum} users live there.",
         "Whether a region is shown must not tell whether one certain user lives there, so it is decided at random "
         "with ε = {epsilon} and δ = {delta}, and a region of {minimum} users is shown with probability {target} only.",
         "The region in hand has {records} users; an ε of {strict.epsilon} is pinned."),
        "What would it cost never to refuse a region that qualifies, and which helps more: a δ or a larger ε?",
        (part("The cutoff exponential shows every region that qualifies, but its δ is {guarantee_delta:cutoff}: "
              "with that probability a region one user short is refused, which no region that qualifies ever is.",
              when=lambda f: f("rejection", "cutoff") == 0 and f("acceptance_at_minimum", "cutoff") == 1
              and f("guarantee_delta", "cutoff") > 0.1),
         part("A δ of {delta} helps next to nothing: the generalized decision is uncertain over "
              "{band_width:generalized} users, Laplace over {band_width:laplace}.",
              when=lambda f: 0.99 < f("band_width", "generalized") / f("band_width", "laplace") <= 1),
         part("With ε = {strict.epsilon} in place of {epsilon} Laplace would be uncertain over "
              "{strict.band_width:laplace} users, and regions shown almost surely only from {strict.band_to:laplace} "
              "on.",
              when=lambda f: f("band_width", "laplace", "strict") > 2 * f("band_width", "laplace"))),
        {"strict": {"epsilon": 0.1}}),
    Scenario(
        "census", "Counts of a census", "noise",
        {"epsilon": 0.5, "delta": 1e-6, "sensitivity": 3.0, "sensitivity_l2": 3**0.5, "dimension": 3},
        ("A statistics office publishes how many people live in every block, every town and every state.",
         "Each person is counted in {dimension} of these numbers, one of each kind, so one person moves them by "
         "{l1_used} in all, and by {l2_used} in a straight line.",
         "All of them together may spend ε = {epsilon}, and δ = {delta} where the noise is Gaussian; a census with "
         "{tables.dimension} such numbers a person is pinned."),
        "When would Gaussian noise be less, and for which of the three numbers is the noise too much?",
        (part("With {tables.dimension} numbers a person Gaussian noise is less, {tables.error_95:gaussian} where "
              "Laplace noise has {tables.error_95:laplace}, because it grows with the straight distance; with "
              "{dimension} it is more.",
              when=lambda f: f("error_95", "gaussian", "tables") < f("error_95", "laplace", "tables")
              and f("l2_used", None, "tables") < f("l1_used", None, "tables")
              and f("error_95", "gaussian") > f("error_95", "laplace")),
         part("Nineteen of twenty counts are off by no more than {error_95:laplace} with Laplace noise, "
              "whatever is counted: that is as much as a small block has inhabitants, and nothing to a town or a "
              "state.",
              when=lambda f: 10 < f("error_95", "laplace") < 50),
         part("Against whoever knows all other people, no Laplace answer moves an even guess beyond "
              "{belief_most:laplace}.",
              when=lambda f: 0.5 < f("belief_most", "laplace") < 1)),
        {"tables": {"sensitivity": 100.0, "sensitivity_l2": 10.0, "dimension": 100}}),
    Scenario(
        "classroom", "A survey in a classroom", "response",
        {"design": "coins", "theta1": 0.5, "theta2": 0.5, "people": 30, "prevalence": 0.3, "margin": 0.1},
        ("A teacher asks {people} pupils whether they have ever copied in a test, and nobody is to be found out.",
         "Each throws a coin: with probability {theta1} they tell the truth, else they say “yes” with probability "
         "{theta2} whatever is true.",
         "Say that a fraction of {prevalence} did copy; a school of {school.people} is pinned."),
        "What does one “yes” tell about a pupil, and is what a whole school answers any better?",
        (part("Who says “yes” has copied with probability {posterior_yes:response}, not {prevalence}: more "
              "likely than before, and far from proven, for this is ε = {guarantee_epsilon:response}.",
              when=lambda f: 0.3 < f("posterior_yes", "response") < 0.7),
         part("About the class they tell little: the estimate lies within {margin} of the truth with probability "
              "{within_margin:response}.",
              when=lambda f: f("within_margin", "response") < 0.5),
         part("In the school of {school.people} that probability is {school.within_margin:response}; some "
              "{people_needed:response} answers are needed to be that near in nineteen of twenty surveys.",
              when=lambda f: f("within_margin", "response", "school") > 0.94
              and 30 < f("people_needed", "response") <= 400)),
        {"school": {"people": 400}}),
    Scenario(
        "vaccine", "A trial of a vaccine", "posterior",
        {"epsilon": 0.2, "people": 200, "fraction": 0.05, "release": "given", "noisy_share": 0.02},
        ("In a trial {people} people were vaccinated, and {true_yes} of them fell ill.",
         "The hospital releases the number with noise of ε = {epsilon}, and what was released is {noisy_count}.",
         "An analyst who sees that number alone asks how often vaccinated people fall ill; the same number released "
         "with ε = {open.epsilon} is pinned."),
        "How much less would the pinned release have misled whoever takes it at its word?",
        (part("Taken at its word this release deserves {deserved:naive} of confidence where it claims {level}; one "
              "with ε = {open.epsilon} would deserve {open.deserved:naive}: with less noise, forgetting it costs less.",
              when=lambda f: f("deserved", "naive") < 0.8
              and f("deserved", "naive") < f("deserved", "naive", "open") < 0.95),
         part("Who takes the noisy number for the true one believes in a rate from {interval_low:naive} to "
              "{interval_high:naive}; knowing the noise, from {interval_low:aware} to "
              "{interval_high:aware}.",
              when=lambda f: f("interval_low", "aware") < f("interval_low", "naive")
              and f("interval_high", "naive") < f("interval_high", "aware"))),
        {"open": {"epsilon": 1.0}}),
    Scenario(
        "dashboard", "A dashboard that is asked every day", "budget",
        {"epsilon": 0.05, "delta": 1e-8, "releases": 365, "slack": 1e-6, "budget": 5.0, "budget_delta": 1e-5},
        ("A dashboard shows a new noisy count of the same people every day, each with ε = {epsilon}.",
         "A year has {releases} days, and the people were promised a total ε of no more than {budget}.",
         "A dashboard that is renewed every week, {weekly.releases} times a year, is pinned."),
        "What would asking every week change, and by which ways of counting would the promise be broken?",
        (part("Every week the year would come to {weekly.total_epsilon:basic} by sums alone: asking less often saves "
              "more than counting better.",
              when=lambda f: f("total_epsilon", "basic", "weekly") < f("total_epsilon", "optimal")),
         part("Added up, {releases} days come to ε = {total_epsilon:basic}, and the promise is broken after "
              "{most_releases:basic} of them.",
              when=lambda f: f("total_epsilon", "basic") > 5 and 0 < f("most_releases", "basic") < 365),
         part("Advanced composition says {total_epsilon:advanced}, still too much; the least that can be said of "
              "all such releases is {total_epsilon:optimal}, and the promise is kept, at a total δ "
              "of {total_delta:optimal}.",
              when=lambda f: f("total_epsilon", "optimal") < 5 < f("total_epsilon", "advanced")
              and f("total_delta", "optimal") < 1e-5),
         part("Each count is then off by up to {count_error_95} in nineteen of twenty cases.",
              when=lambda f: f("count_error_95") > 0)),
        {"weekly": {"releases": 52}}),
    Scenario(
        "districts", "Visits to clinics by district", "table",
        {"epsilon": 1.0, "groups": 150, "people": 40_000, "falloff": 0.9, "per_person": 1, "relative": 0.1},
        ("In a made-up county a health office publishes how many patients live in each of {groups} districts, {people} "
         "in all.",
         "Each patient lives in one district, and all counts together may spend ε = {epsilon}.",
         "The office asks which counts may be read, and what changes where a patient is counted in {visits.per_person} "
         "districts, one for each clinic visited, which is pinned."),
        "Which districts are too small, and which noise is better where a patient is in many?",
        (part("With discrete Laplace noise all districts are within ±{within_all:geometric} at once, and those below "
              "{smallest_cell:geometric} patients are off by more than {relative} of their count.",
              when=lambda f: f("within_all", "geometric") < f("within_all", "gaussian")
              and f("smallest_cell", "geometric") > 10),
         part("With {visits.per_person} districts per patient Gaussian noise is better: ±{visits.within_all:gaussian} "
              "for all of them, and ±{visits.within_all:geometric} with discrete Laplace noise.",
              when=lambda f: f("within_all", "gaussian", "visits") < f("within_all", "geometric", "visits")),
         part("{visits.too_small:gaussian} districts are too small then.",
              when=lambda f: f("too_small", "gaussian", "visits") > 0)),
        {"visits": {"per_person": 12}}),
    Scenario(
        "ballot", "Do more than half want it?", "test",
        {"epsilon": 0.1, "share": 0.5, "alternative": 0.6, "people": 300, "released": 175.0},
        ("In a company that is made up {people} of its many employees, drawn at random, say whether they would join a "
         "union.",
         "Who is a yes must not be told from the result: the count goes out with noise of ε = {epsilon}, and what was "
         "released is {released}.",
         "The same with {many.people} employees is pinned."),
        "Do more than half of all want to, and does it help to ask more of them?",
        (part("If it were half, so large a noisy count would have probability {p_value:private}: that half is not "
              "rejected at level {level}, and any share from {share_low} to {share_high} is left.",
              when=lambda f: f("p_value", "private") > 0.05 and f("share_low") < 0.5),
         part("Who takes the noisy count for the true one rejects a true half with probability {true_level:naive}.",
              when=lambda f: f("true_level", "naive") > 0.1),
         part("A true share of {alternative} is found with probability {test_power:private}; with {many.people} "
              "employees it would be {many.test_power:private}, and {people_for_power:private} are enough for {power}.",
              when=lambda f: f("test_power", "private") < 0.8 < f("test_power", "private", "many")
              and f("people_for_power", "private") <= 600)),
        {"many": {"people": 600}}),
    Scenario(
        "donations", "What members gave this year", "number",
        {"statistic": "mean", "people": 4_000, "law": "lognormal", "law_mean": 60.0, "law_sd": 90.0, "upper": 5_000.0,
         "epsilon": 0.5},
        ("A made-up society with {people} members publishes what they gave on average this year, about {true_number}.",
         "Nobody is to learn what one member gave. The treasurer allows gifts up to {upper}, so that none is cut away, "
         "with ε = {epsilon}.",
         "A bound of {lower_bound.upper} is pinned, which older reports suggest."),
        "Which costs more: cutting away the largest gifts, or noise for gifts that hardly anybody makes?",
        (part("Under {upper} next to nothing is cut away, but noise alone puts the mean off by {noise_sd:laplace}.",
              when=lambda f: abs(f("number_bias", "laplace")) < f("noise_sd", "laplace") / 10),
         part("Under {lower_bound.upper} it is off by {lower_bound.number_rmse:laplace} in all, though gifts above are "
              "cut.", when=lambda f: f("number_rmse", "laplace", "lower_bound") < f("number_rmse", "laplace") / 4),
         part("A bound that is chosen privately, with a part of ε, comes to {number_rmse:bounded} without anybody "
              "knowing a good one.",
              when=lambda f: f("number_rmse", "bounded") < f("number_rmse", "laplace") / 1.2)),
        {"lower_bound": {"upper": 800.0}}),
    Scenario(
        "library", "A year of a town library", "plan",
        {"releases": "visits: count within=50 times=12;first visits: count within=40;loans: sum within=1500 moves=60;"
                     "ages: table within=60 groups=8", "budget": 2.0},
        ("A town library, made up for this case, publishes its visitors of each month and, once a year, how many came "
         "for the first time, how many books were lent, and a table of ages.",
         "Of each it is known how far from the truth it may be, with confidence {confidence}; all of them may spend "
         "ε = {budget} at δ = {budget_delta}.",
         "The same plan for {long.years} years, about the same people, is pinned."),
        "What would an even split spoil, and for how many years may the plan run?",
        (part("An even split of the same total would leave one result off by {even_over_want:gaussian} times what is "
              "wanted of it, and another nearer than anybody asked.",
              when=lambda f: f("even_over_want", "gaussian") > 1.5),
         part("With Gaussian noise {long.years} years come to ε = {long.least_total:gaussian}, within the budget; with "
              "Laplace noise they come to {long.least_total:pure}.",
              when=lambda f: f("least_total", "gaussian", "long") < 2 < f("least_total", "pure", "long")),
         part("The budget is enough for {most_years:gaussian} years; what is left of it after one is enough for one "
              "more count within {left_within:gaussian} of the truth.",
              when=lambda f: 5 < f("most_years", "gaussian") < 10 and f("left_within", "gaussian") < 10)),
        {"long": {"years": 5}}),
)}
"""By key, in the order in which they are offered."""
