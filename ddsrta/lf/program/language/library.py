"""Finds the classes that a program names: its own, imported and inherited ones."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ddsrta.base.diagnostics import did_you_mean, shown
from ddsrta.lf.program.language.parse import read_program
from ddsrta.lf.program.language.syntax import Member, Parameter, Program, ReactorClass
from ddsrta.lf.program.language.tokens import Source

_MOST_FILES = 1000
_MOST_PARENTS = 50
_LONGEST_WAY = 100  # from file to file, to where a class is


@dataclass(frozen=True)
class Found:
    """A class and the file that it is in; it has the members and parameters of its parents too."""

    definition: ReactorClass
    program: Program
    inherited: Mapping[int, Program] = field(default_factory=dict)

    @property
    def source(self) -> Source:
        """Where messages point to."""
        return self.program.source

    def home(self, member: Member | Parameter) -> Program:
        """The file that a member comes from."""
        return self.inherited.get(id(member), self.program)


class Library:
    """The program and what it imports, each file read once."""

    def __init__(self, program: Program) -> None:
        self.main = program
        self.programs = {os.path.realpath(program.source.file): program}
        self._complete: dict[int, Found] = {}

    def top(self) -> Found:
        """The main or federated reactor."""
        mains = [r for r in self.main.reactors if r.kind]
        source = self.main.source
        if not mains:
            message = "there is no main or federated reactor"
            raise source.error(0, message, "import the file that has it")
        if len(mains) > 1:
            raise source.error(mains[1].at, "there is another main or federated reactor already")
        return self._whole(Found(mains[0], self.main), ())

    def find(self, name: str, program: Program, at: int) -> Found:
        """The class of a name, as it is seen from a file."""
        return self._whole(self._find(name, program, at, 0), ())

    def _find(self, name: str, program: Program, at: int, depth: int) -> Found:
        for definition in program.reactors:
            if definition.name == name and not definition.kind:
                return Found(definition, program)
        for line in program.imports:
            for here, there in line.names:
                if here == name:
                    if depth > _LONGEST_WAY:
                        raise program.source.error(line.at, "imports go round in a circle")
                    other = self._imported(program, line.path, line.package, line.at)
                    return self._find(there, other, line.at, depth + 1)
        known = [r.name for r in program.reactors if r.name]
        known += [here for line in program.imports for here, _ in line.names]
        message = f"there is no reactor {shown(name)}"
        raise program.source.error(at, message, did_you_mean(name, known))

    def _imported(self, program: Program, path: str, package: bool, at: int) -> Program:
        folder = os.path.dirname(os.path.abspath(program.source.file))
        found = _in_packages(folder, path) if package else os.path.join(folder, path)
        if found is None or not os.path.isfile(found):
            advice = "fetch the package with lfc first" if package else "look for the file"
            raise program.source.error(at, f"{shown(path, 200)} is not there", advice)
        real = os.path.realpath(found)
        if real not in self.programs:
            if len(self.programs) >= _MOST_FILES:
                raise program.source.error(at, f"more than {_MOST_FILES} files are imported")
            self.programs[real] = read_program(os.path.relpath(found))
        return self.programs[real]

    def _whole(self, found: Found, children: tuple[int, ...]) -> Found:
        """A class with everything that it inherits."""
        definition = found.definition
        if id(definition) in children or len(children) > _MOST_PARENTS:
            raise found.source.error(definition.at, f"{shown(definition.name)} extends itself")
        if not definition.extends:
            return found
        if id(definition) not in self._complete:
            parameters, members = list[Parameter](), list[Member]()
            inherited = dict[int, Program]()
            for name in definition.extends:
                parent = self._find(name, found.program, definition.at, 0)
                complete = self._whole(parent, (*children, id(definition)))
                parameters += complete.definition.parameters
                members += complete.definition.members
                for member in (*complete.definition.parameters, *complete.definition.members):
                    inherited[id(member)] = complete.home(member)
            parameters = _last_of_each(parameters + list(definition.parameters))
            members += definition.members
            # A class that several parents extend is there once.
            members = list({id(member): member for member in members}.values())
            whole = replace(definition, parameters=tuple(parameters), members=tuple(members))
            self._complete[id(definition)] = Found(whole, found.program, inherited)
        return self._complete[id(definition)]


def _last_of_each(parameters: list[Parameter]) -> list[Parameter]:
    return list({parameter.name: parameter for parameter in parameters}.values())


def _in_packages(folder: str, path: str) -> str | None:
    """Where lfc keeps what it fetched: build/lfc_include beside one of the folders above."""
    while True:
        candidate = os.path.join(folder, "build", "lfc_include", path)
        if os.path.isfile(candidate):
            return candidate
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above
