"""Names that results or paths would take for one another."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.base.diagnostics import Diagnostic
from ddsrta.base.text import shown
from ddsrta.models.system import System

_ADVICE = "results tell the queues apart by these names"
_READER = " < "  # 'reader < topic' is a history
_DIRECTLY = ", directly"  # ends the name of one that no middleware fills
_NAMED = {
    "topics": "topics", "flow_controllers": "flow_controllers", "listeners": "listeners",
    "threads": "threads", "executors": "executors", "media": "links",
}  # fmt: skip


def name_problems(system: System) -> Iterator[Diagnostic]:
    """Queues that would have one name, and steps of paths that could be two things."""
    yield from _queues(system)
    for topic in system.topics.keys() & system.threads.keys():
        follows = system.threads[topic].follows
        followed = follows.threads if follows else ()
        for writer in (one for one in system.writers(topic) if one.name in followed):
            yield Diagnostic(
                system.where("threads", topic, "follows"),
                f"'{topic}' follows '{writer.name}', which publishes a topic of this name",
                "a path could go from one to the other in two ways: rename one of the two",
            )


def _queues(system: System) -> Iterator[Diagnostic]:
    for name in system.listeners.keys() & system.flow_controllers.keys():
        where = system.where("listeners", name)
        yield Diagnostic(where, "a flow controller has this name already", _ADVICE)
    others = system.listeners.keys() | system.flow_controllers.keys()
    for name in system.executors.keys() & others:
        where = system.where("executors", name)
        yield Diagnostic(where, "another thread has this name already", _ADVICE)
    for kind, section in _NAMED.items():
        for name in getattr(system, kind):
            if _READER in name:
                message = f"'{shown(name)}' holds '{_READER}'"
                yield Diagnostic(system.where(section, name), message, _ADVICE)
    for name in system.topics:
        if name.endswith(_DIRECTLY):
            message = f"'{shown(name)}' ends with '{_DIRECTLY}'"
            yield Diagnostic(system.where("topics", name), message, _ADVICE)
