"""Whether all files of a trace are there: what is gone cannot be told from what did not happen."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Sequence
from pathlib import Path

from ddsrta.formats.ctf.errors import TraceError
from ddsrta.formats.ctf.metadata import Metadata
from ddsrta.formats.ctf.packets import StreamFile

_INDEX_HEAD = struct.Struct(">IIII")  # magic, major, minor, bytes of an entry
_INDEX_MAGIC = 0xC1F1DCC1
_NUMBERED = re.compile(r"(?!.*_[0-9]+_[0-9]+\Z)(.+)_([0-9]{1,4})")  # name_0_1 is a part of name_0
_ADVICE = "copy the trace again, with all of its files"


def check_files(folder: Path, files: Sequence[Path]) -> None:
    """Refuse a folder that lacks a stream of its index, or one in the middle of numbered ones.

    Tracers write a stream for each CPU, from 0 on: a number that is left out was a file.
    """
    names = {file.name for file in files}
    for index in sorted((folder / "index").glob("*.idx")):
        if index.stem not in names:
            raise TraceError(str(folder / index.stem), None, "this stream file is gone", _ADVICE)
    numbers: dict[str, set[int]] = {}
    for name in names:
        if found := _NUMBERED.fullmatch(name):
            numbers.setdefault(found[1], set()).add(int(found[2]))
    for base, known in sorted(numbers.items()):
        gone = sorted(set(range(max(known))) - known)
        if gone and len(known) > 1:
            message = f"this stream file is gone: there is {base}_{max(known)}"
            raise TraceError(str(folder / f"{base}_{gone[0]}"), None, message, _ADVICE)


def check_streams(metadata: Metadata, files: Iterable[StreamFile]) -> None:
    """Refuse declared streams without a file, and files with fewer packets than their index."""
    found: set[object] = set()
    unknown = 0
    for file in files:
        packets = 0
        for packet in file.packets():
            packets += 1
            found.add(packet.header.get("stream_id", 0))
        unknown += not packets
        announced = _announced(file.path)
        if announced > packets:
            message = f"the file is cut off: {packets} packets, {announced} in its index"
            raise TraceError(file.name, None, message, _ADVICE)
    gone = sorted(set(metadata.streams) - found)
    if len(gone) > unknown:  # a file without packets may be of any stream
        message = f"stream {gone[0]} is declared, and no file has it"
        raise TraceError(metadata.file, None, message, _ADVICE)


def _announced(path: Path) -> int:
    """How many packets the index of a stream file has; 0 without one that is known."""
    index = path.parent / "index" / f"{path.name}.idx"
    try:
        data = index.read_bytes()
    except OSError:
        return 0
    if len(data) < _INDEX_HEAD.size:
        return 0
    magic, _, _, size = _INDEX_HEAD.unpack_from(data)
    return (len(data) - _INDEX_HEAD.size) // size if magic == _INDEX_MAGIC and size else 0
