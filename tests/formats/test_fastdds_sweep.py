"""No element of Fast DDS profiles is dropped in silence: read, without influence, or told."""

from __future__ import annotations

from pathlib import Path

import pytest

from ddsrta.base.diagnostics import InputError
from ddsrta.formats.fastdds_elements import KINDS, LEFT_OUT, READ, SILENT
from ddsrta.formats.fastdds_xml import read

from . import drafted

PAGE = """\
<dds xmlns="http://www.eprosima.com"><profiles>
<data_writer profile_name="/speed"><topic><historyQos><depth>2</depth></historyQos></topic>
{inside}
</data_writer>
{beside}
</profiles></dds>
"""


def left_out(folder: Path, inside: str = "", beside: str = "") -> list[str]:
    text = PAGE.format(inside=inside, beside=beside)
    return list(read([drafted.written(folder, "robot.xml", text)]).left_out)


@pytest.mark.parametrize(
    ("inside", "told"),
    [
        (
            "<qos><lifespan><duration><sec>1</sec></duration></lifespan></qos>",
            "<lifespan> '1' of profile '/speed' (robot.xml:3:6): samples that are older are lost",
        ),
        (
            "<qos><reliability><kind>RELIABLE</kind><max_blocking_time><sec>5</sec>"
            "</max_blocking_time></reliability></qos>",
            "<reliability> 'RELIABLE 5' of profile '/speed' (robot.xml:3:6)",
        ),
        ("<qos><partition><names><name>a</name></names></partition></qos>", "<partition> 'a'"),
        ("<qos><data_sharing><kind>AUTOMATIC</kind></data_sharing></qos>", "<data_sharing> 'AUTO"),
        ("<times><heartbeat_period><sec>1</sec></heartbeat_period></times>", "<heartbeat_period>"),
        ("<times><heartbeatPeriod><sec>1</sec></heartbeatPeriod></times>", "<heartbeatPeriod>"),
        ("<times><nackResponseDelay><sec>1</sec></nackResponseDelay></times>", "<nackResponseD"),
        (
            "<propertiesPolicy><properties><property><name>fastdds.push_mode</name>"
            "<value>false</value></property></properties></propertiesPolicy>",
            "property fastdds.push_mode=false of profile '/speed' (robot.xml:3:31)",
        ),
        ("<qos><lifespam><duration/></lifespam></qos>", "<lifespam> of profile '/speed' (robot."),
        ("<qos/><qos><publishMode/></qos>", "only the first one counts"),
        ('<qos mode="fast"/>', "unknown attribute 'mode'"),
    ],
)
def test_what_a_writer_says_and_no_system_holds_is_told(
    inside: str, told: str, tmp_path: Path
) -> None:
    lines = left_out(tmp_path, inside)
    assert any(told in line for line in lines), lines


@pytest.mark.parametrize(
    ("beside", "told"),
    [
        (
            '<participant profile_name="p"><rtps><builtinTransports max_msg_size="1MB">UDPv4'
            "</builtinTransports></rtps></participant>",
            "<builtinTransports> 'UDPv4' of profile 'p' (robot.xml:5:37): max_msg_size",
        ),
        (
            '<participant profile_name="p"><rtps><propertiesPolicy><properties><property>'
            "<name>fastdds.max_message_size</name><value>1200</value></property></properties>"
            "</propertiesPolicy></rtps></participant>",
            "property fastdds.max_message_size=1200 of profile 'p'",
        ),
        (
            "<transport_descriptors><transport_descriptor><transport_id>u</transport_id>"
            "<maxMessageSize>1200</maxMessageSize></transport_descriptor></transport_descriptors>",
            "<maxMessageSize> '1200' of transport 'u'",
        ),
        ('<participants profile_name="p"/>', "<participants> of profile 'p' (robot.xml:5:1): unkn"),
        ('<requester profile_name="r"/>', "profiles of services are not read"),
        (
            '<data_writer profile_name="fast"/>',
            "writer profile 'fast' (robot.xml:5:1): the file names no topic for it",
        ),
        (
            '<topic profile_name="kept"/>',
            "topic profile 'kept' (robot.xml:5:1): the file names no topic for it",
        ),
    ],
)
def test_what_stands_beside_and_no_system_holds_is_told(
    beside: str, told: str, tmp_path: Path
) -> None:
    lines = left_out(tmp_path, "", beside)
    assert any(told in line for line in lines), lines


@pytest.mark.parametrize(
    "inside",
    [
        "<qos><lifespan><duration><sec>DURATION_INFINITY</sec></duration></lifespan></qos>",
        "<qos><reliability><kind>BEST_EFFORT</kind></reliability></qos>",
        "<qos><durability><kind>VOLATILE</kind></durability></qos>",
        "<qos><data_sharing><kind>OFF</kind></data_sharing></qos>",
        "<userDefinedID>3</userDefinedID>",
        "<propertiesPolicy><properties><property><name>fastdds.push_mode</name>"
        "<value>true</value></property></properties></propertiesPolicy>",
    ],
)
def test_what_changes_nothing_is_not_told(inside: str, tmp_path: Path) -> None:
    assert left_out(tmp_path, inside) == left_out(tmp_path)


def test_no_topic_is_made_up(tmp_path: Path) -> None:
    beside = '<data_writer profile_name="fast"/><topic profile_name="kept"/>'
    draft = read([drafted.written(tmp_path, "robot.xml", PAGE.format(inside="", beside=beside))])
    assert list(draft.section("topics")) == ["/speed"]
    assert list(draft.section("threads")) == ["writer of /speed"]


def test_a_file_of_which_nothing_has_a_place_says_what_it_holds(tmp_path: Path) -> None:
    page = (
        '<profiles><participant profile_name="p"><rtps><userTransports><transport_id>shm'
        "</transport_id></userTransports></rtps></participant></profiles>"
    )
    with pytest.raises(InputError, match="nothing here has a place") as caught:
        read([drafted.written(tmp_path, "shm.xml", page)])
    assert "left out: <userTransports> 'shm'" in str(caught.value)


def test_each_element_has_one_row() -> None:
    assert not READ & SILENT
    assert {path.partition("/")[0] for path in READ} >= set(KINDS.values())
    assert all(reason for reason in LEFT_OUT.values())
