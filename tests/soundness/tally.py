"""What a campaign has seen so far, in a form that adds up and can be kept in a JSON file."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from math import exp, log

RESOLUTION = 100  # buckets of bound / worst run, for each factor e
SLOWEST = 5
SUMS = (
    "systems", "runs", "messages", "events", "compared", "unseen", "unbounded", "capped", "cut",
)  # fmt: skip


@dataclass
class Tally:
    """Sums over systems."""

    systems: int = 0
    runs: int = 0
    messages: int = 0
    events: int = 0
    compared: int = 0  # bounds that a run came to
    unseen: int = 0  # bounds of what never happened in any run
    unbounded: int = 0  # measures that the analysis calls unbounded
    capped: int = 0  # systems whose runs took too much for all to be made
    cut: int = 0  # systems with more paths than were looked at
    violations: list[dict] = field(default_factory=list)
    ratios: dict[str, dict[str, int]] = field(default_factory=dict)  # kind: bucket: bounds
    slowest: list[list[float]] = field(default_factory=list)  # seconds, seed
    seconds: float = 0.0  # of processor time

    def ratio(self, kind: str, bound: int, seen: int) -> None:
        """Note a bound and the worst that was seen."""
        if seen > 0 and bound > 0:  # else there is no ratio, but a violation
            counts = self.ratios.setdefault(kind, {})
            bucket = str(bucket_of(bound / seen))
            counts[bucket] = counts.get(bucket, 0) + 1

    def add(self, other: Tally) -> None:
        """Both together."""
        for name in SUMS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.seconds += other.seconds
        self.violations += other.violations
        self.slowest = sorted([*self.slowest, *other.slowest], reverse=True)[:SLOWEST]
        for kind, counts in other.ratios.items():
            mine = self.ratios.setdefault(kind, {})
            for bucket, count in counts.items():
                mine[bucket] = mine.get(bucket, 0) + count

    def to_dict(self) -> dict:
        """What goes into the file."""
        return asdict(self)


def bucket_of(ratio: float) -> int:
    """Ratios are kept to a hundredth of themselves; 0 is what was reached exactly.

    >>> [bucket_of(ratio) for ratio in (1.0, 1.0001, 1.01, 2.0)]
    [0, 1, 1, 69]
    """
    return max(int(ratio > 1), int(RESOLUTION * log(ratio)))


def quantile(counts: dict[str, int], part: float) -> float:
    """The ratio that this part of all bounds does not exceed, rounded up by a hundredth at most.

    >>> [round(quantile({"0": 5, "69": 4, "160": 1}, part), 2) for part in (0.5, 0.9, 1)]
    [1.0, 2.01, 5.0]
    """
    left = part * sum(counts.values())
    for bucket in sorted(map(int, counts)):
        left -= counts[str(bucket)]
        if left <= 1e-9:
            return exp((bucket + 1) / RESOLUTION) if bucket else 1.0
    return float("nan")


def reached(counts: dict[str, int]) -> float:
    """The part of the bounds that a run came up to."""
    return counts.get("0", 0) / max(1, sum(counts.values()))
