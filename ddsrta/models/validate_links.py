"""What is refused of links that several messages share, as it is not modelled or cannot be."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.base.diagnostics import Diagnostic, did_you_mean, shown
from ddsrta.base.shapes import Choice
from ddsrta.models.bandwidth import limited
from ddsrta.models.crossing import Crossing, crossings, said
from ddsrta.models.media import Frame, Medium
from ddsrta.models.system import System
from ddsrta.policies.links import LINKS

_OF_FRAMES = ("size", "period", "jitter", "min_distance")
_SIZES = ("mtu", "overhead", "datagram", "best_effort")
_LEAST = {**dict.fromkeys((*_OF_FRAMES, *_SIZES), 0), "rate": 1, "data_rate": 1, "period": 1}


def link_problems(system: System) -> Iterator[Diagnostic]:
    """Nothing where no link is shared, and nothing says how urgent it is there.

    >>> from ddsrta.examples import two_threads
    >>> list(link_problems(two_threads()))
    []
    """
    yield from _names(system)
    known = [m for m in system.media.values() if m.kind in LINKS]
    if len(known) < len(system.media) or any(_unknown(system)):
        return
    unfit = {m.name: _misread(m) or m.rules.unfit(m.settings, 0, True) for m in known}
    for name, because in unfit.items():
        if because:
            yield Diagnostic(system.where("links", name), because)
    if any(unfit.values()):
        return
    for medium in known:
        for frame in medium.frames.values():
            yield from _frame(system, medium, frame)
    found = list(crossings(system))
    for crossing in found:
        yield from _message(system, crossing)
    yield from _shared(system, found)
    if found:
        yield from _beside(system)


def _names(system: System) -> Iterator[Diagnostic]:
    for name, medium in system.media.items():
        where = system.where("links", name)
        if medium.kind not in LINKS:  # of a system made in Python: the grammar knows the names
            advice = did_you_mean(medium.kind, LINKS)
            yield Diagnostic(where, f"there is no kind of links {shown(medium.kind)}", advice)
        if any(name in t for t in (system.flow_controllers, system.listeners, system.executors)):
            message = "a thread has this name already"
            yield Diagnostic(where, message, "results tell the queues apart by these names")
    yield from _unknown(system)


def _unknown(system: System) -> Iterator[Diagnostic]:
    for index, link in enumerate(system.links.values()):
        if link.medium is not None and link.medium not in system.media:
            where = system.where("network", index, "link")
            advice = did_you_mean(link.medium, system.media)
            yield Diagnostic(where, f"there is no link {shown(link.medium)}", advice)


def _misread(medium: Medium) -> str | None:
    """What no shape would have read, of a link made in Python."""
    frames = medium.frames.values()
    said = {f" of {shown(f.name)}": {n: getattr(f, n) for n in _OF_FRAMES} for f in frames}
    for whose, values in {"": medium.settings, **said}.items():
        for name, least in _LEAST.items():
            value = values.get(name, least)
            if not isinstance(value, int) or value < least:
                return f"'{name}'{whose} is {value!r}, not a whole number of {least} or more"
    for name, key in medium.rules.keys.items():
        if isinstance(key.shape, Choice) and medium.settings[name] not in key.shape.words:
            return f"'{name}' is {medium.settings[name]!r}"
    wrong = [*medium.contradictions({}), *(each for f in frames for each in f.contradictions({}))]
    return wrong[0].message if wrong else None


def _frame(system: System, medium: Medium, frame: Frame) -> Iterator[Diagnostic]:
    path = ("links", medium.name, "frames", frame.name)
    if because := medium.rules.unfit(medium.settings, int(frame.size), True):
        yield Diagnostic(system.where(*path, "size"), because)
    if (priority := medium.priority_of(frame.settings)) is not None:
        yield from _priority(system, medium, priority, *path)


def _priority(
    system: System, medium: Medium, priority: int, *path: str | int
) -> Iterator[Diagnostic]:
    most = medium.rules.most(medium.settings)
    if not 0 <= priority <= most:
        message = f"'{medium.rules.priority}' on link {medium.name} is within 0 … {most}"
        yield Diagnostic(system.where(*path), message)


def _message(system: System, crossing: Crossing) -> Iterator[Diagnostic]:
    medium, _, publication, reader = crossing
    topic = system.topics[publication.topic]
    where = "topics", topic.name
    if because := medium.rules.unfit(medium.settings, int(topic.size), False):
        message = f"'{topic.name}' goes over link {medium.name} to '{reader.name}': {because}"
        yield Diagnostic(system.where(*where, "size"), message)
    priority = medium.priority_of(said(system, publication))
    if priority is None:
        yield Diagnostic(
            system.where(*where),
            f"'{medium.rules.priority}' of topic '{topic.name}' is missing, which goes over link "
            f"{medium.name}" + (" (topics of services have none)" if "/" in topic.name else ""),
            medium.rules.priority_key.meaning,
        )
    else:
        yield from _priority(system, medium, priority, *where, medium.rules.priority)


def _shared(system: System, found: list[Crossing]) -> Iterator[Diagnostic]:
    """A priority that two senders use where each has its own."""
    users: dict[tuple[str, int | None], str] = {}
    for medium, priority, label, path in _senders(system, found):
        other = users.setdefault((medium.name, priority), label)
        if other != label:
            yield Diagnostic(
                system.where(*path),
                f"{other} and {label} have one '{medium.rules.priority}' on link {medium.name}: "
                f"{priority}",
                "each sender needs one of its own; a publication may say another than its topic",
            )


def _senders(
    system: System, found: list[Crossing]
) -> Iterator[tuple[Medium, int | None, str, tuple[str, ...]]]:
    """Who sends with which priority, in words, and where that is said."""
    for medium in system.media.values():
        for frame in medium.frames.values() if medium.rules.unique else ():
            where = ("links", medium.name, "frames", frame.name)
            yield medium, medium.priority_of(frame.settings), f"frame '{frame.name}'", where
    for medium, thread, publication, _ in found:
        if (
            medium.rules.unique
            and (used := medium.priority_of(said(system, publication))) is not None
        ):
            topic = publication.topic
            yield medium, used, f"'{topic}' of {thread.name}", ("topics", topic)


def _beside(system: System) -> Iterator[Diagnostic]:
    """What is not modelled together with messages on shared links."""
    used = {
        "middleware": (system.fastdds is not None, "locks and shared datagrams of Fast DDS are"),
        "flow_controllers": (limited(system), "a 'limit' of a flow controller is"),
        "orders": (bool(system.orders), "wanted orders are"),
    }
    for section, (is_there, what) in used.items():
        if is_there:
            yield Diagnostic(
                system.where(section),
                f"{what} not modelled together with messages on a shared link",
                "leave it out, or give the network a 'delay' instead of a 'link'",
            )
