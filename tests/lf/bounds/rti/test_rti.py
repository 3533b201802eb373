"""Lags under an RTI: small federations whose equations a hand can solve, and what must hold."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise

import pytest

from ddsrta.lf.bounds.rti.judge import RtiReport, judge_rti
from ddsrta.lf.bounds.rti.lags import lags
from ddsrta.lf.bounds.unbounded import NO_CLOCK_ERROR, NO_HOP, NO_SERVICE
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.reader import loads
from tests.effort import draws
from tests.lf.federations import MS, US, text

HOP, SERVICE = 100 * US, 10 * US
WAY = 2 * HOP + SERVICE
Connections = Sequence[tuple[str, str] | tuple[str, str, str]]


def central(
    wcets: dict[str, str],
    connections: Connections,
    rti: str = "hop: 100us, service: 10us, dnet: false",
    chains: str = "",
    always: bool = True,
    **more: object,
) -> Federation:
    """Federates under an RTI, on one host."""
    written = text(wcets, connections, chains=chains, **more)  # type: ignore[arg-type]
    written = written.replace(": decentralized", f": centralized\nrti: {{{rti}}}")
    if always:
        written = written.replace("effects: [out]", "effects: [out], always: true")
    return loads(written, "f.yaml")


def chain_of(count: int, rti: str) -> RtiReport:
    names = [f"f{index}" for index in range(count)]
    links = list(pairwise(names))
    chain = f"chains: {{all: {{from: f0.r, to: {names[-1]}.r}}}}\n"
    wcets = dict.fromkeys(names, "300us")
    return judge_rti(central(wcets, links, rti, chain, delay="100us"))


def test_two_federates() -> None:
    found = lags(central({"a": "500us", "b": "1ms"}, [("a", "b")]))
    assert found.values == {"a": 0, "b": 500 * US + WAY}
    assert found.busy == {"a": 500 * US, "b": MS}
    assert [grant.source for grant in found.paths["b"]] == ["a"]


@pytest.mark.parametrize("count", [2, 3, 4, 7])
def test_a_chain_has_twice_the_hops(count: int) -> None:
    price = chain_of(count, "hop: 100us, service: 0 ms, dnet: false").chains["all"]
    stages = count - 1
    assert price.centralized.latency == count * 300 * US + 2 * stages * HOP
    assert price.decentralized.latency == count * 300 * US + stages * HOP
    assert price.difference == stages * HOP


def test_each_stage_of_a_chain_adds_the_service() -> None:
    found = chain_of(4, "hop: 100us, service: 10us, dnet: false").lags.values
    assert list(found.values()) == [stage * (300 * US + WAY) for stage in range(4)]


DIAMOND: Connections = [("s", "p"), ("s", "q"), ("p", "d"), ("q", "d")]
FOUR = {"s": "100us", "p": "200us", "q": "700us", "d": "50us"}


def test_a_diamond_waits_for_its_later_branch() -> None:
    found = lags(central(FOUR, DIAMOND))
    branch = 100 * US + WAY
    assert found.values == {"s": 0, "p": branch, "q": branch, "d": branch + 700 * US + WAY}
    assert [grant.source for grant in found.paths["d"]] == ["s", "q"]


@pytest.mark.parametrize("always", [True, False])
def test_each_stage_may_have_to_be_asked_with_dnet_only(always: bool) -> None:
    sure = lags(central(FOUR, DIAMOND, always=always)).values["d"]
    asked = lags(central(FOUR, DIAMOND, "hop: 100us, service: 10us", always=always)).values["d"]
    assert sure is not None
    assert asked == sure + 2 * WAY


def test_after_takes_off_and_never_below_nothing() -> None:
    for after, left in (("3ms", 0), ("400us", 310 * US), ("0 ms", 500 * US + WAY)):
        system = central({"a": "500us", "b": "0.1us"}, [("a", "b", f"after: {after}")])
        assert lags(system).values["b"] == left


def test_zero_delay_cycles_are_named() -> None:
    links = [("a", "b"), ("b", "a"), ("b", "c"), ("x", "y")]
    wcets = dict.fromkeys("abcxy", "10us")
    report = judge_rti(central(wcets, links, sources=("a",)))
    assert report.lags.zero_delay == (("a", "b"),)
    values = report.lags.values
    # What both do at a tag and the two messages, then the way to c.
    assert values["c"] == 2 * 10 * US + 3 * WAY
    assert [values[name] for name in "abx"] == [0, 0, 0]
    assert values["y"] == 10 * US + WAY
    (finding,) = [finding for finding in report.findings if finding.rule == "zero-delay-cycle"]
    assert finding.severity == "note"
    assert "a, b are in a zero-delay cycle" in finding.message


def test_a_cycle_with_after_has_lags_unless_it_takes_longer() -> None:
    def cycle(wcet: str) -> RtiReport:
        links = [("a", "b"), ("b", "a", "after: 50ms")]
        return judge_rti(central({"a": wcet, "b": wcet}, links, sources=("a",)))

    enough = cycle("20ms").lags
    # The first tag of a is asked for when it comes.
    assert enough.values == {"a": 0, "b": 20 * MS + 2 * WAY}
    report = cycle("30ms")
    assert report.verdict == "unbounded"
    [circle] = report.lags.circles
    assert sorted(circle.members) == ["a", "b"]
    assert circle.weight == 60 * MS + 3 * WAY - 50 * MS
    assert "takes more time than 'after' gives" in report.lags.because["b"]


def physical(after: str = "", action: str = "", rti: str = "") -> int | None:
    written = f"""\
federation: 1
coordination: centralized
hosts: {{h: }}
rti: {{hop: 100us, service: 10us{rti}}}
federates:
  s:
    host: h
    actions: {{a: {{kind: physical, min_spacing: 1s{action}}}}}
    outputs: [out]
    reactions: {{r: {{triggers: [a], effects: [out], wcet: 50us}}}}
  d:
    host: h
    inputs: [in]
    timers: {{t: {{offset: 2ms, period: 50ms}}}}
    reactions: {{r: {{triggers: [in], wcet: 50us}}, own: {{triggers: [t], wcet: 50us}}}}
connections:
  - {{from: s.out, to: d.in{after}}}
"""
    return lags(loads(written, "f.yaml")).values["d"]


def test_physical_actions_upstream_cost_the_interval() -> None:
    """No NET is sent while one is bounded by the clock: the least delay is no help, and all that
    there is to the outputs may come on top."""
    assert physical() == 10 * MS + 50 * US + WAY
    assert physical(rti=", advance_message_interval: 2ms") == 2 * MS + 50 * US + WAY
    assert physical(action=", min_delay: 4ms") == 14 * MS + 50 * US + WAY
    more = "}, l: {min_delay: 3ms"
    assert physical(action=", min_delay: 4ms" + more) == 17 * MS + 50 * US + WAY
    assert physical(after=", after: 5ms") == 5 * MS + 50 * US + WAY
    assert physical(after=", after: 20ms") == WAY


def local(period: str, rti: str) -> RtiReport:
    more = {"b": f"timers: {{t: {{period: {period}}}}}"}
    written = text({"a": "1us", "b": "1us"}, [("a", "b")], more=more)
    written = written.replace("    timers: {}\n", "").replace("[from_a], eff", "[from_a, t], eff")
    return judge_rti(
        loads(written.replace(": decentralized", f": centralized\nrti: {{{rti}}}"), "f")
    )


def test_grants_of_local_events_take_a_round_trip_each() -> None:
    with_dnet, without = "hop: 100us, service: 10us", "hop: 100us, service: 10us, dnet: false"
    # Four hops and two services with DNET, two hops and one service without.
    assert local("425us", with_dnet).lags.busy["b"] is not None
    assert local("415us", with_dnet).lags.busy["b"] is None
    assert local("415us", without).lags.busy["b"] is not None
    assert local("205us", without).lags.busy["b"] is None


def test_clocks_of_hosts_count() -> None:
    written = text({"a": "500us", "b": "1ms"}, [("a", "b")])
    rti = "rti: {hop: 100us, service: 10us, dnet: false}"
    written = written.replace(": decentralized", f": centralized\n{rti}")
    written = written.replace("{h: }", "{h: {clock_error: 20us}, g: {clock_error: 30us}}")
    apart = written.replace("  b:\n    host: h", "  b:\n    host: g")
    assert lags(loads(apart, "f.yaml")).values["b"] == 500 * US + WAY + 50 * US
    unknown = lags(loads(apart.replace("{clock_error: 30us}", ""), "f.yaml"))
    assert unknown.because == {"b": NO_CLOCK_ERROR.of(hosts="h and g")}


def test_what_is_not_given_is_not_known() -> None:
    for rti, because in (
        ("hop: 100us", NO_SERVICE.of()),
        ("service: 10us", NO_HOP.of(federate="a")),
    ):
        report = judge_rti(central({"a": "500us", "b": "1ms"}, [("a", "b")], rti))
        assert report.lags.values == {"a": 0, "b": None}
        assert report.lags.because == {"b": because}
        assert report.verdict == "unbounded"


def test_the_hop_is_the_federates_own_or_the_rtis_or_the_networks() -> None:
    pair: Connections = [("a", "b")]
    wcets = {"a": "500us", "b": "1ms"}
    own = central(wcets, pair, more={"a": "rti_hop: 1ms"})
    assert lags(own).values["b"] == 500 * US + MS + SERVICE + HOP
    network = central(wcets, pair, "host: h, service: 10us, dnet: false", delay="40us")
    assert lags(network).values["b"] == 500 * US + 2 * 40 * US + SERVICE


def random_federation(seed: int, hop: int, service: int, work: int) -> Federation:
    chance = random.Random(seed)
    names = [f"f{index}" for index in range(chance.randint(2, 7))]
    links: list[tuple[str, str, str]] = []
    for target in range(1, len(names)):
        for source in sorted(chance.sample(range(target), chance.randint(1, min(2, target)))):
            after = chance.choice(["", "", "after: 0 ms", "after: 300us", "after: 2ms"])
            links.append((names[source], names[target], after or "send: 0 ms"))
    wcets = {name: f"{chance.randint(1, 500) + work}us" for name in names}
    rti = f"hop: {hop}us, service: {service}us, dnet: {chance.choice(['true', 'false'])}"
    return central(wcets, links, rti, always=chance.random() < 0.5)


@pytest.mark.parametrize("seed", range(draws(10, of=25)))
def test_more_of_anything_is_never_faster(seed: int) -> None:
    before = lags(random_federation(seed, 50, 5, 0)).values
    assert None not in before.values()
    for hop, service, work in ((80, 5, 0), (50, 25, 0), (50, 5, 40)):
        after = lags(random_federation(seed, hop, service, work)).values
        assert all((after[name] or 0) >= (before[name] or 0) for name in before)
        assert after != before or not any(before.values())


@pytest.mark.parametrize("seed", range(draws(10, of=25)))
def test_lags_solve_their_equations(seed: int) -> None:
    found = lags(random_federation(seed, 50, 5, 0))
    for name, value in found.values.items():
        into = [grant for grant in found.grants if grant.target == name]
        terms = [(found.values[grant.source] or 0) + (grant.weight or 0) for grant in into]
        assert value == max([0, *terms])
