"""Why something was above its bound: told from processor time and context switches in the trace."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from ddsrta.bounds.analyze import analyze
from ddsrta.examples import two_threads
from ddsrta.validation.compare import Validation, compare, limits
from ddsrta.validation.late import Verdict
from ddsrta.validation.reading import read_measured
from tests.validation.harness_trace import HarnessTrace

SENSOR, CONTROL, CONTROLLER, LISTENER = range(4)
JOB = 10_000_000


@dataclass
class Late:
    """By how much a stage of job 1 is longer, and whether its thread used its CPU then; how often
    the thread gave it away."""

    sending: int = 0
    waking: int = 0
    used: int = 0
    waits: int = 0


def trace_of(late: Late, other: int = 0) -> HarnessTrace:
    """The system of `two_threads` with its controller on CPU 0 and its listener on CPU 1. `other`:
    how much of the CPU's time another thread of the system uses meanwhile."""
    trace = HarnessTrace(["sensor", "control"], ["speed"], [(0, 0, "async")], [(1, 0)])
    trace.place({2: "F"}, {3: "L"}, {0: 0, 1: 1, 2: 0, 3: 1}, [2], [3])
    used = dict.fromkeys(range(4), 0)
    waits = dict.fromkeys(range(4), 0)

    def see(time: int, kind: str, who: int, job: int, cpu: int, **more: int) -> None:
        used[who] += cpu
        trace.see(time, kind, who, job, cpu=used[who], waits=waits[who], **more)

    for job in range(3):
        at = job * JOB
        longer = late if job == 1 else Late()
        sample = {"topic": 0, "writer": 0, "number": job}
        trace.see(at, "release", SENSOR, job, cpu=used[SENSOR], waits=waits[SENSOR])
        see(at + 5_000, "start", SENSOR, job, 1_000)
        see(at + 900_000, "publish", SENSOR, job, 890_000, **sample)
        see(at + 905_000, "enqueue", SENSOR, job, 5_000, **sample)
        see(at + 950_000, "complete", SENSOR, job, 45_000)
        sent = at + 960_000 + longer.waking
        if job == 1 and other:
            used[SENSOR] += other
        see(sent, "send", CONTROLLER, job, 5_000, **sample)
        waits[CONTROLLER] += longer.waits
        see(sent + 50_000 + longer.sending, "sent", CONTROLLER, job, 50_000 + longer.used, **sample)
        got = sent + 70_000 + longer.sending
        see(got, "receive", LISTENER, job, 5_000, reader=0, **sample)
        see(got + 100_000, "delivered", LISTENER, job, 100_000, reader=0, **sample)
        see(got + 110_000, "start", CONTROL, job, 5_000)
        see(got + 112_000, "take", CONTROL, job, 2_000, **sample)
        see(got + 1_500_000, "complete", CONTROL, job, 1_388_000)
    trace.events.sort(key=lambda event: event[0])
    return trace


def validated(trace: HarnessTrace, folder: Path) -> Validation:
    system = two_threads()
    result = analyze(system)
    paths = {name: chain.path for name, chain in result.chains.items()}
    path = trace.write(folder / "run")
    return compare(system, result, read_measured(str(path), system, paths, limits(system, result)))


def of_the_message(found: Validation) -> Verdict:
    row = next(row for row in found.rows if row.kind == "message")
    assert row.violated and row.seen.above is not None
    assert row.seen.above.count == 1
    (verdict,) = row.seen.above.verdicts
    return verdict


def test_a_run_within_its_bounds_has_nothing_above(tmp_path: Path) -> None:
    found = validated(trace_of(Late()), tmp_path)
    assert found.verdict == "ok"
    assert all(row.seen.above is not None and not row.seen.above.count for row in found.rows)


def with_evidence(trace: HarnessTrace, *records: tuple[int, int, int]) -> HarnessTrace:
    """CPU, begin and end of what else ran."""
    trace.head.append("# evidence: sched_switch")
    trace.head += [
        f"# outside {cpu} {begin} {end} thread backup job" for cpu, begin, end in records
    ]
    return trace


@pytest.mark.parametrize("stage", ["waking", "sending"])
def test_that_nobody_of_the_system_used_a_cpu_excuses_nothing(stage: str, tmp_path: Path) -> None:
    found = validated(trace_of(Late(**{stage: 3_100_000})), tmp_path)
    verdict = of_the_message(found)
    assert verdict.cause == "unexplained"
    assert verdict.found.cpu == 0
    # The sensor is done and the controller uses 55 us: all else of its time is a gap.
    assert 3_100_000 <= verdict.found.gap <= 3_150_000
    assert "no record of who did" in verdict.text
    assert found.verdict == "violation"


STOP = JOB + 955_000, JOB + 4_055_000  # before the controller sends the message of job 1


def test_a_record_of_others_on_the_path_for_as_long_is_evidence(tmp_path: Path) -> None:
    trace = with_evidence(trace_of(Late(waking=3_100_000)), (0, *STOP))
    found = validated(trace, tmp_path)
    verdict = of_the_message(found)
    assert verdict.cause == "machine"
    assert verdict.found.outside == 3_100_000
    assert "thread backup job" in verdict.text
    assert found.verdict == "disturbed"
    assert any("sched_switch" in note for note in found.notes)


@pytest.mark.parametrize(
    "records",
    [
        [(2, *STOP)],  # another CPU
        [(0, STOP[0], STOP[0] + 500_000)],  # less than the excess
        [(0, JOB - 4_000_000, JOB)],  # before
        [(0, 5_000_000, 5_100_000), (1, STOP[0], STOP[0] + 3_000_000)],  # nothing to do there
    ],
)
def test_other_records_are_no_evidence(records: list[tuple[int, int, int]], tmp_path: Path) -> None:
    found = validated(with_evidence(trace_of(Late(waking=3_100_000)), *records), tmp_path)
    assert of_the_message(found).cause == "unexplained"
    assert found.verdict == "violation"


def test_two_records_of_one_time_count_once(tmp_path: Path) -> None:
    half = STOP[0], STOP[0] + 1_000_000
    trace = with_evidence(trace_of(Late(waking=3_100_000)), (0, *half), (0, *half))
    assert of_the_message(validated(trace, tmp_path)).found.outside == 1_000_000


def test_who_runs_while_a_thread_waits_for_a_lock_is_not_why(tmp_path: Path) -> None:
    late = Late(sending=3_100_000, waits=1)
    trace = with_evidence(trace_of(late), (0, JOB + 970_000, JOB + 4_000_000))
    assert of_the_message(validated(trace, tmp_path)).cause == "middleware"


def test_what_another_thread_of_the_system_used_is_no_gap(tmp_path: Path) -> None:
    found = validated(trace_of(Late(waking=3_100_000), other=3_100_000), tmp_path)
    assert of_the_message(found).cause == "unexplained"
    assert found.verdict == "violation"


def test_a_thread_that_gave_its_cpu_away_waited(tmp_path: Path) -> None:
    found = validated(trace_of(Late(sending=3_100_000, waits=1)), tmp_path)
    verdict = of_the_message(found)
    assert verdict.cause == "middleware"
    assert "waited for 3.1 ms" in verdict.text
    assert found.verdict == "violation"


def test_a_sample_that_took_longer_than_its_delay(tmp_path: Path) -> None:
    found = validated(trace_of(Late(sending=3_100_000, used=3_100_000)), tmp_path)
    verdict = of_the_message(found)
    assert verdict.cause == "overrun"
    assert verdict.found.who == "F"
    assert found.verdict == "violation"


def test_one_that_the_machine_did_not_cause_is_enough_for_a_violation(tmp_path: Path) -> None:
    trace = with_evidence(trace_of(Late(waking=3_100_000)), (0, *STOP))
    late = trace_of(Late(waking=3_100_000), other=3_100_000)
    shift = 3 * JOB
    for time, _, line in late.events:
        words = line.split(",")
        words[0] = str(time + shift)
        words[1] = str(int(words[1]) + 100_000_000)
        words[4] = str(int(words[4]) + 3)
        if words[6]:
            words[7] = str(int(words[7]) + 3)
        trace.events.append((time + shift, len(trace.events), ",".join(words)))
    found = validated(trace, tmp_path)
    row = next(row for row in found.rows if row.kind == "message")
    assert row.seen.above is not None
    assert row.seen.above.causes == {"unexplained": 1, "machine": 1}
    assert found.verdict == "violation"


def test_a_trace_without_places_says_nothing_of_causes(tmp_path: Path) -> None:
    trace = trace_of(Late(waking=3_100_000))
    trace.names = [name for name in trace.names if not name.startswith("# place")]
    found = validated(trace, tmp_path)
    row = next(row for row in found.rows if row.kind == "message")
    assert row.seen.above is not None
    assert (row.seen.above.count, row.seen.above.verdicts) == (1, [])
    assert found.verdict == "violation"
