"""A small system with all features of a row, as system.yaml: a source, who sends for it, a reader.

The source S publishes A, mostly with S2, which publishes B. R reads them, as the row says, in an
executor or as a thread; `see` reads both; T reads what R publishes. Times are in units of `base`,
costs in ns: to draw the same again with a larger base is the same system with less load. `calm` is how
often that was done to come to a bound; what grows with the base then grows less.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from random import Random
from typing import Any

from ddsrta.base.shapes import Integer
from ddsrta.models.bandwidth import counted
from ddsrta.models.executors import DELIVERIES
from ddsrta.models.middleware import BUFFERS, VERSIONS
from ddsrta.models.validate_pools import FORGETS
from ddsrta.policies import POLICIES
from ddsrta.policies.reserved import Reserved
from tests.soundness.pipeline.registry import (
    BY_MESSAGES,
    NEVER_DIRECT,
    NONE,
    POOL,
    SYNC,
    THREAD,
)
from tests.soundness.pipeline.scene_arrivals import Arrivals
from tests.soundness.pipeline.scene_asked import Asked
from tests.soundness.pipeline.scene_links import SMALL, Wires
from tests.soundness.pipeline.scene_places import Places
from tests.soundness.pipeline.scene_readers import Readers
from tests.soundness.pipeline.scene_rounds import Rounds

Raw = dict[str, Any]
RATIOS = (1, 1, 2, 3, 4, 5, 6, 7.5, 10)  # of periods: harmonic ones, and others
SIZES = {"small": 1, "middle": 1000, "large": 40_000}


class Scene(Asked, Readers, Rounds, Arrivals, Places, Wires):
    """Draws the file; `rate` is how many samples a flow controller sends in each ns, and `bits` what
    each shared link does, if known."""

    def __init__(
        self,
        row: Any,
        seed: object,
        base: int,
        rate: float = 0.0,
        calm: int = 0,
        bits: Mapping[str, float] | None = None,
    ) -> None:
        self.row = row
        self.seed = seed
        self.random = Random(f"scene {seed}")
        self.base = base
        self.rate = rate
        self.bits = bits or {}
        self.calm = calm
        self.is_sync = row["sending"] == SYNC
        self.has_locks = row["lock"] != NONE
        self.there = "m" if row["network"] == NONE else "n"
        self.is_callback = row["executor"] != THREAD
        self.by_set = row["activation"] == "subscribes and"
        self.exact = row["synchronizer"] == "exact_time"
        self.data: Raw = {
            "ddsrta": 1, "name": f"pipeline {seed}", "machines": {}, "network": [], "delays": {},
            "topics": {}, "flow_controllers": {}, "listeners": {}, "processes": {}, "threads": {},
            "executors": {}, "services": {}, "callbacks": {}, "chains": {}, "orders": {},
        }  # fmt: skip
        self.files: dict[str, str] = {}
        self.places()

    def draw(self) -> Raw:
        """The file as data; what is empty is left out."""
        self.middleware()
        self.sources()
        self.reader()
        self.rivals()
        self.talker()
        self.see()
        self.tail()
        self.circle()
        self.others()
        self.ask()
        self.fair()
        self.moving()
        self.events()
        self.wires()
        self.data["machines"] = self.machines()
        return {k: v for k, v in self.data.items() if v or k == "threads"}

    # Numbers

    def dice(self, what: str) -> Random:
        """Dice of its own for what came to be drawn later, so that all else is drawn as before."""
        return Random(f"{what} {self.seed}")

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def cost(self, most: int) -> Any:
        """Of a message; in the words of the row."""
        worst = self.random.randint(1, most)
        best = {"least": None, "zero": 0, "as worst": worst}[self.row["best"]]
        return f"{worst}ns" if best is None else {"worst": f"{worst}ns", "best": f"{best}ns"}

    def table(self, sizes: tuple[str, ...]) -> Raw:
        """Costs that grow with the size."""
        worst = sorted(self.random.randint(1, 4) for _ in sizes)
        if self.row["best"] == "least":
            return {size: f"{time}ns" for size, time in zip(sizes, worst, strict=True)}
        least = (lambda time: 0) if self.row["best"] == "zero" else (lambda time: time)
        return {
            size: {"worst": f"{time}ns", "best": f"{least(time)}ns"}
            for size, time in zip(sizes, worst, strict=True)
        }

    def work(self, most: int) -> Raw:
        worst = self.random.randint(1, most)
        best = {"least": None, "zero": 0, "as worst": worst}[self.row["best"]]
        return {"wcet": f"{worst}ns", **({} if best is None else {"bcet": f"{best}ns"})}

    # What is sent

    def middleware(self) -> None:
        data, row, random = self.data, self.row, self.random
        sizes = SMALL.get(row["network"], ("1B", "1kB", "40kB", "200kB"))
        for column in ("flow_controller", "listener", "publisher", "take"):
            if column != "take" or self.chance(0.4):
                data["delays"][column] = self.table(sizes)
        large = self.has_locks and row["limit"] == NONE
        for topic in ("A", "B", "C"):
            size = random.choice(sizes if large else sizes[:3])
            priority = random.choice((-1, 0, 0, 1, 2))
            data["topics"][topic] = {
                "size": size,
                "priority": priority,
                **self.by_policy("topic_keys"),
            }
            if self.chance(0.1):
                data["topics"][topic]["history"] = random.choice((1, 3, 1000))
            if row["copies"] != "unknown":
                data["topics"][topic]["copies"] = row["copies"]
        self.sizes = {name: _bytes(topic["size"]) for name, topic in data["topics"].items()}
        if self.has_locks:
            data["middleware"] = {"fastdds": random.choice(VERSIONS)}
            if self.chance(0.3):
                data["middleware"]["send_buffers"] = random.choice(BUFFERS)
            if row["lock"] == "write":
                data["middleware"]["write"] = f"{random.choice((1, 1, 2))}ns"
        if not self.is_sync:
            controller = {**self.sender_place("F"), "policy": row["sending"]}
            if row["limit"] != NONE:
                controller["limit"] = self.limit()
            if self.chance(0.3):
                controller["queue"] = random.choice((1, 2, 50))
            data["flow_controllers"]["F"] = controller
        for name in ("LR", "LZ"):
            here = self.chance(0.3)
            data["listeners"][name] = (
                self.beside_reader(name) if here else self.alone(self.there, name)
            )
            if name == "LZ" and not here and self.chance(0.1):
                del data["listeners"][name]["priority"]
                data["listeners"][name]["reservation"] = self.reservation((0.5, 0.8))
            if self.chance(0.2):
                data["listeners"][name]["queue"] = random.choice((1, 2, 50))
        self.processes()

    def processes(self) -> None:
        """S and S2 in one process, R in another one or in the same."""
        data, kind = self.data, self.row["process"]
        self.sender_process = self.reader_process = None
        if kind == NONE:
            return
        direct = kind in ("direct", "local")
        release = {"any": None}.get(self.row["release"], self.row["release"])
        forgets = self.row["executor"] == POOL and release in FORGETS  # as is refused
        leaves = self.is_callback and kind == "direct"  # `see` is outside, as is refused
        together = direct and self.there == "m" and not leaves
        data["listeners"]["LS"] = self.alone("m", "LS")
        data["processes"]["P"] = {
            "listener": "LR" if together else "LS", "intra_process": kind == "direct",
            **self.delivery(kind),
        }  # fmt: skip
        self.sender_process = self.reader_process = "P"
        if not together:
            within = self.chance(0.5) and self.row["executor"] not in NEVER_DIRECT and not forgets
            data["processes"]["Q"] = {
                "listener": "LR", "intra_process": within, **self.delivery(kind)
            }  # fmt: skip
            self.reader_process = "Q"
        reads = self.row["activation"] in ("register", *BY_MESSAGES)
        if direct and not (together and reads):
            data["threads"]["D"] = {
                **self.alone("m", "D"), **self.work(4), "process": "P",
                "subscribes": {"topics": ["A"], "delay": self.cost(2)},
            }  # fmt: skip

    def delivery(self, kind: str) -> Raw:
        """What a process says of it, if it says anything."""
        if kind == "local":
            return {"intraprocess_delivery": self.random.choice(DELIVERIES[1:])}
        return {"intraprocess_delivery": "OFF"} if self.chance(0.2) else {}

    def limit(self) -> Raw:
        most = max(counted(size) for size in self.sizes.values())
        samples = self.random.choice((1, 2, 3, 5))
        spare, rate = min(5, 1.5 * 2**self.calm), self.rate or 1e-3
        if self.row["limit"] != "binding":
            spare = 60
            samples = max(samples, ceil(rate * spare))  # no period is below 1 ns
        period = samples / rate / spare
        return {"bytes": f"{most * samples}B", "period": f"{max(1, int(period))}ns"}

    def sending(self, topic: str, *, mine: bool = True) -> Raw:
        """A publication by the flow controller, or by the job itself."""
        sent: Raw = {"topic": topic, "delay": self.cost(4)}
        if self.row["jobs"] == "alternatives":
            sent["one_of"] = "one"
        elif self.row["jobs"] == "apart" and (topic == "A" or self.chance(0.5)):
            sent["min_separation"] = f"{self.random.choice((20, 100, 400, 2000))}ns"
        elif self.row["jobs"] != NONE and (topic == "A" or self.chance(0.5)):
            of = self.random.choice((2, 3, 3, 4, 7))
            most = {"each may": of, "one of several": 1}.get(self.row["jobs"], of - 1)
            sent["jobs"] = f"{most} of {of}"
        if self.is_sync or not mine:
            return {**sent, **({"mode": "sync"} if self.chance(0.3) else {})}
        sent["flow_controller"] = "F"
        sent.update(self.by_policy("publication_keys"))
        if self.chance(0.2):
            sent["mode"] = "async"
        if self.row["sending"] == Reserved.name and self.row["limit"] != NONE:
            sent["reservation"] = self.random.choice(("0%", "30%", "50%", "100%"))
        return sent

    def by_policy(self, kind: str) -> Raw:
        """The keys that only the policy in question has, of topics or publications."""
        policy = POLICIES.get(self.row["sending"])
        keys = getattr(policy, kind) if policy else {}
        return {
            name: self.random.randint(1, 4) if isinstance(key.shape, Integer)
            else f"{self.random.choice((1, 20, 50, 300))}ns"
            for name, key in keys.items()
        }  # fmt: skip

    def sources(self) -> None:
        row, random = self.row, self.random
        both = (
            row["jobs"] == "alternatives"
            or row["order"] != NONE
            or self.exact
            or (self.by_set and self.chance(0.5))
        )
        second = not both or self.chance(0.3)
        count = 1 if row["messages"] == "one" else random.choice((2, 2, 3))
        publishes = [self.sending("A")]
        if both:
            publishes.append(self.sending("B", mine=self.chance(0.8)))
            random.shuffle(publishes)
        for each in publishes:
            if count > 1 and (self.by_set or each["topic"] == "A"):
                each["count"] = count
            if self.chance(0.2):
                each["earliest"] = "1ns"
        of = {"process": self.sender_process} if self.sender_process else {}
        place = self.sender_place("S") if self.is_sync else self.near_sender("S")
        arrival = self.arrival(row["arrival"], 1, "S")
        self.data["threads"]["S"] = {
            **place, **self.work(6), **arrival, "publishes": publishes, **of
        }  # fmt: skip
        self.has_second = second
        if not second:
            return
        alike = self.by_set and not both
        kind = row["arrival"] if alike and row["arrival"] == "offset" else "period"
        if not alike:
            kind = random.choice(("period", "period", "jitter", "long jitter", "sporadic", "burst"))
        if row["arrival"] == "offset":
            kind = "offset"
        topic = "B" if not both else random.choice(("A", "B"))
        if both and (self.by_set or self.row["order"] != NONE):
            topic = "E"  # a topic of its own
            self.data["topics"]["E"] = {
                "size": "1B", "priority": random.choice((0, 1)), **self.by_policy("topic_keys")
            }  # fmt: skip
            self.sizes["E"] = 1
        sent = [self.sending(topic, mine=self.chance(0.8))]
        if count > 1 and self.by_set and topic == "B":
            sent[0]["count"] = count
        if topic != "A" and not self.by_set and self.chance(0.3):
            sent.append(self.sending("A"))  # which has two writers then
        ratio = 1 if alike else random.choice(RATIOS)
        self.data["threads"]["S2"] = {
            **self.near_sender("S2"), **self.work(6), **self.arrival(kind, ratio, "S2"),
            "publishes": sent, **of,
        }  # fmt: skip

    def rivals(self) -> None:
        """Rare publishers alone on their cores that take the send mutex of S, and long."""
        if not self.has_locks or self.chance(0.5):
            return
        of = {"process": self.sender_process} if self.sender_process else {}
        for i in range(2):
            self.data["topics"][f"G{i}"] = {"size": "40kB", "priority": 0}
            sent = {"topic": f"G{i}", "mode": "sync", "delay": f"{self.random.randint(10, 40)}ns"}
            self.data["threads"][f"b{i}"] = {
                **self.alone("m", f"b{i}"), **self.work(4), **self.arrival("sporadic", 20, f"b{i}"),
                "publishes": [sent], **of,
            }  # fmt: skip

    def see(self) -> None:
        """A thread that reads what the sources publish, each message by itself."""
        topics = [
            "A",
            "B",
            *(name for name in ("E", "G0", "G1", "K0", "K1") if name in self.data["topics"]),
        ]
        self.data["threads"]["see"] = {
            **self.alone(self.there, "see"), **self.work(4), "subscribes": self.reading(topics, "LZ")
        }  # fmt: skip
        if self.row["order"] != NONE:
            order: Raw = {
                "subscriber": "see",
                "topics": self.random.choice((["A", "B"], ["B", "A"])),
            }
            order["events"] = self.row["order"]
            if self.chance(0.5):
                order["from"] = "S"
            self.data["orders"]["wanted"] = order

    def tail(self) -> None:
        """Who reads what R publishes, at once or from time to time."""
        callbacks = self.data["callbacks"]
        if not (callbacks.get("R") or self.data["threads"]["R"]).get("publishes"):
            return
        looks = 0.8 if self.row["activation"] in ("time", "register") else 0.35
        timed = self.periodic(self.random.choice(RATIOS)) if self.chance(looks) else {}
        machine, listener = self.far()
        self.data["threads"]["T"] = {
            **self.alone(machine, "T"), **self.work(6), **timed,
            "subscribes": self.reading(["C"], listener),
        }  # fmt: skip


def _bytes(size: str) -> int:
    return int(size[:-2]) * 1000 if size.endswith("kB") else int(size[:-1])
