"""Small federations as text: federates with one reaction each, on one host unless said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ddsrta.lf.program.federation import Federation
from ddsrta.lf.program.reader import loads

MS = 1_000_000
US = 1_000


def text(
    wcets: Mapping[str, str],
    connections: Sequence[tuple[str, str] | tuple[str, str, str]],
    *,
    delay: str = "0 ms",
    sources: Sequence[str] = (),
    more: Mapping[str, str] | None = None,
    chains: str = "",
) -> str:
    """Federates with an output `out` and an input `from_X` for each sender X.

    `sources` tick each 100 ms (whoever has no input, too); `more` are lines of a federate.
    """
    inputs: dict[str, list[str]] = {name: [] for name in wcets}
    for source, target, *_ in connections:
        inputs[target].append(f"from_{source}")
    lines = [
        "federation: 1",
        "coordination: decentralized",
        "hosts: {h: }",
        f"network: [{{from: h, to: h, delay: {delay}}}]",
        "federates:",
    ]
    for name, wcet in wcets.items():
        ticks = ["tick"] if name in sources or not inputs[name] else []
        triggers = ", ".join([*ticks, *inputs[name]])
        lines += [
            f"  {name}:",
            "    host: h",
            f"    inputs: [{', '.join(inputs[name])}]",
            "    outputs: [out]",
            "    timers: {tick: {period: 100ms}}" if ticks else "    timers: {}",
            f"    reactions: {{r: {{triggers: [{triggers}], effects: [out], wcet: {wcet}}}}}",
        ]
        if more and name in more:
            lines.append(f"    {more[name]}")
    lines.append("connections:" if connections else "connections: []")
    for source, target, *rest in connections:
        extra = f", {rest[0]}" if rest else ""
        lines.append(f"  - {{from: {source}.out, to: {target}.from_{source}{extra}}}")
    return "\n".join(lines) + "\n" + chains


def small(*args: object, **kwargs: object) -> Federation:
    """The federation of such a text."""
    return loads(text(*args, **kwargs), "f.yaml")  # type: ignore[arg-type]
