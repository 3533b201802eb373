"""How many messages there are at a tag of a centralized federation, as far as that is known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ddsrta.lf.bounds.rti.control import Control
from ddsrta.lf.bounds.rti.lags import Lags
from ddsrta.lf.program.tags import MICROSTEP

Claim = Literal["exact", "at least", "observed"]


@dataclass(frozen=True, slots=True)
class Count:
    """Messages of a kind at a tag at which all connections carry a message.

    `exact` and `at least` follow from how the RTI works; `observed` is what runs have shown.
    """

    kind: str
    direction: Literal["up", "down"]
    count: int
    claim: Claim


def counts(found: Lags) -> tuple[Count, ...]:
    """Of each kind.

    >>> from ddsrta.lf.program.examples import centralized
    >>> from ddsrta.lf.bounds.rti.lags import lags
    >>> [(count.kind, count.count, count.claim) for count in counts(lags(centralized()))][:3]
    [('MSG', 1, 'exact'), ('MSG', 1, 'exact'), ('LTC', 1, 'exact')]
    """
    return tuple(_counts(found.control, sum(map(len, found.zero_delay)), found.zero_delay != ()))


def _counts(control: Control, provisional: int, cyclic: bool) -> Iterator[Count]:
    messages = sum(map(len, control.upstream.values()))
    receivers = sum(1 for connections in control.upstream.values() if connections)
    senders = len({c.source for connections in control.upstream.values() for c in connections})
    claim: Claim = "exact" if _one_tag(control) else "at least"
    yield Count("MSG", "up", messages, claim)
    yield Count("MSG", "down", messages, claim)
    # Only those with inputs tell that they have completed a tag; others tell their next one.
    yield Count("LTC", "up", receivers, claim)
    # Whoever has sent a message tells its next tag, whatever DNETs say.
    yield Count("NET", "up", senders, "at least")
    if cyclic:
        yield Count("PTAG", "down", provisional, "observed")
        yield Count("TAG", "down", receivers - provisional, "at least")
    else:
        yield Count("PTAG", "down", 0, "exact")
        yield Count("TAG", "down", receivers, "at least")
    if not control.federation.rti.dnet:
        yield Count("DNET", "down", 0, "exact")
    else:
        yield Count("DNET", "down", 2 * max(0, senders - provisional), "observed")


def _one_tag(control: Control) -> bool:
    """Whether an event has one tag at each federate: all ways to it add the same.

    A time takes microsteps off, so that where there are both the order matters, too.
    """
    shifts = {c.shift for connections in control.upstream.values() for c in connections}
    if MICROSTEP in shifts and any(shift.time for shift in shifts):
        return False
    ways: dict[str, tuple[int, int]] = {}
    for start in control.upstream:
        queue = [] if start in ways else [start]
        ways.setdefault(start, (0, 0))
        while queue:
            name = queue.pop()
            for other, sign, shift in control.neighbours(name):
                time, microsteps = ways[name]
                way = (time + sign * shift.time, microsteps + sign * shift.microsteps)
                if other not in ways:
                    ways[other] = way
                    queue.append(other)
                elif ways[other] != way:
                    return False
    return True
