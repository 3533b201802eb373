"""Critical instants: all that delays something arrives at one moment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from ddsrta.simulation.attack.ways import Way
from ddsrta.simulation.choices import lead, worst_choices
from ddsrta_simulator import Choices, Program
from ddsrta_simulator.program import ALIGNED, BEST_THEN_WORST, WORST, WORST_THEN_BEST

# Whether events leave as late or as early as they may to be there, and what happens on their way.
MANNERS = ((False, BEST_THEN_WORST), (True, WORST), (False, WORST), (True, WORST_THEN_BEST))


def instants(
    program: Program, rivals: Sequence[Way], random: Random, most: int
) -> Iterator[tuple[Choices, int]]:
    """Choices that bring these together, and when. Where a source has several ways, one counts.

    Early events have met with the worst on their way, and bunch with later ones that do not. None
    leaves more than `most` before: bounds of what is late already can be very long.
    """
    for early, habit in MANNERS:
        leads = {
            way.source: min(most, way.latest if early else way.best)
            for way in random.sample(rivals, len(rivals))
        }
        burst = max(leads.values(), default=0)
        choices = worst_choices(program)
        for source, least in leads.items():
            choices.source_kind[source] = ALIGNED
            choices.source_moment[source] = burst - least
        led = {-1}
        for source in leads:  # of those on one clock, the first decides
            if program.source_leader[source] not in led:
                led.add(program.source_leader[source])
                lead(program, choices, source)
        for number in range(len(choices.decision_habit)):
            choices.decision_habit[number] = habit
            choices.decision_turn[number] = burst
        for number, budget in enumerate(program.supply_budget):
            choices.supply_turn[number] = burst
            choices.supply_phase[number] = burst - budget
        yield choices, burst
