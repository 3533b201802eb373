"""Callbacks have their own place in every report: they are no threads, and have an executor."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import ddsrta
from ddsrta.bounds.paths.concrete import named_paths
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.solve import solve
from ddsrta.bounds.terms.explain import explain, explain_path
from ddsrta.exploration.comparison import compare
from ddsrta.models.system import System
from ddsrta.report.baseline import result_from_dict
from ddsrta.report.checklist import unbounded_lines
from ddsrta.report.explanation import explanation_text
from ddsrta.report.html import result_html, system_html
from ddsrta.report.json import text_of
from ddsrta.report.simulation import simulation_text
from ddsrta.report.terminal import result_text
from ddsrta.simulation.simulation import named_observations

TEXT = """
ddsrta: 1
name: fusion
machines: {m: {cores: [c0, c1, c2]}}
delays:
  listener: {1kB: 200us}
  publisher: {1kB: 100us}
topics: {front: {size: 1kB}, rear: {size: 1kB}, cloud: {size: 1kB}}
listeners: {L: {core: m/c2, priority: 80}}
processes: {p: {listener: L}}
executors:
  ex: {core: m/c1, priority: 60, kind: %s, process: p, background: {wcet: 0.1ms, period: 1s}}
services: {map: {request: 1kB, reply: 1kB}}
threads:
  driver: {core: m/c0, priority: 50, wcet: 1ms, period: 100ms, publishes: [{topic: front}]}
callbacks:
  tick: {executor: ex, wcet: %s, timer: 100ms, publishes: [{topic: rear}], calls: [{service: map}]}
  fuse: {executor: ex, wcet: 2ms, subscribes: {topics: [front, rear], activation: and},
         publishes: [{topic: cloud}]}
  sink: {executor: ex, wcet: 3ms, subscribes: {topics: [cloud]}}
  server: {executor: ex, wcet: 1ms, serves: {service: map}}
  client: {executor: ex, wcet: 1ms, receives: {service: map}}
chains:
  sight: {path: [driver, front, fuse, cloud, sink], deadline: 100ms}
  fetch: {path: [tick, map/request, server, map/reply, client]}
"""
CALLBACKS = {"tick", "fuse", "fuse/front", "fuse/rear", "sink", "server", "client", "ex/background"}


def system(kind: str = "single_threaded", tick: str = "1ms") -> System:
    priorities = ""
    if kind == "fixed_priority":
        text = TEXT.replace(", background: {wcet: 0.1ms, period: 1s}", "")
        priorities = text.replace("executor: ex, wcet", "executor: ex, priority: 1, wcet")
    return ddsrta.loads((priorities or TEXT) % (kind, tick))


def test_callbacks_are_beside_the_threads_with_executor_and_window() -> None:
    result = ddsrta.analyze(system())
    document = json.loads(text_of(result))
    assert document["threads"].keys() == {"driver"}
    assert document["callbacks"].keys() == CALLBACKS
    assert document["callbacks"]["tick"] == {
        # a round that began without it (all others once, but what it asks for), its own 1.2 ms
        "wcrt": 100_000 + 2_100_000 + 1 + 3_000_000 + 1_200_000,
        "executor": "ex", "core": "m/c1", "by": "pending window", "unbounded_because": None,
    }  # fmt: skip
    assert result.callbacks["fuse"].by == "turn"
    # from the last message: a round of all others, its subscriptions, its own 2.1 ms
    others = 100_000 + 1_200_000 + 3_000_000 + 1_100_000 + 1_000_000
    assert result.callbacks["fuse"].wcrt == others + 2 + 2_100_000
    assert result_from_dict(document).callbacks == result.callbacks


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("single_threaded", {"rounds", "turn", "chain window", "pending window"}),
        ("events", {"queue", "turn", "chain window", "pending window"}),
        ("fixed_priority", {"priorities", "turn", "chain window", "pending window"}),
        ("multi_threaded", {"busy window", "turn", "chain window", "pending window"}),
    ],
)
def test_the_window_is_that_of_the_executor_or_one_that_is_less(kind: str, words: set[str]) -> None:
    found = ddsrta.analyze(system(kind))
    assert {callback.by for callback in found.callbacks.values()} <= words
    plain = ddsrta.analyze(system(kind), refinements=ddsrta.Refinements.none())
    assert {callback.by for callback in plain.callbacks.values()} == words - {
        "chain window",
        "pending window",
    }
    for name, callback in found.callbacks.items():
        other = plain.callbacks[name].wcrt
        assert callback.wcrt is not None
        if callback.by in ("chain window", "pending window"):
            assert other is None or callback.wcrt < other


def test_tables_name_callbacks_executors_and_what_the_file_says_of_paths() -> None:
    text = result_text(ddsrta.analyze(system()))
    tables = {part.split()[0]: part for part in text.split("\n\n")}
    assert "driver" in tables["thread"] and "tick" not in tables["thread"]
    (line,) = [line for line in tables["callback"].splitlines() if line.split()[0] == "tick"]
    assert line.split() == ["tick", "ex", "m/c1", "6.401", "ms", "pending", "window"]
    text = TEXT.partition("  fetch:")[0].replace(", deadline: 100ms", "")
    short = ddsrta.loads(text % ("single_threaded", "1ms"))
    assert "driver → front → fuse → cloud → sink" in result_text(ddsrta.analyze(short))


def test_explanations_speak_of_callbacks_and_executors() -> None:
    text = explanation_text(explain(system(), "sight"))
    assert "callback fuse/front on m/c1" in text
    assert "one window for the whole path" in text
    assert "by that way the last token comes" in text and "thread fuse" not in text


def test_explanations_without_an_account_speak_of_turns_and_windows() -> None:
    given = system()
    path = next(path for path in named_paths(given)[0] if path.name == "sight")
    left_out = ("end_to_end_windows", "closed_windows", "last_tokens")
    some = replace(Refinements.all(), **dict.fromkeys(left_out, False))
    found = explain_path(solve(given, some), path)
    text = explanation_text(found)
    assert "callback fuse/front  m/c1" in text
    assert "takes turns with callback sink" in text
    assert "one window for executor ex on core m/c1" in text
    assert "thread driver" in text and "thread fuse" not in text


def test_pages_show_callbacks_apart() -> None:
    page = result_html(ddsrta.analyze(system()))
    assert "<summary>callbacks</summary>" in page and "rounds" in page
    page = system_html(system())
    assert "1 thread, 8 callbacks" in page
    assert "single_threaded" in page and "<summary>executors</summary>" in page


def test_a_baseline_compares_callbacks() -> None:
    before, after = ddsrta.analyze(system()), ddsrta.analyze(system(tick="2ms"))
    worse = {change.name for change in compare(before, after).worse}
    assert "callback tick" in worse and "thread driver" not in worse
    older = result_from_dict({**before.to_dict(), "callbacks": {}})
    assert "callback tick" in compare(older, after).new


def test_an_overloaded_executor_is_named_with_its_callbacks() -> None:
    result = ddsrta.analyze(system(tick="101ms"))
    assert result.verdict == "unbounded"
    callback = result.callbacks["tick"]
    assert (callback.wcrt, callback.by) == (None, None)
    assert "executor ex is loaded 108 %" in (callback.unbounded_because or "")
    (line,) = unbounded_lines(result)
    assert "callback tick, callback fuse" in line


def test_runs_are_shown_by_callback_and_keep_to_the_bounds() -> None:
    simulation = ddsrta.simulate(system(), horizon="2s", seeds=3)
    assert simulation.threads.keys() == {"driver"}
    assert simulation.callbacks.keys() == CALLBACKS
    assert not simulation.violations
    sight = simulation.chains["sight"].latency
    assert sight is not None and sight.count > 0  # a path through a callback of two topics
    assert simulation.to_dict()["callbacks"]["tick"]["response"]["count"] > 0
    assert "response of a callback" in simulation_text(simulation)


def test_a_run_above_its_bound_names_the_callback() -> None:
    seen = ddsrta.simulate(system(), horizon="2s")
    observed = dict(named_observations(seen.threads, seen.callbacks, (), {}, {}))
    assert observed.keys() >= {"response time of thread driver", "response time of callback sink"}
