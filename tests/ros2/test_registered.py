"""Kinds of executors by their registry: whatever is in it is analysed, checked, simulated and attacked."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import get_args

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import CertificateError, check
from ddsrta.checker import executors as checked
from ddsrta.checker import kinds as checker
from ddsrta.models.document import digest
from ddsrta.models.executors import USUAL_KIND, Executor
from ddsrta.models.validate import validate
from ddsrta.ros2 import KINDS
from ddsrta.ros2.entities import Release
from ddsrta.ros2.kind import Kind
from ddsrta.ros2.one_by_one import any_of_others
from ddsrta.ros2.reference import reference
from ddsrta.ros2.rounds import Rounds
from tests.soundness.attack import attacked
from tests.soundness.registered import with_kind
from tests.soundness.ros2 import ros2_system

ROOT = Path(__file__).parents[2]
RUNS = 16
HORIZON = 3000
RELEASES = (*get_args(Release), None)


def that(what):
    """The kinds that say so."""
    return tuple(name for name, kind in KINDS.items() if getattr(kind, what))


def test_the_checker_has_a_list_of_its_own_and_it_is_the_same():
    assert tuple(KINDS) == checker.KINDS
    assert {name: kind.entities for name, kind in KINDS.items()} == checker.ORDERS
    assert get_args(Release) == checker.RELEASES
    assert that("several_threads") == checker.SEVERAL_THREADS
    assert that("by_priority") == checker.BY_PRIORITY
    assert that("timers_thread") == checker.TIMERS_THREAD
    assert that("timers_made_early") == checker.TIMERS_MADE_EARLY
    assert that("takes_locks") == checker.TAKES_LOCKS
    assert that("intra_process") == checker.INTRA_PROCESS


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("name", KINDS)
def test_both_say_in_which_releases_it_works_in_rounds(name, release):
    executor = Executor("x", "m/c", 5, name, release=release)
    in_rounds = KINDS[name].service(executor).in_rounds
    assert in_rounds == checker.in_rounds(name, release)
    assert in_rounds or name in checked._BY_KIND


def test_a_kind_is_the_file_of_its_name():
    for name, kind in KINDS.items():
        assert kind.name == name and type(kind).__module__ == f"ddsrta.ros2.{name}"
    files = {
        path.stem for path in (ROOT / "ddsrta/ros2").glob("*.py") if "\nKIND = " in path.read_text()
    }
    assert files == set(KINDS) and USUAL_KIND in KINDS
    with pytest.raises(KeyError):
        KINDS["rounds"]


# What may name kinds: they themselves; what reads foreign names of them; the checker; the default.
MAY_NAME = ("ddsrta/ros2/", "ddsrta/formats/", "ddsrta/checker/", "ddsrta/models/executors.py")
OTHER_WORDS = {"events", "static"}  # where nothing is compared, they have other meanings, too


def named(path):
    """Strings that are names of kinds; common words only where something is compared with them."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Compare | ast.match_case):
            yield from (one.value for one in ast.walk(node) if isinstance(one, ast.Constant))
        elif isinstance(node, ast.Constant) and node.value not in OTHER_WORDS:
            yield node.value


def test_nobody_else_compares_a_kind_by_its_name():
    files = (path.relative_to(ROOT).as_posix() for path in (ROOT / "ddsrta").rglob("*.py"))
    asked = [file for file in files if not file.startswith(MAY_NAME)]
    assert not [file for file in asked if set(named(ROOT / file)) & set(KINDS)]


def test_names_are_found(tmp_path):
    for text in ('x.kind == "events"', 'x in ("static", 1)', 'f(kind="fixed_priority")'):
        (tmp_path / "a.py").write_text(text)
        assert set(named(tmp_path / "a.py")) & set(KINDS)
    (tmp_path / "a.py").write_text('{"events": 1}')
    assert not set(named(tmp_path / "a.py")) & set(KINDS)


def test_what_a_kind_does_not_say_is_refused():
    class Silent(Kind):
        name = "silent"

    with pytest.raises(TypeError, match="abstract"):
        Silent()
    assert not (
        Silent.several_threads or Silent.by_priority or Silent.takes_locks or Silent.published
    )


def test_the_page_is_what_the_files_say():
    page = ROOT / "docs" / "reference" / "executors.md"
    assert page.read_text(encoding="utf-8") == reference()


@pytest.mark.parametrize("name", KINDS)
def test_bounds_are_confirmed_and_no_run_is_above_one(name):
    bounded = 0
    for seed in range(8):
        system = with_kind(ros2_system(seed), name)
        assert not validate(system)
        result = ddsrta.analyze(system)
        assert result.check.status == "confirmed" and not result.check.without
        assert not attacked(system, result, RUNS, seed)
        bounded += any(callback.wcrt is not None for callback in result.callbacks.values())
    assert bounded > 4


@pytest.mark.parametrize("name", KINDS)
def test_attacks_notice_what_a_kind_forgets(monkeypatch, name):
    """Nothing of the others counts that has not begun."""
    service = type(KINDS[name].service(Executor("x", "m/c", 5, name, release="humble")))
    relate = service.relate
    monkeypatch.setattr(
        service, "relate", lambda self, turns: [found[:0] for found in relate(self, turns)]
    )
    systems = (with_kind(ros2_system(seed), name) for seed in range(20))
    assert any(
        attacked(system, ddsrta.analyze(system, check=False), RUNS, seed)
        for seed, system in enumerate(systems)
    )


SYSTEM = """ddsrta: 1
machines: {m: {cores: [a, b]}}
executors: {E: {core: m/a, priority: 5}}
callbacks: {t: {executor: E, timer: 1ms, wcet: 1us}}
"""


def test_of_systems_made_in_python_kinds_are_known_and_have_their_threads():
    system = ddsrta.loads(SYSTEM)
    with pytest.raises(ddsrta.InputError, match="there is no kind of executors 'single'"):
        ddsrta.analyze(system.altered("executors", "E", kind="single"))
    with pytest.raises(
        ddsrta.InputError, match="an executor of kind 'single_threaded' has one thread"
    ):
        ddsrta.analyze(system.altered("executors", "E", cores=("m/a", "m/b")))


@pytest.mark.parametrize("kind", [name for name in KINDS if not KINDS[name].several_threads])
@pytest.mark.parametrize(
    ("place", "advice"),
    [("core: m/a, threads: 2", "leave 'threads' out"), ("cores: [m/a, m/b]", "write 'core'")],
)
def test_a_file_is_told_once_that_a_kind_has_one_thread_and_what_to_do(kind, place, advice):
    priority = ", priority: 3" if KINDS[kind].by_priority else ""
    text = SYSTEM.replace("core: m/a", f"{place}, kind: {kind}").replace("1us}", f"1us{priority}}}")
    with pytest.raises(ddsrta.InputError) as refused:
        ddsrta.loads(text)
    (problem,) = refused.value.diagnostics
    assert problem.message == f"an executor of kind '{kind}' has one thread"
    said = KINDS[kind].one_thread or f"{advice}, or make it multi_threaded"
    assert (problem.advice, problem.position[1]) == (said, 3)


HEARD = "  heard: {executor: E, wcet: 5us, follows: {threads: [s]}}\n"
TICK = "  tick: {executor: E, timer: 2us, wcet: 1us}\n"
ROUND = """ddsrta: 1
machines: {m: {cores: [a, b]}}
executors: {E: {core: m/a, priority: 5, kind: rclc, order: registered}}
threads: {s: {core: m/b, priority: 5, wcet: 1us, period: 100us}}
"""
UNKNOWN = ROUND.replace(", order: registered", "") + "callbacks:\n" + HEARD + TICK
TWICE = """ddsrta: 1
machines: {m: {cores: [a, b, c]}}
executors: {E: {core: m/a, priority: 5, kind: rclc}}
threads:
  s: {core: m/b, priority: 5, wcet: 1ns, period: 50ns}
  q: {core: m/c, priority: 5, wcet: 1ns, arrival: {burst: {count: 3, distance: 0ns, period: 60ns}}}
callbacks:
  heard: {executor: E, wcet: 5ns, follows: {threads: [s]}}
  other: {executor: E, wcet: 6ns, follows: {threads: [q]}}
"""


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        (ROUND + "callbacks:\n" + HEARD + TICK, 6_000),  # a tick that has begun
        (ROUND + "callbacks:\n" + TICK + HEARD, 7_000),  # and the next, which is asked before
        (UNKNOWN, 7_000),
        (ROUND.replace("rclc", "single_threaded") + "callbacks:\n" + HEARD + TICK, 7_000),
    ],
)
def test_in_rclc_what_was_added_first_comes_first_of_whatever_kind(text, heard):
    result = ddsrta.analyze(ddsrta.loads(text))
    assert result.check.status == "confirmed"
    assert result.callbacks["heard"].wcrt == heard
    relies = "registration" in {one.rule for one in result.assumptions}
    assert relies == ("rclc, order" in text)


def test_attacks_notice_an_order_that_nobody_knows(monkeypatch):
    relate = Rounds.relate

    def as_in_the_file(self, turns):
        return relate(Rounds(self.turn, True, True), turns)

    system = ddsrta.loads(TWICE)
    assert not attacked(system, ddsrta.analyze(system), 100, 0)
    monkeypatch.setattr(Rounds, "relate", as_in_the_file)
    assert attacked(system, ddsrta.analyze(system, check=False), 100, 0)


def test_rclc_has_no_messages_within_a_process():
    text = ROUND.replace("registered}", "registered, process: p}") + "callbacks:\n" + HEARD + TICK
    listener = "processes: {p: {listener: L, intra_process: true}}\nlisteners: {L: {core: m/b, priority: 1}}\n"
    with pytest.raises(ddsrta.InputError, match="rclc executor 'E' has no messages without"):
        ddsrta.loads(text + listener)


def test_the_checker_refuses_them_too():
    text = ROUND.replace("registered}", "registered, process: p}") + "callbacks:\n" + HEARD + TICK
    listener = "processes: {p: {listener: L}}\nlisteners: {L: {core: m/b, priority: 1}}\n"
    claims = certificate(ddsrta.loads(text + listener))
    assert check(claims).ok
    claims["system"]["processes"]["p"]["intra_process"] = True
    claims["digest"] = digest(claims["system"])
    with pytest.raises(CertificateError, match="has no messages without middleware"):
        check(claims)


def test_whatever_may_come_first_is_all_but_oneself():
    assert [(r.first, r.last) for r in any_of_others(1, 3)] == [(0, 1), (2, 3)]
    assert not any_of_others(0, 1)
