"""Drafts as the analysis of today can read them: each callback as a thread of its executor's place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ddsrta.base.diagnostics import InputError
from ddsrta.base.yaml_reader import read_text
from ddsrta.base.yaml_tree import Node
from ddsrta.formats.draft import Draft
from ddsrta.formats.yaml_writer import write
from ddsrta.models.reader import loads
from ddsrta.models.system import System


def read(text: str) -> Any:
    """The data of a YAML text."""
    return _value(read_text(text).root)


def _value(node: Node) -> Any:
    if isinstance(node.value, dict):
        return {key: _value(entry.node) for key, entry in node.value.items()}
    return [_value(part) for part in node.value] if isinstance(node.value, list) else node.value


def system_of(text: str) -> System:
    """The system of a draft; where callbacks are not read yet, with threads in their place."""
    try:
        return loads(text)
    except InputError as error:
        if "come in a later version" not in str(error):
            raise
    return as_threads(text)


def as_threads(text: str) -> System:
    """The system of a draft, with threads instead of callbacks and topics instead of services."""
    data = read(text)
    threads, topics = data.setdefault("threads", {}), data.setdefault("topics", {})
    executors = data.pop("executors", {})
    for name, service in data.pop("services", {}).items():
        for part in ("request", "reply"):
            topics[f"{name}/{part}"] = {"size": service[part]}
    for name, callback in data.pop("callbacks", {}).items():
        executor = executors[callback.pop("executor")]
        for key in ("group", "reentrant"):
            callback.pop(key, None)
        if "timer" in callback:
            callback["period"] = callback.pop("timer")
        for key, part in (("serves", "request"), ("receives", "reply")):
            if side := callback.pop(key, None):
                topic = f"{side['service']}/{part}"
                callback["subscribes"] = {"topics": [topic], "listener": side["listener"]}
                if key == "serves":
                    callback["publishes"] = [{"topic": f"{side['service']}/reply", **side["reply"]}]
        if calls := callback.pop("calls", []):
            requests = [{"topic": f"{c['service']}/request", "mode": c["mode"]} for c in calls]
            callback["publishes"] = callback.get("publishes", []) + requests
        threads[name] = {"core": executor["core"], "priority": executor["priority"], **callback}
    sections = {key: part for key, part in data.items() if key not in ("ddsrta", "name")}
    return loads(write(Draft(data["name"], sections=sections)))


def written(folder: Path, name: str, text: str) -> str:
    """The path of a file with this text."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)
