"""What people call a measure: the kind and the name in tables and files."""

from __future__ import annotations

from ddsrta.bounds.paths.concrete import named_paths
from ddsrta.models.system import System
from ddsrta.simulation.finder import SETS
from ddsrta_simulator import Program

Label = tuple[str, str]
STAGES = {
    "job": "thread",
    "sample": "flow_controller",
    "message": "listener",
    **dict.fromkeys(("transfer", "frame", "begun"), "link"),
}
ARROW = " → "


def labels(system: System, program: Program) -> list[Label]:
    """The label of each measure, in the order of the program.

    Kinds are `thread`, `flow_controller`, `listener`, `link` for response times, `ddl`, `latency`,
    `trigger_latency`, `data_age` and `reaction_time`; of what is pending, `queue` for executors,
    threads of the middleware and readers, `stream` and `jobs` for parts of it; of the sets of a
    synchronizer `disparity` and `gap`, and `wait` for each topic. A path that is that of several
    chains has the name of the first.

    >>> from ddsrta.examples import two_threads
    >>> from ddsrta.simulation.build import program_of
    >>> labels(two_threads(), program_of(two_threads()))[-1]
    ('reaction_time', 'control loop')
    """
    chains: dict[tuple[str, ...], str] = {}
    for path in named_paths(system)[0]:
        chains.setdefault(path.path, path.name)
    return [_label(kind, of, chains) for kind, of in program.measures]


def _label(kind: str, of: str | tuple[str, ...], chains: dict[tuple[str, ...], str]) -> Label:
    if isinstance(of, str):
        return "queue", of
    if kind == "response":
        return STAGES[of[0]], ARROW.join(of[1:])
    if kind in ("ddl", *SETS):
        of = of if kind == "ddl" else of[1:]
        return kind, ARROW.join(of)
    if kind != "pending":
        return kind, chains[of]
    if of[0] in ("reader", "direct"):
        direct = ", directly" if of[0] == "direct" else ""
        return "queue", f"{of[1]} < {of[2]}{direct}"
    return "jobs" if of[0] == "job" else "stream", ARROW.join(of[1:])
