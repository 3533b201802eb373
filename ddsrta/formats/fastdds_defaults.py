"""Defaults of Fast DDS that hold where its profiles are silent, and that a model does not show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ddsrta.formats.xml_tree import Element

_ROS = (
    "In ROS 2, publish modes of profiles count only with RMW_FASTRTPS_USE_QOS_FROM_XML=1, else all "
    "writers send synchronously; what a program says of QoS counts more than profiles"
)
_WRITERS, _READERS = ("data_writer", "publisher"), ("data_reader", "subscriber")


def defaults(roots: Iterable[Element]) -> str:
    """One line on everything that no profile writes.

    >>> from ddsrta.formats.xml_tree import parse_xml
    >>> print(defaults([parse_xml(b"<profiles/>")])[:70])
    not written in the profiles, so by the defaults of Fast DDS: writers a
    """
    roots = list(roots)
    profiles = [child for root in roots for child in _profiles(root)]
    writers = [child for child in profiles if child.name in _WRITERS]
    ends = writers + [child for child in profiles if child.name in _READERS]
    told = [
        text
        for silent, text in (
            (
                _silent(writers, "qos", "reliability", "kind"),
                "writers are RELIABLE (heartbeats, acknowledgements and resends: not modelled)",
            ),
            (
                _silent(ends, "qos", "data_sharing", "kind"),
                "data sharing is AUTO (on one machine, a reader may have a thread of its own "
                "in place of the listener: not modelled)",
            ),
            (
                all(
                    root.find("library_settings", "intraprocess_delivery") is None for root in roots
                ),
                "delivery within a process is FULL (the writer's thread does the readers' work: "
                "see 'processes')",
            ),
            (
                _silent(writers, "qos", "publishMode", "kind"),
                "writers send synchronously",
            ),
            (
                _silent(ends, "topic", "historyQos", "depth"),
                "histories are as deep as the program asks (Fast DDS: 1; ROS 2: 10)",
            ),
        )
        if silent
    ]
    found = ["not written in the profiles, so by the defaults of Fast DDS: " + "; ".join(told)]
    if any(one.find("qos", "publishMode") is not None for one in writers):
        found.append(_ROS)
    return ". ".join(found[not told :])


def _profiles(root: Element) -> Iterator[Element]:
    for part in root.all("profiles") if root.name == "dds" else [root]:
        yield from part.children


def _silent(elements: list[Element], *path: str) -> bool:
    """Whether some element lacks it, or there is none that could have it."""
    return not elements or any(element.find(*path) is None for element in elements)
