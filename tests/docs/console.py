"""Runs what the documentation shows: files, commands and Python sessions of a Markdown page.

A fence ```yaml name.yaml (or json, xml) writes a file, ```console runs each `$ command` and shows what it prints
(and `[exit status N]` where N is not 0), ```python holds a session that doctest understands.
A picture that a page shows and one of its commands writes, by the same name, is the one that is kept.
`python -m tests.docs.console README.md …` writes what the commands print and draw now.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

from ddsrta.__main__ import main
from tests.forked import forked

ROOT = Path(__file__).parents[2]
PATH = os.pathsep.join([str(ROOT), str(ROOT / "cython_ext")])
PICTURE = re.compile(r"\]\(([^)\s]+\.svg)\)")
FENCE = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.M | re.S)


def run(command: str, folder: Path, *, fork: bool = False) -> str:
    """What a command prints on standard output and error, and its exit status unless that is 0."""
    environment = {**os.environ, "PYTHONPATH": PATH, "COLUMNS": "100", "NO_COLOR": "1"}
    program, *arguments = shlex.split(command)
    alone = program == "ddsrta" and not set(command) & set("|&;<>$*")
    if fork and alone:
        return _run_here(arguments, folder, environment)
    shell = command.replace("ddsrta ", f"{sys.executable} -m ddsrta ", 1)
    done = subprocess.run(
        shell,
        shell=True,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    return _shown(done.stdout, done.stderr, done.returncode)


def _run_here(arguments: list[str], folder: Path, environment: dict[str, str]) -> str:
    """The same of ddsrta alone, without the start of a program and its imports."""
    with TemporaryFile("w+") as out, TemporaryFile("w+") as err:

        def call() -> int:
            os.chdir(folder)
            os.environ.update(environment)
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            sys.argv[1:], sys.stdout, sys.stderr = arguments, out, err
            status = main()
            err.flush()
            return status

        status = forked(call)
        out.seek(0)
        err.seek(0)
        return _shown(out.read(), err.read(), status)


def _shown(out: str, err: str, status: int) -> str:
    return out + err + (f"[exit status {status}]\n" if status else "")


def rendered(page: str, folder: Path, *, fork: bool = False) -> str:
    """The page with the output that its commands have now; its files are left in the folder. With
    `fork`, what is of ddsrta alone runs in a child of this process."""

    named: dict[str, str] = {}

    def fence(match: re.Match[str]) -> str:
        kind, name, body = match.groups()
        if name:
            (folder / name).write_text(body, encoding="utf-8")
        if kind != "console":
            return match.group(0)
        commands = [line[2:] for line in body.splitlines() if line.startswith("$ ")]
        printed = [_undigested(run(c, folder, fork=fork), named) for c in commands]
        shown = "\n".join(f"$ {c}\n{out}" for c, out in zip(commands, printed, strict=True))
        return f"```console\n{shown}```"

    return FENCE.sub(fence, page)


def drawn(page: Path, folder: Path) -> Iterator[tuple[Path, str]]:
    """The pictures that a page shows: where each is kept, and what its commands drew there."""
    for link in PICTURE.findall(page.read_text(encoding="utf-8")):
        made = folder / Path(link).name
        if made.exists():
            yield (page.parent / link).resolve(), made.read_text(encoding="utf-8")


def write_files(page: str, folder: Path) -> None:
    """The files of a page."""
    for _, name, body in FENCE.findall(page):
        if name:
            (folder / name).write_text(body, encoding="utf-8")


def _undigested(text: str, named: dict[str, str]) -> str:
    """Digests of certificates by others, the same for the same one in a page."""

    def name(match: re.Match[str]) -> str:
        index = len(named)
        other = hashlib.sha256(bytes(index)).hexdigest()[:12] if index else "3f2a91c05d1b"
        return named.setdefault(match[0], f"certificate {other}")

    return re.sub(r"\bcertificate [0-9a-f]{12}\b", name, text)


def sessions(page: str) -> list[str]:
    """The Python sessions of a page."""
    return [body for kind, _, body in FENCE.findall(page) if kind == "python"]


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        file = Path(argument)
        with TemporaryDirectory() as scratch:
            for chapter in (
                (ROOT / "docs" / "theory").glob("*.md") if "theory" in file.parts else ()
            ):
                write_files(chapter.read_text(encoding="utf-8"), Path(scratch))
            text = rendered(file.read_text(encoding="utf-8"), Path(scratch))
            for place, picture in drawn(file, Path(scratch)):
                place.write_text(picture, encoding="utf-8")
        file.write_text(text, encoding="utf-8")
