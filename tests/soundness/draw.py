"""The system of a seed: which generator, and with which leaning."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from ddsrta.models.system import System
from tests.soundness.focused import focused_system
from tests.soundness.generator import random_system
from tests.soundness.offsets import with_offsets
from tests.soundness.pools import fair_pool_system, joined_pool_system, pool_system
from tests.soundness.ros2 import ros2_system
from tests.soundness.sets import moving_pool_system, set_system
from tests.soundness.synchronized import synchronized_system, with_synchronizers
from tests.soundness.timers import timers_system
from tests.soundness.wide import wide_system

CLOCKED = 0.15  # how many of all systems have known offsets
QUEUED = 0.4  # how many have queues of a given size
MATCHED = 0.2  # and how many have synchronizers wherever they may

# How often, with which knobs: together they cover what test_coverage asks for.
KINDS = {
    "focused": (38, focused_system),
    "ros2": (15, ros2_system),
    "synchronized": (10, synchronized_system),
    "any": (20, {}),
    "small": (10, {"threads": (1, 4), "machines": (1, 2)}),
    "saturated": (6, {"utilisation": 0.97}),
    "chains": (7, {"shape": "chain", "threads": (6, 10)}),
    "shared": (4, {"shape": "shared", "threads": (6, 9), "machines": (1, 2)}),
    "pools": (0, pool_system),
    "joined": (0, joined_pool_system),
    "fair": (0, fair_pool_system),
    "timers": (0, timers_system),
    "wide": (0, wide_system),
    "sets": (0, set_system),
    "moving": (0, moving_pool_system),
}
POOLS = 0.06  # of all seeds, before the weights
TIMERS = 0.03  # of the others, likewise
WIDE = 0.03  # and of the others still


def kind_of_seed(seed: int) -> str:
    """Which of the kinds a seed stands for."""
    if Random(f"pool {seed}").random() < POOLS:
        return "pools"
    if Random(f"timers {seed}").random() < TIMERS:
        return "timers"
    if Random(f"wide {seed}").random() < WIDE:
        return "wide"
    weights = [weight for weight, _ in KINDS.values()]
    return Random(f"kind {seed}").choices(list(KINDS), weights)[0]


def drawn(seed: int, kind: str | None = None):
    """The system of a seed; the same seed draws the same one everywhere."""
    kind = kind or kind_of_seed(seed)
    knobs = KINDS[kind][1]
    system = knobs(seed) if callable(knobs) else random_system(seed, **knobs)
    random = Random(f"synchronizers {seed}")
    system = with_synchronizers(system, random) if random.random() < MATCHED else system
    system = with_queues(system, Random(f"queues {seed}"))
    random = Random(f"offsets {seed}")
    return with_offsets(system, random) if random.random() < CLOCKED else system


def with_queues(system: System, random: Random) -> System:
    """The same with queues that hold few or many, some of them: only published bounds use that."""
    if random.random() > QUEUED:
        return system
    return replace(
        system,
        **{
            kind: {
                name: replace(thing, queue=random.choice((None, 1, 2, 3, 500)))
                for name, thing in getattr(system, kind).items()
            }
            for kind in ("flow_controllers", "listeners")
        },
    )


def clocked(seed: int, kind: str | None = None):
    """The same with known offsets, if any of its threads is periodic."""
    return with_offsets(drawn(seed, kind), Random(f"clocked {seed}"))
