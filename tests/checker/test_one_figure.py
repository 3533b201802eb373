"""What analysis and checker find in two ways is one figure, so that nothing right is refused."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.solve import solve

# a response, seen from the arrival, is less than the latency of which the base's events say
ARRIVES_LATE = """
ddsrta: 1
machines: {m: {cores: [c0, c1]}}
threads:
  t0: {core: m/c0, priority: 11, wcet: 1ns, bcet: 1ns, arrival: {sporadic: 6ns, jitter: 11ns}}
  t1: {core: m/c1, priority: 25, wcet: 3ns, bcet: 3ns, follows: {threads: [t0], delay: 0ns, best: 0ns}}
  t2: {core: m/c0, priority: 48, wcet: 3ns, bcet: 3ns, follows: {threads: [t1], delay: 1ns, best: 0ns}}
"""
# windows with the way of 18 ns apart, and with that of 2 ns, too, are equally long
TWO_WAYS_APART = """
ddsrta: 1
machines: {m: {cores: [c0, c1]}}
threads:
  t0: {core: m/c0, priority: 82, wcet: 2ns, bcet: 2ns, arrival: {period: 24ns, jitter: 4ns, offset: 4ns}}
  t1: {core: m/c1, priority: 2, wcet: 1ns, bcet: 1ns, follows: {threads: [t0], delay: 0ns, best: 0ns}}
  t2: {core: m/c0, priority: 15, wcet: 2ns, bcet: 1ns, follows: {threads: [t1], delay: 0ns, best: 0ns}}
  t3: {core: m/c1, priority: 8, wcet: 2ns, bcet: 2ns, follows: {threads: [t2], delay: 0ns, best: 0ns}}
  t4: {core: m/c0, priority: 35, wcet: 1ns, bcet: 1ns, follows: {threads: [t3], delay: 2ns, best: 0ns}}
  t5: {core: m/c1, priority: 6, wcet: 1ns, bcet: 1ns, follows: {threads: [t4], delay: 18ns, best: 5ns}}
  t6: {core: m/c0, priority: 48, wcet: 2ns, bcet: 1ns, arrival: {period: 24ns, offset: 21ns}}
  t7: {core: m/c0, priority: 55, wcet: 1ns, bcet: 1ns, follows: {threads: [t6, t3], delay: 0ns, best: 0ns}}
  t8: {core: m/c1, priority: 23, wcet: 1ns, bcet: 1ns, follows: {threads: [t7], delay: 0ns, best: 0ns}}
  t9: {core: m/c0, priority: 94, wcet: 2ns, bcet: 1ns, follows: {threads: [t8], delay: 0ns, best: 0ns}}
"""


@pytest.mark.parametrize("text", [ARRIVES_LATE, TWO_WAYS_APART])
def test_all_refinements_are_confirmed(text):
    check = ddsrta.analyze(ddsrta.loads(text)).check
    assert (check.status, check.without) == ("confirmed", ())


def test_a_stage_is_done_a_response_after_the_latest_arrival():
    solution = solve(ddsrta.loads(ARRIVES_LATE))
    found = solution.latency(("job", "t2")), solution.response(("job", "t2"))
    assert found == (48, 4)  # t1 is done 43 after its event, and 1 on the way
