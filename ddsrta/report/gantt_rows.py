"""What a Gantt chart of an instance shows: its rows, its ticks, its words."""

from __future__ import annotations

from typing import NamedTuple

from ddsrta.base.text import shown, width
from ddsrta.base.units import NANOSECONDS, format_duration
from ddsrta.simulation.instance import (
    AHEAD,
    BLOCKING,
    OTHER,
    OWN,
    URGENT,
    WAITING,
    Bar,
    Instance,
)
from ddsrta.simulation.timeline import label, priority_of
from ddsrta_simulator import Measure, Program

WORDS = {
    OWN: "its own work",
    WAITING: "its own work waits",
    URGENT: "more urgent",
    AHEAD: "ahead in the queue",
    BLOCKING: "cannot be interrupted",
    OTHER: "other work",
}
_KINDS = {
    "ddl": "delivery",
    "trigger_latency": "trigger latency",
    "data_age": "data age",
    "reaction_time": "reaction time",
}


class Row(NamedTuple):
    """A thread, and what it does."""

    server: int
    name: str
    priority: str
    bars: tuple[Bar, ...]
    closed: tuple[tuple[int, int], ...]  # when it has no budget


class Group(NamedTuple):
    """The rows of a core."""

    core: str
    rows: tuple[Row, ...]


class Tick(NamedTuple):
    """A time on the axis, counted from the release."""

    time: int
    text: str


def groups(instance: Instance) -> list[Group]:
    """Cores in the order in which the instance passes them; the most urgent thread first."""
    p = instance.program
    bars: dict[int, list[Bar]] = {}
    for arrow in instance.arrows:
        bars.setdefault(arrow.source, [])
        bars.setdefault(arrow.target, [])
    for bar in instance.bars:
        bars.setdefault(bar.server, []).append(bar)
    cores = dict.fromkeys(_core(p, p.stage_server[stage]) for stage, _ in instance.units)
    cores.update(dict.fromkeys(_core(p, server) for server in sorted(bars)))
    found = []
    for core in cores:
        here = [server for server in bars if _core(p, server) == core]
        here.sort(key=lambda server: (p.server_supply[server], -p.server_priority[server], server))
        rows = tuple(_row(instance, server, tuple(bars[server])) for server in here)
        if rows:
            found.append(Group(shown(p.cores[core]), rows))
    return found


def _core(program: Program, server: int) -> int:
    return program.supply_core[program.server_supply[server]]


def _row(instance: Instance, server: int, bars: tuple[Bar, ...]) -> Row:
    p = instance.program
    supply = p.server_supply[server]
    closed = tuple((c.begin, c.end) for c in instance.closed if c.supply == supply)
    key, priority = p.supplies[supply], str(priority_of(p, server))
    if key[1] == "partition":
        priority = f"{shown(key[2])} {priority}".strip()
    return Row(server, shown(p.servers[server]), priority, bars, closed)


def ticks(instance: Instance, most: int) -> list[Tick]:
    """Round times, so many at most, in the unit that suits the longest of them."""
    length = instance.last - instance.first
    step = 1
    while length // step >= most:
        step = _next(step)
    first = -((instance.begin - instance.first) // step)
    last = (instance.last - instance.begin) // step
    longest = max(step, last * step)
    unit = next(u for u in ("s", "ms", "us", "ns") if longest >= NANOSECONDS[u])
    found = []
    for number in range(first, last + 1):
        time = number * step
        found.append(Tick(instance.begin + time, _decimal(time, NANOSECONDS[unit]) + f" {unit}"))
    return found


def _next(step: int) -> int:
    """1, 2, 5, 10, 20, 50, …"""
    leading = int(str(step)[0])
    return step * 5 // 2 if leading == 2 else step * 2


def _decimal(time: int, scale: int) -> str:
    whole, rest = divmod(abs(time), scale)
    digits = f"{rest:0{len(str(scale)) - 1}d}".rstrip("0") if rest else ""
    return f"{'-' if time < 0 else ''}{whole}{'.' if digits else ''}{digits}"


def heading(instance: Instance) -> str:
    """What is shown, and its value."""
    return f"{measure_words(instance.measure)}: {format_duration(instance.value)}"


def measure_words(measure: Measure) -> str:
    """A measure, for people.

    >>> measure_words(Measure("ddl", ("sensor", "speed", "control")))
    'delivery sensor → speed → control'
    >>> measure_words(Measure("response", ("sample", "sensor", "speed")))
    'response of sample sensor → speed'
    """
    kind = _KINDS.get(measure.kind, measure.kind)
    names = tuple(measure.of)
    if measure.kind == "response":
        kind, names = f"response of {names[0]}", names[1:]
    return f"{kind} {' → '.join(shown(name) for name in names)}"


def bar_words(instance: Instance, bar: Bar) -> str:
    """A bar, for people: times count from the release."""
    name = shown(label(instance.program, bar.stage, bar.number))
    begin, length = bar.begin - instance.begin, bar.end - bar.begin
    return f"{name}: {WORDS[bar.role]}, {format_duration(length)} from {format_duration(begin)}"


def shortened(text: str, columns: int) -> str:
    """The text, or as much of it as there is room for.

    >>> shortened("controller", 6), shortened("short", 6)
    ('contr…', 'short')
    """
    if width(text) <= columns:
        return text
    cut = text
    while cut and width(cut) > columns - 1:
        cut = cut[:-1]
    return cut + "…"
