"""ddsrta version: what a report of a defect should say."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from ddsrta.base.version import VERSION
from ddsrta.cli.parser import MET
from ddsrta.cli.streams import put


def arguments(parser: ArgumentParser) -> None:
    """Nothing."""


def run(options: Namespace) -> int:
    """Print the version, and what it runs on."""
    import platform

    import ddsrta_kernel
    import ddsrta_simulator

    put(f"ddsrta {VERSION}\n")
    for name, engine in {"kernel": ddsrta_kernel, "simulator": ddsrta_simulator}.items():
        put(f"{name}: {'compiled' if engine.COMPILED else 'plain Python'}\n")
    put(f"python: {platform.python_implementation()} {platform.python_version()}\n")
    return MET
