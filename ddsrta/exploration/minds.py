"""What somebody has to look at before a change is made, although every bound is better with it."""

from __future__ import annotations

from ddsrta.bounds.result import Result
from ddsrta.exploration.comparison import assumed_now


def minds(before: Result, after: Result) -> tuple[str, ...]:
    """The warnings that a change brings, and what its bounds are assumed on that others were not.

    >>> from ddsrta import analyze
    >>> from ddsrta.examples import two_threads
    >>> system = two_threads()
    >>> slower = system.replace("threads", "sensor", wcet="9.8 ms")
    >>> minds(analyze(system), analyze(slower))[0][:32]
    'ecu/c0 is loaded 98.6 %, and Lin'
    """
    known = {each.message for each in before.warnings}
    new = [
        f"{each.message} [{each.rule}]"
        for each in after.warnings
        if each.severity != "note" and each.message not in known
    ]
    return *new, *assumed_now(before, after)
