"""From when a callback has what it needs to its end (lemma set-response)."""

from __future__ import annotations

from collections.abc import Iterable

from ddsrta.bounds.paths.walk import along
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.stages import Key
from ddsrta.models.system import Thread


def callback_response(solution: Solution, callback: Thread) -> int | None:
    """The response of a callback; where it waits for several topics, from the arrival of the last
    message at its subscription."""
    parts = subscriptions(callback)
    if not parts:
        return solution.taken(("job", callback.name))
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
    turn, own = solution.taken(("job", part)), solution.response(("job", callback.name))
    if turn is None or own is None:
        return None
    if callback.synchronizer is not None:
        return turn + own
    total = along(solution, [("job", part), ("job", callback.name)]).total
    return turn + own if total is None else min(total, turn + own)


def ends_since(solution: Solution, keys: list[Key]) -> list[int | None]:
    """Up to the end of the first stage of a path and of its last, from when the response of the
    first counts."""
    own = along(solution, keys).totals[:: len(keys) - 1]
    kind, name = keys[0][:2]
    callback = solution.system.threads[name]
    parts = subscriptions(callback) if kind == "job" else ()
    if not parts:
        return own
    behind = [_behind(solution, callback, part, keys, own) for part in parts]
    return [None if None in times else max(_known(times)) for times in zip(*behind, strict=True)]


def _behind(
    solution: Solution, callback: Thread, part: str, keys: list[Key], own: list[int | None]
) -> list[int | None]:
    """The same from the arrival at one subscription."""
    turn = solution.taken(("job", part))
    if turn is None:
        return [None] * len(own)
    sums = [None if time is None else turn + time for time in own]
    if callback.synchronizer is not None:
        return sums
    path: list[Key] = [("job", part), *keys]
    through = [along(solution, path[:end]).total for end in (2, len(path))]
    pairs = zip(sums, through, strict=True)
    return [None if both[0] is None else min(_known(both)) for both in pairs]


def _known(times: Iterable[int | None]) -> list[int]:
    return [time for time in times if time is not None]
