"""Runs with synchronizers: the sets that the engines make are those of the state machines."""

from __future__ import annotations

import re
from random import Random
from types import SimpleNamespace

import pytest

import ddsrta
import ddsrta_simulator
from ddsrta.models.synchronization import SYNC_POLICIES, Synchronizer
from ddsrta.simulation import program_of, random_choices, worst_choices
from ddsrta.simulation.deliveries import flow
from ddsrta.simulation.finder import find
from ddsrta.simulation.kept import OLDER
from ddsrta.simulation.timelines import timeline
from ddsrta.simulation.tracer import Tracer
from ddsrta_simulator import simulator
from ddsrta_simulator.program import ARRIVED, COMPLETED, DELIVERED, HANDED, TAKEN
from tests.effort import draws
from tests.simulation.drawings import Scene
from tests.simulation.state_machines import Nearest
from tests.simulation.synchronizers import machine

ENGINES = [ddsrta_simulator.Engine, simulator.Engine]
ENOUGH = 10**7
THREE = """
ddsrta: 1
machines: {m: {cores: [a, b, c, d, e, f]}}
delays: {listener: {1B: {worst: 9ns, best: 1ns}}, publisher: {1B: {worst: 7ns, best: 0ns}}}
topics: {x: {size: 1B}, y: {size: 1B}, z: {size: 1B}}
listeners: {L: {core: m/e, priority: 1}}
threads:
  p: {core: m/a, priority: 1, wcet: 20ns, bcet: 1ns, arrival: {period: 60ns, jitter: 100ns}, publishes: [{topic: x}]}
  q: {core: m/b, priority: 1, wcet: 40ns, bcet: 1ns, arrival: {period: 90ns, jitter: 20ns}, publishes: [{topic: y}]}
  r: {core: m/c, priority: 1, wcet: 30ns, bcet: 1ns, period: 200ns, publishes: [{topic: z}]}
  fuse: {core: m/d, priority: 1, wcet: 1ns, subscribes: {topics: [x, y, z], listener: L, activation: and, SYNC}}
"""


def three(policy, queue=None):
    """Three sources with jitter; of mtd, two; of exact_time, one: the first is the only source."""
    text = THREE.replace("SYNC", f"synchronize: {policy}" + (f", queue: {queue}" if queue else ""))
    if policy == "mtd":
        text = text.replace("[x, y, z]", "[x, y]")
    if policy == "exact_time":
        # y and z are what q and r make of x, each after a time of its own
        text = text.replace(
            "arrival: {period: 90ns, jitter: 20ns}", "subscribes: {topics: [v], listener: L}"
        )
        text = text.replace("period: 200ns", "subscribes: {topics: [v], listener: L}")
        text = text.replace("[{topic: x}]", "[{topic: x}, {topic: v}]")
        text = text.replace("topics: {x", "topics: {v: {size: 1B}, x")
    return ddsrta.loads(text)


def traced(engine, program, choices, horizon):
    """The trace of a run, row by row."""
    simulated = engine(program, choices, 0, ENOUGH)
    simulated.advance(horizon)
    rows = simulated.take_trace()
    return [tuple(rows[i : i + 5]) for i in range(0, len(rows), 5)]


def stamps_of(program, rows):
    """The stamp of every job but those of sets: when the job was released that it stems from."""
    found, behind = {}, {}
    fuse = program.stages.index(("job", "fuse"))
    for time, kind, what, number, other in rows:
        if kind == DELIVERED:
            hop = program.stream_hop[what]
            source = program.stages.index(("job", program.hops[hop].source))
            behind.setdefault(hop, []).append(found[source, other])
        elif kind == ARRIVED and what < len(program.thread_worst) and what != fuse:
            found[what, number] = time if other < 0 else behind[other][number]
    return found


def sets_of(program, rows, stamps):
    """The sets that were made: when, and the stamps of their members."""
    arrived = {}
    sets, members = [], []
    for time, kind, what, number, other in rows:
        if kind == DELIVERED:
            hop = program.stream_hop[what]
            source = program.stages.index(("job", program.hops[hop].source))
            arrived.setdefault(hop, []).append(stamps[source, other])
        elif kind == TAKEN:
            members.append(arrived[what][number])
        elif kind == ARRIVED and what == program.stages.index(("job", "fuse")):
            sets.append((time, tuple(members)))
            members = []
    return sets


def expected(program, rows, stamps, synchronizer):
    """What the state machine makes of the same arrivals."""
    fuse = program.stages.index(("job", "fuse"))
    first, last = program.thread_hop[fuse : fuse + 2]
    alone = machine(synchronizer, last - first)
    sets = []
    for time, kind, what, _, other in rows:
        hop = program.stream_hop[what] if kind == DELIVERED else -1
        if first <= hop < last:
            source = program.stages.index(("job", program.hops[hop].source))
            stamp = stamps[source, other]
            sets += [(time, found) for found in alone.add(hop - first, stamp, time)]
    return sets


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("policy", SYNC_POLICIES)
@pytest.mark.parametrize("queue", [None, 1, 2, 4])
def test_engines_make_the_sets_of_the_state_machine(engine, policy, queue):
    if policy == "latest" and queue:
        return
    program = program_of(three(policy, queue))
    made = lost = 0
    for seed in range(draws(10, of=25)):
        choices = random_choices(program, seed, 3000)
        if policy == "latest":  # all that it can make
            number = program.decisions.index(("fires", "fuse"))
            choices.decision_habit[number] = 0
        rows = traced(engine, program, choices, 3000)
        stamps = stamps_of(program, rows)
        found = sets_of(program, rows, stamps)
        assert found == expected(program, rows, stamps, Synchronizer(policy, queue)), seed
        unlimited = expected(program, rows, stamps, Synchronizer(policy))
        made += len(found)
        lost += found != unlimited
    assert made > 30
    if queue == 1 and policy != "mtd":  # what mtd loses it would seldom have taken
        assert lost


@pytest.mark.parametrize("engine", ENGINES)
def test_latest_makes_some_of_its_sets(engine):
    """Which arrivals make a set is open."""
    program = program_of(three("latest"))
    number = program.decisions.index(("fires", "fuse"))
    sets = {}
    for habit in range(3):  # worst, best, random
        choices = random_choices(program, 3, 3000)
        choices.decision_habit[number] = habit
        rows = traced(engine, program, choices, 3000)
        sets[habit] = set(sets_of(program, rows, stamps_of(program, rows)))
    assert not sets[1]
    assert set() < sets[2] < sets[0]


def test_what_mtd_forgets_is_never_the_nearest():
    """The nearest of all messages is the nearest of those that are kept."""
    for seed in range(draws(100, of=300)):
        draw = Random(seed)
        room = draw.choice((0, 0, 1, 3))
        alone, all_of, stamps, new = Nearest(room), ([], []), [0, 0], set()
        for _ in range(60):
            topic = draw.randrange(2)
            stamps[topic] += draw.randrange(9)
            all_of[topic].append(stamps[topic])
            new.add(topic)
            found = alone.add(topic, SimpleNamespace(stamp=stamps[topic]))
            if len(new) < 2:
                assert not found
                continue
            new.clear()
            kept = [each[-room:] for each in all_of]
            old = 0 if kept[0][-1] <= kept[1][-1] else 1
            near = min(kept[1 - old], key=lambda stamp, of=kept[old][-1]: abs(stamp - of))
            members = [member.stamp for member in found[0]]
            assert (members[old], members[1 - old]) == (kept[old][-1], near)


RELEASES = """
topics: {x: {size: 1B}, y: {size: 1B}, out: {size: 1B}}
listeners: {L: {core: m/c3, priority: 1}, K: {core: m/c4, priority: 1}}
threads:
  p: {core: m/c0, priority: 1, wcet: 1ns, period: 1s, publishes: [{topic: x}]}
  q: {core: m/c1, priority: 1, wcet: 1ns, period: 1s, publishes: [{topic: y}]}
  fuse:
    core: m/c2
    priority: 1
    wcet: 5ns
    subscribes: {topics: [x, y], listener: L, activation: and, SYNC}
    publishes: [{topic: out}]
  act: {core: m/c2, priority: 1, wcet: 3ns, subscribes: {topics: [out], listener: K}}
chains: {of_p: {path: [p, x, fuse, out, act]}, of_q: {path: [q, y, fuse, out, act]}}
"""


def scene(policy, p, q):
    """Two sources that fire when the test says; a message comes 12 after its stamp, 13 where two
    come at once."""
    return Scene(RELEASES.replace("SYNC", f"synchronize: {policy}"), {"p": p, "q": q})


def test_mtd_takes_the_nearest_and_says_how_far_and_how_long():
    run = scene("mtd", [0, 40, 80], [70])
    rows = run.trace(200)
    # at 82, the message of 70 comes: the older of the newest, 40, and 70, which is all there is;
    # at 92, that of 80, but no other of q since then
    assert run.seen("disparity") == {("job", "fuse"): 30}
    assert run.seen("wait") == {("input", "fuse", "x"): 30, ("input", "fuse", "y"): 0}
    assert [row[:4] for row in rows if row[1] == TAKEN] == [(82, TAKEN, 0, 1), (82, TAKEN, 1, 0)]
    # 5 of fuse, 10 to publish, 1 to listen, 3 of act
    assert run.seen("latency") == {
        ("p", "x", "fuse", "out", "act"): 82 - 40 + 19,
        ("q", "y", "fuse", "out", "act"): 12 + 19,
    }
    # the message of p did not come last
    assert run.seen("trigger_latency") == {("q", "y", "fuse", "out", "act"): 12 + 19}


def test_latest_takes_the_newest_at_every_arrival():
    run = scene("latest", [0, 40], [20, 70])
    run.trace(300)
    assert run.seen("disparity") == {("job", "fuse"): 30}  # 20 and 0, 20 and 40, 40 and 70
    assert run.seen("wait") == {("input", "fuse", "x"): 30, ("input", "fuse", "y"): 20}
    assert run.seen("gap") == {("job", "fuse"): 30}


def test_approximate_time_waits_for_what_could_be_nearer():
    run = scene("approximate_time", [0, 40], [30, 90])
    rows = run.trace(300)
    # 30 is the pivot; 40 is nearer than 0
    assert [row[:4] for row in rows if row[1] == TAKEN][:2] == [
        (52, TAKEN, 0, 1),
        (52, TAKEN, 1, 0),
    ]
    assert run.seen("disparity") == {("job", "fuse"): 10}


def test_exact_time_with_a_queue_loses_what_is_late():
    """The filter takes longer than the next two images: with a queue of 2, no set is complete."""
    text = """
topics: {x: {size: 1B}, y: {size: 1B}}
listeners: {L: {core: m/c3, priority: 1}}
threads:
  p: {core: m/c0, priority: 1, wcet: 1ns, period: 1s, publishes: [{topic: x}]}
  filter: {core: m/c1, priority: 1, wcet: 50ns, subscribes: {topics: [x], listener: L}, publishes: [{topic: y}]}
  fuse: {core: m/c2, priority: 1, wcet: 5ns, subscribes: {topics: [x, y], listener: L, activation: and, SYNC}}
"""
    releases = {"p": [0, 30, 60]}
    for queue, sets in ((4, 3), (3, 3), (1, 1)):
        run = Scene(text.replace("SYNC", f"synchronize: exact_time, queue: {queue}"), releases)
        taken = [row for row in run.trace(1000) if row[1] == TAKEN]
        assert len(taken) == 2 * sets, queue
        assert run.seen("disparity") == {("job", "fuse"): 0}


CALLBACKS = re.sub(
    r"(?s)  fuse:.*  act:.*?\n",
    "",
    RELEASES.replace("chains:", "executors: {ex: {core: m/c2, priority: 1}}\nchains:"),
).replace(
    "chains: ",
    """callbacks:
  fuse:
    executor: ex
    wcet: 5ns
    subscribes: {topics: [x, y], listener: L, activation: and, SYNC}
    publishes: [{topic: out}]
  act: {executor: ex, wcet: 3ns, subscribes: {topics: [out], listener: K}}
chains: """,
)


@pytest.mark.parametrize("policy", ["mtd", "latest", "approximate_time"])
def test_callbacks_of_executors_have_synchronizers(policy):
    system = ddsrta.loads(
        "ddsrta: 1\nmachines: {m: {cores: [c0, c1, c2, c3, c4]}}\n"
        "delays: {listener: {1B: 1ns}, publisher: {1B: 10ns}}\n"
        + CALLBACKS.replace("SYNC", f"synchronize: {policy}").replace("1s", "100ns", 1)
        .replace("1s", "170ns")
    )  # fmt: skip
    simulation = ddsrta.simulate(system, horizon="1ms", seeds=4)
    assert not simulation.violations
    sets = simulation.synchronizers["fuse"]
    assert sets.disparity.max is not None and sets.disparity.count > 1000
    assert set(sets.waits) == {"x", "y"}


def test_simulations_say_what_was_seen_of_sets():
    simulation = ddsrta.simulate(three("mtd"), horizon="100us")
    sets = simulation.synchronizers["fuse"]
    assert 0 < sets.disparity.max <= sets.disparity.bound
    assert 0 < sets.gap.max <= sets.gap.bound
    document = simulation.to_dict()["synchronizers"]["fuse"]
    assert document["disparity"]["max"] == sets.disparity.max
    assert document["waits"]["x"]["max"] == sets.waits["x"].max


@pytest.mark.parametrize("policy", SYNC_POLICIES)
def test_traces_tell_which_messages_released_a_job(policy):
    system = three(policy)
    program = program_of(system)
    choices = random_choices(program, 5, 3000)
    rows = [number for row in traced(ENGINES[0], program, choices, 3000) for number in row]
    line = timeline(program, rows)
    fuse = program.stages.index(("job", "fuse"))
    first, last = program.thread_hop[fuse : fuse + 2]
    sets = sum(row[1] == TAKEN for row in traced(ENGINES[0], program, choices, 3000))
    causes = [cause for cause in line.causes if cause.thread == fuse]
    assert len(causes) == sets > 0
    ends = {(flow.hop, flow.number) for flow in line.flows if first <= flow.hop < last}
    assert len(ends) > 0  # each message's flow ends once, however many sets it is in
    assert len(ends) == sum(first <= flow.hop < last for flow in line.flows)
    assert flow(program, choices, 3000).deliveries


def test_a_trace_may_be_long_and_messages_out_of_order():
    """What comes by an OR has stamps that do not grow: a set may have an older message than the one
    before it. And no memory grows with the messages that are in no set."""
    text = THREE.replace("SYNC", "synchronize: latest")
    text = text.replace("[x, y, z]", "[x, y]").replace("period: 200ns", "period: 20us")
    text = text.replace("publishes: [{topic: y}]", "publishes: [{topic: z}]").replace(
        "period: 20us, publishes: [{topic: z}]",
        "subscribes: {topics: [x, z], listener: L}, publishes: [{topic: y}]",
    )
    for policy in ("latest", "exact_time", "approximate_time", "mtd"):
        program = program_of(ddsrta.loads(text.replace("latest", policy)))
        sets = 0
        for seed in range(2):
            rows = traced(ENGINES[0], program, random_choices(program, seed, 100_000), 100_000)
            tracer = Tracer(program)
            tracer.read([number for row in rows for number in row])
            sets += sum(row[1] == TAKEN for row in rows)
            assert all(len(kept) < OLDER + 500 for kept in tracer.kept._of)
            flow(program, random_choices(program, seed, 20_000), 20_000)
        assert sets > 1000


def test_of_sets_no_instance_is_kept():
    program = program_of(three("mtd"))
    measure = next(i for i, one in enumerate(program.measures) if one.kind == "wait")
    with pytest.raises(ValueError, match="of the sets of a synchronizer"):
        find(program, [], measure)


def test_worst_choices_make_sets():
    for policy in SYNC_POLICIES:
        program = program_of(three(policy))
        rows = traced(ENGINES[0], program, worst_choices(program), 3000)
        assert sum(row[1] == TAKEN for row in rows) > 5
        assert sum(row[1] in (HANDED, COMPLETED) for row in rows)
