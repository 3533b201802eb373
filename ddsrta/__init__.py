"""Offline timing analysis of DDS, ROS 2 and Lingua Franca systems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ddsrta.base import doors, version

if TYPE_CHECKING:
    from ddsrta.base.diagnostics import InputError as InputError
    from ddsrta.base.units import Duration as Duration
    from ddsrta.bounds.analyze import analyze as analyze
    from ddsrta.bounds.evidence.explained import explain as explain
    from ddsrta.bounds.refinements import Refinements as Refinements
    from ddsrta.bounds.result import Result as Result
    from ddsrta.exploration.exact.exact import Exact as Exact
    from ddsrta.exploration.exact.exact import exact as exact
    from ddsrta.exploration.improve.repairs import Improvement as Improvement
    from ddsrta.exploration.improve.repairs import improve as improve
    from ddsrta.exploration.sensitivity import sensitivity as sensitivity
    from ddsrta.exploration.study.explore import explore as explore
    from ddsrta.exploration.study.study import Study as Study
    from ddsrta.models.reader import load as load
    from ddsrta.models.reader import loads as loads
    from ddsrta.models.system import System as System
    from ddsrta.simulation.simulate import simulate as simulate
    from ddsrta.simulation.simulation import Simulation as Simulation
    from ddsrta.validation.validate import validate as validate

__version__ = version.VERSION
doors.lead_to(
    show="ddsrta.report.door",
    update="ddsrta.bounds.update.again",
    published="ddsrta.papers.dds.present",
)
_PUBLIC = {
    "Duration": "ddsrta.base.units",
    "Exact": "ddsrta.exploration.exact.exact",
    "Improvement": "ddsrta.exploration.improve.repairs",
    "InputError": "ddsrta.base.diagnostics",
    "Refinements": "ddsrta.bounds.refinements",
    "Result": "ddsrta.bounds.result",
    "Simulation": "ddsrta.simulation.simulation",
    "Study": "ddsrta.exploration.study.study",
    "System": "ddsrta.models.system",
    "analyze": "ddsrta.bounds.analyze",
    "exact": "ddsrta.exploration.exact.exact",
    "explore": "ddsrta.exploration.study.explore",
    "explain": "ddsrta.bounds.evidence.explained",
    "improve": "ddsrta.exploration.improve.repairs",
    "load": "ddsrta.models.reader",
    "loads": "ddsrta.models.reader",
    "sensitivity": "ddsrta.exploration.sensitivity",
    "simulate": "ddsrta.simulation.simulate",
    "validate": "ddsrta.validation.validate",
}
__all__ = [
    "Duration",
    "Exact",
    "Improvement",
    "InputError",
    "Refinements",
    "Result",
    "Simulation",
    "Study",
    "System",
    "__version__",
    "analyze",
    "exact",
    "explain",
    "explore",
    "improve",
    "load",
    "loads",
    "sensitivity",
    "simulate",
    "validate",
]


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'ddsrta' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_PUBLIC[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
