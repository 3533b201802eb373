"""The programs of the harness: where they are, how they are built and run."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from ddsrta.base.diagnostics import Diagnostic, InputError, shown

_PATIENCE = 20  # seconds, for a program to write what it has when it is interrupted


def harness_folder(given: str | None) -> Path:
    """The folder of the harness: the given one, or that beside the package."""
    folder = Path(given) if given is not None else Path(__file__).parents[2] / "harness"
    if not (folder / "Makefile").is_file():
        _refuse(
            f"the harness is not in {shown(str(folder), 200)}",
            "it comes with the sources of ddsrta: --harness FOLDER says where",
        )
    return folder


def build(folder: Path) -> None:
    """Compile what is not compiled yet; says what the compiler said where it fails."""
    try:
        made = subprocess.run(
            ["make", "-C", str(folder)],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
    except FileNotFoundError:
        _refuse("there is no 'make', which builds the harness", "install make and a C compiler")
    if made.returncode:
        last = " | ".join(made.stderr.strip().splitlines()[-5:])
        _refuse(f"the harness cannot be built: {last[:1000]}", f"see: make -C {folder}")


def run(folder: Path, program: str, arguments: Sequence[str]) -> int:
    """Run a program to its end and return its exit status; its warnings go to stderr.

    Ctrl-C reaches the program, too: it writes what is complete before it ends. Who is asked to end
    asks the program as Ctrl-C would.
    """
    call = [str(folder / "build" / "bin" / program), *arguments]
    environment = os.environ | {"DDSRTA_END_WITH_PARENT": "1"}
    with subprocess.Popen(call, stdout=subprocess.DEVNULL, env=environment) as process:
        try:
            return process.wait()
        except (KeyboardInterrupt, SystemExit) as stop:
            if isinstance(stop, SystemExit):
                os.kill(process.pid, signal.SIGINT)
            try:
                process.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                os.kill(process.pid, signal.SIGKILL)
            raise


def _refuse(message: str, advice: str) -> NoReturn:
    raise InputError([Diagnostic(None, message, advice)])
