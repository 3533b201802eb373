"""Where execution times and latencies of a draft come from: annotations, a trace, or a guess."""

from __future__ import annotations

import re

from ddsrta.formats.draft import LeftOut, Mapping, Remark, Value, guessed, time_text
from ddsrta.lf.draft.annotations import Annotations
from ddsrta.lf.program.language.elaborate import Reactor
from ddsrta.lf.run.traces.federate import SENDER
from ddsrta.lf.run.traces.observed import RTI, ReactionSeen, RunSeen
from ddsrta.lf.run.traces.samples import Samples

_PLACEHOLDER = "not in the program: a placeholder"
_CLOCKS = "the trace has messages that came before they were sent, as clocks differ"
_BANK = re.compile(r"\[[0-9]+\]")
# What a federate waits for from the RTI, and what the RTI waits for from it.
_HOPS = ("NET", "LTC", "PORT_ABS", "TAGGED_MSG", "TAG", "PTAG")
_SERVED = ("TAG", "PTAG", "TAGGED_MSG", "PORT_ABS")


def observed(samples: Samples) -> str:
    """How often something was measured, and what came out."""
    assert samples.least is not None and samples.median is not None and samples.most is not None
    least, median, most = (time_text(v) for v in (samples.least, samples.median, samples.most))
    return f"observed: n={samples.count}, {least}…{most}, median {median}"


class Costs:
    """Times for a draft."""

    def __init__(self, annotations: Annotations, run: RunSeen | None, main: str) -> None:
        self.annotations = annotations
        self.run = run
        self.main = main
        self.known: dict[str, None] = {}  # reactions that annotations may name
        self.actions: dict[str, None] = {}  # and actions
        self.silent: dict[str, None] = {}  # reactions that the trace does not show
        self.shown: dict[tuple[str, str], ReactionSeen] = {}  # those of a federate that it shows
        self.more: dict[str, int] = {}  # what the trace shows beyond all bounds, by federate

    def reaction(self, reactor: Reactor, federate: str, name: str, index: int) -> Mapping:
        """The times of a reaction, which has a name and a number in its reactor from 0."""
        path, kind = reactor.path(), reactor.found.definition.name
        names = [f"{path}.{name}" if path else name, f"{kind}.{name}"]
        if name != f"reaction_{index + 1}":
            names += [f"{path}.reaction_{index + 1}", f"{kind}.reaction_{index + 1}"]
        self.known.update(dict.fromkeys(names))
        if (given := self.annotations.find("reactions", *names)) is not None:
            found: Mapping = {"wcet": given["wcet"]}
            return found | ({"bcet": given["bcet"]} if given.get("bcet") else {})
        seen = self._seen(federate, path, index)
        if seen is not None and (seen.durations.count or seen.unfinished is not None):
            self.shown[federate, names[0]] = seen
            return _times(seen)
        if self.run is not None:
            self.silent[names[0]] = None
        return {"wcet": guessed("1ms", _PLACEHOLDER)}

    def overhead(self, federate: str) -> Mapping:
        """What the runtime takes at a tag besides reactions, if that was observed.

        Until it starts; until it receives, between reactions, and until it is done; and what is
        beyond the bounds that these make.
        """
        seen = None if self.run is None else self.run.federates.get(federate_in_trace(federate))
        if seen is None or seen.dispatch.most is None:
            return {}
        besides, more = seen.besides.most or 0, self.more.get(federate, 0)
        found = max(0, seen.dispatch.most) + besides
        comment = f"observed: dispatch up to {time_text(max(0, seen.dispatch.most))}"
        comment += f", {time_text(besides)} at a tag besides reactions"
        if more:
            comment += f", {time_text(more)} that nothing else accounts for"
        return {"overhead": Remark(found + more, comment)}

    def _seen(self, federate: str, path: str, index: int) -> ReactionSeen | None:
        """The reaction in the trace, which names all members of a bank alike."""
        if self.run is None:
            return None
        seen = self.run.federates.get(federate_in_trace(federate))
        if seen is None:
            return None
        plain = _BANK.sub("", path) or self.main
        return seen.reactions.get((plain, index))

    def sending(self, sender: str, receiver: str) -> Mapping:
        """What a federate takes to send to another, if that was observed."""
        times = self._sends(sender, receiver)
        if times.most is None:
            return {}
        return {"send": Remark(times.most, observed(times))}

    def _sends(self, sender: str, receiver: str) -> Samples:
        seen = self.run and self.run.federates.get(federate_in_trace(sender))
        if not seen:
            return Samples()
        name = f"{SENDER}federate__{federate_in_trace(receiver)}"
        numbered = re.compile(re.escape(name) + r"(_[0-9]+)?")
        return Samples(
            time
            for (reactor, _), reaction in seen.reactions.items()
            if numbered.fullmatch(reactor)
            for time in reaction.durations
        )

    def latency(self, sender: str, receiver: str) -> Mapping:
        """The latency between two federates that send to each other directly, if observed."""
        ends = (federate_in_trace(sender), federate_in_trace(receiver))
        hop = self.run and self.run.between(*ends, "P2P_TAGGED_MSG")
        if not hop or hop.latency.most is None or hop.latency.least is None:
            return {}
        if hop.latency.least < 0:
            return {"left out": LeftOut(f"latency: {_CLOCKS}")}
        # From the start of the reaction that sends; what that takes is in `send`.
        rest = (hop.network.most or 0) - (self._sends(sender, receiver).most or 0)
        worst = max(hop.latency.most, rest)
        span: Mapping = {"worst": worst, "best": hop.latency.least}
        return {"latency": Remark(span, observed(hop.latency))}

    def network(self, hosts: list[str]) -> list[Value]:
        """Latencies between hosts, and on each."""
        given = self.annotations.network
        links: list[Value] = []
        for sender in hosts:
            for receiver in hosts:
                link: Mapping = {"from": sender, "to": receiver}
                if given is None:
                    links.append(guessed({**link, "delay": "1ms"}, _PLACEHOLDER))
                    continue
                link["delay"] = given["delay"]
                if given.get("best"):
                    link["best"] = given["best"]
                links.append(link)
        return links

    def clock_error(self, alone: bool, why: str) -> Mapping:
        """How far a host's clock is off; on a single host nobody asks."""
        if self.annotations.clock_error is not None:
            return {"clock_error": self.annotations.clock_error}
        return {} if alone else {"clock_error": guessed("1ms", why)}

    def rti(self) -> Mapping:
        """What the coordinator costs."""
        given = self.annotations.rti
        found: Mapping = {}
        hops = Samples(
            time
            for hop in (self.run.hops if self.run else ())
            if RTI in (hop.sender, hop.receiver) and hop.kind in _HOPS
            for time in hop.latency
        )
        served = self.run.rti.service if self.run and self.run.rti else {}
        service = Samples(time for kind in _SERVED for time in served.get(kind, ()))
        if "hop" in given:
            found["hop"] = given["hop"]
        elif (hops.least or 0) < 0:
            found["hop"] = guessed("100us", f"a placeholder: {_CLOCKS}")
        else:
            found["hop"] = _span(hops) if hops.count else guessed("100us", _PLACEHOLDER)
        if "service" in given:
            found["service"] = given["service"]
        elif service.most is not None:
            found["service"] = Remark(service.most, observed(service))
        else:
            found["service"] = guessed("50us", _PLACEHOLDER)
        return found


def _times(seen: ReactionSeen) -> Mapping:
    """What a trace shows of a reaction; one that had not ended counts as well."""
    samples, so_far = seen.durations, seen.unfinished or 0
    if samples.most is None or samples.least is None:
        comment = "observed: n=0, one that had not ended when the trace did"
        return {"wcet": Remark(so_far, comment)}
    comment = f"{observed(samples)}, wall time"
    if seen.missed:
        comment += f"; without the handlers of {seen.missed} missed deadlines"
    if so_far > samples.most:
        comment += f"; one had not ended after {time_text(so_far)}"
    least = Remark(samples.least, f"observed: n={samples.count}, the least")
    return {"wcet": Remark(max(samples.most, so_far), comment), "bcet": least}


def federate_in_trace(label: str) -> str:
    """The name of a federate in traces: members of a bank have their number behind it.

    >>> federate_in_trace("d"), federate_in_trace("d[2]")
    ('d', 'd__2')
    """
    return label.replace("[", "__").rstrip("]")


def _span(samples: Samples) -> Value:
    assert samples.most is not None and samples.least is not None
    span: Mapping = {"worst": samples.most, "best": samples.least}
    return Remark(span, observed(samples))
