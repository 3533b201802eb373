"""A thousand federates: each connection is looked at a few times."""

from __future__ import annotations

from random import Random

import pytest

from ddsrta.lf.bounds.offsets.judge import judge
from ddsrta.lf.bounds.offsets.links import network
from ddsrta.lf.bounds.offsets.maxplus import Edge, solve
from ddsrta.lf.program.reader import loads
from tests.effort import calls, ends
from tests.lf.federations import text

COUNT, CONNECTIONS = 1000, 5000


def random_edges(kind: str) -> list[Edge]:
    random = Random(kind)
    pairs = [random.sample(range(COUNT), 2) for _ in range(CONNECTIONS)]
    if kind == "forward":
        return [Edge(min(pair), max(pair), random.randint(0, 10**6)) for pair in pairs]
    if kind == "one component":
        return [Edge(a, b, random.randint(-(10**7), 10**5)) for a, b in pairs]
    if kind == "circles":
        return [Edge(a, b, random.randint(-(10**5), 10**5)) for a, b in pairs]
    ring = [Edge(i, i - 1, 5) for i in range(1, COUNT)] + [Edge(0, COUNT - 1, -5 * COUNT)]
    return ring + [Edge(a, b, -(10**6)) for a, b in pairs[COUNT:]]


@pytest.mark.parametrize("kind", ["forward", "one component", "circles", "backward ring"])
def test_the_equations_of_a_thousand_federates(kind: str) -> None:
    """Each connection is looked at a few times."""
    edges = random_edges(kind)
    assert calls(lambda: solve(COUNT, edges)) < 20 * CONNECTIONS


def test_a_whole_federation_of_a_thousand() -> None:
    random = Random(1)
    pairs = {tuple(random.sample(range(COUNT), 2)) for _ in range(CONNECTIONS)}
    ways = [(f"f{a}", f"f{b}", "after: 100ms" if a > b else "send: 1us") for a, b in sorted(pairs)]
    wcets = {f"f{i}": f"{random.randint(1, 500)}us" for i in range(COUNT)}
    federation = loads(text(wcets, ways, delay="100us", sources=["f0", "f1"]))
    with ends():
        report = judge(federation)
    values = {name: offset.value for name, offset in report.offsets.offsets.items()}
    for link in network(federation).links:
        source, target = values[link.connection.source], values[link.connection.target]
        assert source is None or link.weight is None or (target or 0) >= source + link.weight
    assert None not in values.values()
