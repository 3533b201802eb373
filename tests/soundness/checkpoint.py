"""The state of a campaign in a file, so that a killed one goes on where it was."""

from __future__ import annotations

import json
from pathlib import Path

from ddsrta.base.files import atomic_write
from tests.soundness.tally import Tally


class Checkpoint:
    """Which batches are done, and what they have seen. Without a path nothing is kept."""

    def __init__(self, path: Path | None, plan: dict, kind: type = Tally) -> None:
        self.path = path
        self.plan = plan
        self.done: set[int] = set()
        self.kind = kind
        self.tally = kind()
        self.wall = 0.0  # seconds spent by earlier processes
        if path is not None and path.exists():
            self._read(path)
        elif path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)  # before hours of work, not after

    def _read(self, path: Path) -> None:
        kept = json.loads(path.read_text(encoding="utf-8"))
        if kept["plan"] != self.plan:
            changed = [key for key in self.plan if kept["plan"].get(key) != self.plan[key]]
            raise SystemExit(
                f"{path} is of another campaign ({', '.join(changed)} differ): "
                "remove it, or give another --checkpoint"
            )
        self.done = set(kept["done"])
        self.tally = self.kind(**kept["tally"])
        self.wall = kept["wall"]

    def add(self, number: int, tally: Tally, wall: float) -> None:
        """A batch is done; the file is the old one or the new one, never half of it."""
        self.tally.add(tally)
        self.done.add(number)
        if self.path is None:
            return
        kept = {
            "plan": self.plan,
            "done": sorted(self.done),
            "wall": wall,
            "tally": self.tally.to_dict(),
        }
        atomic_write(self.path, json.dumps(kept))
