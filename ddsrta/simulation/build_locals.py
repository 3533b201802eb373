"""Readers of a process whose work is done by who sends (definition local-readers)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ddsrta.models.graph import Hop
from ddsrta.models.system import Publication, System, Thread
from ddsrta_simulator import Program


def add_locals(
    program: Program,
    system: System,
    live: Iterable[tuple[Thread, Publication]],
    hop_number: Mapping[Hop, int],
    decision: Callable[[tuple[Any, ...], bool], int],
) -> None:
    """For each publication its readers, what their work costs, and what decides their order."""
    p = program
    for thread, publication in live:
        topic = publication.topic
        readers = system.local_readers(thread, topic)
        p.publication_local.append(len(p.local_hop))
        p.publication_turns.append(decision(("locals", thread.name, topic), len(readers) > 1))
        for reader in readers:
            assert reader.subscribes
            hop = Hop(thread.name, topic, reader.name)
            cost = system.listening_cost(reader.subscribes, topic)
            p.local_hop.append(hop_number[hop])
            p.local_best.append(cost.best)
            p.local_worst.append(cost.worst)
            p.local_decision.append(decision(("local", *hop), cost.best < cost.worst))
    p.publication_local.append(len(p.local_hop))
