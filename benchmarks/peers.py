"""What else users could take, run on the same systems; None and a reason where it is missing."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
KEPT = HERE / "rust" / "kept.json"  # `python benchmarks/peers.py` writes it


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


def kept(tasks: Path) -> Peer | None:
    """The bounds that our program for the crate found, if neither it nor the tasks are others."""
    known = json.loads(KEPT.read_text(encoding="utf-8"))
    return Peer(known["output"]) if known["of"] == _digest(tasks) else None


def keep(tasks: Path) -> None:
    """Keeps them: who wants bounds alone need not build it."""
    found = rust(tasks, 0.001, "short").output
    if found is None:
        raise SystemExit("cargo is needed for that")
    output = {name: {"latency": one["latency"]} for name, one in found.items()}
    text = json.dumps({"of": _digest(tasks), "output": output}, separators=(",", ":"))
    KEPT.write_text(text + "\n", encoding="utf-8")


def _digest(tasks: Path) -> str:
    """Of all that the bounds depend on; the crate has a version in Cargo.toml."""
    sources = sorted((HERE / "rust" / "src").glob("*.rs"))
    read = [one.read_bytes() for one in (HERE / "rust" / "Cargo.toml", *sources, tasks)]
    return hashlib.sha256(b"\0".join(read)).hexdigest()


def pyrta(system: Path, seconds: float) -> Peer:
    """pyRTA, the Python package response-time-analysis."""
    if find_spec("response_time_analysis") is None:
        return Peer(None, "the package response-time-analysis is not installed")
    return Peer(python("pyrta.py", str(system), str(seconds)))


if __name__ == "__main__":
    from systems import COMPARED, generate, to_lines

    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder) / "tasks.txt"
        lines.write_text(to_lines(generate(COMPARED)), encoding="utf-8")
        keep(lines)
