"""How far each value of a system can move before a deadline falls."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from ddsrta.base.diagnostics import InputError
from ddsrta.base.frozen import frozen
from ddsrta.bounds.analyze import analyze
from ddsrta.bounds.deadlines import deadlines
from ddsrta.bounds.result import Result
from ddsrta.exploration.parameters import Parameter, parameters, with_values
from ddsrta.models.system import System

BETWEEN = 4  # values between the present one and the limit that are looked at, too
MOST_SLOTS = 100  # places for a priority
PARTS = 1000  # of the factor for all costs


@frozen
class Margin:
    """How far one value can go: `limit` keeps all deadlines, the next one (`beyond`) does not, and
    `falls` is what falls then. A limit of None: the system is late as it is. A `beyond` of None: no
    value is too far. `misses` are values before the limit at which a deadline falls nevertheless.
    """

    parameter: Parameter
    limit: int | None
    beyond: int | None
    falls: tuple[str, ...] = ()
    misses: tuple[int, ...] = ()
    is_checked: bool = True  # the checker confirms the bounds at the limit

    @property
    def share(self) -> Fraction | None:
        """The way to the limit, as a part of the value; None where nothing limits it."""
        if self.limit is None:
            return Fraction(0)
        if self.beyond is None:
            return None
        return Fraction(abs(self.limit - self.parameter.value), max(1, self.parameter.value))


@frozen
class Place:
    """A range of values of a priority that all order it alike, and whether all deadlines hold."""

    least: int
    most: int
    is_met: bool


@frozen
class PriorityMargin:
    """Which priorities keep all deadlines, of all that differ to the others of the same core."""

    parameter: Parameter
    places: tuple[Place, ...]

    @property
    def here(self) -> Place | None:
        """The widest range around the present one that keeps all deadlines."""
        index = next(
            n for n, p in enumerate(self.places) if p.least <= self.parameter.value <= p.most
        )
        if not self.places[index].is_met:
            return None
        low = high = index
        while low and self.places[low - 1].is_met:
            low -= 1
        while high + 1 < len(self.places) and self.places[high + 1].is_met:
            high += 1
        return Place(self.places[low].least, self.places[high].most, True)


@frozen
class Sensitivity:
    """All margins, the narrowest first, and the largest factor for all costs at once."""

    result: Result
    factor: Fraction | None
    factor_falls: tuple[str, ...]
    margins: tuple[Margin, ...]
    priorities: tuple[PriorityMargin, ...]


LOWEST, HIGHEST = 1, 99  # priorities of SCHED_FIFO
FARTHEST = 1000  # times as much: what is met there is not limited
LEAST = 1_000_000  # ns, of a time that is none


def sensitivity(system: System, progress: Callable[[int, int], None] | None = None) -> Sensitivity:
    """The margins of all parameters.

    >>> from ddsrta.examples import two_threads
    >>> found = sensitivity(two_threads())
    >>> first = found.margins[0]
    >>> first.parameter.name, first.parameter.shown(first.limit)
    ('sensor: period', '2.224026 ms')
    """
    known = parameters(system)
    margins: list[Margin] = []
    priorities: list[PriorityMargin] = []
    late = falls_of(system)
    for number, parameter in enumerate(known):
        if progress is not None:
            progress(number, len(known))
        if parameter.harder is None:
            priorities.append(PriorityMargin(parameter, tuple(_places(system, parameter, known))))
        elif late:
            margins.append(Margin(parameter, None, None, late))
        else:
            margins.append(margin(system, parameter))
    factor, falls = _factor(system, [p for p in known if p.kind in ("wcet", "delta")])
    ranked = sorted(margins, key=lambda each: (each.share is None, each.share or 0))
    return Sensitivity(analyze(system), factor, falls, tuple(ranked), tuple(priorities))


def falls_of(system: System) -> tuple[str, ...]:
    """The chains whose deadlines do not hold, or what else is not as it should be."""
    result = analyze(system, check=False)
    found = tuple(dict.fromkeys(d.chain for d in deadlines(result) if d.state != "met"))
    return found if found or result.verdict == "met" else (f"the verdict is {result.verdict}",)


def margin(system: System, parameter: Parameter) -> Margin:
    """How far one time can go, from a system that is in time."""

    def tried(value: int) -> tuple[str, ...]:
        return _tried(system, parameter, value)

    low = parameter.value  # met, the other is not
    high = 1 if parameter.harder == "less" else max(low, LEAST) * FARTHEST
    if low == high or not tried(high):
        return Margin(parameter, high, None)
    while abs(high - low) > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if tried(middle) else (middle, high)
    misses = tuple(value for value in _between(parameter.value, low) if tried(value))
    is_checked = analyze(with_values(system, {parameter: low})).verdict == "met"
    return Margin(parameter, low, high, tried(high), misses, is_checked)


def _between(first: int, last: int) -> list[int]:
    return sorted({first + (last - first) * n // (BETWEEN + 1) for n in range(1, BETWEEN + 1)})


def _tried(system: System, parameter: Parameter, value: int) -> tuple[str, ...]:
    try:
        return falls_of(with_values(system, {parameter: value}))
    except InputError as error:
        return (f"this cannot be: {error.diagnostics[0].message}",)


def _factor(system: System, costs: Sequence[Parameter]) -> tuple[Fraction | None, tuple[str, ...]]:
    """The largest factor, in thousandths, by which all costs can grow; what falls next."""

    def tried(parts: int) -> tuple[str, ...]:
        values = {each: max(1, -(-each.value * parts // PARTS)) for each in costs}
        try:
            return falls_of(with_values(system, values))
        except InputError as error:
            return (f"this cannot be: {error.diagnostics[0].message}",)

    low, high = 0, PARTS
    while not tried(high):
        low, high = high, 2 * high
        if high > PARTS * FARTHEST:
            return None, ()
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if tried(middle) else (middle, high)
    return Fraction(low, PARTS), tried(high)


def _places(system: System, parameter: Parameter, known: Sequence[Parameter]) -> Iterator[Place]:
    """All that a priority can mean among those of the same core."""
    core = _core(system, parameter)
    others = {
        each.value
        for each in known
        if each.harder is None and each != parameter and _core(system, each) == core
    }
    for least, most in _ranges(sorted(others))[:MOST_SLOTS]:
        value = parameter.value if least <= parameter.value <= most else least
        yield Place(least, most, not _tried(system, parameter, value))


def _ranges(others: Sequence[int]) -> list[tuple[int, int]]:
    """Between and at the priorities of others.

    >>> _ranges([5, 7])
    [(1, 4), (5, 5), (6, 6), (7, 7), (8, 99)]
    """
    found, low = [], LOWEST
    for other in others:
        found += [(low, other - 1), (other, other)]
        low = other + 1
    return [(least, most) for least, most in [*found, (low, HIGHEST)] if least <= most]


def _core(system: System, parameter: Parameter) -> str:
    section, name = parameter.path[:2]
    thing = getattr(system, str(section)).get(name) if hasattr(system, str(section)) else None
    return str(getattr(thing, "core", ""))
