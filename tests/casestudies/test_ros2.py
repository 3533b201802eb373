"""The ROS 2 case studies: variants are what they are said to be, topologies can be analysed."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from pathlib import Path

import pytest

import ddsrta
from casestudies.analyses import FOLDER, analysed, loaded
from casestudies.ars import graph, variants
from casestudies.ros2_testbed import tables as testbed
from casestudies.ros2_testbed.variants import CONFIGURATIONS, as_threads, text
from casestudies.sending import POLICIES, SYNC
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import check
from ddsrta.formats import irobot
from ddsrta.formats.yaml_writer import write
from ddsrta.models.system import System

SHARED = Path(os.environ.get("DDSRTA_SHARED") or Path(__file__).resolve().parents[3] / "shared")
TOPOLOGIES = sorted((SHARED / "data" / "irobot_topologies").glob("*.json"))
APPLICATIONS = {"tau1": "F2", "tau4": "F5"}


def sent(system: System, publisher: str, controller: str, way: str) -> System:
    """The same system, and what a callback sends is sent in another way."""
    if way != SYNC:
        return system.altered("flow_controllers", controller, policy=POLICIES[way])
    publishes = tuple(
        dataclasses.replace(p, mode="sync", flow_controller=None)
        for p in system.threads[publisher].publishes
    )
    others = {k: v for k, v in system.flow_controllers.items() if k != controller}
    system = system.altered("threads", publisher, publishes=publishes)
    return dataclasses.replace(system, flow_controllers=others)


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_configurations_of_the_testbed_differ_in_how_they_send(name: str) -> None:
    expected = loaded("ros2_testbed", "F-F")
    for (publisher, controller), way in zip(APPLICATIONS.items(), name.split("-"), strict=True):
        expected = sent(expected, publisher, controller, way)
    expected = dataclasses.replace(expected, name=f"ROS 2 testbed, {name}")
    assert loaded("ros2_testbed", name) == expected


def test_the_testbed_as_threads_has_the_same_work_on_the_same_cores() -> None:
    for name in CONFIGURATIONS:
        threads = ddsrta.analyze(ddsrta.loads(as_threads(text(name))))
        callbacks = analysed("ros2_testbed", name)
        assert not threads.callbacks and threads.threads.keys() == {"tau1", "tau4", "tau7"}
        for core, load in threads.cores.items():  # but for 1 ns for each subscription
            assert load.utilization == pytest.approx(callbacks.cores[core].utilization, abs=1e-5)


def test_as_threads_bounds_of_the_testbed_are_those_of_executors_but_for_subscriptions() -> None:
    """1 ns for each of the six, on the way to either callback of three topics."""
    for name in CONFIGURATIONS:
        executors = testbed.bound(name, "busy-window")
        assert executors - testbed.worst(testbed.as_threads_analysed(name, "busy-window")) == 6


def test_a_job_for_each_message_would_overload_the_testbed() -> None:
    """Why AND activation is assumed: with OR, in threads, two cores have too much to do."""
    found = ddsrta.analyze(ddsrta.loads(as_threads(text("F-S")).replace(", activation: and", "")))
    assert found.cores["node/c1"].utilization == pytest.approx(1.077)
    assert found.cores["node/c2"].utilization == pytest.approx(1.458)


def test_the_reference_system_is_what_its_graph_makes() -> None:
    assert (FOLDER / "ars" / "F.yaml").read_text(encoding="utf-8") == graph.text()


def test_scenarios_of_the_reference_system_differ_in_how_they_send() -> None:
    base = loaded("ars", "F")
    for name in variants.VARIANTS:
        expected = base
        if name == SYNC:
            for thread in base.threads.values():
                expected = sent(expected, thread.name, "F", name)
        else:
            expected = sent(base, "", "F", name)
        expected = dataclasses.replace(expected, name=f"Autoware reference system, {name}")
        assert loaded("ars", name) == expected


@pytest.mark.parametrize("chains", graph.REDUCED)
def test_configurations_of_table_5_are_systems(chains: int) -> None:
    gone = graph.without(chains)
    system = ddsrta.loads(graph.text(gone, every_path=True))
    callbacks = {thread.declared_as.split(".")[0] for thread in system.threads.values()}
    middleware = len(system.flow_controllers) + len(system.listeners)
    assert len(callbacks) + len(system.executors) + middleware == graph.entities(gone)
    assert len(system.chains) == chains
    assert ddsrta.analyze(system).verdict == "met"


def test_under_load_round_robin_is_below_fifo() -> None:
    """Where one event takes a core its whole period, so that no shared window is left."""
    bounds = {}
    for name in ("F", "RR"):
        heavier = variants.text(name).replace(graph.WCET, "6ms")
        bounds[name] = ddsrta.analyze(ddsrta.loads(heavier)).chains["g0"].latency
    assert bounds["RR"] < bounds["F"]


@pytest.mark.parametrize(("study", "name"), [("ros2_testbed", "HP-S"), ("ars", "S")])
def test_a_variant_can_be_printed(study: str, name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", f"casestudies.{study}.variants", name],
        cwd=FOLDER.parent,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ddsrta.loads(done.stdout) == loaded(study, name)


def test_the_finished_topology_is_the_draft_with_other_figures() -> None:
    draft = ddsrta.loads(write(irobot.read([str(FOLDER / "irobot" / "topology.json")])))
    finished = loaded("irobot", "finished")
    assert finished.threads.keys() == draft.threads.keys()
    assert finished.topics == draft.topics
    for name, callback in draft.threads.items():
        mine = finished.threads[name]
        assert (mine.arrival, mine.executor, mine.entity) == (
            callback.arrival,
            callback.executor,
            callback.entity,
        )
        assert [p.topic for p in mine.publishes] == [p.topic for p in callback.publishes]
        assert (mine.subscribes is None) == (callback.subscribes is None)


@pytest.mark.skipif(
    not TOPOLOGIES, reason="set DDSRTA_SHARED to the folder that holds data/irobot_topologies"
)
@pytest.mark.parametrize("path", TOPOLOGIES, ids=lambda path: path.stem)
def test_topologies_in_the_wild_are_bounded_with_small_times(path: Path) -> None:
    try:
        draft = write(irobot.read([str(path)]))
    except ddsrta.InputError as error:
        assert "performance target, not a topology" in str(error)
        return
    small = draft.replace("wcet: 1ms", "wcet: 20us").replace("100us", "10us")
    result = ddsrta.analyze(ddsrta.loads(small))
    assert result.verdict == "met"
    assert result.callbacks  # and threads for what the file leaves outside
    known = ("rounds", "chain window", "pending window")
    assert all(callback.by in known for callback in result.callbacks.values())


@pytest.mark.parametrize(
    ("study", "name"),
    [("ros2_testbed", "F-F"), ("ros2_testbed", "S-S"), ("move_base", "navigation"),
     ("irobot", "finished"), ("ars", "F")],
)  # fmt: skip
def test_bounds_are_confirmed_from_the_theory_alone(study: str, name: str) -> None:
    verdict = check(certificate(loaded(study, name)))
    assert verdict.ok, verdict.failure
    assert verdict.confirmed > 30


def test_what_waits_for_one_event_waits_for_nothing_else() -> None:
    """All messages of the testbed's chain are of one event: there is nothing else to wait for."""
    for name in CONFIGURATIONS:
        for chain in analysed("ros2_testbed", name).chains.values():
            assert chain.latency is not None and chain.latency == chain.trigger_latency
    for chain in analysed("ars", "F").chains.values():
        assert chain.latency is not None and chain.trigger_latency is not None
        assert chain.trigger_latency < chain.latency
