"""Shared links of a scene: what they are, how urgent messages are there, and what else they send."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from ddsrta.policies.links import LINKS
from tests.soundness.pipeline.registry import NONE

Raw = dict[str, Any]
SMALL = {"can": ("0B", "1B", "4B", "8B"), "can_fd": ("0B", "8B", "20B", "64B")}  # of one frame
LINK_LOADS = (0.1, 0.3, 0.5, 0.7, 0.85, 0.95)
SECOND = 10**9
MOST = 10**11  # bits in one
FAR = "LM"  # a listener of the sender's machine
RATIOS = (1, 2, 3, 5, 7.5)


class Wires:
    """One bus for all, or ports; `bits` is what each link has to send in a ns, if known."""

    random: Random
    row: Any
    data: Raw
    sizes: dict[str, int]
    calm: int
    bits: Mapping[str, float]

    @property
    def shares(self) -> bool:
        """Whether its messages take shared links."""
        return self.row["network"] in LINKS

    @property
    def is_bus(self) -> bool:
        return self.shares and LINKS[self.row["network"]].unique

    def shared(self, source: str, target: str) -> Raw:
        """A way over a link, with some propagation after it."""
        name = "bus" if self.is_bus else "back" if target == "m" and self.chance(0.8) else "port"
        found: Raw = {"from": source, "to": target, "link": name}
        if self.chance(0.4):
            delay = self.random.choice((10, 50, 200))
            found |= {"delay": f"{delay}ns", "best": f"{self.random.choice((0, delay))}ns"}
            if self.row["synchronizer"] == NONE and self.chance(0.5):
                found["ordered"] = False
        return found

    def talker(self) -> None:
        """A third machine that sends over the same link."""
        if not self.shares or self.chance(0.3):
            return
        self.data["network"].append(self.shared("k", "n"))
        sent = []
        for topic in ("K0", "K1")[: self.random.choice((1, 2))]:
            size = self.random.choice(SMALL.get(self.row["network"], ("1B", "1kB", "5kB")))
            self.data["topics"][topic] = {"size": size}
            sent.append({"topic": topic, "mode": "sync", "delay": f"{self.random.randint(1, 4)}ns"})
        if self.chance(0.3):
            sent[0]["count"] = 2
        kind = self.random.choice(("period", "jitter", "long jitter", "sporadic", "burst"))
        arrival = self.arrival(kind, self.random.choice(RATIOS), "K")
        self.data["threads"]["K"] = {
            **self.alone("k", "K"), **self.work(6), **arrival, "publishes": sent
        }  # fmt: skip

    def far(self) -> tuple[str, str]:
        """The machine of who reads what the reader's machine sends, and its listener: over there,
        if it can be."""
        if not self.shares or self.chance(0.5):
            return self.there, "LZ"
        self.data["listeners"].setdefault(FAR, self.alone("m", FAR))
        return "m", FAR

    def wires(self) -> None:
        """The links that are used; at last, as all messages are known."""
        if not self.shares:
            return
        if self.is_bus:
            self.free_ids = self.random.sample(range(1 << self.random.choice((6, 11))), 40)
        publications = [
            sent
            for kind in ("threads", "callbacks")
            for thing in self.data[kind].values()
            for sent in thing.get("publishes", ())
        ]
        known = set()
        for sent in publications:
            topic = self.data["topics"][sent["topic"]]
            if sent["topic"] not in known:
                known.add(sent["topic"])
                topic.update(self.urgency(0.9))
            elif self.is_bus:
                sent.update(self.urgency(1))
            if self.chance(0.15):
                sent.update(self.urgency(1))
        names = dict.fromkeys(way["link"] for way in self.data["network"])
        self.data["links"] = {name: self.medium(name) for name in names}

    def urgency(self, part: float) -> Raw:
        """An identifier that nobody else has; or a class."""
        if self.is_bus:
            return {"can_id": self.free_ids.pop()}
        return {"pcp": self.random.randint(0, 7)} if self.chance(part) else {}

    def medium(self, name: str) -> Raw:
        rate = self.rate_of(name)
        found: Raw = {"kind": self.row["network"], "rate": f"{rate} bit/s"}
        most = 8
        if self.is_bus:
            found |= {"identifiers": "extended"} if self.chance(0.3) else {}
            if self.row["network"] == "can_fd":
                most = 64
                if self.chance(0.8):
                    found["data_rate"] = f"{rate * self.random.choice((1, 2, 4, 5))} bit/s"
        else:
            most = self.random.choice((300, 1500, 1500, 9000))
            found["mtu"] = f"{most}B"
            found["tagged"] = self.chance(0.5)
            found["overhead"] = f"{self.random.choice((0, 40, 128))}B"
            found["datagram"] = self.random.choice(("700B", "8kB", "65500B"))
            if self.chance(0.6):
                found["best_effort"] = f"{self.random.choice((0, 46, most))}B"
        if frames := {f"x{i}": self.frame(most) for i in range(self.random.choice((0, 1, 2, 3)))}:
            found["frames"] = frames
        return found

    def frame(self, most: int) -> Raw:
        ratio = self.random.choice(RATIOS)
        found: Raw = {"size": f"{self.random.randint(0, most)}B", "period": self.time(ratio)}
        found |= self.urgency(0.9)
        if self.chance(0.6):
            found["jitter"] = self.time(ratio * self.random.choice((0.01, 0.5, 1.3, 3)))
            if self.chance(0.4):
                found["min_distance"] = self.time(ratio * self.random.choice((0.05, 0.5)))
        return found

    def rate_of(self, name: str) -> int:
        """As fast as its load says; mostly such that a bit is a whole number of ns."""
        wanted = self.random.choice(LINK_LOADS) / 2**self.calm
        is_round = self.chance(0.7)
        rate = max(1, min(MOST, int(self.bits.get(name, 1.0) * SECOND / wanted)))
        if is_round and rate < SECOND:
            fives = (5**i * 2**j for i in range(10) for j in range(30))
            rate = SECOND // max(each for each in fives if each * rate <= SECOND)
        return rate
