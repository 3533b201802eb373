"""Federations whose times are those of a run: its medians, its 99th percentiles, its largest."""

from __future__ import annotations

from dataclasses import replace

from casestudies.lf_traces.programs import CENTRALIZED, WAITS
from ddsrta.lf.bounds.rti.lags import lags
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.reader import loads
from ddsrta.lf.run.traces import RunSeen, Samples

LARGEST = 100


def seen(samples: Samples | None, percent: int) -> int:
    """A percentile of what was measured; 0 where nothing was."""
    return (samples and samples.at(percent)) or 0


def centralized(program: str, run: RunSeen, percent: int) -> Federation:
    """A program with an RTI: dispatch, execution of all reactions, hops and service of the run."""
    assert run.rti is not None
    service = seen(run.rti.service.get("TAG"), percent)
    dnet = "false" if program.endswith("N") else "true"
    lines = ["federation: 1", "coordination: centralized", "hosts: {h: }",
             f"rti: {{service: {service}ns, dnet: {dnet}}}", "federates:"]  # fmt: skip
    for name in run.federates:
        lines += _federate(program, run, name, percent)
    lines.append("connections:")
    for connection in CENTRALIZED[program]:
        ends, after, delay = connection.partition(" after: ")
        source, target = ends.split(" → ")
        more = f", after: {delay}" if after else ""
        lines.append(f"  - {{from: {source}, to: {target}{more}}}")
    return loads("\n".join(lines) + "\n", f"{program}.yaml")


def _federate(program: str, run: RunSeen, name: str, percent: int) -> list[str]:
    ends = [connection.partition(" after")[0].split(" → ") for connection in CENTRALIZED[program]]
    inputs = [end.split(".")[1] for _, end in ends if end.startswith(f"{name}.")]
    outputs = sorted({end.split(".")[1] for end, _ in ends if end.startswith(f"{name}.")})
    triggers, own = list(inputs), []
    if program.startswith("Phys") and name == "s":
        own.append("    actions: {a: {kind: physical, min_spacing: 1s}}")
        triggers.append("a")
    elif program.startswith("Phys") or not inputs or name == "c":
        offset = "2ms" if program.startswith("Phys") else "0ms"
        own.append(f"    timers: {{t: {{offset: {offset}, period: 5ms}}}}")
        triggers.append("t")
    federate = run.federates[name]
    return [
        f"  {name}:",
        "    host: h",
        f"    overhead: {seen(federate.dispatch, percent)}ns",
        f"    rti_hop: {_hop(run, name, percent)}ns",
        f"    inputs: [{', '.join(inputs)}]",
        f"    outputs: [{', '.join(outputs)}]",
        *own,
        f"    reactions: {{r: {{triggers: [{', '.join(triggers)}], "
        f"effects: [{', '.join(outputs)}], wcet: {seen(federate.spans, percent)}ns, "
        "always: true}}",
    ]


def _hop(run: RunSeen, name: str, percent: int) -> int:
    """One way: that of LTC (or of NET, where there is none) and of TAG, or their mean.

    As the largest that of all kinds: what carries data holds up what comes behind it.
    """
    if percent == LARGEST:
        ways = [hop for hop in run.hops if {hop.sender, hop.receiver} == {name, "rti"}]
        return max(seen(way.latency, percent) for way in ways)
    found = [run.between(name, "rti", "LTC") or run.between(name, "rti", "NET")]
    found = [run.between("rti", name, "TAG"), *found]
    times = [seen(way.latency, percent) for way in found if way is not None]
    return sum(times) // len(times)


def formula(program: str, run: RunSeen, percent: int) -> dict[str, int | None]:
    """Until the start of a tag's processing: the grant's lag and the dispatch.

    No tag of these runs is told only when the RTI asks for it: that counts in the largest alone.
    """
    found = centralized(program, run, percent)
    if percent != LARGEST:
        found = replace(found, rti=replace(found.rti, dnet=False))
    values = lags(found).values
    return {
        name: None if (value := values[name]) is None else value + federate.overhead
        for name, federate in found.federates.items()
    }


def decentralized(run: RunSeen, percent: int) -> Federation:
    """The program without an RTI: a source that is busy for 500 us, and four who wait for it."""
    source = run.federates["s"]
    ((_, _),) = [key for key in source.reactions if key[0] == "s"]
    busy = seen(source.reactions["s", 0].durations, percent)
    lines = ["federation: 1", "coordination: decentralized", "hosts: {h: }", "federates:",
             f"  s: {{host: h, workers: 1, overhead: {seen(source.dispatch, percent)}ns, "
             "timers: {t: {period: 5ms}}, outputs: [out], reactions: "
             f"{{r: {{triggers: [t], effects: [out], wcet: {busy}ns, "
             "always: true}}}"]  # fmt: skip
    for name, wait in WAITS.items():
        lines.append(
            f"  {name}: {{host: h, workers: 1, maxwait: {wait}, timers: {{t: {{period: 5ms}}}}, "
            "inputs: [in], reactions: {r: {triggers: [in, t], wcet: 1us, tardy: true}}}"
        )
    lines.append("connections:")
    for name in WAITS:
        hop = run.between("s", name, "P2P_TAGGED_MSG")
        after = ", after: 5ms" if name == "d4" else ""
        lines.append(
            f"  - {{from: s.out, to: {name}.in{after}, send: {_sending(run, name, percent)}ns, "
            f"latency: {seen(hop and hop.latency, percent)}ns}}"
        )
    return loads("\n".join(lines) + "\n", "Dec.yaml")


def _sending(run: RunSeen, name: str, percent: int) -> int:
    """What the reaction of the compiler takes that sends to a federate."""
    chosen = [
        reaction.durations
        for (reactor, _), reaction in run.federates["s"].reactions.items()
        if reactor.startswith(f"ns_federate__{name}")
    ]
    return max((seen(samples, percent) for samples in chosen), default=0)
