"""The kinds of executors that the checker knows, from a list of its own."""

from __future__ import annotations

from collections.abc import Mapping

_USUAL = ("timer", "subscription", "service", "client", "waitable")
ORDERS = {  # of entities in a round, or where they only are listed in one
    "single_threaded": _USUAL,
    "multi_threaded": _USUAL,
    "events": _USUAL,
    "events_cbg": _USUAL,
    "static": ("subscription", "timer", "service", "client", "waitable"),
    "fixed_priority": _USUAL,
    "rclc": (),  # kinds of entities have none
}
KINDS = tuple(ORDERS)
ALWAYS_IN_ROUNDS = ("single_threaded", "rclc")
RELEASES = ("humble", "iron", "jazzy", "kilted", "lyrical", "rolling")
MISSING_IN = {  # releases of rclcpp
    "events": ("humble",),
    "events_cbg": ("humble", "iron"),
    "static": ("lyrical", "rolling"),
}
IN_ROUNDS_OF = {"static": ("humble", "iron")}  # releases
SEVERAL_THREADS = ("multi_threaded",)
BY_PRIORITY = ("fixed_priority",)
TIMERS_THREAD = ("events", "events_cbg")
TIMERS_MADE_EARLY = ("events_cbg",)
TAKES_LOCKS = ("single_threaded", "events", "events_cbg", "static", "fixed_priority", "rclc")
FORGETS_DIRECT = ("humble", None)  # releases: threads on several cores, what a busy group has
NEW_WAIT_SETS = ("humble", "iron")  # releases: each wait has one, whatever was busy before
INTRA_PROCESS = tuple(kind for kind in KINDS if kind != "rclc")


def in_rounds(kind: str, release: str | None) -> bool:
    """Whether an executor takes what it found ready, one message of each entity, before it asks
    anew."""
    return kind in ALWAYS_IN_ROUNDS or release in IN_ROUNDS_OF.get(kind, ())


def keeps_wait_set(release: str | None, groups: Mapping[str, str | None] | None) -> bool:
    """Whether threads on several cores keep a wait set from which a busy group is left out; that of
    callbacks that name none is one, too."""
    named = any(group is not None for group in (groups or {}).values())
    return named and release not in NEW_WAIT_SETS
