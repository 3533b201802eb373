"""Which stages come only after the completion of others, as ranges of a numbering (theory 12)."""

from __future__ import annotations

from ddsrta.analysis.stages import Stage

Range = tuple[int, int]


def completions(stages: list[Stage]) -> list[Range]:
    """A range of numbers for each stage: a stage whose range begins strictly within another's comes
    only after that one has completed, for the same event.

    Stages come in an order in which causes precede effects.
    """
    children: list[list[int]] = [[] for _ in stages]
    tops: list[int] = []
    for number, parent in enumerate(_parents(stages)):
        (tops if parent is None else children[parent]).append(number)
    begin = [0] * len(stages)
    end = [0] * len(stages)
    count = 0
    path = [(top, False) for top in reversed(tops)]
    while path:
        stage, done = path.pop()
        if done:
            end[stage] = count
            continue
        begin[stage] = count
        count += 1
        path.append((stage, True))
        path.extend((child, False) for child in children[stage])
    return list(zip(begin, end, strict=True))


def _parents(stages: list[Stage]) -> list[int | None]:
    """The last stage that must have completed before a stage is released."""
    parents: list[int | None] = []
    for stage in stages:
        if len(stage.inputs) != 1:
            parents.append(None)
            continue
        source = stage.inputs[0].source
        at_end = releases_at_end(stages, source, len(parents))
        parents.append(source if at_end else parents[source])
    return parents


def releases_at_end(stages: list[Stage], source: int, target: int) -> bool:
    """Whether a stage releases another only by completing: a job those that follow it, a message
    and a sample of one copy everything."""
    kind = stages[source].key[0]
    if kind == "job":
        edges = (edge for edge in stages[target].inputs if edge.source == source)
        return stages[target].key[0] == "job" and not any(edge.within for edge in edges)
    return kind == "message" or stages[source].copies == 1
