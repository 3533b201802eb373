"""Two threads in tandem (lemma tandem-window): what both serve costs the longer of both times, not
their sum."""

from random import Random

import pytest

import ddsrta
from ddsrta.bounds.assemble import present
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.solve import solve
from ddsrta.bounds.tandem_window import is_above
from ddsrta.checker import check
from ddsrta.models.reader import loads
from ddsrta.policies.relation import Delay, Relation
from ddsrta.simulation import program_of
from ddsrta.simulation.attack import Budget
from tests.bounds.no_less import confirms_no_less_of
from tests.soundness.attack import attack, span_of
from tests.soundness.bounds import bounds_of

COUNT = 4

# All COUNT samples are there at once; one more reader has the message that comes in between.
BURST = """\
ddsrta: 1
machines: {{m: {{cores: [a, b, c, d]}}}}
delays:
  flow_controller: {{1B: {controller}}}
  listener: {{1B: {listener}}}
topics: {{t: {{size: 1B}}}}
flow_controllers: {{F: {{core: m/b, priority: 1, policy: {policy}}}}}
listeners: {{L: {{core: {core}, priority: 1}}}}
threads:
  p: {{core: m/a, priority: 1, wcet: 1ns, period: 1us,
      publishes: [{{topic: t, mode: async, flow_controller: F, count: 4}}]}}
  r: {{core: m/d, priority: 1, wcet: 1ns, subscribes: {{topics: [t], listener: L}}}}
"""


def burst(controller, listener, policy="FIFO", core="m/c"):
    text = BURST.format(controller=controller, listener=listener, policy=policy, core=core)
    return loads(text, "burst.yaml")


def search(system, result, runs):
    program = program_of(system)
    bounds = bounds_of(program, result)
    return attack(program, bounds, 46, Budget(runs=runs), span_of(system, program, bounds))


def ddl(system, refinements=None):
    (message,) = present(solve(system, refinements)).messages
    return message.ddl


@pytest.mark.parametrize("policy", ["FIFO", "HIGH_PRIORITY", "ROUND_ROBIN"])
@pytest.mark.parametrize(("controller", "listener"), [(5, 3), (3, 5), (4, 4), (1, 9)])
def test_a_burst_costs_the_longer_time_of_each_and_both_of_one(policy, controller, listener):
    system = burst(f"{controller}ns", f"{listener}ns", policy)
    most, least = max(controller, listener), min(controller, listener)
    assert ddl(system) == COUNT * most + least
    # all of both, but that the copies come to the listener a nanosecond apart at the least
    apart = COUNT - 1
    assert ddl(system, Refinements(tandem=False)) == COUNT * (controller + listener) - apart
    program = program_of(system)
    worst = search(system, present(solve(system)), 1)
    (measure,) = [i for i, one in enumerate(program.measures) if one.kind == "ddl"]
    assert worst.seen[measure] == COUNT * most + least, "what happens when all take their worst"


def test_on_one_core_both_threads_are_counted_together_already():
    system = burst("5ns", "3ns", core="m/b")
    assert ddl(system) == ddl(system, Refinements(tandem=False)) == COUNT * (5 + 3)


def test_the_checker_confirms_the_tandem_and_nothing_below():
    claims = certificate(burst("5ns", "3ns"))
    (message,) = claims["messages"]
    assert message["ddl"] == COUNT * 5 + 3
    confirms_no_less_of(claims, message)


# T10 is less urgent and may take no time at all: then it leaves together with the last T11, and may
# come to the listener before it, though the controller served it after it.
AT_ONCE = """\
ddsrta: 1
network: [{{from: m, to: n, delay: 3ns, best: 3ns}}, {{from: n, to: m, delay: 3ns}}]
machines: {{m: {{cores: [a, b, c]}}, n: {{cores: [d, e]}}}}
topics: {{T00: {{size: 1B, priority: -1}}, T10: {{size: 1B, priority: 2}}, T11: {{size: 1B, priority: 0}}}}
flow_controllers: {{F: {{core: m/a, priority: 5, policy: HIGH_PRIORITY}}}}
listeners: {{L: {{core: n/d, priority: 5}}}}
threads:
  p0: {{core: m/b, priority: 1, wcet: 1ns,
       arrival: {{burst: {{count: 5, distance: 0ns, period: 400ns}}}},
       publishes: [{{topic: T00, flow_controller: F, delay: {{worst: 4ns, best: 2ns}}}}]}}
  p1: {{core: m/c, priority: 1, wcet: 50ns,
       arrival: {{burst: {{count: 2, distance: 0ns, period: 400ns}}}},
       publishes: [{{topic: T10, flow_controller: F, delay: {{worst: 4ns, best: {best}}}}},
                   {{topic: T11, flow_controller: F, count: 2, delay: 2ns}}]}}
  r: {{core: n/e, priority: 1, wcet: 4ns,
      subscribes: {{topics: [T00, T10, T11], listener: L, delay: {{worst: 5ns, best: 5ns}}}}}}
"""


def test_what_takes_no_time_may_come_first_though_it_is_served_later():
    at_once = loads(AT_ONCE.format(best="0ns"), "at_once.yaml")
    result, program = ddsrta.analyze(at_once), program_of(at_once)
    worst = search(at_once, result, 300)
    seen = {one.of[1]: worst.seen[i] for i, one in enumerate(program.measures) if one.kind == "ddl"}
    claimed = {message.topic: message.ddl for message in result.messages}
    apart = ddsrta.analyze(loads(AT_ONCE.format(best="1ns"), "apart.yaml"))
    ordered = {message.topic: message.ddl for message in apart.messages}
    assert ordered["T11"] < seen["T11"] <= claimed["T11"]


@pytest.mark.parametrize(
    ("where", "controller", "listener", "expected"),
    [
        ("core", 1, 3, 24 + 12 - 5),  # the four in L cost 12, of which one and a gap are not spared
        ("core", 5, 3, 104 + 12 - 9),  # less is spared by that: 4 × 3 less one, 3, and a gap, 4
        ("thread", 1, 3, 16 + 12 - 3),  # the budget comes 8 sooner (lemma fresh-budgets)
        ("thread", 5, 3, 96 + 12 - 9),
    ],
)
def test_in_reservations_work_is_spared_at_their_rate(where, controller, listener, expected):
    text = BURST.format(
        controller=f"{controller}ns", listener=f"{listener}ns", policy="FIFO", core="m/c"
    )
    reserved = "reservation: {budget: 1ns, period: 5ns}"
    if where == "core":
        text = text.replace("[a, b, c, d]", f"{{a: {{}}, b: {{{reserved}}}, c: {{}}, d: {{}}}}")
    else:
        text = text.replace("core: m/b, priority: 1", f"core: m/b, {reserved}")
    system = loads(text, "burst.yaml")
    document = certificate(system)
    (message,) = document["messages"]
    assert message["ddl"] == expected
    assert check(document).status == "confirmed"
    message["ddl"] -= 1
    assert check(document).status == "refuted"


def ranges(random, kinds):
    """Some relations, of which some may be empty, overlap, or begin where others end."""
    found = []
    for _ in range(random.randint(0, 4)):
        first = random.randint(0, 9)
        found.append(Relation(random.choice(kinds), first, first + random.randint(0, 5)))
    return found


def test_a_unit_is_above_what_it_preempts_one_by_one():
    seen = set()
    for seed in range(4000):
        random = Random(seed)
        first = ranges(random, (Delay.PREEMPTS, Delay.PREEMPTS, Delay.AHEAD))
        last, others = random.randint(0, 12), ranges(random, [*Delay])
        preempted = {n for r in first if r.kind == Delay.PREEMPTS for n in range(r.first, r.last)}
        before = {last, *(n for r in others for n in range(r.first, r.last))}
        assert is_above(first, last, others) == (before <= preempted), seed
        seen.add(before <= preempted)
    assert seen == {True, False}


def test_how_many_units_there_are_costs_nothing():
    many = 10**15
    assert is_above([Relation(Delay.PREEMPTS, 0, many)], 3, [Relation(Delay.AHEAD, 1, many)])


def pairs(count):
    """So many messages from one flow controller to one listener, to each of which belongs another
    thread."""
    core = {"core": "m/a", "priority": 1, "wcet": "1ns"}
    threads = {}
    for n in range(count):
        sent = {"publishes": [{"topic": f"t{n}", "flow_controller": "F"}]}
        read = {"subscribes": {"topics": [f"t{n}"], "listener": "L"}}
        threads |= {f"p{n}": core | {"period": "1s"} | sent, f"r{n}": core | read}
    return ddsrta.load(
        {
            "ddsrta": 1,
            "machines": {"m": {"cores": ["a", "b", "c"]}},
            "delays": {kind: {"1B": "1ns"} for kind in ("flow_controller", "listener")},
            "topics": {f"t{n}": {"size": "1B"} for n in range(count)},
            "flow_controllers": {"F": {"core": "m/b", "priority": 1, "policy": "FIFO"}},
            "listeners": {"L": {"core": "m/c", "priority": 1}},
            "threads": threads,
        }
    )


def test_all_messages_of_the_same_two_threads_share_what_feeds_these():
    """Else the memory of an analysis grows with the square of them."""
    tandems = solve(pairs(30)).compiled.tandems
    every = filter(None, map(tandems.before, range(len(tandems.stages))))
    found = [one.feeds for one in every if len(one.feeds) == 5 * 30]
    assert len(found) == 30 and len({*map(id, found)}) == 1
