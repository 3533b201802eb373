"""What a result rests on is said wherever the result is."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker.check import check
from ddsrta.models.reader import loads
from ddsrta.models.system import System
from ddsrta.report.baseline import result_from_dict
from ddsrta.report.github import result_annotations
from ddsrta.report.html import result_html
from ddsrta.report.junit import result_junit
from ddsrta.report.sarif import result_sarif
from ddsrta.report.terminal import result_text
from tests.bounds.test_fastdds import TEXT
from tests.bounds.test_fastdds import loaded as given

ROOMY = TEXT.replace("priority: 40}", "priority: 40, queue: 9}").replace(
    "policy: HIGH_PRIORITY", "policy: HIGH_PRIORITY, queue: 9"
).replace("{size: 1kB, ", "{size: 1kB, history: 9, ")  # fmt: skip


def loaded(*changes: tuple[str, str]) -> System:
    return given(*changes, text=ROOMY)


# One reads two topics.
SENDING = ("arrival-order", "event-thread", "one-port", "short-locks", "write-timeout")


def locks(system: System) -> list[str]:
    found = ddsrta.analyze(system).assumptions
    return [each.message for each in found if each.rule == "locks"]


@pytest.mark.parametrize("version", ["2.6", "2.9", "2.10", "2.14", "3.2", "3.6"])
def test_nobody_gives_up_where_it_is_not_built_for_that(version: str) -> None:
    """In 2.9.1 a synchronous write() with the max_blocking_time of 100 ms waited 600 ms for the send
    mutex, of best-effort and reliable writers, and its message was received."""
    found = ddsrta.analyze(loaded(('"2.9"', f'"{version}"'))).assumptions
    said = next(each.message for each in found if each.rule == "write-timeout")
    assert said.startswith("Fast DDS is built without STRICT_REALTIME, or no write() waits")


def test_only_what_needs_an_assumption_has_one() -> None:
    assert {each.rule for each in ddsrta.analyze(loaded()).assumptions} == {"locks", *SENDING}
    sync = loaded(
        ("period: 20ms, publishes: [{topic: fast, flow_controller: F}]", "period: 20ms, publishes: [{topic: fast, mode: sync}]"),
        ("period: 20ms, publishes: [{topic: slow, flow_controller: F}]", "period: 20ms, publishes: [{topic: slow, mode: sync}]"),
    )  # fmt: skip
    found = ddsrta.analyze(sync).assumptions
    assert {each.rule for each in found} == {"send-buffers", *SENDING}
    grown = replace(sync, fastdds=replace(sync.fastdds, send_buffers="dynamic"))
    assert {each.rule for each in ddsrta.analyze(grown).assumptions} == set(SENDING)
    ten_rules = loaded(('middleware: {fastdds: "2.9", write: 10us}', ""))
    found = ddsrta.analyze(ten_rules).assumptions
    assert {each.rule for each in found} == {"arrival-order", "one-port"}


SHARED = """ddsrta: 1
machines: {m: {cores: [a, b, c, d]}}
delays: {flow_controller: {1kB: 1ms}, listener: {1kB: 1ms}}
topics: {x: {size: 1kB}}
processes: {P: {listener: L}, Q: {listener: M}}
listeners: {L: {core: m/c, priority: 5}, M: {core: m/c, priority: 6}}
flow_controllers: {F: {core: m/b, priority: 5, policy: ROUND_ROBIN}, G: {core: m/d, priority: 5}}
executors: {E: {core: m/a, priority: 1, process: P}}
threads: {s: {core: m/c, priority: 1, process: Q, wcet: 1ms, subscribes: {topics: [x]}}}
callbacks:
  tick: {executor: E, timer: 90ms, wcet: 1ms, publishes: [{topic: x, flow_controller: F}]}
  tock: {executor: E, timer: 90ms, wcet: 1ms, publishes: [{topic: x, flow_controller: F}]}
"""
OTHER = SHARED.replace("flow_controller: F}]}\n  tock", "flow_controller: G}]}\n  tock")
LOCKS = ("ddsrta: 1\n", 'ddsrta: 1\nmiddleware: {fastdds: "2.9"}\n')


@pytest.mark.parametrize(
    ("text", "is_assumed"),
    [
        (SHARED, True),  # by turns of writers
        (SHARED.replace("ROUND_ROBIN", "FIFO"), False),
        (SHARED.replace("ROUND_ROBIN", "FIFO").replace("1kB}}", "1kB, history: 2}}"), True),  # room
        (OTHER.replace("1kB}}", "1kB, history: 2}}"), False),
        (OTHER, False),
        (OTHER.replace(*LOCKS), True),  # of which each has a lock
        (OTHER.replace(*LOCKS).replace("tock: {executor: E, timer: 90ms, wcet: 1ms, publishes", "tock: {executor: E, timer: 90ms, wcet: 1ms}\n#"), False),
    ],
)  # fmt: skip
def test_callbacks_are_assumed_to_share_no_publisher(text: str, is_assumed: bool) -> None:
    result = ddsrta.analyze(ddsrta.loads(text))
    said = [each.message for each in result.assumptions if each.rule == "own-writers"]
    assert bool(said) == is_assumed
    assert all(one.startswith("'tick' and 'tock' publish on 'x'") for one in said)
    whole = dict(result.certificate)
    assert check(whole).ok
    whole["assumptions"] = [rule for rule in whole["assumptions"] if rule != "own-writers"]
    assert check(whole).ok != is_assumed


def test_short_holds_are_assumed_and_so_is_what_spins_on_another_supply() -> None:
    apart = locks(loaded())
    assert len(apart) == 2
    assert "the lock of the queue of flow controller 'F'" in apart[0]
    assert "tries again and again" in apart[1]
    (together,) = locks(loaded(("F: {core: m/b, priority: 50", "F: {core: m/a, priority: 10")))
    assert together == apart[0]
    claims = certificate(loaded(("F: {core: m/b, priority: 50", "F: {core: m/a, priority: 10")))
    assert claims["assumptions"] == sorted(["locks", *SENDING])
    assert check(claims).ok


@pytest.mark.parametrize(
    "shown",
    [
        result_text,
        result_html,
        result_junit,
        result_sarif,
        lambda r: "\n".join(result_annotations(r)),
    ],
)
def test_every_format_says_what_is_assumed(shown) -> None:
    assert "tries again and again for the lock of a writer" in shown(ddsrta.analyze(loaded()))


def test_a_result_is_read_back_with_its_assumptions() -> None:
    result = ddsrta.analyze(loaded())
    again = result_from_dict(json.loads(json.dumps(result.to_dict())))
    assert again.assumptions == result.assumptions


def test_a_certificate_has_to_say_what_it_rests_on() -> None:
    claims = certificate(loaded())
    verdict = check(claims)
    assert (verdict.ok, verdict.assuming) == (True, tuple(sorted(["locks", *SENDING])))
    del claims["assumptions"]
    verdict = check(claims)
    assert not verdict.ok
    assert "not said to be assumed" in str(verdict.failure)


@pytest.mark.parametrize(
    "core", ["{reservation: {budget: 5ms, period: 10ms}}", "{partitions: {x: {budget: 5ms, period: 10ms}}}"]
)  # fmt: skip
def test_who_divides_a_core_is_assumed_to_keep_budgets(core: str) -> None:
    text = f"""ddsrta: 1
machines: {{m: {{cores: {{c: {core}}}}}}}
threads: {{t: {{core: m/c, {"partition: x, " * ("partitions" in core)}priority: 5, wcet: 1ms, period: 9ms}}}}
"""
    (said,) = ddsrta.analyze(ddsrta.loads(text)).assumptions
    assert said.rule == "core-budgets"
    assert "m/c" in said.message
    claims = certificate(ddsrta.loads(text))
    assert check(claims).ok
    claims["assumptions"] = []
    assert not check(claims).ok


@pytest.mark.parametrize("apart", ["P: {core: m/a", "Q: {core: m/a"])
def test_one_publisher_apart_is_enough_for_what_spins(apart: str) -> None:
    system = loaded(
        ("F: {core: m/b, priority: 50", "F: {core: m/a, priority: 10"),
        (apart, apart.replace("m/a", "m/b")),
    )
    assert len(locks(system)) == 2


TWO_SOURCES = """\
ddsrta: 1
machines: {m: {cores: [a]}}
topics: {}
threads:
  p: {core: m/a, priority: 9, wcet: 1ms, period: 10ms}
  q: {core: m/a, priority: 8, wcet: 1ms, period: 10ms}
  r: {core: m/a, priority: 7, wcet: 1ms, follows: {threads: [p, q], activation: and}}
chains: {c: {path: [p, r], deadline: 30ms}}
"""


def test_threads_that_wait_for_several_sources_assume_that_those_begin_together() -> None:
    (line,) = ddsrta.analyze(loads(TWO_SOURCES, "two.yaml")).assumptions
    assert line.rule == "common-start" and "messages 'r' waits for" in line.message
    one_source = TWO_SOURCES.replace("period: 10ms}\n  r", "follows: {threads: [p]}}\n  r")
    assert ddsrta.analyze(loads(one_source, "one.yaml")).assumptions == ()
    claims = certificate(loads(TWO_SOURCES, "two.yaml"))
    del claims["assumptions"]
    assert "rest on 'common-start'" in str(check(claims).failure)


APART = """\
ddsrta: 1
machines: {m: {cores: [a]}, n: {cores: [a, b]}}
network: [{from: m, to: n, delay: 1ms, best: 1ms}]
delays: {publisher: {1kB: 1us}, listener: {1kB: 1us}}
topics: {x: {size: 1kB}}
listeners: {L: {core: n/a, priority: 9, queue: 2}, M: {core: n/b, priority: 9}}
threads:
  p: {core: m/a, priority: 9, wcet: 1ms, period: 10ms, publishes: [{topic: x, mode: sync}]}
  r: {core: n/a, priority: 7, wcet: 1ms, subscribes: {topics: [x], listener: L}}
  s: {core: n/b, priority: 7, wcet: 1ms, subscribes: {topics: [x], listener: L}}
"""
TOGETHER = APART.replace("core: m/a", "core: n/b")
PROCESSES = """\
processes: {P: {listener: L, intra_process: true}, Q: {listener: M}}
executors: {E: {core: n/a, priority: 5, process: P}, G: {core: n/b, priority: 5, process: Q}}
callbacks:
  e: {executor: E, wcet: 1ms, timer: 10ms, publishes: [{topic: x, mode: sync}]}
  g: {executor: G, wcet: 1ms, subscribes: {topics: [x]}}
"""


def rules(text: str) -> set[str]:
    """What is assumed, which the certificate and its check say, too."""
    system = loads(text, "some.yaml")
    found = {line.rule for line in ddsrta.analyze(system).assumptions}
    claims = certificate(system)
    assert set(check(claims).assuming) == found == set(claims.get("assumptions", []))
    for rule in found:
        left = {**claims, "assumptions": sorted(found - {rule})}
        assert f"rest on '{rule}'" in str(check(left).failure)
    return found


def test_what_leaves_a_machine_is_assumed_to_arrive() -> None:
    assert rules(APART) == {"delivery"}
    assert rules(TOGETHER) == {"one-port"}
    follows = TWO_SOURCES.replace("cores: [a]", "cores: [a]}, n: {cores: [a]").replace(
        "r: {core: m/a", "r: {core: n/a"
    )
    assert rules(follows) == {"delivery", "common-start"}
    (line,) = ddsrta.analyze(loads(APART, "apart.yaml")).assumptions
    assert line.message.startswith("each message from machine 'm' to 'n' arrives, at the first")
    assert str(line.position) == "apart.yaml:3:11"


def test_what_leaves_a_process_is_assumed_to_arrive() -> None:
    both = TOGETHER.partition("threads:")[0] + PROCESSES
    assert rules(both) == {"delivery"}
    assert rules(both.replace("process: Q", "process: P")) == {"reader-locks"}
    (line,) = ddsrta.analyze(loads(both, "both.yaml")).assumptions
    assert "from process 'P' to process 'Q' arrives" in line.message


@pytest.mark.parametrize("order", ["connection", "priority"])
def test_declared_orders_of_several_copies_are_assumed(order: str) -> None:
    declared = TOGETHER.replace("x: {size: 1kB", f"x: {{size: 1kB, copies: {order}")
    assert rules(declared) == {"copies", "one-port"}
    one = "".join(line for line in declared.splitlines(True) if "  s:" not in line)
    assert rules(one) == set()
