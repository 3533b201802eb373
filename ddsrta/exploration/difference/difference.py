"""A model beside an older one: its changes, and each bound that they moved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from ddsrta.base.diagnostics import InputError
from ddsrta.base.frozen import frozen
from ddsrta.base.units import Duration
from ddsrta.bounds.analyze import analyze, watch_of
from ddsrta.bounds.deadlines import WORDS
from ddsrta.bounds.evidence.checked import Checked, analyze_checked
from ddsrta.bounds.paths.concrete import named_paths
from ddsrta.bounds.result import Result
from ddsrta.bounds.terms.explain import explain_path
from ddsrta.exploration.comparison import Comparison, Move, bounds_of, compare, compared_name
from ddsrta.exploration.difference.attribution import Pair, Sets, Share, pairs, shares
from ddsrta.exploration.difference.changes import Change, changes
from ddsrta.exploration.difference.renames import renamed
from ddsrta.models.system import System

SECONDS = 60.0  # for all sets of changes
MOST_EXPLAINED = 20  # chains, of which the terms that grew are told
MOST_TERMS = 3  # of each


@frozen
class Grown:
    """A term of a bound, in both models."""

    stage: str
    label: str
    old: Duration
    new: Duration

    @property
    def growth(self) -> int:
        """By how much."""
        return self.new - self.old


@frozen
class Moved:
    """A bound that is another one now: which changes did it, those that did most first, and the
    terms that grew most, where it is explained by terms. Pairs of changes that interact, where not
    all sets of changes were looked at."""

    name: str
    old: Duration | None
    new: Duration | None
    shares: tuple[Share, ...] = ()
    grown: tuple[Grown, ...] = ()
    pairs: tuple[Pair, ...] = ()


@frozen
class Difference:
    """What changed from an older model to a newer one. Shares are `whole` where all sets of the
    changes were looked at; else only what each does alone, and undone, alone and in pairs, is
    known: in `all_pairs` or not."""

    old: Result
    new: Result
    changes: tuple[Change, ...]
    comparison: Comparison
    worse: tuple[Moved, ...]
    better: tuple[Moved, ...]
    is_whole: bool
    all_pairs: bool = True
    ended: bool = False  # by a time limit: shares may be missing, and all bounds, too

    @property
    def is_cut(self) -> bool:
        """Whether a time limit left no bound to compare."""
        return self.ended and self.comparison.is_blind

    def cause(self, moved: Moved) -> Change | None:
        """The change that did most to a bound."""
        if len(self.changes) == 1:
            return self.changes[0]
        return self.changes[moved.shares[0].change] if moved.shares else None


def difference(
    old: System, new: System, seconds: float = SECONDS, time_limit: float | None = None
) -> Difference:
    """All that changed, and what each change did; sets of changes are given up after `seconds`.
    After about `time_limit` seconds all ends; bounds are compared if both analyses are through.
    What has another name is compared with what it was called before.

    >>> from ddsrta.examples import two_threads
    >>> old = two_threads()
    >>> found = difference(old, old.replace("threads", "sensor", wcet="2 ms"))
    >>> found.changes[0].text, found.worse[0].name, found.worse[0].shares[0].share
    ('sensor: wcet 1ms → 2 ms', 'chain control loop: latency', 1 ms)
    """
    old, names = renamed(old, new)
    watch = watch_of(time_limit)
    before, after = (analyze_checked(each, watch=watch) for each in (old, new))
    comparison = compare(before.result, after.result)
    found = changes(old, new)
    sets = Sets(len(found), lambda some: _figures(old, found, some), watch)
    is_whole = sets.look_at_all(seconds)
    moves = (*comparison.worse, *comparison.better)
    all_pairs = is_whole or sets.look_at_pairs([each.name for each in moves], seconds)
    told = _Told(before, after, sets, is_whole)
    return Difference(
        before.result,
        after.result,
        (*found, *(Change((each.text,), (each.position,), ()) for each in names)),
        comparison,
        tuple(told.moved(each) for each in comparison.worse),
        tuple(told.moved(each) for each in comparison.better),
        is_whole,
        all_pairs,
        watch is not None and watch.is_over(),
    )


def _figures(
    old: System, found: list[Change], some: frozenset[int]
) -> Mapping[str, int | None] | None:
    assert old.written is not None
    wanted = [each for number in sorted(some) for each in found[number].differences]
    try:
        system = old.written.patched(wanted)
        return bounds_of(analyze(system, check=False))
    except InputError:
        return None


class _Told:
    def __init__(self, old: Checked, new: Checked, sets: Sets, is_whole: bool) -> None:
        self.old = old
        self.new = new
        self.sets = sets
        self.is_whole = is_whole
        self.explained = 0

    def moved(self, move: Move) -> Moved:
        """With the changes that did it, where the bounds are those that were looked at."""
        ends = [self.sets.bound(move.name, some) for some in (frozenset[int](), self.sets.all)]
        known = ends == [move.old, move.new]
        found = shares(self.sets, move.name, self.is_whole) if known else ()
        both = pairs(self.sets, move.name) if known and not self.is_whole else ()
        return Moved(move.name, move.old, move.new, found, self.grown(move), both)

    def grown(self, move: Move) -> tuple[Grown, ...]:
        if move.old is None or move.new is None or self.explained >= MOST_EXPLAINED:
            return ()
        before, is_sum = _terms(self.old, move.name)
        after, is_new_sum = _terms(self.new, move.name)
        if not before or not after or is_sum != is_new_sum:
            return ()
        self.explained += 1
        sums: Counter[str] = Counter()
        for sign, terms in ((-1, before), (1, after)):
            for (_, _, what), time in terms.items():
                sums[what] += sign * time
        sign = 1 if move.new > move.old else -1
        found = [
            Grown(stage, label, Duration(before[key]), Duration(after[key]))
            for key in {**before, **after}
            for stage, label, what in (key,)
            if sign * sums[what] > 0  # else it only stands elsewhere in the chain
        ]
        grown = sorted((g for g in found if sign * g.growth > 0), key=lambda g: -abs(g.growth))
        return tuple(grown[:MOST_TERMS])


def _terms(checked: Checked, name: str) -> tuple[Counter[tuple[str, str, str]], bool]:
    """The terms of a chain's bound, if the name is that of the figure that it is about: the stage,
    what the term is called there, and what it is called in the whole chain. And whether one is a
    sum of all that is served: beside it other terms say nothing of what is within."""
    found: Counter[tuple[str, str, str]] = Counter()
    is_sum = False
    system = checked.solution.system
    for path in named_paths(system)[0] if name.startswith("chain ") else ():
        ends = [path.chain.name] if path.chain.ends is not None else []
        chain = compared_name(path.name, path.path, ends)
        if name == f"chain {chain}: {WORDS[path.chain.constraint]}":
            for stage in explain_path(checked.solution, path).stages:
                for term in stage.terms:
                    found[stage.stage, term.label, stage.named(term)] += term.time
                    is_sum = is_sum or term.kind == "together"
    return found, is_sum
