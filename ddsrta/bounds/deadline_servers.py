"""Threads of SCHED_DEADLINE whose budgets are enough for each of their jobs (lemma
deadline-servers)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import chain
from math import ceil
from typing import NamedTuple

from ddsrta.models.reservations import is_enough, job_cost, reserved
from ddsrta.models.system import Reservation, System, Thread

_MOST_POINTS = 10_000  # that are looked at for one thread, each with all that share its core


class Server(NamedTuple):
    """So much work in each period; where `apart` is not 0, jobs of that work, so far apart."""

    work: int
    period: int
    apart: int

    @property
    def share(self) -> Fraction:
        """Of a core."""
        return Fraction(self.work, self.period)

    def due(self, length: int) -> int:
        """The most work that comes and is due in a window."""
        return max(0, (length - self.period) // self.apart + 1) * self.work

    def come(self, length: int) -> int:
        """The most work that comes in a window."""
        return -(-length // self.apart) * self.work


def waits(system: System, served: Collection[str]) -> dict[str, int]:
    """Of each such thread, how long what else has a reservation on its core may keep it waiting.

    >>> import ddsrta
    >>> text = "{core: m/c, reservation: {budget: 2ns, period: 8ns}, period: 8ns, wcet: 1ns}"
    >>> system = ddsrta.loads(f'''
    ... ddsrta: 1
    ... machines: {{m: {{cores: [c]}}}}
    ... threads: {{a: {text}, b: {text.replace("wcet: 1", "wcet: 2")}}}
    ... ''')
    >>> waits(system, ("a", "b"))
    {'a': 2, 'b': 1}
    """
    found: dict[str, int] = {}
    for promised in reserved(system).values():
        if not any(isinstance(thing, Thread) and thing.name in served for _, thing in promised):
            continue
        servers = [_server(system, *one) for one in promised]
        total = sum((one.share for one in servers), Fraction())
        for place, (server, (_, thing)) in enumerate(zip(servers, promised, strict=True)):
            if server.apart and isinstance(thing, Thread):
                others = [*servers[:place], *servers[place + 1 :]]
                found[thing.name] = _wait(server, others, total - server.share)
    return found


def _server(system: System, reservation: Reservation, thing: object) -> Server:
    if isinstance(thing, Thread) and is_enough(system, thing, reservation):
        assert thing.arrival is not None
        apart = thing.arrival.least_distance(2)
        return Server(job_cost(system, thing), reservation.period, apart)
    return Server(reservation.budget, reservation.period, 0)


def _wait(own: Server, others: Sequence[Server], share: Fraction) -> int:
    """The most work of others, of so much of the core, between the release of a job and its end."""
    fluid = sum((one.share for one in others if not one.apart), Fraction())
    jobs = [one for one in others if one.apart]

    def wait(since: int) -> int:
        """Where it is released so long after the core was last without work due by then."""
        due, before = since + own.period, since // own.apart * own.work
        if fluid:
            return before + sum(one.due(due) for one in jobs) + ceil(fluid * due) - since
        finish, work = 0, before + own.work
        while finish < work:
            finish = work
            work = before + own.work
            work += sum(min(one.due(due), one.come(finish)) for one in jobs)
        return finish - own.work - since

    longest = wait(0)
    # of what comes x after that instant no more than share * period - x * (1 - load) is left
    last = int((share * own.period + 1 - longest) / (1 - share - own.share))
    steps = [range(0, last + 1, own.apart)]
    for one in jobs:
        first = one.period - own.period
        steps.append(range(first if first >= 0 else first % one.apart, last + 1, one.apart))
    if sum(map(len, steps)) * (len(others) + 1) > _MOST_POINTS:
        return ceil(share * own.period)
    return max(longest, *map(wait, chain(*steps)))
