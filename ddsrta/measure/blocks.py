"""Files of samples that `delays` of the harness writes, and the table of a system.yaml of them."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ddsrta.base.units import format_size
from ddsrta.validation.measured import Series

_COLUMNS = "stage,size,number,delay_ns,wall_ns,cpu_ns,idle_ns"
_LONGEST_LINE = 4096
STAGES = ("flow_controller", "listener", "publisher")


@dataclass
class Block:
    """The samples of one size and mode, and what the file says of the machine."""

    head: list[str] = field(default_factory=list)
    samples: dict[tuple[str, int], Series] = field(default_factory=dict)


class BlockError(Exception):
    """A file that is no whole block of the wanted samples, and why."""


def read_block(path: Path, size: int, samples: int) -> Block:
    """A block that is whole, lost nothing and has so many samples of each stage, all of this size;
    raises BlockError for anything else."""
    block, checksum, records, end = Block(), 0, 0, ""
    try:
        with open(path, "rb") as stream:
            while raw := stream.readline(_LONGEST_LINE):
                if end:
                    raise BlockError("it goes on after its end")
                if not raw.endswith(b"\n"):
                    raise BlockError("it is cut off")
                line = raw.decode().rstrip("\n")
                if line.startswith("# end "):
                    end = line
                    continue
                checksum = zlib.crc32(raw, checksum)
                if line.startswith("#"):
                    block.head.append(line)
                elif line != _COLUMNS:
                    stage, of, _, delay, *_ = line.split(",")
                    block.samples.setdefault((stage, int(of)), Series()).add(int(delay))
                    records += 1
    except (OSError, ValueError) as error:
        raise BlockError(f"it is damaged: {str(error)[:200]}") from None
    said = dict(word.split("=", 1) for word in end.split() if "=" in word)
    if not end:
        raise BlockError("it is cut off: there is no end mark")
    if said.get("crc32") != f"{checksum:08x}" or said.get("records") != str(records):
        raise BlockError("it is damaged: its checksum is another")
    if said.get("lost") != "0":
        raise BlockError(f"it lost {said.get('lost')} messages")
    foreign = [stage for stage, of in block.samples if of != size or stage not in STAGES]
    counts = {series.count for series in block.samples.values()}
    if foreign or len(block.samples) != 2 or counts != {samples}:
        raise BlockError(f"it is of something else than {samples} samples of {size} B")
    return block


def table(blocks: Iterable[Block]) -> str:
    """The `delays:` of a system.yaml: the largest of each stage and size, rounded up.

    Rows must not decrease with the size: one below an earlier one is raised to it.
    """
    heads: dict[str, None] = {}
    merged: dict[tuple[str, int], list[Series]] = {}
    for block in blocks:
        heads.update(dict.fromkeys(block.head))
        for key, series in block.samples.items():
            merged.setdefault(key, []).append(series)
    lines = [*heads, "# A maximum over samples is no upper bound: what was not seen may still be."]
    return "\n".join([*lines, "delays:", *_rows(merged)]) + "\n"


def _rows(merged: dict[tuple[str, int], list[Series]]) -> Iterator[str]:
    for stage in STAGES:
        sizes = sorted(size for name, size in merged if name == stage)
        if sizes:
            yield f"  {stage}:"
        least = 0
        for size in sizes:
            # A listener is measured in both modes: the slower one counts.
            series = max(merged[stage, size], key=lambda one: one.most)
            raised = "raised to the row above; " * (series.most < least)
            least = max(least, series.most)
            yield (
                f"    {format_size(size).replace(' ', '')}: {-(-least // 1000)}us  # {raised}of "
                f"{series.count} samples: longest {-(-series.most // 1000)}, p50 "
                f"{-(-series.percentile(50) // 1000)}, p99 {-(-series.percentile(99) // 1000)} us"
            )
