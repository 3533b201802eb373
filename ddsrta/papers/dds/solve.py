"""The global fixed point of Algorithm 1: Theorems 11 and 12, and arrival curves of section 5.5."""

from __future__ import annotations

from fractions import Fraction

from ddsrta.models.graph import Hop, inputs
from ddsrta.models.system import EPSILON, Publication
from ddsrta.papers.dds.curves import EventCurve, all_of, any_of, source
from ddsrta.papers.dds.intra import intra
from ddsrta.papers.dds.model import Key, Model, Unit
from ddsrta.papers.dds.state import State, Work

LONGEST = 1 << 60  # a bound above this is unbounded
MOST_ROUNDS = 2000  # of the outer loop; what grows after that is unbounded
MOST_STEPS = 20_000  # of one inner search
MOST_ARRIVALS = 5_000  # of a thread at different times in its busy window


def solved(model: Model) -> State:
    """R of every unit: lines 12-23 of Algorithm 1, the units in the order of the data flow.

    Only what a change concerns is computed again, so that what has settled stays as it is.
    """
    state = State(model)
    solver = _Solver(state)
    concerned = dict.fromkeys(model.units_of, 1)  # when something last changed for a thread
    computed = dict.fromkeys(model.units, 0)
    now, rounds, changed = 1, 0, True
    while changed:
        changed = False
        rounds += 1
        for unit in model.order:
            if computed[unit.key] >= concerned[unit.host]:
                continue
            computed[unit.key] = now
            before = state.curves[unit.key], state.responses[unit.key]
            after = solver.step(unit)
            if rounds > MOST_ROUNDS and after != before:
                state.responses[unit.key] = None
            if after != before:
                now += 1
                concerned.update(dict.fromkeys(model.concerned_by(unit), now))
                changed = True
    return state


def arrival_curve(state: State, unit: Unit) -> EventCurve | None:
    """η of a job or a message from what feeds it; None where that is unbounded."""
    if len(unit.key) == 1:
        return _job_curve(state, unit.key[0])
    publisher, topic = unit.key[:2]
    publication = publication_of(state.model, publisher, topic)
    if len(unit.key) == 2:
        return state.after((publisher,), 0, publication.count)  # Eq. 24
    delay = network(state.model, unit.key)
    if publication.mode == "async":
        return state.after((publisher, topic), delay)  # Eq. 25
    return state.after((publisher,), delay)  # Eq. 25, sync: as printed, without w


def _job_curve(state: State, name: str) -> EventCurve | None:
    thread = state.model.system.threads[name]
    if thread.arrival is not None:
        return source(thread.arrival)
    curves = [_input_curve(state, hop) for hop in inputs(state.model.system, thread)]
    known = [curve for curve in curves if curve is not None]
    if len(known) < len(curves) or not known:
        return None
    return any_of(known) if thread.activation == "or" else all_of(known)


def _input_curve(state: State, hop: Hop) -> EventCurve | None:
    if hop.topic is not None:
        return state.after((hop.source, hop.topic, hop.target))  # Eqs. 26 and 27
    follows = state.model.system.threads[hop.target].follows
    return state.after((hop.source,), follows.delay if follows else 0)


def publication_of(model: Model, publisher: str, topic: str) -> Publication:
    """How a thread publishes on a topic."""
    return next(p for p in model.system.threads[publisher].publishes if p.topic == topic)


def network(model: Model, key: Key) -> int:
    """δnet of a message (publisher, topic, subscriber)."""
    threads, machine = model.system.threads, model.system.machine_of
    ends = machine(threads[key[0]].core), machine(threads[key[2]].core)
    return model.system.network(*ends).worst


class _Solver:
    """Finds the least windows that satisfy the inequalities, with what is known of the others."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.starts: dict[Key, int] = {}

    def step(self, unit: Unit) -> tuple[EventCurve | None, int | None]:
        """The curve and the response of a unit from what is known now; unbounded stays so."""
        state = self.state
        curve = arrival_curve(state, unit)
        state.curves[unit.key] = curve
        if state.responses[unit.key] is not None:
            state.responses[unit.key] = self._response(unit, curve)
        return curve, state.responses[unit.key]

    def _response(self, unit: Unit, curve: EventCurve | None) -> int | None:
        if curve is None or self._overloaded(unit):
            return None
        interference = self.state.from_above(unit)
        if interference is None:
            return None
        if unit.part:  # all that waits is counted at the callback that it is a part of
            return unit.cost
        if unit.host.kind == "executors":
            return self._callback(unit, curve, interference)
        if not unit.host.middleware:
            return self._job(unit, curve, interference)
        own_thread = intra(self.state, unit)
        return None if own_thread is None else self._message(unit, interference, own_thread)

    def _overloaded(self, unit: Unit) -> bool:
        """Whether more work arrives than is supplied, so that no search would end."""
        model, host = self.state.model, unit.host
        units = [other for above in model.above[host] for other in model.units_of[above]]
        if not host.middleware or (host.policy == "FIFO" and host.queue is None):
            units += model.units_of[host]
        supplied = Fraction(1)
        if host.reservation:
            supplied = Fraction(host.reservation.budget, host.reservation.period)
        return self.state.load(units) > supplied

    def _job(self, unit: Unit, curve: EventCurve, interference: Work) -> int | None:
        """The largest F(q) − δ⁻(q) in the busy window; of jobs that come at once, the last."""
        offset = worst = finish = 0
        for _ in range(MOST_ARRIVALS):
            own = curve.events(offset + EPSILON) * unit.cost
            found = self._least(unit, own, interference, max(1, finish))
            if found is None:
                return None
            finish = found
            worst = max(worst, finish - offset)
            offset = curve.next_step(offset)
            if finish <= offset:
                return worst
        return None

    def _callback(self, unit: Unit, curve: EventCurve, interference: Work) -> int | None:
        """Eq. 20: the other callbacks of the executor count up to the start, whatever is more
        urgent up to the end; the arrivals are those of Lemma 7 of ECRTS 2019 in a window L*."""
        terms = []
        for other in self.state.model.units_of[unit.host]:
            found = self.state.curves[other.key]
            if found is None:
                return None
            if other is not unit:
                terms.append((found, 0, other.cost))
        others = self.state.sum(terms)

        def busy(window: int) -> int:
            return curve.events(window) * unit.cost + others(window) + interference(window)

        longest, offset, worst = self._least(unit, 0, busy, 1), 0, 0
        for _ in range(MOST_ARRIVALS):
            if longest is None:
                return None
            if offset >= longest:
                return worst
            own = curve.events(offset + EPSILON) * unit.cost

            def work(window: int) -> int:
                return others(window - unit.cost + EPSILON) + interference(window)

            finish = self._least(unit, own, work, own)
            if finish is None:
                return None
            worst = max(worst, finish - offset)
            offset = curve.next_step(offset)
        return None

    def _message(self, unit: Unit, interference: Work, own_thread: Work) -> int | None:
        """S* of Theorem 11, then R* of Theorem 12; S* only grows from round to round."""
        begin = self.starts.get(unit.key, 1)
        start = self._least(
            unit, EPSILON, lambda window: own_thread(window) + interference(window), begin
        )
        if start is None:
            return None
        self.starts[unit.key] = start
        served = EPSILON + own_thread(start) + unit.cost
        return self._least(unit, served, interference, start)

    def _least(self, unit: Unit, fixed: int, work: Work, begin: int) -> int | None:
        """The least x ≥ begin with sbf(x) ≥ fixed + work(x), approached from below."""
        point = begin
        for _ in range(MOST_STEPS):
            needed = unit.host.time(fixed + work(point))
            if needed <= point:
                return point
            point = needed
            if point > LONGEST or self.state.work_left < 0:
                return None
        return None
