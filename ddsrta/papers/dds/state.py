"""What is known so far of every unit: its curve and its response-time bound R̄."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from ddsrta.models.arrivals import Arrival
from ddsrta.models.system import EPSILON
from ddsrta.papers.dds.curves import EventCurve, Join, count_of, pace_of
from ddsrta.papers.dds.model import Host, Key, Model, Unit

MOST_WORK = 1_000_000  # terms evaluated in all, and as many again for each …
WORK_A_UNIT = 20_000  # … unit: after that, nothing that still grows is followed

Work = Callable[[int], int]  # processor time demanded in a window
Terms = list[tuple[EventCurve, int, int]]  # curve, longer window, cost


class State:
    """R̄ from 0 upwards. None stands for unbounded, and absorbs."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.responses: dict[Key, int | None] = dict.fromkeys(model.units, 0)
        # What comes later in the first round has not arrived yet.
        self.curves: dict[Key, EventCurve | None] = dict.fromkeys(model.units, EventCurve(()))
        self.capped: set[Host] = set()  # more may be pending there than a queue holds
        self.work_left = MOST_WORK + WORK_A_UNIT * len(model.units)

    def after(self, key: Key, delay: int = 0, count: int = 1) -> EventCurve | None:
        """count · η(Δ + R̄ + delay − ε): what a unit sends on (Eqs. 24-27)."""
        curve, response = self.curves[key], self.responses[key]
        if curve is None or response is None:
            return None
        return curve.through(response + delay - EPSILON, count)

    def load(self, units: Iterable[Unit]) -> Fraction:
        """Processor time that units need in a nanosecond, in the long run."""
        curves = ((self.curves[unit.key], unit.cost) for unit in units)
        return sum((curve.rate() * cost for curve, cost in curves if curve), Fraction(0))

    def pending(self, units: Iterable[Unit]) -> Terms | None:
        """η(Δ + R̄ − ε) instances of each (Lemma 1); None where one of them is unbounded."""
        terms: Terms = []
        for unit in units:
            curve, response = self.curves[unit.key], self.responses[unit.key]
            if curve is None or response is None:
                return None
            terms.append((curve, response - EPSILON, unit.cost))
        return terms

    def sum(self, terms: Terms) -> Work:
        """The demand of all terms."""
        weight = sum(curve.weight for curve, _, _ in terms) + 1
        paced: list[tuple[int, int, int, int]] = []  # by far the most: asked without any call
        others: list[tuple[Callable[[Any, int], int], Arrival | Join, int, int, int]] = []
        for curve, longer, cost in terms:
            for term in curve.terms:
                if pace := pace_of(term.base):
                    least, more = min(longer, longer + term.shift), longer + term.shift + pace[1]
                    paced.append((least, more, pace[0], term.multiplicity * cost))
                else:
                    least, more = min(longer, longer + term.shift), longer + term.shift
                    count = count_of(term.base)
                    others.append((count, term.base, least, more, term.multiplicity * cost))

        def work(window: int) -> int:
            self.work_left -= weight
            found = 0
            for least, more, period, cost in paced:
                if window + least > 0:
                    found -= (-window - more) // period * cost
            for count, base, least, more, cost in others:
                if window + least > 0:
                    found += count(base, window + more) * cost
            return found

        return work

    def from_above(self, unit: Unit) -> Work | None:
        """I^thread + I^inter of more urgent threads: Lemma 2 (η·e) and Lemma 4 (as pending)."""
        terms: Terms = []
        for host in self.model.above[unit.host]:
            found = self.pending(self.model.units_of[host])
            if found is None:
                return None
            if not host.middleware:
                found = [(curve, 0, cost) for curve, _, cost in found]
            terms += found
        return self.sum(terms)
