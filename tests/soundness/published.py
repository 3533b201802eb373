"""The campaign aimed at the published bounds: it must find by itself where they do not hold.

Each class of counterexample has a repair: a change after which systems no longer have what the
class needs. With all repairs but one, whatever still falls belongs to that one; with all of them,
nothing may fall, or there is a class that nobody knows of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import ddsrta
from ddsrta.bounds.compile import compile_system
from ddsrta.bounds.load import utilization
from ddsrta.models.system import Cost, System
from ddsrta.models.validate import validate
from ddsrta.papers.dds import published_bounds, queue_rows, unsound_rows
from tests.soundness.attack import attacked
from tests.soundness.draw import drawn
from tests.soundness.shrink import Shrinker, kind_of
from tests.soundness.simpler import PLACED, complexity

PROFILE = "published"
MOST_LOAD = 0.9  # of a core
SMALL = ("focused", "small")  # the kinds of systems: the published profile is slow on large ones


def fifo(system: System) -> System:
    """No ROUND_ROBIN controllers."""
    controllers = {
        name: replace(f, policy="FIFO") if f.policy == "ROUND_ROBIN" else f
        for name, f in system.flow_controllers.items()
    }
    return replace(system, flow_controllers=controllers)


def _publications(system: System, change: Callable) -> System:
    threads = {
        name: replace(thread, publishes=tuple(map(change, thread.publishes)))
        for name, thread in system.threads.items()
    }
    return replace(system, threads=threads)


def one_sync_message(system: System) -> System:
    """Jobs that send by themselves send one message a topic."""
    return _publications(system, lambda p: replace(p, count=1) if p.mode == "sync" else p)


def no_joins(system: System) -> System:
    """No AND activation."""
    threads = {name: replace(t, activation="or") for name, t in system.threads.items()}
    return replace(system, threads=threads)


def unique_priorities(system: System) -> System:
    """The same order of threads on each core, without equals."""
    placed = [
        (thing.priority, kind, name)
        for kind in PLACED
        for name, thing in getattr(system, kind).items()
    ]
    ranks = {(kind, name): rank for rank, (_, kind, name) in enumerate(sorted(placed), 1)}
    return replace(
        system,
        **{
            kind: {
                name: replace(thing, priority=0 if thing.reservation else ranks[kind, name])
                for name, thing in getattr(system, kind).items()
            }
            for kind in PLACED
        },
    )


def no_deadline_threads(system: System) -> System:
    """SCHED_FIFO only; those of SCHED_DEADLINE become the most urgent."""
    number = 98
    changed = {}
    for kind in PLACED:
        things = {}
        for name, thing in getattr(system, kind).items():
            if thing.reservation:
                thing = replace(thing, reservation=None, priority=number)  # noqa: PLW2901
                number -= 1
            things[name] = thing
        changed[kind] = things
    return replace(system, **changed)


def no_queues(system: System) -> System:
    """Queues that hold everything."""
    return replace(
        system,
        **{
            kind: {name: replace(t, queue=None) for name, t in getattr(system, kind).items()}
            for kind in ("flow_controllers", "listeners")
        },
    )


def _slow(cost: Cost | None) -> Cost | None:
    return cost and Cost(cost.worst, max(1, cost.best))


def nothing_instant(system: System) -> System:
    """Everything takes ε at least."""
    system = _publications(
        system, lambda p: replace(p, cost=_slow(p.cost), earliest=max(1, p.earliest))
    )
    threads = {}
    for name, thread in system.threads.items():
        subscribes = thread.subscribes
        if subscribes:
            subscribes = replace(subscribes, cost=_slow(subscribes.cost))
        bcet = thread.bcet and max(1, thread.bcet)
        threads[name] = replace(thread, bcet=bcet or None, subscribes=subscribes)
    return replace(system, threads=threads)


# By the rules that the profile warns with. In this order: unique priorities come last.
REPAIRS: dict[str, Callable[[System], System]] = {
    "published-lemma-10": fifo,
    "published-eq-25": one_sync_message,
    "published-and-wait": no_joins,
    "published-instant": nothing_instant,
    "published-reservations": no_deadline_threads,
    "published-queues": no_queues,
    "published-equal-priorities": unique_priorities,
}
COMPANIONS = {"published-lemma-10-pending"}  # said wherever Lemma 10 is


def unique_topics(system: System) -> System:
    """The same order of topics without equals, as the paper has it."""
    names = sorted(system.topics, key=lambda name: (system.topics[name].priority, name))
    topics = {
        name: replace(topic, priority=names.index(name)) for name, topic in system.topics.items()
    }
    return replace(system, topics=topics)


def _has_unique_topics(system: System) -> bool:
    return len({topic.priority for topic in system.topics.values()}) == len(system.topics)


def only(system: System, kept: str | None) -> System:
    """The system with every class repaired but this one."""
    system = unique_topics(system)
    for rule, repair in REPAIRS.items():
        if rule != kept:
            system = repair(system)
    return system


def rules_of(system: System) -> set[str]:
    """The classes that the profile itself warns of."""
    rows = unsound_rows(system)
    if any(f.queue for f in (*system.flow_controllers.values(), *system.listeners.values())):
        rows += queue_rows(published_bounds(system))
    return {row.rule for row in rows} - COMPANIONS


@dataclass(frozen=True)
class Case:
    """A counterexample: of which class, found where, and the simplest system like it."""

    rule: str | None
    seed: int
    kind: tuple[str, ...]
    system: System


def found(seed: int, rule: str | None, runs: int = 16, seconds: float = 60) -> Iterator[Case]:
    """Counterexamples of a class (None: of none of them) in the system of a seed, shrunk."""
    system = only(drawn(seed, SMALL[seed % len(SMALL)]), rule)
    if overloaded(system) or (rule is not None and rule not in rules_of(system)):
        return
    result = ddsrta.analyze(system, profile=PROFILE)
    violated = attacked(system, result, runs, seed)
    for kind in dict.fromkeys(kind_of(violation) for violation in violated):
        search = Shrinker(
            kind, profile=PROFILE, runs=runs, seed=seed, seconds=seconds,
            accepts=lambda small: (
                not overloaded(small) and _has_unique_topics(small) and rules_of(small) <= {rule}
            ),
        )  # fmt: skip
        yield Case(rule, seed, kind, search.shrink(system) if seconds else system)


def overloaded(system: System) -> bool:
    """Whether a core has about as much to do as it can, so that a bound would mean little."""
    if not system.is_valid and validate(system):
        return True
    return max(utilization(compile_system(system)).values()) > MOST_LOAD


def first_of_each(seeds, rules=None, seconds: float = 60) -> dict[str, Case]:
    """The simplest counterexample of each class, from the first systems that have one."""
    cases: dict[str, Case] = {}
    for seed in seeds:
        missing = [rule for rule in rules or REPAIRS if rule not in cases]
        if not missing:
            break
        for rule in missing:
            of_seed = list(found(seed, rule, seconds=seconds))
            if of_seed:
                cases[rule] = min(of_seed, key=lambda case: complexity(case.system))
    return cases
