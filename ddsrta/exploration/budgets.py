"""How much worse bounds may get: a budget for all, and exceptions that somebody accepted."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

from ddsrta.base.diagnostics import Diagnostic, InputError, Position, did_you_mean, shown
from ddsrta.base.frozen import frozen
from ddsrta.base.shapes import INVALID, Context, Schema, Text
from ddsrta.base.structures import Key, ListOf, Record
from ddsrta.base.yaml_reader import read_file
from ddsrta.base.yaml_tree import Node
from ddsrta.exploration.comparison import Move, whole


@frozen
class Accepted:
    """A bound that may get worse by more than others, why, and until which day, that included."""

    bound: str
    most: Fraction | None  # no limit, if None: it may lose its bound, too
    reason: str
    until: date
    position: Position


@frozen
class Budgets:
    """By which part each bound may rise, and the exceptions."""

    most: Fraction = Fraction(0)
    accepted: tuple[Accepted, ...] = ()


@frozen
class Regression:
    """A bound that got worse by more than the budget; `accepted` says why that is no failure."""

    move: Move
    position: Position | None = None  # of the change that did most of it
    because: str = ""  # which change that is
    accepted: str = ""
    fails: bool = False  # the check

    @property
    def sentence(self) -> str:
        """What happened, in a sentence."""
        old, new = (x if x is not None else "unbounded" for x in (self.move.old, self.move.new))
        by = f", by {self.because}" if self.because else ""
        known = f"; accepted: {self.accepted}" if self.accepted else ""
        return f"{self.move.name} {old} → {new} ({self.move.amount}){by}{known}"


class _Day:
    """A day such as 2027-01-31."""

    def read(self, node: Node, context: Context) -> Any:
        text = node.value if isinstance(node.value, str) else ""
        try:
            return date.fromisoformat(text if text.count("-") == 2 and "W" not in text else "")
        except ValueError:
            return context.report(node, f"expected a day such as 2027-01-31, not {node.kind}")

    def schema(self) -> Schema:
        return {"type": "string", "format": "date"}


class _Part:
    """A part of a bound, such as 2.5 %, which may be more than all of it."""

    PATTERN = r"[0-9]{1,6}(\.[0-9]{1,3})?\s*%"

    def read(self, node: Node, context: Context) -> Any:
        if not (isinstance(node.value, str) and re.fullmatch(self.PATTERN, node.value)):
            return context.report(node, f"expected a percentage such as '2.5 %', not {node.kind}")
        return Fraction(node.value.rstrip("% ")) / 100

    def schema(self) -> Schema:
        return {"type": "string", "pattern": f"^{self.PATTERN}$"}


_PERCENT = _Part()
_ACCEPTED = Record(
    {
        "bound": Key(
            Text(),
            "its name, as 'ddsrta diff' prints it; of paths between two ends without a way, of all",
            required=True,
        ),
        "max_regression": Key(_PERCENT, "by how much it may rise (without end, if missing)"),
        "reason": Key(Text(), "why that is accepted", required=True),
        "until": Key(_Day(), "the last day on which it is", required=True),
    }
)
BUDGETS = Record(
    {
        "max_regression": Key(_PERCENT, "by how much each bound may rise (0 %, if missing)"),
        "exceptions": Key(ListOf(_ACCEPTED), "bounds that may rise by more"),
    }
)


def read_budgets(path: str | Path) -> Budgets:
    """The budgets of a file; raises InputError with every diagnostic."""
    tree = read_file(path)
    context = Context(tree)
    said = BUDGETS.read(tree.root, context)
    if context.diagnostics or said is INVALID:
        raise InputError(context.diagnostics)
    most = said.get("max_regression", Fraction(0))
    accepted = tuple(
        Accepted(
            each["bound"],
            each.get("max_regression"),
            each["reason"],
            each["until"],
            tree.find(["exceptions", number]),
        )
        for number, each in enumerate(said.get("exceptions", []))
    )
    if less := [each for each in accepted if each.most is not None and each.most < most]:
        raise InputError(_no_exception(each) for each in less)
    return Budgets(most, accepted)


def _no_exception(wanted: Accepted) -> Diagnostic:
    """It would be taken for a tighter budget, and each bound may rise by the larger one."""
    message = f"the exception for {shown(wanted.bound)} allows less than 'max_regression' of all"
    return Diagnostic(wanted.position, message, "make that of all smaller, and except the others")


def unknown(budgets: Budgets, known: Iterable[str]) -> list[Diagnostic]:
    """Exceptions for bounds that there are not: nobody would see that they do nothing."""
    names = dict.fromkeys(each for name in known for each in (whole(name), name))
    return [
        Diagnostic(
            each.position, f"there is no bound {shown(each.bound)}", did_you_mean(each.bound, names)
        )
        for each in budgets.accepted
        if each.bound not in names
    ]


def regressions(moves: Iterable[Move], budgets: Budgets, today: date) -> list[Regression]:
    """The moves that are above the budget for all; those that an exception covers say so.

    >>> from ddsrta.base.units import Duration
    >>> moves = [Move("a", Duration(100), Duration(104)), Move("b", Duration(100), None)]
    >>> [each.move.name for each in regressions(moves, Budgets(Fraction(1, 20)), date.today())]
    ['b']
    """
    return [
        Regression(move, accepted=_reason(move, budgets, today))
        for move in moves
        if move.is_worse(budgets.most)
    ]


def _reason(move: Move, budgets: Budgets, today: date) -> str:
    for each in budgets.accepted:
        covered = each.most is None or not move.is_worse(each.most)
        if each.bound in (move.name, whole(move.name)) and covered and today <= each.until:
            return f"{each.reason} (until {each.until.isoformat()})"
    return ""


def expired(budgets: Budgets, today: date) -> list[Accepted]:
    """Exceptions that are over."""
    return [each for each in budgets.accepted if today > each.until]
