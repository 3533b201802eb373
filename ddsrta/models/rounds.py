"""What is wrong with publications that say how often messages go round."""

from __future__ import annotations

from collections.abc import Iterator

from ddsrta.base.diagnostics import Diagnostic, shown
from ddsrta.models.bandwidth import limited
from ddsrta.models.circles import Circle
from ddsrta.models.graph import inputs
from ddsrta.models.system import System


def round_problems(system: System) -> Iterator[Diagnostic]:
    """What is wrong with publications that close circles."""
    taken: dict[str, str] = {}
    for (name, topic), circle in system.circles.items():
        index = [one.topic for one in system.threads[name].publishes].index(topic)
        where = system.where("threads", name, "publishes", index, "rounds")
        if isinstance(circle, str):
            message = f"'rounds' ends no circle here: {circle}"
            advice = "say it where the circle closes; only its first thread has other inputs"
            yield Diagnostic(where, message, advice)
            continue
        if why := _unfit(system, circle):
            yield Diagnostic(where, f"a circle that a counter ends is not modelled where {why}")
        for other in circle.threads:
            if other in taken and taken[other] != topic:
                message = f"'{other}' is on two circles, of '{taken[other]}' and '{topic}'"
                yield Diagnostic(where, message, "this is not modelled")
            taken.setdefault(other, topic)


def _unfit(system: System, circle: Circle) -> str:
    """What does not go with it."""
    first = system.threads[circle.first]
    if first.activation == "and":
        return f"'{circle.first}' waits for several messages (activation: and)"
    if not inputs(system, first):
        return f"nothing outside of it releases '{circle.first}'"
    for source, topic, _ in circle.hops:
        sent = [one for one in system.threads[source].publishes if one.topic == topic]
        if any(one.count > 1 for one in sent):
            return f"a job of '{source}' sends several messages of '{topic}'"
    slow = [name for name, one in system.flow_controllers.items() if one.limit is not None]
    known = {
        "locks of Fast DDS count": system.fastdds is not None,
        f"a flow controller has a limit ({shown(', '.join(slow))})": limited(system),
        "orders are asked for": bool(system.orders),
        "links are shared": bool(system.media),
    }
    return next((what for what, is_there in known.items() if is_there), "")
