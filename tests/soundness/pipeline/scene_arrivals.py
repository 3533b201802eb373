"""How the sources of a scene are released: each way that the grammar has."""

from __future__ import annotations

from random import Random
from typing import Any

Raw = dict[str, Any]


class Arrivals:
    """In units of `base`; a trace is a file of `files`."""

    random: Random
    row: Any
    base: int
    files: dict[str, str]

    def time(self, units: float) -> str:
        return f"{max(1, round(units * self.base))}ns"

    def offset(self, ratio: float) -> str:
        part = self.random.choice((0, 0.25, 0.5, 0.33, 0.99))
        return f"{int(part * ratio * self.base)}ns"

    def periodic(self, ratio: float) -> Raw:
        """A thread's own period; with a known phase where the source has one."""
        if self.row["arrival"] == "offset" and self.random.random() < 0.8:
            return {"arrival": {"period": self.time(ratio), "offset": self.offset(ratio)}}
        return {"period": self.time(ratio)}

    def timer(self, ratio: float) -> Raw:
        """A timer, some of them late, or in phase with the source."""
        drawn: Raw = {"timer": self.time(ratio)}
        if self.row["arrival"] == "offset" and self.random.random() < 0.6:
            drawn["arrival"] = {"offset": self.offset(ratio)}
        elif self.random.random() < 0.2:
            drawn["arrival"] = {"jitter": self.time(ratio * self.random.choice((0.1, 1, 2)))}
        return drawn

    def arrival(self, kind: str, ratio: float, name: str) -> Raw:
        """One of the ways, about once in `ratio` units."""
        if kind == "period":
            return {"period": self.time(ratio)}
        return {"arrival": getattr(self, "_" + kind.replace(" ", "_"))(ratio, name)}

    def _jitter(self, ratio: float, _: str) -> Raw:
        late = self.random.choice((0.01, 0.25, 0.5, 0.99))
        return {"period": self.time(ratio), "jitter": self.time(late * ratio)}

    def _long_jitter(self, ratio: float, _: str) -> Raw:
        late = self.random.choice((1.1, 1.5, 2, 3.1))
        return {"period": self.time(ratio), "jitter": self.time(late * ratio)}

    def _min_distance(self, ratio: float, name: str) -> Raw:
        least = self.random.choice((0.1, 0.25, 0.5))
        return {**self._long_jitter(ratio, name), "min_distance": self.time(least * ratio)}

    def _offset(self, ratio: float, _: str) -> Raw:
        drawn = {"period": self.time(ratio), "offset": self.offset(ratio)}
        if self.random.random() < 0.3:
            drawn["jitter"] = self.time(0.2 * ratio)
        return drawn

    def _sporadic(self, ratio: float, _: str) -> Raw:
        late = {"jitter": self.time(0.5 * ratio)} if self.random.random() < 0.3 else {}
        return {"sporadic": self.time(ratio), **late}

    def _max_distance(self, ratio: float, _: str) -> Raw:
        longest = self.random.choice((1, 1.5, 4))
        return {"sporadic": self.time(ratio), "max_distance": self.time(longest * ratio)}

    def _burst(self, ratio: float, _: str) -> Raw:
        count = self.random.choice((2, 2, 3, 4))
        apart = f"{int(self.random.choice((0, 0.05, 0.5)) * ratio * self.base)}ns"
        return {"burst": {"count": count, "distance": apart, "period": self.time(count * ratio)}}

    def _curve(self, ratio: float, _: str) -> Raw:
        near = self.random.choice((0, 0.1, 0.5))
        distances = ["0ns", f"{int(near * ratio * self.base)}ns", self.time(2.1 * ratio)]
        return {"curve": distances}

    def _repeat(self, ratio: float, _: str) -> Raw:
        distances = ["0ns", self.time(0.1 * ratio), self.time(0.9 * ratio)]
        return {"curve": distances, "repeat": 2, "period": self.time(2.2 * ratio)}

    def _trace(self, ratio: float, name: str) -> Raw:
        stamp, stamps = 0.0, []
        for apart in (0.0, *(self.random.choice((0.5, 1, 1, 1.5)) for _ in range(4))):
            stamp += apart * ratio * self.base
            stamps.append(round(stamp))
        stamps.append(stamps[-1] + round(1.3 * ratio * self.base) + 1)
        self.files[f"{name}.csv"] = "".join(f"{stamp}\n" for stamp in stamps)
        return {"trace": f"{name}.csv"}
