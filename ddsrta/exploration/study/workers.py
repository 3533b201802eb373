"""Who looks at candidates: this process, several on this machine, or a Dask cluster.

Which points are looked at, and in which order, is the sampler's alone: whoever looks, the search is
the same. A batch is cut into parts; a part whose worker dies is given to another one, and what it
found counts once.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from multiprocessing import get_context
from multiprocessing.connection import wait
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
    """Processes of this machine, each at the end of a pipe of its own: one that is killed takes
    nothing with it that another one needs."""

    def __init__(self, setup: Setup, jobs: int) -> None:
        self.source = setup.source
        self.context = get_context("spawn")
        self.workers: dict[Any, Any] = {}  # processes by the pipes that lead to them
        self.jobs = jobs

    def look(self, points: Sequence[Point]) -> list[Outcome]:
        """All of a batch; what a process that dies had to do is done by a new one."""
        parts = _parts(points, self.jobs)
        found: dict[int, list[Outcome]] = {}
        left, busy, deaths = list(range(len(parts)))[::-1], dict[Any, int](), 0
        while len(found) < len(parts):
            while left and len(busy) < self.jobs:
                pipe = next((pipe for pipe in self.workers if pipe not in busy), None)
                pipe = self._started() if pipe is None else pipe
                busy[pipe] = left.pop()
                with suppress(OSError):  # it is dead, which is seen when it is to answer
                    pipe.send(parts[busy[pipe]])
            ready: list[Any] = wait(list(busy))
            for pipe in ready:
                number = busy.pop(pipe)
                try:
                    found[number] = pipe.recv()
                except (EOFError, OSError):
                    left.append(number)
                    deaths += 1
                    self._ended(pipe)
            if deaths > ATTEMPTS:
                message = f"processes that look at candidates died {deaths} times"
                advice = "use fewer --jobs: memory may be short"
                raise InputError([Diagnostic(None, message, advice)])
        return [outcome for number in range(len(parts)) for outcome in found[number]]

    def _started(self) -> Any:
        ours, theirs = self.context.Pipe()
        process = self.context.Process(target=_work, args=(theirs, self.source), daemon=True)
        process.start()
        theirs.close()
        self.workers[ours] = process
        return ours

    def _ended(self, pipe: Any) -> None:
        process = self.workers.pop(pipe)
        pipe.close()
        process.kill()
        process.join()

    def close(self) -> None:
        for pipe in list(self.workers):
            self._ended(pipe)


def _work(pipe: Any, source: Source) -> None:
    """What a process does until its pipe ends. Ctrl-C is for the process that was started."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError):
        while True:
            pipe.send(look_at(source, pipe.recv())[1])


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
