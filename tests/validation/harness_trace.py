"""Writes traces as the harness does, for the tests of their reader. It shares no code with it."""

from __future__ import annotations

import zlib
from pathlib import Path

COLUMNS = "time_ns,cpu_ns,event,who,job,topic,writer,number,reader\n"
END = "records={records} lost_records=0 lost_messages=0 lost_inputs=0 refused=0"


TWO_THREADS_PRIORITIES = {0: 85, 1: 70, 2: 80, 3: 90}  # sensor, control, F, L


class HarnessTrace:
    """`threads` and the rest are names in the order of their numbers."""

    def __init__(
        self,
        threads: list[str],
        topics: list[str],
        writers: list[tuple[int, int, str]],
        readers: list[tuple[int, int]],
    ) -> None:
        self.head = ["# ddsrta-trace 1", "# system: s", "# warning: virtual machine"]
        self.ended = "as planned"
        self.names = [f"# who {i} thread {name}" for i, name in enumerate(threads)]
        self.names += [f"# topic {i} {name}" for i, name in enumerate(topics)]
        self.names += [
            f"# writer {i} thread {t} topic {n} {m}" for i, (t, n, m) in enumerate(writers)
        ]
        self.names += [f"# reader {i} thread {t} topic {n}" for i, (t, n) in enumerate(readers)]
        self.events: list[tuple[int, int, str]] = []
        self.more = False
        self.end = END

    def see(
        self, time: int, kind: str, who: int, job: int | str = 0, topic: int | str = "",
        writer: int | str = "", number: int = 0, reader: int | str = "", cpu: int | None = None,
        waits: int = 0,
    ) -> None:  # fmt: skip
        line = f"{time},{time if cpu is None else cpu},{kind},{who},{job},{topic},{writer},{number},{reader}"
        line += f",{waits},0" if self.more else ""
        self.events.append((time, len(self.events), line))

    def place(self, controllers: dict[int, str], listeners: dict[int, str], cpus: dict[int, int],
              sends: list[int], listens: list[int],
              priorities: dict[int, int] | None = None) -> None:  # fmt: skip
        """What newer traces say: who runs on which CPU, sends for each writer, receives for each
        reader, and context switches with each event."""
        self.more = True
        self.names += [f"# who {n} controller {name}" for n, name in controllers.items()]
        self.names += [f"# who {n} listener {name}" for n, name in listeners.items()]
        writers = iter(sends)
        readers = iter(listens)
        for i, line in enumerate(self.names):
            if line.startswith("# writer"):
                self.names[i] += f" by {next(writers)}"
            elif line.startswith("# reader"):
                self.names[i] += f" at {next(readers)}"
        ranks = priorities or TWO_THREADS_PRIORITIES
        self.names += [f"# place {who} cpu {c} priority {ranks[who]}" for who, c in cpus.items()]

    def message(self, times: tuple[int, int], thread: int, job: int, topic: int, writer: int,
                number: int, readers: tuple[int, ...] = (0,)) -> None:  # fmt: skip
        """Published at one time, delivered to all readers at the other."""
        self.see(times[0], "publish", thread, job, topic, writer, number)
        for reader in readers:
            self.see(times[1], "delivered", 90, job, topic, writer, number, reader)

    def job(self, times: tuple[int, int], thread: int, job: int, release: int | None = None,
            takes: tuple[tuple[int, int, int], ...] = ()) -> None:  # fmt: skip
        """Takes are topic, writer and number."""
        if release is not None:
            self.see(release, "release", thread, job)
        self.see(times[0], "start", thread, job)
        for topic, writer, number in takes:
            self.see(times[0], "take", thread, job, topic, writer, number)
        self.see(times[1], "complete", thread, job)

    def text(self) -> str:
        body = [*self.head, f"# ended: {self.ended}", *self.names]
        lines = [line for _, _, line in sorted(self.events)]
        columns = COLUMNS.replace("\n", ",waits,stops\n") if self.more else COLUMNS
        text = "\n".join(body) + "\n" + columns + "".join(f"{line}\n" for line in lines)
        end = self.end.format(records=len(lines))
        return f"{text}# end {end} crc32={zlib.crc32(text.encode()):08x}\n"

    def write(self, path: Path) -> Path:
        path.write_text(self.text(), encoding="utf-8")
        return path


def two_threads_trace(jobs: int = 3, delay: int = 500_000) -> HarnessTrace:
    """The system of `ddsrta.examples.two_threads`: a sensor publishes 900 us after its release, the
    message takes `delay`, the controller starts 10 us later and takes 1.5 ms."""
    trace = HarnessTrace(["sensor", "control"], ["speed"], [(0, 0, "async")], [(1, 0)])
    for job in range(jobs):
        at = job * 10_000_000
        sent, got = at + 900_000, at + 900_000 + delay
        trace.job((at + 1000, at + 950_000), 0, job, at)
        trace.message((sent, got), 0, job, 0, 0, job)
        trace.job((got + 10_000, got + 1_510_000), 1, job, None, ((0, 0, job),))
    trace.events.sort(key=lambda event: event[0])
    return trace
