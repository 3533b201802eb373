"""The tables: which sequences are possible, how often runs show them, and what removes them."""

from __future__ import annotations

import ddsrta
from casestudies.analyses import FOLDER, in_us
from casestudies.statements import table
from casestudies.xronos_order.frequencies import frequencies, sequences
from ddsrta.bounds.order.repairs import Cost, repairs
from ddsrta.bounds.solve import solve

STUDY = "xronos_order"
SYSTEMS = ("synchronous", "high_priority", "one_queue")
ALL = ("1234", "2143", "1243", "2134", "1324", "2413")
PUBLISHED = {"1234": "most", "2143": "yes", "1243": "yes", "2134": "yes"}  # Fig. 3b


def _arrows(sequence: str) -> str:
    return " → ".join(sequence)


def _sequences() -> str:
    rows = []
    for sequence in ALL:
        row = [_arrows(sequence), PUBLISHED.get(sequence, "not shown")]
        for system in SYSTEMS:
            seen = frequencies(system)
            share = f"{100 * seen[sequence] / seen.total():.2f} %"
            row.append(share if sequence in sequences(system) else "impossible")
        rows.append(row)
    return table(["sequence", "Fig. 3b", *(f"`{system}`" for system in SYSTEMS)], rows)


def _cost(cost: Cost) -> str:
    return f"{cost.name.replace('chain ', '')} {in_us(cost.before)} → {in_us(cost.after)}"


def _repairs() -> str:
    rows = []
    for system in SYSTEMS:
        loaded = ddsrta.load(FOLDER / STUDY / f"{system}.yaml")
        solution = solve(loaded)
        if ddsrta.analyze(loaded).orders["gear first"].met:
            rows.append([system, "holds as it is", ""])
            continue
        for repair in repairs(solution, loaded.orders["gear first"]):
            chains = [_cost(cost) for cost in repair.costs if cost.name.startswith("chain ")]
            rows.append([system, repair.change, "; ".join(chains)])
    return table(["system", "change", "chains, µs"], rows)


TABLES = {"sequences": _sequences, "repairs": _repairs}
