"""Reads OpenTelemetry spans of `xronos` programs: JSON lines, as the collector's file exporter
writes them.

A span is one execution of a reaction; the tag and its lag are attributes. Such programs are single
processes: there are no hops. Spans that the program had to drop leave no mark.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ddsrta.lf.run.traces.observed import FederateSeen, ReactionSeen, RunSeen
from ddsrta.lf.run.traces.records import TraceError
from ddsrta.lf.run.traces.samples import Samples

_LONGEST_LINE = 64 << 20
_MOST_DIGITS = 20
_Attributes = dict[str, str]


@dataclass
class _Reaction:
    durations: list[int] = field(default_factory=list)
    lags: list[int] = field(default_factory=list)
    deadline: int | None = None
    missed: int = 0


def observe_spans(path: str) -> RunSeen:
    """What the spans in a file show: each service is a program, each reaction has its full name."""
    programs: dict[str, dict[str, _Reaction]] = {}
    tags: dict[str, set[tuple[int, int]]] = {}
    for line, service, name, span, attributes in _spans(path):
        start = _whole(span.get("startTimeUnixNano"), path, line)
        end = _whole(span.get("endTimeUnixNano"), path, line)
        time = _whole(attributes.get("xronos.timestamp"), path, line)
        reaction = programs.setdefault(service, {}).setdefault(name, _Reaction())
        reaction.durations.append(end - start)
        reaction.lags.append(start - time)
        step = _whole(attributes.get("xronos.microstep"), path, line)
        tags.setdefault(service, set()).add((time, step))
        if "xronos.deadline" in attributes:
            latest = _whole(attributes["xronos.deadline"], path, line)
            reaction.deadline = latest - time
            reaction.missed += start > latest
    if not programs:
        advice = "export them with the collector's file exporter, as JSON"
        raise TraceError(path, "the whole file", "there are no spans of reactions", advice)
    seen = {
        service: _program(service, number, reactions, tags[service])
        for number, (service, reactions) in enumerate(programs.items())
    }
    return RunSeen(seen, (), max(program.tags for program in seen.values()))


def _program(
    name: str, number: int, reactions: dict[str, _Reaction], tags: set[tuple[int, int]]
) -> FederateSeen:
    found = {
        (fqn, 0): ReactionSeen(
            fqn, 0, Samples(r.durations), Samples(), Samples(r.lags), r.deadline, r.missed
        )
        for fqn, r in sorted(reactions.items())
    }
    counts = Counter({fqn: len(r.durations) for fqn, r in reactions.items()})
    return FederateSeen(name, number, len(tags), found, Samples(), Samples(), Samples(), (), counts)


def _spans(path: str) -> Iterator[tuple[int, str, str, dict[str, Any], _Attributes]]:
    """Line, service, name, span and attributes of each span of a reaction."""
    for line, batch in _batches(path):
        for resource in _list(batch, "resourceSpans", path, line):
            part = resource.get("resource", {})
            service = _attributes(part, path, line).get("service.name", "program")
            for scope in _list(resource, "scopeSpans", path, line):
                for span in _list(scope, "spans", path, line):
                    attributes = _attributes(span, path, line)
                    if attributes.get("xronos.element_type") == "reaction":
                        name = attributes.get("xronos.fqn", str(span.get("name", "")))
                        yield line, service, name, span, attributes


def _batches(path: str) -> Iterator[tuple[int, dict[str, Any]]]:
    with open(path, "rb") as stream:
        number = 0
        while text := stream.readline(_LONGEST_LINE + 1):
            number += 1
            if len(text) > _LONGEST_LINE:
                raise TraceError(path, f"line {number}", "this line has more than 64 MiB")
            if not text.strip():
                continue
            try:
                batch = json.loads(text)
            except (ValueError, RecursionError):
                raise TraceError(path, f"line {number}", "this is no JSON") from None
            yield number, _mapping(batch, path, number)


def _list(owner: dict[str, Any], key: str, path: str, line: int) -> list[dict[str, Any]]:
    found = owner.get(key, [])
    if not isinstance(found, list):
        raise TraceError(path, f"line {line}", f"'{key}' must be a list")
    return [_mapping(item, path, line) for item in found]


def _mapping(value: Any, path: str, line: int) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TraceError(path, f"line {line}", "expected a mapping: these are no spans")
    return value


def _attributes(owner: Any, path: str, line: int) -> _Attributes:
    """The attributes that are texts or whole numbers."""
    found: _Attributes = {}
    for item in _list(_mapping(owner, path, line), "attributes", path, line):
        value = item.get("value")
        for kind in ("stringValue", "intValue"):
            if isinstance(value, dict) and isinstance(value.get(kind), str | int):
                found[str(item.get("key"))] = str(value[kind])
    return found


def _whole(value: Any, path: str, line: int) -> int:
    text = str(value)
    digits = text.removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits) < _MOST_DIGITS:
        return int(text)
    message = "a span of a reaction needs its start, end, 'xronos.timestamp' and 'xronos.microstep'"
    raise TraceError(path, f"line {line}", message + " as whole numbers")
