"""What is read of the doors of the project's studies before any of these is: the first page has them all."""

from collections.abc import Mapping

from dpstudio.core.level import DoorSign

SIGNS: Mapping[str, DoorSign] = {
    "decision": DoorSign("A yes or no about a minimum", "May we say “at least 1 000 took part”?", "Answer"),
    "response": DoorSign("A survey, noisy at home", "What share is yes, with no trusted curator?", "Learn"),
    "posterior": DoorSign("Learning from a noisy count", "What may I believe of the rate?", "Learn"),
    "budget": DoorSign("Several releases together", "What does all of it cost? What is left?", "Judge"),
    "audit": DoorSign("Checking somebody’s claim", "Does it keep the ε it claims?", "Judge"),
    "watch": DoorSign("A count over time", "When has it reached 500?", "Answer"),
    "table": DoorSign("A table", "How many in each of 100 groups?", "Answer"),
    "test": DoorSign("A test, and how many people", "Is it more than half?", "Learn"),
    "number": DoorSign("A noisy number", "How far off is a count, a sum, a mean?", "Answer"),
}
"""By the key of the study, which says what its door asks for."""
