"""Reads a trace of a ROS 2 system from start to end."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

from ddsrta.base.diagnostics import Diagnostic, InputError, shown
from ddsrta.base.units import LONGEST_DURATION
from ddsrta.formats.ctf import Event, open_trace
from ddsrta.formats.ros2_trace.circles import observed_circles
from ddsrta.formats.ros2_trace.flow import disordered, publications
from ddsrta.formats.ros2_trace.inventory import Inventory
from ddsrta.formats.ros2_trace.naming import Names
from ddsrta.formats.ros2_trace.observed import (
    Observation,
    ObservedCallback,
    ObservedLink,
    ObservedNode,
    Samples,
)
from ddsrta.formats.ros2_trace.runs import Runs
from ddsrta.formats.ros2_trace.unseen import unseen

_CONTEXT = ("vpid", "vtid")
_PUBLISHING = ("ros2:rcl_publish", "ros2:rclcpp_publish", "ros2:rmw_publish")
_WORTH_HAVING = {
    "ros2:rcl_node_init": "nodes have no names",
    "ros2:callback_start": "no callback ran, so nothing is known of their times",
    "ros2:rclcpp_timer_link_node": "timers are of no node",
    "ros2_caret:construct_executor": "executors are guessed from the threads that ran callbacks",
}


def observe(folder: str | Path) -> Observation:
    """What a CTF trace (LTTng, `ros2 trace`, CARET) shows of a ROS 2 system.

    Raises TraceError where it cannot be read, LossyTraceError where the tracer lost events.
    """
    trace = open_trace(folder)
    return observe_events(trace.events(), str(folder))


def observe_events(events: Iterable[Event], source: str = "trace") -> Observation:
    """The same for events that come from elsewhere, in order of time.

    >>> context = {"vpid": 7, "vtid": 7, "procname": "talker"}
    >>> node = {"node_handle": 1, "node_name": "talker", "namespace": "/", **context}
    >>> observe_events([Event(0, "ros2:rcl_node_init", 0, node)]).nodes
    (ObservedNode(name='/talker', process=7, publishes=(), subscribes=()),)
    """
    return _Reading(source).run(events)


class _Reading:
    def __init__(self, source: str) -> None:
        self.source = source
        self.inventory = Inventory()
        self.runs = Runs(self.inventory)
        self.processes: dict[int, str] = {}
        self.seen: set[str] = set()
        self.left_aside: set[str] = set()

    def run(self, events: Iterable[Event]) -> Observation:
        first = last = count = 0
        setup, running = self.inventory.handlers, self.runs.handlers
        for event in events:
            first = first if count else event.time
            last = event.time
            if last - first > LONGEST_DURATION:
                message = f"{self.source}: more than 104 days between its first event and a later"
                raise InputError([Diagnostic(None, message, "its clock must be damaged")])
            count += 1
            name = event.name
            try:
                if handler := running.get(name):
                    handler(event)
                elif known := setup.get(name):
                    process = event.fields["vpid"]
                    self.processes.setdefault(process, str(event.fields.get("procname", "")))
                    known(process, event.fields)
                else:
                    continue
            except KeyError as error:
                self._lacking(name, str(error.args[0]))
            except TypeError:  # a field is of another kind than in any release
                self.left_aside.add(f"some events {name} have unknown fields: they were left aside")
            self.seen.add(name)
        if not self.seen:
            message = f"{self.source}: no event of ROS 2 among {count} in this trace"
            raise InputError([Diagnostic(None, message, "trace with `ros2 trace`")])
        self.runs.finish(last)
        return self._observation(last - first, count)

    def _lacking(self, event: str, field: str) -> None:
        if field in _CONTEXT:
            message = f"{self.source}: events without the context '{field}'"
            raise InputError([Diagnostic(None, message, "trace with `ros2 trace`, which adds it")])
        self.left_aside.add(f"events {event} have no field '{field}': they were left aside")

    def _observation(self, duration: int, count: int) -> Observation:
        names = Names(self.inventory, self.processes, self.runs.asking)
        self.ranks = self.runs.causes.ranks()
        nodes = sorted(self.inventory.all_nodes, key=lambda node: node.order)
        return Observation(
            dict(self.processes),
            tuple(
                ObservedNode(
                    names.nodes[node],
                    node.process,
                    self._topics("publisher", node),
                    self._topics("subscription", node),
                )
                for node in nodes
            ),
            names.observed_executors(),
            {
                names.callbacks[one]: self._callback(names.callbacks[one], names)
                for one in self.inventory.all_callbacks
            },
            self._links(names),
            {topic: len(times) for topic, times in self.runs.outside.items()},
            tuple(self.inventory.middleware),
            duration,
            count,
            tuple(self._notes()),
            self.runs.backwards,
            observed_circles(self.inventory.all_callbacks, names, self.runs),
            tuple(
                (names.callbacks[callback], *topics)
                for callback in self.inventory.all_callbacks
                for topics in disordered(callback)
            ),
            {
                topic: min(b - a for a, b in pairwise(times))
                for topic, times in self.runs.outside.items()
                if len(times) > 1
            },
            +self.runs.unknown,
        )

    def _topics(self, kind: str, node: object) -> tuple[str, ...]:
        endpoints = self.inventory.all_endpoints
        topics = [one.topic for one in endpoints if one.kind == kind and one.node is node]
        return tuple(dict.fromkeys(topic for topic in topics if topic))

    def _callback(self, name: str, names: Names) -> ObservedCallback:
        one = names.by_name[name]
        end = one.endpoint
        return ObservedCallback(
            name,
            names.node_of(one),
            one.process,
            names.kind_of(one),
            end.period if end else None,
            end.topic if end else None,
            end.queue_depth if end else None,
            one.symbol,
            names.group_of(one),
            names.executor_of(one),
            frozenset(one.threads),
            frozenset(one.cpus),
            Samples(one.durations),
            Samples(one.gaps),
            publications(one, self.ranks),
            bool(one.durations) and not one.wall_time,
            one.longest_unfinished,
            tuple(sorted(one.together)),
        )

    def _links(self, names: Names) -> tuple[ObservedLink, ...]:
        alive: dict[int, int] = {}  # the processes, until their last callback started
        for one in self.inventory.all_callbacks:
            alive[one.process] = max(alive.get(one.process, 0), one.last_start or 0)
        links = []
        for key, times in self.runs.links.items():
            publisher, topic, subscriber = key
            source = names.callbacks[publisher] if publisher else None
            end = alive[subscriber.process]
            lost = ([end - sent for sent in some] for some in self.runs.arrivals.lost(key) or ())
            samples = (Samples(some) for some in (*times, *lost))
            links.append(ObservedLink(source, topic, names.callbacks[subscriber], *samples))
        return tuple(sorted(links, key=lambda link: (link.topic, link.subscriber)))

    def _notes(self) -> Iterable[str]:
        runs = self.runs
        for event, meaning in _WORTH_HAVING.items():
            if event not in self.seen:
                yield f"no event {event}: {meaning}"
        if not self.seen.intersection(_PUBLISHING):
            yield "no event of publishing: which callback publishes what is not known"
        if not runs.sees_switches:
            yield "no event sched_switch: durations are wall time, preemptions included"
        if runs.sees_switches and runs.confused:
            yield "processes share thread numbers: durations of those threads are wall time"
        yield from unseen(self.inventory)
        others = (each for each in self.inventory.middleware if "fastrtps" not in each)
        yield from (f"it ran on {each}; Fast DDS is what is modelled" for each in others)
        for kind in self.inventory.unknown_executors:
            yield (
                f"there is no executor {shown(kind, 60)} here: it is taken to serve callbacks in "
                "any order, as multi_threaded"
            )
        if not runs.links:
            yield "no message could be followed from its publication to a callback"
        if runs.nearest:
            yield (
                f"{runs.nearest} messages were followed by the time of their publication alone: "
                "whether others were lost does not show"
            )
        if runs.intra_process:
            count = runs.intra_process
            yield (
                f"{count} messages were taken within a process: their latencies are not known, and "
                "executors serve them in other turns: say 'intra_process' of it under 'processes'"
            )
        if runs.unmatched:
            yield (
                f"{runs.unmatched} messages were taken whose publication is not in the trace: "
                "whether others of their topics were lost does not show"
            )
        if runs.backwards:
            yield (
                f"{runs.backwards} messages were taken before they were published and left aside: "
                "the clocks in the trace differ, so no latency between its hosts is right"
            )
        if runs.foreign_ends:
            yield f"{runs.foreign_ends} callbacks began before the trace, or never ended"
        yield from sorted(self.left_aside)
