"""Why less of a stage counts than jobs before it would bring, in words (lemmas thinned-stream,
alternatives, least-separation, bounded-rounds, slowest-input and set-counts)."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.base.units import format_duration
from ddsrta.bounds.edges import Edge
from ddsrta.bounds.load import Waits, node_rates
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.stages import Stage
from ddsrta.models.messages import Publication
from ddsrta.models.system import Thread
from ddsrta_kernel import UNBOUNDED


def counted(solution: Solution, stage: int, waits: Waits = "found") -> str:
    """Behind the count of a stage: which publication, at the last junction before it, is left out
    by some jobs, or comes apart, or round again, or is the slowest of all (of waits that count), or
    that it makes sets; empty if none is."""
    node = solution.compiled.streams.of[stage].node
    first = solution.junctions.get(node)
    if first is None:
        return ""
    notes = _notes(solution, solution.compiled.stages[first])
    return ", ".join([*notes, *_slowest(solution, node, first, waits)])


def own_work(solution: Solution, stage: int) -> str:
    """Behind the own work of a job: whose readers' work is in it, and of which alternatives only
    the dearest."""
    key = solution.compiled.stages[stage].key
    thread = solution.system.threads[key[1]] if key[0] in ("job", "sample") else None
    if thread is None:
        return ""
    if key[0] == "sample":
        return _read(solution, thread, [key[2]])
    sent = [one.topic for one in thread.publishes if one.mode == "sync"]
    return "; ".join(filter(None, [_read(solution, thread, sent), _alternatives(solution, thread)]))


def _read(solution: Solution, thread: Thread, sent: list[str]) -> str:
    """Whose work is done by who sends to readers of its process (definition local-readers)."""
    names = [
        f"'{reader.name}'"
        for topic in dict.fromkeys(sent)
        for reader in solution.system.local_readers(thread, topic)
    ]
    first, *others = dict.fromkeys(names) or [""]
    more = f" and {len(others)} more" if others else ""
    return f"with the reception of {first}{more}, in its process" if first else ""


def _alternatives(solution: Solution, thread: Thread) -> str:
    counts: dict[str, list[str]] = {}
    for one in thread.publishes:
        if one.one_of is not None and solution.system.readers(one.topic) and one.mode == "sync":
            counts.setdefault(one.one_of, []).append(one.topic)
    several = [f"'{name}'" for name, topics in counts.items() if len(topics) > 1]
    return f"of alternatives {', '.join(several)} the dearest" if several else ""


def _notes(solution: Solution, first: Stage) -> Iterator[str]:
    for edge in first.inputs:
        if edge.part is None or edge.again:
            continue
        name, sent = _sent(solution, first, edge)
        if sent.jobs is not None and sent.jobs.most < sent.jobs.of:
            most, of = sent.jobs
            yield f"sent by {most} of {of} jobs of {name}"
        if sent.min_separation is not None:
            yield f"{format_duration(sent.min_separation)} apart from {name}"
    if first.again is not None:
        ends = next(one for one in solution.system.closed if one.first == first.key[1])
        yield f"with {ends.rounds} round{'s' if ends.rounds > 1 else ''} of each"
    if first.makes_sets:
        yield f"no more sets of {first.key[1]} than its messages make"


def _slowest(solution: Solution, node: int, first: int, waits: Waits) -> Iterator[str]:
    """The source that an AND job keeps pace with, where others are faster."""
    slowest, streams = solution.compiled.slowest.get(node), solution.compiled.streams
    is_found = solution.compiled.problem.node_wait[node] < UNBOUNDED
    if slowest is None or (waits == "found" and not is_found):
        return
    rates = node_rates(solution.compiled, waits)
    if rates[node] < max(
        rates[entry.node] * entry.multiplicity for entry in streams.nodes[node].entries
    ):
        source = next(n for n, one in enumerate(streams.of) if one.node == slowest.source)
        name = solution.compiled.stages[source].key[1]
        job = solution.compiled.stages[first].key[1]
        yield f"{job} waits for {name} each time"


def _sent(solution: Solution, first: Stage, edge: Edge) -> tuple[str, Publication]:
    """Who sends what comes by an edge out of a job, and what it says of it."""
    name = solution.compiled.stages[edge.source].key[1]
    topic = edge.within or first.key[2]
    return name, next(p for p in solution.system.threads[name].publishes if p.topic == topic)
