"""Where the published analysis does not hold for a system, so that nobody trusts it unaware."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from ddsrta.bounds.findings.rules import finding
from ddsrta.bounds.result import Finding
from ddsrta.models.graph import inputs
from ddsrta.models.system import System, Thread
from ddsrta.papers.dds.bounds import PublishedBounds
from ddsrta.papers.dds.model import Model, Unit, model

_KINDS = ("threads", "executors", "flow_controllers", "listeners")


def unsound_rows(system: System) -> list[Finding]:
    """The known gaps of the published analysis that concern this system.

    >>> from ddsrta.examples import two_threads
    >>> unsound_rows(two_threads())
    []
    """
    flat = model(system)
    return [
        *_round_robin(flat),
        *_sync_counts(system),
        *_and_waits(system),
        *_instant(system),
        *_equal_priorities(flat),
        *_mixed_scheduling(flat),
        *_several_executors(system),
    ]


def queue_rows(bounds: PublishedBounds) -> list[Finding]:
    """Where a published bound rests on a queue that is full.

    >>> from ddsrta.papers.dds import published_bounds
    >>> from ddsrta.examples import two_threads
    >>> queue_rows(published_bounds(two_threads()))
    []
    """
    return [
        _warn(
            bounds.system,
            "published-queues",
            (host.kind, host.name, "queue"),
            f"more can be pending in '{host.name}' than a queue of {host.queue} holds. Lemmas 7 "
            f"and 10 count {(host.queue or 0) - 1} before a message; one more is being served and "
            "has left the queue, and what does not fit is lost",
        )
        for host in sorted(bounds.capped, key=lambda host: (host.kind, host.name))
    ]


def _warn(system: System, rule: str, path: tuple[str | int, ...], message: str) -> Finding:
    return finding(system, rule, path, f"published profile: {message}")


def _round_robin(flat: Model) -> Iterator[Finding]:
    for name in flat.system.flow_controllers:
        host = flat.hosts["flow_controllers", name]
        first: dict[str, Unit] = {}
        for unit in flat.units_of[host]:
            first.setdefault(unit.topic, unit)
        if host.policy != "ROUND_ROBIN" or len(first) < 2:
            continue
        urgent, *_, last = sorted(first.values(), key=lambda unit: unit.urgency)
        path = ("flow_controllers", name, "policy")
        yield _warn(
            flat.system,
            "published-lemma-10",
            path,
            f"Lemma 10 leaves out a sample of '{last.topic}' that is being sent by '{name}' when "
            f"one of '{urgent.topic}' arrives: bounds of this controller may be too small",
        )
        yield _warn(
            flat.system,
            "published-lemma-10-pending",
            path,
            "Lemma 10 counts what is pending of other topics by the response time of the analysed "
            f"one, where Lemma 1 asks for theirs: bounds of '{name}' may be too small",
        )


def _sync_counts(system: System) -> Iterator[Finding]:
    for thread in system.threads.values():
        for index, publication in enumerate(thread.publishes):
            several = publication.mode == "sync" and publication.count > 1
            if several and system.readers(publication.topic):
                yield _warn(
                    system,
                    "published-eq-25",
                    ("threads", thread.name, "publishes", index, "count"),
                    f"Eq. 25 brings one message of a job of '{thread.name}' to the listeners of "
                    f"'{publication.topic}', where a job sends {publication.count}: their bounds "
                    "may be too small",
                )


def _and_waits(system: System) -> Iterator[Finding]:
    for thread in system.threads.values():
        if thread.synchronizer is not None:
            yield _warn(
                system,
                "published-synchronizer",
                ("threads", thread.name, "subscribes", "synchronize"),
                f"the published analysis has no synchronizers: '{thread.name}' counts as a thread "
                "that takes the n-th message of each topic, and bounds of it and what follows may "
                "be too small",
            )
        if thread.entity == "inline":
            yield _warn(
                system,
                "published-and-wait",
                ("callbacks", thread.name, "subscribes", "activation"),
                f"Eq. 23 leaves out how long '{thread.name}' waits for its other inputs: latencies "
                "of chains through it hold from the last input only",
            )
            continue
        joining = thread.arrival is None and thread.activation == "and"
        if joining and len(inputs(system, thread)) > 1:
            kind = "subscribes" if thread.subscribes else "follows"
            yield _warn(
                system,
                "published-and-wait",
                ("threads", thread.name, kind, "activation"),
                f"Eq. 23 leaves out how long '{thread.name}' waits for its other inputs: latencies "
                "of chains through it hold from the last input only",
            )


def _instant(system: System) -> Iterator[Finding]:
    """Eqs. 24-27 shift curves by R − ε: right only if every stage takes ε at least."""
    for thread in system.threads.values():
        if place := next(_zeros(system, thread), None):
            yield _warn(
                system,
                "published-instant",
                ("threads", thread.name, *place),
                f"its curves take every stage to last 1 ns at least, and '{thread.name}' has a "
                "best case of 0: what follows it may come closer together than they say",
            )


def _zeros(system: System, thread: Thread) -> Iterator[tuple[str | int, ...]]:
    if thread.bcet == 0:
        yield ("bcet",)
    for index, publication in enumerate(thread.publishes):
        if publication.earliest == 0:
            yield "publishes", index, "earliest"
        sample = publication.mode == "async" and system.readers(publication.topic)
        if sample and system.sending_cost(publication).best == 0:
            yield "publishes", index, "delay"
    subscribes = thread.subscribes
    if subscribes and any(
        system.listening_cost(subscribes, topic).best == 0 for topic in subscribes.topics
    ):
        yield "subscribes", "delay"


def _equal_priorities(flat: Model) -> Iterator[Finding]:
    placed = sorted(
        (host.supply, host.priority, host.kind, host.name)
        for host, units in flat.units_of.items()
        if units
    )
    for _, group in groupby(placed, key=lambda entry: entry[:2]):
        _, *others = group
        if others:
            (_, priority, kind, name), count = others[-1], len(others) + 1
            yield _warn(
                flat.system,
                "published-equal-priorities",
                (kind, name, "priority"),
                f"its threads have unique priorities, and {count} of this core have {priority}: "
                "the published analysis does not cover that, and its bounds may be too small",
            )


def _several_executors(system: System) -> Iterator[Finding]:
    for core in system.cores:
        here = [one.name for one in system.executors.values() if one.core == core]
        if len(here) > 1:
            yield _warn(
                system,
                "published-executors",
                ("executors", here[-1], "core"),
                f"section 5.3 is written for one executor a core, and {len(here)} run on {core}",
            )


def _mixed_scheduling(flat: Model) -> Iterator[Finding]:
    system = flat.system
    for path in system.cores:
        here = [
            (kind, thing)
            for kind in _KINDS
            for thing in getattr(system, kind).values()
            if thing.core == path
        ]
        reserved = [(kind, thing.name) for kind, thing in here if thing.reservation]
        if reserved and len(reserved) < len(here):
            kind, name = reserved[0]
            yield _warn(
                system,
                "published-reservations",
                (kind, name, "reservation"),
                f"threads with a priority on {path} are bounded as if '{name}' and its reservation "
                "took nothing from them",
            )
