"""What the analysis knows about the worst case of each measure, as plain data for an attack.

The busy window of lemma busy-window begins when the work that it counts arrives together; the work
of a stream arrives between `best` and `before` after the event at its base (definition
arrival-curve).
"""

from __future__ import annotations

from collections.abc import Iterable

from ddsrta.bounds.solution import Solution
from ddsrta.simulation.attack.hint import Hint
from ddsrta.simulation.attack.ways import Way, stages_of
from ddsrta.simulation.build_links import source_name
from ddsrta_simulator import Program


def hints_of(solution: Solution, program: Program, measures: Iterable[int]) -> list[Hint]:
    """A hint for each of these measures, from the busy windows of its stages.

    >>> from ddsrta.bounds.solve import solve
    >>> from ddsrta.examples import two_threads
    >>> from ddsrta.simulation import program_of
    >>> program = program_of(two_threads())
    >>> [way.source for way in hints_of(solve(two_threads()), program, [0])[0].rivals]
    [0, 0]
    """
    return _Hints(solution, program).of(measures)


class _Hints:
    def __init__(self, solution: Solution, program: Program) -> None:
        self.solution = solution
        self.program = program
        self.source = {name: i for i, name in enumerate(program.sources)}
        self.place = {key: i for i, key in enumerate(program.stages)}
        self.ways: list[dict[int, Way]] = []
        for number in range(len(solution.compiled.stages)):
            self.ways.append(self._ways(number))

    def of(self, measures: Iterable[int]) -> list[Hint]:
        return [self._hint(measure) for measure in measures]

    def _hint(self, measure: int) -> Hint:
        numbers = self.solution.compiled.stage_number
        stages = stages_of(self.program, self.program.measures[measure])
        own = [numbers[self.program.stages[stage]] for stage in stages]
        rivals = dict.fromkeys(other for stage in own for other in self._rivals(stage))
        return Hint(measure, self._all(rivals))

    def _all(self, stages: Iterable[int]) -> tuple[Way, ...]:
        return tuple(way for stage in stages for way in self.ways[stage].values())

    def _rivals(self, stage: int) -> Iterable[int]:
        """The stages that delay this one; its own earlier units are among them."""
        compiled = self.solution.compiled
        p, unit = compiled.problem, compiled.unit_of[stage]
        yield stage
        for relation in range(p.relation_start[unit], p.relation_start[unit + 1]):
            for other in range(p.relation_first[relation], p.relation_last[relation]):
                number = compiled.placement.stage_of[other]
                if number is not None:
                    yield number

    def _ways(self, number: int) -> dict[int, Way]:
        """How the sources' events reach a stage; causes come before it."""
        stage = self.solution.compiled.stages[number]
        place = self.place[stage.key]
        if stage.arrival is not None:
            source = self.source[self._released_by(stage.key)]
            return {source: Way(place, source, 0, 0)}
        ways: dict[int, Way] = {}
        for edge in stage.inputs:
            response = self.solution.response(edge.source)
            for source, way in self.ways[edge.source].items():
                # Where there is no bound, what it takes at least is as good a guess as any.
                passed = edge.least if response is None else response + edge.worst
                best, latest = way.best + edge.least, way.latest + max(passed, edge.least)
                known = ways.get(source)
                if known is not None:
                    best, latest = min(best, known.best), max(latest, known.latest)
                ways[source] = Way(place, source, best, latest)
        return ways

    def _released_by(self, key: tuple[str, ...]) -> str:
        """The source of a stage that time releases."""
        if key[0] != "frame":
            return key[1]
        return source_name(self.solution.system.media[key[1]], key[2])
