"""All that shares locks, by what arrives there (lemma sharing-window)."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.sharing_window.windows import SharingSets
from ddsrta.bounds.solve import solve
from ddsrta.bounds.terms.explain import explain
from ddsrta.simulation import program_of
from tests.checker.tampered import accepted, changed
from tests.soundness.test_middleware import exceeded

MS = 1_000_000
WITHOUT = ddsrta.Refinements(sharing_windows=False)
TEXT = """ddsrta: 1
middleware: {fastdds: "2.9"}
machines: {m: {cores: {a: {}, b: {}, c: {}, d: {}}}}
delays: {publisher: {1kB: 1ms}, flow_controller: {1kB: 1ms}, listener: {1kB: 1ms}}
topics: {x: {size: 1kB}, y: {size: 1kB}}
listeners: {L: {core: m/c, priority: 5}}
threads:
  map: {core: m/d, priority: 1, wcet: 40ms, bcet: 30ms, period: 100ms}
  up: {core: m/a, priority: 5, wcet: 1ms, period: 10ms, publishes: [{topic: x, mode: sync}]}
  low: {core: m/a, priority: 1, wcet: 1ms, follows: {threads: [map]}, publishes: [{topic: x, mode: sync}]}
  over: {core: m/b, priority: 5, wcet: 1ms, period: 10ms, publishes: [{topic: y, mode: sync}]}
  under: {core: m/b, priority: 1, wcet: 1ms, period: 10ms, publishes: [{topic: y, mode: sync}]}
  s: {core: m/c, priority: 1, wcet: 1ms, subscribes: {topics: [x, y], listener: L}}
chains: {way: {path: [map, low]}}
"""
SLOW = TEXT.replace("period: 10ms", "period: 40ms")
BUDGET = SLOW.replace("b: {}", "b: {reservation: {budget: 9ms, period: 10ms}}")
LIMITED = """ddsrta: 1
machines: {m: {cores: [a, b, c, d]}}
delays: {flow_controller: {1kB: 1ms}, listener: {1kB: 1ms}}
topics: {x: {size: 744B}}
flow_controllers: {F: {core: m/b, priority: 5, limit: {bytes: 2kB, period: 1ms}}}
listeners: {L: {core: m/c, priority: 5}}
threads:
  p: {core: m/a, priority: 1, wcet: 1ms, bcet: 1ms, period: 100ms, publishes: [{topic: x, flow_controller: F, count: 4}]}
  less: {core: m/b, priority: 1, wcet: 1ms, period: 100ms}
  more: {core: m/b, priority: 9, wcet: 60ms, period: 100ms}
  s: {core: m/c, priority: 1, wcet: 1ms, subscribes: {topics: [x], listener: L}}
"""

IN_ITS_THREAD = (
    TEXT.replace("{a: {}", "{e: {}, a: {}").replace("x: {size", "z: {size: 1kB}, x: {size")
    .replace("period: 100ms", "period: 400ms").replace("period: 10ms", "period: 200ms")
    .replace("[x, y], listener: L", "[x, y, z], listener: L")
) + """executors: {E: {core: m/e, priority: 1}}
callbacks:
  fused:
    executor: E
    wcet: 1ms
    subscribes: {topics: [x, y], listener: L, activation: and, take: 2ms}
    publishes: [{topic: z, mode: sync}]
"""  # fmt: skip


def system_of() -> ddsrta.System:
    return ddsrta.loads(TEXT)


def wcrt(text: str, name: str = "low", some: ddsrta.Refinements | None = None):
    result = ddsrta.analyze(ddsrta.loads(text), refinements=some or ddsrta.Refinements())
    assert (result.check.status, result.check.without) == ("confirmed", ())
    return result.threads[name].wcrt


def test_work_that_leads_there_is_in_no_window():
    assert wcrt(TEXT, some=WITHOUT) == 38 * MS
    assert wcrt(TEXT) == 8 * MS


def test_work_that_leads_there_makes_more_come_at_once():
    """Two jobs of low may come within 8 ms if map takes so much longer at times."""
    longer = TEXT.replace("wcet: 40ms, bcet: 30ms", "wcet: 99ms, bcet: 1ms")
    assert wcrt(longer) == 10 * MS


def test_what_takes_the_messages_of_a_set_is_not_beside_what_it_releases():
    """fused runs in the turn of the last of its subscriptions, and these take no locks."""
    result = ddsrta.analyze(ddsrta.loads(IN_ITS_THREAD))
    assert (result.check.status, result.check.without) == ("confirmed", ())
    assert result.callbacks["fused"].wcrt == 40 * MS + 4


@pytest.mark.parametrize("other", ["core: m/b, priority: 9", "core: m/a, priority: 3"])
def test_what_keeps_a_holder_from_running_counts(other: str):
    hog = f"  hog: {{{other}, wcet: 1ms, period: 10ms}}\n"
    assert wcrt(TEXT.replace("  s: {", hog + "  s: {")) == 9 * MS


@pytest.mark.parametrize("other", ["core: m/b, priority: 1", "core: m/d, priority: 9"])
def test_what_is_less_urgent_than_all_that_share_it_does_not(other: str):
    hog = f"  hog: {{{other}, wcet: 1ms, period: 10ms}}\n"
    text = TEXT.replace("priority: 1, wcet: 1ms, period", "priority: 2, wcet: 1ms, period")
    assert wcrt(text.replace("  s: {", hog + "  s: {")) == 8 * MS


def test_gaps_of_a_reservation_count():
    """⌊11/10⌋ + 2 of 1 ms in a window of 11 ms."""
    assert wcrt(SLOW) == 8 * MS
    found = solve(ddsrta.loads(BUDGET)).sharing.values()
    assert {(one.length, one.gaps) for one in found} == {(11 * MS, 3 * MS)}


def test_the_sleep_of_a_limit_counts_once():
    """What is less urgent waits for what comes with it, and two sleeps: 60 + 4 + 1 + 2. A closed
    window has the work of p, too."""
    assert wcrt(LIMITED, "less", WITHOUT) == 68 * MS
    assert wcrt(LIMITED, "less") == 67 * MS


def test_it_is_explained():
    first = explain(system_of(), "way").stages[1]
    assert (
        first.note == "all that shares locks or cores with it on m/a, m/b, since none was pending"
    )
    assert sum(term.time for term in first.terms) == first.total


@pytest.mark.parametrize("text", [TEXT, BUDGET, LIMITED])
def test_the_window_that_is_found_is_what_its_parts_add_up_to(text: str):
    """The kernel looks for it; how often each counts, gaps and sleeps are found once more."""
    found = solve(ddsrta.loads(text)).sharing.values()
    assert found
    for one in found:
        work = sum(units * cost for units, cost, _ in one.counts.values())
        assert work + one.gaps + one.asleep == one.length


def test_no_run_is_above():
    for text in (TEXT, SLOW, BUDGET):
        system = ddsrta.loads(text)
        result = ddsrta.analyze(system)
        for seed in range(5):
            over, _ = exceeded(program_of(system), result, seed)
            assert not over


@pytest.mark.parametrize("text", [TEXT, BUDGET])
def test_a_certificate_with_less_is_refused(text: str):
    claims = certificate(ddsrta.loads(text))
    assert accepted(claims)
    number = next(n for n, one in enumerate(claims["stages"]) if one.get("sharing"))
    less = claims["stages"][number]["response"] - 1
    assert not accepted(changed(claims, (("stages", number, "response"), less)))
    assert not accepted(changed(claims, (("stages", number, "sharing"), False)))


def test_no_set_has_what_takes_no_locks_alone():
    compiled = solve(system_of()).compiled
    sets = SharingSets(compiled)
    names = {compiled.stages[n].key[1] for n in sets.of(compiled.stage_number["job", "up"])}
    assert names == {"up", "low", "over", "under"}
    assert sets.of(compiled.stage_number["job", "map"]) is None
