"""From when a callback has what it needs to its end (theory 18)."""

from __future__ import annotations

from ddsrta.analysis.solve import Solution
from ddsrta.analysis.walk import walk
from ddsrta.models.system import Thread


def callback_response(solution: Solution, callback: Thread) -> int | None:
    """The response of a callback; where it waits for several topics, from the arrival of the last
    message at its subscription."""
    parts = subscriptions(callback)
    if not parts:
        return solution.response(("job", callback.name))
    longest = 0
    for part in parts:
        time = _since(solution, callback, part)
        if time is None:
            return None
        longest = max(longest, time)
    return longest


def subscriptions(callback: Thread) -> tuple[str, ...]:
    """The subscriptions that a callback of several topics waits for; none of any other."""
    if callback.entity != "inline" or callback.follows is None:
        return ()
    return callback.follows.threads


def _since(solution: Solution, callback: Thread, part: str) -> int | None:
    """From the arrival at one subscription, if it is the last to be served, or makes the set."""
    turn, own = solution.response(("job", part)), solution.response(("job", callback.name))
    if turn is None or own is None:
        return None
    if callback.synchronizer is not None:
        return turn + own
    total = walk(solution, [("job", part), ("job", callback.name)])[-1].total
    return turn + own if total is None else min(total, turn + own)
