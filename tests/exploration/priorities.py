"""Orders of priorities of small random systems: what `improve` finds, beside all that there are.

python -m tests.exploration.priorities --systems 10000 [--first 0] [--seconds 300]

Where `improve` finds no repair, each strict order of the priorities of each core, of topics that a
controller sends by priority, and of callbacks that an executor picks by it is analysed here, in a
way of its own, and those with ties where the system has some: none may meet all deadlines. Of every
third system one thing is to be kept. What it finds is analysed again, with the checker.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from itertools import permutations, product
from math import prod
from random import Random

import ddsrta

MOST = 150  # orders of a system that is drawn
KINDS = ("plain", "middleware", "executors", "following")
DELAYS = """\
delays:
  flow_controller: {1kB: 30us}
  listener: {1kB: 50us}
  publisher: {1kB: 40us}
"""


class Drawn:
    """A system as text, with a mark for each priority: which compete, and which values are free."""

    def __init__(self, seed: int) -> None:
        self.random = Random(f"priorities {seed}")
        self.kind = KINDS[seed % 4]
        self.groups: dict[str, list[str]] = {}
        self.lines: list[str] = []
        self.chains: dict[str, str] = {}
        getattr(self, self.kind)()
        self.values = {group: self.drawn(group) for group in self.groups}
        things = [(group, name) for group, names in self.groups.items() for name in names]
        self.keep = self.random.choice(things) if seed % 3 == 2 and things else None

    def drawn(self, group: str) -> list[int]:
        """Priorities, of which two are alike now and then."""
        some = range(-9, 10) if group == "topics" else range(10, 90)
        values = self.random.sample(some, len(self.groups[group]))
        if len(values) > 1 and self.random.random() < 0.25:
            values[0] = values[1]
        return values

    def ranks(self, group: str) -> list[tuple[int, ...]]:
        """All orders of a group: who is above how many others, that are not alike."""
        size = len(self.groups[group])
        if len(set(self.values[group])) == size:
            return list(permutations(range(size)))
        return [r for r in product(range(size), repeat=size) if {*r} == {*range(max(r) + 1)}]

    @property
    def orders(self) -> int:
        return prod(len(self.ranks(group)) for group in self.groups)

    def mark(self, group: str, name: str) -> str:
        self.groups.setdefault(group, []).append(name)
        return f"<{group}:{name}>"

    def text(self, values: dict[str, tuple[int, ...]], deadlines: dict[str, int]) -> str:
        text = "\n".join(self.lines) + "\nchains:\n"
        for name, path in self.chains.items():
            due = f", deadline: {deadlines[name]}ns" if name in deadlines else ""
            text += f"  {name}: {{path: [{path}]{due}}}\n"
        for group, names in self.groups.items():
            for name, value in zip(names, values[group], strict=True):
                text = text.replace(f"<{group}:{name}>", str(value))
        return text

    def late(self) -> str | None:
        """The system with deadlines that some order of priorities just meets, or nearly; None where
        there are too many orders, or nothing to bound."""
        if self.orders > MOST or self.orders < 2:
            return None
        other = {g: tuple(self.random.sample(v, len(v))) for g, v in self.values.items()}
        result = ddsrta.analyze(ddsrta.loads(self.text(other, {})), check=False)
        found = {n: c.latency for n, c in result.chains.items() if c.latency is not None}
        share = self.random.choice((90, 100, 100, 100, 110))
        deadlines = {
            n: max(1, latency * share // 100)
            for n, latency in found.items()
            if self.random.random() < 0.8
        }
        return self.text(self.values, deadlines) if deadlines else None

    def met_by(self, text: str) -> dict[str, tuple[int, ...]] | None:
        """The first order of all that meets the deadlines of a text."""
        due = {
            name: ddsrta.loads(text).chains[name].deadline
            for name in self.chains
            if ddsrta.loads(text).chains[name].deadline is not None
        }
        for chosen in product(*map(self.ranks, self.groups)):
            values = {
                group: self.around(group, ranks)
                for group, ranks in zip(self.groups, chosen, strict=True)
            }
            system = ddsrta.loads(self.text(values, due))
            if ddsrta.analyze(system, check=False).verdict == "met":
                return values
        return None

    def around(self, group: str, ranks: tuple[int, ...]) -> tuple[int, ...]:
        """Priorities of an order, of which one is as it was if that is to be kept."""
        first = 0 if group == "topics" else 40
        if self.keep is not None and self.keep[0] == group:
            number = self.groups[group].index(self.keep[1])
            first = self.values[group][number] - ranks[number]
        return tuple(first + rank for rank in ranks)

    # What is drawn

    def head(self, cores: int) -> None:
        names = ", ".join(f"c{n}" for n in range(cores))
        self.lines += ["ddsrta: 1", f"machines: {{m: {{cores: [{names}]}}}}", DELAYS.rstrip()]

    def time(self, least: int, most: int) -> str:
        return f"{self.random.randint(least, most)}us"

    def released(self) -> str:
        period = self.random.choice((2, 3, 4, 5, 8, 10, 12, 20))
        if self.random.random() < 0.25:
            return f"arrival: {{period: {period}ms, jitter: {self.time(1, 2000)}}}"
        if self.random.random() < 0.15:
            return f"arrival: {{sporadic: {period}ms}}"
        if self.random.random() < 0.2:
            return f"arrival: {{period: {period}ms, offset: {self.time(0, period * 1000 - 1)}}}"
        return f"period: {period}ms"

    def alone(self, name: str, core: str, low: int = 100, high: int = 1500) -> None:
        priority = self.mark(core, name)
        cost = self.time(low, high)
        self.lines.append(
            f"  {name}: {{core: m/{core}, priority: {priority}, wcet: {cost}, {self.released()}}}"
        )
        self.chains[name] = name

    def plain(self) -> None:
        """Threads that only compute."""
        cores = self.random.choice((1, 1, 2))
        self.head(cores)
        self.lines.append("threads:")
        for number in range(self.random.randint(3, 5 if cores == 2 else 4)):
            self.alone(f"t{number}", f"c{self.random.randrange(cores)}")

    def following(self) -> None:
        """Threads of which some follow others."""
        cores = self.random.choice((1, 2))
        self.head(cores)
        self.lines.append("threads:")
        self.alone("t0", f"c{self.random.randrange(cores)}")
        for number in range(1, self.random.randint(3, 4)):
            name, core = f"t{number}", f"c{self.random.randrange(cores)}"
            if self.random.random() < 0.5:
                self.alone(name, core)
                continue
            before, cost = f"t{number - 1}", self.time(50, 900)
            self.lines.append(
                f"  {name}: {{core: m/{core}, priority: {self.mark(core, name)}, wcet: {cost}, "
                f"follows: {{threads: [{before}]}}}}"
            )
            self.chains[name] = f"{self.chains[before]}, {name}"

    def middleware(self) -> None:
        """Publishers, a flow controller, a listener, subscribers."""
        random, cores = self.random, self.random.choice((1, 2, 2, 3))
        self.head(cores)

        def core() -> str:
            return f"c{random.randrange(cores)}"

        policy = random.choice(("FIFO", "HIGH_PRIORITY", "ROUND_ROBIN"))
        topics = ["T0", "T1"][: random.choice((1, 2))]
        self.lines.append("topics:")
        for topic in topics:
            said = self.mark("topics", topic) if policy == "HIGH_PRIORITY" else "0"
            self.lines.append(f"  {topic}: {{size: 1kB, priority: {said}}}")
        place = core()
        at = self.mark(place, "F")
        self.lines.append(
            f"flow_controllers: {{F: {{core: m/{place}, priority: {at}, policy: {policy}}}}}"
        )
        place = core()
        at = self.mark(place, "L")
        self.lines += [f"listeners: {{L: {{core: m/{place}, priority: {at}}}}}", "threads:"]
        for number, topic in enumerate(topics):
            sent = random.choice(("mode: async, flow_controller: F", "mode: sync"))
            place, writer, reader = core(), f"w{number}", f"r{number}"
            self.lines.append(
                f"  {writer}: {{core: m/{place}, priority: {self.mark(place, writer)}, wcet: "
                f"{self.time(50, 800)}, {self.released()}, "
                f"publishes: [{{topic: {topic}, {sent}}}]}}"
            )
            place = core()
            self.lines.append(
                f"  {reader}: {{core: m/{place}, priority: {self.mark(place, reader)}, wcet: "
                f"{self.time(50, 900)}, subscribes: {{topics: [{topic}], listener: L}}}}"
            )
            self.chains[f"chain{number}"] = f"{writer}, {topic}, {reader}"
        if random.random() < 0.5:
            self.alone("other", core(), 50, 900)

    def executors(self) -> None:
        """Callbacks in executors and pools, beside threads."""
        random = self.random
        kind = random.choice(("single_threaded", "multi_threaded", "fixed_priority", "events"))
        cores = random.choice((1, 2))
        self.head(cores)
        self.lines.append("topics: {T: {size: 1kB}}")
        self.lines.append(f"listeners: {{L: {{core: m/c0, priority: {self.mark('c0', 'L')}}}}}")
        place = f"c{random.randrange(cores)}"
        said = f"core: m/{place}, priority: {self.mark(place, 'e0')}, kind: {kind}"
        self.lines.append(f"executors: {{e0: {{{said}}}}}")
        self.lines.append("callbacks:")
        for name in ("tick", "take", "slow")[: random.choice((2, 3))]:
            urgency = (
                f", priority: {self.mark('callbacks', name)}" if kind == "fixed_priority" else ""
            )
            period = random.choice((4, 5, 8, 10, 20))
            how = (
                f"timer: {period}ms, publishes: [{{topic: T}}]"
                if name == "tick"
                else (
                    "subscribes: {topics: [T], listener: L}"
                    if name == "take"
                    else f"timer: {period}ms"
                )
            )
            cost = self.time(50, 900)
            self.lines.append(f"  {name}: {{executor: e0, wcet: {cost}, {how}{urgency}}}")
        self.chains["loop"] = "tick, T, take"
        if "slow" in self.lines[-1]:
            self.chains["slow"] = "slow"
        self.lines.append("threads:")
        for number in range(random.choice((1, 2))):
            self.alone(f"t{number}", f"c{random.randrange(cores)}", 50, 900)


def examined(seed: int) -> str:
    """What became of one system; raises AssertionError where `improve` is worse than all orders,
    or says what `analyze` does not."""
    drawn = Drawn(seed)
    text = drawn.late()
    if text is None:
        return "left out"
    system = ddsrta.loads(text)
    if ddsrta.analyze(system, check=False).verdict == "met":
        return "in time"
    keep = () if drawn.keep is None else (f"*{drawn.keep[1]}: priority",)
    limit = 3 * MOST + 150
    found = ddsrta.improve(system, only=["priorities"], most=1, candidates=limit, keep=keep)
    if found.repairs:
        repaired = ddsrta.analyze(found.repairs[0].system)
        assert repaired.verdict == "met", f"{seed}: refuted\n{text}"
        assert repaired.check is not None and repaired.check.status == "confirmed", seed
        return f"{drawn.kind} repaired"
    order = drawn.met_by(text)
    assert order is None, f"{seed}: {order} meets all\n{text}"
    return f"{drawn.kind} has none"


def campaign(first: int, count: int) -> Counter[str]:
    """So many systems."""
    return Counter(examined(seed) for seed in range(first, first + count))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--systems", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    options = parser.parse_args()
    begin, counts, seed = time.monotonic(), Counter[str](), options.first
    while seed < options.first + options.systems and time.monotonic() - begin < options.seconds:
        counts += campaign(seed, 1)
        seed += 1
    print(f"seeds {options.first} to {seed - 1}")
    for what, number in sorted(counts.items()):
        print(f"{number:6} {what}")
