"""Latencies along paths (lemma path-latency)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ddsrta.bounds.edges import Edge
from ddsrta.bounds.end_to_end_window.windows import EndToEndWindow
from ddsrta.bounds.joined_work.groups import Group
from ddsrta_kernel import Outcome, TandemOutcome

if TYPE_CHECKING:
    from ddsrta.bounds.closed_window.windows import ClosedWindow
    from ddsrta.bounds.event_alone.alone import AloneWindow
    from ddsrta.bounds.solution import FromArrival


class Step(NamedTuple):
    """One stage of a path. `carried` is what the path had taken before the origin of the stage's
    stretch, `before` the time from the origin to the arrival here, `outcome` the stage's window;
    `total` is the latency of the path up to the end of the stage. Where a group gives less than the
    window, it is `group`, with its own outcome, and `since` is the latest arrival at its head
    (None: the head lies before the path). Where two threads in tandem give less (lemma
    tandem-window), the outcome is that of their case; in the later case, `tandem` is both and the
    outcome that of the stage before, up to the end of this one. Where the window of all stages
    since the path last waited gives less (lemma end-to-end-window), it is `end_to_end`. Where all
    that is done since nothing was there gives less (lemma closed-window), it is `closed`, for the
    last `spanned` stages. `kept` is what a synchronizer before the stage adds. Where it is less by
    number (lemma paced-path), `due` is when the stage's event is due at the latest. Where it is
    less by the ways that the last token may have come (lemma last-token), `last` is the longest:
    how much later than the path it begins, and its own steps. Where what is pending at the arrival
    gives less, and what comes after it (lemma pending-window), or what flow controllers can have
    sent together (lemma joint-outputs), or all that is done since nothing was pending (lemma
    ways-apart), or where threads of SCHED_OTHER have their share (lemma fair-share), it is
    `pending`. Where the event of the path is done before the next (lemma event-alone), it is
    `alone`, for `spanned` stages."""

    stage: int
    edge: Edge | None  # None at the start of a segment
    origin: int
    carried: int
    before: int
    outcome: Outcome | None
    total: int | None
    group: Group | None = None
    since: int | None = None
    tandem: TandemOutcome | None = None
    kept: int = 0
    end_to_end: EndToEndWindow | None = None
    due: int | None = None
    closed: ClosedWindow | None = None
    spanned: int = 1
    last: tuple[int, tuple[Step, ...]] | None = None
    pending: FromArrival | None = None
    alone: AloneWindow | None = None


def delayed(step: Step, delay: int) -> Step:
    """The same step with a delay after it."""
    total = None if step.total is None else step.total + delay
    return step._replace(carried=step.carried + delay, total=total)


def instead(step: Step, total: int) -> Step:
    """A step with another bound."""
    return Step(*step[:6], total, kept=step.kept)
