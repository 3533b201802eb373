"""Latest starts of the threads of a core from busy windows, without a run to follow (lemma
core-windows)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from ddsrta.lf.bounds.schedulers.core_bounds import Stream, responses
from ddsrta.lf.bounds.schedulers.core_run import Policy
from ddsrta.lf.bounds.schedulers.members import Key, Member
from ddsrta.lf.bounds.schedulers.own import Blocker, Latest
from ddsrta.lf.bounds.schedulers.throttling import Throttle
from ddsrta.lf.bounds.unbounded import CORE_THROTTLED

_MOST_SOLVED = 20  # threads of a core whose windows are worked out for each of them alone


def bounded(members: Sequence[Member], policy: Policy, throttle: Throttle) -> dict[Key, Latest]:
    """Of each reaction with a deadline, whatever the order of jobs of equal priority."""
    result: dict[Key, Latest] = {}
    zero = tuple(member.name for member in members if member.last_start)
    known: dict[tuple[str, ...], _Solved] = {}
    for member in members:
        longer = () if not member.last_start else zero
        if member.last_start and len(members) <= _MOST_SOLVED:
            longer = (member.name,)
        if longer not in known:
            known[longer] = _solved(members, policy, throttle, longer)
        for reaction in member.wanted:
            result[member.name, reaction] = _from_windows(member, reaction, policy, known[longer])
    return result


class _Solved(NamedTuple):
    """Streams of a core, each with its environment and the reactions of its tags, and responses."""

    streams: Sequence[Stream]
    owners: Sequence[tuple[str, Sequence[str]]]
    works: Sequence[int]  # without what the last start needs
    responses: Mapping[int, int | None]


def _solved(
    members: Sequence[Member], policy: Policy, throttle: Throttle, longer: Collection[str]
) -> _Solved:
    """`longer`: environments whose jobs have what the last start needs on top."""
    streams, owners, works = [], [], []
    for member in members:
        urgency = -member.deadline if policy == "deadline-monotonic" else 0
        more = member.last_start if member.name in longer else 0
        for moment, names in member.moments.items():
            works.append(member.within.tag_work(names))
            streams.append(Stream(member.name, moment, works[-1] + more, urgency))
            owners.append((member.name, names))
    return _Solved(streams, owners, works, responses(streams, throttle))


def _from_windows(member: Member, reaction: str, policy: Policy, solved: _Solved) -> Latest:
    lags: list[int | None] = [0]
    for number, (owner, names) in enumerate(solved.owners):
        if owner == member.name and reaction in names:
            lags.append(_before_end(member, names, reaction, solved.responses[number]))
    known = [lag for lag in lags if lag is not None]
    if len(known) < len(lags):
        return Latest(None, because=CORE_THROTTLED.of())
    others = [
        Blocker(stream.environment, work, _why(member, stream, policy))
        for stream, work in zip(solved.streams, solved.works, strict=True)
        if stream.environment != member.name
        and (policy == "fifo" or stream.urgency >= -member.deadline)
    ]
    return Latest(max(known), blockers=tuple(others))


def _before_end(
    member: Member, names: Sequence[str], reaction: str, response: int | None
) -> int | None:
    """From the end of a tag back to the start of a reaction: what is behind it at least."""
    if response is None:
        return None
    if len(member.moments) == 1:
        within = member.within
        behind = within.tag_work(names) - within.start_at(names, reaction)
    else:
        behind = member.within.federate.reactions[reaction].wcet or 0
    return response - behind - member.last_start


def _why(member: Member, stream: Stream, policy: Policy) -> str:
    if policy == "deadline-monotonic" and stream.urgency > -member.deadline:
        return "has a shorter deadline"
    return "has the same priority, and may be ahead"
