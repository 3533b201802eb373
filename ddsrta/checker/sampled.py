"""How old what a register has is by one clock (lemma clocked-registers)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import lcm

from ddsrta.checker.arrivals import Source
from ddsrta.checker.stages import Stage

_MOST = 50_000  # releases and registers to look at

Gaps = list[int | None]


def ages(firsts: Sequence[Stage], ways: Sequence[int | None], gaps: Gaps) -> Gaps:
    """What comes behind each segment but the last, as far as offsets make less of the gaps."""
    found = gaps[:-1]
    for start, end, way, age in _runs(firsts, ways):
        if _is_less(age, [*found[start:end], way]):
            found[start:end] = [age - way, *[0] * (end - start - 1)]
    return found


def reactions(firsts: Sequence[Stage], ways: Sequence[int | None], gaps: Gaps) -> Gaps:
    """What comes before each segment. The first release of all but the first may come later after
    the start than a gap, by its offset."""
    starts = [0, *(one.arrival.offset or 0 if one.arrival else 0 for one in firsts[1:])]
    found = [None if gap is None else gap + late for gap, late in zip(gaps, starts, strict=True)]
    for start, end, way, age in _runs(firsts, ways):
        last = firsts[end].arrival
        assert last is not None
        time = age + last.period + starts[start]  # who just missed a value has the next one
        if _is_less(time, [*found[start : end + 1], way]):
            found[start : end + 1] = [time - way, *[0] * (end - start)]
    return found


def _is_less(time: int, others: Gaps) -> bool:
    known = [other for other in others if other is not None]
    return len(known) < len(others) or time < sum(known)


def _runs(
    firsts: Sequence[Stage], ways: Sequence[int | None]
) -> Iterator[tuple[int, int, int, int]]:
    """Segments in a row whose releases one clock tells: the first, the last, what is on the way
    between, and how old what the last one uses is."""
    start = 0
    for end, stage in enumerate(firsts):
        after = firsts[end + 1] if end + 1 < len(firsts) else None
        if after and _is_clocked(stage) and _is_clocked(after) and stage.machine == after.machine:
            continue
        between = [way for way in ways[start:end] if way is not None]
        if start < end and len(between) == end - start:
            sources = [one.arrival for one in firsts[start : end + 1] if one.arrival is not None]
            age = _age(sources, between)
            if age is not None:
                yield start, end, sum(between), age
        start = end + 1


def _is_clocked(stage: Stage) -> bool:
    source = stage.arrival
    return source is not None and source.kind == "periodic" and source.offset is not None


def _age(sources: Sequence[Source], ways: Sequence[int]) -> int | None:
    """The longest of all releases of the last: back from it to what is there before it, register
    by register; that was released so long ago at the least, and then a part of a period more."""
    last, most = sources[-1], 0
    turns = lcm(*(source.period for source in sources)) // last.period
    if turns * len(sources) > _MOST:
        return None
    steps = [(one, way + one.jitter + 1) for one, way in zip(sources, ways, strict=False)]
    for turn in range(turns):
        now, age = (last.offset or 0) + turn * last.period, 0
        for one, least in reversed(steps):
            age += least + (now - age - least - (one.offset or 0)) % one.period
        most = max(most, age)
    return most + last.jitter
