"""Why DDL bounds are above what was found: at which stage the rest is, and what such systems have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median_low

from ddsrta.bounds.paths.steps import steps_of
from ddsrta.bounds.paths.walk import along
from ddsrta.bounds.solution import Solution
from ddsrta.models.arrivals import Burst, Curve, Periodic, Sporadic
from ddsrta.models.graph import inputs
from ddsrta.models.system import EPSILON, System, Thread
from ddsrta.simulation.attack import Found
from ddsrta.simulation.attack.hint import Rivals
from ddsrta.simulation.finder import find
from ddsrta.simulation.instance import buffers_of
from ddsrta_simulator import Program
from ddsrta_simulator.program import RECEIVED, SENT, TRACE
from tests.soundness.bounds import policy_of
from tests.soundness.summary import table
from tests.soundness.tally import bucket_of, quantile

LOOSE = 2  # bound / found above which a bound is asked why
PARTS = ("flow controller", "publisher", "network", "listener")


@dataclass(frozen=True)
class Delivery:
    """The bound of one message beside its worst run. `excess` tells where bound - found is, and is
    told of loose ones only; `policy`: sync, or that of the flow controller."""

    seed: int
    message: tuple[str, str, str]
    policy: str
    bound: int
    found: int
    features: frozenset[str]
    excess: dict[str, int] | None

    @property
    def ratio(self) -> float:
        """1 is exact."""
        return self.bound / self.found

    def __str__(self) -> str:
        excess = ", ".join(f"{part} {time:+}" for part, time in (self.excess or {}).items())
        return (
            f"seed {self.seed}: {' → '.join(self.message)} ({self.policy}): bound {self.bound}, "
            f"found {self.found}, × {self.ratio:.2f}; {excess}; {', '.join(sorted(self.features))}"
        )


def delivery(seed: int, solution: Solution, rivals: Rivals, bound: int, found: Found) -> Delivery:
    """One message, explained if its bound is loose."""
    system, message = solution.system, found.measure.of
    is_async = ("sample", *message[:2]) in solution.compiled.stage_number
    policy = policy_of(system, *message[:2]) if is_async else "sync"
    features = frozenset(features_of(system, rivals.program, rivals, found.number))
    excess = excess_of(solution, found) if bound > LOOSE * found.worst else None
    return Delivery(seed, message, policy, bound, found.worst, features, excess)


def excess_of(solution: Solution, found: Found) -> dict[str, int]:
    """For each stage what its share of the bound is above what it took in the run; adds up to
    bound - found."""
    publisher, topic, _ = message = found.measure.of
    sample = ("sample", publisher, topic)
    is_async = sample in solution.compiled.stage_number
    path = [sample if is_async else ("job", publisher), ("message", *message)]
    steps = steps_of(along(solution, path))
    edge = steps[1].edge
    sent = steps[0].total + edge.worst - edge.link
    promised = (sent, edge.link, steps[1].total - sent - edge.link)
    seen = spent(found)
    names = ("flow controller" if is_async else "publisher", "network", "listener")
    return {name: most - took for name, most, took in zip(names, promised, seen, strict=True)}


def spent(found: Found) -> tuple[int, int, int]:
    """What the worst message spent until it was sent, on the way, and at the listener."""
    trail = find(
        found.program, buffers_of(found.replay(), found.horizon), found.number, found.worst
    )
    stream = found.program.streams.index(found.measure.of)
    rows = found.replay().take_trace()
    times = {
        rows[at + 1]: rows[at]
        for at in range(0, len(rows), TRACE)
        if rows[at + 1] in (SENT, RECEIVED)
        and (rows[at + 2], rows[at + 3]) == (stream, trail.units[-1][1])
    }
    sent, received = times[SENT], times[RECEIVED]
    return sent - trail.begin, received - sent, trail.end - received


def features_of(system: System, program: Program, rivals: Rivals, measure: int) -> Iterator[str]:
    """What may keep this bound from being reached: of the message, of the cores that it passes, and
    of the sources whose work comes there."""
    publisher, topic, subscriber = program.measures[measure].of
    thread = system.threads[publisher]
    ways = rivals.of(measure)
    sources = [system.threads[program.sources[source]] for source in {way.source for way in ways}]
    if any(isinstance(source.arrival, Burst | Curve) for source in sources):
        yield "bursts or curves"
    if any(_jitter_above_the_period(source) for source in sources):
        yield "jitter above the period"
    (publication,) = (p for p in thread.publishes if p.topic == topic)
    listener = system.listeners[system.threads[subscriber].subscribes.listener]
    sender = thread
    if publication.mode == "async":
        sender = system.flow_controllers[publication.flow_controller]
    if any(_is_reserved(system, place.core) for place in (sender, listener)):
        yield "a reservation on its cores"
    if thread.arrival is None:
        yield "several hops: its publisher is released by others"
    if any(t.arrival and inputs(system, t) for t in (thread, system.threads[subscriber])):
        yield "a register at an end"
    cost = system.sending_cost(publication)
    if cost.best <= EPSILON < cost.worst:
        yield "a sender without a best case"
    if sender.core != listener.core:
        yield "a listener on another core than the sender"


def _jitter_above_the_period(thread: Thread) -> bool:
    arrival = thread.arrival
    if isinstance(arrival, Periodic):
        return arrival.jitter > arrival.period
    return isinstance(arrival, Sporadic) and arrival.jitter > arrival.distance


def _is_reserved(system: System, path: str) -> bool:
    core = system.cores[path]
    kinds = (system.threads, system.flow_controllers, system.listeners)
    placed = (thing for things in kinds for thing in things.values() if thing.core == path)
    return bool(core.reservation or core.partitions or any(thing.reservation for thing in placed))


def why(deliveries: list[Delivery]) -> str:
    """Two tables, in Markdown: stages and features of what is loose."""
    loose = [d for d in deliveries if d.excess is not None]
    said = (
        f"Why: {len(loose):,} of {len(deliveries):,} DDL bounds are more than {LOOSE} × the worst "
        "run found. Where the rest is, when that run is taken from the bound stage by stage (the "
        "mean over these bounds; a stage is below 0 where the run spent more in it than the bound "
        "has for it, and less elsewhere):"
    )
    if not loose:
        return f"Why: none of {len(deliveries):,} DDL bounds is {LOOSE} × the worst run found."
    return "\n\n".join([said, _stages(loose), "What these messages have:", _features(deliveries)])


def _stages(loose: list[Delivery]) -> str:
    rows = []
    for part in PARTS:
        of_part = [d for d in loose if part in d.excess]
        if of_part:
            share = sum(d.excess[part] / (d.bound - d.found) for d in of_part) / len(of_part)
            most = sum(d.excess[part] == max(d.excess.values()) for d in of_part)
            rows.append([part, f"{len(of_part):,}", f"{share:.0%}", f"{most / len(of_part):.0%}"])
    return table(["stage", "loose bounds", "of the excess", "the largest part in"], rows)


def _features(deliveries: list[Delivery]) -> str:
    rows = [_feature("all", deliveries, lambda d: True)]
    rows.append(["any, but one of each system: its median", *_figures(_medians(deliveries)), ""])
    for name in sorted({feature for d in deliveries for feature in d.features}):
        rows.append(_feature(name, deliveries, lambda d, name=name: name in d.features))
    rows.append(_feature("none of these", deliveries, lambda d: not d.features))
    head = ["DDL bounds of messages with", "bounds", "median / p90", f"above {LOOSE}",
            f"above {LOOSE} without"]  # fmt: skip
    return table(head, [row for row in rows if row[1] != "0"])


def _medians(deliveries: list[Delivery]) -> list[float]:
    """The middle one of all ratios of each system: some have many more messages than most."""
    of: dict[int, list[float]] = {}
    for each in deliveries:
        of.setdefault(each.seed, []).append(each.ratio)
    return [median_low(ratios) for ratios in of.values()]


def _feature(name: str, deliveries: list[Delivery], has: Callable[[Delivery], bool]) -> list[str]:
    rest = _loose_part([d.ratio for d in deliveries if not has(d)])
    return [name, *_figures([d.ratio for d in deliveries if has(d)]), rest]


def _figures(ratios: list[float]) -> list[str]:
    counts = {str(bucket): count for bucket, count in Counter(map(bucket_of, ratios)).items()}
    middle = f"{quantile(counts, 0.5):.2f} / {quantile(counts, 0.9):.2f}"
    return [f"{len(ratios):,}", middle, _loose_part(ratios)]


def _loose_part(ratios: list[float]) -> str:
    return f"{sum(ratio > LOOSE for ratio in ratios) / len(ratios):.0%}" if ratios else ""
