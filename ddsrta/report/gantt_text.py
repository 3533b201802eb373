"""A Gantt chart for a terminal: a row per thread, a column per piece of the time."""

from __future__ import annotations

from ddsrta.base.text import shown, width
from ddsrta.base.units import format_duration
from ddsrta.report.gantt_rows import WORDS, Row, groups, heading, shortened, ticks
from ddsrta.simulation.instance import (
    AHEAD,
    BLOCKING,
    OTHER,
    OWN,
    URGENT,
    WAITING,
    Instance,
)

# What is most worth seeing comes first: a column shows the first of what is in it.
BLOCKS = {OWN: "█", BLOCKING: "▞", URGENT: "▓", AHEAD: "▒", WAITING: "·", OTHER: "░"}
ASCII = {OWN: "#", BLOCKING: "x", URGENT: "^", AHEAD: "=", WAITING: ".", OTHER: "-"}
_LONGEST = 24  # names
_LEAST = 20  # columns of the chart
_STEPS = 24  # lines that say how the instance went on


def text(instance: Instance, columns: int = 100, *, ascii_only: bool = False) -> str:
    """The chart of an instance, so wide at most."""
    marks = ASCII if ascii_only else BLOCKS
    edge = "|" if ascii_only else "│"
    cores = groups(instance)
    names = max((width(row.name) for group in cores for row in group.rows), default=0)
    names = min(names, _LONGEST)
    room = max(_LEAST, columns - names - 6)
    lines = [heading(instance), ""]
    lines += [" " * (names + 5) + line for line in _axis(instance, room)]
    for group in cores:
        lines.append(f"  {shortened(group.core, max(_LEAST, columns - 2))}")
        for row in group.rows:
            name = shortened(row.name, names)
            blank = " " * (names - width(name))
            lines.append(f"    {name}{blank}{edge}{_cells(instance, row, room, marks)}{edge}")
    roles = {bar.role for bar in instance.bars}
    used = [f"{marks[role]} {words}" for role, words in WORDS.items() if role in roles]
    lines += ["", *_wrapped(used, columns), *_steps(instance, columns)]
    result = "\n".join(line.rstrip() for line in lines) + "\n"
    return plain(result) if ascii_only else result


def plain(words: str) -> str:
    """The same in ASCII."""
    words = words.replace("→", "->").replace("…", "~")
    return words.encode("ascii", "backslashreplace").decode("ascii")


def _wrapped(items: list[str], columns: int) -> list[str]:
    lines = ["  "]
    for item in items:
        if len(lines[-1]) > 2 and len(lines[-1]) + len(item) > columns:
            lines.append("  ")
        lines[-1] += item + "   "
    return lines


def _column(instance: Instance, time: int, room: int) -> int:
    """The column in which a time is."""
    length = instance.last - instance.first
    return max(0, min(room - 1, (time - instance.first) * room // length))


def _cells(instance: Instance, row: Row, room: int, marks: dict[str, str]) -> str:
    order = {role: i for i, role in enumerate(marks)}
    cells: list[str | None] = [None] * room
    for bar in row.bars:
        begin = _column(instance, bar.begin, room)
        length = instance.last - instance.first
        end = -((instance.first - bar.end) * room // length)  # all that it has a part of
        for i in range(begin, min(room, max(begin + 1, end))):
            known = cells[i]
            if known is None or order[bar.role] < order[known]:
                cells[i] = bar.role
    return "".join(" " if role is None else marks[role] for role in cells)


def _axis(instance: Instance, room: int) -> list[str]:
    """Labels, and below them a mark for each; labels that would touch are left out."""
    labels, marks = [" "] * (room + 1), [" "] * room
    free = 0
    for tick in ticks(instance, max(2, room // 8)):
        at = _column(instance, tick.time, room)
        begin = max(0, min(at, room - len(tick.text)))
        if begin >= free:
            labels[begin : begin + len(tick.text)] = tick.text
            marks[at] = "|"
            free = begin + len(tick.text) + 1
    return ["".join(labels), "".join(marks)]


def _steps(instance: Instance, columns: int) -> list[str]:
    """How the instance went on from thread to thread."""
    names = [shown(name) for name in instance.program.servers]
    rows = [
        (format_duration(a.arrives - instance.begin), names[a.source], names[a.target], a.what)
        for a in instance.arrows
    ]
    if not rows:
        return []
    longest = max(len(row[0]) for row in rows)
    lines = [""]
    for at, source, target, what in rows[:_STEPS]:
        topic = f"  {shown(what)}" if what else ""
        lines.append(shortened(f"  {at:>{longest}}  {source} → {target}{topic}", columns))
    if len(rows) > _STEPS:
        lines.append(f"  and {len(rows) - _STEPS} more")
    return lines
