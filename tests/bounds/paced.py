"""What comes at a pace: the events of two threads in an executor, which has none, and claims of it
(lemmas bursts-once and token-buckets)."""

from __future__ import annotations

from typing import Any

from ddsrta.checker import check

EITHER = """
ddsrta: 1
machines: {m: {cores: [a, b, c]}}
executors: {E: {core: m/c, priority: 5, kind: single_threaded}}
threads:
  left: {core: m/a, priority: 1, wcet: 1ms, period: 10ms}
  right: {core: m/b, priority: 1, wcet: 1ms, period: 10ms}
callbacks: {either: {executor: E, wcet: 3ms, follows: {threads: [left, right]}}}
"""


def paced(certificate: dict[str, Any]) -> list[dict[str, Any]]:
    """The stages that are claimed to follow a pace; a nanosecond less of them is refuted."""
    found = [stage for stage in certificate["stages"] if "paced" in stage]
    assert check(certificate).ok
    for stage in found:
        for claim in ("paced", "latency"):
            stage[claim] -= 1
            assert check(certificate).status == "refuted"
            stage[claim] += 1
    return found
