"""What the pipeline has done so far, in a form that adds up, and as a page of Markdown."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from statistics import median

from tests.soundness.pipeline.registry import DIMENSIONS, excluded, pairs
from tests.soundness.summary import machine, table

NEAR = 0.5  # of what a supply can do
SUMS = (
    "arrays", "systems", "confirmed", "undecided", "refuted", "runs", "events", "messages",
    "whole", "unbounded", "refused", "differing", "looser", "related", "twice",
)  # fmt: skip


@dataclass
class Counts:
    """Sums over systems; `pairs` is what each array reached at least."""

    arrays: int = 0
    systems: int = 0
    pairs: int = 0
    confirmed: int = 0  # certificates
    undecided: int = 0
    refuted: int = 0
    runs: int = 0
    events: int = 0
    messages: int = 0
    whole: int = 0  # systems with a bound for each job and each message
    related: int = 0  # systems beside their relatives
    twice: int = 0  # systems that both engines ran
    unbounded: int = 0  # claims; a chain claims the figure that is asked for
    differing: int = 0  # relatives in other words with other bounds
    looser: int = 0  # relatives that are harder, with lower bounds that hold
    refused: int = 0  # systems that could not be read
    compared: dict[str, int] = field(default_factory=dict)  # claims that a run came to
    loads: dict[str, int] = field(
        default_factory=dict
    )  # of the busiest supply, where all is bounded
    failures: list[dict] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, other: Counts) -> None:
        """Both together."""
        if other.pairs:
            self.pairs = min(self.pairs or other.pairs, other.pairs)
        for name in SUMS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.compared = dict(Counter(self.compared) + Counter(other.compared))
        self.loads = dict(Counter(self.loads) + Counter(other.loads))
        self.failures += other.failures
        self.seconds += other.seconds

    def to_dict(self) -> dict:
        """What goes into a file."""
        return asdict(self)


def _told(loads: dict[str, int]) -> str:
    """The median, and how many are near saturation."""
    all_of_them = sorted(Counter({float(load): n for load, n in loads.items()}).elements())
    if not all_of_them:
        return "none"
    near = sum(load >= NEAR for load in all_of_them) / len(all_of_them)
    return f"median {median(all_of_them):.0%}, {near:.0%} of them have {NEAR:.0%} and more"


def is_above(failure: dict) -> bool:
    """Whether a run was above a bound."""
    return str(failure["kind"]).startswith("above")


def page(counts: Counts, arrays: list[int], analysis: str, wall: float) -> str:
    """What was done by these arrays, and what fell."""
    allowed = len(list(pairs())) - len(excluded())
    above = sum(map(is_above, counts.failures))
    share = counts.whole / max(1, counts.systems)
    kinds = ", ".join(f"{kind} {n:,}" for kind, n in sorted(counts.compared.items()))
    rows = [
        ["dimensions, features", f"{len(DIMENSIONS)}, {sum(map(len, DIMENSIONS.values()))}"],
        ["pairs that there are, covered by each array", f"{allowed:,}, {counts.pairs:,}"],
        ["pairs that are excluded with a reason", f"{len(excluded()):,}"],
        ["covering arrays", f"{counts.arrays:,}, from {min(arrays, default=0)} on"],
        ["systems", f"{counts.systems:,}"],
        ["with a bound for each job and each message", f"{counts.whole:,} ({share:.0%})"],
        ["load of their busiest core or reservation", _told(counts.loads)],
        ["run by both engines", f"{counts.twice:,}"],
        ["compared with relatives", f"{counts.related:,}"],
        *([["systems refused", f"{counts.refused:,}"]] if counts.refused else []),
        ["certificates confirmed", f"{counts.confirmed:,}"],
        ["certificates undecided", f"{counts.undecided:,}"],
        ["**certificates refuted**", f"**{counts.refuted:,}**"],
        ["runs of the attack", f"{counts.runs:,}"],
        ["messages delivered", f"{counts.messages:,}"],
        ["events", f"{counts.events:,}"],
        ["bounds compared", f"{sum(counts.compared.values()):,}"],
        ["claims without a bound", f"{counts.unbounded:,}"],
        ["**systems with a run above a bound**", f"**{above:,}**"],
        ["renamed or reordered, with other bounds, not refuted either", f"{counts.differing:,}"],
        ["harder, with a lower bound, not refuted either", f"{counts.looser:,}"],
        ["**other relations that do not hold**", f"**{len(counts.failures) - above:,}**"],
        ["processor time", f"{counts.seconds / 60:.1f} min, {wall / 60:.1f} min of wall time"],
        ["analysis", f"`{analysis}` (digest of analysis and kernel)"],
        ["machine", machine()],
    ]
    told = [table(["pairs", ""], rows), f"Bounds compared: {kinds}."]
    if counts.failures:
        fallen = [
            [f["seed"], f["kind"], f["what"][:120].replace("|", "/")] for f in counts.failures
        ]
        told.append(table(["system", "what", "how"], fallen[:50]))
    return "\n\n".join(told) + "\n"
