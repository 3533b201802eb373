"""How far each value of a system can move before a deadline falls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache

from ddsrta.base.collecting import collecting_rarely
from ddsrta.base.diagnostics import InputError
from ddsrta.base.frozen import frozen
from ddsrta.base.shown import Shown
from ddsrta.base.watch import OverError, Watch
from ddsrta.bounds.analyze import analyze, watch_of
from ddsrta.bounds.brief import analyze_briefly
from ddsrta.bounds.deadlines import deadlines
from ddsrta.bounds.result import Result
from ddsrta.exploration.farthest import (
    COARSE,
    LEAST,
    Tried,
    before_overload,
    farthest,
    is_overloaded,
    nearest,
    overloading,
)
from ddsrta.exploration.improve.move import View
from ddsrta.exploration.improve.ranks import Member, Ranking, rankings
from ddsrta.exploration.parameters import Parameter, least_times, parameters, with_values
from ddsrta.models.system import System
from ddsrta.models.validate import refuse_invalid

_Factor = tuple[Fraction | None, tuple[str, ...], bool]  # what falls, whether it is checked
_ENDLESS = "the verdict is unbounded"
BETWEEN = 4  # values between the present one and the limit that are looked at, too
PARTS = 1000  # of the factor for all costs
FARTHEST = 1000  # times as much: what is met there is not limited


@frozen
class Margin:
    """How far one value can go: `limit` keeps all deadlines, `beyond` does not, and `falls` is what
    falls then. It is the next value where a deadline falls, and at most ten per cent further where
    only what has no deadline loses its bound. A limit of None: the system is late as it is, and
    with `repair` alone, if any is found, it is not. A `beyond` of None: no value is too far.
    `misses` are values before the limit at which a deadline falls nevertheless."""

    parameter: Parameter
    limit: int | None
    beyond: int | None
    falls: tuple[str, ...] = ()
    misses: tuple[int, ...] = ()
    is_checked: bool = True  # the checker confirms the bounds at the limit, or with the repair
    repair: int | None = None

    @property
    def share(self) -> Fraction | None:
        """The way to the limit, as a part of the value; None where nothing limits it."""
        if self.limit is None:
            return Fraction(0)
        return None if self.beyond is None else self.part(self.limit)

    @property
    def target(self) -> int | None:
        """The limit or, where the system is late, the repair; None where there is neither."""
        return self.repair if self.limit is None or self.beyond is None else self.limit

    def part(self, value: int) -> Fraction:
        """The way to a value, as a part of the present one."""
        return Fraction(abs(value - self.parameter.value), max(1, self.parameter.value))

    @property
    def rank(self) -> tuple[bool, bool, Fraction]:
        """The narrowest first; of a late system, the smallest repair."""
        if self.repair is not None:
            return False, False, self.part(self.repair)
        return self.share is None, self.limit is None, self.share or Fraction(0)


@frozen
class Place:
    """A range of values of a priority that all order it alike, and whether all deadlines hold."""

    least: int
    most: int
    is_met: bool


@frozen
class PriorityMargin:
    """Which priorities keep all deadlines, of all that differ to those that it competes with."""

    parameter: Parameter
    places: tuple[Place, ...]

    @property
    def is_met(self) -> bool:
        """Whether any does."""
        return any(place.is_met for place in self.places)


@frozen
class Sensitivity(Shown):
    """All margins, the narrowest first, and the largest factor for all costs at once: 0 where none
    is small enough."""

    result: Result
    factor: Fraction | None
    factor_falls: tuple[str, ...]
    factor_is_checked: bool  # the checker confirms the bounds there
    margins: tuple[Margin, ...]
    priorities: tuple[PriorityMargin, ...]
    left: tuple[str, ...] = ()  # what a time limit left no time for, or who asked to stop
    interrupted: bool = False  # whether somebody did


ALL_COSTS = "all costs"


def sensitivity(
    system: System,
    *,
    progress: Callable[[int, int], None] | None = None,
    time_limit: float | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Sensitivity:
    """The margins of all parameters. After about `time_limit` seconds, or when it shall `stop`,
    those that are not found are `left`, the factor with them.

    >>> from ddsrta.examples import two_threads
    >>> found = sensitivity(two_threads())
    >>> first = found.margins[0]
    >>> first.parameter.name, first.parameter.shown(first.limit)
    ('sensor: period', '2.224026 ms')
    """
    refuse_invalid(system)
    times = [each for each in parameters(system) if each.harder is not None]
    ranked = [
        (ranking, _ranked(system, member), member)
        for ranking in rankings(View(system, {}), least=1)
        for member in ranking.members
    ]
    watch = watch_of(time_limit)
    result = analyze(system, time_limit=time_limit)
    late = _falls(result)
    margins: list[Margin] = []
    priorities: list[PriorityMargin] = []
    left: list[str] = []
    for number in range(count := len(times) + len(ranked)):
        if progress is not None:
            progress(number, count)
        try:
            _go_on(stop)
            if number >= len(times):
                priorities.append(_priority(system, result, *ranked[number - len(times)], watch))
            elif late:
                margins.append(_repair(system, result, times[number], late, watch))
            else:
                margins.append(margin(system, result, times[number], watch))
        except OverError:
            left = [each.name for each in (*times, *(one for _, one, _ in ranked))[number:]]
            break
    margins.sort(key=lambda each: each.rank)
    costs = [each for each in times if each.kind in ("wcet", "delta")]
    factor: _Factor = None, (), False
    try:
        _go_on(stop)
        factor = _factor(system, costs, bool(deadlines(result)), watch)
    except OverError:
        left.insert(0, ALL_COSTS)
    found = tuple(margins), tuple(priorities), tuple(left)
    return Sensitivity(result, *factor, *found, bool(left) and stop())


def _go_on(stop: Callable[[], bool]) -> None:
    """Raises OverError where it shall stop."""
    if stop():
        raise OverError


def _falls(result: Result) -> tuple[str, ...]:
    """The chains whose deadlines do not hold, or what else is not as it should be."""
    found = tuple(dict.fromkeys(d.chain for d in deadlines(result) if d.state != "met"))
    return found if found or result.verdict == "met" else (f"the verdict is {result.verdict}",)


def _repair(
    system: System,
    result: Result,
    parameter: Parameter,
    late: tuple[str, ...],
    watch: Watch | None,
) -> Margin:
    found = nearest(Tried(system, result, parameter, watch))
    is_checked = found is None or _is_confirmed(system, {parameter: found}, watch)
    return Margin(parameter, None, None, late, (), is_checked, found)


def margin(
    system: System, result: Result, parameter: Parameter, watch: Watch | None = None
) -> Margin:
    """How far one time can go, from a system that is in time."""
    tried = Tried(system, result, parameter, watch)
    first = parameter.value
    last = 1 if parameter.harder == "less" else max(first, LEAST) * FARTHEST
    if first == last or tried.at(last).is_met:
        return Margin(parameter, last, None)
    overload = before_overload(tried, first, last)
    low, high = overload or farthest(tried.at, first, last, tried.full)
    falls = (
        (_ENDLESS,) if overload else tried.fallen(high) or _tried(system, {parameter: high}, watch)
    )
    between = () if parameter.covers else _between(first, low)
    misses = tuple(value for value in between if not tried.at(value).is_met)
    is_checked = _is_confirmed(system, {parameter: low}, watch)
    return Margin(parameter, low, high, falls, misses, is_checked)


def _between(first: int, last: int) -> list[int]:
    found = {first + (last - first) * n // (BETWEEN + 1) for n in range(1, BETWEEN + 1)}
    return sorted(found - {first, last})


def _is_confirmed(system: System, values: Mapping[Parameter, int], watch: Watch | None) -> bool:
    result = analyze(with_values(system, values), time_limit=watch.left if watch else None)
    if watch is not None:
        watch.go_on()
    return result.verdict == "met"


def _tried(system: System, values: Mapping[Parameter, int], watch: Watch | None) -> tuple[str, ...]:
    """What falls; raises OverError where there is no time to find all of it."""
    ending = watch.for_all_or_nothing() if watch else None
    try:
        changed = with_values(system, values)
        refuse_invalid(changed)
        with collecting_rarely():
            found = _falls(analyze_briefly(changed, watch=ending))
    except InputError as error:
        return (f"this cannot be: {error.diagnostics[0].message}",)
    if watch is not None:
        watch.go_on()
    return found


def _factor(
    system: System, costs: Sequence[Parameter], is_asked: bool, watch: Watch | None
) -> _Factor:
    """The largest factor, in thousandths, by which all costs can grow; what falls next; whether the
    checker confirms the bounds there. Where no deadline `is_asked` for, what falls does so at most
    ten per cent further. Best cases, which are not above the worst, shrink with them."""
    least = least_times(system, costs)

    def scaled(parts: int) -> Mapping[Parameter, int]:
        found = {each: max(1, -(-each.value * parts // PARTS)) for each in costs}
        if parts < PARTS:
            found |= {each: max(min(1, each.value), each.value * parts // PARTS) for each in least}
        return found

    @cache
    def tried(parts: int) -> tuple[str, ...]:
        return _tried(system, scaled(parts), watch)

    def has_too_much(parts: int) -> bool:
        if watch is not None:
            watch.go_on()
        return is_overloaded(system, scaled(parts))

    low, high = 0, PARTS
    if not is_asked and has_too_much(PARTS * FARTHEST):
        high = overloading(has_too_much, 1, PARTS * FARTHEST)
    while not tried(high):
        low, high = high, 2 * high
        if high > PARTS * FARTHEST:
            return None, (), True
    while high - low > 1 and (is_asked or (high - low) * COARSE > low):
        middle = (low + high) // 2
        low, high = (low, middle) if tried(middle) else (middle, high)
    is_checked = low == 0 or _is_confirmed(system, scaled(low), watch)
    return Fraction(low, PARTS), tried(high), is_checked


def _ranked(system: System, member: Member) -> Parameter:
    assert system.written is not None
    position = system.written.tree.find(member.path)
    return Parameter(member.path, member.value, "priority", None, False, position)


def _priority(
    system: System,
    result: Result,
    ranking: Ranking,
    parameter: Parameter,
    member: Member,
    watch: Watch | None,
) -> PriorityMargin:
    """All that a priority can mean among those that it competes with."""
    others = sorted({each.value for each in ranking.members if each != member})
    tried = Tried(system, result, parameter, watch)
    places = []
    for least, most in _ranges(others, ranking.least, ranking.most):
        value = member.value if least <= member.value <= most else least
        places.append(Place(least, most, tried.at(value).is_met))
    return PriorityMargin(parameter, tuple(places))


def _ranges(others: Sequence[int], lowest: int, highest: int) -> list[tuple[int, int]]:
    """Between and at the priorities of others.

    >>> _ranges([5, 7], 1, 99)
    [(1, 4), (5, 5), (6, 6), (7, 7), (8, 99)]
    """
    found, low = [], lowest
    for other in others:
        if lowest <= other <= highest:
            found += [(low, other - 1), (other, other)]
            low = other + 1
    return [(least, most) for least, most in [*found, (low, highest)] if least <= most]
