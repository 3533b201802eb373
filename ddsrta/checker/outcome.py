"""What confirmed claims amount to: deadlines that they meet, and what they leave open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ddsrta.checker.chains import ChainClaim
from ddsrta.checker.paths import count_paths
from ddsrta.checker.reading import shown
from ddsrta.checker.things import System
from ddsrta.checker.unfit import unfit


class Outcome(NamedTuple):
    """Deadlines by what the claims make of them, claims without a bound, and what spoils all."""

    met: int = 0
    missed: int = 0
    unbounded: int = 0  # deadlines of which no figure is claimed
    open: int = 0  # threads, callbacks, messages, and chains without a deadline that have no bound
    against: tuple[str, ...] = ()
    kept: int = 0  # wanted orders that hold
    violated: int = 0
    bounded: int = 0  # threads, callbacks and messages with a bound


def outcome(
    system: System,
    chains: Mapping[str, ChainClaim],
    bounds: Sequence[int | None],
    orders: Sequence[bool],
) -> Outcome:
    """Of confirmed claims; `bounds` are those of all jobs and messages, and wanted orders hold or
    do not."""
    counts = {"met": 0, "missed": 0, "unbounded": 0}
    endless = sum(bound is None for bound in bounds)
    known = len(bounds) - endless
    for name, claim in chains.items():
        chain = system.chains.get(name) or system.chains[name.rpartition("/")[0]]
        if chain.deadline is None:
            endless += not _is_bounded(chain.constraint, claim)
            continue
        figure = claim.figures[chain.constraint]
        late = "missed" if figure is not None and figure > chain.deadline else "met"
        counts["unbounded" if figure is None else late] += 1
    return Outcome(
        **counts,
        open=endless,
        against=(*_spins(system), *_unlooked(system), *unfit(system)),
        kept=orders.count(True),
        violated=orders.count(False),
        bounded=known,
    )


def _is_bounded(constraint: str, claim: ChainClaim) -> bool:
    """Whether a figure is claimed that tells how long a chain takes; where it crosses a register,
    that is an age."""
    figures = {constraint}
    if constraint.endswith("latency"):
        figures |= {"data_age", "reaction_time"}
    return any(claim.figures[figure] is not None for figure in figures)


def _spins(system: System) -> Iterator[str]:
    """A controller that is more urgent than a writer of its core spins on the lock that write()
    holds, and the writer never runs again to leave it."""
    for name, thread in system.threads.items():
        executor = system.executors.get(thread.executor or "")
        cores = (executor or thread.place).cores or (thread.place.core,)
        for topic, publication in thread.publishes.items():
            if publication.controller is None or not system.readers.get(topic):
                continue
            place = system.controllers[publication.controller].place
            together = place.core in cores and place.partition == thread.place.partition
            by_priority = place.reservation is None and thread.place.reservation is None
            if together and by_priority and place.priority > thread.place.priority:
                spinner = shown(publication.controller)
                yield f"{spinner} can spin for ever on a lock of {shown(name)}"


def _unlooked(system: System) -> Iterator[str]:
    """Paths beyond the limit of a chain with a deadline."""
    for name, chain in system.chains.items():
        if chain.ends is None or chain.deadline is None:
            continue
        if count_paths(system, chain.ends, chain.limit) is None:
            yield f"chain {shown(name)} has more paths than are claimed"
