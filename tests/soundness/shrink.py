"""Makes a counterexample small: whatever can go without the bound holding again, goes."""

from __future__ import annotations

import time

import ddsrta
from ddsrta.base.diagnostics import InputError
from ddsrta.simulation import program_of
from ddsrta.simulation.attack import Budget
from tests.soundness.attack import MOST_EVENTS, attack, span_of, violations
from tests.soundness.bounds import bounds_of
from tests.soundness.simpler import candidates, complexity
from tests.soundness.yaml_text import to_yaml

ERRORS = (InputError, KeyError, IndexError, ValueError, ZeroDivisionError, AttributeError)


class Shrinker:
    """Searches for the simplest system in which a bound of this kind is still violated.

    The kind is that of a measure, with the kind of stage where there is one: ("response", "job").
    Every step is checked by an attack that depends on nothing but the candidate, so that the same
    system shrinks to the same few lines. `accepts` may refuse candidates that lead elsewhere.
    """

    def __init__(self, kind, *, profile="busy-window", runs=24, seed=0, seconds=120, accepts=None):
        self.kind = kind
        self.seed = seed
        self.profile = profile
        self.runs = runs
        self.seconds = seconds
        self.accepts = accepts or (lambda system: True)
        self.tried = set()

    def shrink(self, system):
        """The simplest system found; `system` itself where the search does not see it fail."""
        end = time.monotonic() + self.seconds
        current, smaller = system, self.fails(system)
        while smaller:
            smaller = False
            size = complexity(current)
            for candidate in candidates(current):
                if time.monotonic() > end:
                    return current
                if complexity(candidate) < size and self.fails(candidate):
                    current, smaller = candidate, True
                    break
        return current

    def fails(self, system) -> bool:
        """Whether a bound of the kind is violated in this system."""
        try:
            text = to_yaml(system)
        except ERRORS:  # a callback without what it is made of
            return False
        if text in self.tried:
            return False
        try:
            system = ddsrta.loads(text)  # what is kept is what a reader of the file gets
            found = self.accepts(system) and self.violation(system) is not None
        except ERRORS:
            found = False
        if not found:
            self.tried.add(text)
        return found

    def violation(self, system):
        """A violation of the kind, the worst of the first run that shows one."""
        program = program_of(system)
        bounds = bounds_of(program, ddsrta.analyze(system, profile=self.profile))
        wanted = [
            bound if kind_of(measure) == self.kind else -1
            for measure, bound in zip(program.measures, bounds, strict=True)
        ]
        if not any(bound >= 0 for bound in wanted):
            return None
        budget = Budget(runs=self.runs, events=MOST_EVENTS)
        span = span_of(system, program, wanted)
        worst = attack(program, wanted, self.seed, budget, span, enough=True)
        found = violations(worst, wanted)
        return max(found, key=lambda v: v.seen - v.bound, default=None)


def kind_of(measure) -> tuple[str, ...]:
    """The kind of a measure: ("response", "sample"), ("ddl",)."""
    stage = measure.of[0] if measure.kind in ("response", "pending") else None
    known = stage in ("job", "sample", "message", "reader")
    return (measure.kind, stage) if known else (measure.kind,)


def shrunk(system, measure, **options):
    """The simplest system found in which a bound of the kind of this measure is violated."""
    return Shrinker(kind_of(measure), **options).shrink(system)
