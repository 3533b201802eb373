"""What an independent checker needs to confirm exact worst cases: runs that take so long, and all
situations that an exploration found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ddsrta.exploration.exact.explore import Proof
from ddsrta.exploration.exact.kept import Kept
from ddsrta.exploration.exact.lists import Lists
from ddsrta.exploration.exact.witness import witness
from ddsrta.models.document import digest, to_document
from ddsrta.models.senders import policy_of, senders
from ddsrta.models.system import System
from ddsrta.simulation.attack import Found
from ddsrta_simulator import Program
from ddsrta_simulator.orders import TURNS

VERSION = 1
LISTED = 20_000  # zones in a certificate: more are not written


class Claim(NamedTuple):
    """No run has more than `most`, as the proof says, and the worst run that was found."""

    most: int | None
    proof: Proof
    found: Found


def certificate(
    system: System, program: Program, claims: Sequence[Claim], assumptions: Iterable[str]
) -> dict[str, Any]:
    """The certificate of exact worst cases; proofs that are too long are left out."""
    document = to_document(system)
    short = [claim.proof for claim in claims if claim.proof.size <= LISTED]
    numbers = {key: number for number, key in enumerate(dict.fromkeys(map(id, short)))}
    mine: list[list[Claim]] = [[] for _ in numbers]
    for claim in claims:
        if id(claim.proof) in numbers:
            mine[numbers[id(claim.proof)]].append(claim)
    return {
        "ddsrta_certificate": VERSION,
        "profile": "exact",
        "system": document,
        "digest": digest(document),
        "assumptions": sorted(
            {
                "no-keys",
                "no-overflow",
                "reader-locks",
                *assumptions,
                *_own(system),
                *_common(program, claims),
            }
        ),
        "figures": [_figure(claim, numbers.get(id(claim.proof))) for claim in claims],
        "proofs": [
            Lists(system, program, [claim.found.number for claim in group]).situations(
                group[0].proof.known
            )
            for group in mine
        ],
    }


def _figure(claim: Claim, proof: int | None) -> dict[str, Any]:
    found = claim.found
    is_seen = found.worst >= 0
    return {
        "kind": found.measure.kind,
        "of": list(found.measure.of),
        "at_most": claim.most,
        "proof": proof,
        "found": found.worst if is_seen else None,
        "run": witness(found) if is_seen else None,
    }


def _own(system: System) -> Iterator[str]:
    """What only runs rest on: flow controllers that go round do so in the order of the file."""
    for name, its in senders(system).items():
        policy = policy_of(system, name)
        if policy.serves == TURNS and len({policy.queue(one) for one in its.values()}) > 1:
            yield "turn-order"


def _common(program: Program, claims: Sequence[Claim]) -> Iterator[str]:
    """Whether a join takes it that its sources begin together."""
    if any(any(Kept(program, {claim.found.number}).begins) for claim in claims):
        yield "common-start"
