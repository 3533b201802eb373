"""Which release of rclcpp has which executors, and what is not modelled of those."""

import pytest

import ddsrta
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.checker import CertificateError, check
from ddsrta.models.document import digest
from ddsrta.ros2 import KINDS

SYSTEM = """ddsrta: 1
machines: {m: {cores: [a, b]}}
executors: {E: {core: m/a, priority: 5, kind: KIND}}
callbacks:
  long: {executor: E, timer: 50ms, wcet: 7ms}
  tick: {executor: E, timer: 20ms, wcet: 1ms}
"""
MISSING = [
    ("static", "lyrical", "it has: single_threaded, multi_threaded, events, events_cbg"),
    ("static", "rolling", "it has: single_threaded, multi_threaded, events, events_cbg"),
    ("events_cbg", "humble", "it has: single_threaded, multi_threaded, static"),
    ("events_cbg", "iron", "it has: single_threaded, multi_threaded, events, static"),
    ("events", "humble", "it has: single_threaded, multi_threaded, static"),
]


def system(kind, more=""):
    return ddsrta.loads(SYSTEM.replace("KIND", kind + more))


@pytest.mark.parametrize(("kind", "release", "instead"), MISSING)
def test_what_a_release_does_not_have_is_refused_with_what_it_has(kind, release, instead):
    with pytest.raises(ddsrta.InputError) as found:
        system(kind, f", release: {release}")
    (problem,) = found.value.diagnostics
    assert problem.message == f"rclcpp of {release} has no {kind} executor"
    assert problem.advice == instead
    made = system(kind).altered("executors", "E", release=release)
    with pytest.raises(ddsrta.InputError, match="has no"):
        ddsrta.analyze(made)


@pytest.mark.parametrize(("kind", "release", "_"), MISSING)
def test_the_checker_refuses_it_too(kind, release, _):
    claims = certificate(system(kind))
    claims["system"]["executors"]["E"]["release"] = release
    claims["digest"] = digest(claims["system"])
    with pytest.raises(CertificateError, match=f"rclcpp of {release} has no {kind} executor"):
        check(claims)


@pytest.mark.parametrize("release", ["kilted", "lyrical"])
@pytest.mark.parametrize("kind", [name for name in KINDS if KINDS[name].of_rclcpp])
def test_of_kilted_and_lyrical_bounds_are_those_of_jazzy(kind, release):
    if release in KINDS[kind].releases:
        found, jazzy = (ddsrta.analyze(system(kind, f", release: {r}")) for r in (release, "jazzy"))
        assert found.check.status == "confirmed"
        assert found.callbacks == jazzy.callbacks


def test_an_events_cbg_executor_has_one_thread_on_one_core():
    for more in (", threads: 2", ", cores: [m/a, m/b]"):
        text = SYSTEM.replace("KIND", "events_cbg" + more)
        with pytest.raises(ddsrta.InputError) as found:
            ddsrta.loads(text.replace("core: m/a, ", "") if "cores:" in more else text)
        (problem,) = found.value.diagnostics
        assert problem.message == "an executor of kind 'events_cbg' has one thread"
        assert "the thread that watches it" in problem.advice


def test_where_its_timers_threads_are_made_is_assumed():
    (found,) = ddsrta.analyze(system("events_cbg")).assumptions
    assert (found.rule, found.position[1]) == ("timers-threads", 3)
    assert not ddsrta.analyze(system("events")).assumptions
    claims = certificate(system("events_cbg"))
    assert check(claims).assuming == ("timers-threads",)
    del claims["assumptions"]
    assert "rest on 'timers-threads', which is not said to be assumed" in check(claims).failure


def test_under_sched_deadline_it_cannot_make_them():
    with pytest.raises(ddsrta.InputError, match="cannot make its timers thread"):
        ddsrta.loads(
            SYSTEM.replace(
                "priority: 5, kind: KIND",
                "reservation: {budget: 9ms, period: 10ms}, kind: events_cbg",
            )
        )


def test_rmw_zenoh_is_refused_with_the_page_that_says_what_is_missing():
    with pytest.raises(ddsrta.InputError, match=r"docs/zenoh\.md"):
        ddsrta.loads(SYSTEM.replace("KIND", "events") + 'middleware: {rmw_zenoh: "0.10"}\n')


POOL = SYSTEM.replace("core: m/a", "cores: [m/a, m/b]").replace("KIND", "multi_threadedMORE")


@pytest.mark.parametrize("release", [None, "jazzy", "kilted", "lyrical", "rolling"])
def test_that_threads_of_a_pool_hear_of_free_groups_is_assumed(release):
    pool = ddsrta.loads(POOL.replace("MORE", f", release: {release}" if release else ""))
    (found,) = ddsrta.analyze(pool).assumptions
    assert (found.rule, found.position[1]) == ("free-groups", 3)
    claims = certificate(pool)
    assert check(claims).assuming == ("free-groups",)
    del claims["assumptions"]
    assert "rest on 'free-groups', which is not said to be assumed" in check(claims).failure


LESS = "threads:\n  less: {PLACE, wcet: 1us, period: 1s}\n"


def beside_a_pool(place, more=""):
    return ddsrta.loads(POOL.replace("MORE", more) + LESS.replace("PLACE", place))


@pytest.mark.parametrize("place", ["core: m/a, priority: 1", "core: m/b, policy: other"])
def test_that_idle_threads_take_no_time_from_what_is_less_urgent_is_assumed(place):
    pool = beside_a_pool(place)
    claims = certificate(pool)
    rules = {each.rule for each in ddsrta.analyze(pool).assumptions}
    assert {"idle-threads", "free-groups"} <= rules == set(check(claims).assuming)
    claims["assumptions"].remove("idle-threads")
    assert "rest on 'idle-threads'" in check(claims).failure


@pytest.mark.parametrize(
    ("place", "more"),
    [
        ("core: m/a, priority: 90", ""),
        ("core: m/a, reservation: {budget: 1us, period: 1s}", ""),
        ("core: m/a, priority: 1", ", release: humble"),
    ],
)
def test_where_idle_threads_take_no_time(place, more):
    pool = beside_a_pool(place, more)
    result = ddsrta.analyze(pool)
    assert result.check.status == "confirmed"
    assert "idle-threads" not in {each.rule for each in result.assumptions}


@pytest.mark.parametrize(
    "text",
    [
        POOL.replace("MORE", ", release: humble"),  # a wait set for each wait
        POOL.replace("MORE", ", release: iron"),
        POOL.replace("MORE", "").replace("timer: ", "reentrant: true, timer: "),  # never busy
        SYSTEM.replace(
            "KIND", "multi_threaded, threads: 2, release: jazzy"
        ),  # none is kept waiting
    ],
)
def test_where_no_thread_waits_without_a_group_nothing_is_assumed(text):
    result = ddsrta.analyze(ddsrta.loads(text))
    assert (result.assumptions, result.check.status) == ((), "confirmed")
