"""Many systems that differ at the same places: some numbers of each, as `analyze` says them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from ddsrta.base.diagnostics import InputError
from ddsrta.base.frozen import frozen
from ddsrta.base.yaml_changes import Step
from ddsrta.bounds.analyze import analyze
from ddsrta.bounds.result import MessageResult, Result
from ddsrta.exploration.edits import Edit, edited
from ddsrta.models.system import System

OF_CHAINS = ("latency", "trigger_latency", "data_age", "reaction_time")
ARROW = " → "  # in the name of a message: publisher → topic → subscriber


@frozen
class Measure:
    """One number of a result, by its key there: the `latency`, `trigger_latency`, `data_age` or
    `reaction_time` of a chain, the `ddl` of a message ('publisher → topic → subscriber'), the
    `wcrt` of a thread or callback, the `backlog` of a queue; or `verdict`, 1 where it is the named
    one, else 0."""

    kind: str
    name: str

    def of(self, result: Result) -> int | None:
        """The number; None where it is unbounded. Raises LookupError where there is no such."""
        if self.kind in OF_CHAINS:
            found: int | None = getattr(result.chains[self.name], self.kind)
            return found
        if self.kind == "wcrt":
            threads = result.threads if self.name in result.threads else result.callbacks
            return threads[self.name].wcrt
        if self.kind == "backlog":
            return result.queues[self.name].backlog
        if self.kind == "verdict":
            return int(result.verdict == self.name)
        if self.kind == "ddl":
            return _message(result, self.name).ddl
        raise LookupError(f"a result has no '{self.kind}'")


def _message(result: Result, name: str) -> MessageResult:
    for each in result.messages:
        if ARROW.join((each.publisher, each.topic, each.subscriber)) == name:
            return each
    raise KeyError(name)


@frozen
class Refused:
    """Why a system cannot be."""

    reason: str


Values = tuple[int | None, ...]


class Evaluator:
    """Finds the measures of systems that differ from one at some places: row by row the values
    that are to stand there, as an `Edit` takes them.

    >>> from ddsrta.examples import two_threads
    >>> places = [("threads", "sensor", "wcet")]
    >>> with Evaluator(two_threads(), places, [Measure("latency", "control loop")]) as evaluate:
    ...     evaluate([["1ms"], ["1.5ms"], ["-1ms"]])
    [(3286000,), (3786000,), Refused(reason="'-1ms' is negative")]
    """

    def __init__(
        self,
        system: System,
        places: Sequence[tuple[Step, ...]],
        measures: Sequence[Measure],
        *,
        threads: int | None = None,
    ) -> None:
        self.system = system
        self.places = tuple(places)
        self.measures = tuple(measures)
        self.threads = threads
        result = analyze(system, check=False)
        for measure in self.measures:
            measure.of(result)

    def __call__(self, rows: Sequence[Sequence[Any]]) -> list[Values | Refused]:
        """For each row the measures, None where unbounded; or why there is no such system."""
        return [self._one(row) for row in rows]

    def _one(self, row: Sequence[Any]) -> Values | Refused:
        edits = [Edit(path, value) for path, value in zip(self.places, row, strict=True)]
        try:
            result = analyze(edited(self.system, edits), check=False)
        except InputError as error:
            return Refused(error.diagnostics[0].message)
        found = (measure.of(result) for measure in self.measures)
        return tuple(None if number is None else int(number) for number in found)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends what it has begun."""
