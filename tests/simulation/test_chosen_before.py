"""Before a datagram leaves, a flow controller of Fast DDS has chosen the sample that comes next.

AGAIN was run with Fast DDS 2.9.1, a million times slower, with sends that take as long as here:
z took 2.204 s, 2.206 s and 2.210 s, and all samples left in this order.
"""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.locks.waits import _Waiting
from ddsrta.models.senders import policy_of
from ddsrta_simulator.program import COMPLETED
from tests.bounds.test_fastdds import ALONE
from tests.simulation.drawings import Scene

# topic, its priority, what a send takes, when its samples are handed over
Row = tuple[str, int, int, list[int]]
LESS: list[Row] = [("x", 5, 100, [50]), ("y", 5, 100, [51]), ("v", 5, 100, [52])]
FIRST: Row = ("p", 5, 100, [0])
# while w leaves, v is the next, though z and u come then; while v leaves, u is; and w comes again
AGAIN: list[Row] = [
    FIRST,
    *LESS,
    ("w", 0, 1000, [106, 1386]),
    ("u", 0, 10, [311]),
    ("z", 1, 100, [310]),
]
# w, in its turn, leaves in one datagram; x is the next then, and z comes
TURNS: list[Row] = [FIRST, ("w", 0, 1000, [50, 51, 52]), ("x", 0, 100, [53]), ("z", 0, 100, [300])]


def scene(rows: list[Row], policy: str, mode: str = 'middleware: {fastdds: "2.9", write: 1ns}'):
    topics = ", ".join(f"{name}: {{size: 1B, priority: {rank}}}" for name, rank, *_ in rows)
    names = ", ".join(name for name, *_ in rows)
    text = f"""{mode}
topics: {{{topics}}}
listeners: {{L: {{core: m/l, priority: 50}}}}
flow_controllers: {{F: {{core: m/f, priority: 5, policy: {policy}}}}}
threads:
  R: {{core: m/l, priority: 1, wcet: 1ns, subscribes: {{topics: [{names}], listener: L}}}}
"""
    for name, _, cost, _ in rows:
        sent = f"publishes: [{{topic: {name}, flow_controller: F, delay: {cost}ns}}]"
        text += f"  T{name}: {{core: m/{name}, priority: 1, wcet: 1ns, period: 1s, {sent}}}\n"
    released = {f"T{name}": times for name, _, _, times in rows}
    return Scene(text, released, f"machines: {{m: {{cores: [f, l, {names}]}}}}\n")


def order(drawn: Scene) -> str:
    """The topics of the samples as they leave."""
    samples = [drawn.program.stages[what] for _, kind, what, *_ in drawn.trace(9000) if kind == COMPLETED]  # fmt: skip
    return "".join(stage[2] for stage in samples if stage[0] == "sample")


def of(topic: str, drawn: Scene) -> tuple[str, str, str]:
    return ("sample", f"T{topic}", topic)


def test_the_order_of_a_run_of_fast_dds() -> None:
    assert order(scene(AGAIN, "HIGH_PRIORITY")) == "pxywvuwz"
    assert order(scene(AGAIN, "HIGH_PRIORITY", mode="")) == "pxwuzywv"


def test_what_comes_while_a_datagram_leaves_is_not_the_next() -> None:
    drawn = scene(AGAIN, "HIGH_PRIORITY")
    drawn.trace(9000)
    assert drawn.seen("response")[of("z", drawn)] == 2200


def bound(drawn: Scene, topic: str):
    """Without the windows that count everything, which hide what one term is worth."""
    result = ddsrta.analyze(drawn.system, refinements=ALONE)
    assert result.check.status == "confirmed"
    return next(message.flow_controller for message in result.messages if message.topic == topic)


def of_others(self: _Waiting, number: int) -> int:
    """What was counted once: the datagram of one that goes behind."""
    stage = self.stages[number]
    policy, own = policy_of(self.system, stage.server[1]), self._sender(number)
    others = (k for k in self._beside(number) if policy.holds_before(self._sender(k), own))
    return max((self._datagram(k) for k in others), default=0)


def test_no_run_is_above_the_bound_and_without_the_datagram_of_its_level_one_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn = scene(AGAIN, "HIGH_PRIORITY")
    drawn.trace(9000)
    seen = drawn.seen("response")[of("z", drawn)]
    assert bound(drawn, "z") >= seen
    monkeypatch.setattr(_Waiting, "held", of_others)
    result = ddsrta.analyze(drawn.system, refinements=ALONE, check=False)
    assert next(m.flow_controller for m in result.messages if m.topic == "z") == 1322 < seen


@pytest.mark.parametrize(
    ("policy", "begun"),
    [("HIGH_PRIORITY", 3000), ("PRIORITY_WITH_RESERVATION", 3000), ("ROUND_ROBIN", 1000)],
)
def test_so_it_is_with_each_policy(policy: str, begun: int) -> None:
    drawn = scene(TURNS, policy)
    found = order(drawn)
    seen = drawn.seen("response")[of("z", drawn)]
    assert found.index("x") < found.index("z")
    assert seen == 100 + begun + 100 + 100 - 300
    assert bound(drawn, "z") >= seen
