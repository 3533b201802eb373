"""The tables of the livelock: bounds and findings of the system and of its repair."""

from __future__ import annotations

from casestudies.analyses import PROFILES, analysed, in_us, message
from casestudies.statements import table
from casestudies.worst_cases import exact_table

STUDY = "livelock"
SYSTEMS = ("livelock", "repaired")


def findings(system: str, severity: str, profile: str) -> list[str]:
    """The rules that fire at this severity."""
    return [f.rule for f in analysed(STUDY, system, profile).warnings if f.severity == severity]


def _bounds() -> str:
    rows = []
    for system in SYSTEMS:
        for profile in PROFILES:
            result = analysed(STUDY, system, profile)
            bounds = (
                result.threads["publisher"].wcrt,
                message(result, "status").flow_controller,
                message(result, "status").ddl,
                result.chains["status"].latency,
            )
            errors = ", ".join(f"`{rule}`" for rule in findings(system, "error", profile)) or "none"
            rows.append([system, f"`{profile}`", *map(in_us, bounds), errors])
    head = ["system", "profile", "publisher", "controller", "DDL", "end to end"]
    return table([*head, "findings, severity error"], rows)


TABLES = {"bounds": _bounds, "exact": lambda: exact_table(STUDY, "repaired")}
