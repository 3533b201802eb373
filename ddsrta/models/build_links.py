"""Links out of what the shapes have read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ddsrta.base.diagnostics import Diagnostic
from ddsrta.base.shapes import Context
from ddsrta.base.units import parse_size
from ddsrta.models.arrivals import Periodic
from ddsrta.models.media import Frame, Medium
from ddsrta.policies.links import KEYS, LINKS
from ddsrta.policies.links.kind import LinkKind, Settings


def media(raw: Mapping[str, Any], context: Context) -> dict[str, Medium]:
    """All links that are shared."""
    return {name: _medium(name, value, context) for name, value in raw.items()}


def _medium(name: str, raw: dict[str, Any], context: Context) -> Medium:
    kind = LINKS[raw["kind"]]
    for key in KEYS:
        if key in raw and key not in kind.keys:
            context.report_at(f"'{key}' is not for links of kind {kind.name}", "links", name, key)
    frames = {
        frame: _frame(name, frame, value, kind, context)
        for frame, value in raw.get("frames", {}).items()
    }
    return Medium(name, kind.name, _settings(raw, kind), frames)


def _settings(raw: dict[str, Any], kind: LinkKind) -> Settings:
    found: dict[str, int | str | bool] = {"rate": raw["rate"]}
    for name, key in kind.keys.items():
        if name in raw:
            found[name] = raw[name]
        elif key.default is not None:
            found[name] = _default(key.default)
    return kind.filled(found)


def _default(text: str | int) -> int | str | bool:
    """What a default says."""
    if isinstance(text, int) or text in ("true", "false"):
        return text if isinstance(text, int) else text == "true"
    return parse_size(text) if text[0].isdigit() else text


def _frame(link: str, name: str, raw: dict[str, Any], kind: LinkKind, context: Context) -> Frame:
    path = ("links", link, "frames", name)
    for key in raw.keys() & {other.priority for other in LINKS.values()} - {kind.priority}:
        context.report_at(f"'{key}' is not for links of kind {kind.name}", *path, key)
    priority = raw.get(kind.priority, kind.priority_key.default)
    if priority is None:
        context.report_at(f"'{kind.priority}' is missing", *path, advice=kind.priority_key.meaning)
    try:
        arrival = Periodic(raw["period"], raw.get("jitter", 0), raw.get("min_distance", 0))
    except ValueError as error:
        context.add(Diagnostic(context.tree.find(path), str(error)))
        arrival = Periodic(raw["period"])
    return Frame(name, raw["size"], int(priority or 0), arrival)
