"""pyCPA: what goes there comes back with the same bounds; what cannot go or come says why."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from ddsrta import InputError, System, analyze, loads
from ddsrta.formats.tasks import pycpa
from ddsrta.formats.tasks.from_pycpa import from_pycpa
from ddsrta.formats.tasks.of_system import tasks_of
from ddsrta.models.costs import Cost

from . import pycpa_like as like
from .systems import DISTRIBUTED, PLAIN

DELAYED = """\
ddsrta: 1
machines: {m: {cores: [c0, c1]}}
threads:
  sensor: {core: m/c0, priority: 3, wcet: 320us, bcet: 0us, arrival: {burst: {count: 2, distance: 200us, period: 800us}}}
  reader: {core: m/c1, priority: 1, wcet: 320us, follows: {threads: [sensor], WAY}}
"""


def there_and_back(system: System) -> System:
    made = pycpa.build(tasks_of(system), like.model, like.schedulers, like.junctions)
    return from_pycpa(made, "ns")


def latencies(system: System) -> dict[str, Any]:
    return {name: chain.latency for name, chain in analyze(system).chains.items()}


def test_a_system_of_tasks_comes_back_with_the_same_bounds() -> None:
    system = loads(PLAIN)
    back = there_and_back(system)
    assert back.threads == system.threads
    assert latencies(back) == latencies(system) == {"quick": 2_300_000, "calm": 7_000_000}


def test_middleware_becomes_tasks_of_its_threads() -> None:
    system = loads(DISTRIBUTED)
    tasks = tasks_of(system).tasks
    sample = tasks["F: speed of sensor #2"]
    assert (sample.core, sample.priority, sample.wcet) == ("ecu/c0", 20, 2 * 60_000)
    message = tasks["L: angle of sensor to drive"]
    assert message.after == ("F: angle of sensor",)
    assert message.delay == Cost(300_000, 100_000)
    assert len(tasks["drive"].after) == 3  # two of speed, one of angle
    assert latencies(there_and_back(system))["go"] >= latencies(system)["go"]


def test_what_is_less_exact_is_noted() -> None:
    notes = pycpa.export(loads(DISTRIBUTED)).left_out
    assert notes == (
        "HIGH_PRIORITY of flow controller 'F': its samples are tasks of one priority",
        "turns of executor 'spin': its callbacks are tasks of one priority",
        "what 'log' samples: it is released by time, and starts no earlier for it",
        "chain 'logged': tasks have no data_age",
        *(
            f"network delay to 'L: {message}': a task on a resource of its own"
            for message in (
                "speed of sensor to drive #1",
                "speed of sensor to drive #2",
                "angle of sensor to drive",
                "angle of sensor to show",
            )
        ),
        "deadline of chain 'go'",
    )


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("arm: {cores: [c0]}", "arm: {cores: {c0: {reservation: {budget: 9ms, period: 10ms}}}}", "supplies a reservation"),
        ("kind: single_threaded", "kind: events", "'spin' is events"),
        ("angle], listener: L}}", "angle], listener: L, activation: and}}", "waits for several inputs"),
        ("priority: 1, wcet: 1ms, period", "policy: other, wcet: 1ms, period", "'log' is not of SCHED_FIFO"),
        ("count: 2", "count: 65", "sends 65 messages a job"),
        ("policy: HIGH_PRIORITY", "policy: FIFO, limit: {bytes: 9kB, period: 1ms}", "'F' sleeps"),
    ],
)  # fmt: skip
def test_what_tasks_cannot_say_is_refused_with_its_place(old: str, new: str, says: str) -> None:
    assert old in DISTRIBUTED
    with pytest.raises(InputError, match=says) as error:
        tasks_of(loads(DISTRIBUTED.replace(old, new)))
    assert all(found.position for found in error.value.diagnostics)


def pair(**other: Any) -> like.System:
    """Two tasks on one resource; names of attributes of the first say how it differs."""
    system = like.System("pair")
    cpu = system.bind_resource(like.Resource("cpu", other.get("scheduler", like.SPPScheduler())))
    first = cpu.bind_task(like.Task("first", 1, other.get("wcet", 2), other.get("level", 1)))
    second = cpu.bind_task(like.Task("second", 1, 3, 2))
    first.in_event_model = other.get("model", like.PJdEventModel(P=10, J=1))
    first.mutex = other.get("mutex")
    entry: Any = second
    if "strategy" in other:
        entry = system.bind_junction(like.Junction("j", other["strategy"]))
        entry.link_dependent_task(second)
    first.link_dependent_task(entry)
    path = system.bind_path(like.Path("way", [first, second]))
    path.overhead = other.get("overhead", 0)
    system.constraints._path_constraints[path] = (other.get("deadline", 9), other.get("events", 1))
    return system


def test_a_system_of_pycpa_is_read() -> None:
    """The smaller priority is the more urgent one there."""
    system = from_pycpa(pair(), "us")
    assert analyze(system).chains["way"].latency == 5_000
    assert system.chains["way"].deadline == 9_000
    assert system.threads["first"].priority > system.threads["second"].priority
    assert "# guessed: the file has no machines" in str(system.written and system.written.text)


@pytest.mark.parametrize(
    ("other", "says"),
    [
        ({"scheduler": like.SPNPScheduler()}, "resource 'cpu' has a SPNPScheduler"),
        ({"mutex": object()}, "'first' has a mutex"),
        ({"strategy": like.ANDJoin()}, "junction 'j' is a ANDJoin"),
        ({"model": object()}, "'first' has the event model object"),
        ({"wcet": 2.0001}, "wcet of 'first' is no time of whole ns"),
        ({"wcet": float("inf")}, "wcet of 'first' is no time"),
        ({"level": "high"}, "the priority of 'first' is no whole number"),
        ({"overhead": 1}, "path 'way' has an overhead"),
        ({"events": 2}, "the deadline of path 'way' is for 2 events"),
        (
            {"model": like.PJdEventModel(0)},
            "the event model of 'first': the period must be positive",
        ),
    ],
)
def test_what_is_not_read_is_refused(other: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        from_pycpa(pair(**other))


def test_an_unknown_unit_and_a_circle_are_refused() -> None:
    with pytest.raises(InputError, match="no unit 'ticks'"):
        from_pycpa(pair(), "ticks")
    system = pair()
    first, second = sorted(next(iter(system.resources)).tasks, key=lambda task: task.name)
    second.link_dependent_task(first)
    with pytest.raises(InputError, match="start each other in a circle: 'first', 'second'"):
        from_pycpa(system)


def test_a_delay_keeps_nothing_apart() -> None:
    """Two jobs of `sensor` that end together reach `reader` together, 30 us later: the second waits
    for the first there. A way that takes 30 us for one after the other would hide that."""
    text = DELAYED.replace("WAY", "delay: 30us, best: 30us")
    made = pycpa.build(tasks_of(loads(text)), like.model, like.schedulers, like.junctions)
    tasks = {task.name: task for resource in made.resources for task in resource.tasks}
    assert (tasks["to reader"].bcet, tasks["to reader"].wcet) == (0, 30_000)


def test_curves_are_refused() -> None:
    text = PLAIN.replace(
        "burst: {count: 2, distance: 1ms, period: 20ms}", "curve: [0ms, 1ms, 20ms]"
    )
    with pytest.raises(InputError, match="pyCPA has no curve such as that of 'slow'"):
        pycpa.export(loads(text))


def test_the_script_prints_both_bounds(tmp_path: Path) -> None:
    """With pyCPA itself, which is lower here: it keeps what `slow` takes at least between two of its
    ends through `right`, we only what `right` itself takes."""
    script = tmp_path / "script.py"
    content = pycpa.export(loads(PLAIN)).content
    assert isinstance(content, str)
    compile(content, "script.py", "exec")
    if find_spec("pycpa") is None:
        pytest.skip("pyCPA is not installed (it is not on the package index)")
    script.write_text(content)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    rows = [line.rsplit(maxsplit=4) for line in done.stdout.splitlines()]
    assert rows[1] == ["quick", "2,100,000", "ns", "2,300,000", "ns"]
    assert rows[2] == ["calm", "6,800,000", "ns", "7,000,000", "ns"]
