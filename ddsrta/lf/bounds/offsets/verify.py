"""Given offsets, checked: which messages can be tardy, over which path, and who would notice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ddsrta.lf.bounds.logical_time.certain import shares_tag
from ddsrta.lf.bounds.logical_time.moments import before
from ddsrta.lf.bounds.offsets.links import Link, Network
from ddsrta.lf.bounds.offsets.waits import Waits
from ddsrta.lf.program.shapes import FOREVER

Outcome = Literal["met", "alone", "between", "spaced", "shared", "violated", "unbounded"]


@dataclass(frozen=True, slots=True)
class Check:
    """A connection to a federate whose maxwait is given (None: forever).

    `need`: the wait that no message can exceed. `spaced`: maxwait alone is too short, but with
    `absent` (None: forever) it is enough, for no later tag of the receiver comes so soon that it
    could have begun. `alone`: its messages make all tags of the receiver. `between`: no tag of the
    receiver comes before they are there. `shared`: two of its messages can get the same tag.
    `silent` are the reactions that take a tardy message for one of a wrong tag and have no handler.
    """

    link: Link
    need: int | None
    maxwait: int | None
    absent: int | None
    outcome: Outcome
    path: tuple[Link, ...]
    silent: tuple[str, ...] = ()

    @property
    def slack(self) -> int | None:
        """What is left of the wait; negative where a message can be tardy."""
        if self.need is None or self.maxwait is None:
            return None
        if self.outcome in ("alone", "between", "shared") or (
            self.outcome == "spaced" and self.absent is None
        ):
            return None
        return self.maxwait - self.need + ((self.absent or 0) if self.outcome == "spaced" else 0)


def checks(network: Network, found: Waits) -> list[Check]:
    """A check for each connection to a federate with a given maxwait, in the order of the file."""
    return list(_checks(network, found))


def _checks(network: Network, found: Waits) -> Iterator[Check]:
    for link in network.links:
        maxwait = network.federation.federates[link.connection.target].maxwait
        if maxwait is None:
            continue
        start, weight = found.values[link.connection.source], link.weight
        need = None if start is None or weight is None else max(0, start + weight)
        given = network.federation.absent_after(link.connection)
        absent = None if given == FOREVER else given
        path = (*found.path(link.connection.source), link)
        if can_share_tag(network, link):
            number, silent = None if maxwait == FOREVER else maxwait, _silent(network, link)
            yield Check(link, need, number, absent, "shared", path, silent)
            continue
        if maxwait == FOREVER:
            yield Check(link, need, None, absent, "met", path)
            continue
        enough = need is not None and need <= maxwait
        if link.connection.target in network.alone and not enough:
            yield Check(link, need, maxwait, absent, "alone", path)
            continue
        if link.index in network.late:
            yield Check(link, need, maxwait, absent, "between", path)
            continue
        outcome = _outcome(network, link, need, maxwait, absent)
        silent = _silent(network, link) if outcome in ("violated", "unbounded") else ()
        yield Check(link, need, maxwait, absent, outcome, path, silent)


def _outcome(
    network: Network, link: Link, need: int | None, maxwait: int, absent: int | None
) -> Outcome:
    if need is None:
        return "unbounded"
    if need <= maxwait:
        return "met"
    late = need - maxwait
    known = absent is None or late <= absent
    return "spaced" if known and _spacing(network, link) >= late else "violated"


def can_share_tag(network: Network, link: Link) -> bool:
    """Whether two messages of a connection can get the same tag."""
    return shares_tag(network.found, link.connection)


def _spacing(network: Network, link: Link) -> int:
    """The least time from a tag of a connection's messages to a later tag of the receiver."""
    found, target = network.found, link.connection.target
    if target in found.dense:
        return 0
    own = found.tags(network.federation.federates[target])
    messages = found.places.get((target, link.connection.input), {})
    distances = [before(message, moment) for message in messages for moment in own]
    return min((distance for distance in distances if distance is not None), default=0)


def _silent(network: Network, link: Link) -> tuple[str, ...]:
    federate = network.federation.federates[link.connection.target]
    return tuple(
        name
        for name, reaction in federate.reactions.items()
        if link.connection.input in (*reaction.triggers, *reaction.sources) and not reaction.tardy
    )
