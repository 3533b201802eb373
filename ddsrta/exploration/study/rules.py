"""What points may not be, whatever their figures: told from their values alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ddsrta.base.diagnostics import did_you_mean, shown
from ddsrta.base.frozen import frozen
from ddsrta.base.shapes import Context
from ddsrta.exploration.improve.move import Thing
from ddsrta.exploration.spoken import thing
from ddsrta.exploration.study.base import Base
from ddsrta.exploration.study.grammar import Constraints
from ddsrta.exploration.study.space import Path, Point, Space
from ddsrta.models.threads import callback_path

_RUNNING = ("threads", "callbacks", "executors", "flow_controllers", "listeners")


@frozen
class Rules:
    """Sets of parameters with equal values, values that may not meet, and things that share a core
    or do not."""

    space: Space
    base: Base
    equal: tuple[tuple[int, ...], ...] = ()
    forbidden: tuple[Mapping[int, frozenset[int]], ...] = ()
    together: tuple[tuple[Thing, ...], ...] = ()
    apart: tuple[tuple[Thing, ...], ...] = ()

    def breaks(self, point: Point) -> bool:
        """Whether a point breaks one of them."""
        parameters = self.space.parameters
        for numbers in self.equal:
            values = {repr(parameters[n].values(point[n])) for n in numbers}
            if len(values) > 1:
                return True
        for wrong in self.forbidden:
            if all(point[number] in choices for number, choices in wrong.items()):
                return True
        if not (self.together or self.apart):
            return False
        said = dict(zip(self.space.places, self.space.row(point), strict=True))
        if any(len(set().union(*self._cores(things, said))) > 1 for things in self.together):
            return True
        sets = [self._cores(things, said) for things in self.apart]
        return any(len(set().union(*some)) < sum(map(len, some)) for some in sets)

    def _cores(self, things: Sequence[Thing], said: Mapping[Path, object]) -> list[set[str]]:
        """Where each of them may run at a point."""
        return [self._of(each, said) for each in things]

    def _of(self, each: Thing, said: Mapping[Path, object]) -> set[str]:
        if each[0] == "callbacks":
            place = callback_path(each[1], self.base.tree)
            executor = self._said((*place, "executor"), said)
            if executor is None:  # that of its node
                executor = self._said((*place[:2], "executor"), said)
            each = ("executors", str(executor))
        cores = self._said((*each, "cores"), said) or [self._said((*each, "core"), said)]
        return set(map(str, cores if isinstance(cores, list) else [cores]))

    def _said(self, path: Path, said: Mapping[Path, object]) -> object:
        """What stands at a place, or inside of a thing that is at one."""
        for length in range(len(path), 0, -1):
            if path[:length] in said:
                found = said[path[:length]]
                for step in path[length:]:
                    found = found.get(step) if isinstance(found, dict) else None
                return found
        return self.base.value(path)


def rules_of(declared: Constraints, space: Space, base: Base, context: Context) -> Rules:
    """Those of a study; what is wrong with them is reported."""
    made = _Maker(space, base, context)
    return Rules(
        space,
        base,
        tuple(tuple(made.numbers(names, n)) for n, names in enumerate(declared.equal)),
        tuple(made.forbidden(n, values) for n, values in enumerate(declared.forbidden)),
        tuple(
            tuple(made.things(names, "same_core", n)) for n, names in enumerate(declared.same_core)
        ),
        tuple(tuple(made.things(names, "apart", n)) for n, names in enumerate(declared.apart)),
    )


class _Maker:
    def __init__(self, space: Space, base: Base, context: Context) -> None:
        self.context = context
        self.space = space
        self.number = {each.name: number for number, each in enumerate(space.parameters)}
        self.known: dict[str, list[Thing]] = {}
        for section in _RUNNING:
            for name in base.names.get(section) or ():
                for spoken in {name, thing((section, name))}:
                    self.known.setdefault(spoken, []).append((section, name))
        self.base = base

    def numbers(self, names: Sequence[str], at: int) -> Iterator[int]:
        sizes = set()
        for name in names:
            number = self._parameter(name, "equal", at)
            if number is not None:
                sizes.add(len(self.space.parameters[number].places))
                yield number
        if len(sizes) > 1:
            self._report("they have different numbers of places", "", "equal", at)

    def forbidden(self, at: int, values: Mapping[str, object]) -> Mapping[int, frozenset[int]]:
        found: dict[int, frozenset[int]] = {}
        for name, written in values.items():
            number = self._parameter(name, "forbidden", at)
            if number is None:
                continue
            value = getattr(written, "value", written)
            chosen = frozenset(self._choices(number, value))
            found[number] = chosen
            if not chosen:
                parameter = self.space.parameters[number]
                words = [parameter.word(choice) for choice in range(len(parameter.choices))]
                message = f"{shown(str(value))} is no value of {shown(name)}"
                advice = did_you_mean(str(value), words) if words else "it has orders"
                self._report(message, advice, "forbidden", at)
        return found

    def _choices(self, number: int, value: object) -> Iterator[int]:
        """The choices that mean a value."""
        parameter = self.space.parameters[number]
        for choice, row in enumerate(parameter.choices):
            if parameter.word(choice) == str(value) or all(each == value for each in row):
                yield choice

    def things(self, names: Sequence[str], key: str, at: int) -> Iterator[Thing]:
        for name in names:
            found = self.known.get(name, [])
            if len(found) != 1:
                several = " or ".join(f"'{thing(each)}'" for each in found)
                advice = f"say {several}" if found else did_you_mean(name, self.known)
                word = "several things are called" if found else "nothing that runs is called"
                self._report(f"{word} {shown(name)}", advice, key, at)
            elif found[0][0] != "callbacks" and self.base.value((*found[0], "core")) is None:
                self._report(f"{shown(name)} has no core of its own", "name another", key, at)
            else:
                yield found[0]

    def _parameter(self, name: str, key: str, at: int) -> int | None:
        if name not in self.number:
            message = f"there is no parameter {shown(name)}"
            self._report(message, did_you_mean(name, self.number), key, at)
        return self.number.get(name)

    def _report(self, message: str, advice: str, key: str, at: int) -> None:
        self.context.report_at(message, "constraints", key, at, advice=advice)
