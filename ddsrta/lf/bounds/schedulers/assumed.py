"""What latest starts under schedulers rest on, and no file can show."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ddsrta.lf.bounds.assumptions import Assumption, first_grants, told_nets
from ddsrta.lf.program.federation import Federation

_OWN = {"np", "gedf-np"}
_QUEUES = {"fifo", "deadline-monotonic"}


def schedule_assumptions(
    federation: Federation, schedulers: Collection[str]
) -> Iterator[Assumption]:
    """Those that schedulers need besides the ones of the federation.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> [assumption.rule for assumption in schedule_assumptions(two_federates(), ["np"])]
    ['own-cores']
    """
    if not _OWN.isdisjoint(schedulers):
        message = "assumed: each worker has a core to itself (np, gedf-np)"
        yield Assumption("own-cores", message)
    if not _OWN.issuperset(schedulers):
        message = (
            "assumed: nothing else runs with a real-time priority on these cores, nor a fair "
            "server; switches and wake-ups take no time, or are in overhead"
        )
        yield Assumption("linux-alone", message)
    if not _QUEUES.isdisjoint(schedulers):
        message = (
            "assumed: threads of one priority that wake at one time run in the order in which "
            "they went to sleep"
        )
        yield Assumption("wake-order", message)
    wakes = "edf" in schedulers  # and so begins a period of SCHED_DEADLINE
    names = [name for name, each in federation.federates.items() if each.overhead or wakes]
    if names:
        some = ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
        message = f"assumed: the tag (0, 0) is done before timers tick, its overhead too: {some}"
        yield Assumption("start-tag", message)
    if federation.coordination == "centralized":
        yield from first_grants(federation)
        yield from told_nets(federation)
