"""Pencil examples of lemmas group-window, program-order, output-spacing and phase-window: the
checker takes the figure found by hand, and none below."""

import pytest

from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.refinements import Refinements
from ddsrta.checker import check
from ddsrta.models.reader import loads

PLAIN = Refinements(pending_windows=False)  # they confirm less of some
HEAD = """\
ddsrta: 1
machines: {m: {cores: [a, b, c, d, e]}}
delays:
  flow_controller: {1B: 3ns}
  listener: {1B: 1ns, 9B: 29ns}
  publisher: {1B: {worst: 1ns, best: 1ns}, 9B: {worst: 4ns, best: 4ns}}
"""

# Level 3 has the roots s, with C = 10 + 20, and h: L = F(1) = 30 + 7, and t ends with it.
# Alone, t takes 20 + 10 + 7 from an arrival that may be 10 late: 47.
ROOT = """
threads:
  s: {core: m/a, priority: 5, wcet: 10ns, period: 100ns}
  h: {core: m/a, priority: 4, wcet: 7ns, period: 50ns}
  t: {core: m/a, priority: 3, wcet: 20ns, follows: {threads: [s]}}
"""

# Level 4 has y, w and h. x is outside and just ended when y arrives: piece(x) = 4 + 6, F = 10 + 3.
# w arrives at least 1 after y, so its response is 13 - 1. Alone: 6 + 4 + 3 = 13.
# From the release of x, in level 1: C(x) = 10 + 4 + 6, F(1) = 20 + 3.
PIECE = """
threads:
  x: {core: m/a, priority: 1, wcet: 10ns, period: 100ns}
  y: {core: m/a, priority: 5, wcet: 4ns, follows: {threads: [x]}}
  w: {core: m/a, priority: 4, wcet: 6ns, follows: {threads: [y]}}
  h: {core: m/a, priority: 9, wcet: 3ns, period: 50ns}
"""

# Level 3 has the roots p, C = 10 + 5, and q, C = 8 + 5: from p through o takes F(1) = 15 + 13.
# Stage by stage: 10 for p, then 2 · 5 for o and 18 for what preempts it: 38.
OR = """
threads:
  p: {core: m/a, priority: 5, wcet: 10ns, period: 100ns}
  q: {core: m/a, priority: 4, wcet: 8ns, period: 100ns}
  o: {core: m/a, priority: 3, wcet: 5ns, follows: {threads: [p, q]}}
chains: {c: {path: [p, o]}}
"""

# The messages z (29) and k (1) wait in the listener; r (2) and y (3) are one root with C = 5 above
# it. For A = 0: F = 1 + 29 + 5 · η(F) = 40, as η_r(40) = 2. Alone, y has a jitter of 1, so three
# come in 40: F = 30 + 2 · 3 + 3 · 3 = 45. The group of z alone counts each k: 29 + 6 · 3 = 47.
ABOVE = """
topics: {z: {size: 9B}, k: {size: 1B}}
listeners: {L: {core: m/a, priority: 1}}
threads:
  r: {core: m/a, priority: 9, wcet: 2ns, period: 20ns}
  y: {core: m/a, priority: 8, wcet: 3ns, follows: {threads: [r]}}
  pz: {core: m/b, priority: 1, wcet: 5ns, bcet: 5ns, period: 200ns,
       publishes: [{topic: z, mode: sync, earliest: 5ns}]}
  pk: {core: m/c, priority: 1, wcet: 5ns, bcet: 5ns, period: 20ns,
       publishes: [{topic: k, mode: sync, earliest: 5ns}]}
  sz: {core: m/d, priority: 1, wcet: 1ns, subscribes: {topics: [z], listener: L}}
  sk: {core: m/e, priority: 1, wcet: 1ns, subscribes: {topics: [k], listener: L}}
"""

# The sample (3) of p preempts p itself: C(p) = 10 + 3 + 5, less end(p) = 5, what only follows it.
OWN = """
topics: {x: {size: 1B}}
flow_controllers: {F: {core: m/a, priority: 5}}
listeners: {L: {core: m/b, priority: 5}}
threads:
  p: {core: m/a, priority: 1, wcet: 10ns, period: 100ns,
      publishes: [{topic: x, mode: async, flow_controller: F}]}
  f: {core: m/a, priority: 5, wcet: 5ns, follows: {threads: [p]}}
  s: {core: m/c, priority: 1, wcet: 1ns, subscribes: {topics: [x], listener: L}}
"""

# x of a job is in the queue before y of the same job. Between A = 0 and the earliest release of ours
# lies η(1 + 5 - 5) - 1 = 0 other jobs, so no y is ahead of x: 3, not 6. y waits for x: 6.
SIBLINGS = """
topics: {x: {size: 1B}, y: {size: 1B}}
flow_controllers: {F: {core: m/b, priority: 5}}
listeners: {L: {core: m/c, priority: 5}}
threads:
  p: {core: m/a, priority: 1, wcet: 5ns, bcet: 5ns, period: 100ns,
      publishes: [{topic: x, mode: async, flow_controller: F, earliest: 5ns},
                  {topic: y, mode: async, flow_controller: F, earliest: 5ns}]}
  s: {core: m/d, priority: 1, wcet: 1ns, subscribes: {topics: [x, y], listener: L}}
"""

# The job takes 10 + 4, and the 4 of y are all behind x: x leaves by 10, its sample (3) by 13.
REST = """
topics: {x: {size: 1B}, y: {size: 9B}}
flow_controllers: {F: {core: m/b, priority: 5}}
listeners: {L: {core: m/c, priority: 5}}
threads:
  p: {core: m/a, priority: 1, wcet: 10ns, period: 100ns,
      publishes: [{topic: x, mode: async, flow_controller: F}, {topic: y, mode: sync}]}
  s: {core: m/d, priority: 1, wcet: 1ns, subscribes: {topics: [x, y], listener: L}}
"""

# Three jobs of p at once end 10 apart, so their samples never meet: 3, not 9.
SPACED = """
topics: {x: {size: 1B}}
flow_controllers: {F: {core: m/b, priority: 5}}
listeners: {L: {core: m/c, priority: 5}}
threads:
  p: {core: m/a, priority: 1, wcet: 10ns, bcet: 10ns,
      arrival: {burst: {count: 3, distance: 0ns, period: 100ns}},
      publishes: [{topic: x, mode: async, flow_controller: F, earliest: 10ns}]}
  s: {core: m/d, priority: 1, wcet: 1ns, subscribes: {topics: [x], listener: L}}
"""

# Of p come no more than ⌈Δ / 10⌉, of q one: F(2) = 12 with δ⁻(2) = 0; F(3) = 18 with δ⁻(3) = 10,
# which is before δ⁻(4) = 20. So 12, not 4 · 6.
ENTRY = """
threads:
  p: {core: m/a, priority: 1, wcet: 10ns, bcet: 10ns,
      arrival: {burst: {count: 3, distance: 0ns, period: 100ns}}}
  q: {core: m/b, priority: 1, wcet: 1ns, period: 100ns}
  o: {core: m/c, priority: 1, wcet: 6ns, follows: {threads: [p, q]}}
"""

# z comes 10 + 20 after p, which has long ended: x = -30 counts η(-30 + 1) = 0 of p, and the next job
# of p is 100 later. So F = 5. The next phases, 0 and 70, are not below L - 30 = 15 - 30. In windows
# that do not know of it, p counts: 5 + 10.
PREDECESSOR = """
threads:
  p: {core: m/a, priority: 9, wcet: 10ns, bcet: 10ns, period: 100ns}
  z: {core: m/a, priority: 1, wcet: 5ns,
      follows: {threads: [p], delay: 20ns, best: 20ns}}
"""

# y comes in [1, 10] after p was released, z in [3, 30], and z may wait for the y of its own event:
# at x = -10, η(-10 + 10 + 1) = 1, F = 4 + 5 and the response is 9. But then it came early: 9 + 10
# from the base. When it comes late, at x = -30, η(-30 + 10 + 1) = 0: F = 5, and 5 + 30 from the base.
# Without phases it is 9 + 30.
STEP = """
threads:
  p: {core: m/b, priority: 9, wcet: 10ns, bcet: 1ns, period: 100ns}
  y: {core: m/a, priority: 5, wcet: 4ns, follows: {threads: [p]}}
  z: {core: m/a, priority: 1, wcet: 5ns,
      follows: {threads: [p], delay: 20ns, best: 2ns}}
"""

# x comes 3 + 20 after h and takes 10, so y comes at 33, with x = -33 as the window opens with it: of h
# count η(-33 + 1) = 0 and the next is far, so F = piece(x) = 4. Without phases it is 4 + 3.
PIECE_STEP = """
threads:
  h: {core: m/a, priority: 9, wcet: 3ns, bcet: 3ns, period: 100ns}
  x: {core: m/a, priority: 1, wcet: 10ns, bcet: 1ns,
      follows: {threads: [h], delay: 20ns, best: 20ns}}
  y: {core: m/a, priority: 5, wcet: 4ns, follows: {threads: [x]}}
"""

EXAMPLES = [
    ("joined root", ROOT, "job t", "latency", 37),
    ("piece", PIECE, "job w", "response", 12),
    ("root behind a piece", PIECE, "job w", "latency", 23),
    ("along an OR job", OR, "c", "latency", 28),
    ("more urgent work coupled", ABOVE, "message pz z sz", "response", 40),
    ("a job's own sample", OWN, "job p", "response", 13),
    ("no later sibling", SIBLINGS, "sample p x", "response", 3),
    ("an earlier sibling", SIBLINGS, "sample p y", "response", 6),
    ("rest of the job", REST, "sample p x", "latency", 13),
    ("spaced at a stage", SPACED, "sample p x", "response", 3),
    ("a predecessor that has ended", PREDECESSOR, "job z", "response", 5),
    ("a predecessor, from the base", PREDECESSOR, "job z", "latency", 35),
    ("in step, early", STEP, "job z", "response", 9),
    ("in step, late", STEP, "job z", "latency", 35),
    ("piece in step", PIECE_STEP, "job y", "response", 4),
    ("spaced at a junction", ENTRY, "job o", "response", 12),
]


@pytest.mark.parametrize(("name", "text", "of", "figure", "value"), EXAMPLES)
def test_a_figure_found_by_hand_is_the_least_confirmed(name, text, of, figure, value):
    claims = certificate(loads(HEAD + text, f"{name}.yaml"), PLAIN)
    place = claims["chains"].get(of)
    if place is None:
        place = next(one for one in claims["stages"] if one["stage"] == of.split())
    place[figure] = value
    verdict = check(claims)
    assert verdict.ok, verdict.failure
    place[figure] = value - 1
    assert not check(claims).ok


# The slow send of w lies between x and y. Job 1 is released at 0: its y arrives at 11, 15 long. Job 2
# is released at 20: its x arrives at 21 and waits for that y until 26: 7 in all. In the window that
# opens with y it arrives at A = 10, where neither curve steps, but the bound of later siblings does:
# η(A + ε + 11 - 1) = 2. At A = 0, and at the steps 15 and 20 of the curves, it would seem to be 2.
SLOW_BETWEEN = """
ddsrta: 1
machines: {m: {cores: [a, b, c, d]}}
delays:
  flow_controller: {1B: 2ns, 9B: 15ns}
  listener: {1B: 1ns, 9B: 1ns}
  publisher: {1B: {worst: 10ns, best: 5ns}}
topics: {x: {size: 1B}, w: {size: 1B}, y: {size: 9B}}
flow_controllers: {F: {core: m/b, priority: 5}}
listeners: {L: {core: m/c, priority: 5}}
threads:
  p: {core: m/a, priority: 1, wcet: 1ns, bcet: 1ns, period: 20ns,
      publishes: [{topic: x, mode: async, flow_controller: F}, {topic: w, mode: sync},
                  {topic: y, mode: async, flow_controller: F}]}
  s: {core: m/d, priority: 1, wcet: 1ns, subscribes: {topics: [x, w, y], listener: L}}
"""


def test_the_next_job_may_meet_the_last_sibling_between_the_steps_of_the_curves():
    claims = certificate(loads(SLOW_BETWEEN, "slow.yaml"))
    mine = ["sample", "p", "x"]
    for stage in claims["stages"]:
        if stage["stage"] == mine:
            stage |= {"response": 7, "latency": 8}
        elif stage["stage"] not in (["job", "p"], ["sample", "p", "y"]):
            stage |= {"response": None, "latency": None}
    for message in claims["messages"]:
        message["ddl"] = None
    del claims["queues"], claims["hops"], claims["verdict"]
    assert check(claims).ok, check(claims).failure
    place = next(stage for stage in claims["stages"] if stage["stage"] == mine)
    place["response"] = 6
    assert "arriving at 10 ns" in check(claims).failure
