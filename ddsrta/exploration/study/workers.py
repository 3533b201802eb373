"""Who looks at candidates: this process, several on this machine, or a Dask cluster.

Which points are looked at, and in which order, is the sampler's alone: whoever looks, the search is
the same. A batch is cut into parts; a part whose worker dies is given to another one, and what it
found counts once.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from ddsrta.base.diagnostics import Diagnostic, InputError
from ddsrta.base.version import VERSION
from ddsrta.exploration.study.judge import Judge, Outcome
from ddsrta.exploration.study.run import Look
from ddsrta.exploration.study.setup import Setup, Source, again
from ddsrta.exploration.study.space import Point

PARTS = 4  # of a batch, for each worker: the last ones even out
ATTEMPTS = 5  # of a batch whose workers die


@contextmanager
def looking(setup: Setup, jobs: int, scheduler: str | None) -> Iterator[Look]:
    """What looks at points as long as it is open."""
    if scheduler is not None:
        with _cluster(setup, scheduler) as look:
            yield look
    elif jobs > 1:
        pool = _Pool(setup, jobs)
        try:
            yield pool.look
        finally:
            pool.close()
    else:
        judge = Judge(setup)
        try:
            yield judge.outcomes
        finally:
            judge.close()


@lru_cache(maxsize=2)
def _judge(source: Source) -> Judge:
    """That of a study, once in each process."""
    return Judge(again(source))


def look_at(source: Source, points: Sequence[Point]) -> tuple[str, list[Outcome]]:
    """What a worker does: its version of ddsrta, and what became of some points."""
    return VERSION, _judge(source).outcomes(points)


def _parts(points: Sequence[Point], workers: int) -> list[list[Point]]:
    """
    >>> _parts([(1,), (2,), (3,)], 1)
    [[(1,)], [(2,)], [(3,)]]
    """
    size = -(-len(points) // (PARTS * max(1, workers)))
    return [list(points[begin : begin + size]) for begin in range(0, len(points), size)]


class _Pool:
    """Processes of this machine."""

    def __init__(self, setup: Setup, jobs: int) -> None:
        self.source = setup.source
        self.jobs = jobs
        self.pool = self._made()

    def look(self, points: Sequence[Point]) -> list[Outcome]:
        """All of a batch; once more with new processes, where one of them was killed."""
        parts = _parts(points, self.jobs)
        for _ in range(ATTEMPTS):
            try:
                found = list(self.pool.map(look_at, [self.source] * len(parts), parts))
                return [outcome for _, some in found for outcome in some]
            except BrokenProcessPool:
                self.close()
                self.pool = self._made()
        message = f"processes that look at candidates died {ATTEMPTS} times"
        raise InputError([Diagnostic(None, message, "use fewer --jobs: memory may be short")])

    def _made(self) -> ProcessPoolExecutor:
        from multiprocessing import get_context

        context = get_context("spawn")
        return ProcessPoolExecutor(self.jobs, context, initializer=_leave_interrupts)

    def close(self) -> None:
        self.pool.shutdown(cancel_futures=True)


def _leave_interrupts() -> None:
    """Ctrl-C is for the process that was started."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _cluster(setup: Setup, scheduler: str) -> Iterator[Look]:
    """The workers of a Dask scheduler."""
    try:
        from distributed import Client
    except ModuleNotFoundError as error:
        advice = "pip install 'ddsrta[dask]'"
        raise InputError(
            [Diagnostic(None, "a scheduler needs dask.distributed", advice)]
        ) from error
    try:
        connect: Any = Client
        client = connect(scheduler, timeout="30s", set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        message = f"no scheduler answers at '{scheduler}'"
        raise InputError([Diagnostic(None, message, "start one: dask scheduler")]) from error
    with client:
        yield _on(client, setup.source)


def _on(client: Any, source: Source) -> Callable[[Sequence[Point]], list[Outcome]]:
    def look(points: Sequence[Point]) -> list[Outcome]:
        workers = len(client.scheduler_info(n_workers=-1)["workers"])
        parts = _parts(points, workers)
        futures = [
            client.submit(look_at, source, part, pure=False, retries=ATTEMPTS) for part in parts
        ]
        found = client.gather(futures)
        other = {version for version, _ in found} - {VERSION}
        if other:
            message = f"workers run ddsrta {', '.join(sorted(other))}, this is {VERSION}"
            raise InputError([Diagnostic(None, message, "install the same one")])
        return [outcome for _, some in found for outcome in some]

    return look
