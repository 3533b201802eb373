"""A small federation, for examples of this documentation."""

from __future__ import annotations

from ddsrta.lf.program.federation import Federation

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
    from ddsrta.lf.program.reader import loads

    return loads(TWO_FEDERATES, "federation.yaml")


CENTRALIZED = TWO_FEDERATES.replace(": decentralized", ": centralized").replace(
    "federates:\n  source", "rti: {host: front, hop: 50us, service: 10us}\nfederates:\n  source"
)


def centralized() -> Federation:
    """The same with an RTI."""
    from ddsrta.lf.program.reader import loads

    return loads(CENTRALIZED, "federation.yaml")


ENCLAVES = """\
federation: 1
name: a radio
coordination: decentralized
target: Cpp
hosts: {board: {cores: 3}}
federates:
  radio:
    host: board
    timers: {frame: {period: 5ms}}
    outputs: [samples, decoder.bits]
    inputs: [decoder.in]
    reactions:
      receive: {triggers: [frame], effects: [samples], wcet: 200us, deadline: 1ms}
      decode: {reactor: decoder, triggers: [decoder.in], effects: [decoder.bits], wcet: 3ms}
      check: {reactor: decoder, triggers: [decoder.in], wcet: 1ms}
    connections:
      - {from: samples, to: decoder.in}
    enclaves:
      decoding: {reactors: [decoder], workers: 2}
chains:
  decoded: {from: radio.receive, to: radio.check, latency: 5ms}
"""


def enclaves() -> Federation:
    """One federate with two enclaves."""
    from ddsrta.lf.program.reader import loads

    return loads(ENCLAVES, "federation.yaml")
