"""Event threads of Fast DDS: all that they do is under the send mutex of their participant."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta import loads
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker.check import check
from ddsrta.exploration.exact.small import check as explored
from ddsrta.formats.harness_plan import plan
from ddsrta.simulation import Run, program_of, random_choices
from ddsrta_simulator import Measure

TEXT = """\
ddsrta: 1
middleware: {fastdds: "2.9"}
machines: {m: {cores: [a, b, c]}}
delays: {publisher: {1kB: 2ms}, listener: {1kB: 1ms}}
topics: {x: {size: 1kB}}
listeners: {L: {core: m/c, priority: 5}, M: {core: m/c, priority: 6}}
processes: {P: {listener: L}, Q: {listener: M}}
threads:
  fast: {core: m/a, priority: 5, wcet: 1ms, period: 100ms, process: P,
         publishes: [{topic: x, mode: sync}]}
  events: {core: m/b, priority: 1, wcet: 2ms, period: 100ms, process: P, datagrams: 1}
  hog: {core: m/b, priority: 9, wcet: 10ms, period: 100ms, process: P}
  s: {core: m/c, priority: 1, wcet: 1ms, process: Q, subscribes: {topics: [x]}}
"""


def test_others_of_the_participant_wait_for_it() -> None:
    result = ddsrta.analyze(loads(TEXT))
    assert result.threads["fast"].wcrt == 15_000_000
    assert result.check.status == "confirmed"
    apart = loads(TEXT.replace("process: P, datagrams", "process: Q, datagrams"))
    assert ddsrta.analyze(apart).threads["fast"].wcrt == 3_000_000


def test_runs_take_longer_than_without_the_mutex() -> None:
    program, longest = program_of(loads(TEXT)), 0
    for seed in range(40):
        run = Run(program, random_choices(program, seed, 50_000_000))
        run.advance(1_000_000_000)
        for measure, worst in zip(program.measures, run.worst, strict=True):
            longest = max(longest, worst if measure == Measure("response", ("job", "fast")) else 0)
    assert 3_000_000 < longest <= 15_000_000


def test_the_ten_rules_have_no_mutex() -> None:
    text = TEXT.replace('middleware: {fastdds: "2.9"}\n', "")
    assert ddsrta.analyze(loads(text)).threads["fast"].wcrt == 3_000_000


def test_bounds_without_the_mutex_are_refuted() -> None:
    document = certificate(loads(TEXT))
    plain = certificate(loads(TEXT.replace(", datagrams: 1", "")))
    assert check(document).ok and check(plain).ok
    told = {key: document[key] for key in ("system", "digest", "assumptions")}
    assert "waits for locks" in str(check({**plain, **told}).failure)


def test_the_assumption_says_what_is_left() -> None:
    def said(text: str) -> str:
        found = ddsrta.analyze(loads(text)).assumptions
        (one,) = (each.message for each in found if each.rule == "event-thread")
        return one

    assert "'datagrams'" in said(TEXT)
    assert "'datagrams'" not in said(TEXT.replace(", datagrams: 1", ""))


@pytest.mark.parametrize(("version", "is_said"), [("2.14", False), ("3.2", True), ("3.6", True)])
def test_announcements_by_flow_controllers_are_assumed_away(version: str, is_said: bool) -> None:
    """Since 3.0 the default one sends those of a participant that declares others."""

    def said(text: str) -> str:
        found = ddsrta.analyze(loads(text.replace("2.9", version))).assumptions
        return " ".join(each.message for each in found if each.rule == "event-thread")

    controller = "flow_controllers: {F: {core: m/b, priority: 7}}\nthreads:"
    text = TEXT.replace("threads:", controller).replace("mode: sync", "flow_controller: F")
    text = text.replace("delays: {", "delays: {flow_controller: {1kB: 2ms}, ")
    assert ("default one has the announcements" in said(text)) is is_said
    assert "default one" not in said(TEXT)


def test_they_are_not_explored() -> None:
    with pytest.raises(ddsrta.InputError, match="event threads of Fast DDS"):
        explored(program_of(loads(TEXT)), loads(TEXT))


def test_the_harness_runs_none_of_its_own() -> None:
    with pytest.raises(ddsrta.InputError, match="'events' cannot be run"):
        plan(loads(TEXT))
