"""Claims that were confirmed here of another system, and hold as long as what they are about does
what it did there (lemma out-of-reach)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ddsrta.checker.opened import Opened, Staged, confirmed_before, opened, staged, work_for
from ddsrta.checker.paths import hops, segments
from ddsrta.checker.reach import Scene, unreached
from ddsrta.checker.reading import CertificateError
from ddsrta.checker.relations import Neighbours
from ddsrta.checker.stages import Key
from ddsrta.checker.sums import Claim, RefutedError
from ddsrta.checker.walks import Known

_WORTH = 100  # units of work for each stage: where it took less, all of it is looked at again
_MOST = 2  # earlier certificates that are kept as they were read
_READ: dict[str, Earlier] = {}


class Earlier(NamedTuple):
    """What a certificate that was confirmed here claims, and of what; and what that took."""

    raw: Mapping[str, Any]
    scene: Scene
    claims: Mapping[Key, Claim]
    assuming: frozenset[str]
    work: int


def is_worth(seal: str, stages: int) -> bool:
    """Whether what took so long for so many stages is worth to be compared."""
    return confirmed_before(seal) and work_for(seal) >= _WORTH * stages


def earlier(certificate: object) -> Earlier:
    """Raises where it was not confirmed here."""
    given = opened(certificate)
    if not confirmed_before(given.seal):
        raise CertificateError("the earlier certificate was not confirmed here")
    if given.seal not in _READ:
        found = staged(given)
        scene = _scene(given, found, Neighbours(given.system, found.stages))
        if len(_READ) >= _MOST:
            del _READ[next(iter(_READ))]
        assuming, work = frozenset(given.assuming), work_for(given.seal)
        _READ[given.seal] = Earlier(given.raw, scene, found.claims, assuming, work)
    return _READ[given.seal]._replace(raw=given.raw)  # the other may have been changed since


def _scene(given: Opened, found: Staged, neighbours: Neighbours) -> Scene:
    return Scene(given.system, found.stages, neighbours, found.matched, bool(given.idle))


class Kept:
    """Which claims of a certificate are those of an earlier one, about what does the same."""

    def __init__(
        self, before: Earlier, given: Opened, found: Staged, neighbours: Neighbours
    ) -> None:
        scene = _scene(given, found, neighbours)
        now = Earlier(given.raw, scene, found.claims, frozenset(given.assuming), 0)
        self.before, self.now = before, now
        self.keys: set[Key] = set()
        both = before.raw, now.raw
        if before.assuming <= now.assuming:
            self.keys = unreached(before.scene, now.scene)
        self.messages = [_messages(raw) for raw in both] if self.keys else [{}, {}]

    def known(self) -> tuple[frozenset[Key], Known]:
        """The stages that are as claimed before; and how long the paths to them take from where
        they begin, which is where they were cut."""
        quiet = frozenset(key for key in self.keys if self.stage(key))
        known: Known = {}
        if not quiet:
            return quiet, known
        system, raw = self.before.scene.system, self.before.raw
        for name, claimed in raw.get("hops", {}).items():
            path, place = tuple(raw["chains"][name]["path"]), 0
            for part in segments(system, path[0], hops(system, path, name)):
                way = part.stages[:-1] if part.handover else part.stages
                at = known
                for key, hop in zip(way, claimed[place:], strict=False):
                    if key not in quiet or hop["latency"] is None:
                        break
                    at = at.setdefault(key, (hop["latency"], {}))[1]
                place += len(part.stages)
        return quiet, known

    def stage(self, key: Key) -> bool:
        """What is claimed of a stage."""
        return key in self.keys and self.before.claims[key] == self.now.claims[key]

    def message(self, key: Key) -> bool:
        """When it is there, and when it was sent."""
        before, now = self.messages
        return key in self.keys and before.get(key) == now[key]

    def response(self, name: str) -> bool:
        """That of a callback of several topics."""
        return ("job", name) in self.keys and self._is_same("callbacks", name)

    def chain(self, name: str) -> bool:
        """The figures of a path."""
        return self._is_same("chains", name) and self._path(name)

    def hops(self, name: str) -> bool:
        """Those of its stages; what is claimed of the stages is compared with them."""
        return self._is_same("hops", name) and self.chain(name)

    def _is_same(self, key: str, name: str) -> bool:
        before, now = (one.raw.get(key, {}) for one in (self.before, self.now))
        return name in before and before[name] == now[name]

    def _path(self, name: str) -> bool:
        """Whether all of a path does what it did, and who else writes its registers."""
        path = tuple(self.now.raw["chains"][name]["path"])
        try:
            before, now = (
                segments(one.scene.system, path[0], hops(one.scene.system, path, name))
                for one in (self.before, self.now)
            )
        except RefutedError:
            return False
        if before != now or not all(self.keys.issuperset(part.stages) for part in now):
            return False
        return all(part.register is None or self._has_writers(part.register) for part in now)

    def _has_writers(self, topic: str) -> bool:
        before, now = (one.scene.system.writers[topic] for one in (self.before, self.now))
        return before == now and all(("job", name) in self.keys for name in now)


def _messages(raw: Mapping[str, Any]) -> dict[Key, Any]:
    return {("message", m["publisher"], m["topic"], m["subscriber"]): m for m in raw["messages"]}
