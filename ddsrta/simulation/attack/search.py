"""The search: what was worst is changed a little, and kept where it is no better; some is drawn."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from random import Random

from ddsrta.simulation.attack.apart import BEFORE, Apart
from ddsrta.simulation.attack.critical import instants
from ddsrta.simulation.attack.draw import drawn
from ddsrta.simulation.attack.hint import Hint, Rivals
from ddsrta.simulation.attack.lining import lined_up
from ddsrta.simulation.attack.moves import Moves, cross
from ddsrta.simulation.choices import worst_choices
from ddsrta_simulator import Choices, Engine, Program

FEW = 4  # measures, of which the one farthest from its bound is climbed
LOOK = 8  # runs, after which to look again what is left to climb
CROSSED = 0.4  # how often the worst run of one measure is mixed with that of another
PATIENCE = 3  # climbs in vain that halve how far it seems
STUCK = 15  # climbs in vain after which single instances are changed, too
APART = 0.5  # how often that is
ALSO = 0.3  # how often something else is changed with them
GATHERED = 3  # with more measures than that, critical instants of one wait until it was climbed
CLIMBED = 20  # so often: in short searches they cost more than they bring


class Search:
    """Looks for the worst run of each of some measures of a program.

    The lists are by measure, of all measures of the program. No effort is spent on what has reached
    its bound (-1: none is known). A run ends soon after what it was made for.
    """

    def __init__(
        self,
        program: Program,
        wanted: Sequence[int],
        seed: int,
        horizon: int,
        bounds: Sequence[int] = (),
        hints: Sequence[Hint] = (),
    ) -> None:
        self.program = program
        self.wanted = list(wanted)
        self.horizon = horizon
        self.span = 2 * horizon // 5 + 1  # to see what follows a burst
        self.bounds = list(bounds) or [-1] * len(program.measures)
        self.random = Random(f"attack {seed}")
        self.worst = [-1] * len(program.measures)
        self.at = [-1] * len(program.measures)
        self.best: list[Choices | None] = [None] * len(program.measures)
        self.noted: list[array[int] | None] = [None] * len(program.measures)
        self.left: list[int] = []
        self.tries = [0] * len(program.measures)
        self.runs = self.events = self.messages = 0
        self.rivals = Rivals(program, hints)
        self.moves = Moves(program, self.random, self.rivals)
        self.apart = Apart(self.random, self.moves.nudge)
        self.watched = list(self.wanted)
        self.climbs = [0] * len(program.measures)
        self.fresh = 0.1 if len(self.wanted) <= GATHERED and not program.locks else 0.3

    def recall(self, measure: int, worst: int, end: int, choices: Choices) -> None:
        """Go on from what another search found of a measure. It need not be wanted: what comes to
        be seen of it is kept, and it is mixed with others."""
        if measure not in self.watched:
            self.watched.append(measure)
        if worst > self.worst[measure]:
            self.keep(measure, worst, end, choices)
        if not self.program.locks:
            self.fresh = 0.1

    def begin(self) -> None:
        """All worst at once; what delays a few measures brought together."""
        self.try_out(worst_choices(self.program), self.horizon)
        if len(self.wanted) <= GATHERED:
            for measure in self.wanted:
                self.gather(measure)

    def gather(self, measure: int) -> None:
        """What delays a measure, brought together."""
        rivals, most = self.rivals.of(measure), self.horizon // 2
        for choices, burst in instants(self.program, rivals, self.random, most):
            self.try_out(choices, burst + self.span)

    def step(self) -> None:
        """One more run."""
        if self.runs % LOOK == 0 or not self.left:
            self.left = self.open_ones()
        wanted = self.left
        if not wanted or self.random.random() < self.fresh:
            self.draw()
        else:
            measure = self.pick(wanted)
            self.climbs[measure] += 1
            if self.climbs[measure] == CLIMBED and len(self.wanted) > GATHERED:
                self.gather(measure)
            else:
                self.climb(measure)

    def is_done(self) -> bool:
        """Whether everything that is wanted was seen and has reached its bound."""
        worst, bounds = self.worst, self.bounds
        return all(0 <= bounds[measure] <= worst[measure] for measure in self.wanted)

    def open_ones(self) -> list[int]:
        """The wanted measures that were seen and may become larger."""
        worst, bounds = self.worst, self.bounds
        return [m for m in self.wanted if worst[m] > 0 and not 0 <= bounds[m] <= worst[m]]

    def pick(self, wanted: list[int]) -> int:
        """One of them: of a few, the one that seems farthest from its bound."""
        bounds, worst, tries = self.bounds, self.worst, self.tries
        few = [wanted[int(len(wanted) * self.random.random())] for _ in range(FEW)]
        measure = max(few, key=lambda m: max(1, bounds[m] / worst[m]) / (1 + tries[m] / PATIENCE))
        tries[measure] += 1
        return measure

    def draw(self) -> None:
        """Begin afresh, with a burst soon: then a run is short, unless nothing is left but to wait
        for what was never seen."""
        random = self.random
        far = 0.8 if self.moves.rare and random.random() < 0.5 else 0.3
        burst = int(far * self.horizon * random.random()) if random.random() < 0.7 else 0
        until = burst + self.span if self.left else self.horizon
        if self.program.locks and random.random() < 0.5:
            self.try_out(lined_up(self.program, random, burst), until)
        else:
            self.try_out(drawn(self.program, random, burst), until)

    def climb(self, measure: int) -> None:
        """Change what was worst for a measure."""
        is_stuck = self.tries[measure] > STUCK and self.random.random() < APART
        noted, known = self.noted[measure], self.best[measure]
        assert known is not None
        if is_stuck and noted is None:  # another search found it
            self.try_out(known, self.at[measure] + 1)
            return
        choices = known.copy()
        begin, end = self.window(measure)
        other = self.best[self.watched[int(len(self.watched) * self.random.random())]]
        if other is not None and other is not known and self.random.random() < CROSSED:
            cross(choices, other, self.random)
        if is_stuck and noted is not None:
            self.apart.change(choices, noted, begin, end)
        if not is_stuck or self.random.random() < ALSO:
            self.moves.change(choices, measure, begin, end)
        until = end + self.worst[measure] // 2 + self.moves.longest // 2 + 1
        self.try_out(choices, min(until, self.horizon))

    def window(self, measure: int) -> tuple[int, int]:
        """When the worst instance began and ended."""
        end = self.at[measure]
        is_time = self.program.measures[measure].kind != "pending"
        return max(0, end - self.worst[measure]) if is_time else end, end

    def try_out(self, choices: Choices, until: int) -> None:
        """Keep the choices for whatever they make as bad as nothing before."""
        engine = Engine(self.program, choices, 0, 0, False, True)
        engine.advance(until)
        self.runs += 1
        self.events += engine.events
        self.messages += engine.messages
        seen, worst = engine.worst(), self.worst
        equal = [measure for measure in self.watched if seen[measure] >= worst[measure]]
        if not equal:
            return
        when = engine.worst_at()
        for measure in equal:
            if seen[measure] > worst[measure]:
                self.tries[measure] = 0
            self.keep(measure, seen[measure], when[measure], choices)
            begin, end = self.window(measure)
            self.noted[measure] = engine.decided(begin - BEFORE * (end - begin), end)

    def keep(self, measure: int, worst: int, end: int, choices: Choices) -> None:
        """The worst of a measure so far."""
        self.worst[measure], self.at[measure], self.best[measure] = worst, end, choices
