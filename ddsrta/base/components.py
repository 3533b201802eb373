"""Strongly connected components, in the order in which edges lead from one to the next."""

from __future__ import annotations

from collections.abc import Sequence


def components(successors: Sequence[Sequence[int]]) -> list[list[int]]:
    """Tarjan's algorithm, without recursion: a federation may be a chain of thousands.

    >>> components([[1], [2], [1, 3], []])
    [[0], [1, 2], [3]]
    """
    count = len(successors)
    order = [-1] * count
    lowest = [0] * count
    on_stack = [False] * count
    stack: list[int] = []
    found: list[list[int]] = []
    visited = 0
    for root in range(count):
        if order[root] >= 0:
            continue
        work = [(root, 0)]
        while work:
            node, at = work.pop()
            if at == 0:
                order[node] = lowest[node] = visited
                visited += 1
                stack.append(node)
                on_stack[node] = True
            following = successors[node]
            for position in range(at, len(following)):
                target = following[position]
                if order[target] < 0:
                    work.append((node, position + 1))
                    work.append((target, 0))
                    break
                if on_stack[target]:
                    lowest[node] = min(lowest[node], order[target])
            else:
                if lowest[node] == order[node]:
                    found.append(_pop(stack, on_stack, node))
                if work:
                    parent = work[-1][0]
                    lowest[parent] = min(lowest[parent], lowest[node])
    found.reverse()
    return found


def _pop(stack: list[int], on_stack: list[bool], node: int) -> list[int]:
    members: list[int] = []
    while not members or members[-1] != node:
        member = stack.pop()
        on_stack[member] = False
        members.append(member)
    return members[::-1]
