"""Attacks on what a system promises: bound beside the worst run that was found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ddsrta.bounds.analyze import analyze
from ddsrta.bounds.evidence.checked import Checked
from ddsrta.bounds.result import Result
from ddsrta.bounds.solve import solve
from ddsrta.exploration.critical_instant import hints_of
from ddsrta.exploration.targets import Target, targets
from ddsrta.models.system import System
from ddsrta.simulation.attack import Budget, Found, attack_all
from ddsrta.simulation.build import program_of

Tick = Callable[[int, int, int], bool]  # which target of how many, runs so far; true: stop


@dataclass(frozen=True, slots=True)
class Attacked:
    """A target and the worst that was found of it; `broken` says that a bound was exceeded."""

    target: Target
    found: Found
    seed: int

    @property
    def worst(self) -> int | None:
        """The largest value seen; none where there was none."""
        return self.found.worst if self.found.worst >= 0 else None

    @property
    def tightness(self) -> float | None:
        """bound / found: 1 is exact. None where either is missing."""
        if self.target.bound is None or self.found.worst <= 0:
            return None
        return self.target.bound / self.found.worst

    @property
    def begin(self) -> int | None:
        """When the worst began."""
        return None if self.worst is None else self.found.begin

    @property
    def end(self) -> int | None:
        """When the worst ended."""
        return None if self.worst is None else self.found.end

    @property
    def broken(self) -> bool:
        """Whether a run exceeded the bound."""
        return self.target.bound is not None and self.found.worst > self.target.bound


@dataclass(frozen=True, slots=True)
class Attack:
    """Everything that was attacked, and the result of the analysis."""

    result: Result
    attacked: tuple[Attacked, ...]
    interrupted: bool


def attack_system(
    system: System,
    wanted: Sequence[str] = (),
    *,
    seed: int = 1,
    budget: Budget,
    profile: str = "busy-window",
    tick: Tick | None = None,
    checked: Checked | None = None,
) -> Attack:
    """Attack chains and messages, one after the other, each with this budget.

    What is found of one does not depend on the others. `checked` is what an analysis found, where
    there was one.

    >>> from ddsrta.examples import two_threads
    >>> attack = attack_system(two_threads(), ["control loop"], budget=Budget(runs=20))
    >>> attack.attacked[0].broken
    False
    """
    result = checked.result if checked else analyze(system, profile=profile)
    solution = checked.solution if checked else solve(system)
    program = program_of(system)
    chosen = targets(system, program, result, wanted)
    hints = {hint.measure: hint for hint in hints_of(solution, program, _numbers(chosen))}
    attacked: list[Attacked] = []
    stopped = False
    for place, target in enumerate(chosen):
        bounds = [-1] * len(program.measures)
        bounds[target.measure] = -1 if target.bound is None else target.bound

        def told(runs: int, place: int = place) -> bool:
            nonlocal stopped
            stopped = tick is not None and tick(place, len(chosen), runs)
            return stopped

        (found,) = attack_all(
            program,
            [target.measure],
            seed,
            budget,
            bounds=bounds,
            hints=[hints[target.measure]],
            tick=lambda search: told(search.runs),
        )
        attacked.append(Attacked(target, found, seed))
        if stopped:
            break
    return Attack(result, tuple(attacked), stopped)


def _numbers(chosen: Sequence[Target]) -> list[int]:
    return [target.measure for target in chosen]
