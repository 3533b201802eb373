"""A certificate of two parts that have nothing to do with each other, each of which was confirmed
in this process (lemma parts-apart)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ddsrta.checker.chains import check_names
from ddsrta.checker.judged import check_verdict
from ddsrta.checker.opened import confirmed_before, opened, remember, work_for
from ddsrta.checker.outcome import Outcome, outcome
from ddsrta.checker.reading import CertificateError, digests, mapping
from ddsrta.checker.sums import RefutedError
from ddsrta.checker.things import System
from ddsrta.checker.verdict import Verdict

_KINDS = ("cores", "topics", "flow_controllers", "listeners", "executors", "processes", "threads",
          "chains", "orders")  # fmt: skip
_LISTS = {
    "stages": lambda one: tuple(one["stage"]),
    "messages": lambda one: (one["publisher"], one["topic"], one["subscriber"]),
}
_BY_NAME = ("chains", "deadlines", "hops", "queues", "cores", "orders", "callbacks",
            "synchronizers")  # fmt: skip
_NAMED = ("skips", "mispaired")
_ALONE = ("ddsrta_certificate", "profile", "system", "digest", "assumptions", "verdict")
# Assumptions that no system shows by itself.
_FOUND = ("no-keys", "no-overflow", "reader-locks", "deadline-servers")


class UndecidedError(Exception):
    """It takes a check of the whole to tell."""


def check_parts(certificate: object, before: object, part: object) -> Verdict:
    """Confirm a certificate of which each claim stands in one of two that were confirmed: in that
    of a `part` of its system alone, or, where that part has nothing to do with it, in that of
    another system. Where it is not as simple as that, nothing is said."""
    try:
        seals = [_seal(one) for one in (before, part)]
        if not all(map(confirmed_before, seals)):
            raise UndecidedError("a certificate of a part was not confirmed here")
        raw, system, assuming, seal, _ = opened(certificate)
        parts = _Parts(raw, mapping(before, "certificate"), mapping(part, "certificate"))
        parts.check_system(system)
        confirmed = parts.check_claims()
        found = _outcome(raw, system)
        check_verdict(raw["verdict"], found)
    except RefutedError as error:
        return Verdict("refuted", 0, str(error))
    except (UndecidedError, CertificateError, KeyError, TypeError) as error:
        return Verdict("undecided", 0, f"not of parts that were confirmed: {error}")
    remember(seal, sum(map(work_for, seals)))
    return Verdict("confirmed", confirmed, None, assuming, found, certificate=seal)


def _seal(certificate: object) -> str:
    return digests(mapping(certificate, "certificate"), "system")[1]


class _Parts:
    """A certificate, one of a system that it has something in common with, and one of the rest."""

    def __init__(self, raw: dict[str, Any], before: dict[str, Any], part: dict[str, Any]) -> None:
        self.raw, self.before, self.part = raw, before, part
        self.kept: dict[str, set[str]] = {
            kind: set(_things(raw, kind)) - set(_things(part, kind)) for kind in _KINDS
        }

    def check_system(self, system: System) -> None:
        """Each thing is what it was; nothing that is kept has to do with anything else, before or
        now; and they share nothing that has no name."""
        if system.sleeps or system.media:
            raise UndecidedError("all of it hangs together")
        documents = [one["system"] for one in (self.raw, self.before, self.part)]
        for key in documents[0].keys() - set(_KINDS) - {"name"}:
            if any(one[key] != documents[0][key] for one in documents):
                raise UndecidedError(f"{key} is not the same")
        if any(one.keys() - documents[0].keys() - {"orders"} for one in documents):
            raise UndecidedError("there is something else")
        here: list[Any] = []
        there: list[Any] = []
        gone: list[Any] = []
        for kind in _KINDS:
            whole, old, new = (_things(one, kind) for one in (self.raw, self.before, self.part))
            kept = self.kept[kind]
            if new.keys() - whole.keys() or any(whole[name] != one for name, one in new.items()):
                raise UndecidedError(f"{kind} of the part differ")
            if any(name not in old or old[name] != whole[name] for name in kept):
                raise UndecidedError(f"{kind} that are kept differ")
            here += [old[name] for name in kept]
            there += new.values()
            gone += [one for name, one in old.items() if name not in kept]
        self._check_apart(here, there, gone)

    def _check_apart(self, here: list[Any], there: list[Any], gone: list[Any]) -> None:
        """By all words in them that are names of things, of whatever kind."""
        mine = set().union(*self.kept.values())
        others = {name for kind in _KINDS for name in _things(self.part, kind)}
        others |= {
            name
            for kind in _KINDS
            for name in _things(self.before, kind)
            if name not in self.kept[kind]
        }
        if not (others.isdisjoint(_words(here)) and mine.isdisjoint(_words([there, gone]))):
            raise UndecidedError("something names what is in another part")
        if _has_offset(here) and _has_offset([*there, *gone]):
            raise UndecidedError("parts share a clock")

    def check_claims(self) -> int:
        """All claims are those of the parts, and no others; how many there are."""
        known = {*_ALONE, *_LISTS, *_BY_NAME, *_NAMED}
        if unknown := self.raw.keys() - known:
            raise UndecidedError(f"'{min(unknown)}' may be of both")
        count = 0
        for key, name_of in _LISTS.items():
            whole, old, new = (
                _by_name(one[key], name_of) for one in (self.raw, self.before, self.part)
            )
            owner = _of_stage if key == "stages" else _of_message
            count += self._same(key, whole, old, new, owner)
        for key in _BY_NAME:
            whole, old, new = (one.get(key, {}) for one in (self.raw, self.before, self.part))
            count += self._same(key, whole, old, new, self._owner(key))
        for key in _NAMED:
            whole, old, new = (
                dict.fromkeys(one.get(key, ())) for one in (self.raw, self.before, self.part)
            )
            self._same(key, whole, old, new, _of_thread)
        assumed = [set(one.get("assumptions", ())) for one in (self.before, self.part, self.raw)]
        if (assumed[0] | assumed[1]).intersection(_FOUND) - assumed[2]:
            raise UndecidedError("what is assumed of a part is not assumed")
        return count

    def _same(
        self,
        key: str,
        whole: Mapping[Any, Any],
        old: Mapping[Any, Any],
        new: Mapping[Any, Any],
        owner: Callable[[Any], tuple[str, str]],
    ) -> int:
        kept = {}
        for name, one in old.items():
            kind, thing = owner(name)
            if thing in self.kept[kind]:
                kept[name] = one
        if kept.keys() & new.keys() or whole != {**kept, **new}:
            raise UndecidedError(f"{key} are not those of the parts")
        return len(whole)

    def _owner(self, key: str) -> Callable[[str], tuple[str, str]]:
        """The thing that tells which part a claim is of."""
        if key in ("chains", "deadlines", "hops"):
            return self._chain
        if key == "queues":
            return self._queue
        kind = key if key in _KINDS else "threads"
        return lambda name: (kind, name)

    def _chain(self, name: str) -> tuple[str, str]:
        is_whole = any(name in _things(one, "chains") for one in (self.raw, self.before))
        return "chains", name if is_whole else name.rpartition("/")[0]

    def _queue(self, name: str) -> tuple[str, str]:
        for kind in ("flow_controllers", "listeners"):
            if name in _things(self.before, kind):
                return kind, name
        return "threads", name.rpartition(" < ")[0]


def _of_stage(name: tuple[str, ...]) -> tuple[str, str]:
    return "threads", name[1]


def _of_message(name: tuple[str, ...]) -> tuple[str, str]:
    return "threads", name[0]


def _of_thread(name: str) -> tuple[str, str]:
    return "threads", name


def _things(certificate: Mapping[str, Any], kind: str) -> dict[str, Any]:
    found: dict[str, Any] = certificate["system"].get(kind, {})
    return found


def _by_name(claims: list[Any], name_of: Callable[[Any], Any]) -> dict[Any, Any]:
    found = {name_of(one): one for one in claims}
    if len(found) != len(claims):
        raise UndecidedError("something is claimed twice")
    return found


def _words(document: Any) -> set[str]:
    """All strings in a document, keys of mappings too."""
    found: set[str] = set()
    ahead = [document]
    while ahead:
        one = ahead.pop()
        if isinstance(one, str):
            found.add(one)
        elif isinstance(one, list):
            ahead += one
        elif isinstance(one, dict):
            found.update(one)
            ahead += one.values()
    return found


def _has_offset(things: list[Any]) -> bool:
    arrivals: Iterator[Any] = (one.get("arrival") for one in things)
    return any(one is not None and one.get("offset") is not None for one in arrivals)


def _outcome(raw: dict[str, Any], system: System) -> Outcome:
    """What the claims amount to."""
    own = (one for one in raw["stages"] if one["stage"][0] == "job")
    jobs = {one["stage"][1]: one.get("taken", one["response"]) for one in own}
    bounds = [*{**jobs, **raw.get("callbacks", {})}.values()]
    bounds += [one["ddl"] for one in raw["messages"]]
    met = [one["met"] for one in raw.get("orders", {}).values()]
    return outcome(system, check_names(system, mapping(raw["chains"], "chains")), bounds, met)
