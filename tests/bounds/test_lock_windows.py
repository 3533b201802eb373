"""All that share locks of Fast DDS, in one window (lemma lock-windows)."""

from __future__ import annotations

import pytest

import ddsrta
from ddsrta.bounds.closed_window.windows import ClosedWindow, ClosedWindows
from ddsrta.bounds.compile import compile_system
from ddsrta.bounds.compiled import Compiled
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.locks.sharing import LockSharing
from ddsrta.bounds.solve import solve
from ddsrta.bounds.terms.explain import explain
from ddsrta.checker import check
from ddsrta_kernel import Solver

PLAIN = ddsrta.Refinements(lock_windows=False)
HEAD = """ddsrta: 1
middleware: {fastdds: "2.9"}
machines: {m: {cores: {a: {}, b: {}, c: {}}}}
delays: {publisher: {1kB: 1ms}, flow_controller: {1kB: 1ms}, listener: {1kB: 1ms}}
topics: {x: {size: 1kB}, y: {size: 1kB}}
listeners: {L: {core: m/c, priority: 5}}
"""


def crossed(middle: str = "a") -> str:
    """Two threads on each of two cores, that share a mutex; 'middle' is the core of one of them."""
    lines = [
        f"  {name}: {{core: m/{core}, priority: {priority}, wcet: 1ms, period: 10ms, "
        "publishes: [{topic: x, mode: sync}]}\n"
        for name, core, priority in (
            ("up", "a", 5), ("low", middle, 1), ("over", "b", 5), ("under", "b", 1),
        )
    ]  # fmt: skip
    return HEAD + "threads:\n" + "".join(lines) + READER


READER = """  s: {core: m/c, priority: 1, wcet: 1ms, subscribes: {topics: [x], listener: L}}
chains: {way: {path: [low, x, s]}}
"""


def tried(above_p: str, above_q: str) -> str:
    """Two flow controllers, each of a publisher that is below something on its core."""
    return (
        HEAD
        + f"flow_controllers: {{F: {{core: m/a, priority: {above_q}}}, "
        + f"G: {{core: m/b, priority: {above_p}}}}}\n"
        + "threads:\n"
        + "  p: {core: m/b, priority: 3, wcet: 1ms, period: 1s, "
        + "publishes: [{topic: x, flow_controller: F}]}\n"
        + "  q: {core: m/a, priority: 3, wcet: 1ms, period: 1s, "
        + "publishes: [{topic: y, flow_controller: G}]}\n"
        + "  s: {core: m/c, priority: 1, wcet: 1ms, subscribes: {topics: [x, y], listener: L}}\n"
    )


def test_waits_that_need_more_of_each_other_have_the_bound_of_all_together() -> None:
    system = ddsrta.loads(crossed())
    plain = ddsrta.analyze(system, refinements=PLAIN)
    assert {thread.wcrt for thread in plain.threads.values()} == {None}
    result = ddsrta.analyze(system)
    wcrts = {name: thread.wcrt for name, thread in result.threads.items()}
    assert wcrts == {**dict.fromkeys(("up", "low", "over", "under"), 8_000_000), "s": wcrts["s"]}
    assert wcrts["s"] is not None
    assert (result.check.status, result.check.without) == ("confirmed", ())


def test_it_is_explained_as_what_is_done_on_all_cores() -> None:
    first = explain(ddsrta.loads(crossed()), "way").stages[0]
    assert "all that is done on m/a, m/b" in first.note
    assert sum(term.time for term in first.terms) == first.total


@pytest.mark.parametrize("figure", ["response", "latency"])
def test_a_nanosecond_less_is_refuted(figure: str) -> None:
    claims = certificate(ddsrta.loads(crossed()))
    assert check(claims).ok
    for stage in claims["stages"]:
        if stage["stage"] == ["job", "low"]:
            assert stage["closed"]
            stage[figure] -= 1
    assert check(claims).status == "refuted"


def test_who_does_not_share_the_mutex_is_not_counted() -> None:
    """In a process of its own 'under' delays nobody but by its work on its core."""
    text = crossed().replace("under: {core: m/b,", "under: {core: m/b, process: other,")
    text = text.replace("threads:\n", "processes: {other: {listener: L}}\nthreads:\n")
    result = ddsrta.analyze(ddsrta.loads(text))
    bounds = [result.threads[name].wcrt for name in ("up", "low", "over", "under")]
    assert all(bound is not None and bound <= 8_000_000 for bound in bounds)
    assert bounds[0] is not None and bounds[0] <= 6_000_000
    assert result.check.status == "confirmed"


@pytest.mark.parametrize(
    ("above_p", "above_q", "without_end"),
    [("5", "5", 2), ("5", "1", 0), ("1", "5", 0), ("1", "1", 0)],
)
def test_flow_controllers_that_keep_each_others_publishers_from_running_have_no_bound(
    above_p: str, above_q: str, without_end: int
) -> None:
    system = ddsrta.loads(tried(above_p, above_q))
    assert len(LockSharing(compile_system(system)).endless) == without_end
    result = ddsrta.analyze(system)
    assert [message.ddl is None for message in result.messages] == [bool(without_end)] * 2
    if without_end:
        assert "livelock" in str(result.messages[0].unbounded_because)
    assert result.check.status == "confirmed"


def test_no_bound_of_a_livelock_is_confirmed() -> None:
    claims = certificate(ddsrta.loads(tried("5", "5")))
    for stage in claims["stages"]:
        if stage["stage"][0] in ("job", "sample"):
            stage.update(response=10**9, latency=10**9, closed=True)
    assert check(claims).status == "refuted"


RESERVED = crossed().replace("b: {}", "b: {reservation: {budget: 9ms, period: 10ms}}")
CALM = RESERVED.replace("period: 10ms, publishes", "period: 100ms, publishes")


def test_what_a_reservation_leaves_out_counts() -> None:
    """Four jobs of 2 ms, and up to three gaps of 1 ms in 11."""
    result = ddsrta.analyze(ddsrta.loads(CALM))
    assert (result.threads["under"].wcrt or 0) <= 11_000_000
    assert (result.check.status, result.check.without) == ("confirmed", ())
    solution = solve(ddsrta.loads(CALM))
    window = solution.closed_windows.of(solution.number(("job", "under")))
    assert window is not None
    assert (window.length, window.gaps) == (11_000_000, 3_000_000)


def test_a_thread_of_sched_deadline_on_a_core_counts_with_its_budgets() -> None:
    line = "  due: {core: m/a, reservation: {budget: 1ms, period: 100ms}, wcet: 1ms, period: 1s}\n"
    text = CALM.replace("b: {reservation: {budget: 9ms, period: 10ms}}", "b: {}")
    solution = solve(ddsrta.loads(text.replace("  s: {core", line + "  s: {core")))
    window = solution.closed_windows.of(solution.number(("job", "up")))
    assert window is not None
    assert (window.length, window.gaps) == (10_000_000, 2_000_000)  # one may have been due


@pytest.mark.parametrize("text", [CALM, CALM.replace("budget: 9ms", "budget: 3ms")])
def test_a_nanosecond_less_in_a_reservation_is_refuted(text: str) -> None:
    claims = certificate(ddsrta.loads(text))
    assert check(claims).ok
    closed = [stage for stage in claims["stages"] if stage.get("closed")]
    assert closed
    for stage in closed:
        stage["response"] -= 1
        assert check(claims).status == "refuted"
        stage["response"] += 1


@pytest.mark.parametrize(
    ("place", "begins"),
    [
        # the jobs of two, and a send of each of the other two
        ("over", {"over": 1, "under": 1, "up": 1, "low": 1}),
        # those of all four are there: none is released elsewhere
        ("all", {"over": 1, "under": 1, "up": 1, "low": 1}),
    ],
)
def test_only_releases_elsewhere_begin_anything(place: str, begins: dict[str, int]) -> None:
    text = CALM.replace("core: m/a", "core: m/b") if place == "all" else CALM
    text = text.replace("low: {core: m/b, priority: 1", "low: {core: m/b, priority: 2")
    text = text.replace("up: {core: m/b, priority: 5", "up: {core: m/b, priority: 6")
    compiled = compile_system(ddsrta.loads(text))
    of = {name: compiled.stage_number["job", name] for name in begins}
    there = of if place == "all" else ("over", "under")
    found = LockSharing(compiled).begins([of[name] for name in there])
    assert found == {of[name]: times for name, times in begins.items()}


def test_a_job_may_be_woken_by_a_flow_controller_that_tries() -> None:
    """p comes, its put is one release, and it may sleep for that and for the lock of its writer;
    a sample has five holds of the queue, and gives the lock of the writer back. F itself, which
    tries for each write(), is woken by p alone."""
    compiled = compile_system(ddsrta.loads(tried("1", "1")))
    sharing, of = LockSharing(compiled), compiled.stage_number
    job, sample = of["job", "p"], of["sample", "p", "x"]
    sends = {of["sample", "q", "y"]: 1}
    assert sharing.begins([job]) == {job: 1 + 1 + 2, sample: 5 + 1}
    assert sharing.begins([sample]) == {
        sample: 2 * 1 + 1,
        job: 2 * 1,
        **{other: 2 * times for other, times in sends.items()},
    }


def test_a_core_that_promises_too_much_has_no_such_window() -> None:
    lines = "".join(
        f"  due{i}: {{core: m/b, reservation: {{budget: 60ms, period: 100ms}}, wcet: 1ms, "
        "period: 1s}\n"
        for i in range(2)
    )
    text = CALM.replace("b: {reservation: {budget: 9ms, period: 10ms}}", "b: {}")
    solution = solve(ddsrta.loads(text.replace("  s: {core", lines + "  s: {core")))
    assert solution.closed_windows.of(solution.number(("job", "up"))) is None


def test_a_thread_of_sched_deadline_that_is_counted_is_not_counted_with_its_budgets_again() -> None:
    line = (
        "  due: {core: m/a, reservation: {budget: 4ms, period: 10ms}, wcet: 1ms, period: 100ms, "
        "publishes: [{topic: x, mode: sync}]}\n"
    )
    text = CALM.replace("b: {reservation: {budget: 9ms, period: 10ms}}", "b: {}")
    system = ddsrta.loads(text.replace("  s: {core", line + "  s: {core"))
    solution = solve(system)
    window = solution.closed_windows.of(solution.number(("job", "up")))
    assert window is not None
    # five jobs of 2 ms, and what its own supply leaves out: in 40 ms 6 gaps of 6 ms
    assert (window.length, window.gaps) == (46_000_000, 36_000_000)
    assert ddsrta.analyze(system).check.status == "confirmed"


@pytest.mark.parametrize(
    ("core", "length", "gaps"),
    [
        # jobs of 2 and 1 ms, a sample of 1 ms, all once; in 28 ms F is without budget 2 + 2 times
        ("b", 28_000_000, 4 * 6_000_000),
        # p is below F, which may try for as long as it has a budget: ⌈158/10⌉ of them count, too;
        # begins = 2 · 3 + 1, as it comes and by a release of p and of up: 14 gaps
        ("a", 152_000_000, 14 * 6_000_000 + 16 * 4_000_000),
    ],
)
def test_budgets_of_flow_controllers_count_where_they_may_keep_their_publishers(
    core, length, gaps
) -> None:
    text = HEAD + (
        "flow_controllers: {F: {core: m/a, reservation: {budget: 4ms, period: 10ms}}}\n"
        "threads:\n"
        "  up: {core: m/a, priority: 5, wcet: 1ms, period: 1s, publishes: [{topic: y, mode: sync}]}\n"
        f"  p: {{core: m/{core}, priority: 4, wcet: 1ms, period: 1s, "
        "publishes: [{topic: x, flow_controller: F}]}\n"
        "  s: {core: m/c, priority: 1, wcet: 1ms, subscribes: {topics: [x, y], listener: L}}\n"
    )
    system = ddsrta.loads(text)
    solution = solve(system)
    window = solution.closed_windows.of(solution.number(("job", "up")))
    assert window is not None
    assert (window.length, window.gaps) == (length, gaps)
    assert ddsrta.analyze(system).check.status == "confirmed"


ALL_RESERVED = """ddsrta: 1
middleware: {fastdds: "2.9"}
machines: {m: {cores: [f, a, b]}}
delays: {flow_controller: {1kB: 3us}, listener: {1kB: 2us}}
topics: {x: {size: 1kB}}
flow_controllers: {F: {core: m/f, reservation: {budget: 15us, period: 30us}}}
listeners: {L: {core: m/f, priority: 4}}
threads:
  d: {core: m/f, wcet: 30us, period: 600us, reservation: {budget: 30us, period: 60us}}
  o: {core: m/f, priority: 7, wcet: 1us, period: 3ms}
  p: {core: m/a, priority: 1, wcet: 2us, period: 3ms, publishes: [{topic: x, flow_controller: F}]}
  s: {core: m/b, priority: 1, wcet: 1us, subscribes: {topics: [x], listener: L}}
"""


def test_a_larger_set_may_have_a_window_where_the_least_has_none() -> None:
    """Budgets may take all of core f from o: but F has nothing to send but what the set of the
    listener holds, so there its budget does not count."""
    system = ddsrta.loads(ALL_RESERVED)
    solution = solve(system)
    windows = solution.closed_windows
    o, heard = (solution.number(key) for key in (("job", "o"), ("message", "p", "x", "s")))
    assert windows.of(o) is None
    assert "one by one, it takes 100 %" in windows.because[o]
    assert windows.of(heard) is not None
    assert windows.of(o) is not None
    result = ddsrta.analyze(system)
    assert result.threads["o"].wcrt is not None
    assert result.check.status == "confirmed"


def test_budgets_may_keep_publishers_of_each_other_in_a_circle() -> None:
    def there(core_of_q: str) -> LockSharing:
        text = tried("5", "5").replace(
            "core: m/a, priority: 3", f"core: m/{core_of_q}, priority: 4"
        )
        for core in "ab":
            text = text.replace(
                f"{{core: m/{core}, priority: 5}}",
                f"{{core: m/{core}, reservation: {{budget: 1ms, period: 10ms}}}}",
            )
        return LockSharing(compile_system(ddsrta.loads(text)))

    circle, line = there("a"), there("c")
    assert (len(circle.endless), len(circle.endless_in_budgets)) == (0, 2)
    assert (len(line.endless), len(line.endless_in_budgets)) == (0, 0)


LONG = crossed().replace("period: 10ms", "period: 20ms", 4).replace(
    "under: {core: m/b, priority: 1, wcet: 1ms, period: 20ms",
    "under: {core: m/b, priority: 1, wcet: 1ms, follows: {threads: [low], delay: 22ms}",
)  # fmt: skip


def test_what_is_long_on_its_way_is_counted_where_it_arrives_if_there_are_no_gaps() -> None:
    """Four jobs of 2 ms and 22 ms of delay each 20 ms: one by one too much."""
    system = ddsrta.loads(LONG)
    one_by_one = solve(system, ddsrta.Refinements(ways_apart=False))
    assert one_by_one.closed_windows.of(one_by_one.number(("job", "low"))) is None
    solution = solve(system)
    window = solution.closed_windows.of(solution.number(("job", "low")))
    assert window is not None
    # of what comes over it three jobs: in 2 · 12 + 22 ms, not in 12 + 22 or 2 · 12
    assert (window.length, window.apart) == (12_000_000, True)
    assert ddsrta.analyze(system).check.status == "confirmed"


def test_no_long_way_is_apart_where_a_supply_has_gaps() -> None:
    text = LONG.replace("b: {}", "b: {reservation: {budget: 19ms, period: 20ms}}")
    solution = solve(ddsrta.loads(text))
    assert solution.closed_windows.of(solution.number(("job", "low"))) is None


@pytest.mark.parametrize("activation", ["or", "and, synchronize: latest"])
def test_a_window_is_searched_once_however_waits_grow(
    monkeypatch: pytest.MonkeyPatch, activation: str
) -> None:
    """What stages wait for locks changes no release, and no window counts sets beside locks."""
    writers = "".join(
        f"  of_{topic}: {{core: m/c, priority: {priority}, wcet: 1ms, period: 100ms, "
        f"publishes: [{{topic: {topic}, mode: sync}}]}}\n"
        for priority, topic in enumerate("vw", 3)
    )
    fuse = (
        "  fuse: {core: m/c, priority: 2, wcet: 1ms, "
        f"subscribes: {{topics: [v, w], listener: L, activation: {activation}}}}}\n"
    )
    text = crossed().replace("y: {size: 1kB}", "v: {size: 1kB}, w: {size: 1kB}")
    searched: list[int] = []
    rounds: list[object] = []
    search, again = ClosedWindows._window, ClosedWindows.waiting

    def searching(self: ClosedWindows, stage: int, held: list[int]) -> ClosedWindow | None:
        searched.append(stage)
        return search(self, stage, held)

    def waiting(self: ClosedWindows, compiled: Compiled, solver: Solver) -> ClosedWindows | None:
        rounds.append(solver)
        return again(self, compiled, solver)

    monkeypatch.setattr(ClosedWindows, "_window", searching)
    monkeypatch.setattr(ClosedWindows, "waiting", waiting)
    solve(ddsrta.loads(text.replace(READER, writers + fuse + READER)))
    assert len(rounds) > 1
    assert len(searched) == len(set(searched)) > 0
