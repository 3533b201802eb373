"""A mutant is tried in a child of its own, with a limit of CPU time."""

from __future__ import annotations

import faulthandler
import json
import os
import resource
import signal
import sys
from collections.abc import Callable
from typing import Any

INTERPRETED = {"DDSRTA_KERNEL": "interpreted"}
SECONDS = 6  # of CPU, of one trial


def tried(work: Callable[[], dict[str, Any]], seconds: int = SECONDS) -> dict[str, Any]:
    """What a forked child found out; {"ended": ...} where it did not come to an end."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _child(work, writing, seconds)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    _, status = os.waitpid(child, 0)
    if told:
        return dict(json.loads(told))
    ended = signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else "silent"
    return {"ended": "time" if ended in ("SIGXCPU", "SIGKILL") else ended}


def _child(work: Callable[[], dict[str, Any]], writing: int, seconds: int) -> None:
    """Never returns."""
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (4 * 2**30, 4 * 2**30))
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        faulthandler.disable()
        try:
            told = work()
        except Exception as error:
            told = {"ended": f"error: {error!r}"[:200]}
        data = json.dumps(told).encode()
        while data:
            data = data[os.write(writing, data) :]
    finally:
        os._exit(0)


def interpreted(module: str) -> None:
    """This process again, with the kernel interpreted."""
    if os.environ.items() >= INTERPRETED.items():
        return
    arguments = [sys.executable, "-W", "ignore", "-m", module, *sys.argv[1:]]
    os.execve(sys.executable, arguments, {**os.environ, **INTERPRETED})
