"""Parses the members of a reactor."""

from __future__ import annotations

from ddsrta.base.diagnostics import did_you_mean, shown
from ddsrta.lf.program.language.reactions import KEYWORDS, Reactions
from ddsrta.lf.program.language.syntax import (
    Action,
    Attribute,
    Connection,
    Expression,
    Instance,
    Member,
    Method,
    Mode,
    Port,
    State,
    Timer,
)


class Members(Reactions):
    """Everything between the braces of a reactor or mode."""

    def members(self) -> list[Member]:
        """The members up to and with the closing brace."""
        cursor, found = self.cursor, list[Member]()
        while not cursor.accept("}"):
            if cursor.next.kind == "end":
                raise cursor.unexpected("'}'", "behind the members of the reactor")
            found += self._member()
            cursor.accept(";")
        return found

    def _member(self) -> list[Member]:
        cursor = self.cursor
        attributes = self.attributes()
        at = cursor.next.start
        if self._is_connection():
            return [self._connection(attributes, at)]
        if cursor.next.kind == "word" and cursor.second().text == "=":
            return [self._instance(attributes)]
        if cursor.at("initial", "mode"):
            return self._mode(at)
        if cursor.at("private", "public", "preamble"):
            self.preamble()
            return []
        return [self._declaration(attributes, at)]

    def preamble(self) -> None:
        """A preamble, which says nothing to us."""
        if not self.cursor.accept("private"):
            self.cursor.accept("public")
        self.cursor.expect("preamble", "behind its visibility")
        self.cursor.code("of the preamble")

    def _declaration(self, attributes: tuple[Attribute, ...], at: int) -> Member:
        cursor = self.cursor
        if cursor.accept("mutable") or cursor.at("input"):
            return self._port("input", attributes, at)
        if cursor.at("output"):
            return self._port("output", attributes, at)
        if cursor.accept("reset") or cursor.at("state"):
            return self._state(cursor.source.text.startswith("reset", at), at)
        if cursor.at("logical", "physical", "action"):
            return self._action(at)
        if cursor.accept("const") or cursor.at("method"):
            return self._method(at)
        if cursor.accept("timer"):
            return self._timer(at)
        if cursor.accept("watchdog"):
            return self.watchdog(at)
        if cursor.accept("reaction") or cursor.accept("mutation"):
            return self.reaction(attributes, at)
        word = cursor.next.text if cursor.next.kind == "word" else ""
        advice = did_you_mean(word, KEYWORDS)
        raise cursor.source.error(at, f"{shown(cursor.next.text)} begins no member", advice)

    def _is_connection(self) -> bool:
        cursor = self.cursor
        if cursor.at("("):
            return True
        second = cursor.second().text if cursor.next.kind == "word" else ""
        if cursor.at("interleaved") and second == "(":
            return True
        return second in (".", "->", "~>", ",")

    def _port(self, kind: str, attributes: tuple[Attribute, ...], at: int) -> Port:
        self.cursor.expect(kind, "behind 'mutable'")
        width = self.width()
        name = self.cursor.word(f"the name of the {kind}").text
        self.typed()
        return Port("input" if kind == "input" else "output", name, width, at, attributes)

    def _state(self, reset: bool, at: int) -> State:
        self.cursor.expect("state", "behind 'reset'")
        name = self.cursor.word("the name of the state").text
        kind = self.typed()
        return State(name, kind, self.initializer(), at, reset)

    def _method(self, at: int) -> Method:
        self.cursor.expect("method", "behind 'const'")
        name = self.cursor.word("the name of the method").text
        self.cursor.expect("(", "behind the method's name")
        self.cursor.listed(self._method_argument, ")", "behind the arguments")
        self.typed()
        self.cursor.code("of the method")
        return Method(name, at)

    def _method_argument(self) -> None:
        self.cursor.word("an argument")
        self.typed()

    def _timer(self, at: int) -> Timer:
        name = self.cursor.word("the name of the timer").text
        values = self._values(2)
        return Timer(name, values[0], values[1], at, self.mode)

    def _values(self, most: int) -> list[Expression | None]:
        """`(value, value)`; None for those that are not there."""
        cursor, values = self.cursor, list[Expression | None]()
        if cursor.accept("("):
            values += cursor.listed(self.expression)
            if len(values) > most:
                raise cursor.unexpected(f"at most {most} values")
            cursor.expect(")", "behind the values")
        return values + [None] * (most - len(values))

    def _action(self, at: int) -> Action:
        cursor = self.cursor
        physical = cursor.accept("physical")
        if not physical:
            cursor.accept("logical")
        cursor.expect("action", "behind its origin")
        name = cursor.word("the name of the action").text
        delay: Expression | None = None
        spacing: Expression | None = None
        policy = ""
        if cursor.accept("("):
            delay = self.expression()
            if cursor.accept(","):
                spacing = self.expression()
            if cursor.accept(","):
                policy = cursor.text("the policy")
            cursor.expect(")", "behind the delays of the action")
        self.typed()
        return Action(name, physical, delay, spacing, policy, at, self.mode)

    def _instance(self, attributes: tuple[Attribute, ...]) -> Instance:
        cursor = self.cursor
        name = cursor.take()
        cursor.take()
        cursor.expect("new", "behind '='")
        width = self.width()
        class_name = cursor.word("the class of the reactor").text
        if cursor.accept("<"):
            cursor.listed(self.type)
            cursor.expect(">", "behind the types")
        cursor.expect("(", "behind the class")
        parameters = cursor.listed(self.assignment, ")", "behind the parameters")
        return Instance(
            name.text, class_name, width, tuple(parameters), self.host(), attributes, self.mode,
            name.start,
        )  # fmt: skip

    def _connection(self, attributes: tuple[Attribute, ...], at: int) -> Connection:
        cursor = self.cursor
        iterated = False
        if cursor.accept("("):
            left = cursor.listed(self.port, ")", "behind the ports")
            iterated = cursor.accept("+")
        else:
            left = cursor.listed(self.port)
        physical = cursor.at("~>")
        if not physical and not cursor.at("->"):
            raise cursor.unexpected("'->' or '~>'", "of the connection")
        cursor.take()
        right = cursor.listed(self.port)
        delay = self.expression() if cursor.accept("after") else None
        serializer = cursor.text("the serializer") if cursor.accept("serializer") else ""
        return Connection(
            tuple(left), tuple(right), physical, iterated, delay, serializer, attributes,
            self.mode, at,
        )  # fmt: skip

    def _mode(self, at: int) -> list[Member]:
        cursor = self.cursor
        initial = cursor.accept("initial")
        cursor.expect("mode", "behind 'initial'")
        if self.mode:
            raise cursor.source.error(at, "a mode cannot hold another")
        name = "" if cursor.at("{") else cursor.word("the name of the mode").text
        cursor.expect("{", "behind the mode's name")
        self.mode = name or "mode"
        inside = self.members()
        self.mode = ""
        return [Mode(name, initial, at), *inside]
