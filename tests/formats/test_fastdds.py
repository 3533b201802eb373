"""Fast DDS profiles alone: a draft that can be analysed, with all that profiles do not tell marked."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddsrta.base.diagnostics import InputError
from ddsrta.bounds.analyze import analyze
from ddsrta.formats.fastdds_xml import profiles_of, read
from ddsrta.formats.yaml_writer import write
from ddsrta.models.middleware import Limit
from ddsrta.models.reader import loads

from . import drafted
from .profiles import PROFILES


def draft_of(text: str, folder: Path) -> str:
    return write(read([drafted.written(folder, "robot.xml", text)]))


def test_controllers_threads_and_topics_are_in_the_draft(tmp_path: Path) -> None:
    data = drafted.read(draft_of(PROFILES, tmp_path))
    assert data["flow_controllers"] == {
        "urgent": {"core": "machine/c0", "priority": "88", "policy": "HIGH_PRIORITY"}
    }
    assert data["listeners"] == {"udp listener": {"core": "machine/c1", "priority": "77"}}
    assert data["topics"] == {"/speed": {"size": "1kB", "history": "2", "priority": "-3"}}
    assert data["threads"]["writer of /speed"]["publishes"] == [
        {"topic": "/speed", "mode": "async", "flow_controller": "urgent"}
    ]


def test_the_draft_can_be_analysed(tmp_path: Path) -> None:
    system = loads(draft_of(PROFILES, tmp_path))
    assert analyze(system).verdict == "met"
    assert system.delays.placeholder


def test_every_guess_ends_its_line(tmp_path: Path) -> None:
    lines = draft_of(PROFILES, tmp_path).splitlines()
    for key in ("wcet: 1ms", "size: 1kB", "cores: [c0, c1]", "period: 100ms"):
        assert all("  # guessed: " in line for line in lines if key in line), key
    assert "  urgent: {core: machine/c0, priority: 88, policy: HIGH_PRIORITY}" in lines


def test_old_names_and_other_namespaces_mean_the_same(tmp_path: Path) -> None:
    old = PROFILES.replace("data_writer", "publisher").replace("data_reader", "subscriber")
    bare = old.replace('<dds xmlns="http://www.eprosima.com">\n', "").replace("</dds>\n", "")
    fastrtps = "http://www.eprosima.com/XMLSchemas/fastRTPS_Profiles"
    spaced = old.replace("http://www.eprosima.com", fastrtps)
    prefixed = (
        PROFILES.replace("<dds xmlns=", "<f:dds xmlns:f=")
        .replace("</dds>", "</f:dds>")
        .replace("profiles>", "f:profiles>")
    )
    expected = draft_of(PROFILES, tmp_path)
    assert draft_of(bare, tmp_path) == expected
    assert draft_of(spaced, tmp_path) == expected
    assert draft_of(prefixed, tmp_path) == expected


def test_the_topic_that_an_old_profile_names_is_taken(tmp_path: Path) -> None:
    named = "<topic><name>velocity</name><dataType>Speed</dataType>"
    text = draft_of(PROFILES.replace("<topic>", named), tmp_path)
    assert drafted.read(text)["topics"] == {
        "velocity": {"size": "1kB", "history": "2", "priority": "-3"}
    }
    assert "named after the profile" not in text


@pytest.mark.parametrize("policy", ["FIFO", "ROUND_ROBIN", "HIGH_PRIORITY"])
def test_schedulers_have_the_names_of_fast_dds(policy: str, tmp_path: Path) -> None:
    data = drafted.read(draft_of(PROFILES.replace("HIGH_PRIORITY", policy), tmp_path))
    assert data["flow_controllers"]["urgent"]["policy"] == policy


LOST = [
    (
        "<scheduling_policy>1</scheduling_policy>\n              ",
        "<scheduling_policy>2</scheduling_policy>",
        "scheduling policy SCHED_RR of flow controller 'urgent'",
    ),
    (
        "<scheduling_policy>1</scheduling_policy>\n              ",
        "",
        "priority 88 without a scheduling policy of flow controller 'urgent'",
    ),
    (
        "<affinity>1</affinity>",
        "<affinity>0x3</affinity>",
        "affinity to several CPUs (0x3) of flow controller 'urgent'",
    ),
    (
        "fastdds.sfc.priority",
        "fastdds.sfc.bandwidth_reservation",
        "fastdds.sfc.bandwidth_reservation of profile '/speed': it has no effect",
    ),
    (
        "<kind>ASYNCHRONOUS</kind>",
        "<kind>SYNCHRONOUS</kind>",
        "flow controller 'urgent' of the synchronous profile '/speed': Fast DDS refuses this",
    ),
    (
        "  </profiles>",
        "  </profiles><library_settings><intraprocess_delivery>FULL</intraprocess_delivery>"
        "</library_settings>",
        "intraprocess_delivery FULL: who writes does the work of readers of its process",
    ),
    (
        "<rtps>",
        "<rtps><timed_events_thread><priority>5</priority></timed_events_thread>",
        "<timed_events_thread> (robot.xml:16): such threads are not modelled",
    ),
    ("<value>-3</value>", "<value>11</value>", "fastdds.sfc.priority '11': it must be -10 … 10"),
    ("<value>-3</value>", "<value>NaN</value>", "fastdds.sfc.priority 'NaN': it must be -10 … 10"),
    (
        "<flow_controller_name>urgent<",
        "<flow_controller_name>other<",
        "the policy of flow controller 'other' of profile '/speed': not in the file",
    ),
]


@pytest.mark.parametrize(("old", "new", "told"), LOST)
def test_what_has_no_place_is_told(old: str, new: str, told: str, tmp_path: Path) -> None:
    text = PROFILES.replace("<value>-3<", "<value>30<") if "bandwidth_res" in new else PROFILES
    assert old in text
    path = drafted.written(tmp_path, "robot.xml", text.replace(old, new, 1))
    draft = read([path])
    assert any(told in line for line in draft.left_out), list(draft.left_out)
    assert told in write(draft)  # on top of the file as well
    assert analyze(loads(write(draft))).verdict == "met"


LIMITED = PROFILES.replace(
    "HIGH_PRIORITY</scheduler>",
    "PRIORITY_WITH_RESERVATION</scheduler>"
    "<max_bytes_per_period>3000</max_bytes_per_period><period_ms>10</period_ms>",
).replace(
    "<property><name>fastdds.sfc.priority",
    "<property><name>fastdds.sfc.bandwidth_reservation</name><value>30</value></property>"
    "<property><name>fastdds.sfc.priority",
)


def test_limits_and_reservations_are_taken(tmp_path: Path) -> None:
    system = loads(draft_of(LIMITED, tmp_path))
    controller = system.flow_controllers["urgent"]
    assert controller.policy == "PRIORITY_WITH_RESERVATION"
    assert controller.limit == Limit(3000, 10_000_000)
    (writer,) = (t for t in system.threads.values() if t.publishes)
    assert writer.publishes[0].reserved == 30


@pytest.mark.parametrize(
    ("period", "limit"), [("", Limit(3000, 100_000_000)), ("<period_ms>0</period_ms>", None)]
)
def test_a_limit_without_a_period_has_that_of_fast_dds(
    period: str, limit: Limit | None, tmp_path: Path
) -> None:
    text = LIMITED.replace("<period_ms>10</period_ms>", period)
    assert loads(draft_of(text, tmp_path)).flow_controllers["urgent"].limit == limit


@pytest.mark.parametrize(
    ("text", "priority"), [("0x5", "0"), ("5 of 10", "5"), (" +7", "7"), ("3.9", "3"), ("x3", "10")]
)
def test_a_priority_is_read_as_strtol_does(tmp_path: Path, text: str, priority: str) -> None:
    profiles = PROFILES.replace("<value>-3</value>", f"<value>{text}</value>")
    path = drafted.written(tmp_path, "a.xml", profiles)
    assert drafted.read(write(read([path])))["topics"]["/speed"]["priority"] == priority


def test_a_history_that_one_end_alone_has_is_told(tmp_path: Path) -> None:
    for kind, silent in (("data_writer", "writers"), ("data_reader", "readers")):
        begin = PROFILES.index(f"<{kind} ")
        end = PROFILES.index("</topic>", begin) + len("</topic>")
        history = PROFILES[PROFILES.index("<topic>", begin) : end]
        profiles = PROFILES[:begin] + PROFILES[begin:].replace(history, "", 1)
        path = drafted.written(tmp_path, "a.xml", profiles)
        draft = read([path])
        assert any(f"no profile tells that of its {silent}" in each for each in draft.left_out)
        assert "history" not in drafted.read(write(draft))["topics"]["/speed"]


def test_an_invalid_priority_is_ten_as_in_fast_dds(tmp_path: Path) -> None:
    text = draft_of(PROFILES.replace("<value>-3<", "<value>-11<"), tmp_path)
    assert drafted.read(text)["topics"]["/speed"]["priority"] == "10"


def test_the_built_in_controller_stands_where_none_is_named(tmp_path: Path) -> None:
    line = "          <flow_controller_name>urgent</flow_controller_name>\n"
    text = PROFILES.replace(line, "").replace(
        "<rtps>",
        "<rtps><builtin_controllers_sender_thread><scheduling_policy>1</scheduling_policy>"
        "<priority>33</priority></builtin_controllers_sender_thread>",
    )
    data = drafted.read(draft_of(text, tmp_path))
    controller = data["flow_controllers"]["FastDDSFlowControllerDefault"]
    assert controller == {"core": "machine/c0", "priority": "33", "policy": "FIFO"}


WRONG = [
    ("HIGH_PRIORITY", "HIGH_PRIORTY", "20:13: <scheduler> cannot be 'HIGH_PRIORTY'; did you mean"),
    ("<depth>5<", "<depth>-5<", "31:48: <depth> must be a whole number from 0"),
    ("<depth>5<", "<depth>NaN<", "31:48: <depth> must be a whole number from 0"),
    ("<kind>ASYN", "<kind>ASIN", "34:11: <kind> cannot be 'ASINCHRONOUS'; did you mean"),
    (' profile_name="/speed"', "", "30:5: <data_writer> has no profile_name"),
    ("<name>urgent</name>", "", "18:11: '' is no usable name"),
    ("<affinity>1<", f"<affinity>{1 << 64}<", "24:15: <affinity> must be a whole number from 0"),
]


@pytest.mark.parametrize(("old", "new", "expected"), WRONG)
def test_what_is_wrong_is_told_with_its_place(
    old: str, new: str, expected: str, tmp_path: Path
) -> None:
    assert old in PROFILES
    path = drafted.written(tmp_path, "robot.xml", PROFILES.replace(old, new, 1))
    with pytest.raises(InputError) as caught:
        profiles_of([path])
    assert str(caught.value).startswith(f"{path}:{expected}")


def test_two_profiles_of_one_name_and_kind_are_refused(tmp_path: Path) -> None:
    writer = PROFILES[PROFILES.index("    <data_writer") : PROFILES.index("    <data_reader")]
    path = drafted.written(tmp_path, "robot.xml", PROFILES.replace(writer, writer * 2))
    with pytest.raises(InputError) as caught:
        profiles_of([path])
    assert str(caught.value) == (
        f"{path}:44:5: a second profile '/speed' of this kind; first at {path}:30:5"
    )


def test_files_without_anything_of_interest_are_refused_with_the_reason(tmp_path: Path) -> None:
    for text, reason in (
        ("<dds><profiles/></dds>", "nothing here changes timing"),
        ("<DS><profiles/></DS>", "<DS> is no file of Fast DDS profiles; profiles stand in"),
        ("", "1:1: not valid XML: no element found"),
    ):
        path = drafted.written(tmp_path, "other.xml", text)
        with pytest.raises(InputError) as caught:
            profiles_of([path])
        assert reason in str(caught.value)


def test_defaults_that_no_profile_writes_are_told_in_one_line() -> None:
    from ddsrta.formats.fastdds_defaults import defaults
    from ddsrta.formats.xml_tree import parse_xml

    told = defaults(
        [parse_xml(b"<dds><profiles><data_writer profile_name='/a'/></profiles></dds>")]
    )
    for word in ("RELIABLE", "data sharing is AUTO", "FULL", "synchronously", "histories"):
        assert word in told
    every = b"""<dds><profiles><data_writer profile_name="/a"><topic><historyQos><depth>1</depth>
    </historyQos></topic><qos><reliability><kind>RELIABLE</kind></reliability><publishMode>
    <kind>ASYNCHRONOUS</kind></publishMode><data_sharing><kind>OFF</kind></data_sharing></qos>
    </data_writer></profiles><library_settings><intraprocess_delivery>OFF</intraprocess_delivery>
    </library_settings></dds>"""
    assert defaults([parse_xml(every)]).startswith("In ROS 2, publish modes of profiles count only")
    unsaid = every[: every.index(b"<publishMode>")] + every[every.index(b"<data_sharing>") :]
    assert "In ROS 2" not in defaults([parse_xml(unsaid)])


def test_a_second_priority_of_a_topic_is_told(tmp_path: Path) -> None:
    """A topic has one; the second writer's is not put in its place without a word."""
    second = """
    <data_writer profile_name="late"><topic><name>/speed</name></topic><propertiesPolicy><properties>
      <property><name>fastdds.sfc.priority</name><value>7</value></property>
    </properties></propertiesPolicy></data_writer>
  </profiles>
"""
    text = draft_of(PROFILES.replace("  </profiles>", second), tmp_path)
    assert "priority 7 of 'late': topic '/speed' has -3 already" in text
    assert loads(text).topics["/speed"].priority == -3


def test_a_core_that_the_file_leaves_open_is_not_said_to_be_missing_from_it(tmp_path: Path) -> None:
    old, new = "<affinity>1</affinity>", "<affinity>0x3</affinity>"
    several = draft_of(PROFILES.replace(old, new), tmp_path)
    assert "guessed: the file allows for several CPUs (0x3)" in several
