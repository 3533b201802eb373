"""A run: a program and choices in motion."""

from __future__ import annotations

from array import array

from ddsrta_simulator import Choices, Engine, Program
from ddsrta_simulator.program import BUCKETS, bucket_least


class Run:
    """Simulates from 0 on; measures as it goes, in memory that does not grow with the time.

    `records` and `trace` are how many rows to keep before `advance` returns for them to be taken
    (0: none are made); the rows of one instant stay together, so a few more may be there.

    >>> from ddsrta.examples import two_threads
    >>> from ddsrta.simulation import program_of, worst_choices
    >>> program = program_of(two_threads())
    >>> run = Run(program, worst_choices(program))
    >>> run.advance(1_000_000_000)
    1000000000
    >>> run.worst[0] > 0
    True
    """

    def __init__(
        self,
        program: Program,
        choices: Choices,
        *,
        records: int = 0,
        trace: int = 0,
        histograms: bool = True,
    ) -> None:
        self.program = program
        self._engine = Engine(program, choices, records, trace, histograms)

    @classmethod
    def restored(
        cls,
        program: Program,
        choices: Choices,
        state: bytes,
        *,
        records: int = 0,
        trace: int = 0,
        histograms: bool = True,
    ) -> Run:
        """The run that was in this state, with the same program, choices and histograms.

        The rest is the same as if there had been no interruption. A ValueError says that the state
        is none of this program.
        """
        run = cls(program, choices, records=records, trace=trace, histograms=histograms)
        run._engine.restore(state)
        return run

    def state(self) -> bytes:
        """All that the rest of the run depends on, and what was measured so far."""
        return self._engine.state()

    def advance(self, until: int) -> int:
        """Simulate all that happens before `until`, or until a buffer is full.

        Returns the time reached: all that happens before it has happened. Call it again to go on.
        """
        return self._engine.advance(until)

    @property
    def worst(self) -> array[int]:
        """The largest value of each measure of the program; -1: never seen."""
        return self._engine.worst()

    @property
    def worst_at(self) -> array[int]:
        """When the largest value of each measure was first seen; -1: never."""
        return self._engine.worst_at()

    @property
    def counts(self) -> array[int]:
        """How many values each measure had."""
        return self._engine.counts()

    @property
    def events(self) -> int:
        """Events handled so far."""
        return self._engine.events

    @property
    def messages(self) -> int:
        """Messages delivered so far."""
        return self._engine.messages

    def histogram(self, measure: int) -> dict[int, int]:
        """How many values of a measure are in each bucket, by the least value of the bucket."""
        buckets = self._engine.histogram(measure)
        return {bucket_least(i): buckets[i] for i in range(BUCKETS) if buckets[i]}

    def take_records(self) -> array[int]:
        """The rows of measure, time, value since the last time (see ddsrta_simulator.program)."""
        return self._engine.take_records()

    def take_trace(self) -> array[int]:
        """The rows of time, kind, what, number, other since the last time."""
        return self._engine.take_trace()
