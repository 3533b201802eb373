"""Lags of enclaves, computed by hand, and what bounds must never do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ddsrta.base.diagnostics import InputError
from ddsrta.lf.bounds.enclaves.judge import EnclaveReport, judge_enclaves
from ddsrta.lf.bounds.enclaves.split import split
from ddsrta.lf.bounds.unbounded import NO_WCET
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.reader import loads
from tests.effort import draws
from tests.lf.bounds.enclaves.random_programs import system

MS, US = 1_000_000, 1_000

# Two reactors, slow and fast, with a connection between them: as in the programs of docs/lf-runs.md.
TWO = """\
federation: 1
coordination: decentralized
target: {target}
hosts: {{h: {{cores: {cores}}}}}
federates:
  f:
    host: h
    overhead: {overhead}
    timers: {{slow: {{period: 100ms}}, fast: {{period: 10ms}}}}
    inputs: [s.in, f.in]
    outputs: [s.out, f.out]
    reactions:
      slow: {{reactor: s, triggers: [slow], sources: [s.in], effects: [s.out], wcet: 50ms}}
      fast: {{reactor: f, triggers: [fast], sources: [f.in], effects: [f.out], wcet: 1ms, deadline: 5ms}}
    connections: [{connection}]
    enclaves: {enclaves}
"""
APART = "{slow: {reactors: [s]}, fast: {reactors: [f]}}"


def two(
    connection: str,
    enclaves: str = APART,
    *,
    overhead: str = "0ms",
    cores: int = 4,
    target: str = "Cpp",
) -> EnclaveReport:
    text = TWO.format(connection=connection, enclaves=enclaves, overhead=overhead, cores=cores,
                      target=target)  # fmt: skip
    return judge_enclaves(loads(text, "f.yaml"))


def waits(report: EnclaveReport) -> dict[str, int | None]:
    return {row.name: row.waits for row in report.rows}


def done(report: EnclaveReport) -> dict[str, int | None]:
    return {row.name: row.done for row in report.rows}


@pytest.mark.parametrize("target", ["C", "Cpp"])
@pytest.mark.parametrize(
    ("connection", "lag"),
    [
        ("{from: f.out, to: s.in}", 0),
        ("{from: s.out, to: f.in}", 50 * MS),
        ("{from: s.out, to: f.in, after: 30ms}", 20 * MS),
        ("{from: s.out, to: f.in, after: 60ms}", 0),
    ],
)
def test_the_fast_one_waits_for_the_slow_one_only_behind_it(
    connection: str, lag: int, target: str
) -> None:
    # Observed in programs for C: 0.23, 50.3, 22.6 and 3.0 ms, the system's noise included.
    report = two(connection, target=target)
    assert waits(report)["f.fast"] == lag
    assert done(report)["f.fast"] is not None


def test_in_one_enclave_the_tag_barrier_holds_it() -> None:
    (row,) = two("{from: f.out, to: s.in, after: 20ms}", "{}").rows
    assert row.waits == 0 and row.parts is not None
    # The tag at 10 ms after a slow one finds 51 ms of work, 10 ms of which are done.
    assert row.parts.tag_barrier == 41 * MS
    (start,) = two("{from: f.out, to: s.in, after: 20ms}", "{}").starts
    assert start.latest is not None and start.latest >= 50 * MS
    assert [f.rule for f in two("", "{}").findings if f.severity == "error"] == ["late-start"]
    assert "tag barrier" in two("", "{}").findings[0].message


def test_enclaves_without_connections_do_not_know_of_each_other() -> None:
    report = two("")
    assert done(report) == {"f.slow": 50 * MS, "f.fast": MS}
    assert report.verdict == "met"


def test_an_empty_tag_costs_overhead_and_an_answer() -> None:
    report = two("{from: s.out, to: f.in, after: 60ms}", overhead="1ms")
    # The answer of an idle slow one, then its own overhead and reaction.
    assert done(report)["f.fast"] == 1 * MS + 1 * MS + 1 * MS
    # 10 empty tags each 100 ms; each takes the slow one 1 ms.
    slow = next(row for row in report.rows if row.name == "f.slow")
    assert slow.done is not None and slow.done >= 51 * MS


def test_enclaves_that_wait_for_each_other_are_named() -> None:
    enclaves = "\n    enclaves: {x: {reactors: [a, d]}, y: {reactors: [b, c]}}\nchains:"
    text = LEVELS.format(workers=1, target="Cpp").replace("\nchains:", enclaves)
    report = judge_enclaves(loads(text, "f.yaml"))
    assert report.verdict == "unbounded"
    assert "deadlock" in [f.rule for f in report.findings]


def test_enclaves_in_a_circle_need_an_after_that_is_long_enough() -> None:
    report = two("{from: s.out, to: f.in}, {from: f.out, to: s.in, after: 1ms}")
    assert "positive-circle" in [f.rule for f in report.findings]
    assert set(done(report).values()) == {None}
    text = "{from: s.out, to: f.in}, {from: f.out, to: s.in, after: 90ms}"
    assert done(two(text))["f.fast"] == 51 * MS
    asked = two(text, overhead="1us")
    assert done(asked)["f.fast"] is None
    assert any("ask each other" in (row.because or "") for row in asked.rows)


LEVELS = """\
federation: 1
coordination: decentralized
target: {target}
hosts: {{h: {{}}}}
federates:
  f:
    host: h
    workers: {workers}
    timers: {{t: {{period: 100ms}}}}
    inputs: [c.in, d.in]
    outputs: [a.out, b.out]
    reactions:
      a: {{reactor: a, triggers: [t], effects: [a.out], wcet: 1ms, always: true}}
      b: {{reactor: b, triggers: [t], effects: [b.out], wcet: 10ms, always: true}}
      c: {{reactor: c, triggers: [c.in], wcet: 10ms}}
      d: {{reactor: d, triggers: [d.in], wcet: 1ms}}
    connections:
      - {{from: a.out, to: c.in}}
      - {{from: b.out, to: d.in}}
chains:
  first: {{from: f.a, to: f.c, latency: 15ms}}
"""


def levels(workers: int, target: str = "Cpp") -> EnclaveReport:
    return judge_enclaves(loads(LEVELS.format(workers=workers, target=target), "f.yaml"))


def test_the_level_barrier_costs_what_the_slower_pipeline_takes() -> None:
    # Fig. 8 of the enclaves paper: 10 ms for each level, though each pipeline takes 11 ms.
    (row,) = levels(2).rows
    assert row.done == 20 * MS and row.parts is not None
    assert row.parts.level_barrier == 20 * MS - 33 * MS // 2
    assert levels(2).verdict == "missed"
    assert "the level barrier" in levels(2).findings[0].message
    assert done(levels(1)) == {"f": 22 * MS}
    assert done(levels(8)) == {"f": 20 * MS}


def test_an_enclave_each_takes_the_barrier_away() -> None:
    enclaves = "\n    enclaves: {x: {reactors: [a, c]}, y: {reactors: [b, d]}}\nchains:"
    text = LEVELS.format(workers=1, target="Cpp").replace("\nchains:", enclaves)
    report = judge_enclaves(loads(text, "f.yaml"))
    assert done(report) == {"f.x": 11 * MS, "f.y": 11 * MS}
    assert report.verdict == "met"


def test_levels_that_a_compiler_for_c_makes_are_not_relied_on() -> None:
    enclaves = "\n    enclaves: {x: {reactors: [c, d], workers: 2}}\nchains:"
    text = LEVELS.format(workers=2, target="C").replace("\nchains:", enclaves)
    report = judge_enclaves(loads(text, "f.yaml"))
    # (11 + 10) / 2 by lemma tag-work, and one after the other.
    assert done(report) == {"f": 10 * MS + 500 * US, "f.x": 21 * MS + 500 * US}
    assert "levels-unknown" in [f.rule for f in report.findings]


def test_two_enclaves_on_one_core_share_it() -> None:
    report = two("", cores=1)
    # The fast one can find 50 ms of the slow one before it, and be found by it.
    assert (done(report)["f.fast"] or 0) >= 51 * MS
    assert (done(report)["f.slow"] or 0) >= 55 * MS
    assert "shared-cores" in [f.rule for f in report.findings]


def test_workers_that_share_cores_lose_what_others_do_meanwhile() -> None:
    # Two pipelines of 11 ms in step on one core: each may find the other's 11 ms before it.
    enclaves = "\n    enclaves: {x: {reactors: [a, c]}, y: {reactors: [b, d]}}\nchains:"
    text = LEVELS.format(workers=1, target="Cpp").replace("\nchains:", enclaves)
    report = judge_enclaves(loads(text.replace("{h: {}}", "{h: {cores: 1}}"), "f.yaml"))
    assert {row.name: (row.done, row.others) for row in report.rows} == {
        "f.x": (22 * MS, 11 * MS),
        "f.y": (22 * MS, 11 * MS),
    }


def test_enclaves_in_a_circle_share_cores() -> None:
    # What one waits for in the other reaches back 90 ms each round, so that nothing is in step.
    circle = "{from: s.out, to: f.in}, {from: f.out, to: s.in, after: 90ms}"
    apart, shared = done(two(circle)), done(two(circle, cores=1))
    assert all((shared[name] or 0) > (value or 0) for name, value in apart.items())


@pytest.mark.parametrize("seed", range(draws(15, of=40)))
def test_more_workers_never_raise_a_bound_where_each_has_a_core(seed: int) -> None:
    program = roomy(system(seed))
    federate = program.federates["f"]
    more = {k: replace(e, workers=e.workers + 1) for k, e in federate.enclaves.items()}
    other = replace(federate, workers=federate.workers + 1, enclaves=more)
    below(judge_enclaves(replace(program, federates={"f": other})), judge_enclaves(program))


@pytest.mark.parametrize("seed", range(draws(15, of=40)))
def test_less_work_never_raises_a_bound(seed: int) -> None:
    program = system(seed)
    federate = program.federates["f"]
    for name, reaction in list(federate.reactions.items())[:3]:
        less = replace(reaction, wcet=(reaction.wcet or 0) // 2, bcet=0)
        other = replace(federate, reactions={**federate.reactions, name: less})
        below(judge_enclaves(replace(program, federates={"f": other})), judge_enclaves(program))
    other = replace(federate, overhead=federate.overhead // 2)
    below(judge_enclaves(replace(program, federates={"f": other})), judge_enclaves(program))


def roomy(program: Federation) -> Federation:
    hosts = {name: replace(host, cores=None) for name, host in program.hosts.items()}
    return replace(program, hosts=hosts)


def below(one: EnclaveReport, other: EnclaveReport) -> None:
    for first, second in zip(one.rows, other.rows, strict=True):
        if second.done is not None:
            assert first.done is not None and first.done <= second.done, first.name


def test_what_is_not_known_is_not_bounded() -> None:
    program = LEVELS.format(workers=1, target="Cpp").replace("wcet: 10ms}\n      d", "x}\n      d")
    program = program.replace("[c.in], x}", "[c.in]}")
    report = judge_enclaves(loads(program, "f.yaml"))
    assert report.verdict == "unbounded"
    assert report.rows[0].because == NO_WCET.of(reaction="f.c")


def test_messages_of_other_federates_are_not_modelled() -> None:
    from ddsrta.lf.program.examples import two_federates

    report = judge_enclaves(two_federates())
    assert done(report) == {"source": 500 * US, "sink": None}
    assert "not modelled" in (report.rows[1].because or "")


def test_an_action_cannot_be_in_two_enclaves() -> None:
    text = LEVELS.format(workers=1, target="Cpp")
    text = text.replace("    inputs:", "    actions: {act: {}}\n    inputs:")
    text = text.replace("effects: [a.out]", "effects: [a.out, act]").replace(
        "[d.in]", "[d.in, act]"
    )
    enclaves = "\n    enclaves: {x: {reactors: [a]}, y: {reactors: [d]}}\nchains:"
    with pytest.raises(
        InputError, match=r"f.yaml:10:\d+: action 'act' is in several enclaves: x and y"
    ):
        split(loads(text.replace("\nchains:", enclaves), "f.yaml"))


def test_an_order_between_enclaves_is_not_kept() -> None:
    text = LEVELS.format(workers=1, target="Cpp").replace(
        "[d.in], wcet", "[d.in], after: [a], wcet"
    )
    enclaves = "\n    enclaves: {x: {reactors: [a]}, y: {reactors: [d]}}\nchains:"
    report = judge_enclaves(loads(text.replace("\nchains:", enclaves), "f.yaml"))
    assert "order-lost" in [f.rule for f in report.findings]
