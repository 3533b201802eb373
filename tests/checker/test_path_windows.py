"""Windows of whole paths are the least that the checker confirms, where one term alone makes them so
long (lemmas end-to-end-window and meetings-in-order)."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check
from ddsrta.checker.arrivals import Source
from ddsrta.checker.budget import Budget
from ddsrta.checker.curves import Base, Stream
from ddsrta.checker.document import read_system
from ddsrta.checker.meetings import Member, Row
from ddsrta.checker.stages import unfold

HEAD = """
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
"""
FORTH_AND_BACK = """threads:
  p0: {core: m/a, priority: 1, wcet: 1ns, period: 400ns}
  p1: {core: m/b, priority: 1, wcet: 1ns, follows: {threads: [p0]}}
  p2: {core: m/a, priority: 1, wcet: 1ns, follows: {threads: [p1]}}
  p3: {core: m/b, priority: 1, wcet: 1ns, follows: {threads: [p2]}}
chains: {p: {path: [p0, p1, p2, p3]}}
"""
TWO_THEN_ONE = """threads:
  p0: {core: m/a, priority: 1, wcet: 2ns, period: 400ns}
  p1: {core: m/a, priority: 2, wcet: 1ns, follows: {threads: [p0]}}
  p2: {core: m/b, priority: 1, wcet: 3ns, follows: {threads: [p1]}}
chains: {p: {path: [p0, p1, p2]}}
"""
THROUGH_A_LISTENER = """delays: {listener: {1kB: 4ns}, publisher: {1kB: 1ns}}
topics: {x: {size: 1kB}, y: {size: 1kB}}
listeners: {L: {core: m/b, priority: 9}}
threads:
  p0: {core: m/a, priority: 1, wcet: 2ns, period: 400ns, publishes: [{topic: x, mode: sync}]}
  p1: {core: m/a, priority: 1, wcet: 3ns, subscribes: {topics: [x], listener: L}}
chains: {p: {path: [p0, x, p1]}}
"""
THROUGH_A_CONTROLLER = """delays: {flow_controller: {1kB: 3ns}, listener: {1kB: 1ns}}
topics: {x: {size: 1kB, deadline: 50ns}, y: {size: 1kB, deadline: 20ns}}
flow_controllers: {F: {core: m/a, priority: 1, policy: EARLIEST_DEADLINE_FIRST}}
listeners: {L: {core: m/b, priority: 9}}
threads:
  p0:
    {core: m/c, priority: 1, wcet: 1ns, period: 400ns,
     publishes: [{topic: x, flow_controller: F}]}
  p1: {core: m/c, priority: 1, wcet: 2ns, subscribes: {topics: [x], listener: L}}
chains: {p: {path: [p0, x, p1]}}
"""
BESIDE = {
    # r may be there when the path comes, and come again: 2 · 71 on b, and 2 · 4 on a.
    "came before": (
        FORTH_AND_BACK,
        """
  q: {core: m/a, priority: 5, wcet: 3ns, period: 7ns}
  r: {core: m/b, priority: 5, wcet: 70ns, period: 99ns}
""",
        150,
    ),
    # One budget of 2 may have begun before the path comes: 4 + 3 · 2.
    "a reservation": (
        FORTH_AND_BACK,
        """
  q: {core: m/a, reservation: {budget: 2ns, period: 12ns}, wcet: 7ns, period: 45ns}
""",
        10,
    ),
    # And no more than its job: 4 + 3.
    "less to do than its reservation": (
        FORTH_AND_BACK,
        """
  q: {core: m/a, reservation: {budget: 2ns, period: 12ns}, wcet: 3ns, period: 40ns}
""",
        7,
    ),
    # The path may meet two events of q, 6 + 2 · 5; all that both do takes 6 + 4 + 5.
    "comes as soon as its first stage": (
        TWO_THEN_ONE,
        """
  q0: {core: m/b, priority: 5, wcet: 4ns, period: 19ns}
  q1: {core: m/a, priority: 5, wcet: 5ns, follows: {threads: [q0]}}
""",
        15,
    ),
    # Neither of q1 and q2 comes before the other, so the path may meet both: 6 + 4 + 5.
    "in no order": (
        TWO_THEN_ONE,
        """
  q0: {core: m/c, priority: 5, wcet: 1ns, period: 500ns}
  q1: {core: m/b, priority: 5, wcet: 4ns, follows: {threads: [q0], delay: 2ns}}
  q2: {core: m/a, priority: 5, wcet: 5ns, follows: {threads: [q0], delay: 2ns}}
""",
        15,
    ),
    # q0 holds up p0, and its message is ahead of ours: 2 + 1 + 4 + 3, and 5 + 1 + 4.
    "ahead": (
        THROUGH_A_LISTENER,
        """
  q0: {core: m/a, priority: 5, wcet: 5ns, period: 450ns, publishes: [{topic: y, mode: sync}]}
  q1: {core: m/c, priority: 5, wcet: 1ns, subscribes: {topics: [y], listener: L}}
""",
        20,
    ),
    # y is due first, and v may come once: 1 + 3 + 1 + 2, and 3 + 5.
    "due first": (
        THROUGH_A_CONTROLLER,
        """
  q0: {core: m/b, priority: 2, wcet: 1ns, period: 450ns, publishes: [{topic: y, flow_controller: F}]}
  q1: {core: m/b, priority: 1, wcet: 1ns, subscribes: {topics: [y], listener: L}}
  v: {core: m/c, priority: 9, wcet: 5ns, period: 450ns}
""",
        15,
    ),
}


@pytest.mark.parametrize("case", BESIDE)
def test_a_path_is_confirmed_and_a_nanosecond_less_is_not(case: str) -> None:
    path, beside, latency = BESIDE[case]
    text = HEAD + path.replace("chains:", beside.strip("\n") + "\nchains:")
    claims = certificate(ddsrta.loads(text))
    way = claims["chains"]["p"]
    assert way["latency"] == latency and check(claims).ok
    for figure in ("latency", "trigger_latency"):
        way[figure] -= 1
        assert check(claims).status == "refuted"
        way[figure] += 1


def test_what_a_row_adds_by_hand() -> None:
    """Of the base of the path, and of another: 10 ns apart, both."""
    mine, other = (
        Base(("job", name), Source("periodic", 10), (), False, True, Budget()) for name in "pq"
    )
    first = Stream(mine, 1, before=6, best=2)
    (stage,) = unfold(read_system(certificate(ddsrta.loads(ONE))["system"]))
    members = (Member(stage, 5, 7), Member(stage, 23, 4))
    # Up to 21 ns before ours two come that are at the second stage, and up to 13 ns later one.
    assert Row(mine, 1, members, own=9).work(8, first) == 9 + 4 * 2 + 7 * 1
    assert Row(other, 1, members, own=9).work(8, first) == (7 - 4) * 2 + 4 * 3


ONE = """
ddsrta: 1
machines: {m: {cores: [a]}}
threads: {one: {core: m/a, priority: 1, wcet: 1ns, period: 10ns}}
"""
