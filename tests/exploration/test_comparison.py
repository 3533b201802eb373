"""What a check against a baseline says."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

import ddsrta
from ddsrta.base.diagnostics import Position
from ddsrta.base.units import Duration
from ddsrta.bounds.result import ThreadResult
from ddsrta.examples import two_threads
from ddsrta.exploration.budgets import Accepted, Budgets, regressions, unknown
from ddsrta.exploration.comparison import Comparison, compare, short_ways
from ddsrta.report.checklist import comparison_lines, deadline_lines, unbounded_lines
from tests.report import results


def with_latency(latency, **changes):
    return results.result(chains={"control": results.chain(latency, 20_000_000, **changes)})


def test_a_rise_is_worse_with_its_amount():
    found = compare(with_latency(5_000_000), with_latency(6_000_000))
    [change] = found.worse
    assert change.name == "chain control: latency"
    assert change.amount == "+1 ms, +20.0 %"
    assert not found.better
    assert "  worse  chain control: latency 5 ms → 6 ms (+1 ms, +20.0 %)" in comparison_lines(
        found, "old.json"
    )


def test_a_rise_within_the_tolerance_is_not_said_to_be_none():
    old, new = with_latency(5_000_000), with_latency(6_000_000)
    found = compare(old, new, Fraction(41, 200))
    said = comparison_lines(found, "old.json")[0]
    assert said == "nothing is worse than old.json by more than 20.5 %"


def test_a_fall_is_better():
    found = compare(with_latency(6_000_000), with_latency(5_000_000))
    assert not found.worse
    lines = comparison_lines(found, "old.json")
    assert lines[0] == "nothing is worse than old.json"
    assert lines[1].startswith("better: 1 bound, most of all chain control: latency 6 ms → 5 ms")


def test_losing_a_bound_is_worse_and_finding_one_is_better():
    [change] = compare(with_latency(5), with_latency(None)).worse
    assert change.amount == "now unbounded"
    found = compare(with_latency(None), with_latency(5))
    assert not found.worse
    assert found.better[0].amount == "now bounded"


@pytest.mark.parametrize("key", ["data_age", "reaction_time", "trigger_latency"])
def test_every_figure_of_a_chain_is_compared(key):
    old = with_latency(5_000_000, **{key: Duration(8_000_000)})
    new = with_latency(5_000_000, **{key: Duration(9_000_000)})
    [change] = compare(old, new).worse
    assert change.name == f"chain control: {key.replace('_', ' ')}"


def test_a_latency_that_leaves_the_trigger_latency_behind_is_worse():
    new = with_latency(9_000_000, trigger_latency=Duration(5_000_000))
    [change] = compare(with_latency(5_000_000), new).worse
    assert change.name == "chain control: latency"


def test_messages_and_threads_are_compared():
    old = results.result(messages=(results.message(1_000),))
    new = results.result(
        messages=(results.message(1_500),), threads={"P": ThreadResult(Duration(1_400_000), "c")}
    )
    names = [change.name for change in compare(old, new).worse]
    assert names == ["message P → theta1 → S (async)", "thread P"]


def sent(ddl, sent):
    return results.result(messages=(results.message(ddl, sent=results.ns(sent)),))


MESSAGE = "message P → theta1 → S (async)"


@pytest.mark.parametrize(
    ("old", "new", "worse", "better"),
    [
        ((900, 100), (900, 150), [f"{MESSAGE}: sent"], []),
        ((900, 100), (850, 150), [f"{MESSAGE}: sent"], [MESSAGE]),
        ((900, 100), (1000, 150), [MESSAGE, f"{MESSAGE}: sent"], []),
        ((900, 100), (1000, 200), [MESSAGE], []),
        ((900, 100), (None, None), [MESSAGE], []),
        ((None, None), (900, 100), [], [MESSAGE]),
        ((None, 100), (None, None), [f"{MESSAGE}: sent"], []),
        ((None, 100), (900, 100), [], [MESSAGE]),
        ((900, None), (900, 100), [], []),
    ],
)
def test_until_when_a_copy_is_sent_is_compared_where_the_delivery_does_not_say_it(
    old, new, worse, better
):
    """An older result may not have it; that is no bound that was lost or found."""
    found = compare(sent(*old), sent(*new))
    assert [[each.name for each in moves] for moves in (found.worse, found.better)] == [
        worse,
        better,
    ]
    assert not found.new and not found.gone


def test_a_thing_that_is_called_like_a_copy_that_is_sent_is_compared():
    """Two threads, of which one is called like a figure of the other."""
    names = ("P", "P: sent")
    old, new = (
        results.result(threads={name: ThreadResult(Duration(wcrt), "c") for name in names})
        for wcrt in (5, 6)
    )
    assert [each.name for each in compare(old, new).worse] == ["thread P", "thread P: sent"]


def test_a_rise_within_the_tolerance_is_not_worse():
    old, new = with_latency(1_000_000), with_latency(1_020_000)
    assert not compare(old, new, Fraction(2, 100)).worse
    assert compare(old, new, Fraction(199, 10_000)).worse
    assert compare(old, with_latency(None), Fraction(10)).worse


def test_new_and_gone_things_are_named():
    old = results.result(threads={"A": ThreadResult(Duration(1), "c")})
    new = results.result(threads={"B": ThreadResult(Duration(1), "c")})
    found = compare(old, new)
    assert (found.new, found.gone) == (("thread B",), ("thread A",))


def test_a_deadline_that_is_no_longer_asked_for_is_named():
    new = results.result(chains={"control": results.chain(5_000_000)})
    found = compare(results.result(), new)
    assert found.relaxed == ("chain control: latency within 20 ms → no deadline",)
    assert "relaxed: chain control: latency within 20 ms → no deadline" in comparison_lines(
        found, "old.json"
    )


def test_another_system_or_profile_is_noted():
    notes = compare(results.result(), results.result(system="x", profile="published")).notes
    assert len(notes) == 2


def test_nothing_changed():
    found = compare(results.late(), results.late())
    assert (found.worse, found.better, found.new, found.gone) == ((), (), (), ())


def test_a_line_for_each_deadline_with_exact_figures():
    late = results.late()
    assert deadline_lines(replace(late, warnings=())) == [
        "ok    control  latency 5.000001 ms ≤ 20 ms (slack 14.999999 ms)",
        "MISS  steer    latency 25 ms > 20 ms (late by 5 ms)",
        "ok    age      data age 29.999999 ms ≤ 30 ms (slack 1 ns)",
    ]
    assert [line[:4] for line in deadline_lines(late)] == ["ok? ", "MISS", "ok? "], "an error"
    assert deadline_lines(results.overloaded())[0] == (
        "????  control  latency unbounded, deadline 20 ms: core ecu1/c0 is overloaded"
    )


def test_what_is_unbounded_without_a_deadline_is_listed_by_its_reason():
    assert unbounded_lines(results.overloaded()) == [
        "????  thread P, message P → theta1 → S unbounded: core ecu1/c0 is overloaded",
    ]


# --- what asks for less, or means something else


SENDERS = """\
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
delays: {publisher: {1kB: 1ms}, listener: {1kB: 1ms}}
topics: {x: {size: 1kB}, y: {size: 1kB}}
listeners: {L: {core: m/b, priority: 9, queue: 3}}
threads:
  s: {core: m/a, priority: 5, wcet: 1ms, period: 20ms, publishes: [{topic: x, mode: sync}, {topic: y, mode: sync}]}
  t: {core: m/c, priority: 5, wcet: 1ms, period: 20ms, publishes: [{topic: x, mode: sync}, {topic: y, mode: sync}]}
  r: {core: m/b, priority: 5, wcet: 1ms, subscribes: {topics: [x, y], listener: L}}
chains:
  one: {path: [s, x, r], deadline: 30ms}
"""
ORDER = "orders: {q: {subscriber: r, topics: [x, y]}}\n"
SYNCHRONIZED = "activation: and, synchronize: approximate_time, queue: 5"


def compared(old: str, new: str) -> Comparison:
    return compare(*(ddsrta.analyze(ddsrta.loads(text), check=False) for text in (old, new)))


def test_a_chain_that_begins_elsewhere_is_not_better():
    found = compared(SENDERS, SENDERS.replace("path: [s, x, r]", "path: [r]"))
    assert found.relaxed == ("chain one: s → x → r, which is r now",)
    assert not any("one" in each.name for each in found.better)
    longer = compared(SENDERS.replace("path: [s, x, r]", "path: [r]"), SENDERS)
    assert not longer.relaxed and any("chain one" in each.name for each in longer.worse)


WAYS = """\
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
threads:
  s: {core: m/a, priority: 5, wcet: 1ms, period: 100ms}
  f: {core: m/b, priority: 5, wcet: 10ms, follows: {threads: [s]}}
  g: {core: m/b, priority: 4, wcet: 20ms, follows: {threads: [s]}}
  act: {core: m/c, priority: 5, wcet: 1ms, follows: {threads: [f, g]}}
chains:
  one: {path: [s, g, act], deadline: 60ms}
"""


def test_a_deadline_of_another_way_is_none_of_the_first_one_while_that_is_there():
    other = WAYS.replace("path: [s, g, act]", "path: [s, f, act]")
    said = "chain one: latency within 60 ms by s → g → act, which is by s → f → act now"
    assert compared(WAYS, other).relaxed == (said,)
    assert not compared(WAYS, other + "  two: {path: [s, g, act], deadline: 50ms}\n").relaxed
    assert compared(WAYS, other + "  two: {path: [s, g, act], deadline: 70ms}\n").relaxed
    gone = other.replace("[f, g]", "[f]")
    assert not compared(WAYS, gone).relaxed, "a way that is there no more is another one now"


def test_an_order_of_fewer_origins_asks_for_less():
    found = compared(SENDERS + ORDER, SENDERS + ORDER.replace("y]", "y], from: s"))
    assert found.relaxed == ("order q → not of what t sends",)


BROKEN = """
ddsrta: 1
machines: {m: {cores: [a, b, c, d, e]}}
delays: {listener: {1kB: 10us}}
topics: {gear: {size: 1kB}, speed: {size: 1kB}}
flow_controllers: {F: {core: m/b, priority: 4}, G: {core: m/c, priority: 4}}
listeners: {L: {core: m/d, priority: 8}}
threads:
  s: {core: m/a, priority: 5, wcet: 1ms, period: 20ms, publishes: [
    {topic: gear, flow_controller: F, delay: {worst: 50us, best: 50us}, earliest: 1ms},
    {topic: speed, flow_controller: G, delay: {worst: 200us, best: 200us}, earliest: 1ms}]}
  r: {core: m/e, priority: 5, wcet: 20us, subscribes: {topics: [gear, speed], listener: L}}
orders: {q: {subscriber: r, topics: [gear, speed]}}
"""


def test_an_order_that_held_and_can_be_violated_is_named():
    """No bound says so, nor does a verdict that was missed before."""
    broken = BROKEN.replace("200us, best: 200us", "200us, best: 2us")
    assert compared(BROKEN, broken).relaxed == ("order q: always holds → can be violated",)
    assert not compared(broken, BROKEN).relaxed
    assert not compared(broken, broken).relaxed


def test_a_queue_that_no_longer_holds_all_is_named():
    found = compared(
        SENDERS.replace("queue: 3", "queue: 9"), SENDERS.replace("queue: 3", "queue: 1")
    )
    assert len(found.relaxed) == 1 and found.relaxed[0].startswith("queue L: has place for all → ")


def test_synchronizers_are_compared():
    x, y = "{topic: x, mode: sync}", "{topic: y, mode: sync}"
    s, t = (line for line in SENDERS.splitlines(True) if line[:4] in ("  s:", "  t:"))
    old = SENDERS.replace(s, s.replace(f"{x}, {y}", x)).replace(t, t.replace(f"{x}, {y}", y))
    old = old.replace("listener: L}", f"listener: L, {SYNCHRONIZED}}}").partition("chains:")[0]
    found = compared(old, old.replace("period: 20ms", "period: 30ms"))
    assert "synchronizer r: disparity" in {each.name for each in found.worse}


def between(*ways: tuple[int, str]):
    """Paths between two ends, in their order, each with its latency."""
    paths = {
        f"all/{number}": results.chain(
            latency, 20_000_000, path=("a", *way.split(), "b"), label=f"a → b via {way}"
        )
        for number, (latency, way) in enumerate(ways, 1)
    }
    return results.result(chains=paths)


def test_paths_between_two_ends_are_known_by_their_way_and_not_by_their_number():
    """Once a new path took the number of a slower one: 8 ms became 3 ms, while it took 9 ms."""
    old, new = between((2, "x"), (8, "y c z")), between((2, "x"), (3, "v d w"), (9, "y c z"))
    found = compare(old, new)
    assert [(each.name, each.old, each.new) for each in found.worse] == [
        ("chain all (a → y → c → z → b): latency", 8, 9)
    ]
    assert not found.better and not found.relaxed
    assert found.new == ("chain all (a → v → d → w → b): latency",)
    back = compare(new, old)
    assert back.gone == found.new and not back.worse
    assert [each.partition(": ")[0] for each in back.relaxed] == ["chain all (a → v → d → w → b)"]
    assert [each.name for each in back.better] == [found.worse[0].name]


def test_ways_are_named_in_short_by_what_tells_them_apart():
    apart = between((2, "x"), (8, "y c z"))
    assert short_ways(apart) == {
        "all (a → x → b)": "all (via x)",
        "all (a → y → c → z → b)": "all (via y → c → z)",
    }
    assert short_ways(between((2, "x y"))) == {"all (a → x → y → b)": "all"}
    assert short_ways(between((2, "x"), (3, "x y"))) == {}  # what the first has, both have
    assert short_ways(between((2, "x")), between((2, "y")))["all (a → y → b)"] == "all (via y)"


def test_an_older_result_does_not_say_which_chains_are_paths_between_two_ends():
    old = between((2, "x"), (8, "y c z"))
    older = replace(old, chains={n: replace(c, label=None) for n, c in old.chains.items()})
    assert compare(older, between((2, "x"), (3, "v"), (9, "y c z"))) == compare(
        old, between((2, "x"), (3, "v"), (9, "y c z"))
    )


def test_an_exception_of_all_paths_between_two_ends_needs_no_way():
    """Once it had to say the whole way of each, and the names offered were cut."""
    old, new = between((2, "x"), (8, "y")), between((3, "x"), (9, "y"))
    moves, position = compare(old, new).worse, Position("b.yaml", 1, 1)
    one = Accepted("chain all: latency", None, "agreed", date.max, position)
    other = replace(one, bound="chain all (a → x → b): latency")
    for accepted, count in ((one, 2), (other, 1)):
        found = regressions(moves, Budgets(accepted=(accepted,)), date.min)
        assert len(found) == 2 and sum(bool(each.accepted) for each in found) == count
        assert not unknown(Budgets(accepted=(accepted,)), [move.name for move in moves])
    assert unknown(Budgets(accepted=(replace(one, bound="chain al: latency"),)), [moves[0].name])


def test_a_bound_that_rests_on_more_than_before_says_so():
    old = two_threads()
    new = old.replace("threads", "sensor", "publishes", 0, jobs="1 of 4")
    before, after = ddsrta.analyze(old), ddsrta.analyze(new)
    (note,) = compare(before, after).notes
    assert note.startswith("assumed now, and not before: jobs of sensor send 'speed' no more often")
    assert not compare(after, before).notes and not compare(after, after).notes
