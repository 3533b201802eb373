"""One window for all that closed stages do (lemma closed-window)."""

from __future__ import annotations

import copy
from dataclasses import replace

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.paths.concrete import named_paths
from ddsrta.bounds.solve import FEW_STEPS, solve
from ddsrta.bounds.terms.explain import explain, explain_path
from ddsrta.checker import check
from ddsrta_kernel import Solver
from tests.bounds.circular_systems import circular
from tests.conftest import SOON
from tests.effort import draws
from tests.soundness.attack import attacked

pytestmark = pytest.mark.usefixtures("soon_over")

WITHOUT = replace(ddsrta.Refinements(), closed_windows=False)
MS = 1_000_000
FORWARD, BACK = "ababab", "bababa"


def visits(name, cores, period="14ms"):
    """A chain that visits cores, later ones more urgent."""
    for place, core in enumerate(cores):
        release = f"follows: {{threads: [{name}{place - 1}]}}" if place else f"period: {period}"
        yield f"  {name}{place}: {{core: m/{core}, priority: {place + 1}, wcet: 1ms, {release}}}\n"


RING = (
    "ddsrta: 1\nmachines: {m: {cores: [a, b]}}\nthreads:\n"
    + "".join([*visits("p", FORWARD), *visits("q", BACK)])
    + "chains: {way: {path: [p0, p1, p2, p3, p4, p5]}}\n"
)


def window(text, name):
    """The window of the least closed set with a job."""
    solution = solve(ddsrta.loads(text))
    return solution.closed_windows.of(solution.number(("job", name)))


def test_a_circle_of_delays_without_a_fixed_point_has_a_bound():
    without = ddsrta.analyze(ddsrta.loads(RING), refinements=WITHOUT)
    result = ddsrta.analyze(ddsrta.loads(RING))
    assert without.chains["way"].latency is None
    assert result.chains["way"].latency == 12_000_000
    assert (result.check.status, result.check.without) == ("confirmed", ())
    assert all(thread.wcrt is not None for thread in result.threads.values())


def test_a_nanosecond_less_is_not_confirmed():
    claims = certificate(ddsrta.loads(RING))
    assert check(claims).ok
    for number, stage in enumerate(claims["stages"]):
        for figure in ("response", "latency"):
            less = {**stage, figure: stage[figure] - 1}
            stages = [less if n == number else s for n, s in enumerate(claims["stages"])]
            assert not check({**claims, "stages": stages}).ok
    way = {**claims["chains"]["way"], "latency": 12_000_000 - 1}
    assert not check({**claims, "chains": {"way": way}}).ok


def test_paths_from_a_source_take_no_longer_than_the_bounds_of_its_events():
    late = RING.replace("period: 14ms", "arrival: {period: 16ms, jitter: 2ms}")
    both = (
        "  r: {core: m/a, priority: 1, wcet: 1ms, follows: {threads: [p1, p2], activation: and}}\n"
        "  u: {core: m/a, priority: 2, wcet: 1ms, follows: {threads: [r]}}\n"
        "  v: {core: m/b, priority: 2, wcet: 1ms, follows: {threads: [u]}}\n"
        "chains: {over: {path: [p0, p1, r, u, v]}, "
    )
    for text, name, bounds in (
        (late, "way", [4, 7, 10, 12, 12, 12]),
        (late.replace("chains: {", both), "over", [11, 20, 30, 30, 30]),
    ):
        claims = certificate(ddsrta.loads(text))
        assert [hop["latency"] for hop in claims["hops"][name]] == [each * MS for each in bounds]
        assert check(claims).ok
        explained = explain(ddsrta.loads(text), name)
        assert sum(stage.total for stage in explained.stages) == explained.bound == bounds[-1] * MS
        for hop, _ in enumerate(bounds):
            less = copy.deepcopy(claims)
            less["hops"][name][hop]["latency"] -= 1
            assert not check(less).ok


def test_chains_through_a_pool_have_a_bound_where_it_is_busy():
    lines = []
    for chain in range(3):
        for place in range(4):
            release = f"follows: {{threads: [c{chain}{place - 1}]}}" if place else "timer: 13ms"
            how = "executor: E, reentrant: true, wcet: 1ms, bcet: 1us"
            lines.append(f"  c{chain}{place}: {{{how}, {release}}}\n")
    text = (
        "ddsrta: 1\nmachines: {m: {cores: [a, b]}}\n"
        "executors: {E: {cores: [m/a, m/b], priority: 5, kind: multi_threaded}}\ncallbacks:\n"
        + "".join(lines)
        + "chains: {way: {path: [c00, c01, c02, c03]}}\n"
    )
    assert ddsrta.analyze(ddsrta.loads(text), refinements=WITHOUT).chains["way"].latency is None
    result = ddsrta.analyze(ddsrta.loads(text))
    assert result.chains["way"].latency == 12_000_000
    assert result.check.status == "confirmed"


def test_the_explanation_adds_up():
    some = replace(ddsrta.Refinements(), bursts_once=False)
    solution = solve(ddsrta.loads(RING), some)
    (path,), _ = named_paths(solution.system)
    (stage,) = explain_path(solution, path).stages
    assert stage.total == sum(term.time for term in stage.terms) == 12_000_000
    assert stage.note.startswith("all that is done on m/a, m/b")


JOIN = """
ddsrta: 1
machines: {m: {cores: [a, b]}}
threads:
  often: {core: m/a, priority: 2, wcet: 2ms, period: 50ms}
  rare: {core: m/a, priority: 3, wcet: 2ms, period: 100ms}
  both: {core: m/b, priority: 1, wcet: 1ms, follows: {threads: [often, rare], activation: and, delay: 3ms}}
chains: {way: {path: [often, both]}}
"""


def test_a_join_counts_as_often_as_the_input_that_brings_more_and_ways_once_a_unit():
    found = window(JOIN, "both")
    assert found.length == 11_000_000  # (2 + 3) + (2 + 3) + 1
    assert sorted(found.counts.values()) == [
        (1, 1_000_000, 0), (1, 2_000_000, 3_000_000), (1, 2_000_000, 3_000_000)
    ]  # fmt: skip


def test_a_window_says_nothing_of_what_waits_at_a_join():
    chain = ddsrta.analyze(ddsrta.loads(JOIN)).chains["way"]
    assert chain.trigger_latency is not None
    assert chain.latency is None  # tokens of often pile up


PLAIN = """
ddsrta: 1
machines: {m: {cores: {a: {}, b: {}}}}
threads:
  p: {core: m/a, priority: 1, wcet: 1ms, period: 10ms}
  q: {core: m/b, priority: 1, wcet: 1ms, follows: {threads: [p]}}
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a: {}", "a: {reservation: {budget: 5ms, period: 10ms}}"),
        ("threads:\n", "threads:\n  d: {core: m/a, reservation: {budget: 1ms, period: 10ms}, wcet: 1us, period: 10ms}\n"),
        ("wcet: 1ms, period: 10ms", "wcet: 11ms, period: 10ms"),
    ],
    ids=["reservation", "deadline thread beside it", "overload"],
)  # fmt: skip
def test_there_is_none_where_cores_are_not_whole_or_have_too_much_work(old, new):
    assert window(PLAIN, "q").length == 2_000_000
    assert window(PLAIN.replace(old, new), "q") is None


def test_less_urgent_work_that_cannot_block_is_not_counted():
    more = PLAIN + "  less: {core: m/b, priority: 0, wcet: 9ms, period: 10ms}\n"
    assert window(more, "q").length == 2_000_000


def test_windows_that_never_end_are_not_searched_to_the_end_first(monkeypatch):
    """Few steps say which stages ask for closed windows; all that is found is what is found where
    plain windows take as many steps as they may."""
    asked = []

    class Counted(Solver):
        def __init__(self, problem, most_steps, is_over):
            super().__init__(problem, most_steps, is_over)
            asked.append((most_steps, problem.ceilings))

    monkeypatch.setattr("ddsrta.bounds.solve.Solver", Counted)
    monkeypatch.setattr("ddsrta.bounds.closed_window.ceilings.Solver", Counted)
    system = ddsrta.loads(RING)
    quick = solve(system)
    assert asked == [(FEW_STEPS, 0), (SOON, 12)]
    monkeypatch.setattr("ddsrta.bounds.solve._few", lambda *_: None)
    whole = solve(system)
    assert asked[2:] == [(SOON, 0), (SOON, 12)]
    assert quick.solver.response == whole.solver.response
    assert quick.solver.latency == whole.solver.latency
    assert quick.ceilings == whole.ceilings != {}


@pytest.mark.parametrize("seed", range(draws(15, of=40)))
def test_circular_systems_are_confirmed_and_not_exceeded(seed):
    system = ddsrta.loads(circular(seed))
    result = ddsrta.analyze(system)
    assert (result.check.status, result.check.without) == ("confirmed", ())
    assert not attacked(system, result, 20, seed)


def test_what_lies_behind_the_closed_stages_does_not_count():
    # `late` is no stage of the set that `here` is in, so neither is the delay on the way to it.
    text = """
ddsrta: 1
machines: {m: {cores: [a, b]}}
threads:
  s: {core: m/a, priority: 2, wcet: 2ms, period: 20ms}
  t: {core: m/a, priority: 3, wcet: 3ms, period: 20ms}
  here: {core: m/a, priority: 1, wcet: 4ms, follows: {threads: [s, t], activation: and}}
  late: {core: m/b, priority: 1, wcet: 1ms, follows: {threads: [here, s], activation: and, delay: 9ms}}
chains: {way: {path: [s, here]}}
"""
    system = ddsrta.loads(text)
    assert window(text, "here").length == 9 * MS
    result = ddsrta.analyze(system)
    assert (result.chains["way"].trigger_latency, result.check.status) == (9 * MS, "confirmed")
