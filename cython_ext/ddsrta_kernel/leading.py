"""Which stages of an event come before others of it (definition leads-to), and follow each other on
lines of threads and on rows (definitions line-of-stages and row-of-stages).

A table says what is known of all stages; there is some room for what is noted meanwhile.
"""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int, Ints
from ddsrta_kernel.counts import has_bit
from ddsrta_kernel.problem import (
    LEAD_GOES_ON,
    LEAD_INPUTS,
    LEAD_NAMED,
    LEAD_NODE,
    LEAD_THREAD,
    LEAD_TIMES,
    LEAD_WORK,
    ROOM,
    ROOM_DEPTH,
    ROOM_FIRST,
    ROOM_HEAD,
    ROOM_NEXT,
    ROOM_ORDER,
    ROOM_SORTED,
    ROW,
    ROW_BITS,
    ROW_DONE,
    ROW_LATER,
    ROW_NEXT,
    SET_BITS,
)
from ddsrta_kernel.shadow import inline


@inline
def put_bit(words: Ints, at: Int, bit: Int) -> None:
    one: Int = 1
    words[at + bit // SET_BITS] |= one << bit % SET_BITS


def find_sets(stages: Int, table: Ints, found: Ints, room: Ints, number: Int) -> None:
    """What leads to a stage by its inputs, and what of it is done: so is what leads to an input
    where its own thread has begun with that input."""
    size = stages // SET_BITS + 1
    mates = ROOM * (stages + 1)
    at = LEAD_INPUTS * stages
    depth: Int = 0
    for i in range(table[at + number], table[at + number + 1]):
        source = table[at + stages + 1 + 2 * i]
        depth = max(depth, room[ROOM_DEPTH + source] + 1)
        if not table[LEAD_GOES_ON * stages + number]:
            continue
        thread = table[LEAD_THREAD * stages + source]
        for word in range(size):
            before = found[source * size + word]
            done = found[(stages + source) * size + word]
            found[number * size + word] |= before
            if thread >= 0:
                done |= before & room[mates + thread * size + word]
            found[(stages + number) * size + word] |= done
        if table[LEAD_TIMES * stages + source] == 1:
            put_bit(found, number * size, source)
            if table[at + stages + 2 + 2 * i]:
                put_bit(found, (stages + number) * size, source)
    room[ROOM_DEPTH + number] = depth
    if table[LEAD_THREAD * stages + number] >= 0:
        put_bit(room, mates + table[LEAD_THREAD * stages + number] * size, number)


def put_in_order(stages: Int, table: Ints, room: Ints) -> None:
    """All stages: those with fewer in a row before them first, of these as they are named; and the
    same by what they take, so that what joins a line there adds nothing."""
    first = ROOM_FIRST * (stages + 1)
    order = ROOM_ORDER * (stages + 1)
    for i in range(stages + 1):
        room[first + i] = 0
    for number in range(stages):
        room[first + room[ROOM_DEPTH + number] + 1] += 1
    for i in range(stages):
        room[first + i + 1] += room[first + i]
    for i in range(stages):
        number = table[LEAD_NAMED * stages + i]
        at = first + room[ROOM_DEPTH + number]
        room[order + room[at]] = number
        room[at] += 1
    first = ROOM_SORTED * (stages + 1)
    for i in range(stages):
        number = room[order + i]
        work = table[LEAD_WORK * stages + number]
        at = first + i
        while at > first and table[LEAD_WORK * stages + room[at - 1]] < work:
            room[at] = room[at - 1]
            at -= 1
        room[at] = number


@inline
def is_over(stages: Int, found: Ints, first: Int, last: Int) -> Bool:
    """Whether one stage leads to another, and is done when that arrives."""
    return has_bit(found, (stages + last) * (stages // SET_BITS + 1), first)


def joins_line(stages: Int, found: Ints, room: Ints, line: Int, number: Int) -> Bool:
    """Puts a stage on a line of its thread, if each is done when the next one comes."""
    before = 2 * stages * (stages // SET_BITS + 1)
    behind = before + stages
    head = ROOM_HEAD * (stages + 1) + line
    last: Int = -1
    after = room[head]
    while after >= 0 and room[ROOM_DEPTH + after] <= room[ROOM_DEPTH + number]:
        last = after
        after = found[behind + after]
    if last >= 0 and not is_over(stages, found, last, number):
        return False
    if after >= 0 and not is_over(stages, found, number, after):
        return False
    found[before + number] = last
    found[behind + number] = after
    if after >= 0:
        found[before + after] = number
    if last >= 0:
        found[behind + last] = number
    else:
        room[head] = number
    return True


def find_lines(stages: Int, table: Ints, found: Ints, room: Ints) -> None:
    """Of each stage, the one before it on a line of its thread and base, and the one behind."""
    first = ROOM_FIRST * (stages + 1)
    after = ROOM_NEXT * (stages + 1)
    lines: Int = 0
    for i in range(stages):
        number = room[ROOM_SORTED * (stages + 1) + i]
        node = table[LEAD_NODE * stages + number]
        if table[LEAD_THREAD * stages + number] < 0:
            continue
        at = first + table[LEAD_THREAD * stages + number]
        joined: Bool = False
        while room[at] >= 0 and not joined:
            line = room[at]
            head = room[ROOM_HEAD * (stages + 1) + line]
            same: Bool = table[LEAD_NODE * stages + head] == node
            joined = same and joins_line(stages, found, room, line, number)
            at = after + line
        if not joined:
            room[at] = lines
            room[after + lines] = -1
            room[ROOM_HEAD * (stages + 1) + lines] = number
            lines += 1


def find_rows(stages: Int, table: Ints, found: Ints, room: Ints) -> None:
    """Of each stage, the one behind it on a row of its base, and what is known of it."""
    size = stages // SET_BITS + 1
    base = 2 * stages * size + 2 * stages
    after = ROOM_NEXT * (stages + 1)
    rows: Int = 0
    for i in range(stages):
        number = room[ROOM_ORDER * (stages + 1) + i]
        if table[LEAD_TIMES * stages + number] != 1:
            continue
        at = ROOM_FIRST * (stages + 1) + table[LEAD_NODE * stages + number]
        end = ROOM_HEAD * (stages + 1)  # here the last of each
        while room[at] >= 0 and not has_bit(found, number * size, room[end + room[at]]):
            at = after + room[at]
        if room[at] < 0:
            room[at] = rows
            room[after + rows] = -1
            room[end + rows] = number
            rows += 1
            continue
        last = room[end + room[at]]
        room[end + room[at]] = number
        found[base + ROW * last + ROW_NEXT] = number
        if is_over(stages, found, last, number):
            found[base + ROW * last + ROW_BITS] |= ROW_DONE
        found[base + ROW * number + ROW_BITS] = ROW_LATER


def find_leading(stages: Int, table: Ints, found: Ints, room: Ints) -> None:
    """All sets of what leads to stages, then of what is done, the stage before each on its line,
    the one behind, and then the rows."""
    first = ROOM_FIRST * (stages + 1)
    base = 2 * stages * (stages // SET_BITS + 1)
    for number in range(stages):
        find_sets(stages, table, found, room, number)
        found[base + number] = found[base + stages + number] = -1
        found[base + 2 * stages + ROW * number + ROW_NEXT] = -1
    put_in_order(stages, table, room)
    for i in range(stages + 1):
        room[first + i] = -1
    find_lines(stages, table, found, room)
    for i in range(stages + 1):
        room[first + i] = -1
    find_rows(stages, table, found, room)
