"""The sixteen configurations, made of the one that is written out: X-Y, how each application sends.

`python -m casestudies.ros2_testbed.variants HP-S` prints one as a system.yaml.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from casestudies.sending import WAYS, renamed, sent

BASE = "F-F"
CONFIGURATIONS = tuple(f"{first}-{second}" for first in WAYS for second in WAYS)
VARIANTS = tuple(name for name in CONFIGURATIONS if name != BASE)


def text(name: str) -> str:
    """A configuration as a file."""
    first, second = name.split("-")
    base = (Path(__file__).parent / f"{BASE}.yaml").read_text(encoding="utf-8")
    return renamed(sent(sent(base, "F2", first), "F5", second), f"ROS 2 testbed, {name}")


def as_threads(text: str) -> str:
    """The same with threads for the callbacks, each alone in its executor: for the published
    profile, which knows nothing else."""
    places = dict(re.findall(r"^  (Ex\d): \{(core: .*?, priority: \d+),.*\n", text, re.MULTILINE))
    text = re.sub(r"^executors:\n(?:  Ex.*\n)+callbacks:", "threads:", text, flags=re.MULTILINE)
    for executor, place in places.items():
        core, priority = place.split(", ")
        text = text.replace(f"executor: {executor}", f"{core}\n    {priority}")
    return text.replace("timer: ", "period: ")


if __name__ == "__main__":
    print(text(sys.argv[1]), end="")
