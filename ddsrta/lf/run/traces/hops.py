"""Matches what was sent with what was received, and finds how long the RTI took."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from ddsrta.lf.run.traces.federate import SENDER
from ddsrta.lf.run.traces.observed import RTI, HopSeen, RtiSeen
from ddsrta.lf.run.traces.records import Record
from ddsrta.lf.run.traces.samples import Samples

# Kinds that coordinate or carry data; the others happen once, at the start or the end.
KINDS = (
    "NET", "LTC", "PTAG", "TAG", "DNET", "PORT_ABS", "TAGGED_MSG", "MSG", "P2P_TAGGED_MSG",
    "P2P_MSG",
)  # fmt: skip
_BETWEEN_FEDERATES = ("P2P_TAGGED_MSG", "P2P_MSG")
_Key = tuple[str, str, str]  # kind, sender, receiver
_Tag = tuple[int | None, int]


class Hops:
    """All messages of a run, by kind and by who sends and receives."""

    def __init__(self, names: Mapping[int, str]) -> None:
        self.names = names
        self.sent: dict[_Key, dict[_Tag, list[tuple[int, int | None]]]] = {}
        self.received: dict[_Key, dict[_Tag, list[int]]] = {}

    def add(self, owner: str, records: Sequence[Record]) -> None:
        """Take the records of a process, in the order of time."""
        began: int | None = None
        for record in records:
            if record.event == "reaction_starts" and record.reactor.startswith(SENDER):
                began = record.physical
            verb, _, kind = record.event.partition("_")
            if kind not in KINDS or verb not in ("send", "receive"):
                continue
            other = self._other(owner, kind, record)
            tag = (record.time, record.microstep)
            if verb == "send":
                found = self.sent.setdefault((kind, owner, other), defaultdict(list))
                found[tag].append((record.physical, began if kind.endswith("MSG") else None))
            else:
                known = self.received.setdefault((kind, other, owner), defaultdict(list))
                known[tag].append(record.physical)

    def _other(self, owner: str, kind: str, record: Record) -> str:
        if owner == RTI or kind in _BETWEEN_FEDERATES:
            return self.names.get(record.destination, f"federate {record.destination}")
        return RTI

    def seen(self, rti: bool) -> tuple[HopSeen, ...]:
        """The times of those that were sent and received; of the same tag, in their order.

        Without a trace of the RTI nobody tells what it received: enclaves have none.
        """
        keys = dict.fromkeys((*self.sent, *self.received))
        if not rti:
            keys = dict.fromkeys(key for key in keys if RTI not in key)
        return tuple(self._hop(key) for key in sorted(keys))

    def _hop(self, key: _Key) -> HopSeen:
        sent, received = self.sent.get(key, {}), self.received.get(key, {})
        latency, network, matched, everything = [], [], 0, 0
        for tag in sent.keys() | received.keys():
            pairs = list(zip(sent.get(tag, ()), received.get(tag, ()), strict=False))
            matched += len(pairs)
            everything += max(len(sent.get(tag, ())), len(received.get(tag, ())))
            latency += [receipt - sending for (sending, _), receipt in pairs]
            network += [receipt - began for (_, began), receipt in pairs if began is not None]
        return HopSeen(*key, Samples(latency), Samples(network), everything - matched)


def rti_of(records: Sequence[Record]) -> RtiSeen:
    """The RTI, from its records in the order of time."""
    counts = Counter(record.event for record in records)
    service: dict[str, list[int]] = defaultdict(list)
    receipt: int | None = None
    for record in records:
        verb, _, kind = record.event.partition("_")
        if verb == "receive":
            receipt = record.physical
        elif kind in KINDS and receipt is not None:
            service[kind].append(record.physical - receipt)
    return RtiSeen(dict(counts), {kind: Samples(times) for kind, times in sorted(service.items())})
