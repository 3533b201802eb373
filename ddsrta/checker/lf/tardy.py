"""Whether messages can be tardy (lemmas safe-to-process, sole-input and ticks-between)."""

from __future__ import annotations

from ddsrta.checker.lf.things import Connection, Federation
from ddsrta.checker.lf.times import Times
from ddsrta.checker.lf.waiting import alone, shares_tag, spacing, undisturbed


def in_time(federation: Federation, times: Times, link: Connection, need: int | None) -> bool:
    """Whether none of a connection's messages is, with what its receiver needs (None: not known).

    A receiver without a maxwait waits as long as it needs.
    """
    given = federation.federates[link.target].maxwait
    if shares_tag(times, link):
        return False
    if not isinstance(given, int) or alone(federation, times, link.target):
        return True
    if need is None:
        return False
    late = need - given
    absent = federation.absence(link)
    waited = isinstance(absent, str) or late <= absent
    return (
        late <= 0
        or (waited and spacing(times, link) >= late)
        or undisturbed(federation, times, link, late)
    )
