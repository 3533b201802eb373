"""What is to be simulated: everything that decides the outcome of a simulation."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from hashlib import sha256

from ddsrta.simulation.choices import random_choices, worst_choices
from ddsrta.simulation.labels import Label
from ddsrta_simulator import Choices, Program

PERIODS = 1000  # of the slowest source: the default horizon
MOST_RELEASES = 2_000_000  # of all sources in a default horizon
MOST_EVENTS = 100_000_000  # of one run, unless it is told otherwise
A_STEP = 20_000  # releases, about, between two looks at how many events there were
WORST, RANDOM = "worst", "random"


@dataclass(frozen=True)
class Plan:
    """Runs with the seeds `first … first + count - 1`, each from 0 to the horizon."""

    program: Program
    labels: tuple[Label, ...]
    horizon: int
    choices: str
    first: int
    count: int
    parquet: str | None = None
    events: int = MOST_EVENTS

    @property
    def seeds(self) -> range:
        """The seeds, in order."""
        return range(self.first, self.first + self.count)

    def choices_of(self, seed: int) -> Choices:
        """What is decided in the run of a seed."""
        if self.choices == WORST:
            return worst_choices(self.program)
        return random_choices(self.program, seed, self.horizon)

    def fingerprint(self) -> str:
        """The same only for the same program."""
        total = sha256()
        for name, value in vars(self.program).items():
            if isinstance(value, array | list):
                total.update(f"{name} {list(value)}\n".encode())
        return total.hexdigest()


def steps(program: Program, horizon: int) -> int:
    """Into what a run is cut, in ns: the same on any machine, since a run may end at a cut.

    >>> from ddsrta.examples import two_threads
    >>> from ddsrta.simulation.build import program_of
    >>> steps(program_of(two_threads()), 10_000_000_000)
    10000000
    """
    rows = zip(program.source_period, program.source_b, strict=True)
    shortest = min((max(1, period // max(1, b)) for period, b in rows), default=1)
    several = max(1, len(program.source_period))
    return max(1, min(horizon // 1000, shortest * A_STEP // several))


def default_horizon(program: Program) -> int:
    """1000 times the largest period, or less where that would be too many releases.

    >>> from ddsrta.examples import two_threads
    >>> from ddsrta.simulation.build import program_of
    >>> default_horizon(program_of(two_threads()))
    10000000000
    """
    periods = [max(1, period) for period in program.source_period]
    longest = max(periods, default=1)
    in_the_longest = sum(longest // period for period in periods)
    most = longest * MOST_RELEASES // max(1, in_the_longest)
    return max(longest, min(PERIODS * longest, most))
