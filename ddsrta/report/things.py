"""What one prints or shows in a notebook beside results: a system, and one of its chains, as tables
and as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ddsrta.base.priorities import FAIR
from ddsrta.base.text import plural, shown
from ddsrta.base.units import format_duration, format_size
from ddsrta.bounds.result import ChainResult
from ddsrta.models.executors import Executor
from ddsrta.models.system import Middleware, System, Thread
from ddsrta.report.table import NOTHING, Cell, Row, bound, joined, table
from ddsrta.report.tables import Table, chain_alone, in_few


def system_text(system: System) -> str:
    """What exists, and where it runs.

    >>> from ddsrta.examples import two_threads
    >>> print(system_text(two_threads()).split("\\n\\n")[0])
    two threads: 2 cores, 2 threads, 1 topic, 1 chain
    """
    running, others = system_tables(system)
    made = [table(each.titles, each.rows) for each in (*running, *others)]
    return joined([[f"{shown(system.name)}: {counts(system)}"], *made])


def chain_text(chain: ChainResult) -> str:
    """Its figures, then its stages."""
    return joined(table(each.titles, each.rows) for each in chain_tables(chain))


def counts(system: System) -> str:
    """How many there are of each."""
    threads, callbacks = _running(system)
    found = [
        (len(system.cores), "core"),
        *[(len(threads), "thread")] * bool(threads),
        *[(len(callbacks), "callback")] * bool(callbacks),
        (len(system.topics), "topic"),
        (len(system.chains), "chain"),
    ]
    return ", ".join(plural(count, noun) for count, noun in found)


def system_tables(system: System) -> tuple[list[Table], list[Table]]:
    """Those of what runs, and the others."""
    threads, callbacks = _running(system)
    return [_threads(threads), _callbacks(callbacks)], list(_others(system))


def chain_tables(chain: ChainResult) -> tuple[Table, Table]:
    """Its figures, and its stages."""
    rows: list[Row] = [
        [hop.stage, Cell(hop.where, "faint"), bound(hop.response), bound(hop.latency)]
        for hop in chain.hops
    ]
    stages = Table(("stage", "where", ">response", ">up to its end"), rows)
    return chain_alone(chain), stages


def _running(system: System) -> tuple[list[Thread], list[Thread]]:
    threads = system.threads.values()
    return [t for t in threads if t.executor is None], [t for t in threads if t.executor]


def _threads(threads: Sequence[Thread]) -> Table:
    titles = ("thread", "core", ">priority", ">wcet", "released")
    return Table(
        titles, [[t.name, t.core, _priority(t), _exact(t.wcet), _released(t)] for t in threads]
    )


def _callbacks(callbacks: Sequence[Thread]) -> Table:
    rows: list[Row] = [[c.name, c.executor or "", _exact(c.wcet), _released(c)] for c in callbacks]
    return Table(("callback", "executor", ">wcet", "released"), rows)


def _others(system: System) -> Iterator[Table]:
    executors: list[Row] = [
        [e.name, in_few(", ".join(e.cores) or e.core), _priority(e), e.kind]
        for e in system.executors.values()
    ]
    yield Table(("executor", "core", ">priority", "kind"), executors)
    middleware: list[Row] = [
        [m.name, m.core, _priority(m), m.policy]
        for m in (*system.flow_controllers.values(), *system.listeners.values())
    ]
    yield Table(("middleware thread", "core", ">priority", "policy"), middleware)
    topics: list[Row] = [
        [t.name, format_size(t.size), str(t.priority)] for t in system.topics.values()
    ]
    yield Table(("topic", ">size", ">priority"), topics)
    paths: list[Row] = [
        [
            chain.name,
            NOTHING if chain.deadline is None else _exact(chain.deadline),
            " → ".join(chain.path or chain.ends or ()),
        ]
        for chain in system.chains.values()
    ]
    yield Table(("chain", ">deadline", "path"), paths)


def _priority(thing: Thread | Executor | Middleware) -> str:
    if thing.priority == FAIR:
        return "other"
    return "deadline" if thing.reservation else str(thing.priority)


def _exact(value: int) -> str:
    return format_duration(value)


def _released(thread: Thread) -> str:
    """What releases a thread, in a few words."""
    if thread.arrival is not None:
        kind = type(thread.arrival).__name__.lower()
        times = {"periodic": "period", "sporadic": "distance", "burst": "period"}
        time = getattr(thread.arrival, times.get(kind, "period"))
        return f"{kind}, {_exact(time)}"
    subscribed = thread.subscribes.topics if thread.subscribes else ()
    followed = thread.follows.threads if thread.follows else ()
    return f" {thread.activation} ".join((*subscribed, *followed))
