"""`ddsrta` and `python -m ddsrta`. Starts fast: everything else is imported when it is needed."""

from __future__ import annotations

import sys
from collections.abc import Sequence

_INTERRUPTED = 130  # 128 + SIGINT, as shells count
_BROKEN_PIPE = 141  # 128 + SIGPIPE


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    if argv is None:  # as a program, not from Python
        _unwind_when_ended()
        _collect_rarely()
    try:
        from ddsrta.cli.parser import run

        try:
            return run(sys.argv[1:] if argv is None else argv)
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except BaseException as raised:
        return _status(raised)


def _status(raised: BaseException) -> int:
    """The exit status of a command that an exception ended, which is explained where it has to be.
    Python 3.11 wraps whatever is raised while a class is made, a signal too."""
    error: BaseException | None = raised
    while error is not None and isinstance(error, Exception):
        error = error.__cause__
    if isinstance(error, SystemExit):  # from argparse: --help, --version, a wrong call; or a signal
        return error.code if isinstance(error.code, int) else 0
    if isinstance(error, KeyboardInterrupt):
        return _INTERRUPTED
    if isinstance(raised, BrokenPipeError):
        _forget_output()
        return _BROKEN_PIPE
    if not isinstance(raised, Exception):
        raise raised
    from ddsrta.cli.failures import report

    if isinstance(raised, OSError):
        _forget_output()
    return report(raised)


def _unwind_when_ended() -> None:
    """Who is asked to end removes its temporary files first; asked twice, it ends at once."""
    import signal
    from types import FrameType

    def end(number: int, frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)
        raise SystemExit(128 + number)

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, end)


def _collect_rarely() -> None:
    """Most of what a command makes it keeps to its end: look for circles less often."""
    import gc

    gc.set_threshold(200_000)  # as an analysis does


def _forget_output() -> None:
    """Nobody reads any more: what is still buffered must not fail once more at exit."""
    import contextlib
    import os

    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
