"""Flow controllers that may send so many bytes each period, as in Fast DDS.

A period begins when the thread sees that the one before is over: when it has no work, or when the
next sample does not fit any more. Then it sleeps for the rest of the period, whatever comes.
"""

from __future__ import annotations

from ddsrta_simulator.orders import RESERVED
from ddsrta_simulator.program import Program
from ddsrta_simulator.twin_decisions import Decider
from ddsrta_simulator.twin_threads import Server, Supply, Unit


class Limited(Server):
    """`began`: when its period did; `used`, `spent`: the bytes of all, and of what goes first."""

    __slots__ = (
        "began",
        "bytes",
        "is_idle",
        "is_over",
        "limit",
        "period",
        "share",
        "spent",
        "used",
    )

    def __init__(self, program: Program, decide: Decider, number: int, supply: Supply) -> None:
        first, last = program.server_queue[number : number + 2]
        order, priority = program.server_order[number], program.server_priority[number]
        super().__init__(number, order, priority, last - first, supply)
        self.limit = program.server_limit[number]
        self.period = program.server_period[number]
        self.bytes = program.publication_bytes
        self.share = list(program.queue_share[first:last])
        self.spent = [0] * (last - first)
        self.used = 0
        self.is_idle, self.is_over = True, False
        phase = program.server_phase[number]
        self.began = -decide.amount(phase, 0, 0, 0, max(0, self.period - 1))

    def _size(self, unit: Unit) -> int:
        return self.bytes[unit.target]

    def _goes_first(self, place: int) -> bool:
        return self.share[place] > self.spent[place] + self._size(self.queues[place][0])

    def _next(self) -> int | None:
        if self.order != RESERVED:
            return super()._next()
        waiting = [place for place, queue in enumerate(self.queues) if queue]
        return next(filter(self._goes_first, waiting), waiting[0] if waiting else None)

    def take(self) -> Unit:
        """Begin the unit that comes next, and count it."""
        place = self._next()
        assert place is not None
        size, is_first = self._size(self.queues[place][0]), self._goes_first(place)
        unit = super().take()
        self.used += size
        if is_first:
            self.spent[place] += size
        return unit

    def fits(self, unit: Unit) -> bool:
        """Whether a sample may still be sent."""
        return not self.limit or self.used + self._size(unit) <= self.limit

    def reset(self, time: int) -> None:
        """A period begins."""
        self.began = time
        self.used = 0
        self.spent = [0] * len(self.spent)

    def rests(self, now: int) -> None:
        """It has no more work."""
        self.is_idle = True
        if self.limit and now - self.began >= self.period:
            self.reset(now)

    def may_send(self, unit: Unit, now: int) -> bool:
        """Whether the next sample may be sent now; else when the period is over."""
        if not self.limit:
            return True
        late = now - self.began
        if self.is_over:
            self.reset(now)
        elif self.is_idle and late >= self.period:
            self.reset(now - late % self.period)
        elif late >= self.period and not self.fits(unit):
            self.reset(now)
        self.is_idle = self.is_over = False
        return self.fits(unit)
