"""What rclcpp has: the entities of an executor, its releases; and what kinds are asked of."""

from __future__ import annotations

from typing import Literal, Protocol

Entity = Literal["timer", "subscription", "service", "client", "waitable", "inline"]
Release = Literal["humble", "iron", "jazzy", "kilted", "lyrical", "rolling"]
TurnOrder = Literal["unknown", "registered"]


class Described(Protocol):
    """What a kind reads of an executor."""

    @property
    def kind(self) -> str:
        """The name of its kind."""

    @property
    def order(self) -> TurnOrder:
        """The order in which it looks at callbacks of one kind."""

    @property
    def release(self) -> Release | None:
        """That of rclcpp, None: any."""

    @property
    def is_pool(self) -> bool:
        """Whether its threads are on several cores."""
