"""The first tag is late by what lemma first-tag says, and not where nothing is said of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ddsrta.lf.bounds.rti import lags as with_an_rti
from ddsrta.lf.bounds.rti.first import first_grants
from ddsrta.lf.bounds.rti.lags import Lags, lags
from ddsrta.lf.program.reader import loads
from tests.lf.bounds.rti.start_model import FromStart
from tests.lf.bounds.rti.test_rti_runs import system
from tests.lf.federations import MS


def late(found: Lags, seed: int) -> Iterator[str]:
    """Who is done with a tag later than it is said to be."""
    run = FromStart(found.control.federation, seed, 60 * MS)
    for name, time in run.late.items():
        value, busy = found.values[name], found.busy[name]
        if value is not None and busy is not None and time > value + busy:
            yield name
    if not list(first_grants(found.control, found.zero_delay)):
        yield from run.tardy - set(found.assumed)


def test_no_run_from_the_start_on_is_above_the_bound() -> None:
    bounded = 0
    for seed in range(150):
        found = lags(system(seed))
        if not list(first_grants(found.control, found.zero_delay)):
            bounded += 1
            assert not {name for run in range(3) for name in late(found, run)}, seed
    assert bounded > 50


def test_who_asks_for_the_first_tag_when_it_comes_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(with_an_rti, "late_first", lambda control, name: {})
    above = [seed for seed in range(60) if any(late(lags(system(seed)), 0))]
    sure = [not list(first_grants(f.control, f.zero_delay)) for f in map(lags, map(system, above))]
    assert any(sure)


WOKEN = """\
federation: 1
coordination: centralized
hosts: {h: }
rti: {hop: 1ms, service: 0ms, dnet: false}
federates:
  slow:
    host: h
    timers: {t: {period: 1s}}
    outputs: [o]
    reactions: {r: {triggers: [t], effects: [o], wcet: 600ms}}
  fast:
    host: h
    timers: {t: {period: 5s}}
    outputs: [o]
    reactions: {r: {triggers: [t], effects: [o], wcet: 0ms, always: true}}
  sink:
    host: h
    timers: {t: {}}
    inputs: [a, b]
    reactions: {r: {triggers: [t, a, b], wcet: 0ms}}
connections:
  - {from: slow.o, to: sink.a}
  - {from: fast.o, to: sink.b, after: AFTER}
"""


def test_what_comes_while_the_first_tag_is_waited_for_makes_it_later() -> None:
    """A run of reactor-c 282c75d had (0, 0) of such a sink after 3.64 s: it asks for 3 s then."""
    found = lags(loads(WOKEN.replace("AFTER", "3s")))
    runs = [FromStart(found.control.federation, seed, 4000 * MS) for seed in range(8)]
    assert max(run.late["sink"] for run in runs) > 1600 * MS
    assert (found.values["sink"], found.busy["sink"]) == (602 * MS, 0)
    [assumed] = first_grants(found.control, found.zero_delay)
    assert assumed.message == "assumed: nothing comes to sink while it waits for the tag (0, 0)"


EARLY = """\
federation: 1
coordination: centralized
hosts: {h: }
rti: {hop: 1ms, service: 0ms, dnet: false}
federates:
  far:
    host: h
    timers: {t: {}}
    outputs: [o]
    reactions: {r: {triggers: [t], effects: [o], wcet: 0ms, always: true}}
  middle:
    host: h
    timers: {t: {offset: OFFSET, period: 5s}}
    inputs: [i]
    outputs: [o]
    reactions: {r: {triggers: [t, i], effects: [o], wcet: 0ms, always: true}}
  sink:
    host: h
    timers: {t: {period: 500ms}}
    inputs: [i]
    reactions: {r: {triggers: [t, i], wcet: 0ms}}
connections:
  - {from: far.o, to: middle.i, after: 3s}
  - {from: middle.o, to: sink.i}
"""


def test_who_is_woken_and_sends_at_the_first_tag_is_assumed_not_to_be() -> None:
    """It tells the RTI of a later tag, so that its message at (0, 0) comes when that is over."""
    found = lags(loads(EARLY.replace("OFFSET", "0 ms")))
    runs = [FromStart(found.control.federation, seed, 4000 * MS) for seed in range(60)]
    assert any(run.tardy == {"sink"} for run in runs)
    [assumed] = first_grants(found.control, found.zero_delay)
    assert assumed.message == "assumed: nothing comes to middle while it waits for the tag (0, 0)"


def test_who_has_nothing_at_the_first_tag_may_be_woken() -> None:
    found = lags(loads(EARLY.replace("OFFSET", "1 ms")))
    assert not list(first_grants(found.control, found.zero_delay))
    runs = [FromStart(found.control.federation, seed, 4000 * MS) for seed in range(60)]
    assert any(run.disturbed for run in runs) and not any(run.tardy for run in runs)
