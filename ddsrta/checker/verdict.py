"""What a check comes to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ddsrta.checker.outcome import Outcome

Status = Literal["confirmed", "refuted", "undecided"]


@dataclass(frozen=True)
class Verdict:
    """Whether all inequalities hold, and what they rest on; how many were confirmed, and the first
    that does not hold, or cannot be decided within the limits of work. What holds may still miss
    deadlines, or bound nothing: see the outcome."""

    status: Status
    confirmed: int
    failure: str | None = None
    assuming: tuple[str, ...] = ()
    outcome: Outcome = field(default_factory=Outcome)
    work: int = 0  # units of the limit that were spent
    certificate: str = ""  # its digest, where that was found
    claims: str | None = None  # what is claimed, in words, where the outcome is no system's

    @property
    def ok(self) -> bool:
        """Whether it is confirmed."""
        return self.status == "confirmed"
