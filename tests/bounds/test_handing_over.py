"""What is more urgent on its core may preempt a job between two messages that it hands over with
its last nanosecond, and not after the last one (definition stage-graph)."""

from dataclasses import replace
from itertools import product

import pytest

from ddsrta.bounds.analyze import analyze
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check
from ddsrta.checker.document import read_system
from ddsrta.checker.program import handed_over as as_checked
from ddsrta.models.document import to_document
from ddsrta.models.handing_over import handed_over
from ddsrta.models.reader import loads

SYSTEM = """
ddsrta: 1
machines: {{m: {{cores: [c, d]}}}}
delays: {{flow_controller: {{1kB: 2ns}}, listener: {{1kB: 1ns}}}}
topics: {{t: {{size: 1kB}}, u: {{size: 1kB}}}}
flow_controllers: {{F: {{core: m/c, priority: 5}}, G: {{core: m/d, priority: 5}}}}
listeners: {{L: {{core: m/d, priority: 1}}}}
threads:
  j: {{core: m/c, priority: 1, wcet: 4ns, bcet: 4ns, period: 100ns, publishes: [{sent}]}}
  k: {{core: m/d, priority: 2, wcet: 1ns, subscribes: {{topics: [t, u], listener: L}}}}
"""
T = "{topic: t, mode: async, flow_controller: F, earliest: 4ns%s}"
U = "{topic: u, mode: async, flow_controller: %s, earliest: 4ns%s}"


@pytest.mark.parametrize(
    "sent",
    [
        [T % ", count: 2"],
        [T % "", U % ("F", "")],
        [T % "", U % ("G", "")],
        [T % ", one_of: a", U % ("F", ", one_of: b")],
    ],
)
def test_a_job_is_preempted_between_two_messages(sent):
    result = analyze(loads(SYSTEM.format(sent=", ".join(sent)), "sent.yaml"))
    assert result.check.status == "confirmed"
    assert result.threads["j"].wcrt >= 6, "its own time, and one message in the flow controller"


@pytest.mark.parametrize("sent", [[T % ""], [U % ("G", ""), T % ""]])
def test_a_job_is_not_preempted_by_its_last_message(sent):
    result = analyze(loads(SYSTEM.format(sent=", ".join(sent)), "sent.yaml"))
    assert result.threads["j"].wcrt == 4


@pytest.mark.parametrize(("other", "first"), [("a", 4), ("b", 3)])
def test_an_alternative_of_the_last_is_the_last(other, first):
    sent = T % ", one_of: a", U % ("F", f", one_of: {other}")
    system = loads(SYSTEM.format(sent=", ".join(sent)), "sent.yaml")
    job = system.threads["j"]
    assert [handed_over(system, job, one) for one in job.publishes] == [first, 4]


def test_the_checker_asks_for_it_too():
    claims = certificate(loads(SYSTEM.format(sent=f"{T % ''}, {U % ('G', '')}"), "sent.yaml"))
    (job,) = (each for each in claims["stages"] if each["stage"] == ["job", "j"])
    assert check(claims).ok
    job["response"] = 5
    assert not check(claims).ok


@pytest.mark.parametrize("sent", [(T % "",), (T % "", U % ("G", "")), (U % ("F", ""), T % "")])
def test_analysis_and_checker_say_the_same(sent):
    system = loads(SYSTEM.format(sent=", ".join(sent)), "sent.yaml")
    written = system.threads["j"]
    choices = product((0, 1, 2, 3), (0, 1), (1, 2), (None, "a"), ("sync", "async"))
    for wcet, less, count, name, mode in choices:
        way = {"mode": mode, "flow_controller": "F" if mode == "async" else None}
        way |= {"earliest": max(0, wcet - less), "count": count, "one_of": name}
        publishes = tuple(replace(one, **way) for one in written.publishes)
        job = replace(written, wcet=wcet, bcet=min(1, wcet), publishes=publishes)
        made = replace(system, threads=system.threads | {"j": job})
        checked = read_system(to_document(made))
        for one in publishes:
            found = handed_over(made, job, one)
            assert found <= wcet
            assert found == as_checked(checked, "j", checked.threads["j"].publishes[one.topic])
