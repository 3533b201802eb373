"""Many runs together: reproducible, the same in parallel and after an interruption, merged exactly."""

from __future__ import annotations

import json
import random

import pytest

import ddsrta
from ddsrta.examples import two_threads
from ddsrta.report.simulation import simulation_text
from ddsrta.simulation import Run, program_of, random_choices
from ddsrta.simulation.checkpoint import Checkpoint
from ddsrta.simulation.observations import percentile
from ddsrta_simulator.program import RECORD, bucket, bucket_least
from tests.simulation.ars import ars_yaml
from tests.simulation.in_steps import in_steps


@pytest.fixture(scope="module")
def ars():
    return ddsrta.loads(ars_yaml(), "ars.yaml")


def test_a_seed_reproduces_exactly_and_another_seed_does_not(ars):
    once = ddsrta.simulate(ars, horizon="10s", seed=7)
    assert once == ddsrta.simulate(ars, horizon="10s", seed=7)
    assert once.chains != ddsrta.simulate(ars, horizon="10s", seed=8).chains
    assert once.seed == 7
    assert once.delivered > 2000
    assert not once.interrupted


def test_jobs_change_nothing_but_the_time(ars):
    alone = ddsrta.simulate(ars, horizon="5s", seeds=5)
    together = ddsrta.simulate(ars, horizon="5s", seeds=5, jobs=2)
    assert alone == together
    assert alone.to_dict() == together.to_dict()


def test_seeds_together_show_what_each_has_shown(ars):
    single = [ddsrta.simulate(ars, horizon="5s", seed=seed) for seed in (3, 4, 5)]
    whole = ddsrta.simulate(ars, horizon="5s", seed=3, seeds=3)
    assert whole.events == sum(one.events for one in single)
    assert whole.simulated == 15_000_000_000
    for name, thread in whole.threads.items():
        parts = [one.threads[name].response for one in single]
        best = max(parts, key=lambda part: (part.max, -part.seed))
        assert (thread.response.max, thread.response.seed) == (best.max, best.seed)
        assert thread.response.count == sum(part.count for part in parts)
        assert thread.response.p50 <= max(part.p50 for part in parts)


def test_seed_that_is_named_shows_the_maximum(ars):
    whole = ddsrta.simulate(ars, horizon="5s", seeds=6)
    seen = whole.chains["from n0/1"].latency
    again = ddsrta.simulate(ars, horizon="5s", seed=seen.seed)
    assert again.chains["from n0/1"].latency.max == seen.max


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_was_stopped_goes_on_as_if_nothing_had_happened(ars, tmp_path, jobs, monkeypatch):
    whole = ddsrta.simulate(ars, horizon="30s", seed=2, seeds=3)
    place = str(tmp_path / "checkpoint")
    asked = iter([False] * 5 + [True] * 9999)
    call = {"horizon": "30s", "seed": 2, "seeds": 3}
    with monkeypatch.context() as patch:
        in_steps(patch)
        part = ddsrta.simulate(ars, **call, jobs=jobs, checkpoint=place, stop=lambda: next(asked))
    assert part.interrupted
    assert part.events < whole.events
    assert ddsrta.simulate(ars, jobs=jobs, checkpoint=place, resume=True) == whole
    # the checkpoint of a complete simulation holds its outcome
    assert ddsrta.simulate(ars, checkpoint=place, resume=True) == whole


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_goes_on_does_not_begin_again(ars, tmp_path, jobs, monkeypatch):
    call = {"checkpoint": str(tmp_path / "checkpoint"), "jobs": jobs}
    far = []

    def stop():
        return bool(far)

    def tick(ledger):
        if max(ledger.reached.values(), default=0) > ledger.plan.horizon // 8:
            far.append(True)

    with monkeypatch.context() as patch:
        in_steps(patch)
        ddsrta.simulate(ars, horizon="20s", seeds=2, stop=stop, tick=tick, **call)
    starts = Checkpoint(call["checkpoint"]).starts
    assert starts

    def check(ledger):
        for seed, reached in ledger.reached.items():
            assert reached >= starts[seed].reached if seed in starts else True

    ddsrta.simulate(ars, resume=True, tick=check, **call)


def test_default_horizon_is_said_and_not_endless():
    text = """\
ddsrta: 1
name: far apart
machines: {ecu: {cores: [c0]}}
threads:
  fast: {core: ecu/c0, priority: 2, wcet: 1us, period: 10us}
  slow: {core: ecu/c0, priority: 1, wcet: 1us, period: 100s}
"""
    from ddsrta.simulation.plan import default_horizon

    assert default_horizon(program_of(two_threads())) == 1000 * 10_000_000
    assert default_horizon(program_of(ddsrta.loads(text, "far.yaml"))) == 100_000_000_000


def test_percentiles_are_at_most_a_bucket_above_the_true_ones(ars):
    program = program_of(ars)
    run = Run(program, random_choices(program, 3, 10**11), records=1 << 20)
    assert run.advance(10**11) == 10**11
    rows = run.take_records()
    values: dict[int, list[int]] = {}
    for measure, value in zip(rows[::RECORD], rows[2::RECORD], strict=True):
        values.setdefault(measure, []).append(value)
    assert len(values) > 50
    for measure, seen in values.items():
        seen.sort()
        for share in (500, 990, 999):
            true = seen[-(-len(seen) * share // 1000) - 1]
            found = percentile(run.histogram(measure), seen[-1], share)
            assert true <= found <= min(seen[-1], bucket_least(bucket(true) + 1) - 1)
            assert found <= true + true // 16


def test_percentiles_of_any_values():
    dice = random.Random(5)
    for _ in range(200):
        values = sorted(dice.randrange(10 ** dice.randrange(1, 12)) for _ in range(99))
        histogram: dict[int, int] = {}
        for value in values:
            least = bucket_least(bucket(value))
            histogram[least] = histogram.get(least, 0) + 1
        for share in (1, 500, 990, 999, 1000):
            true = values[-(-len(values) * share // 1000) - 1]
            found = percentile(histogram, values[-1], share)
            assert true <= found <= min(values[-1], true + true // 16)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ({"horizon": "10"}, "has no unit"),
        ({"horizon": 0}, "must be positive"),
        ({"seeds": 0}, "must be positive"),
        ({"choices": "worst", "seeds": 2}, "all runs with the choices 'worst' are the same"),
        ({"choices": "wort"}, "there are no choices 'wort'"),
        ({"resume": True}, "needs the name of a checkpoint"),
        ({"checkpoint": "/nowhere/c", "resume": True}, "cannot read '/nowhere/c'"),
    ],
)
def test_wrong_calls(call, message):
    with pytest.raises(ddsrta.InputError, match=message):
        ddsrta.simulate(two_threads(), **call)


def test_a_checkpoint_of_something_else_is_refused(tmp_path, ars, monkeypatch):
    place = tmp_path / "checkpoint"
    call = {"checkpoint": str(place), "resume": True}
    ddsrta.simulate(two_threads(), horizon="1s", checkpoint=str(place))
    with pytest.raises(ddsrta.InputError, match="checkpoint of another system"):
        ddsrta.simulate(ars, **call)
    with pytest.raises(ddsrta.InputError, match="was made with seed 1, not 2"):
        ddsrta.simulate(two_threads(), seed=2, **call)
    with pytest.raises(ddsrta.InputError, match="was made with horizon 1000000000, not 2000000000"):
        ddsrta.simulate(two_threads(), horizon="2s", **call)
    with monkeypatch.context() as other:
        other.setattr("ddsrta.simulation.checkpoint.VERSION", "99")
        with pytest.raises(ddsrta.InputError, match="was made by the ddsrta"):
            ddsrta.simulate(two_threads(), **call)
    data = place.read_bytes()
    for broken in (b"", b"text", data[:-9], data[:200] + b"0" + data[201:], data + b" "):
        place.write_bytes(broken)
        with pytest.raises(ddsrta.InputError, match="is no checkpoint, or is damaged"):
            ddsrta.simulate(two_threads(), **call)


def test_json_has_the_keys_of_the_attributes_and_times_are_integers(ars):
    simulation = ddsrta.simulate(ars, horizon="2s")
    document = json.loads(json.dumps(simulation.to_dict()))
    assert document["horizon"] == 2_000_000_000
    assert set(document["threads"]) == set(ars.threads)
    seen, shown = simulation.threads["n5"].response, document["threads"]["n5"]["response"]
    assert shown.pop("histogram") == [list(entry) for entry in seen.histogram]
    assert shown == {key: getattr(seen, key) for key in shown}
    assert all(type(value) is int for value in shown.values())
    assert sum(count for _, count in seen.histogram) == seen.count
    analysed = simulation.analysis.to_dict()
    assert set(document["chains"]) == set(analysed["chains"])
    assert set(document["queues"]) == set(analysed["queues"])
    for message, bounds in zip(document["messages"], analysed["messages"], strict=True):
        assert message["ddl"]["bound"] == bounds["ddl"] >= message["ddl"]["max"]
        assert message["flow_controller"]["bound"] == bounds["flow_controller"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_with_too_many_events_stops_and_says_so(jobs):
    system = two_threads()
    stopped = ddsrta.simulate(system, horizon="10s", seeds=2, jobs=jobs, events=500)
    assert (stopped.limited, stopped.finished, stopped.interrupted) == (2, 0, False)
    assert 1000 <= stopped.events < 2000
    assert 0 < stopped.simulated < 2 * 10**10
    text = simulation_text(stopped)
    assert text.startswith("STOPPED  ")
    assert "STOPPED at the limit of 500 events in a run: 2 of 2 runs" in text
    again = ddsrta.simulate(system, horizon="10s", seeds=2, events=500)
    assert again.to_dict() == stopped.to_dict()
    whole = ddsrta.simulate(system, horizon="10s", seeds=2)
    assert (whole.limited, whole.finished) == (0, 2)


def test_a_stopped_run_goes_on_with_a_larger_limit(tmp_path):
    kept = str(tmp_path / "kept")
    first = ddsrta.simulate(two_threads(), horizon="10s", events=500, checkpoint=kept)
    assert first.limited == 1
    rest = ddsrta.simulate(two_threads(), checkpoint=kept, resume=True)
    assert rest.to_dict() == ddsrta.simulate(two_threads(), horizon="10s").to_dict()
