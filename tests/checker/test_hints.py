"""What a certificate says about how a bound may be derived confirms none where that lemma does not
hold, and none that is less where it holds."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check

HEAD = """
ddsrta: 1
machines: {m: {cores: CORES}}
threads:
"""
RESERVED = "{a: {reservation: {budget: 5ns, period: 10ns}}}"
HINTS = dict.fromkeys(("closed", "pending", "path"), True)
THREADS = {
    "core of a reservation": (13, "t: {core: m/a, priority: 1, wcet: 3ns, period: 50ns}", ""),
    "core of a reservation, known offsets": (
        14,
        "t: {core: m/a, priority: 1, wcet: 3ns, arrival: {period: 50ns, offset: 0ns}}",
        "u: {core: m/a, priority: 2, wcet: 1ns, arrival: {period: 100ns, offset: 20ns}}",
    ),
    "core that is promised twice": (
        None,
        "t: {core: m/a, reservation: {budget: 6ns, period: 10ns}, wcet: 3ns, period: 50ns}",
        "u: {core: m/a, reservation: {budget: 6ns, period: 10ns}, wcet: 3ns, period: 50ns}",
    ),
    "budget that does not last": (
        13,
        "t: {core: m/a, reservation: {budget: 2ns, period: 10ns}, wcet: 3ns, period: 50ns}",
        "u: {core: m/a, reservation: {budget: 2ns, period: 10ns}, wcet: 3ns, period: 50ns}",
    ),
    "served by its deadlines": (
        6,
        "t: {core: m/a, reservation: {budget: 3ns, period: 10ns}, wcet: 3ns, period: 50ns}",
        "u: {core: m/a, reservation: {budget: 3ns, period: 10ns}, wcet: 3ns, period: 50ns}",
    ),
    "known offsets": (
        6,
        "t: {core: m/a, priority: 1, wcet: 3ns, arrival: {period: 50ns, offset: 0ns}}",
        "u: {core: m/a, priority: 2, wcet: 3ns, arrival: {period: 25ns, offset: 0ns}}",
    ),
    "SCHED_OTHER": (
        6,
        "t: {core: m/a, policy: other, wcet: 3ns, period: 50ns}",
        "u: {core: m/a, policy: other, wcet: 3ns, period: 50ns}",
    ),
    "moves": (
        6,
        "t: {cores: [m/a, m/b], priority: 1, wcet: 3ns, period: 50ns}",
        "u: {cores: [m/a, m/b], priority: 2, wcet: 3ns, period: 50ns}\n"
        "  v: {cores: [m/a, m/b], priority: 2, wcet: 4ns, period: 50ns}",
    ),
}


@pytest.mark.parametrize("case", THREADS)
def test_no_hint_makes_a_response_less(case: str) -> None:
    response, *threads = THREADS[case]
    head = HEAD.replace("CORES", RESERVED if case.startswith("core of") else "[a, b]")
    claims = certificate(ddsrta.loads(head + "\n".join(f"  {thread}" for thread in threads)))
    (mine,) = (stage for stage in claims["stages"] if stage["stage"] == ["job", "t"])
    assert mine["response"] == response
    mine |= HINTS
    assert check(claims).ok
    for less in range(1, response or 40):
        mine |= {"response": less, "latency": less}
        assert check(claims).status == "refuted", less


HOLDS = {
    # c goes on with y when x is read, on one of its cores; so it is with y: 5 + 1 + 9 and 4 + 4.
    "what a callback of a pool sends before its end": (
        ("c", 23),
        """
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
delays: {listener: {1kB: 4ns, 8kB: 4ns}, publisher: {1kB: 1ns, 8kB: 9ns}}
topics: {x: {size: 1kB}, y: {size: 8kB}}
listeners: {L: {core: m/a, priority: 9}}
executors: {E: {cores: [m/a, m/b], priority: 3, kind: multi_threaded}}
threads:
  p: {core: m/c, priority: 1, wcet: 2ns, period: 100ns}
  r: {core: m/c, priority: 1, wcet: 1ns, subscribes: {topics: [y], listener: L}}
callbacks:
  c:
    {executor: E, wcet: 5ns, follows: {threads: [p]},
     publishes: [{topic: x, mode: sync}, {topic: y, mode: sync}]}
  d: {executor: E, wcet: 7ns, subscribes: {topics: [x], listener: L}}
""",
    ),
    # v comes at 6 ns or later, after t came and before it is done: 9 + 4.
    "what comes by the clock while it runs": (
        ("t", 13),
        """
ddsrta: 1
machines: {m: {cores: [a, b]}}
threads:
  s: {core: m/b, priority: 1, wcet: 3ns, arrival: {period: 20ns, offset: 0ns}}
  t: {core: m/a, priority: 1, wcet: 9ns, follows: {threads: [s]}}
  u: {core: m/b, priority: 2, wcet: 2ns, arrival: {period: 40ns, offset: 6ns}}
  v: {core: m/a, priority: 2, wcet: 4ns, follows: {threads: [u]}}
""",
    ),
}


@pytest.mark.parametrize("case", HOLDS)
def test_a_window_from_its_arrival_is_the_least_that_is_confirmed(case: str) -> None:
    (name, response), text = HOLDS[case]
    claims = certificate(ddsrta.loads(text))
    for stage in claims["stages"]:
        stage["pending"] = True
    (mine,) = (stage for stage in claims["stages"] if stage["stage"] == ["job", name])
    assert mine["response"] == response and check(claims).ok
    mine["response"] -= 1
    assert check(claims).status == "refuted"
