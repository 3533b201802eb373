"""The Autoware reference system as a graph, and the system.yaml that it makes, whole or in part.

`python -m casestudies.ars.graph` prints F.yaml. README.md has the source of every number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

SENSORS = {
    0: "FrontLidarDriver",
    1: "RearLidarDriver",
    2: "PointCloudMap",
    3: "Visualizer",
    4: "Lanelet2Map",
}
TRANSFORMS = {
    5: ("PointsTransformerFront", (0,)),
    6: ("PointsTransformerRear", (1,)),
    7: ("RayGroundFilter", (9,)),
    8: ("EuclideanClusterDetector", (7,)),
    10: ("ObjectCollisionEstimator", (8,)),
    11: ("VoxelGridDownsampler", (9,)),
    14: ("PointCloudMapLoader", (2,)),
    16: ("ParkingPlanner", (15,)),
    17: ("LanePlanner", (15,)),
}
FUSIONS = {
    9: ("PointCloudFusion", (5, 6)),
    12: ("NDTLocalizer", (11, 14)),
    13: ("Lanelet2GlobalPlanner", (3, 12)),
    15: ("Lanelet2MapLoader", (4, 13)),
}
REACTOR = {18: ("BehaviorPlanner", (10, 12, 13, 15, 16, 17))}
INPUTS = {number: of for number, (_, of) in sorted({**TRANSFORMS, **FUSIONS, **REACTOR}.items())}
NAMES = {**SENSORS, **{n: name for n, (name, _) in {**TRANSFORMS, **FUSIONS, **REACTOR}.items()}}
CHAINS = {
    "g0": (0, 5, 9, 11, 12, 13, 15, 16, 18),
    "g1": (1, 6, 9, 11, 12, 13, 15, 16, 18),
    "g2": (2, 14, 12, 13, 15, 17, 18),
    "g3": (3, 13, 15, 17, 18),
    "g4": (4, 15, 17, 18),
}
SENSOR_WCET, WCET = "0.1ms", "0.229ms"

# Table 5: what is left out of the whole, each with what those before leave out.
REDUCED = {24: (), 21: (4,), 15: (1, 6), 10: (2, 14), 6: (3,), 5: (16,)}

_HEAD = """\
# The base of the four scenarios: a FIFO flow controller. Made by graph.py; the others: variants.py.
# The sources of the numbers and what was assumed: README.md of this folder.
ddsrta: 1
name: Autoware reference system, F
machines:
  pc: {cores: [c0, c1, c2, c3]}
delays:
  flow_controller: {3kB: 64us}
  listener: {3kB: 261us}
  publisher: {3kB: 172us}
"""


def topic(number: int) -> str:
    """The topic that a node publishes.

    >>> topic(12)
    'ndt_localizer'
    """
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", NAMES[number]).lower()


def callback(number: int, source: int | None = None) -> str:
    """The callback of a node: the reactor has one for each topic.

    >>> callback(18, 17)
    'BehaviorPlanner.lane_planner'
    """
    return f"{NAMES[number]}.{topic(source)}" if number in REACTOR and source else NAMES[number]


def without(chains: int) -> frozenset[int]:
    """The nodes that a configuration of Table 5 leaves out.

    >>> sorted(without(15))
    [1, 4, 6]
    """
    return frozenset(n for count, gone in REDUCED.items() if count >= chains for n in gone)


def entities(gone: frozenset[int] = frozenset()) -> int:
    """Callbacks, listeners, two executors and a flow controller, as the paper counts them.

    >>> [entities(without(chains)) for chains in REDUCED]
    [36, 35, 32, 29, 28, 26]
    """
    return sum(number not in gone for number in (*NAMES, *INPUTS)) + 3


def text(gone: frozenset[int] = frozenset(), every_path: bool = False) -> str:
    """The system without some nodes, with the chains of Table 4 or every path."""
    sections = (_topics, _middleware, _callbacks, _every_chain if every_path else _chains)
    return _HEAD + "".join(f"{line}\n" for section in sections for line in section(gone))


def _topics(gone: frozenset[int]) -> Iterator[str]:
    yield "topics:"
    for number in sorted(NAMES.keys() - REACTOR.keys() - gone):
        yield f"  {topic(number)}: {{size: 3kB, priority: {number - 10}}}"


def _middleware(gone: frozenset[int]) -> Iterator[str]:
    yield "flow_controllers:"
    yield "  F: {core: pc/c3, priority: 90, policy: FIFO}"
    yield "listeners:"
    for number in INPUTS:
        if number not in gone:
            yield f"  L{number}: {{core: pc/c2, priority: {90 - number}}}"
    yield "executors:"
    for executor in ("ex0", "ex1"):
        place = f"core: pc/{executor.replace('ex', 'c')}, priority: 60"
        yield f"  {executor}: {{{place}, kind: single_threaded, release: iron}}"


def _callbacks(gone: frozenset[int]) -> Iterator[str]:
    yield "callbacks:"
    for number in sorted(NAMES.keys() - gone):
        sources = [source for source in INPUTS.get(number, ()) if source not in gone]
        executor = "ex0" if number in SENSORS or number in TRANSFORMS else "ex1"
        cost = SENSOR_WCET if number in SENSORS else WCET
        if number in REACTOR:
            for source in sources:
                yield f"  {callback(number, source)}:"
                reads = _reads(number, [source])
                yield f"    {{executor: {executor}, wcet: {cost}, subscribes: {reads}}}"
            continue
        yield f"  {callback(number)}:  # tau{number}"
        yield f"    executor: {executor}"
        yield f"    wcet: {cost}"
        yield f"    subscribes: {_reads(number, sources)}" if sources else "    timer: 100ms"
        yield f"    publishes: [{{topic: {topic(number)}, mode: async, flow_controller: F}}]"


def _reads(number: int, sources: list[int]) -> str:
    topics = ", ".join(map(topic, sources))
    both = ", activation: and" if len(sources) > 1 else ""
    return f"{{topics: [{topics}], listener: L{number}{both}}}"


def path(nodes: tuple[int, ...]) -> list[str]:
    """Callbacks and topics along nodes.

    >>> path((4, 15))
    ['Lanelet2Map', 'lanelet2_map', 'Lanelet2MapLoader']
    """
    names = [callback(nodes[0])]
    for source, target in pairwise(nodes):
        names += [topic(source), callback(target, source)]
    return names


def _chains(gone: frozenset[int]) -> Iterator[str]:
    yield "chains:"
    for name, nodes in CHAINS.items():
        if not gone.intersection(nodes):
            yield f"  {name}:"
            yield f"    path: [{', '.join(path(nodes))}]"


def paths(gone: frozenset[int] = frozenset()) -> list[tuple[int, ...]]:
    """Every path from a sensor to the reactor.

    >>> [len(paths(without(chains))) for chains in REDUCED]
    [24, 21, 15, 10, 6, 5]
    """
    found: list[tuple[int, ...]] = []
    growing: list[tuple[int, ...]] = [(sensor,) for sensor in SENSORS if sensor not in gone]
    while growing:
        nodes = growing.pop(0)
        if nodes[-1] in REACTOR:
            found.append(nodes)
            continue
        growing += [(*nodes, n) for n, of in INPUTS.items() if nodes[-1] in of and n not in gone]
    return found


def _every_chain(gone: frozenset[int]) -> Iterator[str]:
    yield "chains:"
    for nodes in paths(gone):
        yield f"  {'-'.join(map(str, nodes))}: {{path: [{', '.join(path(nodes))}]}}"


if __name__ == "__main__":
    print(text(), end="")
