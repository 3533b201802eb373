"""What leads nowhere: often a name that was mistyped somewhere else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ddsrta.bounds.findings.places import KINDS, listed, sent_by
from ddsrta.bounds.findings.rules import finding
from ddsrta.bounds.result import Finding
from ddsrta.models.senders import policy_of
from ddsrta.models.system import Publication, System
from ddsrta.policies import POLICIES, TOPIC_KEYS
from ddsrta.policies.links import LINKS, PRIORITIES


def topics(system: System) -> Iterator[Finding]:
    """Topics without a publisher, without a subscriber, or without both."""
    for name in system.topics:
        writers, readers = system.writers(name), system.readers(name)
        path = ("topics", name)
        if not writers and not readers:
            yield finding(
                system, "unused", path, f"topic '{name}' is neither published nor subscribed to"
            )
        elif not writers:
            waiting = listed([reader.name for reader in readers])
            yield finding(
                system,
                "unpublished-topic",
                path,
                f"nobody publishes '{name}', an input of {waiting}; add the publisher, or remove "
                "the input",
            )
        elif not readers:
            sending = listed([writer.name for writer in writers])
            yield finding(
                system,
                "unread-topic",
                path,
                f"nobody subscribes to '{name}', an output of {sending}: sending it is taken to "
                "cost nothing; add its subscribers, also those that only record",
            )


def things(system: System) -> Iterator[Finding]:
    """Middleware threads and machines that nothing refers to; a spare core is nothing to say."""
    threads = system.threads.values()
    named: dict[str, set[str | None]] = {
        "flow_controllers": {p.flow_controller for thread in threads for p in thread.publishes},
        "listeners": {thread.subscribes.listener for thread in threads if thread.subscribes},
        "machines": {
            system.cores[thing.core].machine
            for kind in KINDS
            for thing in getattr(system, kind).values()
        },
    }
    known: dict[str, Iterable[str]] = {
        "flow_controllers": system.flow_controllers,
        "listeners": system.listeners,
        "machines": dict.fromkeys(core.machine for core in system.cores.values()),
    }
    for kind, names in known.items():
        for name in names:
            if name not in named[kind]:
                what = kind.removesuffix("s").replace("_", " ")
                yield finding(system, "unused", (kind, name), f"{what} '{name}' is never used")


def topic_keys(system: System) -> Iterator[Finding]:
    """Keys by which a policy sends, of topics that none with this policy sends."""
    used = {
        (publication.topic, key)
        for name, sent in sent_by(system).items()
        for key in policy_of(system, name).topic_keys
        for _, publication in sent
    }
    for topic in system.topics.values():
        for key in topic.settings.keys() & TOPIC_KEYS.keys():
            if (topic.name, key) not in used:
                knowing = [name for name, policy in POLICIES.items() if key in policy.topic_keys]
                yield finding(
                    system,
                    "unused",
                    ("topics", topic.name, key),
                    f"'{key}' of topic '{topic.name}' is never used: no flow controller sends it "
                    f"by {' or '.join(knowing)}",
                )


_Thing = str | tuple[str, Publication]


class _Said(NamedTuple):
    """Settings of a topic or of a publication, whose in words, and where they stand."""

    thing: _Thing
    settings: Mapping[str, int]
    whose: str
    path: tuple[str | int, ...]


def link_keys(system: System) -> Iterator[Finding]:
    """Priorities on links of a kind that the messages do not take."""
    used = _used(system) if system.media else set()
    for said in _said(system):
        for key in said.settings.keys() & PRIORITIES.keys():
            if (said.thing, key) not in used:
                knowing = [name for name, kind in LINKS.items() if kind.priority == key]
                yield finding(
                    system,
                    "unused",
                    (*said.path, key),
                    f"'{key}' of {said.whose} is never used: no message takes a link of kind "
                    f"{' or '.join(knowing)} by it",
                )


def _used(system: System) -> set[tuple[_Thing, str]]:
    from ddsrta.models.crossing import crossings

    found: set[tuple[_Thing, str]] = set()
    for medium, thread, sent, _ in crossings(system):
        key = medium.rules.priority
        found.add(((thread.name, sent) if key in sent.settings else sent.topic, key))
    return found


def _said(system: System) -> Iterator[_Said]:
    for name, topic in system.topics.items():
        yield _Said(name, topic.settings, f"topic '{name}'", ("topics", name))
    for thread in system.threads.values():
        for index, sent in enumerate(thread.publishes):
            whose = f"what '{thread.name}' sends on '{sent.topic}'"
            path = ("threads", thread.name, "publishes", index)
            yield _Said((thread.name, sent), sent.settings, whose, path)
