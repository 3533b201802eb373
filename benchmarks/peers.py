"""What else users could take, run on the same systems; None and a reason where it is missing."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent


class Peer(NamedTuple):
    """What a peer printed, or why it did not run."""

    output: dict[str, Any] | None
    missing: str = ""


def python(script: str, *arguments: str, **environment: str) -> dict[str, Any]:
    """The JSON that one of the scripts here prints, run with the modules that this process has."""
    path = os.pathsep.join(entry for entry in sys.path if entry)
    done = subprocess.run(
        [sys.executable, str(HERE / script), *arguments],
        env={**os.environ, "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def rust(tasks: Path, seconds: float, profile: str = "release") -> Peer:
    """The crate response-time-analysis; needs cargo, and crates.io for the first build."""
    cargo = shutil.which("cargo")
    if cargo is None:
        return Peer(None, "cargo is not installed")
    manifest = HERE / "rust" / "Cargo.toml"
    build = [cargo, "build", "--profile", profile, "--quiet", "--manifest-path", str(manifest)]
    built = subprocess.run(build, capture_output=True, text=True, check=False)
    if built.returncode:
        reason = built.stderr.strip().splitlines() or ["no reason given"]
        return Peer(None, f"cargo could not build it: {reason[0]}")
    target = Path(os.environ.get("CARGO_TARGET_DIR", manifest.parent / "target"))
    command = [str(target / profile / "peer"), str(tasks), str(seconds)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return Peer(json.loads(done.stdout))


def pyrta(system: Path, seconds: float) -> Peer:
    """pyRTA, the Python package response-time-analysis."""
    if find_spec("response_time_analysis") is None:
        return Peer(None, "the package response-time-analysis is not installed")
    return Peer(python("pyrta.py", str(system), str(seconds)))
