"""When reactions with deadlines start at the latest."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from ddsrta.bounds.unbounded import Because
from ddsrta.lf.bounds.launch.lags import known
from ddsrta.lf.bounds.offsets.links import Network
from ddsrta.lf.bounds.offsets.waits import Known
from ddsrta.lf.program.federation import in_time


@dataclass(frozen=True, slots=True)
class Start:
    """A reaction with a deadline: it starts at most `latest` after its tag's time (None: ever).

    `wait` is the part of it that is waiting for inputs.
    """

    federate: str
    reaction: str
    deadline: int
    latest: int | None
    wait: int | None
    because: Because | None = None

    @property
    def met(self) -> bool:
        """Never late."""
        return in_time(self.latest, self.deadline)


def starts(network: Network, found: Known) -> list[Start]:
    """The reactions with a deadline, in the order of the file.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> from ddsrta.lf.bounds.offsets.links import network
    >>> from ddsrta.lf.bounds.offsets.waits import waits
    >>> all = network(two_federates())
    >>> [(start.reaction, start.latest) for start in starts(all, waits(all))]
    [('consume', 1650000)]
    """
    result = []
    for name, federate in network.federation.federates.items():
        for reaction in federate.reactions.values():
            if reaction.deadline is None:
                continue
            wait, because = found.values[name], found.because.get(name)
            wait = None if wait is None else wait + network.absent[name]
            lag, unknown = known(partial(network.launches[name].to_start, reaction.name))
            latest = None if wait is None or lag is None else wait + lag
            start = Start(name, reaction.name, reaction.deadline, latest, wait, because or unknown)
            result.append(start)
    return result
