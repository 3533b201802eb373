"""The JSON form of `ddsrta lf simulate`: stable keys, times in integer nanoseconds."""

from __future__ import annotations

import json
from typing import Any

from ddsrta.lf.run.simulation.compare import Row
from ddsrta.lf.run.simulation.simulate import Simulation
from ddsrta.report.json import plain

FORMAT = 1


def simulation_json(simulation: Simulation) -> str:
    """The text of the document: escaped to ASCII, so that no terminal or pipe can spoil it."""
    return json.dumps(simulation_dict(simulation), indent=2, allow_nan=False) + "\n"


def simulation_dict(simulation: Simulation) -> dict[str, Any]:
    """The document.

    >>> from ddsrta.lf.program.examples import two_federates
    >>> from ddsrta.lf.run.simulation.simulate import simulate
    >>> document = simulation_dict(simulate(two_federates(), runs=3))
    >>> document["verdict"], document["violations"]
    ('met', [])
    """
    federation, seen = simulation.federation, simulation.seen
    return {
        "ddsrta": FORMAT,
        "federation": federation.name,
        "coordination": simulation.coordination,
        "verdict": simulation.verdict,
        "runs": simulation.runs,
        "attacks": simulation.attacks,
        "seed": simulation.seed,
        "horizon": simulation.horizon,
        "federates": {
            name: {
                "tags": seen.tags[name],
                "start": seen.start[name].most if name in seen.start else None,
                "start_count": seen.start[name].count if name in seen.start else 0,
            }
            for name in federation.federates
        },
        "observations": [_row(row) for row in simulation.rows],
        "missed_deadlines": [
            {"federate": name, "reaction": reaction, "count": count}
            for (name, reaction), count in sorted(seen.missed.items())
        ],
        "tags": seen.distinct,
        "messages": [
            {"kind": kind, "direction": direction, "count": count}
            for (kind, direction), count in sorted(seen.messages.items())
        ],
        "violations": [_row(row) for row in simulation.violations],
        "findings": [plain(finding) for finding in simulation.findings],
    }


def _row(row: Row) -> dict[str, Any]:
    return {
        "kind": row.kind,
        "name": row.name,
        "seen": row.seen,
        "before_any_tardy": row.clean,
        "bound": row.bound,
        "count": row.count,
        "run": row.run,
    }
