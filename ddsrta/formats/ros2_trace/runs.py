"""What happens while the system runs: jobs, publications, messages taken, preemptions."""

from __future__ import annotations

from array import array
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from typing import Any

from ddsrta.formats.ctf import Event
from ddsrta.formats.ros2_trace.arrivals import Arrivals
from ddsrta.formats.ros2_trace.causes import Causes
from ddsrta.formats.ros2_trace.entities import (
    Endpoint,
    Job,
    Key,
    LinkKey,
    Publication,
    Thread,
)
from ddsrta.formats.ros2_trace.flow import note_published
from ddsrta.formats.ros2_trace.inventory import Inventory

Fields = dict[str, Any]
_KEPT = 20_000  # publications that a late message may still be traced back to, per topic
_STILL_RUNNABLE = (0, 128, 256)  # states of a thread that was put aside, and did not wait


class Runs:
    """Jobs by thread; what they took, published and waited for."""

    def __init__(self, inventory: Inventory) -> None:
        self.inventory = inventory
        self.links: dict[LinkKey, tuple[array[int], array[int], array[int]]] = {}
        self.unmatched = 0  # messages whose publication is not in the trace
        self.backwards = 0  # messages that were taken before they were published
        self.nearest = 0  # messages whose publication was found by its time alone
        self.outside: dict[str, array[int]] = {}  # when messages that no callback published left
        self.causes = Causes()
        self.arrivals = Arrivals()
        self.intra_process = 0  # messages within a process, which are not followed
        self.foreign_ends = 0
        self.sees_switches = False
        self.confused: set[int] = set()  # threads of one number in several processes
        self._threads: dict[Key, Thread] = {}
        self._by_number: dict[int, Thread] = {}
        self._stamped: dict[str, OrderedDict[int, Publication]] = {}
        self._awaited: OrderedDict[tuple[str, int], None] = OrderedDict()
        self._recent: dict[str, deque[Publication]] = {}
        self.unknown: Counter[str] = Counter()  # unmatched, by topic
        self.asking: set[Key] = set()  # threads that asked an executor with wait sets for work
        self.handlers: dict[str, Callable[[Event], None]] = {
            "ros2:callback_start": self._start,
            "ros2:callback_end": self._end,
            "ros2:rclcpp_executor_get_next_ready": self._ask,
            "ros2:rclcpp_executor_wait_for_work": self._ask,
            "ros2:rclcpp_intra_publish": self._rcl_layer(0),
            "ros2:dispatch_intra_process_subscription_callback": self._intra_process,
            "ros2:rclcpp_publish": self._rcl_layer(1),
            "ros2:rcl_publish": self._rcl_layer(2),
            "ros2:rmw_publish": self._rmw_publish,
            "ros2_caret:dds_bind_addr_to_addr": self._copied,
            "ros2_caret:dds_bind_addr_to_stamp": self._stamp,
            "ros2:rmw_take": self._take,
            "ros2:dispatch_subscription_callback": self._take,
            "sched_switch": self._switch,
        }

    def finish(self, end: int) -> None:
        """What is still running when the trace ends has taken that long already."""
        for thread in self._threads.values():
            for job in thread.jobs:
                so_far = end - job.start
                before = job.callback.longest_unfinished or 0
                job.callback.longest_unfinished = max(before, so_far)

    def _thread(self, event: Event) -> Thread:
        process, number = event.fields["vpid"], event.fields["vtid"]
        found = self._threads.get((process, number))
        if found is None:
            name = str(event.fields.get("procname", ""))
            found = self._threads[process, number] = Thread(process, number, name)
            if self._by_number.setdefault(number, found) is not found:
                self.confused.add(number)
        return found

    def _ask(self, event: Event) -> None:
        self.asking.add((event.fields["vpid"], event.fields["vtid"]))

    def _start(self, event: Event) -> None:
        thread = self._thread(event)
        callback = self.inventory.callback(thread.process, event.fields["callback"])
        time = event.time
        if callback.last_start is not None:
            callback.gaps.append(time - callback.last_start)
        callback.last_start = time
        callback.threads.add(thread.number)
        if event.cpu is not None:
            callback.cpus.add(event.cpu)
        job = Job(callback, time, self.causes.begin(callback.order))
        if thread.taken:
            self._arrived(thread.taken, job)
            thread.taken = None
        thread.jobs.append(job)

    def _end(self, event: Event) -> None:
        thread = self._thread(event)
        callback = self.inventory.callback(thread.process, event.fields["callback"])
        if not any(job.callback is callback for job in thread.jobs):
            self.foreign_ends += 1
            return
        while (job := thread.jobs.pop()).callback is not callback:
            self.foreign_ends += 1
        preempted = job.preempted if thread.number not in self.confused else 0
        callback.wall_time |= not thread.switched or thread.number in self.confused
        callback.durations.append(event.time - job.start - preempted)
        if job.taken:
            job.taken[1].append(event.time - job.taken[0])
        self.causes.end(job.number)
        note_published(callback, job)

    def _rcl_layer(self, layer: int) -> Callable[[Event], None]:
        def publish(event: Event) -> None:
            thread = self._thread(event)
            handle = event.fields.get("publisher_handle")
            endpoint = self.inventory.publishers.get((thread.process, handle or 0))
            self._publish(thread, event, layer, endpoint)

        return publish

    def _rmw_publish(self, event: Event) -> None:
        thread = self._thread(event)
        handle = event.fields.get("rmw_publisher_handle", 0)
        endpoint = self.inventory.rmw_publishers.get((thread.process, handle))
        self._publish(thread, event, 3, endpoint)
        if stamp := event.fields.get("timestamp"):
            self._remember(thread.publication, stamp)

    def _publish(self, thread: Thread, event: Event, layer: int, endpoint: Endpoint | None) -> None:
        """One message passes several layers: it counts once, from the first of them."""
        message = event.fields.get("message", 0)
        current = thread.publication
        if current is None or current.layer >= layer or current.message != message:
            job = thread.jobs[-1] if thread.jobs else None
            current = thread.publication = Publication(event.time, message, layer)
            if job:
                current.callback, current.job = job.callback, job.number
        current.layer = layer
        if endpoint and endpoint.topic and current.topic is None:
            current.topic = endpoint.topic
            if thread.jobs:
                thread.jobs[-1].published.append(endpoint.topic)
            else:
                self.outside.setdefault(endpoint.topic, array("q")).append(event.time)
            self._recent.setdefault(endpoint.topic, deque(maxlen=_KEPT)).append(current)

    def _copied(self, event: Event) -> None:
        current = self._thread(event).publication
        if current and event.fields["addr_from"] in (current.addresses or (current.message,)):
            current.addresses = current.addresses or {current.message}
            current.addresses.add(event.fields["addr_to"])

    def _stamp(self, event: Event) -> None:
        current = self._thread(event).publication
        if current and event.fields["addr"] in (current.addresses or (current.message,)):
            self._remember(current, event.fields["source_stamp"])

    def _remember(self, publication: Publication | None, stamp: int) -> None:
        if publication and publication.topic:
            stamped = self._stamped.setdefault(publication.topic, OrderedDict())
            stamped[stamp] = publication
            self.arrivals.send(publication)
            if (publication.topic, stamp) in self._awaited:
                del self._awaited[publication.topic, stamp]
                self.unmatched -= 1
                self.unknown[publication.topic] -= 1
                self.backwards += 1
            if len(stamped) > _KEPT:
                stamped.popitem(last=False)

    def _intra_process(self, _event: Event) -> None:
        self.intra_process += 1

    def _take(self, event: Event) -> None:
        fields = event.fields
        if fields.get("taken", 1):
            stamp = fields.get("source_stamp", fields.get("source_timestamp", 0))
            thread = self._thread(event)
            if thread.taken is None or thread.taken[1] != stamp:
                thread.taken = event.time, stamp

    def _arrived(self, taken: tuple[int, int], job: Job) -> None:
        callback = job.callback
        endpoint = callback.endpoint
        if endpoint is None or endpoint.kind != "subscription" or endpoint.topic is None:
            return
        publication = self._publication(endpoint.topic, taken[1])
        if publication is None:
            self.unmatched += 1
            self.unknown[endpoint.topic] += 1
            self.arrivals.vague.add(endpoint.topic)
            self._await(endpoint.topic, taken[1])
        elif taken[0] < publication.time:
            self.backwards += 1
        else:
            self.causes.known(job.number, publication.job)
            key = publication.callback, endpoint.topic, callback
            self.arrivals.take(key, publication)
            empty = array("q"), array("q"), array("q")
            to_take, to_start, to_end = self.links.setdefault(key, empty)
            to_take.append(taken[0] - publication.time)
            to_start.append(job.start - publication.time)
            job.taken = publication.time, to_end

    def _await(self, topic: str, stamp: int) -> None:
        """What was taken and is not published yet, if it ever is."""
        self._awaited[topic, stamp] = None
        if len(self._awaited) > _KEPT:
            self._awaited.popitem(last=False)

    def _publication(self, topic: str, stamp: int) -> Publication | None:
        """The publication of a stamp: the exact one, or else the last before it."""
        if stamped := self._stamped.get(topic):
            return stamped.get(stamp)
        for publication in reversed(self._recent.get(topic, ())):
            if publication.time <= stamp:
                self.nearest += 1
                return publication
        return None

    def _switch(self, event: Event) -> None:
        fields = event.fields
        self.sees_switches = True
        if leaving := self._known(fields, "prev_tid", "prev_comm"):
            leaving.switched = True
            if leaving.jobs and fields.get("prev_state", 1) in _STILL_RUNNABLE:
                leaving.jobs[0].out_since = event.time
        if coming := self._known(fields, "next_tid", "next_comm"):
            coming.switched = True
            if coming.jobs and (since := coming.jobs[0].out_since) is not None:
                for job in coming.jobs:
                    job.preempted += event.time - since
                coming.jobs[0].out_since = None

    def _known(self, fields: Fields, number: str, name: str) -> Thread | None:
        """The thread of a scheduler's event; in a container numbers mean something else, so the
        name has to agree: what is taken for another thread stays wall time, which is longer."""
        found = self._by_number.get(fields.get(number, -1))
        return found if found and found.name[:15] == str(fields.get(name, ""))[:15] else None
