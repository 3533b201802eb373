"""Parses a file of Lingua Franca, in the spelling of any version."""

from __future__ import annotations

import os
import re
from typing import Literal

from ddsrta.base.diagnostics import Diagnostic, InputError, Position
from ddsrta.lf.program.language.cursor import Cursor
from ddsrta.lf.program.language.members import Members
from ddsrta.lf.program.language.pieces import UNITS
from ddsrta.lf.program.language.syntax import Import, Program, Property, ReactorClass, Scalar
from ddsrta.lf.program.language.tokens import Source

LARGEST_PROGRAM = 16 << 20
_NAME_OR_PATH = re.compile(r"(?:(?!//|/\*)[\w.\\/:$~-])+", re.ASCII)
_KEBAB = re.compile(r"[A-Za-z_][\w-]*", re.ASCII)
_PACKAGE = re.compile(r"[^>\s]+")


def read_program(path: str) -> Program:
    """The program in a file; raises InputError with file, line and column."""
    with open(path, "rb") as stream:
        data = stream.read(LARGEST_PROGRAM + 1)
    if len(data) > LARGEST_PROGRAM:
        raise InputError([Diagnostic(Position(path, 1, 1), "programs have at most 16 MiB")])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        message = "this is no UTF-8"
        raise InputError([Diagnostic(Position(path, line, column), message)]) from None
    return parse(text, path)


def parse(text: str, file: str = "<program>") -> Program:
    """The program that a text is.

    >>> program = parse("target C  main reactor { timer t(0, 5 ms)  reaction(t) {= =} }")
    >>> program.reactors[0].members[0].period.nanoseconds
    5000000
    >>> parse("main reactor { timr t }", "a.lf")
    Traceback (most recent call last):
    ddsrta.base.diagnostics.InputError: a.lf:1:16: 'timr' begins no member; did you mean 'timer'?
    """
    return _File(Cursor(Source(text, file))).program()


class _File(Members):
    """What stands outside of reactors."""

    def __init__(self, cursor: Cursor) -> None:
        super().__init__(cursor)
        self.places: dict[str, int] = {}

    def program(self) -> Program:
        cursor = self.cursor
        target, properties = "", dict[str, Property]()
        if cursor.accept("target"):
            target = cursor.word("the name of the target").text
            if cursor.at("{"):
                properties = self._properties()
            cursor.accept(";")
        imports, reactors, preambles = list[Import](), list[ReactorClass](), 0
        while cursor.next.kind != "end":
            if cursor.at("import"):
                imports.append(self._import())
            elif cursor.at("private", "public", "preamble"):
                self.preamble()
                preambles += 1
            else:
                reactors.append(self._reactor())
            cursor.accept(";")
        if not reactors:
            raise cursor.unexpected("a reactor")
        return Program(
            cursor.source, target, properties, tuple(imports), tuple(reactors), preambles,
            self.places,
        )  # fmt: skip

    def _import(self) -> Import:
        cursor, at = self.cursor, self.cursor.take().start
        names = cursor.listed(self._imported)
        cursor.expect("from", "behind the names")
        if cursor.accept("<"):
            path = cursor.raw(_PACKAGE, "a package")
            cursor.expect(">", "behind the package")
            return Import(tuple(names), path, True, at)
        return Import(tuple(names), cursor.text("the file"), False, at)

    def _imported(self) -> tuple[str, str]:
        there = self.cursor.word("a reactor").text
        here = self.cursor.word("another name").text if self.cursor.accept("as") else there
        return here, there

    def _reactor(self) -> ReactorClass:
        cursor = self.cursor
        attributes = self.attributes()
        at = cursor.next.start
        kind: Literal["", "main", "federated"] = ""
        while cursor.at("federated", "main", "realtime"):
            word = cursor.take().text
            if word != "realtime":
                kind = "main" if word == "main" else "federated"
        cursor.expect("reactor", "or an import or preamble")
        name = "" if cursor.at("at", "extends") else self._class_name()
        if cursor.accept("<"):
            cursor.listed(self._type_parameter)
            cursor.expect(">", "behind the types")
        parameters = []
        if cursor.accept("("):
            parameters = cursor.listed(self.parameter, ")", "behind the parameters")
        host = self.host()
        extends: list[str] = []
        if cursor.accept("extends"):
            extends = cursor.listed(lambda: cursor.word("a reactor").text)
        cursor.expect("{", "before the members of the reactor")
        members = self.members()
        return ReactorClass(
            name, kind, tuple(parameters), tuple(extends), host, tuple(members), attributes, at
        )

    def _class_name(self) -> str:
        return self.cursor.take().text if self.cursor.next.kind == "word" else ""

    def _type_parameter(self) -> None:
        if self.cursor.next.kind == "code":
            self.cursor.take()
            return
        self.cursor.word("a type")
        while self.cursor.next.kind == "word":
            self.cursor.take()

    def _properties(self) -> dict[str, Property]:
        cursor, found = self.cursor, dict[str, Property]()
        cursor.expect("{", "before the properties")
        while not cursor.at("}"):
            at = cursor.next
            key = cursor.text("") if at.kind == "text" else cursor.raw(_KEBAB, "a property")
            if key in found:
                raise cursor.source.error(at.start, f"'{key}' is given twice")
            cursor.expect(":", f"behind '{key}'")
            found[key] = cursor.nested(self._property)
            self.places[key] = at.start  # of a property that holds another, its own in the end
            if not cursor.accept(","):
                break
        cursor.expect("}", "behind the properties")
        return found

    def _property(self) -> Property:
        cursor, token = self.cursor, self.cursor.next
        if cursor.at("{"):
            return self._properties()
        if cursor.accept("["):
            return cursor.listed(lambda: cursor.nested(self._property), "]", "behind the list")
        if token.kind == "text":
            return Scalar(cursor.text(""), token.start)
        if token.kind == "number" and cursor.second().text in UNITS:
            time = self.expression()
            assert not isinstance(time, tuple)
            return time  # type: ignore[return-value]
        return Scalar(cursor.raw(_NAME_OR_PATH, "a value"), token.start)


def folder_of(program: Program) -> str:
    """Where the imports of a program are looked for."""
    return os.path.dirname(os.path.abspath(program.source.file))
