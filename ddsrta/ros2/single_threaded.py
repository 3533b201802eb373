"""single_threaded: SingleThreadedExecutor of rclcpp, in rounds.

It asks what is ready when all that it had found is done, and then takes one message, or expiry, of
each entity: timers, subscriptions, services, clients, waitables. What may come before z in a round
is served once more than z since z's first message came, what comes after it as often as z.
"""

from __future__ import annotations

from ddsrta.ros2.entities import Described
from ddsrta.ros2.kind import Kind, Service
from ddsrta.ros2.rounds import Rounds

SAMPLED = ("humble", "iron")  # releases in which what is late waits for the next round


class SingleThreaded(Kind):
    """Rounds in all releases."""

    name = "single_threaded"
    of_rclcpp = True
    takes_locks = True
    intra_process = True
    published = True

    def service(self, executor: Described) -> Service:
        return Rounds(self.turn, executor.order == "registered", executor.release in SAMPLED)


KIND = SingleThreaded()
