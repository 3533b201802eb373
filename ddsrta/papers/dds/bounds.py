"""Published bounds by name: response times, data delivery latencies (Eqs. 1, 2), chains (21-23)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import field

from ddsrta.base.frozen import frozen
from ddsrta.models.graph import Hop
from ddsrta.models.system import Mode, System
from ddsrta.papers.dds.model import Host, Model, model
from ddsrta.papers.dds.solve import network, publication_of, solved


@frozen
class PublishedBounds:
    """Bounds in nanoseconds; None where unbounded."""

    system: System = field(repr=False, compare=False)
    threads: Mapping[str, int | None]
    samples: Mapping[tuple[str, str], int | None]
    listeners: Mapping[tuple[str, str, str], int | None]
    messages: Mapping[tuple[str, str, str], int | None]
    capped: Set[Host] = frozenset()  # where a queue is said to hold less than may be pending

    def chain_latency(self, hops: Sequence[Hop]) -> int | None:
        """Release of the first thread to completion of the last, Eqs. 21-23.

        None also where a thread on the way is released by time: no event passes it.
        """
        if not hops:
            raise ValueError("a chain has at least one hop")
        total = self.threads[hops[0].source]
        for hop in hops:
            if self.system.threads[hop.target].arrival is not None:
                return None
            latency, response = self._hop(hop), self.threads[hop.target]
            if total is None or latency is None or response is None:
                return None
            total += latency + response  # R of a linking thread counts once
        return total

    def _hop(self, hop: Hop) -> int | None:
        """What a subchain adds between the completions of its publisher and of its listener."""
        if hop.topic is None:
            follows = self.system.threads[hop.target].follows
            return follows.delay if follows else 0
        publisher = self.system.threads[hop.source]
        modes = {p.topic: p.mode for p in publisher.publishes}
        worst = self._worst(hop.source, modes, modes[hop.topic])
        if worst is None or modes[hop.topic] == "async":
            return worst
        response = self.threads[hop.source]  # part of Eq. 2: counted with the publisher already
        return None if response is None else worst - response

    def _worst(self, publisher: str, modes: Mapping[str, Mode], mode: Mode) -> int | None:
        """Eq. 21: the largest of all messages that the publisher sends in the subchain's mode."""
        worst = 0
        for (sender, topic, _), latency in self.messages.items():
            if sender == publisher and modes[topic] == mode:
                if latency is None:
                    return None
                worst = max(worst, latency)
        return worst


def published_bounds(system: System) -> PublishedBounds:
    """The bounds of the published analysis for a whole system.

    >>> from ddsrta.examples import two_threads
    >>> published_bounds(two_threads()).messages
    {('sensor', 'speed', 'control'): 1286002}
    """
    flat = model(system)
    state = solved(flat)
    found = state.responses
    threads = {name: found.get((name,)) for name in system.threads}
    samples = {(k[0], k[1]): bound for k, bound in found.items() if len(k) == 2}
    listeners = {(k[0], k[1], k[2]): bound for k, bound in found.items() if len(k) == 3}
    messages = {
        key: _delivery(flat, key, threads[key[0]], samples.get(key[:2]), received)
        for key, received in listeners.items()
    }
    return PublishedBounds(system, threads, samples, listeners, messages, state.capped)


def _delivery(
    flat: Model,
    key: tuple[str, str, str],
    publisher: int | None,
    sample: int | None,
    received: int | None,
) -> int | None:
    """Eq. 1 (async) or Eq. 2 (sync)."""
    mode = publication_of(flat, key[0], key[1]).mode
    sent = sample if mode == "async" else publisher
    return None if sent is None or received is None else sent + network(flat, key) + received
