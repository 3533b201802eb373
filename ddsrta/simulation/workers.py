"""Seeds of a plan, one after the other here, or in several processes at a time.

Processes are spawned, so this works where threads are running. A worker is told seeds through a
pipe and tells how far it is; when the pipe closes, because its parent died, it ends.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from time import monotonic
from typing import Any

from ddsrta.simulation.job import Job, Start
from ddsrta.simulation.ledger import Ledger
from ddsrta.simulation.plan import Plan

NEWS = 0.2  # seconds between two reports of a worker
Stop = Callable[[], bool]
Tick = Callable[[Ledger], None]


def run_here(ledger: Ledger, every: float | None, stop: Stop, tick: Tick) -> None:
    """All that remains, in this process; `every` so many seconds a start is noted."""
    for seed in ledger.remaining():
        job = Job(ledger.plan, seed, ledger.starts.get(seed))
        noted = monotonic()
        try:
            while not job.step():
                ledger.at(seed, job.reached, job.events)
                if stop():
                    ledger.stop(seed, job.start(), job.seen())
                    return
                if every is not None and monotonic() - noted >= every:
                    ledger.note(seed, job.start())
                    noted = monotonic()
                tick(ledger)
            if job.limited:
                ledger.limit(seed, job.start(), job.seen())
            else:
                ledger.finish(seed, job.finish())
        except BaseException:
            job.abandon()
            raise
        tick(ledger)
        if stop():
            return


def run_there(ledger: Ledger, jobs: int, every: float | None, stop: Stop, tick: Tick) -> None:
    """All that remains, in this many processes."""
    waiting = iter(ledger.remaining())
    with _spawned(ledger.plan, min(jobs, len(ledger.remaining())), every) as pipes:
        busy = dict.fromkeys(pipes, -1)
        for pipe in pipes:
            _next(pipe, waiting, busy, ledger)
        stopping = False
        while busy:
            if not stopping and stop():
                stopping, waiting = True, iter(())
                for pipe in busy:
                    pipe.send("stop")
            for ready in wait(list(busy), timeout=NEWS):
                assert isinstance(ready, Connection)
                if _heard(ready, busy[ready], ledger):
                    _next(ready, waiting, busy, ledger)
            tick(ledger)


def _next(
    pipe: Connection, waiting: Iterator[int], busy: dict[Connection, int], ledger: Ledger
) -> None:
    """Another seed for a worker, or the end of its work."""
    seed = next(waiting, None)
    if seed is None:
        del busy[pipe]
        pipe.send(None)
        return
    busy[pipe] = seed
    pipe.send((seed, ledger.starts.get(seed)))


def _heard(pipe: Connection, seed: int, ledger: Ledger) -> bool:
    """Take in a report; says whether the worker has nothing more to do."""
    try:
        what, *rest = pipe.recv()
    except EOFError:
        raise RuntimeError(f"the process that simulated seed {seed} has died") from None
    if what == "failed":
        raise rest[0]
    report: Callable[..., None] = getattr(ledger, what)
    report(seed, *rest)
    return what in ("finish", "stop", "limit")


@contextmanager
def _spawned(plan: Plan, number: int, every: float | None) -> Iterator[list[Connection]]:
    """Workers at the other ends of pipes; none is left when the context is."""
    context = get_context("spawn")
    pipes, processes = [], []
    try:
        with _deaf_to_interrupts():
            for _ in range(number):
                mine, its = context.Pipe()
                process = context.Process(target=_work, args=(its, plan, every), daemon=True)
                process.start()
                its.close()
                pipes.append(mine)
                processes.append(process)
        yield pipes
        for process in processes:
            process.join()
    finally:
        for process in processes:
            process.terminate()
            process.join()
        for pipe in pipes:
            pipe.close()


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes begun here never see Ctrl-C, which a terminal sends to all: the parent tells them.

    A process inherits which signals are ignored; only the main thread may change that.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _work(pipe: Connection, plan: Plan, every: float | None) -> None:
    """What a worker does."""
    try:
        while (task := pipe.recv()) not in (None, "stop"):
            _simulate(pipe, plan, every, *task)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return  # nobody listens any more


def _simulate(
    pipe: Connection, plan: Plan, every: float | None, seed: int, start: Start | None
) -> None:
    job: Job | None = None
    try:
        job = Job(plan, seed, start)
        told = noted = monotonic()
        while not job.step():
            now = monotonic()
            if pipe.poll():
                pipe.recv()
                pipe.send(("stop", job.start(), job.seen()))
                return
            if every is not None and now - noted >= every:
                pipe.send(("note", job.start()))
                noted = now
            if now - told >= NEWS:
                pipe.send(("at", job.reached, job.events))
                told = now
        if job.limited:
            pipe.send(("limit", job.start(), job.seen()))
        else:
            pipe.send(("finish", job.finish()))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        raise
    except Exception as error:
        pipe.send(("failed", _sendable(error)))
    finally:
        if job:
            job.abandon()


def _sendable(error: Exception) -> Any:
    """An exception that arrives as one: some cannot be taken apart and put together again."""
    if isinstance(error, OSError | MemoryError | ValueError):
        return error
    return RuntimeError(f"{type(error).__name__}: {error}")
