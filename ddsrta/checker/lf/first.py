"""The tag (0, 0) of who needs grants: how late it is, and of whom that is not known (lemma
first-tag)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ddsrta.checker.lf.control import Control
from ddsrta.checker.lf.program import NoBoundError
from ddsrta.checker.lf.tags import START, Tags
from ddsrta.checker.lf.things import Federate

_SET_BEFORE = 1_000_000_000  # the RTI adds that to the latest time at which a federate is there


def late_at_start(control: Control, name: str) -> dict[Tags, int]:
    """By how much each class with the tag (0, 0) may be granted later than others are."""
    links = control.upstream[name]
    if not links:
        return {}
    own = control.way(name, name)
    shown = [control.way(link.source, name) for link in links if link.after is None]
    if name in control.advancing:
        shown.append(own)
    late = max(0, own - max(shown, default=0))
    times = control.times.advanced(name).items()
    at_once = [t for t, first in times if t.root is None and not (first or t.at or t.step)]
    return dict.fromkeys(at_once or [START], late)


def is_assumed(control: Control, cycles: Iterable[Collection[str]]) -> bool:
    """Whether figures rest on what nothing says of the tag (0, 0)."""
    cyclic = {name for members in cycles for name in members}
    receivers = [name for name, links in control.upstream.items() if links]
    if not receivers:
        return False
    if any(_is_disturbed(control, name) for name in receivers):
        return True
    return bool(cyclic) or not _in_time(control)


def _is_disturbed(control: Control, name: str) -> bool:
    """Whether it may ask for a later tag while it waits for the first: by what comes of another
    federate than that which it waits for, over `after`, or from the world. If all comes over
    `after`, that is of harm only to those who get what its first tag sends."""
    links = control.upstream[name]
    at_once = [link for link in links if link.after is None]
    if not at_once:
        heard = any(not link.physical for link in control.federation.outgoing[name])
        return heard and _acts_at_once(control.federation.federates[name])
    several = len({link.source for link in links}) > 1 or len(at_once) < len(links)
    return several or name in control.advancing


def _acts_at_once(federate: Federate) -> bool:
    """Whether the tag (0, 0) has reactions of its own."""
    begin = {"startup"} | {key for key, timer in federate.timers.items() if timer.offset == 0}
    return any(not begin.isdisjoint(r.triggers) for r in federate.reactions.values())


def _in_time(control: Control) -> bool:
    """Whether all know the start before it comes."""
    names = list(control.federation.federates)
    apart = 0
    for one in names:
        for other in names:
            control.budget.curve()
            error = control.federation.apart(one, other)
            if error is None:
                return False
            apart = max(apart, error)
    try:
        hop = max(control.hop(name) for name in names)
        return hop + control.service + hop + apart <= _SET_BEFORE
    except NoBoundError:
        return False
