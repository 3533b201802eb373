"""The CPUs that what was measured in a trace of the harness depends on."""

from __future__ import annotations

from ddsrta.validation.harness_file import Head
from ddsrta.validation.measured import Key
from ddsrta.validation.places import Places


class PathCpus:
    """CPUs of the threads that work on a message, a job or a chain; none where the trace does not
    say where they ran."""

    def __init__(self, head: Head, places: Places) -> None:
        self._head = head
        self._places = places
        self._threads = {name: n for n, (kind, name) in head.who.items() if kind == "thread"}
        self._known: dict[Key, frozenset[int]] = {}

    def of(self, key: Key) -> frozenset[int]:
        """The CPUs of one of them."""
        if key not in self._known:
            places = self._head.places
            who = self._who(key)
            found = frozenset(places[one][0] for one in who if one in places)
            self._known[key] = found if who <= places.keys() else frozenset()
        return self._known[key]

    def _who(self, key: Key) -> set[int]:
        if key.kind == "message":
            publisher, topic, subscriber = key.name
            return self._way(publisher, topic, subscriber, key.figure)
        if key.kind == "response":
            return {self._threads.get(key.name[0], -1)}
        if key.kind != "chain":
            return set()
        return self._path(key.name[0])

    def _path(self, chain: str) -> set[int]:
        links = self._places.links.get(chain, [])
        found: set[int] = set()
        for index in range(len(links)):
            thread = self._at(chain, index)
            found.add(self._threads.get(thread, -1))
            before, topic = links[index]
            if topic is not None and index:
                found |= self._way(before, topic, thread, "")
        return found

    def _at(self, chain: str, index: int) -> str:
        """The thread at a place of a chain."""
        for thread, places in self._places.of.items():
            if (chain, index) in places:
                return thread
        return ""

    def _way(self, publisher: str, topic: str, subscriber: str, mode: str) -> set[int]:
        """Who sends and who receives between two threads; a synchronous one sends by itself, from
        its release on."""
        head, found = self._head, set()
        ends = self._threads.get(publisher), self._threads.get(subscriber)
        for number, (thread, which, how) in head.writers.items():
            if thread == ends[0] and head.topics.get(which) == topic and mode in ("", how):
                found.add(head.sends.get(number, -1))
                found |= {thread} if how == "sync" else set()
        for number, (thread, which) in head.readers.items():
            if thread == ends[1] and head.topics.get(which) == topic:
                found.add(head.listens.get(number, -1))
        return found
