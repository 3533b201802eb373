"""What is measured below what the model allows for: another unit, another system, or another time
than that of a best case, which bounds count on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from ddsrta.base.units import Duration, format_duration
from ddsrta.bounds.compile import compile_system
from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.paths.concrete import NamedPath, named_paths
from ddsrta.bounds.paths.latency import stages_of
from ddsrta.bounds.sending import least_time
from ddsrta.bounds.stages import Key
from ddsrta.models.system import System
from ddsrta.validation.contradiction import Held
from ddsrta.validation.measured import Series

COARSE = 1_000  # ns that a clock may go by
FAR = 100  # times below its bound: nobody measures milliseconds so


class Row(Protocol):
    """A bound, if there is one, and what was measured of the same."""

    @property
    def kind(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def figure(self) -> str: ...
    @property
    def bound(self) -> Duration | None: ...
    @property
    def seen(self) -> Series: ...


def hold_least(system: System, rows: Iterable[Row], held: Held) -> None:
    """No latency and no response is less than best cases make it."""
    compiled = compile_system(system)
    paths = {path.name: path for path in named_paths(system)[0]}
    for row in rows:
        least = 0
        if row.kind == "chain" and row.figure == "latency" and row.name in paths:
            least = least_latency(compiled, paths[row.name])
        elif row.kind == "response" and row.name in system.threads:
            least = least_time(system, system.threads[row.name])
        if row.seen.least + COARSE < least:
            took = f"one took {format_duration(row.seen.least)}, and best cases (bcet, best) add up"
            text = f"{took} to {format_duration(least)}"
            held.contradict("execution times", row.name, text, "best")


def least_latency(compiled: Compiled, path: NamedPath) -> int:
    """From the release of the first job of a path to the end of the last, at the least; 0 where
    something is released by time in between.

    >>> from ddsrta.examples import two_threads
    >>> from ddsrta.models.system import System
    >>> system = two_threads().replace("threads", "control", bcet="2 ms")
    >>> (path,) = named_paths(system)[0]
    >>> least_latency(compile_system(system), path)
    2000003
    """
    system, total = compiled.system, 0
    source: Key = ("job", path.start)
    for hop in path.hops:
        if system.threads[hop.target].arrival is not None:
            return 0
        for key in (*stages_of(compiled, hop), ("job", hop.target)):
            total += _least_between(compiled, source, key)
            source = key
    return total + least_time(system, system.threads[source[1]])


def _least_between(compiled: Compiled, source: Key, target: Key) -> int:
    """Between the arrivals at two stages that follow each other."""
    number = compiled.stage_number
    inputs = compiled.stages[number[target]].inputs
    return min((edge.least for edge in inputs if edge.source == number[source]), default=0)


def far_below(rows: Iterable[Row]) -> str:
    """Whether all that was compared is so far below its bound that it may be of another unit."""
    known = [row for row in rows if row.bound is not None]
    if not known or any(FAR * row.seen.most >= (row.bound or 0) for row in known):
        return ""
    return (
        f"all that was measured is less than one part in {FAR} of its bound: are these "
        "nanoseconds, of this system?"
    )
