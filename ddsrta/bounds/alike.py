"""Whether what was solved before is solved again."""

from __future__ import annotations

from ddsrta.bounds.compiled import Compiled

_FOUND = "ceiling", "latest", "node_wait"  # columns that a solution fills in


def is_alike(one: Compiled, other: Compiled) -> bool:
    """Whether two problems are the same to the windows of the kernel.

    >>> from ddsrta.bounds.compile import compile_system
    >>> from ddsrta.examples import two_threads
    >>> system = two_threads()
    >>> later = system.altered("threads", "sensor", wcet=2_000_000)
    >>> [is_alike(compile_system(system), compile_system(each)) for each in (system, later)]
    [True, False]
    """
    if one.problem.in_step != other.problem.in_step or len(one.slowest) != len(other.slowest):
        return False
    if one.problem.ahead_in_step != other.problem.ahead_in_step:
        return False
    if one.problem.at_once != other.problem.at_once:
        return False
    if one.problem.held_back != other.problem.held_back:
        return False
    if not one.problem.is_like(other.problem, _FOUND):
        return False
    if not one.slowest:
        return True
    from ddsrta.bounds.slowest_input.arrays import slowest_words

    return slowest_words(one) == slowest_words(other)
