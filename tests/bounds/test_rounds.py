"""Messages that go round until a counter ends it (lemma bounded-rounds): known answers by hand."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.base.diagnostics import InputError
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.solve import solve
from ddsrta.checker.check import check
from ddsrta.models.document import digest
from ddsrta.simulation import program_of
from ddsrta.simulation.attack import Budget, attack_all
from tests.soundness.bounds import bounds_of

TEXT = """
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
topics: {ping: {size: 1B}, pong: {size: 1B}, out: {size: 1B}}
listeners: {L: {core: m/c, priority: 80}}
threads:
  start: {core: m/a, priority: 9, wcet: 10ns, period: 1us, publishes: [{topic: ping, delay: 0ns}]}
  wall: {core: m/b, priority: 8, wcet: 30ns, subscribes: {topics: [ping], listener: L, delay: 1ns, order: arrival}, publishes: [{topic: pong, delay: 0ns}]}
  player: {core: m/a, priority: 7, wcet: 20ns, subscribes: {topics: [pong], listener: L, delay: 1ns}, publishes: [{topic: ping, delay: 0ns, rounds: 3}]}
"""
ROUNDS = "rounds: 3"


def analyzed(text):
    result = ddsrta.analyze(ddsrta.loads(text))
    assert (result.check.status, result.check.without) == ("confirmed", ())
    return result


@pytest.mark.parametrize("rounds", [1, 2, 3, 7])
def test_each_start_brings_so_many_rounds(rounds):
    solution = solve(ddsrta.loads(TEXT.replace(ROUNDS, f"rounds: {rounds}")))
    for name in ("wall", "player"):
        assert solution.count(("job", name), 10**6) - 1000 * (rounds + 1) in range(2 * rounds + 3)
    loads = solution.utilization
    assert loads["m/b"] == pytest.approx(0.03 * (rounds + 1))
    assert loads["m/a"] == pytest.approx(0.01 + 0.02 * (rounds + 1))


@pytest.mark.parametrize("rounds", [1, 3, 7])
def test_one_round_follows_the_other(rounds):
    """The next ping comes 1 ns after the wall has begun with the one before, or as that ends."""
    text = TEXT.replace(ROUNDS, f"rounds: {rounds}")
    result = analyzed(text)
    assert result.threads["wall"].wcrt == 2 * 30 - 1
    assert result.threads["start"].wcrt == 10
    assert result.threads["player"].wcrt == 2 * 20 - 1 + 10
    alone = text.replace("topic: pong, delay", "topic: pong, earliest: 30ns, delay")
    assert analyzed(alone).threads["wall"].wcrt == 30


def test_without_that_all_of_one_rally_may_meet():
    some = ddsrta.Refinements(rounds_in_turn=False)
    result = ddsrta.analyze(ddsrta.loads(TEXT), refinements=some)
    assert result.threads["wall"].wcrt == 4 * 30
    assert result.threads["player"].wcrt == 4 * 20 + 10 - 3  # the pings come 1 ns apart


@pytest.mark.parametrize(
    ("period", "wcrt"), [("400ns", 2 * 30 - 1), ("250ns", 2 * 30 - 1), ("150ns", None)]
)
def test_two_rallies_may_meet(period, wcrt):
    text = TEXT.replace("period: 1us", f"period: {period}").replace(ROUNDS, "rounds: 1")
    wall = analyzed(text).threads["wall"].wcrt
    some = ddsrta.Refinements(rounds_in_turn=False)
    before = ddsrta.analyze(ddsrta.loads(text), refinements=some).threads["wall"].wcrt
    assert wall == (wcrt or before)


def test_what_was_sent_early_goes_on_while_the_next_round_comes():
    """Nothing is above the bounds, and one of them is met."""
    text = TEXT.replace("wcet: 20ns", "wcet: 20ns, bcet: 1ns").replace(
        "9, wcet: 10ns", "6, wcet: 1ns"
    )
    system = ddsrta.loads(text)
    result = analyzed(text)
    program = program_of(system)
    bounds = bounds_of(program, result)
    wanted = [number for number, bound in enumerate(bounds) if bound >= 0]
    found = attack_all(program, wanted, 1, Budget(runs=1500), bounds=bounds)
    assert all(one.worst <= bounds[one.number] for one in found)
    (wall,) = (one for one in found if one.measure.of == ("job", "wall"))
    assert wall.worst >= 2 * 30 - 5


def test_what_comes_back_is_over_with_the_closed_window():
    """Each start makes 10 + 1 + 4 · (20 + 30 + 1 + 1) = 219 ns of work, the last ping, which is not
    sent, among it; so no rally takes longer."""
    solution = solve(ddsrta.loads(TEXT))
    assert solution.added == {"wall": 219}


def test_where_responses_would_grow_without_end_the_closed_window_ends_them():
    text = TEXT.replace(ROUNDS, "rounds: 17")
    solution = solve(ddsrta.loads(text))
    assert solution.added == {"wall": 11 + 18 * 52}
    assert analyzed(text).threads["wall"].wcrt is not None


def test_more_work_than_there_is_time_has_no_bound():
    result = analyzed(TEXT.replace(ROUNDS, "rounds: 40"))
    assert result.threads["wall"].wcrt is None
    assert "messages that go round delay each other" in result.threads["wall"].unbounded_because


def test_one_thread_may_call_itself():
    text = TEXT.replace("{topic: pong, delay: 0ns}", "{topic: ping, delay: 0ns, rounds: 2}")
    text = text[: text.index("  player:")]
    result = analyzed(text)
    assert result.threads["wall"].wcrt == 2 * 30 - 1


CHAIN = "chains: {c: {path: [start, ping, wall, pong, player], constraint: %s, deadline: 1s}}\n"


def test_what_goes_round_may_come_behind_what_is_newer():
    chain = analyzed(TEXT + CHAIN % "reaction_time").chains["c"]
    assert chain.reaction_time is None and chain.data_age is None and chain.latency is not None
    assert "messages go round" in chain.unbounded_because


ROUND = ", ping, wall, pong, player"


@pytest.mark.parametrize("rounds", [0, 1, 2, 3])
def test_a_path_goes_round_as_often_as_the_counter_lets_it(rounds):
    """The last round of all ends with the closed window: 10 + 1 + 4 · 52 ns, but for the last ping."""
    chain = CHAIN.replace(", player]", ", player" + ROUND * rounds + "]") % "latency"
    latency = analyzed(TEXT + chain).chains["c"].latency
    alone = 10 + (rounds + 1) * (30 + 20 + 1 + 1)
    assert alone <= latency <= 219


def test_no_path_goes_round_more_often():
    chain = CHAIN.replace(", player]", ", player" + ROUND * 4 + "]") % "latency"
    with pytest.raises(InputError, match="'ping' closes a circle there, 3 times at most"):
        ddsrta.loads(TEXT + chain)
    given = analyzed(TEXT + CHAIN % "latency").certificate
    longer = given["chains"]["c"]["path"] + ["ping", "wall", "pong", "player"] * 4
    verdict = check(_with_path(given, longer))
    assert verdict.status == "refuted" and "more often than there are rounds" in verdict.failure


def _with_path(given, path):
    """A certificate whose only chain has another path, in the system and in the claim."""
    chains = {"c": {**given["system"]["chains"]["c"], "path": path}}
    claims = {"c": {**given["chains"]["c"], "path": path}}
    system = {**given["system"], "chains": chains}
    return {**given, "system": system, "digest": digest(system), "chains": claims}


def test_a_path_may_begin_on_a_circle_and_go_round():
    chain = CHAIN.replace("[start, ping, wall, pong, player]", "[player, ping, wall]") % "latency"
    result = analyzed(TEXT + chain)
    assert 20 + 1 + 30 <= result.chains["c"].latency <= 219
    ends = TEXT + "chains: {c: {from: start, to: player}}\n"
    assert [*analyzed(ends).chains] == ["c/1"]
    with pytest.raises(InputError, match="no path leads from 'player' to 'wall'"):
        ddsrta.loads(TEXT + "chains: {c: {from: player, to: wall}}\n")


OTHER = "  other: {core: m/a, priority: 3, wcet: 1ns, period: 1us, publishes: [{topic: %s, delay: 0ns}]}\n"


@pytest.mark.parametrize(
    ("text", "because"),
    [
        (TEXT + OTHER % "pong", "on the way back to 'player', has several inputs"),
        (TEXT.replace("{topic: ping, delay: 0ns}]", "{topic: out, delay: 0ns}]"), "nothing outside of it releases"),
        (TEXT.replace("pong, delay: 0ns", "pong, count: 2, delay: 0ns"), "sends several messages"),
        (TEXT.replace(ROUNDS, "count: 2, rounds: 3"), "sends several messages"),
        (TEXT.replace(ROUNDS, "rounds: 3}, {topic: out, delay: 0ns, rounds: 2").replace("[ping]", "[ping, out]"), "on two circles"),
        (TEXT.replace("pong, delay: 0ns", "pong, delay: 0ns, rounds: 2"), "on the way back to 'wall', has several inputs"),
        (TEXT.replace(ROUNDS, "jobs: 1 of 2"), "release each other in a circle"),
        (TEXT.replace("period: 1us, publishes: [{topic: ping,", "period: 1us, publishes: [{rounds: 2, topic: ping,"), "does not come back"),
        (TEXT + "middleware: {fastdds: 2.9}\n", "locks of Fast DDS"),
    ],
)  # fmt: skip
def test_what_is_not_modelled_is_refused(text, because):
    with pytest.raises(InputError, match=because):
        ddsrta.loads(text)


def test_numbers_do_not_match_behind_a_circle():
    text = TEXT.replace(
        "{topic: pong, delay: 0ns}]", "{topic: pong, delay: 0ns}, {topic: out, delay: 0ns}]"
    )
    text = text.replace("out: {size: 1B}", "out: {size: 1B}, own: {size: 1B}") + OTHER % "own"
    text += "  both: {core: m/c, priority: 1, wcet: 1ns, subscribes: {topics: [out, own], listener: L, delay: 1ns, activation: and}}\n"
    with pytest.raises(InputError, match="waits for one of each"):
        ddsrta.loads(text)


@pytest.mark.parametrize("kind", ["response", "latency"])
def test_smaller_claims_are_refuted(kind):
    given = ddsrta.analyze(ddsrta.loads(TEXT)).certificate
    assert given is not None
    refuted = 0
    for number, claim in enumerate(given["stages"]):
        stages = [*given["stages"]]
        stages[number] = {**claim, kind: claim[kind] - 1}
        refuted += check({**given, "stages": stages}).status != "confirmed"
    assert refuted == len(given["stages"])


def test_what_closes_a_circle_waits_in_the_history_of_its_reader():
    for room, said in ((1, {"queue-overflow"}), (5, set())):
        result = analyzed(TEXT.replace("ping: {size: 1B}", f"ping: {{size: 1B, history: {room}}}"))
        assert result.queues["wall < ping"].backlog == 5
        assert {one.rule for one in result.warnings} - {"unused"} == said


DIRECT = """
ddsrta: 1
machines: {m: {cores: [a, b]}}
topics: {ping: {size: 1B, history: 2}, pong: {size: 1B}}
listeners: {L: {core: m/b, priority: 80}}
delays: {listener: {1B: 1ns}}
processes: {p: {listener: L, intra_process: true}}
executors: {e: {core: m/a, priority: 5, kind: single_threaded, process: p}}
callbacks:
  start: {executor: e, wcet: 10ns, timer: 2us, publishes: [{topic: ping, delay: 0ns}]}
  wall: {executor: e, wcet: 30ns, subscribes: {topics: [ping]}, publishes: [{topic: pong, delay: 0ns}]}
  player: {executor: e, wcet: 20ns, subscribes: {topics: [pong]}, publishes: [{topic: ping, delay: 0ns, rounds: 3}]}
"""


def test_so_does_what_closes_it_without_middleware():
    result = analyzed(DIRECT)
    assert result.queues["wall < ping, directly"].backlog >= 4
    assert "queue-overflow" in {one.rule for one in result.warnings}
    assert "no-overflow" in {one.rule for one in result.assumptions}


def test_that_a_counter_ends_it_is_said_to_be_assumed():
    system = ddsrta.loads(TEXT)
    assert "message-flow" in {one.rule for one in ddsrta.analyze(system).assumptions}
    claims = certificate(system)
    claims["assumptions"].remove("message-flow")
    assert not check(claims).ok
