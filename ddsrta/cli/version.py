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

    from ddsrta_kernel import COMPILED

    kernel = "compiled" if COMPILED else "plain Python"
    python = f"{platform.python_implementation()} {platform.python_version()}"
    put(f"ddsrta {VERSION}\nkernel: {kernel}\npython: {python}\n")
    return MET
