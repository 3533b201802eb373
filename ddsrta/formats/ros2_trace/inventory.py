"""Who is in the system: read from the events that are written when something is set up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ddsrta.base.units import LONGEST_DURATION
from ddsrta.formats.ros2_draft import EXECUTORS
from ddsrta.formats.ros2_trace.entities import Callback, Endpoint, Executor, Group, Key, Node

Fields = dict[str, Any]


class Inventory:
    """Everything by process and address. An address that is used again is somebody new.

    >>> inventory = Inventory()
    >>> init = inventory.handlers["ros2:rcl_node_init"]
    >>> init(7, {"node_handle": 1, "node_name": "talker", "namespace": "/"})
    >>> inventory.nodes[7, 1].name
    '/talker'
    """

    def __init__(self) -> None:
        self.nodes: dict[Key, Node] = {}
        self.callbacks: dict[Key, Callback] = {}
        self.publishers: dict[Key, Endpoint] = {}
        self.all_nodes: list[Node] = []
        self.all_callbacks: list[Callback] = []
        self.all_endpoints: list[Endpoint] = []
        self.executors: dict[Key, Executor] = {}
        self.all_executors: list[Executor] = []
        self.groups: dict[Key, Group] = {}
        self._collectors: dict[Key, Executor] = {}
        self._endpoints: dict[Key, Endpoint] = {}  # by the handle in rcl
        self._subscriptions: dict[Key, Endpoint] = {}  # by the object in rclcpp
        self.middleware: dict[str, None] = {}
        self.unknown_executors: dict[str, None] = {}  # names of their kinds
        self.rmw_publishers: dict[Key, Endpoint] = {}
        self.handlers: dict[str, Callable[[int, Fields], None]] = {
            "ros2:rcl_node_init": self._node,
            "ros2:rcl_publisher_init": self._publisher,
            "ros2:rcl_subscription_init": self._subscription,
            "ros2:rcl_service_init": self._service,
            "ros2:rcl_client_init": self._client,
            "ros2:rcl_timer_init": self._timer,
            "ros2:rclcpp_subscription_init": self._subscription_object,
            "ros2:rclcpp_subscription_callback_added": self._subscription_callback,
            "ros2:rclcpp_service_callback_added": self._service_callback,
            "ros2:rclcpp_timer_callback_added": self._timer_callback,
            "ros2:rclcpp_timer_link_node": self._timer_node,
            "ros2:rclcpp_callback_register": self._symbol,
            "ros2_caret:rmw_implementation": self._middleware,
            "ros2_caret:construct_executor": self._executor,
            "ros2_caret:construct_static_executor": self._executor,
            "ros2_caret:add_callback_group": self._executor_group,
            "ros2_caret:add_callback_group_static_executor": self._executor_group,
            "ros2_caret:callback_group_add_timer": self._member("timer_handle"),
            "ros2_caret:callback_group_add_subscription": self._member("subscription_handle"),
            "ros2_caret:callback_group_add_service": self._member("service_handle"),
        }

    def callback(self, process: int, address: int) -> Callback:
        """The callback at an address; one that nobody announced is known by its runs alone."""
        found = self.callbacks.get((process, address))
        return found or self._new_callback(process, address)

    def _new_callback(self, process: int, address: int) -> Callback:
        found = Callback(process, len(self.all_callbacks))
        self.callbacks[process, address] = found
        self.all_callbacks.append(found)
        return found

    def _node_of(self, process: int, fields: Fields) -> Node | None:
        handle = fields.get("node_handle")
        if handle is None:
            return None
        found = self.nodes.get((process, handle))
        if found is None:
            found = self.nodes[process, handle] = Node(process)
        return found

    def _node(self, process: int, fields: Fields) -> None:
        key = process, fields["node_handle"]
        node = self.nodes.get(key)
        if node is None or node.name:
            node = self.nodes[key] = Node(process)
        space = str(fields.get("namespace", "/")).rstrip("/")
        node.name = f"{space}/{fields['node_name']}"
        node.order = len(self.all_nodes)
        self.all_nodes.append(node)

    def _endpoint(self, kind: str, handle: str, process: int, fields: Fields) -> Endpoint:
        topic = fields.get("topic_name", fields.get("service_name"))
        found = Endpoint(
            kind,
            process,
            self._node_of(process, fields),
            None if topic is None else str(topic),
            _positive(fields.get("period")),
            _positive(fields.get("queue_depth")),
        )
        self.all_endpoints.append(found)
        self._endpoints[process, fields[handle]] = found
        return found

    def _publisher(self, process: int, fields: Fields) -> None:
        found = self._endpoint("publisher", "publisher_handle", process, fields)
        self.publishers[process, fields["publisher_handle"]] = found
        if "rmw_publisher_handle" in fields:
            self.rmw_publishers[process, fields["rmw_publisher_handle"]] = found

    def _subscription(self, process: int, fields: Fields) -> None:
        self._endpoint("subscription", "subscription_handle", process, fields)

    def _service(self, process: int, fields: Fields) -> None:
        self._endpoint("service", "service_handle", process, fields)

    def _client(self, process: int, fields: Fields) -> None:
        self._endpoint("client", "client_handle", process, fields)

    def _timer(self, process: int, fields: Fields) -> None:
        self._endpoint("timer", "timer_handle", process, fields)

    def _timer_node(self, process: int, fields: Fields) -> None:
        timer = self._endpoints.get((process, fields["timer_handle"]))
        if timer:
            timer.node = self._node_of(process, fields)

    def _subscription_object(self, process: int, fields: Fields) -> None:
        found = self._endpoints.get((process, fields["subscription_handle"]))
        if found:
            self._subscriptions[process, fields["subscription"]] = found

    def _subscription_callback(self, process: int, fields: Fields) -> None:
        found = self._subscriptions.get((process, fields["subscription"]))
        self._attach(process, fields, found)

    def _service_callback(self, process: int, fields: Fields) -> None:
        self._attach(process, fields, self._endpoints.get((process, fields["service_handle"])))

    def _timer_callback(self, process: int, fields: Fields) -> None:
        self._attach(process, fields, self._endpoints.get((process, fields["timer_handle"])))

    def _attach(self, process: int, fields: Fields, endpoint: Endpoint | None) -> None:
        address = fields["callback"]
        known = self.callbacks.get((process, address))
        if known is None or known.endpoint:
            known = self._new_callback(process, address)
        known.endpoint = endpoint

    def _symbol(self, process: int, fields: Fields) -> None:
        self.callback(process, fields["callback"]).symbol = str(fields.get("symbol", ""))

    def _middleware(self, _process: int, fields: Fields) -> None:
        self.middleware[str(fields["rmw_impl"])] = None

    def _executor(self, process: int, fields: Fields) -> None:
        kind = str(fields.get("executor_type_name", ""))
        if kind not in EXECUTORS:
            self.unknown_executors[kind] = None
        found = Executor(process, EXECUTORS.get(kind, "multi_threaded"))
        self.executors[process, fields["executor_addr"]] = found
        self.all_executors.append(found)
        if "entities_collector_addr" in fields:
            self._collectors[process, fields["entities_collector_addr"]] = found

    def _executor_group(self, process: int, fields: Fields) -> None:
        group = self._group(process, fields)
        group.kind = str(fields["group_type_name"])
        if "executor_addr" in fields:
            group.executor = self.executors.get((process, fields["executor_addr"]))
        else:
            collector = fields["entities_collector_addr"]
            group.executor = self._collectors.get((process, collector))

    def _group(self, process: int, fields: Fields) -> Group:
        return self.groups.setdefault((process, fields["callback_group_addr"]), Group())

    def _member(self, handle: str) -> Callable[[int, Fields], None]:
        def add(process: int, fields: Fields) -> None:
            endpoint = self._endpoints.get((process, fields[handle]))
            if endpoint:
                endpoint.group = self._group(process, fields)

        return add


def _positive(value: Any) -> int | None:
    return value if isinstance(value, int) and 0 < value <= LONGEST_DURATION else None
