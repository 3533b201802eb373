"""A small federation, for examples of this documentation."""

from __future__ import annotations

from ddsrta.lf.federation import Federation

TWO_FEDERATES = """\
federation: 1
name: two federates
coordination: decentralized
hosts:
  front: {cores: 2, clock_error: 50us}
  rear: {cores: 2, clock_error: 100us}
network:
  - {from: front, to: rear, delay: 1ms, best: 100us}
federates:
  source:
    host: front
    timers: {tick: {period: 5ms}}
    outputs: [out]
    reactions:
      produce: {triggers: [tick], effects: [out], wcet: 500us}
  sink:
    host: rear
    inputs: [in]
    timers: {own: {period: 5ms}}
    reactions:
      consume: {triggers: [in, own], wcet: 200us, deadline: 10ms, tardy: true}
connections:
  - {from: source.out, to: sink.in}
chains:
  control: {from: source.produce, to: sink.consume, latency: 10ms}
"""


def two_federates() -> Federation:
    """A source and a sink on two hosts."""
    from ddsrta.lf.reader import loads

    return loads(TWO_FEDERATES, "federation.yaml")


CENTRALIZED = TWO_FEDERATES.replace(": decentralized", ": centralized").replace(
    "federates:\n  source", "rti: {host: front, hop: 50us, service: 10us}\nfederates:\n  source"
)


def centralized() -> Federation:
    """The same with an RTI."""
    from ddsrta.lf.reader import loads

    return loads(CENTRALIZED, "federation.yaml")
