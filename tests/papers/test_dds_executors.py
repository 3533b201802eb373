"""The published analysis of callbacks: Eq. 20, by hand and against ECRTS 2019 (docs/ros2.md)."""

import pytest

import ddsrta
from ddsrta.models.arrivals import Periodic
from ddsrta.papers.ros2 import (
    Callback,
    Constant,
    Dedicated,
    Executor,
    Horizon,
    Polled,
    Stream,
    ecrts19_executor,
)

HEAD = """\
ddsrta: 1
machines: {m: {cores: [a, b]}}
topics: {t: {size: 1B}, u: {size: 1B}}
delays: {listener: {1B: 3ns}, publisher: {1B: 1ns}}
listeners: {L: {core: m/a, priority: 9}}
executors: {E: {core: m/a, priority: 5}}
"""
TABLE = {"scan": (10, 100), "map": (230, 10_000), "plan": (190, 1_000)}


def callbacks(table):
    lines = (f"  {n}: {{executor: E, timer: {p}ns, wcet: {c}ns}}\n" for n, (c, p) in table.items())
    return "callbacks:\n" + "".join(lines)


def published(text):
    return ddsrta.analyze(ddsrta.loads(HEAD + text), profile="published")


@pytest.mark.parametrize(
    "table",
    [TABLE, {"x": (3, 20), "y": (8, 50), "z": (5, 35)}, {"x": (3, 4)}, {"x": (7, 9), "y": (9, 50)}],
)
def test_without_middleware_it_is_that_of_a_polled_callback(table):
    """Eq. 20 without its two last terms is Eq. 18, which our ECRTS 2019 has, too."""
    described = tuple(
        Callback(name, Polled(), Stream(Periodic(period)), Constant(cost))
        for name, (cost, period) in table.items()
    )
    executor, horizon = Executor(described, Dedicated()), Horizon(1_000_000)
    found = published(callbacks(table)).callbacks
    for name in table:
        assert found[name].wcrt == ecrts19_executor.response(executor, name, horizon)


def test_more_urgent_threads_count_up_to_the_end():
    """A thread (4, every 20) and a callback (6) beside another (10): 6 + 10 = 16, the thread once
    more at 0: 20 and again: 24, where it counts twice: 6 + 10 + 2 · 4."""
    text = "threads: {T: {core: m/a, priority: 7, wcet: 4ns, period: 20ns}}\n"
    table = {"x": (6, 1000), "y": (10, 1000)}
    found = published(text + callbacks(table))
    assert found.callbacks["x"].wcrt == 20  # 6 + 10 + 4: the second release comes at the end
    table["x"] = (7, 1000)
    assert published(text + callbacks(table)).callbacks["x"].wcrt == 7 + 10 + 2 * 4


def test_a_less_urgent_listener_waits_for_the_callbacks():
    """HP^cbk: each callback of the executor counts, though the executor is one thread."""
    text = HEAD.replace("priority: 9", "priority: 1") + (
        "threads:\n"
        "  p: {core: m/b, priority: 2, wcet: 1ns, period: 1us, publishes: [{topic: t, mode: sync}]}\n"
        "  r: {core: m/b, priority: 1, wcet: 1ns, subscribes: {topics: [t], listener: L}}\n"
    )
    found = ddsrta.analyze(
        ddsrta.loads(text + callbacks({"x": (6, 500), "y": (10, 500)})), profile="published"
    )
    (message,) = found.messages
    assert message.listener >= 3 + 6 + 10


def test_a_callback_of_several_topics_is_one_callback():
    text = (
        "threads:\n  p: {core: m/b, priority: 1, wcet: 1ns, period: 1us,\n"
        "      publishes: [{topic: t, mode: sync}, {topic: u, mode: sync}]}\n"
        "callbacks:\n"
        "  s: {executor: E, wcet: 20ns, subscribes: {topics: [t, u], listener: L, activation: and}}\n"
        "chains: {way: {path: [p, t, s]}}\n"
    )
    found = published(text)
    own = found.callbacks["s"].wcrt
    assert found.callbacks["s/t"].wcrt == found.callbacks["s/u"].wcrt == 1
    ddl = next(m.ddl for m in found.messages if m.topic == "t")
    assert found.chains["way"].trigger_latency == ddl + own
    assert {row.rule for row in found.warnings} >= {"published-and-wait"}


@pytest.mark.parametrize("kind", ["multi_threaded", "events", "static", "fixed_priority"])
def test_other_executors_are_refused(kind):
    text = HEAD.replace("priority: 5}", f"priority: 5, kind: {kind}}}")
    line = callbacks({"x": (1, 10)}).replace("executor: E", "executor: E, priority: 1")
    text += line if kind == "fixed_priority" else callbacks({"x": (1, 10)})
    with pytest.raises(ddsrta.InputError, match=f"no {kind} executors"):
        ddsrta.analyze(ddsrta.loads(text), profile="published")


def test_several_executors_of_one_core_are_named():
    text = HEAD.replace("executors: {", "executors: {G: {core: m/a, priority: 4}, ")
    found = ddsrta.analyze(ddsrta.loads(text + callbacks({"x": (1, 10)})), profile="published")
    assert "published-executors" in {row.rule for row in found.warnings}
