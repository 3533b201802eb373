"""What the runtime does not promise is assumed and never met; clocks of a host, tags unread."""

from __future__ import annotations

import pytest

from ddsrta.lf.bounds.enclaves.judge import judge_enclaves
from ddsrta.lf.bounds.offsets.judge import judge
from ddsrta.lf.bounds.rti.judge import judge_rti
from ddsrta.lf.program.examples import two_federates
from ddsrta.lf.program.reader import loads
from ddsrta.lf.run.simulation.simulate import simulate
from ddsrta.report.lf.rti import report_dict, report_text
from tests.lf.bounds.rti.test_rti import central
from tests.lf.federations import MS, US, small

BUTTON = """federation: 1
coordination: centralized
hosts: {h: {cores: 8}}
rti: {hop: 50us, service: 10us, dnet: false}
federates:
  button:
    host: h
    actions: {pressed: {kind: physical, min_delay: 4ms, min_spacing: 40ms}}
    outputs: [stop]
    reactions: {read: {triggers: [pressed], effects: [stop], wcet: 5ms}}
  brake:
    host: h
    timers: {own: {period: 1ms}}
    inputs: [stop]
    reactions: {act: {triggers: [stop, own], wcet: 0ms}}
connections:
  - {from: button.stop, to: brake.stop}
"""

ECHO = "  - {from: brake.o, to: button.i, physical: true, min_spacing: 40ms, latency: 1ms}\n"


def test_while_a_physical_action_bounds_a_net_none_is_sent() -> None:
    """10 ms of sleep after 5 ms of work, and two hops with a service in between. What wakes the
    button and brings no event makes it sleep on for the 4 ms of its delay."""
    assert judge_rti(loads(BUTTON, "f.yaml")).lags.values["brake"] == 19_110 * US


@pytest.mark.parametrize(
    ("changes", "because"),
    [
        ((), None),
        ((("    actions: {pr", "    timers: {t: {period: 1 s}}\n    actions: {pr"),), None),
        ((("  button:\n", "  button:\n    overhead: 1us\n"),), "pile up"),
        (
            (
                ("  button:\n", "  button:\n    inputs: [i]\n"),
                ("connections:\n", "connections:\n" + ECHO),
                ("    inputs: [stop]\n", "    inputs: [stop]\n    outputs: [o]\n"),
            ),
            "leaves out its physical connections",
        ),
    ],
)
def test_what_a_physical_upstream_tells_is_promised_or_assumed(
    changes: tuple[tuple[str, str], ...], because: str | None
) -> None:
    """The compiler finds physical actions only; each sleep that is cut short leaves an empty event
    behind, and that comes again and again."""
    text = BUTTON
    for old, new in changes:
        text = text.replace(old, new)
    report = judge_rti(loads(text, "f.yaml"))
    assert report.verdict == ("met" if because is None else "unbounded")
    assert (because or "") in report.lags.assumed.get("brake", "")


@pytest.mark.parametrize(("dnet", "verdict"), [("false", "met"), ("true", "unbounded")])
def test_lags_behind_kept_back_nets_are_assumed(dnet: str, verdict: str) -> None:
    chain = "chains: {c: {from: a.r, to: c.r, latency: 50ms}}\n"
    rti = f"hop: 100us, service: 10us, dnet: {dnet}"
    found = central({"a": "1ms", "b": "1ms", "c": "1ms"}, [("a", "b"), ("b", "c")], rti, chain)
    report = judge_rti(found)
    assumed = {"c"} if verdict == "unbounded" else set()
    assert (report.verdict, set(report.lags.assumed)) == (verdict, assumed)
    document = report_dict(report)
    if verdict == "unbounded":
        assert document["chains"]["c"]["met"] is None
        assert "b may keep back NETs" in document["federates"]["c"]["assumed_because"]
        assert "assumed" in report_text(report)
    else:
        assert document["chains"]["c"]["met"] is True


def test_ptags_with_others_upstream_of_one_member_are_assumed() -> None:
    rti = "hop: 100us, service: 10us, dnet: false"
    wcets = {"x": "1ms", "a": "1ms", "b": "1ms"}
    cycle = [("a", "b"), ("b", "a")]
    assert set(judge_rti(central(wcets, [("x", "a"), *cycle], rti)).lags.assumed) == {"a", "b"}
    both = [("x", "a"), ("x", "b"), *cycle]
    assert not judge_rti(central(wcets, both, rti)).lags.assumed


def test_each_federate_of_a_host_has_its_own_clock_unless_it_is_shared() -> None:
    source = small({"a": "1ms", "b": "1ms"}, [("a", "b")])
    assert source.clock_error("a", "b") == 0
    text = "hosts: {h: {clock_error: 20us}}"
    for more, error in ((text, 40 * US), (text.replace("us}", "us, shared_clock: true}"), 0)):
        document = BUTTON.replace("hosts: {h: {cores: 8}}", more)
        assert loads(document, "f.yaml").clock_error("button", "brake") == error
    assert two_federates().clocks == {"source": "front", "sink": "rear"}


def test_simulated_federates_of_a_host_have_their_own_clocks() -> None:
    document = BUTTON.replace("{cores: 8}", "{clock_error: 20us}").replace(
        "centralized", "decentralized"
    )
    document = document.replace(
        "federates:", "network: [{from: h, to: h, delay: 1ms}]\nfederates:", 1
    )
    found = simulate(loads(document, "f.yaml"), runs=20, horizon=400 * MS)
    assert not found.violations
    assert judge(found.federation).offsets.offsets["brake"].value == 6 * MS + 40 * US
    assert 6 * MS < (found.seen.arrival[0].most or 0) <= 6 * MS + 40 * US


UNREAD = """federation: 1
coordination: decentralized
hosts: {h: {cores: 4}}
federates:
  f:
    host: h
    overhead: 2ms
    timers: {t: {period: 10ms}}
    inputs: [b.i, b.j]
    outputs: [a.o]
    reactions:
      w: {reactor: a, triggers: [t], effects: [a.o], wcet: 1ms, deadline: 3ms, always: true}
    connections:
      - {from: a.o, to: b.i, after: 9ms}
      - {from: b.i, to: b.j}
"""


def test_a_tag_that_nobody_reads_takes_its_overhead() -> None:
    for judged in (judge, judge_rti, judge_enclaves):
        (start,) = judged(loads(UNREAD, "f.yaml")).starts
        assert start.latest == 3 * MS


def test_replaced_starts_do_not_pile_up() -> None:
    """The receiver is asked anew whenever something comes: only the last start counts."""
    document = """federation: 1
coordination: decentralized
hosts: {h: {cores: 4}}
network: [{from: h, to: h, delay: 1ms}]
federates:
  b:
    host: h
    timers: {t: {period: 50ms}}
    outputs: [q]
    reactions: {r: {triggers: [t], effects: [q], wcet: 1ms}}
  c:
    host: h
    maxwait: 20ms
    inputs: [i]
    timers: {t: {period: 50ms}}
    reactions: {r: {triggers: [i, t], wcet: 1ms}}
connections:
  - {from: b.q, to: c.i}
"""
    found = simulate(loads(document, "f.yaml"), runs=2, horizon=100_000 * MS)
    assert not found.violations


FIRST = """federation: 1
coordination: decentralized
hosts: {h: {cores: 4}}
rti: {hop: 0us, service: 0us, dnet: false}
federates:
  f:
    host: h
    overhead: 2ms
    timers: {t: {offset: OFFSET, period: 50ms}}
    reactions: {r: {triggers: [t], wcet: 1ms, deadline: 5ms}}
"""


@pytest.mark.parametrize(
    ("offset", "decentralized", "centralized"),
    [("0ms", 2, 2), ("1ms", 4, 3), ("2ms", 4, 2), ("30ms", 4, 2)],
)
def test_the_first_tag_of_all_takes_its_overhead(
    offset: str, decentralized: int, centralized: int
) -> None:
    """A decentralized federate puts it off until its first event; with an RTI it is done at 0."""
    federation = loads(FIRST.replace("OFFSET", offset), "f.yaml")
    for judged, latest in ((judge, decentralized), (judge_rti, centralized)):
        (start,) = judged(federation).starts  # type: ignore[attr-defined]
        assert start.latest == latest * MS
    for coordination, latest in (("", decentralized), ("centralized", centralized)):
        text = FIRST.replace("OFFSET", offset).replace(
            "decentralized", coordination or "decentralized"
        )
        runs = simulate(loads(text, "f.yaml"), runs=3, horizon=200 * MS)
        assert runs.violations == ()
        assert runs.seen.reactions["f", "r"].most == latest * MS
