"""Two results side by side: what got worse, what got better, what is new and what is gone."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from ddsrta.base.frozen import frozen
from ddsrta.base.units import Duration
from ddsrta.bounds.deadlines import WORDS, is_unbounded
from ddsrta.bounds.result import ChainResult, MessageResult, Result
from ddsrta.models.graph import hops_of_path

SENT = ": sent"  # after the name of a message: until its copy has left


class Figure(NamedTuple):
    """A bound; without a value it is unbounded, or, where not `listed`, perhaps means nothing."""

    value: Duration | None
    listed: bool = True


@frozen
class Move:
    """A figure that both results have, and that differs."""

    name: str
    old: Duration | None
    new: Duration | None

    @property
    def amount(self) -> str:
        """By how much, absolute and in per cent; a rise is never rounded down.

        >>> Move("c", Duration(3_000_000), Duration(4_000_000)).amount
        '+1 ms, +33.4 %'
        """
        if self.old is None:
            return "now bounded"
        if self.new is None:
            return "now unbounded"
        difference = self.new - self.old
        sign = "+" if difference > 0 else ""
        if self.old == 0:
            return f"{sign}{Duration(difference)}"
        permille = -(-1000 * difference // self.old)
        whole, tenth = divmod(abs(permille), 10)
        minus = "-" if permille < 0 else ""
        return f"{sign}{Duration(difference)}, {sign}{minus}{whole}.{tenth} %"

    def is_worse(self, tolerance: Fraction = Fraction(0)) -> bool:
        """Whether the figure rose by more than a fraction of what it was."""
        if self.old is None or self.new is None:
            return self.old is not None
        return self.new > self.old * (1 + tolerance)

    @property
    def is_better(self) -> bool:
        """Whether the figure fell."""
        return self.new is not None and (self.old is None or self.new < self.old)


@frozen
class Comparison:
    """What changed from a baseline; figures within the tolerance count as unchanged. `relaxed` are
    the deadlines and wanted orders that ask for less than they did, and the orders and queues that
    do not hold any more."""

    worse: tuple[Move, ...] = ()
    better: tuple[Move, ...] = ()
    new: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    relaxed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    is_blind: bool = False  # no bound was compared
    tolerance: Fraction = Fraction(0)


def compare(old: Result, new: Result, tolerance: Fraction = Fraction(0)) -> Comparison:
    """The changes from an old result to a new one: chains first, then messages and jobs. Of a
    result that a time limit ended no bound is compared: what it has may be above what it would be,
    and a bound that is not there yet would come as better, or worse, than none."""
    old, new = (_by_way(each, ends_of(old) | ends_of(new)) for each in (old, new))
    split = _split(old) | _split(new)
    moved = _other_ways(old, new)
    if ended := [name for name, one in (("older", old), ("newer", new)) if one.is_ended]:
        said = f"the time limit ended the analysis of the {ended[-1]} model: no bound was compared"
        asked = (*_relaxed_deadlines(old, new), *moved.values())
        return Comparison(relaxed=asked, notes=(said,), is_blind=True)
    before, after = (dict(_figures(each, split, set(moved))) for each in (old, new))
    common = _apart(
        Move(name, before[name].value, figure.value)
        for name, figure in after.items()
        if name in before
    )
    return Comparison(
        worse=tuple(change for change in common if change.is_worse(tolerance)),
        better=tuple(change for change in common if change.is_better),
        new=_only_in(after, before),
        gone=_only_in(before, after),
        relaxed=(
            *_relaxed_deadlines(old, new),
            *moved.values(),
            *_relaxed_orders(old, new),
            *_lost(old, new),
        ),
        notes=(*_notes(old, new), *_nothing_common(common)),
        is_blind=not common,
        tolerance=tolerance,
    )


def bounds_of(result: Result) -> dict[str, int | None]:
    """Every bound by its name in a comparison."""
    result = _by_way(result, ends_of(result))
    every = set(result.chains)
    return {name: figure.value for name, figure in _figures(result, every, set())}


def ends_of(result: Result) -> set[str]:
    """The chains that are every path between two ends."""
    return {name.rpartition("/")[0] for name, chain in result.chains.items() if chain.label}


def compared_name(name: str, path: tuple[str, ...], ends: Collection[str]) -> str:
    """What a chain is called beside another result. Of paths between two ends the numbers are
    others where a path has come, or is gone: they go by their way.

    >>> compared_name("all/2", ("a", "x", "b"), ["all"]), compared_name("l/2", ("a", "b"), ["all"])
    ('all (a → x → b)', 'l/2')
    """
    chain, _, number = name.rpartition("/")
    return f"{chain} ({' → '.join(path)})" if chain in ends and number.isdecimal() else name


def short_ways(*results: Result) -> dict[str, str]:
    """What paths between two ends are called beside another result, and that in short: by the steps
    that not all paths between these ends take, where that tells them apart.

    >>> from ddsrta import analyze
    >>> from ddsrta.examples import two_threads
    >>> short_ways(analyze(two_threads()))
    {}
    """
    ends = set[str]().union(*map(ends_of, results))
    chains = [item for result in results for item in result.chains.items()]
    found: dict[str, str] = {}
    for chain in ends:
        ways = [*dict.fromkeys(c.path for name, c in chains if name.rpartition("/")[0] == chain)]
        own = [tuple(n for n in way if any(n not in other for other in ways)) for way in ways]
        if len(set(own)) < len(ways) or (len(ways) > 1 and not all(own)):
            continue
        for way, steps in zip(ways, own, strict=True):
            via = f" (via {' → '.join(steps)})" if steps else ""
            found[compared_name(f"{chain}/1", way, ends)] = chain + via
    return found


def in_short(text: str, ways: Mapping[str, str]) -> str:
    """A text for people, with short names of paths."""
    for name, short in ways.items():
        text = text.replace(name, short)
    return text


def whole(bound: str) -> str:
    """A bound of a path between two ends, without its way: what it is called for all of them.

    >>> whole("chain all (a → x → b): latency"), whole("chain loop (new): latency")
    ('chain all: latency', 'chain loop (new): latency')
    """
    chain, colon, figure = bound.rpartition(": ")
    name, _, way = chain.rpartition(" (")
    return f"{name}{colon}{figure}" if " → " in way and way.endswith(")") else bound


def _by_way(result: Result, ends: Collection[str]) -> Result:
    if not ends:
        return result
    chains: dict[str, ChainResult] = {}
    for name, chain in result.chains.items():
        way = compared_name(name, chain.path, ends)
        chains[name if way in chains else way] = chain
    return replace(result, chains=chains)


def _apart(moves: Iterable[Move]) -> list[Move]:
    """Without what moved just as that did which it is a part of, and is said with it."""
    found = {move.name: move for move in moves}
    return [move for move in found.values() if not _is_said(move, found)]


def _is_said(move: Move, found: Mapping[str, Move]) -> bool:
    whole = found.get(move.name.removesuffix(SENT))
    if whole is None or whole is move or not move.name.startswith("message "):
        return False
    return _moved(move) == _moved(whole)


def _moved(move: Move) -> tuple[bool, bool, int]:
    """Whether it was bounded, whether it is, and how far it moved."""
    far = 0 if move.old is None or move.new is None else move.new - move.old
    return move.old is None, move.new is None, far


def _only_in(one: dict[str, Figure], other: dict[str, Figure]) -> tuple[str, ...]:
    return tuple(name for name, figure in one.items() if figure.listed and name not in other)


def _split(result: Result) -> set[str]:
    """The chains whose trigger latency says something that their latency does not."""
    return {name for name, c in result.chains.items() if c.trigger_latency != c.latency}


def _figures(result: Result, split: set[str], without: set[str]) -> Iterator[tuple[str, Figure]]:
    """Every bound by what a person would call it, without those of some chains."""
    for name, chain in result.chains.items():
        if name in without:
            continue
        for key, word in WORDS.items():
            value: Duration | None = getattr(chain, key)
            if key == "trigger_latency" and name not in split:
                continue
            if value is not None or chain.unbounded_because:
                listed = value is not None or is_unbounded(chain, key)
                yield f"chain {name}: {word}", Figure(value, listed)
    for m in result.messages:
        yield _called(m), Figure(m.ddl)
    for name, thread in result.threads.items():
        yield f"thread {name}", Figure(thread.wcrt)
    for name, callback in result.callbacks.items():
        yield f"callback {name}", Figure(callback.wcrt)
    for name, link in result.links.items():
        for message, transfer in link.messages.items():
            yield f"link {name}: {message}", Figure(transfer.wcrt)
    for name, found in result.synchronizers.items():
        yield f"synchronizer {name}: disparity", Figure(found.disparity)
        yield f"synchronizer {name}: gap", Figure(found.gap)
        for topic, wait in found.waits.items():
            yield f"synchronizer {name}: wait of {topic}", Figure(wait)
    yield from _parts(result)


def _called(m: MessageResult) -> str:
    """A job publishes a topic once, and a thread reads it once."""
    return f"message {m.publisher} → {m.topic} → {m.subscriber} ({m.mode})"


def _parts(result: Result) -> Iterator[tuple[str, Figure]]:
    for m in result.messages:
        if m.sent is not None or m.ddl is None:  # else an older result does not know it
            yield f"{_called(m)}{SENT}", Figure(m.sent, listed=False)


def _relaxed_deadlines(old: Result, new: Result) -> Iterator[str]:
    """What is not asked for any more, or later, would pass silently."""
    for name, before in old.chains.items():
        after = new.chains.get(name)
        if before.deadline is None:
            continue
        asked = f"chain {name}: {WORDS[before.constraint]} within {before.deadline}"
        if after is None or after.deadline is None:
            yield f"{asked} → no deadline"
        elif after.constraint != before.constraint or after.deadline > before.deadline:
            yield f"{asked} → {WORDS[after.constraint]} within {after.deadline}"
        elif _same_ends(before, after) and _is_left(before, new):
            ways = " → ".join(before.path), " → ".join(after.path)
            yield f"{asked} by {ways[0]}, which is by {ways[1]} now"


def _is_left(before: ChainResult, new: Result) -> bool:
    """Whether nobody asks any more as much of a way that there still is."""
    if new.model is None or isinstance(hops_of_path(new.model, before.path), str):
        return False
    return not any(
        _within(before.path, each.path)
        and each.constraint == before.constraint
        and each.deadline is not None
        and before.deadline is not None
        and each.deadline <= before.deadline
        for each in new.chains.values()
    )


def _other_ways(old: Result, new: Result) -> dict[str, str]:
    """Chains that begin or end elsewhere and do not go all of the way that they went: their
    figures say nothing about each other."""
    found = {}
    for name in old.chains.keys() & new.chains.keys():
        one, other = old.chains[name], new.chains[name]
        if one.path and not _same_ends(one, other) and not _within(one.path, other.path):
            ways = " → ".join(one.path), " → ".join(other.path)
            found[name] = f"chain {name}: {ways[0]}, which is {ways[1]} now"
    return dict(sorted(found.items()))


def _same_ends(one: ChainResult, other: ChainResult) -> bool:
    return (one.path[:1], one.path[-1:]) == (other.path[:1], other.path[-1:])


def _within(part: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    size = len(part)
    return any(whole[at : at + size] == part for at in range(len(whole) - size + 1))


def _lost(old: Result, new: Result) -> Iterator[str]:
    """Queues that held all that could be waiting, and do not now."""
    for name, queue in new.queues.items():
        before = old.queues.get(name)
        held = before and _holds(before.backlog, before.capacity)
        if held and not _holds(queue.backlog, queue.capacity):
            waiting = "any number" if queue.backlog is None else queue.backlog
            yield f"queue {name}: has place for all → {waiting} for {queue.capacity}"
    for name, found in new.synchronizers.items():
        one = old.synchronizers.get(name)
        if one and _holds(one.needed, one.queue) and not _holds(found.needed, found.queue):
            needed = "any number" if found.needed is None else found.needed
            yield f"synchronizer {name}: its queue loses nothing → {needed} for {found.queue}"


def _holds(needed: int | None, place: int | None) -> bool:
    return place is None or (needed is not None and needed <= place)


def _relaxed_orders(old: Result, new: Result) -> Iterator[str]:
    for name, before in old.orders.items():
        after = new.orders.get(name)
        if after is None:
            yield f"order {name} → none"
        elif (after.subscriber, after.topics, after.events) != (
            before.subscriber, before.topics, before.events,
        ):  # fmt: skip
            yield f"order {name} → another one"
        elif missing := sorted(before.possible.keys() - after.possible.keys()):
            yield f"order {name} → not of what {', '.join(missing)} sends"
        elif before.met and not after.met:
            yield f"order {name}: always holds → can be violated"


def _nothing_common(common: list[Move]) -> Iterator[str]:
    if not common:
        yield "the baseline has no bound of this system: nothing was compared"


def _notes(old: Result, new: Result) -> Iterator[str]:
    if old.system != new.system:
        yield f"the baseline is of another system, '{old.system}'"
    if old.profile != new.profile:
        yield f"the baseline was made with the profile '{old.profile}'"
    if old.check is not None and old.check.status != "confirmed":
        yield f"the bounds of the baseline are {old.check.status}"
    yield from assumed_now(old, new)


def assumed_now(old: Result, new: Result) -> Iterator[str]:
    """What bounds rest on that they did not."""
    before = {each.rule for each in old.assumptions}
    for each in new.assumptions:
        if each.rule not in before:
            yield f"assumed now, and not before: {each.message} [{each.rule}]"
