"""Release times of one source, generated as they are needed."""

from __future__ import annotations

from ddsrta_simulator.program import (
    ALIGNED,
    ANCHORED,
    BURST,
    EXTREME_JITTER,
    NEVER,
    WILD,
    Choices,
    Program,
)
from ddsrta_simulator.twin_decisions import mix


def source_of(program: Program, choices: Choices, number: int) -> Anchored | Greedy:
    """The source of this number."""
    if program.source_model[number] == ANCHORED:
        return Anchored(program, choices, number)
    return Greedy(program, choices, number)


class Source:
    """What was chosen for a source, and how many releases it has made."""

    def __init__(self, program: Program, choices: Choices, number: int) -> None:
        self.period = program.source_period[number]
        self.kind = choices.source_kind[number]
        self.moment = choices.source_moment[number]
        self.seed = choices.source_seed[number]
        self.most_pause = choices.source_pause[number] if program.source_pause[number] else 0
        self.most = program.source_most[number] or NEVER
        self.made = 0
        self.due = -NEVER  # when the last release was due, without its jitter

    def pause(self) -> int:
        """A pause before the next release, in one of three cases; where the longest is known, in
        another that one."""
        drawn = mix(self.seed, 2 * self.made + 1)
        if self.most_pause <= 0 or drawn % 3 == 2:
            return 0
        if drawn % 3 == 1:
            return 0 if self.most == NEVER else self.most
        return (drawn >> 8) % self.most_pause


class Anchored(Source):
    """Nominal times a period and a pause apart, each up to a jitter late, in order.

    Up to the moment all are as late as possible, then all in time: as dense as the model allows.
    """

    def __init__(self, program: Program, choices: Choices, number: int) -> None:
        super().__init__(program, choices, number)
        self.most_jitter = program.source_b[number]
        self.distance = program.source_c[number]
        self.is_extreme = choices.source_jitter[number] == EXTREME_JITTER
        self.last = -NEVER
        self.nominal = self.moment
        if self.kind != WILD:
            self.nominal -= self.most_jitter
            if self.kind == ALIGNED and self.nominal > 0:
                self.nominal %= self.period
        if program.source_leader[number] >= 0:
            self.nominal = begin(program, choices, number)
        self.nominal = min(self.nominal, self.most)

    def jitter(self) -> int:
        """How late the next release is."""
        if self.kind != WILD:
            return self.most_jitter if self.nominal <= self.moment - self.most_jitter else 0
        drawn = mix(self.seed, 2 * self.made)
        if self.is_extreme:
            return self.most_jitter if drawn & 1 else 0
        return drawn % (self.most_jitter + 1)

    def next(self) -> int:
        """The time of the next release that is not before 0."""
        while True:
            late = self.nominal + self.jitter()
            late = min(late, self.most if self.made == 0 else self.last + self.most)
            self.last = max(late, self.last + self.distance)
            self.due = self.nominal
            pause = min(self.pause(), self.most - self.period) if self.kind == WILD else 0
            self.nominal += self.period + pause
            self.made += 1
            if self.last >= 0:
                return self.last


def begin(program: Program, choices: Choices, number: int) -> int:
    """The first nominal release on a shared clock; that of the leader ends at its moment."""
    leader = program.source_leader[number]
    zero = choices.source_moment[leader] - program.source_b[leader] - program.source_offset[leader]
    return zero % program.source_span[leader] + program.source_offset[number]


class Greedy(Source):
    """Each release as early as its distances to all earlier ones allow, plus a pause.

    Towards an aligned moment only such releases are made as do not forbid one at the moment.
    `times` are the last releases; `tails` the latest of a release, the one `repeat` before it and a
    period, and so on: what the part of the curve that recurs has to respect of all history.
    """

    def __init__(self, program: Program, choices: Choices, number: int) -> None:
        super().__init__(program, choices, number)
        first, last = program.source_distance[number : number + 2]
        self.distances = list(program.distances[first:last])
        self.repeat = program.source_b[number]
        self.distance = program.source_c[number]
        self.is_burst = program.source_model[number] == BURST
        self.reach = self.repeat if self.is_burst else len(self.distances)
        self.before = self.kind == ALIGNED and self.moment > 0
        self.times = [-NEVER] * self.reach
        self.tails = [-NEVER] * self.reach

    def earliest(self) -> int:
        """The earliest time of the next release."""
        times, tails = self.times, self.tails
        if self.is_burst:
            return max(times[-1] + self.distance, times[-self.repeat] + self.period)
        recurs = self.reach - self.repeat  # the first distance that does
        earliest = tails[-self.repeat] + self.period if recurs == 0 else -NEVER
        for back in range(1, self.reach):
            of = times if back < recurs else tails
            earliest = max(earliest, of[-back] + self.distances[back])
        return earliest

    def push(self, time: int) -> None:
        """A release is made."""
        self.tails = [*self.tails[1:], max(time, self.tails[-self.repeat] + self.period)]
        self.times = [*self.times[1:], time]

    def next(self) -> int:
        """The time of the next release that is not before 0."""
        while True:
            time = self._candidate()
            if self.before:
                kept = self.times, self.tails
                latest = self.latest()
                self.push(time)
                self.before = time < self.moment and self.earliest() <= self.moment
                if not self.before and self.moment <= latest:
                    self.times, self.tails = kept
                    time = self.moment
                    self.push(time)
            else:
                self.push(time)
            self.made += 1
            if time >= 0:
                self.due = time
                return time

    def _candidate(self) -> int:
        if self.made == 0:
            return 0 if self.before else min(self.moment, self.most)
        pause = self.pause() if self.before or self.kind == WILD else 0
        return min(self.earliest() + pause, self.latest())

    def latest(self) -> int:
        """The latest time of the next release."""
        return (self.times[-1] if self.made else 0) + self.most
