"""MAST: what goes there comes back with the same bounds; figures are those of mast_analysis 1.6."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ddsrta import InputError, Refinements, System, analyze, loads
from ddsrta.__main__ import main
from ddsrta.formats.tasks import mast
from ddsrta.formats.tasks.mast_read import read
from ddsrta.formats.yaml_writer import write

from .systems import DISTRIBUTED, PLAIN

HEAD = """\
Model (Model_Name => Pair);
Processing_Resource (Type => Regular_Processor, Name => CPU_1, Speed_Factor => 1.0);
Processing_Resource (Type => Packet_Based_Network, Name => Bus, Throughput => 100.0, Max_Blocking => 0);
Scheduler (Type => Primary_Scheduler, Name => S1, Host => CPU_1,
  Policy => (Type => Fixed_Priority, Worst_Context_Switch => 0.0, Max_Priority => 99, Min_Priority => 1));
Scheduler (Type => Primary_Scheduler, Name => S2, Host => Bus, Policy => (Type => FP_Packet_Based));
Scheduling_Server (Type => Regular, Name => High, Scheduler => S1,
  Server_Sched_Parameters => (Type => Fixed_Priority_Policy, The_Priority => 9, Preassigned => No));
Scheduling_Server (Type => Regular, Name => Low, Scheduler => S1,
  Server_Sched_Parameters => (Type => Fixed_Priority_Policy, The_Priority => 2));
Scheduling_Server (Type => Regular, Name => Mail, Scheduler => S2,
  Server_Sched_Parameters => (Type => Fixed_Priority_Policy, The_Priority => 2));
Operation (Type => Simple, Name => Read, Worst_Case_Execution_Time => 2.5, Best_Case_Execution_Time => 1.0);
Operation (Type => Simple, Name => Send, Worst_Case_Execution_Time => 1.5);
Operation (Type => Composite, Name => Both, Composite_Operation_List => (Read, Send));
"""
TRANSACTION = """\
Transaction (Type => Regular, Name => T,
  External_Events => ((Type => Periodic, Name => E, Period => 20, Max_Jitter => 3.0)),
  Internal_Events => (
    (Type => Regular, Name => I1), (Type => Regular, Name => I2), (Type => Regular, Name => I3),
    (Type => Regular, Name => Out, Timing_Requirements => (
       Type => Hard_Global_Deadline, Deadline => 18.0, Referenced_Event => e))),
  Event_Handlers => (
    (Type => Activity, Input_Event => E, Output_Event => I1, Activity_Operation => Both, Activity_Server => Low),
    (Type => Delay, Input_Event => I1, Output_Event => I2, Delay_Max_Interval => 4.0, Delay_Min_Interval => 1.0),
    (Type => Activity, Input_Event => I2, Output_Event => I3, Activity_Operation => Send, Activity_Server => Mail),
    (Type => Activity, Input_Event => I3, Output_Event => Out, Activity_Operation => Send, Activity_Server => High)));
"""


def imported(text: str, folder: Path, unit: str | None = None) -> System:
    path = folder / "model.txt"
    path.write_text(text)
    return loads(write(read([str(path)], unit)))


def exported(system: System) -> str:
    content = mast.export(system).content
    assert isinstance(content, str)
    return content


def latencies(system: System, **how: Any) -> list[int | None]:
    return [chain.latency for chain in analyze(system, **how).chains.values()]


def test_a_model_is_read(tmp_path: Path) -> None:
    """mast_analysis holistic: 15.5 from when E would come without its jitter of 3."""
    system = imported(HEAD + TRANSACTION, tmp_path, "ms")
    assert latencies(system, refinements=Refinements.none()) == [12_500_000]
    assert system.chains["t"].deadline == 15_000_000
    assert system.threads["both"].wcet == 4_000_000
    assert system.threads["both"].bcet == 1_000_000
    follows = system.threads["send"].follows
    assert follows and (follows.delay, follows.best) == (4_000_000, 1_000_000)
    assert system.threads["send (t.out)"].core == "machine/cpu_1"


def test_what_is_left_out_is_told(tmp_path: Path) -> None:
    (tmp_path / "m.txt").write_text(HEAD + TRANSACTION)
    told = list(read([str(tmp_path / "m.txt")], "ms").left_out)
    assert told == [
        "packets of processing resource 'bus': preempted at any time, since nothing blocks (line 3)",
        "the jitter in the deadline of event 'out': shorter (line 20)",
    ]


def test_a_system_of_tasks_comes_back_with_the_same_bounds(tmp_path: Path) -> None:
    text = PLAIN.replace("threads: [left, right]", "threads: [left]").replace(
        "calm: {path: [slow, right, both]", "calm: {path: [slow, right]"
    )
    text = text.replace("distance: 1ms", "distance: 0ms")  # MAST has none
    system = loads(text)
    back = imported(exported(system), tmp_path)
    assert latencies(back) == latencies(system)
    assert [c.deadline for c in back.chains.values()] == [8_000_000, None]


def test_forks_and_delays_come_back(tmp_path: Path) -> None:
    """A sample goes to two readers, one of them over the network."""
    text = DISTRIBUTED.replace("topics: [speed, angle]", "topics: [angle]").replace(
        ", count: 2", ""
    )
    system = loads(text)
    back = imported(exported(system), tmp_path)
    chain = back.chains["x_t_sensor t_drive"]
    assert chain.path == (
        "t_sensor",
        "t_f_angle_of_sensor",
        "t_l_angle_of_sensor_to_drive",
        "t_drive",
    )
    follows = back.threads["t_l_angle_of_sensor_to_drive"].follows
    assert follows and (follows.delay, follows.best) == (300_000, 100_000)
    assert chain.deadline == 20_000_000
    assert analyze(back).chains[chain.name].latency >= analyze(system).chains["go"].latency


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("Speed_Factor => 1.0", "Speed_Factor => 0.5", ":2:80: processing resource 'cpu_1': 'speed_factor'"),
        ("Max_Blocking => 0", "Max_Blocking => 0.1", "'max_blocking' is not read"),
        ("Worst_Context_Switch => 0.0", "Worst_Context_Switch => 0.1", "'worst_context_switch' is not read"),
        ("(Type => Fixed_Priority_Policy, The_Priority => 9", "(Type => Polling_Policy, The_Priority => 9", "'polling_policy' is not read"),
        ("Type => Composite, Name => Both,", "Type => Composite, Name => Both, Shared_Resources_List => (R),", "'shared_resources_list' is not read"),
        ("(Read, Send)", "(Read, Both)", "a part of it is missing"),
        ("Type => Delay", "Type => Rate_Divisor", "'rate_divisor' is not read"),
        ("Type => Periodic", "Type => Unbounded", "'unbounded' is not read"),
        ("Period => 20,", "Period => 0,", "the period must be positive"),
        ("Activity_Server => Mail", "Activity_Server => Male", "no server 'male'"),
        ("Input_Event => I2", "Input_Event => I9", "nothing makes event 'i9'"),
        ("Input_Event => E,", "Input_Event => Out,", "its events go in a circle"),
        ("Speed_Factor", "Speed_Facto", "'speed_facto' is not read"),
        ("Name => Low,", "Name => Low, Name => Low,", "'Name' stands here twice"),
        ("Deadline => 18.0", "Deadline => 18.0 ms", "expected ',', not 'ms'"),
        ("Worst_Case_Execution_Time => 1.5", "Worst_Case_Execution_Time => 1e300", "no time from 0 to 104 days"),
        ("Model_Name => Pair", "Model_Name => {", "'{' is no part of a model"),
    ],
)  # fmt: skip
def test_what_is_not_read_is_refused_with_its_place(
    old: str, new: str, says: str, tmp_path: Path
) -> None:
    text = (HEAD + TRANSACTION).replace(old, new, 1)
    assert text != HEAD + TRANSACTION
    with pytest.raises(InputError) as error:
        imported(text, tmp_path, "ms")
    assert says in str(error.value)
    assert all(found.position for found in error.value.diagnostics)


def test_deep_parentheses_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="more than 20 parentheses"):
        imported("Model " + "(" * 5000, tmp_path, "ms")


def test_times_are_rounded_to_the_safe_side(tmp_path: Path) -> None:
    text = (
        (HEAD + TRANSACTION)
        .replace("=> 1.5", "=> 0.0000015")
        .replace("Best_Case_Execution_Time => 1.0", "Best_Case_Execution_Time => 0.0000015")
    )
    system = imported(text.replace("Period => 20", "Period => 20.0000009"), tmp_path, "ms")
    assert (system.threads["send"].wcet, system.threads["both"].bcet) == (2, 1)
    assert getattr(system.threads["both"].arrival, "period", 0) == 20_000_000


def test_the_unit_has_to_be_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "model.txt"
    path.write_text(HEAD + TRANSACTION)
    assert main(["import", str(path)]) == 2
    assert "say which: --unit us" in capsys.readouterr().err
    assert main(["import", str(path), "--unit", "us"]) == 0
    assert "deadline: 15us" in capsys.readouterr().out
    assert main(["import", "caret", str(path), "--unit", "us"]) == 2
    assert "--unit goes with mast" in capsys.readouterr().err


def test_several_sources_of_a_task_are_refused() -> None:
    with pytest.raises(InputError, match="'both' is started by several tasks"):
        mast.export(loads(PLAIN))
