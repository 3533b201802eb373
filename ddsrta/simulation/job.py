"""One seed on its way: in slices short enough for progress, checkpoints and interruptions."""

from __future__ import annotations

from time import perf_counter
from typing import NamedTuple

from ddsrta.simulation.observations import Seen
from ddsrta.simulation.plan import Plan, steps
from ddsrta.simulation.records import ROWS, Parts
from ddsrta.simulation.run import Run

SLICE = 0.1  # seconds that a slice should take


class Start(NamedTuple):
    """Where a run can go on: its state, the time reached, and how many parts it has written."""

    state: bytes
    reached: int
    parts: int


class Job:
    """The run of one seed of a plan, from 0 or from where it was."""

    def __init__(self, plan: Plan, seed: int, start: Start | None = None) -> None:
        self.seed = seed
        self.horizon = plan.horizon
        self.reached = start.reached if start else 0
        self._step = steps(plan.program, plan.horizon)
        self._most = plan.events
        self._parts = None
        if plan.parquet is not None:
            self._parts = Parts(plan.parquet, seed, start.parts if start else 0, plan.labels)
        rows = ROWS if self._parts else 0
        choices = plan.choices_of(seed)
        if start:
            self._run = Run.restored(plan.program, choices, start.state, records=rows)
        else:
            self._run = Run(plan.program, choices, records=rows)

    @property
    def events(self) -> int:
        """Events handled so far."""
        return self._run.events

    def step(self) -> bool:
        """Simulate one slice; says whether the horizon is reached, or the limit of events."""
        end = perf_counter() + SLICE
        while not self._is_over():
            until = min(self.horizon, (self.reached // self._step + 1) * self._step)
            while (reached := self._run.advance(until)) < until:
                self._write()
                self.reached = reached
            self.reached = until
            if perf_counter() >= end:
                break
        return self._is_over()

    def _is_over(self) -> bool:
        return self.reached >= self.horizon or self.limited

    @property
    def limited(self) -> bool:
        """Whether it stopped before the horizon since it had too many events."""
        return self.reached < self.horizon and self.events >= self._most

    def start(self) -> Start:
        """Where it can go on; what it has recorded so far is in complete files."""
        self._write()
        parts = self._parts.close() if self._parts else 0
        return Start(self._run.state(), self.reached, parts)

    def seen(self) -> Seen:
        """What it has shown so far."""
        return Seen.of(self._run, self.seed, self.reached)

    def finish(self) -> Seen:
        """What it has shown, after the last slice."""
        self._write()
        if self._parts:
            self._parts.close()
        return self.seen()

    def abandon(self) -> None:
        """Leave no incomplete file behind."""
        if self._parts:
            self._parts.abandon()

    def _write(self) -> None:
        if self._parts:
            self._parts.write(self._run.take_records())
