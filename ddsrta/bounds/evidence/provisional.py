"""What bounds rest on until somebody measures: rates that were rounded, and δ that stand in for
those of the machine."""

from __future__ import annotations

from collections.abc import Iterator, Sized

from ddsrta.base.units import format_duration
from ddsrta.models.arrivals import Periodic
from ddsrta.models.assumptions import Assumption
from ddsrta.models.system import System


def provisional(system: System) -> Iterator[Assumption]:
    """Both, where there are such.

    >>> from ddsrta.examples import two_threads
    >>> changed = two_threads().replace("threads", "sensor", period="30 Hz")
    >>> [each.rule for each in provisional(changed)]
    ['rounded-rates']
    """
    yield from _rounded(system)
    if system.delays.placeholder:
        yield from _placeholders(system)


def _rounded(system: System) -> Iterator[Assumption]:
    """That a rate which is no whole number of nanoseconds is that of a timer, which has one."""
    found = [
        (name, thread.arrival.period)
        for name, thread in system.threads.items()
        if isinstance(thread.arrival, Periodic) and thread.arrival.rounded
    ]
    if found:
        name, period = found[0]
        yield Assumption(
            "rounded-rates",
            f"{name!r}{_and_more(found)} has a period of exactly {format_duration(period)}: its "
            "rate, which is no whole number of nanoseconds, rounded down as rclcpp and rclpy do",
            system.where("threads", name),
        )


def _placeholders(system: System) -> Iterator[Assumption]:
    """That messages cost no more than what stands in for what nobody measured."""
    found: dict[str, None] = {}
    for thread in system.threads.values():
        for sent in thread.publishes:
            readers = system.receivers(thread, sent.topic)
            asked = [(sent.table, sent.cost)] * bool(readers)
            local = system.local_readers(thread, sent.topic)
            read = (r.subscribes for r in (*readers, *local) if r.subscribes)
            asked += [("listener", one.cost) for one in read]
            size = system.topics[sent.topic].size
            if any(not (cost or system.delays.has(table, size)) for table, cost in asked):
                found[sent.topic] = None
    if found:
        yield Assumption(
            "placeholder-delays",
            f"to send and to receive {next(iter(found))!r}{_and_more(found)} takes no longer than "
            "the placeholder, 300 us and 3 ns a byte, which nobody measured: measure it "
            "('ddsrta measure') and write 'delays'",
            system.where("delays", "placeholder"),
        )


def _and_more(found: Sized) -> str:
    return f" (and {len(found) - 1} more)" if len(found) > 1 else ""
