"""The graph of a system as GraphML, which yEd, Gephi, Cytoscape and networkx read.

Threads, flow controllers and listeners are nodes with their place and priority, topics are nodes
with their size; edges go the way of the data.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from ddsrta.formats.exported import Exported

if TYPE_CHECKING:
    from ddsrta.models.system import System, Thread

_SPACE = "http://graphml.graphdrawing.org/xmlns"
_KEYS = {  # of nodes and edges, with their types
    "label": "string", "kind": "string", "machine": "string", "core": "string",
    "priority": "int", "wcet_ns": "long", "period_ns": "long", "size_bytes": "long",
    "policy": "string", "executor": "string", "mode": "string", "messages": "int",
}  # fmt: skip
_PLACED = ("flow_controllers", "listeners")
Said = dict[str, Any]


def export(system: System) -> Exported:
    """The document.

    >>> from ddsrta.examples import two_threads
    >>> '<node id="threads/sensor">' in export(two_threads()).content
    True
    """
    graph = ElementTree.Element("graph", id=system.name, edgedefault="directed")
    for identity, said in nodes(system):
        _add(graph, ElementTree.SubElement(graph, "node", id=identity), said)
    for number, (source, target, said) in enumerate(edges(system)):
        ends = {"id": f"e{number}", "source": source, "target": target}
        _add(graph, ElementTree.SubElement(graph, "edge", ends), said)
    root = ElementTree.Element("graphml", xmlns=_SPACE)
    for name, kind in _KEYS.items():
        about = {"id": name, "for": "all", "attr.name": name, "attr.type": kind}
        ElementTree.SubElement(root, "key", about)
    root.append(graph)
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode", xml_declaration=False)
    return Exported(f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n', tuple(_left_out(system)))


def _add(graph: ElementTree.Element, item: ElementTree.Element, said: Said) -> None:
    for name, value in said.items():
        if value is not None:
            ElementTree.SubElement(item, "data", key=name).text = str(value)


def nodes(system: System) -> Iterator[tuple[str, Said]]:
    """Each by its section and name, with what is known of it.

    >>> from ddsrta.examples import two_threads
    >>> [name for name, _ in nodes(two_threads())]
    ['threads/sensor', 'threads/control', 'flow_controllers/F', 'listeners/L', 'topics/speed']
    """
    for name, thread in system.threads.items():
        said = {"label": name, "kind": "callback" if thread.executor else "thread"}
        said |= _place(system, thread)
        period = getattr(thread.arrival, "period", None)
        yield f"threads/{name}", {
            **said, "wcet_ns": thread.wcet, "period_ns": period, "executor": thread.executor,
        }  # fmt: skip
    for kind in _PLACED:
        for name, server in getattr(system, kind).items():
            said = {"label": name, "kind": kind[:-1].replace("_", " ")} | _place(system, server)
            policy = server.policy if kind == "flow_controllers" else None
            yield f"{kind}/{name}", {**said, "policy": policy}
    for name, topic in system.topics.items():
        said = {"label": name, "kind": "topic"}
        numbers = {"priority": topic.priority, "size_bytes": int(topic.size)}
        yield f"topics/{name}", {**said, **numbers}


def _place(system: System, server: Any) -> Said:
    is_fifo = server.reservation is None and getattr(server, "nice", None) is None
    level = server.priority if is_fifo else None
    return {"machine": system.machine_of(server.core), "core": server.core, "priority": level}


def edges(system: System) -> Iterator[tuple[str, str, Said]]:
    """From a thread to a flow controller, to a topic, to a listener, to a thread, each once."""
    seen: set[tuple[str, str]] = set()

    def new(source: str, target: str, said: Said) -> Iterator[tuple[str, str, Said]]:
        if (source, target) not in seen:
            seen.add((source, target))
            yield source, target, said

    for name, thread in system.threads.items():
        for publication in thread.publishes:
            said = {"kind": "publishes", "mode": publication.mode, "messages": publication.count}
            source, topic = f"threads/{name}", f"topics/{publication.topic}"
            if publication.mode == "async":
                controller = f"flow_controllers/{publication.flow_controller}"
                yield from new(source, controller, said)
                source, said = controller, {"kind": "sends"}
            yield from new(source, topic, said)
        yield from _read(thread, new)
        for other in thread.follows.threads if thread.follows else ():
            yield from new(f"threads/{other}", f"threads/{name}", {"kind": "starts"})


def _read(thread: Thread, new: Any) -> Iterator[tuple[str, str, Said]]:
    if thread.subscribes is not None:
        listener = f"listeners/{thread.subscribes.listener}"
        for topic in thread.subscribes.topics:
            yield from new(f"topics/{topic}", listener, {"kind": "receives"})
        yield from new(listener, f"threads/{thread.name}", {"kind": "hands over"})


def _left_out(system: System) -> Iterator[str]:
    yield "which thread gets which topic of a shared listener, chains, and all else with no node"
