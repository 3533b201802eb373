"""When reservations serve."""

from __future__ import annotations

from ddsrta_simulator.program import NEVER, RANDOM, WORST
from ddsrta_simulator.releases import Releases
from ddsrta_simulator.shadow import address, below, grow, mix, modulo
from ddsrta_simulator.structs import Bool, Int, Placement, Reservation, Rows


class Supplies(Releases):
    """Reservations of a core, shortest periods first. They have their budgets where the choices
    say, if each fits beside those before it; else the earliest deadline is first."""

    def most_service(self, own: Reservation, window: Reservation) -> Int:
        """The most that a reservation can serve in one period of another."""
        length = window.period
        shift = self.c.supply_phase[window.supply] - self.c.supply_phase[own.supply]
        if length % own.period == 0 and shift % own.period == 0:
            return length // own.period * own.budget
        if length <= own.budget:
            return length
        rest = (length - own.budget) % own.period
        whole = (length - own.budget) // own.period * own.budget
        return own.budget + whole + min(own.budget, rest)

    def add_interval(self, rows: Rows, begin: Int, end: Int) -> Bool:
        """One more; False where there is no memory."""
        if not grow(rows, 2):
            return False
        rows.data[rows.count] = begin
        rows.data[rows.count + 1] = end
        rows.count += 2
        return True

    def cut(self, skipped: Int, length: Int, chosen: Rows) -> Bool:
        """`length` of the free time, after leaving out `skipped` of it."""
        for i in range(0, self.free_time.count, 2):
            begin = self.free_time.data[i]
            stop = self.free_time.data[i + 1]
            leave = min(skipped, stop - begin)
            skipped -= leave
            part = min(length, stop - begin - leave)
            length -= part
            begin += leave
            if part and not self.add_interval(chosen, begin, begin + part):
                return False
        return True

    def choose(self, rank: Int) -> Bool:
        """Where the budget is in this period."""
        own = address(self.reservation[rank])
        chosen = address(self.intervals[rank])
        room = -own.budget
        seed = self.c.supply_seed[own.supply]
        number = 8 * own.placed
        for i in range(0, self.free_time.count, 2):
            room += self.free_time.data[i + 1] - self.free_time.data[i]
        habit = self.resolved(
            self.c.supply_habit[own.supply],
            self.c.supply_turn[own.supply],
            seed,
            number + 7,
            own.start,
        )
        if habit != RANDOM:
            return self.cut(room if habit == WORST else 0, own.budget, chosen)
        skipped = below(seed, number, room + 1)
        if mix(seed, number + 1) & 1:
            return self.cut(skipped, own.budget, chosen)
        first = below(seed, number + 2, own.budget + 1)  # in two parts
        head = below(seed, number + 3, skipped + 1)
        return self.cut(head, first, chosen) and self.cut(
            first + skipped, own.budget - first, chosen
        )

    def collect(self, first: Int, rank: Int) -> Bool:
        """What reservations before this one take of its next period, sorted."""
        taken = self.taken
        start = self.reservation[rank].start
        end = start + self.reservation[rank].period
        taken.count = 0
        for e in range(first, rank):
            rows = address(self.intervals[e])
            for i in range(0, rows.count, 2):
                begin = rows.data[i]
                stop = rows.data[i + 1]
                if stop <= start or begin >= end:
                    continue
                if not self.add_interval(taken, begin, stop):
                    return False
                k = taken.count - 2
                while k and taken.data[k - 2] > begin:
                    taken.data[k] = taken.data[k - 2]
                    taken.data[k + 1] = taken.data[k - 1]
                    k -= 2
                taken.data[k] = begin
                taken.data[k + 1] = stop
        return True

    def place(self, first: Int, rank: Int) -> Bool:
        """Place the next period of a reservation."""
        own = address(self.reservation[rank])
        start = own.start
        end = start + own.period
        for earlier in range(first, rank):
            while self.reservation[earlier].start < end:
                if not self.place(first, earlier):
                    return False
        if not self.collect(first, rank):
            return False
        self.free_time.count = 0
        for i in range(0, self.taken.count, 2):
            begin = self.taken.data[i]
            if begin > start and not self.add_interval(self.free_time, start, begin):
                return False
            start = self.taken.data[i + 1]
        if start < end and not self.add_interval(self.free_time, start, end):
            return False
        if not self.choose(rank):
            return False
        own.start = end
        own.placed += 1
        return True

    def most_urgent(self, core: Placement) -> Bool:
        """Earliest deadline first, up to the next release of a budget; equals by number."""
        first = -1
        following = NEVER
        for i in range(core.first, core.last):
            own = address(self.reservation[i])
            # What was promised to too many is late, and has its next budget when it has had this.
            if own.start <= core.time and not own.left:
                own.left = own.budget
                own.start += own.period
            if core.time < own.start < following:
                following = own.start
            if own.left and (
                first < 0 or self.is_due_before(own, address(self.reservation[first]))
            ):
                first = i
        if first < 0:
            core.time = following
            return True
        own = address(self.reservation[first])
        length = min(own.left, following - core.time)
        if not self.add_interval(address(self.intervals[first]), core.time, core.time + length):
            return False
        own.left -= length
        core.time += length
        return True

    def is_due_before(self, one: Reservation, other: Reservation) -> Bool:
        """Whether its period ends before that of another; of equals the first."""
        return one.start < other.start or (one.start == other.start and one.supply < other.supply)

    def forget(self, core: Placement) -> None:
        """Drop what was shown and is before all periods that have yet to be placed around it."""
        for i in range(core.first, core.last):
            own = address(self.reservation[i])
            rows = address(self.intervals[i])
            until = NEVER if i + 1 < core.last else own.start
            for later in range(i + 1, core.last):
                until = min(until, self.reservation[later].start)
            dropped = 0
            while dropped < own.shown and (not core.as_chosen or rows.data[dropped + 1] <= until):
                dropped += 2
            if dropped:
                own.shown -= dropped
                rows.count -= dropped
                for k in range(rows.count):
                    rows.data[k] = rows.data[k + dropped]

    def next_interval(self, supply: Int) -> Int:
        """When a reservation serves next; its end is kept."""
        core = address(self.placement[self.p.supply_core[supply]])
        rank = self.reservation_of[supply]
        own = address(self.reservation[rank])
        rows = address(self.intervals[rank])
        while True:
            while own.shown == rows.count:
                self.forget(core)
                fits = self.place(core.first, rank) if core.as_chosen else self.most_urgent(core)
                if not fits:
                    self.failed = True
                    return NEVER
            begin = rows.data[own.shown]
            end = rows.data[own.shown + 1]
            own.shown += 2
            if end > 0:
                self.supply_end[supply] = end
                return max(begin, 0)

    def placement_begins(self, core: Int, first: Int, last: Int) -> None:
        """The first periods of the reservations of a core, and whether they all fit as chosen."""
        placed = address(self.placement[core])
        placed.first = first
        placed.last = last
        placed.as_chosen = 1
        placed.time = NEVER
        for i in range(first, last):
            own = address(self.reservation[i])
            self.reservation_of[own.supply] = i
            own.budget = self.p.supply_budget[own.supply]
            own.period = self.p.supply_period[own.supply]
            own.start = modulo(self.c.supply_phase[own.supply], own.period) - own.period
            placed.time = min(placed.time, own.start)
            room = own.period
            for k in range(first, i):
                room -= self.most_service(address(self.reservation[k]), own)
            if room < own.budget:
                placed.as_chosen = 0
