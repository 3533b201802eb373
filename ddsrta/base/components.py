"""What leads where in a graph: all that is reached, and strongly connected components, in the order
in which edges lead from one to the next."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

_Node = TypeVar("_Node", bound=Hashable)


def reached(
    starts: Iterable[_Node], following: Callable[[_Node], Iterable[_Node]]
) -> dict[_Node, None]:
    """Some nodes, and all to which they lead.

    >>> list(reached([4], lambda node: [node // 2, node // 3]))
    [4, 2, 1, 0]
    """
    found = dict.fromkeys(starts)
    queue = list(found)
    while queue:
        for node in following(queue.pop()):
            if node not in found:
                found[node] = None
                queue.append(node)
    return found


def connected(nodes: Sequence[_Node], edges: Iterable[tuple[_Node, _Node]]) -> list[list[_Node]]:
    """The components of any nodes.

    >>> connected("abc", [("a", "b"), ("b", "a"), ("b", "c")])
    [['a', 'b'], ['c']]
    """
    number = {node: index for index, node in enumerate(nodes)}
    following: list[list[int]] = [[] for _ in nodes]
    for source, target in edges:
        following[number[source]].append(number[target])
    return [[nodes[index] for index in group] for group in components(following)]


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
