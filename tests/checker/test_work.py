"""How much work a check takes: what groups confirm, and units that cannot matter, take none."""

import pytest

from ddsrta.bounds.compile import compile_system
from ddsrta.bounds.evidence.certificate import certificate
from ddsrta.bounds.refinements import Refinements
from ddsrta.checker import budget, check, levels, relations
from ddsrta.checker.things import Reservation
from ddsrta.models.reader import loads
from ddsrta_kernel import COMPILED, UNBOUNDED, Solver
from ddsrta_kernel.problem import WIDE_STEPS
from tests.checker.varied import varied_system
from tests.soundness.draw import drawn

PLAIN = Refinements(pending_windows=False)  # which take the smaller of two systems only


@pytest.mark.skipif(not COMPILED, reason="busy systems take long without compiling")
@pytest.mark.parametrize(
    ("seed", "kind", "most"),
    [
        (1, "any", 400_000),
        (44, "chains", 2_000_000),
        (55, "synchronized", 1_500_000),
    ],
)
def test_busy_systems_are_confirmed_with_little_work(seed, kind, most, monkeypatch):
    monkeypatch.setattr(budget, "TOTAL", most)
    verdict = check(certificate(drawn(seed, kind)))
    assert verdict.ok, verdict.failure


def test_a_window_that_a_path_needs_and_that_takes_too_long_is_named_a_limit(monkeypatch):
    claims = certificate(drawn(4, "any"))
    monkeypatch.setattr(
        budget.Budget, "renew_spare", lambda self, most=None: setattr(self, "stage", 0)
    )
    verdict = check(claims)
    assert (verdict.ok, verdict.status) == (False, "undecided")
    assert verdict.failure.startswith("message ")
    assert verdict.failure.endswith(": cannot be decided within the limits of work")


def test_the_limit_of_work_can_be_lowered_and_raised(monkeypatch):
    claims = certificate(varied_system(2, 0.3))
    needed = check(claims).work
    assert check(claims, needed).status == "confirmed"
    for less in (0, 1, needed // 2, needed - 1):
        verdict = check(claims, less)
        assert (verdict.ok, verdict.status) == (False, "undecided"), less
    monkeypatch.setattr(budget, "TOTAL", needed - 1)
    assert check(claims).status == "undecided"
    assert check(claims, needed).status == "confirmed"


def path_of(count, cores, topics, period="10ms"):
    """A chain of threads; of several cores and with messages, or on one core, following."""
    listed, lines, names = ", ".join(f"c{n}" for n in range(cores)), [], []
    for n in range(count):
        came = f"subscribes: {{topics: [x{n - 1}], listener: l}}"
        release = came if topics else f"follows: {{threads: [t{n - 1}]}}"
        sends = f", publishes: [{{topic: x{n}, mode: sync}}]" if topics and n + 1 < count else ""
        release = (release if n else f"period: {period}") + sends
        place = f"core: m/c{n % cores}, priority: {1 + n * 7 % 13}"
        lines.append(f"  t{n}: {{{place}, wcet: 1us, {release}}}")
        names += [f"t{n}", f"x{n}"] if topics and n + 1 < count else [f"t{n}"]
    text = f"ddsrta: 1\nmachines: {{m: {{cores: [{listed}]}}}}\n"
    if topics:
        text += "delays: {publisher: {1kB: 1us}, listener: {1kB: 1us}}\ntopics:\n"
        text += "".join(f"  x{n}: {{size: 1kB}}\n" for n in range(count - 1))
        text += "listeners: {l: {core: m/c0, priority: 50}}\n"
    text += "threads:\n" + "\n".join(lines)
    return loads(f"{text}\nchains: {{c: {{path: [{', '.join(names)}]}}}}", "path.yaml")


def test_the_work_of_a_long_chain_grows_with_its_length():
    some, more = (check(certificate(path_of(count, 1, False))) for count in (200, 400))
    assert some.ok and more.ok
    assert more.work <= 2.3 * some.work
    assert more.work < 1_000 * 400


def test_the_work_of_a_chain_to_and_fro_grows_with_its_length():
    some, more = (check(certificate(path_of(count, 10, False), PLAIN)) for count in (250, 500))
    assert some.ok and more.ok
    assert more.work <= 2.5 * some.work
    assert more.work < 180 * 500


def test_the_work_of_messages_through_one_listener_is_quadratic_at_most():
    some, more = (check(certificate(path_of(count, 10, True))) for count in (60, 120))
    assert some.ok and more.ok
    assert more.work <= 4.2 * some.work


@pytest.mark.skipif(not COMPILED, reason="a search that gives up takes long without compiling")
@pytest.mark.parametrize(("count", "period"), [(150, "1200us"), (180, "2ms")])
def test_wide_windows_that_give_up_do_so_once_and_early(count, period):
    """Messages through one listener whose latencies exceed the period, and grow without end."""
    solver = Solver(compile_system(path_of(count, 10, True, period)).problem)
    solver.solve()
    assert max(solver.latency) == UNBOUNDED
    assert solver.effort < count * count * WIDE_STEPS  # steps, each of all messages


def test_the_work_of_a_system_grows_with_its_size():
    def apart(count):
        lines = "".join(
            f"  t{n}: {{core: m/c{n // 5}, priority: {1 + n % 5}, wcet: 9us, period: 1ms}}\n"
            for n in range(count)
        )
        cores = ", ".join(f"c{n}" for n in range(count // 5))
        return loads(f"ddsrta: 1\nmachines: {{m: {{cores: [{cores}]}}}}\nthreads:\n{lines}", "s")

    some, more = (check(certificate(apart(count))) for count in (50, 100))
    assert some.ok and more.ok
    assert more.work <= 2.05 * some.work


def test_too_deep_is_undecided_too(monkeypatch):
    def deep(self):
        raise RecursionError

    monkeypatch.setattr(budget.Budget, "renew", deep)
    assert check(certificate(varied_system(1, 0.3))).status == "undecided"


def test_a_claim_that_a_search_of_its_own_limit_might_have_confirmed_is_undecided(monkeypatch):
    claims = certificate(varied_system(1, 0.3))
    for stage in claims["stages"]:
        stage["response"] = min(stage["response"] or 0, 1)
    assert check(claims).status == "refuted"
    monkeypatch.setattr(levels, "_STEPS", 0)
    verdict = check(claims)
    assert verdict.status == "undecided"
    assert verdict.failure.endswith("a fixed point of many steps was not looked at in full")


def test_many_reservations_of_a_core_are_added_up_or_left_undecided():
    many = tuple(Reservation(1, 1000 + n) for n in range(600))
    assert relations.fits(many)
    assert not relations.fits(many * 3)
    exact = (*(Reservation(1, 2 ** (n + 1)) for n in range(100)), Reservation(1, 2**100))
    assert relations.fits(exact)
    assert not relations.fits((*exact, Reservation(1, 2**120)))
    halves = tuple(Reservation(1, 2 ** (n + 1)) for n in range(600))
    with pytest.raises(budget.ExhaustedError):
        relations.fits((*halves, Reservation(1, 2**600)))
