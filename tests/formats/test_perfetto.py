"""Chrome trace events, read back by the rules of the format."""

from __future__ import annotations

import io
import json
from collections import defaultdict
from decimal import Decimal

import pytest

from ddsrta.formats.perfetto import write
from ddsrta.simulation import Run, program_of, random_choices
from ddsrta.simulation.instance import buffers_of
from ddsrta.simulation.timelines import timeline, timelines
from tests.simulation.drawings import Scene
from tests.simulation.hostile import hostile
from tests.simulation.test_timeline import chain, of
from tests.soundness.ros2 import mixed_system


def written(pieces):
    stream = io.StringIO()
    write(pieces, stream)
    return json.loads(stream.getvalue(), parse_float=Decimal)["traceEvents"]


def nanoseconds(number):
    exact = number * 1000
    assert exact == int(exact)
    return int(exact)


class Read:
    """What a viewer makes of the events: slices on tracks, and flows between slices."""

    def __init__(self, events):
        self.processes = {}
        self.tracks = {}
        self.slices = defaultdict(list)
        self.flows = defaultdict(list)
        for event in events:
            if event["ph"] == "M":
                names = {"process_name": self.processes, "thread_name": self.tracks}
                key = event["pid"], event.get("tid")
                names.get(event["name"], {})[key] = event["args"].get("name")
            elif event["ph"] == "X":
                begin, long = nanoseconds(event["ts"]), nanoseconds(event["dur"])
                assert begin >= 0 and long >= 0
                self.slices[event["pid"], event["tid"]].append((begin, begin + long, event))
            else:
                assert event["ph"] in "stf"
                self.flows[event["cat"], event["name"], event["id"]].append(event)

    def check(self):
        """Slices do not overlap; each flow starts and ends once, inside of slices, in order."""
        for track, slices in self.slices.items():
            assert track in self.tracks and (track[0], None) in self.processes
            free = 0
            for begin, end, _ in sorted(slices, key=lambda each: each[:2]):
                assert free <= begin
                free = end
        for stops in self.flows.values():
            assert [s["ph"] for s in stops] == ["s", *"t" * (len(stops) - 2), "f"]
            assert stops[-1]["bp"] == "e"
            times = [nanoseconds(stop["ts"]) for stop in stops]
            assert times == sorted(times)
            for stop in stops:
                assert self.around(stop)

    def around(self, stop):
        """The slices that a flow may mean at a stop."""
        time = nanoseconds(stop["ts"])
        here = self.slices[stop["pid"], stop["tid"]]
        return [s for s in here if s[0] <= time < s[1] or s[0] == time == s[1]]

    def named(self, process, track):
        """Slices of a track by name."""
        pid = next(p for (p, _), name in self.processes.items() if name == process)
        tid = next(t for (p, t), name in self.tracks.items() if p == pid and name == track)
        return [(e["name"], b, end) for b, end, e in self.slices[pid, tid]]


def test_a_known_run():
    read = Read(written(of(chain(), 50)))
    read.check()
    assert read.named("core m/c0", "runs") == [
        ("p #0", 0, 4),
        ("busy #0", 4, 7),
        ("T #0 of p", 7, 9),
    ]
    assert read.named("threads of m", "F") == [("waits", 4, 7), ("T #0 of p", 7, 9)]
    assert read.named("threads of m", "r") == [("r #0", 10, 15)]


def test_a_flow_meets_the_work_that_it_goes_through():
    read = Read(written(of(chain(), 50)))
    (stops,) = read.flows.values()
    assert [[e["name"] for _, _, e in read.around(stop)] for stop in stops] == [
        ["p #0"],
        ["T #0 of p"],
        ["T #0 of p to r"],
        ["r #0"],
    ]
    assert stops[0]["args"] == {"topic": "T", "instance": 0, "latency_ns": 6}


def test_what_has_no_priority_says_its_scheduler():
    threads = "{{t: {{core: m/c0, {}, wcet: 1ns, period: 1ms}}}}"
    for said, shown in (
        ("priority: 7", 7),
        ("policy: other", "other"),
        ("reservation: {budget: 1ms, period: 1ms}", "deadline"),
    ):
        events = written(of(Scene("threads: " + threads.format(said), {"t": [0]}), 50))
        job = next(e for e in events if e["name"] == "t #0")
        assert job["args"]["priority"] == shown


def test_arguments_say_what_a_person_wants_to_know():
    events = written(of(chain(), 50))
    sample = next(e for e in events if e["name"] == "T #0 of p")
    assert sample["args"] == {
        "kind": "sample",
        "thread": "F",
        "priority": 5,
        "topic": "T",
        "instance": 0,
        "arrival_ns": 4,
        "response_ns": 5,
    }


@pytest.mark.parametrize("seed", range(8))
def test_random_runs_are_valid_and_complete(seed):
    program = program_of(mixed_system(seed))
    run = Run(program, random_choices(program, seed, 10**9), trace=3000)
    run.advance(10**15)
    rows = run.take_trace()
    read = Read(written(timeline(program, rows)))
    read.check()
    spans = timeline(program, rows).spans
    for core, name in enumerate(program.cores):
        ran = [(s.begin, s.end) for s in spans if s.core == core and s.begin < s.end]
        assert sorted(e[1:] for e in read.named(f"core {name}", "runs")) == sorted(ran)
    pieces = timelines(program, [rows[:500], rows[500:5000], rows[5000:]])
    again = Read(written(pieces))
    again.check()
    assert dict(again.slices) == {track: s for track, s in read.slices.items() if s}


def test_times_that_no_binary_fraction_can_hold():
    scene = Scene("threads: {t: {core: m/c0, priority: 1, wcet: 1ns, period: 1ms}}", {"t": [0]})
    begin = 2**52 + 123_456_789
    scene.choices.source_moment[0] = begin
    run = Run(scene.program, scene.choices, trace=100)
    run.advance(begin + 100)
    (slices, _) = Read(written(timeline(scene.program, run.take_trace()))).slices.values()
    assert slices[0][:2] == (begin, begin + 1)


def test_an_interrupted_run_leaves_valid_json():
    scene = chain()

    def pieces():
        yield of(scene, 50)
        raise KeyboardInterrupt

    stream = io.StringIO()
    with pytest.raises(KeyboardInterrupt):
        write(pieces(), stream)
    Read(json.loads(stream.getvalue(), parse_float=Decimal)["traceEvents"]).check()


def test_a_run_without_pieces_is_an_empty_trace():
    assert written([]) == []


def test_hostile_names_come_back_as_they_are():
    scene = hostile()
    events = written(of(scene, 50))
    names = {e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert set(scene.program.servers) <= names
    topic = scene.program.streams[0][1]
    assert {e["name"] for e in events if e["ph"] == "s"} == {topic}


def test_the_long_run_is_streamed():
    scene = chain()
    stream = io.StringIO()
    run = Run(scene.program, scene.choices, trace=100)
    write(timelines(scene.program, buffers_of(run, 10**6)), stream)
    Read(json.loads(stream.getvalue(), parse_float=Decimal)["traceEvents"]).check()
