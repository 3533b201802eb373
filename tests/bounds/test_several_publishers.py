"""Messages of several publishers on a topic are taken in any order, as Fast DDS sorts them by when
they were written (lemma mixed-publishers); those of several topics where the file says so."""

import copy

import pytest

import ddsrta
from ddsrta.bounds.compile import compile_system
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check
from ddsrta.exploration.exact.exact import exact
from ddsrta.policies.relation import Delay
from ddsrta.simulation import Run, program_of, random_choices, worst_choices
from tests.simulation.oracle.compare import differs

# h has the core for 11 ms as one of p comes, behind which two of q come that were written before:
# sorted by that, r takes it last of three, 20 ms after it came. As they come, it is at 17 at most.
SYSTEM = """ddsrta: 1
machines: {m: {cores: [a, c, l]}, n: {cores: [d]}}
network: [{from: n, to: m, delay: 20ms, best: 20ms}]
delays: {listener: {1kB: 1us}, publisher: {1kB: 1us}}
topics: {x: {size: 1kB, history: 9}, y: {size: 1kB, history: 9}}
listeners: {L: {core: m/l, priority: 9, queue: 9}}
threads:
  p: {core: m/a, priority: 5, wcet: 1us, period: 100ms, publishes: [{topic: x, mode: sync}]}
  q: {core: n/d, priority: 5, wcet: 1us, period: 10ms, publishes: [{topic: x, mode: sync}]}
  h: {core: m/c, priority: 9, wcet: 11ms, period: 100ms}
  r: {core: m/c, priority: 5, wcet: 3ms, subscribes: {topics: [x], listener: L}}
chains: {way: {path: [p, x, r], deadline: 18ms}}
"""
TWO_TOPICS = SYSTEM.replace("10ms, publishes: [{topic: x", "10ms, publishes: [{topic: y").replace(
    "topics: [x]", "topics: [x, y]"
)
OTHERS = """ddsrta: 1
machines: {m: {cores: [a, b, c, d, l]}}
delays: {listener: {1kB: 10us}, publisher: {1kB: 10us}, flow_controller: {1kB: 300us}}
topics: {x: {size: 1kB, history: 99}, y: {size: 1kB, history: 99}, z: {size: 1kB, history: 99}}
flow_controllers: {F: {core: m/a, priority: 9}}
listeners: {L: {core: m/l, priority: 9, queue: 99}}
executors: {E: {EXECUTOR}}
threads:
  p: {core: m/a, priority: 5, wcet: 1ms, bcet: 100us, period: 20ms, publishes: [{topic: x, flow_controller: F}]}
  q: {core: m/b, priority: 5, wcet: 2ms, bcet: 100us, arrival: {period: 15ms, jitter: 9ms}, publishes: [{topic: x, mode: sync}, {topic: y, mode: sync}]}
  h: {core: m/c, priority: 9, wcet: 3ms, period: 30ms}
  out: {core: m/b, priority: 3, wcet: 1ms, subscribes: {topics: [z], listener: L}}
callbacks:
  r: {executor: E, wcet: 3ms, bcet: 1ms, GROUP subscribes: {topics: [x], listener: L}, publishes: [{topic: z, mode: sync}]}
  s: {executor: E, wcet: 2ms, subscribes: {topics: [y], listener: L}}
  t: {executor: E, wcet: 1ms, timer: 25ms}
chains: {way: {path: [p, x, r, z, out]}, other: {path: [q, x, r]}, third: {path: [q, y, s]}}
"""
ONE, SEVERAL = "core: m/c, priority: 5", "cores: [m/c, m/d], priority: 5, kind: multi_threaded"
EXECUTORS = [
    (ONE, ""),
    (f"{ONE}, order: registered", ""),
    (f"{ONE}, kind: static, release: humble", ""),
    (f"{ONE}, kind: static, release: jazzy", ""),
    (f"{ONE}, kind: events", ""),
    (f"{ONE}, kind: events_cbg, release: lyrical", ""),
    (f"{ONE}, kind: rclc", ""),
    ("core: m/c, policy: other", ""),
    (f"{SEVERAL}, release: jazzy", ""),
    (f"{SEVERAL}, release: jazzy", "group: g,"),
    (f"{SEVERAL}, release: jazzy", "reentrant: true,"),
    (f"{SEVERAL}, release: jazzy, pinned: false", "reentrant: true,"),
]


def as_they_come(text: str) -> str:
    return text.replace("listener: L}", "listener: L, order: arrival}")


def rules(text: str) -> set[str]:
    result = ddsrta.analyze(ddsrta.loads(text))
    assert result.check.status == "confirmed"
    return {one.rule for one in result.assumptions} - {
        "delivery",
        "no-keys",
        "one-port",
        "reader-locks",
    }


def latency(text: str) -> int:
    result = ddsrta.analyze(ddsrta.loads(text))
    assert result.check.status == "confirmed"
    return result.chains["way"].latency


def test_what_was_written_before_goes_first():
    assert latency(SYSTEM) == 20_004_000
    assert latency(as_they_come(SYSTEM)) == 17_004_000
    assert rules(SYSTEM) == rules(as_they_come(SYSTEM)) == set()


def test_a_run_shows_it():
    system = ddsrta.loads(SYSTEM)
    assert runs(system, "way") > 19_000_000
    assert runs(ddsrta.loads(as_they_come(SYSTEM)), "way") <= 17_004_000


def runs(system: ddsrta.System, chain: str, count: int = 400) -> int:
    """The longest latency of some runs of a chain."""
    program, horizon = program_of(system), 300_000_000
    path = system.chains[chain].path
    numbers = [n for n, m in enumerate(program.measures) if m == ("latency", path)]
    found = 0
    for seed in range(count):
        run = Run(program, random_choices(program, seed, horizon))
        run.advance(horizon)
        found = max(found, *(run.worst[number] for number in numbers))
    return found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("10ms, publishes: [{topic: x", "10ms, publishes: [{topic: y"),
        ("wcet: 3ms, subscribes", "wcet: 3ms, period: 100ms, subscribes"),  # the newest counts
    ],
)
def test_where_one_publishes_or_nothing_is_waited_for_there_is_no_other_order(old, new):
    text = SYSTEM.replace(old, new).replace("deadline: 18ms", "constraint: data_age, deadline: 1s")
    system = ddsrta.loads(text)
    assert not any(map(system.mixes, system.threads.values()))
    assert ddsrta.analyze(system).chains["way"].data_age is not None


def test_several_topics_are_taken_as_they_come_by_assumption_or_in_any_order():
    assert rules(TWO_TOPICS) == {"arrival-order"}
    assert rules(as_they_come(TWO_TOPICS)) == set()
    any_order = TWO_TOPICS.replace("listener: L}", "listener: L, order: any}")
    assert rules(any_order) == set()
    assert latency(any_order) == latency(SYSTEM) > latency(TWO_TOPICS) == 17_004_000


FOLLOWS = """ddsrta: 1
machines: {m: {cores: [a, b, c]}}
threads:
  p: {core: m/a, priority: 5, wcet: 1us, period: 100ms}
  q: {core: m/b, priority: 5, wcet: 1us, period: 10ms}
  h: {core: m/c, priority: 9, wcet: 11ms, period: 100ms}
  r: {core: m/c, priority: 5, wcet: 3ms, follows: {threads: [p, q]}}
chains: {way: {path: [p, r]}}
"""


def test_jobs_of_several_threads_are_taken_as_they_end_by_assumption_or_in_any_order():
    assert rules(FOLLOWS) == {"arrival-order"}
    found = []
    for order in ("arrival", "any"):
        text = FOLLOWS.replace("[p, q]", f"[p, q], order: {order}")
        assert rules(text) == set()
        found.append(latency(text))
        assert runs(ddsrta.loads(text), "way") <= found[-1]
    assert found == [latency(FOLLOWS), 20_001_000]
    assert runs(ddsrta.loads(text), "way") > found[0] == 17_001_000


def test_requests_of_several_clients_are_messages_of_several_publishers():
    text = """ddsrta: 1
machines: {m: {cores: [a, b, l]}}
delays: {listener: {1kB: 1us}, publisher: {1kB: 1us}}
listeners: {L: {core: m/l, priority: 9, queue: 9}}
executors: {E: {core: m/a, priority: 5}, F: {core: m/b, priority: 5}}
services: {s: {request: 1kB, reply: 1kB, history: 9}}
callbacks:
  one: {executor: E, wcet: 1ms, timer: 50ms, calls: [{service: s, mode: sync}]}
  two: {executor: E, wcet: 1ms, timer: 50ms, calls: [{service: s, mode: sync}]}
  server: {executor: F, wcet: 1ms, serves: {service: s, listener: L, reply: {mode: sync}}}
"""
    system = ddsrta.loads(text)
    assert [name for name, thread in system.threads.items() if system.mixes(thread)] == ["server"]
    assert ddsrta.analyze(system).check.status == "confirmed"


@pytest.mark.parametrize(("executor", "group"), EXECUTORS)
def test_in_every_executor_any_order_is_confirmed_and_no_run_is_above_it(executor, group):
    text = OTHERS.replace("EXECUTOR", executor).replace("GROUP", group)
    system = ddsrta.loads(text)
    result = ddsrta.analyze(system)
    plain = ddsrta.analyze(ddsrta.loads(as_they_come(text)))
    assert result.check.status == plain.check.status == "confirmed"
    for name in ("way", "other", "third"):
        assert result.chains[name].latency >= plain.chains[name].latency
        assert runs(system, name, 60) <= result.chains[name].latency
    assert result.callbacks["r"].wcrt > plain.callbacks["r"].wcrt


def test_the_engine_does_what_the_definitions_say():
    text = OTHERS.replace("EXECUTOR", ONE).replace("GROUP", "")
    for system in (ddsrta.loads(SYSTEM), ddsrta.loads(text)):
        program, until = program_of(system), 200_000_000
        chosen = (random_choices(program, n, until) for n in range(20))
        for choices in (worst_choices(program), *chosen):
            assert not differs(system, program, choices, until)


def test_a_thread_that_moves_is_not_taken_for_one_that_mixes_elsewhere():
    moving = """  one: {cores: [m/u, m/v], priority: 3, wcet: 9ms, follows: {threads: [h]}}
  two: {cores: [m/u, m/v], priority: 4, wcet: 5ms, arrival: {burst: {count: 3, distance: 1ms, period: 100ms}}}
chains:"""  # fmt: skip
    text = SYSTEM.replace("[a, c, l]", "[a, c, l, u, v]").replace("chains:", moving)
    for name in ("one", "two"):
        places = [_itself(one, name) for one in (text, as_they_come(text))]
        assert places[0] == places[1] == Delay.AHEAD
    there = text.replace("r: {core: m/c", "r: {cores: [m/u, m/v]")
    assert _itself(there, "r") == Delay.OVERTAKES != _itself(as_they_come(there), "r")


def _itself(text: str, name: str) -> Delay:
    """How the jobs of a thread that moves delay each other."""
    compiled = compile_system(ddsrta.loads(text), ddsrta.Refinements(turns_in_order=False))
    unit = compiled.unit(("job", name))
    relations = compiled.placement.relations[unit]
    (kind,) = (one.kind for one in relations if one.first <= unit < one.last)
    return kind


BOTH_WAYS = (
    SYSTEM.replace("threads:\n", "processes: {P: {listener: L, intra_process: true}}\nthreads:\n")
    .replace("publishes: [{topic: x, mode: sync}]}\n  q", "process: P, publishes: [{topic: x}]}\n  q")
    .replace("wcet: 3ms, sub", "wcet: 3ms, process: P, sub")
)  # fmt: skip
FOLLOWED = SYSTEM.replace("10ms, publishes: [{topic: x, mode: sync}]}", "10ms}").replace(
    "3ms, subscribes", "3ms, follows: {threads: [q]}, subscribes"
)


@pytest.mark.parametrize("text", [BOTH_WAYS, FOLLOWED])
def test_what_comes_in_two_ways_is_taken_as_it_comes_by_assumption_or_in_any_order(text):
    assert rules(text) == {"arrival-order"}
    assert rules(as_they_come(text)) == set()
    any_order = text.replace("listener: L}}\nchains", "listener: L, order: any}}\nchains")
    assert rules(any_order) == set()
    assert latency(any_order) > latency(text) == latency(as_they_come(text))
    claims = certificate(ddsrta.loads(text))
    claims["assumptions"] = [one for one in claims["assumptions"] if one != "arrival-order"]
    assert "rest on 'arrival-order', which is not said to be assumed" in check(claims).failure


def test_several_jobs_that_a_thread_follows_are_taken_as_they_come_by_assumption():
    text = """ddsrta: 1
machines: {n: {cores: [a, b]}}
threads:
  p: {core: n/a, priority: 5, wcet: 1us, period: 10ms}
  q: {core: n/a, priority: 4, wcet: 1us, period: 10ms}
  r: {core: n/b, priority: 5, wcet: 1ms, follows: {threads: [p, q]}}
"""
    assert rules(text) == {"arrival-order"}
    assert "arrival-order" not in rules(text.replace("[p, q]", "[p]"))
    assert "arrival-order" not in rules(text.replace("[p, q]", "[p, q], activation: and"))
    claims = certificate(ddsrta.loads(text))
    claims["assumptions"] = []
    assert "rest on 'arrival-order', which is not said to be assumed" in check(claims).failure


def test_a_bound_by_the_order_of_arrival_is_refuted():
    claims = certificate(ddsrta.loads(as_they_come(SYSTEM)))
    assert check(claims).status == "confirmed"
    for thread in claims["system"]["threads"].values():
        if thread["subscribes"]:
            thread["subscribes"].pop("order")
    assert "refuted" in check(copy.deepcopy(claims)).status


def test_the_assumption_of_several_topics_has_to_be_said():
    claims = certificate(ddsrta.loads(TWO_TOPICS))
    assert "arrival-order" in check(claims).assuming
    claims["assumptions"] = [one for one in claims["assumptions"] if one != "arrival-order"]
    assert "rest on 'arrival-order', which is not said to be assumed" in check(claims).failure


def test_of_orders_nothing_is_claimed_but_that_routes_keep_theirs():
    said = "orders: {o: {subscriber: r, topics: [x, y], events: all}}\n"
    one = TWO_TOPICS.replace("  q: {core: n/d, priority: 5, wcet: 1us, period: 10ms, publishes: [{topic: y, mode: sync}]}\n", "")  # fmt: skip
    one = one.replace("{topic: x, mode: sync}]", "{topic: x, mode: sync}, {topic: y, mode: sync}]")
    assert ddsrta.analyze(ddsrta.loads(one + said)).orders["o"].met
    any_order = one.replace("listener: L}", "listener: L, order: any}")
    mixed = ddsrta.analyze(ddsrta.loads(any_order + said))
    assert mixed.check.status == "confirmed"
    (because,) = {one.because for one in mixed.orders["o"].violations}
    assert because == "r may take what comes later first (lemma mixed-publishers)"


def test_no_worst_case_is_looked_for_by_all_runs():
    with pytest.raises(ddsrta.InputError, match="take messages of several publishers or topics"):
        exact(ddsrta.loads(SYSTEM))


def test_the_order_is_that_of_any_of_several_that_release():
    timed = SYSTEM.replace("wcet: 3ms, subscribes", "wcet: 3ms, period: 100ms, subscribes")
    with pytest.raises(ddsrta.InputError, match="samples its inputs: the newest, in no order"):
        ddsrta.loads(as_they_come(timed))
    joined = TWO_TOPICS.replace("listener: L}", "listener: L, activation: and, order: any}")
    with pytest.raises(ddsrta.InputError, match="'order' does not go with 'activation: and'"):
        ddsrta.loads(joined)
