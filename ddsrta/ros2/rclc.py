"""rclc: the executor of rclc, for C and micro-ROS, in rounds of handles as they were added.

It asks what is ready, then takes one message, or expiry, of each handle that was, in the order in
which handles were added, of whatever kind. So what was added before z is served once more than z
since z's first message came, what was added after it as often as z. With its defaults: any handle
triggers a round, RCLCPP_EXECUTOR semantics, ON_NEW_DATA. It has no messages within a process.
"""

from __future__ import annotations

from ddsrta.ros2.entities import Described
from ddsrta.ros2.kind import Kind, Service
from ddsrta.ros2.rounds import Rounds


class Rclc(Kind):
    """Rounds in which kinds of entities have no order."""

    name = "rclc"
    takes_locks = True
    entities = ()

    def service(self, executor: Described) -> Service:
        return Rounds(self.turn, executor.order == "registered", sampled=True)


KIND = Rclc()
