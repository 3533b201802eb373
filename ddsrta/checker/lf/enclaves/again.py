"""Reactions that the runtime for C may run before a message of another enclave, and again with it
(lemma enclave-lags)."""

from __future__ import annotations

from ddsrta.checker.lf.enclaves.cut import Cut
from ddsrta.checker.lf.program import Program
from ddsrta.checker.lf.tags import meet
from ddsrta.checker.lf.times import Times


def may_run_again(cut: Cut, times: Times, name: str) -> bool:
    """Whether an enclave has one: no other comes before it, or only some after which it may be run
    at once, and besides a message something else triggers it at a tag. What takes no time and
    writes nothing may run as often as it likes."""
    part = cut.whole.federates[name]
    program = Program(name, part, (), receives=True)
    early = {key for key, level in program.levels.items() if not level}
    stack = list(early)
    while stack:
        more = program.next.get(stack.pop(), set()) - early
        early |= more
        stack += more
    for joint in cut.into(name):
        ends = program.joined.get(joint.input, {joint.input})
        for key, reaction in part.reactions.items():
            ports = ends & set(reaction.triggers)
            if key not in early or not ports or (reaction.wcet == 0 and not reaction.effects):
                continue
            messages = times.of((name, joint.input))
            others = (times.of((name, t)) for t in reaction.triggers if t not in ports)
            if any(meet(one, tags) for row in others for one in row for tags in messages):
                return True
    return False
