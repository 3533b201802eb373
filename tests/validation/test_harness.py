"""Latencies in a trace of the harness, counted by hand; and traces that nothing follows from."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import ddsrta
from ddsrta.base.diagnostics import InputError
from ddsrta.bounds.analyze import analyze
from ddsrta.examples import TWO_THREADS, two_threads
from ddsrta.models.system import System
from ddsrta.validation.compare import compare
from ddsrta.validation.measured import InconclusiveError, Key, Measured
from ddsrta.validation.reading import read_measured
from tests.effort import draws
from tests.validation.harness_trace import HarnessTrace, two_threads_trace

MS = 1_000_000
HEAD = """
ddsrta: 1
machines: {m: {cores: [a, b]}}
delays: {flow_controller: {1kB: 10us}, listener: {1kB: 10us}, publisher: {1kB: 10us}}
listeners: {L: {core: m/b, priority: 90}}
"""
SAMPLED = f"""{HEAD}
topics: {{t: {{size: 1kB}}}}
threads:
  source: {{core: m/a, priority: 9, wcet: 1ms, period: 10ms, publishes: [{{topic: t, mode: sync}}]}}
  sink: {{core: m/b, priority: 9, wcet: 1ms, period: 10ms, subscribes: {{topics: [t], listener: L}}}}
chains: {{c: {{path: [source, t, sink], constraint: data_age, deadline: 1s}}}}
"""
JOINED = f"""{HEAD}
topics: {{t: {{size: 1kB}}, u: {{size: 1kB}}}}
threads:
  left: {{core: m/a, priority: 9, wcet: 1ms, period: 10ms, publishes: [{{topic: t, mode: sync}}]}}
  right: {{core: m/a, priority: 8, wcet: 1ms, period: 10ms, publishes: [{{topic: u, mode: sync}}]}}
  sink: {{core: m/b, priority: 9, wcet: 1ms, subscribes: {{topics: [t, u], listener: L, activation: and}}}}
  after: {{core: m/b, priority: 8, wcet: 1ms, follows: {{threads: [sink]}}}}
chains:
  l: {{path: [left, t, sink, after], deadline: 1s}}
  r: {{path: [right, u, sink, after], deadline: 1s}}
"""


def measured(trace: HarnessTrace | str, system: System, folder: Path) -> Measured:
    path = folder / "run.trace"
    path.write_text(trace if isinstance(trace, str) else trace.text(), encoding="utf-8")
    paths = {name: chain.path for name, chain in analyze(system).chains.items()}
    return read_measured(str(path), system, paths)


def figures(seen: Measured) -> dict[Key, tuple[int, int]]:
    return {key: (series.count, series.most) for key, series in seen.series.items()}


def test_messages_jobs_and_chains_are_followed(tmp_path: Path) -> None:
    seen = measured(two_threads_trace(), two_threads(), tmp_path)
    assert figures(seen) == {
        Key("message", ("sensor", "speed", "control"), "async"): (3, 500_000),
        Key("response", ("sensor",)): (3, 950_000),
        Key("response", ("control",)): (3, 1_510_000),
        Key("chain", ("control loop",), "latency"): (3, 2_910_000),
        Key("chain", ("control loop",), "trigger_latency"): (3, 2_910_000),
    }
    assert seen.notes == [
        "the harness warned: virtual machine",
        "evidence of what else ran on the CPUs: none: the trace does not speak of any",
    ]


def test_a_synchronous_message_counts_from_its_job_and_a_sample_is_as_old_as_its_source(
    tmp_path: Path,
) -> None:
    trace = HarnessTrace(["source", "sink"], ["t"], [(0, 0, "sync")], [(1, 0)])
    trace.job((1 * MS, 2 * MS), 0, 0, 0)
    trace.message((int(1.5 * MS), int(1.9 * MS)), 0, 0, 0, 0, 0)
    for job in (0, 1):  # the same message is sampled twice
        begin = 5 * MS + 10 * MS * job
        trace.job((begin + 500, begin + 1 * MS), 1, job, begin, ((0, 0, 0),))
    trace.events.sort(key=lambda event: event[0])
    seen = figures(measured(trace, ddsrta.loads(SAMPLED), tmp_path))
    assert seen[Key("message", ("source", "t", "sink"), "sync")] == (1, int(1.9 * MS))
    assert seen[Key("response", ("sink",))] == (2, 1 * MS)
    assert seen[Key("chain", ("c",), "data_age")] == (2, 16 * MS)
    assert Key("chain", ("c",), "latency") not in seen


def test_a_deadline_of_a_figure_that_cannot_be_measured_is_told(tmp_path: Path) -> None:
    text = TWO_THREADS.replace("deadline: 8ms", "deadline: 80ms, constraint: reaction_time")
    system = ddsrta.loads(text)
    found = compare(system, analyze(system), measured(two_threads_trace(), system, tmp_path))
    assert found.unmeasured == ("chain control loop, reaction time",)
    assert "latency" in [row.figure for row in found.rows]


def test_the_trigger_latency_of_a_chain_is_that_of_the_input_that_came_last(tmp_path: Path) -> None:
    trace = HarnessTrace(
        ["left", "right", "sink", "after"], ["t", "u"],
        [(0, 0, "sync"), (1, 1, "sync")], [(2, 0), (2, 1)],
    )  # fmt: skip
    trace.job((0, 2 * MS), 0, 0, 0)
    trace.job((2 * MS, 4 * MS), 1, 0, 0)
    trace.message((1 * MS, int(1.5 * MS)), 0, 0, 0, 0, 0, (0,))
    trace.message((3 * MS, int(3.5 * MS)), 1, 0, 1, 1, 0, (1,))
    trace.job((4 * MS, 5 * MS), 2, 0, None, ((0, 0, 0), (1, 1, 0)))
    trace.see(6 * MS, "start", 3)
    trace.see(6 * MS, "follow", 3, 0, "", 2, 0)
    trace.see(7 * MS, "complete", 3)
    seen = figures(measured(trace, ddsrta.loads(JOINED), tmp_path))
    assert seen[Key("response", ("sink",))] == (1, int(1.5 * MS))
    assert seen[Key("response", ("after",))] == (1, 2 * MS)
    assert seen[Key("chain", ("r",), "trigger_latency")] == (1, 7 * MS)
    assert seen[Key("chain", ("l",), "latency")] == (1, 7 * MS)
    assert Key("chain", ("l",), "trigger_latency") not in seen


def test_a_message_that_is_taken_before_its_delivery_is_written_down(tmp_path: Path) -> None:
    """The listener may finish after the subscriber, on another core, has started."""
    trace = HarnessTrace(["sensor", "control"], ["speed"], [(0, 0, "async")], [(1, 0)])
    trace.job((0, 950_000), 0, 0, 0)
    trace.message((900_000, 990_000), 0, 0, 0, 0, 0)
    trace.job((970_000, 980_000), 1, 0, None, ((0, 0, 0),))
    seen = figures(measured(trace, two_threads(), tmp_path))
    assert seen[Key("response", ("control",))] == (1, 10_000)
    assert seen[Key("message", ("sensor", "speed", "control"), "async")] == (1, 90_000)


def test_the_worst_is_told_with_the_time_in_which_its_thread_did_not_run(tmp_path: Path) -> None:
    trace = HarnessTrace(["sensor", "control"], ["speed"], [(0, 0, "async")], [(1, 0)])
    trace.see(0, "release", 0)
    trace.see(10, "start", 0, cpu=5)
    trace.see(5_000_010, "complete", 0, cpu=1_000_005)
    worst = measured(trace, two_threads(), tmp_path).series[Key("response", ("sensor",))].worst
    assert worst == (5_000_010, "job 0", 4_000_000)


def test_what_is_open_does_not_grow_with_the_trace(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("ddsrta.validation.harness._MOST_OPEN", 5)
    seen = measured(two_threads_trace(200), two_threads(), tmp_path)
    assert seen.series[Key("response", ("control",))].count == 200


WHOLE = two_threads_trace().text()


@pytest.mark.parametrize(
    "text",
    [
        *(WHOLE[:cut] for cut in range(20, len(WHOLE), 61)),
        WHOLE[:-1],
        WHOLE.replace("900000", "900001"),
        WHOLE.replace("complete", "compleat"),
        WHOLE + "1,1,start,0,9,,,0,\n",
        WHOLE.replace("publish", "\x00ublish"),
    ],
)
def test_a_damaged_trace_gives_no_number(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError):
        measured(text, two_threads(), tmp_path)


@pytest.mark.parametrize(
    ("attribute", "value", "says"),
    [
        ("end", "records={records} lost_records=7 refused=0", "lossy: lost_records=7"),
        ("end", "records={records} lost_messages=1", "lossy: lost_messages=1"),
        ("end", "records={records} dropped=2", "lossy: dropped=2"),
        ("end", "records={records} lost_records=0 refused=0", "not say lost_messages, lost_inputs"),
        ("end", "records=5", "22 records, not 5"),
        ("ended", "interrupted", "the run ended: 'interrupted'"),
        ("ended", "by the watchdog, as thread 0 (a) made no progress", "by the watchdog"),
    ],
)
def test_a_lossy_trace_is_inconclusive(attribute: str, value: str, says: str, tmp_path) -> None:
    trace = two_threads_trace(2)
    setattr(trace, attribute, value)
    if says.startswith("22"):
        says = f"{len(trace.events)} records, not 5"
    with pytest.raises(InconclusiveError, match=says.replace("(", r"\(")):
        measured(trace, two_threads(), tmp_path)


def test_a_trace_of_nothing_passes_for_no_run(tmp_path: Path) -> None:
    trace = two_threads_trace(jobs=0)
    for trace.ended in ("as planned", "without any event", "interrupted"):
        with pytest.raises(InconclusiveError, match=r"no events|the run ended"):
            measured(trace, two_threads(), tmp_path)


def test_what_never_arrives_or_ends_is_inconclusive_whatever_the_end_mark_says(tmp_path) -> None:
    for kind in ("delivered", "complete"):
        trace = two_threads_trace(2)
        last = max(i for i, event in enumerate(trace.events) if kind in event[2])
        del trace.events[last]
        with pytest.raises(InconclusiveError):
            measured(trace, two_threads(), tmp_path)


def test_an_event_that_says_of_a_loss_is_one(tmp_path: Path) -> None:
    trace = two_threads_trace(2)
    trace.see(99, "drop", 0, 0, 0, 0, 0)
    with pytest.raises(InconclusiveError, match="'drop' at 99 ns"):
        measured(trace, two_threads(), tmp_path)


@pytest.mark.parametrize("seed", range(draws(40, of=150)))
def test_nonsense_with_a_right_checksum_gets_a_result_or_an_error(seed: int, tmp_path) -> None:
    """Numbers changed, lines exchanged, doubled and left out: never an exception of Python."""
    draw = random.Random(seed)
    trace = two_threads_trace(3)
    lines = [line for _, _, line in trace.events]
    for _ in range(draw.randint(1, 4)):
        place = draw.randrange(len(lines))
        words = lines[place].split(",")
        words[draw.randrange(9)] = draw.choice(
            ["", "-5", "0", "1", "7", "9" * 18, "take", "follow", "start"]
        )
        change = draw.randrange(4)
        if change == 0:
            lines[place] = ",".join(words)
        elif change == 1:
            other = draw.randrange(len(lines))
            lines[place], lines[other] = lines[other], lines[place]
        elif change == 2:
            del lines[place]
        else:
            lines.insert(place, ",".join(words))
    if draw.random() < 0.3:
        trace.names[draw.randrange(len(trace.names))] = draw.choice(
            [
                "# who 0 listener x",
                "# writer 0 thread 5 topic 9 async",
                "# reader x",
                "# reader 0 thread 1 topic 3",
            ]
        )
    trace.events = [(0, number, line) for number, line in enumerate(lines)]
    try:
        seen = measured(trace, two_threads(), tmp_path)
    except InputError:
        return
    assert all(series.least >= 0 for series in seen.series.values())
