"""Makes single wires of connections: from one channel to one, through banks and multiports."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from typing import NamedTuple

from ddsrta.lf.program.language.elaborate import Reactor
from ddsrta.lf.program.language.syntax import Connection
from ddsrta.lf.program.language.values import finite

_MOST_WIRES = 200_000


class Wire(NamedTuple):
    """From a channel of a reactor to one of another; `delay` None adds nothing to a tag."""

    source: Reactor
    output: str
    target: Reactor
    input: str
    delay: int | None
    physical: bool
    connection: Connection


def wires(reactor: Reactor, left_over: list[str]) -> Iterator[Wire]:
    """The wires within a reactor; `left_over` is told where widths do not fit."""
    count = 0
    for connection in reactor.found.definition.of(Connection):
        source = reactor.source(connection)
        left = [end for ref in connection.left for end in reactor.channels(ref, source)]
        right = [end for ref in connection.right for end in reactor.channels(ref, source)]
        delay = None
        if connection.delay is not None:
            delay = finite(connection.delay, reactor.scope, source, "the delay of a connection")
        if len(left) != len(right) and not (connection.iterated and left):
            what = f"{len(left)} outputs are connected to {len(right)} inputs"
            left_over.append(
                f"{source.position(connection.at)}: {what}: the rest stays unconnected"
            )
        ends = zip(cycle(left) if connection.iterated else left, right, strict=False)
        for (sender, output), (receiver, port) in ends:
            count += 1
            if count > _MOST_WIRES:
                message = f"there are more than {_MOST_WIRES} wires in a reactor"
                raise source.error(connection.at, message)
            yield Wire(sender, output, receiver, port, delay, connection.physical, connection)
