"""Exact data ages, reactions and trigger latencies: all runs of tiny systems, and certificates."""

from __future__ import annotations

import copy
from functools import cache
from random import Random

import pytest

import ddsrta
from casestudies.analyses import loaded
from ddsrta.checker import CertificateError, check
from ddsrta.checker.budget import Budget
from ddsrta.checker.document import read_system
from ddsrta.checker.exact.check import WORK
from ddsrta.checker.exact.closed import Closed
from ddsrta.checker.exact.model import Model, UnknownError, figure_of
from ddsrta.checker.exact.replay import Replay
from ddsrta.checker.sums import RefutedError
from ddsrta.exploration.exact.exact import exact
from ddsrta.simulation.build import program_of
from ddsrta_simulator import Measure
from tests.effort import draws
from tests.exploration import tiny, tiny_paths
from tests.exploration.test_exact import explored
from tests.exploration.test_exact_certificate import change, changed

KINDS = ("data_age", "reaction_time", "trigger_latency")
NUMBERS = (2, 3, 4, 6, 10, 17, 22, 27)[
    : draws(4, of=8)
]  # of tiny paths, most of them with registers
SAMPLED = """ddsrta: 1
machines: {m: {cores: [a, b, c]}}
threads:
  p: {core: m/a, priority: 1, wcet: 3ms, period: 20ms}
  r: {core: m/b, priority: 1, wcet: 2ms, period: 10ms, follows: {threads: [p], delay: 1ms}}
chains: {c: {path: [p, r], constraint: data_age}}
"""


def compared(system: str, path: tuple[str, ...], kind: str, most: int) -> bool:
    """Whether a search came to an end, and then to this figure."""
    program = program_of(ddsrta.loads(system))
    found = explored(program, program.measures.index(Measure(kind, path)), most)
    assert not found or min(found) == most, system
    return bool(found)


@pytest.mark.parametrize("kind", KINDS)
def test_all_runs_of_tiny_paths_have_no_more_and_no_less(kind):
    count = 0
    for number in range(30, 30 + draws(15, of=45)):
        drawn = tiny_paths.drawn(Random(number))
        if kind == "trigger_latency" and any(drawn.tasks[i].period for i in drawn.path[1:]):
            continue
        everything = tiny_paths.Everything(drawn, kind)
        try:
            everything.run(1500)
        except tiny.TooManyError:
            continue
        most = everything.reaction if kind == "reaction_time" else everything.age
        path = tuple(f"t{i}" for i in drawn.path)
        count += compared(tiny_paths.text(drawn, kind), path, kind, most)
    assert count > 1


def test_all_runs_of_tiny_systems_with_a_register_have_no_more_and_no_less():
    count = 0
    for number in (7, 12, 20, 23, 28, 38, 52)[: draws(4, of=7)]:
        drawn = tiny.sampled(Random(number))
        for kind in KINDS[:2]:
            everything = tiny.Everything(drawn, reacts=kind == "reaction_time")
            try:
                everything.run(3000)
            except tiny.TooManyError:
                continue
            most = everything.reaction if kind == "reaction_time" else everything.age
            count += compared(tiny.text(drawn, kind), ("p", "t0", "r"), kind, most)
    assert count


@cache
def certified(number: int, kind: str):
    said = tiny_paths.text(tiny_paths.drawn(Random(number)), kind)
    return exact(ddsrta.loads(said), runs=100).certified


@pytest.mark.parametrize("kind", KINDS[:2])
def test_changed_certificates_say_no_less(kind):
    """Runs that are changed are none, or no longer; lists that are changed are refused, or say as much."""
    confirmed = 0
    for number in NUMBERS:
        made, random = certified(number, kind), Random(number)
        assert check(made).ok
        confirmed += 1
        (figure,), system = made["figures"], read_system(made["system"])
        model = Model(system, [figure_of(system, kind, tuple(figure["of"]))])
        for _ in range(30):
            try:
                assert Replay(model).play(changed(figure["run"], random)) <= figure["at_most"]
            except (RefutedError, CertificateError, UnknownError):
                continue
        for _ in range(12):
            listed = copy.deepcopy(made["proofs"][0])
            alter(listed, random)
            try:
                assert Closed(model, Budget(WORK)).check(listed, "")[0] >= figure["found"]
            except (RefutedError, CertificateError):
                continue
    assert confirmed == len(NUMBERS)


def alter(listed, random):
    one = random.choice(listed)
    if random.random() < 0.5:
        change(listed, random)
    elif random.random() < 0.5:
        one["registers"] = []
    else:
        one["known"] = [[figure, clock, max(0, n - 1)] for figure, clock, n in one["known"]]


@pytest.mark.parametrize("kind", KINDS[:2])
def test_a_lowered_figure_is_refused(kind):
    for number in NUMBERS:
        made = copy.deepcopy(certified(number, kind))
        figure = made["figures"][0]
        if figure["at_most"] == figure["found"]:
            figure["at_most"] = figure["found"] = figure["found"] - 1
            assert check(made).status == "refuted"
            figure["found"] = figure["run"] = None
            assert check(made).status == "refuted"


def test_news_in_a_register_come_when_the_run_decided():
    found = exact(ddsrta.loads(SAMPLED), runs=6000)
    (case,) = found.cases
    assert (case.exact, found.check.status) == (True, "confirmed")
    assert case.at_most == (3 + 1 + 20 + 2) * 10**6 - 1


def test_an_and_of_two_sources_begins_with_both():
    found = exact(loaded("published_and_wait", "system"), ["left"])
    assert found.check.status == "confirmed" and "common-start" in found.assumptions
    made = copy.deepcopy(found.certified)
    made["assumptions"].remove("common-start")
    assert "common-start" in check(made).failure


LATE = """\
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
delays: {publisher: {1kB: 1ms}, listener: {1kB: 1ms}}
topics: {x: {size: 1kB}}
listeners: {L: {core: m/c, priority: 5}}
threads:
  writer: {core: m/a, priority: 1, wcet: 3ms, period: 100ms, publishes: [{topic: x, mode: sync}]}
  reader: {core: m/b, priority: 1, wcet: 10ms, period: 100ms, subscribes: {topics: [x], listener: L}}
chains: {reaction: {path: [writer, x, reader], constraint: reaction_time}}
"""


@pytest.mark.parametrize("periods", [2, 3])
def test_a_run_that_begins_too_late_is_none(periods):
    """A reader that begins so many periods after the writer is in no run with a common start, and
    no figure is exact by it: with 3 it was confirmed as one of 315 ms."""
    made = copy.deepcopy(exact(ddsrta.loads(LATE), ["reaction"]).certified)
    assert check(made).ok
    (figure,) = made["figures"]
    run, ms = [], 10**6
    for release in range(0, 100 * (periods + 1) * ms, 100 * ms):
        run += [[release, "release", "writer"], [release + 3 * ms, "begin", "writer", "x"],
                [release + 4 * ms, "send", "writer", "x", "reader"],
                [release + 4 * ms, "end", "writer"],
                [release + 5 * ms, "read", "writer", "x", "reader"]]  # fmt: skip
    begins = (100 * periods + 5) * ms - 1
    run += [[begins, "release", "reader"], [begins + 10 * ms, "end", "reader"]]
    figure["run"] = sorted(
        (event for event in run if event[0] <= begins + 10 * ms), key=lambda event: event[0]
    )
    figure["at_most"] = figure["found"] = begins + 10 * ms
    assert "'reader' begins too long after the common start" in (check(made).failure or "")


def test_registers_of_several_writers_are_not_explored():
    said = """ddsrta: 1
machines: {m: {cores: [a, b, c, d]}}
delays: {publisher: {1kB: 1ms}, listener: {1kB: 1ms}}
topics: {t: {size: 1kB}}
listeners: {L: {core: m/c, priority: 9}}
threads:
  p: {core: m/a, priority: 2, wcet: 1ms, period: 20ms, publishes: [{topic: t, mode: sync}]}
  o: {core: m/d, priority: 2, wcet: 1ms, period: 20ms, publishes: [{topic: t, mode: sync}]}
  r: {core: m/b, priority: 1, wcet: 2ms, period: 20ms, subscribes: {topics: [t], listener: L}}
chains: {c: {path: [p, t, r], constraint: data_age}}
"""
    (case,) = exact(ddsrta.loads(said), ["c"], runs=20).cases
    assert case.explored is None


def test_what_is_not_needed_is_left_out():
    """With another source of no common period, which has a core of its own: as many situations."""
    (alone,) = exact(ddsrta.loads(SAMPLED)).cases
    more = SAMPLED.replace(
        "chains:", "  q: {core: m/c, priority: 1, wcet: 1ms, period: 7ms}\nchains:"
    )
    (beside,) = exact(ddsrta.loads(more)).cases
    assert (alone.at_most, alone.explored.states) == (beside.at_most, beside.explored.states)
