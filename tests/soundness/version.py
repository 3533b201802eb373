"""What was tested: a digest of everything that a bound depends on."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[2]
PARTS = ("ddsrta/bounds/**/*.py", "ddsrta/policies/*.py", "cython_ext/ddsrta_kernel/*.p*")
SOURCES = (".py", ".pyx", ".pxi")


def analysis_version() -> str:
    """The first digits of a hash over what bounds are computed by; needs no repository."""
    digest = sha256()
    for part in PARTS:
        for file in sorted(ROOT.glob(part)):
            if file.suffix in SOURCES:
                digest.update(file.relative_to(ROOT).as_posix().encode() + b"\0")
                digest.update(file.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def rotation() -> int:
    """A number that is another one when the analysis is: which slice of the systems a test takes."""
    return int(analysis_version()[:6], 16)
