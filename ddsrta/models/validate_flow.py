"""What may not stand behind messages that jobs may leave out: whatever counts on one of each."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.base.diagnostics import Diagnostic
from ddsrta.models.graph import Hop, inputs, is_partial
from ddsrta.models.routes import routes_to
from ddsrta.models.system import System, Thread

Origin = tuple[str, str | None] | None  # of jobs, some of which are not there: who leaves them out


def flow_problems(system: System) -> Iterator[Diagnostic]:
    """All of them; the rest of the system is known to be right.

    >>> from ddsrta.examples import two_threads
    >>> list(flow_problems(two_threads()))
    []
    """
    yield from _alternatives(system)
    if system.circles:
        from ddsrta.models.rounds import round_problems

        yield from round_problems(system)
    entered = {target for _, _, target in system.closing}
    found: dict[str, Origin] = {}
    for start in system.threads:
        stack = [start]
        while stack:
            thread = system.threads[stack[-1]]
            before = inputs(system, thread) if thread.arrival is None else []
            missing = {hop.source for hop in before} - found.keys()
            if missing and thread.name not in found:
                stack += sorted(missing)
                continue
            stack.pop()
            if thread.name not in found:
                origins = [_of_hop(system, hop, found) for hop in before]
                anew = thread.name in entered  # it has more jobs than messages from outside
                found[thread.name] = (thread.name, None) if anew else _joined(thread, origins)
                yield from _mixed(system, thread, before, origins)
    yield from _orders(system)


def _alternatives(system: System) -> Iterator[Diagnostic]:
    """They stand one after the other; what locks they take together is not modelled."""
    for name, thread in system.threads.items():
        told: set[str] = set()
        last: str | None = None
        for index, one in enumerate(thread.publishes):
            where = system.where("threads", name, "publishes", index, "one_of")
            if one.one_of is not None and one.one_of != last and one.one_of in told:
                message = f"alternatives '{one.one_of}' do not stand one after the other"
                yield Diagnostic(where, message, "put them together, or name them apart")
            if one.one_of is not None and system.fastdds is not None:
                message = "locks of Fast DDS are not modelled where one of several is sent"
                yield Diagnostic(where, message, "say 'jobs: 1 of 1' instead")
            last = one.one_of
            told.update([last] if last else [])


def _of_hop(system: System, hop: Hop, jobs: dict[str, Origin]) -> Origin:
    return (hop.source, hop.topic) if is_partial(system, hop) else jobs[hop.source]


def _joined(thread: Thread, origins: list[Origin]) -> Origin:
    """Several that come as they come are no part of any one."""
    return (thread.name, None) if len(origins) > 1 and any(origins) else (origins or [None])[0]


def _mixed(
    system: System, thread: Thread, hops: list[Hop], origins: list[Origin]
) -> Iterator[Diagnostic]:
    """The n-th messages of topics belong together only where the same jobs are left out."""
    if thread.activation != "and" or (len(set(origins)) == 1 and thread.synchronizer is None):
        return
    left_out = next((hop for hop, origin in zip(hops, origins, strict=True) if origin), None)
    if left_out is not None:
        what = f"'{left_out.topic}'" if left_out.topic else f"'{left_out.source}'"
        yield Diagnostic(
            system.where("threads", thread.name, "subscribes" if left_out.topic else "follows"),
            f"'{thread.name}' waits for one of each, and jobs may leave out what comes by {what}",
            "this is not modelled: let the same jobs leave out all, or say 'activation: or'",
        )


def _orders(system: System) -> Iterator[Diagnostic]:
    for order in system.orders.values():
        routes = routes_to(system, order.subscriber).by_origin.values()
        if any(is_partial(system, hop) for one in routes for each in one for hop in each.hops):
            yield Diagnostic(
                system.where("orders", order.name, "subscriber"),
                "orders of messages that jobs may leave out are not modelled",
                "remove 'jobs' on the way, or the order",
            )
