"""The analysis of a system, from model to result."""

from __future__ import annotations

from ddsrta.analysis.backlog import queues
from ddsrta.analysis.findings import findings, result_findings
from ddsrta.analysis.paths import named_paths
from ddsrta.analysis.present import chain_result, message_results, thread_results
from ddsrta.analysis.result import CoreResult, Result, verdict
from ddsrta.analysis.solve import Solution, solve
from ddsrta.models.diagnostics import InputError
from ddsrta.models.system import System
from ddsrta.models.validate import validate

PROFILES = ("busy-window", "published")


def analyze(system: System, profile: str = "busy-window") -> Result:
    """All bounds of a system; raises InputError where it contradicts itself.

    >>> from ddsrta.examples import two_threads
    >>> analyze(two_threads()).chains["control loop"].latency
    4.51 ms
    """
    if profile not in PROFILES:
        raise ValueError(f"unknown profile '{profile}': use one of {', '.join(PROFILES)}")
    if not system.is_valid and (problems := validate(system)):
        raise InputError(problems)
    if profile == "published":
        from ddsrta.analysis.present_published import present_published

        return present_published(system)
    return present(solve(system))


def present(solution: Solution) -> Result:
    """The result of a solved system."""
    system = solution.system
    paths, cut = named_paths(system)
    threads = thread_results(solution)
    messages = message_results(solution)
    chains = {path.name: chain_result(solution, path) for path in paths}
    cores = {core: CoreResult(load) for core, load in solution.utilization.items()}
    needed = queues(solution)
    bounded = [t.wcrt for t in threads.values()] + [m.ddl for m in messages]
    return Result(
        system.name,
        "busy-window",
        verdict(bounded, chains.values()),
        threads,
        messages,
        chains,
        cores,
        needed,
        (*findings(system), *result_findings(system, solution.utilization, needed), *cut),
        system,
    )
