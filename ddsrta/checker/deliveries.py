"""The claims about messages: from the sample, or from when the response of their job counts."""

from __future__ import annotations

from collections.abc import Mapping

from ddsrta.checker.chains import compare_with, whatever_is_least
from ddsrta.checker.costs import network
from ddsrta.checker.executors import INLINE
from ddsrta.checker.groups import least
from ddsrta.checker.stages import Key
from ddsrta.checker.sums import Claim
from ddsrta.checker.things import System
from ddsrta.checker.totals import Totals
from ddsrta.checker.walks import Effort

_Claims = Mapping[Key, Claim]


def check_ddl(
    system: System, totals: Totals, claims: _Claims, key: Key, claimed: int | None
) -> None:
    """DDL of a message: from its sample, or from the job that sends it itself."""
    source = totals.stages[key].inputs[0].source
    path: tuple[Key, ...] = (source, key)
    if source[0] == "transfer":
        path = (totals.stages[source].inputs[0].source, *path)

    def check(effort: Effort) -> None:
        value = _total(system, totals, claims, path, effort, claimed)
        compare_with(f"message {'/'.join(key[1:])}: ddl", claimed, value)

    whatever_is_least(totals, [*_parts(system, path[0]), *path], check)


def check_sent(
    system: System, totals: Totals, claims: _Claims, key: Key, claimed: int | None
) -> None:
    """The time until a copy has left: of the stage that sends it, without what comes after."""
    _, publisher, _, reader = key
    edge = totals.stages[key].inputs[0]
    if edge.source[0] == "transfer":
        edge = totals.stages[edge.source].inputs[0]
        early = edge.extra
    else:
        early = edge.extra - network(system, publisher, reader).worst

    def check(effort: Effort) -> None:
        total = _total(system, totals, claims, (edge.source,), effort, None)
        value = None if total is None else total + early
        compare_with(f"message {'/'.join(key[1:])}: sent", claimed, value)

    whatever_is_least(totals, [*_parts(system, edge.source), edge.source], check)


def _parts(system: System, first: Key) -> list[Key]:
    """The subscriptions of a callback of several topics (definition callback-stages); none of
    anything else."""
    thread = system.threads[first[1]]
    if first[0] != "job" or thread.entity != INLINE:
        return []
    return [("job", part) for part in thread.follows]


def _total(
    system: System,
    totals: Totals,
    claims: _Claims,
    path: tuple[Key, ...],
    effort: Effort,
    limit: int | None,
) -> int | None:
    """To the end of a path; behind subscriptions, from the arrival of the last message (lemma
    set-response). What counts from the release of the callback alone is no least of that."""
    parts = _parts(system, path[0])
    own = totals.total(path, effort, data=False, limit=None if parts else limit)
    alone = system.threads[path[0][1]].synchronizer is not None
    longest = 0 if parts else own
    for part in parts:
        turn = claims[part].on_paths
        if own is None or turn is None:
            return None
        through = None if alone else totals.total((part, *path), effort, data=False)
        since = least(iter((turn + own, through)))
        longest = max(longest or 0, since or 0)
    return longest
