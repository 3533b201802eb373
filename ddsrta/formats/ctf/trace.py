"""A folder with a trace, or with several of one session, as one series of events."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from heapq import heapify, heapreplace
from pathlib import Path

from ddsrta.formats.ctf.complete import check_files, check_streams
from ddsrta.formats.ctf.errors import Loss, LossyTraceError, TraceError
from ddsrta.formats.ctf.hosts import check_hosts
from ddsrta.formats.ctf.losses import losses
from ddsrta.formats.ctf.metadata import Metadata, load_metadata
from ddsrta.formats.ctf.stream import Event, Stream

_MOST_STREAMS = 100_000
_MOST_FOLDERS = 100_000


class Trace:
    """The streams below a folder. Use `open_trace`."""

    def __init__(self, folder: Path, metadata: list[Metadata], streams: list[Stream]) -> None:
        self.folder = folder
        self.metadata = metadata
        self._streams = streams

    def losses(self) -> tuple[Loss, ...]:
        """What the tracer could not record, by stream; only the heads of packets are read."""
        return losses(stream.file for stream in self._streams)

    def _complete(self) -> None:
        for declared in self.metadata:
            files = (stream.file for stream in self._streams if stream.file.metadata is declared)
            check_streams(declared, files)

    def events(self, accept_losses: bool = False) -> Iterator[Event]:
        """Every event in order of time; those of one time in the order of their files.

        Raises LossyTraceError before the first event of a trace that lost some, unless told
        that what is read serves no conclusion.
        """
        if not accept_losses:
            self._complete()
            if losses := self.losses():
                raise LossyTraceError(losses)
        return _merged([stream.events() for stream in self._streams])


def open_trace(folder: str | Path) -> Trace:
    """Read the metadata of every CTF trace in a folder and below it.

    The folder may be that of a session (as `ros2 trace` and `lttng` make it) or of one trace,
    which holds a file `metadata` and the stream files.

    >>> open_trace("nowhere")
    Traceback (most recent call last):
    ddsrta.formats.ctf.errors.TraceError: nowhere: no such folder; name the folder of a trace
    """
    root = Path(folder)
    if not root.is_dir():
        raise TraceError(str(folder), None, "no such folder", "name the folder of a trace")
    metadata = []
    streams = []
    for place in _trace_folders(root):
        declared = load_metadata(place / "metadata")
        metadata.append(declared)
        files = _stream_files(place)
        check_files(place, files)
        streams += [Stream(file, declared) for file in files]
        if len(streams) > _MOST_STREAMS:
            raise TraceError(str(folder), None, f"more than {_MOST_STREAMS} stream files")
    if not metadata:
        advice = "name the folder that `ros2 trace` or `lttng` wrote"
        raise TraceError(str(folder), None, "no CTF trace here: no file is named metadata", advice)
    check_hosts(str(folder), metadata)
    return Trace(root, metadata, streams)


def _trace_folders(root: Path) -> list[Path]:
    found = []
    for count, (place, folders, files) in enumerate(os.walk(root)):
        if count > _MOST_FOLDERS:
            raise TraceError(str(root), None, f"more than {_MOST_FOLDERS} folders")
        folders.sort()
        if "metadata" in files:
            found.append(Path(place))
            folders[:] = []
    return found


def _stream_files(folder: Path) -> list[Path]:
    """In the order of the numbers in their names, so that cpu 2 comes before cpu 10."""
    with os.scandir(folder) as entries:
        names = [
            entry.name
            for entry in entries
            if entry.is_file() and entry.name != "metadata" and not entry.name.startswith(".")
        ]
    return [folder / name for name in sorted(names, key=_natural)]


def _natural(name: str) -> list[tuple[int, str]]:
    return [
        (int(part), "") if part.isdigit() else (-1, part)
        for part in re.split(r"([0-9]{1,18})", name)
    ]


def _merged(streams: list[Iterator[Event]]) -> Iterator[Event]:
    """One packet of each stream is in memory; a stream is followed as long as it is the first."""
    heap = []
    for index, stream in enumerate(streams):
        first = next(stream, None)
        if first is not None:
            heap.append((first.time, index, first, stream))
    heapify(heap)
    while len(heap) > 1:
        _, index, event, stream = heap[0]
        other = min(heap[1], heap[2])[:2] if len(heap) > 2 else heap[1][:2]
        yield event
        for event in stream:
            time = event[0]
            if time > other[0] or (time == other[0] and index > other[1]):
                heapreplace(heap, (time, index, event, stream))
                break
            yield event
        else:
            heap[0] = heap[-1]
            heap.pop()
            heapify(heap)
    for _, _, event, stream in heap:
        yield event
        yield from stream
