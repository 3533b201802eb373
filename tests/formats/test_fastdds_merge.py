"""Fast DDS profiles put into a system: it says what they say, and keeps its own comments."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddsrta.base.diagnostics import InputError
from ddsrta.bounds.analyze import analyze
from ddsrta.formats.fastdds_merge import Merged, merge
from ddsrta.formats.fastdds_xml import profiles_of
from ddsrta.models.middleware import Limit
from ddsrta.models.reader import loads

from . import drafted
from .profiles import PROFILES

SYSTEM = """\
ddsrta: 1
name: robot  # the small one
machines:
  ecu: {cores: [c0, c1]}
delays:  # measured
  flow_controller: {1kB: 62us}
  listener: {1kB: 224us}
  publisher: {1kB: 98us}
topics:
  speed: {size: 1kB, priority: 0}  # of the wheels
  door:
    size: 1kB
listeners:
  L: {core: ecu/c0, priority: 90}
threads:
  sensor:
    core: ecu/c0
    priority: 85  # above control
    wcet: 1ms
    period: 10ms
    publishes:
      - {topic: speed, mode: sync}  # for now
      - topic: door
        mode: sync
  control:
    core: ecu/c1
    priority: 70
    wcet: 2ms
    subscribes: {topics: [speed, door], listener: L}
"""


def merged(profiles: str, system: str, folder: Path) -> Merged:
    path = drafted.written(folder, "robot.xml", profiles)
    return merge(profiles_of([path]), system.encode(), "robot.yaml")


def test_the_system_says_what_the_profiles_say(tmp_path: Path) -> None:
    result = merged(PROFILES, SYSTEM, tmp_path)
    system = loads(result.text)
    speed, door = system.threads["sensor"].publishes
    assert (speed.mode, speed.flow_controller, door.mode) == ("async", "urgent", "sync")
    controller = system.flow_controllers["urgent"]
    assert (controller.core, controller.priority) == ("ecu/c0", 88)
    assert controller.policy == "HIGH_PRIORITY"
    assert (system.topics["speed"].priority, system.topics["speed"].history) == (-3, 2)
    assert system.topics["door"] == loads(SYSTEM).topics["door"]
    assert (system.listeners["L"].core, system.listeners["L"].priority) == ("ecu/c1", 77)
    assert result.problems == [] and not result.left_out
    assert analyze(system).verdict == "error"  # their controller is above its writer: a livelock


def test_only_the_lines_that_change_change(tmp_path: Path) -> None:
    result = merged(PROFILES, SYSTEM, tmp_path)
    assert result.keeps_comments
    new = [line for line in result.text.splitlines() if line not in SYSTEM.splitlines()]
    assert new == [
        "  speed: {size: 1kB, history: 2, priority: -3}  # of the wheels",
        "flow_controllers:",
        "  urgent: {core: ecu/c0, priority: 88, policy: HIGH_PRIORITY}",
        "  L: {core: ecu/c1, priority: 77}",
        "      - {topic: speed, flow_controller: urgent, mode: async}  # for now",
    ]
    assert "topics.speed.priority: -3 (was 0)" in result.placed


def test_merging_twice_changes_nothing_more(tmp_path: Path) -> None:
    once = merged(PROFILES, SYSTEM, tmp_path)
    again = merged(PROFILES, once.text, tmp_path)
    assert again.text == once.text
    assert again.placed == []


def test_the_default_profile_counts_where_the_system_is_silent(tmp_path: Path) -> None:
    text = PROFILES.replace(
        '<data_writer profile_name="/speed"',
        '<data_writer profile_name="d" is_default_profile="true"',
    )
    silent = SYSTEM.replace("topic: door\n        mode: sync", "topic: door")
    result = merged(text, silent, tmp_path)
    speed, door = loads(result.text).threads["sensor"].publishes
    assert (speed.mode, door.mode) == ("sync", "async")
    assert "flow_controller: urgent  # from the default profile d" in result.text
    assert loads(result.text).topics["speed"].priority == 0
    assert loads(result.text).topics["door"].priority == -3


def settings(value: str) -> str:
    chosen = f"<intraprocess_delivery>{value}</intraprocess_delivery>"
    end = f"</profiles><library_settings>{chosen}</library_settings>"
    return PROFILES.replace("</profiles>", end)


@pytest.mark.parametrize("value", ["OFF", "USER_DATA_ONLY", "FULL"])
def test_each_process_says_who_does_the_work_of_its_readers(value: str, tmp_path: Path) -> None:
    within = "processes: {p: {listener: L}}\nthreads:"
    result = merged(settings(value), SYSTEM.replace("threads:", within, 1), tmp_path)
    assert loads(result.text).processes["p"].intraprocess_delivery == value
    assert f"processes.p.intraprocess_delivery: {value}" in result.placed
    assert not result.left_out


def test_without_processes_it_has_no_place(tmp_path: Path) -> None:
    (text,) = merged(settings("FULL"), SYSTEM, tmp_path).left_out
    assert text.startswith("intraprocess_delivery FULL")
    assert not merged(settings("OFF"), SYSTEM, tmp_path).left_out
    with pytest.raises(InputError) as error:
        merged(settings("SOME"), SYSTEM, tmp_path)
    assert "Fast DDS knows OFF, USER_DATA_ONLY, FULL" in str(error.value)


def test_what_cannot_be_placed_stands_on_top_and_is_not_guessed(tmp_path: Path) -> None:
    two = SYSTEM.replace("threads:\n", "  M: {core: ecu/c1, priority: 80}\nthreads:\n", 1)
    named = two.replace("[c0, c1]", "[left, right]").replace("c0", "left").replace("c1", "right")
    result = merged(PROFILES, named, tmp_path)
    listeners = loads(result.text).listeners
    assert (listeners["L"].priority, listeners["M"].priority) == (90, 80)
    assert list(result.left_out) == [
        "affinity of flow controller 'urgent' to CPU 0: no core can be told by this number",
        "the receiving thread of transport 'udp' (priority 77, CPU 1): which listener this is "
        "cannot be told",
    ]
    head = result.text.splitlines()[: len(result.left_out)]
    assert all(line.startswith("# left out of the profiles: ") for line in head)
    assert "    core: ecu/left  # guessed: the core of a thread that publishes" in result.text


def test_the_thread_of_a_user_port_is_that_of_the_listener(tmp_path: Path) -> None:
    port = """\
        <reception_threads>
          <reception_thread port="7410"><priority>9</priority></reception_thread>
          <reception_thread port="7411">
            <scheduling_policy>1</scheduling_policy><priority>66</priority>
          </reception_thread>
        </reception_threads>
      </transport_descriptor>
"""
    result = merged(PROFILES.replace("      </transport_descriptor>\n", port), SYSTEM, tmp_path)
    listener = loads(result.text).listeners["L"]
    assert (listener.priority, listener.core) == (66, "ecu/c0")
    assert sum("serves no listener here" in text for text in result.left_out) == 2


def test_a_controller_on_two_machines_is_two_threads(tmp_path: Path) -> None:
    two = SYSTEM.replace(
        "  ecu: {cores: [c0, c1]}",
        "  ecu: {cores: [c0, c1]}\n  hpc: {cores: [c0]}\n"
        "network: [{from: hpc, to: ecu, delay: 1ms}]",
    ).replace(
        "  control:",
        "  other: {core: hpc/c0, priority: 9, wcet: 1ms, period: 10ms, "
        "publishes: [{topic: speed, mode: sync}]}\n  control:",
    )
    controllers = loads(merged(PROFILES, two, tmp_path).text).flow_controllers
    assert {name: c.core for name, c in controllers.items()} == {
        "urgent on ecu": "ecu/c0",
        "urgent on hpc": "hpc/c0",
    }


def test_a_controller_that_exists_takes_the_settings_of_the_profile(tmp_path: Path) -> None:
    known = SYSTEM.replace(
        "listeners:", "flow_controllers:\n  urgent: {core: ecu/c1, priority: 5}  # ours\nlisteners:"
    )
    result = merged(PROFILES, known, tmp_path)
    assert "  urgent: {core: ecu/c0, policy: HIGH_PRIORITY, priority: 88}  # ours" in result.text
    plain = PROFILES.replace("<priority>88</priority>", "").replace("<affinity>1</affinity>", "")
    controller = loads(merged(plain, known, tmp_path).text).flow_controllers["urgent"]
    assert (controller.core, controller.priority) == ("ecu/c1", 5)


def test_what_was_guessed_is_a_guess_no_more(tmp_path: Path) -> None:
    guessed = SYSTEM.replace(
        "mode: sync}  # for now", "mode: sync}  # guessed: the usual mode"
    ).replace(
        "  L: {core: ecu/c0, priority: 90}",
        "  L:\n    core: ecu/c0\n    priority: 90  # guessed: high",
    )
    text = merged(PROFILES, guessed, tmp_path).text
    assert "mode: async}  # guessed: the usual mode; not any more: mode\n" in text
    assert "    priority: 77\n" in text


ODD = {
    "an alias": SYSTEM.replace("speed: {", "speed: &t {").replace(
        "door:\n    size: 1kB", "door: *t"
    ),
    "a merge key": SYSTEM.replace("speed: {", "speed: &t {").replace(
        "door:\n    size: 1kB", "door: {<<: *t}"
    ),
    "JSON": '{"ddsrta": 1, "machines": {"ecu": {"cores": ["c0"]}}, "topics": {"speed": {"size": "1kB"}},'
    ' "delays": {"flow_controller": {"1kB": "1us"}}, "threads": {"a": {"core": "ecu/c0", "priority": 1,'
    ' "wcet": "1ms", "period": "1s", "publishes": [{"topic": "speed"}]}}}',
    "an empty section": SYSTEM.replace("listeners:", "flow_controllers:\nlisteners:"),
    "Windows": SYSTEM.replace("\n", "\r\n"),
    "no last line end": SYSTEM.rstrip("\n"),
    "quotes": SYSTEM.replace("mode: sync}", 'mode: "sync"}').replace("priority: 0", "priority: 0 "),
    "a byte order mark": "\ufeff" + SYSTEM,
    "an end of the document": SYSTEM + "...\n",
}


@pytest.mark.parametrize("kind", ODD)
def test_odd_layouts_give_the_same_system(kind: str, tmp_path: Path) -> None:
    result = merged(PROFILES, ODD[kind], tmp_path)
    system = loads(result.text)
    first = next(thread for thread in system.threads.values() if thread.publishes)
    assert (first.publishes[0].mode, system.topics["speed"].priority) == ("async", -3)
    before = loads(ODD[kind])
    assert system.topics.keys() == before.topics.keys()
    if "door" in before.topics:
        assert system.topics["door"] == before.topics["door"]
    assert result.keeps_comments == (kind not in ("an alias", "a merge key", "an empty section"))


def test_a_system_that_is_written_anew_loses_no_section(tmp_path: Path) -> None:
    """Without its middleware, locks would count no more; without its links, frames would not."""
    more = "middleware: {fastdds: 2.9}\nprocesses:\n  p: {listener: L}\nlinks:\n  bus: {kind: can, rate: 1 Mbit/s}\n"
    system = ODD["an alias"].replace("listeners:", f"{more}listeners:")
    system = system.replace("    core: ecu/c1\n", "    process: p\n    core: ecu/c1\n")
    result = merged(PROFILES, system, tmp_path)
    assert not result.keeps_comments and not result.problems
    before, after = loads(system), loads(result.text)
    assert after.fastdds == before.fastdds is not None
    assert after.processes == before.processes and after.processes
    assert after.media == before.media and after.media


def test_a_limit_that_lets_nothing_through_is_a_problem(tmp_path: Path) -> None:
    limit = "<max_bytes_per_period>1000</max_bytes_per_period>"
    text = PROFILES.replace("HIGH_PRIORITY</scheduler>", f"HIGH_PRIORITY</scheduler>{limit}")
    result = merged(text, SYSTEM, tmp_path)
    assert any("may cut samples of 'speed'" in problem for problem in result.problems)
    again = merged(text.replace("1000<", "9000<"), loads_text(result.text), tmp_path)
    assert not again.problems
    assert loads(again.text).flow_controllers["urgent"].limit == Limit(9000, 100_000_000)


def loads_text(text: str) -> str:
    """A system whose limit lets its samples through."""
    return text.replace("1000 B", "2000 B")


def test_a_wrong_system_is_refused_with_its_places(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"robot\.yaml:19:11: '1' has no unit"):
        merged(PROFILES, SYSTEM.replace("wcet: 1ms", "wcet: 1"), tmp_path)


def test_callbacks_of_nodes_are_put_in_where_they_stand(tmp_path: Path) -> None:
    head, _, _ = SYSTEM.partition("threads:\n")
    nodes = """\
executors: {spin: {core: ecu/c0, priority: 85}}
nodes:
  driver:
    executor: spin
    callbacks:
      tick: {wcet: 1ms, timer: 10ms, publishes: [{topic: speed}]}
      listen: {wcet: 1ms, subscribes: {topics: [door], listener: L}}
      knock: {wcet: 1ms, timer: 1 Hz, publishes: [{topic: door}]}
  reader: {executor: spin, callbacks: {speed: {wcet: 1ms, subscribes: {topics: [speed], listener: L}}}}
"""
    alone = loads(merged(PROFILES, SYSTEM, tmp_path).text).threads["sensor"].publishes
    system = loads(merged(PROFILES, head + nodes, tmp_path).text)
    for name, publication in (("driver.tick", alone[0]), ("driver.knock", alone[1])):
        (found,) = system.threads[name].publishes
        assert (found.mode, found.flow_controller) == (
            publication.mode,
            publication.flow_controller,
        )


SECOND = """
    <data_writer profile_name="rt/speed">
      <qos><publishMode><kind>SYNCHRONOUS</kind></publishMode></qos>
    </data_writer>
  </profiles>
"""


def test_a_second_profile_of_a_topic_that_says_something_else_is_told(tmp_path: Path) -> None:
    """The first counts; that there is another one is not passed over."""
    told = merged(PROFILES.replace("  </profiles>", SECOND), SYSTEM, tmp_path).left_out
    [text] = [each for each in told if "rt/speed" in each]
    assert text.startswith("mode, controller, priority of writer profile 'rt/speed': topic 'speed'")
    assert "'/speed' already (line 30)" in text
    same = SECOND.replace("<qos><publishMode><kind>SYNCHRONOUS</kind></publishMode></qos>", "")
    alike = PROFILES.replace("  </profiles>", same.replace("rt/speed", "/other"))
    assert not any("already" in each for each in merged(alike, SYSTEM, tmp_path).left_out)


@pytest.mark.parametrize(("known", "then"), [(1, 1), (2, 2), (10, 2), (None, None)])
def test_a_history_of_readers_alone_makes_none_longer(
    tmp_path: Path, known: int | None, then: int | None
) -> None:
    """That of the writers may be less: 2 is no more than what readers keep."""
    profiles = PROFILES.replace("<depth>5</depth>", "")
    said = (
        SYSTEM if known is None else SYSTEM.replace("priority: 0", f"priority: 0, history: {known}")
    )
    result = merged(profiles, said, tmp_path)
    assert loads(result.text).topics["speed"].history == then
    told = any("no profile tells that of its writers" in each for each in result.left_out)
    assert told == (known in (None, 1, 2))


def test_a_history_of_nothing_is_told(tmp_path: Path) -> None:
    found = merged(PROFILES.replace("<depth>2", "<depth>0"), SYSTEM, tmp_path)
    assert any("a history of depth 0" in each for each in found.left_out)
    assert all("a history of" in text for text in found.left_out)
    assert not merged(PROFILES, SYSTEM, tmp_path).left_out
