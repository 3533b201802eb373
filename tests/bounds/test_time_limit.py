"""A limit of time is kept, or refused."""

import pytest

import ddsrta
from ddsrta.base import watch
from ddsrta.base.diagnostics import InputError
from ddsrta.bounds import refinements
from ddsrta.bounds import solve as solving
from ddsrta.bounds.assemble import present
from ddsrta.bounds.compile import compile_system
from ddsrta.bounds.deadlines import deadlines
from ddsrta.bounds.evidence.certificate import claims
from ddsrta.bounds.solve import solve
from ddsrta.bounds.unbounded import CALLED_OFF
from ddsrta.checker import budget, check
from ddsrta.examples import two_threads
from tests.bounds.test_order import SPEED_SYNC, changed
from tests.soundness.draw import clocked, drawn

KEYS = ("latency", "data_age", "reaction_time", "response")


def test_the_published_analysis_refuses_a_limit_that_it_would_not_keep():
    with pytest.raises(InputError, match="published analysis cannot end at a time limit"):
        ddsrta.analyze(two_threads(), profile="published", time_limit=10)
    assert ddsrta.analyze(two_threads(), profile="published").profile == "published"


class Clock:
    """Time that goes on with each look at it, and is over for good after so many."""

    def __init__(self):
        self.looks, self.last = 0, 10**9

    def __call__(self):
        self.looks += 1
        return 0.0 if self.looks <= self.last else 1e9


@pytest.fixture
def clock(monkeypatch):
    made = Clock()
    monkeypatch.setattr(watch, "monotonic", made)
    return made


def figures(result):
    """All latencies and responses, by name; what has no bound is not there."""
    things = {**result.chains, **result.threads, **result.callbacks}
    found = {(name, key): getattr(one, key, None) for name, one in things.items() for key in KEYS}
    return {name: figure for name, figure in found.items() if figure is not None}


@pytest.mark.parametrize("kind", ["any", "ros2", "synchronized", "shared"])
def test_wherever_time_ends_what_has_a_bound_has_one_that_holds(kind, clock, monkeypatch):
    monkeypatch.setattr(budget, "ASKED", 50)
    system = drawn(3, kind)
    whole = ddsrta.analyze(system, time_limit=1)
    assert whole == ddsrta.analyze(system) and whole.check.status == "confirmed"
    known, looks = figures(whole), clock.looks
    for last in sorted({*range(1, 6), *range(6, looks, 1 + looks // 12), looks - 1}):
        clock.looks, clock.last = 0, last
        result = ddsrta.analyze(system, time_limit=1)
        assert result.check.status == "unchecked" and result.verdict != "met", last
        assert result.check.because == CALLED_OFF.of() and result.is_ended
        assert all(each.state != "missed" for each in deadlines(result)), last
        assert all(figure >= known[name] for name, figure in figures(result).items()), last


@pytest.mark.parametrize("kind", ["any", "clocked", "pools", "synchronized"])
def test_a_large_system_is_not_prepared_for_what_there_is_no_time_for(kind, monkeypatch):
    """Whatever is left out when time is over, what is found without it holds."""
    system = clocked(7) if kind == "clocked" else drawn(7, kind)
    whole = compile_system(system, is_over=lambda: True)
    assert whole.coupling and whole.tandems.feeds  # it is no large one
    monkeypatch.setattr(refinements, "LARGE", 0)
    for looks in (0, 1, 2):
        over = iter([False] * looks + [True] * 2)
        compiled = compile_system(system, is_over=lambda over=over: next(over))
        assert (compiled.coupling is None, not compiled.tandems.feeds) == (looks < 2, looks < 1)
        solution = solve(system, known=compiled)
        assert check(claims(solution, present(solution))).status == "confirmed", looks


def test_of_a_large_system_no_window_is_looked_for_when_time_is_over(clock, monkeypatch):
    system = two_threads()
    clock.last = 1
    assert ddsrta.analyze(system, time_limit=1).chains["control loop"].latency == 3_286_000
    monkeypatch.setattr(solving, "LARGE", 0)
    clock.looks = 0
    result = ddsrta.analyze(system, time_limit=1)
    assert result.is_ended and not figures(result)
    because = result.chains["control loop"].unbounded_because
    assert because is not None and CALLED_OFF.made(because)


def test_wherever_time_ends_no_order_is_called_violated(clock):
    """That two messages may be swapped may be for responses that are not there yet."""
    sending = ("1kB: 30us", "1kB: {worst: 30us, best: 30us}")
    system = changed(SPEED_SYNC, sending, ("controller: {1kB: 20us", "controller: {1kB: 29us"))
    assert ddsrta.analyze(system, time_limit=1).orders["gear first"].met is True
    looks, seen = clock.looks, set()
    for last in range(1, looks):
        clock.looks, clock.last = 0, last
        result = ddsrta.analyze(system, time_limit=1)
        assert result.is_ended
        seen |= {order.met for order in result.orders.values()}
    assert None in seen and False not in seen


def test_the_checker_ends_by_the_clock_and_not_by_a_guess_of_its_work(clock):
    system = drawn(44, "chains")  # a million evaluations, of which none is counted in seconds
    assert ddsrta.analyze(system, time_limit=0.01).check.status == "confirmed"
