"""The claims about callbacks of several topics: from the last message to their end (lemma
set-response)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from ddsrta.checker.chains import compare_with, whatever_is_least
from ddsrta.checker.executors import INLINE
from ddsrta.checker.reading import CertificateError, mapping, optional_integer, shown
from ddsrta.checker.stages import Key
from ddsrta.checker.sums import Claim, RefutedError
from ddsrta.checker.things import System
from ddsrta.checker.totals import Totals
from ddsrta.checker.walks import Effort


def read_responses(value: object, system: System) -> dict[str, int | None]:
    """What is claimed of each of them."""
    raw = mapping(value, "callbacks")
    waiting = {name for name, thread in system.threads.items() if thread.entity == INLINE}
    for name in raw:
        if name not in waiting:
            raise CertificateError(f"callbacks: {shown(name)} waits for no several topics")
    for name in sorted(waiting - set(raw)):
        raise RefutedError(f"callback {shown(name)}: is not claimed")
    return {name: optional_integer(raw[name], f"callbacks.{name}") for name in raw}


def check_response(
    system: System, totals: Totals, claims: Mapping[Key, Claim], name: str, claimed: int | None
) -> None:
    """From the arrival at each subscription: the last that is served, or that makes the set, came
    no later than the last message."""
    for part in system.threads[name].follows:
        path: tuple[Key, Key] = ("job", part), ("job", name)
        alone = system.threads[name].synchronizer is not None
        whatever_is_least(
            totals, path, partial(_check, totals, path, _sum(claims, path), alone, claimed)
        )


def _check(
    totals: Totals,
    path: tuple[Key, Key],
    both: int | None,
    alone: bool,
    claimed: int | None,
    effort: Effort,
) -> None:
    value = both
    if both is not None and not alone:
        total = totals.total(path, effort, data=False)
        value = both if total is None else min(both, total)
    compare_with(f"callback {shown(path[1][1])}: response", claimed, value)


def _sum(claims: Mapping[Key, Claim], path: tuple[Key, Key]) -> int | None:
    """The response of the subscription, and of what it releases at once."""
    first, second = claims[path[0]].on_paths, claims[path[1]].response
    return None if first is None or second is None else first + second
