"""More workers than cores: when tags start and are done where others have the cores, too.

Each way of lemma shared-cores, is claimed by what it comes to, and that is confirmed in one step.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from ddsrta.checker.lf.claims import Tally, by_name, figure
from ddsrta.checker.lf.enclaves.lagging import Lagging, Model
from ddsrta.checker.lf.program import NoBoundError
from ddsrta.checker.lf.things import Federation
from ddsrta.checker.reading import CertificateError, array, mapping, one_of, record
from ddsrta.checker.sums import RefutedError

_WAYS = {
    "in step": ("way", "others"),
    "long run": ("way", "burst", "enclaves"),
    "one core": ("way", "busy"),
}


class Way(NamedTuple):
    """A confirmed one: when tags of an enclave start at the latest, and how much later than that
    they are done, or `busy`: by when all is."""

    starts: Mapping[str, int]
    lags: Lagging
    more: Mapping[str, int]
    busy: Mapping[str, int]

    def done(self, name: str) -> int:
        """When a tag is done."""
        if name in self.busy:
            return self.busy[name]
        return self.starts[name] + self.lags.of(name).done() + self.more[name]

    def ending(self, name: str, reaction: str) -> int:
        """When a reaction has ended."""
        if name in self.busy:
            return self.busy[name]
        return self.starts[name] + self.lags.of(name).ending(reaction) + self.more[name]

    def starting(self, name: str, reaction: str) -> int:
        """When a reaction has started."""
        if name in self.busy:
            return self.busy[name]
        return self.starts[name] + self.lags.of(name).starting(reaction) + self.more[name]


class Sharing:
    """The ways of a certificate, each confirmed as it is read."""

    def __init__(
        self, tally: Tally, model: Model, alone: Lagging, waits: Mapping[str, int | None]
    ) -> None:
        self.tally, self.model, self.alone, self.waits = tally, model, alone, waits
        parts = model.whole.federates
        self.inside = [name for name in parts if parts[name].host in model.crowded]
        self.ways: list[Way] = []

    def read(self, value: object) -> None:
        """All of them."""
        for index, item in enumerate(array(value, "shared")):
            where = f"shared.{index}"
            way = one_of(mapping(item, where).get("way"), where, tuple(_WAYS))
            raw = record(item, where, _WAYS[way])
            self.tally.at = f"shared: {way}"
            if not self.inside:
                raise RefutedError(f"{where}: each worker has a core")
            try:
                self.ways.append(self._way(way, raw, where))
            except NoBoundError as error:
                raise RefutedError(f"{where}: {way} is claimed, but {error}") from None

    def _way(self, way: str, raw: Mapping[str, Any], where: str) -> Way:
        if way == "in step":
            return self._in_step(_figures(raw["others"], f"{where}.others", self.inside))
        if way == "one core":
            return self._one_core(_figures(raw["busy"], f"{where}.busy", self.model.crowded))
        burst = _figures(raw["burst"], f"{where}.burst", self.model.crowded)
        return self._long_run(raw, where, burst)

    def _done_alone(self, name: str) -> int:
        done = self.alone.done[name]
        if done is None:
            raise NoBoundError(f"no bound of {name} alone is claimed")
        return done

    def _start(self, name: str) -> int:
        start = self.waits[name]
        if start is None:
            raise NoBoundError(f"no start of {name} is claimed")
        return start

    def _in_step(self, others: Mapping[str, int]) -> Way:
        """Each enclave is done with a tag before its next one, and what others do meanwhile is
        counted."""
        if self.model.asked:
            raise NoBoundError("empty tags are asked for")
        spans = self._spans()
        done = {name: self._done_alone(name) + others[name] for name in self.inside}
        for name in self.inside:
            apart = self.alone.of(name).apart()
            good = apart is None or done[name] <= apart
            self.tally.holds(
                f"in step: {name}", good, f"{done[name]} is more than its tags are apart"
            )
        for host, cores in self.model.crowded.items():
            here = [n for n in self.inside if self.model.whole.federates[n].host == host]
            for name in here:
                work = self._meanwhile(name, here, done, spans[name])
                because = f"{others[name]} is claimed, but others do {work} on {cores} cores"
                self.tally.holds(f"in step: {name}", others[name] * cores >= work, because)
        starts = {name: self._start(name) for name in self.inside}
        return Way(starts, self.alone, others, {})

    def _meanwhile(self, name: str, here: list[str], done: Mapping[str, int], span: int) -> int:
        """The most work of others in the time of a tag, over all of its tags."""
        most = 0
        for _, tag in self.alone.of(name).demand():
            work = 0
            for other in here:
                if other == name and not span:
                    continue  # of its own, earlier tags are done and later ones not begun
                workers = self.model.whole.federates[other].workers
                for cost, tags in self.alone.of(other).demand():
                    self.model.budget.curve()
                    count = 1
                    if tags.period:
                        start, end = -span - done[other], done[name]
                        if tags.root is None and tag.root is None and tags.period == tag.period:
                            apart = tags.at - tag.at
                            count = -((apart - end) // tags.period) - 1
                            count = max(0, count - (start - apart) // tags.period)
                        else:
                            count = -((start - end) // tags.period)
                    work += min(cost * count, workers * (span + done[name]))
            most = max(most, work)
        return most

    def _spans(self) -> dict[str, int]:
        """How much earlier than a tag one can be for which it waits upstream."""
        joints, names = self.model.cut.joints, self.model.whole.federates
        waiting = dict.fromkeys(names, 0)
        for joint in joints:
            waiting[joint.target] += 1
        ready = [name for name, count in waiting.items() if not count]
        spans = dict.fromkeys(names, 0)
        for name in ready:
            for joint in joints:
                self.model.budget.curve()
                if joint.source == name:
                    target = joint.target
                    spans[target] = max(spans[target], spans[name] + (joint.after or 0))
                    waiting[target] -= 1
                    if not waiting[target]:
                        ready.append(target)
        if len(ready) < len(spans):
            raise NoBoundError("enclaves are in a circle")
        return spans

    def _one_core(self, busy: Mapping[str, int]) -> Way:
        """All is done within a time in which no more work comes than one core can do."""
        if self.model.asked:
            raise NoBoundError("empty tags are asked for")
        found = {}
        for name in self.inside:
            self._done_alone(name)
            found[name] = busy[self.model.whole.federates[name].host]
        for host, most in busy.items():
            work = 0
            for name in self.inside:
                if self.model.whole.federates[name].host == host:
                    rows = self.alone.of(name).demand()
                    work += sum(c * (-(-most // t.period) if t.period else 1) for c, t in rows)
            self.tally.holds(f"one core: {host}", work <= most, f"in {most} comes work of {work}")
        return Way({}, self.alone, {}, found)

    def _long_run(self, raw: Mapping[str, Any], where: str, burst: Mapping[str, int]) -> Way:
        """All is slower by what others take in the long run, and one burst."""
        shares = self._shares()
        for host, share in shares.items():
            self.tally.holds(f"long run: {host}", share < Fraction(1, 2), "others take too much")
        slowed = self._slowed({host: 1 / (1 - share) for host, share in shares.items()})
        names = self.model.whole.federates
        rows = by_name(raw["enclaves"], f"{where}.enclaves", ("waits", "done"), names)
        starts = {n: _sure(row["waits"], f"{where}.{n}.waits") for n, row in rows.items()}
        done = {n: _sure(row["done"], f"{where}.{n}.done") for n, row in rows.items()}
        later = {name: burst.get(part.host, 0) for name, part in names.items()}
        lags = Lagging(self.model, slowed, done, later)
        for name in names:
            what = f"long run: {name}"
            self.tally.at_least(f"{what}: waits", starts[name], lambda n=name: lags.waits(n))  # type: ignore[misc]
            takes = done[name] - starts[name]
            self.tally.at_least(f"{what}: done", takes, lambda n=name: lags.of(n).done())  # type: ignore[misc]
        for host, cores in self.model.crowded.items():
            total = Fraction(0)
            for name in self.inside:
                if names[name].host == host:
                    for cost, tags in self.alone.of(name).demand():
                        late = done[name] + burst[host] + lags.of(name).behind(tags)
                        total += cost * (1 + (Fraction(late, tags.period) if tags.period else 0))
            least = total / (cores * (1 - shares[host]))
            self.tally.holds(f"long run: {host}", burst[host] >= least, f"a burst is {least}")
        return Way(starts, lags, later, {})

    def _shares(self) -> dict[str, Fraction]:
        """What part of all cores work takes in the long run."""
        found = dict.fromkeys(self.model.crowded, Fraction(0))
        for name in self.inside:
            self._done_alone(name)
            host = self.model.whole.federates[name].host
            for cost, tags in self.alone.of(name).demand():
                if tags.period:
                    found[host] += Fraction(cost, tags.period * self.model.crowded[host])
        return found

    def _slowed(self, factors: Mapping[str, Fraction]) -> Federation:
        whole, parts = self.model.whole, {}
        for name, part in whole.federates.items():
            factor = factors.get(part.host, Fraction(1))
            reactions = {
                key: raw._replace(wcet=None if raw.wcet is None else _times(raw.wcet, factor))
                for key, raw in part.reactions.items()
            }
            overhead = _times(part.overhead, factor)
            parts[name] = part._replace(overhead=overhead, reactions=reactions)
        outgoing = {
            name: tuple(
                c._replace(send=_times(c.send, factors.get(parts[name].host, Fraction(1))))
                for c in connections
            )
            for name, connections in whole.outgoing.items()
        }
        return whole._replace(federates=parts, outgoing=outgoing)


def _times(cost: int, factor: Fraction) -> int:
    return -((-cost * factor.numerator) // factor.denominator)


def _sure(value: object, where: str) -> int:
    found = figure(value, where)
    if found is None:
        raise CertificateError(f"{where}: expected a number")
    return found


def _figures(value: object, where: str, expected: Any) -> dict[str, int]:
    raw = mapping(value, where)
    if set(raw) != set(expected):
        raise RefutedError(f"{where}: something is not claimed, or not there")
    return {name: _sure(raw[name], f"{where}.{name}") for name in expected}
