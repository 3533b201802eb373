"""Campaigns of the pipeline in a table that grows, and the page of one from its checkpoint alone:
`python -m tests.soundness.pipeline.campaigns CHECKPOINT --summary docs/soundness.md`.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

from tests.soundness.pipeline.counts import Counts, is_above, page
from tests.soundness.summary import table, written

HEAD = [
    "first array", "arrays", "systems", "confirmed", "undecided", "refuted", "runs",
    "bounds compared", "systems above a bound", "other failures", "analysis",
]  # fmt: skip
FIRST, ANALYSIS = 0, len(HEAD) - 1
ALL = "all"


class Campaign(NamedTuple):
    """What was done, of which plan, by which arrays, in how many seconds."""

    plan: dict[str, Any]
    arrays: list[int]
    counts: Counts
    wall: float

    @classmethod
    def read(cls, path: Path) -> Campaign:
        """From a checkpoint, whether or not arrays are left."""
        kept = json.loads(path.read_text(encoding="utf-8"))
        return cls(kept["plan"], kept["done"], Counts(**kept["tally"]), kept["wall"])

    @property
    def page(self) -> str:
        """All that is told of it."""
        return page(self.counts, self.arrays, self.plan["analysis"], self.wall)

    @property
    def row(self) -> list[str]:
        """Its line of the table."""
        c = self.counts
        above = sum(map(is_above, c.failures))
        others = sum(f["kind"] != "refuted" for f in c.failures) - above
        numbers = (
            c.arrays, c.systems, c.confirmed, c.undecided, c.refuted, c.runs,
            sum(c.compared.values()), above, others,
        )  # fmt: skip
        first = str(min(self.arrays, default=0))
        return [first, *(f"{number:,}" for number in numbers), f"`{self.plan['analysis']}`"]


def told(text: str, campaign: Campaign) -> str:
    """A page with this campaign, and its line among those of others."""
    text = written(text, "pairs", campaign.page)
    return written(text, "campaigns of pairs", grown(between(text), campaign.row))


def between(text: str) -> str:
    """The table as it is."""
    _, _, rest = text.partition("<!-- campaigns of pairs -->")
    return rest.partition("<!-- end of campaigns of pairs -->")[0]


def grown(known: str, row: list[str]) -> str:
    """The table with one more campaign, or one that went on; and the sums of all.

    >>> old = grown("", ["1", *["2"] * 9, "`a`"])
    >>> print(grown(old, ["1", *["3"] * 9, "`b`"]).splitlines()[-1])
    | all | 5 | 5 | 5 | 5 | 5 | 5 | 5 | 5 | 5 |  |
    """
    lines = [line.strip(" |").split(" | ") for line in known.strip().splitlines()[2:]]
    rows = [cells for cells in lines if cells[FIRST] != ALL]
    same = [i for i, cells in enumerate(rows) if _key(cells) == _key(row)]
    if same:
        rows[same[0]] = row
    else:
        rows.append(row)
    columns = list(zip(*rows, strict=True))[1:ANALYSIS]
    sums = [f"{sum(int(cell.replace(',', '')) for cell in column):,}" for column in columns]
    return table(HEAD, [*rows, [ALL, *sums, ""]])


def _key(cells: list[str]) -> tuple[str, str]:
    return cells[FIRST], cells[ANALYSIS]


def show(campaign: Campaign, summary: Path | None) -> int:
    """Write it down, or print it. 1 if anything fell so far."""
    if summary:
        text = summary.read_text(encoding="utf-8")
        summary.write_text(told(text, campaign), encoding="utf-8")
    else:
        print(campaign.page)
    return 1 if campaign.counts.failures else 0


def main() -> int:
    """Exit status 1 if anything fell so far."""
    made = argparse.ArgumentParser(description="The page of a campaign, from its checkpoint.")
    made.add_argument("checkpoint", type=Path)
    made.add_argument("--summary", type=Path, metavar="FILE", help="Markdown, between its marks")
    options = made.parse_args()
    return show(Campaign.read(options.checkpoint), options.summary)


if __name__ == "__main__":
    sys.exit(main())
