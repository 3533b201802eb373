"""What is asked of processes, and what is not modelled where messages need no middleware."""

import pytest

import ddsrta
from ddsrta.base.diagnostics import InputError
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker.check import check
from ddsrta.checker.reading import CertificateError
from ddsrta.models.document import digest
from ddsrta.models.reader import loads

PROCESS = """\
ddsrta: 1
machines: {m: {cores: [a, b, c, d]}, n: {cores: [a]}}
network: [{from: n, to: m, delay: 5us}]
delays: {listener: {1B: 20ns}, publisher: {1B: 4ns}, flow_controller: {1B: 4ns}}
topics: {x: {size: 1B}, y: {size: 1B}}
flow_controllers: {F: {core: m/b, priority: 5}}
listeners: {P: {core: m/c, priority: 5}, L: {core: m/d, priority: 5}}
processes: {p: {listener: P, intra_process: true}}
executors: {e: {core: m/a, priority: 5, process: p}}
callbacks:
  tick: {executor: e, wcet: 5ns, timer: 1us, publishes: [{topic: x}, {topic: y}]}
  sink: {executor: e, wcet: 5ns, subscribes: {topics: [x]}}
threads:
"""


def problem(text):
    """What is said about a system, in one line."""
    with pytest.raises(InputError) as error:
        loads(PROCESS + text, "p.yaml")
    (diagnostic,) = error.value.diagnostics
    return str(diagnostic)


def test_messages_from_within_and_from_outside_are_refused():
    told = problem(
        "  t: {core: m/b, priority: 1, wcet: 1ns, period: 1us, publishes: [{topic: x}]}\n"
    )
    assert "'x' comes from within the process ('tick') and from outside ('t')" in told
    assert "p.yaml:12" in told


OUTSIDE = "  t: {core: m/b, priority: 1, wcet: 1ns, subscribes: {topics: [x], listener: L}}\n"


def test_what_reaches_a_callback_directly_leaves_the_process_for_nobody():
    """rclcpp would send it to both by the middleware, too, and the executor take it once more."""
    told = problem(OUTSIDE)
    assert "'x' reaches it within the process, and 't' by the middleware" in told
    assert "p.yaml:12" in told
    for text in (PROCESS.replace("[x]", "[y]") + OUTSIDE, PROCESS + OUTSIDE.replace("[x]", "[y]")):
        assert loads(text, "p.yaml").threads["t"]
    claims = certificate(loads(PROCESS + OUTSIDE.replace("[x]", "[y]"), "p.yaml"))
    assert check(claims).ok
    claims["system"]["threads"]["t"]["subscribes"]["topics"] = ["x"]
    claims["digest"] = digest(claims["system"])
    with pytest.raises(CertificateError, match="reach it directly, and others by the middleware"):
        check(claims)


def test_a_process_on_two_machines_is_refused():
    told = problem("  t: {core: n/a, priority: 1, wcet: 1ns, period: 1us, process: p}\n")
    assert "process 'p' is on machine 'm', this thread on 'n'" in told


def test_orders_are_refused_where_messages_take_no_middleware():
    thread = "  t: {core: m/b, priority: 1, wcet: 1ns, process: p, subscribes: {topics: [x, y]}}\n"
    assert loads(PROCESS + thread, "p.yaml").threads["t"]
    told = problem(thread + "orders: {o: {subscriber: t, topics: [x, y]}}\n")
    assert "orders are not modelled" in told


ASYNC = """\
  other: {core: m/b, priority: 1, wcet: 1ns, subscribes: {topics: [x], listener: L}}
chains: {c: {path: [tick, x, sink]}}
"""


SINK = "  sink: {executor: e, wcet: 5ns, subscribes: {topics: [x]}}\n"
THREAD = "  sink: {core: m/b, priority: 9, wcet: 5ns, process: p, subscribes: {topics: [x]}}\n"


def test_a_path_goes_directly_past_the_sample_for_others():
    text = PROCESS.replace("{topic: x},", "{topic: x, mode: async, flow_controller: F},")
    text = text.replace(SINK, "") + THREAD + ASYNC
    chains = ddsrta.analyze(loads(text, "p.yaml")).chains
    assert chains["c"].latency == 5 + 5


def test_what_nobody_reads_needs_no_table():
    text = PROCESS.replace("publisher: {1B: 4ns}, ", "").replace("{topic: x}, ", "")
    alone = text.replace("  sink: {executor: e, wcet: 5ns, subscribes: {topics: [x]}}\n", "")
    system = loads(alone + "  t: {core: m/b, priority: 1, wcet: 1ns, period: 1us}\n", "p.yaml")
    assert ddsrta.analyze(system).callbacks["tick"].wcrt == 5


def test_requests_and_replies_take_the_middleware_also_within_a_process():
    text = PROCESS.replace("callbacks:\n", "callbacks:\n"
        "  asks: {executor: e, wcet: 5ns, timer: 1us, calls: [{service: v}]}\n"
        "  serves: {executor: e, wcet: 5ns, serves: {service: v}}\n"
        "  told: {executor: e, wcet: 5ns, receives: {service: v}}\n")  # fmt: skip
    text = text.replace("threads:\n", "services: {v: {request: 1B, reply: 1B}}\n")
    messages = ddsrta.analyze(loads(text, "p.yaml")).messages
    assert [(m.topic, m.subscriber) for m in messages] == [
        ("v/request", "serves"), ("v/reply", "told"),
    ]  # fmt: skip
