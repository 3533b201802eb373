"""A statement to hold our figures against, and the table that says which of them hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

UNBOUNDED = 1 << 62


@dataclass(frozen=True)
class Statement:
    """What a source states, our figures under a profile, and whether they agree with it.

    `holds` answers None where the source gives too little to tell; `remark` is the reason for
    what the figures show, written by a person and no part of the check.
    """

    key: str
    states: str
    figures: Callable[[str], str]
    holds: Callable[[str], bool | None]
    remark: str = ""


def ordered(bound: int | None) -> int:
    """A bound that can be compared: unbounded is above all numbers."""
    return UNBOUNDED if bound is None else bound


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table.

    >>> print(table(["a", "b"], [["1", "2"]]))
    | a | b |
    | --- | --- |
    | 1 | 2 |
    """
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def statement_table(source: str, statements: Sequence[Statement], profiles: Sequence[str]) -> str:
    """Statements against figures: a column of figures and one of verdicts for each profile."""
    head = [f"what {source} states"]
    for profile in profiles:
        head += [f"our figures, `{profile}`", "holds?"]
    rows = []
    for statement in statements:
        row = [statement.states]
        for profile in profiles:
            row += [statement.figures(profile), _word(statement.holds(profile))]
        rows.append([*row, statement.remark])
    return table([*head, "why"], rows)


def _word(holds: bool | None) -> str:
    return "cannot be told" if holds is None else "yes" if holds else "**no**"
