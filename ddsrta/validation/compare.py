"""Bounds beside what was measured."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple

from ddsrta.base.diagnostics import InputError
from ddsrta.base.shown import Shown
from ddsrta.base.units import Duration
from ddsrta.bounds.result import ChainResult, Check, Result
from ddsrta.models.system import System
from ddsrta.validation.contradiction import Contradiction, Held
from ddsrta.validation.measured import TO_THE_END, Key, Measured, Series
from ddsrta.validation.names import CHAIN_FIGURES, Bounds, Names, label, way_of

Verdict = Literal["ok", "vacuous", "unchecked", "disturbed", "assumption broken", "violation"]
# what is without a bound is so already
_NO_CONTRADICTION = ("core-load", "link-load", "unchecked", "refuted")
_KINDS = ("chain", "message", "response", "execution")


@dataclass(frozen=True)
class Row:
    """A bound and what was measured of the same. `bound` is None where there is none, and what
    `figure` says of it is in the words of a result."""

    kind: str
    name: str
    figure: str
    bound: Duration | None
    seen: Series

    @property
    def violated(self) -> bool:
        """Whether more was measured than the bound allows."""
        return self.bound is not None and self.seen.most > self.bound

    @property
    def by_machine(self) -> bool:
        """Whether the trace has evidence of the machine, every time that it was violated."""
        return self.violated and self.seen.above is not None and self.seen.above.by_machine

    @property
    def difference(self) -> Fraction | None:
        """(bound − measured) / measured, for the longest that was measured.

        >>> Row("chain", "c", "latency", Duration(150), Series(1, 100, 100)).difference
        Fraction(1, 2)
        """
        if self.bound is None or not self.seen.most:
            return None
        return Fraction(self.bound - self.seen.most, self.seen.most)


class Unmatched(NamedTuple):
    """A name that the system does not have, and what to do about it."""

    name: str
    advice: str


@dataclass(frozen=True)
class Validation(Shown):
    """Everything about a system and a file of measurements. Violations come first in `rows`.

    `unmatched` has names of the file that the system does not have, each with advice; `unmeasured`
    what has a bound that nothing in the file says anything about; `broken` is what happened and
    must not; `contradicted` what of the model the run contradicts; `held` says what of it was held
    against the run.
    """

    system: str
    source: str
    format: str
    rows: tuple[Row, ...]
    unmatched: tuple[Unmatched, ...]
    unmeasured: tuple[str, ...]
    notes: tuple[str, ...]
    broken: tuple[str, ...] = ()
    contradicted: tuple[Contradiction, ...] = ()
    held: str = ""
    check: Check | None = None
    profile: str = "busy-window"

    @property
    def compared(self) -> int:
        """How many finite bounds stand beside something that was measured."""
        return sum(row.bound is not None and row.kind != "execution" for row in self.rows)

    @property
    def violations(self) -> tuple[Row, ...]:
        """What was measured above its bound."""
        return tuple(row for row in self.rows if row.violated)

    @property
    def verdict(self) -> Verdict:
        """The gravest of all; ok only where a finite bound was compared, the checker has confirmed
        the bounds, if it was asked, and nothing of the model is contradicted."""
        above = [row for row in self.violations if row.kind != "execution"]
        if self.broken or not all(row.by_machine for row in above):
            return "violation"
        if self.contradicted:
            return "assumption broken"
        if above:
            return "disturbed"
        if self.check is not None and self.check.status == "unchecked":
            return "unchecked"
        return "ok" if self.compared else "vacuous"


def limits(system: System, result: Result) -> Callable[[Key], int | None]:
    """The bounds as limits, by what a trace of the harness names, or one of ROS 2."""
    bounds = _bounds(system, result, "harness")
    names = Names(bounds, result)
    to_the_end = _bounds(system, result, "ros2")

    def limit_of(key: Key) -> int | None:
        if key.figure == TO_THE_END:
            return to_the_end.get((key.kind, label(key), key.figure))
        found = names.found(key)
        return None if found is None else bounds[found]

    return limit_of


def compare(system: System, result: Result, measured: Measured) -> Validation:
    """Hold a system and the bounds of its result against what was measured."""
    bounds = _bounds(system, result, measured.format)
    names = Names(bounds, result)
    rows: list[Row] = []
    unmatched: list[Unmatched] = []
    used: set[tuple[str, str, str]] = set()
    for key, series in measured.series.items():
        if not series.count:
            continue
        found = names.found(key)
        if found is None:
            unmatched.append(Unmatched(label(key), names.advice(key)))
            continue
        used.add(found)
        rows.append(Row(*found, bounds[found], series))
    rows.sort(key=_violated_first)
    held = measured.held
    for row in rows:
        if row.kind == "execution":
            _hold_execution(row, held)
    _hold_plan(system, measured)
    notes = [*measured.notes]
    if measured.format == "csv":
        from ddsrta.validation.least import far_below, hold_least

        hold_least(system, rows, held)
        notes += filter(None, [far_below(rows)])
    for one in result.warnings:
        if one.severity == "error" and one.rule not in _NO_CONTRADICTION:
            text = f"no bound holds next to this error of the model: {one.message}"
            held.contradict("findings", one.rule, text)
    return Validation(
        result.system, measured.source, measured.format, tuple(_without_twins(rows)),
        tuple(unmatched), tuple(_unmeasured(bounds, used, result)), tuple(notes),
        tuple(_queues_above(result, measured)), held.contradictions, held.words,
        result.check, result.profile,
    )  # fmt: skip


def _hold_execution(row: Row, held: Held) -> None:
    held.count("execution times", row.seen.count)
    if row.violated:
        text = f"a job took {Duration(row.seen.most)} of processor time, more than its wcet of "
        held.contradict("execution times", row.name, f"{text}{row.bound}")


def _queues_above(result: Result, measured: Measured) -> Iterator[str]:
    for name, most in measured.queues.items():
        bound = result.queues[name].backlog if name in result.queues else None
        if bound is not None and most > bound:
            yield f"queue {name}: {most} were waiting at once, above the bound of {bound}"


def _unmeasured(bounds: Bounds, used: set[tuple[str, str, str]], result: Result) -> dict[str, None]:
    """What has a bound and was not measured: of a chain the figure that its deadline is of."""
    touched = {key[:2] for key in used}
    found: dict[str, None] = {}
    for key, bound in bounds.items():
        kind, name, figure = key
        if bound is None:
            continue
        if (kind, name) not in touched:
            found[f"{kind} {name}"] = None
        elif kind == "chain" and key not in used and figure == _deadline_of(result.chains[name]):
            found[f"{kind} {name}, {figure.replace('_', ' ')}"] = None
    return found


def _deadline_of(chain: ChainResult) -> str | None:
    """The figure that a chain has a deadline for."""
    return None if chain.deadline is None else chain.constraint


def _bounds(system: System, result: Result, format_: str) -> Bounds:
    """All that can be measured: kind, name, figure."""
    bounds: Bounds = {}
    for name, chain in result.chains.items():
        for figure in CHAIN_FIGURES:
            if getattr(chain, figure) is not None or figure == chain.constraint:
                bounds["chain", name, figure] = getattr(chain, figure)
    responses = {name: thread.wcrt for name, thread in result.threads.items()}
    responses |= {name: callback.wcrt for name, callback in result.callbacks.items()}
    for message in result.messages:
        way = way_of(message.publisher, message.topic, message.subscriber)
        if format_ == "ros2":
            figure, ends = TO_THE_END, responses.get(message.subscriber)
            bound = None
            if message.ddl is not None and ends is not None:
                bound = Duration(message.ddl + ends)
        else:
            figure, bound = message.mode, message.ddl
        key = "message", way, figure
        if key in bounds:  # the looser of two that the file cannot tell apart
            before = bounds[key]
            bound = None if bound is None or before is None else max(bound, before)
        bounds[key] = bound
    for name, wcrt in responses.items():
        bounds["response", name, ""] = wcrt
    if format_ == "ros2":
        for name in responses:
            if name in system.threads:
                bounds["execution", name, "wcet"] = Duration(system.threads[name].wcet)
    return bounds


def _violated_first(row: Row) -> tuple[tuple[bool, bool], int, Fraction]:
    """Chains before messages before jobs; the worst violations first, the rest as in the file."""
    worst = row.difference if row.violated and row.difference is not None else Fraction(0)
    return (not row.violated, row.by_machine), _KINDS.index(row.kind), worst


def _without_twins(rows: Iterable[Row]) -> Iterator[Row]:
    """Figures of a chain that say the same are shown once."""
    seen: set[tuple[str, int, int | None]] = set()
    for row in rows:
        twin = row.name, row.seen.most, row.bound
        if row.kind != "chain" or twin not in seen:
            yield row
        if row.kind == "chain":
            seen.add(twin)


def _hold_plan(system: System, measured: Measured) -> None:
    """Whether the plan that ran is that of the system: sizes, policies and limits show in no other
    way."""
    if measured.plan is None:
        return
    from ddsrta.formats.harness_plan import plan

    try:
        ours = f"{zlib.crc32(plan(system).encode()):08x}"
    except InputError:
        ours = "none"
    measured.held.count("plan")
    if ours != measured.plan:
        text = "the plan that ran is not that of this system: some name, size, priority, policy, "
        measured.held.contradict("plan", system.name, text + "time or depth is another")
