"""The solution of a system: bounds of every stage, and latencies from one stage to another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any, TypeAlias

from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.edges import Edge
from ddsrta.bounds.end_to_end_window.windows import EndToEndWindow, EndToEndWindows
from ddsrta.bounds.joined_work.groups import Group
from ddsrta.bounds.load import stage_rates, utilization
from ddsrta.bounds.stages import Key
from ddsrta.bounds.streams import best_arrival
from ddsrta.bounds.tandem_window import Tandem
from ddsrta.bounds.unbounded import CALLED_OFF, Because
from ddsrta.models.system import System
from ddsrta_kernel import UNBOUNDED, Outcome, Solver, TandemOutcome

if TYPE_CHECKING:
    from ddsrta.bounds.closed_window.windows import ClosedWindow, ClosedWindows
    from ddsrta.bounds.event_alone.alone import EventsAlone
    from ddsrta.bounds.fair_shares.windows import FairWindow
    from ddsrta.bounds.joint_outputs.windows import JointWindow
    from ddsrta.bounds.paths.told import Ways
    from ddsrta.bounds.pending_window.windows import PendingWindow
    from ddsrta.bounds.result import HopResult
    from ddsrta.bounds.synchronizers.bounds import Bounds
    from ddsrta_kernel.terms import Sums

FromArrival: TypeAlias = "PendingWindow | JointWindow | ClosedWindow | FairWindow"


class Solution:
    """A solved system. Times are None where unbounded; stages are given by key or by number.
    `added` is what the curves of synchronizers allow for, `lost` why some have none (lemma
    set-curves); `ceilings` are the stages that closed windows bound, `pendings` those that
    windows from their arrival do, `joint` the messages that those of listeners do, and `latest`
    those that are done no later than a path to them takes;
    `synchronizers`, what holds of the sets of each, by its thread, follows from that.

    >>> from ddsrta.examples import two_threads
    >>> from ddsrta.bounds.solve import solve
    >>> solve(two_threads()).response(("job", "sensor"))
    1000000
    """

    def __init__(
        self,
        compiled: Compiled,
        solver: Solver,
        added: Mapping[str, int] | None = None,
        lost: Mapping[str, Because] | None = None,
        ceilings: Mapping[int, ClosedWindow] | None = None,
        pendings: Mapping[int, PendingWindow] | None = None,
        joint: Mapping[int, JointWindow] | None = None,
        latest: Mapping[int, EndToEndWindow] | None = None,
    ) -> None:
        self.compiled = compiled
        self.solver = solver
        self.added = added or {}
        self.lost = lost or {}
        self.ceilings = dict(ceilings or {})
        self.pendings = pendings or {}
        self.joint = joint or {}
        self.latest = latest or {}
        self.fair: Mapping[int, FairWindow] = {}  # stages that have their share of a core
        self.sharing: Mapping[int, ClosedWindow] = {}  # that share locks (lemma sharing-window)
        self.synchronizers: Mapping[str, Bounds] = {}
        self.messages: dict[int, int | None] = {}  # by stages: how long they take in any order
        self.of_messages: dict[int, PendingWindow] = {}  # seen from their arrival
        self.given = compiled.system  # what was solved is without some limits of it
        self.idle_limits: frozenset[str] = frozenset()  # those (lemma idle-limit)
        self.is_hurried = False  # there is no time for windows of whole paths
        self.causes: dict[int, tuple[int | None, Because]] = {}  # as they are asked for
        self.loads: Any = None  # of servers and cores, once something has no bound
        self.roots: dict[int, int] = {}  # by stages, where on the way there all is without bound
        self.plans: Any = None  # what the kernel is asked of paths, once it is
        self.told: Ways | None = None  # what it told of some without that
        # as the kernel knows what it found of groups, for good
        self.group_numbers: dict[Group, int] = {}
        self.walks: dict[Any, Any] = {}  # by how they go on, as they are looked at
        self.dues: dict[tuple[int, int], int | None] = {}  # of bases, by the first stage of a path
        self.latest_paces: dict[int, Any] = {}  # of bases, as they are asked for
        self.earliest_paces: dict[int, Any] = {}
        self.ways: dict[tuple[int, int], list[tuple[int, list[int]]] | None] = {}  # to joins
        self.sources: dict[int, list[int] | None] = {}  # of stages, as numbers go back from there
        # ways to stages, by the first of them where that is no source
        self.back: dict[int | None, dict[int, list[tuple[int, ...]] | None]] = {}
        self.hops: dict[tuple[int, int | None], HopResult] = {}  # by stage and latency
        self.found: dict[Any, Outcome] = {}  # windows, by what was asked
        self.in_tandem: dict[Any, TandemOutcome] = {}

    @property
    def system(self) -> System:
        """What was solved."""
        return self.compiled.system

    def forget_walks(self) -> None:
        """As if no path had been looked at."""
        self.walks.clear()
        self.plans = None

    @property
    def ended(self) -> Because | None:
        """Why what has no bound may have one."""
        return CALLED_OFF.of() if self.solver.stopped else None

    def number(self, key: Key) -> int:
        """The number of a stage."""
        return self.compiled.stage_number[key]

    def response(self, stage: Key | int) -> int | None:
        """From the arrival at the stage to its completion."""
        return bounded(self.solver.response[self._unit(stage)])

    def taken(self, stage: Key | int) -> int | None:
        """From the arrival of a message to when what it brings is done: the response, but where
        others may be taken in its turn (lemma turns-in-order)."""
        if not self.compiled.problem.excess:
            return self.response(stage)
        number = stage if isinstance(stage, int) else self.number(stage)
        is_own = self.compiled.stages[number].tells_apart
        return self.messages[number] if is_own else self.response(number)

    def latency(self, stage: Key | int) -> int | None:
        """From the event at the base of the stage's stream to the stage's completion."""
        return bounded(self.solver.latency[self._unit(stage)])

    def paced(self, stage: Key | int) -> int | None:
        """The same from when that event would come at the pace of the base, if it has one (lemma
        bursts-once)."""
        return self._paced[stage if isinstance(stage, int) else self.number(stage)]

    def lateness(self, stage: int) -> int | None:
        """How much later than it comes an event of the stage's base may be due; None where that has
        no pace (definition pace)."""
        return self._late[self.compiled.streams.of[stage].node]

    @cached_property
    def _late(self) -> list[int | None]:
        """The same by node."""
        paces, late = self.compiled.problem.node_pace, self.solver.late
        return [bounded(late(node)) if pace > 0 else None for node, pace in enumerate(paces)]

    @cached_property
    def _paced(self) -> list[int | None]:
        late, done, latency = self._late, self.solver.done, self.solver.latency
        return [
            bounded(latency[unit] if late[stream.node] is None else done(unit))
            for unit, stream in zip(self.compiled.unit_of, self.compiled.streams.of, strict=True)
        ]

    def from_arrival(self, stage: int) -> Iterator[FromArrival]:
        """The windows of a stage that bound it from the arrival of a unit, or of a message, on."""
        if (closed := self.ceilings.get(stage)) is not None and closed.apart:
            yield closed
        by_turn = self.compiled.stages[stage].by_turn
        pendings = self.of_messages if by_turn else self.pendings
        if (pending := pendings.get(stage)) is not None:
            yield pending
        if (joint := self.joint.get(stage)) is not None:
            yield joint
        if (fair := self.fair.get(stage)) is not None:
            yield fair
        if (sharing := self.sharing.get(stage)) is not None:
            yield sharing

    def window(self, stage: Key | int) -> int | None:
        """The length of the busy window that was searched."""
        return bounded(self.solver.window[self._unit(stage)])

    def pending(self, stage: Key | int) -> int | None:
        """The most units of the stage that can be waiting or served at once (lemma
        backlog-bound)."""
        response = self.response(stage)
        return None if response is None else self.count(stage, response)

    def count(self, stage: Key | int, window: int) -> int:
        """The most units that arrive in a window."""
        return self.solver.count(self._unit(stage), window)

    def evaluate(self, stage: int, origin: int | None = None, before: int = 0) -> Outcome:
        """The stage's window; with an origin, its latency counts from that stage's arrival, where
        `before` bounds the time from there to the arrival here."""
        found = self.found.get(key := (stage, origin, before))
        if found is None:
            unit_of = self.compiled.unit_of
            since = () if origin is None else (unit_of[origin], before)
            found = self.found[key] = self.solver.evaluate(unit_of[stage], *since)
        return found

    def has_groups(self, stage: int) -> bool:
        """Whether windows that begin with earlier stages may bound the stage, too."""
        unit, start = self._unit(stage), self.compiled.problem.group_start
        return bool(start) and start[unit] < start[unit + 1]

    def before(self, stage: int) -> int:
        """The latest arrival at a stage, counted from the event at its stream's base."""
        return self.solver.before(self._unit(stage))

    def evaluate_group(
        self, group: Group, start: int | None, origin: int | None = None, before: int = 0
    ) -> Outcome:
        """The window of a group. Its latency counts from the arrival of the origin, `before` is
        from there to that of the head; its response from the arrival at `start`, behind the head.
        """
        origin = group.head if origin is None else origin
        found = self.found.get(key := (group, start, origin, before))
        if found is None:
            asked = self.kernel_group(group, start), self.compiled.unit_of[origin], before
            found = self.found[key] = self.solver.evaluate_group(*asked)
        return found

    def kernel_group(self, group: Group, start: int | None = None) -> tuple[int, ...]:
        """A group as the kernel has it."""
        best = self.compiled.streams.of
        least = 0 if start is None else best[start].best - best[group.head].best
        head, last = self.compiled.unit_of[group.head], self.compiled.unit_of[group.last]
        works = (group.first, group.each, group.later)
        return (group.kind, head, group.level, *works, least, last)

    def evaluate_tandem(
        self, tandem: Tandem, origin: int, before: tuple[int, int]
    ) -> TandemOutcome:
        """The windows of two threads in tandem. Latencies count from the arrival of the origin;
        `before` is from there to the arrival at the first stage and at the last."""
        found = self.in_tandem.get(key := (tandem.last, origin, before))
        if found is None:
            unit_of = self.compiled.unit_of
            way = unit_of[tandem.first], unit_of[tandem.last], tandem.worst, tandem.link
            asked = tandem.rates, tandem.feeds, unit_of[origin], before
            found = self.in_tandem[key] = self.solver.evaluate_tandem(way, *asked)
        return found

    def arrival_window(self, edge: Edge) -> tuple[int, int | None]:
        """When a unit arrives behind an edge at the earliest and latest, from its base's event."""
        latency = self.latency(edge.source)
        latest = None if latency is None else latency + edge.worst
        return best_arrival(self.compiled.streams, edge), latest

    def _unit(self, stage: Key | int) -> int:
        compiled = self.compiled
        number = stage if isinstance(stage, int) else compiled.stage_number[stage]
        return compiled.unit_of[number]

    @cached_property
    def sums(self) -> Sums:
        """What bounds are sums of."""
        from ddsrta_kernel.terms import Sums

        return Sums(self.solver)

    @cached_property
    def end_to_end_windows(self) -> EndToEndWindows:
        """Windows of whole paths (lemma end-to-end-window)."""
        return EndToEndWindows(self.compiled, self.solver)

    def least_closed(self, way: Sequence[int]) -> int:
        """What a closed window takes at least that ends with a path: once all that is more urgent
        than its stages."""
        unit_of, placement = self.compiled.unit_of, self.compiled.placement
        supply_of, last = placement.supply_of, dict[int, int]()
        for stage in way:
            unit = unit_of[stage]
            supply = supply_of[unit]
            if last.get(supply, -1) < unit:
                last[supply] = unit
        if placement.shadow_of or placement.mirror_of:
            return 0
        return sum([self.once(unit) for unit in last.values()])

    def once(self, unit: int) -> int:
        """What all of its supply takes once that is as urgent as a unit."""
        placement = self.compiled.placement
        first = placement.supplies[placement.supply_of[unit]].first
        return self._costs[unit + 1] - self._costs[first]

    @cached_property
    def _costs(self) -> list[int]:
        """Of all units before each."""
        return list(accumulate(self.compiled.problem.cost, initial=0))

    @cached_property
    def junctions(self) -> dict[int, int]:
        """The stage with which the stream of each junction begins."""
        return self.compiled.streams.junctions()

    @cached_property
    def closed_windows(self) -> ClosedWindows:
        """Windows of closed sets of stages (lemma closed-window)."""
        from ddsrta.bounds.closed_window.windows import ClosedWindows

        return ClosedWindows(self.compiled, self.solver)

    @cached_property
    def events_alone(self) -> EventsAlone:
        """Windows of events that are done before the next (lemma event-alone)."""
        from ddsrta.bounds.event_alone.alone import EventsAlone

        return EventsAlone(self.compiled, self.solver)

    @property
    def ran_short(self) -> bool:
        """Whether there was more to look at than is allowed for, of all paths together: then it
        counts in which order they are asked for."""
        known = vars(self)
        closed, alone = known.get("closed_windows"), known.get("events_alone")
        left = [closed.closures.left] if closed else []
        left += [alone.orders.closures.left] if alone else []
        return min(left, default=0) < 0

    @cached_property
    def utilization(self) -> dict[str, float]:
        """Long-run load of each core, as a fraction of what it supplies."""
        return utilization(self.compiled)

    @cached_property
    def rates(self) -> list[float]:
        """Long-run units of each stage in a nanosecond."""
        return stage_rates(self.compiled)


def bounded(time: int) -> int | None:
    """None for what the kernel calls unbounded."""
    return None if time >= UNBOUNDED else time
