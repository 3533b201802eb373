"""The tag (0, 0) of who needs grants (lemma first-tag)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ddsrta.lf.bounds.assumptions import Assumption
from ddsrta.lf.bounds.launch.lags import UnknownLagError
from ddsrta.lf.bounds.logical_time.activation import timer_root
from ddsrta.lf.bounds.logical_time.moments import START, Moment, is_start
from ddsrta.lf.bounds.rti.control import Control
from ddsrta.lf.bounds.rti.provisional import Members
from ddsrta.lf.program.federates import Federate
from ddsrta.lf.program.tags import SAME

_AGREED = 1_000_000_000  # DELAY_START: how long before it comes the start is set


def late_first(control: Control, name: str) -> dict[Moment, int]:
    """By how much the tag (0, 0) may be granted later than others: it is asked for when it comes.

    >>> from ddsrta.lf.bounds.logical_time.activation import activation
    >>> from ddsrta.lf.program.examples import centralized
    >>> system = centralized()
    >>> list(late_first(Control(system, activation(system)), "sink").values())
    [0]
    """
    if not control.upstream[name]:
        return {}
    prompt = [c.source for c in control.upstream[name] if c.shift == SAME]
    least = max((control.way(source, name) for source in prompt), default=0)
    if name in control.federation.least_delays:
        least = max(least, control.way(name, name))
    late = max(0, control.way(name, name) - least)
    federate = control.federation.federates[name]
    first = _at_start(federate)
    if prompt:
        first += [moment for moment in control.found.tags(federate) if is_start(moment)]
    return dict.fromkeys(first or [START], late)


def _at_start(federate: Federate) -> list[Moment]:
    """What it certainly has at (0, 0) by itself."""
    triggers = {
        trigger for reaction in federate.reactions.values() for trigger in reaction.triggers
    }
    first = [timer_root(federate.name, t) for t in federate.timers.values() if not t.offset]
    return [*map(Moment, first), *([START] if "startup" in triggers else [])]


def first_grants(control: Control, zero_delay: Sequence[Members]) -> Iterator[Assumption]:
    """What the bound of first tags leaves out, if anything."""
    receivers = [name for name, links in control.upstream.items() if links]
    cyclic = {name for members in zero_delay for name in members}
    behind = [n for n in receivers if not cyclic.isdisjoint([n, *control.ancestors(n)])]
    woken = [name for name in receivers if name not in behind and _may_be_woken(control, name)]
    said = []
    if woken:
        said.append(f"nothing comes to {_some(woken)} while it waits for the tag (0, 0)")
    if behind:
        said.append(f"the tag (0, 0) leaves time for others: {_some(behind)}")
    if receivers and not _is_agreed(control):
        said.append("the start is told to all before it comes")
    if said:
        yield Assumption("first-grant", "assumed: " + "; ".join(said))


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (", …" if names[3:] else "")


def _may_be_woken(control: Control, name: str) -> bool:
    """Whether something of a later tag may come while it waits for (0, 0), and does harm.

    It then asks for that tag instead. Not where all comes from one federate without `after`, which
    has told that it is done with (0, 0) before it sends anything later. Where all comes with
    `after`, (0, 0) is granted all the same; but others are told that nothing comes before the later
    tag, though (0, 0) may still send.
    """
    links = control.upstream[name]
    if all(link.shift != SAME for link in links):
        sends = any(link.source == name for row in control.upstream.values() for link in row)
        return sends and bool(_at_start(control.federation.federates[name]))
    alone = len({link.source for link in links}) == 1 and all(link.shift == SAME for link in links)
    return not alone or name in control.federation.least_delays


def _is_agreed(control: Control) -> bool:
    """Whether all hear of the start before it comes."""
    federation = control.federation
    names = list(federation.federates)
    apart = [federation.clock_error(one, other) for one in names for other in names if one != other]
    known = [error for error in apart if error is not None]
    if len(known) < len(apart):
        return False
    try:
        hops = max(control.hop(name) for name in names)
        return 2 * hops + control.service + max(known, default=0) <= _AGREED
    except UnknownLagError:
        return False
