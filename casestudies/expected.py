"""Pins the results of the case studies: `python -m casestudies.expected` writes `expected/*.json`.

Only what a user reads is pinned: response times, delivery latencies and chain figures.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from casestudies.analyses import DEFAULT, analysed, profiles, systems

_MESSAGE = ("publisher", "topic", "subscriber", "mode", "ddl")
_CHAIN = ("latency", "trigger_latency", "data_age", "reaction_time")


def pinned(result: dict[str, Any]) -> dict[str, Any]:
    """The stable part of what `ddsrta analyze --format json` prints."""
    sets = result["synchronizers"]
    jobs = {
        kind: {name: {"wcrt": job["wcrt"]} for name, job in result[kind].items()}
        for kind in ("threads", "callbacks")
        if kind == "threads" or result[kind]
    }
    return {
        "system": result["system"],
        "profile": result["profile"],
        **jobs,
        "messages": [{key: message[key] for key in _MESSAGE} for message in result["messages"]],
        "chains": {
            name: {key: chain[key] for key in _CHAIN} for name, chain in result["chains"].items()
        },
        **({"synchronizers": sets} if sets else {}),
    }


def expected_file(system: Path, profile: str) -> Path:
    """Where the result of a system is pinned: NAME.json, and NAME.published.json."""
    suffix = "" if profile == DEFAULT else f".{profile}"
    return system.parent / "expected" / f"{system.stem}{suffix}.json"


def text_of(system: Path, profile: str) -> str:
    """What the file should hold."""
    result = analysed(system.parent.name, system.stem, profile).to_dict()
    return json.dumps(pinned(result), indent=1, ensure_ascii=False) + "\n"


def main() -> int:
    """Write every file anew."""
    for system in systems():
        for profile in profiles(system.parent.name):
            file = expected_file(system, profile)
            file.parent.mkdir(exist_ok=True)
            file.write_text(text_of(system, profile), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
