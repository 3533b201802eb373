"""The situations that an exploration found, by the names of the system."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ddsrta.exploration.exact.explore import Zone
from ddsrta.exploration.exact.kept import PATHS, Kept
from ddsrta.exploration.exact.situation import Key, Since, Work
from ddsrta.exploration.exact.zone import NONE
from ddsrta.models.system import System
from ddsrta_simulator import Program
from ddsrta_simulator.orders import TURNS

Tag = tuple[int, int]  # of which figure, and where in it
Known = dict[Key, list[Zone]]


class Lists:
    """Situations of a program by names, with what the times of these measures need."""

    def __init__(self, system: System, program: Program, measures: Sequence[int]) -> None:
        self.p = program
        self.servers = _servers(system)
        self.threads = len(program.thread_worst)
        # of each thread: for each of its origins (0: its job) the places that it stands for
        self.places: list[list[list[Tag]]] = [
            [[] for _ in range(1 + count)] for count in program.thread_origins
        ]
        self.hops: list[dict[int, int]] = []  # of each figure: a hop, and which it is
        self.ends: dict[int, int] = {}  # of a path, and which figure that is
        self.kept = Kept(program, set(measures))
        self.ddl: dict[int, int] = {}  # the stream of a delivery, and which figure that is
        for number, measure in enumerate(measures):
            self._measure(number, measure)

    def _measure(self, number: int, measure: int) -> None:
        p = self.p
        self.hops.append({})
        if measure in p.stream_ddl:
            self.ddl[list(p.stream_ddl).index(measure)] = number
            return
        end = next(list(c).index(measure) for c in map(p.__getattribute__, PATHS) if measure in c)
        self.ends[end] = number
        thread = next(
            t for t in range(self.threads) if p.thread_end[t] <= end < p.thread_end[t + 1]
        )
        origin, back = p.end_origin[end], []
        while origin >= 0:
            hop, copy = self._copied(thread, origin)
            back.append((thread, origin, hop))
            thread = p.stages.index(("job", p.hops[hop][0]))
            origin = p.copy_from[copy]
        self.places[thread][0].append((number, 0))
        for at, (reader, its, hop) in enumerate(reversed(back)):
            self.hops[number][hop] = at
            self.places[reader][its + 1].append((number, at + 1))

    def _copied(self, thread: int, origin: int) -> tuple[int, int]:
        """The hop, and its copy, that brings an origin."""
        p = self.p
        for hop in range(*p.thread_hop[thread : thread + 2]):
            for copy in range(*p.hop_copy[hop : hop + 2]):
                if p.copy_to[copy] == origin:
                    return hop, copy
        raise AssertionError(origin)

    def situations(self, known: Known) -> list[dict[str, Any]]:
        """All of them."""
        return [_One(self, key, zones).document() for key, zones in known.items() if zones]


class _One:
    """One situation: clocks are numbered as they are met."""

    def __init__(self, lists: Lists, key: Key, zones: list[Zone]) -> None:
        self.lists, self.p, self.zones = lists, lists.p, zones
        self.key: Any = key
        self.order = [0]

    def clock(self, clock: int) -> int:
        if clock not in self.order:
            self.order.append(clock)
        return self.order.index(clock)

    def document(self) -> dict[str, Any]:
        p, servers = self.p, self.lists.servers
        begun, current, queues, turn, had, tokens, ways, running, registers, known = self.key
        firsts, kept, at = p.server_queue, self.lists.kept, self.lists.kept.clocks
        waiting = {
            name: [self.unit(w) for queue in queues[firsts[i] : firsts[i + 1]] for w in queue]
            for i, name in enumerate(servers)
        }
        made = {
            "begun": {p.sources[i]: self.clock(at[i]) for i, one in enumerate(begun) if one},
            "beginning": {
                p.sources[i]: self.clock(at[i])
                for i, most in enumerate(kept.begins)
                if most and not begun[i] and kept.leads[i]
            },
            "serving": {servers[i]: self.unit(w) for i, w in enumerate(current) if w is not None},
            "waiting": {name: units for name, units in waiting.items() if units},
            "turns": {
                servers[i]: [one - firsts[i], had[i]]
                for i, one in enumerate(turn)
                if p.server_order[i] == TURNS and one >= 0
            },
            "tokens": [
                [*self.hop(i), [self.token(i, job) for job in jobs]]
                for i, jobs in enumerate(tokens)
                if jobs
            ],
            "flying": [
                [*self.way(i), [self.on_way(i, w) for w in works]]
                for i, works in enumerate(ways)
                if works
            ],
            "registers": [
                [*self.hop(i), self.token(i, job)] for i, job in enumerate(registers) if any(job)
            ],
            "known": [
                [self.lists.ends[end], self.clock(since[0]), since[1]]
                for end, since in enumerate(known)
                if since is not None
            ],
            "running": {p.cores[i]: servers[one] for i, one in enumerate(running) if one >= 0},
        }
        return {**made, "zones": [self.zone(zone) for zone in self.zones]}

    def zone(self, zone: Zone) -> list[list[int]]:
        """The clocks that count; what is as good as endless is."""
        rows = [[zone[a][b] for b in self.order] for a in self.order]
        return [[one if one < NONE // 2 else NONE for one in row] for row in rows]

    def hop(self, hop: int) -> list[str]:
        source, topic, target = self.p.hops[hop]
        return [source, topic or "", target]

    def way(self, way: int) -> list[str]:
        streams = len(self.p.stream_hop)
        hop = self.p.stream_hop[way] if way < streams else self.p.link_hop[way - streams]
        return self.hop(hop)

    def on_way(self, way: int, work: Work) -> list[Any]:
        if work.stage >= 0:
            return self.unit(work)
        hop = self.p.link_hop[way - len(self.p.stream_hop)]
        return [
            ["news", *self.hop(hop)],
            self.token(hop, work.job),
            0,
            [],
            self.clock(work.done),
            0,
            0,
        ]

    def unit(self, work: Work) -> list[Any]:
        stage = self.p.stages[work.stage]
        left = [self.p.streams[stream][2] for stream in work.left]
        clocks = [one and self.clock(one) for one in (work.done, work.sending, work.away)]
        return [list(stage), self.tags(work), work.step, left, *clocks]

    def tags(self, work: Work) -> list[list[int]]:
        """Since when, for each figure that it counts for."""
        lists, p = self.lists, self.p
        kind = p.stages[work.stage][0]
        found = []
        if kind == "job":
            found += self.known(lists.places[work.stage], work.job)
            for stream, number in lists.ddl.items():
                if self.sends(work.stage, stream):
                    found.append(((number, 0), work.job[0]))
        else:
            name = p.stages[work.stage][1:]
            for hop, its in enumerate(p.hops):
                if tuple(its)[: len(name)] == name:
                    found += self.behind(hop, work.job)
            for stream, number in lists.ddl.items():
                if p.streams[stream][: len(name)] == name:
                    found.append(((number, 0), work.since))
        return self.written(found)

    def sends(self, thread: int, stream: int) -> bool:
        """Whether jobs of a thread send a delivery by themselves."""
        p = self.p
        name = p.streams[stream]
        return p.stages[thread] == ("job", name[0]) and ("sample", *name[:2]) not in p.stages

    def known(self, places: list[list[Tag]], job: tuple[Since, ...]) -> list[tuple[Tag, Since]]:
        """What a job knows."""
        return [(tag, since) for tags, since in zip(places, job, strict=True) for tag in tags]

    def behind(self, hop: int, job: tuple[Since, ...]) -> list[tuple[Tag, Since]]:
        """What of that goes on by a hop."""
        source = self.p.stages.index(("job", self.p.hops[hop][0]))
        return [
            (tag, since)
            for tag, since in self.known(self.lists.places[source], job)
            if self.lists.hops[tag[0]].get(hop) == tag[1]
        ]

    def token(self, hop: int, job: tuple[Since, ...]) -> list[list[int]]:
        return self.written(self.behind(hop, job))

    def written(self, tags: list[tuple[Tag, Since]]) -> list[list[int]]:
        found = {tag: since for tag, since in tags if since is not None}
        return [[*tag, self.clock(since[0]), since[1]] for tag, since in sorted(found.items())]


def _servers(system: System) -> list[str]:
    """The names of all threads, in the order in which programs number them."""
    found = [f"thread {n}" for n, thread in system.threads.items() if thread.executor is None]
    found += [f"executor {name}" for name in system.executors]
    found += [f"flow controller {name}" for name in system.flow_controllers]
    return [*found, *(f"listener {name}" for name in system.listeners)]
