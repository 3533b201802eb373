"""Runs of partitions with drawn traffic.

In each subframe a user is active with the probability of its traffic, and then has 1 to the most
resource blocks; what its kernels take goes with that. All partitions get the same draws.
"""

from __future__ import annotations

import random

from casestudies.baseband.found import program
from casestudies.baseband.program import TRAFFIC, USERS, federation
from ddsrta.lf.program.federates import Reaction
from ddsrta.lf.run.simulation.enclaves import simulate
from ddsrta.lf.run.simulation.seen import Seen

SUBFRAMES, SEED = 100, 1
ACTIVE = {"low": 0.3, "medium": 0.6, "high": 0.9, "uneven": 0.6}
MS = 1_000_000


class Traffic:
    """The resource blocks of each user in each subframe.

    >>> Traffic("high", 3).blocks[0] == Traffic("high", 3).blocks[0]
    True
    """

    def __init__(self, traffic: str, subframes: int = SUBFRAMES, seed: int = SEED) -> None:
        chance = random.Random(f"{traffic} {seed}")
        self.most = TRAFFIC[traffic]
        self.blocks = [
            [
                chance.randint(1, most) if chance.random() < ACTIVE[traffic] else 0
                for most in self.most
            ]
            for _ in range(subframes)
        ]

    def cost(self, time: int, reaction: Reaction) -> int:
        """What a kernel takes at a tag: its part of the most that it may take."""
        wcet = reaction.wcet or 0
        if not reaction.reactor:
            return wcet
        user = int(reaction.reactor[1 : reaction.reactor.index(".")])
        return wcet * self.blocks[time // MS][user] // self.most[user]


def run(partition: str, traffic: str, subframes: int = SUBFRAMES) -> Seen:
    """A run of so many subframes; `found` is the partition of the search."""
    drawn = Traffic(traffic, subframes)
    system = program(traffic) if partition == "found" else federation(partition, traffic)
    return simulate(system, subframes * MS, SEED, cost=drawn.cost)


def latest(seen: Seen) -> int:
    """The latest end of a user's subframe."""
    return max(seen.ended["radio", f"u{user}_crc"].most or 0 for user in range(USERS))
