"""static: StaticSingleThreadedExecutor of rclcpp, subscriptions before timers.

In humble and iron it works in rounds, as single_threaded does. In jazzy and kilted it asks anew
before each callback, so that what comes later in its order can starve: whatever comes before z
starts may come first. The same holds where the release is not said. Lyrical and rolling have none.
"""

from __future__ import annotations

from ddsrta.ros2.entities import Described
from ddsrta.ros2.kind import WAITABLE, Kind, Service
from ddsrta.ros2.one_by_one import Whichever
from ddsrta.ros2.rounds import Rounds


class Static(Kind):
    """Rounds in some releases."""

    name = "static"
    of_rclcpp = True
    releases = ("humble", "iron", "jazzy", "kilted")
    takes_locks = True
    intra_process = True
    entities = ("subscription", "timer", "service", "client", WAITABLE)

    def service(self, executor: Described) -> Service:
        if executor.release in ("humble", "iron"):
            return Rounds(self.turn, executor.order == "registered", sampled=False)
        return Whichever()


KIND = Static()
