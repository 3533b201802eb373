"""How many messages there are at a tag at which each connection carries one (docs/lf.md)."""

from __future__ import annotations

from typing import Any

from ddsrta.checker.lf.claims import Tally, listed
from ddsrta.checker.lf.control import Control
from ddsrta.checker.reading import integer, one_of

_ROW = ("kind", "direction", "count", "claim")
_CLAIMS = ("exact", "at least", "observed")


def check_messages(
    tally: Tally, control: Control, cycles: list[tuple[str, ...]], value: object
) -> None:
    """Each count is what is there, and is said to be no surer than it is."""
    expected = _counts(control, sum(map(len, cycles)))
    rows: dict[Any, dict[str, Any]] = listed(
        value, "messages", _ROW, expected, lambda raw: (raw["kind"], raw["direction"])
    )
    for key, raw in rows.items():
        count, sure = expected[key]
        what = f"messages {' '.join(key)}"
        tally.equal(what, integer(raw["count"], what), count)
        claim = one_of(raw["claim"], what, _CLAIMS)
        because = f"{claim} is claimed, but it is {sure}"
        good = claim == sure or (sure == "exact" and claim == "at least")
        tally.holds(what, good, because)


def _counts(control: Control, members: int) -> dict[tuple[str, str], tuple[int, str]]:
    links = [c for c in control.federation.connections if not c.physical]
    receivers = len({c.target for c in links})
    senders = len({c.source for c in links})
    once = "exact" if _one_tag_each(control) else "at least"
    quiet = not control.federation.rti.dnet
    dnets = 0 if quiet else 2 * max(0, senders - members)
    return {
        ("MSG", "up"): (len(links), once),
        ("MSG", "down"): (len(links), once),
        ("LTC", "up"): (receivers, once),
        ("NET", "up"): (senders, "at least"),
        ("PTAG", "down"): (members, "observed" if members else "exact"),
        ("TAG", "down"): (receivers - members, "at least"),
        ("DNET", "down"): (dnets, "exact" if quiet else "observed"),
    }


def _one_tag_each(control: Control) -> bool:
    """Whether all ways to a federate add the same: a time forgets microsteps before it, so that
    where there are both nothing is known."""
    links = [c for c in control.federation.connections if not c.physical]
    if any(c.after == 0 for c in links) and any(c.after for c in links):
        return False
    near: dict[str, list[tuple[str, int]]] = {name: [] for name in control.upstream}
    for c in links:
        delay = 1 if c.after == 0 else c.after or 0
        near[c.source].append((c.target, delay))
        near[c.target].append((c.source, -delay))
    at: dict[str, int] = {}
    for start in near:
        stack = [] if start in at else [start]
        at.setdefault(start, 0)
        while stack:
            name = stack.pop()
            for other, delay in near[name]:
                if other not in at:
                    at[other] = at[name] + delay
                    stack.append(other)
                elif at[other] != at[name] + delay:
                    return False
    return True
