"""What the window of an event that is alone is made of, term by term (lemma event-alone)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ddsrta.bounds.event_alone.alone import AloneWindow
from ddsrta.bounds.solution import Solution
from ddsrta.bounds.terms.diagnose import described, place
from ddsrta.bounds.terms.window import Term

NOTE = "one event alone: all that it brings is done before the next one comes"


def alone_terms(solution: Solution, window: AloneWindow, way: Sequence[int] = ()) -> list[Term]:
    """What runs one after the other in the longest case, from the beginning; of the stages on the
    way, once each, it is own work."""
    return list(_backwards(solution, window, set(way)))[::-1]


def _backwards(solution: Solution, window: AloneWindow, way: set[int]) -> Iterator[Term]:
    """The same from the end."""
    spans, at = window.spans, window.last
    nodes = spans.order.nodes
    while True:
        span = spans.span(at)
        for one, time in reversed(span.parts):
            if time:
                number = nodes[one].number
                what = f"{described(solution, number)} on {place(solution, number)}"
                own = solution.compiled.stages[number].cost if number in way else 0
                way.discard(number)
                yield Term(what, time, kind="together", own=min(own, time))
        came = [(spans.length(s) + edge.worst, s, edge) for s, edge in nodes[span.opener].inputs]
        late, source, edge = max(came, default=(-1, at, None), key=lambda each: each[0])
        if edge is None or late != span.begun or not span.begun:
            if span.begun:
                name = described(solution, nodes[span.opener].number)
                yield Term(f"until {name} comes", span.begun, "at the latest", "waits")
            return
        if edge.worst:
            yield Term("on the way", edge.worst, "or sent so long before the end", "way")
        at = source
