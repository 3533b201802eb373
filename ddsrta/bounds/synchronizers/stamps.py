"""Whose releases are the stamps of messages (definition message-stamps)."""

from __future__ import annotations

from ddsrta.bounds.compiled import Compiled


def sources_of(compiled: Compiled) -> list[int | None]:
    """For each stage the one released by time whose release its units have as their stamp; None
    for all that is not known to keep the order of stamps (lemma overtaking-jobs)."""
    streams = compiled.streams
    found: list[int | None] = []
    for number, stage in enumerate(compiled.stages):
        if stage.overlaps:
            found.append(None)
            continue
        if not stage.inputs:
            found.append(number)
            continue
        before = {found[edge.source] for edge in stage.inputs}
        continues = all(entry is None for entry in streams.of[number].entries)
        found.append(before.pop() if continues and len(before) == 1 else None)
    return found
