"""A ROS 2 system in a few words: what each node does, who shares a process, what must be in time.

camera: 30 Hz -> image(6MB)        a timer that publishes
detector: image -> objects         a callback for each message
fusion: image & scan -> tracks     a callback for each set of messages
planner: 10 Hz, objects -> cmd     a timer that reads the newest message
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ddsrta.base.diagnostics import did_you_mean, shown
from ddsrta.base.frozen import frozen
from ddsrta.base.units import NANOSECONDS, parse_duration, parse_period, parse_size

_MOST_THREADS = 256
_ARROW = re.compile(r"->|→")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:/[A-Za-z_][A-Za-z0-9_]*)*")
_TOPIC = re.compile(r"([~/A-Za-z_][A-Za-z0-9_/]*)(?:\(([^()]*)\))?")


@frozen
class NodeSketch:
    """A node: how often it runs of itself, what it reads (`together`: a message of each), and
    what it publishes. `rate` is as it was written."""

    name: str
    rate: str | None = None
    reads: tuple[str, ...] = ()
    together: bool = False
    publishes: tuple[str, ...] = ()
    sizes: tuple[tuple[str, str], ...] = ()

    @property
    def waits(self) -> bool:
        """Whether one callback waits for several topics."""
        return self.together and len(self.reads) > 1


@frozen
class GroupSketch:
    """Nodes in one executor of so many threads, or cores of one machine."""

    name: str
    members: tuple[str, ...]
    machine: str | None = None
    threads: int = 1


@frozen
class Deadline:
    """From what a node does to what another does of it."""

    source: str
    target: str
    deadline: str


def node(text: str) -> NodeSketch:
    """What a node does.

    >>> node("planner: 10 Hz, objects -> cmd(1kB)")
    NodeSketch(name='planner', rate='10 Hz', reads=('objects',), together=False, \
publishes=('cmd',), sizes=(('cmd', '1kB'),))
    """
    name, rest = _named(text, "camera: 30 Hz -> image")
    left, *right = _ARROW.split(rest)
    if len(right) > 1:
        raise ValueError(f"{shown(text)} has several arrows: write a line for each node")
    sizes: dict[str, str] = {}
    together, rate = "&" in left, None
    reads = []
    for word in _words(left.replace("&", ",")):
        if word[0].isdigit():
            parse_period(word)
            if rate is not None:
                raise ValueError(f"{shown(text)} has two rates")
            rate = word
        else:
            reads.append(_topic(word, sizes))
    if together and rate is not None:
        raise ValueError(f"{shown(text)}: a timer reads the newest message of each: write ','")
    publishes = [_topic(word, sizes) for word in _words(right[0])] if right else []
    for kind in (reads, publishes):
        if twice := _twice([topic.lstrip("/") for topic in kind]):
            raise ValueError(f"{shown(text)} names {shown(twice[0])} twice")
    if not (reads or publishes or rate):
        raise ValueError(f"{shown(text)} does nothing: write what it reads, or how often it runs")
    return NodeSketch(name, rate, tuple(reads), together, tuple(publishes), tuple(sizes.items()))


def spelled_alike(nodes: Iterable[NodeSketch]) -> tuple[NodeSketch, ...]:
    """The same with one name for each topic, its first: ROS 2 takes 'image' for '/image'.

    >>> eye, log = spelled_alike([node("eye: 30 Hz -> /image"), node("log: image(1MB)")])
    >>> eye.publishes, log.reads, log.sizes
    (('/image',), ('/image',), (('/image', '1MB'),))
    """
    known: dict[str, str] = {}

    def named(topic: str) -> str:
        return known.setdefault(topic.lstrip("/"), topic)

    return tuple(
        replace(
            each,
            reads=tuple(map(named, each.reads)),
            publishes=tuple(map(named, each.publishes)),
            sizes=tuple((named(topic), size) for topic, size in each.sizes),
        )
        for each in nodes
    )


def executor(text: str) -> GroupSketch:
    """Who shares an executor, which may have several threads.

    >>> executor("vision@orin: camera, detector")
    GroupSketch(name='vision', members=('camera', 'detector'), machine='orin', threads=1)
    >>> executor("vision(4): camera, detector").threads
    4
    """
    several = re.match(r"([^:()]*)\(\s*(\d+)\s*\)([^:()]*:)", text)
    threads = int(several[2][:4]) if several else 1
    text = several[1] + several[3] + text[several.end() :] if several else text
    if not 1 <= threads <= _MOST_THREADS:
        raise ValueError(f"{shown(text)}: an executor has 1 to {_MOST_THREADS} threads")
    head, rest = _named(text, "vision: camera, detector", r"[^:@]+(?:@[^:@]+)?")
    name, _, machine = head.partition("@")
    members = tuple(map(_own, _words(rest)))
    if not members:
        raise ValueError(f"{shown(text)} names no node: write for example 'vision: camera'")
    return GroupSketch(name.strip(), members, machine.strip() or None, threads)


def machine(text: str) -> GroupSketch:
    """A machine and its cores.

    >>> machine("orin: 2").members
    ('c0', 'c1')
    """
    name, rest = _named(text, "orin: 4")
    if not (rest.strip().isdigit() and 1 <= int(rest) <= 256):
        raise ValueError(f"{shown(text)}: how many cores? Write for example 'orin: 4'")
    return GroupSketch(name, tuple(f"c{number}" for number in range(int(rest))))


def deadline(text: str) -> Deadline:
    """What must be in time.

    >>> deadline("camera -> motor: 100 ms")
    Deadline(source='camera', target='motor', deadline='100 ms')
    """
    ends, colon, time = text.rpartition(":")
    names = [_own(end) for end in _ARROW.split(ends)]
    if not colon or len(names) != 2 or not all(names):
        raise ValueError(f"{shown(text)} is no deadline such as 'camera -> motor: 100 ms'")
    if parse_duration(time) <= 0:
        raise ValueError(f"{shown(text)}: a deadline is more than zero")
    return Deadline(names[0], names[1], time.strip())


def check(
    nodes: Iterable[NodeSketch],
    executors: Iterable[GroupSketch],
    machines: Iterable[GroupSketch],
    deadlines: Iterable[Deadline],
) -> Iterator[str]:
    """What does not fit together."""
    known = [each.name for each in nodes]
    places = [each.name for each in machines]
    groups = [each.name for each in executors]
    placed = [member for each in executors for member in each.members]
    ends = [end for each in deadlines for end in (each.source, each.target)]
    for what, names in (("node", known), ("machine", places), ("executor", groups)):
        yield from (f"there are two {what}s {shown(name)}" for name in _twice(names))
    yield from (f"node {shown(name)} is in two executors" for name in _twice(placed))
    for name in dict.fromkeys([*placed, *ends]):
        if name not in known:
            yield f"there is no node {shown(name)}; {did_you_mean(name, known)}"
    for each in executors:
        if each.machine is not None and each.machine not in places:
            new = f"give --machine '{each.machine}: 4', its name and how many cores it has"
            advice = did_you_mean(each.machine, places) if places else new
            yield f"there is no machine {shown(each.machine)}; {advice}"


def _twice(names: list[str]) -> list[str]:
    return [name for name in dict.fromkeys(names) if names.count(name) > 1]


def _named(text: str, example: str, pattern: str = r"[^:]+") -> tuple[str, str]:
    match = re.fullmatch(rf"\s*({pattern}?)\s*:(.*)", text, re.DOTALL)
    if match is None:
        raise ValueError(f"{shown(text)} has no name: write for example '{example}'")
    for part in match[1].split("@"):
        if not _NAME.fullmatch(_own(part)):
            raise ValueError(f"{shown(match[1])} is no name of ROS 2: letters, digits and '_'")
    return _own(match[1]), match[2]


def _own(name: str) -> str:
    """A name without the '/' that ROS 2 puts in front."""
    return name.strip().strip("/")


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _topic(word: str, sizes: dict[str, str]) -> str:
    match = _TOPIC.fullmatch(word)
    if match is None:
        advice = "a time or rate" if word.endswith(tuple(NANOSECONDS)) else "a topic"
        raise ValueError(f"{shown(word)} is no topic such as 'image' or 'image(6MB)', nor {advice}")
    if match[2] is not None:
        parse_size(match[2])
        sizes[match[1]] = match[2].replace(" ", "")
    return match[1]
