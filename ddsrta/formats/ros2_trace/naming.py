"""Names for what a trace knows by addresses alone, and who belongs to whom."""

from __future__ import annotations

from collections.abc import Collection

from ddsrta.formats.ros2_trace.entities import Callback, Executor, Group, Key, Node
from ddsrta.formats.ros2_trace.inventory import Inventory
from ddsrta.formats.ros2_trace.observed import Kind, ObservedExecutor, ObservedGroup

_ORDER: dict[Kind, int] = {"timer": 0, "subscription": 1, "service": 2, "unknown": 3}
HOUSEKEEPING = "/parameter_events"


class Names:
    """Callbacks are numbered within their node as CARET numbers them: timers, then subscriptions,
    each in the order of their creation. Services and housekeeping have names of their own."""

    def __init__(
        self, inventory: Inventory, processes: dict[int, str], asking: Collection[Key] = ()
    ) -> None:
        self.processes = processes
        self.nodes: dict[Node, str] = {}
        self.callbacks: dict[Callback, str] = {}
        self.by_name: dict[str, Callback] = {}
        self.groups: dict[Group, str] = {}
        taken: set[str] = set()
        for node in inventory.all_nodes:
            self.nodes[node] = _unique(node.name, taken)
        self._name_callbacks(inventory)
        self._name_groups(inventory)
        self.executors = _Executors(inventory, self, asking)

    def kind_of(self, callback: Callback) -> Kind:
        """What releases it."""
        kind = callback.endpoint.kind if callback.endpoint else "unknown"
        return kind if kind in ("timer", "subscription", "service") else "unknown"  # type: ignore[return-value]

    def node_of(self, callback: Callback) -> str:
        """Its node; where that is not known, its process."""
        node = callback.endpoint.node if callback.endpoint else None
        if node in self.nodes:
            return self.nodes[node]
        name = self.processes.get(callback.process, "")
        return f"{name or 'process'} {callback.process}"

    def group_of(self, callback: Callback) -> str | None:
        """Its callback group."""
        group = callback.endpoint.group if callback.endpoint else None
        return self.groups.get(group) if group else None

    def executor_of(self, callback: Callback) -> str | None:
        """Its executor."""
        return self.executors.of.get(callback)

    def observed_executors(self) -> tuple[ObservedExecutor, ...]:
        """Every executor, those that were guessed last."""
        return tuple(self.executors.found)

    def _name_callbacks(self, inventory: Inventory) -> None:
        def key(callback: Callback) -> tuple[int, int]:
            return _ORDER[self.kind_of(callback)], callback.order

        counts: dict[str, int] = {}
        taken: set[str] = set()
        for callback in sorted(inventory.all_callbacks, key=key):
            node, kind = self.node_of(callback), self.kind_of(callback)
            topic = (callback.endpoint.topic if callback.endpoint else None) or ""
            if kind == "service":
                name = f"{node} service {topic}"
            elif topic == HOUSEKEEPING:
                name = f"{node} {topic}"
            else:
                counts[node] = counts.get(node, -1) + 1
                name = f"{node}/callback_{counts[node]}"
            name = _unique(name, taken)
            self.callbacks[callback] = name
            self.by_name[name] = callback

    def _name_groups(self, inventory: Inventory) -> None:
        counts: dict[str, int] = {}
        for callback in inventory.all_callbacks:
            group = callback.endpoint.group if callback.endpoint else None
            if group and group not in self.groups:
                node = self.node_of(callback)
                counts[node] = counts.get(node, -1) + 1
                self.groups[group] = f"{node}/callback_group_{counts[node]}"


class _Executors:
    """Executors that the trace names; and one for the threads that shared callbacks otherwise."""

    def __init__(self, inventory: Inventory, names: Names, asking: Collection[Key]) -> None:
        self.names = names
        self.of: dict[Callback, str] = {}
        self.found: list[ObservedExecutor] = []
        rest: list[Callback] = []
        owned: dict[Executor, list[Callback]] = {one: [] for one in inventory.all_executors}
        for callback in inventory.all_callbacks:
            group = callback.endpoint.group if callback.endpoint else None
            if group and group.executor in owned:
                owned[group.executor].append(callback)
            else:
                rest.append(callback)
        for executor, callbacks in owned.items():
            if callbacks:
                self._add(executor.kind, executor.process, callbacks, guessed=False)
        for callbacks in _sharing_threads(rest):
            process = callbacks[0].process
            threads = set().union(*(callback.threads for callback in callbacks))
            self._add(_kind(process, threads, asking), process, callbacks, guessed=True)

    def _add(self, kind: str, process: int, callbacks: list[Callback], guessed: bool) -> None:
        name = f"executor_{len(self.found)}"
        groups: dict[Group, list[str]] = {}
        for callback in callbacks:
            self.of[callback] = name
            group = callback.endpoint.group if callback.endpoint else None
            if group:
                groups.setdefault(group, []).append(self.names.callbacks[callback])
        threads = len(set().union(*(callback.threads for callback in callbacks)))
        observed = tuple(
            ObservedGroup(self.names.groups[group], group.kind, tuple(members))
            for group, members in groups.items()
        )
        self.found.append(ObservedExecutor(name, process, kind, threads, guessed, observed))


def _kind(process: int, threads: set[int], asking: Collection[Key]) -> str:
    """What executor threads may be of: single- and multi-threaded ones are traced as they ask for
    work, static ones and those of events are not. For these the kind that takes callbacks in any
    order stands."""
    other = threads and asking and not any((process, thread) in asking for thread in threads)
    return "multi_threaded" if len(threads) > 1 or other else "single_threaded"


def _sharing_threads(callbacks: list[Callback]) -> list[list[Callback]]:
    """Callbacks of a process that a common thread ran; those that never ran go with the first."""
    clusters: list[tuple[int, set[int], list[Callback]]] = []
    for callback in sorted(callbacks, key=lambda one: not one.threads):
        mine = [
            cluster
            for cluster in clusters
            if cluster[0] == callback.process
            and (cluster[1] & callback.threads or not callback.threads)
        ]
        if not callback.threads:
            mine = mine[:1]
        merged = callback.process, set(callback.threads), [callback]
        for cluster in mine:
            merged[1].update(cluster[1])
            merged[2].extend(cluster[2])
        clusters = [one for one in clusters if not any(one is other for other in mine)]
        clusters.append(merged)
    for _, _, members in clusters:
        members.sort(key=lambda one: one.order)
    return sorted((members for _, _, members in clusters), key=lambda members: members[0].order)


def _unique(name: str, taken: set[str]) -> str:
    """The name, with a number where another has it already."""
    result, number = name, 2
    while result in taken:
        result, number = f"{name} #{number}", number + 1
    taken.add(result)
    return result
