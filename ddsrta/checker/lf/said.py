"""What the result of `ddsrta lf` may say, given a certificate that was confirmed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ddsrta.checker.leaves import TEXT, Leaf, Named, at_least, at_most, met, no_better, same

Raw = Mapping[str, Any]
FREE = Leaf(lambda _: None)  # for people: ways, circles, what has no bound and why
_WORST_LAST = ("met", "unbounded", "missed", "error")
_TIMES = ("x", "absent", "launch_lag", "latency", "clock_error")


def said(evidence: Raw) -> dict[str, Any]:
    """All of it but for its check and its evidence."""
    federation = evidence["federation"]
    return {
        "ddsrta": same(1),
        "federation": same(federation["name"]),
        "coordination": same(federation["coordination"]),
        "verdict": no_better(evidence["verdict"], _WORST_LAST),
        "circles": FREE,
        "unbounded": FREE,
        "findings": Leaf(lambda value: _lacks(evidence, value)),
        **FIGURES[evidence["profile"]](evidence),
    }


def _lacks(evidence: Raw, value: object) -> str | None:
    """Whether a finding says each thing that is assumed."""
    findings = value if isinstance(value, list) else []
    rules = [finding.get("rule") for finding in findings if isinstance(finding, dict)]
    missing = [rule for rule in evidence["assumptions"] if rule not in rules]
    return f"lack what is assumed: {', '.join(missing)}" if missing else None


def _stp(evidence: Raw) -> dict[str, Any]:
    links = evidence["federation"]["connections"]
    return {
        "federates": Named({name: _waits(evidence, name) for name in evidence["federates"]}),
        "connections": [
            {
                "connection": same(_arrow(links[row["connection"]])),
                **{key: at_least(row[key]) for key in _TIMES},
                "after": same(row["after"]),
                "slack": at_most(row["slack"]),
                "unknown": TEXT,
            }
            for row in evidence["connections"]
        ],
        "checks": [_check(evidence, row) for row in evidence["checks"]],
        "deadlines": [_deadline(evidence, row) for row in evidence["deadlines"]],
        "chains": Named({name: _chain(evidence, name) for name in evidence["chains"]}),
    }


def _waits(evidence: Raw, name: str) -> dict[str, Any]:
    row, federate = evidence["federates"][name], evidence["federation"]["federates"][name]
    least = {} if row["least"] == row["offset"] else {"offset_if_all_are_least": same(row["least"])}
    physical = any(action["kind"] == "physical" for action in federate["actions"].values())
    return {
        "offset": same(row["offset"]),
        **least,
        "path": FREE,
        "unbounded_because": TEXT,
        "maxwait": same(federate["maxwait"]),
        "wait": at_least(row["wait"]),
        "physical_actions": same(physical),
    }


def _check(evidence: Raw, row: Raw) -> dict[str, Any]:
    federation = evidence["federation"]
    link = federation["connections"][row["connection"]]
    federate = federation["federates"][link["target"]]
    own = link["absent_after"]
    absent = federate["inputs"][link["input"]]["absent_after"] if own is None else own
    return {
        "connection": same(_arrow(link)),
        "federate": same(link["target"]),
        "needed": at_least(row["needed"]),
        "maxwait": same(federate["maxwait"]),
        "absent_after": same(absent or 0),
        "outcome": same(row["outcome"]),
        "slack": at_most(row["slack"]),
        "path": FREE,
        "without_tardy_handler": FREE,
    }


def _deadline(evidence: Raw, row: Raw) -> dict[str, Any]:
    federate = evidence["federation"]["federates"][row["federate"]]
    return {
        "federate": same(row["federate"]),
        "reaction": same(row["reaction"]),
        "deadline": same(federate["reactions"][row["reaction"]]["deadline"]),
        "latest_start": at_least(row["latest_start"]),
        "wait": at_least(row["wait"]),
        "met": met(row["met"]),
        "unbounded_because": TEXT,
    }


def _chain(evidence: Raw, name: str) -> dict[str, Any]:
    row = evidence["chains"][name]
    return {
        **{key: at_least(row[key]) for key in ("latency", "delay", "wait", "lag")},
        "wanted": same(evidence["federation"]["chains"][name]["latency"]),
        "met": met(row["met"]),
        "unbounded_because": TEXT,
    }


def _rti(evidence: Raw) -> dict[str, Any]:
    other = evidence["decentralized"]
    chains = {}
    for name in evidence["chains"]:
        chains[name] = {
            **_chain(evidence, name),
            **_assumed(evidence, evidence["federation"]["chains"][name]["to"][0]),
            "decentralized": at_least(other["chains"][name]["latency"]),
            "decentralized_unbounded_because": TEXT,
            "price": same(evidence["prices"][name]["difference"]),
        }
    return {
        "federates": Named(
            {
                name: {
                    "grant_lag": at_least(row["grant_lag"]),
                    "tag_takes": at_least(row["tag_takes"]),
                    "path": FREE,
                    "unbounded_because": TEXT,
                    **_assumed(evidence, name),
                    "decentralized_wait": at_least(other["federates"][name]["wait"]),
                }
                for name, row in evidence["federates"].items()
            }
        ),
        "grants": [_grant(row) for row in evidence["grants"]],
        "zero_delay_cycles": FREE,
        "deadlines": [
            {**_deadline(evidence, row), **_assumed(evidence, row["federate"])}
            for row in evidence["deadlines"]
        ],
        "chains": Named(chains),
        "messages_per_tag": [
            {key: same(value) for key, value in row.items()} for row in evidence["messages"]
        ],
    }


def _assumed(evidence: Raw, name: str) -> dict[str, Any]:
    said_so = Leaf(lambda value: None if isinstance(value, str) else "is no text")
    return {"assumed_because": said_so} if evidence["federates"][name]["assumed"] else {}


def _grant(row: Raw) -> dict[str, Any]:
    return {
        **{key: same(row[key]) for key in ("kind", "source", "target", "after")},
        **{key: at_least(row[key]) for key in ("x", "busy", "control", "clock_error")},
        "name": TEXT,
        "unknown": TEXT,
    }


def _arrow(link: Raw) -> str:
    return f"{link['source']}.{link['output']} → {link['target']}.{link['input']}"


FIGURES: Mapping[str, Callable[[Raw], dict[str, Any]]] = {"lf-stp": _stp, "lf-rti": _rti}
