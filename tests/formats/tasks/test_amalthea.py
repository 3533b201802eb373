"""AMALTHEA: what goes there comes back with the same bounds; the tasks of WATERS 2019 are read."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from ddsrta import InputError, System, analyze, loads
from ddsrta.__main__ import main
from ddsrta.formats.tasks import amalthea
from ddsrta.formats.tasks.amalthea_read import read
from ddsrta.formats.yaml_writer import write
from tests.docs.console import ROOT

from .systems import DISTRIBUTED, PLAIN

PERIODIC = PLAIN.replace("burst: {count: 2, distance: 1ms, period: 20ms}", "sporadic: 20ms")


def exported(system: System) -> str:
    content = amalthea.export(system).content
    assert isinstance(content, str)
    return content


def imported(text: str, folder: Path) -> System:
    path = folder / "model.amxmi"
    path.write_text(text, encoding="utf-8")
    return loads(write(read([str(path)])))


def latencies(system: System) -> list[int | None]:
    return [system_chain.latency for system_chain in analyze(system).chains.values()]


def test_a_system_of_tasks_comes_back_with_the_same_bounds(tmp_path: Path) -> None:
    """A chain through a task that several trigger is told to be missing."""
    text = PERIODIC.replace("sporadic: 20ms", "{}").replace("arrival: {{}}", "period: 20ms")
    text = text.replace("threads: [left, right]", "threads: [left]").replace(
        "calm: {path: [slow, right, both]}", "calm: {path: [slow, right], deadline: 9ms}"
    )
    system = loads(text)
    back = imported(exported(system), tmp_path)
    assert latencies(back) == latencies(system)
    assert [chain.deadline for chain in back.chains.values()] == [8_000_000, 9_000_000]
    threads = {thread.name: (thread.wcet, thread.bcet) for thread in system.threads.values()}
    assert {t.name: (t.wcet, t.bcet) for t in back.threads.values()} == threads


def test_delays_become_tasks_and_notes(tmp_path: Path) -> None:
    system = loads(DISTRIBUTED.replace("topics: [speed, angle]", "topics: [angle]"))
    found = amalthea.export(system)
    assert (
        "network delay to 'L: angle of sensor to drive': a task on a core of its own"
        in found.left_out
    )
    back = imported(exported(system), tmp_path)
    way = back.threads["F_angle_of_sensor_to_L_angle_of_sensor_to_drive"]
    assert (way.wcet, way.bcet) == (300_000, 0)
    assert set(back.threads["drive"].follows.threads) >= {"L_angle_of_sensor_to_drive"}
    (chain,) = back.chains.values()
    assert analyze(back).chains[chain.name].latency >= analyze(system).chains["go"].latency


def test_bursts_are_refused_and_sporadic_is_told() -> None:
    with pytest.raises(InputError, match="bursts and curves are not written, as that of 'slow'"):
        amalthea.export(loads(PLAIN))
    assert "'slow' is sporadic: periodic here" in amalthea.export(loads(PERIODIC)).left_out


MODEL = exported(
    loads(PERIODIC.replace("threads: [left, right]", "threads: [left]").replace(", both]}", "]}"))
)
TICKS = '<default xsi:type="am:DiscreteValueBoundaries" samplingType="WorstCase" lowerBound="1000000" upperBound="1000000" />'


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("am:FixedPriorityPreemptive", "am:PriorityExchangeServer", "scheduler 'PriorityExchangeServer' is not read"),
        ('<schedulingAlgorithm xsi:type="am:FixedPriorityPreemptive" />', "<parentAssociation />", "is under another, which is not read"),
        ('name="slow" stimuli', 'name="slow" preemption="cooperative" stimuli', "task 'slow' is not preemptive"),
        ('value="1.0" unit="GHz"', 'value="1.0" unit="Furlong"', "the frequency of this core is not in the file"),
        ('responsibility="a_c0?', 'responsibility="a_c9?', "on 1 cores that are known"),
        (TICKS, TICKS.replace(' upperBound="1000000"', ""), "have no bounds"),
        (TICKS, "", "no ticks for a core of kind 'unit'"),
        ('runnable="slow_work?', 'runnable="slow_play?', "there is no runnable 'slow_play'"),
        ("am:InterProcessTrigger", "am:WaitEvent", "'WaitEvent' is not read"),
        ('xsi:type="am:PeriodicStimulus"', 'xsi:type="am:CustomStimulus"', "stimulus 'CustomStimulus' is not read"),
        ('value="20000000" unit="ns"', 'value="20" unit="ticks"', "is no time"),
        ('value="20000000" unit="ns"', 'value="0" unit="ns"', "the period must be positive"),
        ('stimuli="slow_begins?type=PeriodicStimulus"', 'stimuli=""', "0 stimuli of its own and 0 triggers"),
        ("<activityGraph>", "<callGraph /><activityGraph>", "a version before 0.9.7"),
        ("am:Amalthea", "am:Other", "<Other> is no AMALTHEA model"),
    ],
)  # fmt: skip
def test_what_is_not_read_is_refused_with_its_place(
    old: str, new: str, says: str, tmp_path: Path
) -> None:
    assert old in MODEL
    with pytest.raises(InputError) as error:
        imported(MODEL.replace(old, new), tmp_path)
    assert says in str(error.value)
    assert all(found.position for found in error.value.diagnostics)


def test_an_early_trigger_may_come_early(tmp_path: Path) -> None:
    """What a task starts before its work may start at once."""
    call = '<items xsi:type="am:RunnableCall" runnable="slow_work?type=Runnable" />'
    trigger = '<items xsi:type="am:InterProcessTrigger" stimulus="right_begins?type=InterProcessStimulus" />'
    early = MODEL.replace(call, "").replace(trigger, trigger + call)
    assert early != MODEL
    slow = imported(early, tmp_path).threads["slow"]
    assert (slow.bcet, slow.wcet) == (0, 2_000_000)


def test_work_of_some_jobs_is_no_best_case(tmp_path: Path) -> None:
    call = '<items xsi:type="am:RunnableCall" runnable="slow_work?type=Runnable" />'
    counted = call.replace(" />", '><counter prescaler="3" /></items>')
    slow = imported(MODEL.replace(call, counted), tmp_path).threads["slow"]
    assert (slow.bcet, slow.wcet) == (0, 2_000_000)


def test_a_trigger_of_a_group_without_order_may_come_first(tmp_path: Path) -> None:
    call = '<items xsi:type="am:RunnableCall" runnable="slow_work?type=Runnable" />'
    trigger = '<items xsi:type="am:InterProcessTrigger" stimulus="right_begins?type=InterProcessStimulus" />'
    for ordered, best in (("true", None), ("false", 0)):
        group = f'<items xsi:type="am:Group" ordered="{ordered}">{call}{trigger}</items>'
        text = MODEL.replace(trigger, "").replace(call, group)
        slow = imported(text, tmp_path).threads["slow"]
        assert slow.bcet == (slow.wcet if best is None else best)


def test_a_jitter_is_as_wide_as_its_ends_are_apart(tmp_path: Path) -> None:
    period = '<recurrence value="20000000" unit="ns" />'
    assert period in MODEL
    for lower, jitter in ((0, 2_000_000), (-1, 3_000_000), (1, 2_000_000)):
        ends = f'<lowerBound value="{lower}" unit="ms" /><upperBound value="2" unit="ms" />'
        text = MODEL.replace(period, f"{period}<jitter>{ends}</jitter>")
        assert imported(text, tmp_path).threads["slow"].arrival.jitter == jitter
    with pytest.raises(InputError, match="this jitter has no lower and upper bound"):
        imported(text.replace('<lowerBound value="1" unit="ms" />', ""), tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('<schedulingAlgorithm xsi:type="am:FixedPriorityPreemptive" />', "", "schedules is not in the file: priorities are a guess"),
        ("<schedulingAlgorithm", "<computationItems /><schedulingAlgorithm", "itself takes: it is in no bound"),
        ('name="system"', 'name="system" overhead="o?type=OsOverhead"', "the overhead of the operating system"),
    ],
)  # fmt: skip
def test_what_schedulers_take_is_told(old: str, new: str, told: str, tmp_path: Path) -> None:
    assert old in MODEL
    (tmp_path / "m.amxmi").write_text(MODEL.replace(old, new))
    assert any(told in text for text in read([str(tmp_path / "m.amxmi")]).left_out)


def test_priorities_of_later_versions_and_missing_ones(tmp_path: Path) -> None:
    old = '<schedulingParameters priority="9" />'
    later = '<schedulingParameters key="priority"><value xsi:type="am:IntegerObject" value="9"/></schedulingParameters>'
    assert imported(MODEL.replace(old, later), tmp_path).threads["fast"].priority == 9
    (tmp_path / "m.amxmi").write_text(MODEL.replace(old, ""))
    told = list(read([str(tmp_path / "m.amxmi")]).left_out)
    assert any(
        text.startswith("the priority of 'fast' is not in the file: 1 is a guess") for text in told
    )


def test_the_name_of_a_file_tells_the_format(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "m.amxmi").write_text(MODEL)
    assert main(["import", str(tmp_path / "m.amxmi")]) == 0
    assert capsys.readouterr().out.startswith("# Drafted from the AMALTHEA model m.amxmi")


def waters() -> dict[str, Any]:
    shared = Path(os.environ.get("DDSRTA_SHARED") or ROOT.parent / "shared")
    path = shared / "data/waters2019/waters2019_model.json"
    if not path.is_file():
        pytest.skip("the numbers of WATERS 2019 are not at hand: set DDSRTA_SHARED")
    return json.loads(path.read_text())


def challenge(tasks: dict[str, str]) -> str:
    """Tasks with one runnable of the challenge each, as its model has them: ticks by the kind of
    core, accesses to labels, and priorities that are all 1."""
    model = waters()
    parts: dict[str, list[str]] = {name: [] for name in ("task", "work", "stimulus", "place")}
    for name, runnable in tasks.items():
        said = model["runnables"][runnable]
        ticks = "".join(
            f'<extended key="{kind}?type=ProcessingUnitDefinition"><value xsi:type="am:DiscreteValueStatistics"'
            f' lowerBound="{t["min"]}" upperBound="{t["max"]}" average="{t["avg"]}"/></extended>'
            for kind, t in said["ticks"].items()
        )
        labels = "".join(
            f'<items xsi:type="am:LabelAccess" data="{label}?type=Label" access="read"/>'
            for label in said["reads"]
        )
        call = f'<items xsi:type="am:RunnableCall" runnable="{runnable}?type=Runnable"/>'
        parts["task"].append(
            f'<tasks name="{name}" stimuli="s_{name}?type=PeriodicStimulus"><activityGraph>'
            f'<items xsi:type="am:Group" ordered="true">{call}</items></activityGraph></tasks>'
        )
        parts["work"].append(
            f'<runnables name="{runnable}"><activityGraph>{labels}<items xsi:type="am:Ticks">{ticks}</items>'
            "</activityGraph></runnables>"
        )
        parts["stimulus"].append(
            f'<stimuli xsi:type="am:PeriodicStimulus" name="s_{name}"><offset value="0" unit="ms"/>'
            '<recurrence value="10" unit="ms"/></stimuli>'
        )
        parts["place"].append(
            f'<taskAllocation task="{name}?type=Task" scheduler="S?type=TaskScheduler">'
            '<schedulingParameters priority="1"/></taskAllocation>'
        )
    text = {name: "\n".join(each) for name, each in parts.items()}
    return f"""<am:Amalthea xmlns:am="x" xmlns:xsi="y"><swModel>{text["task"]}{text["work"]}</swModel>
<hwModel><structures name="TX2"><structures name="Cluster"><modules xsi:type="am:ProcessingUnit" name="Core0"
 definition="A57?type=ProcessingUnitDefinition" frequencyDomain="D?type=FrequencyDomain"/></structures></structures>
<domains name="D"><defaultValue value="2.0" unit="GHz"/></domains></hwModel>
<osModel><operatingSystems><taskSchedulers name="S"><schedulingAlgorithm xsi:type="am:OSEK"/></taskSchedulers>
</operatingSystems></osModel><stimuliModel>{text["stimulus"]}</stimuliModel><mappingModel>
<schedulerAllocation scheduler="S?type=TaskScheduler" responsibility="Core0?type=ProcessingUnit"/>{text["place"]}
</mappingModel></am:Amalthea>"""


def test_execution_times_of_waters_2019_are_those_of_the_case_study(tmp_path: Path) -> None:
    """Most ticks on an A57 at 2 GHz."""
    from casestudies.waters2019.inputs import TASKS

    names = {
        "CAN": "CAN_Function",
        "EKF": "EKF_Function",
        "PLAN": "Planner_Function",
        "DASM": "DASM_Function",
    }
    path = tmp_path / "waters.amxmi"
    path.write_text(challenge(names))
    draft = read([str(path)])
    found = {name: thread.wcet for name, thread in loads(write(draft)).threads.items()}
    assert found == {task.name: task.wcet for task in TASKS if task.name in names}
    assert "accesses to labels: what memory takes is in no bound" in draft.left_out
