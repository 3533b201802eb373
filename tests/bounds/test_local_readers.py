"""Who writes does the work of readers of its process, where Fast DDS is said to let it."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.base.diagnostics import InputError
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check
from ddsrta.checker.reading import CertificateError
from ddsrta.exploration.exact.small import check as explored
from ddsrta.models.document import digest
from ddsrta.simulation import Run, program_of, random_choices, worst_choices

SYSTEM = """ddsrta: 1
machines: {m: {cores: [a, b, c, d]}}
delays: {listener: {1kB: 10ns}, publisher: {1kB: 3ns}, flow_controller: {1kB: 3ns}}
topics: {x: {size: 1kB}, y: {size: 1kB}}
flow_controllers: {F: {core: m/d, priority: 2}}
listeners: {L: {core: m/b, priority: 9}, M: {core: m/b, priority: 8}}
processes: {p: {listener: L, intraprocess_delivery: FULL}}
threads:
  source: {core: m/a, priority: 5, wcet: 100ns, period: 1us, process: p, publishes: [{topic: x, mode: sync}]}
  near: {core: m/c, priority: 5, wcet: 7ns, process: p, subscribes: {topics: [x]}}
  also: {core: m/c, priority: 4, wcet: 1ns, process: p, subscribes: {topics: [x]}}
  far: {core: m/c, priority: 3, wcet: 1ns, subscribes: {topics: [x], listener: M}}
chains: {near: {path: [source, x, near]}, far: {path: [source, x, far]}}
"""
ASYNC = ("mode: sync", "flow_controller: F")


def analyzed(*changes):
    text = SYSTEM
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    result = ddsrta.analyze(ddsrta.loads(text))
    assert result.check.status == "confirmed"
    return result


def latencies(result):
    return {name: one.latency for name, one in result.chains.items()}


def rules(result):
    return {one.rule for one in result.assumptions}


@pytest.mark.parametrize("value", ["FULL", "USER_DATA_ONLY"])
def test_the_writer_works_for_its_readers_before_it_sends(value):
    result = analyzed(("FULL", value))
    assert result.threads["source"].wcrt == 100 + 2 * 10 + 3
    # near: before the copy to far, and after the other at worst; far: when both are done
    assert latencies(result) == {"near": 120 + 7, "far": 123 + 10 + 1}
    assert [each.subscriber for each in result.messages] == ["far"]
    assert "L" not in result.queues


def test_off_is_as_if_nothing_was_said_but_not_assumed():
    off, silent = analyzed(("FULL", "OFF")), analyzed((", intraprocess_delivery: FULL", ""))
    assert latencies(off) == latencies(silent)
    assert rules(silent) - rules(off) == {"listeners-receive"}
    assert off.threads["source"].wcrt == 100 + 3 * 3


def test_what_a_result_assumes_of_it():
    assert "reader-locks" in rules(analyzed())
    assert not {"reader-locks", "listeners-receive"} & rules(analyzed(("FULL", "OFF")))
    claims = certificate(ddsrta.loads(SYSTEM))
    claims["assumptions"] = [one for one in claims["assumptions"] if "reader-locks" not in str(one)]
    assert "rest on 'reader-locks', which is not said" in check(claims).failure


def test_a_flow_controller_works_for_readers_of_its_process():
    result = analyzed(ASYNC)
    assert result.threads["source"].wcrt == 100
    (message,) = result.messages
    assert (message.subscriber, message.flow_controller) == ("far", 2 * 10 + 3)
    # near: before the copy to far; far: when both are done
    assert latencies(result) == {"near": 100 + 20 + 7, "far": 123 + 10 + 1}
    assert result.queues["F"].streams == {"source → x": 1}


def test_a_sample_may_be_for_readers_of_the_process_alone():
    others = ("  far: {core: m/c, priority: 3, wcet: 1ns, subscribes: {topics: [x], listener: M}}\n", "")  # fmt: skip
    result = analyzed(ASYNC, others, (", far: {path: [source, x, far]}", ""))
    assert not result.messages and result.queues["F"].backlog == 1
    assert latencies(result) == {"near": 100 + 20 + 7}


def test_copies_that_take_no_time_leave_behind_the_work_for_readers():
    free = ("flow_controller: {1kB: 3ns}", "flow_controller: {1kB: 0ns}")
    assert latencies(analyzed(ASYNC, free))["far"] == 100 + 20 + 10 + 1


def test_every_message_of_a_job_costs_it():
    several = ("{topic: x, mode: sync}", "{topic: x, mode: sync, count: 2}, {topic: y, mode: sync}")
    read = ("near: {core", "last: {core: m/b, priority: 1, wcet: 1ns, process: p, subscribes: {topics: [y]}}\n  near: {core")  # fmt: skip
    result = analyzed(several, read)
    assert result.threads["source"].wcrt == 100 + 2 * (2 * 10 + 3) + 10
    # near has its second message before the copy of that, and before the work for last
    assert result.threads["source"].wcrt - (10 + 3) + 7 + 7 == latencies(result)["near"]


def test_requests_and_replies_are_among_them():
    text = """ddsrta: 1
machines: {m: {cores: [a, b, c]}}
delays: {listener: {1B: 20ns}, publisher: {1B: 4ns}}
listeners: {P: {core: m/c, priority: 5}}
processes: {p: {listener: P, intra_process: true, intraprocess_delivery: FULL}}
services: {v: {request: 1B, reply: 1B}}
executors: {e: {core: m/a, priority: 5, process: p}, f: {core: m/b, priority: 5, process: p}}
callbacks:
  asks: {executor: e, wcet: 5ns, timer: 1us, calls: [{service: v}]}
  serves: {executor: f, wcet: 5ns, serves: {service: v}}
  told: {executor: e, wcet: 5ns, receives: {service: v}}
"""
    result = ddsrta.analyze(ddsrta.loads(text))
    assert result.check.status == "confirmed" and not result.messages
    assert result.callbacks["serves"].wcrt == 5 + 20  # the reply is received by who sends it


def test_a_history_holds_what_comes_either_way():
    outside = ("  near:", "  other: {core: m/b, priority: 1, wcet: 1ns, period: 1us, publishes: [{topic: x, mode: sync}]}\n  near:")  # fmt: skip
    result = analyzed(outside)
    assert result.queues["near < x"].backlog == 2
    assert "near < x, directly" not in result.queues
    (room,) = [one for one in result.assumptions if one.rule == "no-overflow"]
    assert "2 in a history of topic 'x'" in room.message
    tight = analyzed(outside, ("x: {size: 1kB}", "x: {size: 1kB, history: 1}"))
    full = [one.message for one in tight.warnings if one.rule == "queue-overflow"]
    assert any(one.startswith("2 messages of 'x' can wait for 'near'") for one in full)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (
            [ASYNC, ("priority: 2}", "priority: 2, limit: {bytes: 64kB, period: 1ms}}")],
            "flow controller 'F' with its limit would do the work of 'near'",
        ),
        (
            [("machines:", 'middleware: {fastdds: "2.9"}\nmachines:')],
            "'source' would do the work of 'near' under the lock of that reader",
        ),
    ],
)
def test_where_it_is_refused(changes, told):
    text = SYSTEM
    for old, new in changes:
        text = text.replace(old, new)
    with pytest.raises(InputError) as error:
        ddsrta.loads(text)
    assert told in str(error.value)
    assert ddsrta.analyze(ddsrta.loads(text.replace("FULL", "OFF"))).check.status == "confirmed"
    claims = certificate(ddsrta.loads(text.replace("FULL", "OFF")))
    claims["system"]["processes"]["p"]["intraprocess_delivery"] = "FULL"
    claims["digest"] = digest(claims["system"])
    with pytest.raises(CertificateError, match="the work of readers"):
        check(claims)


def test_a_checker_finds_what_it_costs_by_itself():
    claims = certificate(ddsrta.loads(SYSTEM.replace("FULL", "OFF")))
    claims["system"]["processes"]["p"]["intraprocess_delivery"] = "FULL"
    claims["digest"] = digest(claims["system"])
    assert check(claims).status != "confirmed"


def worst_latencies(program, choices):
    run = Run(program, choices)
    run.advance(5000)
    measures = zip(program.measures, run.worst, strict=True)
    return {of[-1]: worst for (kind, of), worst in measures if kind == "latency"}


@pytest.mark.parametrize("change", [("", ""), ASYNC])
def test_simulated_systems_meet_the_bounds_and_do_not_pass_them(change):
    system = ddsrta.loads(SYSTEM.replace(*change))
    bounds, program = latencies(ddsrta.analyze(system)), program_of(system)
    assert worst_latencies(program, worst_choices(program)) == {"near": 117, "far": 134}
    seen = {}
    for seed in range(30):  # in some, near is served behind the other
        for name, worst in worst_latencies(program, random_choices(program, seed, 5000)).items():
            seen[name] = max(seen.get(name, 0), worst)
    assert seen == {name: int(latency) for name, latency in bounds.items()}


def test_it_is_not_explored():
    with pytest.raises(InputError) as error:
        explored(program_of(ddsrta.loads(SYSTEM)), ddsrta.loads(SYSTEM))
    assert "readers whose work is done by who sends" in str(error.value)
