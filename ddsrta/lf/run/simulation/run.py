"""One run of a federation."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.shapes import Forever
from ddsrta.lf.program.tags import SAME
from ddsrta.lf.program.zero_delay import at_once
from ddsrta.lf.run.simulation.agenda import Agenda
from ddsrta.lf.run.simulation.centralized import Centralized
from ddsrta.lf.run.simulation.choices import Choices, clocks
from ddsrta.lf.run.simulation.decentralized import Decentralized
from ddsrta.lf.run.simulation.plan import plans
from ddsrta.lf.run.simulation.process import Process
from ddsrta.lf.run.simulation.rti import hops
from ddsrta.lf.run.simulation.seen import Seen
from ddsrta.lf.run.simulation.world import World

_USUAL_GAP = 20  # events of an action without min_spacing in a run, at most


def run_decentralized(
    federation: Federation,
    waits: Mapping[str, int | Forever],
    choices: Choices,
    horizon: int,
    seen: Seen,
) -> None:
    """Each federate waits so long; what is seen is added to `seen`.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> seen = Seen()
    >>> waits = {"source": 0, "sink": 1_649_999}
    >>> worst = Choices(1, "worst", {"front": -50_000, "rear": 100_000})
    >>> run_decentralized(two_federates(), waits, worst, 20_000_000, seen)
    >>> seen.tardy[0].count
    5
    """
    world = _world(federation, choices, horizon, seen, 0)
    made = plans(federation, choices, {})
    coordination = Decentralized(world, made, waits)
    _go(world, coordination.processes)


def run_centralized(federation: Federation, choices: Choices, horizon: int, seen: Seen) -> None:
    """The same with an RTI.

    >>> from ddsrta.lf.program.examples import centralized
    >>> seen = Seen()
    >>> worst = Choices(1, "worst", {"front": 0, "rear": 150_000})
    >>> run_centralized(centralized(), worst, 20_000_000, seen)
    >>> seen.start["sink"].most
    760000
    """
    both = (span for name in federation.federates for span in hops(federation, name))
    hop = max((span.worst for span in both if span), default=0)
    # Everyone has told its first tag, and has been asked about it, when the first tag comes.
    lead = 20 * (hop + (federation.rti.service or 0))
    drawn = clocks(federation, choices)
    lead += max(map(abs, drawn.values()), default=0)
    world = _world(federation, choices, horizon, seen, -lead, drawn)
    cycles, circles = _zero_delay(federation)
    made = plans(federation, choices, circles)
    coordination = Centralized(world, made, cycles, circles)
    _go(world, coordination.processes, coordination)


def _world(
    federation: Federation,
    choices: Choices,
    horizon: int,
    seen: Seen,
    begin: int,
    drawn: Mapping[str, int] | None = None,
) -> World:
    drawn = clocks(federation, choices) if drawn is None else drawn
    begin -= max(map(abs, drawn.values()), default=0)
    agenda = Agenda(begin)
    return World(federation, agenda, choices, seen, drawn, horizon, _ranks(federation))


def _go(
    world: World, processes: Mapping[str, Process], coordination: Centralized | None = None
) -> None:
    for process in processes.values():
        _events(world, process)
    if coordination is not None:
        for process in processes.values():
            if process.plan.federate.overhead:
                process.schedule((0, 0), None, {})
        coordination.begin()
    world.agenda.run()
    world.seen.waiting.update(
        name for name, process in processes.items() if process.heads or process.current is not None
    )


def _events(world: World, process: Process) -> None:
    """What happens at the start, by timers, and by the outer world."""
    federate = process.plan.federate
    if "startup" in process.plan.triggered:
        process.schedule((0, 0), "startup", {})
    for timer in federate.timers.values():
        process.schedule((timer.offset, 0), timer.name, {})
    for action in federate.actions.values():
        if action.kind == "physical":
            usual = max(1, world.horizon // _USUAL_GAP)
            chance = world.choices.chance
            first = chance.choice([0, 0, chance.randint(0, action.min_spacing or usual)])
            act = partial(_outer, world, process, action.name, usual)
            world.agenda.at(process.common(first), act)


def _outer(world: World, process: Process, action: str, usual: int) -> None:
    if process.local() > world.horizon:
        return
    process.act(action, {})
    gap = world.choices.gap(process.plan.federate.actions[action].min_spacing, usual)
    world.agenda.at(world.agenda.now + gap, partial(_outer, world, process, action, usual))


def _ranks(federation: Federation) -> dict[str, int]:
    """Senders before receivers."""
    order = [name for group in at_once(federation) for name in group]
    return {name: rank for rank, name in enumerate(order)}


def _zero_delay(federation: Federation) -> tuple[dict[str, int], dict[int, bool]]:
    """The federates in zero-delay cycles, by number of the cycle, and the connections in them."""
    groups = [group for group in at_once(federation) if len(group) > 1]
    cycles = {name: index for index, group in enumerate(groups) for name in group}
    circles = {
        index: True
        for index, connection in enumerate(federation.connections)
        if not connection.physical
        and connection.shift == SAME
        and cycles.get(connection.source, -1) == cycles.get(connection.target)
    }
    return cycles, circles
