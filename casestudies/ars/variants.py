"""The other three scenarios: HIGH_PRIORITY, ROUND_ROBIN, and synchronous sending.

`python -m casestudies.ars.variants HP` prints one as a system.yaml.
"""

from __future__ import annotations

import sys
from pathlib import Path

from casestudies.sending import WAYS, renamed, sent

BASE = "F"
SCENARIOS = WAYS
VARIANTS = tuple(name for name in SCENARIOS if name != BASE)


def text(name: str) -> str:
    """A scenario as a file."""
    base = (Path(__file__).parent / f"{BASE}.yaml").read_text(encoding="utf-8")
    return renamed(sent(base, "F", name), f"Autoware reference system, {name}")


if __name__ == "__main__":
    print(text(sys.argv[1]), end="")
