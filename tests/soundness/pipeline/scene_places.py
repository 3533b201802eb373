"""Where the threads of a scene run: the sender's core and the reader's, with their supplies."""

from __future__ import annotations

from random import Random
from typing import Any

from ddsrta.policies.links import LINKS
from ddsrta.ros2 import KINDS
from tests.soundness.pipeline.registry import NONE, POOL

Raw = dict[str, Any]
PERIODS = (10, 20, 40)  # of reservations, where the base is short
SHORT = 500


class Places:
    """Cores by name; whatever has a priority of its own has one that nobody else has."""

    random: Random
    row: Any
    base: int
    calm: int
    data: Raw
    there: str
    is_sync: bool
    has_locks: bool
    sender_process: str | None

    def places(self) -> None:
        self.cores: dict[str, Raw] = {}
        self.free = self.random.sample(range(10, 90), 60)
        self.sender_core = self.core("m", "f", self.row["sender's supply"])
        self.reader_core = self.core(self.there, "r", self.row["reader's supply"])
        alike = self.row["sender's supply"] == self.row["reader's supply"]
        pool = self.row["executor"] == POOL
        if self.there == "m" and alike and not pool and self.random.random() < 0.3:
            del self.cores[self.reader_core]
            self.reader_core = self.sender_core
        if self.row["network"] != NONE:
            self.data["network"] = [self.link("m", "n"), self.link("n", "m")]

    def core(self, machine: str, name: str, supply: str = "priority") -> str:
        """A core; its path."""
        details: Raw = {}
        if supply == "core reservation":
            details["reservation"] = self.reservation((0.5, 0.7, 0.9))
        elif supply == "partitions":
            details["partitions"] = {
                "P1": self.reservation((0.5, 0.6)),
                "P2": self.reservation((0.3,)),
            }
        self.cores[f"{machine}/{name}"] = details
        return f"{machine}/{name}"

    def machines(self) -> Raw:
        found: Raw = {}
        for path, details in self.cores.items():
            machine, name = path.split("/")
            found.setdefault(machine, {"cores": {}})["cores"][name] = details
        things = (*self.data["threads"].values(), *self.data["executors"].values())
        if any("policy" in each for each in things):
            for each in found.values():
                if self.random.random() < 0.7:
                    each["tick"] = f"{self.random.choice((1, 5, 30))}ns"
        return found

    def link(self, source: str, target: str) -> Raw:
        delay = self.random.choice((10, 50, 200))
        kind = self.row["network"]
        if kind in LINKS:
            return self.shared(source, target)  # type: ignore[attr-defined, no-any-return]
        best = delay if kind == "constant" else self.random.choice((0, delay // 2))
        ordered = {"ordered": False} if kind == "unordered" else {}
        return {"from": source, "to": target, "delay": f"{delay}ns", "best": f"{best}ns", **ordered}

    def reservation(self, parts: tuple[float, ...]) -> Raw:
        period = self.random.choice(PERIODS) * max(1, self.base // 3**self.calm // SHORT)
        budget = max(1, int(self.random.choice(parts) * period))
        return {"budget": f"{budget}ns", "period": f"{period}ns"}

    def on(self, core: str, priority: int | None = None) -> Raw:
        """A place on a core; above its flow controller, where that may spin on a lock."""
        found: Raw = {"core": core, "priority": priority or self.free.pop()}
        if "partitions" in self.cores[core]:
            found["partition"] = self.random.choice(("P1", "P1", "P2"))
        return found

    def sender_place(self, _: str) -> Raw:
        return self.with_supply(self.sender_core, "sender's supply")

    def reader_place(self, _: str) -> Raw:
        return self.with_supply(self.reader_core, "reader's supply")

    def with_supply(self, core: str, which: str) -> Raw:
        """The place of who is looked at."""
        low = 3 if which == "sender's supply" and not self.is_sync and self.has_locks else None
        place = self.on(core, low)
        if self.row[which] == "reservation":
            del place["priority"]
            place["reservation"] = self.reservation((0.3, 0.4, 0.5))
        return place

    def near_sender(self, name: str) -> Raw:
        """On the sender's core or alone; not below it, which would be a livelock."""
        if self.random.random() < 0.4:
            return self.on(self.sender_core)
        return self.alone("m", name)

    def beside_reader(self, name: str) -> Raw:
        return self.alone(self.there, name) if self.is_pooled() else self.on(self.reader_core)

    def is_pooled(self) -> bool:
        return bool(self.row["executor"] == POOL)

    def alone(self, machine: str, name: str) -> Raw:
        return self.on(self.core(machine, f"c{name}"))

    def pool_place(self, _: str) -> Raw:
        """The threads of a pool have 5, which nobody else has."""
        cores = [
            self.reader_core,
            *(self.core(self.there, f"p{i}") for i in range(self.random.choice((1, 1, 2)))),
        ]
        pinned = self.row["moving"] == NONE or self.random.random() < 0.5
        return {"cores": cores, "priority": 5, **({} if pinned else {"pinned": False})}

    def others(self) -> None:
        """Threads beside the sender and the reader; of equal priority, if the row says so."""
        cores = {"o": self.sender_core, "q": self.reader_core}
        for name, core in cores.items():
            for i in range(self.random.choice((0, 1, 1, 2))):
                self.other(f"{name}{i}", self.on(core))
        if self.row["priorities"] == "equal":
            place = self.on(self.sender_core)
            self.other("e0", place)
            self.other("e1", dict(place))
            self.equals()

    def other(self, name: str, place: Raw) -> None:
        drawn = {**place, **self.work(10), **self.periodic(self.random.choice((1, 2, 3, 5, 7.5)))}  # type: ignore[attr-defined]
        self.data["threads"][name] = drawn

    def fair(self) -> None:
        """Threads of the default scheduler, where the row says so: two at least."""
        if self.row["default scheduler"] == NONE:
            return
        core = self.core("m", "fair")
        for name in ("n0", "n1"):
            self.other(name, self.on(core))
        alone = [
            (name, executor)
            for name, executor in self.data["executors"].items()
            if not KINDS[executor["kind"]].several_threads
            and not KINDS[executor["kind"]].timers_thread
        ]
        roamed = [core for each in self.data["executors"].values() if "pinned" in each
                  for core in each["cores"]]  # fmt: skip
        for executor in self.data["executors"].values():
            if "cores" in executor and "pinned" not in executor and self.random.random() < 0.5:
                del executor["priority"]
                executor["policy"] = "other"
                if executor.get("release") not in ("humble", "iron"):  # its threads may spin
                    roamed += executor["cores"]
        for name, thread in (*self.data["threads"].items(), *alone):
            plain = "priority" in thread and not self.cores[thread["core"]] and name[0] != "e"
            plain = plain and thread["core"] not in roamed
            if plain and (name[0] == "n" or self.random.random() < 0.5):
                nice, most = self.random.choice((-20, -5, 0, 5, 19)), self.random.choice((1, 5, 30))
                del thread["priority"]
                thread |= {"policy": "other", "nice": nice, "slice": f"{most}ns"}

    def events(self) -> None:
        """The event thread of the sender's participant, where the row says so, on any core."""
        if self.row["event thread"] == NONE:
            return
        cores = [core for core in self.cores if core[0] == "m" and self.is_plain(core)]
        core = self.random.choice(cores) if cores else self.core("m", "v0")
        process = self.sender_process
        own = {"process": process} if process else {}
        sent = {"datagrams": self.random.choice((1, 1, 2, 5))}
        period = self.periodic(self.random.choice((1, 3, 10)))
        self.data["threads"]["v"] = {**self.on(core), **self.work(10), **period, **own, **sent}

    def moving(self) -> None:
        """Threads that move between two cores, where the row says so: two at least, and some of
        what was pinned to one of them."""
        if self.row["moving"] == NONE:
            return
        shared = [core for core in self.cores if core[0] == "m" and self.is_plain(core)]
        first = self.random.choice(shared) if shared else self.core("m", "s0")
        cores = [first, self.core("m", "s1")]
        pinned = [priority for _, priority in self.on_core(first)]
        for thread in self.data["threads"].values():
            alone = thread.get("core") == first and pinned.count(thread["priority"]) == 1
            if alone and self.random.random() < 0.5:
                del thread["core"]
                thread["cores"] = cores
        for name in ("w0", "w1"):
            self.other(name, {"cores": cores, "priority": self.free.pop()})

    def on_core(self, core: str) -> list[tuple[Raw, int | None]]:
        """What may run on a core, with its priority if that is all that it has."""
        kinds = ("flow_controllers", "listeners", "executors", "threads")
        return [
            (thing, thing.get("priority"))
            for kind in kinds
            for thing in self.data[kind].values()
            if core in (thing.get("core"), *thing.get("cores", ()))
        ]

    def is_plain(self, core: str) -> bool:
        """Whether threads may move to a core: it is a whole one, without pools and reservations."""
        plain = all(p is not None and "core" in thing for thing, p in self.on_core(core))
        return plain and not self.cores[core]

    def equals(self) -> None:
        """Others with the priority of the sender or the reader, where that is modelled."""
        if self.has_locks:
            return
        kinds = ("flow_controllers", "listeners", "executors", "threads")
        placed = [thing for kind in kinds for thing in self.data[kind].values()]
        known = [p for p in placed if "priority" in p and "core" in p]
        for name, core in (("e2", self.sender_core), ("e3", self.reader_core)):
            here = [p for p in known if p["core"] == core]
            if here and self.random.random() < 0.7:
                like = self.random.choice(here)
                keys = ("core", "priority", "partition")
                self.other(name, {key: like[key] for key in keys if key in like})
