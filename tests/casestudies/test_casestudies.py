"""The case studies stay what their READMEs say: results, tables, and which statements hold."""

from __future__ import annotations

import dataclasses
import difflib
import doctest
import importlib
from pathlib import Path

import pytest

import ddsrta
from casestudies import analyses, sending, statements, tables
from casestudies.analyses import (
    DEFAULT,
    PUBLISHED,
    analysed,
    message,
    profiles,
    systems,
)
from casestudies.ars import graph
from casestudies.expected import expected_file, text_of
from casestudies.ros2_testbed import readings
from casestudies.shared_data import MissingDataError
from casestudies.three_topics import tables as three_topics
from casestudies.waters2019 import tables as waters
from casestudies.waters2019.inputs import TASKS
from casestudies.xronos_order import tables as xronos_order
from casestudies.xronos_order.frequencies import frequencies, sequences

ROOT = Path(tables.__file__).parent

# Which statements hold under the default and the published profile, of the three topics with the
# controller below the publisher, too; the READMEs say why.
HOLDS = {
    ("three_topics", "one FIFO bound"): (False, True, False, True),
    ("three_topics", "5446"): (False, False, False, False),
    ("three_topics", "high priority orders"): (True, True, True, True),
    ("three_topics", "high priority ends at FIFO"): (True, True, True, True),
    ("three_topics", "round robin favours"): (False, True, False, True),
    ("three_topics", "sync below async"): (False, False, False, True),
    ("three_topics", "sync end to end"): (False, True, False, True),
    ("three_topics", "measured"): (None, None, None, None),
    ("waters2019", "only P_CAN"): (False, False),
    ("waters2019", "high priority helps vchl_stat_plan"): (True, False),
    ("waters2019", "sync DDL above"): (True, True),
    ("waters2019", "sync end to end"): (False, False),
    ("ros2_testbed", "S-S lowest"): (False, False),
    ("ros2_testbed", "any S lower"): (False, False),
    ("ros2_testbed", "async alike"): (True, True),
    ("ros2_testbed", "measured"): (None, None),
    ("ars", "F and RR highest"): (False, False),
    ("ars", "HP slightly lower"): (False, False),
    ("ars", "S lowest"): (False, False),
    ("ars", "measured"): (None, None),
    ("ros1_sends", "1.606"): (True, True),
    ("ros1_sends", "0.605"): (False, True),
    ("ros1_sends", "first is faster"): (True, False),
    ("ros1_sends", "1.606 from 0.605"): (True, True),
    ("ros1_sends", "variance"): (None, None),
}
VERDICTS = [
    (key, profile, verdict)
    for key, verdicts in HOLDS.items()
    for profile, verdict in zip(three_topics.READINGS, verdicts, strict=False)
]
PINNED = [(system, profile) for system in systems() for profile in profiles(system.parent.name)]


def name_of(system: Path) -> str:
    return f"{system.parent.name}/{system.stem}"


def diff(old: str, new: str, name: str) -> str:
    lines = difflib.unified_diff(
        old.splitlines(), new.splitlines(), f"{name} (file)", f"{name} (analysis)", lineterm="", n=2
    )
    return "\n".join(lines)


def with_policy(system: ddsrta.System, policy: str) -> ddsrta.System:
    for controller in system.flow_controllers:
        system = system.replace("flow_controllers", controller, policy=policy)
    return dataclasses.replace(system, name="")


@pytest.mark.parametrize(
    ("system", "profile"), PINNED, ids=[f"{name_of(s)}-{profile}" for s, profile in PINNED]
)
def test_result_is_the_pinned_one(system: Path, profile: str) -> None:
    file = expected_file(system, profile)
    assert file.exists(), f"no {file.name}: run python -m casestudies.expected"
    changed = diff(file.read_text(encoding="utf-8"), text_of(system, profile), file.name)
    assert not changed, f"{name_of(system)} changed under {profile}:\n{changed}"


def test_every_pinned_result_has_its_system() -> None:
    pinned = {file.name for file in ROOT.glob("*/expected/*.json")}
    known = {expected_file(system, profile).name for system, profile in PINNED}
    assert pinned == known


@pytest.mark.parametrize("study", tables.STUDIES)
def test_tables_of_the_readme_show_the_analysis(study: str) -> None:
    text = (ROOT / study / "README.md").read_text(encoding="utf-8")
    try:
        new = tables.regenerated(study, text)
    except MissingDataError as missing:
        pytest.skip(str(missing))
    changed = diff(text, new, f"{study}/README.md")
    assert not changed, f"run python -m casestudies.tables:\n{changed}"


@pytest.mark.parametrize(
    "module", [analyses, statements, sending, graph], ids=lambda module: module.__name__
)
def test_examples_in_docstrings(module: object) -> None:
    result = doctest.testmod(module)
    assert result.attempted and not result.failed


def test_tables_need_their_markers() -> None:
    with pytest.raises(ValueError, match="no markers for: bounds"):
        tables.regenerated("livelock", "nothing here")


def all_statements() -> dict[tuple[str, str], object]:
    return {
        (study, statement.key): statement
        for study in ("three_topics", "waters2019", "ros2_testbed", "ars", "ros1_sends")
        for statement in importlib.import_module(f"casestudies.{study}.tables").STATEMENTS
    }


def test_every_statement_has_a_verdict() -> None:
    assert all_statements().keys() == HOLDS.keys()


@pytest.mark.parametrize(
    ("key", "profile", "expected"), VERDICTS, ids=[f"{'-'.join(k)}-{p}" for k, p, _ in VERDICTS]
)
def test_statement_holds_exactly_where_the_readme_says_so(
    key: tuple[str, str], profile: str, expected: bool | None
) -> None:
    statement = all_statements()[key]
    assert statement.holds(profile) is expected, statement.figures(profile)


@pytest.mark.parametrize("system", systems(), ids=name_of)
def test_no_core_is_overloaded_and_everything_is_bounded(system: Path) -> None:
    result = analysed(system.parent.name, system.stem)
    assert all(core.utilization < 1 for core in result.cores.values())
    assert all(thread.wcrt is not None for thread in result.threads.values())
    assert all(callback.wcrt is not None for callback in result.callbacks.values())
    assert all(found.ddl is not None for found in result.messages)
    late = name_of(system) == "late_robot/robot"
    assert all(chain.met is not False for chain in result.chains.values()) != late
    grave = any(found.severity == "error" for found in result.warnings)
    ordered = all(order.met for order in result.orders.values())
    missed = late or not ordered
    assert result.verdict == ("missed" if missed else "error" if grave else "met")


def test_waters_execution_times_follow_from_ticks_clock_and_alpha() -> None:
    computed = {name: wcet for task in TASKS for name, wcet in task.thread_wcets().items()}
    for name in waters.ALL:
        threads = ddsrta.load(ROOT / "waters2019" / f"{name}.yaml").threads
        assert {thread.name: thread.wcet for thread in threads.values()} == computed
        for task in TASKS:
            if publisher := threads.get(f"P_{task.name}"):
                assert publisher.arrival.period == task.period_ms * 1_000_000


@pytest.mark.parametrize(
    ("study", "base", "others"),
    [
        ("three_topics", "conf1_fifo", ("conf2_high_priority", "conf3_round_robin")),
        ("waters2019", "fifo", ("high_priority", "round_robin")),
    ],
)
def test_systems_differ_in_the_policy_alone(study: str, base: str, others: tuple[str, ...]) -> None:
    expected = with_policy(ddsrta.load(ROOT / study / f"{base}.yaml"), "FIFO")
    for other in others:
        assert with_policy(ddsrta.load(ROOT / study / f"{other}.yaml"), "FIFO") == expected


@pytest.mark.parametrize(
    ("study", "base", "sync"),
    [
        ("three_topics", "conf1_fifo", "conf4_sync"),
        ("waters2019", "fifo", "sync"),
    ],
)
def test_synchronous_system_is_the_same_without_controllers(
    study: str, base: str, sync: str
) -> None:
    system = ddsrta.load(ROOT / study / f"{base}.yaml")
    for thread in system.threads.values():
        publishes = tuple(
            dataclasses.replace(p, mode="sync", flow_controller=None) for p in thread.publishes
        )
        system = system.replace("threads", thread.name, publishes=publishes)
    other = ddsrta.load(ROOT / study / f"{sync}.yaml")
    assert (other.threads, other.topics, other.chains, other.listeners, other.delays) == (
        system.threads,
        system.topics,
        system.chains,
        system.listeners,
        system.delays,
    )
    assert not other.flow_controllers


def reversed_order(system: ddsrta.System, publisher: str) -> ddsrta.System:
    publishes = tuple(reversed(system.threads[publisher].publishes))
    return system.replace("threads", publisher, publishes=publishes)


def test_the_order_of_publications_is_what_favours_topics_under_fifo() -> None:
    """As the READMEs say: published first, θ3 and vchl_stat_plan would have the lower bounds."""
    topics = reversed_order(ddsrta.load(ROOT / "three_topics" / "conf1_fifo.yaml"), "publisher")
    found = ddsrta.analyze(topics)
    ddls = [message(found, topic).ddl for topic in three_topics.TOPICS]
    assert ddls == three_topics.ddls("conf1_fifo", DEFAULT)[::-1]
    vehicle = reversed_order(ddsrta.load(ROOT / "waters2019" / "fifo.yaml"), "P_CAN")
    assert message(ddsrta.analyze(vehicle), "vchl_stat_plan").ddl == 3_975_000


def test_safe_variant_and_repair_only_lower_the_controllers_priority() -> None:
    for study, risky, safe in (
        *(("three_topics", risky, safe) for risky, safe in three_topics.SAFE.items()),
        ("livelock", "livelock", "repaired"),
    ):
        before = ddsrta.load(ROOT / study / f"{risky}.yaml")
        after = ddsrta.load(ROOT / study / f"{safe}.yaml")
        publisher = after.threads["publisher"]
        controller = after.flow_controllers["controller"]
        assert controller.priority < publisher.priority
        assert before.flow_controllers["controller"].priority > publisher.priority
        same = before.replace("flow_controllers", "controller", priority=controller.priority)
        assert dataclasses.replace(same, name="") == dataclasses.replace(after, name="")


def test_repair_moves_time_from_the_publisher_to_its_messages() -> None:
    risky, safe = analysed("livelock", "livelock"), analysed("livelock", "repaired")
    assert safe.threads["publisher"].wcrt < risky.threads["publisher"].wcrt
    assert message(safe, "status").ddl > message(risky, "status").ddl
    assert analysed("three_topics", "conf1_safe").threads["publisher"].wcrt == 1_000_000
    assert all(
        safe > risky
        for safe, risky in zip(
            three_topics.ddls("conf1_safe", DEFAULT),
            three_topics.ddls("conf1_fifo", DEFAULT),
            strict=True,
        )
    )


def test_no_reading_of_the_testbed_explains_the_printed_margins() -> None:
    assert len(readings.READINGS) == 30
    assert not [reading for reading in readings.READINGS if reading.fits()]


def test_published_profile_finds_the_parts_that_follow_from_the_printed_inputs() -> None:
    result = analysed("three_topics", "conf1_fifo", PUBLISHED)
    parts = message(result, "theta1")
    found = (result.threads["publisher"].wcrt, parts.flow_controller, parts.listener)
    assert [-(-time // 1000) for time in found] == [1372, 187, 2017]


def test_waters_crossing_chains_have_an_age_but_no_latency_and_no_reaction_time() -> None:
    for name in waters.ALL:
        for chain in waters.END_TO_END:
            found = analysed("waters2019", name).chains[chain]
            assert found.latency is None
            assert found.data_age > 0
            # The S_ halves have other inputs, whose jobs may overwrite what the chain brought.
            assert found.reaction_time is None
            assert "has other inputs" in found.unbounded_because


def test_wrong_orders_are_derived_where_they_are_seen_and_only_there() -> None:
    for system in xronos_order.SYSTEMS:
        seen = {sequence for sequence, count in frequencies(system).items() if count}
        assert "1234" in seen <= sequences(system)
        result = analysed("xronos_order", system)
        assert result.orders["gear first"].met is (sequences(system) == {"1234"})
    assert sequences("synchronous") == set(xronos_order.ALL)
    assert sequences("one_queue") == {"1234"}


def test_slow_localization_dominates_the_chains_through_it() -> None:
    for name in waters.ALL:
        chains = analysed("waters2019", name).chains
        others = max(chains[f"{c}-dasm"].data_age for c in ("sfm", "lane", "detection"))
        assert min(chains["lidar-dasm"].data_age, chains["can-dasm"].data_age) > others
