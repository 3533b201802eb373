"""The test vectors of the Rust crate response-time-analysis.

Time is discrete there as here (ε = 1), so figures agree to the digit with a unit of 1 ns.

Covered by mapping: preemptive fixed priority; fully non-preemptive fixed priority and the callbacks
of a ROS 2 executor (ECRTS 2019) as samples of a HIGH_PRIORITY flow controller; FIFO as a FIFO flow
controller; the periodic resource; arrival curves. Not covered, since the model has no such thing:
EDF, limited preemption and floating non-preemptive sections of threads (a thread can be preempted
everywhere; of Audsley's table the rows without blocking remain). Reservations with a deadline below
their period, cost curves and the analyses of RTSS 2021, which assume response times, are covered in
tests/papers/ros2.
"""

from __future__ import annotations

from typing import Any

import pytest

from ddsrta.models.arrivals import Arrival, Periodic, Sporadic, superadditive
from ddsrta.models.system import Reservation

from .shared_data import known_answers
from .small_systems import periodic, preemptive_responses, served_responses

ANSWERS = known_answers("response_time_analysis_rs.json")
THREE_OF_FIVE = Reservation(3, 5)


def entry(prefix: str) -> Any:
    """The entry of that name; some keys carry a remark behind it."""
    return next(value for key, value in ANSWERS.items() if key.startswith(prefix))


def arrivals_in(arrival: Arrival, window: int) -> int:
    """η(Δ), the largest q with δ⁻(q) < Δ."""
    count = 0
    while arrival.least_distance(count + 1) < window:
        count += 1
    return count


@pytest.mark.parametrize("vector", entry("fp_preemptive"), ids=lambda vector: vector["name"])
def test_preemptive_fixed_priority(vector: dict[str, Any]) -> None:
    table = vector.get("CTR") or vector.get("CT") or vector["CT_highest_last"][::-1]
    expected = vector["R"] if "R" in vector else [row[2] for row in table]
    if "CT_highest_last" in vector:
        expected = expected[::-1]
    assert preemptive_responses(periodic(table)) == expected


@pytest.mark.parametrize("index", range(len(entry("fp_fully_nonpreemptive"))))
def test_nonpreemptive_fixed_priority(index: int) -> None:
    vector = entry("fp_fully_nonpreemptive")[index]
    assert served_responses("HIGH_PRIORITY", periodic(vector["CT"])) == vector["R"]


@pytest.mark.parametrize("index", range(len(entry("fifo_uniproc"))))
def test_fifo(index: int) -> None:
    vector = entry("fifo_uniproc")[index]
    expected = [vector["R"]] * len(vector["CT"])
    assert served_responses("FIFO", periodic(vector["CT"])) == expected


def test_rows_without_blocking_of_audsley_1993_table_3() -> None:
    """Interference comes from all rows above, with their jitter; blocking is a row's own."""
    vectors = entry("fp_floating_nonpreemptive")
    table = next(v for v in vectors if v.get("name") == "Audsley 1993 Table 3")
    rows = table["C_T_blocking_jitter_R"]
    found = preemptive_responses([(row[0], Periodic(row[1], jitter=row[3])) for row in rows])
    free = [index for index, row in enumerate(rows) if row[2] == 0]
    assert len(free) == 4
    assert [found[index] for index in free] == [rows[index][4] for index in free]


def test_periodic_resource() -> None:
    times = next(v for k, v in entry("supply_periodic").items() if k.startswith("service_time"))
    found = [
        preemptive_responses([(work, Periodic(1000))], THREE_OF_FIVE)[0]
        for work in range(1, len(times))
    ]
    assert found == times[1:]


def test_event_source_of_a_ros2_executor() -> None:
    """One callback in a reservation: ECRTS 2019, lemma for event sources."""
    expected = next(v["R"] for v in entry("ros2_ecrts19") if v["name"] == "event_source")
    assert preemptive_responses([(2, Sporadic(5, jitter=2))], THREE_OF_FIVE) == [expected]


@pytest.mark.parametrize(
    ("name", "figure", "interference", "lower"),
    [
        ("timer_periodic", "blocking 0 -> R", Periodic(20), None),
        ("timer_periodic", "blocking 4 -> R", Periodic(20), 4),
        ("timer_sporadic", "R", Sporadic(20, jitter=10), None),
        ("polling_point_callback", "R", Periodic(20), None),
    ],
)
def test_callback_of_a_ros2_executor(
    name: str, figure: str, interference: Arrival, lower: int | None
) -> None:
    """Callbacks do not preempt each other; a less urgent one of cost 4 blocks for 4: the budget may
    end just when it begins."""
    expected = next(v[figure] for v in entry("ros2_ecrts19") if v["name"] == name)
    tasks: list[tuple[int, Arrival]] = [(1, Periodic(10)), (3, interference), (1, Periodic(10))]
    if lower is not None:
        tasks.append((lower, Periodic(1000)))
    assert served_responses("HIGH_PRIORITY", tasks, THREE_OF_FIVE)[2] == expected


@pytest.mark.parametrize(
    ("figures", "arrival", "windows"),
    [
        ("periodic T=10", Periodic(10), (0, 1, 8, 10, 11, 100, 101, 105)),
        ("sporadic T=10 J=3", Sporadic(10, 3), (0, 1, 8, 10, 11, 100, 107, 108, 1108)),
        ("sporadic T=10 J=16", Sporadic(10, 16), (0, 1, 4, 5)),
    ],
)
def test_arrival_curves(figures: str, arrival: Arrival, windows: tuple[int, ...]) -> None:
    expected = next(v for k, v in entry("arrival").items() if k.startswith(figures))
    assert [arrivals_in(arrival, window) for window in windows] == expected


@pytest.mark.parametrize("jitter", [3, 16])
def test_windows_in_which_one_more_arrives(jitter: int) -> None:
    steps = entry("arrival")[f"steps T=10 J={jitter}"]
    sporadic = Sporadic(10, jitter)
    found = [
        w
        for w in range(1, steps[-1] + 1)
        if arrivals_in(sporadic, w) > arrivals_in(sporadic, w - 1)
    ]
    assert found == steps


def test_least_distances_of_a_period() -> None:
    """The crate counts δ⁻ from 0 events."""
    expected = entry("arrival")["dmin T=10 n=0..5"]
    assert [Periodic(10).least_distance(count) for count in range(6)] == expected


def test_curve_is_never_denser_than_what_it_was_given() -> None:
    """The crate extrapolates a prefix by the best split of all; `superadditive` repeats the whole
    prefix, so its distances beyond are valid and at most as large: 22 instead of 27 for 8 events.
    """
    figures = next(v for k, v in entry("arrival").items() if k.startswith("curve from dmin"))
    curve = superadditive((0, 1, 2, 12, 15, 18, 21))
    found = [curve.least_distance(count) for count in range(len(figures))]
    assert found[:8] == figures[:8]
    assert all(ours <= crate for ours, crate in zip(found, figures, strict=True))
    assert (found[8], figures[8]) == (22, 27)
