"""Who waits for what, and for whom nothing is waited (lemmas safe-to-process, sole-input and
ticks-between)."""

from __future__ import annotations

from collections.abc import Mapping

from ddsrta.checker.lf.tags import Tags, gap, meet, microsteps
from ddsrta.checker.lf.things import FOREVER, SHORT, Connection, Federation
from ddsrta.checker.lf.times import Times


def shares_tag(times: Times, connection: Connection) -> bool:
    """Whether two of its messages can have one tag: an `after` takes microsteps off."""
    if not connection.after:
        return False
    tags = list(times.of((connection.source, connection.output)))
    many = any(microsteps(one, two) for i, one in enumerate(tags) for two in tags[i:])
    return many or connection.source in times.dense


def certainly(times: Times, connection: Connection) -> bool:
    """Whether a message comes at each tag that the receiver has."""
    if connection.target in times.dense:
        return False
    sure = times.sure.get((connection.target, connection.input), {})
    for tags, first in times.advanced(connection.target).items():
        begins = sure.get(tags)
        if begins is None or begins > first:
            return False
    return True


def alone(federation: Federation, times: Times, name: str) -> bool:
    """Whether the messages of one connection make all tags of a federate."""
    federate = federation.federates[name]
    incoming = federation.incoming[name]
    if len(incoming) != 1 or incoming[0].physical or shares_tag(times, incoming[0]):
        return False
    if federate.timers or federate.actions or federate.enclaves:
        return False
    if any(inner.after is not None for inner in federate.inner):
        return False
    for reaction in federate.reactions.values():
        own = {"startup", "reset", "shutdown"} & set(reaction.triggers)
        ends = own == {"shutdown"} and not reaction.effects and reaction.deadline is None
        if own and not (ends and federate.maxwait == FOREVER):
            return False
    return True


def stops(
    federation: Federation, times: Times, waits: Mapping[str, int | None]
) -> dict[str, int | None]:
    """How long each federate may stop at a tag for inputs that do not come, when it waits so long;
    None: without end."""
    found: dict[str, int | None] = {}
    for name, federate in federation.federates.items():
        longest: int | None = 0
        inputs = [] if alone(federation, times, name) else federation.into(name)
        given = federate.maxwait
        wait = waits[name] if given is None else given if isinstance(given, int) else None
        for connection in inputs:
            absent = federation.absence(connection)
            if isinstance(absent, str):
                longest = longest if certainly(times, connection) else None
            elif longest is not None:
                short = wait is not None and wait + absent < SHORT
                longest = max(longest, absent + SHORT if short else absent)
            if longest is None:
                break
        found[name] = longest
    return found


def undisturbed(federation: Federation, times: Times, link: Connection, late: int) -> bool:
    """Whether no tag of the receiver comes before messages that are so late (lemma
    ticks-between)."""
    name = link.target
    federate = federation.federates[name]
    triggers = {t for reaction in federate.reactions.values() for t in reaction.triggers}
    if (
        len(federation.incoming[name]) != 1
        or federate.actions
        or federate.enclaves
        or triggers & {"startup", "shutdown", "reset"}
        or any(inner.after is not None for inner in federate.inner)
        or name in times.dense
        or shares_tag(times, link)
        or _returns(federation, name)
    ):
        return False
    ticks = [t for key in federate.timers for t in times.of((name, key))]
    messages = list(times.of((name, link.input)))
    for message in messages:
        if any(_within(message, tag, late) for tag in (*ticks, *messages)):
            return False
        if any(meet(message._replace(step=0), tick) for tick in ticks):
            return False
    return True


def _within(message: Tags, tag: Tags, late: int) -> bool:
    distance = gap(message, tag)
    return distance is not None and distance < late


def _returns(federation: Federation, name: str) -> bool:
    """Whether what it sends can come back to it."""
    seen: set[str] = set()
    stack = [name]
    while stack:
        for connection in federation.outgoing[stack.pop()]:
            if connection.target not in seen:
                seen.add(connection.target)
                stack.append(connection.target)
    return name in seen


def spacing(times: Times, link: Connection) -> int:
    """The least time from a tag of its messages to a later one of the receiver."""
    if link.target in times.dense:
        return 0
    messages = times.of((link.target, link.input))
    gaps = [gap(one, tag) for one in messages for tag in times.advanced(link.target)]
    return min((distance for distance in gaps if distance is not None), default=0)
