"""Events of other chains meet a path only in order (lemma meetings-in-order)."""

import copy

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.solve import solve
from ddsrta.checker import check
from ddsrta_kernel.problem import ROW, ROW_DONE
from tests.bounds.leads import Leads
from tests.bounds.test_one_at_a_time import CALM, robot

WITHOUT = ddsrta.Refinements(meetings_in_order=False)
ORDER = """
ddsrta: 1
machines: {m: {cores: [a, b]}}
threads:
  p0: {core: m/a, priority: 1, wcet: 2ms, period: 40ms}
  p1: {core: m/a, priority: 2, wcet: 1ms, follows: {threads: [p0]}}
  p2: {core: m/b, priority: 1, wcet: 3ms, follows: {threads: [p1]}}
  q0: {core: m/b, priority: 5, wcet: 4ms, period: 50ms}
  q1: {core: m/a, priority: 5, wcet: 5ms, follows: {threads: [q0]}}
chains: {p: {path: [p0, p1, p2]}}
"""
SENT = (
    ORDER.replace("cores: [a, b]", "cores: [a, b, f, l]")
    .replace(
        "threads:\n",
        """delays: {flow_controller: {1kB: 1us}, listener: {1kB: 1us}}
topics: {x: {size: 1kB}}
flow_controllers: {F: {core: m/f, priority: 9}}
listeners: {L: {core: m/l, priority: 9}}
threads:
""",
    )
    .replace("period: 50ms}", "period: 50ms, publishes: [{topic: x, flow_controller: F}]}")
    .replace("follows: {threads: [q0]}}", "subscribes: {topics: [x], listener: L}}")
)

LATE = """
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
threads:
  p0: {core: m/a, priority: 1, wcet: 1ms, period: 100ms}
  p1: {core: m/b, priority: 1, wcet: 2ms, follows: {threads: [p0]}}
  p2: {core: m/a, priority: 1, wcet: 1ms, follows: {threads: [p1]}}
  q0: {core: m/a, priority: 5, wcet: 1ms, period: 25ms}
  q1: {core: m/c, priority: 5, wcet: 20ms, follows: {threads: [q0]}}
  q2: {core: m/b, priority: 5, wcet: 5ms, follows: {threads: [q1]}}
chains: {p: {path: [p0, p1, p2]}}
"""
QUEUED = """
ddsrta: 1
machines: {m: {cores: [a, b, f]}}
delays: {flow_controller: {1kB: 1us}, listener: {1kB: 1us}}
topics: {x: {size: 1kB}}
flow_controllers: {F: {core: m/f, priority: 9}}
listeners: {L: {core: m/f, priority: 8}}
executors: {E: {core: m/b, priority: 1, kind: events}}
threads:
  p0: {core: m/a, priority: 1, wcet: 1ms, period: 100ms}
  p2: {core: m/a, priority: 1, wcet: 1ms, follows: {threads: [p1]}}
callbacks:
  p1: {executor: E, wcet: 1ms, follows: {threads: [p0]}}
  q0: {executor: E, wcet: 6ms, timer: 100ms, publishes: [{topic: x, flow_controller: F}]}
  q1: {executor: E, wcet: 5ms, subscribes: {topics: [x], listener: L}}
chains: {p: {path: [p0, p1, p2]}}
"""


def latencies(text):
    """With the lemma, and without."""
    system = ddsrta.loads(text)
    found = ddsrta.analyze(system), ddsrta.analyze(system, refinements=WITHOUT)
    assert [each.check.status for each in found] == ["confirmed", "confirmed"]
    return [each.chains["p"].latency for each in found]


def test_what_met_the_last_stage_does_not_meet_the_first():
    assert latencies(ORDER) == [11_000_000, 15_000_000]  # 2 + 1 + 3 and the longer of 4 and 5


def test_what_can_be_met_in_order_counts():
    other_way = ORDER.replace("q0: {core: m/b", "q0: {core: m/a")
    other_way = other_way.replace("q1: {core: m/a", "q1: {core: m/b")
    assert latencies(other_way) == [15_000_000, 15_000_000]


def test_a_job_that_sends_at_its_beginning_is_in_order_where_it_preempts():
    assert latencies(SENT) == [11_000_000, 15_000_000]


def test_a_job_that_sends_at_its_beginning_is_in_order_where_equals_wait():
    equal = SENT.replace("p2: {core: m/b, priority: 1", "p2: {core: m/b, priority: 5")
    assert latencies(equal) == [11_000_000, 15_000_000]


def test_events_that_are_late_count_with_what_is_left_of_them():
    late = ORDER.replace("wcet: 4ms, period: 50ms", "wcet: 4ms, period: 10ms")
    now, before = latencies(late)
    assert 11_000_000 < now <= before


def test_a_stage_counts_as_late_as_it_is_itself():
    # Let q0 come at 0 and 25, q1 take 20 and then 1, the path begin at 20: p1 waits from 21 to 26
    # and from 27 to 32. It takes 14. As late as q0 alone, q2 would count once: 10.
    assert latencies(LATE) == [15_000_000, 15_000_000]


def test_what_sends_at_its_beginning_is_ahead_with_what_it_has_sent():
    # Let q0 send x, which L has read 2 us later, just before p1 comes: p1 waits for what is left of
    # q0, and for q1. It takes 14 less 2 us. With one of both it would be 9.
    assert latencies(QUEUED) == [14_000_000, 14_000_000]


def test_rows_go_on_where_stages_lead_to_each_other():
    solution = solve(ddsrta.loads(SENT))
    rows, number = Leads(solution).rows, solution.compiled.stage_number
    behind = {key: rows[ROW * n] for key, n in number.items()}
    bits = {key: rows[ROW * n + 1] for key, n in number.items()}
    assert behind["job", "q0"] == number["sample", "q0", "x"]
    assert behind["sample", "q0", "x"] == number["message", "q0", "x", "q1"]
    assert behind["job", "q1"] == -1
    assert not bits["job", "q0"] & ROW_DONE
    assert bits["sample", "q0", "x"] & ROW_DONE


def test_chains_through_one_listener_are_never_above_what_they_were():
    system = robot(CALM, 200)
    found, plain = ddsrta.analyze(system), ddsrta.analyze(system, refinements=WITHOUT)
    assert found.check.status == plain.check.status == "confirmed"
    pairs = [(chain.latency, plain.chains[name].latency) for name, chain in found.chains.items()]
    assert all(now <= before for now, before in pairs)
    assert sum(now for now, _ in pairs) < sum(before for _, before in pairs)


def test_a_nanosecond_less_is_refuted():
    given = certificate(ddsrta.loads(ORDER))
    assert check(given).status == "confirmed"
    wrong = copy.deepcopy(given)
    (stage,) = (one for one in wrong["stages"] if one.get("path"))
    assert stage["latency"] == 11_000_000
    stage["latency"] -= 1
    assert check(wrong).status == "refuted"


def test_both_ways_to_solve_agree():
    system = robot(CALM, 200)
    brief, full = ddsrta.analyze(system, check=False), ddsrta.analyze(system)
    assert [one.latency for one in brief.chains.values()] == [
        one.latency for one in full.chains.values()
    ]


def test_reservations_are_on_no_row():
    reserved = ORDER.replace(
        "threads:\n",
        """threads:
  r: {core: m/a, reservation: {budget: 1ms, period: 10ms}, wcet: 1ms, period: 100ms}
""",
    )
    system = ddsrta.loads(reserved)
    some = ddsrta.Refinements(deadline_servers=False)
    brief = ddsrta.analyze(system, refinements=some, check=False)
    full = ddsrta.analyze(system, refinements=some)
    assert brief.chains["p"].latency == full.chains["p"].latency
    assert full.check.status == "confirmed"
