"""Compiled modules that were built for other columns are refused, and not given these."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from ddsrta.examples import TWO_THREADS
from ddsrta_kernel import problem
from ddsrta_simulator import program

STALE = """
import sys, types
sys.modules["{package}.compiled"] = types.ModuleType("of before there were layouts")
from ddsrta.__main__ import main
sys.exit(main({call}))
"""
CALLS = {
    "ddsrta_kernel": ["analyze", "-"],
    "ddsrta_simulator": ["simulate", "-", "--horizon", "1ms"],
}
INTERPRETED = {
    "ddsrta_kernel": "DDSRTA_KERNEL=interpreted",
    "ddsrta_simulator": "DDSRTA_SIMULATOR=interpreted",
}


@pytest.mark.parametrize("package", CALLS)
@pytest.mark.parametrize("interpreted", [False, True])
def test_what_was_built_for_other_columns_is_refused_with_a_word_on_what_to_do(
    package: str, interpreted: bool
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", STALE.format(package=package, call=CALLS[package])],
        env={**os.environ, **(dict([INTERPRETED[package].split("=")]) if interpreted else {})},
        input=TWO_THREADS,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == (0 if interpreted else 2), done.stderr
    if not interpreted:
        assert done.stderr.startswith(f"ddsrta: {package}.compiled was built for another ")
        assert INTERPRETED[package] in done.stderr
        assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("package", CALLS)
def test_an_unknown_word_for_how_to_run_is_refused(package: str) -> None:
    name = INTERPRETED[package].partition("=")[0]
    done = subprocess.run(
        [sys.executable, "-m", "ddsrta", *CALLS[package]],
        env={**os.environ, name: "interpretd"},
        input=TWO_THREADS,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == (f"ddsrta: {name} is 'interpretd': it may be 'interpreted', or not set\n")


def test_what_was_built_here_fits() -> None:
    kernel = pytest.importorskip("ddsrta_kernel.compiled", reason="nothing was built here")
    simulator = pytest.importorskip("ddsrta_simulator.compiled", reason="nothing was built here")
    assert (kernel.LAYOUT, simulator.LAYOUT) == (problem.LAYOUT, program.LAYOUT)
