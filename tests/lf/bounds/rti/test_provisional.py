"""Zero-delay cycles: what their provisional grants take, by hand and against runs of a model."""

from __future__ import annotations

import random

import pytest

from ddsrta.lf.bounds.rti.judge import judge_rti
from ddsrta.lf.bounds.rti.lags import lags
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.reader import loads
from ddsrta.lf.run.simulation.choices import Choices
from ddsrta.lf.run.simulation.compare import rows_centralized
from ddsrta.lf.run.simulation.run import run_centralized
from ddsrta.lf.run.simulation.seen import Seen
from ddsrta.lf.run.simulation.simulate import KINDS
from tests.effort import draws
from tests.lf.bounds.rti.ptag_model import Run
from tests.lf.federations import MS, US

CLIENT = """\
federation: 1
coordination: centralized
hosts: {h: }
rti: {hop: 100us, service: 10us, dnet: false}
federates:
  c:
    host: h
    inputs: [resp]
    outputs: [req]
    timers: {t: {period: 5ms}}
    reactions:
      r0: {triggers: [t], effects: [req], wcet: 50us, always: true}
      r2: {triggers: [resp], wcet: 30us}
  s:
    host: h
    inputs: [req]
    outputs: [resp]
    reactions:
      r1: {triggers: [req], effects: [resp], wcet: 200us, always: true}
  d:
    host: h
    inputs: [in]
    reactions:
      r3: {triggers: [in], wcet: 10us}
connections:
  - {from: c.req, to: s.req}
  - {from: s.resp, to: c.resp}
  - {from: s.resp, to: d.in}
"""
# Client, server, client again; the request and the response over the RTI.
TOGETHER = (50 + 200 + 30 + 2 * 210) * US


def test_a_client_and_its_server_take_what_follows_each_other() -> None:
    found = lags(loads(CLIENT))
    assert not found.obstacles
    assert (found.values["c"], found.values["s"]) == (0, 0)
    assert (found.busy["c"], found.busy["s"]) == (TOGETHER, TOGETHER)
    assert found.values["d"] == TOGETHER + 210 * US


def test_the_bound_of_the_client_is_reached() -> None:
    runs = [Run(loads(CLIENT), seed, 50 * MS) for seed in range(4)]
    assert max(run.late["c"] for run in runs) == TOGETHER
    assert all(run.provisionals for run in runs)


def test_a_cycle_that_takes_longer_than_its_period_has_no_bound() -> None:
    report = judge_rti(loads(CLIENT.replace("period: 5ms", "period: 909us")))
    assert report.verdict == "unbounded"
    assert "zero-delay cycle of c, s takes more time than there is" in report.lags.because["d"]
    # 700 us of work, and 210 us from the completion of a tag to the grant of the next one.
    fits = lags(loads(CLIENT.replace("period: 5ms", "period: 911us")))
    assert fits.busy["c"] == TOGETHER


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("timers: {t: {period: 5ms}}", "actions: {t: {kind: physical, min_spacing: 5ms}}",
         "c can have physical events"),
        ("  - {from: s.resp, to: d.in}\n", "  - {from: s.resp, to: d.in}\n"
         "  - {from: s.again, to: c.again, after: 1ms}\n", "a cycle with an 'after'"),
        ("  - {from: s.resp, to: d.in}\n", "  - {from: d.out, to: s.more, physical: true}\n",
         "s has a physical connection"),
    ],
)  # fmt: skip
def test_what_is_not_modelled_says_why(old: str, new: str, reason: str) -> None:
    text = CLIENT.replace("[resp]\n    outputs: [req]", "[resp, again]\n    outputs: [req]", 1)
    text = text.replace(
        "inputs: [req]\n    outputs: [resp]", "inputs: [req, more]\n    outputs: [resp, again]"
    )
    text = text.replace("inputs: [in]", "inputs: [in]\n    outputs: [out]")
    assert old in text
    report = judge_rti(loads(text.replace(old, new)))
    assert report.lags.values["c"] is None
    (found,) = [finding for finding in report.findings if finding.rule == "zero-delay-cycle"]
    assert found.severity == "warning"
    assert reason in found.message


def drawn(seed: int) -> Federation:
    """A cycle of two to four federates, perhaps with sources before and a sink behind it."""
    chance = random.Random(seed)
    members = [f"m{i}" for i in range(chance.randint(2, 4))]
    places = [chance.choice(members) for _ in range(chance.randint(3, 7))]
    places += [name for name in members if name not in places]
    links: list[tuple[int, int]] = []
    for target in range(1, len(places)):
        for source in range(target):
            if places[source] != places[target] and chance.random() < 0.5:
                links.append((source, target))
    sources = [f"o{i}" for i in range(chance.randint(0, 2))]
    outer = [(name, chance.randrange(len(places))) for name in sources]
    sink = [i for i in range(len(places)) if chance.random() < 0.3]
    inputs: dict[int, list[str]] = {i: [] for i in range(len(places))}
    wires = []
    for a, b in links:
        inputs[b].append(f"i{a}_{b}")
        wires.append(f"  - {{from: {places[a]}.w{a}, to: {places[b]}.i{a}_{b}}}")
    for number, (name, b) in enumerate(outer):
        inputs[b].append(f"x{number}")
        after = chance.choice(["", "", ", after: 0 ms", ", after: 1ms"])
        wires.append(f"  - {{from: {name}.out, to: {places[b]}.x{number}{after}}}")
    wires += [f"  - {{from: {places[i]}.w{i}, to: z.i{i}}}" for i in sink]
    period = f"{chance.choice([4, 5, 8, 10])}ms"
    lines = ["federation: 1", "coordination: centralized", "hosts: {h: }",
             f"rti: {{hop: {chance.randint(1, 200)}us, service: {chance.randint(0, 40)}us, "
             "dnet: false}", "federates:"]  # fmt: skip
    for name in members:
        own = [i for i, place in enumerate(places) if place == name]
        ticks = {i for i in own if not inputs[i] or chance.random() < 0.3}
        ports = [port for i in own for port in inputs[i]]
        lines += [f"  {name}:", "    host: h", f"    inputs: [{', '.join(ports)}]",
                  f"    outputs: [{', '.join(f'w{i}' for i in own)}]",
                  f"    timers: {{t: {{offset: {chance.randint(0, 2)}ms, period: {period}}}}}",
                  "    reactions:"]  # fmt: skip
        for i in own:
            triggers = [*inputs[i], *(["t"] if i in ticks else [])]
            lines.append(f"      r{i:02}: {{triggers: [{', '.join(triggers)}], effects: [w{i}], "
                         f"wcet: {chance.randint(1, 200)}us, "
                         f"always: {chance.choice(['true', 'false'])}}}")  # fmt: skip
    for name in sources:
        lines.append(f"  {name}: {{host: h, outputs: [out], timers: {{t: {{period: {period}}}}}, "
                     f"reactions: {{r0: {{triggers: [t], effects: [out], "
                     f"wcet: {chance.randint(1, 300)}us}}}}}}")  # fmt: skip
    if sink:
        ports = ", ".join(f"i{i}" for i in sink)
        lines.append(f"  z: {{host: h, inputs: [{ports}], reactions: "
                     f"{{r0: {{triggers: [{ports}], wcet: 50us}}}}}}")  # fmt: skip
    lines += ["connections:", *wires] if wires else ["connections: []"]
    return loads("\n".join(lines) + "\n", "f.yaml")


@pytest.mark.parametrize("seed", range(draws(25, of=80)))
def test_no_run_is_above_the_bound(seed: int) -> None:
    federation = drawn(seed)
    found = lags(federation)
    for repeat in range(4):
        for name, late in Run(federation, repeat, 60 * MS).late.items():
            value, busy = found.values[name], found.busy[name]
            if value is not None and busy is not None:
                assert late <= value + busy, (name, late, value, busy)


def test_no_run_of_the_simulator_is_above_the_bound() -> None:
    """Another model than above: levels of each federate, all in the cycle told at once."""
    compared = 0
    for seed in range(60):
        report = judge_rti(drawn(seed))
        if not report.lags.zero_delay:
            continue
        seen = Seen()
        for number, kind in enumerate(KINDS):
            seen.begin(number)
            run_centralized(
                report.lags.network.federation, Choices(10 * seed + number, kind), 60 * MS, seen
            )
        for row in rows_centralized(report, seen):
            if row.bound is not None and row.seen is not None:
                assert row.seen <= row.bound, (seed, row)
                compared += 1
    assert compared > 150


def test_most_of_them_have_cycles_with_bounds() -> None:
    found = [lags(drawn(seed)) for seed in range(80)]
    cyclic = [one for one in found if one.zero_delay and not one.obstacles]
    bounded = [one for one in cyclic if None not in one.values.values()]
    assert len(cyclic) > 25
    assert len(bounded) > 20
