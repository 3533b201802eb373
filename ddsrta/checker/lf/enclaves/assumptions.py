"""What bounds of enclaves rest on."""

from __future__ import annotations

from ddsrta.checker.lf.enclaves.cut import Cut


def enclaves_assumed(cut: Cut) -> set[str]:
    """The assumptions that have to be stated besides those of the federation."""
    crowded = cut.crowded()
    hosts = {part.host for part in cut.whole.federates.values()}
    found = {"work-conserving" if host in crowded else "own-cores" for host in hosts}
    if cut.joints:
        found.add("enclave-waits")
    return found
