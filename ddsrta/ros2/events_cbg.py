"""events_cbg: EventsCBGExecutor of rclcpp with one thread, a queue of events for each group.

Groups that have events take turns, one event a turn: how many turns z's event needs, and what the
others do in theirs, depends on what is in its group. So whatever comes before z starts may come
first (lemma group-queues). Threads of its own watch the timers, made where the executor is
constructed, as is assumed: by the thread that spins it.
"""

from __future__ import annotations

from ddsrta.ros2.entities import Described
from ddsrta.ros2.kind import Kind, Service
from ddsrta.ros2.one_by_one import Whichever


class EventsCbg(Kind):
    """Queues of groups, and threads for timers."""

    name = "events_cbg"
    of_rclcpp = True
    releases = ("jazzy", "kilted", "lyrical", "rolling")
    one_thread = (
        "with several, a timer waits for the core of the thread that watches it while others are "
        "idle, which is not modelled: construct it with one thread, or use multi_threaded"
    )
    timers_thread = True
    timers_made_early = True
    takes_locks = True
    intra_process = True

    def service(self, executor: Described) -> Service:
        return Whichever()


KIND = EventsCbg()
