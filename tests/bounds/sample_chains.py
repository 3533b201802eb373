"""Chains of samples: every task of another tool's system is a sample of some flow controller."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ddsrta.models.arrivals import Arrival
from ddsrta.models.system import (
    Chain,
    Cost,
    Middleware,
    Publication,
    Subscription,
    System,
    Thread,
    Topic,
)

from .small_systems import INSTANT, cores


class Sample(NamedTuple):
    """A task that a server executes: released by an arrival, or by the end of another one."""

    name: str
    server: str
    cost: Cost
    release: Arrival | str


def sample_chains(policy: str, samples: Iterable[Sample], path: Sequence[str] = ()) -> System:
    """A thread `send X` hands X over after exactly 1 ns, on a core of its own, so that it adds a
    latency but no jitter; listeners take 1 ns, too; `end` reads what releases nobody else.
    """
    tasks = {sample.name: sample for sample in samples}
    servers = dict.fromkeys(sample.server for sample in tasks.values())
    threads, listeners = {}, {}
    released = {sample.release for sample in tasks.values() if isinstance(sample.release, str)}
    for name, sample in tasks.items():
        publication = Publication(name, "async", sample.server, cost=sample.cost)
        triggered = isinstance(sample.release, str)
        threads[f"send {name}"] = Thread(
            f"send {name}", f"m/send {name}", 1, 1, 1,
            None if triggered else sample.release,
            (publication,),
            Subscription((sample.release,), f"L {name}", INSTANT) if triggered else None,
        )  # fmt: skip
        if name not in released:
            threads[f"end {name}"] = Thread(
                f"end {name}", f"m/end {name}", 1, 1, 1,
                subscribes=Subscription((name,), f"L end {name}", INSTANT),
            )  # fmt: skip
    for one in threads.values():
        if one.subscribes:
            listener = one.subscribes.listener
            listeners[listener] = Middleware(listener, f"m/{listener}", 1)
    through = [step for name in path for step in (f"send {name}", name)]
    chains = {"path": Chain("path", (*through, f"end {path[-1]}"))} if path else {}
    return System(
        "known answer",
        cores=cores([*servers, *threads, *listeners]),
        topics={name: Topic(name, 1) for name in tasks},
        flow_controllers={
            name: Middleware(name, f"m/{name}", 1, policy=policy) for name in servers
        },
        listeners=listeners,
        threads=threads,
        chains=chains,
    )
