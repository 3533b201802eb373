"""Each step by which a program writes files, counted; and one of them that fails, or the last ever.

The steps: a file opened for writing, each write to it, fsync, a new name, permissions, a folder.
A write that fails has written a half before, as on a full disk.
"""

from __future__ import annotations

import builtins
import io
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.forked import forked

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
STEPS = ("fsync", "replace", "rename", "chmod", "mkdir", "write")
Fault = Callable[[str], None]


def error(number: int) -> Fault:
    """The step fails with this errno."""

    def fail(step: str) -> None:
        raise OSError(number, os.strerror(number))

    return fail


def kill(step: str) -> None:
    """Nothing comes after the step."""
    os.kill(os.getpid(), signal.SIGKILL)


class Steps:
    """What was done; at step number `at`, or at each, there is a fault."""

    def __init__(self, at: int | None = None, fault: Fault = lambda step: None) -> None:
        self.seen: list[str] = []
        self._at = at
        self._fault = fault
        self._open = builtins.open

    def take(self, step: str) -> None:
        self.seen.append(step)
        if self._at in (None, len(self.seen) - 1):
            self._fault(step)

    def install(self, patch: pytest.MonkeyPatch) -> None:
        for module in (builtins, io):
            patch.setattr(module, "open", self._opened)
        patch.setattr(os, "open", self._descriptor(os.open))
        for name in STEPS:
            patch.setattr(os, name, self._stepped(name, getattr(os, name)))

    def _stepped(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def stepped(*arguments: Any, **more: Any) -> Any:
            self.take(name)
            return call(*arguments, **more)

        return stepped

    def _descriptor(self, call: Callable[..., int]) -> Callable[..., int]:
        def stepped(path: Any, flags: int, *arguments: Any, **more: Any) -> int:
            if flags & _WRITING and path != os.devnull:
                self.take("open")
            return call(path, flags, *arguments, **more)

        return stepped

    def _opened(self, file: Any, mode: str = "r", *arguments: Any, **more: Any) -> Any:
        if not set(mode) & set("wax+"):
            return self._open(file, mode, *arguments, **more)
        self.take("open")
        binary = io.BufferedWriter(_Raw(self, file, mode.replace("b", "").replace("t", "")))
        if "b" in mode:
            return binary
        return io.TextIOWrapper(binary, **{k: v for k, v in more.items() if k != "buffering"})


class _Raw(io.FileIO):
    def __init__(self, steps: Steps, file: Any, mode: str) -> None:
        super().__init__(file, mode)
        self._steps = steps

    def write(self, data: Any) -> int:
        whole = bytes(data)
        half = super().write(whole[: len(whole) // 2]) or 0
        self._steps.take("write")
        return half + (super().write(whole[half:]) or 0)


def killed(at: int, run: Callable[[], object]) -> bool:
    """Run in a process of its own that is killed at a step; whether it came so far."""

    def call() -> int:
        with pytest.MonkeyPatch.context() as patch:
            Steps(at, kill).install(patch)
            run()
        return 0

    return forked(call) < 0


def files(folder: Path) -> dict[str, bytes]:
    """All files in a folder and those below, by their names."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
