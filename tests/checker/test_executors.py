"""Executors, direct messages and takes (definition executor-relations): what is confirmed, what
refuted or refused."""

import copy
import random

import pytest

from ddsrta.__main__ import main
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import CertificateError, check
from ddsrta.models.document import digest
from ddsrta.models.reader import loads
from ddsrta.ros2 import KINDS
from tests.checker.executors import executor_system
from tests.effort import draws

# x brings 3 messages to s, y brings 9 to o, no two of a topic at once. Each number below is the time
# from the arrival of the third message of x, which is 2 after the first, until s (7) is done with it.
TURNS = """\
ddsrta: 1
machines: {m: {cores: [a, b, c, d]}}
delays: {listener: {1B: 1ns}, publisher: {1B: 1ns}}
topics: {x: {size: 1B}, y: {size: 1B}}
listeners: {L: {core: m/d, priority: 5}}
threads:
  px: {core: m/b, priority: 1, wcet: 5ns, arrival: {burst: {count: 3, distance: 0ns, period: 5us}},
       publishes: [{topic: x, mode: sync}]}
  py: {core: m/c, priority: 1, wcet: 5ns, arrival: {burst: {count: 9, distance: 0ns, period: 5us}},
       publishes: [{topic: y, mode: sync}]}
"""
FIRST = "  s: {executor: e, wcet: 7ns, subscribes: {topics: [x], listener: L}%s}\n"
SECOND = "  o: {executor: e, wcet: 5ns, subscribes: {topics: [y], listener: L}%s}\n"
PEER = "  z: {core: m/a, priority: 5, wcet: 4ns, period: 5us}\n"


def in_turn(kind, callbacks=(FIRST, SECOND), priorities=None, peer="", **keys):
    """The system with an executor of a kind."""
    words = "".join(f", {key}: {value}" for key, value in keys.items())
    executor = f"executors: {{e: {{core: m/a, priority: 5, kind: {kind}{words}}}}}\n"
    of = priorities or {}
    given = [line % (f", priority: {of[line]}" if line in of else "") for line in callbacks]
    return TURNS + peer + executor + "callbacks:\n" + "".join(given)


EACH_TURN = 3 * 7 + 3 * 5 - 2  # o comes behind s in each round
ONCE_MORE = 3 * 7 + 4 * 5 - 2
ALL = 3 * 7 + 9 * 5 - 2
SERVED = {
    "registered, first": (in_turn("single_threaded", order="registered"), EACH_TURN),
    "registered, second": (
        in_turn("single_threaded", (SECOND, FIRST), order="registered"), ONCE_MORE,
    ),
    "unknown order": (in_turn("single_threaded"), ONCE_MORE),
    "with a peer": (in_turn("single_threaded", peer=PEER), ONCE_MORE + 4),
    "rclc, first": (in_turn("rclc", order="registered"), EACH_TURN),
    "rclc, second": (in_turn("rclc", (SECOND, FIRST), order="registered"), ONCE_MORE),
    "rclc, unknown order": (in_turn("rclc"), ONCE_MORE),
    "static, in rounds": (in_turn("static", release="humble"), ONCE_MORE),
    "static, asks before each": (in_turn("static", release="jazzy"), ALL),
    "static of any release": (in_turn("static"), ALL),
    "multi_threaded": (in_turn("multi_threaded"), ALL),
    "multi_threaded, with a peer": (in_turn("multi_threaded", peer=PEER), ALL + 4),
    # the third of x may come as late as the ninth of y, 8 after the first
    "events": (in_turn("events"), 3 * 7 + 9 * 5 - 8),
    "less urgent": (in_turn("fixed_priority", priorities={FIRST: 2, SECOND: 1}), 3 * 7 + 4 - 2),
    "more urgent": (in_turn("fixed_priority", priorities={FIRST: 1, SECOND: 2}), ALL),
    "equally urgent": (in_turn("fixed_priority", priorities={FIRST: 1, SECOND: 1}), ALL),
}  # fmt: skip


def refuted_below(claims, stage, figure, value):
    """Whether a figure is confirmed, and one nanosecond less is not."""
    place = next(one for one in claims["stages"] if one["stage"] == stage.split())
    place[figure] = value
    verdict = check(claims)
    assert verdict.ok, verdict.failure
    place[figure] = value - 1
    return not check(claims).ok


@pytest.mark.parametrize("kind", SERVED)
def test_the_order_of_service(kind):
    text, value = SERVED[kind]
    assert refuted_below(certificate(loads(text, "turns.yaml")), "job s", "response", value)


DIRECT = """\
ddsrta: 1
machines: {m: {cores: [a, b, c, d]}}
delays:
  listener: {1B: 1ns}
  publisher: {1B: {worst: 3ns, best: 2ns}}
  take: {1B: {worst: 4ns, best: 4ns}}
topics: {x: {size: 1B}, y: {size: 1B}}
listeners: {P: {core: m/c, priority: 5}, L: {core: m/d, priority: 5}}
processes: {p: {listener: P, intra_process: %s}}
executors:
  e: {core: m/a, priority: 5, process: p}
  f: {core: m/b, priority: 5, process: p}
callbacks:
  tick: {executor: e, wcet: 10ns, timer: 1us, publishes: [%s]}
  sink: {executor: f, wcet: 5ns, subscribes: {topics: [x]}}
threads:
  other: {core: m/b, priority: 1, wcet: 1ns, subscribes: {topics: [y], listener: L}}
"""
EARLY, LATE = "{topic: x}, {topic: y}", "{topic: y}, {topic: x}"


@pytest.mark.parametrize(
    ("direct", "order", "stage", "value"),
    [
        # y takes 3 after x; the sink takes its message (4) and runs for 5
        ("true", EARLY, "job sink", 10 + 4 + 5),
        ("true", LATE, "job sink", 10 + 3 + 4 + 5),
        # through the listener, tick sends both (3 + 3) and the listener takes 1
        ("false", EARLY, "job sink", 10 + 3 + 1 + 4 + 5),
        ("true", EARLY, "job tick", 10 + 3),
        ("false", EARLY, "job tick", 10 + 3 + 3),
    ],
)
def test_direct_messages_and_takes(direct, order, stage, value):
    claims = certificate(loads(DIRECT % (direct, order), "direct.yaml"))
    assert refuted_below(claims, stage, "latency", value)
    stages = [one["stage"] for one in claims["stages"]]
    assert (["message", "tick", "x", "sink"] in stages) == (direct == "false")


# What s publishes directly is more urgent and runs before s ends: it does not follow it.
WITHIN = """\
ddsrta: 1
machines: {m: {cores: [a, c]}}
topics: {x: {size: 1B}}
delays: {listener: {1B: 1ns}, publisher: {1B: 1ns}}
listeners: {P: {core: m/c, priority: 5}}
processes: {p: {listener: P, intra_process: true}}
executors: {e: {core: m/a, priority: 5, process: p}, f: {core: m/a, priority: 6, process: p}}
callbacks:
  s: {executor: e, wcet: 10ns, timer: 1us, publishes: [{topic: x}]}
  k: {executor: f, wcet: 5ns, subscribes: {topics: [x]}}
"""


def test_a_direct_message_may_run_before_its_sender_ends():
    assert refuted_below(certificate(loads(WITHIN, "w.yaml")), "job s", "response", 10 + 5)


# Direct messages come in the turn of waitables, last in a round, or earlier in some releases. So the
# server may serve one request in the round in progress and one before the sink in the next. What
# comes through the listener is a subscription's, before all services: one request only.
LAST = """\
ddsrta: 1
machines: {m: {cores: [a, b, c, d]}}
delays: {listener: {1B: 1ns}, publisher: {1B: 1ns}}
topics: {x: {size: 1B}}
services: {v: {request: 1B, reply: 1B}}
listeners: {P: {core: m/c, priority: 5}}
processes: {p: {listener: P, intra_process: %s}}
executors:
  e: {core: m/a, priority: 5, process: p}
  g: {core: m/b, priority: 5}
callbacks:
  tick: {executor: e, wcet: 1ns, timer: 5us, publishes: [{topic: x}]}
  sink: {executor: e, wcet: 5ns, subscribes: {topics: [x]}}
  server: {executor: e, wcet: 7ns, serves: {service: v}}
  asks: {executor: g, wcet: 3ns, arrival: {burst: {count: 9, distance: 0ns, period: 5us}},
         calls: [{service: v}]}
"""


def test_direct_messages_have_no_known_turn():
    bounds = {}
    for direct in ("true", "false"):
        claims = certificate(loads(LAST % direct, "last.yaml"))
        assert check(claims).ok, check(claims).failure
        stages = {tuple(one["stage"]): one["response"] for one in claims["stages"]}
        bounds[direct] = stages["job", "sink"]
    timer, send, server = 1, 1, 7
    assert bounds == {"true": 5 + timer + 2 * server, "false": 5 + timer + send + server}


FUSION = """\
ddsrta: 1
machines: {m: {cores: [c0, c1, c2]}}
delays:
  flow_controller: {3kB: 64us}
  listener: {3kB: {worst: 261us, best: 100us}}
  publisher: {3kB: {worst: 172us, best: 80us}}
  take: {3kB: {worst: 20us, best: 5us}}
topics: {front: {size: 1kB}, rear: {size: 1kB}, cloud: {size: 3kB}}
listeners: {L: {core: m/c2, priority: 80}}
processes: {p: {listener: L, intra_process: %s}}
threads:
  driver: {core: m/c0, priority: 50, wcet: 1ms, period: 50ms, publishes: [{topic: front}]}
executors:
  ex: {core: m/c1, priority: 60, kind: %s, process: p, background: {wcet: 0.1ms, period: 100ms}}
services: {map: {request: 1kB, reply: 3kB}}
callbacks:
  tick: {executor: ex, wcet: 1ms, timer: 100ms, publishes: [{topic: rear}], calls: [{service: map}]}
  fuse: {executor: ex, wcet: 2ms, subscribes: {topics: [front, rear], activation: and},
         publishes: [{topic: cloud}]}
  sink: {executor: ex, wcet: 3ms, subscribes: {topics: [cloud]}}
  server: {executor: ex, wcet: 1ms, serves: {service: map}}
  client: {executor: ex, wcet: 1ms, receives: {service: map}}
chains:
  c: {path: [driver, front, fuse, cloud, sink], deadline: 200ms}
  e: {from: tick, to: client}
"""


def fusion(kind="single_threaded", direct="false"):
    """The claims for a system with everything in it."""
    text = FUSION % (direct, kind)
    if KINDS[kind].by_priority:
        text = text.replace(", background: {wcet: 0.1ms, period: 100ms}", "")
        for number, name in enumerate(("tick", "fuse", "sink", "server", "client")):
            text = text.replace(f"  {name}: {{", f"  {name}: {{priority: {number % 3}, ")
    return certificate(loads(text, "fusion.yaml"))


def numbers_of(claims):
    """Every claimed figure: where it stands, and its key."""
    places = [(stage, key) for stage in claims["stages"] for key in ("response", "latency")]
    places += [(message, "ddl") for message in claims["messages"]]
    places += [
        (chain, key) for chain in claims["chains"].values() for key in chain if key != "path"
    ]
    return [(place, key) for place, key in places if place[key] is not None]


@pytest.mark.parametrize(
    ("kind", "direct"),
    [
        (n, direct)
        for n, kind in KINDS.items()
        for direct in ("false", "true")[: 1 + kind.intra_process]
    ],
)
def test_every_figure_is_confirmed_and_none_below(kind, direct):
    claims = fusion(kind, direct)
    verdict = check(claims)
    assert verdict.ok, verdict.failure
    for place, key in numbers_of(claims):
        place[key] -= 1
        assert not check(claims).ok, (place, key)
        place[key] += 1


def test_an_inline_callback_waits_for_nothing_and_counts_for_the_others():
    claims = fusion()
    stages = {tuple(one["stage"]): one["response"] for one in claims["stages"]}
    assert stages["job", "fuse"] == 2_000_000 + 172_000
    assert stages["job", "fuse/front"] > 2_172_000


def test_a_path_enters_a_callback_by_its_subscription():
    claims = fusion()
    path = claims["chains"]["c"]["path"]
    assert path == ["driver", "front", "fuse/front", "fuse", "cloud", "sink"]
    claims["chains"]["c"]["path"] = [name for name in path if name != "fuse/front"]
    assert check(claims).failure == "chain 'c': the path is not that of the system"


@pytest.mark.parametrize("block", range(4))
def test_random_systems_are_confirmed(block):
    each = draws(8, of=25)
    for seed in range(each * block, each * (block + 1)):
        verdict = check(certificate(executor_system(seed)))
        assert verdict.ok, (seed, verdict.failure)


@pytest.mark.parametrize("seed", range(300, 300 + draws(10, of=30)))
def test_a_chain_of_a_random_system_is_refuted_when_lowered_by_a_tenth(seed):
    claims = certificate(executor_system(seed))
    numbers = numbers_of(claims)
    for place, key in random.Random(seed).sample(numbers, min(6, len(numbers))):
        value = place[key]
        place[key] = value - 1 - value // 10
        assert not check(claims).ok, (place, key)
        place[key] = value


def test_the_order_of_callbacks_is_part_of_the_system():
    claims = certificate(loads(SERVED["registered, first"][0], "turns.yaml"))
    assert check(claims).ok
    system = claims["system"]
    system["threads"] = dict(reversed(system["threads"].items()))
    assert check(claims).ok  # the order of a mapping means nothing
    system["executors"]["e"]["callbacks"].reverse()
    assert "its digest differs" in check(claims).failure
    claims["digest"] = digest(system)
    assert check(claims).failure.startswith("job s in executor e: ")


def changed(path, value):
    """A change of the document at a path of keys."""

    def change(system):
        *way, last = path.split(".")
        for key in way:
            system = system[key]
        system[last] = value(system[last]) if callable(value) else value

    return change


def both_ways(system):
    """Another writer of what the sink gets directly."""
    publication = system["threads"]["fuse"]["publishes"][0]
    system["threads"]["driver"]["publishes"].append({**publication, "topic": "cloud"})


MALFORMED = {
    "a kind that is none": (changed("executors.ex.kind", "round"), "'round' is none of"),
    "an order that is none": (changed("executors.ex.order", None), "expected a name"),
    "a release that is none": (changed("executors.ex.release", "foxy"), "'foxy' is none of"),
    "no such core": (changed("executors.ex.core", "m/c9"), "there is no core 'm/c9'"),
    "a stranger as callback": (
        changed("executors.ex.callbacks", lambda given: [*given, "driver"]), "is no callback of it",
    ),
    "a callback twice": (
        changed("executors.ex.callbacks", lambda given: [*given, given[0]]), "is listed twice",
    ),
    "a callback left out": (
        changed("executors.ex.callbacks", lambda given: given[1:]), "does not list it",
    ),
    "no such executor": (changed("threads.tick.executor", "nobody"), "is no callback of it"),
    "an executor for a thread": (changed("threads.driver.executor", "ex"), "does not list it"),
    "an entity of no executor": (changed("threads.driver.entity", "timer"), "of no executor"),
    "an entity that is none": (changed("threads.sink.entity", "topic"), "'topic' is none of"),
    "on another core": (changed("threads.sink.core", "m/c0"), "is not where its executor is"),
    "of another priority": (changed("threads.sink.priority", 61), "is not where its executor is"),
    "a timer without time": (changed("threads.sink.entity", "timer"), "is released by time"),
    "a subscription with time": (
        changed("threads.tick.entity", "subscription"), "no subscription is released by time",
    ),
    "a waitable that subscribes": (changed("threads.sink.entity", "waitable"), "no waitable is"),
    "an inline that subscribes": (changed("threads.sink.entity", "inline"), "waits for its"),
    "an inline for any": (changed("threads.fuse.activation", "or"), "waits for its"),
    "a late inline": (changed("threads.fuse.follows.delay", 1), "at once"),
    "an inline behind a timer": (
        changed("threads.fuse.follows.threads", ["tick"]), "follows subscriptions beside it",
    ),
    "no such process": (changed("threads.tick.process", "q"), "there is no process 'q'"),
    "a process without a listener": (changed("processes.p.listener", "M"), "no listener 'M'"),
    "a doubtful process": (changed("processes.p.intra_process", 1), "expected true or false"),
    "a process elsewhere": (
        lambda system: system["threads"]["driver"].update(process="p", core="n/c0"),
        "on another machine",
    ),
    "a message both ways": (both_ways, "directly and by its listener"),
    "a take that is none": (changed("threads.sink.subscribes.take", [1]), "a worst and a best"),
    "a best take above": (changed("threads.sink.subscribes.take", [1, 2]), "is above the worst"),
    "an urgency that is none": (changed("threads.sink.urgency", "high"), "expected an integer"),
    "no table": (lambda system: system["delays"].pop("take"), "'take' is missing"),
    "no executors": (lambda system: system.pop("executors"), "'executors' is missing"),
}  # fmt: skip


@pytest.mark.parametrize("what", MALFORMED)
def test_malformed_documents_are_refused(what):
    change, message = MALFORMED[what]
    claims = fusion(direct="true")
    claims["system"]["cores"]["n/c0"] = copy.deepcopy(claims["system"]["cores"]["m/c0"])
    change(claims["system"])
    claims["digest"] = digest(claims["system"])
    with pytest.raises(CertificateError, match=message):
        check(claims)


def test_two_processes_with_one_listener_are_refused():
    claims = fusion()
    claims["system"]["processes"]["q"] = dict(claims["system"]["processes"]["p"])
    claims["digest"] = digest(claims["system"])
    with pytest.raises(CertificateError, match="is that of another process"):
        check(claims)


def test_nothing_is_met_beside_a_chain_without_a_bound():
    """One whose inputs do not keep pace, and that has no deadline."""
    text = FUSION.replace(", deadline: 200ms", "") % ("true", "single_threaded")
    claims = copy.deepcopy(certificate(loads(text)))
    assert claims["verdict"] == "unbounded" and check(claims).ok
    claims["verdict"] = "met"
    assert "the verdict is claimed to be met" in (check(claims).failure or "")


def test_from_the_command_line(tmp_path, capsys):
    system, file = tmp_path / "system.yaml", tmp_path / "certificate.json"
    text = FUSION.replace(", deadline: 200ms", "")
    system.write_text(text % ("true", "single_threaded"))
    assert main(["analyze", str(system), "--certificate", str(file)]) == 1  # c has no bound
    assert main(["verify", str(file), "--system", str(system)]) == 0
    assert "confirmed" in capsys.readouterr().out
    system.write_text(text % ("true", "multi_threaded"))
    assert main(["verify", str(file), "--system", str(system)]) != 0
