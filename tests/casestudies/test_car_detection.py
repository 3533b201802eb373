"""Saito et al.'s bound of the time disparity, where it holds and where delays count."""

from __future__ import annotations

import dataclasses

import ddsrta
from casestudies.analyses import FOLDER, analysed
from casestudies.car_detection.seen import disparities, worst
from casestudies.car_detection.tables import EQ_1, MEASURED, disparity


def test_the_bound_is_that_of_the_paper_to_the_digit() -> None:
    assert disparity("system") == EQ_1 == 38_290_000
    assert MEASURED < EQ_1
    assert MEASURED < max(disparities("system")) <= EQ_1
    assert 0.99 * EQ_1 < worst("system")["disparity", "sync"] <= EQ_1


def test_late_scans_exceed_the_bound_of_the_paper_and_not_ours() -> None:
    bound = disparity("late_scans")
    assert bound is not None
    assert EQ_1 < max(disparities("late_scans")) <= bound
    assert 0.95 * bound < worst("late_scans")["disparity", "sync"] <= bound


def test_waits_come_near_their_bounds() -> None:
    waits = analysed("car_detection", "system").synchronizers["sync"].waits
    for topic, bound in waits.items():
        assert bound is not None
        assert 0.5 * bound < worst("system")["wait", topic] <= bound


def test_only_the_lidar_differs() -> None:
    system, late = (
        ddsrta.load(FOLDER / f"car_detection/{n}.yaml") for n in ("system", "late_scans")
    )
    lidar = system.threads["lidar"]
    same = late.replace("threads", "lidar", wcet=lidar.wcet, bcet=lidar.bcet)
    assert dataclasses.replace(same, name="") == dataclasses.replace(system, name="")


def test_what_follows_runs_for_each_set_and_not_for_each_scan() -> None:
    result = analysed("car_detection", "system")
    assert result.synchronizers["sync"].period == 264_300_000
    assert 0.018 < result.cores["car/c2"].utilization - 0.2 / 38.29 < 0.021
