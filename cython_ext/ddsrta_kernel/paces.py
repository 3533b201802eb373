"""How much sooner than at their pace events may come (lemmas bursts-once and token-buckets)."""

from __future__ import annotations

from ddsrta_kernel.basis import Bool, Int
from ddsrta_kernel.problem import EXPLICIT, MAXIMUM, SUM, UNBOUNDED
from ddsrta_kernel.shadow import address, ceiling_quotient, saturated_product
from ddsrta_kernel.structs import System


def lateness(s: System, node: Int) -> Int:
    """How much later than it comes an event of a node may come at its pace."""
    n = address(s.node[node])
    most: Int = 0
    if n.kind == EXPLICIT:
        most = ahead_of_pace(s, node)
    elif n.kind == SUM and n.d > 1:
        most = shared_lateness(s, node)
    elif n.kind in (SUM, MAXIMUM):
        for entry in range(n.c, n.c + n.d):
            others: Int = (s.problem.entry_multiplicity[entry] - 1) * max(n.pace, 0)
            most = max(most, entry_lateness(s, entry) + others)
    else:
        most = n.b
    return most if most < UNBOUNDED else UNBOUNDED


def shares_pace(s: System, node: Int) -> Bool:
    """Whether a node has its pace by lemma token-buckets."""
    kind = s.node[node].kind
    return kind == EXPLICIT or (kind == SUM and s.node[node].d > 1)


def entry_lateness(s: System, entry: Int) -> Int:
    """How much later than it is there what comes through an entry may be due."""
    return s.node[s.problem.entry_node[entry]].late + s.entry_paced[entry]


def ahead_of_pace(s: System, node: Int) -> Int:
    """Of a curve."""
    n = address(s.node[node])
    most: Int = 0
    for index in range(n.d):
        due = saturated_product(index, n.pace, UNBOUNDED)
        most = max(most, due - s.problem.distances[n.c + index])
    return most


def shared_lateness(s: System, node: Int) -> Int:
    """Where each of several brings a part of the pace: their mean, and what all bring at once."""
    n = address(s.node[node])
    p = s.problem
    total: Int = 0
    if n.pace <= 0:
        return 0
    for entry in range(n.c, n.c + n.d):
        late = entry_lateness(s, entry)
        if late >= UNBOUNDED:
            return UNBOUNDED
        part: Int = p.entry_multiplicity[entry] * n.pace
        apart: Int = s.node[p.entry_node[entry]].pace
        if p.entry_of[entry] and p.entry_most[entry] == 1:
            apart = apart * p.entry_of[entry]
        total += part
        if late > 0:
            total += shared(late, part, apart)
    return total - n.pace


def shared(late: Int, part: Int, apart: Int) -> Int:
    """⌈late · part / apart⌉, or more, of a part that is no longer than that."""
    turns: Int = late // apart
    rest: Int = late - turns * apart
    more = saturated_product(rest, part, UNBOUNDED)
    return turns * part + (part if more >= UNBOUNDED else ceiling_quotient(more, apart))
