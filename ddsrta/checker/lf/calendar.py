"""The tags of an environment one by one, as far as they have to be followed (lemma
tags-in-order)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import lcm
from typing import NamedTuple

from ddsrta.checker.budget import Budget
from ddsrta.checker.lf.ahead import Ahead
from ddsrta.checker.lf.environments import Environment, linked
from ddsrta.checker.lf.program import NoBoundError
from ddsrta.checker.lf.tags import Tags
from ddsrta.checker.lf.things import BUILT_IN
from ddsrta.checker.lf.times import Times
from ddsrta.checker.reading import shown

MOST = 70_000

Series = tuple[int, int | None]  # first, and how far apart
Classes = Mapping[Tags, tuple[int, frozenset[str]]]  # the first time, and reactions


class Span(NamedTuple):
    """All recurs each `period` from `first` on."""

    first: int
    period: int

    @property
    def end(self) -> int:
        """Until when tags are followed."""
        return self.first + 2 * self.period


class Job(NamedTuple):
    """All tags of one time: how much of its work is done when each reaction starts."""

    release: int
    work: int
    starts: Mapping[str, int]


def classes(times: Times, member: Environment, *, empty: bool) -> Classes:
    """Which tags an environment can have, and with which reactions; with `empty` also those that
    may bring none."""
    name = member.federate
    if name in times.dense:
        raise NoBoundError(f"{shown(name)} has too many tags to follow")
    first: dict[Tags, int] = {}
    names: dict[Tags, set[str]] = {}
    for reaction in member.part.reactions:
        for tags, at in times.of((name, f"reaction {reaction}")).items():
            first[tags] = min(at, first.get(tags, at))
            names.setdefault(tags, set()).add(reaction)
    for place in _places(times, member) if empty else ():
        for tags, at in times.of((name, place)).items():
            first[tags] = min(at, first.get(tags, at))
    return {tags: (at, frozenset(names.get(tags, ()))) for tags, at in first.items()}


def _places(times: Times, member: Environment) -> list[str]:
    """Whatever can make a tag, and belongs to nobody else."""
    whole, part = times.federation.federates[member.federate], member.part
    others = [r for key, r in whole.reactions.items() if key not in part.reactions]
    theirs = linked(whole, {p for r in others for p in (*r.triggers, *r.sources, *r.effects)})
    mine = {trigger for reaction in part.reactions.values() for trigger in reaction.triggers}
    kinds = (part.timers, part.actions, part.inputs, part.outputs)
    places = [place for place in BUILT_IN if place in mine]
    places += [place for kind in kinds for place in kind]
    return [place for place in places if place not in theirs]


def span(found: Iterable[Classes]) -> Span | None:
    """How far tags have to be followed; None where that is too far, or they are not known."""
    known = [(tags, at) for one in found for tags, (at, _) in one.items()]
    if any(tags.root is not None for tags, _ in known):
        return None
    first = max((at for _, at in known), default=0)
    periods = [tags.period for tags, _ in known if tags.period]
    result = Span(first, lcm(*periods))
    return result if sum(result.end // period + 1 for period in periods) <= MOST else None


def moments(found: Classes, end: int, budget: Budget) -> list[tuple[int, list[frozenset[str]]]]:
    """The reactions of each time before the end, microstep by microstep."""
    by_time: dict[int, dict[int, frozenset[str]]] = {}
    for tags, (first, names) in found.items():
        for at in range(first, end, tags.period) if tags.period else [first]:
            budget.curve()
            steps = by_time.setdefault(at, {})
            steps[tags.step] = steps.get(tags.step, frozenset()) | names
    return [(at, [steps[step] for step in sorted(steps)]) for at, steps in sorted(by_time.items())]


def jobs(program: Ahead, found: Classes, end: int, budget: Budget) -> list[Job]:
    """All that an environment has to do before the end."""
    known: dict[frozenset[str], tuple[int, dict[str, int]]] = {}
    wanted = {n for n, r in program.federate.reactions.items() if r.deadline is not None}
    result = []
    for at, steps in moments(found, end, budget):
        work = 0
        starts: dict[str, int] = {}
        for names in steps:
            if names not in known:
                budget.curve(1 + len(names) * (1 + len(names & wanted)))
                begins = {name: program.starting(names, name) for name in names & wanted}
                known[names] = program.taking(names), begins
            took, begins = known[names]
            for name, begin in begins.items():
                starts[name] = max(work + begin, starts.get(name, 0))
            work += took
        result.append(Job(at, work, starts))
    return result


def overload(found: Iterable[Job], seen: Span) -> bool:
    """Whether more work comes in the period that recurs than it has time."""
    work = sum(job.work for job in found if seen.first + seen.period <= job.release)
    return work > seen.period
