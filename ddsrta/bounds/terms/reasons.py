"""Why a stage has no bound: the overload, or the circle of delays, that is to blame."""

from __future__ import annotations

from collections.abc import Mapping

from ddsrta.bounds.placement import LINK
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.stages import Key, Stage
from ddsrta.bounds.terms.diagnose import core_of, described, own_reason
from ddsrta.bounds.unbounded import CIRCLE, GROWING, Because, leads
from ddsrta.models.bandwidth import limited
from ddsrta.models.system import System

_NAMED = 6  # stages of a circle
_LARGEST = 3  # of what takes the time of a window


def reason(solution: Solution, key: Key) -> Because | None:
    """Why the stage is unbounded; None where it is not."""
    if solution.taken(key) is not None:
        return None
    number = solution.number(key)
    root = _root(solution, number)
    why = _reason(solution, root)
    if root == number:
        return why
    return leads(f"{described(solution, root)}, which releases it, has no bound", why)


def _root(solution: Solution, number: int) -> int:
    """The first unbounded stage on the way here: looked for once for all on that way."""
    way, known = [number], solution.roots
    while way[-1] not in known and (sources := _unbounded_inputs(solution, way[-1])):
        way.append(sources[0])
    root = known.get(way[-1], way[-1])
    known.update(dict.fromkeys(way, root))
    return root


def _unbounded_inputs(solution: Solution, number: int) -> list[int]:
    inputs = solution.compiled.stages[number].inputs
    return [edge.source for edge in inputs if solution.latency(edge.source) is None]


def _reason(solution: Solution, number: int) -> Because:
    """Why a stage is unbounded that nothing unbounded releases."""
    last, why = _end(solution, number)
    if last is None or last == number:
        return why
    other = _unbounded_neighbour(solution, number)
    if other is None:
        return why
    arrives = f"{described(solution, other)}, which can delay it, arrives without bound"
    return leads(arrives, leads(f"{described(solution, last)} has no bound", why))


def _end(solution: Solution, number: int) -> tuple[int | None, Because]:
    """Where a way from cause to cause ends, and why it has no bound there; None: in a circle."""
    way: dict[int, None] = {}
    known = solution.causes
    while number not in known:
        if number in way:
            known[number] = None, _circle(solution, list(way)[list(way).index(number) :])
            break
        way[number] = None
        if why := own_reason(solution, number):
            known[number] = number, why
            break
        sources = _unbounded_inputs(solution, number)
        cause = sources[0] if sources else _unbounded_neighbour(solution, number)
        if cause is None:
            stage = solution.compiled.stages[number]
            known[number] = number, GROWING.of(where=_where(solution, stage))
            break
        number = cause
    known.update(dict.fromkeys(way, known[number]))
    return known[number]


def _circle(solution: Solution, stages: list[int]) -> Because:
    """Stages each of which is released or delayed by the next, and the last by the first."""
    names = [described(solution, one) for one in stages[:_NAMED]]
    rest = f", and {len(stages) - _NAMED} more" if len(stages) > _NAMED else ""
    cores = dict.fromkeys(_where(solution, solution.compiled.stages[one]) for one in stages)
    return CIRCLE.of(
        names=", ".join(names) + rest,
        cores=", ".join([*cores][:_NAMED]),
        closed=_no_closed_window(solution, stages[0]) + _left_out(solution.system),
    )


def _no_closed_window(solution: Solution, stage: int) -> str:
    """Why all that is in a circle is not bounded at once."""
    if not solution.compiled.closed_windows:
        return "Closed windows, which are left out, may bound it"
    windows = solution.closed_windows
    if windows.of(stage) is not None:
        return "A closed window counts it, but nothing bounds how many sets come at once"
    return (
        "A closed window of all that delays or releases it (lemma closed-window) has no bound: "
        f"{windows.because[stage]}{_largest(solution, windows.shares.get(stage, {}))}"
    )


def _left_out(system: System) -> str:
    """What keeps most refinements out of the whole system, wherever it is in it."""
    if system.fastdds is not None:
        told = "where threads wait for locks of Fast DDS ('middleware'), note lost-refinements"
    elif limited(system):
        told = "where a flow controller has a 'limit', note lost-refinements"
    else:
        return ""
    return f". Most refinements, which may bound it, are left out of a system {told}"


def _largest(solution: Solution, shares: Mapping[int, float]) -> str:
    """What takes most of the time of a closed window that takes more than there is."""
    largest = sorted(shares, key=lambda number: -shares[number])[:_LARGEST]
    most = [f"{described(solution, one)} {100 * shares[one]:.0f} %" for one in largest]
    return f": make that less than 100 %, most is {', '.join(most)}" if most else ""


def _where(solution: Solution, stage: Stage) -> str:
    return f"{'' if stage.server[0] == LINK else 'core '}{core_of(solution, stage)}"


def _unbounded_neighbour(solution: Solution, number: int) -> int | None:
    """A stage that arrives without bound and can delay this one."""
    compiled = solution.compiled
    for relation in compiled.placement.relations[compiled.unit_of[number]]:
        for unit in range(relation.first, relation.last):
            other = compiled.placement.stage_of[unit]
            other = compiled.placement.copied(unit) if other is None else other
            if other is None or other == number:
                continue
            arrives = [solution.latency(edge.source) for edge in compiled.stages[other].inputs]
            if unit in compiled.placement.shadow_of:
                arrives.append(solution.latency(other))
            if None in arrives:
                return other
    return None
