"""What latest starts under schedulers rest on."""

from __future__ import annotations

from collections.abc import Collection

from ddsrta.checker.lf.things import Federation

OWN = ("np", "gedf-np")


def schedule_assumed(federation: Federation, schedulers: Collection[str]) -> set[str]:
    """The assumptions that have to be stated besides those of the federation."""
    found = set()
    if any(scheduler in OWN for scheduler in schedulers):
        found.add("own-cores")
    if any(scheduler not in OWN for scheduler in schedulers):
        found.add("linux-alone")
    if any(scheduler in ("fifo", "deadline-monotonic") for scheduler in schedulers):
        found.add("wake-order")
    is_dated = "edf" in schedulers  # the tag (0, 0) would wake threads, and date their jobs
    if any(federate.overhead or is_dated for federate in federation.federates.values()):
        found.add("start-tag")
    if federation.coordination == "centralized":
        granted = any(not connection.physical for connection in federation.connections)
        found.update(["first-grant"] if granted else [])
        found.update(["net-told"] if granted and federation.rti.dnet else [])
    return found
