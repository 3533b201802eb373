"""What the window of a thread with a fair share is made of, term by term (lemma fair-share)."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.bounds.fair_shares.windows import FairWindow
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.terms.diagnose import described
from ddsrta.bounds.terms.window import KINDS, OWN_WORK, WORDS, Term, times

FAIR = "while it waits, others of SCHED_OTHER have no more than their share"


def fair_terms(solution: Solution, window: FairWindow) -> Iterator[Term]:
    """All that runs from the opening of the window to the end of the slowest unit."""
    yield Term(OWN_WORK, window.own)
    for share in window.shares:
        word, kind = WORDS[share.kind], KINDS.get(share.kind, "behind")
        if share.thread:
            yield Term(f"{word} {share.thread}", share.work, "its share", kind)
            continue
        name = "SCHED_DEADLINE threads"
        if share.stage is not None:
            name = described(solution, share.stage)
        time, product = times(share.units, share.work // share.units)
        yield Term(f"{word} {name}", time, product, kind)
    if window.arrival:
        yield Term("came later than the window opened", -window.arrival, kind="less")
