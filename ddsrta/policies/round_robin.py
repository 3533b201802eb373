"""ROUND_ROBIN: a queue for each writer, one sample a turn; the cursor stays while idle.

Between two turns of z every other writer has one at most, so before the q-th sample of z since its
queue was empty come at most q of each, and no more than are there: η_k(S + R_k).
"""

from __future__ import annotations

from collections.abc import Sequence

from ddsrta.policies.policy import Argument, Pair, Policy, Sender, broken, kept
from ddsrta.policies.relation import Delay, Relation, span
from ddsrta_simulator.orders import TURNS


class RoundRobin(Policy):
    """Every other queue gets at most one turn for each of one's own."""

    name = "ROUND_ROBIN"
    by_writer = True
    published = True
    serves = TURNS

    def relate(self, senders: Sequence[Sender]) -> list[list[Relation]]:
        count = len(senders)
        return [
            span(Delay.ALTERNATES, 0, i) + span(Delay.ALTERNATES, i + 1, count)
            for i in range(count)
        ]

    def queue(self, sender: Sender) -> int:
        return sender.place

    def leaves_first(self, pair: Pair) -> Argument:
        controller, queues = pair.flow_controller, pair.queues()
        alone = all(queue == (pair.thread, 1) for queue in queues)
        if alone and pair.later and (pair.in_program or len(queues) == 2):
            return kept(
                f"all queues of {controller} are of {pair.thread}, one message a job each, "
                "so none has a second turn before each that waits has had one"
            )
        first, second = pair.topics
        return broken(
            f"'{second}' overtakes '{first}' in {controller}, because the "
            "turn can be at its queue while both wait"
            + (": nothing says in which order the writers were registered" if alone else "")
        )
