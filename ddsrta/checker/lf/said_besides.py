"""What results of federations say besides figures: findings, circles, and words for people."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, TypeGuard

from ddsrta.checker.leaves import Leaf
from ddsrta.checker.lf.document import read_federation
from ddsrta.checker.lf.together import groups
from ddsrta.checker.reading import shown

_Raw = Mapping[str, Any]
_MOST_WAYS = 4096  # round a circle, over connections side by side
_SEVERITIES: Mapping[str, str | tuple[str, ...]] = {
    "after-tardy": "note",
    "centralized": "note",
    "cores-unknown": "note",
    "deadline-below-grant": "error",
    "deadline-below-wait": "error",
    "deadlock": "error",
    "decentralized": "note",
    "enclave-waits": "note",
    "enclaves-as-one": "note",
    "endless-wait": "warning",
    "first-grant": "note",
    "late-chain": "error",
    "late-start": "error",
    "levels-unknown": "note",
    "linux-alone": "note",
    "more-workers-than-cores": "warning",
    "net-told": "note",
    "no-deadlines": "note",
    "one-order": "note",
    "order-lost": "warning",
    "own-cores": "note",
    "physical-upstream": "note",
    "positive-circle": "error",
    "same-tag": "error",
    "scheduled-once": "note",
    "shared-clock": "note",
    "shared-cores": "note",
    "short-wait": "note",
    "start-tag": "note",
    "tardy": "warning",
    "tardy-unnoticed": "error",
    "unknown": "warning",
    "wake-order": "note",
    "work-conserving": "note",
    "zero-delay-cycle": ("note", "warning"),
}


def _is_words(value: object) -> bool:
    if isinstance(value, dict):
        return all(map(_is_words, value.values()))
    if isinstance(value, list):
        return all(map(_is_words, value))
    return value is None or isinstance(value, str)


def _is_names(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


WORDS = Leaf(lambda value: None if _is_words(value) else "has more than words")


def findings(assumptions: Collection[str]) -> Leaf:
    """They say each thing that is assumed, and are as severe as their rules."""

    def wrong(value: object) -> str | None:
        given = value if isinstance(value, list) else []
        rules = {}
        for finding in given:
            if not isinstance(finding, dict) or not isinstance(finding.get("rule"), str):
                return "are none"
            rules[finding["rule"]] = finding.get("severity")
            good = _SEVERITIES.get(finding["rule"], ())
            if finding.get("severity") not in ((good,) if isinstance(good, str) else good):
                return f"call {shown(finding['rule'])} {shown(finding.get('severity'))}"
        missing = [rule for rule in assumptions if rule not in rules]
        return f"lack what is assumed: {', '.join(missing)}" if missing else None

    return Leaf(wrong)


def circles(evidence: _Raw) -> Leaf:
    """Federates that wait for each other, and by how much more with each round."""
    ways = list(_ways(evidence))

    def wrong(value: object) -> str | None:
        for circle in value if isinstance(value, list) else [None]:
            if not isinstance(circle, dict) or not isinstance(circle.get("federates"), list):
                return "are no circles"
            weight = circle.get("weight")
            if isinstance(weight, bool) or weight not in _sums(ways, circle):
                return f"have one of {shown(weight)}, and none comes to that"
        return None

    return Leaf(wrong)


def _ways(evidence: _Raw) -> Iterator[tuple[str, str, str, int | None]]:
    """From whom to whom, how, and how much later it is there."""
    links = evidence["federation"]["connections"]
    if evidence["profile"] == "lf-rti":
        for row in evidence["grants"]:
            if row["kind"] == "completed":
                yield row["source"], row["target"], "", row["x"]
        return
    for row in evidence["connections"]:
        link = links[row["connection"]]
        source, target = link["source"], link["target"]
        name = f"{source}.{link['output']} → {target}.{link['input']}"
        yield source, target, name, row["least_x"]


def _sums(ways: list[tuple[str, str, str, int | None]], circle: dict[str, Any]) -> set[int]:
    """All that one round can come to."""
    members = circle["federates"]
    names = circle.get("connections", [""] * len(members))
    if not isinstance(names, list) or len(names) != len(members):
        return set()
    found = {0} if members else set[int]()
    for index, name in enumerate(names):
        ends = members[index], members[(index + 1) % len(members)]
        steps = [w for *pair, how, w in ways if (*pair, how) == (*ends, name) and w is not None]
        found = {total + step for total in found for step in steps}
        if len(found) > _MOST_WAYS:
            return set()
    return {total for total in found if total > 0}


def zero_delay_cycles(evidence: _Raw) -> Leaf:
    """Who does tags together."""
    members = groups(read_federation(evidence["federation"]), lambda c: c.after is None)
    expected = sorted(sorted(one) for one in members)

    def wrong(value: object) -> str | None:
        if not isinstance(value, list) or not all(_is_names(one) for one in value):
            return "are no lists of names"
        return None if sorted(sorted(one) for one in value) == expected else "are others"

    return Leaf(wrong)
