"""A node of a CARET architecture file: its callbacks, and which of them publishes what."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from ddsrta.base.yaml_tree import Node
from ddsrta.formats.foreign import Foreign

UNDEFINED = "UNDEFINED"
_MOST_GUESSES = 10_000
_KINDS = ("timer_callback", "subscription_callback", "service_callback")


@dataclass(frozen=True)
class Callback:
    """A callback of a node; a timer has a period, a subscription a topic."""

    name: str
    kind: str
    place: Node
    period: int | None = None
    topic: str | None = None
    service: str | None = None
    symbol: str = ""
    group: str = ""
    group_type: str = ""


@dataclass(frozen=True)
class CallbackNode:
    """A node: callbacks in the order of the file, publishers of each topic, variables."""

    name: str
    callbacks: tuple[Callback, ...]
    publishers: dict[str, tuple[str, ...]]  # of each topic; empty where the file says UNDEFINED
    variables: tuple[tuple[str, str], ...]  # (who writes, who reads)

    @cached_property
    def timers(self) -> frozenset[str]:
        """The callbacks that time releases."""
        return frozenset(c.name for c in self.callbacks if c.kind == "timer_callback")

    @cached_property
    def unclear_topics(self) -> list[str]:
        """Topics of which the file does not tell which callback publishes them."""
        return [topic for topic, names in self.publishers.items() if not names]

    def publishers_of(self, topic: str) -> tuple[tuple[str, ...], str]:
        """The callbacks that publish on a topic, and why that is a guess, if it is one.

        Timers come first: a node that keeps the latest message in a variable publishes when its
        timer fires. Without one, any callback may: all of them do here.
        """
        known = self.publishers.get(topic, ())
        if known or topic not in self.publishers:
            return known, ""
        return self._guess

    @cached_property
    def _guess(self) -> tuple[tuple[str, ...], str]:
        able = [c for c in self.callbacks if c.kind != "service_callback"]
        if len(able) == 1:
            return (able[0].name,), "the only callback of the node"
        timers = tuple(c.name for c in able if c.name in self.timers)
        if timers:
            return timers, "the file does not tell which callback publishes: its timer, probably"
        why = "the file does not tell which callback publishes: here all of the node do"
        return tuple(c.name for c in able), why

    @cached_property
    def _published(self) -> dict[str, dict[str, str]]:
        found: dict[str, dict[str, str]] = {}
        for topic in self.publishers:
            names, why = self.publishers_of(topic)
            for name in names:
                found.setdefault(name, {})[topic] = why
        return found

    def published_by(self, callback: str) -> dict[str, str]:
        """The topics that a callback publishes on, and why each is a guess, if it is one."""
        return self._published.get(callback, {})

    @cached_property
    def _subscribers(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for callback in self.callbacks:
            if callback.topic is not None:
                found.setdefault(callback.topic, []).append(callback.name)
        return found

    def subscribers_of(self, topic: str) -> tuple[str, ...]:
        """The callbacks that a topic's messages release."""
        return tuple(self._subscribers.get(topic, ()))


def node_of(file: Foreign, node: Node) -> CallbackNode | None:
    """A node; None after reporting what is wrong with it."""
    name = file.name(node, "node_name")
    groups = _groups(file, node)
    callbacks: dict[str, Callback] = {}
    for item in file.items(node, "callbacks"):
        callback = _callback(file, item, groups)
        if callback is not None and callback.name in callbacks:
            file.wrong(item, f"there is another callback {callback.name!r} already")
        elif callback is not None:
            callbacks[callback.name] = callback
    publishers = _publishers(file, node, callbacks, _declared(file, node))
    variables = _variables(file, node)
    if name is None:
        return None
    found = CallbackNode(name, tuple(callbacks.values()), publishers, variables)
    if len(found.unclear_topics) * len(callbacks) > _MOST_GUESSES:
        file.wrong(node, "too many topics and callbacks to guess which one publishes which")
        return None
    return found


def _groups(file: Foreign, node: Node) -> dict[str, tuple[str, str]]:
    groups = {}
    for item in file.items(node, "callback_groups"):
        name = file.name(item, "callback_group_name")
        kind = file.name(item, "callback_group_type")
        for member in file.items(item, "callback_names"):
            callback = file.as_name(member)
            if name and kind and callback:
                groups[callback] = (name, kind)
    return groups


def _callback(file: Foreign, item: Node, groups: dict[str, tuple[str, str]]) -> Callback | None:
    name = file.name(item, "callback_name")
    kind = file.choice(item, "callback_type", _KINDS)
    if name is None or kind is None:
        return None
    period = topic = service = None
    if kind == "timer_callback":
        if file.part(item, "period_ns", required=True) is None:
            return None
        number = file.number(item, "period_ns")
        period = None if number is None else file.period(item, "period_ns", Fraction(number))
    elif kind == "subscription_callback":
        topic = file.name(item, "topic_name")
    else:
        service = file.name(item, "service_name", required=False)
    symbol = file.part(item, "symbol")
    text = symbol.value if symbol is not None and isinstance(symbol.value, str) else ""
    group, group_type = groups.get(name, ("", ""))
    return Callback(name, kind, item, period, topic, service, text, group, group_type)


def _declared(file: Foreign, node: Node) -> set[str]:
    """The names of all callbacks, also of those that could not be read."""
    names = (file.part(item, "callback_name") for item in file.items(node, "callbacks"))
    return {name.value for name in names if name is not None and isinstance(name.value, str)}


def _publishers(
    file: Foreign, node: Node, callbacks: dict[str, Callback], declared: set[str]
) -> dict[str, tuple[str, ...]]:
    publishers: dict[str, tuple[str, ...]] = {}
    for item in file.items(node, "publishes"):
        topic = file.name(item, "topic_name")
        names = []
        for member in file.items(item, "callback_names"):
            callback = file.as_name(member)
            if callback in callbacks:
                names.append(callback)
            elif callback not in (None, UNDEFINED) and callback not in declared:
                file.wrong(member, f"the node has no callback {callback!r}")
        if topic is not None:
            publishers[topic] = (*publishers.get(topic, ()), *names)
    return publishers


def _variables(file: Foreign, node: Node) -> tuple[tuple[str, str], ...]:
    pairs = []
    for item in file.items(node, "variable_passings"):
        writer = file.name(item, "callback_name_write")
        reader = file.name(item, "callback_name_read")
        if writer and reader and UNDEFINED not in (writer, reader):
            pairs.append((writer, reader))
    return tuple(pairs)
