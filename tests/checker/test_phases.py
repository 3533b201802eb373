"""What shares its base with a head comes in at its own phase, also where the phases were found for
another head of the level, which comes sooner (lemma phase-window)."""

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check

# x has g released 6 ns after p, as k may come; k goes first. h makes k's phases be looked at
TEXT = """
ddsrta: 1
machines: {m: {cores: [a, b]}}
threads:
  p: {core: m/b, priority: 9, wcet: 3ns, bcet: 3ns, period: 100ns}
  k: {core: m/a, priority: 5, wcet: 6ns, follows: {threads: [p], delay: 6ns, best: 0ns}}
  x: {core: m/a, priority: 1, wcet: 3ns, follows: {threads: [p]}}
  h: {core: m/a, priority: 5, wcet: 1ns, period: 10ns}
  g: {core: m/a, priority: 5, wcet: 4ns, follows: {threads: [x]}}
"""


def test_a_head_that_comes_later_than_all_roots_has_their_phases_too():
    claims = certificate(ddsrta.loads(TEXT))
    (job,) = (one for one in claims["stages"] if one["stage"] == ["job", "g"])
    assert job["response"] == 6 + 1 + 4
    assert check(claims).ok
    for less in range(4, job["response"]):
        job["response"] = less
        assert not check(claims).ok, less
