"""The tables of a result, for terminals and for pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ddsrta.base.text import as_written, rounded_up
from ddsrta.base.units import Duration
from ddsrta.bounds.deadlines import NOT_FINISHED, Outcome, is_unbounded, outcome_of, state_of
from ddsrta.bounds.result import ChainResult, Result
from ddsrta.bounds.unbounded import root
from ddsrta.report.table import NOTHING, UNBOUNDED, Cell, Row, bound, down, up

_FIGURES = ("latency", "trigger_latency", "data_age", "reaction_time")
_OUTCOMES: dict[Outcome, Cell] = {
    "met": Cell("ok", "good"),
    "unsure": Cell("ok?", "unsure"),
    "missed": Cell("MISSED", "bad"),
    "unbounded": Cell("no bound", "unsure"),
    "unfinished": Cell(NOT_FINISHED, "unsure"),
}


_NAMED = 4  # things with the same reason
_CORES = 3  # of a thread that moves


class Table(NamedTuple):
    """Its titles (`table.column` says what is in them) and rows, and why things have no bound."""

    titles: tuple[str, ...]
    rows: list[Row]
    reasons: Sequence[tuple[str, str | None]] = ()


def grouped(reasons: Iterable[tuple[str, str | None]]) -> Iterator[tuple[list[str], str]]:
    """Names whose reasons come to the same, and the reason of the first.

    >>> list(grouped([("a", "x has no bound: y; z"), ("b", None), ("c", "y; z")]))
    [(['a', 'c'], 'x has no bound: y; z')]
    """
    found: dict[str, list[tuple[str, str]]] = {}
    for name, reason in reasons:
        if reason:
            found.setdefault(root(reason), []).append((name, reason))
    for named in found.values():
        yield [name for name, _ in named], named[0][1]


class Said:
    """Reasons that were told, and of what first.

    >>> said = Said()
    >>> said.of("a", "x has no bound: y; z"), said.of("c", "y; z")
    ('x has no bound: y; z', 'as a above')
    """

    def __init__(self) -> None:
        self.first: dict[str, str] = {}

    def of(self, name: str, reason: str) -> str:
        """The reason of a thing, or that it is one of those above."""
        last = root(reason)
        if last in self.first:
            return f"as {self.first[last]} above"
        self.first[last] = name
        return reason


def several(names: Sequence[str]) -> str:
    """The first of them, and how many more there are.

    >>> several(list("abcdef"))
    'a, b, c, d and 2 more'
    """
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")


def chains(result: Result) -> Table:
    """Their figures, and what became of their deadlines."""
    outcomes = {name: outcome_of(chain, result) for name, chain in result.chains.items()}
    return _chains(result.chains, outcomes)


def chain_alone(chain: ChainResult) -> Table:
    """The same of one, whatever stands beside it."""
    name = f"{chain.path[0]} → {chain.path[-1]}"
    return _chains({name: chain}, {name: state_of(chain)})


def _chains(found: Mapping[str, ChainResult], outcomes: Mapping[str, Outcome | None]) -> Table:
    named = found.items()
    splits = any(chain.trigger_latency != chain.latency for _, chain in named)
    rows = [_chain(name, chain, splits, outcomes[name]) for name, chain in named]
    for i in range(1, 1 + len(_FIGURES)):  # a column of dashes says nothing
        if all(isinstance(row[i], Cell) and row[i][0] == NOTHING for row in rows):
            rows = [[*row[:i], "", *row[i + 1 :]] for row in rows]
    titles = ("chain", ">latency", ">trigger latency", ">data age", ">reaction", ">deadline")
    reasons = [(name, chain.unbounded_because) for name, chain in named]
    return Table((*titles, ">slack", "", "?via", "?path"), rows, reasons)


def _chain(name: str, chain: ChainResult, splits: bool, outcome: Outcome | None) -> Row:
    return [
        name,
        *(
            "" if key == "trigger_latency" and not splits else _chain_figure(chain, key)
            for key in _FIGURES
        ),
        "" if chain.deadline is None else str(chain.deadline),
        down(chain.slack),
        _OUTCOMES[outcome] if outcome else "",
        Cell((chain.label or "").partition(" via ")[2], "faint"),
        Cell(" → ".join(as_written(chain.path)), "faint"),
    ]


def _chain_figure(chain: ChainResult, key: str) -> Cell | str:
    """A figure of a chain; exact where rounding it up would look like a missed deadline."""
    value: Duration | None = getattr(chain, key)
    asked = key == chain.constraint
    if value is None:
        unbounded = is_unbounded(chain, key)
        return Cell(UNBOUNDED, "unsure") if unbounded else Cell(NOTHING, "faint")
    text = rounded_up(value)
    if asked and chain.deadline is not None and value <= chain.deadline:
        step = 10 ** max(0, len(str(int(value))) - 4)
        text = str(value) if -(-value // step) * step > chain.deadline else text
    return Cell(text, "bad" if asked and state_of(chain) == "missed" else "")


def messages(result: Result) -> Table:
    """What each message takes on its way."""
    remote = any(message.network != 0 for message in result.messages)
    rows: list[Row] = [
        [
            f"{m.publisher} → {m.topic} → {m.subscriber}",
            Cell(m.mode, "faint"),
            bound(m.publisher_wcrt) if m.mode == "sync" else "",
            "" if m.mode == "sync" else bound(m.flow_controller),
            bound(m.network) if remote else "",
            bound(m.listener),
            bound(m.ddl),
        ]
        for m in result.messages
    ]
    reasons = [(f"{m.publisher} → {m.topic}", m.unbounded_because) for m in result.messages]
    titles = ("message", "", ">publisher", ">controller", ">network", ">listener", ">delivery")
    return Table(titles, rows, reasons)


def synchronizers(result: Result) -> Table:
    """How far apart the messages of a set are, and how long they wait."""
    rows: list[Row] = []
    for name, sets in result.synchronizers.items():
        waits = ", ".join(f"{t} {up(wait, UNBOUNDED)}" for t, wait in sets.waits.items())
        spread, gap = bound(sets.disparity), bound(sets.gap)
        rows.append([name, Cell(sets.policy, "faint"), spread, down(sets.period), gap, waits])
    reasons = [(name, sets.unbounded_because) for name, sets in result.synchronizers.items()]
    titles = ("synchronizer", "", ">disparity", ">a set each", ">at the latest", "messages wait")
    return Table(titles, rows, reasons)


def in_few(cores: str) -> str:
    """The cores of what may run on several: not all of them, where they are many.

    >>> in_few("m/a, m/b, m/c"), in_few("m/c0, m/c1, m/c2, m/c3")
    ('m/a, m/b, m/c', 'm/c0 … m/c3 (4 cores)')
    """
    names = cores.split(", ")
    if len(names) <= _CORES:
        return cores
    return f"{names[0]} … {names[-1]} ({len(names)} cores)"


def threads(result: Result) -> Table:
    """Their response times."""
    named = result.threads.items()
    rows: list[Row] = [[name, in_few(thread.core), bound(thread.wcrt)] for name, thread in named]
    reasons = [(name, thread.unbounded_because) for name, thread in named]
    return Table(("thread", "core", ">response"), rows, reasons)


def callbacks(result: Result) -> Table:
    """Their response times, by which way they were found."""
    named = result.callbacks.items()
    rows: list[Row] = [
        [name, one.executor, in_few(one.core), bound(one.wcrt), Cell(one.by or "", "faint")]
        for name, one in named
    ]
    reasons = [(name, callback.unbounded_because) for name, callback in named]
    return Table(("callback", "executor", "core", ">response", "?by"), rows, reasons)


def cores(result: Result) -> Table:
    """Their loads."""
    rows: list[Row] = [
        [name, percent(core.utilization), _full(core.utilization > 1, "overloaded")]
        for name, core in result.cores.items()
    ]
    return Table(("core", ">load", ""), rows)


def links(result: Result) -> Table:
    """Shared links, and what they send."""
    rows: list[Row] = []
    reasons = []
    for name, link in result.links.items():
        full = _full(link.utilization > 1, "overloaded")
        rows.append([f"{name} ({link.kind})", percent(link.utilization), "", full])
        for sent, message in link.messages.items():
            rows.append([f"  {sent}", rounded_up(message.transmission), bound(message.wcrt), ""])
            reasons.append((sent, message.unbounded_because))
    return Table(("link", ">load, time", ">response", ""), rows, reasons)


def queues(result: Result) -> Table:
    """How much is in them at most."""
    rows: list[Row] = []
    for name, queue in result.queues.items():
        most = Cell(UNBOUNDED, "unsure") if queue.backlog is None else str(queue.backlog)
        room = queue.capacity
        full = room is not None and (queue.backlog is None or queue.backlog > room)
        place = NOTHING if room is None else str(room)
        rows.append([name, most, place, _full(full, "may overflow")])
    reasons = [(name, queue.unbounded_because) for name, queue in result.queues.items()]
    return Table(("queue", ">at most", ">room", ""), rows, reasons)


def all_tables(result: Result) -> Iterator[Table]:
    """All but that of chains, in the order of reading."""
    for one in (messages, synchronizers, threads, callbacks, cores, links, queues):
        yield one(result)


def _full(full: bool, note: str) -> Cell:
    return Cell(note if full else "", "bad")


def percent(fraction: float) -> str:
    """A load, rounded up to a tenth of a per cent.

    >>> percent(0.593), percent(0.59301), percent(float("inf"))
    ('59.3 %', '59.4 %', '∞ %')
    """
    if fraction == float("inf"):
        return "∞ %"
    # A load is a ratio stored in binary: what is within 1e-9 of a step is that step.
    tenths = -int(-(fraction * 1000 - 1e-9) // 1)
    return f"{tenths // 10}.{tenths % 10} %"
