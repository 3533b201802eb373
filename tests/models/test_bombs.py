"""Files made to exhaust time or memory: read in a process that may use little of both."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import repeat
from pathlib import Path
from random import Random

import pytest

MEMORY = 2 << 30  # of address space
PEAK = 1 << 30  # in use
PROGRAM = 32 << 20  # of that, what is there before anything is read
SECONDS = 120
MEGABYTE = 1 << 20

READ = f"""
import re, resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))
resource.setrlimit(resource.RLIMIT_CPU, ({SECONDS}, {SECONDS}))
import ddsrta, ddsrta.base.yaml_builder as builder
builder.MOST_VALUES //= int(sys.argv[2])
builder.MOST_ANCHORS //= int(sys.argv[2])
try:
    ddsrta.load(sys.argv[1])
except ddsrta.InputError as error:
    places = [d.position for d in error.diagnostics]
    assert places and all(place and place.line > 0 and place.column > 0 for place in places)
    print(str(error)[:2000])
    status = open("/proc/self/status").read()
    print("peak", int(re.search(r"VmHWM:\\s+(\\d+)", status)[1]) << 10)
    sys.exit(2)
"""


def chunks(piece: bytes, total: int) -> Iterator[bytes]:
    block = piece * (MEGABYTE // len(piece))
    return repeat(block, total // len(block))


def noise(total: int) -> Iterator[bytes]:
    random = Random(1)
    return (random.randbytes(MEGABYTE) for _ in range(total // MEGABYTE))


def doublings(levels: int) -> str:
    """Each list holds the one above it ten times."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    for level in range(1, levels):
        lines.append(f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]")
    return "\n".join(lines) + "\n"


def merges(levels: int) -> str:
    lines = ["a0: &a0 {x0: 1, y0: 2}"]
    for level in range(1, levels):
        lines.append(
            f"a{level}: &a{level} {{<<: [*a{level - 1}, *a{level - 1}], x{level}: 1, y{level}: 2}}"
        )
    return "\n".join(lines) + "\n"


def shared_publications(count: int) -> str:
    """A valid-looking system in which a list is used by all threads."""
    topics = "".join(f"  t{i}: {{size: 1kB}}\n" for i in range(count))
    shared = ", ".join(f"{{topic: t{i}}}" for i in range(count))
    threads = "".join(
        f"  p{i}: {{core: m/c, priority: 1, wcet: 1us, period: 1s, publishes: *all}}\n"
        for i in range(count)
    )
    first = f"  p: {{core: m/c, priority: 1, wcet: 1us, period: 1s, publishes: &all [{shared}]}}\n"
    return (
        f"ddsrta: 1\nmachines: {{m: {{cores: [c]}}}}\ntopics:\n{topics}threads:\n{first}{threads}"
    )


def misspelt_references(count: int) -> str:
    threads = "".join(
        f"  thread_{i}: {{core: m/c, priority: 1, wcet: 1us, follows: {{threads: [thraed_{i}]}}}}\n"
        for i in range(count)
    )
    return f"ddsrta: 1\nmachines: {{m: {{cores: [c]}}}}\nthreads:\n{threads}"


def hub(count: int) -> str:
    """Everybody writes what everybody reads, on different machines without a network."""
    machines = ", ".join(f"m{i}: {{cores: [c]}}" for i in range(2))
    listeners = "".join(f"  L{i}: {{core: m{i}/c, priority: 90}}\n" for i in range(2))
    threads = "".join(
        f"  r{i}: {{core: m{i % 2}/c, priority: 1, wcet: 1us, "
        f"subscribes: {{topics: [t], listener: L{i % 2}}}, publishes: [{{topic: t}}]}}\n"
        for i in range(count)
    )
    table = "delays: {listener: {1kB: 1us}, publisher: {1kB: 1us}}\n"
    return (
        f"ddsrta: 1\nmachines: {{{machines}}}\n{table}topics: {{t: {{size: 1kB}}}}\n"
        f"listeners:\n{listeners}threads:\n{threads}"
    )


def many_rows(count: int) -> str:
    """A delay table as long as the list of topics that look it up."""
    rows = ", ".join(f"{i}B: 1us" for i in range(1, count))
    topics = "".join(f"  t{i}: {{size: {i + 1}B}}\n" for i in range(count))
    topic_list = ", ".join(f"t{i}" for i in range(count))
    publishes = ", ".join(f"{{topic: t{i}}}" for i in range(count))
    return (
        "ddsrta: 1\nmachines: {m: {cores: [c]}}\n"
        f"delays: {{listener: {{{rows}}}, publisher: {{{rows}}}}}\ntopics:\n{topics}"
        "listeners: {L: {core: m/c, priority: 1}}\nthreads:\n"
        f"  p: {{core: m/c, priority: 1, wcet: 1us, period: 1s, publishes: [{publishes}]}}\n"
        "  s: {core: m/c, priority: 1, wcet: 1us, "
        f"subscribes: {{topics: [{topic_list}], listener: L}}}}\n"
    )


GARBAGE: dict[str, Callable[[], Iterator[bytes]]] = {
    "100 MB of random bytes": lambda: noise(100 * MEGABYTE),
    "100 MB in one line": lambda: chunks(b"a", 100 * MEGABYTE),
    "100 MB of brackets": lambda: chunks(b"[", 100 * MEGABYTE),
    "100 MB of equal keys": lambda: chunks(b"a: \n", 100 * MEGABYTE),
    "60 MB of random bytes": lambda: noise(60 * MEGABYTE),
    "60 MB in one line": lambda: chunks(b"a", 60 * MEGABYTE),
    "60 MB of brackets": lambda: chunks(b"[", 60 * MEGABYTE),
    "60 MB of braces": lambda: chunks(b"{", 60 * MEGABYTE),
    "60 MB of dashes": lambda: chunks(b"- ", 60 * MEGABYTE),
    "60 MB of equal keys": lambda: chunks(b"a: \n", 60 * MEGABYTE),
    "60 MB of a list": lambda: chunks(b"- {period: 10ms, core: ecu/c0}\n", 60 * MEGABYTE),
    "60 MB in quotes": lambda: iter([b'"', *chunks(b"\\n", 60 * MEGABYTE)]),
    "60 MB of spaces": lambda: chunks(b" ", 60 * MEGABYTE),
    "60 MB of comments": lambda: chunks(b"# nothing\n", 60 * MEGABYTE),
    "60 MB of empty lines": lambda: iter([*chunks(b"\n", 60 * MEGABYTE), b"]"]),
    "60 MB of old line breaks": lambda: iter([*chunks(b"\r", 60 * MEGABYTE), b"]"]),
    "60 MB of lines and a NUL": lambda: iter([*chunks(b"\n", 60 * MEGABYTE), b"\0"]),
    "60 MB of wide characters": lambda: iter([*chunks("🚗\n".encode(), 60 * MEGABYTE), b"]"]),
    "60 MB of documents": lambda: chunks(b"--- a\n", 60 * MEGABYTE),
}
# More values than are read: with a tenth of the file, a tenth of the values, and a tenth of the memory.
TENTHS: dict[str, Callable[[], Iterator[bytes]]] = {
    "6 MB of links": lambda: iter(
        [b"network:\n", *chunks(b"- {from: ecu, to: ecu, delay: 10ms}\n", 6 * MEGABYTE)]
    ),
    "6 MB of small lists": lambda: iter([b"a: [", *chunks(b"[],", 6 * MEGABYTE), b"]"]),
    "6 MB of anchors": lambda: iter(
        [b"a:\n", *(f"- &a{i} {i}\n".encode() for i in range(6 * MEGABYTE // 18))]
    ),
    "6 MB of keys": lambda: iter(f"k{i}: {i}\n".encode() for i in range(6 * MEGABYTE // 18)),
}
BOMBS: dict[str, Callable[[], str]] = {
    "a billion laughs": lambda: doublings(10),
    "laughs without end": lambda: doublings(400),
    "merged laughs": lambda: merges(60),
    "a list shared by all": lambda: shared_publications(3000),
    "20,000 misspelt names": lambda: misspelt_references(20_000),
    "a hub of 20,000 threads": lambda: hub(20_000),
    "a table of 20,000 rows": lambda: many_rows(20_000),
    "a long key": lambda: "k" * 10_000_000 + ": 1\n",
    "a long number": lambda: "ddsrta: " + "9" * 10_000_000 + "\n",
    "a long quantity": lambda: misspelt_references(1).replace("1us", "9" * 10_000_000 + "us"),
    "a long tag": lambda: "a: !" + "x" * 1_000_000 + " b\n",
    "a long alias": lambda: "a: *" + "x" * 1_000_000 + "\n",
    "a long anchor": lambda: "a: &" + "x" * 1_000_000 + " b\n",
}


def read(path: Path, part: int = 1) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", READ, str(path), str(part)],
        capture_output=True,
        text=True,
        timeout=20 * SECONDS,
        check=False,
    )


def ends_in_errors(path: Path, part: int = 1) -> None:
    result = read(path, part)
    assert (result.returncode, result.stderr) == (2, ""), result.stderr[-2000:]
    assert str(path) in result.stdout
    assert int(result.stdout.split()[-1]) < PROGRAM + (PEAK - PROGRAM) // part


@pytest.mark.parametrize("kind", GARBAGE)
def test_garbage(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "garbage.yaml"
    with open(path, "wb") as stream:
        stream.writelines(GARBAGE[kind]())
    ends_in_errors(path)
    path.unlink()


@pytest.mark.parametrize("kind", TENTHS)
def test_too_many_values(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "garbage.yaml"
    path.write_bytes(b"".join(TENTHS[kind]()))
    ends_in_errors(path, 10)


@pytest.mark.parametrize("kind", BOMBS)
def test_bombs(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "bomb.yaml"
    path.write_text(BOMBS[kind](), "utf-8")
    ends_in_errors(path)


@pytest.mark.parametrize("path", ["/dev/zero", "/", "/nonexistent/x.yaml", "", "a" * 5000])
def test_paths_that_are_no_files(path: str) -> None:
    result = read(Path(path))
    assert (result.returncode, result.stderr) == (2, "")
