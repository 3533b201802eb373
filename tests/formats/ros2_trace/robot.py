"""Events of a small robot, as the releases of ROS 2 write them."""

from __future__ import annotations

from typing import Any

from ddsrta.formats.ctf import Event

MS = 1_000_000


class Robot:
    """Writes down events; a thread is (process, number)."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.main = (7, 7)

    def add(self, time: int, name: str, thread: tuple[int, int] | None = None, cpu: int = 0, **fields: Any) -> None:  # fmt: skip
        process, number = thread or self.main
        context = {"vpid": process, "vtid": number, "procname": f"robot{process}"}
        full = name if ":" in name or name == "sched_switch" else f"ros2:{name}"
        self.events.append(Event(time, full, cpu, {**context, **fields}))

    def node(self, handle: int, name: str, **kwargs: Any) -> None:
        self.add(0, "rcl_node_init", node_handle=handle, rmw_handle=1, node_name=name, namespace="/", **kwargs)  # fmt: skip

    def publisher(self, handle: int, node: int, topic: str, **kwargs: Any) -> None:
        self.add(0, "rcl_publisher_init", publisher_handle=handle, node_handle=node,
                 rmw_publisher_handle=handle + 1000, topic_name=topic, queue_depth=10, **kwargs)  # fmt: skip

    def subscription(self, handle: int, node: int, topic: str, callback: int, depth: int = 10, **kwargs: Any) -> None:  # fmt: skip
        self.add(0, "rcl_subscription_init", subscription_handle=handle, node_handle=node,
                 rmw_subscription_handle=handle + 1000, topic_name=topic, queue_depth=depth, **kwargs)  # fmt: skip
        self.add(
            0,
            "rclcpp_subscription_init",
            subscription_handle=handle,
            subscription=handle + 2000,
            **kwargs,
        )
        self.add(
            0,
            "rclcpp_subscription_callback_added",
            subscription=handle + 2000,
            callback=callback,
            **kwargs,
        )
        self.add(0, "rclcpp_callback_register", callback=callback, symbol=f"on {topic}", **kwargs)

    def timer(self, handle: int, node: int, period: int, callback: int, **kwargs: Any) -> None:
        self.add(0, "rcl_timer_init", timer_handle=handle, period=period, **kwargs)
        self.add(0, "rclcpp_timer_callback_added", timer_handle=handle, callback=callback, **kwargs)
        self.add(0, "rclcpp_timer_link_node", timer_handle=handle, node_handle=node, **kwargs)

    def start(self, time: int, callback: int, **kwargs: Any) -> None:
        self.add(time, "callback_start", callback=callback, is_intra_process=0, **kwargs)

    def end(self, time: int, callback: int, **kwargs: Any) -> None:
        self.add(time, "callback_end", callback=callback, **kwargs)


def pipeline(release: str) -> Robot:
    """A timer (10 ms) publishes on /scan at its end; a reader in another process takes 3 ms.

    The layouts are those of a release; 'foxy' has no events of publishing or taking.
    """
    robot = Robot()
    reader = (8, 8)
    robot.node(1, "sensor")
    robot.publisher(10, 1, "/scan")
    robot.timer(20, 1, 10 * MS, 30)
    robot.node(1, "planner", thread=reader)
    robot.subscription(10, 1, "/scan", 30, thread=reader)
    for job in range(4):
        begin = 100 * MS + job * 10 * MS
        sent, message = begin + 2 * MS, 500 + job
        robot.start(begin, 30)
        if release in ("humble", "caret"):
            robot.add(sent, "rclcpp_publish", publisher_handle=10, message=message)
            robot.add(sent + 10, "rcl_publish", publisher_handle=10, message=message)
        if release == "humble":
            robot.add(sent + 20, "rmw_publish", message=message)
        if release == "caret":
            robot.add(sent + 20, "ros2_caret:dds_write", message=message)
            robot.add(sent + 30, "ros2_caret:dds_bind_addr_to_addr", addr_from=message, addr_to=9)
            robot.add(
                sent + 40, "ros2_caret:dds_bind_addr_to_stamp", addr=9, source_stamp=sent + 25
            )
        if release == "jazzy":
            robot.add(sent, "rclcpp_publish", message=message)
            robot.add(sent + 10, "rcl_publish", publisher_handle=10, message=message)
            robot.add(
                sent + 20,
                "rmw_publish",
                rmw_publisher_handle=1010,
                message=message,
                timestamp=sent + 25,
            )
        robot.end(sent + 100, 30)
        taken = sent + 1 * MS
        if release in ("humble", "jazzy"):
            robot.add(
                taken,
                "rmw_take",
                reader,
                rmw_subscription_handle=1010,
                message=3,
                source_timestamp=sent + 25,
                taken=1,
            )
            robot.add(taken + 5, "rcl_take", reader, message=3)
            robot.add(taken + 6, "rclcpp_take", reader, message=3)
        if release == "caret":
            robot.add(taken, "dispatch_subscription_callback", reader, message=3, callback=30,
                      source_stamp=sent + 25, message_timestamp=0)  # fmt: skip
        robot.start(taken + 10, 30, thread=reader, cpu=1)
        robot.end(taken + 10 + 3 * MS, 30, thread=reader, cpu=1)
    robot.events.sort(key=lambda event: event.time)
    return robot
