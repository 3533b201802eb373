"""What wakes a thread of SCHED_DEADLINE, and so dates its jobs."""

from __future__ import annotations

import json

import pytest

from ddsrta.checker import check
from ddsrta.lf.bounds.schedulers import linux
from ddsrta.lf.bounds.schedulers.certificate import schedule_certificate
from ddsrta.lf.bounds.schedulers.judge import schedule
from ddsrta.lf.program.reader import loads

IDLE = """
federation: 1
coordination: decentralized
hosts: {h: {cores: 1}}
federates:
  woken:
    host: h
    timers: {tick: {period: 40ms, offset: 3ms}, idle: {period: 40ms, offset: 1ms}}
    reactions: {r: {triggers: [tick], wcet: 1ms, deadline: 10ms}}
  other:
    host: h
    timers: {tick: {period: 40ms, offset: 3ms}}
    reactions: {r: {triggers: [tick], wcet: 4ms, deadline: 6ms}}
"""


def test_a_tag_without_reactions_wakes_a_thread_of_sched_deadline() -> None:
    """It is due each 2 ms then, before the other; else it is due 4 ms after that."""
    federation = loads(IDLE)
    alone = loads(IDLE.replace(", idle: {period: 40ms, offset: 1ms}", ""))
    lags = []
    for one in (federation, alone):
        report = schedule(one, ["edf"])
        found = report.columns[0].latest
        lags.append([found[name, "r"].lag for name in ("woken", "other")])
        certificate = json.loads(json.dumps(schedule_certificate(report)))
        assert check(certificate).status == "confirmed"
        certificate["columns"][0]["starts"][1]["latest_start"] = 0
        assert (check(certificate).status == "refuted") == (one is federation)
    assert lags == [[0, 1_000_000], [4_000_000, 0]]


def test_what_wakes_a_thread_of_sched_deadline_before_its_tag_leaves_it_without_a_bound() -> None:
    """Woken 3 ms before the tag, it would have 7 of 10 parts of its runtime until then; where the
    deadline is the period, it has a new one at the tag."""
    text = IDLE.replace(
        "timers: {tick: {period: 40ms, offset: 3ms}, idle: {period: 40ms, offset: 1ms}}", "TRIGGER"
    )
    for delay, deadline, lag in (("3ms", 10, None), ("0 ms", 10, 10), ("3ms", 40, 40)):
        trigger = f"actions: {{tick: {{kind: physical, min_spacing: 40ms, min_delay: {delay}}}}}"
        said = text.replace("TRIGGER", trigger).replace("deadline: 10ms", f"deadline: {deadline}ms")
        report = schedule(loads(said), ["edf"])
        found = report.columns[0].latest["woken", "r"]
        assert found.lag == (None if lag is None else lag * 1_000_000)
        assert (lag is None) == ("'tick' wakes woken" in str(found.because))
        certificate = json.loads(json.dumps(schedule_certificate(report)))
        assert check(certificate).status == "confirmed"
        if lag is None:
            certificate["columns"][0]["starts"][0]["latest_start"] = 10_000_000
            assert check(certificate).status == "refuted"


CLOSE = """
federation: 1
coordination: decentralized
hosts: {h: {cores: 1}}
federates:
  a:
    host: h
    timers: {t: {period: PERIOD}}
    reactions: {r: {triggers: [t], wcet: 300ns, deadline: DEADLINE}}
"""


@pytest.mark.parametrize(
    ("period", "deadline", "why"),
    [
        ("100us", "1024ns", None),
        ("99999ns", "1024ns", "no period below 100 us"),
        ("100us", "1023ns", "1.024 us of SCHED_DEADLINE"),
    ],
)
def test_linux_takes_no_shorter_periods_and_no_smaller_runtimes(
    period: str, deadline: str, why: str | None
) -> None:
    said = CLOSE.replace("PERIOD", period).replace("DEADLINE", deadline)
    report = schedule(loads(said), ["edf"])
    found = report.columns[0].latest["a", "r"]
    assert found.lag == (0 if why is None else None)
    assert (why or "None") in str(found.because)
    certificate = json.loads(json.dumps(schedule_certificate(report)))
    assert check(certificate).status == "confirmed"
    certificate["columns"][0]["starts"][0]["latest_start"] = 0
    assert (check(certificate).status == "confirmed") == (why is None)


@pytest.mark.parametrize("least", [1, 1024])
def test_threads_ask_for_the_least_runtime_at_least(
    least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 100 threads of 10 ns each 100 us, SCHED_DEADLINE admits 92: 1 % of a core, or 102 %."""
    monkeypatch.setattr(linux, "LEAST_BUDGET", least)
    text, one = CLOSE.split("  a:\n")
    one = one.replace("PERIOD", "100us").replace("DEADLINE", "100us").replace("300ns", "10ns")
    said = text + "".join(f"  a{index}:\n{one}" for index in range(100))
    report = schedule(loads(said), ["edf"])
    found = report.columns[0].latest["a0", "r"]
    assert (found.lag, str(found.because)[:15]) == (
        (990, "None") if least == 1 else (None, "the threads ask")
    )
    checked = check(json.loads(json.dumps(schedule_certificate(report))))
    assert checked.status == ("refuted" if least == 1 else "confirmed")


@pytest.mark.parametrize(("after", "lag"), [("", 10_000_000), (", after: 5ms", None)])
def test_a_physical_connection_with_after_wakes_before_its_tag(after: str, lag: int | None) -> None:
    report = schedule(loads(LINKED.replace("AFTER", after)), ["edf"])
    assert report.columns[0].latest["a", "r"].lag == lag
    certificate = json.loads(json.dumps(schedule_certificate(report)))
    assert check(certificate).status == "confirmed"
    certificate["columns"][0]["starts"][0]["latest_start"] = 10_000_000
    assert (check(certificate).status == "confirmed") == (lag is not None)


LINKED = """
federation: 1
coordination: decentralized
hosts: {h: {cores: 1}, g: {cores: 2}}
network: [{from: g, to: h, delay: 1ms}]
federates:
  s:
    host: g
    timers: {t: {period: 40ms}}
    outputs: [o]
    reactions: {r: {triggers: [t], effects: [o], wcet: 1ms}}
  a: {host: h, inputs: [i], reactions: {r: {triggers: [i], wcet: 2ms, deadline: 10ms}}}
connections: [{from: s.o, to: a.i, physical: true, min_spacing: 40msAFTER}]
"""
