"""Fast DDS as it is, in place of the ten rules: what is read, refused, bounded and certified."""

from __future__ import annotations

from dataclasses import replace

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.findings import findings
from ddsrta.bounds.terms.explain import explain
from ddsrta.checker.check import check
from ddsrta.checker.reading import CertificateError
from ddsrta.models.document import digest

TEXT = """ddsrta: 1
name: both send
machines: {m: {cores: [a, b, c]}}
middleware: {fastdds: "2.9", write: 10us}
delays: {flow_controller: {1kB: 100us}, listener: {1kB: 50us}, publisher: {1kB: 100us}}
topics: {fast: {size: 1kB, priority: 0}, slow: {size: 1kB, priority: 5}}
flow_controllers:
  F: {core: m/b, priority: 50, policy: HIGH_PRIORITY}
listeners: {L: {core: m/c, priority: 40}, K: {core: m/c, priority: 41}}
threads:
  P: {core: m/a, priority: 30, wcet: 1ms, period: 20ms, publishes: [{topic: fast, flow_controller: F}]}
  Q: {core: m/a, priority: 20, wcet: 1ms, period: 20ms, publishes: [{topic: slow, flow_controller: F}]}
  S: {core: m/c, priority: 30, wcet: 1ms, subscribes: {topics: [fast, slow], listener: L}}
  T: {core: m/c, priority: 31, wcet: 1ms, subscribes: {topics: [fast], listener: L}}
"""

ALONE = ddsrta.Refinements(lock_windows=False)  # what waits for locks, each by itself


def loaded(*changes: tuple[str, str], text: str = TEXT):
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return ddsrta.loads(text)


def refused(*changes: tuple[str, str]) -> str:
    with pytest.raises(ddsrta.InputError) as error:
        loaded(*changes)
    return str(error.value)


@pytest.mark.parametrize("version", ['"2.8"', "3.1", "2", "latest", "[]"])
def test_other_versions_are_refused_with_what_is_supported(version: str) -> None:
    assert "expected one of 2.6, 2.9, 2.10, 2.14, 3.2, 3.6" in refused(('"2.9"', version))


@pytest.mark.parametrize(("version", "as_in"), [("2.6", "2.9"), ("2.10", "2.9"), ("2.14", "3.6")])
def test_versions_bound_alike(version: str, as_in: str) -> None:
    other, known = (ddsrta.analyze(loaded(('"2.9"', each))) for each in (version, as_in))
    assert other.check.status == "confirmed"
    assert {name: one.wcrt for name, one in other.threads.items()} == {
        name: one.wcrt for name, one in known.threads.items()
    }


def test_since_2_12_each_put_and_each_waking_of_a_flow_controller_takes_a_mutex_more() -> None:
    """That of the condition on which it sleeps, for 1 ns of work."""
    before, since = (ddsrta.analyze(loaded(('"2.9"', each))) for each in ("2.9", "3.2"))
    assert before.check.status == since.check.status == "confirmed"
    for name in ("P", "Q"):
        less, more = before.threads[name].wcrt, since.threads[name].wcrt
        assert less is not None
        assert more is not None
        assert less < more < less + 100


def test_a_version_given_in_python_is_looked_at_too() -> None:
    system = loaded()
    wrong = replace(system, fastdds=replace(system.fastdds, version="3.0"))
    with pytest.raises(ddsrta.InputError, match=r"3\.0 is not modelled.*supported: 2\.6, 2\.9"):
        ddsrta.analyze(wrong)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ([("priority: 20", "priority: 30")], "priority 30 on m/a"),
        ([("size: 1kB, priority: 0", "size: 1kB, priority: 0, copies: priority")], "no declared"),
        (
            [
                ("threads:\n", "processes: {p: {listener: K}}\nthreads:\n"),
                ("wcet: 1ms, period: 20ms, publishes: [{topic: fast",
                 "wcet: 1ms, process: p, period: 20ms, publishes: [{topic: fast"),
            ],
            "several processes",
        ),
        (
            [
                ("threads:\n",
                 "executors: {E: {core: m/a, priority: 10, kind: multi_threaded}}\n"
                 "callbacks: {c: {executor: E, wcet: 1ms, timer: 9ms, "
                 "publishes: [{topic: slow}]}}\nthreads:\n"),
            ],
            "multi_threaded executor 'E' publish",
        ),
    ],
)  # fmt: skip
def test_what_is_not_modelled_is_refused(changes: list[tuple[str, str]], expected: str) -> None:
    assert expected in refused(*changes)
    without = ('middleware: {fastdds: "2.9", write: 10us}\n', "")
    if "several" not in expected:
        loaded(*changes, without)


def test_the_published_profile_knows_no_middleware() -> None:
    with pytest.raises(ddsrta.InputError, match="ten rules"):
        ddsrta.analyze(loaded(), profile="published")


def test_known_answers() -> None:
    """By hand, by lemma writer-locks. The core of P and Q holds the queue's lock 1 ns a job; Q is
    preempted by P while it does: 1 ms. The controller tries for P's writer's lock 10 us, for Q's
    10 us + 1 ms."""
    without = ('middleware: {fastdds: "2.9", write: 10us}\n', "")
    result = ddsrta.analyze(loaded(), refinements=ALONE)
    plain = ddsrta.analyze(loaded(without))
    fast = next(m.flow_controller for m in result.messages if m.topic == "fast")
    assert next(m.flow_controller for m in plain.messages if m.topic == "fast") == 300_000 - 1
    cost, blocking = 200_000 + 10_000, 100_000 + 1_010_000 - 1
    held, waits = 200_000, 2 + 1_000_000  # both jobs of the queue lock, preempted by P once
    assert fast == cost + blocking + 10_000 + held + waits
    # a job of P waits for five holds of the controller a sample and one of Q, which only P itself preempts
    assert result.threads["P"].wcrt == 1_000_000 + 2 * 5 + 1


def test_a_livelock_has_no_bound_and_says_why() -> None:
    result = ddsrta.analyze(loaded(("core: m/b, priority: 50", "core: m/a, priority: 50")))
    why = {t.unbounded_because for t in result.threads.values() if t.wcrt is None}
    assert result.verdict == "unbounded"
    assert any("livelock: flow controller F is more urgent than publisher" in w for w in why)


def test_a_publisher_above_its_flow_controller_is_bounded() -> None:
    result = ddsrta.analyze(loaded(("core: m/b, priority: 50", "core: m/a, priority: 5")))
    assert all(thread.wcrt is not None for thread in result.threads.values())


def test_findings_say_what_was_assumed() -> None:
    rules = {f.rule for f in findings(loaded((", write: 10us", "")))}
    assert {"shared-participant", "unknown-write"} <= rules
    assert "unknown-write" not in {f.rule for f in findings(loaded())}


def test_an_unknown_write_lasts_as_long_as_the_job() -> None:
    unsaid = loaded((", write: 10us", ""))
    known, unknown = (ddsrta.analyze(one, refinements=ALONE) for one in (loaded(), unsaid))
    for one, other in zip(known.messages, unknown.messages, strict=True):
        assert one.flow_controller < other.flow_controller


def test_explanations_add_up() -> None:
    text = TEXT.replace("[a, b, c]", "[a, b, c, d]").replace(
        "wcet: 1ms, period: 20ms, publishes: [{topic: slow",
        "wcet: 1ms, follows: {threads: [far]}, publishes: [{topic: slow",
    )
    text += "  far: {core: m/d, priority: 1, wcet: 15ms, bcet: 15ms, period: 20ms}\n"
    system = loaded(text=text + "chains: {c: {path: [Q, slow, S], deadline: 90ms}}\n")
    told = explain(system, "c")
    assert sum(stage.total for stage in told.stages) == told.bound
    for stage in told.stages:
        assert sum(term.time for term in stage.terms) == stage.total
    assert "waits for locks, datagrams and limits" in {
        term.label for stage in told.stages for term in stage.terms
    }


def test_certificates_hold_and_lower_waits_do_not() -> None:
    whole = certificate(loaded())
    assert check(whole).ok
    waiting = [stage for stage in whole["stages"] if "waits" in stage]
    assert waiting
    for stage in waiting:
        for place, time in enumerate(stage["waits"]):
            if time:
                stage["waits"][place] = time - 1
                verdict = check(whole)
                assert not verdict.ok
                assert "sleeping-window" in (verdict.failure or "")
                stage["waits"][place] = time


def test_the_checker_refuses_what_the_theory_says_nothing_of() -> None:
    whole = certificate(loaded())
    whole["system"]["threads"]["Q"]["priority"] = 30
    whole["digest"] = digest(whole["system"])
    with pytest.raises(CertificateError, match="one priority"):
        check(whole)
    pools = (
        "executors: {E: {kind: multi_threaded, priority: 7, cores: [m/a, m/c], release: humble}}\n"
    )
    pools += "callbacks: {cb: {executor: E, timer: 50ms, wcet: 1ms}}\n"
    one_of = "flow_controller: F}", "flow_controller: F, one_of: g}"
    without = 'middleware: {fastdds: "2.9", write: 10us}\n', ""
    for text, match in ((TEXT + pools, "several cores"), (TEXT.replace(*one_of), "one of several")):
        unlike = replace(loaded(without, text=text), fastdds=loaded().fastdds)
        with pytest.raises(CertificateError, match=match):
            check(certificate(unlike))
    whole = certificate(loaded())
    del whole["system"]["middleware"]
    whole["digest"] = digest(whole["system"])
    with pytest.raises(CertificateError, match="nothing waits for any"):
        check(whole)
