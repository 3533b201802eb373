"""What changed between two models, as text and as Markdown: the changes, then the bounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ddsrta.base.text import plural, shown
from ddsrta.base.units import Duration
from ddsrta.bounds.deadlines import Deadline, deadlines
from ddsrta.bounds.result import Result
from ddsrta.exploration.comparison import (
    Comparison,
    Move,
    compared_name,
    ends_of,
    in_short,
    short_ways,
)
from ddsrta.exploration.difference.attribution import Pair, Share
from ddsrta.exploration.difference.difference import Difference, Grown, Moved
from ddsrta.report.markdown import cell, row
from ddsrta.report.style import PLAIN, Style

_MOST = 20  # bounds of one kind that a person may read
_MOST_PAIRS = 3  # of changes, below a bound
_MOST_LATE = 5  # chains that a change makes late
_PART = (
    "{why} to look at all: what each does alone, and what undoing it alone does, or two that "
    "interact"
)


def difference_text(found: Difference, style: Style = PLAIN) -> str:
    """All of it, what got worse first."""
    lines = [*change_lines(found, style), "", *bound_lines(found, style)]
    old, new = found.old.verdict, found.new.verdict
    if not found.is_cut:
        lines.append(f"verdict: {old} → {new}" if old != new else f"verdict: {new}, as before")
    return in_short("\n".join(lines) + "\n", short_ways(found.old, found.new))


def bound_lines(found: Difference, style: Style) -> Iterator[str]:
    """Each bound that moved, with what moved it; what is new, gone or relaxed."""
    yield from _bounds("worse", found, found.worse, style)
    yield from _bounds("better", found, found.better, style)
    if not (found.worse or found.better or found.comparison.is_blind):
        yield "no bound moved"
    yield from beside(found.comparison, style)


def change_lines(found: Difference, style: Style) -> Iterator[str]:
    """The changes of the model, with what each did."""
    if not found.changes:
        yield "the models say the same"
        return
    yield style.strong(f"{plural(len(found.changes), 'change')} of the model")
    for number, change in enumerate(found.changes):
        for text, position in zip(change.texts, change.positions, strict=True):
            where = style.faint(shown(f"{position.file}:{position.line}"))
            yield f"  [{number + 1}]  {shown(text)}  {where}"
        yield f"       {effect(found, number)}"


def effect(found: Difference, number: int) -> str:
    """What a change did to all bounds, in a sentence.

    >>> from ddsrta.examples import two_threads
    >>> from ddsrta.exploration.difference.difference import difference
    >>> old = two_threads()
    >>> effect(difference(old, old.replace("threads", "sensor", wcet="2 ms")), 0)
    'raises 3 bounds, most of all chain control loop: latency by 1 ms'
    """
    late = [shown(name) for name in _made_late(found, number)]
    more = f" and {len(late) - _MOST_LATE} more" if len(late) > _MOST_LATE else ""
    parts = [f"makes late: {', '.join(late[:_MOST_LATE])}{more}"] if late else []
    for word, sign in (("raises", 1), ("lowers", -1)):
        sizes = [
            (sign * share.size, moved.name)
            for moved in (*found.worse, *found.better)
            for share in moved.shares
            if share.change == number and sign * share.size > 0
        ]
        if sizes:
            most, name = max(sizes, key=lambda each: each[0])
            best = f"most of all {shown(name)} by {Duration(most)}"
            parts.append(f"{word} {plural(len(sizes), 'bound')}, {best}{_chains(sizes, name)}")
    for word, bounded in (("bounded", False), ("unbounded", True)):
        ends = [
            moved.name
            for moved in (*found.worse, *found.better)
            if (moved.new is not None) == bounded
            and any(share.change == number and share.is_needed for share in moved.shares)
        ]
        if ends:
            parts.append(f"without it {shown(ends[0])} {_and_more(len(ends))}would be {word}")
    if not parts and found.ended:
        return "what it moves was not found within the time limit"
    return "; ".join(parts) or "moves no bound"


def _chains(sizes: Sequence[tuple[int, str]], named: str) -> str:
    """The chains among bounds that moved, where what is named is none.

    >>> _chains([(3, "thread a"), (2, "chain c: latency"), (1, "chain c: data age")], "thread a")
    ', and chain c'
    """
    found = [name.removeprefix("chain ") for _, name in sizes if name.startswith("chain ")]
    if named.startswith("chain ") or not found:
        return ""
    chains = list(dict.fromkeys(shown(name.rpartition(": ")[0]) for name in found))
    rest = f" and {len(chains) - _MOST_LATE} more" if len(chains) > _MOST_LATE else ""
    word = "chain" if len(chains) == 1 else "chains"
    return f", and {word} {', '.join(chains[:_MOST_LATE])}{rest}"


def _made_late(found: Difference, number: int) -> Iterator[str]:
    """The chains that were in time before, and whose bounds this change moved most."""
    held = {name for name, each in _asked(found.old) if each.state == "met"}
    worse = {each.name: each for each in found.worse}
    for name, each in _asked(found.new):
        moved = worse.get(name)
        is_new = each.state != "met" and name in held
        if is_new and moved is not None and found.cause(moved) is found.changes[number]:
            yield each.chain


def _asked(result: Result) -> Iterator[tuple[str, Deadline]]:
    """The deadlines, by the names of their bounds in a comparison."""
    ends = ends_of(result)
    for each in deadlines(result):
        chain = compared_name(each.chain, result.chains[each.chain].path, ends)
        yield f"chain {chain}: {each.what}", each


def _and_more(count: int) -> str:
    return f"and {count - 1} more " if count > 1 else ""


def _bounds(what: str, found: Difference, moved: Sequence[Moved], style: Style) -> Iterator[str]:
    if not moved:
        return
    paint = style.bad if what == "worse" else style.good
    yield f"{paint(what)}: {plural(len(moved), 'bound')}"
    if len(found.changes) > 1 and not found.is_whole:
        why = f"there {'is no time for' if found.ended else 'are too many'} sets of changes"
        yield style.faint(
            f"  {_PART.format(why=why)}{'' if found.all_pairs else '; not all pairs in this time'}"
        )
    for each in moved[:_MOST]:
        yield f"  {shown(each.name)} {arrow(each)}"
        if len(found.changes) > 1:
            yield from (f"      {_share(found, each, share)}" for share in each.shares)
            yield from (f"      {_pair(each, pair)}" for pair in each.pairs[:_MOST_PAIRS])
        yield from (f"      {style.faint(_grown(term))}" for term in each.grown)
    if len(moved) > _MOST:
        yield f"  … and {len(moved) - _MOST} more"


def arrow(moved: Moved) -> str:
    """From what to what, and by how much."""
    move = Move(moved.name, moved.old, moved.new)
    old, new = (x if x is not None else "unbounded" for x in (moved.old, moved.new))
    return f"{old} → {new} ({move.amount})"


def _without(moved: Moved, what: str) -> str:
    """What undoing a change, or two, decides."""
    return f"without {what} there is {'a' if moved.new is None else 'no'} bound"


def _share(found: Difference, moved: Moved, share: Share) -> str:
    text = f"[{share.change + 1}] {shown(found.changes[share.change].text)}"
    if share.share is not None:
        return f"{_signed(share.share)}  {text}"
    parts = [f"alone {_signed(share.alone)}"] if share.alone is not None else []
    parts += [f"undone {_signed(share.undone)}"] if share.undone is not None else []
    parts += [_without(moved, "it")] if share.is_needed else []
    return f"{text}: {', '.join(parts)}"


def _pair(moved: Moved, pair: Pair) -> str:
    first, second = (f"[{change + 1}]" for change in pair.changes)
    what = (
        _without(moved, "both")
        if pair.is_needed
        else f"undone {_signed(pair.undone or Duration(0))}"
    )
    return f"{first} and {second} together: {what}"


def _signed(size: Duration) -> str:
    return f"{'+' if size > 0 else ''}{size}"


def _grown(term: Grown) -> str:
    growth = _signed(Duration(term.growth))
    return f"{shown(term.stage)}: {shown(term.label)} {term.old} → {term.new} ({growth})"


def beside(comparison: Comparison, style: Style) -> Iterator[str]:
    """What is new, gone, or asks for less; and notes."""
    for word, names in (("new", comparison.new), ("gone", comparison.gone)):
        if names:
            rest = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
            yield f"{word}: {', '.join(map(shown, names[:_MOST]))}{rest}"
    for text in comparison.relaxed:
        yield f"{style.unsure('relaxed')}: {shown(text)}"
    for note in comparison.notes:
        yield f"note: {shown(note)}"


# --- Markdown


def difference_markdown(found: Difference) -> str:
    """The same for the page of a change that is under review."""
    lines = ["### Timing", ""]
    if found.changes:
        lines += ["| | change | where | effect |", "| --- | --- | --- | --- |"]
    for number, change in enumerate(found.changes):
        where = f"{change.positions[0].file}:{change.positions[0].line}"
        cells = [str(number + 1), change.text, where, effect(found, number)]
        lines.append(row(cells))
    text = "\n".join([*lines, *_tables(found.worse, found.better, found.comparison)]) + "\n"
    return in_short(text, short_ways(found.old, found.new))


def comparison_markdown(found: Comparison) -> str:
    """Beside an earlier result, of which the model is not known."""
    worse, better = (
        [Moved(each.name, each.old, each.new) for each in moves]
        for moves in (found.worse, found.better)
    )
    return "\n".join(["### Timing", *_tables(worse, better, found)]) + "\n"


def _tables(
    worse: Sequence[Moved], better: Sequence[Moved], comparison: Comparison
) -> Iterator[str]:
    for what, moved in (("worse", worse), ("better", better)):
        if moved:
            yield from ("", f"| {what} | before | after | by |", "| --- | --- | --- | --- |")
            yield from map(_row, moved[:_MOST])
        if len(moved) > _MOST:
            yield from ("", f"… and {len(moved) - _MOST} more that are {what}")
    if not (worse or better or comparison.is_blind):
        yield from ("", "No bound moved.")
    yield from ("", *(f"- {cell(line)}" for line in beside(comparison, PLAIN)))


def _row(moved: Moved) -> str:
    ends = [str(x) if x is not None else "unbounded" for x in (moved.old, moved.new)]
    shares = sorted(moved.shares, key=lambda share: (not share.is_needed, -abs(share.size)))
    by = ", ".join(f"[{share.change + 1}] {_did(moved, share)}" for share in shares)
    return row([moved.name, *ends, by])


def _did(moved: Moved, share: Share) -> str:
    """Its share; alone or undone it says little of what decides whether there is a bound."""
    return _without(moved, "it") if share.is_needed else _signed(share.size)
