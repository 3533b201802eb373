"""Every result checks itself: a bound that is too low is left out, or said to be none."""

from dataclasses import fields, replace
from itertools import chain as joined

import pytest

import ddsrta
from casestudies.analyses import loaded
from ddsrta.base import shapes
from ddsrta.base.units import NANOSECONDS
from ddsrta.bounds.end_to_end_window.windows import EndToEndWindow, EndToEndWindows
from ddsrta.bounds.evidence import checked
from ddsrta.bounds.paths.walk import Walk
from ddsrta.bounds.present import message_results
from ddsrta.bounds.refinements import Refinements
from ddsrta.bounds.solution import Solution, bounded
from ddsrta.checker import CertificateError, budget, check, check_unsealed
from ddsrta.checker.yaml import NotReadError
from ddsrta.examples import two_threads
from ddsrta.models.document import digest
from ddsrta_kernel.problem import BY_GROUP, STEP, STEP_BY, STEP_TOTAL
from tests.bounds.test_synchronizers import sensors
from tests.checker.test_work import path_of

OFFSETS = """
ddsrta: 1
machines: {m: {cores: [c]}}
threads:
  a: {core: m/c, priority: 1, wcet: 4ms, arrival: {period: 10ms, offset: 0ms}}
  b: {core: m/c, priority: 2, wcet: 4ms, arrival: {period: 10ms, offset: 5ms}}
"""


# What is left out until end-to-end windows are: what came later, and these.
_LEFT_OUT = set(joined(*checked._DROPPED[: checked._DROPPED.index(("end_to_end_windows",)) + 1]))
FROM_END_TO_END_WINDOWS = tuple(
    field.name.replace("_", " ") for field in fields(Refinements) if field.name in _LEFT_OUT
)


@pytest.fixture
def low_windows(monkeypatch):
    """End-to-end windows give bounds that are too low."""

    def find(self, way, limit):
        units = (self.compiled.unit_of[way[0][0]],)
        return EndToEndWindow(1, 0, units) if self.compiled.end_to_end_windows else None

    monkeypatch.setattr(EndToEndWindows, "find", find)


@pytest.fixture
def low_groups(monkeypatch):
    """One of the first refinements does."""
    honest = Walk._walk

    def walk(self):
        honest(self)
        for row in range(0, len(self.path), STEP):
            if self.path[row + STEP_BY] == BY_GROUP:
                self.path[row + STEP_TOTAL] //= 4
        self.total = bounded(self.last(STEP_TOTAL))

    monkeypatch.setattr(Walk, "_walk", walk)


@pytest.fixture
def low_responses(monkeypatch):
    """All bounds are too low."""
    honest = Solution.response
    monkeypatch.setattr(Solution, "response", lambda self, stage: (honest(self, stage) or 8) // 8)


@pytest.fixture
def misread_unit():
    """A millisecond is read as a nanosecond less."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(NANOSECONDS, "ms", 999_999)
        shapes._parse_duration.cache_clear()
        yield
    shapes._parse_duration.cache_clear()


def failing(monkeypatch, error):
    def fail(document, work=None, is_over=None):
        raise error

    monkeypatch.setattr("ddsrta.checker.check_unsealed", fail)


def rules(result):
    return [(finding.rule, finding.severity) for finding in result.warnings]


def test_a_result_carries_what_confirmed_it():
    result = ddsrta.analyze(two_threads())
    assert (result.check.status, result.check.without, result.check.because) == (
        "confirmed", (), None,
    )  # fmt: skip
    assert result.check.certificate == digest(result.certificate)
    assert check(result.certificate).ok
    assert result.verdict == "met"


def test_nothing_is_checked_that_cannot_or_shall_not_be():
    assert ddsrta.analyze(two_threads(), profile="published").check is None
    plain = ddsrta.analyze(two_threads(), check=False)
    assert plain.check is plain.certificate is None
    assert replace(ddsrta.analyze(two_threads()), check=None) == plain


def test_a_low_refinement_is_left_out(low_windows):
    result = ddsrta.analyze(two_threads())
    left_out = result.check.without
    assert left_out == FROM_END_TO_END_WINDOWS
    without = replace(Refinements.all(), **{name.replace(" ", "_"): False for name in left_out})
    assert result.chains == ddsrta.analyze(two_threads(), refinements=without).chains
    assert result.chains["control loop"].latency == 3_286_000
    assert result.check.status == "confirmed"
    assert rules(result) == [("refuted", "warning")]
    assert f"without {', '.join(left_out)}" in result.warnings[0].message
    assert result.check.because in result.warnings[0].message
    assert result.verdict == "met"


def test_the_plain_windows_are_the_last_resort(low_groups):
    result = ddsrta.analyze(two_threads())
    plain = ddsrta.analyze(two_threads(), refinements=Refinements.none())
    assert result.chains == plain.chains
    assert result.check.status == "confirmed"
    assert set(result.check.without) == {
        name for name, _ in Refinements.steps() if name not in ("baseline", "idle limits")
    }
    assert plain.check.without == ()


def test_only_what_was_asked_for_is_left_out(low_groups):
    asked = replace(Refinements.none(), chain_windows=True, offsets=True)
    result = ddsrta.analyze(two_threads(), refinements=asked)
    assert result.check.without == ("chain windows", "offsets")


def test_what_cannot_be_claimed_is_unchecked():
    """Without offsets, latencies count from each release, and not from what two of them share."""
    system = ddsrta.loads(OFFSETS)
    assert ddsrta.analyze(system).check.status == "confirmed"
    result = ddsrta.analyze(system, refinements=Refinements.none())
    assert (result.check.status, result.verdict) == ("unchecked", "error")
    assert "offsets" in result.check.because


def test_where_all_is_refused_nothing_stands(low_responses):
    result = ddsrta.analyze(two_threads())
    assert result.verdict == "unbounded"
    assert result.check.status == "refuted"
    assert rules(result)[0] == ("refuted", "error")
    times = [thread.wcrt for thread in result.threads.values()]
    for message in result.messages:
        times += [message.ddl, message.sent, message.publisher_wcrt]
        times += [message.flow_controller, message.listener]
    for chain in result.chains.values():
        times += [chain.latency, chain.trigger_latency, chain.data_age, chain.reaction_time]
        times += [time for hop in chain.hops for time in (hop.response, hop.latency)]
        assert (chain.met, chain.slack) == (False, None)
        assert chain.unbounded_because.startswith("the checker refuses: ")
    times += [queue.backlog for queue in result.queues.values()]
    assert set(times) == {None}


def test_orders_and_synchronizers_do_not_stand_either(request):
    fuse, ordered = sensors("mtd"), loaded("xronos_order", "one_queue")
    assert ddsrta.analyze(fuse).synchronizers["fuse"].disparity is not None
    assert any(order.met for order in ddsrta.analyze(ordered).orders.values())
    request.getfixturevalue("low_responses")
    sets = ddsrta.analyze(fuse).synchronizers["fuse"]
    assert (sets.disparity, sets.gap, sets.period, sets.needed) == (None, None, None, None)
    assert set(sets.waits.values()) == {None}
    assert not any(order.met for order in ddsrta.analyze(ordered).orders.values())


PARTS = {
    "listener": lambda message: replace(message, listener=message.listener // 2),
    "controller": lambda message: replace(message, flow_controller=message.flow_controller // 2),
    "network": lambda message: replace(message, network=message.network + 1),
}


@pytest.mark.parametrize("part", PARTS)
def test_all_that_is_shown_of_a_message_is_checked(part, monkeypatch):
    def messages(solution):
        return tuple(map(PARTS[part], message_results(solution)))

    monkeypatch.setattr("ddsrta.bounds.assemble.message_results", messages)
    result = ddsrta.analyze(two_threads())
    assert result.check.status == "refuted"
    assert "messages" in result.check.because


def test_too_much_work_leaves_bounds_that_are_not_met(monkeypatch):
    monkeypatch.setattr(checked, "WORK", 0)
    result = ddsrta.analyze(two_threads())
    assert result.chains == ddsrta.analyze(two_threads(), check=False).chains
    assert result.check.status == "unchecked"
    assert "limits of work" in result.check.because
    assert rules(result) == [("unchecked", "error")]
    assert result.verdict == "error"


def test_verify_may_do_what_analyze_did(monkeypatch):
    """The limit grows with the system up to that of `verify`: no result is confirmed that a
    certificate does not show again."""
    assert checked.WORK <= checked.MOST_WORK <= budget.TOTAL
    few, many = (checked._Checker(path_of(count, 1, False), None).left for count in (1, 5_000))
    assert few < many == checked.MOST_WORK


@pytest.mark.parametrize("error", [ZeroDivisionError("oh"), CertificateError("stages: no")])
def test_a_checker_that_fails_confirms_nothing(monkeypatch, error):
    failing(monkeypatch, error)
    result = ddsrta.analyze(two_threads())
    assert (result.check.status, result.verdict) == ("unchecked", "error")
    assert str(error) in result.check.because
    assert str(error) in result.warnings[0].message


def test_what_is_refused_and_then_undecided_is_unchecked(low_windows, monkeypatch):
    honest, asked = check_unsealed, []

    def once(document, work=None, is_over=None):
        asked.append(work)
        return honest(document, work if len(asked) == 1 else 0)

    monkeypatch.setattr("ddsrta.checker.check_unsealed", once)
    result = ddsrta.analyze(two_threads())
    assert (result.check.status, result.verdict) == ("unchecked", "error")
    assert rules(result) == [("unchecked", "error"), ("refuted", "warning")]
    assert len(asked) <= len(checked._DROPPED)


@pytest.mark.usefixtures("misread_unit")
def test_a_misread_unit_takes_all_bounds():
    result = ddsrta.analyze(ddsrta.loads(OFFSETS))
    assert (result.check.status, result.verdict) == ("refuted", "unbounded")
    assert "reads the file differently: threads.a." in result.warnings[0].message
    assert {thread.wcrt for thread in result.threads.values()} == {None}


def test_what_the_checker_cannot_read_is_unchecked(monkeypatch):
    def refuse(text, path):
        raise NotReadError(f"{path}:3:1: 'novelties' is not read by the checker")

    monkeypatch.setattr("ddsrta.checker.yaml.read_document", refuse)
    result = ddsrta.analyze(ddsrta.loads(OFFSETS, "o.yaml"))
    assert (result.check.status, result.verdict) == ("unchecked", "error")
    assert "o.yaml:3:1: 'novelties' is not read by the checker" in result.check.because


def test_a_changed_system_is_not_what_its_file_says():
    changed = two_threads().replace("threads", "sensor", wcet=2_000_000)
    assert ddsrta.analyze(changed).check.status == "confirmed"
