"""The words of study.yaml, version 1: one record for each of its things."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ddsrta.base.records import key, record, shape_of
from ddsrta.base.shapes import Choice, Constant, Flag, Integer, Text
from ddsrta.base.structures import Brief, Contradiction, Either, ListOf, MapOf
from ddsrta.exploration.improve.moves import KINDS
from ddsrta.exploration.study.shapes import Amount, AmountShape, Place, PlaceShape, Value, Written

VERSION = 1
SAMPLERS = {
    "grid": "every point of the space, one after the other",
    "random": "points by chance, none twice",
    "local": "from what is best so far, all points that differ in one parameter",
    "priorities": "orders of priorities: Audsley's way from below, then `local` among orders",
    "nsga2": "the genetic algorithm NSGA-II (extra `explore`)",
    "nsga3": "NSGA-III, for more than three objectives (extra `explore`)",
    "placement": "cores that even out the load, the best first, by CP-SAT (extra `placement`)",
}
# What may be an objective or a limit, and what `of` names there.
FIGURES = {
    "latency": "chains",
    "trigger_latency": "chains",
    "data_age": "chains",
    "reaction_time": "chains",
    "slack": "chains with a deadline",
    "ddl": "messages, as 'publisher → topic → subscriber'",
    "wcrt": "threads and callbacks",
    "backlog": "queues",
    "utilization": "cores",
    "imbalance": "cores: the highest utilisation less the lowest",
    "cores": "cores: how many of them do anything",
    "changes": "nothing: how many places differ from the base",
    "wait": "federates of a federation: how long they wait for inputs",
    "done": "enclaves of a federation: the latest end of a tag",
}
_OF = Either(scalar=Text(), sequence=ListOf(Text(), may_be_empty=False))
_NAMES = ListOf(Text(), may_be_empty=False)
_FORMS = ("values", "range", "order", "entries", "kind", "partition")


@record("range")
class Range:
    """Values of equal distance, the ends included."""

    least: Written = key(Value(), "the first", name="from", required=True)
    most: Written = key(Value(), "the last at the most", name="to", required=True)
    step: Written | None = key(Value(), "from one to the next", default=None, shown=1)


@record("parameter")
class ParameterDeclaration:
    """What is open, and what it may be."""

    name: str
    place: Place | None = key(
        PlaceShape(),
        "where in the base: `threads/sensor/wcet`; entries of a list by number from 0, "
        "publications also by topic; a list of steps where a name holds a `/`",
        default=None,
    )
    places: tuple[Place, ...] = key(
        ListOf(PlaceShape(), may_be_empty=False), "several that have one value", default=()
    )
    publication: Place | None = key(
        PlaceShape(),
        "an entry of `publishes`; its values are `sync` and names of flow controllers",
        default=None,
    )
    values: tuple[Written, ...] = key(
        ListOf(Value(), may_be_empty=False), "what may stand there", default=()
    )
    range: Range | None = key(shape_of(Range), "the same as a range", default=None)
    order: tuple[Place, ...] = key(
        ListOf(PlaceShape(), may_be_empty=False),
        "places whose present values are handed out anew, in any order",
        default=(),
    )
    entries: Place | None = key(PlaceShape(), "a list whose entries take any order", default=None)
    kind: str | None = key(
        Choice(tuple(KINDS)),
        "all that `ddsrta improve` changes under this name",
        default=None,
    )
    partition: str | None = key(
        Text(), "of a federate into enclaves: its own, and those that people would draw",
        default=None,
    )  # fmt: skip
    keep: tuple[str, ...] = key(
        ListOf(Text()), "of a `kind`: patterns of what stays as it is", default=()
    )

    def contradictions(self, given: Mapping[str, Any]) -> Iterator[Contradiction]:
        """One form, with what belongs to it."""
        forms = [name for name in _FORMS if name in given]
        if len(forms) != 1:
            advice = f"use {', '.join(_FORMS[:-1])} or {_FORMS[-1]}"
            yield Contradiction((), "a parameter has one of several forms", advice)
            return
        places = [name for name in ("place", "places", "publication") if name in given]
        wanted = 1 if forms[0] in ("values", "range") else 0
        if len(places) != wanted:
            what = "a 'place', 'places' or a 'publication'" if wanted else "no place beside it"
            yield Contradiction((forms[0],), f"'{forms[0]}' needs {what}")
        if "keep" in given and forms[0] != "kind":
            yield Contradiction("keep", "'keep' is for a 'kind'")


@record("objective")
class Objective:
    """A figure that is to be small or large; of several things it is the worst one."""

    minimize: str | None = key(Choice(tuple(FIGURES)), "a figure", default=None)
    maximize: str | None = key(Choice(tuple(FIGURES)), "a figure", default=None)
    of: tuple[str, ...] = key(_OF, "of one thing or several (all, if missing)", default=())

    def contradictions(self, given: Mapping[str, Any]) -> Iterator[Contradiction]:
        """One direction."""
        if ("minimize" in given) == ("maximize" in given):
            yield Contradiction((), "an objective has either 'minimize' or 'maximize'")

    @property
    def figure(self) -> str:
        """Which it is."""
        return self.minimize or self.maximize or ""


@record("limit")
class Limit:
    """A figure that must not go beyond an amount."""

    figure: str = key(Choice(tuple(FIGURES)), "a figure", required=True)
    of: tuple[str, ...] = key(_OF, "of one thing or several (all, if missing)", default=())
    at_most: Amount | None = key(AmountShape(), "the most it may be", default=None)
    at_least: Amount | None = key(AmountShape(), "the least it may be", default=None)

    def contradictions(self, given: Mapping[str, Any]) -> Iterator[Contradiction]:
        """One end."""
        if ("at_most" in given) == ("at_least" in given):
            yield Contradiction((), "a limit has either 'at_most' or 'at_least'")


@record("constraints")
class Constraints:
    """What a candidate has to keep."""

    deadlines: bool = key(
        Flag(), "the verdict has to be `met`: deadlines, orders, no errors", default=True
    )
    limits: tuple[Limit, ...] = key(ListOf(shape_of(Limit)), "of figures", default=())
    equal: tuple[list[str], ...] = key(
        ListOf(_NAMES), "sets of parameters that have the same value", default=()
    )
    forbidden: tuple[Mapping[str, Written], ...] = key(
        ListOf(MapOf(Value())), "values of parameters that may not come together", default=()
    )
    same_core: tuple[list[str], ...] = key(
        ListOf(_NAMES), "sets of threads, callbacks, executors, … on one core", default=()
    )
    apart: tuple[list[str], ...] = key(
        ListOf(_NAMES), "sets of which no two are on one core", default=()
    )


@record("sampler")
class Sampler:
    """Which points are tried."""

    kind: str | None = key(
        Choice(tuple(SAMPLERS)),
        "how: see above (`grid` up to 10,000 points, else `local`)",
        default=None,
    )
    seed: int = key(Integer(0), "of chance: the same seed tries the same points", default=0)
    candidates: int = key(Integer(1, 10_000_000), "how many at the most", default=10_000)
    batch: int = key(Integer(1, 100_000), "how many are stored at a time", default=100)
    population: int = key(Integer(2, 10_000), "of a genetic algorithm", default=64)


@record("study", hints={"ddsrta": "a study is a file of its own: its 'base' is the system"})
class StudyDeclaration:
    """What a file says."""

    study: int = key(
        Constant(VERSION, "the only version of the format so far"),
        "the version of the format: begin with 'study: 1'",
        default=VERSION,
        required=True,
        shown="",
    )
    name: str = key(Text(), "what to call the study", default="study")
    base: str = key(
        Text(), "a system or federation, beside this file", default="", required=True, shown=""
    )
    parameters: Mapping[str, ParameterDeclaration] = key(
        MapOf(shape_of(ParameterDeclaration)),
        "what is open",
        default_factory=dict,
        required=True,
    )
    constraints: Constraints = key(
        shape_of(Constraints), "what a candidate has to keep", default=Constraints(), shown=""
    )
    objectives: tuple[Objective, ...] = key(
        ListOf(shape_of(Objective), may_be_empty=False),
        "what is to be small or large; of several, the front is what nothing is better than in all",
        default=(),
        required=True,
    )
    sampler: Sampler = key(
        Either(scalar=Brief(shape_of(Sampler), "kind"), mapping=shape_of(Sampler)),
        "which points are tried",
        default=Sampler(),
        shown="",
    )


STUDY = shape_of(StudyDeclaration)
