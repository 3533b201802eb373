"""Parses reactions and watchdogs."""

from __future__ import annotations

from ddsrta.lf.program.language.pieces import Pieces
from ddsrta.lf.program.language.syntax import (
    Attribute,
    Expression,
    Late,
    PortRef,
    Reaction,
    Watchdog,
)

KEYWORDS = (
    "input", "output", "state", "timer", "action", "reaction", "preamble", "mode", "method",
    "watchdog",
)  # fmt: skip
_BEHIND_REACTION = ("STP", "STAA", "tardy", "deadline")


class Reactions(Pieces):
    """Members with target code."""

    mode = ""  # the one that is being read

    def watchdog(self, at: int) -> Watchdog:
        cursor = self.cursor
        name = cursor.word("the name of the watchdog").text
        cursor.expect("(", "behind the watchdog's name")
        timeout = self.expression()
        cursor.expect(")", "behind the timeout")
        effects = cursor.listed(self.effect) if cursor.accept("->") else []
        cursor.code("of the watchdog")
        return Watchdog(name, timeout, tuple(effects), at, self.mode)

    def reaction(self, attributes: tuple[Attribute, ...], at: int) -> Reaction:
        cursor = self.cursor
        name = cursor.take().text if cursor.next.kind == "word" else ""
        triggers: list[PortRef] = []
        if cursor.accept("("):
            triggers = cursor.listed(self.port, ")", "behind the triggers")
        reads: list[PortRef] = []
        behind = cursor.next.kind != "word" or cursor.at(*_BEHIND_REACTION)
        if not behind and not self._begins_member():
            reads = cursor.listed(self.port)
        effects = cursor.listed(self.effect) if cursor.accept("->") else []
        has_body = cursor.next.kind == "code"
        bodies = [cursor.take().text] if has_body else []
        late, deadline = self._tail(bodies)
        return Reaction(
            name, tuple(triggers), tuple(reads), tuple(effects), late, deadline, self.mode, at,
            has_body, attributes, tuple(bodies),
        )  # fmt: skip

    def _begins_member(self) -> bool:
        """Whether a reaction without a body ends here."""
        cursor = self.cursor
        second = cursor.second()
        if cursor.at(*KEYWORDS, "logical", "physical", "reset", "initial", "const", "mutable"):
            return second.kind == "word" or second.text in ("(", "[")
        return second.text == "="

    def _tail(self, bodies: list[str]) -> tuple[Late | None, Expression | None]:
        """What stands behind the code of a reaction."""
        cursor = self.cursor
        late: Late | None = None
        deadline: Expression | None = None
        while cursor.at(*_BEHIND_REACTION):
            word = cursor.take()
            is_deadline = word.text == "deadline"
            if (deadline if is_deadline else late) is not None:
                raise cursor.source.error(
                    word.start, f"'{word.text}': the reaction has one already"
                )
            offset: Expression | None = None
            if word.text != "tardy":
                cursor.expect("(", f"behind '{word.text}'")
                offset = self.expression()
                cursor.expect(")", "behind the time")
            if word.text != "tardy" or cursor.next.kind == "code":
                bodies.append(cursor.code(f"behind '{word.text}'"))
            if is_deadline:
                deadline = offset
            else:
                late = Late(word.text, offset, word.start)
        return late, deadline
