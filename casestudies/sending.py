"""One system file, its flow controllers with other policies, or with none: variants of a study."""

from __future__ import annotations

import re

POLICIES = {"F": "FIFO", "HP": "HIGH_PRIORITY", "RR": "ROUND_ROBIN"}
SYNC = "S"
WAYS = (*POLICIES, SYNC)


def sent(text: str, controller: str, way: str) -> str:
    """The text of a system in which what `controller` sent is sent in one of the WAYS.

    Synchronous: by the callbacks themselves, and the controller is left out.

    >>> text = "flow_controllers:\\n  F2: {core: m/c, policy: FIFO}\\ntopics: {}\\n"
    >>> print(sent(text, "F2", "RR"), end="")
    flow_controllers:
      F2: {core: m/c, policy: ROUND_ROBIN}
    topics: {}
    >>> sent(text, "F2", "S")
    'topics: {}\\n'
    """
    line = re.compile(rf"^  {controller}: .*\n", re.MULTILINE)
    if way != SYNC:
        return line.sub(lambda found: found[0].replace("FIFO", POLICIES[way]), text)
    text = line.sub("", text).replace(f"mode: async, flow_controller: {controller}", "mode: sync")
    return re.sub(r"^flow_controllers:\n(?=\S)", "", text, flags=re.MULTILINE)


def renamed(text: str, name: str) -> str:
    """The same under another name, without the comments on top."""
    return re.sub(
        r"^name: .*$", f"name: {name}", text[text.index("ddsrta: 1") :], flags=re.MULTILINE
    )
