"""Schedules of executors, drawn by hand from what rclcpp does.

The thread of an executor is one row; `served` says which callback each of its jobs was of.
"""

from __future__ import annotations

import pytest

from ddsrta.simulation.attack.ways import ways_of
from ddsrta_simulator.program import ALWAYS, BEST, COMPLETED, RANDOM, SHUFFLED, WORST
from tests.simulation.drawings import Scene, check

WORLD = """
topics: {a: {size: 1B}, b: {size: 1B}}
listeners: {L: {core: m/c2, priority: 9}}
threads:
  da: {core: m/c3, priority: 1, wcet: 1ns, period: 1us, publishes: [{topic: a, delay: 0ns}]}
  db: {core: m/c4, priority: 1, wcet: 1ns, period: 1us, publishes: [{topic: b, delay: 0ns}]}
"""
# the drivers publish one unit after their release; reading by the listener takes no time
SUB = "subscribes: {topics: [%s], listener: L, delay: 0ns}"


def scene(kind="single_threaded", extra="", world=WORLD, **releases):
    """A timer and a subscription to each topic; who is not released at all has an empty list."""
    text = f"""{world}
executors: {{ex: {{core: m/c0, priority: 5, kind: {kind}}}}}
callbacks:
  tick: {{executor: ex, wcet: 2ns, timer: 1us}}
  sa: {{executor: ex, wcet: 3ns, {SUB % "a"}}}
  sb: {{executor: ex, wcet: 4ns, {SUB % "b"}}}
{extra}"""
    return Scene(text, {"tick": [], "da": [], "db": [], **releases})


def served(made, horizon=60):
    """The callbacks in the order in which they are complete."""
    jobs = len(made.program.thread_worst)  # their stages come first
    rows = made.trace(horizon)
    names = [
        made.program.stages[row[2]][1] for row in rows if row[1] == COMPLETED and row[2] < jobs
    ]
    return [name for name in names if made.system.threads[name].executor]


def test_a_round_serves_timers_before_subscriptions():
    # da, db and tick at 0: tick alone is there at 0, then both messages since 1
    made = scene(tick=[0, 3], da=[0], db=[0])
    check(
        made,
        """
da |#               |
db |#               |
ex |###########     |
""",
    )
    # the second expiry at 3 is within the round of sa and sb: the timer waits for its end
    assert served(made) == ["tick", "sa", "sb", "tick"]
    assert made.seen("response")["job", "tick"] == 8


def test_a_message_that_arrives_within_a_round_waits_for_the_next():
    # round 1: sb at 1 … 5; a arrives at 2, another b at 3: both are in round 2, sa first
    made = scene(da=[1], db=[0, 2])
    assert served(made) == ["sb", "sa", "sb"]
    check(made, "ex | ###########    |")


def test_two_messages_of_one_subscription_take_two_rounds():
    # round 1: sb (b came at 1); two of a and one of b come meanwhile
    made = scene(da=[1, 2], db=[0, 3])
    assert served(made) == ["sb", "sa", "sb", "sa"]


def test_an_unknown_order_is_any_but_stays_as_it_is():
    found = set()
    for habit, seed in [(WORST, 0), (BEST, 0), *((RANDOM, seed) for seed in range(20))]:
        made = scene(da=[0, 20, 40], db=[0, 20, 40]).decide(("turns", "ex"), habit=habit, seed=seed)
        found.add(tuple(served(made)))
    assert found == {("sa", "sb") * 3, ("sb", "sa") * 3}


def test_a_registered_order_is_that_of_the_file():
    text = "single_threaded, order: registered"
    assert ("turns", "ex") not in scene(text).program.decisions
    assert served(scene(text, da=[0], db=[0])) == ["sa", "sb"]


def test_what_arrives_as_the_round_begins_may_be_missed():
    # tick ends at 2, when a arrives and b as well
    def orders(habit):
        made = scene("single_threaded, order: registered", tick=[0], da=[1], db=[1])
        made.decide(("poll", "ex"), habit=habit)
        made.choices.tie_mode = SHUFFLED
        found = set()
        for made.choices.tie_seed in range(40):
            found.add(tuple(served(made)))
        return found

    assert orders(WORST) == {("tick", "sa", "sb")}
    assert orders(BEST) == {("tick", "sa", "sb"), ("tick", "sb", "sa")}


def test_what_is_released_by_time_and_no_timer_has_any_place():
    found = set()
    for habit in (WORST, BEST):
        other = "  other: {executor: ex, wcet: 1ns, arrival: {sporadic: 1us}}\n"
        made = scene("single_threaded, order: registered", other, other=[1], da=[0])
        made.decide(("turns", "ex"), habit=habit)
        found.add(tuple(served(made)))
    assert found == {("other", "sa"), ("sa", "other")}


@pytest.mark.parametrize("release", ["humble", "iron"])
def test_a_static_executor_serves_subscriptions_before_timers(release):
    made = scene(f"static, release: {release}, order: registered", tick=[1], da=[0], db=[0])
    assert served(made) == ["sa", "sb", "tick"]


def test_a_static_executor_of_later_releases_asks_anew_before_each_callback():
    # and so may starve the timer: here it always takes the callback that is last in the file
    made = scene("static, release: jazzy", tick=[0], da=[], db=[0, 3, 7])
    made.decide(("pick", "ex"), habit=BEST).decide(("turns", "ex"), habit=BEST)
    assert served(made) == ["tick", "sb", "sb", "sb"]
    made = scene("static, release: jazzy", tick=[1], da=[], db=[0, 3, 7])
    made.decide(("pick", "ex"), habit=BEST).decide(("turns", "ex"), habit=BEST)
    assert served(made) == ["sb", "sb", "sb", "tick"]


def test_services_come_after_subscriptions_and_clients_after_services():
    world = (
        WORLD
        + """  dc: {core: m/c1, priority: 1, wcet: 1ns, period: 1us}
services: {S: {request: 1B, reply: 1B}}
"""
    )
    extra = """  caller: {executor: other, wcet: 1ns, follows: {threads: [dc]}, calls: [{service: S, delay: 0ns}]}
  server: {executor: ex, wcet: 1ns, serves: {service: S, listener: L, delay: 0ns,
            reply: {delay: 0ns}}}
  client: {executor: ex, wcet: 1ns, receives: {service: S, listener: L, delay: 0ns}}
"""
    text = "single_threaded, order: registered}, other: {core: m/c1, priority: 2"
    made = scene(text, extra, world, dc=[0], da=[1], db=[1], tick=[2])
    # the request is there at 2, with a and b and the timer: the reply goes out in round 1
    assert served(made) == ["caller", "tick", "sa", "sb", "server", "client"]


def test_a_callback_that_waits_for_both_runs_in_the_turn_of_the_last_message():
    extra = """  both: {executor: ex, wcet: 5ns, subscribes: {topics: [a, b], activation: and,
           listener: L, delay: 0ns, take: 2ns}}
"""
    # at 1: sa 3, sb 4, both/a 1 + 2, both/b 1 + 2, and both at once, though tick waits since 2
    made = scene("single_threaded, order: registered", extra, da=[0], db=[0], tick=[2])
    assert served(made) == ["sa", "sb", "both/a", "both/b", "both", "tick"]
    assert made.seen("response")["job", "both"] == 3 + 4 + 3 + 3 + 5  # from 1, when b is there
    check(made, "ex | ####################    |")


@pytest.mark.parametrize("kind", ["events", "multi_threaded", "static"])
def test_it_runs_at_once_whatever_the_executor(kind):
    extra = """  both: {executor: ex, wcet: 5ns, subscribes: {topics: [a, b], activation: and,
           listener: L, delay: 0ns}}
"""
    made = scene(kind, extra, da=[0], db=[0], tick=[1, 2, 3])
    names = served(made)
    assert names.index("both") == max(names.index("both/a"), names.index("both/b")) + 1


def test_an_events_executor_serves_what_came_first():
    made = scene("events", tick=[3], da=[1, 4], db=[0])
    # b at 1, a at 2, a again at 5; its timers thread sees the timer of 3 when nothing is left
    assert served(made) == ["sb", "sa", "sa", "tick"]


def test_priorities_of_callbacks():
    text = (
        WORLD
        + f"""
executors: {{ex: {{core: m/c0, priority: 5, kind: fixed_priority}}}}
callbacks:
  tick: {{executor: ex, wcet: 2ns, timer: 1us, priority: 1}}
  sa: {{executor: ex, wcet: 3ns, priority: 2, {SUB % "a"}}}
  sb: {{executor: ex, wcet: 4ns, priority: 2, {SUB % "b"}}}
"""
    )
    made = Scene(text, {"tick": [0, 1], "da": [1, 4], "db": [0]})
    # tick 0 … 2 is not interrupted; then b (came at 1) and a (at 2), a again at 5
    assert served(made) == ["tick", "sb", "sa", "sa", "tick"]


def test_a_multi_threaded_executor_takes_whichever():
    def orders(habit):
        found = set()
        for seed in range(30):
            made = scene("multi_threaded", tick=[2], da=[1], db=[0, 1])
            made.decide(("pick", "ex"), habit=habit, seed=seed)
            made.decide(("turns", "ex"), habit=RANDOM, seed=seed)
            found.add(tuple(served(made)))
        return found

    # b from 1 to 5; then another b and a since 2, tick since 2, by the file
    assert orders(WORST) == {("sb", "tick", "sa", "sb")}
    assert len(orders(BEST)) == len(orders(RANDOM)) == 6


DIRECT = """
topics: {a: {size: 1B}, b: {size: 1B}, c: {size: 1B}}
listeners: {L: {core: m/c2, priority: 9}}
processes: {p: {listener: L, intra_process: true}}
threads:
  da: {core: m/c3, priority: 1, wcet: 9ns, period: 1us, process: p, PUBLISHES}
  db: {core: m/c4, priority: 1, wcet: 1ns, period: 1us, publishes: [{topic: b, delay: 0ns}]}
  far: {core: m/c1, priority: 1, wcet: 2ns, subscribes: {topics: [c], listener: L, delay: 1ns}}
executors: {ex: {core: m/c0, priority: 5, process: p, order: registered, MORE}}
callbacks:
  sa: {executor: ex, wcet: 3ns, subscribes: {topics: [a], delay: 50ns}}
  sb: {executor: ex, wcet: 4ns, subscribes: {topics: [b], delay: 0ns}}
"""


BOTH = "publishes: [{topic: a, delay: 4ns}, {topic: c, delay: 4ns}]"
THREAD = "sa: {core: m/c0, priority: 1, wcet: 3ns, process: p, subscribes: {topics: [a]}}"


def direct(more="threads: 1", publishes=BOTH, **releases):
    more = "release: jazzy" if more == "threads: 1" else more
    text = DIRECT.replace("PUBLISHES", publishes).replace("MORE", more)
    return Scene(text, {"da": [], "db": [], **releases})


def test_a_message_within_the_process_needs_no_middleware_while_its_job_goes_on():
    made = direct(da=[0]).decide(("point", "da"), habit=BEST)
    # handed over at 1; then the copy to `far` takes 4, and the rest of the job 8
    check(
        made,
        """
da  |#############    |
ex  | ###             |
L   |     #           |
far |      ##         |
""",
    )
    assert made.run.messages == 2


def test_a_thread_of_the_process_may_have_a_message_before_others_or_after():
    text = DIRECT[: DIRECT.index("executors:")].replace("[c]", "[a]") + f"  {THREAD}\n"
    text = text.replace("PUBLISHES", "publishes: [{topic: a, delay: 4ns}]")
    made = Scene(text, {"da": [0], "db": []}).decide(("point", "da"), habit=BEST)
    check(made, "da  |#############    |\nsa  | ###             |\nL   |     #           |")
    made = Scene(text, {"da": [0], "db": []}).decide(("point", "da"), habit=BEST)
    made.decide(("direct", "da", "a"), habit=BEST)
    check(made, "da  |#############    |\nsa  |     ###         |\nL   |     #           |")


def test_direct_messages_come_last_in_a_round_whatever_the_file_says():
    # both are there when the first sb is done: round 2 has sb, then sa
    made = direct(da=[1], db=[0, 2]).decide(("point", "da"), habit=BEST)
    assert served(made) == ["sb", "sb", "sa"]


def test_a_late_message_may_still_be_served_in_the_round():
    # round 1: sb at 1 … 5. a is handed over at 2, b comes again at 4
    made = direct(da=[1], db=[0, 3]).decide(("point", "da"), habit=BEST)
    assert served(made) == ["sb", "sb", "sa"]
    made.decide(("late", "ex"), habit=BEST)
    assert served(made) == ["sb", "sa", "sb"]
    sampled = direct("release: humble")
    assert ("late", "ex") not in sampled.program.decisions


def test_a_controller_sends_only_what_leaves_the_process():
    publishes = BOTH.replace("delay", "flow_controller: F, delay")
    controller = "flow_controllers: {F: {core: m/c1, priority: 5}}\n"
    text = (controller + DIRECT).replace("PUBLISHES", publishes).replace("MORE", "release: jazzy")
    made = Scene(text, {"da": [0], "db": []}).decide(("point", "da"), habit=BEST)
    check(
        made,
        """
da  |#########        |
F   | ####            |
ex  | ###             |
""",
    )
    alone = text.replace("topics: [c], listener: L", "topics: [b], listener: L")
    made = Scene(alone, {"da": [0], "db": []}).decide(("point", "da"), habit=BEST)
    check(made, "F   |                 |")
    assert [s for s in made.program.stages if s[0] == "sample"] == []


def test_a_path_through_a_direct_message_has_no_middleware():
    text = DIRECT.replace("PUBLISHES", BOTH)
    text = text.replace("MORE", "release: jazzy") + "chains: {c: {path: [da, a, sa]}}\n"
    made = Scene(text, {"da": [5], "db": []}).decide(("point", "da"), habit=BEST)
    made.trace(40)
    assert made.seen("latency") == {("da", "a", "sa"): 4}
    assert made.seen("data_age") == {("da", "a", "sa"): 4}


def test_what_is_pending_at_an_executor():
    made = scene(tick=[0], da=[0], db=[0])
    served(made)
    assert made.seen("pending")["ex"] == 3
    assert made.seen("pending")["reader", "sa", "a"] == 1


def test_an_executor_has_peers_and_more_urgent_threads():
    world = WORLD + "  high: {core: m/c0, priority: 9, wcet: 2ns, period: 1us}\n"
    world += "  peer: {core: m/c0, priority: 5, wcet: 2ns, period: 1us}\n"
    made = scene(
        "single_threaded, order: registered", "", world, da=[0], db=[0], high=[2], peer=[3]
    )
    check(
        made,
        """
high |  ##             |
ex   | #==######       |
peer |   .......##     |
""",
    )


def test_an_eager_executor_sleeps_between_rounds():
    def schedules(eager):
        world = WORLD + "  peer: {core: m/c0, priority: 5, wcet: 2ns, period: 1us}\n"
        made = scene("single_threaded", "", world, tick=[0, 2], peer=[1])
        made.choices.eager = eager
        made.choices.tie_mode = SHUFFLED
        found = set()
        for made.choices.tie_seed in range(20):
            found.add(made.drawn(12)["ex"])
        return found

    assert schedules(0) == {"####        "}
    assert schedules(ALWAYS) == {"####        ", "##..##      "}


def test_ways_lead_through_direct_messages():
    text = DIRECT.replace("PUBLISHES", "publishes: [{topic: a}]").replace("MORE", "threads: 1")
    text = text.replace("topics: [c], listener", "topics: [b], listener")
    text = text.replace(", threads: 1", "")
    program = Scene(text).program
    ways = ways_of(program)[program.stages.index(("job", "sa"))]
    assert [(program.sources[w.source], w.best, w.latest) for w in ways] == [("da", 1, 9)]
