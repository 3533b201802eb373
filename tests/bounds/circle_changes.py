"""Systems in which messages go round beside others, and changes of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from ddsrta.models.system import System
from tests.bounds.drawn_changes import changed, side_by_side
from tests.soundness.beside import beside_system
from tests.soundness.draw import drawn
from tests.soundness.rallies import rallies_system
from tests.soundness.rounds import rounds_system

CIRCLES: tuple[Callable[[int], System], ...] = (rallies_system, rounds_system, beside_system)


def circling(seed: int) -> System:
    """A system with a circle, and another one that has nothing to do with it: with one, or none."""
    other = drawn(seed, "small") if seed % 2 else rallies_system(seed + 1000)
    return side_by_side([CIRCLES[seed % len(CIRCLES)](seed), other])


def rounds_changed(system: System, random: Random) -> System:
    """With other rounds of a circle, or something else in one place."""
    closing = [
        (thread, place)
        for thread in system.threads.values()
        for place, one in enumerate(thread.publishes)
        if one.rounds is not None
    ]
    if not closing or random.random() < 0.8:
        return changed(system, random)
    thread, place = random.choice(closing)
    publishes = [*thread.publishes]
    publishes[place] = replace(publishes[place], rounds=random.randint(1, 5))
    return system.altered("threads", thread.name, publishes=tuple(publishes))
