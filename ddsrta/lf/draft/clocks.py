"""How the program keeps clocks together: `clock-sync` and its options."""

from __future__ import annotations

from ddsrta.lf.program.language.elaborate import Reactor
from ddsrta.lf.program.language.syntax import Program, Scalar, Time

_WORDS = {"true": "on", "false": "off"}
_HOW = {
    "off": "clock-sync: off: whatever else keeps the clocks of hosts together",
    "init": "clock-sync: init: once at the start, and clocks drift apart from then on",
    "on": "clock-sync: on: how far it lets clocks be apart is not in the program",
}


def clock_sync(program: Program) -> str:
    """off, init (the default) or on."""
    found = program.properties.get("clock-sync")
    text = found.text.lower() if isinstance(found, Scalar) else "init"
    return _WORDS.get(text, text)


def why_clock_error(program: Program) -> str:
    """What the error of a host's clock depends on."""
    how = _HOW.get(clock_sync(program), f"clock-sync: {clock_sync(program)}")
    return f"not in the program: a placeholder; {how}"


def refuse_clocks(program: Program, top: Reactor) -> None:
    """Options that move clocks of federates of one host apart are not modelled: those share one."""
    options = program.properties.get("clock-sync-options")
    if not isinstance(options, dict) or clock_sync(program) == "off":
        return
    offset, local = options.get("test-offset"), options.get("local-federates-on")
    if isinstance(offset, Time) and offset.nanoseconds:
        message = "'test-offset' moves the clocks of federates apart: not modelled"
        raise program.source.error(program.places["test-offset"], message, "import it without")
    on = isinstance(local, Scalar) and local.text.lower() == "true"
    if on and len([reactor for bank in top.children.values() for reactor in bank]) > 1:
        message = "with 'local-federates-on' federates of one host have clocks of their own"
        advice = "import it without, and give each federate a host with its clock_error"
        raise program.source.error(program.places["local-federates-on"], message, advice)


def own_clocks(program: Program, top: Reactor, host: str) -> bool:
    """Whether each federate of a host corrects its clock by itself: away from the RTI's host."""
    if clock_sync(program) == "off":
        return False
    there = [
        reactor
        for bank in top.children.values()
        for reactor in bank
        if reactor.instance is not None and reactor.instance.host == host
    ]
    return len(there) > 1
