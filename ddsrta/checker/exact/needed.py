"""Which threads figures need, and which sources begin together (lemma left-out-of-zones)."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.checker.exact.model import Key, Model
from ddsrta.checker.exact.ways import ways_of


class Needed:
    """`servers`: units of all others come and go as they like, and nothing here is told of them."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.into: dict[str, list[Key]] = {}
        for way in ways_of(model):
            self.into.setdefault(way[2], []).append(way)
        self.asked = {
            (hop.source, hop.topic or "", hop.target) for f in model.figures for hop in f.hops
        }
        self.stages: dict[int, list[Key]] = {}
        for stage in self._stages():
            self.stages.setdefault(model.server_of(stage), []).append(stage)
        self.servers = self._closed()
        self.begins = self._begins()

    def _stages(self) -> Iterator[Key]:
        yield from (("job", name) for name in self.model.system.threads)
        yield from (("sample", *one) for one in self.model.samples)
        for ways in self.into.values():
            yield from (("message", *way) for way in ways if way[1])

    def _closed(self) -> frozenset[int]:
        """Those of the figures, and with each of them all that may change what comes to it, or
        when it has its core."""
        model = self.model
        left = [model.server_of(stage) for stage in self._of_figures()]
        found: set[int] = set()
        while left:
            server = left.pop()
            if server in found:
                continue
            found.add(server)
            its = model.servers[server]
            left += [
                i
                for i, other in enumerate(model.servers)
                if other.core == its.core and other.priority > its.priority
            ]
            for stage in self.stages.get(server, ()):
                left += [model.server_of(before) for before in self._before(stage)]
        return frozenset(found)

    def _of_figures(self) -> Iterator[Key]:
        for figure in self.model.figures:
            yield ("job", figure.of[0])
            if figure.kind == "ddl":
                yield from self._along(figure.of)
            for hop in figure.hops:
                yield ("job", hop.target)
                yield from self._along((hop.source, hop.topic or "", hop.target))

    def _along(self, way: Key) -> Iterator[Key]:
        """From a job to a reader."""
        yield ("job", way[0])
        if way[1]:
            yield ("message", *way)
            if way[:2] in self.model.samples:
                yield ("sample", *way[:2])

    def _before(self, stage: Key) -> Iterator[Key]:
        kind, name = stage[:2]
        if kind != "job":
            yield ("job", name)
            if kind == "message" and stage[1:3] in self.model.samples:
                yield ("sample", *stage[1:3])
            return
        is_timed = self.model.system.threads[name].arrival is not None
        for way in self.into.get(name, ()):
            if not is_timed or way in self.asked:
                yield from self._along(way)

    def _begins(self) -> dict[str, int]:
        """So long after the common start a source begins that meets another at a join, or on the
        path of a reaction."""
        model = self.model
        joined = {source for name in model.system.threads for source in self._joined(name)}
        for figure in model.figures:
            on_path = {figure.of[0], *(hop.target for hop in figure.hops)} & set(model.sources)
            if figure.kind == "reaction_time" and len(on_path) > 1:
                joined |= on_path
        found = {}
        for name, source in model.sources.items():
            mates = model.clock_mates(name)
            if joined.intersection(mates):
                found[name] = source.period if source.offset is None else self._span(mates)
        return found

    def _span(self, mates: list[str]) -> int:
        """So long a clock may take to begin that the first source of each period does in time."""
        first: dict[int, int] = {}
        for mate in mates:
            period, lead = self.model.sources[mate].period, self.model.lead(mate)
            first[period] = min(lead, first.get(period, lead))
        return min(period - lead for period, lead in first.items())

    def _joined(self, name: str) -> set[str]:
        if not self.model.system.threads[name].joins or not self.has(("job", name)):
            return set()
        found: set[str] = set()
        left, seen = [name], {name}
        while left:
            one = left.pop()
            if one in self.model.sources:
                found.add(one)
                continue
            before = {way[0] for way in self.into.get(one, ())} - seen
            seen |= before
            left += before
        return found if len(found) > 1 else set()

    def has(self, stage: Key) -> bool:
        """Whether units of a stage are followed."""
        return self.model.server_of(stage) in self.servers
