"""HIGH_PRIORITY: the most urgent topic first, equals by arrival; a sample in progress ends.

The window opens when nothing as urgent is left, but for one less urgent sample that has begun. More
urgent ones overtake until z starts (S): η_k(S + ε); equals that arrived no later are ahead.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from ddsrta.base.priorities import Rank
from ddsrta.policies.policy import Argument, Pair, Policy, Sender, broken, kept
from ddsrta.policies.relation import Delay, Relation, span
from ddsrta_simulator.orders import URGENCY


def relate(priorities: Sequence[Rank]) -> list[list[Relation]]:
    """More urgent ones overtake, equal ones are ahead, less urgent ones block once.

    >>> [r.kind == Delay.OVERTAKES for r in relate([-1, 0])[1]]
    [True]
    """
    relations = []
    for priority in priorities:
        first, last = bisect_left(priorities, priority), bisect_right(priorities, priority)
        relations.append(
            span(Delay.OVERTAKES, 0, first)
            + (span(Delay.AHEAD, first, last) if last - first > 1 else [])
            + span(Delay.BLOCKS, last, len(priorities))
        )
    return relations


class HighPriority(Policy):
    """A queue for each priority, the most urgent first."""

    name = "HIGH_PRIORITY"
    by_priority = True
    published = True
    among_equals = "it works as FIFO"
    keeps_order = True
    serves = URGENCY

    def relate(self, senders: Sequence[Sender]) -> list[list[Relation]]:
        return relate([sender.priority for sender in senders])

    def queue(self, sender: Sender) -> int:
        return int(sender.priority)

    def holds_before(self, other: Sender, own: Sender) -> bool:
        return other.priority > own.priority

    def leaves_first(self, pair: Pair) -> Argument:
        first, second = pair.topics
        own, other = (sender.priority for sender in pair.senders)
        controller = pair.flow_controller
        if pair.before and own <= other:
            return kept(
                f"{controller} takes '{first}' first: published earlier and not less urgent "
                f"({own} against {other})"
            )
        if own < other and pair.second_waits_for_job():
            return kept(
                f"{controller}, less urgent than {pair.thread} on the same core, sends "
                f"only when the job has ended, and '{first}' is the more urgent topic"
            )
        if not pair.before:
            return broken(
                pair.published_first()
                + (
                    f", and {controller} can start it at once"
                    if own < other
                    else f", and '{first}' is not more urgent"
                )
            )
        return broken(
            f"'{second}' overtakes '{first}' in {controller}, because it is more urgent "
            f"({other} against {own}) and '{first}' can wait: " + pair.why_it_waits()
        )
