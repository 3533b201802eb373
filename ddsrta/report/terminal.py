"""What a person reads on a terminal: the verdict, what is wrong, then the tables."""

from __future__ import annotations

from collections.abc import Sequence

from ddsrta.base.text import plural, shown
from ddsrta.bounds.deadlines import (
    NOT_FINISHED,
    State,
    deadlines,
    open_chains,
    unbounded_parts,
    verdict_word,
)
from ddsrta.bounds.result import Result
from ddsrta.report.checked import check_line
from ddsrta.report.findings import assumed, finding_lines, graded
from ddsrta.report.orders import violable, wanted_lines
from ddsrta.report.style import PLAIN, WIDEST, Style
from ddsrta.report.table import UNBOUNDED, joined, table
from ddsrta.report.tables import Said, Table, all_tables, chains, grouped, several


def result_text(result: Result, style: Style = PLAIN) -> str:
    """The whole result as text.

    >>> empty = Result("toy", "busy-window", "met", {}, (), {}, {}, {}, ())
    >>> print(result_text(empty), end="")
    BOUNDED  toy: no deadlines, everything is bounded
    <BLANKLINE>
    not checked
    """
    grave, others = graded(result.warnings)
    said = Said()
    sections = [
        [verdict_line(result, style)],
        finding_lines(grave, style),
        _section(chains(result), style, said),
        wanted_lines(result, style),
        *(_section(made, style, said) for made in all_tables(result)),
        finding_lines(assumed(result.assumptions), style),
        finding_lines(others, style),
        [check_line(result, style)],
    ]
    return joined(sections)


def verdict_line(result: Result, style: Style = PLAIN) -> str:
    """The verdict in one line."""
    states = [deadline.state for deadline in deadlines(result)]
    wrong = violable(result)
    orders = f"; {wrong}" * bool(wrong)
    paint = {"met": style.good, "unbounded": style.unsure}.get(result.verdict, style.bad)
    profile = "" if result.profile == "busy-window" else f" ({shown(result.profile)} analysis)"
    verdict = style.strong(paint(verdict_word(result)))
    grave = len(result.errors)
    it = "it" if grave == 1 else "them"
    but = f"{plural(grave, 'error')} below; without {it}, " if grave else ""
    rests = f" ({assuming(result)})" if result.assumptions else ""
    summary = f"{but}{_summary(result, states)}{orders}{profile}{rests}"
    return f"{verdict}  {shown(result.system)}: {summary}"


def assuming(result: Result) -> str:
    """How much has to be true beyond the model."""
    return f"rests on {plural(len(result.assumptions), 'assumption')}"


def _summary(result: Result, states: Sequence[State]) -> str:
    asked = plural(len(states), "deadline")
    words = {"missed": "missed", "unbounded": "without a bound", "unfinished": NOT_FINISHED}
    counts = [(states.count(state), word) for state, word in words.items() if state in states]
    if counts:
        (first, word), *others = counts
        return ", ".join([f"{first} of {asked} {word}", *(f"{n} {what}" for n, what in others)])
    met = {0: "no deadlines", 1: "the deadline is met"}.get(len(states), f"all {asked} are met")
    if result.verdict == "unbounded":
        chains = open_chains(result)
        if not chains or len(chains) < len(unbounded_parts(result)):
            return f"{met}, but not everything is bounded"
        have = "has" if len(chains) == 1 else "have"
        return f"{met}, but {several([shown(name) for name in chains])} {have} no bound"
    return met if states else f"{met}, everything is bounded"


def _section(made: Table, style: Style, said: Said) -> list[str]:
    """A table, and below it why things are unbounded; what was said of a thing above is so of
    others, and not said again."""
    lines = table(made.titles, made.rows, style)
    for names, reason in grouped(made.reasons):
        from textwrap import wrap

        wrapped = wrap(
            shown(f"{UNBOUNDED}: {several(names)}: {said.of(names[0], reason)}"),
            width=WIDEST,
            initial_indent="  ",
            subsequent_indent="    ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        lines += [wrapped[0].replace(UNBOUNDED, style.unsure(UNBOUNDED), 1), *wrapped[1:]]
    return lines
