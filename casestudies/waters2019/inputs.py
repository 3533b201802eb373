"""Where the execution times of the WATERS 2019 systems come from: ticks, clocks and the split α.

The ticks are single figures of the challenge's model (upper bounds of its runnables, summed over
the runnables of a task); the model's clocks were not found with it, so they are an assumption.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil

CPU_HZ = 2_000_000_000  # A57 and Denver
GPU_HZ = 1_500_000_000
ALPHA = Fraction(95, 100)  # share of the publishing half (base paper, 6.3)


@dataclass(frozen=True)
class Task:
    """A task of the challenge: its period, and its most ticks on the units it is allocated to."""

    name: str
    model_name: str
    period_ms: int
    unit: str
    cpu_ticks: int
    gpu_ticks: int = 0
    halves: tuple[str, ...] = ("P",)

    @property
    def wcet(self) -> Fraction:
        """Nanoseconds on both units together, exactly."""
        return Fraction(self.cpu_ticks * 10**9, CPU_HZ) + Fraction(self.gpu_ticks * 10**9, GPU_HZ)

    def thread_wcets(self) -> dict[str, int]:
        """The threads made of the task, and their execution times rounded up to nanoseconds."""
        if self.halves == ("P", "S"):
            shares = {"P": ALPHA, "S": 1 - ALPHA}
        else:
            shares = {self.halves[0]: Fraction(1)}
        return {f"{half}_{self.name}": ceil(self.wcet * share) for half, share in shares.items()}


_BOTH = ("P", "S")
TASKS = (
    Task("CAN", "CANbus_polling", 10, "A57", 1_199_360),
    Task("EKF", "EKF", 15, "A57", 9_519_340, halves=_BOTH),
    Task("PLAN", "Planner", 15, "A57", 26_483_822, halves=_BOTH),
    Task("LIDAR", "Lidar_Grabber", 33, "Denver", 21_736_000),
    Task("SFM", "PRE_SFM_gpu_POST, SFM", 33, "Denver", 13_419_658, 11_850_000),
    Task("LANE", "PRE_Lane_detection_gpu_POST, Lane_detection", 66, "A57", 16_465_601, 41_000_000),
    Task("DET", "PRE_Detection_gpu_POST, Detection", 200, "A57", 9_424_120, 174_000_000),
    Task(
        "LOC",
        "PRE_Localization_gpu_POST, Localization",
        400,
        "Denver",
        29_031_482,
        186_000_000,
        _BOTH,
    ),
    Task("DASM", "DASM", 5, "A57", 3_719_990, halves=("S",)),
)
