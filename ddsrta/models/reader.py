"""Reads system.yaml into a System, or reports everything that is wrong with it at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ddsrta.models.arrivals import Arrival, Burst, Curve, Periodic, Sporadic, superadditive
from ddsrta.models.diagnostics import InputError
from ddsrta.models.grammar import SYSTEM
from ddsrta.models.shapes import INVALID, Context, TooManyDiagnostics
from ddsrta.models.system import (
    EPSILON,
    Chain,
    Core,
    Cost,
    Delays,
    Following,
    Link,
    Middleware,
    Publication,
    Reservation,
    Subscription,
    System,
    Thread,
    Topic,
)
from ddsrta.models.trace import read_trace
from ddsrta.models.validate import validate
from ddsrta.models.yaml_tree import Node, read_file, read_text

_NAMED = ("machines", "topics", "flow_controllers", "listeners", "threads", "chains")


def load(path: str | Path) -> System:
    """The system that a file describes; raises InputError with every diagnostic.

    >>> load("/nonexistent.yaml")
    Traceback (most recent call last):
    ...
    ddsrta.models.diagnostics.InputError: /nonexistent.yaml:1:1: No such file or directory
    """
    return _read(read_file(path), Path(path).parent)


def loads(text: str, name: str = "<text>") -> System:
    """The system that a text describes.

    >>> loads("ddsrta: 1\\nmachines: {m: {cores: [c]}}\\nthreads: {}").name
    'system'
    """
    return _read(read_text(text, name), Path("."))


def _read(tree: Node, folder: Path) -> System:
    context = Context(_names(tree))
    try:
        raw = SYSTEM.read(tree, context)
        if raw is INVALID:
            raw = _salvaged(tree, context)
        system = _System(raw, tree, context, folder).build()
        declared = {kind: frozenset(names) for kind, names in context.names.items()}
        context.diagnostics += validate(system, declared)
    except TooManyDiagnostics:
        pass
    if context.diagnostics:
        raise InputError(context.diagnostics)
    return system


def _names(tree: Node) -> dict[str, list[str]]:
    """Every name that the file defines, before anything is read, for references to be checked."""
    top = tree.value if isinstance(tree.value, dict) else {}
    names: dict[str, list[str]] = {kind: [] for kind in (*_NAMED, "cores")}
    for kind in _NAMED:
        if kind in top and isinstance(top[kind].node.value, dict):
            names[kind] = list(top[kind].node.value)
    if "machines" in top and isinstance(machines := top["machines"].node.value, dict):
        for machine, entry in machines.items():
            details = entry.node.value
            cores = details.get("cores") if isinstance(details, dict) else None
            if cores is None:
                continue
            if isinstance(cores.node.value, dict):
                names["cores"] += [f"{machine}/{core}" for core in cores.node.value]
            elif isinstance(cores.node.value, list):
                names["cores"] += [f"{machine}/{core.value}" for core in cores.node.value]
    return names


def _salvaged(tree: Node, context: Context) -> dict[str, Any]:
    """What can be read of a file with errors, so that the rest of it is checked all the same."""
    if not isinstance(tree.value, dict):
        return {}
    silent = Context(context.names)
    result = {}
    for name, entry in tree.value.items():
        if name in SYSTEM.keys:
            value = SYSTEM.keys[name].shape.read(entry.node, silent)
            if value is not INVALID:
                result[name] = value
    return result


class _System:
    """Makes the frozen objects from what the shapes have read."""

    def __init__(self, raw: dict[str, Any], tree: Node, context: Context, folder: Path) -> None:
        self.raw = raw
        self.tree = tree
        self.context = context
        self.folder = folder

    def report(self, message: str, *path: str | int, advice: str = "") -> None:
        from ddsrta.models.diagnostics import Diagnostic

        self.context.diagnostics.append(Diagnostic(self.tree.find(path), message, advice))

    def build(self) -> System:
        raw = self.raw
        return System(
            name=raw.get("name", "system"),
            cores=self.cores(),
            links=self.links(),
            delays=self.delays(),
            topics={
                name: Topic(name, value["size"], value.get("priority", 10), value.get("history"))
                for name, value in raw.get("topics", {}).items()
            },
            flow_controllers=self.middleware("flow_controllers"),
            listeners=self.middleware("listeners"),
            threads=self.threads(),
            chains=self.chains(),
            tree=self.tree,
        )

    def cores(self) -> dict[str, Core]:
        cores: dict[str, Core] = {}
        for machine, value in self.raw.get("machines", {}).items():
            listed = value["cores"]
            details = listed if isinstance(listed, dict) else {name: {} for name in listed}
            if len(details) < len(listed):
                self.report("a core is listed twice", "machines", machine, "cores")
            for name, detail in details.items():
                path = ("machines", machine, "cores", name)
                partitions = {
                    partition: self.reservation(budget, *path, "partitions", partition)
                    for partition, budget in (detail.get("partitions") or {}).items()
                }
                reservation = self.optional_reservation(detail, *path)
                if reservation and partitions:
                    self.report("a core has either a reservation or partitions", *path)
                core = Core(machine, name, reservation, partitions)
                cores[core.path] = core
        return cores

    def reservation(self, raw: dict[str, int], *path: str) -> Reservation:
        if raw["budget"] > raw["period"]:
            self.report("the budget is larger than its period", *path, "budget")
        return Reservation(raw["budget"], raw["period"])

    def optional_reservation(self, raw: dict[str, Any], *path: str) -> Reservation | None:
        found = raw.get("reservation")
        return self.reservation(found, *path, "reservation") if found else None

    def links(self) -> dict[tuple[str, str], Link]:
        links: dict[tuple[str, str], Link] = {}
        for index, raw in enumerate(self.raw.get("network", [])):
            link = Link(raw["from"], raw["to"], raw["delay"], raw.get("best", 0))
            if link.best > link.delay:
                self.report("the best case is above the worst", "network", index, "best")
            if (link.source, link.target) in links:
                self.report("this direction is already given", "network", index)
            links[link.source, link.target] = link
        return links

    def cost(self, raw: int | dict[str, int], *path: str | int) -> Cost:
        if isinstance(raw, int):
            return Cost(raw)
        if raw.get("best", 0) > raw["worst"]:
            self.report("the best case is above the worst", *path, "best")
        return Cost(**raw)

    def delays(self) -> Delays:
        tables = {}
        for name in ("flow_controller", "listener", "publisher"):
            rows = self.raw.get("delays", {}).get(name, {})
            table = sorted((size, self.cost(c, "delays", name)) for size, c in rows.items())
            for (size, cost), (_, larger) in zip(table, table[1:], strict=False):
                if cost.worst > larger.worst:
                    self.report(
                        f"the delay of {size} bytes is above that of a larger size",
                        "delays", name,
                        advice="a size in between takes the larger row, so rows must not decrease",
                    )
            tables[name] = tuple(table)
        return Delays(**tables)

    def middleware(self, kind: str) -> dict[str, Middleware]:
        return {
            name: Middleware(
                name,
                value["core"],
                value.get("priority", 0),
                value.get("policy", "FIFO"),
                value.get("queue"),
                value.get("partition"),
                self.scheduling(value, kind, name),
            )
            for name, value in self.raw.get(kind, {}).items()
        }

    def scheduling(self, value: dict[str, Any], kind: str, name: str) -> Reservation | None:
        """The thread's own reservation; a priority is needed where there is none."""
        reservation = self.optional_reservation(value, kind, name)
        if reservation is None and "priority" not in value:
            self.report("'priority' is missing", kind, name,
                        advice="a SCHED_FIFO priority, 1 … 99, or a reservation")
        if reservation is not None and "priority" in value:
            self.report("a thread has either a priority or a reservation", kind, name, "priority")
        return reservation

    def threads(self) -> dict[str, Thread]:
        return {
            name: self.thread(name, value) for name, value in self.raw.get("threads", {}).items()
        }

    def thread(self, name: str, value: dict[str, Any]) -> Thread:
        publications = []
        for index, raw in enumerate(value.get("publishes", [])):
            publications.append(self.publication(raw, "threads", name, "publishes", index))
        raw_subscription, raw_following = value.get("subscribes"), value.get("follows")
        subscription = following = None
        if raw_subscription:
            cost = raw_subscription.get("delay")
            subscription = Subscription(
                tuple(raw_subscription["topics"]),
                raw_subscription["listener"],
                None if cost is None else self.cost(cost, "threads", name, "subscribes", "delay"),
            )
        if raw_following:
            following = Following(
                tuple(raw_following["threads"]),
                raw_following.get("delay", 0),
                raw_following.get("best", 0),
            )
        return Thread(
            name,
            value["core"],
            value.get("priority", 0),
            value["wcet"],
            value.get("bcet"),
            self.arrival(value, name),
            tuple(publications),
            subscription,
            following,
            self.activation(value, name),
            value.get("partition"),
            self.scheduling(value, "threads", name),
        )

    def activation(self, value: dict[str, Any], name: str) -> Any:
        given = {
            kind: value[kind]["activation"]
            for kind in ("subscribes", "follows")
            if "activation" in value.get(kind, {})
        }
        if len(set(given.values())) > 1:
            self.report("'subscribes' and 'follows' say different activations",
                        "threads", name, "follows", "activation")
        if given and ("period" in value or "arrival" in value):
            self.report(
                "a thread that is released by time samples its inputs: it has no activation",
                "threads", name, next(iter(given)), "activation",
                advice="remove 'activation', or the period",
            )
        return next(iter(given.values()), "or")

    def publication(self, raw: dict[str, Any], *path: str | int) -> Publication:
        controller = raw.get("flow_controller")
        mode = raw.get("mode", "async" if controller else "sync")
        cost = self.cost(raw["delay"], *path, "delay") if "delay" in raw else None
        return Publication(
            raw["topic"],
            mode,
            controller,
            raw.get("count", 1),
            cost,
            raw.get("earliest", EPSILON),
        )

    def arrival(self, value: dict[str, Any], thread: str) -> Arrival | None:
        path = ("threads", thread, "arrival")
        raw = dict(value.get("arrival") or {})
        if "period" in value:
            if "period" in raw:
                self.report("the period is given twice", *path, "period")
            raw["period"] = value["period"]
            if raw.keys() & {"sporadic", "burst", "trace"}:
                self.report("a thread has one way to be released: 'period' or this", *path)
                return None
        elif "arrival" not in value:
            return None
        allowed = {
            "sporadic": {"jitter"},
            "burst": set(),
            "curve": {"period", "repeat"},
            "trace": {"unit"},
            "period": {"jitter", "min_distance"},
        }
        kind = next((k for k in allowed if k in raw and k != "period"), "period")
        if kind not in raw:
            self.report("no way to be released", *path,
                        advice="give one of: " + ", ".join(allowed))
            return None
        for extra in raw.keys() - allowed[kind] - {kind}:
            self.report(f"'{extra}' does not go with '{kind}'", *path, extra)
        try:
            return self._arrival(kind, raw)
        except ValueError as error:
            self.report(str(error), *(path if "arrival" in value else path[:-1]))
        except InputError as error:
            self.context.diagnostics += error.diagnostics
        return None

    def _arrival(self, kind: str, raw: dict[str, Any]) -> Arrival:
        if kind == "sporadic":
            return Sporadic(raw["sporadic"], raw.get("jitter", 0))
        if kind == "burst":
            return Burst(**raw["burst"])
        if kind == "trace":
            return read_trace(self.folder / raw["trace"], raw.get("unit", "ns"))
        if kind == "curve":
            distances = tuple(raw["curve"])
            if "period" not in raw:
                if "repeat" in raw:
                    raise ValueError("'repeat' goes with a period")
                return superadditive(distances)
            return Curve(distances, raw.get("repeat", len(distances)), raw["period"])
        return Periodic(raw["period"], raw.get("jitter", 0), raw.get("min_distance", 0))

    def chains(self) -> dict[str, Chain]:
        chains = {}
        for name, value in self.raw.get("chains", {}).items():
            ends = None
            if "path" in value:
                for key in value.keys() & {"from", "to", "limit"}:
                    self.report(f"'{key}' does not go with 'path'", "chains", name, key)
            elif "from" in value and "to" in value:
                ends = (value["from"], value["to"])
            else:
                self.report("a chain needs a 'path', or 'from' and 'to'", "chains", name)
                continue
            chains[name] = Chain(
                name,
                tuple(value.get("path", ())),
                ends,
                value.get("deadline"),
                value.get("constraint", "latency"),
                value.get("limit", 256),
            )
        return chains
