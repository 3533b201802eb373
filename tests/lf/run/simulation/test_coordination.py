"""What coordination means: waiting, absence, tardy messages; grants, cycles, counted messages."""

from __future__ import annotations

import pytest

from ddsrta.lf.bounds.rti.counts import counts
from ddsrta.lf.bounds.rti.lags import lags
from ddsrta.lf.program.examples import CENTRALIZED, TWO_FEDERATES
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.reader import loads
from ddsrta.lf.run.simulation.choices import Choices
from ddsrta.lf.run.simulation.run import run_centralized, run_decentralized
from ddsrta.lf.run.simulation.seen import Seen
from tests.lf.bounds.rti.test_rti import DIAMOND, FOUR, central
from tests.lf.federations import MS, US

LATE = {"front": -50_000, "rear": 100_000}


def changed(source: str, *changes: tuple[str, str]) -> Federation:
    for old, new in changes:
        assert old in source
        source = source.replace(old, new)
    return loads(source, "f.yaml")


def sink_waits(wait: int | str, *changes: tuple[str, str], horizon: int = 100 * MS) -> Seen:
    seen = Seen()
    waits = {"source": 0, "sink": wait}
    federation = changed(TWO_FEDERATES, *changes)
    run_decentralized(federation, waits, Choices(1, "worst", LATE), horizon, seen)  # type: ignore[arg-type]
    return seen


def test_a_tardy_message_gets_the_next_microstep() -> None:
    """21 ticks, 21 messages, each 1.65 ms late: each is a tag of its own."""
    seen = sink_waits(200 * US)
    assert (seen.tardy[0].count, seen.tags["sink"]) == (21, 42)
    assert seen.tardy[0].clean == 1650 * US
    assert seen.arrival[0].clean is None  # nothing is bounded from there on


def test_time_for_absence_comes_on_top_of_maxwait() -> None:
    enough = ("to: sink.in}", "to: sink.in, absent_after: 1450us}")
    assert not sink_waits(200 * US, enough).tardy
    short = ("to: sink.in}", "to: sink.in, absent_after: 1449us}")
    assert sink_waits(200 * US, short).tardy[0].count == 21


def test_forever_is_never_tardy_but_can_last() -> None:
    assert not sink_waits("forever").tardy
    off = ("{own: {period: 5ms}}", "{own: {period: 5ms, offset: 2ms}}")
    seen = sink_waits("forever", off, horizon=104 * MS)
    assert seen.start["sink"].most == 5 * MS - 2 * MS + 1650 * US
    assert seen.waiting == {"sink"}  # for what comes after the last message


def test_a_message_over_a_physical_connection_is_never_tardy() -> None:
    seen = sink_waits(0, ("to: sink.in}", "to: sink.in, physical: true, min_spacing: 1ms}"))
    assert (seen.tags["sink"], seen.tardy) == (41, {})  # the last is beyond the horizon


def test_a_missed_deadline_is_counted() -> None:
    seen = sink_waits(2 * MS, ("deadline: 10ms", "deadline: 1649us"))
    assert seen.missed == {("sink", "consume"): 21}


def totals(federation: Federation, seed: int = 0, horizon: int = 999 * MS) -> dict[str, int]:
    seen = Seen()
    run_centralized(federation, Choices(seed, "worst"), horizon, seen)
    assert not seen.waiting
    return {f"{kind} {way}": count for (kind, way), count in seen.messages.items()}


def test_messages_at_a_tag_are_those_of_the_analysis_and_of_observed_programs() -> None:
    """Ten events on their own. Programs showed 5 TAG and 6 DNET for the chain, 4 and 6 for the
    diamond."""
    chain = [("s", "p"), ("p", "q"), ("q", "d")]
    for ways, tags, dnets in ((chain, 5, 6), (DIAMOND, 4, 6)):
        for rti in ("hop: 100us, service: 10us", "hop: 100us, service: 10us, dnet: false"):
            federation = central(FOUR, ways, rti)
            seen = totals(federation)
            for count in counts(lags(federation)):
                total = seen.get(f"{count.kind} {count.direction}", 0)
                exact = count.claim != "at least"
                assert total == 10 * count.count if exact else total >= 10 * count.count, count
            assert seen["TAG down"] == 10 * tags
            assert seen.get("DNET down", 0) == (0 if "false" in rti else 10 * dnets)


def test_an_event_with_several_tags_at_a_federate_has_more_messages() -> None:
    ways = [("s", "p"), ("s", "q", "after: 5ms"), ("p", "d"), ("q", "d")]
    federation = central(FOUR, ways)
    assert totals(federation)["LTC up"] == 40
    claims = {count.kind: (count.count, count.claim) for count in counts(lags(federation))}
    assert claims["LTC"] == (3, "at least")


def test_a_zero_delay_cycle_goes_round_with_provisional_grants() -> None:
    """Ask 1 ms, serve 2 ms, use 1 ms, and two ways over the RTI."""
    federation = loads(CYCLE, "f.yaml")
    seen = Seen()
    run_centralized(federation, Choices(1, "worst"), 199 * MS, seen)
    assert (seen.tardy, seen.waiting) == ({}, set())
    assert seen.chains["call"].most == 4 * MS + 2 * 210 * US
    assert seen.messages["MSG", "up"] == 2 * 10
    assert seen.messages["LTC", "up"] == 2 * 10
    assert seen.messages["PTAG", "down"] == 2 * 9  # those of the first tag come before its time


def test_the_clock_of_a_physical_federate_is_told_each_interval() -> None:
    """Nothing is pressed but at 0: the sink waits for the clock, 2 ms at most, and the RTI."""
    physical = (
        ("    timers: {tick: {period: 5ms}}\n",
         "    actions: {pressed: {kind: physical, min_spacing: 10s}}\n"),
        ("triggers: [tick]", "triggers: [pressed]"),
        ("service: 10us", "service: 10us, advance_message_interval: 2ms"),
        ("own: {period: 5ms}", "own: {period: 5003us}"),
    )  # fmt: skip
    federation = changed(CENTRALIZED, *physical)
    seen = Seen()
    for number in range(6):
        seen.begin(number)
        run_centralized(federation, Choices(number, "worst", LATE), 1000 * MS, seen)
    most = seen.start["sink"].most or 0
    bound = lags(federation).values["sink"] or 0
    assert bound == 2 * MS + 500 * US + 110 * US + 150 * US
    assert 2 * MS < most <= bound


@pytest.mark.parametrize(
    ("after", "sink"),
    [
        (", after: 20ms", "1ms"),  # the source's next tag is the message's: no later one to tell
        ("", "15ms"),  # the sink is done, and wants nothing for now, while the source sends
    ],
)
def test_who_has_sent_a_message_may_have_to_be_asked(after: str, sink: str) -> None:
    """Both as in runs of reactor-c, where a hop of 100 ms was put between all."""
    federation = changed(ASKED, (", after: 1s", after), ("SINK", sink))
    seen = Seen()
    for number in range(20):
        seen.begin(number)
        run_centralized(federation, Choices(number, "worst"), 500 * MS, seen)
    bound = lags(federation).values["sink"]
    unasked = lags(
        changed(ASKED, (", after: 1s", after), ("SINK", sink), ("dnet: true", "dnet: false"))
    )
    assert seen.start["sink"].most == bound == (unasked.values["sink"] or 0) + 2 * MS


ASKED = """\
federation: 1
coordination: centralized
hosts: {h: }
rti: {hop: 1ms, service: 0 ms, dnet: true}
federates:
  source:
    host: h
    timers: {tick: {period: 20ms}}
    outputs: [out]
    reactions:
      send: {reactor: a, triggers: [tick], effects: [out], wcet: 17ms, always: true}
      more: {reactor: b, triggers: [tick], wcet: 2ms}
  sink:
    host: h
    inputs: [in]
    reactions:
      take: {triggers: [in], wcet: SINK}
connections:
  - {from: source.out, to: sink.in, after: 1s}
"""
CYCLE = """\
federation: 1
coordination: centralized
hosts: {h: }
rti: {hop: 100us, service: 10us}
federates:
  client:
    host: h
    timers: {tick: {period: 20ms}}
    inputs: [answer]
    outputs: [request]
    reactions:
      ask: {triggers: [tick], effects: [request], wcet: 1ms, always: true}
      use: {triggers: [answer], wcet: 1ms}
  server:
    host: h
    inputs: [request]
    outputs: [answer]
    reactions:
      serve: {triggers: [request], effects: [answer], wcet: 2ms, always: true}
connections:
  - {from: client.request, to: server.request}
  - {from: server.answer, to: client.answer}
chains:
  call: {from: client.ask, to: client.use}
"""
