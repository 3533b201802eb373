"""What people get from `ddsrta.analyze`, from files and from systems made in Python."""

from __future__ import annotations

import gc
from pathlib import Path
from types import FunctionType

import pytest

import ddsrta
from ddsrta.checker import CertificateError, check_result
from ddsrta.examples import two_threads
from ddsrta.models.reader import loads

STUDIES = Path(__file__).resolve().parents[2] / "casestudies"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"core": "ecu/nope"}, "there is no core 'ecu/nope'"),
        ({"wcet": 1.5}, "wcet of 'sensor' is 1.5, not a whole number"),
        ({"wcet": 0}, "wcet of 'sensor' must be positive"),
        ({"bcet": 2_000_000}, "the best case is above the worst"),
        ({"arrival": None}, "nothing releases this thread"),
    ],
)
def test_a_changed_system_is_validated_again(changes: dict[str, object], message: str) -> None:
    system = two_threads().altered("threads", "sensor", **changes)
    with pytest.raises(ddsrta.InputError, match=message):
        ddsrta.analyze(system)


def test_an_unknown_profile_is_refused() -> None:
    with pytest.raises(ValueError, match="use one of busy-window, published"):
        ddsrta.analyze(two_threads(), profile="guess")


@pytest.mark.usefixtures("soon_over")
def test_a_long_pipeline_behind_an_overload_says_why() -> None:
    """1,000 threads that follow each other: no recursion, and the culprit is named at the end."""
    threads = ["  t0: {core: m/c, priority: 50, wcet: 2ms, period: 1ms}"]
    threads += [
        f"  t{i}: {{core: m/d{i % 9}, priority: {1 + i % 98}, wcet: 1ns, "
        f"follows: {{threads: [t{i - 1}]}}}}"
        for i in range(1, 1000)
    ]
    cores = ", ".join(["c", *(f"d{i}" for i in range(9))])
    system = loads(
        f"ddsrta: 1\nmachines: {{m: {{cores: [{cores}]}}}}\nthreads:\n" + "\n".join(threads)
    )
    result = ddsrta.analyze(system)
    assert result.verdict == "unbounded"
    assert result.threads["t999"].wcrt is None
    assert "thread t0 is loaded 200 %" in (result.threads["t999"].unbounded_because or "")


def test_unbounded_names_the_core_and_the_load() -> None:
    system = two_threads().replace("threads", "control", wcet=9_900_000)
    because = ddsrta.analyze(system).threads["control"].unbounded_because
    assert (
        because
        == "core ecu/c1 is loaded 101 % by what is at least as urgent as control; move work elsewhere, or make it rarer"
    )


def test_the_network_is_what_the_link_takes_whatever_a_job_still_has_to_send() -> None:
    """Two copies by the job itself: the first leaves 0.5 ms before the job ends, and travels 0.1 ms."""
    text = """\
ddsrta: 1
machines: {m: {cores: [a]}, n: {cores: [b]}}
network: [{from: m, to: n, delay: 100us}]
delays: {listener: {1kB: 10us}, publisher: {1kB: 500us}}
topics: {first: {size: 1kB}, last: {size: 1kB}}
listeners: {L: {core: n/b, priority: 60}}
threads:
  P:
    core: m/a
    priority: 50
    wcet: 1ms
    period: 20ms
    publishes: [{topic: first, mode: sync}, {topic: last, mode: sync}]
  S: {core: n/b, priority: 40, wcet: 1ms, subscribes: {listener: L, topics: [first, last]}}
"""
    found = {message.topic: message for message in ddsrta.analyze(loads(text)).messages}
    assert [found[topic].network for topic in ("first", "last")] == [100_000, 100_000]
    assert found["first"].ddl == 1_500_000 + 100_000 + 2 * 10_000


def test_what_an_overloaded_thread_sends_has_a_bound_from_there_on() -> None:
    """Jobs end 10 ms apart, however late; sending and receiving take 3 + 2 ms on one core."""
    text = """\
ddsrta: 1
machines: {m: {cores: [a, b]}}
delays: {flow_controller: {1kB: 3ms}, listener: {1kB: 2ms}}
topics: {x: {size: 1kB}}
flow_controllers: {F: {core: m/b, priority: 9}}
listeners: {L: {core: m/b, priority: 9}}
threads:
  P: {core: m/a, priority: 1, wcet: 10ms, bcet: 10ms, period: 9ms,
      publishes: [{topic: x, flow_controller: F, earliest: 10ms}]}
  S: {core: m/b, priority: 1, wcet: 9ms, subscribes: {topics: [x], listener: L}}
"""
    for some in (ddsrta.Refinements(), ddsrta.Refinements(in_step=False)):
        result = ddsrta.analyze(loads(text), refinements=some)
        (message,) = result.messages
        assert (message.sent, message.ddl, result.threads["P"].wcrt) == (3_000_000, 5_000_000, None)
        assert result.threads["S"].wcrt is None
        assert result.check is not None
        assert (result.check.status, result.check.without) == ("confirmed", ())


@pytest.mark.parametrize("threshold", [0, 700, 10**6])
def test_the_collector_of_circles_is_left_as_it_was(threshold: int) -> None:
    before = gc.get_threshold()
    gc.set_threshold(threshold, *before[1:])
    try:
        document = ddsrta.analyze(two_threads()).to_dict()
        assert gc.get_threshold() == (threshold, *before[1:])
        assert check_result(document).ok
        with pytest.raises(CertificateError):
            check_result({})
        with pytest.raises(ddsrta.InputError):
            ddsrta.analyze(two_threads().altered("threads", "sensor", wcet=0))
        assert gc.get_threshold() == (threshold, *before[1:])
    finally:
        gc.set_threshold(*before)


@pytest.mark.parametrize("check", [False, True])
@pytest.mark.parametrize(
    "name", ["ars/F.yaml", "explored/waters2019.yaml", "car_detection/system.yaml"]
)
def test_a_result_leaves_nothing_to_the_collector(name: str, check: bool) -> None:
    def whole() -> None:
        result = ddsrta.analyze(system, check=check)
        assert result.assumptions is not None
        assert all(chain.hops for chain in result.chains.values())

    system = ddsrta.load(STUDIES / name)
    whole()  # what is imported may
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        whole()
        gc.collect()
        left = [each for each in gc.garbage if _is_ours(each)]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
    assert not left


def _is_ours(thing: object) -> bool:
    """Another thread of the tests may leave something too."""
    whose = thing if isinstance(thing, FunctionType) else type(thing)
    return (whose.__module__ or "").startswith("ddsrta")


@pytest.mark.parametrize(
    "ask",
    [
        ddsrta.analyze,
        ddsrta.exact,
        ddsrta.explain,
        ddsrta.simulate,
        ddsrta.improve,
        ddsrta.sensitivity,
    ],
)
def test_what_is_no_system_is_refused_by_name(ask):
    with pytest.raises(TypeError, match=r"ddsrta\.load\(FILE\), not str"):
        ask("system.yaml")
