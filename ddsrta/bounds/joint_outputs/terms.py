"""What the window of a listener is made of, term by term (lemma joint-outputs)."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.bounds.joint_outputs.windows import JointWindow
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.terms.diagnose import described
from ddsrta.bounds.terms.window import Term, times

JOINT = "what a flow controller sends comes sample by sample, whatever its topics"


def joint_terms(solution: Solution, window: JointWindow) -> Iterator[Term]:
    """What comes up to the arrival of a message, its own work included, and what goes before it."""
    work = 0
    for share in window.shares:
        work += share.work
        if share.feeder:
            yield Term(
                f"all that {share.feeder} can have sent by then", share.work, kind="together"
            )
            continue
        name = "SCHED_DEADLINE threads"
        cost = share.work // share.units
        if share.stage is not None:
            name = described(solution, share.stage)
        time, product = times(share.units, cost)
        label = f"{'more urgent' if share.above else 'by then'}: {name}"
        yield Term(label, time, product, "preempted" if share.above else "together")
    if waits := window.response + window.arrival - work:
        yield Term("waits for supply", waits, "the reservation's gaps", "waits")
    if window.arrival:
        yield Term("came later than the window opened", -window.arrival, kind="less")
