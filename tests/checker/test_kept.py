"""Claims that were confirmed of another system are kept where a change does not reach."""

from __future__ import annotations

import json
from random import Random

import pytest

import ddsrta
from ddsrta.checker.check import check_read
from ddsrta.checker.kept import earlier
from ddsrta.checker.reach import unreached
from ddsrta.checker.reading import CertificateError
from ddsrta.models.document import digest
from tests.checker.kept_changes import all_dated, dated, pairs, statuses
from tests.effort import calls, draws
from tests.soundness.draw import drawn
from tests.soundness.rallies import rallies_system

WATERS = "casestudies/waters2019/fifo.yaml"
CORES = """
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
delays: {flow_controller: {1kB: 50us}, listener: {1kB: 100us}}
topics: {speed: {size: 1kB}}
flow_controllers: {F: {core: m/b, priority: 5}}
listeners: {L: {core: m/b, priority: 4}}
threads:
  fast: {core: m/a, priority: 3, wcet: 1ms, period: 10ms}
  mid: {core: m/a, priority: 2, wcet: 2ms, period: 10ms,
        publishes: [{topic: speed, flow_controller: F}]}
  slow: {core: m/a, priority: 1, wcet: 3ms, period: 20ms}
  reader: {core: m/b, priority: 3, wcet: 1ms, subscribes: {topics: [speed], listener: L}}
  other: {core: m/c, priority: 1, wcet: 1ms, period: 5ms}
chains:
  long: {path: [mid, speed, reader]}
  short: {path: [other]}
"""


def kept(before, after):
    scenes = [earlier(ddsrta.analyze(one).certificate).scene for one in (before, after)]
    return {"/".join(key) for key in unreached(*scenes)}


ALL = {"job/fast", "job/mid", "job/slow", "job/reader", "job/other", "sample/mid/speed",
       "message/mid/speed/reader"}  # fmt: skip
BEHIND = {"sample/mid/speed", "message/mid/speed/reader", "job/reader"}  # what mid brings
EDITS = {
    "nothing": ({}, set()),
    "less urgent": ({"slow": {"wcet": 4_000_000}}, {"job/slow"}),
    "other numbers, one order": ({"fast": {"priority": 30}, "mid": {"priority": 20}}, set()),
    "first of a path": ({"mid": {"wcet": 3_000_000}}, {"job/mid", "job/slow", *BEHIND}),
    "most urgent": ({"fast": {"wcet": 2_000_000}}, ALL - {"job/other"}),
    "another order": ({"slow": {"priority": 9}}, ALL - {"job/other"}),
    "onto an idle core": ({"slow": {"core": "m/c", "priority": 9}}, {"job/slow", "job/other"}),
    "onto the end of a core": ({"slow": {"core": "m/b"}}, {"job/slow"}),
}


@pytest.mark.parametrize("name", EDITS)
def test_a_change_reaches_what_follows_and_what_is_no_more_urgent(name):
    edits, reached = EDITS[name]
    before = after = ddsrta.loads(CORES)
    for thread, change in edits.items():
        after = after.altered("threads", thread, **change)
    assert kept(before, after) == ALL - reached


@pytest.mark.parametrize("key", ["history", "priority", "size"])
def test_a_topic_is_of_those_that_write_and_read_it(key):
    before = ddsrta.loads(CORES)
    assert not kept(before, before.altered("topics", "speed", **{key: 7})) & BEHIND


@pytest.mark.parametrize(
    "words",
    [
        ("listener: {1kB: 100us}", "listener: {1kB: 90us}"),
        ("period: 5ms}", "arrival: {period: 5ms, offset: 1ms}}"),
        ("{core: m/b, priority: 5}", "{core: m/b, priority: 5, limit: {bytes: 9kB, period: 1ms}}"),
    ],
)
def test_what_is_of_all_reaches_all_or_its_own(words):
    before, after = ddsrta.loads(CORES), ddsrta.loads(CORES.replace(*words))
    found = kept(before, after)
    assert not found if "period: 5ms" not in words[0] else "job/other" not in found


def test_sources_of_one_clock_reach_each_other():
    text = CORES.replace("period: 5ms", "arrival: {period: 5ms, offset: 1ms}")
    text = text.replace("3ms, period: 20ms", "3ms, arrival: {period: 20ms, offset: 2ms}")
    before = ddsrta.loads(text)
    assert not kept(before, ddsrta.loads(text.replace("offset: 2ms", "offset: 3ms"))) & {
        "job/other", "job/slow"
    }  # fmt: skip


ROUND = """
ddsrta: 1
machines: {m: {cores: [a, b, c, d, e]}}
topics: {ping: {size: 1B}, pong: {size: 1B}}
listeners: {L: {core: m/c, priority: 80}, M: {core: m/e, priority: 80}}
threads:
  start: {core: m/a, priority: 9, wcet: 1ms, period: 400ms}
  wall: {core: m/a, priority: 8, wcet: 3ms, follows: {threads: [start]},
         subscribes: {topics: [ping], listener: M, delay: 1ns}, publishes: [{topic: pong, delay: 0ns}]}
  player: {core: m/b, priority: 7, wcet: 2ms, subscribes: {topics: [pong], listener: L, delay: 1ns},
           publishes: [{topic: ping, delay: 0ns, rounds: 3}]}
  over: {core: m/b, priority: 9, wcet: 1ms, period: 50ms}
  under: {core: m/b, priority: 1, wcet: 1ms, period: 50ms}
  behind: {core: m/d, priority: 1, wcet: 1ms, follows: {threads: [under]}}
  alone: {core: m/d, priority: 2, wcet: 1ms, period: 50ms}
"""
AROUND = {"job/wall", "job/player", "message/wall/pong/player", "message/player/ping/wall"}
UNDER = {"job/under", "job/behind"}
TURNS = {
    "below a circle": (("under: {core: m/b, priority: 1, wcet: 1ms", "2ms"), UNDER),
    "above a circle": (("over: {core: m/b, priority: 9, wcet: 1ms", "2ms"),
                       {"job/over", *AROUND, *UNDER}),
    "the last on a circle": (("priority: 7, wcet: 2ms", "1ms"), {*AROUND, *UNDER}),
    "more rounds": (("rounds: 3", "4"), {*AROUND, *UNDER}),
    "beside it": (("alone: {core: m/d, priority: 2, wcet: 1ms", "2ms"),
                  {"job/alone", "job/behind"}),
}  # fmt: skip


@pytest.mark.parametrize("name", TURNS)
def test_what_reaches_one_on_a_circle_reaches_all_of_it_and_nothing_else(name):
    (words, instead), reached = TURNS[name]
    assert words in ROUND
    other = ROUND.replace(words, words[: -len(instead)] + instead)
    found = kept(ddsrta.loads(ROUND), ddsrta.loads(other))
    every = kept(ddsrta.loads(ROUND), ddsrta.loads(ROUND))
    assert found == every - reached


def test_less_of_a_check_where_a_circle_is_not_reached():
    system = ddsrta.loads(ROUND)
    before = ddsrta.analyze(system)
    slower = system.altered("threads", "under", wcet=2_000_000)
    certificate = ddsrta.analyze(slower).certificate
    assert before.update(slower).certificate == certificate
    assert check_read(certificate, None, before.certificate)[0].ok
    less = calls(lambda: check_read(certificate, None, before.certificate))
    assert less < 0.9 * calls(lambda: check_read(certificate))


@pytest.mark.parametrize(
    ("seed", "draw"),
    [
        *((seed, drawn) for seed in range(draws(8, of=24))),
        *((seed, rallies_system) for seed in (0, 1, 2, 4, 5, 6, 7)),
    ],
)
def test_drawn_changes_are_judged_as_alone(seed, draw):
    random = Random(seed)
    for before, after in pairs(seed, 2, draw):
        alone, beside = statuses(after.certificate, before.certificate)
        assert alone == beside == "confirmed"
        figures = list(dated(before.certificate, after.certificate))
        for _, tampered in random.sample(figures, min(3, len(figures))):
            alone, beside = statuses(tampered, before.certificate)
            assert beside == alone
        if tampered := all_dated(before.certificate, after.certificate):
            alone, beside = statuses(tampered, before.certificate)
            assert beside == alone


def test_it_is_less_work_than_a_check_of_all():
    system = ddsrta.load(WATERS)
    before = ddsrta.analyze(system).certificate
    certificate = ddsrta.analyze(system.altered("threads", "P_SFM", wcet=31_000_000)).certificate
    assert check_read(certificate, None, before)[0].ok
    less = calls(lambda: check_read(certificate, None, before))
    assert less < 0.9 * calls(lambda: check_read(certificate))


def test_updates_keep_what_was_confirmed():
    system = ddsrta.load(WATERS)
    before = ddsrta.analyze(system)
    slower = system.altered("threads", "P_SFM", priority=3)
    after = before.update(slower)
    assert after == ddsrta.analyze(slower)
    assert after.update(system) == before
    less = calls(lambda: before.update(slower))
    assert less < 0.8 * calls(lambda: ddsrta.analyze(slower))


def test_what_was_not_confirmed_here_keeps_nothing():
    before = json.loads(json.dumps(ddsrta.analyze(ddsrta.loads(CORES)).certificate))
    before["stages"][0]["response"] -= 1
    before["digest"] = digest(before["system"])
    with pytest.raises(CertificateError, match="was not confirmed"):
        check_read(before, None, before)


def test_an_update_of_what_was_changed_since_stands_alone():
    system = ddsrta.load(WATERS)
    before, slower = ddsrta.analyze(system), system.altered("threads", "P_SFM", wcet=31_000_000)
    before.certificate["stages"][0]["response"] -= 1
    assert before.update(slower) == ddsrta.analyze(slower)


def test_the_work_for_what_is_kept_counts():
    certificate = ddsrta.analyze(ddsrta.load(WATERS)).certificate
    needed = check_read(certificate)[0].work
    assert check_read(certificate, needed - 1, certificate)[0].status == "undecided"
    assert check_read(certificate, 2 * needed, certificate)[0].ok
