"""Where the time of the response of a thread or callback goes, and of the delivery of a message."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ddsrta.bounds.paths.steps import steps_of
from ddsrta.bounds.paths.walk import along
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.stages import Key
from ddsrta.bounds.synchronizers.set_responses import (
    callback_response,
    ends_since,
    subscriptions,
)
from ddsrta.bounds.terms.explain import of_steps
from ddsrta.bounds.terms.explanation import Explanation, StageExplanation
from ddsrta.bounds.terms.reasons import reason
from ddsrta.bounds.terms.window import Term


def explain_thread(solution: Solution, name: str) -> Explanation:
    """The response of a thread or callback.

    >>> from ddsrta.bounds.solve import solve
    >>> from ddsrta.examples import two_threads
    >>> explain_thread(solve(two_threads()), "control").bound
    2000000
    """
    bound = callback_response(solution, solution.system.threads[name])
    return _explained(solution, name, (name,), [("job", name)], bound)


def explain_message(solution: Solution, keys: list[Key]) -> Explanation:
    """The delivery of the message of these stages, of which the last says whose it is.

    >>> from ddsrta.bounds.present import message_keys
    >>> from ddsrta.bounds.solve import solve
    >>> from ddsrta.examples import two_threads
    >>> solution = solve(two_threads())
    >>> explain_message(solution, message_keys(solution.compiled)[0]).bound
    1285999
    """
    path = keys[-1][1:]
    return _explained(solution, " → ".join(path), path, keys, ends_since(solution, keys)[-1])


def _explained(
    solution: Solution, name: str, path: tuple[str, ...], keys: list[Key], bound: int | None
) -> Explanation:
    if bound is None:
        parts: list[Key] = [("job", part) for part in _parts(solution, keys)]
        why = next(filter(None, (reason(solution, key) for key in (*keys, *parts))), None)
        return Explanation(name, path, None, (), why)
    stages = max(_ways(solution, keys), key=_total)
    if rest := bound - _total(stages):
        term = Term("by other windows", rest, kind="together" if rest > 0 else "less")
        stages = (*stages, StageExplanation("tokens", "", (term,), rest))
    return Explanation(name, path, bound, stages)


def _ways(solution: Solution, keys: list[Key]) -> Iterator[tuple[StageExplanation, ...]]:
    """From each subscription of a callback that waits for several topics; else there is one."""
    parts = _parts(solution, keys)
    if not parts:
        yield tuple(_stages(solution, keys))
    for part in parts:
        first: Key = ("job", part)
        apart = (*_stages(solution, [first]), *_stages(solution, keys))
        if solution.system.threads[keys[0][1]].synchronizer is None:
            yield min(apart, tuple(_stages(solution, [first, *keys])) or apart, key=_total)
        else:
            yield apart


def _parts(solution: Solution, keys: list[Key]) -> tuple[str, ...]:
    """The subscriptions that the first of these stages waits for."""
    kind, name = keys[0][:2]
    return subscriptions(solution.system.threads[name]) if kind == "job" else ()


def _stages(solution: Solution, keys: list[Key]) -> Iterator[StageExplanation]:
    walk = along(solution, keys)
    return of_steps(solution, tuple(steps_of(walk))) if walk.total is not None else iter(())


def _total(stages: Sequence[StageExplanation]) -> int:
    return sum(stage.total for stage in stages)
