"""What the result of `ddsrta lf` says, given a certificate that was confirmed: the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ddsrta.checker.leaves import TEXT, Leaf, Named, same
from ddsrta.checker.lf.enclaves.said import enclaves_said
from ddsrta.checker.lf.said_besides import WORDS, circles, findings, zero_delay_cycles
from ddsrta.checker.lf.said_schedule import said_schedule

Raw = Mapping[str, Any]
_TIMES = ("x", "absent", "launch_lag", "latency", "clock_error", "after", "slack")
_TARDY = ("violated", "unbounded", "shared")


def said(evidence: Raw) -> dict[str, Any]:
    """All of it but for its check and its evidence."""
    return {
        "ddsrta": same(1),
        "federation": same(evidence["federation"]["name"]),
        "verdict": same(evidence["verdict"]),
        "findings": findings(evidence["assumptions"]),
        **FIGURES[evidence["profile"]](evidence),
    }


def _common(evidence: Raw) -> dict[str, Any]:
    return {
        "coordination": same(evidence["federation"]["coordination"]),
        "circles": circles(evidence),
        "unbounded": WORDS,
    }


def _stp(evidence: Raw) -> dict[str, Any]:
    links = evidence["federation"]["connections"]
    return {
        **_common(evidence),
        "federates": Named({name: _waits(evidence, name) for name in evidence["federates"]}),
        "connections": [
            {
                "connection": same(_arrow(links[row["connection"]])),
                **{key: same(row[key]) for key in _TIMES},
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
        "path": WORDS,
        "unbounded_because": TEXT,
        "maxwait": same(federate["maxwait"]),
        "wait": same(row["wait"]),
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
        "needed": same(row["needed"]),
        "maxwait": same(federate["maxwait"]),
        "absent_after": same(absent or 0),
        "outcome": same(row["outcome"]),
        "slack": same(row["slack"]),
        "path": WORDS,
        "without_tardy_handler": same(_unhandled(federate, link["input"], row["outcome"])),
    }


def _unhandled(federate: Raw, port: str, outcome: str) -> list[str]:
    """The reactions that take a tardy message for one of a wrong tag."""
    return (
        [
            name
            for name, reaction in federate["reactions"].items()
            if port in (*reaction["triggers"], *reaction["sources"]) and not reaction["tardy"]
        ]
        if outcome in _TARDY
        else []
    )


def _deadline(evidence: Raw, row: Raw) -> dict[str, Any]:
    federate = evidence["federation"]["federates"][row["federate"]]
    return {
        "federate": same(row["federate"]),
        "reaction": same(row["reaction"]),
        "deadline": same(federate["reactions"][row["reaction"]]["deadline"]),
        "latest_start": same(row["latest_start"]),
        "wait": same(row["wait"]),
        "met": same(row["met"]),
        "unbounded_because": TEXT,
    }


def _chain(evidence: Raw, name: str) -> dict[str, Any]:
    row = evidence["chains"][name]
    return {
        **{key: same(row[key]) for key in ("latency", "delay", "wait", "lag")},
        "wanted": same(evidence["federation"]["chains"][name]["latency"]),
        "met": same(row["met"]),
        "unbounded_because": TEXT,
    }


def _rti(evidence: Raw) -> dict[str, Any]:
    other = evidence["decentralized"]
    chains = {}
    for name in evidence["chains"]:
        chains[name] = {
            **_chain(evidence, name),
            **_assumed(evidence, evidence["federation"]["chains"][name]["to"][0]),
            "decentralized": same(other["chains"][name]["latency"]),
            "decentralized_unbounded_because": TEXT,
            "price": same(evidence["prices"][name]["difference"]),
        }
    return {
        **_common(evidence),
        "federates": Named(
            {
                name: {
                    "grant_lag": same(row["grant_lag"]),
                    "tag_takes": same(row["tag_takes"]),
                    "path": WORDS,
                    "unbounded_because": TEXT,
                    **_assumed(evidence, name),
                    "decentralized_wait": same(other["federates"][name]["wait"]),
                }
                for name, row in evidence["federates"].items()
            }
        ),
        "grants": [_grant(evidence, row) for row in evidence["grants"]],
        "zero_delay_cycles": zero_delay_cycles(evidence),
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


def _grant(evidence: Raw, row: Raw) -> dict[str, Any]:
    index = row["connection"]
    links = evidence["federation"]["connections"]
    name = f"clock of {row['target']}" if index is None else _arrow(links[index])
    return {
        **{key: same(row[key]) for key in ("kind", "source", "target", "after")},
        **{key: same(row[key]) for key in ("x", "busy", "control", "clock_error")},
        "name": same(name),
        "unknown": TEXT,
    }


def _arrow(link: Raw) -> str:
    return f"{link['source']}.{link['output']} → {link['target']}.{link['input']}"


FIGURES: Mapping[str, Callable[[Raw], dict[str, Any]]] = {
    "lf-stp": _stp,
    "lf-rti": _rti,
    "lf-schedule": said_schedule,
    "lf-enclaves": enclaves_said,
}
