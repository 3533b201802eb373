"""Latest starts under NP and GEDF_NP, each worker on a core of its own (lemmas reactions-before
and tags-in-order)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from ddsrta.bounds.unbounded import Because
from ddsrta.lf.bounds.logical_time.calendar import Instant, horizon, instants
from ddsrta.lf.bounds.logical_time.moments import Moment
from ddsrta.lf.bounds.schedulers.within import NEVER, Within
from ddsrta.lf.bounds.unbounded import TAGS_OVERLOAD


@dataclass(frozen=True, slots=True)
class Blocker:
    """Who takes `time` before a reaction starts, and why it may."""

    name: str
    time: int
    why: str


@dataclass(frozen=True, slots=True)
class Latest:
    """When a reaction starts at the latest after its tag (None: no bound, `because`).

    `exact`: a run of the model starts it so late. `tag`: the time of a tag at which it starts late;
    `seen`: how late it starts there in a run, where this is less than the bound.
    """

    lag: int | None
    exact: bool = False
    because: Because | None = None
    blockers: tuple[Blocker, ...] = ()
    tag: int | None = None
    seen: int | None = None


def latest_starts(
    within: Within, moments: Mapping[Moment, list[str]], real: bool = True
) -> dict[str, Latest]:
    """Of each reaction with a deadline that a federate without inputs has.

    `real`: some run has all of the moments, so that with one worker the figures are exact.
    """
    wanted = [n for n, r in within.federate.reactions.items() if r.deadline is not None]
    seen = horizon([moments])
    if seen is None:
        return {name: Latest(within.to_start(name)) for name in wanted}
    tags = instants(moments, seen.end)
    done = _finishes(within, tags)
    demand = sum(
        within.tag_work(step)
        for tag in tags
        if seen.first <= tag.time < seen.first + seen.period
        for step in tag.steps
    )
    if demand > seen.period and any(moment.root.period for moment in moments):
        percent = -(-100 * demand // seen.period)
        because = TAGS_OVERLOAD.of(federate=within.federate.name, load=percent, grants="")
        return {name: Latest(None, because=because) for name in wanted}
    exact = real and within.federate.workers == 1 and not within.sending
    return {name: _latest(within, tags, done, name, exact) for name in wanted}


def _finishes(within: Within, tags: list[Instant]) -> list[int]:
    """When each tag is done at the latest."""
    done: list[int] = []
    for tag in tags:
        begin = max(tag.time, done[-1] if done else 0)
        done.append(begin + sum(map(within.tag_work, tag.steps)))
    return done


def _latest(
    within: Within, tags: list[Instant], done: list[int], reaction: str, exact: bool
) -> Latest:
    worst: tuple[int, int, int, tuple[str, ...]] | None = None
    for index, tag in enumerate(tags):
        now = max(tag.time, done[index - 1] if index else 0)
        for step in tag.steps:
            if reaction in step:
                lag = now + within.start_at(step, reaction) - tag.time
                if worst is None or lag > worst[0]:
                    worst = (lag, now - tag.time, tag.time, step)
            now += within.tag_work(step)
    if worst is None:
        return Latest(0, exact)
    lag, left, time, step = worst
    blockers = [Blocker(n, c, why) for n, c, why in _reasons(within, step, reaction) if c]
    if left:
        blockers.insert(0, Blocker("earlier tags", left, "tags are processed in order"))
    return Latest(lag, exact, None, tuple(blockers), time)


def _reasons(within: Within, step: Collection[str], reaction: str) -> list[tuple[str, int, str]]:
    federate = within.federate
    level = within.level(reaction)
    found = []
    for name in within.ahead(step, reaction):
        why = "any order within a tag"
        if within.is_ordered and within.level(name) < level:
            why = f"level {within.level(name)} runs before level {level}"
        elif within.is_ordered and federate.scheduler == "GEDF_NP" and federate.workers == 1:
            same = within.inherited[name] == within.inherited[reaction]
            why = "same deadline, any order" if same else "earlier deadline"
            if within.inherited[name] == NEVER:
                why = "any order without deadlines"
        elif within.is_ordered and within.level(name) == level:
            why = "any order within a level"
        found.append((name, federate.reactions[name].wcet or 0, why))
    return found
