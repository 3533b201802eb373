"""How work gets from sources to stages, and which stages a measure is about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ddsrta.simulation.finder import hops_of
from ddsrta_simulator import Measure, Program
from ddsrta_simulator.program import ASYNC, TIMED

_MOST_ROUNDS = 4  # that ways go round a circle


class Way(NamedTuple):
    """An event of a source reaches a stage between `best` and `latest` after its release."""

    stage: int
    source: int
    best: int
    latest: int


class Step(NamedTuple):
    """What a unit of a stage brings to another one, and how long that takes when nobody waits;
    how often it closes a circle, if it does."""

    stage: int
    best: int
    worst: int
    rounds: int = 0


def steps_from(program: Program) -> list[list[Step]]:
    """For each stage, the stages that its units bring work to."""
    p = program
    steps: list[list[Step]] = [[] for _ in p.stages]
    for number, thread in enumerate(p.publication_thread):
        readers = range(p.publication_stream[number], p.publication_stream[number + 1])
        earliest, best, worst = (
            p.publication_earliest[number],
            p.publication_best[number],
            p.publication_worst[number],
        )
        source, best, worst = thread, best + earliest, worst + p.thread_worst[thread]
        if p.publication_mode[number] == ASYNC and readers:
            source = p.publication_stage[number]
            steps[thread].append(Step(source, earliest, p.thread_worst[thread]))
            best, worst = p.publication_best[number], p.publication_worst[number] * len(readers)
        for stream in readers:
            message = p.stream_stage[stream]
            sender, least, most = source, best, worst
            for transfer in range(*p.stream_transfer[stream : stream + 2]):
                stage, frames = p.transfer_stage[transfer], slice(*p.transfer_frame[transfer:][:2])
                steps[sender].append(Step(stage, least, most))
                sender, most = stage, sum(p.frame_worst[frames])
                least = max(0, sum(p.frame_best[frames]) - p.transfer_tail[transfer])
            rounds = p.publication_rounds[number]
            far = Step(message, least + p.net_best[stream], most + p.net_worst[stream], rounds)
            steps[sender].append(far)
            target = p.hop_target[p.stream_hop[stream]]
            if p.thread_activation[target] != TIMED:
                steps[message].append(Step(target, p.read_best[stream], p.read_worst[stream]))
        direct = p.publication_direct[number : number + 2]
        local = p.publication_local[number : number + 2]
        for hop in (*p.direct_hop[slice(*direct)], *p.local_hop[slice(*local)]):
            if p.thread_activation[p.hop_target[hop]] != TIMED:
                earliest, rounds = p.publication_earliest[number], p.publication_rounds[number]
                far = Step(p.hop_target[hop], earliest, p.thread_worst[thread], rounds)
                steps[thread].append(far)
    for thread in range(len(p.thread_worst)):
        for link in range(p.thread_link[thread], p.thread_link[thread + 1]):
            target = p.hop_target[p.link_hop[link]]
            if p.thread_activation[target] != TIMED:
                best = p.thread_best[thread] + p.link_best[link]
                worst = p.thread_worst[thread] + p.link_worst[link]
                steps[thread].append(Step(target, best, worst))
    return steps


def ways_of(program: Program) -> list[list[Way]]:
    """For each stage its ways from sources, when nobody has to wait.

    >>> from ddsrta.examples import two_threads
    >>> from ddsrta.simulation.build import program_of
    >>> [way.source for way in ways_of(program_of(two_threads()))[0]]
    [0]
    """
    steps = steps_from(program)
    ways: list[dict[int, Way]] = [{} for _ in program.stages]
    for source, thread in enumerate(program.source_thread):
        _follow(steps, ways, Way(thread, source, 0, 0))
    return [list(found.values()) for found in ways]


def _follow(steps: list[list[Step]], ways: list[dict[int, Way]], first: Way) -> None:
    """All stages that the source feeds, a few rounds of each circle among them."""
    waiting = [(first, 0)]
    while waiting:
        way, gone = waiting.pop()
        known = ways[way.stage].get(way.source, way)
        wider = Way(*way[:2], min(way.best, known.best), max(way.latest, known.latest))
        if way.source in ways[way.stage] and wider == known:
            continue
        ways[way.stage][way.source] = wider
        for step in steps[way.stage]:
            if step.rounds == 0 or gone < min(step.rounds, _MOST_ROUNDS):
                best, latest = wider.best + step.best, wider.latest + step.worst
                waiting.append(
                    (Way(step.stage, way.source, best, latest), gone + (step.rounds > 0))
                )


def stages_of(program: Program, measure: Measure) -> list[int]:
    """The stages whose waits make a measure large.

    >>> from ddsrta.examples import two_threads
    >>> from ddsrta.simulation.build import program_of
    >>> stages_of(program_of(two_threads()), Measure("response", ("job", "control")))
    [1]
    """
    keys = set(_keys(program, measure))
    return [i for i, stage in enumerate(program.stages) if stage in keys]


def _keys(program: Program, measure: Measure) -> Iterator[tuple[str, ...]]:
    kind, of = measure
    if isinstance(of, str):  # all that a thread of the middleware serves
        servers = program.stage_server
        names = zip(program.stages, servers, strict=True)
        yield from (stage for stage, server in names if program.servers[server] == of)
    elif kind == "ddl":
        yield from (("job", of[0]), ("sample", *of[:2]), ("message", *of))
        yield from _transfers(program, of)
    elif of in program.stages:
        yield of
    elif of[0] == "direct" and kind == "pending":
        yield ("job", of[1])
    elif kind == "wait":
        yield ("job", of[1])
        yield ("job", f"{of[1]}/{of[2]}")
        yield from (s for s in program.stages if s[0] == "message" and s[2:] == (of[2], of[1]))
    elif of[0] == "reader" and kind == "pending":
        yield ("job", of[1])
        yield from (s for s in program.stages if s[0] == "message" and s[2:] == (of[2], of[1]))
    else:
        yield from _of_path(program, of)


def _of_path(program: Program, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Threads, and what of the middleware is between them."""
    yield ("job", path[0])
    for hop in hops_of(program, path):
        source, topic, target = program.hops[hop]
        if topic is not None:
            yield from (("sample", source, topic), ("message", source, topic, target))
            yield from _transfers(program, (source, topic, target))
        yield ("job", target)


def _transfers(program: Program, stream: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """A stream on links."""
    yield from (s for s in program.stages if s[0] == "transfer" and s[1:4] == stream)


def places(program: Program) -> list[int]:
    """The core of each stage."""
    return [program.supply_core[program.server_supply[s]] for s in program.stage_server]
