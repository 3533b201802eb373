"""The parameters of a study as the base allows them: a value is checked where it is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from ddsrta.base.diagnostics import did_you_mean, shown
from ddsrta.base.shapes import DURATION, Context, Integer, Quantity, Shape
from ddsrta.base.yaml_tree import Node
from ddsrta.exploration.improve.move import View
from ddsrta.exploration.improve.moves import idle_keeps
from ddsrta.exploration.spoken import spoken
from ddsrta.exploration.study.base import Base
from ddsrta.exploration.study.grammar import ParameterDeclaration, Range
from ddsrta.exploration.study.kinds import of_kind
from ddsrta.exploration.study.shapes import Place, Written
from ddsrta.exploration.study.space import Choice, Parameter, Path, Space
from ddsrta.lf.program.shapes import As, Wait

MOST_VALUES = 100_000
MOST_ENTRIES = 7  # of a list whose orders are all tried


def space_of(
    declared: Mapping[str, ParameterDeclaration], base: Base, context: Context
) -> Space | None:
    """All parameters; None where something was reported."""
    before = context.told
    found: list[Parameter] = []
    for name, each in declared.items():
        found += _Maker(name, each, base, context).parameters()
    _apart(found, context)
    if context.told != before:
        return None
    present = tuple(base.value(place) for each in found for place in each.places)
    return Space(tuple(found), present)


def _apart(found: Sequence[Parameter], context: Context) -> None:
    """Reports places that are in two parameters, or one inside of another."""
    owners: dict[Path, str] = {}
    for each in found:
        for place in each.places:
            for length in range(1, len(place) + 1):
                other = owners.get(place[:length])
                if other is not None:
                    message = f"{spoken(place)} is also open in '{other}'"
                    context.report_at(message, "parameters", each.name, advice="keep one of them")
                    break
            owners[place] = each.name
    for each in found:
        for place in each.places:
            if any(place == other[: len(place)] != other for other in owners):
                message = f"another parameter is inside of {spoken(place)}"
                context.report_at(message, "parameters", each.name, advice="keep one of them")


class _Maker:
    def __init__(self, name: str, said: ParameterDeclaration, base: Base, context: Context) -> None:
        self.name = name
        self.said = said
        self.base = base
        self.context = context
        self.position = context.tree.find(["parameters", name])

    def parameters(self) -> list[Parameter]:
        """Those that the declaration makes: several of a kind, else one or none."""
        said = self.said
        if said.kind is not None:
            system = self.base.system
            view = None if system is None else View(system, {})
            made = of_kind(said.kind, said.keep, view, self.position) if view else []
            for idle in idle_keeps(self.base.tree, said.keep) if view else ():
                place = "parameters", self.name, "keep"
                self.context.report_at(idle.message, *place, advice=idle.advice)
            if not made:
                self._tell_of_none(said.kind, view)
            return made
        if said.partition is not None:
            return self._one(self._partition(said.partition))
        if said.publication is not None:
            return self._one(self._publication(said.publication))
        if said.order:
            return self._one(self._order())
        if said.entries is not None:
            return self._one(self._entries(said.entries))
        places = said.places or ((said.place,) if said.place else ())
        return self._one(self._values([self._path(place) for place in places]))

    def _tell_of_none(self, kind: str, view: View | None) -> None:
        if view and self.said.keep and of_kind(kind, (), view):
            message = f"'keep' leaves nothing of the kind '{kind}' to change"
            self.context.report_at(message, "parameters", self.name, "keep", advice="keep less")
            return
        message = f"the base has nothing of the kind '{kind}' to change"
        self.context.report_at(message, "parameters", self.name)

    def _one(self, found: Parameter | None) -> list[Parameter]:
        return [] if found is None else [found]

    def _path(self, place: Place) -> Path | None:
        path, wrong, advice = self.base.resolved(place.steps)
        if wrong:
            self.context.report(place.node, wrong, advice)
            return None
        return path

    def _parameter(
        self,
        places: Sequence[Path],
        choices: Sequence[tuple[Any, ...]],
        handed: Sequence[Any] = (),
        words: Sequence[str] = (),
    ) -> Parameter:
        present = tuple(self.base.value(place) for place in places)
        base: Choice | None = tuple(range(len(handed)))
        if choices:
            base = next((n for n, each in enumerate(choices) if each == present), None)
        return Parameter(
            self.name, tuple(places), tuple(choices), tuple(handed), base, self.position,
            tuple(words),
        )  # fmt: skip

    def _values(self, found: Sequence[Path | None]) -> Parameter | None:
        places = [place for place in found if place is not None]
        if not places or len(places) < len(found):
            return None
        said = self.said
        written = said.values if said.range is None else self._range(said.range, places[0])
        looked_at = written if said.range is None else written[:: max(1, len(written) - 1)]
        if not self._are_right(looked_at, places):
            return None
        texts = self._texts(written, places)
        return self._parameter(places, texts) if texts else None

    def _are_right(self, written: Sequence[Written], places: Sequence[Path]) -> bool:
        """Whether values may stand at the places; what may not is reported."""
        before = self.context.told
        for value in written:
            for place in places if value.value is not None else ():
                for message, advice in self.base.wrong(place, value.node, self.position.file):
                    self.context.report(value.node, f"{spoken(place)}: {message}", advice)
        return self.context.told == before

    def _texts(self, written: Sequence[Written], places: Sequence[Path]) -> list[tuple[Any, ...]]:
        """The values at each place: those of the base as it writes them, each once."""
        rows = [tuple(self._usual(place, value.value) for place in places) for value in written]
        return list({repr(row): row for row in rows}.values())

    def _usual(self, place: Path, value: Any) -> Any:
        """The value, in the words of the base where it means the same."""
        present = self.base.value(place)
        shape = _numeric(self.base.shape_at(place, value))
        if isinstance(shape, Quantity) and isinstance(present, str) and isinstance(value, str):
            with suppress(ValueError):  # such as 'forever'
                return present if shape.parse(present) == shape.parse(value) else value
        return value

    def _range(self, said: Range, place: Path) -> list[Written]:
        """Its values, written as the place wants them."""
        ends = [said.least, said.most, *([said.step] if said.step else [])]
        shape = _numeric(self.base.shape_at(place, said.least.value))
        numbers = [self._number(shape, end) for end in ends]
        if None in numbers:
            return []
        if isinstance(shape, Quantity) and said.step is None:
            self.context.report(said.least.node, "a range of quantities needs a 'step'")
            return []
        low, high, step = [n for n in (*numbers, 1) if n is not None][:3]
        if (wrong := _wrong_range(low, high, step, said)) is not None:
            self.context.report(*wrong)
            return []
        node = said.least.node
        texts = [_text(shape, number) for number in range(low, high + 1, step)]
        return [Written(text, Node(node.line, node.column, text, True)) for text in texts]

    def _number(self, shape: Shape | None, end: Written) -> int | None:
        if isinstance(shape, Quantity | Integer):
            value = shape.read(end.node, self.context)
            return value if isinstance(value, int) else None
        self.context.report(end.node, "only quantities and numbers have ranges", "list 'values'")
        return None

    def _order(self) -> Parameter | None:
        found = [self._path(place) for place in self.said.order]
        places = [place for place in found if place is not None]
        if len(places) < len(found):
            return None
        handed = [self.base.value(place) for place in places]
        for place, value in zip(self.said.order, handed, strict=True):
            if not isinstance(value, str):
                self.context.report(place.node, "nothing is given there that could be handed out")
                return None
        if len(set(handed)) < 2:
            self.context.report(self.said.order[0].node, "all of them have the same value")
            return None
        return self._parameter(places, [], handed)

    def _entries(self, place: Place) -> Parameter | None:
        path = self._path(place)
        items = self.base.value(path) if path else None
        if path is None:
            return None
        if not isinstance(items, list) or not 1 < len(items) <= MOST_ENTRIES:
            message = f"a list of 2 … {MOST_ENTRIES} entries is needed"
            self.context.report(place.node, message)
            return None
        numbers = Parameter("", (), (), tuple(map(repr, items)))
        orders = [tuple(choice) for choice in numbers.every() if not isinstance(choice, int)]
        return self._parameter([path], [([items[n] for n in order],) for order in orders])

    def _partition(self, name: str) -> Parameter | None:
        """The beginnings of a search for partitions, beside what the file has."""
        if self.base.federation is None or name not in self.base.federation.federates:
            known = list(self.base.federation.federates) if self.base.federation else []
            message = f"the base has no federate {shown(name)}"
            self.context.report_at(
                message, "parameters", self.name, "partition", advice=did_you_mean(name, known)
            )
            return None
        from ddsrta.exploration.study.partitions import partitions

        places, rows, words = partitions(self.base, name)
        return self._parameter(places, rows, words=words)

    def _publication(self, place: Place) -> Parameter | None:
        path = self._path(place)
        entry = self.base.value(path) if path else None
        if path is None:
            return None
        if not isinstance(entry, dict) or "topic" not in entry:
            self.context.report(
                place.node, "that is no publication", "name an entry of 'publishes'"
            )
            return None
        given = [key for key in ("mode", "flow_controller", "delay") if key in entry]
        keys = [key for key in ("mode", "flow_controller", "delay") if key in given]
        keys += [] if "flow_controller" in keys else ["flow_controller"]
        known = self.base.names.get("flow_controllers") or ()
        rows = []
        for value in self.said.values:
            if value.value != "sync" and value.value not in known:
                message = "a publication is sent 'sync' or by a flow controller of the base"
                self.context.report(value.node, f"{message}, not {value.node.kind}")
                return None
            rows.append(tuple(_sent(entry, key, value.value) for key in keys))
        words = [str(value.value) for value in self.said.values]
        return self._parameter([(*path, key) for key in keys], rows, words=words)


def _numeric(shape: Shape | None) -> Shape | None:
    """The shape of the number in what is made of one."""
    shape = shape.shape if isinstance(shape, As) else shape
    return DURATION if isinstance(shape, Wait) else shape


def _sent(entry: Mapping[str, Any], key: str, way: str) -> Any:
    """What a key of a publication says where it is sent in a way: its own δ is that of the thread
    that sends now."""
    sync = way == "sync"
    if key == "mode":
        return "sync" if sync else "async"
    if key == "flow_controller":
        return None if sync else way
    same = sync == ("flow_controller" not in entry)
    return entry.get(key) if same else None


def _wrong_range(low: int, high: int, step: int, said: Range) -> tuple[Node, str, str] | None:
    """What is wrong with a range, where, and what to do."""
    if step < 1:
        assert said.step is not None
        return said.step.node, "a step is more than zero", "ranges go from the smaller value up"
    if high < low:
        return said.most.node, "the range ends before it begins", "exchange 'from' and 'to'"
    count = (high - low) // step + 1
    if count > MOST_VALUES:
        message = f"the range has {count:,} values, more than {MOST_VALUES:,}"
        return (said.step or said.most).node, message, "take a larger step"
    return None


def _text(shape: Shape | None, number: int) -> str:
    if not isinstance(shape, Quantity):
        return str(number)
    written: str = shape.write(number)
    return written.replace(" ", "")
