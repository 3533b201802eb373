"""Inputs that need no wait: of federates with one, or with ticks in between; absence, forever."""

from __future__ import annotations

import pytest

from ddsrta.lf.bounds.offsets.judge import Report, judge
from ddsrta.lf.program.reader import loads
from ddsrta.lf.run.simulation.simulate import simulate
from ddsrta.report.lf.stp import report_dict, report_text
from tests.lf.federations import MS, US

ONE = """federation: 1
coordination: decentralized
hosts: {h: {cores: 4}}
network: [{from: h, to: h, delay: 1ms}]
federates:
  cam:
    host: h
    timers: {t: {period: 33ms}}
    outputs: [img]
    reactions: {r: {triggers: [t], effects: [img], wcet: 2ms}}
  det:
    host: h
    maxwait: WAIT
    inputs: [img]
    MORE
    reactions:
      r: {triggers: [img], wcet: 5ms, deadline: 20ms}
      OTHER
connections:
  - {from: cam.img, to: det.imgAFTER}
"""


def one(wait: str = "forever", more: str = "", other: str = "", after: str = "") -> Report:
    text = ONE.replace("WAIT", wait).replace("MORE", more).replace("OTHER", other)
    return judge(loads(text.replace("AFTER", after), "f.yaml"))


@pytest.mark.parametrize("wait", ["forever", "0", "1ms", "50ms"])
def test_the_only_input_of_a_federate_is_never_waited_for(wait: str) -> None:
    found = one(wait)
    assert found.verdict == "met"
    assert found.starts[0].latest == 3 * MS
    assert found.checks[0].outcome in ("met", "alone")
    shown = simulate(found.network.federation, runs=12)
    assert (shown.tardy, shown.violations) == (0, ())
    assert shown.seen.start["det"].most == 3 * MS


OWN = [
    ("timers: {u: {period: 10ms}}", "q: {triggers: [u], wcet: 1us}"),
    ("timers: {u: {offset: 40ms}}", ""),
    ("actions: {a: {min_delay: 40ms}}", "q: {triggers: [img], effects: [a], wcet: 1us}"),
    ("actions: {a: {kind: physical, min_spacing: 1s}}", "q: {triggers: [a], wcet: 1us}"),
    ("", "q: {triggers: [startup], wcet: 1us}"),
    ("outputs: [o]", "q: {triggers: [shutdown], effects: [o], wcet: 1us}"),
    ("connections: [{from: img, to: o, after: 5ms}]\n    outputs: [o]", ""),
]


@pytest.mark.parametrize(("more", "other"), OWN)
def test_events_of_its_own_make_a_federate_wait(more: str, other: str) -> None:
    assert one("forever", more, other).verdict == "unbounded"
    assert one("forever", "", "q: {triggers: [shutdown], wcet: 1us}").verdict == "met"


def test_messages_that_share_a_tag_can_be_tardy() -> None:
    text = ONE.replace("WAIT", "0").replace("MORE", "").replace("OTHER", "")
    text = text.replace("AFTER", ", after: 1ms").replace(
        "    outputs: [img]\n    reactions: {r: {triggers: [t]",
        "    actions: {a: {min_delay: 0ms}}\n    outputs: [img]\n"
        "    reactions: {s: {triggers: [t], effects: [a], wcet: 0ms}, r: {triggers: [t, a]",
    )
    found = judge(loads(text, "f.yaml"))
    assert found.checks[0].outcome == "shared"


@pytest.mark.parametrize(
    ("offset", "outcome", "verdict"),
    [("2ms", "violated", "missed"), ("3ms", "between", "met"), ("32ms", "between", "met"),
     ("0ms", "violated", "missed")],
)  # fmt: skip
def test_ticks_in_between_do_not_overtake(offset: str, outcome: str, verdict: str) -> None:
    """A message comes up to 3 ms after its tag; ticks start at once."""
    timers = f"timers: {{u: {{offset: {offset}, period: 33ms}}}}"
    found = one("0", timers, "q: {triggers: [u], wcet: 20us, deadline: 5050us}")
    assert (found.checks[0].outcome, found.verdict) == (outcome, verdict)
    if outcome == "between":
        shown = simulate(found.network.federation, runs=12)
        assert (shown.tardy, shown.violations) == (0, ())
        late = {start.reaction: start.latest for start in found.starts}
        # The tick at 3 ms may find the whole message's work. 50 us are for absence.
        assert late == {"r": 3050 * US, "q": 5050 * US if offset == "3ms" else 50 * US}


def test_messages_that_come_round_again_can_be_overtaken() -> None:
    text = (
        ONE.replace("WAIT", "0")
        .replace("OTHER", "")
        .replace("AFTER", "")
        .replace("MORE", "timers: {u: {offset: 3ms, period: 33ms}}\n    outputs: [o]")
    )
    text = text.replace("r: {triggers: [img],", "r: {triggers: [img], effects: [o],").replace(
        "    outputs: [img]", "    inputs: [back]\n    outputs: [img]"
    )
    text += "  - {from: det.o, to: cam.back, after: 30ms}\n"
    assert judge(loads(text, "f.yaml")).checks[0].outcome == "violated"


ABSENT = """federation: 1
coordination: decentralized
hosts: {h: {cores: 4}}
network: [{from: h, to: h, delay: 1ms}]
federates:
  a:
    host: h
    timers: {t: {period: 100ms}}
    outputs: [o]
    reactions: {r: {triggers: [t], effects: [o], wcet: 40ms, always: SURE}}
  b:
    host: h
    maxwait: 0ms
    inputs: [i]
    timers: {t: {period: 100ms, offset: OFFSET}}
    reactions: {r: {triggers: [i, t], wcet: 1ms}}
connections:
  - {from: a.o, to: b.i, after: 30ms, absent_after: LONG}
"""


def absent(long: str, sure: str = "false", offset: str = "30ms") -> Report:
    text = ABSENT.replace("LONG", long).replace("SURE", sure).replace("OFFSET", offset)
    return judge(loads(text, "f.yaml"))


@pytest.mark.parametrize(("long", "outcome"), [("11ms", "spaced"), ("10ms", "violated")])
def test_absence_counts_from_the_tag_of_the_message(long: str, outcome: str) -> None:
    """41 ms after a tag its message is there: 11 ms after its own."""
    found = absent(long)
    assert found.checks[0].outcome == outcome
    shown = simulate(found.network.federation, runs=6)
    assert bool(shown.tardy) == (outcome == "violated")


def test_absence_may_be_waited_for_without_end() -> None:
    found = absent("forever")
    assert found.verdict == "unbounded"
    assert "has absent_after: forever" in found.waits.because["b"]
    assert found.checks[0].outcome == "spaced"
    assert report_dict(found)["checks"][0]["absent_after"] == "forever"
    assert "has absent_after: forever" in report_text(found)


def test_absence_that_never_comes_is_no_wait() -> None:
    text = ABSENT.replace("LONG", "forever").replace("SURE", "true").replace("OFFSET", "0ms")
    found = judge(loads(text.replace("after: 30ms, ", ""), "f.yaml"))
    assert (found.waits.values["b"], found.network.absent["b"]) == (41 * MS, 0)
    assert found.network.endless == {}


GIVEN = """federation: 1
coordination: decentralized
hosts: {h: {cores: 8}}
network: [{from: h, to: h, delay: 1ms}]
federates:
  a: {host: h, timers: {t: {period: 50ms}}, outputs: [o],
      reactions: {r: {triggers: [t], effects: [o], wcet: 1ms}}}
  b: {host: h, maxwait: 16ms, inputs: [i], timers: {t: {period: 50ms}}, outputs: [o],
      reactions: {r: {triggers: [t, i], effects: [o], wcet: 500us}}}
  c: {host: h, WAIT inputs: [i], timers: {t: {period: 50ms}},
      reactions: {r: {triggers: [t, i], wcet: 1ms}}}
connections:
  - {from: a.o, to: b.i}
  - {from: b.o, to: c.i}
"""


def test_the_offset_that_is_printed_gives_the_verdict_that_is_printed() -> None:
    found = judge(loads(GIVEN.replace("WAIT", ""), "f.yaml"))
    assert found.required == {"a": 0, "b": 2 * MS, "c": 17_500 * US}
    federates = report_dict(found)["federates"]
    assert federates["c"]["offset"] == 17_500 * US
    assert federates["c"]["offset_if_all_are_least"] == 3_500 * US
    assert "17.5 ms" in report_text(found)
    for wait, verdict in ((17_500, "met"), (17_499, "missed"), (3_500, "missed")):
        given = judge(loads(GIVEN.replace("WAIT", f"maxwait: {wait}us,"), "f.yaml"))
        assert given.verdict == verdict


PHYSICAL = """federation: 1
coordination: decentralized
hosts: {h: {cores: 4}}
network: [{from: h, to: h, delay: 1ms}]
federates:
  s:
    host: h
    timers: {t: {period: 10ms}}
    outputs: [o]
    reactions: {r: {triggers: [t], effects: [o], wcet: 1ms}}
  d:
    host: h
    maxwait: WAIT
    inputs: [i]
    reactions: {r: {triggers: [i], wcet: 1ms, deadline: DEADLINE}}
connections:
  - {from: s.o, to: d.i, physical: true, min_spacing: 5ms}
"""


@pytest.mark.parametrize(
    ("wait", "deadline", "verdict", "latest"),
    [("2ms", "2ms", "met", 2 * MS), ("2ms", "1999us", "missed", 2 * MS),
     ("forever", "1 s", "unbounded", None), ("0 ms", "0 ms", "missed", 0)],
)  # fmt: skip
def test_a_physical_input_is_never_known_in_advance(
    wait: str, deadline: str, verdict: str, latest: int | None
) -> None:
    """So its federate waits at each tag. And a deadline of 0 is never met."""
    source = PHYSICAL.replace("WAIT", wait).replace("DEADLINE", deadline)
    federation = loads(source, "f.yaml")
    found = judge(federation)
    assert (found.verdict, found.starts[0].latest) == (verdict, latest)
    runs = simulate(federation, runs=3, horizon=100 * MS)
    assert runs.violations == ()
    reached = runs.seen.reactions.get(("d", "r"))
    assert (reached.most if reached else None) == latest


@pytest.mark.parametrize(
    ("wait", "deadline", "verdict", "rule"),
    [("0 ms", "49us", "missed", "note"), ("0 ms", "50us", "met", "note"),
     ("49us", "99us", "met", "note"), ("49us", "98us", "missed", "note"), ("50us", "50us", "met", None)],
)  # fmt: skip
def test_short_waits_for_absence_are_longer(
    wait: str, deadline: str, verdict: str, rule: str | None
) -> None:
    """The runtime adds 50 us to a wait that is shorter."""
    source = PHYSICAL.replace(
        "  - {from: s.o, to: d.i, physical: true, min_spacing: 5ms}",
        "  - {from: s.o, to: d.i, after: 20ms}",
    )
    source = source.replace("inputs: [i]\n", "inputs: [i]\n    timers: {u: {period: 7ms}}\n")
    source = source.replace("triggers: [i]", "triggers: [i, u]").replace("wcet: 1ms", "wcet: 0us")
    source = source.replace("WAIT", wait).replace("DEADLINE", deadline)
    found = judge(loads(source, "f.yaml"))
    severities = [f.severity for f in found.findings if f.rule == "short-wait"]
    assert (found.verdict, severities) == (verdict, [rule] if rule else [])
