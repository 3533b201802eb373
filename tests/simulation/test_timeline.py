"""Traces as spans and flows: of runs whose schedule is known, and of random ones."""

from __future__ import annotations

import gc
import tracemalloc

import pytest

from ddsrta.examples import two_threads
from ddsrta.simulation import Run, program_of, random_choices, worst_choices
from ddsrta.simulation.instance import buffers_of
from ddsrta.simulation.timeline import label
from ddsrta.simulation.timelines import timeline, timelines
from ddsrta_simulator.program import BEST, TRACE
from tests.simulation.drawings import Scene
from tests.soundness.ros2 import mixed_system

# p 0-4 hands over at 4; busy 4-7 keeps F from sending until 9; L reads 9-10; r runs 10-15
CHAIN = """
topics: {T: {size: 1B}}
flow_controllers: {F: {core: m/c0, priority: 5, policy: FIFO}}
listeners: {L: {core: m/c1, priority: 9}}
threads:
  p: {core: m/c0, priority: 9, wcet: 4ns, period: 1us, publishes: [{topic: T, flow_controller: F, delay: 2ns}]}
  busy: {core: m/c0, priority: 7, wcet: 3ns, period: 1us}
  r: {core: m/c1, priority: 1, wcet: 5ns, subscribes: {topics: [T], listener: L}}
chains: {c: {path: [p, T, r]}}
"""


def chain():
    return Scene(CHAIN, {"p": [0], "busy": [3]})


def of(scene, horizon):
    rows = [number for row in scene.trace(horizon) for number in row]
    return timeline(scene.program, rows)


def named(scene, unit):
    return label(scene.program, unit.stage, unit.number)


def test_spans_of_a_known_schedule():
    scene = chain()
    spans = {named(scene, s): (s.since, s.begin, s.end, s.done) for s in of(scene, 50).spans}
    assert spans == {
        "p #0": (0, 0, 4, True),
        "busy #0": (3, 4, 7, True),
        "T #0 of p": (4, 7, 9, True),
        "T #0 of p to r": (9, 9, 10, True),
        "r #0": (10, 10, 15, True),
    }


def test_a_flow_goes_from_the_publisher_to_the_job_that_it_releases():
    scene = chain()
    (flow,) = of(scene, 50).flows
    stops = [(named(scene, stop), stop.time, stop.begin, stop.end) for stop in flow.stops]
    assert stops == [
        ("p #0", 4, 0, 4),
        ("T #0 of p", 9, 7, 9),
        ("T #0 of p to r", 10, 9, 10),
        ("r #0", 10, 10, 15),
    ]
    assert (flow.sent, flow.received, flow.latency) == (9, 9, 6)


def test_publications_arrivals_and_causes():
    scene = chain()
    found = of(scene, 50)
    assert [(p.time, p.thread, p.job) for p in found.publications] == [(4, 0, 0)]
    arrivals = [(named(scene, a), a.time) for a in found.arrivals]
    assert ("busy #0", 3) in arrivals and ("r #0", 10) in arrivals
    (cause,) = found.causes
    assert (cause.time, cause.thread, cause.source, cause.message) == (10, 2, 0, 0)


def test_what_is_going_on_at_the_end_ends_there_and_is_not_complete():
    scene = chain()
    last = of(scene, 8).spans[-1]
    assert (named(scene, last), last.begin, last.end, last.done) == ("T #0 of p", 7, 7, False)
    assert of(scene, 8).flows == ()


def test_a_preempted_job_has_a_span_for_each_time_that_it_runs():
    scene = Scene(
        """
threads:
  low: {core: m/c0, priority: 1, wcet: 10ns, period: 100ns}
  high: {core: m/c0, priority: 2, wcet: 2ns, period: 8ns}
""",
        {"low": [0], "high": [4, 12]},
    )
    low = [(s.since, s.begin, s.end, s.done) for s in of(scene, 50).spans if s.stage == 0]
    assert low == [(0, 0, 4, False), (4, 6, 12, True)]


def test_a_closed_supply_is_shown_while_it_has_no_budget():
    machines = "machines: {m: {cores: {c0: {reservation: {budget: 3ns, period: 10ns}}}}}\n"
    text = "threads:\n  t: {core: m/c0, priority: 2, wcet: 4ns, period: 1us}\n"
    scene = Scene(text, machines=machines).reserve(phase=0, habit=BEST)
    found = of(scene, 12)
    assert [(c.begin, c.end) for c in found.closed] == [(3, 10)]
    assert [(s.begin, s.end) for s in found.spans] == [(0, 3), (10, 11)]


def test_a_follower_and_a_reader_that_time_releases():
    scene = Scene(
        """
threads:
  p: {core: m/c0, priority: 2, wcet: 4ns, period: 50ns}
  f: {core: m/c1, priority: 2, wcet: 2ns, follows: {threads: [p], delay: 3ns}}
  r: {core: m/c2, priority: 2, wcet: 2ns, period: 45ns, follows: {threads: [p]}}
""",
        {"p": [0], "r": [9]},
    )
    found = of(scene, 40)
    assert [[(named(scene, s), s.time) for s in flow.stops] for flow in found.flows] == [
        [("p #0", 4), ("f #0", 7)]
    ]
    assert [(c.thread, c.number, c.source, c.time) for c in found.causes] == [
        (1, 0, 0, 7),
        (2, 0, 0, 9),
    ]


def run_of(seed, trace):
    program = program_of(mixed_system(seed))
    choices = random_choices(program, seed, 10**9) if seed else worst_choices(program)
    return Run(program, choices, trace=trace, histograms=False)


def rows_of(seed, least):
    run = run_of(seed, least)
    run.advance(10**15)
    return run.program, run.take_trace()


@pytest.mark.parametrize("seed", range(6))
def test_pieces_are_the_whole(seed):
    program, rows = rows_of(seed, 3000)
    whole = timeline(program, rows)
    size = 37 * TRACE
    pieces = list(timelines(program, [rows[i : i + size] for i in range(0, len(rows), size)]))
    for name in ("spans", "arrivals", "publications", "flows", "causes", "closed"):
        joined = tuple(thing for piece in pieces for thing in getattr(piece, name))
        assert joined == getattr(whole, name)


@pytest.mark.parametrize("seed", range(6))
def test_no_core_does_two_things_at_once_and_nobody_is_served_before_arriving(seed):
    program, rows = rows_of(seed, 3000)
    free = {}
    spans = timeline(program, rows).spans
    assert spans
    for span in sorted(spans, key=lambda s: (s.begin, s.end)):
        assert free.get(span.core, 0) <= span.begin <= span.end
        assert span.arrival <= span.begin and span.since <= span.begin
        free[span.core] = span.end


@pytest.mark.parametrize("seed", range(6))
def test_a_flow_never_goes_back_in_time(seed):
    program, rows = rows_of(seed, 3000)
    for flow in timeline(program, rows).flows:
        times = [stop.time for stop in flow.stops]
        assert times == sorted(times)
        assert all(stop.begin <= stop.end for stop in flow.stops)


def test_rows_that_are_cut_are_refused():
    with pytest.raises(ValueError, match="rows of 5"):
        timeline(chain().program, [1, 2, 3])


def test_memory_does_not_grow_with_the_trace():
    """To keep all would take 70 kB a buffer, 2,000 kB here; what else the process does meanwhile
    has taken 90."""
    program = program_of(two_threads())
    run = Run(program, worst_choices(program), trace=500, histograms=False)
    held = {}
    tracemalloc.start()
    try:
        for count, _ in enumerate(timelines(program, buffers_of(run, 10**15))):
            if count in (10, 40):
                gc.collect()  # so that no free list counts
                held[count] = tracemalloc.get_traced_memory()[0]
            if count == 40:
                break
    finally:
        tracemalloc.stop()
    assert held[40] < held[10] + 500_000
