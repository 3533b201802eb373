"""Random systems about executors whose threads are on several cores, as those of `ros2`."""

from __future__ import annotations

from random import Random

import ddsrta
from ddsrta.bounds.load import stage_rates
from ddsrta.models.groups import group_of
from tests.soundness.ros2 import PERIODS, Draw, fitted
from tests.soundness.synchronized import with_synchronizers

GROUPS = ("g", "h", None, None)


def group_loads(compiled, waits="none"):
    """Of each group of a pool what it has to do in the long run, one callback at a time, with what
    is more urgent on the core of the pool that has least of that. Above 1 nothing bounds it where
    all of that comes at the same time; that it really grows is for runs to show, as seed 91 of
    `worth` does.

    >>> from ddsrta.bounds.compile import compile_system
    >>> {name: round(load, 3) for name, load in group_loads(compile_system(pool_system(91))).items()}
    {('e0', 'h'): 0.16}
    """
    system, loads = compiled.system, {}
    found = list(zip(compiled.stages, stage_rates(compiled, waits), strict=True))
    for name, executor in system.executors.items():
        if not executor.is_pool or executor.moves:
            continue
        urgent, groups = dict.fromkeys(executor.cores, 0.0), {}
        for stage, rate in found:
            kind, server = stage.server
            place, load = getattr(system, kind)[server], stage.cost * rate
            if (kind, server) == ("executors", name):
                if (group := group_of(system.threads[stage.key[1]])) is not None:
                    groups[name, group] = groups.get((name, group), 0.0) + load
            elif _core(place) in urgent and place.priority > executor.priority:
                urgent[place.core] += load
        loads |= {key: load + min(urgent.values()) for key, load in groups.items()}
    return loads


def pool_system(seed):
    """One pool or two on two to four cores, with others above and below them."""
    return ddsrta.loads(fitted(PoolDraw(Random(f"pool {seed}"), f"pool {seed}")))


def joined_pool_system(seed):
    """The same with callbacks that wait for several topics, most of them by a synchronizer."""
    random = Random(f"joined {seed}")
    return with_synchronizers(ddsrta.loads(fitted(_JoinedDraw(random, f"joined {seed}"))), random)


def fair_pool_system(seed):
    """Pools of SCHED_OTHER beside threads of the same."""
    return ddsrta.loads(fitted(_FairDraw(Random(f"fair {seed}"), f"fair {seed}")))


def _core(place):
    """That of a thread by priority on one core."""
    alone = not getattr(place, "cores", ()) and getattr(place, "reservation", None) is None
    return getattr(place, "core", None) if alone else None


class PoolDraw(Draw):
    """Pools have the priorities 5 and 8, all else has others."""

    def __init__(self, random, name):
        super().__init__(random, name)
        self.load = random.choice((0.1, 0.15, 0.2, 0.3, 0.5))
        self.pools = [self.own_core() for _ in range(random.choice((2, 2, 3, 4)))]
        self.executors = 0

    def system(self):
        found = super().system()
        for i in range(self.random.choice((0, 1, 1, 2, 3))):
            found["threads"][f"other{i}"] = {
                **self.place(), "wcet": self.ns(self.random.randint(1, 25)),
                "period": self.ns(self.random.choice(PERIODS)),
            }  # fmt: skip
        return found

    @property
    def place(self):
        return self._place

    @place.setter
    def place(self, _):
        """It is chosen here."""

    def _place(self):
        core = self.own_core() if self.plain or self.chance(0.4) else self.random.choice(self.pools)
        return {"core": core, "priority": self.random.choice((1, 2, 3, 6, 7, 7, 9))}

    def own_core(self):
        if self.cores and len(self.cores) > 6 and self.chance(0.7):
            return f"m/{self.random.choice(self.cores)}"
        return super().own_core()

    def executor(self, focus):
        drawn = super().executor(focus)
        drawn.pop("order", None)
        cores = self.random.sample(self.pools, self.random.randint(2, len(self.pools)))
        self.executors += 1
        del drawn["core"]
        return {
            **drawn, "cores": cores, "kind": "multi_threaded", "threads": len(cores),
            "priority": 5 if self.executors == 1 else 8,
        }  # fmt: skip

    def callback(self, name, executor):
        super().callback(name, executor)
        drawn = self.data["callbacks"][name]
        group = self.random.choice(GROUPS)
        if group and not drawn.get("reentrant"):
            drawn["group"] = group

    def together(self, drawn, topics, single, *rest):
        return self.subscription(drawn, topics, single, *rest)


class _FairDraw(PoolDraw):
    """All pools, and about half of the threads, are of SCHED_OTHER."""

    def executor(self, focus):
        drawn = super().executor(focus)
        del drawn["priority"]
        return {**drawn, "policy": "other", "release": self.random.choice(("humble", "iron"))}

    def system(self):
        found = super().system()
        for drawn in found["threads"].values():
            if "priority" in drawn and self.chance(0.5):
                del drawn["priority"]
                drawn |= {"policy": "other", "nice": self.random.choice((-10, 0, 5, 19))}
                drawn["slice"] = self.ns(self.random.choice((1, 5, 30)))
        return found


class _JoinedDraw(PoolDraw):
    """Some with threads that move."""

    def executor(self, focus):
        drawn = super().executor(focus)
        return {**drawn, "cores": self.pools, "pinned": False} if self.moves else drawn

    def system(self):
        self.moves = self.chance(0.3)
        found = super().system()
        for drawn in found["callbacks"].values():
            if drawn.get("subscribes", {}).get("activation") == "and":
                drawn.pop("reentrant", None)
        return found

    def together(self, drawn, topics, single, *rest):
        return Draw.together(self, drawn, topics, single, *rest)
