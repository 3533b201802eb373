"""Events of one action, or connection with `after`, that are due at one tag: random programs
against a queue of events as that of the runtime for C."""

from __future__ import annotations

from collections import defaultdict
from random import Random

import pytest

from ddsrta.checker.lf.document import read_federation
from ddsrta.checker.lf.tags import Tags
from ddsrta.checker.lf.times import Times
from ddsrta.lf.bounds.logical_time.activation import activation
from ddsrta.lf.bounds.logical_time.moments import Moment
from ddsrta.lf.bounds.offsets.certificate import head
from ddsrta.lf.bounds.offsets.judge import judge
from ddsrta.lf.bounds.schedulers.judge import schedule
from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.reader import loads
from ddsrta.lf.run.simulation.simulate import simulate
from tests.lf.federations import MS

TWICE = """\
federation: 1
coordination: decentralized
hosts: {h: {cores: 4}}
network: [{from: h, to: h, delay: 0 ms}]
federates:
  f:
    host: h
    timers: {t: {period: 20ms}, u: {period: 20ms}}
    actions: {a: {min_delay: 5ms}}
    outputs: [o]
    inputs: [i]
    reactions:
      r1: {triggers: [t], effects: [a], wcet: 0 ms}
      r2: {triggers: [u], effects: [a], wcet: 0 ms}
      r3: {triggers: [a], effects: [o], wcet: 3ms, deadline: 2ms}
      r4: {triggers: [i], wcet: 1ms}
    connections: [{from: o, to: i, after: 7ms}]
"""
Event = tuple[tuple[int, int], str]


def lag(text: str, reaction: str = "r3") -> tuple[int | None, bool]:
    """The latest start under NP, and whether it is that of a run."""
    latest = schedule(loads(text), ["np"]).columns[0].latest["f", reaction]
    return latest.lag, latest.exact


def test_two_reactions_that_schedule_an_action_make_two_tags() -> None:
    assert lag(TWICE) == (3 * MS, True)
    assert lag(TWICE.replace("federation: 1", "federation: 1\ntarget: Cpp")) == (0, True)
    once = TWICE.replace("triggers: [u], effects: [a]", "triggers: [u]")
    assert lag(once) == (0, True)
    assert lag(once.replace("triggers: [t]", "triggers: [t, u]")) == (0, True)
    for text in (TWICE, once):
        assert judge(loads(text)).verdict == ("met" if text is once else "missed")


def test_what_meets_now_and_then_is_a_bound_and_no_run() -> None:
    seldom = TWICE.replace("u: {period: 20ms}", "u: {period: 30ms}")
    assert lag(seldom) == (3 * MS, False)
    never = seldom.replace("u: {period: 30ms}", "u: {period: 30ms, offset: 1ms}")
    assert lag(never)[1]


def test_events_that_pile_up_without_end_have_no_bound() -> None:
    text = TWICE.replace("triggers: [a], effects: [o]", "triggers: [a], effects: [o, a]")
    assert judge(loads(text)).verdict == "unbounded"
    assert "f" in activation(loads(text)).dense


def test_runs_have_these_tags_and_nothing_above_its_bound() -> None:
    found = simulate(loads(TWICE), runs=6, horizon=400 * MS)
    assert not found.violations
    assert found.seen.reactions["f", "r3"].most == 3 * MS


def test_a_policy_that_does_not_keep_the_spacing_is_none() -> None:
    spaced = "actions: {a: {kind: physical, min_spacing: 9ms}}"
    text = TWICE.replace("actions: {a: {min_delay: 5ms}}", spaced).replace("effects: [a], ", "")
    assert lag(text)[0] is not None
    for policy in ("drop", "defer", "replace"):
        kept = text.replace("min_spacing: 9ms", f"min_spacing: 9ms, policy: {policy}")
        assert lag(kept)[0] == lag(text)[0]
    assert lag(text.replace("min_spacing: 9ms", "min_spacing: 9ms, policy: update"))[0] is None


def program(chance: Random) -> str:
    """Timers, the start, actions that several reactions schedule, connections with `after`."""
    timers = {
        f"t{n}": (chance.choice([0, 0, 1, 2, 5]), chance.choice([4, 6, 6, 12, None]))
        for n in range(chance.randint(1, 3))
    }
    actions = {f"a{n}": chance.choice([0, 0, 1, 2, 6]) for n in range(chance.randint(1, 2))}
    ports = ["p", "q"]
    places = ["startup", *timers, *actions, *ports]
    rank = {place: number for number, place in enumerate(places)}
    lines = []
    for n in range(chance.randint(2, 4)):
        triggers = chance.sample([p for p in places if p != "q"], chance.randint(1, 2))
        later = [e for e in (*actions, "p") if rank[e] > max(rank[t] for t in triggers)]
        loops = [*actions] if chance.random() < 0.05 else later
        effects = chance.sample(loops, min(len(loops), chance.randint(1, 2)))
        sure = ", always: true" if chance.random() < 0.5 else ""
        lines.append(
            f"      r{n}: {{reactor: x{n}, triggers: [{', '.join(triggers)}], "
            f"effects: [{', '.join(effects)}], wcet: 1ns{sure}}}"
        )
    lines.append("      last: {reactor: z, triggers: [q], wcet: 1ns}")
    shown = [
        f"{name}: {{offset: {offset}ns{f', period: {period}ns' if period else ''}}}"
        for name, (offset, period) in timers.items()
    ]
    given = [f"{name}: {{min_delay: {delay}ns}}" for name, delay in actions.items()]
    return f"""\
federation: 1
coordination: decentralized
hosts: {{h: {{cores: 4}}}}
federates:
  f:
    host: h
    timers: {{{", ".join(shown)}}}
    actions: {{{", ".join(given)}}}
    inputs: [q]
    outputs: [p]
    connections: [{{from: p, to: q, after: {chance.choice([0, 0, 1, 6])}ns}}]
    reactions:
""" + "\n".join(lines)


def run(federation: Federation, chance: Random, end: int) -> dict[str, set[tuple[int, int]]]:
    """The tags at which each place has something, from a queue with one event of a trigger at a
    tag: as `lf_schedule_trigger` has it."""
    (federate,) = federation.federates.values()
    queue: defaultdict[tuple[int, int], set[str]] = defaultdict(set)
    queue[0, 0].add("startup")
    for timer in federate.timers.values():
        step = timer.period or end
        for tick in range(timer.offset, max(end, timer.offset + 1), step):
            queue[tick, 0].add(timer.name)

    def later(tag: tuple[int, int], trigger: str, delay: int) -> None:
        at = (tag[0] + delay, 0) if delay else (tag[0], tag[1] + 1)
        while trigger in queue[at]:
            at = at[0], at[1] + 1
        queue[at].add(trigger)

    seen: defaultdict[str, set[tuple[int, int]]] = defaultdict(set)
    while queue and min(queue)[0] < end:
        tag = min(queue)
        present = queue.pop(tag)
        done: set[str] = set()
        if "p → q" in present:
            present.add("q")
        while ready := [
            r
            for r in federate.reactions.values()
            if r.name not in done and present.intersection(r.triggers)
        ]:
            for reaction in ready:
                done.add(reaction.name)
                for effect in reaction.effects:
                    if not reaction.always and chance.random() < 0.2:
                        continue
                    if effect in federate.actions:
                        later(tag, effect, federate.actions[effect].min_delay)
                    elif effect not in present:
                        present.add(effect)
                        later(tag, "p → q", federate.connections[0].shift.time)
        for place in present - {"p → q"}:
            seen[place].add(tag)
        if tag[1] > 40:
            break
    return seen


def has(moment: Moment, tag: tuple[int, int]) -> bool:
    """Whether a moment has a tag."""
    apart = tag[0] - (moment.root.phase or 0) - moment.time
    period = moment.root.period
    return moment.microstep == tag[1] and (apart == 0 if period is None else apart % period == 0)


def checked(tags: Tags, tag: tuple[int, int]) -> bool:
    """The same of the checker's."""
    apart = tag[0] - tags.at
    return tags.step == tag[1] and (apart % tags.period if tags.period else apart) == 0


@pytest.mark.parametrize("seed", range(0, 400, 20))
def test_every_tag_of_a_run_is_one_of_a_moment(seed: int) -> None:
    followed = moved = 0
    for number in range(seed, seed + 20):
        chance = Random(number)
        federation = loads(program(chance))
        found = activation(federation)
        if "f" in found.dense:
            continue
        times = Times(read_federation(head("lf-stp", federation, ())["federation"]))
        followed += 1
        assert "f" not in times.dense
        for _ in range(2):
            for place, tags in run(federation, chance, 40).items():
                for tag in tags:
                    moments = found.places["f", place]
                    assert any(has(moment, tag) for moment in moments), (number, place, tag)
                    assert any(checked(one, tag) for one in times.of(("f", place)))
                    moved += tag[1] > 1
    assert followed
    assert moved


def test_of_two_that_one_reaction_enables_none_is_run_at_once_and_no_run_shows_both() -> None:
    both = TWICE.replace("r1: {triggers: [t], effects: [a]", "r1: {triggers: [t], effects: [o]")
    text = both.replace("r3: {triggers: [a], effects: [o], wcet: 3ms, deadline: 2ms}", """\
r2b: {reactor: x, triggers: [t], wcet: 0 ms, deadline: 9ms}
      r3: {reactor: y, triggers: [o], wcet: 3ms}
      r3b: {reactor: z, triggers: [o], wcet: 3ms}""")  # fmt: skip
    assert lag(text, "r2b") == (6 * MS, False)
    assert lag(text.replace("triggers: [o]", "triggers: [t]"), "r2b") == (6 * MS, True)
