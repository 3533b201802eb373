"""Plans for the harness: what they say, and what cannot be run."""

import dataclasses
from pathlib import Path

import pytest

import ddsrta
from ddsrta.base.diagnostics import InputError
from ddsrta.examples import TWO_THREADS, two_threads
from ddsrta.formats.harness_plan import plan
from ddsrta.models.system import System, Topic

ROOT = Path(__file__).parents[2]
HARNESS = ROOT / "harness"
MADE_FROM = {
    "tests/plans/conf2.plan": "casestudies/three_topics/conf2_high_priority.yaml",
    "tests/plans/conf1_safe.plan": "casestudies/three_topics/conf1_safe.yaml",
    "tests/plans/conf4.plan": "casestudies/three_topics/conf4_sync.yaml",
    "tests/plans/livelock.plan": "casestudies/livelock/livelock.yaml",
    "experiments/batching.plan": "harness/experiments/batching.yaml",
    "experiments/send_mutex.plan": "harness/experiments/send_mutex.yaml",
    "experiments/write_blocked.plan": "harness/experiments/write_blocked.yaml",
    "experiments/keep_last.plan": "harness/experiments/keep_last.yaml",
    "experiments/testbed_F-F.plan": "harness/experiments/testbed_F-F.yaml",
    "experiments/testbed_S-S.plan": "harness/experiments/testbed_S-S.yaml",
}


def _changed(old: str, new: str) -> ddsrta.System:
    assert old in TWO_THREADS
    return ddsrta.loads(TWO_THREADS.replace(old, new))


def _lines(text: str, keyword: str) -> list[str]:
    return [line for line in text.splitlines() if line.split()[0] == keyword]


def test_a_plan_says_what_there_is_and_ends_with_its_length():
    text = plan(two_threads())
    assert text.splitlines() == [
        "ddsrta-plan 1",
        "system two threads",
        "core 0 ecu/c0",
        "core 1 ecu/c1",
        "topic 0 1000 0 500 speed",
        "controller 0 0 80 HIGH_PRIORITY F",
        "listener 0 1 90 L",
        "thread 0 0 85 1000000 timer sensor",
        "timer 0 10000000 0",
        "thread 1 1 70 2000000 or control",
        "publish 0 0 0 1 0",
        "subscribe 1 0 0",
        "end 12",
    ]


@pytest.mark.parametrize("name", MADE_FROM)
def test_the_plans_of_the_harness_are_those_of_the_systems_they_name(name):
    assert plan(ddsrta.load(ROOT / MADE_FROM[name])) == (HARNESS / name).read_text()


def test_a_synchronous_publication_has_no_controller():
    text = plan(_changed("mode: async, flow_controller: F", "mode: sync"))
    assert _lines(text, "publish") == ["publish 0 0 -1 1 0"]


def test_counts_and_earliest_times_are_kept():
    text = plan(_changed("topic: speed, mode", "topic: speed, count: 3, earliest: 5us, mode"))
    assert _lines(text, "publish") == ["publish 0 0 0 3 5000"]


def test_limits_and_reservations_are_kept():
    limit = "{core: ecu/c0, priority: 90, policy: PRIORITY_WITH_RESERVATION, limit: {bytes: 8kB, period: %s}}"
    text = TWO_THREADS.replace("flow_controller: F}", "flow_controller: F, reservation: 30%}")
    start = text.index("  F: {") + len("  F: ")
    end = text.index("}", start) + 1
    made = plan(ddsrta.loads(text[:start] + limit % "10ms" + text[end:]))
    assert _lines(made, "limit") == ["limit 0 8000 10000000"]
    assert _lines(made, "reserve") == ["reserve 0 30"]
    with pytest.raises(InputError, match="whole milliseconds"):
        plan(ddsrta.loads(text[:start] + limit % "100us" + text[end:]))


def test_sporadic_threads_are_released_as_often_as_they_may():
    text = plan(_changed("period: 10ms", "arrival: {sporadic: 7ms, jitter: 1ms}"))
    assert _lines(text, "timer") == ["timer 0 7000000 1000000"]


def test_large_topics_have_short_histories():
    text = plan(ddsrta.loads(TWO_THREADS.replace("1kB", "8MB")))
    assert _lines(text, "topic") == ["topic 0 8000000 0 4 speed"]


def test_tiny_messages_grow_to_what_the_harness_must_carry():
    assert _lines(plan(_changed("size: 1kB", "size: 8B")), "topic") == ["topic 0 32 0 500 speed"]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("period: 10ms", "arrival: {burst: {count: 3, distance: 1us, period: 1ms}}", "least distance"),
        ("period: 10ms", "arrival: {period: 9ms, jitter: 20ms, min_distance: 1ms}", "least distance"),
        ("priority: 85", "reservation: {budget: 1ms, period: 2ms}", "no reservations"),
        ("cores: [c0, c1]", "cores: {c0: {reservation: {budget: 8ms, period: 10ms}}, c1: {}}", "cannot set"),
    ],
)  # fmt: skip
def test_what_real_threads_cannot_do_is_refused_with_its_place(old, new, reason):
    with pytest.raises(InputError, match=reason) as caught:
        plan(_changed(old, new))
    assert caught.value.diagnostics[0].position is not None


def test_executors_are_refused():
    text = TWO_THREADS.split("threads:\n")[0] + (
        "executors:\n  ex: {core: ecu/c0, priority: 60, kind: single_threaded}\n"
        "callbacks:\n  tick: {executor: ex, wcet: 1ms, timer: 100ms}\n"
    )
    with pytest.raises(InputError, match="pure DDS"):
        plan(ddsrta.loads(text))


def test_names_that_would_break_lines_are_refused():
    with pytest.raises(InputError, match="printable"):
        plan(System("broken", topics={"two\nlines": Topic("two\nlines", 1000)}))


def test_the_name_of_a_system_fits_on_its_line():
    text = plan(dataclasses.replace(two_threads(), name="a\nb" + "x" * 500))
    assert _lines(text, "system")[0].startswith("system a bx")
    assert len(_lines(text, "system")[0]) < 120
